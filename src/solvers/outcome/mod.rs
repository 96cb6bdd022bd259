//! Outcome classes and nimbers by playing, without values.
//!
//! An [`OutcomeSearch`] uses no canonical forms and no nim-values; it searches for winning moves.
//! So it checks the results of the other engines independently, and it works where they fail: a
//! proof of a win needs one good reply to each move, far fewer positions than all followers. Sowing
//! `1^15` has 40 million followers; 0.7 million positions, plus a nim heap of at most one, prove
//! that it equals `*`.
//!
//! It rests on two facts (Winning Ways, chapters 2 and 3): a position G equals the nimber `*k` if
//! and only if the previous player wins the sum `G + *k`; and a position that equals a nimber is a
//! P-position or an N-position.
//!
//! The nimber that a position equals is one of normal play. Who wins is found under [misère
//! play](cggames::game::Convention::Misere), too.
//!
//! A position that splits is played as the sum of its components, in which under normal play a component and its
//! negative [cancel](sums). The [search](proof) stores its results in a [table](table) with a memory budget. The value
//! engine tries slow positions in the same way ([`LimitedSearch`]). Erickson's `(10)^m 03 (01)^n`
//! is such a case: Right has one move, Left has one good reply, and the game is over, but the
//! number of followers grows exponentially with m and n.

mod proof;
mod sums;
mod table;

use std::slice;

use bytesize::ByteSize;
use cggames::game::{Manner, Play, Player, Ruleset};
use cgvalues::OutcomeClass;
use proof::{Halt, ProofSearch, SearchLimits};

use super::{Control, EngineError};

/// The least memory of a search.
const MEMORY_LEAST: u64 = 1 << 16;

/// A search for the winners of positions, with a table of the positions seen.
///
/// ```
/// use cgsolvers::{Control, OutcomeSearch};
/// use cggames::game::{Play, Ruleset, Sowing};
/// use cgvalues::OutcomeClass;
///
/// let control = Control::default();
/// let memory = bytesize::ByteSize::mib(64);
/// let mut search = OutcomeSearch::new(&Sowing, Play::Partisan, memory, &control);
/// let position = Sowing.position(&"1111111".parse()?)?;
/// assert_eq!(search.outcome(&position)?, OutcomeClass::Next);
/// assert_eq!(search.nimber(&position, 3)?, Some(2)); // 1^7 = *2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OutcomeSearch<'r, R> {
    ruleset: &'r R,
    memory: ByteSize,
    search: ProofSearch<'r, R>,
}

impl<'r, R: Ruleset> OutcomeSearch<'r, R> {
    /// Returns a search that takes at most `memory`, or 64 KiB if that is more.
    pub fn new(
        ruleset: &'r R,
        manner: impl Into<Manner>,
        memory: ByteSize,
        control: &'r Control,
    ) -> OutcomeSearch<'r, R> {
        let memory = ByteSize(memory.0.max(MEMORY_LEAST));
        let limits = SearchLimits {
            bytes_max: memory.0 as usize,
            options_max: usize::MAX,
            control: Some(control),
            splits: true,
        };
        OutcomeSearch {
            ruleset,
            memory,
            search: ProofSearch::new(ruleset, manner.into(), limits),
        }
    }

    /// Returns who wins a position.
    ///
    /// # Errors
    ///
    /// When the search was stopped, when it exceeds its memory budget, or when a follower is too
    /// large.
    pub fn outcome(&mut self, position: &R::Position) -> Result<OutcomeClass, EngineError> {
        self.outcome_of_sum(slice::from_ref(position), 0)
    }

    /// Returns who wins the sum of some positions and a nim heap.
    ///
    /// # Errors
    ///
    /// As for [`outcome`](OutcomeSearch::outcome).
    pub fn outcome_of_sum(
        &mut self,
        positions: &[R::Position],
        heap: u8,
    ) -> Result<OutcomeClass, EngineError> {
        let left = self.mover_wins(positions, heap, Player::Left)?;
        let right = if self.sides_are_alike(positions) {
            left
        } else {
            self.mover_wins(positions, heap, Player::Right)?
        };
        Ok(match (left, right) {
            (true, true) => OutcomeClass::Next,
            (false, false) => OutcomeClass::Previous,
            (true, false) => OutcomeClass::Left,
            (false, true) => OutcomeClass::Right,
        })
    }

    /// Returns the nimber that a position equals, if it is at most `heap_max`.
    ///
    /// # Errors
    ///
    /// As for [`outcome`](OutcomeSearch::outcome).
    pub fn nimber(
        &mut self,
        position: &R::Position,
        nimber_max: u8,
    ) -> Result<Option<u8>, EngineError> {
        match self.outcome(position)? {
            OutcomeClass::Previous => return Ok(Some(0)),
            OutcomeClass::Next => {}
            OutcomeClass::Left | OutcomeClass::Right => return Ok(None),
        }
        for heap in 1..=nimber_max {
            if self.previous_wins(position, heap)? {
                return Ok(Some(heap));
            }
        }
        Ok(None)
    }

    /// Returns whether the previous player wins the sum of a position and a nim heap: under normal
    /// play, whether the position equals that nimber.
    ///
    /// # Errors
    ///
    /// As for [`outcome`](OutcomeSearch::outcome).
    pub fn previous_wins(&mut self, position: &R::Position, heap: u8) -> Result<bool, EngineError> {
        let alone = slice::from_ref(position);
        let next_wins = self.mover_wins(alone, heap, Player::Left)?
            || !self.sides_are_alike(alone) && self.mover_wins(alone, heap, Player::Right)?;
        Ok(!next_wins)
    }

    /// Returns the number of positions seen so far, where another heap or another player to move
    /// counts as a different position.
    pub fn positions(&self) -> u64 {
        self.search.states() as u64
    }

    /// Returns whether the two players have equal moves or each position is its own negative, so
    /// that it does not matter who moves.
    fn sides_are_alike(&self, positions: &[R::Position]) -> bool {
        let is_alike = |position| self.ruleset.negative(position) == *position;
        self.search.play() == Play::Impartial || positions.iter().all(is_alike)
    }

    fn mover_wins(
        &mut self,
        positions: &[R::Position],
        heap: u8,
        mover: Player,
    ) -> Result<bool, EngineError> {
        let result = self.search.mover_wins(positions, heap, mover);
        result.map_err(|halt| match halt {
            Halt::Position(error) => error.into(),
            Halt::Stopped(reason) => EngineError::Stopped(reason),
            Halt::Options => unreachable!("the options of this search are not limited"),
            Halt::Memory => EngineError::OutcomeMemory {
                position: positions
                    .iter()
                    .map(R::Position::to_string)
                    .collect::<Vec<_>>()
                    .join(" + "),
                heap,
                positions: self.positions(),
                memory: self.memory,
            },
        })
    }
}

/// Limited searches that try to prove that a position has the value 0, for the value engine.
pub(super) struct LimitedSearch<'r, R> {
    search: ProofSearch<'r, R>,
}

impl<'r, R: Ruleset> LimitedSearch<'r, R> {
    /// Returns a search that generates at most about `options_max` options.
    pub(super) fn new(ruleset: &'r R, play: Play, options_max: usize) -> LimitedSearch<'r, R> {
        let limits = SearchLimits {
            bytes_max: usize::MAX,
            options_max,
            control: None,
            splits: false,
        };
        LimitedSearch {
            search: ProofSearch::new(ruleset, play.into(), limits),
        }
    }

    /// Returns whether the position is a P-position, whose value is 0, or `None` if the search gave
    /// up.
    ///
    /// An option that is too large also yields `None`.
    pub(super) fn is_previous_win(&mut self, position: &R::Position) -> Option<bool> {
        let movers = match self.search.play() {
            Play::Partisan => &Player::BOTH[..],
            Play::Impartial => &Player::BOTH[..1],
        };
        for &mover in movers {
            if self
                .search
                .mover_wins(slice::from_ref(position), 0, mover)
                .ok()?
            {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the number of options left before the search gives up.
    pub(super) fn options_left(&self) -> usize {
        self.search.options_left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::ReferenceEngine;
    use crate::{CanonicalForms, Engine, NimValues, NothingKnown, Valuation, Word};
    use cggames::board::row::{Pot, Row};
    use cggames::game::{AtomicWari, Game, Sowing};

    /// All rows of `pots` pots with at most three seeds in each.
    fn rows(pots: u32) -> impl Iterator<Item = Row> {
        (0..4u32.pow(pots)).map(move |code| Row {
            pots: (0..pots).map(|i| Pot::Seeds(code >> (2 * i) & 3)).collect(),
            ..Row::default()
        })
    }

    /// Random rows of `pots` pots with up to `seeds_max` seeds, from a fixed seed.
    fn random_rows(pots: usize, seeds_max: u32, count: usize) -> impl Iterator<Item = Row> {
        let mut random = fastrand::Rng::with_seed(0x5eed);
        let mut pot = move |_| Pot::Seeds(random.u32(..=seeds_max));
        (0..count).map(move |_| Row {
            pots: (0..pots).map(&mut pot).collect(),
            ..Row::default()
        })
    }

    /// The words of the first four nimbers in a valuation.
    fn nimbers<V: Valuation>(valuation: &V) -> [Word; 4] {
        let mut nimbers: Vec<Word> = Vec::new();
        for _ in 0..4 {
            let right = match valuation.play() {
                Play::Partisan => &nimbers[..],
                Play::Impartial => &[],
            };
            let next = V::combine(&mut valuation.worker(), &nimbers, right).unwrap();
            nimbers.push(next);
        }
        nimbers.try_into().unwrap()
    }

    /// Compares nimbers with those of the value engine, and returns the number of occurrences of
    /// each.
    fn nimbers_agree<R: Ruleset<Board = Row>, V: Valuation + Default>(
        ruleset: R,
        rows: impl Iterator<Item = Row>,
    ) -> [u32; 5] {
        let engine = Engine::new(ruleset.clone(), V::default());
        let mut search = engine.search(&NothingKnown);
        let nimbers = nimbers(&engine.valuation);
        let play = engine.valuation.play();
        let control = Control::default();
        let mut together = OutcomeSearch::new(&ruleset, play, ByteSize::gib(1), &control);
        let mut counts = [0; 5];
        for row in rows {
            let position = ruleset.position(&row).unwrap();
            let value = search.evaluate(&position).unwrap();
            let expected = (0..).zip(nimbers).find(|&(_, nimber)| nimber == value);
            let expected = expected.map(|(k, _)| k);
            assert_eq!(together.nimber(&position, 3).unwrap(), expected, "{row}");
            let mut alone = OutcomeSearch::new(&ruleset, play, ByteSize::gib(1), &control);
            for heap in 0..4 {
                let equal = alone.previous_wins(&position, heap).unwrap();
                assert_eq!(equal, Some(heap) == expected, "{row} and *{heap}");
            }
            counts[expected.map_or(4, usize::from)] += 1;
            // A limited search that gives up says so, and is never wrong.
            for options_max in [0, 1, 20, 100, usize::MAX] {
                let found =
                    LimitedSearch::new(&ruleset, play, options_max).is_previous_win(&position);
                assert!(
                    found.is_none_or(|found| found == (expected == Some(0))),
                    "{row}"
                );
                assert!(options_max < usize::MAX || found.is_some());
            }
        }
        counts
    }

    #[test]
    fn nimbers_are_those_of_the_values_on_all_small_rows() {
        for counts in [
            nimbers_agree::<_, CanonicalForms>(Sowing, rows(5)),
            nimbers_agree::<_, NimValues>(Sowing, rows(5)),
            nimbers_agree::<_, CanonicalForms>(AtomicWari::on(None), rows(5)),
            nimbers_agree::<_, NimValues>(AtomicWari::on(None), rows(5)),
            nimbers_agree::<_, CanonicalForms>(AtomicWari::on(Some(5)), rows(5)),
        ] {
            assert!(counts[..3].iter().all(|&count| count > 0), "{counts:?}");
        }
    }

    #[test]
    fn nimbers_are_those_of_the_values_on_larger_rows() {
        for (pots, seeds_max) in [(7, 2), (6, 4), (9, 1)] {
            let rows = || random_rows(pots, seeds_max, 60);
            nimbers_agree::<_, CanonicalForms>(Sowing, rows());
            nimbers_agree::<_, NimValues>(Sowing, rows());
        }
        for (pots, seeds_max) in [(5, 3), (6, 2)] {
            let rows = || random_rows(pots, seeds_max, 40);
            nimbers_agree::<_, CanonicalForms>(AtomicWari::on(None), rows());
            nimbers_agree::<_, NimValues>(AtomicWari::on(None), rows());
        }
        let endless = |row: Row| Row {
            endless_left: true,
            endless_right: row.pots[0] != Pot::Seeds(1),
            ..row
        };
        nimbers_agree::<_, CanonicalForms>(Sowing, random_rows(6, 3, 60).map(endless));
    }

    #[test]
    fn outcome_classes_are_those_of_literal_play() {
        fn agrees<R: Ruleset<Board = Row>>(ruleset: R, game: Game, pots: u32) {
            let mut reference = ReferenceEngine::new(game);
            let control = Control::default();
            for play in Play::ALL {
                let mut search = OutcomeSearch::new(&ruleset, play, ByteSize::gib(1), &control);
                let mut seen = std::collections::HashSet::new();
                for row in (0..=pots).flat_map(rows) {
                    let expected = reference.outcome(&row, play).unwrap();
                    let position = ruleset.position(&row).unwrap();
                    assert_eq!(search.outcome(&position).unwrap(), expected, "{row}");
                    seen.insert(expected);
                }
                assert_eq!(seen.len(), if play == Play::Partisan { 4 } else { 2 });
            }
        }
        agrees(Sowing, Game::SOWING, 5);
        agrees(AtomicWari::on(None), Game::ATOMIC_WARI, 5);
        agrees(
            AtomicWari::on(Some(4)),
            Game::ATOMIC_WARI.on_board(4).unwrap(),
            4,
        );
    }

    /// The search visits few positions; this guards against a change that makes it exhaustive.
    #[test]
    fn ones_are_settled_with_few_positions() {
        let control = Control::default();
        for (n, nimber, positions_max) in
            [(7, 2, 400), (9, 0, 700), (10, 0, 3000), (13, 1, 130_000)]
        {
            let position = Sowing.position(&"1".repeat(n).parse().unwrap()).unwrap();
            let mut search =
                OutcomeSearch::new(&Sowing, Play::Partisan, ByteSize::gib(1), &control);
            assert!(search.previous_wins(&position, nimber).unwrap());
            assert!(
                search.positions() <= positions_max,
                "{}",
                search.positions()
            );
        }
    }

    #[test]
    fn a_long_position_with_one_good_reply_is_settled_at_once() {
        let text = format!("{}03{}", "10".repeat(12), "01".repeat(12));
        let position = Sowing.position(&text.parse().unwrap()).unwrap();
        let mut tries = LimitedSearch::new(&Sowing, Play::Partisan, 500);
        assert_eq!(tries.is_previous_win(&position), Some(true));
    }

    #[test]
    fn a_search_out_of_memory_says_what_it_was_at() {
        let control = Control::default();
        let position = Sowing.position(&"1".repeat(13).parse().unwrap()).unwrap();
        let memory = ByteSize::kib(256);
        let mut search = OutcomeSearch::new(&Sowing, Play::Partisan, memory, &control);
        let small = Sowing.position(&"1111111".parse().unwrap()).unwrap();
        assert_eq!(search.nimber(&small, 2).unwrap(), Some(2));
        let error = search.nimber(&position, 2).unwrap_err().to_string();
        assert!(
            error.starts_with("the search for the winner of 1111111111111 + *"),
            "{error}"
        );
        assert!(
            error.contains("fills its memory budget of 256.0 KiB with"),
            "{error}"
        );
        // Its table is still valid.
        assert_eq!(search.nimber(&small, 2).unwrap(), Some(2));
    }

    #[test]
    fn a_search_stops_when_told_to() {
        let control = Control::default();
        control.stop(crate::StopReason::Interrupted);
        let position = Sowing.position(&"1".repeat(12).parse().unwrap()).unwrap();
        let mut search = OutcomeSearch::new(&Sowing, Play::Partisan, ByteSize::gib(1), &control);
        let error = search.outcome(&position).unwrap_err();
        assert!(matches!(error, EngineError::Stopped(_)), "{error}");
        assert_eq!(control.evaluated(), 256);
    }
}
