//! Winning boards of sowing graphs: which, how many, how fast they are cleared.
//!
//! Every winning board is reached from the empty one by unmoves, each of which adds stones. So
//! [`sweep`] finds them all in order of their totals, and the rest reads from it: [`census`] counts,
//! [`game_graph`] links, [`reconstruct`] looks for boards with given bins. [`finiteness`] says
//! beforehand whether there is an end, [`play`] clears single boards, [`cycle`] walks along the only
//! line of play that a directed cycle has, [`tree`] has a formula where each bin has one way home. [`greedy`] tells on how
//! many boards a strategy is right, [`agreement`] which numbers of stones in some bins belong to a winning board, and
//! [`atlas`] has all small acyclic graphs to ask this of. [`mod@reference`] decides who is right: it plays every board.
//!
//! Nothing here is capped in silence: what stops at a limit says so.
//!
//! Source: Jones, Taalman, Tongen, "Solitaire Mancala Games and the Chinese Remainder Theorem",
//! section 5.

pub mod agreement;
pub mod atlas;
pub mod census;
pub mod cycle;
pub mod finiteness;
pub mod game_graph;
pub mod greedy;
pub mod play;
pub mod reconstruct;
pub mod reference;
pub mod sweep;
pub mod tree;
mod watcher;

pub use watcher::Watcher;
