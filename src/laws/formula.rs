//! Numbers as functions of variables: constants, linear forms, powers of two, and nim-sums.
//!
//! Variables are whole numbers that step by one. A formula is found from its values at one place
//! and one step back along each variable; the caller tests it elsewhere. Coefficients have at most
//! 90 bits, so that formulas can be written over a common denominator.

use cgvalues::Dyadic;

/// A number in terms of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `constant + slopes . variables`.
    Linear {
        /// The number at the place where all variables are 0.
        constant: Dyadic,
        /// The increase with each variable.
        slopes: Vec<Dyadic>,
    },
    /// `factor * 2^(exponents . variables)`.
    Power {
        /// The odd part, with its sign, of the number at the place where all variables are 0.
        odd: i128,
        /// The power of two in that number.
        twos: i64,
        /// The exponent of two that each variable contributes.
        exponents: Vec<i64>,
    },
    /// The nim-sum of a constant and of some variables, each plus a number.
    NimSum {
        /// The constant.
        constant: i64,
        /// The number added to each variable; `None` if the variable does not occur.
        offsets: Vec<Option<i64>>,
    },
}

/// The greatest number added to a variable of a nim-sum.
const OFFSET_MAX: i64 = 3;

/// The most bits of a coefficient, including the denominators of the formula.
const COEFFICIENT_BITS: u32 = 90;

impl Formula {
    /// Returns the formulas that equal `here` at a place and `back[i]` one step back along variable
    /// i: a linear one, a non-constant power of two if there is one, and nim-sums of two variables
    /// or more.
    pub fn through(place: &[i64], here: Dyadic, back: &[Dyadic]) -> Vec<Formula> {
        let linear = || {
            let slopes: Vec<Dyadic> = back
                .iter()
                .map(|&back| here.checked_add(-back))
                .collect::<Option<_>>()?;
            let mut constant = here;
            for (slope, &at) in slopes.iter().zip(place) {
                constant = constant.checked_add(-times(*slope, at)?)?;
            }
            let numbers = || slopes.iter().chain([&constant]);
            let denominator = numbers().map(|number| number.exponent()).max()?;
            let bits = |number: &Dyadic| 128 - number.numerator().unsigned_abs().leading_zeros();
            let is_short = numbers().all(|number| bits(number) + denominator <= COEFFICIENT_BITS);
            is_short.then_some(Formula::Linear { constant, slopes })
        };
        let power = || {
            let (odd, mut twos) = odd_part(here)?;
            let mut exponents = Vec::new();
            for (&back, &at) in back.iter().zip(place) {
                let (same, before) = odd_part(back)?;
                if same != odd {
                    return None;
                }
                let exponent = twos_of(here) - before;
                twos = twos.checked_sub(exponent.checked_mul(at)?)?;
                exponents.push(exponent);
            }
            let is_constant = exponents.iter().all(|&exponent| exponent == 0);
            (!is_constant).then_some(Formula::Power {
                odd,
                twos,
                exponents,
            })
        };
        let mut all: Vec<Formula> = linear().into_iter().chain(power()).collect();
        all.extend(nim_sums(place, here, back));
        all
    }

    /// Returns the number at a place, or `None` if it takes more than 127 bits.
    pub fn at(&self, place: &[i64]) -> Option<Dyadic> {
        match self {
            Formula::Linear { constant, slopes } => {
                let mut terms = slopes.iter().zip(place);
                terms.try_fold(*constant, |sum, (&slope, &at)| {
                    sum.checked_add(times(slope, at)?)
                })
            }
            Formula::NimSum { constant, offsets } => {
                let mut terms = offsets.iter().zip(place);
                let sum = terms.try_fold(*constant, |sum, (offset, at)| match offset {
                    Some(offset) => Some(sum ^ at.checked_add(*offset).filter(|n| *n >= 0)?),
                    None => Some(sum),
                })?;
                Some(Dyadic::integer(sum))
            }
            Formula::Power {
                odd,
                twos,
                exponents,
            } => {
                let mut terms = exponents.iter().zip(place);
                let twos = terms.try_fold(*twos, |sum, (exponent, &at)| {
                    sum.checked_add(exponent.checked_mul(at)?)
                })?;
                match u32::try_from(twos) {
                    Ok(up) if up < odd.leading_zeros().max((!odd).leading_zeros()) => {
                        Some(Dyadic::new(odd << up, 0))
                    }
                    Ok(_) => None,
                    Err(_) => Some(Dyadic::new(*odd, u32::try_from(twos.checked_neg()?).ok()?)),
                }
            }
        }
    }

    /// Returns the value if the formula is constant.
    pub fn constant(&self) -> Option<Dyadic> {
        match self {
            Formula::Linear { constant, slopes } => {
                let is_constant = slopes.iter().all(|&slope| slope == Dyadic::ZERO);
                is_constant.then_some(*constant)
            }
            Formula::Power { .. } | Formula::NimSum { .. } => None,
        }
    }

    /// Returns the bits of the formula in a prefix code that favours 0 and short numbers.
    pub fn bits(&self) -> f64 {
        // Elias gamma.
        let natural = |n: u128| 1.0 + 2.0 * (n as f64).log2().floor();
        let number = |x: &Dyadic| match x.numerator() {
            0 => 1.0,
            numerator => {
                2.0 + natural(numerator.unsigned_abs()) + natural(u128::from(x.exponent()) + 1)
            }
        };
        match self {
            Formula::Linear { constant, slopes } => {
                let is_constant = slopes.iter().all(|&slope| slope == Dyadic::ZERO);
                match (is_constant, *constant == Dyadic::ZERO) {
                    (true, true) => 0.25,
                    (true, false) => 3.7 + number(constant),
                    (false, _) => 4.5 + number(constant) + slopes.iter().map(number).sum::<f64>(),
                }
            }
            Formula::NimSum { constant, offsets } => {
                let offsets = offsets.iter().map(|offset| match offset {
                    Some(offset) => 1.0 + natural(offset.unsigned_abs() as u128 + 1),
                    None => 1.0,
                });
                6.5 + natural(constant.unsigned_abs() as u128 + 1) + offsets.sum::<f64>()
            }
            Formula::Power {
                odd,
                twos,
                exponents,
            } => {
                let exponents = exponents.iter().map(|&exponent| Dyadic::integer(exponent));
                let exponents: f64 = exponents.map(|exponent| number(&exponent)).sum();
                4.5 + natural(odd.unsigned_abs()) + number(&Dyadic::integer(*twos)) + exponents
            }
        }
    }

    /// Writes the formula in variables that step from `residues[i]` by `moduli[i]`.
    pub fn text(&self, names: &[String], moduli: &[i64], residues: &[i64]) -> String {
        match self {
            Formula::Linear { constant, slopes } => {
                linear(*constant, slopes, names, moduli, residues)
            }
            Formula::NimSum { constant, offsets } => {
                let terms = offsets.iter().enumerate().filter_map(|(i, offset)| {
                    let mut slopes = vec![Dyadic::ZERO; offsets.len()];
                    slopes[i] = Dyadic::ONE;
                    let offset = Dyadic::integer((*offset)?);
                    let text = linear(offset, &slopes, names, moduli, residues);
                    Some(enclosed(text))
                });
                let constant = (*constant != 0).then(|| constant.to_string());
                let terms: Vec<String> = terms.chain(constant).collect();
                terms.join(" xor ")
            }
            Formula::Power {
                odd,
                twos,
                exponents,
            } => {
                let exponents: Vec<Dyadic> = exponents
                    .iter()
                    .map(|&exponent| Dyadic::integer(exponent))
                    .collect();
                let power = |sign: Dyadic| {
                    let slopes: Vec<Dyadic> = exponents
                        .iter()
                        .map(|&exponent| {
                            if sign == Dyadic::ONE {
                                exponent
                            } else {
                                -exponent
                            }
                        })
                        .collect();
                    let twos = if sign == Dyadic::ONE { *twos } else { -twos };
                    let text = linear(Dyadic::integer(twos), &slopes, names, moduli, residues);
                    format!("2^{}", enclosed(text))
                };
                // Decreasing powers are written as fractions.
                let falls = exponents.iter().all(|exponent| *exponent <= Dyadic::ZERO);
                match (falls, odd) {
                    (true, _) => format!("{odd}/{}", power(-Dyadic::ONE)),
                    (false, 1) => power(Dyadic::ONE),
                    (false, -1) => format!("-{}", power(Dyadic::ONE)),
                    (false, _) => format!("{odd}*{}", power(Dyadic::ONE)),
                }
            }
        }
    }
}

/// Returns the nim-sums of two variables or more that equal `here` at a place: those of all
/// variables that the number depends on there.
fn nim_sums(place: &[i64], here: Dyadic, back: &[Dyadic]) -> Vec<Formula> {
    let natural = |x: &Dyadic| x.to_integer().filter(|n| *n >= 0);
    let numbers: Option<Vec<i64>> = back.iter().map(natural).collect();
    let (Some(here), Some(numbers)) = (natural(&here), numbers) else {
        return Vec::new();
    };
    let mut offsets: Vec<Vec<Option<i64>>> = vec![Vec::new()];
    for &back in &numbers {
        let each = |offsets: Vec<Option<i64>>| {
            let choices = if back == here {
                vec![None]
            } else {
                (0..=OFFSET_MAX).map(Some).collect()
            };
            choices
                .into_iter()
                .map(move |choice| [&offsets[..], &[choice]].concat())
        };
        offsets = offsets.into_iter().flat_map(each).collect();
    }
    if numbers.iter().filter(|&&back| back != here).count() < 2 {
        return Vec::new();
    }
    let with_constant = offsets.into_iter().filter_map(|offsets| {
        let mut formula = Formula::NimSum {
            constant: 0,
            offsets: offsets.clone(),
        };
        let without = natural(&formula.at(place)?)?;
        if let Formula::NimSum { constant, .. } = &mut formula {
            *constant = without ^ here;
        }
        Some(formula)
    });
    with_constant.collect()
}

/// Returns a multiple of a number, if it fits.
fn times(x: Dyadic, n: i64) -> Option<Dyadic> {
    let numerator = x.numerator().checked_mul(n.into())?;
    Some(Dyadic::new(numerator, x.exponent()))
}

/// Returns the odd part of a number and the power of two in it; `None` for 0.
fn odd_part(x: Dyadic) -> Option<(i128, i64)> {
    let numerator = x.numerator();
    (numerator != 0).then(|| (numerator >> numerator.trailing_zeros(), twos_of(x)))
}

fn twos_of(x: Dyadic) -> i64 {
    i64::from(x.numerator().trailing_zeros()) - i64::from(x.exponent())
}

/// Puts a text in parentheses, unless it is a number or a variable.
pub(super) fn enclosed(text: String) -> String {
    let is_number = text.chars().all(|c| c.is_ascii_digit());
    if is_number || text.chars().all(char::is_alphabetic) {
        text
    } else {
        format!("({text})")
    }
}

/// Writes `constant + slopes . steps`, where variable i is `residues[i] + moduli[i] * steps[i]`,
/// over a common denominator if there is one.
fn linear(
    constant: Dyadic,
    slopes: &[Dyadic],
    names: &[String],
    moduli: &[i64],
    residues: &[i64],
) -> String {
    // Everything over 2^shift times the product of the relevant moduli.
    let mut shift = constant.exponent();
    let mut divisor: i128 = 1;
    for (slope, &modulus) in slopes.iter().zip(moduli) {
        if *slope != Dyadic::ZERO {
            shift = shift.max(slope.exponent());
            divisor *= i128::from(modulus);
        }
    }
    let over = |x: Dyadic| (x.numerator() << (shift - x.exponent())) * divisor;
    let mut constant = over(constant);
    let mut terms = Vec::new();
    for (i, slope) in slopes.iter().enumerate() {
        if *slope != Dyadic::ZERO {
            let slope = over(*slope) / i128::from(moduli[i]);
            constant -= slope * i128::from(residues[i]);
            terms.push((slope, names[i].as_str()));
        }
    }
    let mut divisor = divisor << shift;
    let common = terms
        .iter()
        .fold(gcd(divisor, constant), |common, (slope, _)| {
            gcd(common, *slope)
        });
    divisor /= common;
    constant /= common;
    let mut text = String::new();
    for (slope, name) in &terms {
        let slope = slope / common;
        let sign = match (slope < 0, text.is_empty()) {
            (true, _) => "-",
            (false, true) => "",
            (false, false) => "+",
        };
        match slope.unsigned_abs() {
            1 => text += &format!("{sign}{name}"),
            size => text += &format!("{sign}{size}{name}"),
        }
    }
    let has_sum = terms.len() + usize::from(constant != 0) > 1;
    match (constant, terms.is_empty()) {
        (_, true) => text = constant.to_string(),
        (0, false) => {}
        (1.., false) => text += &format!("+{constant}"),
        (_, false) => text += &constant.to_string(),
    }
    match (divisor, has_sum) {
        (1, _) => text,
        (_, true) => format!("({text})/{divisor}"),
        (_, false) => format!("{text}/{divisor}"),
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(formula: &Formula, moduli: &[i64], residues: &[i64]) -> String {
        let names: Vec<String> = ["m", "n"][..moduli.len()]
            .iter()
            .map(|&name| name.to_owned())
            .collect();
        formula.text(&names, moduli, residues)
    }

    fn through(of: impl Fn(i64, i64) -> Dyadic) -> Vec<Formula> {
        let back = [of(4, 6), of(5, 5)];
        Formula::through(&[5, 6], of(5, 6), &back)
    }

    #[test]
    fn formulas_go_through_their_values() {
        let n = Dyadic::integer;
        for (of, text) in [
            (
                Box::new(|m: i64, n: i64| Dyadic::integer(2 * m - n + 3))
                    as Box<dyn Fn(i64, i64) -> Dyadic>,
                "2m-n+3",
            ),
            (Box::new(|m: i64, _| Dyadic::new(m.into(), 1)), "m/2"),
            (
                Box::new(|m: i64, n: i64| Dyadic::new((m + 2 * n + 1).into(), 2)),
                "(m+2n+1)/4",
            ),
            (Box::new(|_, _| Dyadic::new(-3, 1)), "-3/2"),
        ] {
            let found = through(&of);
            assert_eq!(written(&found[0], &[1, 1], &[0, 0]), text);
            for (m, k) in [(0, 0), (-3, 9), (100, 7)] {
                assert_eq!(found[0].at(&[m, k]), Some(of(m, k)));
            }
        }
        for (of, text) in [
            (
                Box::new(|m: i64, _: i64| Dyadic::new(3, m as u32))
                    as Box<dyn Fn(i64, i64) -> Dyadic>,
                "3/2^m",
            ),
            (
                Box::new(|m, n| Dyadic::integer(-(1 << (m + 2 * n - 1)))),
                "-2^(m+2n-1)",
            ),
            (Box::new(|_, n| Dyadic::integer(5 << n)), "5*2^n"),
        ] {
            let found = through(&of);
            assert_eq!(written(&found[1], &[1, 1], &[0, 0]), text);
            assert_eq!(found[1].at(&[3, 4]), Some(of(3, 4)));
        }
        assert_eq!(through(|_, _| n(7)).len(), 1);
        assert_eq!(through(|m, _| n(m - 5)).len(), 1);
        let large = Formula::Power {
            odd: 3,
            twos: 0,
            exponents: vec![1],
        };
        assert_eq!(large.at(&[200]), None);
        assert_eq!(large.at(&[-200]), Some(Dyadic::new(3, 200)));
        assert_eq!(large.at(&[i64::MIN]), None);
        assert_eq!(large.at(&[i64::MAX]), None);
    }

    #[test]
    fn nim_sums_go_through_their_values() {
        let of = |m: i64, n: i64| (m + 1) ^ n ^ 2;
        let found = through(|m, n| Dyadic::integer(of(m, n)));
        let is_right = |formula: &&Formula| {
            let mut places = (0..12).flat_map(|m| (0..12).map(move |n| [m, n]));
            places.all(|at| formula.at(&at) == Some(Dyadic::integer(of(at[0], at[1]))))
        };
        let right: Vec<&Formula> = found.iter().filter(is_right).collect();
        assert_eq!(written(right[0], &[1, 1], &[0, 0]), "(m+1) xor n xor 2");
        // A nim-sum needs two variables.
        assert!(through(|m, _| Dyadic::integer(m)).len() == 1);
    }

    #[test]
    fn steps_are_written_in_the_variables() {
        // n = 1 + 2k: k + 3 is (n + 5)/2, and 2k is n - 1.
        let formula = |constant, slope| Formula::Linear {
            constant: Dyadic::integer(constant),
            slopes: vec![Dyadic::integer(slope)],
        };
        assert_eq!(written(&formula(3, 1), &[2], &[1]), "(m+5)/2");
        assert_eq!(written(&formula(0, 2), &[2], &[1]), "m-1");
        assert_eq!(written(&formula(4, 0), &[2], &[1]), "4");
        let power = Formula::Power {
            odd: 1,
            twos: 0,
            exponents: vec![-1],
        };
        assert_eq!(written(&power, &[3], &[2]), "1/2^((m-2)/3)");
    }
}
