//! Heap games: a move takes tokens from one heap and may split the rest into two or three heaps.
//!
//! A position is a collection of heaps of tokens, and a rule gives the moves in one heap, by its
//! size alone. [`HeapGame`] is such a rule: an octal or hexadecimal [`Code`], Grundy's game, or a
//! subtraction set. Its [`options`](HeapGame::options) are the definition, written out literally,
//! against which all engines are tested.
//!
//! This module knows neither how heaps are added (disjunctive or obligated sums) nor their values.
//!
//! Source: R. K. Guy and C. A. B. Smith, *The G-values of various games* (1956), for the codes;
//! Berlekamp, Conway and Guy, *Winning Ways*, chapter 4, for the names and the digits above 7.

mod code;
mod game;
mod options;
mod subtraction;

pub use code::{CODE_DIGITS_MAX, Code, CodeError};
pub(crate) use game::is_code_name;
pub use game::{HeapGame, HeapGameError};
pub use options::{Options, Parts};
pub use subtraction::{SUBTRACTION_MAX, SubtractionError, SubtractionSet};

/// The kinds of rules of heap games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapRules {
    /// A [`Code`].
    Code,
    /// Grundy's game, which has no parameters.
    Grundy,
    /// A [`SubtractionSet`].
    Subtraction,
}

/// The rules of codes and one move, for the help.
pub const OCTAL_RULES: &str = "\
Octal and hexadecimal codes: digit k after the point says what may remain of a
heap when k tokens are taken from it: 1 nothing, 2 one heap, 4 two heaps, 8
three heaps, or a sum of these, up to F. A digit before the point splits a heap
and takes nothing. A player who cannot move loses. Codes with names are kayles
0.77, dawsons-chess 0.137, dawsons-kayles 0.07, james-bond or treblecross 0.007
(a strip of n squares is a heap of n + 2), officers 0.6 and guiles 0.15. Under
0.77 a move takes one or two tokens and may split the heap:

    o o o o o  ->  o | o o o
";

/// The rules of Grundy's game and one move.
pub const GRUNDY_RULES: &str = "\
Grundy's game: a move splits a heap of tokens into two of different sizes. Heaps
of one or two cannot be split. A player who cannot move loses.

    o o o o o  ->  o | o o o o
";

/// The rules of subtraction games and one move.
pub const SUBTRACTION_RULES: &str = "\
Subtraction games: a move takes tokens from a heap; their number must be in the
set. A player who cannot move loses. With the set 1, 3, 4 a move takes three:

    o o o o o  ->  o o
";
