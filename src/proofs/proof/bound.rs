//! Values whose integers depend on the counts of a row, and their comparison for all counts.
//!
//! A comparison for all counts follows the definition of the order, with one choice of an option
//! for all counts. It is sound and incomplete: a result is true, but a true comparison may not be
//! found.

use cgvalues::{Arena, ValueId};

/// An integer that depends on counts: a constant and a multiple of each count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The constant.
    pub constant: i64,
    /// The factor of each count.
    pub factors: Vec<i64>,
}

impl Linear {
    /// Returns a constant integer, over a number of counts.
    pub fn constant(constant: i64, counts: usize) -> Linear {
        Linear {
            constant,
            factors: vec![0; counts],
        }
    }

    /// Returns the integer that equals one count.
    pub fn count(count: usize, counts: usize) -> Linear {
        let mut linear = Linear::constant(0, counts);
        linear.factors[count] = 1;
        linear
    }

    /// Returns this integer plus a multiple of another.
    pub fn plus(&self, factor: i64, other: &Linear) -> Linear {
        let terms = self.factors.iter().zip(&other.factors);
        Linear {
            constant: self.constant + factor * other.constant,
            factors: terms.map(|(own, other)| own + factor * other).collect(),
        }
    }

    /// Returns the integer at these counts.
    pub fn at(&self, counts: &[i64]) -> i64 {
        let terms = self.factors.iter().zip(counts);
        self.constant + terms.map(|(factor, count)| factor * count).sum::<i64>()
    }

    /// Returns whether the integer is proved to be at least `bound` for all given counts. `false`
    /// may mean unknown.
    pub fn is_at_least(&self, bound: i64, counts: &Counts) -> bool {
        let is_so = |linear: &Linear| {
            let is_growing = linear.factors.iter().all(|&factor| factor >= 0);
            is_growing && linear.at(&counts.least) >= bound
        };
        // If c is negative, c + 1 is at most 0.
        let less = counts.negative.iter().map(|negative| {
            let one = Linear::constant(1, self.factors.len());
            self.plus(1, &negative.plus(1, &one))
        });
        is_so(self) || less.into_iter().any(|less| is_so(&less))
    }

    /// Substitutes integers for the counts; they depend on `others` counts.
    pub fn with(&self, counts: &[Linear], others: usize) -> Linear {
        let start = Linear::constant(self.constant, others);
        let terms = self.factors.iter().zip(counts);
        terms.fold(start, |sum, (factor, count)| sum.plus(*factor, count))
    }

    fn negative(&self) -> Linear {
        Linear::constant(0, self.factors.len()).plus(-1, self)
    }
}

/// The counts over which a comparison quantifies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The least value of each count.
    pub least: Vec<i64>,
    /// An integer that is assumed to be negative, which restricts the counts.
    pub negative: Option<Linear>,
}

/// A value whose integers depend on counts: an integer, or its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// An integer.
    Integer(Linear),
    /// The options of Left and of Right; the form need not be canonical.
    Options(Vec<Value>, Vec<Value>),
}

/// The most options of a constant, summed over all depths.
pub const CONSTANT_MAX: usize = 10_000;

impl Value {
    /// Returns a canonical form as a constant; `None` if it has more than [`CONSTANT_MAX`] options
    /// in all.
    pub fn of(form: ValueId, counts: usize, arena: &Arena) -> Option<Value> {
        Value::within(form, counts, arena, &mut CONSTANT_MAX.clone())
    }

    fn within(form: ValueId, counts: usize, arena: &Arena, left: &mut usize) -> Option<Value> {
        *left = left.checked_sub(1)?;
        let integer = arena.number(form).and_then(|number| number.to_integer());
        if let Some(integer) = integer {
            return Some(Value::Integer(Linear::constant(integer, counts)));
        }
        let mut all = |forms: Vec<ValueId>| -> Option<Vec<Value>> {
            let forms = forms.into_iter();
            forms
                .map(|form| Value::within(form, counts, arena, left))
                .collect()
        };
        Some(Value::Options(
            all(arena.left_options(form))?,
            all(arena.right_options(form))?,
        ))
    }

    /// Returns the negative.
    pub fn negative(&self) -> Value {
        let all = |values: &[Value]| values.iter().map(Value::negative).collect();
        match self {
            Value::Integer(integer) => Value::Integer(integer.negative()),
            Value::Options(left, right) => Value::Options(all(right), all(left)),
        }
    }

    /// Returns the sum of the value and an integer, which is added in all options: that is the sum
    /// if the value is no number, and neither are those of its options that have options.
    pub fn plus(&self, integer: &Linear) -> Value {
        let all = |values: &[Value]| values.iter().map(|value| value.plus(integer)).collect();
        match self {
            Value::Integer(own) => Value::Integer(own.plus(1, integer)),
            Value::Options(left, right) => Value::Options(all(left), all(right)),
        }
    }

    /// Substitutes integers for the counts of the value; they depend on `others` counts.
    pub fn with(&self, counts: &[Linear], others: usize) -> Value {
        let all = |values: &[Value]| {
            values
                .iter()
                .map(|value| value.with(counts, others))
                .collect()
        };
        match self {
            Value::Integer(integer) => Value::Integer(integer.with(counts, others)),
            Value::Options(left, right) => Value::Options(all(left), all(right)),
        }
    }

    /// Returns whether an integer in it depends on a count.
    pub fn depends_on(&self, count: usize) -> bool {
        match self {
            Value::Integer(integer) => integer.factors[count] != 0,
            Value::Options(left, right) => left
                .iter()
                .chain(right)
                .any(|value| value.depends_on(count)),
        }
    }

    /// Returns Right's options, and the integer that must be negative for them to exist; `None` if
    /// they always exist.
    pub fn right_options(&self, counts: &Counts) -> (Vec<Value>, Option<Linear>) {
        match self {
            Value::Options(_, right) => (right.clone(), None),
            Value::Integer(integer) if integer.is_at_least(0, counts) => (Vec::new(), None),
            Value::Integer(integer) => {
                let one = Linear::constant(1, integer.factors.len());
                let option = Value::Integer(integer.plus(1, &one));
                (vec![option], Some(integer.clone()))
            }
        }
    }

    /// Returns whether the value is proved to be less than or equal to another for all given
    /// counts. `false` may mean unknown.
    pub fn is_at_most(&self, other: &Value, counts: &Counts) -> bool {
        match (self, other) {
            (Value::Integer(own), Value::Integer(other)) => {
                other.plus(-1, own).is_at_least(0, counts)
            }
            // No right option of the other may be at most n, and n - 1, the only left option of a
            // positive n, must not be at least the other.
            (Value::Integer(own), Value::Options(left, right)) => {
                let one = Linear::constant(1, own.factors.len());
                let less = Value::Integer(own.plus(-1, &one));
                right
                    .iter()
                    .all(|right| self.is_less_or_confused(right, counts))
                    && (own.negative().is_at_least(0, counts)
                        || left.iter().any(|left| less.is_at_most(left, counts)))
            }
            (Value::Options(..), Value::Integer(_)) => {
                other.negative().is_at_most(&self.negative(), counts)
            }
            (Value::Options(left, _), Value::Options(_, right)) => {
                left.iter()
                    .all(|left| left.is_less_or_confused(other, counts))
                    && right
                        .iter()
                        .all(|right| self.is_less_or_confused(right, counts))
            }
        }
    }

    /// Returns whether the value is proved to be less than or confused with another for all given
    /// counts. `false` may mean unknown.
    pub fn is_less_or_confused(&self, other: &Value, counts: &Counts) -> bool {
        if let (Value::Integer(own), Value::Integer(other)) = (self, other) {
            return other.plus(-1, own).is_at_least(1, counts);
        }
        let right = match self {
            Value::Integer(_) => &[][..],
            Value::Options(_, right) => right,
        };
        let left = match other {
            Value::Integer(_) => &[][..],
            Value::Options(left, _) => left,
        };
        right.iter().any(|right| right.is_at_most(other, counts))
            || left.iter().any(|left| self.is_at_most(left, counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::notation;
    use cgvalues::Comparison;

    fn from(m: i64, n: i64) -> Counts {
        Counts {
            least: vec![m, n],
            negative: None,
        }
    }

    #[test]
    fn what_is_negative_is_made_use_of() {
        let linear = |constant, m, n| Linear {
            constant,
            factors: vec![m, n],
        };
        let mut counts = from(0, 0);
        // m - n is at least 1 if n - m is negative.
        assert!(!linear(0, 1, -1).is_at_least(1, &counts));
        counts.negative = Some(linear(0, -1, 1));
        assert!(linear(0, 1, -1).is_at_least(1, &counts));
        assert!(!linear(0, 1, -1).is_at_least(2, &counts));
        assert!(linear(5, 2, -1).is_at_least(6, &counts));
        assert!(!linear(0, -1, 0).is_at_least(-5, &counts));
    }

    /// The order of canonical forms is an independent check.
    #[test]
    fn constants_compare_as_their_canonical_forms_do() {
        let arena = Arena::new();
        let texts = [
            "0",
            "1",
            "-2",
            "*",
            "*2",
            "^",
            "v",
            "1/2",
            "-3/4",
            "{1|-1}",
            "{2|0}",
            "{0||1|-1}",
            "^*",
            "{0|-2}",
            "{3|*}",
            "+-1",
            "Tiny(1)",
            "1/2^3",
            "{2|1||0}",
        ];
        for text in texts {
            for other in texts {
                let mut calculator = arena.calculator();
                let forms = [text, other].map(|text| calculator.parse(text).unwrap());
                let values = forms.map(|form| Value::of(form, 0, &arena).unwrap());
                let order = calculator.compare(forms[0], forms[1]);
                let is_at_most = matches!(order, Comparison::Less | Comparison::Equal);
                assert_eq!(
                    values[0].is_at_most(&values[1], &Counts::default()),
                    is_at_most,
                    "{text} <= {other}"
                );
                let is_less = matches!(order, Comparison::Less | Comparison::Confused);
                assert_eq!(
                    values[0].is_less_or_confused(&values[1], &Counts::default()),
                    is_less,
                    "{text} <| {other}"
                );
            }
        }
    }

    #[test]
    fn what_is_found_holds_for_all_counts() {
        let arena = Arena::new();
        let names = ['m', 'n'];
        let texts = [
            "0",
            "n",
            "n+1",
            "-m",
            "n-m",
            "{n|-m}",
            "{n+1|-m-1}",
            "{n+1|0}",
            "2m",
            "{m||n|0}",
            "-m-n",
            "*",
            "{2n|n}",
        ];
        for text in texts {
            for other in texts {
                let mut calculator = arena.calculator();
                let values = [text, other]
                    .map(|text| notation::read(text, &names, &mut calculator).unwrap());
                let counts = from(1, 0);
                let found = [
                    values[0].is_at_most(&values[1], &counts),
                    values[0].is_less_or_confused(&values[1], &counts),
                ];
                for m in 1..4 {
                    for n in 0..4 {
                        let forms = [text, other].map(|text| {
                            let binding = [('m', m), ('n', n)];
                            let pattern = cgvalues::ValuePattern::read(text).unwrap();
                            pattern.value(&binding, &mut calculator).unwrap()
                        });
                        let order = calculator.compare(forms[0], forms[1]);
                        let is = [
                            matches!(order, Comparison::Less | Comparison::Equal),
                            matches!(order, Comparison::Less | Comparison::Confused),
                        ];
                        for (found, is) in found.iter().zip(is) {
                            assert!(!found || is, "{text} and {other} at {m}, {n}: {order:?}");
                        }
                    }
                }
            }
        }
        let is_at_most = |text: &str, other: &str| {
            let mut calculator = arena.calculator();
            let mut value = |text| notation::read(text, &names, &mut calculator).unwrap();
            value(text).is_at_most(&value(other), &from(1, 0))
        };
        assert!(is_at_most("{n|-m}", "n+1"));
        assert!(!is_at_most("{n|-m}", "n"));
        assert!(is_at_most("-m", "{n|-m+1}"));
        assert!(!is_at_most("n", "m"));
    }
}
