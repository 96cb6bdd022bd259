//! Sums of values.

use hashbrown::HashMap;

use super::Calculator;
use crate::arena::{Flags, Form};
use crate::{ArenaError, Dyadic, NumberUpStar, Uptimal, ValueId};

/// The sums of pairs of followers found while a sum, or several that share followers, are computed.
pub(crate) type SumMemo = HashMap<(ValueId, ValueId), ValueId, foldhash::fast::RandomState>;

/// The number of pairs of followers added between two calls of `wanted`: some milliseconds of work.
const PAIRS_A_LOOK: usize = 1024;

/// The least nimber that is added to a named uptimal by components.
const UPTIMAL_STAR_MIN: u32 = 4;

impl Calculator<'_> {
    /// Returns the sum of two values.
    ///
    /// Costs one simplification for each pair of followers that the sum reaches; the memo of pairs
    /// lasts for one call. Numbers, ups and nimbers are added by components, as are a named uptimal
    /// and a nimber. A sum with a number needs no simplification.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the sum, or a number in it takes more than 127 bits.
    pub fn sum(&mut self, g: ValueId, h: ValueId) -> Result<ValueId, ArenaError> {
        self.sum_sharing(g, h, &mut SumMemo::default())
    }

    /// Returns the sum of two values, with a memo of pairs that several sums share.
    pub(crate) fn sum_sharing(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut SumMemo,
    ) -> Result<ValueId, ArenaError> {
        let sum = self.sum_within(g, h, memo, &mut || true)?;
        Ok(sum.expect("a sum that nobody stops is found"))
    }

    /// Returns the sum of two values, or `None` once it is no longer wanted.
    ///
    /// Calls `wanted` after every 1024 pairs of followers.
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
        self.sum_within(g, h, &mut SumMemo::default(), wanted)
    }

    fn sum_within(
        &mut self,
        g: ValueId,
        h: ValueId,
        memo: &mut SumMemo,
        wanted: &mut dyn FnMut() -> bool,
    ) -> Result<Option<ValueId>, ArenaError> {
        match self.sum_of_parts(g, h)? {
            Some(sum) => Ok(Some(sum)),
            None => self.sum_memoised(g, h, memo, wanted),
        }
    }

    /// Returns the sum of two values that are each a number plus ups plus a nimber, or of a named
    /// uptimal and a number plus a nimber; `None` for others.
    // PERF: the incentives of *60 took 60 s of simplifications: each option's sum reaches all pairs
    // of smaller nimbers.
    fn sum_of_parts(&mut self, g: ValueId, h: ValueId) -> Result<Option<ValueId>, ArenaError> {
        if g == ValueId::ZERO || h == ValueId::ZERO {
            return Ok(None);
        }
        match (self.arena.number_up_star(g), self.arena.number_up_star(h)) {
            (Some(g), Some(h)) => {
                let sum = NumberUpStar {
                    number: sum_of_numbers(g.number, h.number)?,
                    ups: g.ups + h.ups,
                    star: g.star ^ h.star,
                };
                self.number_up_star(sum).map(Some)
            }
            (Some(parts), None) => self.sum_with_uptimal(h, parts),
            (None, Some(parts)) => self.sum_with_uptimal(g, parts),
            (None, None) => Ok(None),
        }
    }

    /// Returns the sum of a named uptimal and a number plus a nimber; `None` for other values.
    // PERF: without this `*255 - ^<64>` ran 25 minutes. Small nimbers skip it: jobs add them by the
    // million to values that are not uptimals.
    fn sum_with_uptimal(
        &mut self,
        value: ValueId,
        parts: NumberUpStar,
    ) -> Result<Option<ValueId>, ArenaError> {
        if parts.ups != 0 || parts.star < UPTIMAL_STAR_MIN {
            return Ok(None);
        }
        let Some(uptimal) = self.arena.uptimal(value) else {
            return Ok(None);
        };
        let sum = Uptimal {
            number: sum_of_numbers(uptimal.number, parts.number)?,
            star: uptimal.star ^ parts.star,
            ..uptimal
        };
        self.uptimal(sum).map(Some)
    }

    /// Adds by recursion over the followers of both, options first, with an explicit stack of
    /// waiting pairs.
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
            // Number Translation: in the sum with a number the players move only in the other
            // summand.
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
            // Each pair is visited twice, plus once for each further pair that waits for it.
            self.step(open.len() - before);
            if open.len() > before {
                self.check_steps()?;
                continue;
            }
            let number = self.arena.number(g).or_else(|| self.arena.number(h));
            let found = match number {
                // Number Translation: options that are neither dominated nor reversible remain so
                // beside a number.
                Some(_) => {
                    let stop = |right: bool| {
                        let stop = |id| {
                            if right {
                                self.arena.right_stop(id)
                            } else {
                                self.arena.left_stop(id)
                            }
                        };
                        sum_of_numbers(stop(g), stop(h))
                    };
                    let stops = (stop(false)?, stop(true)?);
                    self.store(&left, &right, stops)?
                }
                None => self.canonical(&mut left, &mut right)?,
            };
            memo.insert(in_order(g, h), found);
            added += 1;
            if added.is_multiple_of(PAIRS_A_LOOK) && !wanted() {
                return Ok(None);
            }
        }
        Ok(sum)
    }

    /// Returns the sum of two values if it needs no followers or is in the memo.
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
            self.number(sum_of_numbers(x, y)?)?
        } else if let (Some(j), Some(k)) = (self.arena.nimber(g), self.arena.nimber(h)) {
            self.nimber(j ^ k)?
        } else {
            return Ok(None);
        };
        // Looked up again when the pair that needs it is summed.
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

/// Returns the sum of two numbers.
pub(crate) fn sum_of_numbers(x: Dyadic, y: Dyadic) -> Result<Dyadic, ArenaError> {
    x.checked_add(y).ok_or(ArenaError::TooManyBits)
}

/// Returns the two operands in a memo's order.
pub(crate) fn in_order(g: ValueId, h: ValueId) -> (ValueId, ValueId) {
    (g.min(h), g.max(h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

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
    fn uptimals_and_nimbers_add_as_their_followers_do() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for text in ["^<2>", "v<3>*", "1^[2]*3", "-1/2v[4]*5", "^<4>*4", "^[3]"] {
            let uptimal = c.parse(text).unwrap();
            for star in 0..=6 {
                for number in [Dyadic::ZERO, Dyadic::new(-3, 1)] {
                    let parts = NumberUpStar {
                        number,
                        ups: 0,
                        star,
                    };
                    let other = c.number_up_star(parts).unwrap();
                    let by_followers = c
                        .sum_memoised(uptimal, other, &mut HashMap::default(), &mut || true)
                        .unwrap();
                    assert_eq!(Some(c.sum(uptimal, other).unwrap()), by_followers);
                }
            }
        }
    }

    proptest::proptest! {
        /// The options of a value plus a number are its options plus the number, already
        /// simplified.
        #[test]
        fn translated_options_are_canonical(
            tree in crate::samples::trees(),
            numerator in -40..40i128,
            exponent in 0..14u32,
        ) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let g = tree.value(&mut c);
            let x = c.number(Dyadic::new(numerator, exponent)).unwrap();
            let sum = c.sum(g, x).unwrap();
            let moved = |c: &mut Calculator<'_>, options: Vec<ValueId>| -> Vec<ValueId> {
                options.into_iter().map(|option| c.sum(option, x).unwrap()).collect()
            };
            if arena.number(g).is_none() {
                let mut left = moved(&mut c, arena.left_options(g));
                let mut right = moved(&mut c, arena.right_options(g));
                proptest::prop_assert_eq!(c.canonical(&mut left, &mut right), Ok(sum));
            }
            proptest::prop_assert_eq!(c.difference(sum, x), Ok(g));
        }
    }

    #[test]
    fn work_beyond_the_limit_of_steps_is_refused() {
        let texts = ["{^*3,{2|*}|v*2,-1}", "{3|{^2|-2}}"];
        let arena = Arena::new();
        let mut c = arena.calculator();
        let [g, h] = texts.map(|text| c.parse(text).unwrap());
        let sum = c.sum(g, h).unwrap();
        let expected = arena.notation(sum).to_string();
        // Wherever the limit stops the work, the arena stays correct.
        for steps in 0.. {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let [g, h] = texts.map(|text| c.parse(text).unwrap());
            c.limit_steps(steps);
            let limited = c.sum(g, h);
            assert_eq!(limited.is_err(), c.check_steps().is_err());
            c.limit_steps(u64::MAX);
            let text = arena.notation(c.sum(g, h).unwrap()).to_string();
            assert_eq!(text, expected);
            if limited.is_ok() {
                assert!(steps > 10, "{steps}");
                break;
            }
        }
    }

    #[test]
    fn large_nimbers_add_at_once() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let values = ["*255", "^200*255"].map(|text| c.parse(text).unwrap());
        let expected = ["*80", "^200*80"].map(|text| c.parse(text).unwrap());
        let uptimal = c.parse("^<64>").unwrap();
        let negative = c.parse("v<64>*255").unwrap();
        assert_eq!(c.difference(values[0], uptimal), Ok(negative));
        let other = c.nimber(175).unwrap();
        for (value, expected) in values.into_iter().zip(expected) {
            assert_eq!(c.sum(value, other), Ok(expected));
        }
    }
}
