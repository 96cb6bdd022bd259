//! Dyadic rationals: the numbers that short games can equal, and their stops, means and
//! temperatures.
//!
//! They are always in lowest terms, so equality is structural. Arithmetic is exact and never
//! rounds. For a result beyond 127 bits the `checked_` methods return `None` and the operators
//! panic, as those of integers do.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

use thiserror::Error;

/// The largest exponent of the denominator of a game's number, in forms, texts and simplest numbers.
pub(crate) const EXPONENT_MAX: u32 = 126;

/// A number `numerator / 2^exponent` in lowest terms.
///
/// ```
/// use cgvalues::Dyadic;
///
/// let three_quarters: Dyadic = "3/4".parse()?;
/// assert_eq!((three_quarters + Dyadic::new(1, 2)).to_string(), "1");
/// assert!(three_quarters < Dyadic::ONE);
/// # Ok::<(), cgvalues::ParseDyadicError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i128,
    exponent: u32,
}

/// The error for a text that is not a dyadic rational within range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no dyadic rational, or has more than 63 bits; write an integer or a fraction over 2^n, such as -3/8"
)]
pub struct ParseDyadicError(pub String);

impl Dyadic {
    /// The number 0.
    pub const ZERO: Dyadic = Dyadic::integer(0);
    /// The number 1.
    pub const ONE: Dyadic = Dyadic::integer(1);

    /// Returns `numerator / 2^exponent`, brought to lowest terms.
    pub const fn new(numerator: i128, exponent: u32) -> Dyadic {
        if numerator == 0 {
            return Dyadic {
                numerator,
                exponent: 0,
            };
        }
        let twos = numerator.trailing_zeros();
        let shift = if twos < exponent { twos } else { exponent };
        Dyadic {
            numerator: numerator >> shift,
            exponent: exponent - shift,
        }
    }

    /// Returns the integer `n`.
    pub const fn integer(n: i64) -> Dyadic {
        Dyadic {
            numerator: n as i128,
            exponent: 0,
        }
    }

    /// Returns the numerator in lowest terms.
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the binary logarithm of the denominator in lowest terms.
    pub const fn exponent(self) -> u32 {
        self.exponent
    }

    /// Returns the number as an integer if it is one.
    pub fn to_integer(self) -> Option<i64> {
        if self.exponent == 0 {
            i64::try_from(self.numerator).ok()
        } else {
            None
        }
    }

    /// Returns the number as a float if a float represents it exactly.
    pub fn to_f64_exact(self) -> Option<f64> {
        let odd = self.numerator >> self.numerator.trailing_zeros().min(127);
        if odd.unsigned_abs() >= 1 << 53 || self.exponent > 1000 {
            return None;
        }
        let numerator = match i64::try_from(self.numerator) {
            Ok(numerator) => numerator as f64,
            Err(_) => self.numerator as f64,
        };
        // 2^-exponent, a normal float.
        let unit = f64::from_bits(u64::from(1023 - self.exponent) << 52);
        Some(numerator * unit)
    }

    /// Returns half the number.
    pub fn half(self) -> Dyadic {
        Dyadic::new(self.numerator, self.exponent + 1)
    }

    /// Returns the sum, or `None` beyond 127 bits.
    pub fn checked_add(self, other: Dyadic) -> Option<Dyadic> {
        let exponent = self.exponent.max(other.exponent);
        let (a, b) = if exponent == 0 {
            (self.numerator, other.numerator)
        } else {
            (
                shl(self.numerator, exponent - self.exponent)?,
                shl(other.numerator, exponent - other.exponent)?,
            )
        };
        let numerator = a.checked_add(b)?;
        // Every number has a negative.
        (numerator > i128::MIN).then(|| Dyadic::new(numerator, exponent))
    }

    /// Returns the product, or `None` beyond 127 bits.
    pub fn checked_mul(self, other: Dyadic) -> Option<Dyadic> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        // Every number has a negative.
        let exponent = self.exponent.checked_add(other.exponent)?;
        (numerator > i128::MIN).then(|| Dyadic::new(numerator, exponent))
    }

    /// Returns the greatest integer not above the number.
    pub fn floor(self) -> i128 {
        self.numerator >> self.exponent.min(127)
    }

    /// Returns the simplest number strictly between two numbers, `None` standing for no bound.
    ///
    /// Simplest means born first: the integer of least size if there is one, else the fraction with
    /// the smallest denominator (Winning Ways, chapter 2). An end is allowed as a result where
    /// its flag says so. There is no result if the interval is empty, or if none of its numbers has a
    /// numerator of at most 127 bits and a denominator of at most 2^126.
    ///
    /// ```
    /// use cgvalues::Dyadic;
    ///
    /// let (low, high) = ("1/2".parse()?, "5/8".parse()?);
    /// let simplest = |low, high| Dyadic::simplest_between(Some(low), false, Some(high), false);
    /// assert_eq!(simplest(low, high), Some(Dyadic::new(9, 4)));
    /// assert_eq!(simplest(Dyadic::ZERO, Dyadic::new(1, 126)), None);
    /// # Ok::<(), cgvalues::ParseDyadicError>(())
    /// ```
    pub fn simplest_between(
        low: Option<Dyadic>,
        low_allowed: bool,
        high: Option<Dyadic>,
        high_allowed: bool,
    ) -> Option<Dyadic> {
        let inside = |x: Dyadic| {
            low.is_none_or(|low| low < x || (low_allowed && low == x))
                && high.is_none_or(|high| x < high || (high_allowed && high == x))
        };
        if inside(Dyadic::ZERO) {
            return Some(Dyadic::ZERO);
        }
        // Zero lies outside, so the end on its side of the interval is the one nearest to zero.
        let negative = high.is_some_and(|high| high <= Dyadic::ZERO);
        let near = if negative { high.map(Neg::neg) } else { low };
        let near = near.unwrap_or(Dyadic::ZERO);
        for exponent in 0..=EXPONENT_MAX {
            // The least multiples of 2^-exponent that are not below the near end.
            let first = ceil_scaled(near, exponent)?;
            for multiple in [first, first.checked_add(1)?] {
                let size = Dyadic::new(multiple, exponent);
                let candidate = if negative { -size } else { size };
                if inside(candidate) {
                    return Some(candidate);
                }
            }
        }
        None
    }
}

/// Returns the ceiling of `x * 2^exponent`, or `None` beyond 127 bits.
fn ceil_scaled(x: Dyadic, exponent: u32) -> Option<i128> {
    if exponent >= x.exponent {
        shl(x.numerator, exponent - x.exponent)
    } else {
        let shift = x.exponent - exponent;
        Some(-((-x.numerator) >> shift.min(127)))
    }
}

/// Returns `n * 2^shift`, or `None` where that overflows.
fn shl(n: i128, shift: u32) -> Option<i128> {
    if n == 0 {
        return Some(0);
    }
    if shift >= n.unsigned_abs().leading_zeros() {
        None
    } else {
        Some(n << shift)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        let exponent = self.exponent.max(other.exponent);
        let a = shl(self.numerator, exponent - self.exponent);
        let b = shl(other.numerator, exponent - other.exponent);
        match (a, b) {
            (Some(a), Some(b)) => a.cmp(&b),
            // Only one of the two is shifted, and it is the larger in size when that overflows.
            (None, _) => self.numerator.cmp(&0),
            (_, None) => 0.cmp(&other.numerator),
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Dyadic {
    type Output = Dyadic;

    fn add(self, other: Dyadic) -> Dyadic {
        self.checked_add(other)
            .expect("a sum of dyadics stays within 127 bits")
    }
}

impl Sub for Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Dyadic) -> Dyadic {
        self + -other
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_integer(self.numerator, f)?;
        match self.exponent {
            0 => Ok(()),
            exponent @ 1..=EXPONENT_MAX => {
                f.write_char('/')?;
                write_integer(1 << exponent, f)
            }
            exponent => write!(f, "/2^{exponent}"),
        }
    }
}

fn write_integer(integer: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // PERF: writing a character costs a fraction of formatting a number.
    match integer {
        -9..=9 => {
            if integer < 0 {
                f.write_char('-')?;
            }
            f.write_char(char::from(b'0' + integer.unsigned_abs() as u8))
        }
        _ => write!(f, "{integer}"),
    }
}

impl FromStr for Dyadic {
    type Err = ParseDyadicError;

    fn from_str(text: &str) -> Result<Dyadic, ParseDyadicError> {
        let error = || ParseDyadicError(text.to_owned());
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let numerator: i64 = numerator.trim().parse().map_err(|_| error())?;
        let denominator: u64 = denominator.trim().parse().map_err(|_| error())?;
        if !denominator.is_power_of_two() {
            return Err(error());
        }
        Ok(Dyadic::new(
            i128::from(numerator),
            denominator.trailing_zeros(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Dyadic {
        text.parse().unwrap()
    }

    #[test]
    fn lowest_terms_are_unique() {
        assert_eq!(Dyadic::new(4, 3), Dyadic::new(1, 1));
        assert_eq!(Dyadic::new(0, 9), Dyadic::ZERO);
        assert_eq!(d("6/4").to_string(), "3/2");
        assert_eq!(d("-8/4").to_string(), "-2");
    }

    #[test]
    fn order_and_sum_agree_with_fractions_over_a_common_denominator() {
        for a in -40i128..40 {
            for b in -40i128..40 {
                for (ea, eb) in [(0, 0), (3, 1), (2, 5)] {
                    let (x, y) = (Dyadic::new(a, ea), Dyadic::new(b, eb));
                    let (p, q) = (a << (8 - ea), b << (8 - eb));
                    assert_eq!(x.cmp(&y), p.cmp(&q));
                    assert_eq!(x + y, Dyadic::new(p + q, 8));
                    assert_eq!(x - y, Dyadic::new(p - q, 8));
                }
            }
        }
    }

    #[test]
    fn products_agree_with_fractions_in_lowest_terms() {
        for (a, b, product) in [
            ("3/4", "-2/1", "-3/2"),
            ("5/8", "7/2", "35/16"),
            ("0", "-1/2", "0"),
            ("6", "1/4", "3/2"),
        ] {
            assert_eq!(d(a).checked_mul(d(b)), Some(d(product)));
            assert_eq!(d(b).checked_mul(d(a)), Some(d(product)));
        }
        let large = Dyadic::new(1 << 64, 0);
        assert_eq!(large.checked_mul(large), None);
    }

    #[test]
    fn order_holds_where_scaling_overflows() {
        let tiny = Dyadic::new(1, 126);
        let huge = Dyadic::new(1 << 100, 0);
        let ascending = [-huge, -tiny, tiny, huge];
        assert!(ascending.is_sorted_by(|a, b| a < b));
        assert_eq!(huge.checked_add(tiny), None);
    }

    /// The simplest number by birthday: integers by size, then denominators in turn.
    #[test]
    fn simplest_number_is_the_one_born_first() {
        let born = |x: Dyadic| {
            let integer_part = if x < Dyadic::ZERO { -x } else { x };
            (integer_part.floor() + i128::from(x.exponent() > 0)) + i128::from(x.exponent())
        };
        for low in -24i128..24 {
            for high in low..24 {
                for (low_allowed, high_allowed) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    let (low, high) = (Dyadic::new(low, 3), Dyadic::new(high, 3));
                    let all: Vec<Dyadic> = (-60..60)
                        .map(|n| Dyadic::new(n, 4))
                        .filter(|&x| low < x || (low_allowed && low == x))
                        .filter(|&x| x < high || (high_allowed && high == x))
                        .collect();
                    let Some(&best) = all.iter().min_by_key(|&&x| born(x)) else {
                        continue;
                    };
                    let found =
                        Dyadic::simplest_between(Some(low), low_allowed, Some(high), high_allowed);
                    assert_eq!(found, Some(best), "between {low} and {high}");
                }
            }
        }
        assert_eq!(
            Dyadic::simplest_between(Some(d("5/2")), false, None, false),
            Some(d("3"))
        );
        assert_eq!(
            Dyadic::simplest_between(None, false, Some(d("-3")), false),
            Some(d("-4"))
        );
        assert_eq!(
            Dyadic::simplest_between(None, false, None, false),
            Some(d("0"))
        );
    }

    #[test]
    fn numbers_beyond_127_bits_are_no_results() {
        let between = |low: Dyadic, high: Dyadic| {
            let simplest =
                |low, high| Dyadic::simplest_between(Some(low), false, Some(high), false);
            let found = simplest(low, high);
            assert_eq!(simplest(-high, -low), found.map(Neg::neg));
            found
        };
        let finest = Dyadic::new(1, 126);
        assert_eq!(between(Dyadic::ZERO, Dyadic::new(1, 125)), Some(finest));
        assert_eq!(between(Dyadic::ZERO, finest), None);
        assert_eq!(between(Dyadic::ONE, Dyadic::new((1 << 126) + 1, 126)), None);
        let largest = Dyadic::new(i128::MAX, 0);
        assert_eq!(
            Dyadic::simplest_between(Some(largest), false, None, false),
            None
        );
        assert_eq!(between(Dyadic::new(i128::MAX - 1, 0), largest), None);
        // An empty interval.
        assert_eq!(between(Dyadic::ONE, Dyadic::ONE), None);
        assert_eq!(between(Dyadic::ONE, Dyadic::ZERO), None);
        let lowest = -Dyadic::new(1 << 126, 0);
        assert_eq!(lowest.checked_add(lowest), None);
        assert_eq!(
            lowest.checked_add(-Dyadic::ONE).map(Neg::neg),
            Some(Dyadic::new((1 << 126) + 1, 0))
        );
    }

    #[test]
    fn floats_are_exact_or_nothing() {
        assert_eq!(d("-7/4").to_f64_exact(), Some(-1.75));
        assert_eq!(Dyadic::new((1 << 60) + 1, 2).to_f64_exact(), None);
    }

    #[test]
    fn what_is_no_dyadic_is_refused() {
        for text in [
            "",
            "x",
            "1/3",
            "1/0",
            "1/-2",
            "1//2",
            "99999999999999999999",
        ] {
            assert!(text.parse::<Dyadic>().is_err(), "{text}");
        }
    }
}
