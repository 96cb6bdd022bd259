//! All positions within bounds on boards other than rows of one colour: rows of pots with seeds of
//! two colours, and rectangles.
//!
//! The boards come in order: rows by their pots, rectangles by their rows and then by their
//! columns. Each has the [`Fillings`] that no symmetry maps to an earlier one. A row has its mirror
//! image, and the row with colours exchanged where the bounds of both are the same; a rectangle has
//! its reflections, and a square also its transpose.

use thiserror::Error;

use super::Values;
use super::fillings::{FillingRules, Fillings, ORBIT_FILLINGS_MAX, Symmetry, TooManyFillings};
use crate::board::AnyBoard;
use crate::board::coloured::{ColouredPot, ColouredRow};
use crate::board::grid::{GRID_POTS_MAX, GRID_SIDE_MAX, Grid};
use crate::board::row::POT_SEEDS_MAX;

/// The most pots of a row with seeds of two colours.
pub const COLOURED_POTS_MAX: u32 = 60;

/// Bounds of rows with seeds of two colours. The first and the last pot of each row hold seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredBounds {
    /// The least and the greatest number of pots.
    pub pots: [u32; 2],
    /// The least and the greatest number of blue seeds.
    pub blue: [u32; 2],
    /// The least and the greatest number of red seeds.
    pub red: [u32; 2],
    /// The most seeds of a pot.
    pub pot_seeds_max: Option<u32>,
}

/// Bounds of rectangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridBounds {
    /// The numbers of rows.
    pub rows: Values,
    /// The numbers of columns.
    pub columns: Values,
    /// The least and the greatest number of seeds of a pot.
    pub pot_seeds: [u32; 2],
    /// The least number of seeds.
    pub seeds_min: u32,
    /// The greatest number of seeds.
    pub seeds_max: Option<u32>,
}

/// The reason why bounds give no family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FilledError {
    /// Rows too long for their positions to be counted.
    #[error("pots_max is {found}; accepted: 0 to {COLOURED_POTS_MAX}")]
    Pots {
        /// The greatest number of pots.
        found: u32,
    },
    /// A rectangle that is too large or empty.
    #[error(
        "{rows} rows and {columns} columns; accepted: 1 to {GRID_SIDE_MAX} of each, and at most {GRID_POTS_MAX} pots"
    )]
    Sides {
        /// The rows.
        rows: i64,
        /// The columns.
        columns: i64,
    },
    /// A number of seeds that no pot holds.
    #[error("{found} seeds in a pot; accepted: 0 to {POT_SEEDS_MAX}")]
    PotSeeds {
        /// The number.
        found: i64,
    },
    /// A board with too many positions.
    #[error("{board}: {source}")]
    TooMany {
        /// The board.
        board: String,
        /// The count that is too large.
        source: TooManyFillings,
    },
    /// No position lies within the bounds.
    #[error("no position lies within the bounds")]
    Empty,
}

/// Every position within bounds on some boards, each once, up to symmetry.
///
/// ```
/// use cggames::family::{ColouredBounds, Filled};
///
/// let bounds = ColouredBounds { pots: [0, 2], blue: [0, 1], red: [0, 1], pot_seeds_max: None };
/// let filled = Filled::coloured_rows(bounds)?;
/// let rows: Vec<String> = (0..filled.len()).map(|rank| filled.get(rank).to_string()).collect();
/// assert_eq!(rows, ["0", "b", "br", "b r"]);
/// # Ok::<(), cggames::family::FilledError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filled {
    contents: Contents,
    boards: Vec<FilledBoard>,
    /// The rank of each board's first position, and the total number of positions.
    starts: Vec<u64>,
    meaning: String,
    /// Whether exchanged colours are a symmetry.
    exchanges_colours: bool,
}

/// The meaning of the values of fillings.
#[derive(Clone, Debug)]
enum Contents {
    Coloured(Vec<ColouredPot>),
    Seeds,
}

#[derive(Clone, Debug)]
struct FilledBoard {
    rows: usize,
    columns: usize,
    fillings: Fillings,
}

impl Filled {
    /// Counts the rows of pots with seeds of two colours.
    ///
    /// # Errors
    ///
    /// No position, too many, or too many pots.
    pub fn coloured_rows(bounds: ColouredBounds) -> Result<Filled, FilledError> {
        let [pots_min, pots_max] = bounds.pots;
        if pots_max > COLOURED_POTS_MAX {
            return Err(FilledError::Pots { found: pots_max });
        }
        let [blue_max, red_max] = [bounds.blue[1], bounds.red[1]];
        let pot_seeds_max = bounds.pot_seeds_max.unwrap_or(u32::MAX);
        let blue = 0..=blue_max.min(pot_seeds_max);
        let reds = |blue: u32| red_max.min(pot_seeds_max - blue);
        let values: u64 = blue.clone().map(|blue| u64::from(reds(blue)) + 1).sum();
        if values > u64::from(ORBIT_FILLINGS_MAX) {
            return Err(FilledError::TooMany {
                board: "a single pot".to_owned(),
                source: TooManyFillings::Orbit {
                    first: 0,
                    cells: 1,
                    values: values as usize,
                },
            });
        }
        let order = |pot: &ColouredPot| (pot.blue + pot.red, pot.red);
        let pots = blue.flat_map(|blue| (0..=reds(blue)).map(move |red| ColouredPot { blue, red }));
        let mut pots: Vec<ColouredPot> = pots.collect();
        pots.sort_by_key(order);
        let kept: Vec<usize> = (0..pots.len()).collect();
        let exchanged = |pot: &ColouredPot| {
            let exchanged = ColouredPot {
                blue: pot.red,
                red: pot.blue,
            };
            pots.binary_search_by_key(&order(&exchanged), order).ok()
        };
        let exchanged: Option<Vec<usize>> = if bounds.blue == bounds.red {
            pots.iter().map(exchanged).collect()
        } else {
            None
        };
        let exchanges_colours = exchanged.is_some();
        let values: Vec<Vec<usize>> = [Some(kept), exchanged].into_iter().flatten().collect();
        let boards = (pots_min..=pots_max).map(|length| {
            let length = length as usize;
            let cells = [(0..length).collect::<Vec<_>>(), (0..length).rev().collect()];
            let symmetries = values.iter().flat_map(|values| {
                let symmetry = |cells: &Vec<usize>| Symmetry {
                    cells: cells.clone(),
                    values: values.clone(),
                };
                cells.each_ref().map(symmetry)
            });
            let rules = FillingRules {
                least: (0..length)
                    .map(|pot| usize::from(pot == 0 || pot + 1 == length))
                    .collect(),
                weights: pots.iter().map(|pot| [pot.blue, pot.red]).collect(),
                bounds: [bounds.blue, bounds.red].map(|[least, most]| (least, Some(most))),
                symmetries: symmetries.collect(),
            };
            (1, length, rules)
        });
        let mut meaning = String::from("all");
        let named = [
            ("pots", bounds.pots),
            ("blue", bounds.blue),
            ("red", bounds.red),
        ];
        for (name, [least, most]) in named {
            meaning.push_str(&format!(" {name} {least} to {most}"));
        }
        if let Some(most) = bounds.pot_seeds_max {
            meaning.push_str(&format!(" pot_seeds_max {most}"));
        }
        let filled = Filled::new(Contents::Coloured(pots.clone()), boards, meaning)?;
        Ok(Filled {
            exchanges_colours,
            ..filled
        })
    }

    /// Counts the fillings of rectangles.
    ///
    /// # Errors
    ///
    /// No position, too many, or a rectangle that is too large.
    pub fn grids(bounds: GridBounds) -> Result<Filled, FilledError> {
        let mut sides = Vec::new();
        for rows in bounds.rows.iter() {
            for columns in bounds.columns.iter() {
                sides.push(check_sides(rows, columns)?);
            }
        }
        let [least, most] = bounds.pot_seeds;
        let boards = sides.into_iter().map(|[rows, columns]| {
            let rules = FillingRules {
                least: vec![least as usize; rows * columns],
                weights: (0..=most).map(|seeds| [seeds, 0]).collect(),
                bounds: [(bounds.seeds_min, bounds.seeds_max), (0, None)],
                symmetries: symmetries_of_grid(rows, columns, most as usize + 1),
            };
            (rows, columns, rules)
        });
        let GridBounds {
            rows,
            columns,
            seeds_min,
            ..
        } = &bounds;
        let mut meaning = format!(
            "all rows {rows} columns {columns} pot_seeds {least} to {most} seeds_min {seeds_min}"
        );
        if let Some(most) = bounds.seeds_max {
            meaning.push_str(&format!(" seeds_max {most}"));
        }
        Filled::new(Contents::Seeds, boards, meaning)
    }

    fn new(
        contents: Contents,
        rules: impl Iterator<Item = (usize, usize, FillingRules)>,
        meaning: String,
    ) -> Result<Filled, FilledError> {
        let (mut boards, mut starts) = (Vec::new(), vec![0u64]);
        for (rows, columns, rules) in rules {
            let too_many = |source| {
                let board = match contents {
                    Contents::Coloured(_) => format!("rows of {columns} pots"),
                    Contents::Seeds => format!("rectangles of {rows} rows and {columns} columns"),
                };
                FilledError::TooMany { board, source }
            };
            let fillings = Fillings::new(rules).map_err(too_many)?;
            let total = starts[boards.len()].checked_add(fillings.len());
            starts.push(total.ok_or_else(|| too_many(TooManyFillings::Total))?);
            boards.push(FilledBoard {
                rows,
                columns,
                fillings,
            });
        }
        if starts[boards.len()] == 0 {
            return Err(FilledError::Empty);
        }
        Ok(Filled {
            contents,
            boards,
            starts,
            meaning,
            exchanges_colours: false,
        })
    }

    /// Returns the number of positions.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a family without positions is refused"
    )]
    pub fn len(&self) -> u64 {
        self.starts[self.boards.len()]
    }

    /// Returns the position at `rank`, in time linear in the ways to fill pots that are symmetric.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`Filled::len`].
    pub fn get(&self, rank: u64) -> AnyBoard {
        let board = self.starts.partition_point(|&start| start <= rank) - 1;
        let FilledBoard {
            columns, fillings, ..
        } = &self.boards[board];
        let filling = fillings.get(rank - self.starts[board]);
        match &self.contents {
            Contents::Coloured(pots) => {
                let mut pots: Vec<ColouredPot> = filling.iter().map(|&value| pots[value]).collect();
                // The empty position has one spelling.
                if pots.is_empty() {
                    pots.push(ColouredPot::default());
                }
                ColouredRow { pots }.into()
            }
            Contents::Seeds => Grid {
                columns: *columns,
                pots: filling.iter().map(|&seeds| seeds as u32).collect(),
            }
            .into(),
        }
    }

    /// Returns whether a member also stands for its negative, which is not listed: the row with exchanged colours, or the
    /// transpose of a square.
    pub fn stands_for_negative(&self, position: &AnyBoard) -> bool {
        match position {
            AnyBoard::Grid(grid) => grid.rows() == grid.columns,
            _ => self.exchanges_colours,
        }
    }

    /// Returns the rank of a position as written, or `None` if it is not a member.
    pub fn rank(&self, position: &AnyBoard) -> Option<u64> {
        let (rows, columns, filling): (usize, usize, Vec<usize>) = match (position, &self.contents)
        {
            (AnyBoard::Coloured(row), Contents::Coloured(pots)) => {
                let written = match row.pots.as_slice() {
                    [pot] if *pot == ColouredPot::default() => &[],
                    pots => pots,
                };
                let value = |pot| pots.iter().position(|other| other == pot);
                (
                    1,
                    written.len(),
                    written.iter().map(value).collect::<Option<_>>()?,
                )
            }
            (AnyBoard::Grid(grid), Contents::Seeds) => {
                let filling = grid.pots.iter().map(|&seeds| seeds as usize);
                (grid.rows(), grid.columns, filling.collect())
            }
            _ => return None,
        };
        let is_it = |board: &FilledBoard| (board.rows, board.columns) == (rows, columns);
        let board = self.boards.iter().position(is_it)?;
        Some(self.starts[board] + self.boards[board].fillings.rank(&filling)?)
    }

    /// Returns the bounds as they enter the digests of jobs.
    pub(super) fn meaning(&self) -> &str {
        &self.meaning
    }
}

/// Returns the sides of a rectangle that can be played on.
pub(super) fn check_sides(rows: i64, columns: i64) -> Result<[usize; 2], FilledError> {
    let side = |side: i64| {
        usize::try_from(side)
            .ok()
            .filter(|side| (1..=GRID_SIDE_MAX).contains(side))
    };
    match [side(rows), side(columns)] {
        [Some(rows), Some(columns)] if rows * columns <= GRID_POTS_MAX => Ok([rows, columns]),
        _ => Err(FilledError::Sides { rows, columns }),
    }
}

/// Returns the symmetries that map a rectangle to itself.
fn symmetries_of_grid(rows: usize, columns: usize, values: usize) -> Vec<Symmetry> {
    let transposes = if rows == columns {
        vec![false, true]
    } else {
        vec![false]
    };
    let mut symmetries = Vec::new();
    for transposed in transposes {
        for (upside_down, mirrored) in [(false, false), (false, true), (true, false), (true, true)]
        {
            let image = |cell: usize| {
                let (row, column) = (cell / columns, cell % columns);
                let row = if upside_down { rows - 1 - row } else { row };
                let column = if mirrored {
                    columns - 1 - column
                } else {
                    column
                };
                if transposed {
                    column * columns + row
                } else {
                    row * columns + column
                }
            };
            symmetries.push(Symmetry {
                cells: (0..rows * columns).map(image).collect(),
                values: (0..values).collect(),
            });
        }
    }
    symmetries
}

#[cfg(test)]
mod tests;
