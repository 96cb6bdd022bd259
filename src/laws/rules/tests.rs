use super::*;
use crate::{Subject, Texts};

fn grid(range: i64, of: &dyn Fn(i64, i64) -> u32) -> Vec<GridCell> {
    let places = (1..=range).flat_map(|x| (1..=range).map(move |y| [x, y]));
    places.map(|[x, y]| ([x, y], of(x, y))).collect()
}

fn found(
    cells: &[GridCell],
    entries: usize,
    negatives: &[Option<u32>],
    helpers: &[Helper<'_>],
) -> Sought<Rule> {
    rule(cells.iter().copied(), entries, negatives, helpers)
}

/// Nim-values of the octal game 0.37, from its moves.
fn officers(heaps: usize) -> Vec<u32> {
    let mut values: Vec<u32> = vec![0];
    for heap in 1..heaps {
        let mut options = vec![values[heap - 1]];
        options.extend((2..=heap).map(|left| values[left - 2] ^ values[heap - left]));
        let is_missing = |value: &u32| !options.contains(value);
        values.extend((0..).find(is_missing));
    }
    values
}

/// Erickson's classification of the two-pot positions of Atomic Wari (1996, section 3): 0, *,
/// *2, ^, v, ^(1|0), v(1|0), ^^2*, its negative and ^(+-1), in this order.
fn table_5(x: i64, y: i64, zero: &dyn Fn(i64) -> bool) -> u32 {
    const NEGATIVES: [u32; 10] = [0, 1, 2, 4, 3, 6, 5, 8, 7, 9];
    match (x, y) {
        _ if x > y => NEGATIVES[table_5(y, x, zero) as usize],
        (1, 1) => 0,
        (1, 2) => 1,
        (1, _) => 3,
        _ if x + 2 <= y => {
            if zero(x) {
                6
            } else {
                7
            }
        }
        _ if x < y && zero(x - 2) => 5,
        _ if x < y && zero(y - 2) => 6,
        _ if x == y && x > 2 && zero(x - 2) => 9,
        _ => 2,
    }
}

#[test]
fn erickson_s_rule_for_table_5_is_found() {
    let values = officers(60);
    let zero = |k: i64| values[k as usize] == 0;
    let negatives = [0, 1, 2, 4, 3, 6, 5, 8, 7, 9].map(Some);
    let texts: Texts = ["0", "*", "*2", "*3", "*4", "*5"].into_iter().collect();
    let subject = Subject::Members("2^n".to_owned());
    let helper = Helper {
        subject: &subject,
        variable: "n",
        first: 0,
        entries: &values[..31],
        texts: &texts,
    };
    let cells = grid(30, &|x, y| table_5(x, y, &zero));
    let Sought::Found(rule) = found(&cells, 10, &negatives, &[helper]) else {
        panic!("no rule");
    };
    // The printed rule has eleven.
    assert_eq!(
        (rule.mirror, rule.cases.len()),
        (Mirror::Negative, 9),
        "{rule:?}"
    );
    assert!(rule.tested > 200 && rule.bits > 400.0);
    for (at, entry) in grid(28, &|x, y| table_5(x, y, &zero)) {
        assert_eq!(rule.at(at, &negatives, &[helper]), Some(entry), "{at:?}");
    }
    // Beyond the end of the helper, the rule gives nothing that depends on it.
    assert_eq!(rule.at([40, 50], &negatives, &[helper]), None);
    assert_eq!(rule.at([1, 50], &negatives, &[helper]), Some(3));
    assert_eq!(rule.at([1, i64::MAX], &negatives, &[helper]), Some(3));
    assert_eq!(
        rule.at([i64::MIN, i64::MAX], &negatives, &[helper]),
        Some(7)
    );
    assert_eq!(rule.at([i64::MAX; 2], &negatives, &[helper]), None);
}

#[test]
fn rules_by_residues_and_order() {
    let of = |x: i64, y: i64| match (x, y) {
        _ if (x + y) % 3 == 0 => 0,
        _ if x > y => 1,
        (2, _) => 2,
        _ => 3,
    };
    let cells = grid(14, &of);
    let Sought::Found(rule) = found(&cells, 4, &[None; 4], &[]) else {
        panic!("no rule");
    };
    assert_eq!(rule.mirror, Mirror::Free);
    for (at, entry) in grid(40, &of) {
        assert_eq!(rule.at(at, &[None; 4], &[]), Some(entry));
    }
    // One differing cell among those held out breaks the rule.
    let mut broken = cells.clone();
    broken[14 * 14 - 2].1 = 2;
    assert!(matches!(
        found(&broken, 4, &[None; 4], &[]),
        Sought::Failed(_)
    ));
}

#[test]
fn grids_in_random_order_have_no_rule() {
    let mut generator = fastrand::Rng::with_seed(5);
    let helper: Vec<u32> = (0..24).map(|_| generator.u32(0..3)).collect();
    let texts: Texts = ["0", "*", "*2"].into_iter().collect();
    let subject = Subject::Members("h".to_owned());
    let helper = Helper {
        subject: &subject,
        variable: "n",
        first: 0,
        entries: &helper,
        texts: &texts,
    };
    for round in 0..400 {
        let (range, kinds) = (4 + round % 7, generator.u32(2..8));
        let often = generator.f64();
        let entries: Vec<u32> = (0..range * range)
            .map(|_| {
                if generator.f64() < often {
                    0
                } else {
                    generator.u32(0..kinds)
                }
            })
            .collect();
        if entries.iter().all(|entry| *entry == entries[0]) {
            continue;
        }
        let cells = grid(range, &|x, y| entries[((x - 1) * range + y - 1) as usize]);
        let sought = found(
            &cells,
            kinds as usize,
            &vec![None; kinds as usize],
            &[helper],
        );
        assert!(!matches!(sought, Sought::Found(_)), "{sought:?}");
    }
}
