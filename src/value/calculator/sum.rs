//! Sums of values.

use hashbrown::HashMap;

use super::Calculator;
use crate::value::{ArenaError, ValueId};

/// The sums found on the way to one.
type SumMemo = HashMap<(ValueId, ValueId), ValueId, foldhash::fast::RandomState>;

/// How many pairs of followers are added between two questions whether the sum is still wanted: some milliseconds' work.
const PAIRS_A_LOOK: usize = 1024;

impl Calculator<'_> {
    /// Returns the sum of two values.
    ///
    /// Costs one simplification for each pair of followers that the sum reaches; a memo of these
    /// lives for the call.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the sum.
    pub fn sum(&mut self, g: ValueId, h: ValueId) -> Result<ValueId, ArenaError> {
        let sum = self.sum_while(g, h, &mut || true)?;
        Ok(sum.expect("a sum that nobody stops is found"))
    }

    /// Returns the sum of two values, or `None` where it is not wanted any more.
    ///
    /// Asks whether it is `wanted` after each [`PAIRS_A_LOOK`] pairs of followers.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the sum.
    pub fn sum_while(
        &mut self,
        g: ValueId,
        h: ValueId,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ValueId>, ArenaError> {
        self.sum_memoised(g, h, &mut HashMap::default(), wanted)
    }

    fn sum_memoised(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut SumMemo,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ValueId>, ArenaError> {
        if g == ValueId::ZERO {
            return Ok(Some(h));
        }
        if h == ValueId::ZERO {
            return Ok(Some(g));
        }
        if g == h.negative() {
            return Ok(Some(ValueId::ZERO));
        }
        let (g, h) = if g <= h { (g, h) } else { (h, g) };
        let numbers = (self.arena.number(g), self.arena.number(h));
        if let (Some(x), Some(y)) = numbers {
            return self.number(x + y).map(Some);
        }
        if let Some(&sum) = memo.get(&(g, h)) {
            return Ok(Some(sum));
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        let (form_g, form_h) = (self.arena.form(g), self.arena.form(h));
        // Number translation: in the sum with a number only the other summand is moved in.
        if numbers.0.is_none() {
            for option in form_g.left() {
                let Some(sum) = self.sum_memoised(option, h, memo, wanted)? else {
                    return Ok(None);
                };
                left.push(sum);
            }
            for option in form_g.right() {
                let Some(sum) = self.sum_memoised(option, h, memo, wanted)? else {
                    return Ok(None);
                };
                right.push(sum);
            }
        }
        if numbers.1.is_none() {
            for option in form_h.left() {
                let Some(sum) = self.sum_memoised(g, option, memo, wanted)? else {
                    return Ok(None);
                };
                left.push(sum);
            }
            for option in form_h.right() {
                let Some(sum) = self.sum_memoised(g, option, memo, wanted)? else {
                    return Ok(None);
                };
                right.push(sum);
            }
        }
        let sum = self.canonical(&mut left, &mut right)?;
        memo.insert((g, h), sum);
        if memo.len().is_multiple_of(PAIRS_A_LOOK) && !wanted() {
            return Ok(None);
        }
        Ok(Some(sum))
    }

    /// Returns the difference `g - h`.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it.
    pub fn difference(&mut self, g: ValueId, h: ValueId) -> Result<ValueId, ArenaError> {
        self.sum(g, h.negative())
    }
}
