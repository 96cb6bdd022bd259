//! The one place where a heap game and a kind of sum become an engine.

use std::fmt;
use std::ops::Range;

use cggames::game::heap::HeapGame;
use cggames::game::{Convention, SumKind};
use cgsolvers::StopReason;
use cgsolvers::nim_values::{Certificate, FoundValues, HeapNimValues, NimValueError, Trust};
use cgsolvers::obligated::{HeapValues as ObligatedHeaps, ObligatedValue};
use cgsolvers::quotient::{QuotientEnd, QuotientLimits, QuotientSolver};
use cgvalues::Nimber;

use crate::run::RunError;

/// The fewest heaps whose nim-values are computed between two checks whether to stop.
///
/// Unit: heaps. The data made for a block are rebuilt when they grow. Blocks therefore grow with
/// the number of known values, so that the cost of this stays a fraction of the rest.
const BLOCK_MIN: usize = 1 << 12;

/// The most heaps computed at a time, about a second's work.
const BLOCK_MAX: usize = 1 << 20;

/// The heaps whose obligated values are computed between two such checks. Nothing is rebuilt there.
///
/// Unit: heaps. From ten million heaps on, these take a tenth of a second.
const BLOCK_OBLIGATED: usize = 1 << 12;

/// The heaps between two such checks where a heap may be split in three. Nothing is rebuilt there
/// either, and each value takes up to milliseconds.
const BLOCK_TRIPLE: usize = 1 << 6;

/// The ratio of known values to the values of a block.
const BLOCK_PART: usize = 8;

/// The memory of engines for nim-values beside the values.
///
/// Unit: bytes. A run of 10^8 heaps of 0.37 takes 41 MiB beside the values, with its writer.
const NIM_ROWS_BYTES: u64 = 1 << 26;

/// The value of a heap, or of a sum.
///
/// ```
/// use seedbank::engine::obligated::ObligatedValue;
/// use seedbank::task::heaps::HeapValue;
///
/// assert_eq!(HeapValue::Nim(3).to_string(), "*3");
/// assert_eq!(HeapValue::Obligated(ObligatedValue::V10).to_string(), "10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeapValue {
    /// The nim-value, if heaps are added disjunctively.
    Nim(u32),
    /// The same, and whether the player to move wins misère play, where that is wanted and known.
    NimAndMisere(u32, bool),
    /// The winners under normal and misère play, if heaps are added obligatedly.
    Obligated(ObligatedValue),
}

impl HeapValue {
    /// Returns the nim-value, if it is one.
    pub fn nim_value(self) -> Option<u32> {
        match self {
            HeapValue::Nim(value) | HeapValue::NimAndMisere(value, _) => Some(value),
            HeapValue::Obligated(_) => None,
        }
    }

    /// Returns the value with what is known of misère play, which obligated values have already.
    pub(super) fn with_misere(self, is_n: Option<bool>) -> HeapValue {
        match (self, is_n) {
            (HeapValue::Nim(value), Some(is_n)) => HeapValue::NimAndMisere(value, is_n),
            _ => self,
        }
    }

    /// Returns whether the player to move wins the heap alone; `None` if that is unknown.
    pub fn is_n(self, convention: Convention) -> Option<bool> {
        match (self, convention) {
            (HeapValue::Nim(value) | HeapValue::NimAndMisere(value, _), Convention::Normal) => {
                Some(value != 0)
            }
            (HeapValue::Nim(_), Convention::Misere) => None,
            (HeapValue::NimAndMisere(_, is_n), Convention::Misere) => Some(is_n),
            (HeapValue::Obligated(value), convention) => Some(value.is_n(convention)),
        }
    }

    /// Returns a number for each value, which differs by at most 2 where only misère play does: three times the nim-value, or
    /// three times the two digits read in base 2.
    pub(super) fn index(self) -> usize {
        match self {
            HeapValue::Nim(value) => 3 * value as usize,
            HeapValue::NimAndMisere(value, is_n) => 3 * value as usize + 1 + usize::from(is_n),
            HeapValue::Obligated(value) => 3 * value.index(),
        }
    }
}

impl fmt::Display for HeapValue {
    /// Writes a nim-value as the nimber (`0`, `*`, `*2`), and an obligated value as two digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeapValue::Nim(value) | HeapValue::NimAndMisere(value, _) => Nimber(*value).fmt(f),
            HeapValue::Obligated(value) => write!(f, "{value}"),
        }
    }
}

/// A proved period of the values of all heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The number of heaps before the period, from 0.
    pub preperiod: u64,
    /// Its length, in heaps.
    pub period: u64,
    /// The increase of the values from one period to the next.
    pub saltus: u64,
    /// The bound of the proof: if the values of the heaps below this repeat, all do.
    pub bound: u64,
    /// The values of the heaps below this were compared.
    pub checked_to: u64,
}

impl From<Certificate> for Period {
    fn from(found: Certificate) -> Period {
        Period {
            preperiod: found.preperiod as u64,
            period: found.period as u64,
            saltus: 0,
            bound: found.bound as u64,
            checked_to: found.checked_to as u64,
        }
    }
}

impl fmt::Display for Period {
    /// Writes the period and why it is proved.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Period {
            preperiod,
            period,
            saltus,
            bound,
            checked_to,
        } = self;
        write!(f, "preperiod {preperiod}, period {period}")?;
        if *saltus > 0 {
            write!(f, ", saltus {saltus}")?;
        }
        write!(
            f,
            ": proved, since it holds for the heaps from {preperiod} to below {bound} (compared to below {checked_to})"
        )
    }
}

/// The values of a game's heaps, computed from heap 0 on.
///
/// Once these values prove a period, the period gives the values of larger heaps at no cost.
pub(super) struct GameValues {
    engine: Engine,
    /// Who wins misère play, where that is wanted.
    misere: Option<Box<QuotientSolver>>,
    /// The number of heaps whose values are known, from the engine or by the period.
    len: usize,
    /// The period, as soon as it is proved.
    period: Option<Period>,
    /// The number of values at which to look for a period again.
    next_look: usize,
}

enum Engine {
    Nim(Box<HeapNimValues>),
    Obligated(Box<ObligatedHeaps>),
}

/// The number of values at which to look for a period first, and again each time it doubles.
const FIRST_LOOK: usize = 256;

/// The number of heaps whose obligated values take as long for the pairs of heaps in their splits as
/// for all else.
///
/// Measured with 0.13151: 0.3 s for half a million heaps, 1.7 s for three times as many, and 75 s for
/// ten million.
const HEAPS_OF_PAIRS: u64 = 1 << 19;

impl GameValues {
    /// Prepares the values of a game; none is computed yet.
    pub(super) fn new(game: &HeapGame, sum: SumKind) -> GameValues {
        GameValues::with_known(game, sum, Vec::new(), |_| Vec::new())
    }

    /// Prepares the values of a game from those in rows, given as nim-values or as two digits read in base 2 from
    /// heap 0 on, and from the values [found](Self::found) before: `kept` returns these from a heap
    /// on. Values that the engine cannot use are computed again.
    ///
    /// # Panics
    ///
    /// If a number belongs to no value.
    pub(super) fn with_known(
        game: &HeapGame,
        sum: SumKind,
        in_rows: Vec<u16>,
        kept: impl FnOnce(usize) -> Vec<FoundValues>,
    ) -> GameValues {
        let (engine, len) = match sum {
            SumKind::Disjunctive => {
                // If a heap may be split in three, the engine needs more than the values.
                let in_rows = match game.splits_max() {
                    3 => Vec::new(),
                    _ => in_rows,
                };
                let kept = kept(in_rows.len());
                let in_rows = (!in_rows.is_empty()).then_some(FoundValues {
                    values: in_rows,
                    beside: Vec::new(),
                });
                let known = in_rows.into_iter().chain(kept);
                let engine = HeapNimValues::with_known(game.clone(), known);
                let len = engine.values().len();
                (Engine::Nim(Box::new(engine)), len)
            }
            SumKind::Obligated => {
                let kept = kept(0).into_iter().map(|found| found.beside);
                let mut engine = ObligatedHeaps::with_found(game, kept);
                if engine.len() < in_rows.len() {
                    let value = |&index: &u16| ObligatedValue::ALL[usize::from(index)];
                    engine = ObligatedHeaps::with_known(game, in_rows.iter().map(value));
                }
                let len = engine.len();
                (Engine::Obligated(Box::new(engine)), len)
            }
        };
        GameValues {
            engine,
            misere: None,
            // Without known values an engine may have that of heap 0, which is computed like all
            // others.
            len: if len > 1 { len } else { 0 },
            period: None,
            next_look: FIRST_LOOK,
        }
    }

    /// Adds who wins if the game ends so, by its misère quotient, to the values from heap 0 on.
    pub(super) fn ending(mut self, game: &HeapGame, ending: Convention) -> GameValues {
        if ending == Convention::Misere {
            let solver = QuotientSolver::new(game, QuotientLimits::default());
            self.misere = Some(Box::new(solver));
            self.len = 0;
        }
        self
    }

    /// Returns the work of the values of some heaps, for the time left. Its unit depends on the game and the sum.
    pub(super) fn work(game: &HeapGame, sum: SumKind, heaps: Range<usize>) -> u64 {
        let to = |heaps: u64| match sum {
            // Each value costs a pass over all pairs of smaller heaps.
            SumKind::Disjunctive if game.splits_max() == 3 => heaps.saturating_pow(3),
            SumKind::Disjunctive => heaps,
            SumKind::Obligated => heaps + heaps * heaps / HEAPS_OF_PAIRS,
        };
        to(heaps.end as u64).saturating_sub(to(heaps.start as u64))
    }

    /// Returns an upper bound on the bytes of the values of this number of heaps. Where a heap may be
    /// split in three it is none: sums of pairs may take more.
    pub(super) fn bytes(game: &HeapGame, sum: SumKind, ending: Convention, heaps: u64) -> u64 {
        let (each, fixed) = match sum {
            SumKind::Disjunctive if game.splits_max() == 3 => (6, 0),
            // The system moves the pages of a large vector when it grows, so that the old elements
            // and the new ones never take space at the same time. Rows of bits reach back a fixed
            // number of heaps.
            SumKind::Disjunctive => (2, heaps.saturating_mul(4).min(NIM_ROWS_BYTES)),
            // Two bytes each, and two more while values known from before are entered.
            SumKind::Obligated => (4, 0),
        };
        let of_quotient = match ending {
            Convention::Normal => 0,
            Convention::Misere => QuotientLimits::default().bytes(),
        };
        heaps.saturating_mul(each) + fixed + of_quotient + (1 << 16)
    }

    /// Computes the values of the heaps below `heaps`, in blocks, and passes on each finished
    /// block.
    ///
    /// `each_block` must fail if `stop` returns true: a block may then be shorter, or empty.
    ///
    /// # Errors
    ///
    /// If `each_block` fails, or a value is too large to be represented.
    pub(super) fn extend(
        &mut self,
        heaps: usize,
        stop: &dyn Fn() -> bool,
        mut each_block: impl FnMut(&GameValues) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        while self.len < heaps {
            self.extend_block(heaps, stop)?;
            each_block(self)?;
        }
        Ok(())
    }

    /// Computes values until those of the heaps below `heaps` are known, or prove a period, which
    /// gives the values of all heaps. Calls `counted` with the heaps of each block.
    ///
    /// # Errors
    ///
    /// If `stop` returns true, or a value is too large to be represented.
    pub(super) fn reach(
        &mut self,
        heaps: usize,
        stop: &dyn Fn() -> bool,
        counted: &dyn Fn(Range<usize>),
    ) -> Result<(), RunError> {
        while self.len < heaps && self.period.is_none() {
            let before = self.len;
            self.extend_block(heaps, stop)?;
            counted(before..self.len);
            if stop() {
                return Err(StopReason::Interrupted.into());
            }
        }
        match self.decide(heaps, stop) {
            true => Ok(()),
            false => Err(StopReason::Interrupted.into()),
        }
    }

    /// Finds who wins misère play of the heaps below `heaps`, where that is wanted, as far as the limits of quotients allow.
    /// Returns false if `stop` returned true before that; one heap more is decided in any case.
    fn decide(&mut self, heaps: usize, stop: &dyn Fn() -> bool) -> bool {
        let Some(solver) = &mut self.misere else {
            return true;
        };
        while solver.end().is_none() && solver.period().is_none() && solver.heaps() < heaps {
            solver.extend(solver.heaps() + 1);
            if stop() {
                return solver.heaps() >= heaps;
            }
        }
        true
    }

    /// Computes the next block of values of the heaps below `heaps`.
    fn extend_block(&mut self, heaps: usize, stop: &dyn Fn() -> bool) -> Result<(), NimValueError> {
        let block = match (&self.engine, self.period) {
            (_, Some(_)) => BLOCK_MAX,
            (Engine::Nim(values), None) if values.game().splits_max() == 3 => BLOCK_TRIPLE,
            (Engine::Nim(_), None) => (self.len / BLOCK_PART).clamp(BLOCK_MIN, BLOCK_MAX),
            (Engine::Obligated(_), None) => BLOCK_OBLIGATED,
        };
        let mut end = heaps.min(self.len + block);
        if !self.decide(end, stop) {
            let decided = self.misere.as_ref().map_or(end, |solver| solver.heaps());
            end = end.min(decided).max(self.len);
        }
        if self.period.is_none() {
            if self.len < self.next_look {
                end = end.min(self.next_look);
            }
            end = self.engine.extend(end, stop)?.min(end);
            if end >= self.next_look {
                self.period = self.engine.period();
                self.next_look = 2 * end;
            }
        }
        self.len = end;
        Ok(())
    }

    /// Returns whether the value of a heap is known.
    pub(super) fn knows(&self, n: usize) -> bool {
        n < self.len || self.period.is_some()
    }

    /// Returns the end of the heaps with values of their own: larger heaps have the values of these
    /// by the period, if one has been proved, and are unknown otherwise.
    pub(super) fn own(&self) -> usize {
        match self.period {
            Some(found) => (found.preperiod + found.period) as usize,
            None => self.len,
        }
    }

    /// Returns whether a proved period gives all heaps values of those before this one.
    pub(super) fn have_all_occurred(&self, heap: usize) -> bool {
        self.period.is_some() && heap >= self.own()
    }

    /// Returns the number of heaps whose values are known.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the value of a heap below [`GameValues::len`], or of any heap once a period is proved.
    pub(super) fn value(&self, n: usize) -> HeapValue {
        let same = self.period.map_or(n as u64, |found| {
            let beyond = (n as u64).saturating_sub(found.preperiod);
            n as u64 - beyond / found.period * found.period
        });
        let value = self.engine.value(same as usize);
        match &self.misere {
            Some(solver) => value.with_misere(solver.is_n(&[n])),
            None => value,
        }
    }

    /// Returns the heap from which on checkpoints hold values; rows have those before heap
    /// `rows_end`.
    pub(super) fn checkpoint_from(&self, rows_end: usize) -> usize {
        match &self.engine {
            Engine::Nim(values) if values.game().splits_max() < 3 => rows_end,
            _ => 0,
        }
    }

    /// Returns the heap before which checkpoints can hold values.
    pub(super) fn checkpoint_to(&self) -> usize {
        match &self.engine {
            Engine::Nim(values) => values.values().len(),
            Engine::Obligated(values) => values.len() / 64 * 64,
        }
    }

    /// Returns the values found for these heaps. The range begins and ends at a multiple of 64, or
    /// where a range may [begin](Self::checkpoint_from) or must [end](Self::checkpoint_to).
    pub(super) fn found(&self, heaps: Range<usize>) -> FoundValues {
        match &self.engine {
            Engine::Nim(values) => values.found(heaps),
            Engine::Obligated(values) => FoundValues {
                values: Vec::new(),
                beside: values.found(heaps),
            },
        }
    }

    /// Returns the period that the values prove, if they do; where misère play is wanted, that of its outcomes.
    pub(super) fn period(&self) -> Option<Period> {
        match &self.misere {
            Some(solver) => solver.period().map(Period::from),
            None => self.period.or_else(|| self.engine.period()),
        }
    }

    /// Returns the limit at which the search for who wins misère play ended, and the first heap of which that is unknown.
    pub(super) fn misere_end(&self) -> Option<(QuotientEnd, usize)> {
        let solver = self.misere.as_ref()?;
        Some((solver.end()?, solver.heaps()))
    }
}

impl Engine {
    /// Computes values until `heaps` are known or `stop` returns true; returns the number known.
    fn extend(&mut self, heaps: usize, stop: &dyn Fn() -> bool) -> Result<usize, NimValueError> {
        match self {
            Engine::Nim(values) => {
                values.extend(heaps, Trust::Verified, stop)?;
                Ok(values.values().len())
            }
            Engine::Obligated(values) => {
                values.extend(heaps);
                Ok(heaps)
            }
        }
    }

    fn value(&self, n: usize) -> HeapValue {
        match self {
            Engine::Nim(values) => HeapValue::Nim(u32::from(values.values()[n])),
            Engine::Obligated(values) => HeapValue::Obligated(values.value(n)),
        }
    }

    fn period(&self) -> Option<Period> {
        let found = match self {
            Engine::Nim(values) => values.certificate()?,
            Engine::Obligated(values) => values.certificate()?,
        };
        Some(found.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::codes::{SURVEY_HEAP_MAX, SURVEY_HEAP_MIN};
    use crate::task::heaps::heap_max;
    use cgsolvers::nim_values::HEAPS_MAX;
    use cgsolvers::obligated::OBLIGATED_HEAPS_MAX;
    use cgsolvers::obligated::survey::SurveySpec;

    #[test]
    fn what_specs_accept_engines_hold() {
        assert_eq!(heap_max(SumKind::Disjunctive) + 1, HEAPS_MAX as u64);
        assert_eq!(heap_max(SumKind::Obligated) + 1, OBLIGATED_HEAPS_MAX as u64);
        for heap in [SURVEY_HEAP_MIN, SURVEY_HEAP_MAX] {
            let spec = SurveySpec::new(1, 7, heap as usize + 1);
            assert!(spec.is_ok() && heap < heap_max(SumKind::Disjunctive));
        }
    }
}
