use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::board::row::{Pot, Row};
use crate::game::atomic_wari::AtomicWari;
use crate::game::{Player, PotGame};

type Pots = Vec<u8>;

fn written(pots: &[u8]) -> Row {
    let text: String = pots.iter().map(|pot| format!("[{pot}]")).collect();
    text.parse().expect("a row")
}

fn mirror(pots: &[u8]) -> Pots {
    pots.iter().rev().copied().collect()
}

/// A player's options by literal play.
fn options(pots: &[u8], player: Player) -> Vec<Pots> {
    let moves = AtomicWari::on(None).literal_options(&written(pots), player);
    let seeds = |pot: &Pot| match pot {
        Pot::Seeds(seeds) => *seeds as u8,
        Pot::Full => panic!("no pot is full"),
    };
    let option = |row: &Row| {
        let pots: Pots = row.pots.iter().map(seeds).collect();
        let end = pots
            .iter()
            .rposition(|&pot| pot > 0)
            .map_or(0, |last| last + 1);
        let start = pots.iter().position(|&pot| pot > 0).unwrap_or(0);
        pots[start..end].to_vec()
    };
    moves.iter().map(option).collect()
}

fn has_surplus(pots: &[u8]) -> bool {
    pots.iter().any(|&pot| pot > 1)
}

/// Calls `each` with all rows in normal form within bounds.
fn each_within(pots_max: usize, seeds_max: usize, each: &mut impl FnMut(&[u8])) {
    for len in 1..=pots_max {
        let mut row = vec![0u8; len];
        loop {
            let seeds = |row: &[u8]| row.iter().map(|&pot| usize::from(pot)).sum::<usize>();
            if row[0] > 0 && row[len - 1] > 0 && seeds(&row) <= seeds_max {
                each(&row);
            }
            let Some(place) = row.iter().position(|&pot| usize::from(pot) < seeds_max) else {
                break;
            };
            row[place] += 1;
            row[..place].fill(0);
        }
    }
}

/// Returns the rows with a surplus that play can reach, one of each mirror pair.
fn reachable(pots: usize, seeds: usize) -> BTreeSet<Pots> {
    let mut found = BTreeSet::new();
    let mut waiting = Vec::new();
    let one_of_pair = |row: Pots| row.clone().min(mirror(&row));
    each_within(pots, seeds, &mut |row| {
        waiting.push(one_of_pair(row.to_vec()))
    });
    while let Some(row) = waiting.pop() {
        if has_surplus(&row) && found.insert(row.clone()) {
            let both = Player::BOTH
                .iter()
                .flat_map(|&player| options(&row, player));
            waiting.extend(both.map(one_of_pair));
        }
    }
    found
}

fn rows(pots: usize, seeds: usize) -> ReachableRows {
    let rows = ReachableRows::from_all(pots, seeds, u64::MAX, &|_| true);
    rows.expect("not stopped").expect("few rows")
}

/// Checks that the visits find every row that play can reach, its options and its mirror image, and
/// that options come first, however the bands of a level are ordered.
fn check(pots: usize, seeds: usize, forwards: bool) {
    let order = rows(pots, seeds);
    let mut cells: BTreeMap<usize, Pots> = BTreeMap::from([(0, vec![])]);
    let mut visited = BTreeSet::new();
    let mut positions = 0;
    for level in order.levels() {
        let grid = order.grid(level, 2);
        assert_eq!(grid.columns(), 1);
        for band in 0..grid.bands() {
            let band = if forwards {
                band
            } else {
                grid.bands() - 1 - band
            };
            order.visit(&grid, (band, 0), &mut |row| {
                positions += 1;
                if row.pots.is_empty() {
                    return;
                }
                assert_eq!(order.cell_of(row.pots), Some(row.cell));
                assert_eq!(order.cell_of(&mirror(row.pots)), Some(row.mirror));
                for (player, found) in [(Player::Left, row.left), (Player::Right, row.right)] {
                    let mut expected = options(row.pots, player);
                    for option in &mut expected {
                        if !has_surplus(option) {
                            option.clear();
                        }
                    }
                    expected.sort();
                    let option = |delta: &i64| {
                        let cell = (row.cell as i64 + delta) as usize;
                        cells.get(&cell).expect("the option comes first").clone()
                    };
                    let mut found: Vec<Pots> = found.iter().map(option).collect();
                    found.sort();
                    assert_eq!(found, expected, "{player:?} from {:?}", row.pots);
                }
                cells.insert(row.cell, row.pots.to_vec());
                cells.insert(row.mirror, mirror(row.pots));
                visited.insert(row.pots.to_vec().min(mirror(row.pots)));
            });
        }
    }
    assert_eq!(
        visited,
        reachable(pots, seeds),
        "{pots} pots, {seeds} seeds"
    );
    assert_eq!(positions, order.positions());
    assert!(cells.keys().all(|&cell| (cell as u64) < order.cells()));
}

#[test]
fn all_reachable_rows_come_after_their_options() {
    for pots in 1..=5 {
        for seeds in 1..=8 {
            check(pots, seeds, true);
        }
    }
    check(5, 9, false);
    check(8, 7, false);
    check(2, 11, true);
}

#[test]
fn rows_within_bounds_have_cells_of_their_own() {
    let order = rows(6, 8);
    let mut cells = BTreeSet::new();
    each_within(6, 8, &mut |row| {
        let cell = order.cell_of(row).expect("the row is of the family");
        assert!(cell == 0 || cells.insert(cell), "{row:?}");
        assert_eq!(cell == 0, !has_surplus(row), "{row:?}");
    });
    assert_eq!(order.cell_of(&[]), Some(0));
    assert_eq!(order.cell_of(&[9]), None);
    assert_eq!(
        order.cell_of(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]),
        None
    );
}

#[test]
fn too_many_rows_and_too_long_ones_are_not_numbered() {
    let with = |pots, seeds, cells_max| ReachableRows::from_all(pots, seeds, cells_max, &|_| true);
    let cells = rows(6, 8).cells();
    assert!(with(6, 8, cells).expect("not stopped").is_some());
    assert!(with(6, 8, cells - 1).expect("not stopped").is_none());
    // [31]01 reaches 33 pots.
    assert!(with(3, 32, u64::MAX).expect("not stopped").is_none());
    assert!(with(40, 3, u64::MAX).expect("not stopped").is_none());
    assert!(with(2, 32, u64::MAX).expect("not stopped").is_none());
    assert!(with(1, 33, u64::MAX).expect("not stopped").is_none());
}

#[test]
fn a_search_for_rows_stops_when_told() {
    let found = ReachableRows::from_all(6, 8, u64::MAX, &|rows| rows == 0);
    assert_eq!(found.err(), Some(Stopped));
}
