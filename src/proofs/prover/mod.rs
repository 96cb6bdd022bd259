//! The search for claims that prove a theorem ([`proof`](crate::proof)).
//!
//! The theorem is the first claim. As long as a claim has a move without an answer, the values of
//! small rows suggest answers. The row after the move, or after an answer to it, is generalised to
//! a family (`general.rs`), and a notation that fits the values of the family's small rows
//! (`fit.rs`) becomes a new claim. A repeated word may be repeated any number of times if the
//! values permit it. A claim with a move for which nothing is left to try is retracted, and so is
//! one whose check is too large. A theorem whose rows are too long to be evaluated is proved for
//! shorter rows, too (`search/lower.rs`). The search need not be sound: a proof counts only if the
//! [check](crate::proof::Claims) accepts it.

mod fit;
mod general;
mod known;
mod laws;
mod search;

pub use crate::proof::check::COUNTS_MAX;
pub use known::ROW_POTS_MAX;
pub use laws::claim_of;
pub use search::{Budget, End, Open, Theorem, TheoremError, Verdict, prove};
