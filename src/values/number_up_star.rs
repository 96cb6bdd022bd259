//! Numbers plus ups plus a nimber: the values of most positions in small infinitesimal games.
//!
//! They are recognised from the canonical form alone, without building other forms. The forms are
//! those of Winning Ways, chapter 3, and Siegel, Combinatorial Game Theory, section II.4; for a
//! number x:
//!
//! ```text
//! x + *k        = {x, x*, ..., x*(k-1) | x, x*, ..., x*(k-1)}
//! x + ^ + *     = {x, x* | x}
//! x + n.^ + *k  = {x | x + (n-1).^ + *(k xor 1)}              for n >= 1 otherwise
//! ```

use super::tiny::sole;
use super::{Arena, ArenaError, Calculator, Dyadic, ValueId};

/// The value `number + ups . ^ + *star`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberUpStar {
    /// The number.
    pub number: Dyadic,
    /// The number of ups, negative for downs.
    pub ups: i32,
    /// The nimber, 0 for none.
    pub star: u32,
}

impl NumberUpStar {
    /// Returns the negative of the value.
    #[must_use]
    pub fn negative(self) -> NumberUpStar {
        NumberUpStar {
            number: -self.number,
            ups: -self.ups,
            star: self.star,
        }
    }
}

impl Arena {
    /// Returns the number, ups and star whose sum the form is, if it is such a sum.
    ///
    /// Costs O(n + k^2 log k) for n ups and the nimber `*k`; nothing at all where the stops differ.
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic, NumberUpStar};
    ///
    /// let arena = Arena::new();
    /// let id = arena.calculator().parse("1/2v3*2")?;
    /// let parts = NumberUpStar { number: Dyadic::new(1, 1), ups: -3, star: 2 };
    /// assert_eq!(arena.number_up_star(id), Some(parts));
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn number_up_star(&self, id: ValueId) -> Option<NumberUpStar> {
        if let Some(number) = self.number(id) {
            return Some(NumberUpStar {
                number,
                ups: 0,
                star: 0,
            });
        }
        let number = self.left_stop(id);
        if number != self.right_stop(id) || !self.options_stop_at(id, number) {
            return None;
        }
        self.non_negative_ups(id, number)
            .map(|(ups, star)| NumberUpStar { number, ups, star })
            .or_else(|| {
                let (ups, star) = self.non_negative_ups(id.negative(), -number)?;
                Some(NumberUpStar {
                    number,
                    ups: -ups,
                    star,
                })
            })
    }

    /// Returns whether both stops of all options equal a number, as they do in a form that is the
    /// number plus ups, powers of up and a nimber.
    pub(super) fn options_stop_at(&self, id: ValueId, number: Dyadic) -> bool {
        let form = self.form(id);
        let mut options = form.left().chain(form.right());
        options.all(|option| self.left_stop(option) == number && self.right_stop(option) == number)
    }

    /// Returns n >= 0 and k where the form is `number + n.^ + *k`.
    fn non_negative_ups(&self, id: ValueId, number: Dyadic) -> Option<(i32, u32)> {
        // Each Right option along the chain has one up less, and the star's parity flipped.
        let mut form = id;
        let mut ups = 0;
        loop {
            let parity = |n: i32| u32::from(n % 2 == 1);
            if let Some(star) = self.star_beside(form, number) {
                return Some((ups, star ^ parity(ups)));
            }
            if self.is_up_star(form, number) {
                return Some((ups + 1, 1 ^ parity(ups)));
            }
            let options = self.form(form);
            if self.number(sole(options.left())?) != Some(number) {
                return None;
            }
            form = sole(options.right())?;
            ups += 1;
        }
    }

    /// Returns whether the form is `{x, x* | x}`, which is x plus up plus star.
    fn is_up_star(&self, id: ValueId, x: Dyadic) -> bool {
        let form = self.form(id);
        let Some(right) = sole(form.right()) else {
            return false;
        };
        let mut left = form.left();
        left.len() == 2
            && self.number(right) == Some(x)
            && form.left().any(|option| option == right)
            && left.any(|option| self.star_beside(option, x) == Some(1))
    }

    /// Returns k where the form is the number `x` plus `*k`.
    pub(crate) fn star_beside(&self, id: ValueId, x: Dyadic) -> Option<u32> {
        if let Some(number) = self.number(id) {
            return (number == x).then_some(0);
        }
        if x == Dyadic::ZERO {
            return self.nimber(id);
        }
        let sorted = |mut options: Vec<ValueId>| {
            options.sort_unstable();
            options
        };
        let mut options = sorted(self.left_options(id));
        if options != sorted(self.right_options(id)) {
            return None;
        }
        // Once sorted with the number first and then by number of options, each option has exactly
        // the earlier ones on both sides. This avoids a recursion, which would take exponential
        // time without a memo.
        options.sort_by_key(|&option| match self.number(option) {
            Some(_) => 0,
            None => self.form(option).left().len(),
        });
        for (k, &option) in options.iter().enumerate() {
            if k == 0 {
                if self.number(option) != Some(x) {
                    return None;
                }
                continue;
            }
            let earlier = sorted(options[..k].to_vec());
            if sorted(self.left_options(option)) != earlier
                || sorted(self.right_options(option)) != earlier
            {
                return None;
            }
        }
        Some(options.len() as u32)
    }
}

impl Calculator<'_> {
    /// Returns the form of a number plus ups plus a nimber.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold it.
    pub fn number_up_star(&mut self, value: NumberUpStar) -> Result<ValueId, ArenaError> {
        if value.ups < 0 {
            return Ok(self.number_up_star(value.negative())?.negative());
        }
        let number = self.number(value.number)?;
        let stop = value.number;
        // All intermediate forms are canonical as built, so they are stored without comparisons.
        let both = |calculator: &mut Self, left: &[ValueId], right: &[ValueId]| {
            calculator.store(left, right, (stop, stop))
        };
        let parity = u32::from(value.ups % 2 == 1);
        let mut star = value.star ^ parity;
        let mut ups = 0;
        // The one form with an up that is not {x | h} starts the chain in place of x itself.
        let mut form = if star == 0 && value.ups > 0 {
            (ups, star) = (1, 1);
            let x_star = both(self, &[number], &[number])?;
            both(self, &[number, x_star], &[number])?
        } else {
            let mut stars = vec![number];
            for _ in 0..star {
                stars.push(both(self, &stars, &stars)?);
            }
            stars[star as usize]
        };
        while ups < value.ups {
            form = both(self, &[number], &[form])?;
            (ups, star) = (ups + 1, star ^ 1);
        }
        debug_assert_eq!(star, value.star, "each up changes the star's parity");
        Ok(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_number_ups_and_star_are_recognised() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let star = c.nimber(1).unwrap();
        let up = c
            .canonical(&mut vec![ValueId::ZERO], &mut vec![star])
            .unwrap();
        for number in [
            Dyadic::ZERO,
            Dyadic::ONE,
            Dyadic::integer(-3),
            Dyadic::new(3, 2),
            Dyadic::new(-1, 1),
        ] {
            let x = c.number(number).unwrap();
            for ups in -5..=5i32 {
                let mut multiple = ValueId::ZERO;
                for _ in 0..ups.abs() {
                    multiple = c.sum(multiple, up.negated_if(ups < 0)).unwrap();
                }
                for star in 0..=5 {
                    let nimber = c.nimber(star).unwrap();
                    let infinitesimal = c.sum(multiple, nimber).unwrap();
                    let id = c.sum(x, infinitesimal).unwrap();
                    let parts = NumberUpStar { number, ups, star };
                    assert_eq!(arena.number_up_star(id), Some(parts));
                    assert_eq!(c.number_up_star(parts).unwrap(), id, "{parts:?}");
                }
            }
        }
    }

    #[test]
    fn other_forms_are_not() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let zero = ValueId::ZERO;
        let star = c.nimber(1).unwrap();
        let one = c.number(Dyadic::ONE).unwrap();
        let up = c.canonical(&mut vec![zero], &mut vec![star]).unwrap();
        let switch = c.canonical(&mut vec![one], &mut vec![zero]).unwrap();
        let symmetric = c
            .canonical(&mut vec![star, up], &mut vec![star, up.negative()])
            .unwrap();
        let up_second = c
            .canonical(&mut vec![zero, star], &mut vec![up.negative()])
            .unwrap();
        let tiny = {
            let hot = c
                .canonical(&mut vec![zero], &mut vec![one.negative()])
                .unwrap();
            c.canonical(&mut vec![zero], &mut vec![hot]).unwrap()
        };
        for id in [switch, symmetric, up_second, tiny] {
            assert_eq!(arena.number_up_star(id), None);
            assert_eq!(arena.number_up_star(id.negative()), None);
        }
    }
}
