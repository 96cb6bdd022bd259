//! Regular languages of rows as values: the plain reference of the [check](super::check).
//!
//! A finite word over pots stands for a row if its first and last pots are beyond the row's ends;
//! they continue there endlessly. So `0 1 2 0` and `0 0 1 2 0` stand for the row 12, and `e 1 0` for
//! the row ...e 1. A language of rows has all words that stand for its rows.
//!
//! [`Automaton`] has the textbook operations on regular languages, [`Moves`] the images and
//! pre-images of languages under the moves of a player, and [`check`] decides with these whether a
//! set of rows is closed: whether each move from it has an answer that leads back into it. Nothing
//! here is shared with [`Claims::check`](super::Claims::check) except the readers of families and
//! the machines of moves, which are tested against literal play.

mod automaton;
mod closure;
mod moves;

pub use automaton::Automaton;
pub use closure::{check, check_first};
pub use moves::Moves;
