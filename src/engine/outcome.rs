//! Whether a position is a win for the previous player, and so has the value 0, by searching for wins.
//!
//! Independent of values: it plays. Where one winning reply to each move is at hand, it looks at few
//! positions where evaluating would have to look at all followers. Erickson's `(10)^m 03 (01)^n` is
//! such a case: Right has one move, Left one good reply, and the game is over, but the followers
//! grow exponentially with m and n.

use hashbrown::HashMap;

use crate::ruleset::{Key, Play, Player, PositionError, Ruleset};

/// A search for wins that gives up after having generated a number of options.
pub(super) struct WinSearch<'r, R> {
    ruleset: &'r R,
    play: Play,
    /// Whether the player to move wins, by key, for a player who moves as Left does.
    wins: HashMap<Key, bool, foldhash::fast::RandomState>,
    options_left: usize,
}

/// The deepest line of play that is followed. The search recurses, and this keeps it within the two
/// megabytes that the threads of a program that uses the library may have.
const DEPTH_MAX: usize = 1000;

impl<'r, R: Ruleset> WinSearch<'r, R> {
    /// Returns a search that generates about so many options at most.
    pub(super) fn new(ruleset: &'r R, play: Play, options_max: usize) -> WinSearch<'r, R> {
        WinSearch {
            ruleset,
            play,
            wins: HashMap::default(),
            options_left: options_max,
        }
    }

    /// Returns whether the position is a P-position, whose value is 0, or `None` where the search
    /// gave up.
    pub(super) fn is_previous_win(
        &mut self,
        position: &R::Position,
    ) -> Result<Option<bool>, PositionError> {
        for mover in Player::BOTH {
            match self.mover_wins(position, mover, 0)? {
                Some(false) => {}
                Some(true) => return Ok(Some(false)),
                None => return Ok(None),
            }
            if self.play == Play::Impartial {
                break;
            }
        }
        Ok(Some(true))
    }

    /// Returns whether the player to move wins, or `None` where the search gave up.
    fn mover_wins(
        &mut self,
        position: &R::Position,
        mover: Player,
        depth: usize,
    ) -> Result<Option<bool>, PositionError> {
        // Right on a position is Left on its mirror image.
        let turned;
        let position = match mover {
            Player::Left => position,
            Player::Right => {
                turned = self.ruleset.mirror(position);
                &turned
            }
        };
        let entry = self.entry(position)?;
        if let Some(&wins) = self.wins.get(&entry) {
            return Ok(Some(wins));
        }
        if self.options_left == 0 || depth == DEPTH_MAX {
            return Ok(None);
        }
        let mut options = Vec::new();
        let movers: &[Player] = if self.play == Play::Impartial {
            &Player::BOTH
        } else {
            &[Player::Left]
        };
        for &player in movers {
            self.ruleset
                .each_option(position, player, &mut |option| options.push(option.clone()))?;
        }
        // The fewer replies the opponent has, the sooner it is settled.
        let replier = Player::Right;
        let mut ordered = Vec::with_capacity(options.len());
        self.spend(options.len());
        for option in options {
            let mut replies = 0;
            self.ruleset
                .each_option(&option, replier, &mut |_| replies += 1)?;
            self.spend(replies);
            ordered.push((replies, option));
        }
        ordered.sort_by_key(|&(replies, _)| replies);
        let mut undecided = false;
        for (_, option) in &ordered {
            match self.mover_wins(option, replier, depth + 1)? {
                Some(false) => {
                    self.wins.insert(entry, true);
                    return Ok(Some(true));
                }
                Some(true) => {}
                None => undecided = true,
            }
        }
        if undecided {
            return Ok(None);
        }
        self.wins.insert(entry, false);
        Ok(Some(false))
    }

    /// Returns how many more options the search would have generated before giving up.
    pub(super) fn options_left(&self) -> usize {
        self.options_left
    }

    fn spend(&mut self, options: usize) {
        self.options_left = self.options_left.saturating_sub(options);
    }

    /// Returns the key of a position with Left to move; under impartial play a mirror image is the
    /// same, under partisan play the lowest bit tells them apart.
    fn entry(&self, position: &R::Position) -> Result<Key, PositionError> {
        let (key, mirrored) = self.ruleset.key(position)?;
        // A key has at most 127 bits, so that the highest bit is free.
        let turned = mirrored && self.play == Play::Partisan;
        Ok(key ^ Key::from(turned) << 127)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{CanonicalForms, Engine, NimValues, NothingKnown, Valuation};
    use crate::ruleset::row::{Pot, Row};
    use crate::ruleset::{AtomicWari, Sowing};

    /// All rows of so many pots with at most three seeds a pot.
    fn rows(pots: u32) -> impl Iterator<Item = Row> {
        (0..4u32.pow(pots)).map(move |code| Row {
            pots: (0..pots).map(|i| Pot::Seeds(code >> (2 * i) & 3)).collect(),
            ..Row::default()
        })
    }

    fn agrees<R: Ruleset, V: Valuation + Default>(ruleset: R) {
        let engine = Engine::new(ruleset.clone(), V::default());
        let mut search = engine.search(&NothingKnown);
        let zero = V::combine(&mut engine.valuation.worker(), &[], &[]).unwrap();
        let play = engine.valuation.play();
        let mut previous_wins = 0;
        for row in rows(5) {
            let position = ruleset.position(&row).unwrap();
            let is_zero = search.evaluate(&position).unwrap() == zero;
            let mut wins = WinSearch::new(&ruleset, play, usize::MAX);
            assert_eq!(wins.is_previous_win(&position), Ok(Some(is_zero)), "{row}");
            previous_wins += u32::from(is_zero);
            // A search that gives up says so, and is never wrong.
            for options_max in [0, 1, 20, 100] {
                let mut wins = WinSearch::new(&ruleset, play, options_max);
                let found = wins.is_previous_win(&position).unwrap();
                assert!(found.is_none_or(|found| found == is_zero), "{row}");
            }
        }
        assert!(previous_wins > 20);
    }

    #[test]
    fn a_position_is_a_previous_win_exactly_when_its_value_is_zero() {
        agrees::<_, CanonicalForms>(Sowing);
        agrees::<_, NimValues>(Sowing);
        agrees::<_, CanonicalForms>(AtomicWari::endless());
        agrees::<_, NimValues>(AtomicWari::endless());
        agrees::<_, CanonicalForms>(AtomicWari::on_board(5));
    }

    #[test]
    fn a_long_position_with_one_good_reply_is_settled_at_once() {
        let text = format!("{}03{}", "10".repeat(12), "01".repeat(12));
        let position = Sowing.position(&text.parse().unwrap()).unwrap();
        let mut wins = WinSearch::new(&Sowing, Play::Partisan, 500);
        assert_eq!(wins.is_previous_win(&position), Ok(Some(true)));
    }
}
