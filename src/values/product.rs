//! Products: multiples by an integer, and the Norton product by a positive unit.
//!
//! ```text
//! G.U = n.U                                            for G = n, an integer
//!     = {G^L.U + (U + I) | G^R.U - (U + I)}            otherwise, for all incentives I of U
//! ```
//!
//! The incentives of U are `U^L - U` and `U - U^R`. The product depends on the values of G and U
//! alone. It respects sums and order in G: `(G + H).U = G.U + H.U`, and `G.U >= H.U` exactly where
//! `G >= H` (Winning Ways, chapter 8, the Norton multiple; Siegel, Combinatorial Game Theory,
//! section II.7).

use thiserror::Error;

use super::{ArenaError, Calculator, Dyadic, OutcomeClass, ValueId};

/// Why there is no Norton product.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NortonError {
    /// The unit is not positive.
    #[error("the unit of a Norton product must be positive, and this one is {}", relation(*.0))]
    NotPositive(OutcomeClass),
    /// The arena cannot hold the result.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// Returns how a value with an outcome relates to 0.
fn relation(outcome: OutcomeClass) -> &'static str {
    match outcome {
        OutcomeClass::Left => "positive",
        OutcomeClass::Right => "negative",
        OutcomeClass::Previous => "0",
        OutcomeClass::Next => "confused with 0",
    }
}

impl Calculator<'_> {
    /// Returns `n.G`, the sum of n copies of G, or of -n copies of -G where n is negative.
    ///
    /// Costs at most two sums for each binary digit of n, and none for a number.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold one of these sums, or a number takes more than 127 bits.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (n, value, multiple) in [(3, "^", "^3"), (-2, "1/4*", "-1/2"), (5, "{3|1}", "10 + +-1")] {
    ///     let (value, multiple) = (c.parse(value)?, c.parse(multiple)?);
    ///     assert_eq!(c.multiple(n, value)?, multiple);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn multiple(&mut self, n: i64, g: ValueId) -> Result<ValueId, ArenaError> {
        if let Some(number) = self.arena().number(g) {
            let multiple = number.checked_mul(Dyadic::integer(n));
            return self.number(multiple.ok_or(ArenaError::TooManyBits)?);
        }
        let (mut rest, mut power) = (n.unsigned_abs(), g.negated_if(n < 0));
        let mut multiple = ValueId::ZERO;
        while rest > 0 && power != ValueId::ZERO {
            if rest % 2 == 1 {
                multiple = self.sum(multiple, power)?;
            }
            rest /= 2;
            if rest > 0 {
                power = self.sum(power, power)?;
            }
        }
        Ok(multiple)
    }

    /// Returns the Norton product `G.U` of a value and a positive unit.
    ///
    /// `G.^` is the game of atomic weight G. Heating and overheating are relatives:
    /// [`overheated`](Calculator::overheated).
    ///
    /// Costs a sum for each incentive of U and option of a follower of G, a simplification for each
    /// of these followers, and a [multiple](Calculator::multiple) of U for each that is an integer.
    ///
    /// # Errors
    ///
    /// When the unit is not positive, or the arena cannot hold the result.
    ///
    /// ```
    /// use cgvalues::{Arena, NortonError, OutcomeClass};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (value, unit, product) in [
    ///     ("-3", "^", "v3"),
    ///     ("1/2", "^", "{^^*|v*}"),
    ///     ("*", "^", "+-(^^*)"),
    ///     ("{1|*}", "1", "{1|*}"),
    /// ] {
    ///     let [value, unit, product] = [value, unit, product].map(|text| c.parse(text));
    ///     assert_eq!(c.norton(value?, unit?)?, product?);
    /// }
    /// let (half, star) = (c.parse("1/2")?, c.parse("*")?);
    /// let refused = NortonError::NotPositive(OutcomeClass::Next);
    /// assert_eq!(c.norton(half, star), Err(refused));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn norton(&mut self, g: ValueId, unit: ValueId) -> Result<ValueId, NortonError> {
        let outcome = self.outcome(unit);
        self.check_steps()?;
        if outcome != OutcomeClass::Left {
            return Err(NortonError::NotPositive(outcome));
        }
        let mut shifts = self.incentives(unit)?.concat();
        for shift in &mut shifts {
            *shift = self.sum(unit, *shift)?;
        }
        shifts.sort_unstable();
        shifts.dedup();
        Ok(self.shifted(g, &shifts, |c, form| c.integer_multiple(form, unit))?)
    }

    /// Returns the multiple of a value by a form that is an integer; `None` for other forms.
    pub(super) fn integer_multiple(
        &mut self,
        form: ValueId,
        of: ValueId,
    ) -> Result<Option<ValueId>, ArenaError> {
        let number = self.arena().number(form);
        match number.and_then(Dyadic::to_integer) {
            Some(n) => self.multiple(n, of).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;
    use crate::{Arena, AtomicWeights};

    /// The sum of n copies, one by one.
    fn copies(c: &mut Calculator<'_>, n: i64, g: ValueId) -> ValueId {
        let mut sum = ValueId::ZERO;
        for _ in 0..n.abs() {
            sum = c.sum(sum, g.negated_if(n < 0)).unwrap();
        }
        sum
    }

    /// The definition, by recursion.
    fn by_definition(c: &mut Calculator<'_>, g: ValueId, unit: ValueId) -> ValueId {
        let arena = c.arena();
        if let Some(n) = arena.number(g).and_then(Dyadic::to_integer) {
            return copies(c, n, unit);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut incentives = c.left_incentives(unit).unwrap();
        for option in arena.right_options(unit) {
            incentives.push(c.difference(unit, option).unwrap());
        }
        for incentive in incentives {
            let shift = c.sum(unit, incentive).unwrap();
            for option in arena.left_options(g) {
                let product = by_definition(c, option, unit);
                left.push(c.sum(product, shift).unwrap());
            }
            for option in arena.right_options(g) {
                let product = by_definition(c, option, unit);
                right.push(c.difference(product, shift).unwrap());
            }
        }
        c.canonical(&mut left, &mut right).unwrap()
    }

    #[test]
    fn multiples_of_early_games_are_sums_of_copies() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for g in samples::born_by(&mut c, 2) {
            for n in -9..=9 {
                assert_eq!(c.multiple(n, g).unwrap(), copies(&mut c, n, g));
            }
        }
        for g in samples::born_by(&mut c, 3) {
            for n in [-2, 3] {
                assert_eq!(c.multiple(n, g).unwrap(), copies(&mut c, n, g));
            }
        }
    }

    #[test]
    fn large_multiples_are_found_or_refused_at_once() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let value = |c: &mut Calculator<'_>, text| c.parse(text).unwrap();
        let switch = value(&mut c, "+-1");
        assert_eq!(c.multiple(i64::MIN, switch), Ok(ValueId::ZERO));
        assert_eq!(c.multiple(i64::MAX, switch), Ok(switch));
        let switch = value(&mut c, "{1/2|0}");
        let (million, half) = (value(&mut c, "250000"), value(&mut c, "250000 + {1/2|0}"));
        assert_eq!(c.multiple(1_000_000, switch), Ok(million));
        assert_eq!(c.multiple(1_000_001, switch), Ok(half));
        let (one, fine) = (value(&mut c, "1"), value(&mut c, "1/4294967296"));
        let too_large = ArenaError::IntegerTooLarge(i64::MIN);
        assert_eq!(c.multiple(i64::MIN, one), Err(too_large));
        let number = c.number(Dyadic::new((1 << 40) - 1, 32));
        assert_eq!(Ok(c.multiple((1 << 40) - 1, fine).unwrap()), number);
        let up = value(&mut c, "^");
        c.limit_steps(100_000);
        assert_eq!(c.multiple(i64::MAX, up), Err(ArenaError::Steps(100_000)));
    }

    #[test]
    fn norton_products_of_early_games_are_those_of_the_definition() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 2);
        let mut units = 0;
        for &unit in &games {
            if c.outcome(unit) != OutcomeClass::Left {
                assert!(matches!(
                    c.norton(ValueId::ZERO, unit),
                    Err(NortonError::NotPositive(_))
                ));
                continue;
            }
            units += 1;
            for &g in &games {
                let product = c.norton(g, unit).unwrap();
                assert_eq!(product, by_definition(&mut c, g, unit));
                assert_eq!(c.norton(g.negative(), unit), Ok(product.negative()));
                for &h in &games {
                    let times_h = c.norton(h, unit).unwrap();
                    assert_eq!(c.compare(product, times_h), c.compare(g, h));
                    let (sum, products) = (c.sum(g, h).unwrap(), c.sum(product, times_h));
                    assert_eq!(Ok(c.norton(sum, unit).unwrap()), products);
                }
            }
        }
        assert_eq!(units, 6);
    }

    #[test]
    fn products_by_up_of_games_born_by_day_3_have_these_weights() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut weights = AtomicWeights::new(&arena);
        let up = c.parse("^").unwrap();
        for g in samples::born_by(&mut c, 3) {
            let product = c.norton(g, up).unwrap();
            assert_eq!(product, by_definition(&mut c, g, up));
            let weight = weights.weight(product).unwrap().value(&mut c);
            assert_eq!(weight, Ok(g));
        }
    }

    #[test]
    fn units_that_are_not_positive_are_refused() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let half = c.parse("1/2").unwrap();
        for (unit, relation) in [("0", "0"), ("v", "negative"), ("*", "confused with 0")] {
            let unit = c.parse(unit).unwrap();
            let expected = format!(
                "the unit of a Norton product must be positive, and this one is {relation}"
            );
            assert_eq!(c.norton(half, unit).unwrap_err().to_string(), expected);
        }
        let unit = c.parse("{3|*}").unwrap();
        c.limit_steps(2);
        assert_eq!(c.norton(half, unit), Err(ArenaError::Steps(2).into()));
    }

    proptest! {
        #[test]
        fn multiples_are_sums_of_copies(tree in samples::trees(), n in -6..=6i64) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let g = tree.value(&mut c);
            prop_assert_eq!(c.multiple(n, g).unwrap(), copies(&mut c, n, g));
        }

        #[test]
        fn norton_products_are_those_of_the_definition(
            tree in samples::trees(),
            unit in proptest::sample::select(vec!["1/4", "1*", "^", "^2*", "^2*3", "Tiny(1)", "{2|^}"]),
        ) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let (g, unit) = (tree.value(&mut c), c.parse(unit).unwrap());
            let expected = by_definition(&mut c, g, unit);
            prop_assert_eq!(c.norton(g, unit).unwrap(), expected);
        }
    }
}
