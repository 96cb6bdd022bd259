//! The claims to check together, and what needs an answer.

use cggames::game::reading::Reading;
use cggames::game::{Play, Player};

use crate::proof::bound::{Linear, Value};
use crate::proof::claim::Claim;

/// The default of the most states that the check of one claim may reach.
pub const STATES_MAX: usize = 1_000_000;

/// The most counts of a family.
pub const COUNTS_MAX: usize = 6;

/// Claims to check together.
pub struct Claims<'a> {
    /// How the game's moves are read.
    pub reading: Reading,
    /// The way of playing.
    pub play: Play,
    /// The claims.
    pub claims: &'a [Claim],
    /// The most states that a check may reach.
    pub states_max: usize,
}

/// A situation that needs an answer.
pub(super) struct Occasion {
    /// The player who moved in the row; `None` if the move was in the bound.
    pub(super) mover: Option<Player>,
    /// The integer that is negative if the move is possible.
    pub(super) negative: Option<Linear>,
}

/// An answer to a move: the row after it, or after a further move, is in a claim with a sufficient
/// bound.
pub(super) struct Answer {
    /// The player who makes the further move.
    pub(super) by: Option<Player>,
    /// The target: the claim's bound must be less than or confused with it or, after a further
    /// move, at most equal to it.
    pub(super) bound: Value,
}
