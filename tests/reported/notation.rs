//! Values as text, in proofs and elsewhere: one grammar, with and without variables.

use std::fs;

use seedbank::family::Pattern;
use seedbank::proof::{Value, notation};
use seedbank::value::{Arena, Calculator, Dyadic, Notation, ValueId, ValuePattern};

use crate::common::python::python;
use crate::common::workspace::{Ended, Workspace, ended, seedbank};

fn run(here: &Workspace, arguments: &[&str]) -> Ended {
    let mut command = seedbank(arguments);
    command.current_dir(here.path(""));
    ended(command)
}

/// The command that states that rows of partisan Sowing have a value.
fn prove(here: &Workspace, rest: &[&str]) -> Ended {
    let stated = ["prove", "-q", "-g", "sowing", "-p", "partisan"];
    run(here, &[&stated, rest].concat())
}

/// Returns the value of a claim at some counts.
fn at(value: &Value, counts: &[i64], calculator: &mut Calculator<'_>) -> ValueId {
    match value {
        Value::Integer(integer) => {
            let integer = Dyadic::integer(integer.at(counts));
            calculator.number(integer).unwrap()
        }
        Value::Options(left, right) => {
            let mut side = |values: &[Value]| -> Vec<ValueId> {
                values
                    .iter()
                    .map(|value| at(value, counts, calculator))
                    .collect()
            };
            let (mut left, mut right) = (side(left), side(right));
            calculator.canonical(&mut left, &mut right).unwrap()
        }
    }
}

/// Settings of m, n and p.
const SETTINGS: [[i64; 3]; 3] = [[1, 2, 4], [3, 1, 0], [2, 5, 2]];
const NAMES: [char; 3] = ['m', 'n', 'p'];

/// Asserts that readers of texts with variables agree with the reader of values, which reads the
/// text with numbers; returns whether the text can be that of a claim.
fn assert_read(pattern: &str, calculator: &mut Calculator<'_>) -> bool {
    let read = ValuePattern::read(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    let claimed = match notation::read(pattern, &NAMES, calculator) {
        Ok(claimed) => Some(claimed),
        // A claim has no sum of other values than integers.
        Err(error) if error.to_string().contains("variables in integers alone") => None,
        Err(error) => panic!("{pattern}: {error}"),
    };
    for counts in SETTINGS {
        let expected = calculator.parse(&with_numbers(pattern, counts));
        let binding: Vec<(char, i64)> = NAMES.iter().copied().zip(counts).collect();
        assert_eq!(
            read.value(&binding, calculator),
            expected,
            "{pattern} at {counts:?}"
        );
        if let Some(claimed) = &claimed {
            let claimed = at(claimed, &counts, calculator);
            assert_eq!(Ok(claimed), expected, "{pattern} at {counts:?}");
        }
    }
    claimed.is_some()
}

/// Returns a text with numbers in place of its variables.
fn with_numbers(pattern: &str, counts: [i64; 3]) -> String {
    // The names of games have the letter of a variable.
    let mut text = pattern.replace("Tiny", "T").replace("Miny", "M");
    for (name, count) in NAMES.iter().zip(counts) {
        text = text.replace(*name, &count.to_string());
    }
    text.replace('T', "Tiny").replace('M', "Miny")
}

/// A game with braces around one side alone, as texts with runs of bars.
struct Barred {
    text: String,
    /// The longest run.
    bars: usize,
}

impl Barred {
    fn leaf(text: &str) -> Barred {
        let text = text.to_owned();
        Barred { text, bars: 0 }
    }

    fn game(left: &Barred, right: &Barred) -> Barred {
        let bars = 1 + left.bars.max(right.bars);
        let text = format!("{}{}{}", left.text, "|".repeat(bars), right.text);
        Barred { text, bars }
    }
}

#[test]
fn forms_with_variables_are_read_as_their_values_are() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let leaves = ["0", "m", "n+1", "-p", "*"].map(Barred::leaf);
    let pairs = leaves
        .iter()
        .flat_map(|left| leaves.iter().map(move |right| (left, right)));
    let switches: Vec<Barred> = pairs
        .map(|(left, right)| Barred::game(left, right))
        .collect();
    let mut texts: Vec<String> = Vec::new();
    let all = || leaves.iter().chain(&switches);
    for (left, right) in all().flat_map(|left| all().map(move |right| (left, right))) {
        let game = Barred::game(left, right);
        texts.push(format!("{{{}}}", game.text));
        // Three runs of bars, the longest one first or last.
        let deep = [
            Barred::game(&leaves[1], &game),
            Barred::game(&game, &leaves[3]),
        ];
        texts.extend(deep.map(|deep| format!("{{{}}}", deep.text)));
    }
    assert_eq!(texts.len(), 3 * 30 * 30);
    for text in &texts {
        if text.contains(['m', 'n', 'p']) {
            assert_read(text, &mut calculator);
        }
    }
}

/// Returns a text with variables in place of the integers that are values, and whether it has any.
fn with_variables(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut pattern = String::new();
    let mut count = 0;
    for (at, &c) in chars.iter().enumerate() {
        let is = |place: Option<usize>, of: &str| {
            place
                .and_then(|place| chars.get(place))
                .is_some_and(|c| of.contains(*c))
        };
        // Not a digit of a longer number, of a fraction, of a nimber, of ups or of a power.
        let before = is(at.checked_sub(1), "0123456789/*^v<[");
        let after = is(Some(at + 1), "0123456789/T");
        match c.is_ascii_digit() && !before && !after {
            true => {
                pattern.push(NAMES[count % 3]);
                count += 1;
            }
            false => pattern.push(c),
        }
    }
    (count > 0).then_some(pattern)
}

#[test]
fn printed_forms_are_read_with_variables_in_place_of_their_integers() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    // All games of options among some values of small depth.
    let options = [
        "0", "1", "-2", "*", "1*", "^", "2v*2", "{1|0}", "Tiny(1)", "+-1",
    ];
    let options = options.map(|text| calculator.parse(text).unwrap());
    let mut patterns: Vec<String> = Vec::new();
    let sides = || {
        let pairs = (0..options.len()).map(|at| vec![options[at], options[(at + 1) % 10]]);
        options.iter().map(|option| vec![*option]).chain(pairs)
    };
    for (left, right) in sides().flat_map(|left| sides().map(move |right| (left.clone(), right))) {
        let id = calculator
            .canonical(&mut left.clone(), &mut right.clone())
            .unwrap();
        for notation in [Notation::Standard, Notation::Plain] {
            let text = arena.notation_as(id, notation).to_string();
            patterns.extend(with_variables(&text));
        }
    }
    patterns.sort();
    patterns.dedup();
    assert!(patterns.len() > 60, "{}", patterns.len());
    let claims = patterns
        .iter()
        .filter(|pattern| assert_read(pattern, &mut calculator));
    let claims = claims.count();
    assert!(2 * claims > patterns.len(), "{claims}");
    for pattern in [
        "-{m|-n}",
        "Tiny(m)",
        "Miny(n+1)",
        "+-{m,n|0}",
        "+-m",
        "m^3*2",
        "-n^<2>",
        "(m)",
        "2m - n",
    ] {
        let read = ValuePattern::read(pattern).unwrap();
        let claimed = notation::read(pattern, &NAMES, &mut calculator).unwrap();
        for counts in SETTINGS {
            let binding: Vec<(char, i64)> = NAMES.iter().copied().zip(counts).collect();
            let value = read.value(&binding, &mut calculator).unwrap();
            assert_eq!(
                at(&claimed, &counts, &mut calculator),
                value,
                "{pattern} at {counts:?}"
            );
        }
    }
}

/// The rows are worth Tiny(m), and `{0|0||-m}` is hot.
#[test]
fn a_longer_run_of_bars_after_a_shorter_one_divides_a_game() {
    let here = Workspace::new();
    let rows = ["210 (01)^m 1ee", "--least", "m=2", "--claims", "40"];
    let claimed = prove(&here, &[&rows[..], &["--value", "{0|0||-m}"]].concat());
    assert_eq!(claimed.status, Some(1), "{claimed:?}");
    let refuted = "refuted by 21001011ee = Tiny(2), not {*|-2}";
    assert!(claimed.stdout.contains(refuted), "{claimed:?}");
    // A proof of the true value, in any notation, and of the false one.
    for (value, status) in [
        ("{0||0|-m}", 0),
        ("Tiny(m)", 0),
        ("{0|0||-m}", 1),
        ("{0|{0|-m-1}}", 1),
    ] {
        let text = include_str!("tiny.toml").replace("{0||0|-m}", value);
        fs::write(here.path("tiny.toml"), text).unwrap();
        let first = run(&here, &["check", "tiny.toml"]);
        assert_eq!(first.status, Some(status), "{value}: {first:?}");
        let mut second = python();
        second.arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/scripts/check_proof.py"
        ));
        second.arg(here.path("tiny.toml"));
        let second = ended(second);
        assert_eq!(second.status, Some(status), "{value}: {second:?}");
    }
}

/// No row shows how often a word without pots is repeated.
#[test]
fn repeated_words_have_pots() {
    let here = Workspace::new();
    for value in ["n", "-n"] {
        let claimed = prove(&here, &["(1^0)^n", "--value", value]);
        assert_eq!(claimed.status, Some(2), "{claimed:?}");
        let said = "the group with the exponent n has no pots";
        assert!(claimed.stderr.contains(said), "{claimed:?}");
    }
}

#[test]
fn letters_of_the_notation_name_no_variables() {
    let here = Workspace::new();
    for (rows, value, place) in [
        ("31 0^v", "v", "v at character 6"),
        ("2 (01)^v", "v+1", "v at character 8"),
        ("2 (01)^e", "0", "e at character 8"),
        ("2 v", "0", "v at character 3"),
    ] {
        let error = rows.parse::<Pattern>().unwrap_err().to_string();
        assert!(error.starts_with(place), "{error}");
        let claimed = prove(&here, &[rows, "--value", value]);
        assert_eq!(claimed.status, Some(2), "{claimed:?}");
        let said = format!("{place} is no name of a variable, since v is down");
        assert!(claimed.stderr.contains(&said), "{claimed:?}");
        let certificate = format!(
            "game = \"sowing\"\nversion = 1\nplay = \"partisan\"\n[[theorem]]\nrows = {rows:?}\nvalue = {value:?}\n"
        );
        fs::write(here.path("v.toml"), certificate).unwrap();
        let checked = run(&here, &["check", "v.toml"]);
        assert_eq!(checked.status, Some(2), "{checked:?}");
        assert!(
            checked.stderr.contains("v.toml:4") && checked.stderr.contains(&said),
            "{checked:?}"
        );
        let name = if place.starts_with('e') { 'e' } else { 'v' };
        let family = format!("pattern = {rows:?}\n{name} = \"1..=3\"");
        let spec = here.spec("letters", "sowing", "partisan", &family);
        let planned = run(&here, &["plan", &spec.display().to_string()]);
        assert_eq!(planned.status, Some(2), "{planned:?}");
        assert!(planned.stderr.contains(&said), "{planned:?}");
    }
    let error = ValuePattern::read("{n|1/2^e}").unwrap_err().to_string();
    assert!(
        error.starts_with("character 8: e is no name of a variable"),
        "{error}"
    );
    let sums = "[family]\nsum = \"knight(i,v)\"\ni = \"0..=3\"\nv = \"0..=3\"";
    let spec = here.plain_spec("sums", "obligated", sums);
    let planned = run(&here, &["plan", &spec.display().to_string()]);
    assert_eq!(planned.status, Some(2), "{planned:?}");
    assert!(
        planned.stderr.contains("v is no name of a variable"),
        "{planned:?}"
    );
    let witness = here.path("witness.toml");
    fs::write(
        &witness,
        "name = \"witness\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\nall = { pots_max = 3, pot_max = 3 }\n\
         [witness]\npattern = \"1/2^e\"\ne = \"1..=3\"\nfewest = \"seeds\"\n",
    )
    .unwrap();
    let planned = run(&here, &["plan", &witness.display().to_string()]);
    assert_eq!(planned.status, Some(2), "{planned:?}");
    assert!(planned.stderr.contains("witness.toml:8"), "{planned:?}");
    assert!(
        planned.stderr.contains("e is no name of a variable"),
        "{planned:?}"
    );
}

#[test]
fn check_says_each_file_s_verdict() {
    let here = Workspace::new();
    let certificate = |value: &str| {
        format!(
            "game = \"sowing\"\nversion = 1\nplay = \"partisan\"\n[[theorem]]\nrows = \"0^n\"\nvalue = {value:?}\n"
        )
    };
    fs::write(here.path("false.toml"), certificate("1")).unwrap();
    fs::write(here.path("true.toml"), certificate("0")).unwrap();
    fs::write(here.path("text.toml"), certificate("{n|")).unwrap();
    let both = run(&here, &["check", "false.toml", "true.toml"]);
    assert_eq!(both.status, Some(1), "{both:?}");
    assert!(
        both.stdout.starts_with("true.toml: proved: 0^n = 0"),
        "{both:?}"
    );
    assert!(
        both.stderr.contains("false.toml: 0^n = 1 is not proved"),
        "{both:?}"
    );
    let all = run(
        &here,
        &[
            "check",
            "--json",
            "text.toml",
            "false.toml",
            "true.toml",
            "missing.toml",
        ],
    );
    assert_eq!(all.status, Some(2), "{all:?}");
    let verdicts: Vec<serde_json::Value> = all
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verdicts: Vec<(&str, &str)> = verdicts
        .iter()
        .map(|object| {
            (
                object["proof"].as_str().unwrap(),
                object["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("text.toml", "not proved"),
        ("false.toml", "not proved"),
        ("true.toml", "proved"),
    ];
    assert_eq!(verdicts, expected);
    assert!(all.stderr.contains("missing.toml"), "{all:?}");
    assert_eq!(
        run(&here, &["check", "true.toml", "true.toml"]).status,
        Some(0)
    );
}

#[test]
fn comparisons_are_answered_and_differences_say_how_they_are_written() {
    let refused = |arguments: &[&str]| {
        let refused = ended(seedbank(arguments));
        assert_eq!(refused.status, Some(2), "{refused:?}");
        refused.stderr
    };
    let compared = ended(seedbank(&[
        "value",
        "--json",
        "^ > *",
        "2.^ <=> *",
        "{2|0}=1+-1",
    ]));
    assert_eq!(compared.status, Some(0), "{compared:?}");
    assert_eq!(
        compared.stdout,
        "{\"comparison\":\"confused\",\"holds\":false,\"left\":\"^\",\"relation\":\">\",\"right\":\"*\"}\n\
         {\"comparison\":\"greater\",\"left\":\"^2\",\"right\":\"*\"}\n\
         {\"comparison\":\"equal\",\"holds\":true,\"left\":\"{2|0}\",\"relation\":\"=\",\"right\":\"{2|0}\"}\n"
    );
    let unknown = refused(&["value", "^ ~ *"]);
    assert!(
        unknown.contains("a relation such as <= or the end of the text, found '~'"),
        "{unknown}"
    );
    let drawn = refused(&["value", "--svg", "1 < 2"]);
    assert!(drawn.contains("this is a comparison"), "{drawn}");
    let difference = refused(&["eval", "-g", "sowing", "-p", "partisan", "312 - 2111"]);
    assert!(difference.contains("a sum has no minus"), "{difference}");
}

#[test]
fn what_no_impartial_position_has_cannot_be_sought() {
    let here = Workspace::new();
    let planned = |play: &str, witness: &str| {
        let family = format!(
            "all = {{ pots_max = 3, seeds_max = 4 }}\n[witness]\nfewest = \"seeds\"\n{witness}"
        );
        let mut plan = seedbank(&["plan"]);
        plan.arg(here.spec("sought", "sowing", play, &family));
        ended(plan)
    };
    for witness in [
        "value = \"1/2\"",
        "value = [\"*2\", \"^\"]",
        "pattern = \"1/2^k\"\nk = \"0..=3\"",
        "where = \"kind = hot\"",
        "where = [\"nim_value >= 1\", \"outcome = L\"]",
        "where = \"mean > 0\"",
        "where = \"temperature = 1/2\"",
        "where = \"left_stop != 0\"",
        "where = \"atomic_weight >= 1\"",
        "where = \"atomic_weight is not integer\"",
    ] {
        let refused = planned("impartial", witness);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("every value is 0 or a nimber"),
            "{refused:?}"
        );
        assert!(refused.stderr.contains("sought.toml:"), "{refused:?}");
        assert_eq!(planned("partisan", witness).status, Some(0), "{witness}");
    }
    for witness in [
        "value = \"*2\"",
        "value = \"0\"",
        "where = \"kind = nimber\"",
        "where = \"outcome != N\"",
        "where = \"temperature < 0\"",
        "where = \"atomic_weight < ^\"",
        "where = \"mean is integer\"",
    ] {
        let planned = planned("impartial", witness);
        assert_eq!(planned.status, Some(0), "{planned:?}");
    }
}
