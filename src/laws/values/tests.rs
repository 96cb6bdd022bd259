use cgvalues::Arena;

use super::*;

/// Cells with values given by texts.
struct Sample {
    cells: Vec<PlacedEntry>,
    entries: Vec<Entry>,
    values: Vec<ValueId>,
}

impl Sample {
    fn new(
        texts: impl IntoIterator<Item = (Vec<i64>, String)>,
        calculator: &mut Calculator<'_>,
    ) -> Sample {
        let mut table = Sample {
            cells: Vec::new(),
            entries: Vec::new(),
            values: Vec::new(),
        };
        for (at, text) in texts {
            let value = calculator.parse(&text).unwrap();
            let known = table.values.iter().position(|known| *known == value);
            let entry = known.unwrap_or_else(|| {
                table.values.push(value);
                table.entries.push(Entry {
                    template: Template::of(calculator.arena(), value),
                    value: Some(value),
                });
                table.values.len() - 1
            }) as u32;
            table.cells.push(PlacedEntry { at, entry });
        }
        table
    }

    /// Returns the laws; every cell of a law's region has the law's value.
    fn laws(&self, calculator: &mut Calculator<'_>) -> Laws {
        let found = laws(&self.cells, &self.entries, calculator);
        for law in &found.laws {
            let cells = self.cells.iter();
            let inside: Vec<&PlacedEntry> =
                cells.filter(|cell| law.region.contains(&cell.at)).collect();
            assert_eq!(inside.len(), law.cells);
            for cell in inside {
                let given = law.at(&cell.at).unwrap().value(calculator);
                assert_eq!(given, Some(self.values[cell.entry as usize]));
            }
        }
        found
    }
}

fn grid(range: i64, of: impl Fn(i64, i64) -> String, calculator: &mut Calculator<'_>) -> Sample {
    let places = each_list(&[(0, range), (0, range)]);
    let texts = places.into_iter().map(|at| (at.clone(), of(at[0], at[1])));
    Sample::new(texts, calculator)
}

fn names() -> Vec<String> {
    vec!["m".to_owned(), "n".to_owned()]
}

fn stated(laws: &Laws, calculator: &mut Calculator<'_>) -> Vec<String> {
    let text = |law: &Law| {
        let says = law.text(&names(), calculator);
        format!("{says} for {}", law.region.text(&names()))
    };
    laws.laws.iter().map(text).collect()
}

#[test]
fn laws_have_exceptions_along_the_border() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let of = |m: i64, n: i64| match (m, n) {
        (0, 0) => "*5".to_owned(),
        (0, _) => format!("{}.^", n + 1),
        (_, 0) => "1/2".to_owned(),
        _ => format!("{{{}|{}}}", n + 1, -m - 1),
    };
    let found = grid(12, of, &mut calculator).laws(&mut calculator);
    assert_eq!(
        stated(&found, &mut calculator),
        [
            "{n+1|-m-1} for m >= 1; n >= 1",
            "(n+1).^ for m = 0; n >= 1",
            "1/2 for m >= 1; n = 0",
        ]
    );
    assert_eq!((found.unexplained, found.failed), (1, 0));
}

#[test]
fn nim_sums_need_more_than_a_few_values() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let nimber = |n: i64| match n {
        0 => "0".to_owned(),
        n => format!("*{n}"),
    };
    let of = |m: i64, n: i64| nimber((m + 1) ^ n);
    let found = grid(12, of, &mut calculator).laws(&mut calculator);
    let stated = stated(&found, &mut calculator);
    assert_eq!(stated, ["*((m+1) xor n) for m >= 0; n >= 0"]);
    // Of 16 values these are 4 that are new.
    let few = grid(3, |m, n| nimber(m ^ n), &mut calculator).laws(&mut calculator);
    assert!(few.laws.is_empty(), "{few:?}");
}

#[test]
fn laws_depend_on_residues_and_powers() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let of = |m: i64, n: i64| match n % 2 {
        0 => format!("{{{}|Tiny(1/{})}}", m + n / 2, 1 << m),
        _ => format!("{{{}||{}|-{}}}", m, m - 1, 1 << n),
    };
    let found = grid(12, of, &mut calculator).laws(&mut calculator);
    assert_eq!(
        stated(&found, &mut calculator),
        [
            "{(2m+n)/2|{0|{0|-1/2^m}}} for m >= 0; n = 0, 2, ...",
            "{m|{m-1|-2^n}} for m >= 0; n = 1, 3, ...",
        ]
    );
}

#[test]
fn sequences_have_laws_by_residues() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let text = |n: i64| match n % 3 {
        _ if n < 5 => "*7".to_owned(),
        0 => format!("{}*", n / 3),
        1 => format!("{{{n}|0}}"),
        _ => "^".to_owned(),
    };
    let texts = (1..=60).map(|n| (vec![n], text(n)));
    let found = Sample::new(texts, &mut calculator).laws(&mut calculator);
    let names = ["n".to_owned()];
    let texts = found.laws.iter().map(|law| {
        let says = law.text(&names, &mut calculator);
        format!("{says} for {}", law.region.text(&names))
    });
    let texts: Vec<String> = texts.collect();
    assert_eq!(
        texts,
        [
            "n/3 + * for n = 6, 9, ...",
            "{n|0} for n = 7, 10, ...",
            "^ for n = 5, 8, ...",
        ]
    );
    assert_eq!(found.unexplained, 4);
}

#[test]
fn what_fails_in_tests_is_counted() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let of = |m: i64, n: i64| match (m, n) {
        (11, 7) => "0".to_owned(),
        _ => format!("{{{}|{}}}", n, -m),
    };
    let found = grid(12, of, &mut calculator).laws(&mut calculator);
    assert!(found.failed > 0);
    let all = found.laws.iter().filter(|law| law.region.moduli == [1, 1]);
    assert_eq!(all.count(), 0, "{found:?}");
}

#[test]
fn shuffled_and_random_columns_have_no_law() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut generator = fastrand::Rng::with_seed(1);
    let few = ["0", "*", "*2", "1", "{1|0}", "2", "-1", "1/2"];
    let mut columns = 0;
    for round in 0..2400 {
        let (kind, size) = (round % 4, i64::from(round / 8) % 300);
        let places = match round / 4 % 2 {
            0 => (0..6 + size % 40).map(|n| vec![n]).collect(),
            _ => each_list(&[(0, 3 + size % 4), (0, 3 + size % 5)]),
        };
        let (often, kinds) = (generator.f64(), generator.usize(2..=few.len()));
        let mut value = |at: &[i64]| {
            let (first, last) = (at[0], at[at.len() - 1]);
            match kind {
                0 => format!("{{{first}|{}}}", -last),
                1 => (first + 2 * last).to_string(),
                2 if generator.f64() < often => few[0].to_owned(),
                _ => few[generator.usize(0..kinds)].to_owned(),
            }
        };
        let mut texts: Vec<String> = places.iter().map(|at| value(at)).collect();
        if kind < 2 {
            generator.shuffle(&mut texts);
        }
        // A column of equal values has a law in any order.
        if texts.iter().all(|text| *text == texts[0]) {
            continue;
        }
        columns += 1;
        let table = Sample::new(places.into_iter().zip(texts), &mut calculator);
        let found = table.laws(&mut calculator);
        assert!(found.laws.is_empty(), "{found:?}");
    }
    assert!(columns > 2000, "{columns}");
}

/// Returns the law of a short sequence from 0 on, with its region.
fn short_law(texts: &[&str], calculator: &mut Calculator<'_>) -> Option<(String, Law)> {
    let places = texts.iter().enumerate();
    let places = places.map(|(n, text)| (vec![n as i64], text.to_string()));
    let sample = Sample::new(places, calculator);
    let law = short(&sample.cells, &sample.entries, calculator)?;
    let names = ["n".to_owned()];
    let says = law.text(&names, calculator);
    let says = format!("{says} for {}", law.region.text(&names));
    Some((says, law))
}

#[test]
fn eight_entries_have_the_laws_that_are_seen_by_eye() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    // Rows of Sowing under partisan play: 2 (01)^n, 2 (01)^n 2, 22 (01)^n and 2 0^n 12.
    for (texts, says, orders) in [
        (
            ["0", "2", "3", "4", "5", "6", "7", "8"],
            "n+1 for n >= 1",
            20160.0,
        ),
        // Either of the fours, in either direction.
        (
            ["0", "0", "4", "4", "5", "6", "7", "8"],
            "n+1 for n >= 3",
            6720.0 / 4.0,
        ),
        (
            ["0", "1", "6", "7", "9", "11", "13", "15"],
            "2n+1 for n >= 3",
            6720.0 / 2.0,
        ),
        (
            ["+-2", "0", "1", "1", "1", "1", "1", "1"],
            "1 for n >= 2",
            28.0,
        ),
        (
            [
                "*", "{1|0}", "{2|-1}", "{3|-2}", "{4|-3}", "{5|-4}", "{6|-5}", "{7|-6}",
            ],
            "{n|-n+1} for n >= 1",
            20160.0,
        ),
    ] {
        let (law, found) = short_law(&texts, &mut calculator).unwrap();
        assert_eq!((&*law, found.tested), (says, 3), "{texts:?}");
        assert!(
            (found.bits - f64::log2(orders)).abs() < 1e-9,
            "{law}: {}",
            found.bits
        );
    }
    for few in [
        // One order in 8.
        ["0", "1", "1", "1", "1", "1", "1", "1"],
        // Of the 8 entries, the law gives 4, and one was held out.
        ["0", "5", "1", "6", "7", "9", "11", "12"],
        // Any order has it.
        ["1"; 8],
    ] {
        assert!(short_law(&few, &mut calculator).is_none(), "{few:?}");
    }
}

#[test]
fn short_columns_in_random_order_have_laws_as_rarely_as_their_bits_say() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut generator = fastrand::Rng::with_seed(65);
    let (mut found, mut columns) = (Vec::new(), 0);
    for round in 0..40_000 {
        let length = 5 + round % 8;
        let mut texts: Vec<String> = match round % 3 {
            0 => (0..length).map(|n| (2 * n).to_string()).collect(),
            // One value is frequent.
            1 => (0..length)
                .map(|_| generator.i32(-4..3).max(0).to_string())
                .collect(),
            _ => (0..length)
                .map(|_| generator.i32(0..6).to_string())
                .collect(),
        };
        generator.shuffle(&mut texts);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        columns += 1;
        found.extend(short_law(&texts, &mut calculator).map(|(_, law)| law.bits));
    }
    assert!(!found.is_empty());
    for bits in [4.0, 5.0, 6.0, 8.0, 10.0] {
        let chance = found.iter().filter(|found| **found >= bits).count();
        let most = f64::from(columns) * f64::powf(2.0, -bits);
        assert!(
            (chance as f64) < most + 3.0 * most.sqrt(),
            "{bits}: {chance} > {most}"
        );
    }
}
