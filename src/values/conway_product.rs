//! Conway's product of two games.
//!
//! ```text
//! GH = {G^L H + G H^L - G^L H^L, G^R H + G H^R - G^R H^R | G^L H + G H^R - G^L H^R, G^R H + G H^L - G^R H^L}
//! ```
//!
//! (Conway, On Numbers and Games, chapter 0; Winning Ways has no product of games.)

use hashbrown::HashMap;

use super::calculator::in_order;
use super::{ArenaError, Calculator, ValueId};

/// The products of pairs of followers found while one product is computed.
type Products = HashMap<(ValueId, ValueId), ValueId, foldhash::fast::RandomState>;

impl Calculator<'_> {
    /// Returns Conway's product of the canonical forms of two values.
    ///
    /// For numbers it is the product of numbers, for nimbers that of nim multiplication, and the
    /// product with an integer is the [multiple](Calculator::multiple). On other games it is no
    /// operation on values: equal games may have different products, and only those of the canonical
    /// forms are meant here. It still commutes.
    ///
    /// Costs a simplification for each pair of followers, and eight sums for each pair of their
    /// options, so it is for small games. There is no recursion.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the result, or a number takes more than 127 bits.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (g, h, product) in [("3/4", "-1/2", "-3/8"), ("*2", "*2", "*3"), ("3", "{2|1}", "3 + {2|1}")] {
    ///     let [g, h, product] = [g, h, product].map(|text| c.parse(text));
    ///     assert_eq!(c.conway_product(g?, h?)?, product?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conway_product(&mut self, g: ValueId, h: ValueId) -> Result<ValueId, ArenaError> {
        let arena = self.arena();
        let mut known = Products::default();
        let mut open = vec![(g, h)];
        while let Some(&(g, h)) = open.last() {
            if self.product_at_once(g, h, &mut known)?.is_some() {
                open.pop();
                continue;
            }
            // Left moves to a product by options of one player, and Right by those of both.
            let options = |id, of_right| match of_right {
                true => arena.right_options(id),
                false => arena.left_options(id),
            };
            let before = open.len();
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for (of_right, other) in [(false, false), (true, true), (false, true), (true, false)] {
                let list = if of_right == other {
                    &mut left
                } else {
                    &mut right
                };
                for x in options(g, of_right) {
                    for y in options(h, other) {
                        let mut factors = [None; 3];
                        for (factor, pair) in factors.iter_mut().zip([(x, h), (g, y), (x, y)]) {
                            *factor = self.product_at_once(pair.0, pair.1, &mut known)?;
                            if factor.is_none() {
                                open.push(pair);
                            }
                        }
                        self.one_step()?;
                        if let ([Some(a), Some(b), Some(both)], true) =
                            (factors, open.len() == before)
                        {
                            let sum = self.sum(a, b)?;
                            list.push(self.difference(sum, both)?);
                        }
                    }
                }
            }
            if open.len() == before {
                let product = self.canonical(&mut left, &mut right)?;
                known.insert(in_order(g, h), product);
            }
        }
        Ok(known[&in_order(g, h)])
    }

    /// Returns a product that is known or needs no options.
    fn product_at_once(
        &mut self,
        g: ValueId,
        h: ValueId,
        known: &mut Products,
    ) -> Result<Option<ValueId>, ArenaError> {
        let pair = in_order(g, h);
        if let Some(&product) = known.get(&pair) {
            return Ok(Some(product));
        }
        let numbers = self.arena().number(g).zip(self.arena().number(h));
        let product = if let Some((x, y)) = numbers {
            self.number(x.checked_mul(y).ok_or(ArenaError::TooManyBits)?)?
        } else if let Some(multiple) = self.integer_multiple(g, h)? {
            multiple
        } else if let Some(multiple) = self.integer_multiple(h, g)? {
            multiple
        } else {
            return Ok(None);
        };
        known.insert(pair, product);
        Ok(Some(product))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;
    use crate::{Arena, Dyadic};

    /// The definition, by recursion.
    fn by_definition(c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> ValueId {
        let arena = c.arena();
        let mut sides = [Vec::new(), Vec::new()];
        for (i, options_of_g) in [arena.left_options(g), arena.right_options(g)]
            .iter()
            .enumerate()
        {
            for (j, options_of_h) in [arena.left_options(h), arena.right_options(h)]
                .iter()
                .enumerate()
            {
                for &x in options_of_g {
                    for &y in options_of_h {
                        let [a, b, both] =
                            [(x, h), (g, y), (x, y)].map(|(g, h)| by_definition(c, g, h));
                        let sum = c.sum(a, b).unwrap();
                        sides[usize::from(i != j)].push(c.difference(sum, both).unwrap());
                    }
                }
            }
        }
        let [mut left, mut right] = sides;
        c.canonical(&mut left, &mut right).unwrap()
    }

    #[test]
    fn products_of_early_games_are_those_of_the_definition() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 2);
        for &g in &games {
            for &h in &games {
                let product = c.conway_product(g, h).unwrap();
                assert_eq!(product, by_definition(&mut c, g, h));
                assert_eq!(c.conway_product(h, g), Ok(product));
                assert_eq!(c.conway_product(g.negative(), h), Ok(product.negative()));
            }
        }
        let large = samples::born_by(&mut c, 3);
        for &g in large.iter().step_by(29) {
            for &h in &games {
                let product = c.conway_product(g, h).unwrap();
                assert_eq!(product, by_definition(&mut c, g, h));
            }
        }
    }

    #[test]
    fn nimbers_multiply_as_in_nim() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for (a, b, product) in [(2, 3, 1), (2, 4, 8), (4, 4, 6), (3, 5, 15)] {
            let [a, b, product] = [a, b, product].map(|n| c.nimber(n).unwrap());
            assert_eq!(c.conway_product(a, b), Ok(product));
        }
    }

    #[test]
    fn products_that_are_too_large_are_refused() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let fine = c.number(Dyadic::new((1 << 70) + 1, 70)).unwrap();
        assert_eq!(c.conway_product(fine, fine), Err(ArenaError::TooManyBits));
        let hot = c.parse("{3|1||*|-2}").unwrap();
        c.limit_steps(100);
        assert_eq!(c.conway_product(hot, hot), Err(ArenaError::Steps(100)));
    }

    proptest! {
        #[test]
        fn numbers_multiply_as_fractions(a in -40..40i128, b in -40..40i128, d in 0..6u32, e in 0..6u32) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let [g, h, product] = [(a, d), (b, e), (a * b, d + e)]
                .map(|(numerator, exponent)| c.number(Dyadic::new(numerator, exponent)).unwrap());
            prop_assert_eq!(c.conway_product(g, h), Ok(product));
        }
    }
}
