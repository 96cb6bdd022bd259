//! Helpers of literal play: the rules of games on rows applied word by word to written rows.
//!
//! No pot is stripped, capped or mirrored here.
//! [`PotGame::literal_moves`](super::PotGame::literal_moves) uses these functions. It shares no
//! code with the rulesets' working form, which is checked against it.

use super::Player;
use crate::board::row::{Pot, Row};

/// A legal move, by literal play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralMove<B> {
    /// The pot that is played from, counted from 0 on the board before the move; on a grid row by row. Where seeds are gathered
    /// from several pots it is the farthest one.
    pub from: usize,
    /// The pot where the move ends. On a row that continues beyond the pots written it may be below 0 or beyond the last.
    pub to: isize,
    /// The position that it leads to.
    pub option: B,
}

/// Returns the moves from all pots, at most one from each; `from` returns the last pot of a move and
/// the row after it.
pub(super) fn from_each_pot(
    row: &Row,
    from: impl Fn(usize) -> Option<(isize, Row)>,
) -> Vec<LiteralMove<Row>> {
    let each = (0..row.pots.len()).filter_map(|place| {
        let (to, option) = from(place)?;
        Some(LiteralMove {
            from: place,
            to,
            option,
        })
    });
    each.collect()
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
pub fn strip(row: &mut Row) {
    while row.pots.last() == Some(&Pot::Seeds(0)) {
        row.pots.pop();
    }
    while row.pots.first() == Some(&Pot::Seeds(0)) {
        row.pots.remove(0);
    }
}
