//! The search for claims that prove a theorem ([`proof`](crate::proof)).
//!
//! The theorem is the first claim. As long as a claim has a move without an answer, the values of small rows say which answers
//! there are; the row after the move, or after an answer to it, is taken as one of a family (`general.rs`), and what
//! the values of its small rows have in common (`fit.rs`) becomes a claim of its own. A word that is repeated may be
//! repeated any number of times, where the values permit it. Nothing here has to be right: what is found counts
//! only if the [check](crate::proof::Claims) accepts it.

mod fit;
mod general;
mod known;
mod laws;
mod search;

pub use laws::claim_of;
pub use search::{Budget, Theorem, TheoremError, Verdict, prove};
