//! The components of sums: positions of the impartial games whose play ends.

use std::fmt;

use thiserror::Error;

use super::{Checkers, Impartial, InTheWall, Kayles, Knight, Nim, NimHeaps, Rows, Square, Wythoff};
use crate::game::heap::HeapGame;

/// The largest coordinate of a queen: its nim-value takes a table of all smaller squares.
pub const QUEEN_MAX: u32 = 1_000;
/// The largest sum of a knight's coordinates, which every move lowers: its nim-value takes a table
/// of all squares with a lower sum.
pub const KNIGHT_SUM_MAX: u32 = 2_000;
/// The largest heap of Nim, and the farthest square of a checker.
pub const NIM_HEAP_MAX: u32 = 10_000;
/// The most heaps or checkers in one component.
pub const NIM_HEAPS_MAX: usize = 16;
/// The longest row of pins, and the largest heap of a game that splits a heap in two at most.
pub const HEAP_MAX: usize = 10_000;
/// The largest heap of a game that splits a heap in three.
pub const HEAP_MAX_THIRDS: usize = 1_000;

/// Returns the limit for the heaps of a game as components: [`HEAP_MAX`] or [`HEAP_MAX_THIRDS`].
pub fn heap_max(game: &HeapGame) -> usize {
    match game.splits_max() {
        3 => HEAP_MAX_THIRDS,
        _ => HEAP_MAX,
    }
}

/// A position of one game, within limits that keep all engines to seconds; see
/// [`Sum::of_any_heaps`](super::Sum::of_any_heaps) for the exception.
///
/// ```
/// use cggames::game::impartial::Component;
///
/// let pins = Component::kayles(3)?;
/// assert_eq!(pins.to_string(), "kayles(3)");
/// assert_eq!(pins.options().len(), 5);
/// assert!(Component::knight(1, 1)?.options().is_empty());
/// assert!(Component::wythoff(1, 5_000).is_err());
/// # Ok::<(), cggames::game::impartial::ComponentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// A queen of Wythoff's game.
    Wythoff(Square),
    /// A knight.
    Knight(Square),
    /// Heaps of Nim, played as one game.
    Nim(NimHeaps),
    /// Checkers to the wall, played as one game.
    Checkers(Rows),
    /// A row of pins.
    Kayles(u32),
    /// A heap of tokens.
    Heap(HeapGame, usize),
}

/// The error for a position that is beyond the limits or does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ComponentError {
    /// A number that is too large.
    #[error("{found} is too large for {what}; at most {most} is accepted")]
    TooLarge {
        /// The name of the quantity.
        what: String,
        /// The number.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// More heaps or rows than are accepted.
    #[error("{found} heaps or rows; 1 to {NIM_HEAPS_MAX} are accepted")]
    Heaps {
        /// Their number.
        found: usize,
    },
    /// A checker that stands in the wall.
    #[error("{0}")]
    Wall(#[from] InTheWall),
}

impl Component {
    /// Returns a queen on a square.
    ///
    /// # Errors
    ///
    /// Where a coordinate exceeds [`QUEEN_MAX`].
    pub fn wythoff(x: u32, y: u32) -> Result<Component, ComponentError> {
        at_most(
            "a queen's coordinate",
            x.max(y) as usize,
            QUEEN_MAX as usize,
        )?;
        Ok(Component::Wythoff(Square::new(x, y)))
    }

    /// Returns a knight on a square.
    ///
    /// # Errors
    ///
    /// Where the sum of the coordinates exceeds [`KNIGHT_SUM_MAX`].
    pub fn knight(x: u32, y: u32) -> Result<Component, ComponentError> {
        let sum = (x as usize).saturating_add(y as usize);
        at_most(
            "the sum of a knight's coordinates",
            sum,
            KNIGHT_SUM_MAX as usize,
        )?;
        Ok(Component::Knight(Square::new(x, y)))
    }

    /// Returns heaps of Nim.
    ///
    /// # Errors
    ///
    /// Where there are none or more than [`NIM_HEAPS_MAX`], or one exceeds [`NIM_HEAP_MAX`].
    pub fn nim(heaps: &[u32]) -> Result<Component, ComponentError> {
        few_and_small("a heap of nim", heaps)?;
        Ok(Component::Nim(NimHeaps::new(heaps.iter().copied())))
    }

    /// Returns checkers on these squares, counted from 1 at the wall, one a row.
    ///
    /// # Errors
    ///
    /// As for [`nim`](Self::nim), and where a square is 0.
    pub fn checkers(squares: &[u32]) -> Result<Component, ComponentError> {
        few_and_small("a checker's square", squares)?;
        Ok(Component::Checkers(Rows::new(squares.iter().copied())?))
    }

    /// Returns a row of pins.
    ///
    /// # Errors
    ///
    /// Where there are more than [`HEAP_MAX`].
    pub fn kayles(pins: u32) -> Result<Component, ComponentError> {
        at_most("a row of kayles pins", pins as usize, HEAP_MAX)?;
        Ok(Component::Kayles(pins))
    }

    /// Returns a heap of a game.
    ///
    /// # Errors
    ///
    /// Where it exceeds [`HEAP_MAX`], or [`HEAP_MAX_THIRDS`] in a game that splits a heap in three.
    pub fn heap(game: HeapGame, tokens: usize) -> Result<Component, ComponentError> {
        at_most(&format!("a heap of {game}"), tokens, heap_max(&game))?;
        Ok(Component::Heap(game, tokens))
    }

    /// Returns the options, each as a list of components, in the order of the game's rules.
    ///
    /// Every component of an option is within the limits.
    pub fn options(&self) -> Vec<Vec<Component>> {
        fn wrap<R: Impartial>(
            rules: &R,
            position: &R::Position,
            wrap: impl Fn(R::Position) -> Component,
        ) -> Vec<Vec<Component>> {
            let options = rules.options(position).into_iter();
            options
                .map(|parts| parts.into_iter().map(&wrap).collect())
                .collect()
        }
        match self {
            Component::Wythoff(square) => wrap(&Wythoff, square, Component::Wythoff),
            Component::Knight(square) => wrap(&Knight, square, Component::Knight),
            Component::Nim(heaps) => wrap(&Nim, heaps, Component::Nim),
            Component::Checkers(rows) => wrap(&Checkers, rows, Component::Checkers),
            Component::Kayles(pins) => wrap(&Kayles, pins, Component::Kayles),
            Component::Heap(game, n) => {
                wrap(game, n, |tokens| Component::Heap(game.clone(), tokens))
            }
        }
    }
}

/// Refuses an empty list, too many heaps, and heaps that are too large.
fn few_and_small(what: &str, sizes: &[u32]) -> Result<(), ComponentError> {
    if !(1..=NIM_HEAPS_MAX).contains(&sizes.len()) {
        return Err(ComponentError::Heaps { found: sizes.len() });
    }
    sizes
        .iter()
        .try_for_each(|&size| at_most(what, size as usize, NIM_HEAP_MAX as usize))
}

/// Refuses numbers above `most`.
fn at_most(what: &str, found: usize, most: usize) -> Result<(), ComponentError> {
    if found <= most {
        return Ok(());
    }
    let what = what.to_owned();
    Err(ComponentError::TooLarge { what, found, most })
}

impl fmt::Display for Component {
    /// Writes the component as [`Sum`](super::Sum) reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Component::Wythoff(square) => write!(f, "wythoff({square})"),
            Component::Knight(square) => write!(f, "knight({square})"),
            Component::Nim(heaps) => write!(f, "nim({heaps})"),
            Component::Checkers(rows) => write!(f, "checkers({rows})"),
            Component::Kayles(pins) => write!(f, "kayles({pins})"),
            Component::Heap(game, tokens) => write!(f, "{game}({tokens})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pins_are_tokens_of_the_code_77_and_checkers_are_heaps_of_nim() {
        let code: HeapGame = "0.77".parse().expect("a code");
        for pins in 0..30u32 {
            let rows = Kayles.options(&pins).into_iter().map(|mut rows| {
                rows.sort_unstable();
                rows
            });
            let heaps = Impartial::options(&code, &(pins as usize)).into_iter();
            let heaps = heaps.map(|parts| parts.into_iter().map(|n| n as u32).collect());
            assert_eq!(rows.collect::<BTreeSet<Vec<u32>>>(), heaps.collect());
        }
        for squares in [[1u32, 1], [4, 3], [2, 7]] {
            let rows = Rows::new(squares).expect("squares");
            let mut free: Vec<_> = Checkers
                .options(&rows)
                .iter()
                .map(|o| o[0].free())
                .collect();
            let heaps = NimHeaps::new(rows.free());
            let mut left: Vec<_> = Nim
                .options(&heaps)
                .iter()
                .map(|o| o[0].sizes().to_vec())
                .collect();
            free.sort_unstable();
            left.sort_unstable();
            assert_eq!(free, left);
        }
    }

    #[test]
    fn moves_keep_to_the_rules_of_the_board() {
        for x in 0..9u32 {
            for y in 0..9u32 {
                let queen = Wythoff.options(&Square::new(x, y));
                assert_eq!(queen.len() as u32, x + y + x.min(y));
                let all: BTreeSet<_> = queen.iter().map(|o| o[0]).collect();
                assert_eq!(all.len(), queen.len());
                let knight = Knight.options(&Square::new(x, y));
                let legal = |dx: i32, dy: i32| x as i32 + dx >= 0 && y as i32 + dy >= 0;
                let count = [(-2, 1), (-2, -1), (-1, -2), (1, -2)]
                    .iter()
                    .filter(|&&(a, b)| legal(a, b));
                assert_eq!(knight.len(), count.count());
            }
        }
    }

    #[test]
    fn sizes_beyond_the_limits_are_refused() {
        let thirds: HeapGame = "0.8".parse().expect("a code");
        for (result, part) in [
            (
                Component::wythoff(1_001, 0),
                "1001 is too large for a queen's coordinate; at most 1000",
            ),
            (Component::nim(&[]), "0 heaps or rows; 1 to 16"),
            (Component::nim(&[10_001]), "at most 10000"),
            (Component::checkers(&[3, 0]), "square 0, which is the wall"),
            (Component::kayles(10_001), "at most 10000"),
            (
                Component::heap(thirds, 1_001),
                "a heap of 0.8; at most 1000",
            ),
            (
                Component::heap(HeapGame::Grundy, usize::MAX),
                "a heap of grundy; at most 10000",
            ),
        ] {
            let error = result.expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
