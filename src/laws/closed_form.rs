//! Closed forms of sequences with a linear recurrence.
//!
//! If every root of the characteristic polynomial is an integer, entry n is a sum of terms `p(n)
//! r^n`, one for each root r, where p is a polynomial with rational coefficients of a degree below
//! the multiplicity of r. The root 1 gives polynomials, and several roots give sums such as
//! `2^n-1`. Sequences with other roots, such as the Fibonacci numbers, have no closed form here.
//!
//! The coefficients come from the first entries by exact elimination. If an intermediate number
//! takes more than 127 bits, no closed form is returned, never a wrong one.
//!
//! Source: Stanley, *Enumerative Combinatorics* 1, theorem 4.1.1.

use std::cmp::Reverse;

use super::exponential::Exponential;
use super::generating_function::binomials;
use super::rational::{Rational, least_common_multiple};
use super::recurrences::Recurrence;
use super::sums::{Writing, sum, variable};

/// A sum of polynomials times powers of integers, over a common divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedForm {
    /// The first place that it gives.
    pub from: i64,
    /// The terms, ordered by the size of the base, the greatest first.
    terms: Vec<Exponential>,
    /// The divisor of every term; it is positive.
    divisor: i128,
}

impl Recurrence {
    /// Returns the closed form, from the first entry that the recurrence uses. `first` has one
    /// entry for each coefficient, and `begin` is the place of the first of them. Returns `None` if
    /// there are fewer, if a root is no integer of at most 1024, or if a number does not fit.
    ///
    /// Cost: O(coefficients^3) operations on fractions.
    ///
    /// ```
    /// use cglaws::{Sought, recurrence};
    ///
    /// // 1, 3, 7, ... at n = 1, 2, 3, ...
    /// let entries: Vec<i128> = (1..20).map(|n| (1 << n) - 1).collect();
    /// let Sought::Found(found) = recurrence(&entries) else { panic!("none") };
    /// let begin = found.from - found.coefficients.len();
    /// let form = found.closed_form(&entries[begin..], 1 + begin as i64).expect("roots 1 and 2");
    /// assert_eq!(form.text("n"), "2^n-1");
    /// assert_eq!(form.at(100), Some((1 << 100) - 1));
    /// ```
    pub fn closed_form(&self, first: &[i128], begin: i64) -> Option<ClosedForm> {
        let order = self.coefficients.len();
        let first = first.get(..order)?;
        let (roots, rest) = binomials(&self.denominator(), 1);
        if rest.len() > 1 {
            return None;
        }
        let mut columns = Vec::with_capacity(order);
        for root in &roots {
            columns.extend(columns_of(root.root, root.times, order)?);
        }
        let mut solution = solved(&columns, first)?.into_iter();
        let mut terms = Vec::new();
        for root in &roots {
            let weights: Vec<Rational> = solution.by_ref().take(root.times).collect();
            let polynomial = polynomial_of(&weights, root.root, begin)?;
            if !polynomial.is_empty() {
                terms.push(Exponential::new(root.root, &polynomial, begin)?);
            }
        }
        terms.sort_by_key(|term| (Reverse(term.base.abs()), Reverse(term.base)));
        let divisor = terms.iter().try_fold(1, |divisor, term| {
            least_common_multiple(divisor, term.divisor)
        })?;
        let terms = terms.into_iter().map(|term| term.over(divisor));
        Some(ClosedForm {
            from: begin,
            terms: terms.collect::<Option<_>>()?,
            divisor,
        })
    }
}

impl ClosedForm {
    /// Returns the entry at a place, or `None` before `from` and if an intermediate number takes
    /// more than 127 bits.
    ///
    /// Cost: O(coefficients) multiplications, and O(log n) for each power.
    pub fn at(&self, n: i64) -> Option<i128> {
        if n < self.from {
            return None;
        }
        let mut terms = self.terms.iter();
        let sum = terms.try_fold(Rational::ZERO, |sum, term| sum.checked_add(term.at(n)?));
        sum?.to_integer()
    }

    /// Writes the form in a variable, as in `3*2^n-n-2` and `(n^2+n)/2`.
    pub fn text(&self, name: &str) -> String {
        let summands = self.summands(name, Writing::Compact);
        let is_sum = summands.len() > 1;
        let sum = sum(summands, Writing::Compact);
        match (self.divisor, is_sum) {
            (1, _) => sum,
            (divisor, false) => format!("{sum}/{divisor}"),
            (divisor, true) => format!("({sum})/{divisor}"),
        }
    }

    /// Writes the form as LaTeX mathematics.
    pub fn latex(&self, name: &str) -> String {
        let sum = sum(self.summands(name, Writing::Latex), Writing::Latex);
        match self.divisor {
            1 => sum,
            divisor => format!("\\frac{{{sum}}}{{{divisor}}}"),
        }
    }

    fn summands(&self, name: &str, writing: Writing) -> Vec<(i128, String)> {
        let name = variable(name, writing);
        let summands = self.terms.iter().map(|term| term.summands(&name, writing));
        summands.flatten().collect()
    }
}

/// Returns the sequences `C(i, j) root^(i - j)` for i below `order`, for each j below `times`.
///
/// They span the sequences with this root, and keep the numbers of the elimination small. For the
/// root 1 they are rows of Pascal's triangle, which is triangular already.
fn columns_of(root: i128, times: usize, order: usize) -> Option<Vec<Vec<i128>>> {
    let mut columns: Vec<Vec<i128>> = Vec::with_capacity(times);
    for j in 0..times {
        let mut column = vec![i128::from(j == 0)];
        for i in 1..order {
            let before = columns.last().map_or(0, |before| before[i - 1]);
            column.push(column[i - 1].checked_mul(root)?.checked_add(before)?);
        }
        columns.push(column);
    }
    Some(columns)
}

/// Returns the weights with which the columns sum to `sums`, by Gaussian elimination.
fn solved(columns: &[Vec<i128>], sums: &[i128]) -> Option<Vec<Rational>> {
    let order = sums.len();
    let row = |i: usize| {
        let row = columns.iter().map(|column| column[i]).chain([sums[i]]);
        row.map(Rational::integer)
            .collect::<Option<Vec<Rational>>>()
    };
    let mut rows: Vec<Vec<Rational>> = (0..order).map(row).collect::<Option<_>>()?;
    for i in 0..order {
        let pivot = (i..order).find(|&j| rows[j][i] != Rational::ZERO)?;
        rows.swap(i, pivot);
        let scale = rows[i][i];
        for x in &mut rows[i] {
            *x = x.checked_div(scale)?;
        }
        let pivot = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let scale = row[i];
            if scale != Rational::ZERO {
                for (x, &above) in row.iter_mut().zip(&pivot) {
                    *x = x.checked_sub(scale.checked_mul(above)?)?;
                }
            }
        }
    }
    Some(rows.iter().map(|row| row[order]).collect())
}

/// Returns the polynomial p in n with `p(n) root^(n - begin)` equal to the sum of `weights[j] C(n -
/// begin, j) root^(n - begin - j)`. The constant comes first; there are no leading zeros.
fn polynomial_of(weights: &[Rational], root: i128, begin: i64) -> Option<Vec<Rational>> {
    let mut sum = vec![Rational::ZERO; weights.len()];
    let mut basis = vec![Rational::ONE];
    for (j, &weight) in (0i128..).zip(weights) {
        for (x, y) in sum.iter_mut().zip(&basis) {
            *x = x.checked_add(weight.checked_mul(*y)?)?;
        }
        // The next factor is this one times (n - begin - j) / ((j + 1) root).
        let scale = Rational::new(1, root.checked_mul(j + 1)?)?;
        let constant = scale.checked_mul(Rational::integer(-i128::from(begin) - j)?)?;
        let mut next = vec![Rational::ZERO; basis.len() + 1];
        for (i, &x) in basis.iter().enumerate() {
            next[i] = next[i].checked_add(x.checked_mul(constant)?)?;
            next[i + 1] = x.checked_mul(scale)?;
        }
        basis = next;
    }
    while sum.last() == Some(&Rational::ZERO) {
        sum.pop();
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recurrence(coefficients: &[i64]) -> Recurrence {
        Recurrence {
            from: coefficients.len(),
            coefficients: coefficients.to_vec(),
            tested: 0,
            bits: 0.0,
        }
    }

    /// Returns the recurrence whose characteristic polynomial has these roots.
    fn with_roots(roots: &[i64]) -> Recurrence {
        let mut denominator = vec![1];
        for root in roots {
            denominator.push(0);
            for i in (1..denominator.len()).rev() {
                denominator[i] -= root * denominator[i - 1];
            }
        }
        recurrence(&denominator[1..].iter().map(|x| -x).collect::<Vec<i64>>())
    }

    /// Returns the form of a sequence whose recurrence has these roots.
    fn form(roots: &[i64], begin: i64, entry: fn(i64) -> i128) -> ClosedForm {
        let places = begin..begin + roots.len() as i64;
        let first: Vec<i128> = places.map(entry).collect();
        with_roots(roots).closed_form(&first, begin).unwrap()
    }

    fn z(n: i64) -> i128 {
        n.into()
    }

    fn power(base: i128, n: i64) -> i128 {
        base.pow(n.try_into().unwrap())
    }

    #[test]
    fn known_forms_are_written_as_in_books() {
        type Case = (&'static [i64], i64, fn(i64) -> i128, &'static str);
        let cases: [Case; 16] = [
            (&[1, 1, 1], 1, |n| (n * (n + 1) / 2).into(), "(n^2+n)/2"),
            (&[1, 1, 1], -7, |n| (n * (n + 1) / 2).into(), "(n^2+n)/2"),
            (&[1], 4, |_| 5, "5"),
            (&[1, 1], 3, |n| (5 - 3 * n).into(), "-3*n+5"),
            (&[1, 2], 1, |n| power(2, n) - 1, "2^n-1"),
            (&[1, 2], 1, |n| power(2, n - 1) + 1, "2^(n-1)+1"),
            (&[1, 1, 2], 2, |n| 3 * power(2, n) - z(n) - 2, "3*2^n-n-2"),
            (
                &[1, 1, 2],
                1,
                |n| (power(2, n) + 3 * z(n)) * 2,
                "2^(n+1)+6*n",
            ),
            // Jacobsthal numbers.
            (
                &[2, -1],
                0,
                |n| (power(2, n) - power(-1, n)) / 3,
                "(2^n-(-1)^n)/3",
            ),
            (
                &[2, -1],
                3,
                |n| (power(2, n) + 5 * power(-1, n)) / 3,
                "(2^n+5*(-1)^n)/3",
            ),
            (&[2, 2], 1, |n| z(n) * power(2, n), "n*2^n"),
            (&[2, 2], 0, |n| z(n) * power(2, n) / 2, "n*2^(n-1)"),
            (
                &[2, 2],
                2,
                |n| z(n + 1) * power(2, n) * -12,
                "-3*(n+1)*2^(n+2)",
            ),
            (&[-2], 1, |n| power(-2, n), "(-2)^n"),
            (&[1, 1, -1], 1, |n| (n / 2).into(), "(2*n-1+(-1)^n)/4"),
            (
                &[4, 2],
                3,
                |n| (power(4, n) + power(2, n)) / 2,
                "(4^n+2^n)/2",
            ),
        ];
        for (roots, begin, entry, text) in cases {
            let form = form(roots, begin, entry);
            assert_eq!(form.text("n"), text);
            for n in begin..begin + 50 {
                assert_eq!(form.at(n), Some(entry(n)), "{text} at {n}");
            }
            assert_eq!(form.at(begin - 1), None);
        }
    }

    #[test]
    fn forms_are_written_in_latex() {
        let latex = |roots: &[i64], entry| form(roots, 1, entry).latex("n");
        let triangular = latex(&[1, 1, 1], |n| (n * (n + 1) / 2).into());
        assert_eq!(triangular, "\\frac{n^2 + n}{2}");
        let jacobsthal = latex(&[2, -1], |n| (power(2, n) - power(-1, n)) / 3);
        assert_eq!(jacobsthal, "\\frac{2^n - (-1)^n}{3}");
        let product = latex(&[2, 2, 1], |n| 3 * z(n + 1) * power(2, n) - 1);
        assert_eq!(product, "3 (n + 1) 2^n - 1");
        let powers = latex(&[2, 3], |n| 5 * power(3, n) + power(2, n) / 2);
        assert_eq!(powers, "5 \\cdot 3^n + 2^{n-1}");
    }

    #[test]
    fn forms_agree_with_their_recurrences() {
        let mut generator = fastrand::Rng::with_seed(6);
        let mut found = 0;
        for _ in 0..3000 {
            let roots: Vec<i64> = (0..generator.usize(1..7))
                .map(|_| [-3, -2, -1, 1, 1, 1, 2, 2, 3, 4, 6][generator.usize(0..11)])
                .collect();
            let recurrence = with_roots(&roots);
            let first: Vec<i128> = roots.iter().map(|_| generator.i128(-99..=99)).collect();
            let begin = generator.i64(-9..10);
            let form = recurrence.closed_form(&first, begin);
            let form = form.unwrap_or_else(|| panic!("{roots:?} {first:?} {begin}"));
            let mut entries = first.clone();
            while entries.len() < 30 {
                entries.push(recurrence.next(&entries).unwrap());
            }
            for (n, entry) in (begin..).zip(&entries) {
                assert_eq!(form.at(n), Some(*entry), "{} at {n}", form.text("n"));
            }
            // At a distant place where both fit.
            let far = begin + 45;
            if let (Some(x), Some(y)) = (form.at(far), recurrence.at(&first, 45)) {
                assert_eq!(x, y);
                found += 1;
            }
        }
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn other_roots_and_large_numbers_have_no_form() {
        assert_eq!(recurrence(&[1, 1]).closed_form(&[0, 1], 0), None);
        assert_eq!(recurrence(&[0, 2]).closed_form(&[1, 1], 0), None);
        assert_eq!(recurrence(&[0, -1]).closed_form(&[1, 1], 0), None);
        assert_eq!(with_roots(&[1, 2]).closed_form(&[1], 0), None);
        let huge = [i128::MIN, i128::MAX, i128::MIN, i128::MAX];
        assert_eq!(with_roots(&[1, 2, 3, -1]).closed_form(&huge, 0), None);
        assert_eq!(with_roots(&[1]).closed_form(&huge, 0), None);
        assert_eq!(with_roots(&[1]).closed_form(&[7], i64::MIN), None);
        let line = with_roots(&[1, 1]).closed_form(&[0, 1 << 90], 0).unwrap();
        assert_eq!(line.at(1 << 35), Some(1 << 125));
        assert_eq!(line.at(i64::MAX), None);
        let powers = with_roots(&[2, 1])
            .closed_form(&[0, 1], i64::MAX - 5)
            .unwrap();
        assert_eq!(powers.text("n"), "2^(n-9223372036854775802)-1");
        assert_eq!(powers.at(i64::MAX), Some(31));
        let powers = with_roots(&[2]).closed_form(&[1], 0).unwrap();
        assert_eq!(
            (powers.at(126), powers.at(127), powers.at(i64::MAX)),
            (Some(1 << 126), None, None)
        );
        let signs = with_roots(&[-1]).closed_form(&[1], 0).unwrap();
        assert_eq!(signs.at(i64::MAX), Some(-1));
        let zero = with_roots(&[1, 2]).closed_form(&[0, 0], 0).unwrap();
        assert_eq!((zero.text("n").as_str(), zero.at(9)), ("0", Some(0)));
    }
}
