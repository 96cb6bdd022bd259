//! Nim-values of heaps under disjunctive sums: values, periods, and their proofs.
//!
//! The nim-value of a heap is the least number that no option has, where the value of an option is
//! the xor of the values of its heaps (Sprague 1936, Grundy 1939). A sum of heaps is lost for the
//! player to move if and only if the xor of its values is 0.
//!
//! # The ladder
//!
//! The algorithms form a ladder, slowest first. The docs of each give its formula, its cost and its
//! advantage over the one below, against which it is tested.
//!
//! | rung | adds | cost of n heaps |
//! |---|---|---|
//! | [`mod@reference`] | the definition | O(n^2), O(n^3) for splits in three |
//! | `sparse` | few pairs decide about common numbers | O(n r), r = rare heaps |
//! | `dense` | marks, and pairs in vectors, while no number is common | O(n^2) |
//! | `wide` | 1016 and 64 heaps at once, in portable vectors; speculative | O(n r / 64) |
//! | `verify` | proves the values of `wide`, a round of blocks behind it | a half more |
//!
//! A common number is one that only a rare and a common heap together reach (`space`). The chosen
//! space depends on the parity of heaps in some games, such as 0.104.
//!
//! These rungs are for splits in two and Grundy's game. Games without splits (`taking`) and with
//! splits in three (`triple`) have one engine each, tested against the reference. [`HeapNimValues`]
//! chooses the engine for a game.
//!
//! Values are verified or speculative; see [`Standing`]. A [`Certificate`] proves a period for all
//! heaps, and [`survey`] proves that sequences are equal. This module knows no files, and no sums
//! other than disjunctive ones.

mod certificate;
mod dense;
mod error;
pub mod reference;
mod space;
mod sparse;
mod standard_form;
mod survey;
mod taking;
mod tally;
mod triple;
mod values;
mod verify;
mod wide;

pub use super::heaps::certificate::Certificate;
pub use super::heaps::survey::{Equality, FoundValues, SurveyWatcher};
pub use certificate::{Observation, observe};
pub use error::{HEAPS_MAX, NimValueError, VALUE_MAX};
pub use standard_form::StandardForm;
pub use survey::{CodeValues, HEAPS_TOGETHER, survey};
pub use tally::{Tally, p_positions};
pub use values::{HeapNimValues, Standing, Trust};

#[cfg(test)]
mod tests;
