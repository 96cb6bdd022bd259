//! Sums of mixed impartial components, obligated and disjunctive, with their winning moves.
//!
//! A [`Sum`](crate::game::impartial::Sum) says what is on the table. [`ObligatedSum`] and
//! [`DisjunctiveSum`] say what it is worth under the two ways of adding, and which moves win;
//! [`ComponentValues`] keeps the tables that this takes. [`play_obligated`] and [`play_disjunctive`] do
//! without any theory and decide in the tests.
//!
//! Sources: T. S. Ferguson, *Obligated sums of games*; AMS Feature Column, *Combinatorial games*, part 5.

mod disjunctive;
mod knight;
mod memo;
mod moves;
mod nim_arithmetic;
mod obligated;
mod play;
mod values;
mod wythoff;

pub use disjunctive::{DisjunctiveSum, NotFree};
pub use knight::KnightBoard;
#[cfg(test)]
use memo::Memo;
pub use memo::MemoError;
pub use moves::SumMove;
pub use nim_arithmetic::{mex, nim_sum};
pub use obligated::{ObligatedSum, obligated_value};
pub use play::{PLAY_POSITIONS_MAX, play_disjunctive, play_obligated};
pub use values::ComponentValues;
pub use wythoff::wythoff_value;

#[cfg(test)]
mod tests;
