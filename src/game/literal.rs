//! Helpers of literal play: the rules of games on rows applied word by word to written rows.
//!
//! No pot is stripped, capped or mirrored here.
//! [`PotGame::literal_options`](super::PotGame::literal_options) uses these functions. It shares no
//! code with the rulesets' working form, which is checked against it.

use super::Player;
use crate::board::row::{Pot, Row};

/// Returns the rows after moves from all pots, at most one move from each.
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

/// Drops a seed into a pot. A full pot stays full.
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
