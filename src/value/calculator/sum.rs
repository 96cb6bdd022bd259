//! Sums of values.

use hashbrown::HashMap;

use super::Calculator;
use crate::value::{ArenaError, ValueId};

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
        self.sum_memoised(g, h, &mut HashMap::default())
    }

    fn sum_memoised(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut HashMap<(ValueId, ValueId), ValueId, foldhash::fast::RandomState>,
    ) -> Result<ValueId, ArenaError> {
        if g == ValueId::ZERO {
            return Ok(h);
        }
        if h == ValueId::ZERO {
            return Ok(g);
        }
        if g == h.negative() {
            return Ok(ValueId::ZERO);
        }
        let (g, h) = if g <= h { (g, h) } else { (h, g) };
        let numbers = (self.arena.number(g), self.arena.number(h));
        if let (Some(x), Some(y)) = numbers {
            return self.number(x + y);
        }
        if let Some(&sum) = memo.get(&(g, h)) {
            return Ok(sum);
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        let (form_g, form_h) = (self.arena.form(g), self.arena.form(h));
        // Number translation: in the sum with a number only the other summand is moved in.
        if numbers.0.is_none() {
            for option in form_g.left() {
                left.push(self.sum_memoised(option, h, memo)?);
            }
            for option in form_g.right() {
                right.push(self.sum_memoised(option, h, memo)?);
            }
        }
        if numbers.1.is_none() {
            for option in form_h.left() {
                left.push(self.sum_memoised(g, option, memo)?);
            }
            for option in form_h.right() {
                right.push(self.sum_memoised(g, option, memo)?);
            }
        }
        let sum = self.canonical(&mut left, &mut right)?;
        memo.insert((g, h), sum);
        Ok(sum)
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
