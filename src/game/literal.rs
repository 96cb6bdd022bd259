//! Acts of literal play: the rules of games on rows as they are worded, on rows as they are written.
//!
//! No pot is stripped, capped or mirrored here. [`PotGame::literal_options`](super::PotGame::literal_options) is made of these; it
//! shares nothing with the rulesets' working form, which is checked against it.

use super::Player;
use crate::board::row::{Pot, Row};

/// Returns the rows that moves from the pots lead to, where there is one move from a pot at most.
pub(super) fn from_each_pot(row: &Row, from: impl Fn(usize) -> Option<Row>) -> Vec<Row> {
    (0..row.pots.len()).filter_map(from).collect()
}

/// Returns the next place in the direction in which the player sows.
pub(super) fn step(place: usize, player: Player) -> Option<usize> {
    match player {
        Player::Left => Some(place + 1),
        Player::Right => place.checked_sub(1),
    }
}

/// Drops a seed into a pot. One seed more makes no difference to a full pot.
pub(super) fn add_seed(pot: &mut Pot) {
    if let Pot::Seeds(seeds) = pot {
        *seeds += 1;
    }
}

/// Deletes the empty pots at both ends.
pub(crate) fn strip(row: &mut Row) {
    while row.pots.last() == Some(&Pot::Seeds(0)) {
        row.pots.pop();
    }
    while row.pots.first() == Some(&Pot::Seeds(0)) {
        row.pots.remove(0);
    }
}
