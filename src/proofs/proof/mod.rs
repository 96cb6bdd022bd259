//! Proofs of values for infinite families of rows: claims that support one another, and their
//! check.
//!
//! # What is proved
//!
//! A [`Claim`] states, for every row of a [family](Rows), that its value is at most, or at least, a
//! [`Value`] in terms of the repetitions of the family's words. *If the [check](Claims::check)
//! finds an answer to every move for each of some claims, all of them are true.*
//!
//! Proof. By induction along play, which ends: let the claims hold for all followers of a row g,
//! and let one claim state that g is at most u. We show that Left, moving first in g - u, loses.
//! Suppose that she moves to x - u with a row x. Then x may belong to a family whose claim states
//! that it is at most some w less than or confused with u; Right, who moves first, then wins x - u.
//! Or Right can move to y - u, where y belongs to a family whose claim states that it is at most
//! some w that is at most u. Suppose that she moves to g - r, where r is a right option of u. Then
//! Right can move to y - r, where a claim states that y is at most some w that is at most r. "At
//! least" is the same with the players exchanged. ∎
//!
//! An integer n has the right option n + 1 if it is negative, and none if it is not. If the sign
//! depends on the counts, an answer is needed only for negative n, and the comparison of bounds may
//! assume this.
//!
//! # How it is checked
//!
//! A row of a family is a word that an automaton reads ([`Reader`](rows::Reader)), and a move is a
//! machine that reads a row and writes another one of the same length
//! ([`reading`](cggames::game::reading)). A nondeterministic automaton therefore decides whether a
//! row and a move have an answer among the claims, and "every move has one" is an inclusion of
//! regular languages. The check follows the row, the move and the set of all answers still
//! possible, one pot at a time, through all reachable states. The integers of an answer's bound are
//! in terms of the answer's own counts. The distance of such a count from a sum of the row's counts
//! is tracked too, as long as it is small. The bounds are then compared for all counts at once.
//!
//! For claims of 0 without counts, [`language`] decides the same by textbook operations on whole
//! automata: the options of the rows are an image of a regular language, the rows that can be
//! answered a pre-image.
//!
//! ```
//! use std::path::Path;
//!
//! use cgproofs::proof::Certificate;
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
//! # Ok::<(), cgproofs::proof::CertificateError>(())
//! ```
//!
//! The check is a semi-decision: a family may have a value for which no finite set of claims of
//! this kind is enough. Regular sets of positions of value 0 are known from rewriting games
//! (Duchêne, Marsault, Parreau and Rigo 2020), where the question whether a game has one is
//! undecidable.

pub mod bound;
pub mod certificate;
pub mod check;
pub mod claim;
pub mod language;
pub mod notation;
pub mod rows;

pub use bound::{Counts, Linear, Value};
pub use certificate::{Certificate, CertificateError, Relation, Written};
pub use check::Claims;
pub use claim::{Claim, Gap, Step, Unproved};
pub use rows::{Block, RowText, Rows};
