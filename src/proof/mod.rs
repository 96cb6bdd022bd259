//! Proofs of values for infinite families of rows: claims that support one another, and their check.
//!
//! # What is proved
//!
//! A [`Claim`] says of every row of a [family](Rows) that its value is at most, or at least, a [`Value`] in terms of how often the
//! family's words are repeated. *If the [check](Claims::check) finds an answer to every move for each of some claims, all of
//! them are true.*
//!
//! Proof. By induction along play, which ends: let the claims hold of all followers of a row g, and let one of them say that g is at
//! most u. We show that Left, moving first in g - u, loses. If she moves to x - u with a row x, then either x is of a family
//! whose claim says that it is at most some w that is less than u or confused with it, and Right, who moves first, wins x - u; or
//! Right can move to y - u, where y is of a family whose claim says that it is at most some w that is at most u.
//! If she moves to g - r, where r is a right option of u, Right can move to y - r, where a claim says that y is at most some w that is
//! at most r. "At least" is the same with the players exchanged. ∎
//!
//! An integer n has the right option n + 1 if it is negative, and none if it is not. Where the sign depends on the counts, an answer is
//! needed only where n is negative, and this is made use of when bounds are compared.
//!
//! # How it is checked
//!
//! A row of a family is a word that an automaton reads ([`Reader`](rows::Reader)), and a move is a machine that reads a row and writes another one of
//! the same length ([`reading`](crate::game::reading)). So "has an answer among the claims" is a property of a row and a move that a nondeterministic
//! automaton decides, and "every move has one" is inclusion of regular languages: the check follows the row, the move and the
//! set of all answers that are still possible, one pot at a time, through all states that can be reached. The integers of an answer's bound
//! are in terms of the answer's own counts. How far such a count is from a sum of the row's counts is followed, too, as
//! long as the distance is small; the bounds are then compared for all counts at once.
//!
//! ```
//! use std::path::Path;
//!
//! use seedbank::proof::Certificate;
//!
//! let text = r#"
//!     game = "sowing"
//!     version = 1
//!     play = "partisan"
//!     [[theorem]]
//!     rows = "(10)^m 03 (01)^n"
//!     value = "0"
//!     [[claim]]
//!     rows = "(10)^m 0220 (01)^n"
//!     at_least = "0"
//! "#;
//! let path = Path::new("theorem-2-2.toml");
//! Certificate::parse(text, path)?.check(path)?;
//! # Ok::<(), seedbank::proof::CertificateError>(())
//! ```
//!
//! The check is a semi-decision: a family may have a value for which no finite set of claims of this kind is enough. Regular sets of
//! positions of value 0 are known from rewriting games (Duchêne, Marsault, Parreau and Rigo 2020), where the question whether a game has
//! one is undecidable.

pub mod bound;
pub mod certificate;
pub mod check;
pub mod claim;
pub mod notation;
pub mod rows;

pub use bound::{Counts, Linear, Value};
pub use certificate::{Certificate, CertificateError, Relation, Written};
pub use check::Claims;
pub use claim::{Claim, Gap, Step, Unproved};
pub use rows::{Block, RowText, Rows};
