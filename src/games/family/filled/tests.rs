use std::collections::HashSet;

use super::*;
use crate::game::Game;

/// Every text of rows within bounds, one of each class by its least spelling under all
/// symmetries.
fn classes(
    all: impl Iterator<Item = AnyBoard>,
    images: impl Fn(&AnyBoard) -> Vec<AnyBoard>,
) -> usize {
    let least = |board: AnyBoard| images(&board).iter().map(AnyBoard::to_string).min();
    all.map(least).collect::<HashSet<_>>().len()
}

fn check_ranks(filled: &Filled) {
    for rank in 0..filled.len() {
        assert_eq!(filled.rank(&filled.get(rank)), Some(rank));
    }
}

/// Every row of `pots` pots, each with at most `blue_max` blue and `red_max` red seeds.
fn rows(pots: usize, blue_max: u32, red_max: u32) -> Vec<ColouredRow> {
    let mut rows = vec![ColouredRow::default()];
    for _ in 0..pots {
        let longer = rows.iter().flat_map(|row| {
            (0..=blue_max).flat_map(move |blue| {
                (0..=red_max).map(move |red| {
                    let mut longer = row.clone();
                    longer.pots.push(ColouredPot { blue, red });
                    longer
                })
            })
        });
        rows = longer.collect();
    }
    rows
}

#[test]
fn coloured_rows_come_once_up_to_symmetry() {
    for (blue_max, red_max, pot_seeds_max) in [(2, 2, None), (2, 1, None), (2, 2, Some(1))] {
        let bounds = ColouredBounds {
            pots: [0, 4],
            blue: [0, blue_max],
            red: [0, red_max],
            pot_seeds_max,
        };
        let filled = Filled::coloured_rows(bounds).unwrap();
        check_ranks(&filled);
        let total =
            |row: &ColouredRow, of: fn(&ColouredPot) -> u32| row.pots.iter().map(of).sum::<u32>();
        let fits = |row: &ColouredRow| {
            let empty = ColouredPot::default();
            let ends = [row.pots.first(), row.pots.last()].into_iter().flatten();
            total(row, |pot| pot.blue) <= blue_max
                && total(row, |pot| pot.red) <= red_max
                && ends.into_iter().all(|pot| *pot != empty)
                && row
                    .pots
                    .iter()
                    .all(|pot| pot.blue + pot.red <= pot_seeds_max.unwrap_or(9))
        };
        let all = (0..=4)
            .flat_map(|pots| rows(pots, blue_max, red_max))
            .filter(fits);
        let images = |board: &AnyBoard| {
            let AnyBoard::Coloured(row) = board else {
                panic!("rows have colours")
            };
            let mut images = vec![row.clone()];
            if blue_max == red_max {
                let exchanged = row.pots.iter().map(|pot| ColouredPot {
                    blue: pot.red,
                    red: pot.blue,
                });
                images.push(ColouredRow {
                    pots: exchanged.collect(),
                });
            }
            for row in images.clone() {
                images.push(ColouredRow {
                    pots: row.pots.iter().rev().copied().collect(),
                });
            }
            images.into_iter().map(AnyBoard::from).collect()
        };
        let found = classes(all.map(AnyBoard::from), images);
        assert_eq!(
            filled.len(),
            found as u64,
            "{blue_max} {red_max} {pot_seeds_max:?}"
        );
    }
}

/// The fillings of a rectangle, apart from those with empty borders, have one key for each
/// position up to symmetry.
#[test]
fn fillings_of_rectangles_come_once_up_to_symmetry() {
    for (rows, columns, most) in [(2, 3, 2), (3, 3, 1), (1, 4, 3), (2, 2, 3)] {
        let bounds = GridBounds {
            rows: Values::range(rows, rows).unwrap(),
            columns: Values::range(columns, columns).unwrap(),
            pot_seeds: [1, most],
            seeds_min: 0,
            seeds_max: None,
        };
        let filled = Filled::grids(bounds).unwrap();
        check_ranks(&filled);
        let pots = (rows * columns) as u32;
        let all = (0..most.pow(pots)).map(|code| Grid {
            columns: columns as usize,
            pots: (0..pots)
                .map(|pot| 1 + code / most.pow(pot) % most)
                .collect(),
        });
        let key = |board: AnyBoard| Game::GRID_SOWING.key(&board).unwrap();
        let keys = |boards: Vec<AnyBoard>| {
            boards
                .into_iter()
                .map(key)
                .map(|(key, _)| key)
                .collect::<HashSet<_>>()
        };
        let found = keys(all.map(AnyBoard::from).collect());
        let listed = keys((0..filled.len()).map(|rank| filled.get(rank)).collect());
        assert_eq!(filled.len(), found.len() as u64, "{rows} {columns} {most}");
        assert_eq!(listed, found);
    }
}

#[test]
fn bounds_that_give_no_family_are_refused() {
    let bounds = |pots| ColouredBounds {
        pots: [1, pots],
        blue: [0, 9],
        red: [0, 9],
        pot_seeds_max: None,
    };
    assert_eq!(
        Filled::coloured_rows(bounds(61)).unwrap_err(),
        FilledError::Pots { found: 61 }
    );
    let immense = ColouredBounds {
        blue: [0, 999_999],
        red: [0, 999_999],
        ..bounds(2)
    };
    let error = Filled::coloured_rows(immense).unwrap_err().to_string();
    assert!(error.contains("with 1000000000000 values"), "{error}");
    let none = ColouredBounds {
        pots: [2, 2],
        blue: [0, 1],
        red: [0, 0],
        pot_seeds_max: None,
    };
    assert_eq!(Filled::coloured_rows(none).unwrap_err(), FilledError::Empty);
    let grids = |rows, columns, most| {
        Filled::grids(GridBounds {
            rows: Values::range(rows, rows).unwrap(),
            columns: Values::range(columns, columns).unwrap(),
            pot_seeds: [0, most],
            seeds_min: 0,
            seeds_max: None,
        })
    };
    assert_eq!(
        grids(0, 3, 1).unwrap_err(),
        FilledError::Sides {
            rows: 0,
            columns: 3
        }
    );
    assert_eq!(
        grids(15, 15, 1).unwrap_err(),
        FilledError::Sides {
            rows: 15,
            columns: 15
        }
    );
    assert_eq!(
        grids(4, 4, 4).unwrap_err().to_string(),
        "rectangles of 4 rows and 4 columns: more than 65536 ways to fill the 8 cells symmetric to cell 1 with 5 values each; \
         allow fewer values"
    );
}
