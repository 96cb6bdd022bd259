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

/// The rules of codes and one move, as help shows them.
pub const OCTAL_RULES: &str = "\
Octal and hexadecimal codes: the digit at place k after the point says what may
be left of a heap from which k tokens are taken: 1 nothing, 2 one heap, 4 two
heaps, 8 three heaps, or a sum of these, to F. A digit before the point splits
a heap and takes nothing. Who cannot move loses. Under 0.77 (Kayles) a move
takes one or two tokens and may split the heap:

    o o o o o  ->  o | o o o
";

/// The rules of Grundy's game and one move.
pub const GRUNDY_RULES: &str = "\
Grundy's game: a move splits a heap of tokens into two of different sizes.
Heaps of one or two cannot be split. Who cannot move loses.

    o o o o o  ->  o | o o o o
";

/// The rules of subtraction games and one move.
pub const SUBTRACTION_RULES: &str = "\
Subtraction games: a move takes some tokens from a heap; how many is one of the
numbers of the set. Who cannot move loses. Three are taken, of the set 1, 3, 4:

    o o o o o  ->  o o
";
