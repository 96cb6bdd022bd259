//! Patterns of rows, such as `1^n`, `x y`, `(10)^m 03 (01)^n` and `...e 2^n e...`, or with seeds of
//! two colours `(b)^m r (b 2r)^n`.
//!
//! A pattern is a row of pots ([`crate::board::row`], [`crate::board::coloured`]) in which
//!
//! - `^` after a pot or a parenthesised group repeats it: `1^12`, `1^n`, `(01)^n+1`, `1^n-1`;
//!   groups nest;
//! - a lowercase letter other than `e` and `v`, and other than `b` and `r` where these are colours,
//!   is a *variable*: `v` is down where a value has the same variables. As an exponent it counts
//!   repetitions. Alone (`x`, or `[x+1]`) it is the number of seeds in a pot; before a colour (`xb`,
//!   `[x+1]b2r`) it counts seeds of that colour.
//!
//! Blanks separate and are ignored, but an exponent such as `n+1` contains none, and pots with
//! colours need blanks between them. The value of an exponent may be 0; a pattern that expands to
//! no pots is the empty position, `0`.
//!
//! A pattern knows no game and no ranges: [`super::BoundPattern`] binds its variables.

use thiserror::Error;

use crate::board::coloured::{ColouredPot, ColouredRow};
use crate::board::row::{POT_SEEDS_MAX, Pot, Row};
use crate::board::{AnyBoard, BoardKind};

/// The most pots that a pattern may expand to.
///
/// Rows with known values have about thirty pots at most. This limit only prevents a typing error,
/// such as `1^n` for n up to a million, from filling the memory.
pub const PATTERN_POTS_MAX: u64 = 10_000;

/// The deepest nesting of groups.
pub const PATTERN_DEPTH_MAX: usize = 16;

/// A row of pots with repetitions and variables.
///
/// ```
/// use cggames::family::Pattern;
///
/// let pattern: Pattern = "(10)^m 03 (01)^n".parse()?;
/// assert_eq!(pattern.variables(), ['m', 'n']);
/// assert_eq!(pattern.expand(&[2, 1])?.to_string(), "10100301");
/// assert_eq!(pattern.to_string(), "(10)^m 03 (01)^n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    pub(super) is_coloured: bool,
    pub(super) terms: Vec<Term>,
    pub(super) endless_left: bool,
    pub(super) endless_right: bool,
    /// In order of first appearance; [`Linear::variable`] indexes it.
    pub(super) variables: Vec<char>,
}

/// A pot or group with its exponent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Term {
    pub(super) unit: Unit,
    pub(super) exponent: Option<Linear>,
}

/// The unit that an exponent repeats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    /// A full pot.
    Full,
    /// A pot with seeds of one colour.
    Seeds(Linear),
    /// A pot with blue and red seeds.
    Coloured([Linear; 2]),
    Group(Vec<Term>),
}

impl Unit {
    /// Returns the numbers of seeds of a pot.
    fn counts(&self) -> &[Linear] {
        match self {
            Unit::Seeds(seeds) => std::slice::from_ref(seeds),
            Unit::Coloured(seeds) => seeds,
            Unit::Full | Unit::Group(_) => &[],
        }
    }
}

/// An integer, or a variable plus an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Linear {
    /// An index into [`Pattern::variables`].
    pub(super) variable: Option<usize>,
    pub(super) offset: i64,
}

/// The reason why a pattern has no row for some binding of its variables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExpandError {
    /// An exponent below 0.
    #[error("the exponent {exponent} is {value} for {binding}; an exponent is at least 0")]
    NegativeExponent {
        /// The exponent as written.
        exponent: String,
        /// Its value.
        value: i64,
        /// The binding, for example `n = 0`.
        binding: String,
    },
    /// A pot with a negative number of seeds, or too many.
    #[error(
        "the pot {pot} holds {value} seeds for {binding}; a pot holds 0 to {POT_SEEDS_MAX} seeds"
    )]
    Seeds {
        /// The pot as written.
        pot: String,
        /// Its value.
        value: i64,
        /// The binding, for example `x = -1`.
        binding: String,
    },
    /// More pots than [`PATTERN_POTS_MAX`].
    #[error("the pattern expands to {pots} pots; at most {PATTERN_POTS_MAX} are allowed")]
    TooLong {
        /// The number of pots, saturated at `u64::MAX`.
        pots: u64,
    },
}

impl Pattern {
    /// Returns the variables in order of first appearance.
    pub fn variables(&self) -> &[char] {
        &self.variables
    }

    /// Returns whether the pattern has a full pot `e` or endless full pots.
    pub fn has_full_pots(&self) -> bool {
        fn full(term: &Term) -> bool {
            match &term.unit {
                Unit::Full => true,
                Unit::Seeds(_) | Unit::Coloured(_) => false,
                Unit::Group(terms) => terms.iter().any(full),
            }
        }
        self.endless_left || self.endless_right || self.terms.iter().any(full)
    }

    /// Checks every exponent and every pot for these values of [`Pattern::variables`], and returns
    /// the number of pots, not counting endless ends. The empty position has 0, although
    /// [`Pattern::expand`] writes it as one empty pot.
    ///
    /// Each is a variable plus a constant, so a pattern that passes at the least and at the
    /// greatest value of each variable passes everywhere between.
    ///
    /// # Errors
    ///
    /// The errors of [`Pattern::expand`], and also errors inside groups repeated 0 times.
    pub fn pots(&self, values: &[i64]) -> Result<u64, ExpandError> {
        let pots = self.terms_pots(&self.terms, values)?;
        if pots > PATTERN_POTS_MAX {
            return Err(ExpandError::TooLong { pots });
        }
        Ok(pots)
    }

    fn terms_pots(&self, terms: &[Term], values: &[i64]) -> Result<u64, ExpandError> {
        let mut pots = 0u64;
        for term in terms {
            let unit = match &term.unit {
                Unit::Group(terms) => self.terms_pots(terms, values)?,
                pot => {
                    self.seeds(pot, values)?;
                    1
                }
            };
            let repeat = self.repeat(term.exponent, values)?;
            pots = pots.saturating_add(unit.saturating_mul(repeat));
        }
        Ok(pots)
    }

    /// Returns the kind of board of its rows.
    pub fn kind(&self) -> BoardKind {
        if self.is_coloured {
            BoardKind::Coloured
        } else {
            BoardKind::Row
        }
    }

    /// Returns the text of the pattern with numbers for its variables: `1^n` for n = 4 is `1^4`.
    /// Without exponents and groups it is the row itself: `x y` is `37`.
    ///
    /// # Panics
    ///
    /// If the number of values is not that of the variables.
    pub fn instance(&self, values: &[i64]) -> String {
        let bound = |linear: &Linear| Linear {
            variable: None,
            offset: linear.value(values),
        };
        fn instance(terms: &[Term], bound: &dyn Fn(&Linear) -> Linear) -> Vec<Term> {
            let terms = terms.iter().map(|term| Term {
                unit: match &term.unit {
                    Unit::Full => Unit::Full,
                    Unit::Seeds(seeds) => Unit::Seeds(bound(seeds)),
                    Unit::Coloured(seeds) => Unit::Coloured(seeds.each_ref().map(bound)),
                    Unit::Group(terms) => Unit::Group(instance(terms, bound)),
                },
                exponent: term.exponent.as_ref().map(bound),
            });
            terms.collect()
        }
        let is_pot = |term: &Term| term.exponent.is_none() && !matches!(term.unit, Unit::Group(_));
        match self.terms.iter().all(is_pot).then(|| self.expand(values)) {
            Some(Ok(row)) => row.to_string(),
            _ => Pattern {
                terms: instance(&self.terms, &bound),
                variables: Vec::new(),
                ..*self
            }
            .to_string(),
        }
    }

    /// Returns the row for these values of [`Pattern::variables`].
    ///
    /// # Errors
    ///
    /// A negative exponent, a pot with a negative number of seeds or too many, or a row of more
    /// than [`PATTERN_POTS_MAX`] pots.
    ///
    /// # Panics
    ///
    /// If the number of values is not that of the variables.
    pub fn expand(&self, values: &[i64]) -> Result<AnyBoard, ExpandError> {
        assert_eq!(
            values.len(),
            self.variables.len(),
            "a pattern is expanded with one value for each of its variables"
        );
        let pots = self.pots(values)?;
        // The empty position has only one spelling that reads back.
        let is_empty = pots == 0 && !self.endless_left && !self.endless_right;
        if self.is_coloured {
            let mut pots = Vec::with_capacity(pots as usize);
            let pot = |seeds: &[u32]| ColouredPot {
                blue: seeds[0],
                red: seeds[1],
            };
            self.expand_terms(&self.terms, values, &pot, &mut pots)?;
            pots.extend(is_empty.then(ColouredPot::default));
            return Ok(ColouredRow { pots }.into());
        }
        let mut row = Row {
            pots: Vec::with_capacity(pots as usize),
            endless_left: self.endless_left,
            endless_right: self.endless_right,
        };
        let pot = |seeds: &[u32]| seeds.first().map_or(Pot::Full, |&seeds| Pot::Seeds(seeds));
        self.expand_terms(&self.terms, values, &pot, &mut row.pots)?;
        row.pots.extend(is_empty.then_some(Pot::Seeds(0)));
        Ok(row.into())
    }

    fn expand_terms<P: Clone>(
        &self,
        terms: &[Term],
        values: &[i64],
        pot: &impl Fn(&[u32]) -> P,
        pots: &mut Vec<P>,
    ) -> Result<(), ExpandError> {
        for term in terms {
            let start = pots.len();
            match &term.unit {
                Unit::Group(terms) => self.expand_terms(terms, values, pot, pots)?,
                unit => pots.push(pot(&self.seeds(unit, values)?)),
            }
            // The unit is expanded once and copied, so nested exponents over an empty group cost
            // nothing.
            let width = pots.len() - start;
            match self.repeat(term.exponent, values)? {
                0 => pots.truncate(start),
                _ if width == 0 => {}
                repeat => {
                    for _ in 1..repeat {
                        pots.extend_from_within(start..start + width);
                    }
                }
            }
        }
        Ok(())
    }

    fn repeat(&self, exponent: Option<Linear>, values: &[i64]) -> Result<u64, ExpandError> {
        let Some(exponent) = exponent else {
            return Ok(1);
        };
        let value = exponent.value(values);
        u64::try_from(value).map_err(|_| ExpandError::NegativeExponent {
            exponent: self.linear_text(exponent),
            value,
            binding: self.binding_text(exponent, values),
        })
    }

    /// Returns the numbers of seeds of a pot.
    fn seeds(&self, pot: &Unit, values: &[i64]) -> Result<Vec<u32>, ExpandError> {
        let number = |&seeds: &Linear| {
            let value = seeds.value(values);
            let fits = u32::try_from(value).ok();
            fits.filter(|&seeds| seeds <= POT_SEEDS_MAX)
                .ok_or_else(|| ExpandError::Seeds {
                    pot: self.unit_text(pot),
                    value,
                    binding: self.binding_text(seeds, values),
                })
        };
        pot.counts().iter().map(number).collect()
    }
}

impl Linear {
    /// Returns a constant.
    pub(super) fn of(offset: i64) -> Linear {
        Linear {
            variable: None,
            offset,
        }
    }

    fn value(self, values: &[i64]) -> i64 {
        self.offset
            .saturating_add(self.variable.map_or(0, |index| values[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(pattern: &str, values: &[i64]) -> Result<String, ExpandError> {
        let pattern: Pattern = pattern.parse().unwrap();
        pattern.expand(values).map(|row| row.to_string())
    }

    #[test]
    fn patterns_of_the_paper_expand() {
        let cases: [(&str, &[i64], &str); 11] = [
            ("1^n", &[4], "1111"),
            ("x y", &[3, 12], "3[12]"),
            ("(10)^m 03 (01)^n", &[0, 2], "030101"),
            ("...e 2^n e...", &[3], "...e222e..."),
            ("e 1^n e", &[0], "ee"),
            ("...e 1^n e...", &[0], "...ee..."),
            ("[12]^2 0", &[], "[12][12]0"),
            ("(1(20)^n+1)^2 [x-1]", &[1, 5], "12020120204"),
            ("((01)^k 3^k-1)^2", &[2], "0101301013"),
            ("1^n", &[0], "0"),
            ("312", &[], "312"),
        ];
        for (pattern, values, row) in cases {
            assert_eq!(
                expand(pattern, values),
                Ok(row.to_owned()),
                "{pattern} at {values:?}"
            );
        }
    }

    #[test]
    fn what_an_exponent_counts_must_exist() {
        assert_eq!(
            expand("1^n-2", &[1]).unwrap_err().to_string(),
            "the exponent n-2 is -1 for n = 1; an exponent is at least 0"
        );
        assert_eq!(
            expand("1 [x-1]", &[0]).unwrap_err().to_string(),
            "the pot [x-1] holds -1 seeds for x = 0; a pot holds 0 to 999999 seeds"
        );
        assert_eq!(
            expand("x", &[1_000_000]).unwrap_err().to_string(),
            "the pot x holds 1000000 seeds for x = 1000000; a pot holds 0 to 999999 seeds"
        );
        assert_eq!(
            expand("(1^n)^n", &[101]),
            Err(ExpandError::TooLong { pots: 10_201 })
        );
        assert_eq!(
            expand("((((1^n)^9999)^9999)^9999)^9999", &[i64::MAX]),
            Err(ExpandError::TooLong { pots: u64::MAX })
        );
    }

    #[test]
    fn repeating_nothing_costs_nothing() {
        assert_eq!(
            expand("((((1^n)^9999)^9999)^9999)^9999", &[0]),
            Ok("0".to_owned())
        );
    }

    #[test]
    fn full_pots_are_found_at_any_depth() {
        for (pattern, full) in [
            ("1^n", false),
            ("e", true),
            ("(1(2e)^n)^m", true),
            ("...e 1", true),
            ("1 e...", true),
        ] {
            assert_eq!(
                pattern.parse::<Pattern>().unwrap().has_full_pots(),
                full,
                "{pattern}"
            );
        }
    }
}
