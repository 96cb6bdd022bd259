//! Tests whether a value of a census meets a job's conditions.

use std::collections::HashMap;
use std::sync::LazyLock;

use cgvalues::{Arena, Calculator, Dyadic, ValueId};

use super::question::{Class, Condition, Invariant};
use crate::dataset::{CensusRow, ValueColumns};

/// Conditions, with the means to compare atomic weights.
pub(super) struct Conditions<'a> {
    conditions: Vec<(&'a Condition, Option<ValueId>)>,
    arena: &'a LazyLock<Arena>,
    /// Created when first needed.
    calculator: Option<Calculator<'a>>,
    weights: HashMap<String, Option<ValueId>>,
}

impl<'a> Conditions<'a> {
    /// Wraps conditions; the arena is created when atomic weights are first compared.
    pub(super) fn new(conditions: &'a [Condition], arena: &'a LazyLock<Arena>) -> Conditions<'a> {
        let mut these = Conditions {
            conditions: Vec::new(),
            arena,
            calculator: None,
            weights: HashMap::new(),
        };
        for condition in conditions {
            let bound = match condition {
                Condition::AtomicWeight { bound, .. } => Some(
                    these
                        .calculator()
                        .parse(bound)
                        .expect("a bound was read when the job was"),
                ),
                _ => None,
            };
            these.conditions.push((condition, bound));
        }
        these
    }

    fn calculator(&mut self) -> &mut Calculator<'a> {
        let arena = self.arena;
        self.calculator.get_or_insert_with(|| arena.calculator())
    }

    /// Returns whether the value of a row meets all conditions, or its negative if `negated`.
    pub(super) fn hold(&mut self, row: &CensusRow<'_>, negated: bool) -> bool {
        for i in 0..self.conditions.len() {
            let (condition, bound) = self.conditions[i];
            let holds = match (condition, bound) {
                (Condition::AtomicWeight { relator, .. }, Some(bound)) => {
                    self.weight(&row.value, negated).is_some_and(|weight| {
                        relator.holds(self.calculator().compare(weight, bound).ordering())
                    })
                }
                _ => self.holds(condition, row, negated),
            };
            if !holds {
                return false;
            }
        }
        true
    }

    /// Returns the notation of the atomic weight of the value's negative.
    pub(super) fn negative_weight(&mut self, value: &ValueColumns<'_>) -> Option<String> {
        let weight = self.weight(value, true)?;
        Some(self.arena.notation(weight).to_string())
    }

    fn holds(&mut self, condition: &Condition, row: &CensusRow<'_>, negated: bool) -> bool {
        let value = &row.value;
        match condition {
            Condition::Number {
                invariant,
                relator,
                bound,
            } => number(*invariant, value, negated).is_some_and(|x| {
                let bound = bound.to_f64_exact();
                relator.holds(bound.and_then(|bound| x.partial_cmp(&bound)))
            }),
            Condition::AtomicWeight { .. } => false,
            Condition::Name {
                invariant,
                other,
                name,
            } => {
                let found = match invariant {
                    Invariant::Kind => &*value.kind,
                    _ => &*row.outcome,
                };
                let found = if negated { negative_name(found) } else { found };
                (found == name) != *other
            }
            Condition::Class {
                invariant,
                not,
                class,
            } => {
                let found = match invariant {
                    Invariant::AtomicWeight if value.atomic_weight_missing.is_some() => None,
                    Invariant::AtomicWeight => {
                        // An atomic weight whose notation is too long is no number.
                        let weight = self.weight(value, negated);
                        let number = weight.and_then(|id| self.arena.number(id));
                        let integer = number.and_then(Dyadic::to_integer);
                        Some((number.is_some(), integer.is_some()))
                    }
                    _ => number(*invariant, value, negated).map(|x| (true, x.fract() == 0.0)),
                };
                match (class, found) {
                    (Class::None, found) => found.is_none() != *not,
                    (_, None) => false,
                    (Class::Number, Some((is_number, _))) => is_number != *not,
                    (Class::Integer, Some((_, is_integer))) => is_integer != *not,
                }
            }
        }
    }

    fn weight(&mut self, value: &ValueColumns<'_>, negated: bool) -> Option<ValueId> {
        let text = value.atomic_weight.as_deref()?;
        let weight = match self.weights.get(text) {
            Some(known) => *known,
            None => {
                // An atomic weight whose notation is too long is null, and compares with nothing.
                let weight = self.calculator().parse(text).ok();
                self.weights.insert(text.to_owned(), weight);
                weight
            }
        };
        weight.map(|weight| if negated { weight.negative() } else { weight })
    }
}

/// Returns a numeric invariant of a value, or of its negative.
fn number(invariant: Invariant, value: &ValueColumns<'_>, negated: bool) -> Option<f64> {
    let negative = |number: Option<f64>| number.map(|number| -number);
    match (invariant, negated) {
        (Invariant::NimValue, _) => value.nim_value.map(f64::from),
        (Invariant::Temperature, _) => value.temperature,
        (Invariant::Mean, false) => value.mean,
        (Invariant::Mean, true) => negative(value.mean),
        (Invariant::LeftStop, false) => value.left_stop,
        (Invariant::LeftStop, true) => negative(value.right_stop),
        (Invariant::RightStop, false) => value.right_stop,
        (Invariant::RightStop, true) => negative(value.left_stop),
        (Invariant::Birthday, _) => value.birthday.map(f64::from),
        (Invariant::AtomicWeight | Invariant::Kind | Invariant::Outcome, _) => None,
    }
}

/// Returns the kind or the outcome class of the negative of values of a kind or an outcome class.
fn negative_name(name: &str) -> &str {
    const PAIRS: [[&str; 2]; 2] = [["L", "R"], ["tiny", "miny"]];
    let of = |[a, b]: [&'static str; 2]| match name {
        _ if name == a => Some(b),
        _ if name == b => Some(a),
        _ => None,
    };
    PAIRS.into_iter().find_map(of).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cgvalues::{Kind, OutcomeClass};

    #[test]
    fn names_of_negatives_are_those_of_negative_values() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        for text in [
            "-3",
            "1/4",
            "*2",
            "1*",
            "^[2]*",
            "Tiny(2)",
            "Miny(1/2)",
            "+-1",
            "{3|1}",
            "{2|0||-1}",
            "{1|0}+*",
        ] {
            let value = calculator.parse(text).unwrap();
            let kind = |value| Kind::of(&arena, value).name();
            assert_eq!(negative_name(kind(value)), kind(value.negative()), "{text}");
        }
        for outcome in [
            OutcomeClass::Next,
            OutcomeClass::Previous,
            OutcomeClass::Left,
            OutcomeClass::Right,
        ] {
            assert_eq!(negative_name(outcome.letter()), outcome.negative().letter());
        }
    }
}
