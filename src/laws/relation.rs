//! A relation between two sequences: its kind and its numbers.
//!
//! [`transforms`](super::transforms) decides at which places a kind reads the source, and
//! `relation_text` writes it.

use super::bits::of_integer;
use super::rational::Rational;

/// The greatest shift of a sequence.
const SHIFT_MAX: i64 = 5;

/// The greatest shift of differences and partial sums.
const SHIFT_OF_SUMS_MAX: i64 = 2;

/// The greatest step of a section.
const STEP_MAX: i64 = 4;

/// How the target b depends on the source a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// b(n) = a(n).
    Equal,
    /// b(n) = a(n + shift).
    Shift {
        /// Not 0.
        shift: i64,
    },
    /// b(n) = a(step n + offset).
    Section {
        /// At least 2.
        step: i64,
        /// At most `step` in size.
        offset: i64,
    },
    /// b(n) = a(n + shift) - a(n + shift - 1).
    Differences {
        /// 0 for the step to n, 1 for the step from n.
        shift: i64,
    },
    /// b(n) = constant + the sum of a from its first entry to that at n + shift.
    Sums {
        /// 0 for sums up to n.
        shift: i64,
        /// The sum before the first entry of a.
        constant: Rational,
    },
    /// b(n) = factor a(n) + constant.
    Affine {
        /// Not 0.
        factor: Rational,
        /// The constant.
        constant: Rational,
    },
}

/// One sequence in terms of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The name of the sequence that is expressed.
    pub target: String,
    /// The name of the sequence that expresses it.
    pub source: String,
    /// The variables of target and source.
    pub variables: [String; 2],
    /// The place of the source's first entry, where its partial sums begin.
    pub source_first: i64,
    /// How the target depends on the source.
    pub kind: RelationKind,
    /// The first place of the target that it gives.
    pub from: i64,
    /// The number of entries that it gives.
    pub entries: usize,
    /// The number of them held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

impl RelationKind {
    /// Returns the kinds to try, with 0 for constants and 1 for factors.
    pub(super) fn all() -> impl Iterator<Item = RelationKind> {
        use RelationKind::{Affine, Differences, Equal, Section, Shift, Sums};
        let (factor, constant) = (Rational::ONE, Rational::ZERO);
        let shifts = (-SHIFT_MAX..=SHIFT_MAX).filter(|&shift| shift != 0);
        let sections = (2..=STEP_MAX)
            .flat_map(|step| (-step..=step).map(move |offset| Section { step, offset }));
        let of_sums = -SHIFT_OF_SUMS_MAX..=SHIFT_OF_SUMS_MAX;
        [Equal, Affine { factor, constant }]
            .into_iter()
            .chain(shifts.map(|shift| Shift { shift }))
            .chain(sections)
            .chain(of_sums.clone().map(|shift| Differences { shift }))
            .chain(of_sums.map(move |shift| Sums { shift, constant }))
    }

    /// Returns the kind with the constant and the factor that the first entries determine: those of
    /// the source, or its partial sums, and of the target.
    pub(super) fn through(
        self,
        mut pairs: impl Iterator<Item = (i128, i128)>,
    ) -> Option<RelationKind> {
        let (x, y) = pairs.next()?;
        match self {
            RelationKind::Sums { shift, .. } => Some(RelationKind::Sums {
                shift,
                constant: Rational::integer(y.checked_sub(x)?)?,
            }),
            RelationKind::Affine { .. } => {
                let (other_x, other_y) = pairs.find(|pair| pair.0 != x)?;
                let factor = Rational::new(other_y.checked_sub(y)?, other_x.checked_sub(x)?)?;
                let constant = Rational::integer(y)?
                    .checked_sub(factor.checked_mul(Rational::integer(x)?)?)?;
                let is_trivial = factor == Rational::ZERO
                    || (factor, constant) == (Rational::ONE, Rational::ZERO);
                (!is_trivial).then_some(RelationKind::Affine { factor, constant })
            }
            _ => Some(self),
        }
    }

    /// Returns the target's entry for an entry of the source, of its differences or of its partial
    /// sums, if it is an integer that fits.
    pub(super) fn image(&self, x: i128) -> Option<i128> {
        match self {
            RelationKind::Sums { constant, .. } => x.checked_add(constant.to_integer()?),
            RelationKind::Affine { factor, constant } => {
                let product = factor.checked_mul(Rational::integer(x)?)?;
                product.checked_add(*constant)?.to_integer()
            }
            _ => Some(x),
        }
    }

    /// Returns the bits of the kind and its numbers.
    pub fn bits(&self) -> f64 {
        let fraction = |x: &Rational| of_integer(x.numerator()) + of_integer(x.denominator() - 1);
        let numbers = match self {
            RelationKind::Equal => 0.0,
            RelationKind::Shift { shift } | RelationKind::Differences { shift } => {
                of_integer((*shift).into())
            }
            RelationKind::Section { step, offset } => {
                of_integer((step - 2).into()) + of_integer((*offset).into())
            }
            RelationKind::Sums { shift, constant } => {
                of_integer((*shift).into()) + of_integer(constant.numerator())
            }
            RelationKind::Affine { factor, constant } => fraction(factor) + fraction(constant),
        };
        // The choice among six kinds.
        numbers + 6f64.log2()
    }

    /// Returns whether a relation of this kind from a to b is equivalent to one of the other kind
    /// from b to a.
    pub(super) fn is_inverse_of(&self, other: &RelationKind) -> bool {
        use RelationKind::{Affine, Differences, Equal, Section, Shift, Sums};
        match self {
            Section { .. } => false,
            Differences { .. } => matches!(other, Sums { .. }),
            Sums { .. } => matches!(other, Differences { .. }),
            Equal | Shift { .. } | Affine { .. } => {
                matches!(other, Equal | Shift { .. } | Affine { .. })
            }
        }
    }
}
