//! Cooling and heating: options taxed or rewarded, throughout a game.
//!
//! ```text
//! G cooled by t           {G^L_t - t | G^R_t + t}; but x, where for a lesser t that is close to a number x
//! G heated by t           {heated G^L + t | heated G^R - t}, a number staying as it is
//! G overheated from s     the same with n.s for an integer n, and fractions treated as any game
//! ```
//!
//! (Siegel, Combinatorial Game Theory, section II.5; Winning Ways, chapter 6.) Here "close to a
//! number" means that the difference is an infinitesimal. Cooling respects values, sums and order.
//! Heating and overheating apply to canonical forms, since they treat numbers differently and a
//! form must show that it is one.

use thiserror::Error;

use super::{ArenaError, Calculator, Dyadic, Thermographs, ValueId};

/// Why a value cannot be cooled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CoolingError {
    /// A temperature below 0.
    #[error("the temperature {0} is negative; values are cooled by 0 or more")]
    Negative(Dyadic),
    /// An intermediate mean or temperature takes numbers of more than 119 bits.
    #[error("an intermediate mean or temperature takes numbers of more than 119 bits")]
    Inexact,
    /// The arena cannot hold the result.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

impl Calculator<'_> {
    /// Returns the value cooled by t >= 0.
    ///
    /// Its stops are the walls of the thermograph at t. Costs a thermograph, and a simplification
    /// for each follower; there is no recursion over them.
    ///
    /// # Errors
    ///
    /// See [`CoolingError`].
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let hot = c.parse("+-2")?;
    /// for (t, cooled) in [(0, "+-2"), (1, "+-1"), (2, "*"), (3, "0")] {
    ///     let expected = c.parse(cooled)?;
    ///     assert_eq!(c.cooled(hot, Dyadic::integer(t))?, expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cooled(&mut self, id: ValueId, t: Dyadic) -> Result<ValueId, CoolingError> {
        if t < Dyadic::ZERO {
            return Err(CoolingError::Negative(t));
        }
        let mut thermographs = Thermographs::new(self.arena());
        let tax = self.number(-t)?;
        let frozen = |c: &mut Self, form| {
            let temperature = thermographs.temperature(form);
            if temperature.ok_or(CoolingError::Inexact)? >= t {
                return Ok(None);
            }
            let mean = thermographs.mean(form).ok_or(CoolingError::Inexact)?;
            Ok::<_, CoolingError>(Some(c.number(mean)?))
        };
        self.shifted(id, &[tax], frozen)
    }

    /// Returns the value heated by t, which may be any game.
    ///
    /// Costs a simplification for each follower.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the result.
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic, ValueId};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let one = c.number(Dyadic::ONE)?;
    /// for (value, heated) in [("*", "+-1"), ("^", "{1||0|-2}"), ("1/2", "1/2")] {
    ///     let (id, expected) = (c.parse(value)?, c.parse(heated)?);
    ///     assert_eq!(c.heated(id, one)?, expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heated(&mut self, id: ValueId, t: ValueId) -> Result<ValueId, ArenaError> {
        self.shifted(id, &[t], |c, form| {
            Ok(c.arena().number(form).is_some().then_some(form))
        })
    }

    /// Returns the value overheated from s to t, both of which may be any games.
    ///
    /// Costs a simplification for each follower, and a [multiple](Calculator::multiple) of s for each
    /// that is an integer.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the result.
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let one = c.number(Dyadic::ONE)?;
    /// let half = c.parse("1/2")?;
    /// let expected = c.parse("{1|0}")?;
    /// assert_eq!(c.overheated(half, one, one)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overheated(
        &mut self,
        id: ValueId,
        s: ValueId,
        t: ValueId,
    ) -> Result<ValueId, ArenaError> {
        self.shifted(id, &[t], |c, form| c.integer_multiple(form, s))
    }

    /// Returns `{transformed G^L + t | transformed G^R - t}` for each of the shifts t, unless `leaf`
    /// gives the value of a follower.
    pub(super) fn shifted<E: From<ArenaError>>(
        &mut self,
        id: ValueId,
        shifts: &[ValueId],
        leaf: impl FnMut(&mut Self, ValueId) -> Result<Option<ValueId>, E>,
    ) -> Result<ValueId, E> {
        self.transformed(id, leaf, |c, left, right| {
            let (mut shifted_left, mut shifted_right) = (Vec::new(), Vec::new());
            for &shift in shifts {
                for &option in left {
                    shifted_left.push(c.sum(option, shift)?);
                }
                for &option in right {
                    shifted_right.push(c.difference(option, shift)?);
                }
            }
            Ok(c.canonical(&mut shifted_left, &mut shifted_right)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;
    use crate::Arena;

    proptest! {
        #[test]
        fn stops_of_the_cooled_value_are_the_walls(tree in samples::trees(), steps in 0..80i128) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let id = tree.value(&mut c);
            let t = Dyadic::new(steps, 4);
            let cooled = c.cooled(id, t).unwrap();
            let thermograph = Thermographs::new(&arena).thermograph(id).unwrap();
            prop_assert_eq!(thermograph.left().at(t), Some(arena.left_stop(cooled)));
            prop_assert_eq!(thermograph.right().at(t), Some(arena.right_stop(cooled)));
            let negative = c.cooled(id.negative(), t).unwrap();
            prop_assert_eq!(negative, cooled.negative());
            if t == Dyadic::ZERO {
                prop_assert_eq!(cooled, id);
            }
        }

        #[test]
        fn cooling_respects_sums(a in samples::trees(), b in samples::trees(), steps in 0..16i128) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let (g, h) = (a.value(&mut c), b.value(&mut c));
            let t = Dyadic::new(steps, 2);
            let sum = c.sum(g, h).unwrap();
            let of_sum = c.cooled(sum, t).unwrap();
            let parts = [g, h].map(|id| c.cooled(id, t).unwrap());
            prop_assert_eq!(c.sum(parts[0], parts[1]).unwrap(), of_sum);
        }

        /// Cooling by t undoes heating by t, up to infinitesimals.
        #[test]
        fn what_is_heated_cools_down_again(tree in samples::trees(), steps in 1..16i128) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let id = tree.value(&mut c);
            let t = Dyadic::new(steps, 2);
            let by = c.number(t).unwrap();
            let heated = c.heated(id, by).unwrap();
            let cooled = c.cooled(heated, t).unwrap();
            let stops = |id| (arena.left_stop(id), arena.right_stop(id));
            prop_assert_eq!(stops(cooled), stops(id));
        }
    }

    #[test]
    fn what_cannot_be_cooled_is_refused() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let error = c.cooled(ValueId::ZERO, Dyadic::new(-1, 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the temperature -1/2 is negative; values are cooled by 0 or more"
        );
    }
}
