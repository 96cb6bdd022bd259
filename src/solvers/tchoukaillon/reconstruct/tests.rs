//! Compares reconstructions with all boards of a period, and with single distant boards.

use super::region::SwitchRule;
use super::*;
use crate::tchoukaillon::boards::{Boards, bins};
use crate::tchoukaillon::lengths::shortest;

/// The first eight bins of all boards of their period, lcm(2, ..., 9).
fn period_of_eight() -> Vec<[u64; 8]> {
    let first = |n: u128| {
        let mut row = [0; 8];
        for (bin, stones) in row.iter_mut().zip(bins(n)) {
            *bin = stones;
        }
        row
    };
    (0..2520).map(first).collect()
}

/// Every way to fill these bins, each with 0 stones to its number.
fn fillings(bins: &[u64]) -> Vec<Vec<(u64, u64)>> {
    bins.iter().fold(vec![Vec::new()], |fillings, &bin| {
        let more = |filling: &Vec<(u64, u64)>| {
            let filling = filling.clone();
            (0..=bin).map(move |stones| [filling.as_slice(), &[(bin, stones)]].concat())
        };
        fillings.iter().flat_map(more).collect()
    })
}

/// Compares the search, the verdict and the construction with all boards of the period.
fn check(filling: &[(u64, u64)], boards: &[[u64; 8]]) {
    let fixed = FixedBins::new(BinNumbering::B, filling.iter().copied()).expect("possible bins");
    let period = fixed.period().expect("a small period");
    let agrees = |n: usize| {
        filling
            .iter()
            .all(|&(b, m)| boards[n % 2520][b as usize - 1] == m)
    };
    let expected: Vec<u128> = (0..2520)
        .filter(|&n| agrees(n))
        .map(|n| n as u128)
        .collect();
    let found: Vec<u128> = fixed.solutions(0, 2519).collect();
    assert_eq!(found, expected, "{filling:?}");
    let at_once = SwitchRule {
        quotients: 0,
        at_any_cost: true,
    };
    let found: Vec<u128> = Solutions::with_rule(&fixed, 0, 2519, at_once).collect();
    assert_eq!(found, expected, "{filling:?} by residues");
    let below_period = expected.iter().copied().take_while(|&n| n < period);
    assert!(fixed.residues().expect("short").eq(below_period));

    let least = shortest(fixed.farthest());
    let long = (least as usize..5040)
        .find(|&n| agrees(n))
        .map(|n| n as u128);
    assert_eq!(fixed.long_solutions(5039).next(), long, "{filling:?}");

    match fixed.examine() {
        Verdict::None(reason) => assert!(expected.is_empty(), "{filling:?}: {reason}"),
        Verdict::Exists(bins) => {
            assert!(fixed.agree(&bins), "{filling:?}: {bins:?}");
            let stones = constructed(&bins).expect("a board");
            assert_eq!(bins, boards[stones as usize][..bins.len()]);
            assert!(expected.contains(&stones));
        }
        Verdict::Undecided { .. } => panic!("{filling:?}"),
    }
}

#[test]
fn all_single_bins_pairs_and_triples_to_bin_8() {
    let boards = period_of_eight();
    let mut checked = 0;
    for a in 1..=8 {
        for b in a..=8 {
            for c in b..=8 {
                // a = b = c is one bin, a < b = c are two.
                if a == b && b < c {
                    continue;
                }
                let mut bins = vec![a, b, c];
                bins.dedup();
                for filling in fillings(&bins) {
                    check(&filling, &boards);
                    checked += 1;
                }
            }
        }
    }
    // Sums of products of 2, ..., 9: elementary symmetric polynomials of degree 1, 2 and 3.
    assert_eq!(checked, 44 + 826 + 8_624);
}

#[test]
fn all_boards_of_theorem_4_5_to_bin_6() {
    let boards = period_of_eight();
    let mut possible = 0;
    for filling in fillings(&[1, 2, 3, 4, 5, 6]) {
        check(&filling, &boards);
        let bins: Vec<u64> = filling.iter().map(|&(_, stones)| stones).collect();
        let constructed = constructed(&bins);
        let least = (0..420).find(|&n| boards[n][..6] == bins[..]);
        assert_eq!(constructed.ok(), least.map(|n| n as u128));
        possible += usize::from(least.is_some());
    }
    assert_eq!(possible, 420);
}

#[test]
fn prime_bins_always_agree_with_a_board() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut next = |bound: u64| random.u64(..bound);
    for _ in 0..300 {
        let primes = [
            2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61,
        ];
        let chosen = primes
            .into_iter()
            .filter(|_| next(3) == 0)
            .collect::<Vec<u64>>();
        let bins: Vec<(u64, u64)> = chosen.into_iter().map(|p| (p, next(p))).collect();
        let Ok(fixed) = FixedBins::new(BinNumbering::Beta, bins) else {
            continue;
        };
        let verdict = fixed.examine();
        let bins = verdict.bins().expect("Corollary 4.7");
        assert!(fixed.agree(bins));
        assert!(constructed(bins).is_ok());
    }
}

/// Takes some bins of random boards, and checks the boards found on the original and on all boards
/// before it.
#[test]
fn random_boards_are_found_again() {
    let mut random = fastrand::Rng::with_seed(99);
    let mut next = |bound: u64| random.u64(..bound);
    for round in 0..60 {
        let stones = u128::from(next(6_000));
        let board: Vec<u64> = bins(stones).collect();
        let some = (0..3 + round % 3).map(|_| 1 + next(board.len() as u64 + 3));
        let some: std::collections::BTreeSet<u64> = some.collect();
        let value = |&bin: &u64| (bin, board.get(bin as usize - 1).copied().unwrap_or(0));
        let filling: Vec<(u64, u64)> = some.iter().map(value).collect();
        let fixed = FixedBins::new(BinNumbering::B, filling.clone()).expect("a board's bins");
        // All boards up to this one, by unplaying.
        let mut boards = Boards::starting_at(0).expect("short");
        let mut walk = Vec::new();
        for n in 0..=stones {
            let holds = |&(bin, stones): &(u64, u64)| {
                let found = boards.bins().get(bin as usize - 1).copied();
                u64::from(found.unwrap_or(0)) == stones
            };
            if filling.iter().all(holds) {
                walk.push(n);
            }
            boards.advance();
        }
        assert_eq!(
            fixed.solutions(0, stones).collect::<Vec<_>>(),
            walk,
            "{filling:?}"
        );
        let half = stones / 2;
        let later: Vec<u128> = walk.iter().copied().filter(|&n| n >= half).collect();
        assert_eq!(
            fixed.solutions(half, stones).collect::<Vec<_>>(),
            later,
            "{filling:?}"
        );
        assert!(fixed.examine().contradiction().is_none());
    }
}

/// Sets of bins with few boards are searched from the farthest bin and by residues, in arbitrary
/// ranges; [`random_boards_are_found_again`] checks the results of both.
#[test]
fn a_search_by_residues_finds_the_same_boards() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut next = |bound: u64| random.u64(..bound);
    let (mut found, mut long) = (0, 0);
    for round in 0..300 {
        let farthest = 8 + next(17);
        let near = (0..1 + round % 5).map(|_| 1 + next(farthest - 1));
        let mut bins: std::collections::BTreeMap<u64, u64> = near.map(|bin| (bin, 0)).collect();
        bins.insert(farthest, 0);
        let board: Vec<u64> = self::bins(u128::from(next(40_000_000))).take(30).collect();
        for (&bin, stones) in &mut bins {
            *stones = match round % 3 {
                0 => next(bin + 1),
                _ => board.get(bin as usize - 1).copied().unwrap_or(0),
            };
        }
        let fixed = FixedBins::new(BinNumbering::B, bins).expect("possible bins");
        let from = u128::from(next(20_000_000) * next(2));
        let to = from + u128::from(next(40_000_000));
        let boards = |quotients| {
            let rule = SwitchRule {
                quotients,
                at_any_cost: true,
            };
            let solutions = Solutions::with_rule(&fixed, from, to, rule);
            solutions.take(20_000).collect::<Vec<u128>>()
        };
        let without = boards(u128::MAX);
        // At once, and after some of it was searched.
        for with in [boards(0), boards(1 + u128::from(next(300)))] {
            assert!(with == without, "{fixed:?} from {from} to {to}");
        }
        assert!(without.iter().all(|&n| fixed.agree(&bins_of(n))));
        found += without.len();
        long += usize::from(without.len() > 1_000);
    }
    assert!(
        found > 100_000 && long > 20,
        "{found} boards, {long} times many"
    );
}

/// The first bins of a board.
fn bins_of(n: u128) -> Vec<u64> {
    bins(n).take(30).collect()
}

#[test]
fn a_search_goes_on_where_floating_point_ends() {
    let fixed = FixedBins::new(BinNumbering::B, [(3, 1), (10, 4), (15, 9)]).expect("possible bins");
    let (from, to) = ((1 << 48) - 100_000, (1 << 48) + 100_000);
    let found: Vec<u128> = fixed.solutions(from, to).collect();
    let agrees = |&n: &u128| fixed.agree(&bins_of(n));
    assert_eq!(found, (from..=to).filter(agrees).collect::<Vec<_>>());
    let (below, beyond) = (found.first(), found.last());
    assert!(below < Some(&(1 << 48)) && beyond > Some(&(1 << 48)));
}

#[test]
fn a_search_that_takes_long_goes_over_to_residues() {
    // No board of at most 10^12 stones agrees; there are 8 * 10^8 quotients of bin 35, or 10^7
    // boards with the five other bins.
    let fixed = [(4, 3), (6, 5), (8, 7), (17, 16), (23, 22), (36, 35)];
    let fixed = FixedBins::new(BinNumbering::Beta, fixed).expect("possible bins");
    let mut solutions = fixed.solutions(0, 1_000_000_000);
    let mut pauses = 0;
    loop {
        match solutions.step() {
            SearchStep::Found(stones) => panic!("{stones} stones"),
            SearchStep::Open => pauses += 1,
            SearchStep::End => break,
        }
    }
    assert!(pauses > 1);
}

#[test]
fn boards_beyond_64_bits_are_searched_exactly() {
    let start = (1u128 << 80) + 12_345;
    let fixed = FixedBins::new(BinNumbering::B, [(3, 1), (10, 4), (15, 9)]).expect("possible bins");
    let found: Vec<u128> = fixed.solutions(start, start + 1_000_000).take(5).collect();
    assert_eq!(found.len(), 5);
    let agree = |n: u128| fixed.agree(&bins(n).take(20).collect::<Vec<_>>());
    let walk = (start..).filter(|&n| agree(n)).take(5);
    assert!(walk.eq(found));
    assert_eq!(fixed.solutions(STONES_MAX + 1, u128::MAX).next(), None);
}

#[test]
fn errors_say_what_is_accepted() {
    let error = |numbering, bins: &[(u64, u64)]| {
        let fixed = FixedBins::new(numbering, bins.iter().copied());
        fixed.expect_err("impossible bins").to_string()
    };
    assert_eq!(
        error(BinNumbering::Beta, &[]),
        "no bin is fixed; give at least one, for example bin 3 with 1 stone"
    );
    assert_eq!(
        error(BinNumbering::Beta, &[(1, 0)]),
        "there is no bin 1 in numbering beta; bins are 2 to 1000001 there"
    );
    assert_eq!(
        error(BinNumbering::B, &[(1_000_001, 0)]),
        "there is no bin 1000001 in numbering b; bins are 1 to 1000000 there"
    );
    assert_eq!(
        error(BinNumbering::Beta, &[(7, 7)]),
        "bin 7 of numbering beta cannot hold 7 stones; it holds 0 to 6"
    );
    assert_eq!(
        error(BinNumbering::B, &[(7, 7), (7, 1)]),
        "bin 7 of numbering b is fixed twice, to 7 and to 1 stones; give it once"
    );
    let none = constructed(&[0, 1, 0]).expect_err("no board").to_string();
    assert!(none.starts_with("no winning board begins so: bin 3 holds 0, which disagrees"));
}

#[test]
fn contradictions_are_put_into_words() {
    let reason = |numbering, bins: &[(u64, u64)]| {
        let fixed = FixedBins::new(numbering, bins.iter().copied()).expect("possible bins");
        fixed.examine().contradiction().expect("none").to_string()
    };
    assert_eq!(
        reason(BinNumbering::B, &[(7, 1), (6, 2)]),
        "b_7 + b_6 must be even, and is 1 + 2 = 3"
    );
    assert_eq!(
        reason(BinNumbering::Beta, &[(8, 1), (7, 2), (3, 0)]),
        "m_8 + m_7 must be even, and is 1 + 2 = 3"
    );
    // Two bins are forced by conditions of their own, and together break a third.
    let fixed = [(4, 2), (6, 2), (8, 2), (9, 3), (10, 9)];
    assert_eq!(
        reason(BinNumbering::Beta, &fixed),
        "m_5 must be 2, as m_6 + m_5 must be even and m_6 + m_5 + m_4 must be divisible by 3; \
         m_7 must be 4, as m_8 + m_7 must be even, m_9 + m_8 + m_7 must be divisible by 3 and \
         m_10 + m_9 + m_8 + m_7 + m_6 must be divisible by 5; \
         m_8 + m_7 + m_6 + m_5 must be divisible by 4, and is 2 + 4 + 2 + 2 = 10"
    );
}
