use proptest::prelude::*;

use super::super::super::Arena;

fn same(a: &str, b: &str) {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let (a_id, b_id) = (c.parse(a), c.parse(b));
    assert!(a_id.is_ok(), "{a}: {a_id:?}");
    assert_eq!(a_id, b_id, "{a} and {b}");
}

#[test]
fn other_ways_of_writing_are_read() {
    for (text, meaning) in [
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("{ 0 , * | 1 }", "{0,*|1}"),
        ("{0|1}", "1/2"),
        ("2.^*", "^2*"),
        ("3.v", "v3"),
        ("0.^", "0"),
        ("^^^", "^3"),
        ("vv*", "v2*"),
        ("↑*", "^*"),
        ("⇓", "v2"),
        ("±1", "+-1"),
        ("+- 1", "+-1"),
        ("±{1|0}", "{1|0||0|-1}"),
        ("+-{1,2|0}", "{{1,2|0}|{0|-1,-2}}"),
        ("+-{0,{1|0}}", "{0,{1|0}|0,{0|-1}}"),
        ("+-+-1", "{+-1|+-1}"),
        ("1+^-*2", "1^*2"),
        ("-1^", "-1+^"),
        ("0-1^", "-1+v"),
        ("-(1^)", "-1+v"),
        ("-^", "v"),
        ("--2", "2"),
        ("1 - +-1", "{2|0}"),
        ("3+-1", "{4|2}"),
        ("3 +- 1", "{4|2}"),
        ("3±1", "{4|2}"),
        ("3+-{2|1}", "{5|4||2|1}"),
        ("3+-{2,4|1}+-1", "3 + +-{2,4|1} + +-1"),
        ("3 + -1", "2"),
        ("3-+-1", "{4|2}"),
        ("3+-^", "3 + +-^"),
        ("*2+*3", "*"),
        ("{1|{*|-1}}", "{1||*|-1}"),
        ("{2|0||-2|-4}", "{{2|0}|{-2|-4}}"),
        ("{0|||0||-1|-3}", "{0|{0|{-1|-3}}}"),
        ("{1|||0|-1}", "{1|{0|-1}}"),
    ] {
        same(text, meaning);
    }
}

#[test]
fn products_and_ordinal_sums_are_read() {
    for (text, meaning) in [
        ("2.{2|1}", "{4|3||3|2}"),
        ("-3.{2|1}", "-{2|1}-{2|1}-{2|1}"),
        ("2.(^*)", "^2"),
        ("2.^*", "^2*"),
        ("2.^2*3", "^4*3"),
        ("2.^<2>", "^<2> + ^<2>"),
        ("2.^[2]*", "^[2] + ^[2] + *"),
        ("3.*2", "*2"),
        ("2.Tiny(1)", "Tiny(1) + Tiny(1)"),
        ("3.+-1", "+-1"),
        ("2.±{2|1}", "0"),
        ("3.(1/2)", "3/2"),
        ("(1+1).^", "^2"),
        ("1/2.^", "{^2*|v*}"),
        ("-1/2.^", "-{^2*|v*}"),
        ("1/2.^*", "{^2*|v*} + *"),
        ("{1|0}.(1*)", "{2*|-1}"),
        ("*.^", "+-(^2*)"),
        ("1:1", "2"),
        ("1:(-1)", "1/2"),
        ("-1:1", "-2"),
        ("(-1):1", "-1/2"),
        ("0-1:1", "-2"),
        ("-(1^):1", "-{1,1^|1*}"),
        ("2 + *:1", "2^*"),
        ("*2:*3", "*5"),
        ("* : 1 + 1", "1^*"),
        ("1:(-1):1", "3/4"),
        ("2.^:1", "{0,^2|^*}"),
        ("{2|1:*}", "{2|1*}"),
        ("+-(1:1)", "+-2"),
    ] {
        same(text, meaning);
    }
}

#[test]
fn texts_with_two_readings_are_refused() {
    let around_point = "one symbol or parentheses before a point, as in (1*).^";
    let unit = "a unit after a point, as in 3.^, 3.{1|0} or 3.(1/2); 7/2 is no 3.5";
    for (text, position, expected) in [
        ("1*.^", 3, around_point),
        ("^*.^", 3, around_point),
        ("+-1.{1|0}", 4, around_point),
        ("3.5", 3, unit),
        ("3.-1", 3, unit),
        ("3.", 3, unit),
        ("2.^.^", 4, around_point),
        ("*.^.^", 4, "an operator or the end of the text"),
        (
            "+-1:1",
            4,
            "parentheses around +- beside a colon, as in (+-1):1",
        ),
        (
            "1:+-1:1",
            6,
            "parentheses around +- beside a colon, as in (+-1):1",
        ),
        (
            "1:-1",
            3,
            "parentheses around a sign after a colon, as in 1:(-1)",
        ),
        (
            "-1^:1",
            4,
            "parentheses around one side of the colon, as in -(1^:1)",
        ),
    ] {
        let found = match text.chars().nth(position - 1) {
            Some(c) => format!("{c:?}"),
            None => "the end of the text".to_owned(),
        };
        let message = format!("character {position}: expected {expected}, found {found}");
        assert_eq!(error(text), message, "{text}");
    }
    assert_eq!(
        error("1 + 1/2.*"),
        "character 8: the unit of a Norton product must be positive, and this one is confused with 0"
    );
}

#[test]
fn products_and_ordinal_sums_that_would_take_too_long_are_refused() {
    for text in ["100000.{5|{3|{2|1}}}", "255.^<64>", "*255.^", "*255:*255"] {
        assert!(
            error(text)
                .ends_with("it takes more than 3000000 steps of comparing and storing options"),
            "{text}: {}",
            error(text)
        );
    }
}

fn error(text: &str) -> String {
    Arena::new()
        .calculator()
        .parse(text)
        .unwrap_err()
        .to_string()
}

#[test]
fn errors_name_the_place_and_what_is_accepted() {
    for (text, message) in [
        (
            "",
            "character 1: expected a value, such as 1/2, *2, ^, {1|0}, Tiny(1) or +-1, found the end of the text",
        ),
        (
            "1/3",
            "character 3: expected a power of two as denominator, found '3'",
        ),
        (
            "1/",
            "character 3: expected a digit, found the end of the text",
        ),
        (
            "1 2",
            "character 3: expected an operator or the end of the text, found '2'",
        ),
        (
            "{1,0}",
            "character 5: expected | between Left's and Right's options, found '}'",
        ),
        (
            "{1|0",
            "character 5: expected a comma, |, +, - or }, found the end of the text",
        ),
        (
            "{1,|0}",
            "character 4: expected a value, such as 1/2, *2, ^, {1|0}, Tiny(1) or +-1, found '|'",
        ),
        (
            "{2|1|0}",
            "character 5: a second run of 1 slashes in one game; write braces around one side",
        ),
        (
            "+-1*",
            "character 3: expected one symbol or parentheses after +-, as in +-(1*) or +-1 + *, found '1'",
        ),
        (
            "Tony(1)",
            "character 1: expected Tiny(...) or Miny(...), found 'T'",
        ),
        (
            "^<2",
            "character 4: expected the closing bracket of the power, found the end of the text",
        ),
        (
            "1000001",
            "character 1: number too large; at most 1000000 is read",
        ),
        ("*256", "character 2: nimber too large; at most 255 is read"),
        (
            "^200+^200",
            "character 5: multiple of up too large; at most 255 is read",
        ),
        (
            "999999999999999999999999999999999999999999",
            "character 1: integer too large; at most 2^127 - 1 is read",
        ),
        (
            "1/170141183460469231731687303715884105728",
            "character 3: denominator too large; at most 2^126 is read",
        ),
        (
            "1 + 1/340282366920938463463374607431768211456",
            "character 7: denominator too large; at most 2^126 is read",
        ),
        (
            "1000000 + 1/85070591730234615865843651857942052864",
            "character 9: a number that takes too many bits; integers have up to 63, numerators up to 127, and denominators \
             are up to 2^126",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    let deep = "{".repeat(5_000);
    assert_eq!(
        error(&deep),
        "character 201: nesting too large; at most 200 is read"
    );
    for deep in ["(", "-", "+-", "±", "Tiny("] {
        assert!(error(&deep.repeat(5_000)).contains("nesting too large"));
    }
    let long = "1+".repeat(1 << 20);
    assert_eq!(
        error(&long),
        "character 1048577: text too large; at most 1048576 is read"
    );
}

#[test]
fn sums_that_would_take_too_long_are_refused() {
    let chain = |step: usize| {
        let opening: String = (1..150).rev().map(|n| format!("{{{}|", n * step)).collect();
        opening + "-1" + &"}".repeat(149)
    };
    let text = [1, 7, 50].map(chain).join("+");
    assert!(error(&text).ends_with(
        "sum (by the product of the numbers of followers) too large; at most 1000000 is read"
    ));
    same("{1000000|0}+{5|-1000000}", "{5|-1000000}+{1000000|0}");
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,40}") {
        let _ = Arena::new().calculator().parse(&text);
    }

    #[test]
    fn no_text_of_symbols_makes_it_panic(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "{", "|", "||", "}", ",", "0", "1", "-", "+", "+-", "±", "*", "^", "v", "<",
                ">", "[", "]", "2", "/", ".", "(", ")", "Tiny(", "Miny(", " ", "*3", "{1|0}", ":", "<=>",
            ]),
            0..24,
        ),
    ) {
        let text = parts.concat();
        let arena = Arena::new();
        let mut c = arena.calculator();
        let _ = c.parse_statement(&text);
        if let Ok(id) = c.parse(&text) {
            prop_assert_eq!(c.parse(&arena.notation(id).to_string()), Ok(id));
        }
    }
}
