//! Winning boards of sowing graphs: enumeration, counts, and shortest plays.
//!
//! Unmoves reach every winning board from the empty one, and each unmove adds stones. So
//! [`enumeration`] visits the boards in order of their totals, and other modules use it: [`census`] counts,
//! [`game_graph`] links, [`reconstruct`] finds boards with given bins. [`finiteness`] decides
//! whether there are finitely many, [`play`] clears single boards, [`cycle`] follows the only line
//! of play on a directed cycle, [`tree`] has a formula for graphs in which each bin has one way
//! home. [`greedy`] counts the boards on which a strategy is right, [`agreement`] finds which
//! numbers of stones in some bins belong to a winning board, and [`atlas`] has all small acyclic
//! graphs for such questions. [`mod@reference`] is the specification: it plays every board.
//!
//! No limit is silent: a result that stops at a limit says so.
//!
//! Source: Jones, Taalman, Tongen, "Solitaire Mancala Games and the Chinese Remainder Theorem",
//! section 5.

pub mod agreement;
pub mod atlas;
pub mod census;
pub mod cycle;
pub mod enumeration;
pub mod finiteness;
pub mod game_graph;
pub mod greedy;
pub mod play;
pub mod reconstruct;
pub mod reference;
pub mod tree;
mod watcher;

pub use watcher::Watcher;
