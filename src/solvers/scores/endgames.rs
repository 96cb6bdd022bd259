//! Endgames that one player decides alone, and their boards of Tchoukaillon.
//!
//! A position is *determined* if the opponent has one seed and the player to move can win seeds
//! with every move from then on, each time leaving the opponent one seed, until the mover's pits
//! are empty. The opponent has at most one move each time, so no choice.
//!
//! Ayo has the rules of [Awari](cggames::game::scored::Wari::AWARI) and
//! [Oware](cggames::game::scored::Wari::OWARE). There such a sowing ends in the opponent's second
//! pit, where the seed lies, wins these two, and leaves a seed in the first pit, which then moves
//! to the second. The pits are the bins of Tchoukaillon and the opponent's second pit is the Ruma:
//! the opponent's first pit is bin 1, the mover's last pit bin 2, the one before it bin 3. A
//! position is determined if and only if its board is winning.
//!
//! Sources: Broline and Loeb, *The combinatorics of mancala-type games: Ayo, Tchoukaillon, and
//! 1/pi* (1995), as Jones, Taalman and Tongen cite it in Section 5.

use cggames::board::two_rows::{Side, TwoRows};
use cggames::game::scored::Scored;
use cggames::game::tchoukaillon::TchoukaillonBoard;

use super::numbering::each_side;

/// Returns whether a position is determined, by searching all play in which the mover wins seeds
/// with every move and leaves the opponent one.
///
/// ```
/// use cgsolvers::scores::is_determined;
/// use cggames::game::scored::Wari;
///
/// assert!(is_determined(Wari::OWARE, &"0 3 1 / 0 1 0".parse()?));
/// assert!(!is_determined(Wari::OWARE, &"0 3 1 / 1 0 0".parse()?));
/// # Ok::<(), cggames::board::two_rows::TwoRowsError>(())
/// ```
pub fn is_determined<G: Scored>(game: G, position: &TwoRows) -> bool {
    let leads_on = |left: &TwoRows| {
        if left.opponent.seeds() == 0 {
            return true;
        }
        let replies = game.options(left);
        matches!(&replies[..], [reply] if is_determined(game, &reply.position))
    };
    position.opponent.seeds() == 1
        && game.options(position).iter().any(|option| {
            option.gain > 0 && option.position.mover.seeds() == 1 && leads_on(&option.position)
        })
}

/// Visits the positions with `pits` pits a side and `seeds` seeds of which the opponent has one, in
/// lexicographic order of the mover's pits, then by the opponent's pit.
///
/// # Panics
///
/// If a side does not have 1 to 8 pits or there is no seed.
pub fn each_endgame(pits: usize, seeds: u32, visit: &mut impl FnMut(TwoRows)) {
    each_side(Side::empty(pits), 0, seeds - 1, &mut |mover| {
        for pit in 0..pits {
            let mut opponent = Side::empty(pits);
            opponent.pits_mut()[pit] = 1;
            visit(TwoRows { mover, opponent });
        }
    });
}

/// Returns the position with `pits` pits a side that corresponds to a board of Tchoukaillon, if
/// any: bin 1 must be empty, and there may be at most `pits` + 1 bins with less than 256 stones
/// each.
///
/// ```
/// use cgsolvers::scores::endgame_of;
///
/// let position = endgame_of(&"(0, 1, 3)".parse()?, 3);
/// assert_eq!(position.map(|found| found.to_string()).as_deref(), Some("0 3 1 / 0 1 0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn endgame_of(board: &TchoukaillonBoard, pits: usize) -> Option<TwoRows> {
    if board.bin(1) > 0 || board.length() > pits + 1 || pits < 2 {
        return None;
    }
    let (mut mover, mut opponent) = (Side::empty(pits), Side::empty(pits));
    for (bin, pit) in (2..).zip(mover.pits_mut().iter_mut().rev()) {
        *pit = board.bin(bin).try_into().ok()?;
    }
    opponent.pits_mut()[1] = 1;
    Some(TwoRows { mover, opponent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::scored::Wari;

    /// As [`is_determined`], with moves made seed by seed and all replies.
    fn is_determined_literally(game: Wari, position: &TwoRows) -> bool {
        let seeds = |side: &Side| {
            side.pits()
                .iter()
                .map(|&seeds| u32::from(seeds))
                .sum::<u32>()
        };
        let mut continues = false;
        if seeds(&position.opponent) != 1 {
            return false;
        }
        for option in game.literal_options(position) {
            let left = option.position;
            if option.gain == 0 || seeds(&left.mover) != 1 {
                continue;
            }
            let replies = game.literal_options(&left);
            let all = replies
                .iter()
                .all(|reply| is_determined_literally(game, &reply.position));
            continues |= seeds(&left.opponent) == 0 || (!replies.is_empty() && all);
        }
        continues
    }

    #[test]
    fn determined_endgames_are_winning_boards() {
        for game in [Wari::AWARI, Wari::OWARE] {
            let mut found = 0;
            for (pits, seeds_max) in [(1, 30), (2, 30), (3, 16), (4, 13), (5, 12)] {
                for seeds in 1..=seeds_max {
                    each_endgame(pits, seeds, &mut |position| {
                        let stones: Vec<u32> = std::iter::once(0)
                            .chain(position.mover.pits().iter().rev().map(|&pit| pit.into()))
                            .collect();
                        let board = TchoukaillonBoard::new(stones);
                        let is_board =
                            board.length() > 0 && endgame_of(&board, pits) == Some(position);
                        let expected = is_board && board.is_winning();
                        assert_eq!(is_determined(game, &position), expected, "{position}");
                        assert_eq!(is_determined_literally(game, &position), expected);
                        found += u32::from(expected);
                    });
                }
            }
            // Boards of 2, 4, 6, ... stones: of at most 3, 4, 5 and 6 bins and 11 stones.
            assert_eq!(found, 2 + 4 + 5 + 5);
        }
    }

    /// If own pits are captured, too, one sowing around the board can win all seeds but one.
    #[test]
    fn determined_endgames_of_wari_are_no_boards() {
        let mut found = Vec::new();
        for seeds in 1..=12 {
            each_endgame(3, seeds, &mut |position| {
                let is_found = is_determined(Wari::WARI, &position);
                assert_eq!(is_determined_literally(Wari::WARI, &position), is_found);
                found.extend(is_found.then(|| position.to_string()));
            });
        }
        assert_eq!(found[0], "1 1 8 / 0 0 1");
    }
}
