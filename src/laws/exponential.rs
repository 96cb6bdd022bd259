//! Polynomials in n times a power of an integer.

use super::rational::{Rational, gcd, least_common_multiple};
use super::sums::{Writing, power, product, shifted, sum};

/// The number `polynomial(n) base^(n + shift) / divisor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exponential {
    /// Not 0.
    pub(super) base: i128,
    /// 0 for the bases 1 and -1.
    shift: i64,
    /// The coefficients, of 127 bits, the constant first; the last is not 0.
    polynomial: Vec<i128>,
    /// Positive.
    pub(super) divisor: i128,
}

impl Exponential {
    /// Returns the number `polynomial(n) base^(n - begin)` in the form that is easiest to read,
    /// whatever `begin` is. Factors of the base go to its exponent, so that 1/2 2^n is `2^(n-1)`,
    /// but 1/2 4^n is `4^n/2`.
    pub(super) fn new(base: i128, polynomial: &[Rational], begin: i64) -> Option<Exponential> {
        let mut divisors = polynomial.iter().map(|x| x.denominator());
        let divisor = divisors.try_fold(1, least_common_multiple)?;
        let numerators = polynomial.iter();
        let numerators = numerators.map(|x| times(x.numerator(), divisor / x.denominator()));
        let mut term = Exponential {
            base,
            shift: begin.checked_neg()?,
            polynomial: numerators.collect::<Option<_>>()?,
            divisor,
        };
        if base.abs() == 1 {
            term.shift = 0;
            let is_odd = begin % 2 != 0;
            return term.multiplied(if is_odd { base } else { 1 });
        }
        loop {
            let common = gcd(term.divisor.unsigned_abs(), base.unsigned_abs());
            // It divides the divisor, which is positive.
            let common = common as i128;
            if common == 1 {
                break;
            }
            term.divisor /= common;
            term.shift = term.shift.checked_sub(1)?;
            term = term.multiplied(base / common)?;
        }
        term = term.raised()?;
        let (content, _) = term.primitive();
        let common = gcd(content.unsigned_abs(), base.unsigned_abs()) as i128;
        if term.shift == -1 && common > 1 {
            term.polynomial.iter_mut().for_each(|x| *x /= common);
            term.divisor = times(term.divisor, base.abs() / common)?;
            term.shift = 0;
            term = term.multiplied(base.signum())?;
        }
        Some(term)
    }

    /// Returns the numerator over a multiple of the divisor, with factors of the base in its
    /// exponent.
    pub(super) fn over(self, multiple: i128) -> Option<Exponential> {
        let scale = multiple / self.divisor;
        let mut term = self.multiplied(scale)?.raised()?;
        term.divisor = multiple;
        Some(term)
    }

    /// Returns the number at n, if it fits.
    pub(super) fn at(&self, n: i64) -> Option<Rational> {
        let mut coefficients = self.polynomial.iter().rev();
        let factor = coefficients.try_fold(0i128, |value, coefficient| {
            value.checked_mul(n.into())?.checked_add(*coefficient)
        })?;
        if factor == 0 {
            return Some(Rational::ZERO);
        }
        let exponent = n.checked_add(self.shift)?;
        let size = match self.base.abs() {
            1 => exponent.unsigned_abs() % 2,
            _ => exponent.unsigned_abs(),
        };
        let power = self.base.checked_pow(u32::try_from(size).ok()?)?;
        let power = if exponent < 0 {
            Rational::new(1, power)?
        } else {
            Rational::integer(power)?
        };
        Rational::new(factor, self.divisor)?.checked_mul(power)
    }

    /// Returns the summands above the divisor, each with its coefficient: those of a polynomial, or
    /// a product with the power.
    pub(super) fn summands(&self, name: &str, writing: Writing) -> Vec<(i128, String)> {
        let powers = |polynomial: &[i128]| {
            let terms = polynomial.iter().copied().enumerate().rev();
            let terms = terms.filter(|(_, coefficient)| *coefficient != 0);
            let terms = terms.map(|(exponent, coefficient)| match exponent {
                0 => (coefficient, String::new()),
                _ => (coefficient, power(name, &exponent.to_string(), writing)),
            });
            terms.collect::<Vec<(i128, String)>>()
        };
        if self.base == 1 {
            return powers(&self.polynomial);
        }
        let base = if self.base < 0 {
            format!("({})", self.base)
        } else {
            self.base.to_string()
        };
        let exponential = power(&base, &shifted(name, self.shift.into()), writing);
        let (content, primitive) = self.primitive();
        let powers = powers(&primitive);
        let is_sum = powers.len() > 1;
        let text = match (primitive.len(), sum(powers, writing)) {
            (1, _) => exponential,
            (_, text) if is_sum => product(&format!("({text})"), &exponential, writing),
            (_, text) => product(&text, &exponential, writing),
        };
        vec![(content, text)]
    }

    /// Returns the greatest common divisor of the coefficients, with the sign of the last one, and
    /// the quotient polynomial.
    fn primitive(&self) -> (i128, Vec<i128>) {
        let sizes = self.polynomial.iter().map(|x| x.unsigned_abs());
        // The coefficients have at most 127 bits, and so has their divisor.
        let content = sizes.fold(0, gcd) as i128;
        let is_negative = self.polynomial.last().is_some_and(|x| *x < 0);
        let content = if is_negative { -content } else { content };
        let polynomial = self.polynomial.iter().map(|x| x / content);
        (content, polynomial.collect())
    }

    /// Moves factors of the base from the coefficients to the exponent.
    fn raised(mut self) -> Option<Exponential> {
        while self.base.abs() > 1 && self.polynomial.iter().all(|x| x % self.base == 0) {
            self.polynomial.iter_mut().for_each(|x| *x /= self.base);
            self.shift = self.shift.checked_add(1)?;
        }
        Some(self)
    }

    /// Returns the number with all coefficients multiplied, if they fit.
    fn multiplied(mut self, scale: i128) -> Option<Exponential> {
        for x in &mut self.polynomial {
            *x = times(*x, scale)?;
        }
        Some(self)
    }
}

/// Returns a product of 127 bits, whose negative fits as well.
fn times(a: i128, b: i128) -> Option<i128> {
    a.checked_mul(b).filter(|product| *product != i128::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way_wherever_it_begins() {
        for (base, above, below, text) in [
            (2, 1, 2, "2^(n-1)"),
            (2, 12, 1, "3*2^(n+2)"),
            (4, 1, 2, "4^n/2"),
            (4, 3, 8, "6*4^(n-2)"),
            (-2, 1, 2, "-(-2)^(n-1)"),
            (-4, 3, 2, "3*(-4)^n/2"),
            (6, 1, 9, "4*6^(n-2)"),
            (-1, 5, 3, "5*(-1)^n/3"),
        ] {
            for begin in -9..=9i64 {
                let power = Rational::integer(i128::from(base).pow(begin.unsigned_abs() as u32));
                let mut factor = Rational::new(above, below).unwrap();
                factor = if begin < 0 {
                    factor.checked_div(power.unwrap()).unwrap()
                } else {
                    factor.checked_mul(power.unwrap()).unwrap()
                };
                let term = Exponential::new(base.into(), &[factor], begin).unwrap();
                let summands = term.summands("n", Writing::Compact);
                let mut written = sum(summands, Writing::Compact);
                if term.divisor > 1 {
                    written += &format!("/{}", term.divisor);
                }
                assert_eq!(written, text, "{begin}");
                assert_eq!(term.at(0), Rational::new(above, below));
            }
        }
    }
}
