//! Compares the counts with closed formulas, and the members with all rows.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::game::Game;

const SOWING: Game = Game::SOWING;
const ENDLESS: Game = Game::ATOMIC_WARI;

fn board(pots: u32) -> Game {
    Game::ATOMIC_WARI.on_board(pots).unwrap()
}

fn bounds(pots_max: impl Into<Option<u32>>, seeds_max: impl Into<Option<u32>>) -> Bounds {
    Bounds {
        pots_max: pots_max.into(),
        seeds_max: seeds_max.into(),
        ..Bounds::default()
    }
}

fn all(game: Game, bounds: Bounds, order: Order) -> AllPositions {
    AllPositions::new(game.shape().of_rows().unwrap(), bounds, order).unwrap()
}

fn rows(all: &AllPositions) -> Vec<Row> {
    let mut cursor = all.cursor(0);
    let mut rows = vec![cursor.row()];
    while cursor.advance() {
        rows.push(cursor.row());
    }
    rows
}

fn mirror(row: &Row) -> Row {
    let mut mirror = row.clone();
    mirror.pots.reverse();
    mirror
}

fn seeds(row: &Row) -> u32 {
    let seeds = row.pots.iter().map(|pot| match pot {
        Pot::Seeds(seeds) => *seeds,
        Pot::Full => panic!("no full pot is written e"),
    });
    seeds.sum()
}

/// Every row of exactly `pots` pots of at most `most` seeds each, by counting.
fn every_row(pots: u32, most: u32) -> impl Iterator<Item = Row> {
    let base = most + 1;
    (0..base.pow(pots)).map(move |code| Row {
        pots: (0..pots)
            .map(|pot| Pot::Seeds(code / base.pow(pot) % base))
            .collect(),
        ..Row::default()
    })
}

/// The listed rows by filtering all rows: on the endless row both ends hold a seed, a pot holds at
/// most its cap, and the first pair that differs has less on the left.
fn filtered(game: Game, pots: RangeInclusive<u32>, seeds_max: u32) -> HashSet<Row> {
    let mut listed = HashSet::new();
    for pots in pots {
        if pots == 0 {
            listed.insert("0".parse().unwrap());
            continue;
        }
        for row in every_row(pots, seeds_max.min(pots.max(4))) {
            let n = pots as usize;
            let ends = [row.pots[0], row.pots[n - 1]];
            let fits = (0..n).all(|i| {
                let cap = i.max(n - 1 - i) + 1;
                game != SOWING || row.pots[i] <= Pot::Seeds(cap as u32)
            });
            let dropped = game.board_pots().is_none() && ends.contains(&Pot::Seeds(0));
            let pairs = (0..n / 2).map(|i| (row.pots[i], row.pots[n - 1 - i]));
            let turned = pairs
                .into_iter()
                .find(|(left, right)| left != right)
                .is_some_and(|(left, right)| left > right);
            if fits && !dropped && !turned && seeds(&row) <= seeds_max {
                listed.insert(row);
            }
        }
    }
    listed
}

fn assert_lists(all: &AllPositions, expected: &HashSet<Row>) {
    let rows = rows(all);
    assert_eq!(rows.len() as u64, all.len());
    let set: HashSet<Row> = rows.iter().cloned().collect();
    assert_eq!(set.len(), rows.len(), "every position is listed once");
    assert_eq!(&set, expected);
    for (rank, row) in rows.iter().enumerate() {
        assert_eq!(&all.get(rank as u64), row);
        assert_eq!(all.rank(row), Some(rank as u64), "{row}");
        assert!(*row == mirror(row) || !set.contains(&mirror(row)), "{row}");
        assert_eq!(row.to_string().parse::<Row>().as_ref(), Ok(row));
    }
    let key = |row: &Row| {
        let pots = match row.pots.as_slice() {
            [Pot::Seeds(0)] => 0,
            pots => pots.len() as u32,
        };
        match all.order() {
            Order::Pots => (pots, seeds(row)),
            Order::Seeds => (seeds(row), pots),
        }
    };
    assert!(rows.is_sorted_by_key(key));
}

#[test]
fn every_row_of_sowing_is_listed() {
    for order in Order::ALL {
        for pots in 0..=5 {
            let family = all(SOWING, bounds(pots, None), order);
            assert_lists(&family, &filtered(SOWING, 0..=pots, u32::MAX));
        }
        assert_lists(
            &all(SOWING, bounds(6, 5), order),
            &filtered(SOWING, 0..=6, 5),
        );
    }
}

#[test]
fn every_row_of_atomic_wari_is_listed() {
    for order in Order::ALL {
        assert_lists(
            &all(ENDLESS, bounds(5, 4), order),
            &filtered(ENDLESS, 0..=5, 4),
        );
        for pots in 1..=5 {
            assert_lists(
                &all(board(pots), bounds(None, 4), order),
                &filtered(board(pots), pots..=pots, 4),
            );
        }
    }
}

#[test]
fn rows_of_small_pots_are_those_of_the_list_that_have_no_larger_one() {
    for game in [SOWING, ENDLESS] {
        for most in 0..=3 {
            let small = Bounds {
                pot_seeds_max: Some(most),
                ..bounds(5, None)
            };
            let mut expected = filtered(game, 0..=5, 15);
            expected.retain(|row| row.pots.iter().all(|pot| *pot <= Pot::Seeds(most)));
            for order in Order::ALL {
                assert_lists(&all(game, small, order), &expected);
            }
        }
    }
    // Ends hold 1 or 2 seeds, inner pots 0, 1 or 2; one row of each mirror pair is listed, and the
    // empty row.
    let sparse = Bounds {
        pot_seeds_max: Some(2),
        ..bounds(14, None)
    };
    let symmetric: u64 = (1..=14u32)
        .map(|pots| 2 * 3u64.pow(pots.div_ceil(2) - 1))
        .sum();
    let rows: u64 = (1..=14u32)
        .map(|pots| match pots {
            1 => 2,
            pots => 4 * 3u64.pow(pots - 2),
        })
        .sum();
    let family = all(ENDLESS, sparse, Order::Pots);
    assert_eq!(family.len(), 1 + (rows + symmetric) / 2);
}

#[test]
fn least_bounds_cut_the_same_list() {
    let within = Bounds {
        pots_min: Some(3),
        seeds_min: Some(4),
        ..bounds(5, 6)
    };
    let mut expected = filtered(SOWING, 3..=5, 6);
    expected.retain(|row| seeds(row) >= 4);
    assert_lists(&all(SOWING, within, Order::Seeds), &expected);
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn atomic_wari_counts_are_binomials() {
    // p pots, s seeds, both ends not empty: s - 2 seeds spread over p pots, C(s + p - 3, p - 1).
    // Symmetric rows: half of the seeds over half of the pots, and the centre takes an odd seed.
    for pots in 2..=9u64 {
        for seeds in 2..=14u64 {
            let every = binomial(seeds + pots - 3, pots - 1);
            let pairs = pots / 2;
            let symmetric = if pots % 2 == 0 {
                if seeds % 2 == 0 {
                    binomial(seeds / 2 - 1 + pairs - 1, pairs - 1)
                } else {
                    0
                }
            } else {
                // The centre takes the parity and then any number of pairs of seeds.
                binomial((seeds - 2) / 2 + pairs, pairs)
            };
            let cell = Bounds {
                pots_min: Some(pots as u32),
                seeds_min: Some(seeds as u32),
                ..bounds(pots as u32, seeds as u32)
            };
            let family = all(ENDLESS, cell, Order::Pots);
            assert_eq!(family.len(), (every + symmetric) / 2, "{pots} {seeds}");
        }
    }
    // A board of w pots, s seeds: C(s + w - 1, w - 1) in all.
    let family = all(
        board(4),
        Bounds {
            seeds_min: Some(5),
            ..bounds(None, 5)
        },
        Order::Pots,
    );
    assert_eq!(
        family.len(),
        binomial(8, 3) / 2,
        "5 seeds on 4 pots never tie"
    );
}

#[test]
fn sowing_counts_are_products_of_caps() {
    let mut total = 1u64;
    for pots in 1..=12u64 {
        let cap = |i: u64| i.max(pots - 1 - i) + 1;
        let choices = |i: u64| cap(i) + u64::from(i != 0 && i != pots - 1);
        let every: u64 = (0..pots).map(choices).product();
        let symmetric: u64 = (0..pots.div_ceil(2)).map(choices).product();
        total += (every + symmetric) / 2;
        let family = all(SOWING, bounds(pots as u32, None), Order::Pots);
        assert_eq!(family.len(), total, "{pots} pots");
    }
}

#[test]
fn the_empty_position_is_zero_and_first() {
    let first = |family: &AllPositions| family.get(0).to_string();
    assert_eq!(first(&all(SOWING, bounds(3, None), Order::Seeds)), "0");
    assert_eq!(first(&all(ENDLESS, bounds(3, 4), Order::Pots)), "0");
    assert_eq!(first(&all(board(3), bounds(None, 4), Order::Pots)), "000");
    let some = Bounds {
        pots_min: Some(1),
        ..bounds(3, None)
    };
    assert_eq!(first(&all(SOWING, some, Order::Pots)), "1");
}

#[test]
fn rows_that_are_not_listed_have_no_rank() {
    let family = all(SOWING, bounds(4, None), Order::Pots);
    for row in [
        "21", "011", "110", "13", "e1", "...e1", "1e...", "11111", "00",
    ] {
        assert_eq!(family.rank(&row.parse().unwrap()), None, "{row}");
    }
    assert_eq!(
        family.rank(&Row::default()),
        family.rank(&"0".parse().unwrap())
    );
    let large = Row {
        pots: vec![Pot::Seeds(u32::MAX); 3],
        ..Row::default()
    };
    assert_eq!(family.rank(&large), None);
}

#[test]
fn impossible_bounds_are_refused() {
    let error = |game: Game, bounds| {
        AllPositions::new(game.shape().of_rows().unwrap(), bounds, Order::Pots)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(SOWING, bounds(None, 3)),
        "no pots_max; without it there would be infinitely many positions"
    );
    assert_eq!(
        error(ENDLESS, bounds(3, None)),
        "no seeds_max; without it there would be infinitely many positions"
    );
    assert_eq!(
        error(board(6), bounds(5, 3)),
        "pots_max on a board of 6 pots; every row has all of them"
    );
    assert_eq!(
        error(SOWING, bounds(121, 3)),
        "pots_max is 121; accepted: 0 to 120"
    );
    assert_eq!(
        error(ENDLESS, bounds(5, 1001)),
        "seeds_max is 1001; accepted: 0 to 1000"
    );
    let crossed = Bounds {
        pots_min: Some(4),
        ..bounds(3, None)
    };
    assert_eq!(
        error(SOWING, crossed),
        "pots_min is 4, above pots_max, which is 3"
    );
    let crossed = Bounds {
        seeds_min: Some(4),
        ..bounds(3, 3)
    };
    assert_eq!(
        error(SOWING, crossed),
        "seeds_min is 4, above seeds_max, which is 3"
    );
    let empty = Bounds {
        seeds_min: Some(100),
        ..bounds(3, None)
    };
    assert_eq!(error(SOWING, empty), "no position lies within the bounds");
    for (game, bounds) in [
        (SOWING, bounds(120, None)),
        (ENDLESS, bounds(120, 1000)),
        (board(120), bounds(None, 1000)),
    ] {
        assert_eq!(
            error(game, bounds),
            "more than 2^64 positions lie within the bounds; lower pots_max or seeds_max"
        );
    }
}

#[test]
fn sparse_rows_on_a_wide_board_count_too() {
    let family = all(board(120), bounds(None, 3), Order::Pots);
    // C(s + 119, 119) rows of s seeds; symmetric ones have an even number.
    let every = [1, 120, binomial(121, 2), binomial(122, 3)];
    let symmetric = [1, 0, 60, 0];
    let expected: u64 = (0..4).map(|s| (every[s] + symmetric[s]) / 2).sum();
    assert_eq!(family.len(), expected);
    let last = family.get(family.len() - 1);
    assert_eq!(family.rank(&last), Some(family.len() - 1));
}

proptest! {
    #[test]
    fn rank_and_unrank_invert_in_large_families(place in 0.0..1.0f64, kind in 0..3) {
        let family = match kind {
            0 => all(SOWING, bounds(14, None), Order::Pots),
            1 => all(ENDLESS, bounds(12, 20), Order::Seeds),
            _ => all(board(20), bounds(None, 14), Order::Pots),
        };
        let rank = (place * family.len() as f64) as u64 % family.len();
        let row = family.get(rank);
        prop_assert_eq!(family.rank(&row), Some(rank));
        if rank + 1 < family.len() {
            let mut cursor = family.cursor(rank);
            prop_assert!(cursor.advance());
            prop_assert_eq!(family.rank(&cursor.row()), Some(rank + 1));
        }
        if mirror(&row) != row {
            prop_assert_eq!(family.rank(&mirror(&row)), None);
        }
    }
}
