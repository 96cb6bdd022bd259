//! Powers of up and their sums, plus a number and a nimber: `^<2>*`, `1v[3]`.
//!
//! Up-nth is `^<n> = {0 | *, minus ^<1> .. ^<n-1>}`, so `^<1>` is up and each power is
//! infinitesimal compared with the one before; `^[n]` is the sum of the first n (Siegel,
//! Combinatorial Game Theory, section II.4; Conway and Ryba's uptimals). Only these two shapes have
//! names; other sums of powers are printed by their options.
//!
//! Their canonical forms, for a number x and n >= 2, which the tests check against sums:
//!
//! ```text
//! x + ^<n> + *k = {x, x*, ..., x*k | x - ^[n-1] + *(k xor 1)}
//! x + ^[n] + *k = {x + ^[n-1] + *k | x + *(k xor 1)}                   for k other than 1
//! x + ^[n] + *  = {x, x + ^[n-1] + * | x}
//! ```

use super::{Arena, ArenaError, Calculator, Dyadic, NumberUpStar, ValueId};

/// The two named shapes of an uptimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UptimalShape {
    /// `^<n>`: up-nth alone.
    Power,
    /// `^[n]`: the sum of up-first to up-nth.
    Sum,
}

/// The value `number + shape + *star`, or with downs in place of ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uptimal {
    /// The number.
    pub number: Dyadic,
    /// Whether the powers are those of down.
    pub down: bool,
    /// A power or a sum of powers.
    pub shape: UptimalShape,
    /// The highest power, at least 2.
    pub power: u32,
    /// The nimber, 0 for none.
    pub star: u32,
}

impl Uptimal {
    /// Returns the negative of the value.
    #[must_use]
    pub fn negative(self) -> Uptimal {
        Uptimal {
            number: -self.number,
            down: !self.down,
            ..self
        }
    }
}

impl Arena {
    /// Returns the uptimal that the form is, if it is one of the named shapes with power at least
    /// 2.
    ///
    /// Costs O(n k^2 log k) for the power n and the nimber `*k`; nothing where the stops differ.
    pub fn uptimal(&self, id: ValueId) -> Option<Uptimal> {
        let number = self.left_stop(id);
        if number != self.right_stop(id)
            || self.number(id).is_some()
            || !self.options_stop_at(id, number)
        {
            return None;
        }
        self.up_powers(id, number)
            .or_else(|| Some(self.up_powers(id.negative(), -number)?.negative()))
    }

    fn up_powers(&self, id: ValueId, number: Dyadic) -> Option<Uptimal> {
        let uptimal = |shape, power, star| Uptimal {
            number,
            down: false,
            shape,
            power,
            star,
        };
        if let Some((power, star)) = self.power_sum(id, number) {
            return (power >= 2).then(|| uptimal(UptimalShape::Sum, power, star));
        }
        let (left, right) = (self.left_options(id), self.right_options(id));
        let [right] = right[..] else { return None };
        let (below, star) = self.power_sum(right.negative(), -number)?;
        let star = star ^ 1;
        // k + 1 distinct options among x .. x*k are all of them.
        let all_stars = left.len() == star as usize + 1
            && left
                .iter()
                .all(|&option| self.star_beside(option, number).is_some_and(|k| k <= star));
        all_stars.then(|| uptimal(UptimalShape::Power, below + 1, star))
    }

    /// Returns n >= 1 and k where the form is `x + ^[n] + *k`.
    fn power_sum(&self, id: ValueId, x: Dyadic) -> Option<(u32, u32)> {
        let mut form = id;
        let mut steps = 0;
        let mut star = None;
        loop {
            if let Some(base) = self.number_up_star(form) {
                let matches =
                    base.number == x && base.ups == 1 && star.is_none_or(|star| star == base.star);
                return matches.then_some((steps + 1, base.star));
            }
            let (left, right) = (self.left_options(form), self.right_options(form));
            let [right] = right[..] else { return None };
            let found = self.star_beside(right, x)? ^ 1;
            if star.is_some_and(|star| star != found) {
                return None;
            }
            star = Some(found);
            form = match left[..] {
                [below] if found != 1 => below,
                [a, below] | [below, a] if found == 1 && a == right => below,
                _ => return None,
            };
            steps += 1;
        }
    }
}

impl Calculator<'_> {
    /// Returns the form of an uptimal, whose power may also be 0 or 1.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it.
    pub fn uptimal(&mut self, value: Uptimal) -> Result<ValueId, ArenaError> {
        if value.down {
            return Ok(self.uptimal(value.negative())?.negative());
        }
        let Uptimal { number, star, .. } = value;
        // Up is both ^<1> and ^[1].
        if value.power <= 1 {
            let ups = value.power as i32;
            return self.number_up_star(NumberUpStar { number, ups, star });
        }
        // The number plus each star, *0 first. All forms made here are canonical without
        // simplification.
        let mut stars = vec![self.number(number)?];
        let stop = (number, number);
        for _ in 0..=star {
            stars.push(self.store(&stars, &stars, stop)?);
        }
        match value.shape {
            UptimalShape::Power => {
                let below = Uptimal {
                    number: -number,
                    shape: UptimalShape::Sum,
                    power: value.power - 1,
                    star: star ^ 1,
                    ..value
                };
                let below = self.uptimal(below)?.negative();
                self.store(&stars[..=star as usize], &[below], stop)
            }
            UptimalShape::Sum => {
                let right = stars[(star ^ 1) as usize];
                let mut form = self.number_up_star(NumberUpStar {
                    number,
                    ups: 1,
                    star,
                })?;
                for _ in 1..value.power {
                    form = match star {
                        1 => self.store(&[right, form], &[right], stop)?,
                        _ => self.store(&[form], &[right], stop)?,
                    };
                }
                Ok(form)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_up_and_their_sums_are_recognised() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let star = c.nimber(1).unwrap();
        let mut sum = ValueId::ZERO;
        for power in 1..=5 {
            // By definition: each power is {0 | * minus the sum of the powers below}.
            let reply = c.difference(star, sum).unwrap();
            let up_nth = c
                .canonical(&mut vec![ValueId::ZERO], &mut vec![reply])
                .unwrap();
            sum = c.sum(sum, up_nth).unwrap();
            for star in 0..=4 {
                for number in [Dyadic::ZERO, Dyadic::integer(2), Dyadic::new(-3, 2)] {
                    let x = c.number(number).unwrap();
                    let nimber = c.nimber(star).unwrap();
                    let x_star = c.sum(x, nimber).unwrap();
                    for (shape, powers) in [(UptimalShape::Power, up_nth), (UptimalShape::Sum, sum)]
                    {
                        let value = Uptimal {
                            number,
                            down: false,
                            shape,
                            power,
                            star,
                        };
                        let id = c.sum(powers, x_star).unwrap();
                        assert_eq!(c.uptimal(value).unwrap(), id, "{value:?}");
                        assert_eq!(c.uptimal(value.negative()).unwrap(), id.negative());
                        let named = (power >= 2).then_some(value);
                        assert_eq!(arena.uptimal(id), named);
                        let named = (power >= 2).then_some(value.negative());
                        assert_eq!(arena.uptimal(id.negative()), named);
                    }
                }
            }
        }
    }

    #[test]
    fn other_sums_of_powers_have_no_name() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let named = |power, shape| Uptimal {
            number: Dyadic::ZERO,
            down: false,
            shape,
            power,
            star: 0,
        };
        let second = c.uptimal(named(2, UptimalShape::Power)).unwrap();
        let third = c.uptimal(named(3, UptimalShape::Power)).unwrap();
        let both = c.sum(second, third).unwrap();
        let double = c.sum(second, second).unwrap();
        let difference = c.difference(second, third).unwrap();
        for id in [both, double, difference, ValueId::ZERO] {
            assert_eq!(arena.uptimal(id), None);
        }
    }
}
