//! Fractions of two integers of 127 bits, with checked arithmetic.
//!
//! A [`Rational`] is in lowest terms with a positive denominator, so that equal numbers have equal
//! fields. The dyadic numbers of values have a type of their own; rationals are the coefficients of
//! laws.

use std::fmt;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational {
        numerator: 0,
        denominator: 1,
    };

    /// The number 1.
    pub const ONE: Rational = Rational {
        numerator: 1,
        denominator: 1,
    };

    /// Returns a fraction, or `None` if the denominator is 0 or a part takes more than 127 bits.
    ///
    /// ```
    /// use cglaws::Rational;
    ///
    /// assert_eq!(Rational::new(6, -4).map(|x| x.to_string()).as_deref(), Some("-3/2"));
    /// assert_eq!(Rational::new(1, 0), None);
    /// ```
    pub fn new(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 0 {
            return None;
        }
        let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = gcd(above, below);
        let above = i128::try_from(above / common).ok()?;
        Some(Rational {
            numerator: if (numerator < 0) == (denominator < 0) {
                above
            } else {
                -above
            },
            denominator: i128::try_from(below / common).ok()?,
        })
    }

    /// Returns an integer, or `None` if it takes more than 127 bits.
    pub fn integer(n: i128) -> Option<Rational> {
        Rational::new(n, 1)
    }

    /// Returns the numerator, which carries the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns the number if it is an integer.
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Returns the sum, if it fits.
    pub fn checked_add(self, other: Rational) -> Option<Rational> {
        let common = gcd(
            self.denominator.unsigned_abs(),
            other.denominator.unsigned_abs(),
        );
        let common = i128::try_from(common).ok()?;
        let (left, right) = (other.denominator / common, self.denominator / common);
        let numerator = self
            .numerator
            .checked_mul(left)?
            .checked_add(other.numerator.checked_mul(right)?)?;
        Rational::new(numerator, self.denominator.checked_mul(left)?)
    }

    /// Returns the difference, if it fits.
    pub fn checked_sub(self, other: Rational) -> Option<Rational> {
        self.checked_add(Rational {
            numerator: -other.numerator,
            ..other
        })
    }

    /// Returns the product, if it fits.
    pub fn checked_mul(self, other: Rational) -> Option<Rational> {
        // Reduced crosswise first, the products are in lowest terms and as small as possible.
        let left = Rational::new(self.numerator, other.denominator)?;
        let right = Rational::new(other.numerator, self.denominator)?;
        Some(Rational {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// Returns the quotient, or `None` if the divisor is 0 or it does not fit.
    pub fn checked_div(self, other: Rational) -> Option<Rational> {
        self.checked_mul(Rational::new(other.denominator, other.numerator)?)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// Returns the greatest common divisor.
pub(super) fn gcd(a: u128, b: u128) -> u128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// Returns the least common multiple of positive integers, if it fits.
pub(super) fn least_common_multiple(a: i128, b: i128) -> Option<i128> {
    let common = i128::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
    a.checked_mul(b / common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_agrees_with_cross_multiplication() {
        let small = -6..=6i128;
        for (a, b, c, d) in small.clone().flat_map(|a| {
            let rest = (1..=6).flat_map(move |b| (-6..=6).map(move |c| (a, b, c)));
            rest.flat_map(|(a, b, c)| (1..=6).map(move |d| (a, b, c, d)))
        }) {
            let (x, y) = (Rational::new(a, b).unwrap(), Rational::new(c, d).unwrap());
            assert_eq!(x.checked_add(y), Rational::new(a * d + c * b, b * d));
            assert_eq!(x.checked_sub(y), Rational::new(a * d - c * b, b * d));
            assert_eq!(x.checked_mul(y), Rational::new(a * c, b * d));
            assert_eq!(x.checked_div(y), Rational::new(a * d, b * c));
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let largest = Rational::integer(i128::MAX).unwrap();
        assert_eq!(Rational::integer(i128::MIN), None);
        assert_eq!(Rational::new(1, i128::MIN), None);
        assert_eq!(Rational::new(i128::MIN, i128::MIN), Some(Rational::ONE));
        assert_eq!(largest.checked_add(Rational::ONE), None);
        assert_eq!(largest.checked_mul(largest), None);
        assert_eq!(largest.checked_div(largest), Some(Rational::ONE));
    }
}
