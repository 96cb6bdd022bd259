//! Ordinal sums: a move in the first summand ends play in the second.
//!
//! ```text
//! G:H = {G^L, G:H^L | G^R, G:H^R}
//! ```
//!
//! (Winning Ways, chapter 7, with the colon principle; Siegel, Combinatorial Game Theory, section
//! II.3.)

use super::{ArenaError, Calculator, ValueId};

impl Calculator<'_> {
    /// Returns the ordinal sum `G:H` of the canonical form of the base G and a value H.
    ///
    /// `G:H` depends on the form of G, so the canonical form must be the one that is meant: `0` and
    /// `{*|*}` are equal, but `0:1` is 1 and `{*|*}:1` is `{0,*|*}`. It depends on the value of H
    /// alone, by the colon principle: `G:H >= G:K` exactly where `H >= K`.
    ///
    /// Costs a simplification for each follower of H, of the options of G and of that follower.
    /// There is no recursion over the followers.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the result.
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (base, above, sum) in [
    ///     ("1", "-1", "1/2"),
    ///     ("*2", "*3", "*5"),
    ///     ("*", "1", "^*"),
    ///     ("1", "*", "1*"),
    ///     ("+-1", "1", "{1,+-1|-1}"),
    /// ] {
    ///     let [base, above, sum] = [base, above, sum].map(|text| c.parse(text));
    ///     assert_eq!(c.ordinal_sum(base?, above?)?, sum?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ordinal_sum(&mut self, base: ValueId, above: ValueId) -> Result<ValueId, ArenaError> {
        let arena = self.arena();
        let (base_left, base_right) = (arena.left_options(base), arena.right_options(base));
        let leaf = |_: &mut Self, form| Ok((form == ValueId::ZERO).then_some(base));
        self.transformed(above, leaf, |c, left, right| {
            let mut left = [&base_left, left].concat();
            let mut right = [&base_right, right].concat();
            c.canonical(&mut left, &mut right)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples;
    use super::*;
    use crate::Arena;

    /// The definition, by recursion.
    fn by_definition(c: &mut Calculator<'_>, g: ValueId, h: ValueId) -> ValueId {
        let arena = c.arena();
        let mut left = arena.left_options(g);
        left.extend((arena.left_options(h).iter()).map(|&option| by_definition(c, g, option)));
        let mut right = arena.right_options(g);
        right.extend((arena.right_options(h).iter()).map(|&option| by_definition(c, g, option)));
        c.canonical(&mut left, &mut right).unwrap()
    }

    #[test]
    fn ordinal_sums_of_early_games_are_those_of_the_definition() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let bases = samples::born_by(&mut c, 2);
        let above = samples::born_by(&mut c, 3);
        for &g in &bases {
            for &h in &above {
                let sum = c.ordinal_sum(g, h).unwrap();
                assert_eq!(sum, by_definition(&mut c, g, h));
                let negative = c.ordinal_sum(g.negative(), h.negative());
                assert_eq!(negative, Ok(sum.negative()));
            }
            assert_eq!(c.ordinal_sum(g, ValueId::ZERO), Ok(g));
            assert_eq!(c.ordinal_sum(ValueId::ZERO, g), Ok(g));
        }
        for &g in &above {
            for &h in &bases {
                assert_eq!(c.ordinal_sum(g, h).unwrap(), by_definition(&mut c, g, h));
            }
        }
    }

    /// The colon principle: the order of `G:H` is that of H.
    #[test]
    fn values_above_one_base_compare_as_the_sums() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let games = samples::born_by(&mut c, 2);
        for &base in &games {
            for &g in &games {
                for &h in &games {
                    let [over_g, over_h] = [g, h].map(|x| c.ordinal_sum(base, x).unwrap());
                    assert_eq!(c.compare(over_g, over_h), c.compare(g, h));
                }
            }
        }
    }

    #[test]
    fn nimbers_and_strings_of_hackenbush_stack() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        for m in 0..6 {
            for n in 0..6 {
                let [below, above, sum] = [m, n, m + n].map(|n| c.nimber(n).unwrap());
                assert_eq!(c.ordinal_sum(below, above), Ok(sum));
            }
        }
        // Strings of blue and red edges: Berlekamp's rule.
        for (string, number) in [
            ("1 1 -1 1", "7/4"),
            ("1 -1 -1", "1/4"),
            ("-1 1 1 1", "-1/8"),
        ] {
            let mut sum = ValueId::ZERO;
            for edge in string.split(' ') {
                let edge = c.parse(edge).unwrap();
                sum = c.ordinal_sum(sum, edge).unwrap();
            }
            assert_eq!(Ok(sum), c.parse(number), "{string}");
        }
    }

    #[test]
    fn a_long_chain_needs_no_recursion_and_obeys_the_limit_of_steps() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let (base, above) = (c.parse("+-1").unwrap(), c.parse("100000").unwrap());
        let sum = c.ordinal_sum(base, above).unwrap();
        assert_eq!(arena.birthday(sum), 100_002);
        let base = c.parse("+-2").unwrap();
        c.limit_steps(1_000);
        assert_eq!(c.ordinal_sum(base, above), Err(ArenaError::Steps(1_000)));
    }

    proptest! {
        #[test]
        fn ordinal_sums_are_those_of_the_definition(a in samples::trees(), b in samples::trees()) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let (g, h) = (a.value(&mut c), b.value(&mut c));
            prop_assert_eq!(c.ordinal_sum(g, h).unwrap(), by_definition(&mut c, g, h));
        }
    }
}
