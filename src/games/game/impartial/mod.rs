//! Small impartial games, each with its rules as literal options.
//!
//! In an impartial game both players have the same options. A position may split in play, as a row
//! of Kayles pins does, so an option here is a list of components. The engine decides whether these
//! form a disjunctive or an obligated sum, and finds values.
//!
//! | game | position | source |
//! |---|---|---|
//! | [`Nim`] | heaps of tokens | the AMS column, part 5; Bouton 1901 |
//! | [`PokerNim`] | heaps, and a supply for each player; play need not end | the AMS column, part 5 |
//! | [`Checkers`] | checkers on rows that end in a wall | the AMS column, part 5 |
//! | [`Kayles`] | a row of pins | the AMS column, part 5 |
//! | [`Wythoff`] | a queen on a quarter board | Ferguson, Example 1 |
//! | [`Knight`] | a knight on a quarter board | Ferguson, Example 2 |
//! | [`HeapGame`] | a heap, under a code, Grundy's rule or a subtraction set | Ferguson, section 3 |
//!
//! [`Component`] is a position of any of them except Poker Nim, and [`Sum`] a written sum of such
//! positions: `wythoff(0,1) + kayles(5) + 0.137(9)`.

mod checkers;
mod component;
mod kayles;
mod knight;
mod nim;
mod poker_nim;
mod sum;
mod wythoff;

use std::fmt::{Debug, Display};
use std::hash::Hash;

pub use checkers::{Checkers, InTheWall, Rows};
pub use component::heap_max;
pub use component::{
    Component, ComponentError, HEAP_MAX, HEAP_MAX_THIRDS, KNIGHT_SUM_MAX, NIM_HEAP_MAX,
    NIM_HEAPS_MAX, QUEEN_MAX,
};
pub use kayles::Kayles;
pub use knight::Knight;
pub use nim::{Nim, NimHeaps};
pub use poker_nim::{PokerNim, PokerNimPosition};
pub use sum::{Sum, SumError, SumErrorKind};
pub use wythoff::{Square, Wythoff};

use crate::game::heap::HeapGame;

/// The rules of an impartial game.
///
/// Play must end unless the game's docs say otherwise; the docs prove that it ends.
pub trait Impartial {
    /// A position.
    type Position: Clone + Eq + Ord + Hash + Debug + Display;

    /// Returns the options, each as the list of components that replace the position. An option may
    /// occur more than once, and a component may have no moves.
    fn options(&self, position: &Self::Position) -> Vec<Vec<Self::Position>>;
}

impl Impartial for HeapGame {
    /// The number of tokens in the heap.
    type Position = usize;

    fn options(&self, &tokens: &usize) -> Vec<Vec<usize>> {
        let options = HeapGame::options(self, tokens);
        options.map(|parts| parts.as_slice().to_vec()).collect()
    }
}

/// Writes numbers with commas between them.
fn write_numbers(f: &mut std::fmt::Formatter<'_>, numbers: &[u32]) -> std::fmt::Result {
    for (i, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if i == 0 { "" } else { "," })?;
    }
    Ok(())
}

/// The rules of the components of sums, for the help.
pub const COMPONENTS: &str = "\
Components of sums (--game obligated, --game disjunctive):
  wythoff(X,Y)          a queen on column X and row Y, to 1000; it goes left,
                        down, or down to the left
  knight(X,Y)           a knight, X + Y to 2000; it goes by (-2,1), (-2,-1),
                        (-1,-2) or (1,-2)
  nim(N,...)            up to 16 heaps of Nim as one component, to 10000;
                        poker-nim heaps are worth the same
  checkers(N,...)       checkers on squares 1, 2, ... from the wall, one a row,
                        which move towards it: Nim with heaps of N - 1
  kayles(N)             a row of N pins, to 10000; a throw takes one pin or two
                        neighbours
  grundy(N)             a heap that is split into two unequal ones
  subtraction(S,...)(N) a heap from which a number of the set is taken
  0.137(N)              a heap under an octal or hexadecimal code, or one with a
                        name such as dawsons-chess; heaps to 10000, to 1000
                        where a move may leave three
Joined by \"+\"; in an obligated sum the components before \">\" must be finished
first.";
