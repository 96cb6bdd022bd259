//! The numbers in a text, which digits or variables give, and the terms made of them.

use super::super::super::UptimalShape;
use super::limits::{Limit, ParseValueError, Parsed};

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The place of its first character, counted from 0.
    pub at: usize,
    /// What it is.
    pub of: AmountOf,
}

/// What gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountOf {
    /// Digits.
    Constant(u128),
    /// An integer times a variable: `n`, `2n`.
    Multiple(u128, char),
    /// An integer to the power of a variable: `2^k`.
    Power(u128, char),
}

impl Amount {
    /// Returns the variable in it.
    pub fn variable(&self) -> Option<char> {
        match self.of {
            AmountOf::Constant(_) => None,
            AmountOf::Multiple(_, name) | AmountOf::Power(_, name) => Some(name),
        }
    }

    /// Returns the number for the variables' numbers.
    pub fn value(&self, binding: &[(char, i64)]) -> Parsed<i128> {
        let unbound = |name| ParseValueError::Unbound {
            position: self.at + 1,
            name,
            accepted: binding.iter().map(|(name, _)| *name).collect(),
        };
        let variable = |name| {
            let bound = binding.iter().find(|(bound, _)| *bound == name);
            bound.map(|bound| bound.1).ok_or_else(|| unbound(name))
        };
        let number = match self.of {
            AmountOf::Constant(number) => i128::try_from(number).ok(),
            AmountOf::Multiple(factor, name) => {
                let number = i128::from(variable(name)?);
                let factor = i128::try_from(factor).ok();
                factor.and_then(|factor| factor.checked_mul(number))
            }
            AmountOf::Power(base, name) => {
                let exponent = u32::try_from(variable(name)?).ok();
                let base = i128::try_from(base).ok();
                base.zip(exponent)
                    .and_then(|(base, exponent)| base.checked_pow(exponent))
            }
        };
        // Every number has a negative.
        (number.filter(|number| *number > i128::MIN)).ok_or(ParseValueError::Beyond {
            position: self.at + 1,
        })
    }

    /// Returns the number, which is at least 0 and within a limit.
    pub(super) fn count(&self, limit: &Limit, binding: &[(char, i64)]) -> Parsed<u128> {
        let value = self.value(binding)?;
        let count = u128::try_from(value).map_err(|_| ParseValueError::Unexpected {
            position: self.at + 1,
            found: value.to_string(),
            expected: "a number of at least 0",
        })?;
        limit.check(count, self.at)
    }
}

/// A number with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Whether a minus sign belongs to it.
    pub is_negative: bool,
    /// The numerator.
    pub numerator: Amount,
    /// The denominator; 1 if there is none.
    pub denominator: Option<Amount>,
}

/// A number, or how often ups are taken; with ups or a power of up and a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The place of its first character, counted from 0.
    pub at: usize,
    /// The number.
    pub number: Option<Fraction>,
    /// The arrows.
    pub arrows: Option<Arrows>,
    /// The nimber.
    pub star: Option<Amount>,
}

/// Ups, downs or a power of up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrows {
    /// The ups that the arrows show, below 0 for downs.
    pub ups: i32,
    /// How often these are taken, as in `^3`; or the power.
    pub amount: Option<Amount>,
    /// The shape of a power of up.
    pub shape: Option<UptimalShape>,
    /// Whether the literal's number says how often these are taken, as in `3.^`.
    pub is_multiple: bool,
}

impl Literal {
    /// Returns the integer 0.
    pub(super) fn zero(at: usize) -> Literal {
        let zero = Amount {
            at,
            of: AmountOf::Constant(0),
        };
        Literal {
            at,
            number: Some(Fraction {
                is_negative: false,
                numerator: zero,
                denominator: None,
            }),
            arrows: None,
            star: None,
        }
    }

    /// Returns the numbers in it.
    pub fn amounts(&self) -> impl Iterator<Item = Amount> {
        let number = self.number.into_iter();
        let number = number.flat_map(|number| [Some(number.numerator), number.denominator]);
        let arrows = self.arrows.and_then(|arrows| arrows.amount);
        number.chain([arrows, self.star]).flatten()
    }
}
