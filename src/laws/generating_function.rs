//! Rational generating functions of sequences with a linear recurrence.
//!
//! The denominator holds the coefficients of the recurrence, and the numerator is the product of
//! the denominator and the first entries. Both have integer coefficients. They have no common
//! factor if the recurrence is the shortest one, as [`recurrence`](super::recurrence) finds it.
//!
//! Source: Wilf, *generatingfunctionology*, section 1.2; Stanley, *Enumerative Combinatorics* 1,
//! theorem 4.1.1.

use super::recurrences::Recurrence;
use super::sums::{Writing, power, sum};

/// The greatest |c| for which factors 1 - c x are sought.
const ROOT_MAX: i128 = 1 << 10;

/// A fraction of two polynomials in x, each given by its coefficients, the constant first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratingFunction {
    /// The numerator; empty for 0.
    pub numerator: Vec<i128>,
    /// The denominator; its constant is 1.
    pub denominator: Vec<i128>,
}

/// The factor `(1 - root x^step)^times` of a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Binomial {
    pub(super) step: usize,
    pub(super) root: i128,
    pub(super) times: usize,
}

impl Recurrence {
    /// Returns the generating function, from the first entry that the recurrence uses. `first` has
    /// one entry for each coefficient, and x^0 belongs to the first of them. Returns `None` if
    /// there are fewer, or if a coefficient takes more than 127 bits.
    ///
    /// Cost: O(coefficients^2).
    ///
    /// ```
    /// use cglaws::Recurrence;
    ///
    /// let fibonacci = Recurrence { from: 2, coefficients: vec![1, 1], tested: 0, bits: 0.0 };
    /// let function = fibonacci.generating_function(&[1, 1]).expect("small numbers");
    /// assert_eq!(function.text(), "1/(1 - x - x^2)");
    /// ```
    pub fn generating_function(&self, first: &[i128]) -> Option<GeneratingFunction> {
        let first = first.get(..self.coefficients.len())?;
        let denominator = self.denominator();
        let mut numerator = Vec::with_capacity(first.len());
        for n in 0..first.len() {
            let mut terms = denominator.iter().zip(first[..=n].iter().rev());
            numerator
                .push(terms.try_fold(0i128, |sum, (a, b)| sum.checked_add(a.checked_mul(*b)?))?);
        }
        while numerator.last() == Some(&0) {
            numerator.pop();
        }
        Some(GeneratingFunction {
            numerator,
            denominator,
        })
    }

    /// Returns 1 - c1 x - c2 x^2 - ... for the coefficients c1, c2, ...
    pub(super) fn denominator(&self) -> Vec<i128> {
        let coefficients = self.coefficients.iter();
        let coefficients = coefficients.map(|&coefficient| -i128::from(coefficient));
        [1].into_iter().chain(coefficients).collect()
    }
}

impl GeneratingFunction {
    /// Writes the function, such as `x/((1 - x)^2 (1 - 2 x))`. The denominator is a product of all
    /// its factors 1 - x^k and 1 - c x with c of at most 1024, and of the rest.
    pub fn text(&self) -> String {
        let (numerator, denominator) = self.written(Writing::Spaced);
        let numerator = if numerator.contains(' ') {
            format!("({numerator})")
        } else {
            numerator
        };
        match denominator.as_slice() {
            [] => numerator,
            [factor] => format!("{numerator}/{factor}"),
            factors => format!("{numerator}/({})", factors.join(" ")),
        }
    }

    /// Writes the function as LaTeX mathematics.
    pub fn latex(&self) -> String {
        let (numerator, denominator) = self.written(Writing::Latex);
        match denominator.as_slice() {
            [] => numerator,
            // A single factor needs no parentheses.
            [factor] if factor.ends_with(')') => {
                format!("\\frac{{{numerator}}}{{{}}}", &factor[1..factor.len() - 1])
            }
            factors => format!("\\frac{{{numerator}}}{{{}}}", factors.join(" ")),
        }
    }

    /// Writes the numerator and the factors of the denominator.
    fn written(&self, writing: Writing) -> (String, Vec<String>) {
        let polynomial = |coefficients: &[i128]| {
            let exponents = (0..coefficients.len()).map(|exponent| match exponent {
                0 => String::new(),
                _ => power("x", &exponent.to_string(), writing),
            });
            sum(coefficients.iter().copied().zip(exponents), writing)
        };
        let (mut binomials, rest) = binomials(&self.denominator, self.denominator.len());
        binomials.sort_by_key(|binomial| (binomial.step, binomial.root.abs(), -binomial.root));
        let factors = binomials.iter().map(|binomial| {
            let mut coefficients = vec![0; binomial.step + 1];
            (coefficients[0], coefficients[binomial.step]) = (1, -binomial.root);
            let factor = format!("({})", polynomial(&coefficients));
            power(&factor, &binomial.times.to_string(), writing)
        });
        let rest = (rest.len() > 1).then(|| format!("({})", polynomial(&rest)));
        (polynomial(&self.numerator), factors.chain(rest).collect())
    }
}

/// Splits a polynomial with the constant 1 into factors 1 - c x with |c| of at most [`ROOT_MAX`],
/// factors 1 - x^k with k at most `steps_max`, and a rest.
///
/// Factors 1 - x^k are divided out first. The greatest k is the greatest order of a root of unity
/// among the roots.
///
/// Cost: O(degree) divisions and [`ROOT_MAX`] divisibility tests for each factor.
pub(super) fn binomials(polynomial: &[i128], steps_max: usize) -> (Vec<Binomial>, Vec<i128>) {
    let mut rest = polynomial.to_vec();
    let mut found = Vec::new();
    let steps = (2..=steps_max).rev().map(|step| (1, step));
    let roots = (1..=ROOT_MAX).flat_map(|size| [(size, 1), (-size, 1)]);
    for (root, step) in steps.chain(roots) {
        let mut times = 0;
        // An integer root of the characteristic polynomial divides its constant.
        let divides = |last: &i128| last.checked_rem(root) == Some(0);
        while rest.last().is_some_and(divides)
            && let Some(quotient) = divided(&rest, root, step)
        {
            rest = quotient;
            times += 1;
        }
        if times > 0 {
            found.push(Binomial { step, root, times });
        }
    }
    (found, rest)
}

/// Returns the quotient of a polynomial by `1 - root x^step` if there is no remainder.
fn divided(polynomial: &[i128], root: i128, step: usize) -> Option<Vec<i128>> {
    let degree = polynomial.len().checked_sub(step + 1)?;
    let mut quotient = polynomial.to_vec();
    for i in step..quotient.len() {
        quotient[i] = quotient[i].checked_add(root.checked_mul(quotient[i - step])?)?;
    }
    let remainder = quotient.split_off(degree + 1);
    remainder.iter().all(|&x| x == 0).then_some(quotient)
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

    /// Returns the first coefficients of the power series, by long division.
    fn series(function: &GeneratingFunction, count: usize) -> Vec<i128> {
        let mut left = function.numerator.clone();
        left.resize(count + function.denominator.len(), 0);
        for n in 0..count {
            for (back, coefficient) in function.denominator.iter().enumerate().skip(1) {
                left[n + back] -= coefficient * left[n];
            }
        }
        left.truncate(count);
        left
    }

    #[test]
    fn known_functions_are_written_as_in_books() {
        let cases: [(&[i64], &[i128], &str); 10] = [
            // Fibonacci numbers from 1, from 0, and their sums.
            (&[1, 1], &[1, 1], "1/(1 - x - x^2)"),
            (&[1, 1], &[0, 1], "x/(1 - x - x^2)"),
            (&[2, 0, -1], &[1, 2, 4], "1/((1 - x) (1 - x - x^2))"),
            // Triangular numbers, 2^n - 1, Jacobsthal numbers, n 2^n, -5 times powers of 3.
            (&[3, -3, 1], &[1, 3, 6], "1/(1 - x)^3"),
            (&[3, -2], &[0, 1], "x/((1 - x) (1 - 2 x))"),
            (&[1, 2], &[0, 1], "x/((1 + x) (1 - 2 x))"),
            (&[4, -4], &[0, 2], "(2 x)/(1 - 2 x)^2"),
            (&[3], &[-5], "-5/(1 - 3 x)"),
            // 1, 1, 3, 3, 5, 5, and partitions into parts of at most 3.
            (&[1, 1, -1], &[1, 1, 3], "(1 + x^2)/((1 - x) (1 - x^2))"),
            (
                &[1, 1, 0, -1, -1, 1],
                &[1, 1, 2, 3, 4, 5],
                "1/((1 - x) (1 - x^2) (1 - x^3))",
            ),
        ];
        for (coefficients, first, text) in cases {
            let function = recurrence(coefficients).generating_function(first);
            assert_eq!(function.unwrap().text(), text);
        }
        for (coefficients, latex) in [
            ([1, 1], "\\frac{1 + x}{1 - x - x^2}"),
            ([4, -5], "\\frac{1 - 2 x}{1 - 4 x + 5 x^2}"),
            ([4, -3], "\\frac{1 - 2 x}{(1 - x) (1 - 3 x)}"),
            ([6, -9], "\\frac{1 - 4 x}{(1 - 3 x)^2}"),
        ] {
            let function = recurrence(&coefficients).generating_function(&[1, 2]);
            assert_eq!(function.unwrap().latex(), latex);
        }
    }

    #[test]
    fn power_series_are_the_sequences() {
        let mut generator = fastrand::Rng::with_seed(11);
        for _ in 0..2000 {
            let order = generator.usize(1..6);
            let coefficients: Vec<i64> = (0..order).map(|_| generator.i64(-4..=4)).collect();
            let first: Vec<i128> = (0..order).map(|_| generator.i128(-9..=9)).collect();
            let recurrence = recurrence(&coefficients);
            let function = recurrence.generating_function(&first).unwrap();
            let mut entries = first.clone();
            while entries.len() < 24 {
                entries.push(recurrence.next(&entries).unwrap());
            }
            assert_eq!(series(&function, 24), entries);
            // The factors are those of the denominator.
            let (binomials, rest) = binomials(&function.denominator, order);
            let mut product = rest;
            for binomial in binomials {
                for _ in 0..binomial.times {
                    let mut next = product.clone();
                    next.resize(product.len() + binomial.step, 0);
                    for (i, x) in product.iter().enumerate() {
                        next[i + binomial.step] -= binomial.root * x;
                    }
                    product = next;
                }
            }
            assert_eq!(product, function.denominator);
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert_eq!(recurrence(&[1, 1]).generating_function(&[1]), None);
        let huge = recurrence(&[4, 1]).generating_function(&[i128::MAX, 1]);
        assert_eq!(huge, None);
        let least = recurrence(&[1]).generating_function(&[i128::MIN]).unwrap();
        assert_eq!(least.text(), format!("{}/(1 - x)", i128::MIN));
        let empty = recurrence(&[1, 1]).generating_function(&[0, 0]).unwrap();
        assert_eq!(empty.text(), "0/(1 - x - x^2)");
    }
}
