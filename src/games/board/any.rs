//! A written position on a board of any kind, as families list it and tasks and commands pass it.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use super::coloured::{ColouredRow, ColouredRowError};
use super::grid::{Grid, GridError};
use super::row::{Pot, Row, RowError};

/// A written position on a board of any kind.
///
/// ```
/// use cggames::board::{AnyBoard, BoardKind};
///
/// let grid = BoardKind::Grid.read("11/11")?;
/// assert!(matches!(&grid, AnyBoard::Grid(grid) if grid.columns == 2));
/// assert_eq!(grid.to_string(), "11/11");
/// # Ok::<(), cggames::board::AnyBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyBoard {
    /// A row of pots.
    Row(Row),
    /// A row of pots with seeds of two colours.
    Coloured(ColouredRow),
    /// A rectangle of pots.
    Grid(Grid),
}

/// The kinds of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardKind {
    /// [`Row`].
    Row,
    /// [`ColouredRow`].
    Coloured,
    /// [`Grid`].
    Grid,
}

/// The error for a text that is not a position on a board of some kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnyBoardError {
    /// Not a row of pots.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Not a row of pots with seeds of two colours.
    #[error(transparent)]
    Coloured(#[from] ColouredRowError),
    /// Not a rectangle of pots.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl AnyBoardError {
    /// Returns the place of the error in characters from 1, or `None` where it is the whole text.
    pub fn at(&self) -> Option<usize> {
        match self {
            AnyBoardError::Row(error) => error.at(),
            AnyBoardError::Coloured(error) => error.at(),
            AnyBoardError::Grid(error) => error.at(),
        }
    }
}

impl BoardKind {
    /// Reads a position.
    ///
    /// # Errors
    ///
    /// A text that is not a position on a board of this kind.
    pub fn read(self, text: &str) -> Result<AnyBoard, AnyBoardError> {
        Ok(match self {
            BoardKind::Row => AnyBoard::Row(text.parse()?),
            BoardKind::Coloured => AnyBoard::Coloured(text.parse()?),
            BoardKind::Grid => AnyBoard::Grid(text.parse()?),
        })
    }
}

impl AnyBoard {
    /// Returns the kind of board.
    pub fn kind(&self) -> BoardKind {
        match self {
            AnyBoard::Row(_) => BoardKind::Row,
            AnyBoard::Coloured(_) => BoardKind::Coloured,
            AnyBoard::Grid(_) => BoardKind::Grid,
        }
    }

    /// Returns the row of pots, if it is one.
    pub fn row(&self) -> Option<&Row> {
        Row::of(self)
    }

    /// Reads a position of the same kind in place; after an error the position is unspecified.
    pub fn reread(&mut self, text: &str) -> Result<(), AnyBoardError> {
        match self {
            AnyBoard::Row(row) => Ok(row.read(text)?),
            other => {
                *other = other.kind().read(text)?;
                Ok(())
            }
        }
    }

    /// Writes the position as it displays.
    pub fn write_to(&self, text: &mut impl fmt::Write) -> fmt::Result {
        match self {
            // PERF: bypasses the formatter.
            AnyBoard::Row(row) => row.write_to(text),
            AnyBoard::Coloured(row) => write!(text, "{row}"),
            AnyBoard::Grid(grid) => write!(text, "{grid}"),
        }
    }

    /// Returns what results say of the position beside its text.
    pub fn features(&self) -> Features {
        match self {
            AnyBoard::Row(row) => row.features(),
            AnyBoard::Coloured(row) => row.features(),
            AnyBoard::Grid(grid) => grid.features(),
        }
    }
}

/// A written position on a board of one kind.
pub trait Board:
    Clone + Debug + Display + Eq + FromStr<Err: Error> + Hash + Into<AnyBoard> + Send + Sync + 'static
{
    /// Returns the board, if it is of this kind.
    fn of(any: &AnyBoard) -> Option<&Self>;

    /// Returns what results say of the position beside its text.
    fn features(&self) -> Features;
}

/// The features of a position in results, in addition to its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Features {
    /// The pots written, including empty ones; none for `0`, the position without pots.
    pub pots: u32,
    /// The seeds in all of them; `None` where there are full pots, whose count is unknown.
    pub seeds: Option<u64>,
    /// The blue seeds, where seeds have colours.
    pub blue: Option<u64>,
    /// The red seeds, where seeds have colours.
    pub red: Option<u64>,
    /// The pots of a grid that hold seeds.
    pub squares: Option<u32>,
}

impl Features {
    /// Returns the features of a position with a number of pots written, on a board without
    /// colours and squares.
    fn new(pots: usize, seeds: Option<u64>) -> Features {
        let is_empty = pots == 1 && seeds == Some(0);
        Features {
            pots: if is_empty { 0 } else { pots as u32 },
            seeds,
            ..Features::default()
        }
    }
}

impl Board for Row {
    fn of(any: &AnyBoard) -> Option<&Row> {
        match any {
            AnyBoard::Row(row) => Some(row),
            _ => None,
        }
    }

    fn features(&self) -> Features {
        let seeds = self.pots.iter().map(|pot| match pot {
            Pot::Seeds(seeds) => Some(u64::from(*seeds)),
            Pot::Full => None,
        });
        let is_endless = self.endless_left || self.endless_right;
        Features::new(self.pots.len(), if is_endless { None } else { seeds.sum() })
    }
}

impl Board for ColouredRow {
    fn of(any: &AnyBoard) -> Option<&ColouredRow> {
        match any {
            AnyBoard::Coloured(row) => Some(row),
            _ => None,
        }
    }

    fn features(&self) -> Features {
        let blue: u64 = self.pots.iter().map(|pot| u64::from(pot.blue)).sum();
        let red: u64 = self.pots.iter().map(|pot| u64::from(pot.red)).sum();
        Features {
            blue: Some(blue),
            red: Some(red),
            ..Features::new(self.pots.len(), Some(blue + red))
        }
    }
}

impl Board for Grid {
    fn of(any: &AnyBoard) -> Option<&Grid> {
        match any {
            AnyBoard::Grid(grid) => Some(grid),
            _ => None,
        }
    }

    fn features(&self) -> Features {
        let seeds = self.pots.iter().map(|&seeds| u64::from(seeds)).sum();
        Features {
            squares: Some(self.pots.iter().filter(|&&seeds| seeds > 0).count() as u32),
            ..Features::new(self.pots.len(), Some(seeds))
        }
    }
}

impl fmt::Display for AnyBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

impl From<Row> for AnyBoard {
    fn from(row: Row) -> AnyBoard {
        AnyBoard::Row(row)
    }
}

impl From<ColouredRow> for AnyBoard {
    fn from(row: ColouredRow) -> AnyBoard {
        AnyBoard::Coloured(row)
    }
}

impl From<Grid> for AnyBoard {
    fn from(grid: Grid) -> AnyBoard {
        AnyBoard::Grid(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_0_has_no_pots_on_any_board() {
        for kind in [BoardKind::Row, BoardKind::Coloured, BoardKind::Grid] {
            let pots = |text: &str| kind.read(text).unwrap().features().pots;
            assert_eq!(pots("0"), 0, "{kind:?}");
            let two = if kind == BoardKind::Coloured {
                "0 0"
            } else {
                "00"
            };
            assert_eq!(pots(two), 2, "{kind:?}");
        }
        assert_eq!(BoardKind::Row.read("...e0e...").unwrap().features().pots, 1);
        assert_eq!(BoardKind::Row.read("e").unwrap().features().pots, 1);
    }
}
