//! Tchoukaillon as printed: Figures 1, 2 and 4, the examples, OEIS A002491.
//!
//! The values are those of `data/reference/tchoukaillon.toml`.

use std::fs;
use std::path::Path;

use seedbank::engine::tchoukaillon::boards::{Boards, FirstPlays, bins, board, of_length};
use seedbank::engine::tchoukaillon::lengths::{fill, length, shortest};
use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, Numbering, Verdict, constructed};
use seedbank::engine::tchoukaillon::remainders::{
    increasing_remainder_board, period, remainder_board,
};
use seedbank::engine::tchoukaillon::sieve::{entry, sieve};
use seedbank::ruleset::tchoukaillon::Board;
use toml::{Table, Value};

fn reference() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/tchoukaillon.toml");
    let text = fs::read_to_string(path).expect("the reference file");
    text.parse().expect("the reference file is TOML")
}

fn numbers(value: &Value) -> Vec<u64> {
    let array = value.as_array().expect("a list");
    array.iter().map(number).collect()
}

fn number(value: &Value) -> u64 {
    let integer = value.as_integer().expect("a whole number");
    u64::try_from(integer).expect("not negative")
}

#[test]
fn figure_2_and_lengths() {
    let reference = reference();
    let boards = &reference["boards"];
    let rows = boards["rows"].as_array().expect("rows");
    let lengths = numbers(&boards["lengths"]);
    assert_eq!((rows.len(), lengths.len()), (18, 18));
    let mut unplayed = Boards::starting_at(0).expect("short");
    for (n, (row, length_printed)) in (0u128..).zip(rows.iter().zip(lengths)) {
        let printed: Vec<u32> = numbers(row).iter().map(|&b| b as u32).collect();
        let printed = Board::new(printed);
        assert_eq!(board(n), Ok(printed.clone()), "{n}");
        assert_eq!(unplayed.bins(), printed.bins());
        unplayed.advance();
        assert!(printed.is_winning());
        assert_eq!(printed.plays().count() as u128, n);
        assert_eq!(length(n), u128::from(length_printed));
    }
    let fewest = numbers(&boards["shortest_n_of_length"]);
    for (l, n) in (1..).zip(fewest) {
        assert_eq!(shortest(l), u128::from(n));
    }
    for losing in boards["losing"].as_array().expect("boards") {
        let stones: Vec<u32> = numbers(losing).iter().map(|&b| b as u32).collect();
        assert!(!Board::new(stones).is_winning());
    }
}

#[test]
fn oeis_a002491() {
    let known = [
        1, 2, 4, 6, 10, 12, 18, 22, 30, 34, 42, 48, 58, 60, 78, 82, 102, 108, 118, 132,
    ];
    let mut fewest = [0; 20];
    fill(1, &mut fewest);
    assert_eq!(fewest, known);
    for (l, n) in (1..).zip(known) {
        assert_eq!(shortest(l), n);
        // The first entry of the sieve's l-th round.
        assert_eq!(sieve(l, 140)[0], n as u64);
        assert_eq!(entry(l, 1), Some(n));
    }
}

#[test]
fn facts() {
    let reference = reference();
    assert_eq!(reference["facts"].as_table().expect("facts").len(), 6);
    for n in 0..2000u128 {
        let board: Vec<u64> = bins(n).collect();
        let (mut before, mut beyond) = (0, n);
        for i in 1..=board.len() as u128 + 2 {
            // b_i + b_{i+1} + ... = 0 mod i, and b_1 + ... + b_i = n mod (i+1).
            assert_eq!(beyond % i, 0);
            let stones = board.get(i as usize - 1).copied().unwrap_or(0);
            before += u128::from(stones);
            beyond -= u128::from(stones);
            assert_eq!(before % (i + 1), n % (i + 1));
        }
    }
    assert_eq!([1, 2, 3, 4, 5].map(period), [2, 6, 12, 60, 60].map(Some));
    // N(l) = l^2/pi + O(l): the deviation from l^2/pi stays below l far out, too.
    for l in [1u64, 10, 1_000, 1_000_000, 1_000_000_000] {
        let asymptotic = (l as f64).powi(2) / std::f64::consts::PI;
        assert!((shortest(l) as f64 - asymptotic).abs() < l as f64, "{l}");
    }
}

#[test]
fn examples() {
    let reference = reference();
    let examples = &reference["examples"];
    let of = |name: &str| numbers(&examples[name]);
    assert_eq!(bins(15).collect::<Vec<_>>(), of("board_15"));
    assert_eq!(board(15).expect("short").to_string(), "(1, 2, 0, 2, 4, 6)");
    let six = &examples["boards_of_length_6"];
    let stones: Vec<u128> = of_length(6).expect("short").map(|b| b.stones()).collect();
    let (from, to) = (number(&six["n_from"]).into(), number(&six["n_to"]).into());
    assert_eq!(stones, (from..=to).collect::<Vec<u128>>());
    assert_eq!(bins(29).collect::<Vec<_>>(), of("beta_29"));
    let wide = |name: &str| of(name).into_iter().map(u128::from).collect::<Vec<_>>();
    assert_eq!(
        remainder_board(29).take(10).collect::<Vec<_>>(),
        wide("c_29")
    );
    let increasing: Vec<u128> = increasing_remainder_board(29).take(10).collect();
    assert_eq!(increasing, wide("ctilde_29"));
}

#[test]
fn figure_4() {
    let printed = [
        "000000 0 0 0 0 0 0",
        "111111 1 1 1 1 1 1",
        "022222 0 2 2 2 2 2",
        "103333 1 3 3 3 3 3",
        "010444 0 1 4 4 4 4",
        "121055 1 2 5 5 5 5",
        "002106 0 0 2 6 6 6",
        "113210 1 1 3 7 7 7",
        "020321 0 2 4 8 8 8",
        "101432 1 3 5 9 9 9",
        "012043 0 1 2 5 10 10",
        "123154 1 2 3 6 11 11",
        "000205 0 0 0 2 6 12",
        "111316 1 1 1 3 7 13",
        "022420 0 2 2 4 8 14",
        "103031 1 3 3 5 9 15",
        "010142 0 1 4 6 10 16",
        "121253 1 2 5 7 11 17",
    ];
    for (n, row) in (0u128..).zip(printed) {
        let remainders: Vec<String> = remainder_board(n).take(6).map(|c| c.to_string()).collect();
        let sums: Vec<String> = increasing_remainder_board(n)
            .take(6)
            .map(|c| c.to_string())
            .collect();
        assert_eq!(
            format!("{} {}", remainders.concat(), sums.join(" ")),
            row,
            "{n}"
        );
    }
}

#[test]
fn the_sieve() {
    let reference = reference();
    let printed = reference["sieve"].as_table().expect("a table");
    for (name, round) in [("S2", 2), ("S3", 3), ("S5", 5)] {
        let entries = numbers(&printed[name]);
        assert_eq!(sieve(round, *entries.last().expect("entries")), entries);
        for (place, &n) in (1..).zip(&entries) {
            assert_eq!(entry(round, place), Some(n.into()));
        }
    }
    for (place, n) in printed["S4_some"].as_table().expect("places") {
        let place: usize = place.parse().expect("a place");
        assert_eq!(sieve(4, 100)[place - 1], number(n));
        assert_eq!(entry(4, place as u64), Some(number(n).into()));
    }
}

#[test]
fn reconstructions() {
    let reference = reference();
    let cases = reference["reconstruct"].as_array().expect("cases");
    assert_eq!(cases.len(), 7);
    for case in cases {
        let bins_of =
            |(bin, stones): (&String, &Value)| (bin.parse().expect("a bin"), number(stones));
        let fixed = case["fixed"].as_table().expect("fixed bins");
        let fixed = FixedBins::new(Numbering::Beta, fixed.iter().map(bins_of));
        let fixed = fixed.expect("possible bins");
        let smallest = fixed.residues().expect("short").next();
        if case
            .get("solution")
            .is_some_and(|s| s.as_str() == Some("none"))
        {
            assert_eq!(smallest, None);
            assert!(fixed.examine().contradiction().is_some());
            continue;
        }
        let smallest = smallest.expect("a board");
        let Verdict::Exists(found) = fixed.examine() else {
            panic!("{case}");
        };
        if let Some(n) = case.get("smallest_n") {
            assert_eq!(smallest, u128::from(number(n)), "{case}");
        } else {
            // "exists, with beta_9 = 7": on every board that agrees.
            let residues = fixed.residues().expect("short");
            let ninth: Vec<u64> = residues.filter_map(|n| bins(n).nth(7)).collect();
            assert!(!ninth.is_empty() && ninth.iter().all(|&stones| stones == 7));
            assert_eq!(found[7], 7);
        }
        if let Some(also) = case.get("also") {
            let also = u128::from(number(also));
            assert!(fixed.solutions(also, also).eq([also]));
            // What the paper's construction finds.
            assert_eq!(constructed(&found), Ok(also));
        }
        for (name, board) in case.as_table().expect("a table") {
            if let Some(n) = name.strip_prefix("beta_") {
                let n: u128 = n.parse().expect("a number of stones");
                assert_eq!(bins(n).collect::<Vec<_>>(), numbers(board), "{n}");
            }
        }
        if case.get("print").is_some() {
            assert_eq!(fixed.long_solutions(1000).next(), Some(214));
            assert_eq!(fixed.solutions(shortest(7), 1000).next(), Some(214));
        }
    }
}

#[test]
fn beta_4_and_beta_7_are_free_of_each_other() {
    // After Example 4.4; (2, 5) has the fewest stones of those that are longer than both bins.
    let mut least = Vec::new();
    for x in 0..4 {
        for y in 0..7 {
            let fixed = FixedBins::new(Numbering::Beta, [(4, x), (7, y)]).expect("possible bins");
            let n = fixed.solutions(shortest(7), 419 + shortest(7)).next();
            least.push((n.expect("there is always a board"), (x, y)));
        }
    }
    assert_eq!(least.iter().min(), Some(&(18, (2, 5))));
    assert_eq!(least.iter().max(), Some(&(214, (1, 0))));
}

#[test]
fn first_plays_are_found_without_boards() {
    let mut plays = [0; 1000];
    FirstPlays::starting_at(0).expect("short").fill(&mut plays);
    for (n, play) in (0u128..).zip(plays) {
        let first = board(n).expect("short").first_play();
        assert_eq!(first.unwrap_or(0), play as usize);
    }
}
