//! Atomic Wari: Erickson's sowing game with captures.
//!
//! # Rules
//!
//! Take all seeds of a pot, `k >= 2` of them, and sow them one each into `k` pots *starting with that pot*:
//! Left to the right, Right to the left. Then, from the last pot sown back against the direction of
//! the move, every pot of the unbroken chain of pots that hold two or three seeds is captured: its
//! seeds leave the game. Played impartially, whoever moves may sow to either side. From `312` Left can
//! move to `1` (capturing 3 and 2) or `3111`, Right to `301` or `11112`, so that `312 = ^`
//! (Erickson 1996, section 3).
//!
//! Erickson's row is endless on both sides. The board of Mancala World has a fixed number of pots, 36
//! of 4 seeds to begin with, and a move that would leave it is illegal.
//!
//! # Normal form
//!
//! On the endless row empty pots at the ends are stripped. On a fixed board all pots are kept; a row
//! shorter than the board stands at its left end. Of a mirror pair one stands for both; played
//! partisan, the mirror image is the negative.
//!
//! # Splitting
//!
//! On the endless row a *sparse* position, no pot above two, is the sum of its runs of deuces (Theorem
//! 3.1).
//!
//! # Termination
//!
//! Suppose play never ends. Captures come to an end, since each takes seeds away; consider play after
//! the last. A pot sown from keeps a seed, so nonempty pots stay nonempty; there are never more
//! than seeds, so from some time on no empty pot is sown into. Some pots are then sown from for ever;
//! let i be the leftmost of them. Every sowing to the left from i or over it brings a seed to the pots left of i,
//! which are never sown from, so these come to an end. From then on i, once sown from, holds
//! one seed and receives more only from sowings to the left that end exactly in i. The first of
//! these makes it two: a capture, against the assumption.

use super::row::{Pot, Row};
use super::strip::{Key, PositionError, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Strip, brief};
use super::{Player, Ruleset};

/// The ruleset of Atomic Wari, on the endless row or on a board of fixed width.
///
/// ```
/// use seedbank::ruleset::{AtomicWari, Player, Ruleset};
///
/// let wari = AtomicWari::endless();
/// let position = wari.position(&"312".parse()?)?;
/// let mut options = Vec::new();
/// wari.each_option(&position, Player::Left, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["1", "3111"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AtomicWari {
    board_pots: Option<usize>,
}

impl AtomicWari {
    /// Returns the game on the endless row.
    pub fn endless() -> AtomicWari {
        AtomicWari { board_pots: None }
    }

    /// Returns the game on a board of so many pots, which are at most
    /// [`Game::BOARD_POTS_MAX`](super::Game::BOARD_POTS_MAX).
    pub fn on_board(pots: u32) -> AtomicWari {
        AtomicWari {
            board_pots: Some(pots as usize),
        }
    }
}

impl Ruleset for AtomicWari {
    type Position = Strip;

    fn id(&self) -> String {
        match self.board_pots {
            None => "atomic-wari".to_owned(),
            Some(pots) => format!("atomic-wari/{pots}"),
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        if row.endless_left || row.endless_right || row.pots.contains(&Pot::Full) {
            return Err(PositionError::FullPots { row: brief(row) });
        }
        let mut pots = &row.pots[..];
        if let Some(board) = self.board_pots {
            if pots.len() > board {
                let found = pots.len();
                return Err(PositionError::OffBoard {
                    row: brief(row),
                    found,
                    board,
                });
            }
        } else {
            while let [inner @ .., Pot::Seeds(0)] = pots {
                pots = inner;
            }
            while let [Pot::Seeds(0), inner @ ..] = pots {
                pots = inner;
            }
        }
        if pots.len().max(self.board_pots.unwrap_or(0)) > STRIP_POTS_MAX {
            return Err(PositionError::TooLong {
                row: brief(row),
                found: pots.len(),
            });
        }
        let mut strip = Strip {
            len: self.board_pots.unwrap_or(pots.len()),
            ..Strip::default()
        };
        for (place, pot) in strip.pots.iter_mut().zip(pots) {
            let Pot::Seeds(found) = *pot else {
                unreachable!("full pots were refused above")
            };
            if found > STRIP_SEEDS_MAX {
                return Err(PositionError::TooManySeeds {
                    row: brief(row),
                    found,
                });
            }
            *place = found as u8;
        }
        Ok(strip)
    }

    fn row(&self, position: &Strip) -> Row {
        position.to_row()
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => self.each_sowing_right(position, visit),
            Player::Right => self.each_sowing_right(&position.mirror(), &mut |option| {
                visit(&option.mirror());
            }),
        }
    }

    fn mirror(&self, position: &Strip) -> Strip {
        position.mirror()
    }

    fn key(&self, position: &Strip) -> Result<(Key, bool), PositionError> {
        position.key()
    }

    fn position_of(&self, key: Key) -> Strip {
        Strip::position_of(key)
    }

    /// Splits sparse positions of the endless row at their pots below two (Theorem 3.1).
    fn components(&self, position: &Strip) -> Vec<Strip> {
        let pots = position.pots();
        if self.board_pots.is_some() || pots.iter().any(|&seeds| seeds > 2) {
            return vec![*position];
        }
        pots.split(|&seeds| seeds < 2)
            .filter(|run| !run.is_empty())
            .map(|run| {
                let mut strip = Strip {
                    len: run.len(),
                    ..Strip::default()
                };
                strip.pots[..run.len()].copy_from_slice(run);
                strip
            })
            .collect()
    }
}

impl AtomicWari {
    /// Visits the positions that sowing to the right leads to.
    fn each_sowing_right(
        &self,
        position: &Strip,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        for (i, &seeds) in position.pots().iter().enumerate() {
            let end = i + usize::from(seeds);
            if seeds < 2 || self.board_pots.is_some_and(|pots| end > pots) {
                continue;
            }
            if end > STRIP_POTS_MAX {
                return Err(PositionError::TooLong {
                    row: brief(position),
                    found: end,
                });
            }
            let mut option = *position;
            option.len = option.len.max(end);
            option.pots[i] = 1;
            let sown = &mut option.pots[i + 1..end];
            sown.iter_mut().for_each(|pot| *pot += 1);
            if let Some(&found) = sown.iter().find(|&&pot| u32::from(pot) > STRIP_SEEDS_MAX) {
                return Err(PositionError::TooManySeeds {
                    row: brief(position),
                    found: found.into(),
                });
            }
            // The chain ends at the latest in pot i, which holds one seed.
            sown.iter_mut()
                .rev()
                .take_while(|pot| matches!(**pot, 2 | 3))
                .for_each(|pot| *pot = 0);
            if self.board_pots.is_none() {
                option.strip_empty_ends();
            }
            visit(&option);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(wari: AtomicWari, text: &str, player: Player) -> Vec<String> {
        let position = wari.position(&text.parse().unwrap()).unwrap();
        let mut options = Vec::new();
        wari.each_option(&position, player, &mut |o| options.push(o.to_string()))
            .unwrap();
        options.sort();
        options
    }

    #[test]
    fn the_worked_example_has_its_printed_options() {
        let wari = AtomicWari::endless();
        assert_eq!(options(wari, "312", Player::Left), ["1", "3111"]);
        assert_eq!(options(wari, "00312", Player::Right), ["11112", "301"]);
    }

    #[test]
    fn a_move_may_not_leave_a_fixed_board() {
        let wari = AtomicWari::on_board(3);
        assert_eq!(options(wari, "312", Player::Left), ["100"]);
        assert_eq!(options(wari, "312", Player::Right), ["301"]);
        assert_eq!(
            options(AtomicWari::on_board(4), "312", Player::Left),
            ["1000", "3111"]
        );
    }

    #[test]
    fn a_captured_chain_is_unbroken() {
        // Sowing 5: 1 2 3 | 5 -> 1, the next four to 2 1 3 2: only the last two go.
        assert_eq!(
            options(AtomicWari::endless(), "51021", Player::Left)[0],
            "121"
        );
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let read = |wari: AtomicWari, text: &str| {
            wari.position(&text.parse().unwrap())
                .unwrap_err()
                .to_string()
        };
        assert!(read(AtomicWari::endless(), "1e1").contains("full pots"));
        assert!(read(AtomicWari::endless(), "[251]").contains("at most 250"));
        assert!(read(AtomicWari::on_board(2), "312").contains("the board has 2"));
    }

    #[test]
    fn a_pot_that_would_grow_too_large_is_an_error() {
        let wari = AtomicWari::endless();
        let position = wari.position(&"2[250]".parse().unwrap()).unwrap();
        let error = wari
            .each_option(&position, Player::Left, &mut |_| {})
            .unwrap_err();
        assert!(matches!(
            error,
            PositionError::TooManySeeds { found: 251, .. }
        ));
    }

    #[test]
    fn a_move_beyond_the_longest_strip_is_an_error() {
        let wari = AtomicWari::endless();
        let position = wari.position(&"[200]".parse().unwrap()).unwrap();
        let error = wari
            .each_option(&position, Player::Left, &mut |_| {})
            .unwrap_err();
        assert!(matches!(error, PositionError::TooLong { found: 200, .. }));
    }
}
