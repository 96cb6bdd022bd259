//! Tchoukaillon boards by their number of stones, without computing the boards before.
//!
//! There is one winning board for each number n of stones (rules: [`cggames::game::tchoukaillon`]).
//! This module is based on one sequence of numbers. Let the *quotient* `q_i` of a board be the
//! number of stones in bin i and beyond, divided by i: an integer, by Corollary 3.1. Then `q_1 =
//! n`,
//!
//! ```text
//! q_{i+1} = q_i - ceil(q_i / (i+1)),    b_i = -q_i mod (i+1),
//! ```
//!
//! and n is the least number of stones with a given `q_i` if each step back is the least possible,
//! `q_i = q_{i+1} + ceil(q_{i+1} / i)`. Both maps are monotone, on which the searches rely.
//!
//! - [`boards`]: the board of n stones, bin by bin; boards of consecutive n, from any n on.
//! - [`lengths`]: the length of a board; the fewest stones N(l) for one length or many.
//! - [`remainders`]: remainder boards, increasing remainder boards, periods.
//! - [`sieve`]: first plays as a sieve.
//! - [`reconstruct`]: boards from some of their bins.
//! - [`array`](mod@array): Knuth's array, whose first row has the N(l).
//!
//! Bins are numbered from 1, as `b_i`, except where a function also accepts the paper's second
//! numbering from 2, `beta_i = b_{i-1}`.
//!
//! Source: Jones, Taalman and Tongen, "Solitaire Mancala Games and the Chinese Remainder Theorem";
//! theorems are cited by their numbers there.

pub mod array;

pub mod boards;

pub mod lengths;

pub mod reconstruct;

pub mod remainders;

pub mod sieve;

mod quotient;
