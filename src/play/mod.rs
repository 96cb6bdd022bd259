//! A game from a position to its end, by a person against best play.
//!
//! A [`Referee`] knows one game: for each position it lists the moves with what they leave and what that is worth. There is one
//! for games on [pots](PotReferee), which uses the same [judge](crate::evaluate::Judge) as `seedbank eval --moves`, one for
//! [sums of heaps](SumReferee) and one for [scored games](ScoreReferee). A [`Session`] is a game in progress under a referee: who
//! moves, what was played, what the program answers, and the [`Transcript`]. Nothing here reads or prints.
//!
//! # How the program moves
//!
//! It makes a move of the greatest worth: one that wins, else one that draws, or the one with the greatest margin. Of several
//! it takes, in this order, one that leads to the position seen least often in this game, one that is not dominated, and the
//! first. If all moves lose, it takes one after which the fewest replies win.
//!
//! *A program that can win wins*, also where positions can recur. Suppose such a game were endless. The positions are
//! finitely many, so some in which the program moves recur for ever; each of their winning options is then played again and
//! again, for one that is not would be the one seen least often. Let a win from one of them take the least number of moves.
//! Its fastest winning option recurs, and so does some reply to it, and from there a win takes fewer moves: a contradiction.

mod heaps;
mod pots;
mod referee;
mod scored;
mod session;
mod transcript;

pub use heaps::SumReferee;
pub use pots::PotReferee;
pub use referee::{Choice, Referee, Study, Worth};
pub use scored::ScoreReferee;
pub use session::{Conclusion, Ply, Session, Unrecognised};
pub use transcript::{Setting, Transcript, TranscriptMove};
