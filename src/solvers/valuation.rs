//! Valuations: canonical forms, nim-values and misère nim-values.

use std::num::NonZeroU32;
use std::sync::Arc;

use cggames::game::{Convention, Manner, Play};
use cgvalues::{Arena, ArenaError, Calculator, OutcomeClass, ValueId};

/// A value in the memo: a [`ValueId`] or a nim-value, as a nonzero word.
pub type Word = NonZeroU32;

/// The mark of a position without a value: one of its followers lies on a cycle.
///
/// No valuation uses this word for a value: each form takes several words of the arena, so the last
/// word is no id, and a nim-value of 2^32 - 2 would take 2^32 - 2 options.
pub const LOOPY: Word = Word::MAX;

/// A rule for valuing positions from the values of their options.
pub trait Valuation: Send + Sync {
    /// One worker's scratch memory.
    type Worker<'a>: Send
    where
        Self: 'a;

    /// Whether the value of a sum follows from those of its summands. If not, positions are valued
    /// as they stand, without [splitting](cggames::game::Ruleset::components) them.
    const ADDS: bool = true;

    /// Returns how the game is played.
    fn manner(&self) -> Manner;

    /// Returns the way of playing.
    fn play(&self) -> Play {
        self.manner().play
    }

    /// Returns a worker's scratch memory.
    fn worker(&self) -> Self::Worker<'_>;

    /// Returns the value of the position with these options. In impartial play all options are in
    /// `left`.
    ///
    /// # Errors
    ///
    /// When the value cannot be stored.
    fn combine(
        worker: &mut Self::Worker<'_>,
        left: &[Word],
        right: &[Word],
    ) -> Result<Word, ArenaError>;

    /// Limits the steps of the next [`combine`](Valuation::combine), as
    /// [`Calculator::limit_steps`]. The default is for values that are found in no time.
    fn limit_steps(_worker: &mut Self::Worker<'_>, _steps: u64) {}

    /// Returns the value of the sum of two positions with these values, or `None` once `wanted`,
    /// which is called from time to time, returns false. The default is for values that do [not
    /// add](Valuation::ADDS).
    ///
    /// # Errors
    ///
    /// When the value cannot be stored.
    fn sum(
        _worker: &mut Self::Worker<'_>,
        _g: Word,
        _h: Word,
        _wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Word>, ArenaError> {
        Ok(None)
    }

    /// Returns the value of the negative of a position.
    fn negative(value: Word) -> Word;

    /// Returns the bytes of what words refer to.
    fn bytes(&self) -> u64;
}

/// A valuation whose values stand for canonical forms.
pub trait Formed: Valuation {
    /// Returns the arena of the values' canonical forms.
    fn arena(&self) -> &Arena;

    /// Returns the canonical form of a value, in the calculator's arena, which is this valuation's.
    /// In misère play, that is a form that stands for it: normal play of the form ends as misère play
    /// of the position does, and the nimber of a misère nim-value is that of the same number.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it.
    fn form(calculator: &mut Calculator<'_>, value: Word) -> Result<ValueId, ArenaError>;

    /// Returns who wins a value. The calculator is one of this valuation's arena.
    fn outcome(calculator: &mut Calculator<'_>, value: Word) -> OutcomeClass;
}

/// [`Formed::form`] of some valuation.
pub type FormOf = fn(&mut Calculator<'_>, Word) -> Result<ValueId, ArenaError>;

/// Canonical forms, for partisan play.
#[derive(Default)]
pub struct CanonicalForms {
    /// The arena of the forms; others may use it, too.
    pub arena: Arc<Arena>,
}

/// One worker's calculator and lists of options.
pub struct CanonicalWorker<'a> {
    /// The worker's view of the arena.
    pub calculator: Calculator<'a>,
    left: Vec<ValueId>,
    right: Vec<ValueId>,
}

impl CanonicalWorker<'_> {
    /// Stores Left's options, given as raw words; returns false if one of them is zero.
    #[inline]
    pub(super) fn fill_left(&mut self, words: impl Iterator<Item = u32>) -> bool {
        fill(&mut self.left, words)
    }

    /// Stores Right's options likewise.
    #[inline]
    pub(super) fn fill_right(&mut self, words: impl Iterator<Item = u32>) -> bool {
        fill(&mut self.right, words)
    }

    /// Returns the value of the game with the stored options.
    pub(super) fn canonical(&mut self) -> Result<Word, ArenaError> {
        self.calculator
            .canonical(&mut self.left, &mut self.right)
            .map(CanonicalForms::word)
    }
}

#[inline]
fn fill(values: &mut Vec<ValueId>, words: impl Iterator<Item = u32>) -> bool {
    values.clear();
    values.extend(words.map(ValueId::from_raw));
    !values.iter().any(|value| value.to_raw() == 0)
}

impl CanonicalForms {
    /// Returns the word of a value.
    pub fn word(value: ValueId) -> Word {
        Word::new(value.to_raw()).expect("no value has the id zero")
    }

    /// Returns the value of a word of this valuation.
    pub fn value(word: Word) -> ValueId {
        ValueId::from_raw(word.get())
    }
}

impl Valuation for CanonicalForms {
    type Worker<'a> = CanonicalWorker<'a>;

    fn manner(&self) -> Manner {
        Play::Partisan.into()
    }

    fn worker(&self) -> CanonicalWorker<'_> {
        CanonicalWorker {
            calculator: self.arena.calculator(),
            left: vec![],
            right: vec![],
        }
    }

    fn combine(
        worker: &mut CanonicalWorker<'_>,
        left: &[Word],
        right: &[Word],
    ) -> Result<Word, ArenaError> {
        let CanonicalWorker {
            calculator,
            left: left_values,
            right: right_values,
        } = worker;
        left_values.clear();
        left_values.extend(left.iter().map(|&word| CanonicalForms::value(word)));
        right_values.clear();
        right_values.extend(right.iter().map(|&word| CanonicalForms::value(word)));
        calculator
            .canonical(left_values, right_values)
            .map(CanonicalForms::word)
    }

    fn limit_steps(worker: &mut CanonicalWorker<'_>, steps: u64) {
        worker.calculator.limit_steps(steps);
    }

    fn sum(
        worker: &mut CanonicalWorker<'_>,
        g: Word,
        h: Word,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Word>, ArenaError> {
        let (g, h) = (CanonicalForms::value(g), CanonicalForms::value(h));
        let sum = worker.calculator.sum_while(g, h, wanted)?;
        Ok(sum.map(CanonicalForms::word))
    }

    fn negative(value: Word) -> Word {
        CanonicalForms::word(CanonicalForms::value(value).negative())
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }
}

impl Formed for CanonicalForms {
    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn form(_: &mut Calculator<'_>, value: Word) -> Result<ValueId, ArenaError> {
        Ok(CanonicalForms::value(value))
    }

    fn outcome(calculator: &mut Calculator<'_>, value: Word) -> OutcomeClass {
        calculator.outcome(CanonicalForms::value(value))
    }
}

/// Nim-values, for impartial play.
pub type NimValues = NimValuesUnder<false>;

/// Misère nim-values, for impartial play under the misère convention: the least number that no option has, but 1 for a
/// position without options. So 0 is a P-position, as in normal play (*Winning Ways*, chapter 13).
pub type MisereNimValues = NimValuesUnder<true>;

/// Nim-values under the normal or the misère convention.
#[derive(Default)]
pub struct NimValuesUnder<const MISERE: bool> {
    /// The arena of the nimbers' forms, for callers that need them.
    arena: Arena,
}

impl<const MISERE: bool> NimValuesUnder<MISERE> {
    /// The nim-value of a position without options.
    pub(super) const OF_END: u32 = MISERE as u32;

    /// Returns the word of a nim-value.
    pub fn word(nim_value: u32) -> Word {
        Word::MIN.saturating_add(nim_value)
    }

    /// Returns the nim-value of a word of this valuation.
    pub fn value(word: Word) -> u32 {
        word.get() - 1
    }
}

impl<const MISERE: bool> Valuation for NimValuesUnder<MISERE> {
    type Worker<'a> = ();

    const ADDS: bool = !MISERE;

    fn manner(&self) -> Manner {
        let convention = if MISERE {
            Convention::Misere
        } else {
            Convention::Normal
        };
        Manner::of(Play::Impartial, convention)
    }

    fn worker(&self) {}

    fn combine(_: &mut (), left: &[Word], right: &[Word]) -> Result<Word, ArenaError> {
        debug_assert!(
            right.is_empty(),
            "in impartial play all options are in one list"
        );
        if left.is_empty() {
            return Ok(Self::word(Self::OF_END));
        }
        Ok(Self::word(mex(left.iter().map(|&word| Self::value(word)))))
    }

    fn sum(
        _: &mut (),
        g: Word,
        h: Word,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Word>, ArenaError> {
        let nim_sum = Self::value(g) ^ Self::value(h);
        Ok((!MISERE).then(|| Self::word(nim_sum)))
    }

    fn negative(value: Word) -> Word {
        value
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }
}

impl<const MISERE: bool> Formed for NimValuesUnder<MISERE> {
    fn arena(&self) -> &Arena {
        &self.arena
    }

    fn form(calculator: &mut Calculator<'_>, value: Word) -> Result<ValueId, ArenaError> {
        calculator.nimber(Self::value(value))
    }

    fn outcome(_: &mut Calculator<'_>, value: Word) -> OutcomeClass {
        match Self::value(value) {
            0 => OutcomeClass::Previous,
            _ => OutcomeClass::Next,
        }
    }
}

/// Returns the least number that is not in the list (Winning Ways, chapter 4).
pub(super) fn mex(values: impl Iterator<Item = u32> + Clone) -> u32 {
    // One bit for each number below 128 covers all realistic positions in one pass.
    let seen = values
        .clone()
        .filter(|&n| n < 128)
        .fold(0u128, |seen, n| seen | 1 << n);
    if seen != u128::MAX {
        return seen.trailing_ones();
    }
    let mut sorted: Vec<u32> = values.collect();
    sorted.sort_unstable();
    sorted.dedup();
    (0..)
        .zip(&sorted)
        .find(|&(n, &value)| n != value)
        .map_or(sorted.len() as u32, |(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mex_is_the_least_number_missing() {
        let mex = |list: &[u32]| mex(list.iter().copied());
        assert_eq!(mex(&[]), 0);
        assert_eq!(mex(&[1, 2]), 0);
        assert_eq!(mex(&[2, 0, 1, 0, 9]), 3);
        let many: Vec<u32> = (0..200).collect();
        assert_eq!(mex(&many), 200);
        assert_eq!(mex(&[&many[..150], &[160, 150, 500]].concat()), 151);
    }
}
