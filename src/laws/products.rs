//! Integers that are products of powers, whose exponents are polynomials in the variables.
//!
//! Every entry is factored. A law has a polynomial of degree at most three for each prime: the
//! exponent of the prime. The polynomials are found on the first two thirds of each variable's
//! range, where they must fit at least two entries more than determine them. They must hold on all
//! others. The law must save [bits](super::bits): the cost of the entries, written the cheapest way
//! without it, minus its primes and coefficients. It must also save some bits if entries that do
//! not depend on a variable count once.
//!
//! Powers such as 2^(m^2+m) satisfy no linear recurrence, since they grow too fast. Those with
//! linear exponents in one variable do, and are left to [`recurrences`](super::recurrences).

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, independent, of_integer};
use super::column::is_for_finding;
use super::rational::{Rational, least_common_multiple};
use super::sought::Sought;
use super::sums::{Writing, power};
use super::targets::cost;

/// The greatest prime of a law.
const PRIME_MAX: i128 = 97;

/// The greatest degree of an exponent.
const DEGREE_MAX: u32 = 3;

/// The number of entries that must fit beyond those that determine a polynomial.
const MORE_LEAST: usize = 2;

/// The most entries.
const ENTRIES_MAX: usize = 4096;

/// A product of powers.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The bases with their exponents. The constant factor, if it is not 1, has exponent 1.
    factors: Vec<(i128, Polynomial)>,
    /// The number of entries held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

/// A polynomial in some variables.
#[derive(Clone, Debug, PartialEq)]
struct Polynomial {
    /// The monomials, each as the exponents of the variables and its coefficient; the greatest
    /// degree comes first.
    terms: Vec<(Vec<u32>, Rational)>,
}

/// Returns the product of powers that gives all entries.
///
/// Cost: O(entries primes) and O(entries monomials^2) for each prime.
///
/// ```
/// use cglaws::{Sought, product};
///
/// let places: Vec<[i64; 1]> = (1..=10).map(|m| [m]).collect();
/// let entries = places.iter().map(|at| (&at[..], 3 << (at[0] * at[0] + at[0])));
/// let Sought::Found(found) = product(&entries.collect::<Vec<_>>()) else { panic!("none") };
/// assert_eq!(found.text(&["m".to_owned()]), "3*2^(m^2+m)");
/// assert_eq!((found.at(&[10]), found.tested), (Some(3 << 110), 3));
/// ```
pub fn product(cells: &[(&[i64], i128)]) -> Sought<Product> {
    let Some((first, _)) = cells.first() else {
        return Sought::None;
    };
    if cells.len() > ENTRIES_MAX || cells.iter().any(|(_, entry)| *entry <= 0) {
        return Sought::None;
    }
    let Some(primes) = exponents(cells) else {
        return Sought::None;
    };
    let range = |i: usize| {
        let numbers = || cells.iter().map(|(at, _)| at[i]);
        (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
    };
    let ranges: Vec<(i64, i64)> = (0..first.len()).map(range).collect();
    let is_found_on = |at: &[i64]| is_for_finding(at, &ranges);
    let mut factors: Vec<(i128, Polynomial)> = Vec::new();
    let mut written = 0.0;
    for (prime, exponents) in primes {
        let places = cells.iter().map(|(at, _)| *at).zip(exponents);
        let places: Vec<(&[i64], i128)> = places.filter(|(at, _)| is_found_on(at)).collect();
        let fitting = (0..=DEGREE_MAX).find_map(|degree| Polynomial::through(&places, degree));
        let Some(exponent) = fitting else {
            return Sought::None;
        };
        written += of_integer(prime) + exponent.bits();
        enter(&mut factors, prime, exponent);
    }
    let (found_on, rest): (Vec<_>, Vec<_>) =
        (cells.iter().copied()).partition(|(at, _)| is_found_on(at));
    let saved = |entries: Vec<i128>| cost(&entries) - written;
    let found = Product {
        factors,
        tested: rest.len(),
        bits: saved(cells.iter().map(|(_, entry)| *entry).collect()),
    };
    let gives = |(at, entry): &(&[i64], i128)| found.at(at) == Some(*entry);
    let new = saved(independent(cells).map(|(_, entry)| entry).collect());
    let is_enough = found.bits >= BITS_LEAST && new >= INDEPENDENT_BITS_LEAST;
    if !is_enough || rest.is_empty() || !found_on.iter().all(gives) {
        return Sought::None;
    }
    if rest.iter().all(gives) {
        Sought::Found(found)
    } else {
        Sought::Failed(found)
    }
}

/// Returns the primes that divide entries, each with its exponents; `None` if one is too large.
fn exponents(cells: &[(&[i64], i128)]) -> Option<Vec<(i128, Vec<i128>)>> {
    let mut left: Vec<i128> = cells.iter().map(|(_, entry)| *entry).collect();
    let mut primes = Vec::new();
    for divisor in 2..=PRIME_MAX {
        // The remaining cofactors have no factor below the divisor, so a composite divisor divides
        // nothing.
        let exponents = left.iter_mut().map(|entry| {
            let mut times = 0;
            while *entry % divisor == 0 {
                *entry /= divisor;
                times += 1;
            }
            times
        });
        let exponents: Vec<i128> = exponents.collect();
        if exponents.iter().any(|&times| times > 0) {
            primes.push((divisor, exponents));
        }
    }
    left.iter().all(|&entry| entry == 1).then_some(primes)
}

/// Adds a factor: powers with equal exponents become a power of the product, and constant ones a
/// constant.
fn enter(factors: &mut Vec<(i128, Polynomial)>, prime: i128, exponent: Polynomial) {
    let constant = exponent.constant();
    let (base, exponent) = match constant {
        // It divides every entry, so it fits.
        Some(times) => (
            u32::try_from(times).map_or(1, |times| prime.saturating_pow(times)),
            Polynomial::one(),
        ),
        None => (prime, exponent),
    };
    match factors.iter_mut().find(|(_, other)| *other == exponent) {
        Some((known, _)) => *known = known.saturating_mul(base),
        // The constant comes first.
        None if constant.is_some() => factors.insert(0, (base, exponent)),
        None => factors.push((base, exponent)),
    }
}

impl Product {
    /// Returns the entry at a place; `None` if it takes more than 127 bits or is no integer.
    pub fn at(&self, at: &[i64]) -> Option<i128> {
        self.factors
            .iter()
            .try_fold(1i128, |product, (base, exponent)| {
                let exponent = exponent.at(at)?.to_integer()?;
                product.checked_mul(base.checked_pow(u32::try_from(exponent).ok()?)?)
            })
    }

    /// Writes the product in some variables.
    pub fn text(&self, variables: &[String]) -> String {
        let factors = self.factors.iter().map(|(base, exponent)| {
            let exponent = exponent.text(variables);
            power(&base.to_string(), &exponent, Writing::Compact)
        });
        if self.factors.is_empty() {
            "1".to_owned()
        } else {
            factors.collect::<Vec<String>>().join("*")
        }
    }
}

impl Polynomial {
    fn one() -> Polynomial {
        Polynomial {
            terms: vec![(Vec::new(), Rational::ONE)],
        }
    }

    /// Returns the polynomial of at most this degree through some values, if there are more values
    /// than determine it.
    fn through(places: &[(&[i64], i128)], degree: u32) -> Option<Polynomial> {
        let monomials = monomials(places.first()?.0.len(), degree);
        if places.len() < monomials.len() + MORE_LEAST {
            return None;
        }
        let row = |(at, value): &(&[i64], i128)| {
            let terms = monomials.iter().map(|degrees| monomial(degrees, at));
            let mut row: Vec<Rational> = terms.collect::<Option<_>>()?;
            row.push(Rational::integer(*value)?);
            Some(row)
        };
        let rows: Vec<Vec<Rational>> = places.iter().map(row).collect::<Option<_>>()?;
        let coefficients = solution(rows, monomials.len())?;
        let mut terms: Vec<(Vec<u32>, Rational)> =
            monomials.into_iter().zip(coefficients).collect();
        terms.retain(|(_, coefficient)| *coefficient != Rational::ZERO);
        Some(Polynomial { terms })
    }

    fn at(&self, at: &[i64]) -> Option<Rational> {
        self.terms
            .iter()
            .try_fold(Rational::ZERO, |value, (degrees, coefficient)| {
                value.checked_add(coefficient.checked_mul(monomial(degrees, at)?)?)
            })
    }

    /// Returns the value if the polynomial is a constant integer.
    fn constant(&self) -> Option<i128> {
        match &self.terms[..] {
            [] => Some(0),
            [(degrees, coefficient)] if degrees.iter().all(|&degree| degree == 0) => {
                coefficient.to_integer()
            }
            _ => None,
        }
    }

    /// Returns the bits of the degree and of all coefficients, including zeros.
    fn bits(&self) -> f64 {
        let degree = |(degrees, _): &(Vec<u32>, Rational)| degrees.iter().sum::<u32>();
        let degree_max = self.terms.iter().map(degree).max().unwrap_or(0);
        let variables = self.terms.first().map_or(0, |(degrees, _)| degrees.len());
        let zeros = monomials(variables, degree_max).len() - self.terms.len();
        let coefficients = self.terms.iter().map(|(_, coefficient)| {
            of_integer(coefficient.numerator()) + of_integer(coefficient.denominator() - 1) - 1.0
        });
        2.0 + f64::from(degree_max) + 2.0 * zeros as f64 + coefficients.sum::<f64>()
    }

    fn text(&self, variables: &[String]) -> String {
        let mut denominators = self
            .terms
            .iter()
            .map(|(_, coefficient)| coefficient.denominator());
        let divisor = denominators.try_fold(1, least_common_multiple);
        let divisor = divisor.unwrap_or(1);
        let terms = self.terms.iter().map(|(degrees, coefficient)| {
            let powers = variables
                .iter()
                .zip(degrees)
                .filter(|(_, degree)| **degree > 0);
            let powers =
                powers.map(|(name, degree)| power(name, &degree.to_string(), Writing::Compact));
            let coefficient = coefficient.numerator() * (divisor / coefficient.denominator());
            (coefficient, powers.collect::<Vec<String>>().join("*"))
        });
        let mut text = String::new();
        // Multiples are written 2m, as in all laws.
        for (coefficient, factor) in terms {
            text += match (coefficient < 0, text.is_empty()) {
                (true, _) => "-",
                (false, true) => "",
                (false, false) => "+",
            };
            match (coefficient.unsigned_abs(), factor.is_empty()) {
                (1, false) => text += &factor,
                (size, _) => text += &format!("{size}{factor}"),
            }
        }
        match divisor {
            1 => text,
            _ if self.terms.len() == 1 => format!("{text}/{divisor}"),
            _ => format!("({text})/{divisor}"),
        }
    }
}

/// Returns the exponents of all monomials up to a degree, the greatest degree first.
fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        let longer = |degrees: Vec<u32>| {
            let left = degree - degrees.iter().sum::<u32>();
            (0..=left)
                .rev()
                .map(move |more| [&degrees[..], &[more]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.sort_by_key(|degrees| std::cmp::Reverse(degrees.iter().sum::<u32>()));
    all
}

fn monomial(degrees: &[u32], at: &[i64]) -> Option<Rational> {
    let mut powers = degrees.iter().zip(at);
    let value = powers.try_fold(1i128, |value, (&degree, &at)| {
        value.checked_mul(i128::from(at).checked_pow(degree)?)
    });
    Rational::integer(value?)
}

/// Returns the unique solution of linear equations, whose right sides come last; `None` if there is
/// none or several.
fn solution(mut rows: Vec<Vec<Rational>>, unknowns: usize) -> Option<Vec<Rational>> {
    for unknown in 0..unknowns {
        let pivot = (unknown..rows.len()).find(|&row| rows[row][unknown] != Rational::ZERO)?;
        rows.swap(unknown, pivot);
        let factor = rows[unknown][unknown];
        for entry in &mut rows[unknown] {
            *entry = entry.checked_div(factor)?;
        }
        let pivot = rows[unknown].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[unknown];
            if place == unknown || factor == Rational::ZERO {
                continue;
            }
            for (entry, above) in row.iter_mut().zip(&pivot) {
                *entry = entry.checked_sub(above.checked_mul(factor)?)?;
            }
        }
    }
    let is_consistent = rows[unknowns..]
        .iter()
        .all(|row| row[unknowns] == Rational::ZERO);
    is_consistent.then(|| rows[..unknowns].iter().map(|row| row[unknowns]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(places: &[Vec<i64>], of: impl Fn(&[i64]) -> i128) -> Sought<Product> {
        let cells: Vec<(&[i64], i128)> = places.iter().map(|at| (&at[..], of(at))).collect();
        product(&cells)
    }

    fn text(places: &[Vec<i64>], of: impl Fn(&[i64]) -> i128) -> String {
        let names: Vec<String> = ["m", "n"].map(str::to_owned).to_vec();
        match sought(places, of) {
            Sought::Found(found) => found.text(&names[..places[0].len()]),
            other => format!("{other:?}"),
        }
    }

    fn line(last: i64) -> Vec<Vec<i64>> {
        (1..=last).map(|m| vec![m]).collect()
    }

    fn grid(last: i64) -> Vec<Vec<i64>> {
        let rows = (1..=last).flat_map(|m| (1..=last).map(move |n| vec![m, n]));
        rows.collect()
    }

    #[test]
    fn powers_with_polynomial_exponents_are_found() {
        let two = |exponent: i64| 1i128 << exponent;
        assert_eq!(
            text(&line(10), |at| two(at[0] * at[0] + at[0])),
            "2^(m^2+m)"
        );
        assert_eq!(
            text(&line(14), |at| two(at[0] * (at[0] + 1) / 2)),
            "2^((m^2+m)/2)"
        );
        let mixed = |at: &[i64]| 5 * two(at[0] * at[0]) * 3i128.pow(at[0] as u32);
        assert_eq!(text(&line(9), mixed), "5*2^(m^2)*3^m");
        assert_eq!(
            text(&line(7), |at| 6i128.pow(at[0].pow(2) as u32)),
            "6^(m^2)"
        );
        let both = |at: &[i64]| two(at[0] * at[1]) * 3i128.pow(at[1] as u32);
        assert_eq!(text(&grid(7), both), "2^(m*n)*3^n");
    }

    #[test]
    fn other_integers_have_no_product() {
        let none = |places: &[Vec<i64>], of: &dyn Fn(&[i64]) -> i128| {
            assert_eq!(sought(places, of), Sought::None);
        };
        none(&line(16), &|at| (1 << at[0]) - 1);
        none(&line(16), &|at| i128::from(at[0]));
        // A recurrence covers this case.
        none(&line(16), &|at| 5 * 12i128.pow(at[0] as u32));
        none(&line(16), &|at| 101i128.pow(at[0] as u32 % 5));
        none(&line(16), &|_| 0);
        none(&line(4), &|at| 1 << (at[0] * at[0]));
        none(&[], &|_| 1);
        // The squares of the exponents fit on the first two thirds only.
        let broken = |at: &[i64]| 1i128 << (at[0] * at[0] - i64::from(at[0] == 11));
        assert!(matches!(sought(&line(11), broken), Sought::Failed(_)));
    }

    #[test]
    fn integers_at_random_have_no_product() {
        let mut generator = fastrand::Rng::with_seed(11);
        for _ in 0..3000 {
            let kinds = generator.usize(2..=8);
            let entries: Vec<i128> = (0..49)
                .map(|_| [1, 2, 4, 8, 3, 6, 12, 24][generator.usize(0..kinds)])
                .collect();
            let last = generator.i64(6..=49);
            let of_line = |at: &[i64]| entries[at[0] as usize - 1];
            assert!(!matches!(sought(&line(last), of_line), Sought::Found(_)));
            let of_grid = |at: &[i64]| entries[(7 * at[0] + at[1] - 8) as usize];
            assert!(!matches!(sought(&grid(7), of_grid), Sought::Found(_)));
        }
    }
}
