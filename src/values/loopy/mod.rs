//! Values of loopy games: games whose play need not end.
//!
//! A *stopper* is a game without infinite alternating play, in it or in its followers. Stoppers have canonical forms, as short
//! games have: no dominated or reversible options, no two equal nodes. [`LoopyCalculator`] stores each of them once, so equal
//! stoppers have equal ids.
//!
//! Any other loopy game is compared through its *sides*: its onside is the game with all infinite plays won by Left, its offside
//! that with all of them won by Right. A side that equals a stopper is given by it ([`Sides`]). Not all sides do: Bach's
//! Carousel is a counterexample. Whether a side equals a given stopper is decided exactly; the stopper itself is found by
//! simplification, and no algorithm is known that finds it in all cases.
//!
//! Sources: *Winning Ways*, chapter 11; Siegel, *Combinatorial Game Theory*, chapter VI; Siegel, "Coping with cycles", Games of No
//! Chance 3 (2009).

mod alternating;
mod calculator;
mod compare;
mod forms;
mod graph;
mod intern;
mod mast;
mod name;
mod order;
mod ordinal_sum;
mod parse;
mod sides;
mod simplify;
mod stopper;
mod sum;
#[cfg(test)]
mod tests;
mod text;

pub use alternating::Pseudonumber;
pub use calculator::{LoopyCalculator, LoopyError};
pub use graph::{LoopyGraph, Target};
pub use name::{LoopyName, Upon};
pub use stopper::{LoopyId, Sides, Stopper};
