//! Sums of values.

use hashbrown::HashMap;

use super::Calculator;
use crate::value::arena::{Flags, Form};
use crate::value::{ArenaError, NumberUpStar, ValueId};

/// The sums found on the way to one.
type SumMemo = HashMap<(ValueId, ValueId), ValueId, foldhash::fast::RandomState>;

/// How many pairs of followers are added between two questions whether the sum is still wanted: some milliseconds' work.
const PAIRS_A_LOOK: usize = 1024;

impl Calculator<'_> {
    /// Returns the sum of two values.
    ///
    /// Costs one simplification for each pair of followers that the sum reaches; a memo of these
    /// lives for the call. Of numbers, ups and nimbers nothing but the parts is added.
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
    /// Asks whether it is `wanted` after each thousand pairs of followers.
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
        match self.sum_of_parts(g, h)? {
            Some(sum) => Ok(Some(sum)),
            None => self.sum_memoised(g, h, &mut HashMap::default(), wanted),
        }
    }

    /// Returns the sum of two values that are each a number plus ups plus a nimber, or `None` where one is not.
    // PERF: the incentives of *60 took 60 s of simplifications, with as many pairs of nimbers for each option.
    fn sum_of_parts(&mut self, g: ValueId, h: ValueId) -> Result<Option<ValueId>, ArenaError> {
        if g == ValueId::ZERO || h == ValueId::ZERO {
            return Ok(None);
        }
        let Some(g) = self.arena.number_up_star(g) else {
            return Ok(None);
        };
        let Some(h) = self.arena.number_up_star(h) else {
            return Ok(None);
        };
        let sum = NumberUpStar {
            number: g.number + h.number,
            ups: g.ups + h.ups,
            star: g.star ^ h.star,
        };
        self.number_up_star(sum).map(Some)
    }

    /// Sums by the followers of both, those of options first, with a stack of pairs that wait for theirs.
    fn sum_memoised(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut SumMemo,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ValueId>, ArenaError> {
        let mut open = vec![(g, h)];
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut sum, mut added) = (None, 0usize);
        while let Some(&(g, h)) = open.last() {
            sum = self.sum_at_once(g, h, memo)?;
            if sum.is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            left.clear();
            right.clear();
            let mut add = |calculator: &mut Self, list: &mut Vec<ValueId>, g, h| {
                match calculator.sum_at_once(g, h, memo)? {
                    Some(sum) => list.push(sum),
                    None => open.push((g, h)),
                }
                Ok::<(), ArenaError>(())
            };
            let (form_g, form_h) = (self.arena.form(g), self.arena.form(h));
            // Number translation: in the sum with a number only the other summand is moved in.
            let moves_in = |form: Form<'_>| !form.flags().has(Flags::NUMBER);
            if moves_in(form_g) {
                for option in form_g.left() {
                    add(self, &mut left, option, h)?;
                }
                for option in form_g.right() {
                    add(self, &mut right, option, h)?;
                }
            }
            if moves_in(form_h) {
                for option in form_h.left() {
                    add(self, &mut left, g, option)?;
                }
                for option in form_h.right() {
                    add(self, &mut right, g, option)?;
                }
            }
            if open.len() > before {
                continue;
            }
            let found = self.canonical(&mut left, &mut right)?;
            memo.insert(in_order(g, h), found);
            added += 1;
            if added.is_multiple_of(PAIRS_A_LOOK) && !wanted() {
                return Ok(None);
            }
        }
        Ok(sum)
    }

    /// Returns the sum of two values that needs no followers, or is in the memo.
    fn sum_at_once(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut SumMemo,
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
        let pair = in_order(g, h);
        if let Some(&sum) = memo.get(&pair) {
            return Ok(Some(sum));
        }
        let sum = if let (Some(x), Some(y)) = (self.arena.number(g), self.arena.number(h)) {
            self.number(x + y)?
        } else if let (Some(j), Some(k)) = (self.arena.nimber(g), self.arena.nimber(h)) {
            self.nimber(j ^ k)?
        } else {
            return Ok(None);
        };
        // Asked for again when the pair that it is needed for is summed.
        memo.insert(pair, sum);
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

/// Returns the two summands in the order in which the memo has them.
fn in_order(g: ValueId, h: ValueId) -> (ValueId, ValueId) {
    (g.min(h), g.max(h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Arena, Dyadic};

    #[test]
    fn numbers_ups_and_nimbers_add_as_their_followers_do() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut values = Vec::new();
        for number in [Dyadic::ZERO, Dyadic::new(-3, 1), Dyadic::integer(2)] {
            for ups in -3..=3 {
                for star in 0..=3 {
                    let parts = NumberUpStar { number, ups, star };
                    values.push(c.number_up_star(parts).unwrap());
                }
            }
        }
        for &g in &values {
            for &h in &values {
                let by_followers = c
                    .sum_memoised(g, h, &mut HashMap::default(), &mut || true)
                    .unwrap();
                assert_eq!(Some(c.sum(g, h).unwrap()), by_followers);
            }
        }
    }

    #[test]
    fn large_nimbers_add_at_once() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let values = ["*255", "^200*255"].map(|text| c.parse(text).unwrap());
        let expected = ["*80", "^200*80"].map(|text| c.parse(text).unwrap());
        let other = c.nimber(175).unwrap();
        for (value, expected) in values.into_iter().zip(expected) {
            assert_eq!(c.sum(value, other), Ok(expected));
        }
    }
}
