//! A game between a person and best play, from a position to its end.
//!
//! A [`Referee`] knows one game: it lists the moves of a position, each with the position after it and its worth. There is a
//! referee for games on [pots](PotReferee), one for [sums of heaps](SumReferee), one for [scored games](ScoreReferee) and one for
//! games [given by their moves](MovesReferee). The first uses the same [judge](crate::evaluate::Judge) as `seedbank eval --moves`. A [`Contest`] is a game in progress under a
//! referee: the player to move, the moves so far, the program's replies, and the [`Transcript`]. Nothing here reads or prints.
//!
//! # How the program moves
//!
//! It makes a move of the greatest worth: one that wins, else one that draws, or the one with the greatest margin. Of several,
//! it prefers the position seen least often in this game, then a move that is not dominated, then the first. If all moves lose,
//! it takes one after which the fewest replies win.
//!
//! *A program that can win wins*, even if positions can recur. Suppose such a game were endless. There are finitely many
//! positions, so some positions with the program to move recur for ever. In each of them the program plays every winning option
//! again and again, since an option played finitely often would be the one seen least often. Take the recurring position with
//! the shortest win. Its fastest winning option recurs, and so does some reply to it. From there a win takes fewer moves: a
//! contradiction.

mod contest;
mod heaps;
mod named;
mod pots;
mod referee;
mod scored;
mod transcript;

pub use contest::{Conclusion, Contest, Ply, Unrecognised};
pub use heaps::SumReferee;
pub use named::{MovesReferee, NamedPosition};
pub use pots::PotReferee;
pub use referee::{Choice, Referee, Study, Worth};
pub use scored::ScoreReferee;
pub use transcript::{Setting, Transcript, TranscriptMove};
