//! Nim-values of heaps under disjunctive sums: values, periods, and what is proved of them.
//!
//! The nim-value of a heap is the least number that no option has, where an option has the xor of the
//! values of its heaps (Sprague 1936, Grundy 1939). A sum of heaps is lost for the player to move just
//! where the xor of its values is 0.
//!
//! [`NimValues`] finds values in order, by the engine that suits the game:
//!
//! | game | engine | cost of n heaps |
//! |---|---|---|
//! | no splits | rings of bits | O(n m / 64), m = most tokens taken |
//! | splits in two, Grundy's game | sparse space with rows of bits | O(n r), r = heaps of rare value, where these are few; else O(n^2) |
//! | splits in three | sums of pairs as bits | O(n^2 V / 64), values below V |
//!
//! All of them agree with [`mod@reference`], which is the definition and no more.
//!
//! What is known is said with it: [`Standing`] tells whether values are verified or speculative, and a
//! [`Certificate`] proves a period for all heaps, [`survey`] that sequences are equal. Nothing here knows of
//! files or of sums other than disjunctive ones.

mod bytes;
mod candidates;
mod certificate;
mod cover;
mod error;
mod exact;
mod least;
mod mask;
mod moves;
mod near;
mod plan;
#[cfg(test)]
mod random;
pub mod reference;
mod scan;
mod spans;
mod splitting;
mod standard_form;
mod survey;
mod taking;
mod tally;
mod taps;
mod triple;
mod union;
mod values;
mod vectors;
mod verifier;
mod window;

pub use certificate::{Certificate, Observation, observe};
pub use error::{HEAPS_MAX, NimValueError, VALUE_MAX};
pub use standard_form::StandardForm;
pub use survey::{HEAPS_TOGETHER, SurveyRow, Watcher, survey};
pub use tally::{Tally, p_positions};
pub use values::{Found, NimValues, Standing, Trust};

#[cfg(test)]
mod tests;
