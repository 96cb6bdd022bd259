//! The values of texts, with numbers in place of variables.

use super::super::super::dyadic::EXPONENT_MAX;
use super::super::super::{
    Arena, ArenaError, Calculator, Dyadic, LoopyName, NumberUpStar, Uptimal, ValueId,
};
use super::super::order::non_numbers;
use super::limits::{
    DENOMINATOR, INTEGER_MAX, Limit, NIMBER, POWER, ParseValueError, Parsed, STAR_MAX, UPS_MAX,
};
use super::literal::{Arrows, Fraction, Literal};

const SUM_FOLLOWERS_MAX: usize = 100_000;
const SUM_PAIRS_MAX: usize = 1_000_000;

/// The most steps for a product or an ordinal sum, about a second's work.
const STEPS_MAX: u64 = 3_000_000;

/// What the parts of a text stand for. Places are counted from 0.
pub trait Algebra {
    /// The meaning of a part.
    type Value: Clone;

    /// Returns the meaning of a term without operators.
    fn literal(&mut self, literal: &Literal) -> Parsed<Self::Value>;

    /// Returns the negative.
    fn negative(&mut self, value: Self::Value) -> Self::Value;

    /// Returns a sum, whose sign is at a place.
    fn sum(&mut self, g: Self::Value, h: Self::Value, at: usize) -> Parsed<Self::Value>;

    /// Returns the product `g.h`, whose point is at a place: a multiple, or a Norton product.
    fn product(&mut self, g: Self::Value, h: Self::Value, at: usize) -> Parsed<Self::Value>;

    /// Returns the ordinal sum `g:h`, whose colon is at a place.
    fn ordinal_sum(&mut self, g: Self::Value, h: Self::Value, at: usize) -> Parsed<Self::Value>;

    /// Returns the game with some options, which begins at a place.
    fn game(
        &mut self,
        left: Vec<Self::Value>,
        right: Vec<Self::Value>,
        at: usize,
    ) -> Parsed<Self::Value>;

    /// Returns the loopy stopper of a name, which begins at a place.
    ///
    /// # Errors
    ///
    /// Where only short values have a meaning, as by default; so for the others below.
    fn named(&mut self, _name: LoopyName, at: usize) -> Parsed<Self::Value> {
        Err(ParseValueError::loopy(at))
    }

    /// Begins a game that may be an option of its followers, and returns it as an option. It begins at a place.
    fn open(&mut self, at: usize) -> Parsed<Self::Value> {
        Err(ParseValueError::loopy(at))
    }

    /// Ends the game begun last, with its options.
    fn close(
        &mut self,
        _game: Self::Value,
        _left: Vec<Self::Value>,
        _right: Vec<Self::Value>,
        at: usize,
    ) -> Parsed<Self::Value> {
        Err(ParseValueError::loopy(at))
    }

    /// Returns the game with an onside and an offside, whose `&` is at a place.
    fn sides(&mut self, _on: Self::Value, _off: Self::Value, at: usize) -> Parsed<Self::Value> {
        Err(ParseValueError::loopy(at))
    }
}

/// Texts mean canonical forms.
pub struct Evaluation<'p, 'a> {
    /// Computes them.
    pub calculator: &'p mut Calculator<'a>,
    /// The variables' numbers.
    pub binding: &'p [(char, i64)],
}

impl NumberUpStar {
    /// Returns whether the parser accepts a text of the value: beyond these sizes a canonical form
    /// takes too much memory.
    pub fn is_readable(&self) -> bool {
        let magnitude = self.number.max(-self.number);
        magnitude <= Dyadic::integer(INTEGER_MAX)
            && self.number.exponent() <= EXPONENT_MAX
            && self.ups.unsigned_abs() <= UPS_MAX as u32
            && self.star <= STAR_MAX
    }
}

impl Algebra for Evaluation<'_, '_> {
    type Value = ValueId;

    fn literal(&mut self, literal: &Literal) -> Parsed<ValueId> {
        let at = literal.at;
        let number = match &literal.number {
            Some(fraction) => self.fraction(fraction, at)?,
            None => Dyadic::ZERO,
        };
        let star = match literal.star {
            Some(star) => star.count(&NIMBER, self.binding)? as u32,
            None => 0,
        };
        let Some(arrows) = literal.arrows else {
            return self.number_up_star(number, 0, star, at);
        };
        if let Some((shape, power)) = arrows.shape.zip(arrows.amount) {
            let uptimal = Uptimal {
                number,
                down: arrows.ups < 0,
                shape,
                power: power.count(&POWER, self.binding)? as u32,
                star,
            };
            let value = self.calculator.uptimal(uptimal);
            return stored(value, at);
        }
        let (number, multiple) = if arrows.is_multiple {
            (Dyadic::ZERO, number)
        } else {
            (number, Dyadic::integer(1))
        };
        let ups = self.ups(&arrows, multiple, at)?;
        self.number_up_star(number, ups, star, at)
    }

    fn negative(&mut self, value: ValueId) -> ValueId {
        value.negative()
    }

    /// Returns a sum, if the summands are small enough.
    fn sum(&mut self, g: ValueId, h: ValueId, at: usize) -> Parsed<ValueId> {
        let arena = self.arena();
        if let (Some(x), Some(y)) = (arena.number_up_star(g), arena.number_up_star(h)) {
            let number = x.number.checked_add(y.number);
            let in_range = |x: &Dyadic| {
                let limit = Dyadic::integer(INTEGER_MAX);
                *x <= limit && -*x <= limit
            };
            let number = number.ok_or(ArenaError::TooManyBits);
            let number = number.map_err(|error| refused(error, at))?;
            if !in_range(&number) {
                return Err(too_large("sum", INTEGER_MAX as u64, at));
            }
            return self.number_up_star(number, i64::from(x.ups + y.ups), x.star ^ y.star, at);
        }
        let size = |id| non_numbers(arena, id, SUM_FOLLOWERS_MAX).map(|forms| forms.len().max(1));
        let pairs = size(g).zip(size(h)).map(|(of_g, of_h)| of_g * of_h);
        let feasible = pairs.is_some_and(|pairs| pairs <= SUM_PAIRS_MAX);
        if !feasible {
            let what = "sum (by the product of the numbers of followers)";
            return Err(too_large(what, SUM_PAIRS_MAX as u64, at));
        }
        stored(self.calculator.sum(g, h), at)
    }

    fn product(&mut self, g: ValueId, h: ValueId, at: usize) -> Parsed<ValueId> {
        let product = self
            .calculator
            .within(STEPS_MAX, |c| match c.integer_multiple(g, h)? {
                Some(multiple) => Ok(multiple),
                None => c.norton(g, h),
            });
        product.map_err(|source| ParseValueError::Product {
            position: at + 1,
            source,
        })
    }

    fn ordinal_sum(&mut self, g: ValueId, h: ValueId, at: usize) -> Parsed<ValueId> {
        let sum = (self.calculator).within(STEPS_MAX, |c| c.ordinal_sum(g, h));
        stored(sum, at)
    }

    fn game(
        &mut self,
        mut left: Vec<ValueId>,
        mut right: Vec<ValueId>,
        at: usize,
    ) -> Parsed<ValueId> {
        stored(self.calculator.canonical(&mut left, &mut right), at)
    }
}

impl<'a> Evaluation<'_, 'a> {
    /// Returns the arena of the forms.
    pub fn arena(&self) -> &'a Arena {
        self.calculator.arena()
    }

    fn fraction(&self, fraction: &Fraction, at: usize) -> Parsed<Dyadic> {
        dyadic(fraction, self.binding, at)
    }

    /// Returns a multiple of the ups of arrows.
    fn ups(&self, arrows: &Arrows, multiple: Dyadic, at: usize) -> Parsed<i64> {
        let too_large = || too_large("multiple of up", UPS_MAX as u64, at);
        let multiple = multiple.to_integer().ok_or_else(too_large)?;
        let amount = match arrows.amount {
            Some(amount) => amount.value(self.binding)?,
            None => 1,
        };
        let each = i64::try_from(amount).ok();
        let each = each.and_then(|each| each.checked_mul(i64::from(arrows.ups)));
        each.and_then(|each| each.checked_mul(multiple))
            .ok_or_else(too_large)
    }

    fn number_up_star(
        &mut self,
        number: Dyadic,
        ups: i64,
        star: u32,
        at: usize,
    ) -> Parsed<ValueId> {
        let ups = i32::try_from(ups).ok().filter(|ups| ups.abs() <= UPS_MAX);
        let ups = ups.ok_or_else(|| too_large("multiple of up", UPS_MAX as u64, at))?;
        let value = match (ups, star) {
            (0, 0) => self.calculator.number(number),
            _ => (self.calculator).number_up_star(NumberUpStar { number, ups, star }),
        };
        stored(value, at)
    }
}

/// Returns a fraction's number for the variables' numbers.
pub(super) fn dyadic(fraction: &Fraction, binding: &[(char, i64)], at: usize) -> Parsed<Dyadic> {
    let numerator = fraction.numerator.value(binding)?;
    let exponent = match fraction.denominator {
        Some(denominator) => {
            let power = denominator.count(&DENOMINATOR, binding)?;
            if !power.is_power_of_two() {
                return Err(ParseValueError::Unexpected {
                    position: denominator.at + 1,
                    found: power.to_string(),
                    expected: "a power of two as denominator",
                });
            }
            power.trailing_zeros()
        }
        None => 0,
    };
    let magnitude = Dyadic::new(numerator, exponent);
    let limit = Dyadic::integer(INTEGER_MAX);
    if magnitude > limit || -magnitude > limit {
        return Err(too_large("number", INTEGER_MAX as u64, at));
    }
    Ok(if fraction.is_negative {
        -magnitude
    } else {
        magnitude
    })
}

fn too_large(what: &'static str, max: u64, at: usize) -> ParseValueError {
    Limit::new(what, u128::from(max)).exceeded(at)
}

fn stored(value: Result<ValueId, ArenaError>, at: usize) -> Parsed<ValueId> {
    value.map_err(|error| refused(error, at))
}

fn refused(source: ArenaError, at: usize) -> ParseValueError {
    ParseValueError::Arena {
        position: at + 1,
        source,
    }
}

/// Texts mean nothing; only their grammar is checked.
pub(super) struct Grammar;

impl Algebra for Grammar {
    type Value = ();

    fn literal(&mut self, _: &Literal) -> Parsed<()> {
        Ok(())
    }

    fn negative(&mut self, (): ()) {}

    fn sum(&mut self, (): (), (): (), _: usize) -> Parsed<()> {
        Ok(())
    }

    fn product(&mut self, (): (), (): (), _: usize) -> Parsed<()> {
        Ok(())
    }

    fn ordinal_sum(&mut self, (): (), (): (), _: usize) -> Parsed<()> {
        Ok(())
    }

    fn game(&mut self, _: Vec<()>, _: Vec<()>, _: usize) -> Parsed<()> {
        Ok(())
    }
}
