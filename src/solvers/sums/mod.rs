//! Sums of mixed impartial components, obligated and disjunctive, with their moves.
//!
//! A [`Sum`](cggames::game::impartial::Sum) is a position. [`ObligatedSum`] and [`DisjunctiveSum`]
//! have its value and its moves under the two kinds of sums; [`ComponentValues`] holds the
//! tables for this. [`play_obligated`] and [`play_disjunctive`] use no theory and are the reference
//! in the tests.
//!
//! Sources: T. S. Ferguson, *Obligated sums of games*; AMS Feature Column, *Combinatorial games*,
//! part 5.

mod disjunctive;
mod knight;
mod memo;
mod misere;
mod moves;
mod nim_arithmetic;
mod obligated;
mod play;
mod values;
mod wythoff;

pub use disjunctive::{DisjunctiveSum, NotFree};
pub use knight::KnightBoard;
pub use memo::MemoError;
#[cfg(test)]
use memo::PositionMemo;
pub use misere::{MISERE_MOVES_MAX, MisereSums};
pub use moves::SumMove;
pub use nim_arithmetic::{mex, nim_sum};
pub use obligated::{ObligatedSum, obligated_value};
pub use play::{PLAY_POSITIONS_MAX, play_disjunctive, play_obligated};
pub use values::ComponentValues;
pub use wythoff::wythoff_value;

#[cfg(test)]
mod tests;
