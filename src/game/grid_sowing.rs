//! Grid Sowing: sowing in two dimensions (Erickson 1996, section 4).
//!
//! # Rules
//!
//! A rectangle of pots. Left sows all k seeds of a pot upwards or downwards, Right to the left or to the right, one each into the next
//! k pots; the last must go into a pot that was not empty before the move, and nothing leaves the grid. Every pot that was not empty when
//! a seed falls into it loses all its seeds, the new one included; seeds that fall into empty pots stay. Played impartially, whoever
//! moves may sow in all four directions. From `11/11` Left can move to `01/01` and to `10/10`, so that `11/11 = +-1`.
//!
//! One seed in every pot makes the game Domineering, with Left's dominoes upright: a move empties a pot and the one beside it.
//!
//! # Normal form
//!
//! Empty rows and columns at the borders are stripped, since no seed ever falls there. A grid turned upside down or seen in a mirror has
//! the same value, and the first of these four stands for all. The negative is the transposed grid.
//!
//! # Splitting
//!
//! A pot that holds seeds at first has as many or none later, or one that fell into it when it was empty; any other has none or one.
//! So let the *field* of a position be the pots that hold seeds, and with any two pots of the field that are in line, the first of which
//! holds just as many seeds as they are apart, all pots between them. By induction over the moves, only pots of the field ever hold
//! seeds, and every move is between two pots of the field that are neighbours, or as many pots apart as the first held seeds at first.
//! Join such pots, with those between them. *A position is the sum of its parts that are joined.* No move touches pots of two of them.
//!
//! # Termination
//!
//! Every move empties the pot sown from and the last one, and fills only pots between them that were empty, with one seed each: the seeds
//! become fewer by two at least, for the last pot held one at least and its seeds and the new one leave.

use super::{Player, PotGame, Published, Ruleset};
use crate::board::grid::{GRID_POTS_MAX, GRID_SIDE_MAX, Grid};
use crate::board::{Key, PositionError, Shape, brief};

/// The most seeds of a pot; nobody can sow as many.
pub const GRID_SEEDS_MAX: u32 = GRID_SIDE_MAX as u32;

/// The ruleset of Grid Sowing.
///
/// ```
/// use seedbank::engine::{CanonicalForms, Engine, NothingKnown};
/// use seedbank::game::{GridSowing, Ruleset};
///
/// let engine = Engine::new(GridSowing, CanonicalForms::default());
/// let position = GridSowing.position(&"11/11".parse()?)?;
/// let value = engine.search(&NothingKnown).evaluate(&position)?;
/// assert_eq!(engine.valuation.arena.notation(CanonicalForms::value(value)).to_string(), "+-1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GridSowing;

/// A grid in working form. Grids come by their sides, then by their pots row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GridPosition {
    rows: u8,
    columns: u8,
    /// Row by row; those beyond are 0.
    pots: [u8; GRID_POTS_MAX],
}

const EMPTY: GridPosition = GridPosition {
    rows: 0,
    columns: 0,
    pots: [0; GRID_POTS_MAX],
};

impl GridPosition {
    fn sides(&self) -> (usize, usize) {
        (usize::from(self.rows), usize::from(self.columns))
    }

    fn pots(&self) -> &[u8] {
        let (rows, columns) = self.sides();
        &self.pots[..rows * columns]
    }

    /// Returns a grid of these sides, with the pot that is in each row and column.
    fn of(rows: usize, columns: usize, pot: impl Fn(usize, usize) -> u8) -> GridPosition {
        let mut grid = GridPosition {
            rows: rows as u8,
            columns: columns as u8,
            ..EMPTY
        };
        for row in 0..rows {
            for column in 0..columns {
                grid.pots[row * columns + column] = pot(row, column);
            }
        }
        grid
    }

    fn pot(&self, row: usize, column: usize) -> u8 {
        self.pots[row * usize::from(self.columns) + column]
    }

    fn transposed(&self) -> GridPosition {
        let (rows, columns) = self.sides();
        GridPosition::of(columns, rows, |row, column| self.pot(column, row))
    }

    /// Returns the grid without empty borders, and as the first of those that have its value by symmetry.
    fn normal(&self) -> GridPosition {
        let (rows, columns) = self.sides();
        let row_is_empty = |&row: &usize| (0..columns).all(|column| self.pot(row, column) == 0);
        let column_is_empty = |&column: &usize| (0..rows).all(|row| self.pot(row, column) == 0);
        let top = (0..rows).take_while(row_is_empty).count();
        if top == rows {
            return EMPTY;
        }
        let bottom = rows - (0..rows).rev().take_while(row_is_empty).count();
        let left = (0..columns).take_while(column_is_empty).count();
        let right = columns - (0..columns).rev().take_while(column_is_empty).count();
        let (height, width) = (bottom - top, right - left);
        let seen = |upside_down: bool, mirrored: bool| {
            GridPosition::of(height, width, |row, column| {
                let row = if upside_down {
                    bottom - 1 - row
                } else {
                    top + row
                };
                let column = if mirrored {
                    right - 1 - column
                } else {
                    left + column
                };
                self.pot(row, column)
            })
        };
        let others = seen(true, false)
            .min(seen(false, true))
            .min(seen(true, true));
        seen(false, false).min(others)
    }

    /// Returns the key: the sides, whether no pot has two seeds or more, and the pots.
    fn code(&self) -> Option<Key> {
        let is_plain = self.pots().iter().all(|&pot| pot < 2);
        let mut bits =
            Key::from(self.rows) | Key::from(self.columns) << 4 | Key::from(is_plain) << 8;
        let mut len = 9;
        for &pot in self.pots() {
            let pot = u32::from(pot);
            // Without pots of two or more a bit each; else a one for each seed and a zero.
            let (code, width) = match is_plain {
                true => (pot, 1),
                false => ((1 << pot) - 1, pot + 1),
            };
            if len + width > Key::BITS - 1 {
                return None;
            }
            bits |= Key::from(code) << len;
            len += width;
        }
        Some(bits)
    }

    /// Returns the grid that has the key, or `None` where its sides are none.
    fn decoded(key: Key) -> Option<GridPosition> {
        let (rows, columns) = ((key & 15) as usize, (key >> 4 & 15) as usize);
        if rows * columns > GRID_POTS_MAX {
            return None;
        }
        let is_plain = key >> 8 & 1 == 1;
        let mut rest = key >> 9;
        let mut grid = GridPosition {
            rows: rows as u8,
            columns: columns as u8,
            ..EMPTY
        };
        for pot in &mut grid.pots[..rows * columns] {
            let ones = match is_plain {
                true => (rest & 1) as u32,
                false => rest.trailing_ones(),
            };
            *pot = u8::try_from(ones)
                .ok()
                .filter(|&pot| u32::from(pot) <= GRID_SEEDS_MAX)?;
            rest >>= if is_plain { 1 } else { ones + 1 };
        }
        (rest == 0).then_some(grid)
    }

    fn to_grid(self) -> Grid {
        Grid {
            columns: self.columns.into(),
            pots: self.pots().iter().map(|&pot| pot.into()).collect(),
        }
    }

    /// Visits the grids that sowing along the columns leads to, pot by pot, upwards and then downwards.
    fn each_sowing_along_columns(&self, visit: &mut impl FnMut(&GridPosition)) {
        let (rows, columns) = self.sides();
        for row in 0..rows {
            for column in 0..columns {
                let k = usize::from(self.pot(row, column));
                for to in [row.checked_sub(k), Some(row + k)].into_iter().flatten() {
                    if k == 0 || to >= rows || self.pot(to, column) == 0 {
                        continue;
                    }
                    let mut option = *self;
                    option.pots[row * columns + column] = 0;
                    let sown = if to < row { to..row } else { row + 1..to + 1 };
                    for sown in sown {
                        let pot = &mut option.pots[sown * columns + column];
                        *pot = u8::from(*pot == 0);
                    }
                    visit(&option.normal());
                }
            }
        }
    }

    /// Returns for each pot of the field the number of its part, and 0 for the others.
    fn parts(&self) -> Vec<usize> {
        let (rows, columns) = self.sides();
        let mut parts: Vec<usize> = (1..)
            .zip(self.pots())
            .map(|(n, &pot)| n * usize::from(pot > 0))
            .collect();
        loop {
            let before = parts.clone();
            for from in 0..parts.len() {
                let seeds = usize::from(self.pots[from]);
                let (row, column) = (from / columns, from % columns);
                for distance in [1, seeds] {
                    let down = (row + distance < rows).then_some(columns);
                    let up = (row >= distance).then_some(columns.wrapping_neg());
                    let right = (column + distance < columns).then_some(1);
                    let left = (column >= distance).then_some(1usize.wrapping_neg());
                    for step in [down, up, right, left].into_iter().flatten() {
                        let at = |i: usize| from.wrapping_add(step.wrapping_mul(i));
                        if parts[from] == 0 || parts[at(distance)] == 0 || distance == 0 {
                            continue;
                        }
                        // All pots on the way have the part of the first of them that has one.
                        let joined: Vec<usize> = (0..=distance).map(|i| parts[at(i)]).collect();
                        let number = joined.iter().copied().filter(|&part| part > 0).min();
                        let number = number.expect("the pot sown from is in a part");
                        for part in &mut parts {
                            if *part > 0 && joined.contains(part) {
                                *part = number;
                            }
                        }
                        (0..=distance).for_each(|i| parts[at(i)] = number);
                    }
                }
            }
            if parts == before {
                return parts;
            }
        }
    }
}

impl std::fmt::Display for GridPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_grid().fmt(f)
    }
}

impl std::fmt::Debug for GridPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GridPosition({self})")
    }
}

impl Ruleset for GridSowing {
    type Board = Grid;
    type Position = GridPosition;

    fn id(&self) -> String {
        "grid-sowing".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, grid: &Grid) -> Result<GridPosition, PositionError> {
        let (rows, columns) = (grid.rows(), grid.columns);
        if rows.max(columns) > GRID_SIDE_MAX || grid.pots.len() > GRID_POTS_MAX {
            return Err(PositionError::OffGrid {
                grid: brief(grid),
                rows,
                columns,
            });
        }
        if let Some(&found) = grid.pots.iter().find(|&&seeds| seeds > GRID_SEEDS_MAX) {
            return Err(PositionError::TooManySeeds {
                row: brief(grid),
                found,
                most: GRID_SEEDS_MAX,
            });
        }
        let pot = |row: usize, column: usize| grid.pots[row * columns + column] as u8;
        Ok(GridPosition::of(rows, columns, pot).normal())
    }

    fn board(&self, position: &GridPosition) -> Grid {
        position.to_grid()
    }

    fn each_option(
        &self,
        position: &GridPosition,
        player: Player,
        visit: &mut impl FnMut(&GridPosition),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => position.each_sowing_along_columns(visit),
            Player::Right => position
                .transposed()
                .each_sowing_along_columns(&mut |option| {
                    visit(&option.transposed().normal());
                }),
        }
        Ok(())
    }

    fn negative(&self, position: &GridPosition) -> GridPosition {
        position.transposed().normal()
    }

    fn key(&self, position: &GridPosition) -> Result<(Key, bool), PositionError> {
        let negative = self.negative(position);
        let negated = negative < *position;
        let first = if negated { &negative } else { position };
        match first.code() {
            Some(key) => Ok((key, negated)),
            None => Err(PositionError::KeyTooLong {
                row: brief(position),
            }),
        }
    }

    fn position_of(&self, key: Key) -> GridPosition {
        GridPosition::decoded(key).expect("a key of a position")
    }

    fn position_of_stored(&self, key: Key) -> Option<GridPosition> {
        let position = GridPosition::decoded(key)?;
        let is_key = position.normal() == position && self.key(&position).ok()? == (key, false);
        is_key.then_some(position)
    }

    fn components(&self, position: &GridPosition) -> Vec<GridPosition> {
        let (rows, columns) = position.sides();
        let parts = position.parts();
        let mut numbers: Vec<usize> = parts.iter().copied().filter(|&part| part > 0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let component = |number| {
            GridPosition::of(rows, columns, |row, column| {
                let place = row * columns + column;
                position.pots[place] * u8::from(parts[place] == number)
            })
            .normal()
        };
        numbers.into_iter().map(component).collect()
    }
}

impl PotGame for GridSowing {
    const NAME: &'static str = "grid-sowing";

    const RULES: &'static str = "\
Grid Sowing: a rectangle of pots that hold seeds, / between its rows. Take all
the seeds of a pot and sow them one by one into the pots beside it, Left upwards
or downwards, Right to the left or to the right; in impartial play both do both.
The last seed must land in a pot that was not empty. Every pot that was not
empty when a seed lands in it loses all its seeds. One seed in every pot makes
the game Domineering. A player who cannot move loses. Left sows the pot in
parentheses:

    (2)1/01/31  ->  01/11/01
";

    const SHAPE: Shape = Shape::Grids;

    const PUBLISHED: Published = (
        "domineering.toml",
        include_str!("../../data/reference/domineering.toml"),
    );

    fn on(_: Option<u32>) -> GridSowing {
        GridSowing
    }

    fn literal_options(&self, grid: &Grid, player: Player) -> Vec<Grid> {
        let (rows, columns) = (grid.rows() as isize, grid.columns as isize);
        let directions = match player {
            Player::Left => [(-1, 0), (1, 0)],
            Player::Right => [(0, -1), (0, 1)],
        };
        let mut options = Vec::new();
        for place in 0..grid.pots.len() {
            let (row, column) = (place as isize / columns, place as isize % columns);
            for (down, right) in directions {
                let mut option = grid.clone();
                let seeds = std::mem::take(&mut option.pots[place]) as isize;
                for i in 1..=seeds {
                    let (row, column) = (row + i * down, column + i * right);
                    if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                        break;
                    }
                    let pot = &mut option.pots[(row * columns + column) as usize];
                    let was_empty = *pot == 0;
                    *pot = u32::from(was_empty);
                    if i == seeds && !was_empty {
                        options.push(option);
                        break;
                    }
                }
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{CanonicalForms, Engine, NothingKnown};

    #[test]
    fn a_grid_of_ones_is_domineering() {
        let engine = Engine::new(GridSowing, CanonicalForms::default());
        for (text, value) in [
            ("11/11", "+-1"),
            ("111/111/111", "+-1"),
            ("1111", "-2"),
            ("1/1/1/1/1", "2"),
            ("11/01", "*"),
            ("111/111", "{2|-1/2}"),
        ] {
            let position = GridSowing.position(&text.parse().unwrap()).unwrap();
            let word = engine.search(&NothingKnown).evaluate(&position).unwrap();
            let found = engine.valuation.arena.notation(CanonicalForms::value(word));
            assert_eq!(found.to_string(), value, "{text}");
        }
    }

    #[test]
    fn parts_between_which_no_seed_passes_are_components() {
        for (text, expected) in [
            ("110/001", "1 + 11"),
            ("11/11", "11/11"),
            ("20101", "1 + 102"),
            ("2010/0000/1000", "001/000/102"),
            ("0", ""),
        ] {
            let position = GridSowing.position(&text.parse().unwrap()).unwrap();
            let found = GridSowing.components(&position);
            let mut found: Vec<String> = found.iter().map(GridPosition::to_string).collect();
            found.sort();
            assert_eq!(found.join(" + "), expected, "{text}");
        }
    }

    #[test]
    fn grids_beyond_the_limits_are_errors() {
        let read = |text: &str| {
            let position = GridSowing.position(&text.parse().unwrap());
            position
                .map(|position| GridSowing.key(&position))
                .unwrap_err()
                .to_string()
        };
        assert!(read(&"1".repeat(16)).contains("16 columns"));
        assert!(read("1[16]").contains("at most 15"));
    }
}
