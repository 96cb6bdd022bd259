//! Heap games: a move takes tokens from one heap and may leave it in two or three parts.
//!
//! A position is a set of heaps of tokens, and a rule says what may be done to one heap, by its size
//! alone. [`HeapGame`] is such a rule: an octal or hexadecimal [`Code`], Grundy's game, or a
//! subtraction set. Its [`options`](HeapGame::options) are the definition, written out literally; all
//! engines are tested against play by them.
//!
//! Nothing here knows how heaps are added (disjunctive or obligated sums) nor what they are worth.
//!
//! Source: R. K. Guy and C. A. B. Smith, *The G-values of various games* (1956), for the codes;
//! Berlekamp, Conway and Guy, *Winning Ways*, chapter 4, for the names and the digits above 7.

mod code;
mod game;
mod options;
mod subtraction;

pub use code::{CODE_DIGITS_MAX, Code, CodeError};
pub use game::{HeapGame, HeapGameError};
pub use options::{Options, Parts};
pub use subtraction::{SUBTRACTION_MAX, SubtractionError, SubtractionSet};
