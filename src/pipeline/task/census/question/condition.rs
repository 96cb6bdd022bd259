//! Conditions on a witness's value: the key `where`.

use std::cmp::Ordering;

use cgvalues::{Arena, Dyadic, Kind, OutcomeClass, ValueId};
use seedbank_specs::form::{Form, one_or_more, text};
use seedbank_specs::{AnyFault, Fault, choice};

use crate::task::forms::no_value;

choice! {
    /// A property of a value that a condition can test, by the name of its column.
    pub enum Invariant {
        /// The nim-value of a nimber.
        NimValue = "nim_value",
        /// The atomic weight.
        AtomicWeight = "atomic_weight",
        /// The temperature.
        Temperature = "temperature",
        /// The mean.
        Mean = "mean",
        /// The Left stop.
        LeftStop = "left_stop",
        /// The Right stop.
        RightStop = "right_stop",
        /// The birthday.
        Birthday = "birthday",
        /// The kind.
        Kind = "kind",
        /// The outcome class.
        Outcome = "outcome",
    }
}

choice! {
    /// A relation between two values. Longer spellings first, so that `<=` is not read as `<`.
    pub enum Relator {
        /// `!=`
        Unequal = "!=",
        /// `<=`
        AtMost = "<=",
        /// `>=`
        AtLeast = ">=",
        /// `=`
        Equal = "=",
        /// `<`
        Less = "<",
        /// `>`
        Greater = ">",
    }
}

impl Relator {
    /// Returns whether the relator holds for this ordering; `None` stands for confused games.
    pub fn holds(self, ordering: Option<Ordering>) -> bool {
        match self {
            Relator::Equal => ordering == Some(Ordering::Equal),
            Relator::Unequal => ordering != Some(Ordering::Equal),
            Relator::Less => ordering == Some(Ordering::Less),
            Relator::AtMost => ordering.is_some_and(Ordering::is_le),
            Relator::Greater => ordering == Some(Ordering::Greater),
            Relator::AtLeast => ordering.is_some_and(Ordering::is_ge),
        }
    }
}

choice! {
    /// A class that an invariant may belong to.
    pub enum Class {
        /// An integer.
        Integer = "integer",
        /// A number.
        Number = "number",
        /// Missing.
        None = "none",
    }
}

/// A condition on a value. If the value lacks the invariant, no condition holds except `is none`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Compares a numeric invariant with a number.
    Number {
        /// The invariant.
        invariant: Invariant,
        /// The comparison.
        relator: Relator,
        /// The number.
        bound: Dyadic,
    },
    /// Compares the atomic weight with a game; confused games are unequal and satisfy no other
    /// relator.
    AtomicWeight {
        /// The comparison.
        relator: Relator,
        /// The game, in notation.
        bound: String,
    },
    /// Compares the kind or the outcome class with a name.
    Name {
        /// The invariant.
        invariant: Invariant,
        /// Whether the name must differ.
        other: bool,
        /// The name.
        name: String,
    },
    /// Tests whether an invariant belongs to a class, or exists and does not.
    Class {
        /// The invariant.
        invariant: Invariant,
        /// Whether it must not belong to the class.
        not: bool,
        /// The class.
        class: Class,
    },
}

impl Condition {
    /// Returns whether the condition may hold for 0 or a nimber. Their stops, mean and atomic weight
    /// are 0, and their temperature is -1 or 0.
    pub(super) fn fits_nimbers(&self) -> bool {
        match self {
            Condition::Number {
                invariant,
                relator,
                bound,
            } => {
                let found: &[i64] = match invariant {
                    Invariant::Mean | Invariant::LeftStop | Invariant::RightStop => &[0],
                    Invariant::Temperature => &[-1, 0],
                    _ => return true,
                };
                let holds = |&n: &i64| relator.holds(Some(Dyadic::integer(n).cmp(bound)));
                found.iter().any(holds)
            }
            Condition::AtomicWeight { relator, bound } => {
                let arena = Arena::new();
                let mut calculator = arena.calculator();
                let bound = calculator.parse(bound);
                let bound = bound.expect("a bound was read when the condition was");
                relator.holds(calculator.compare(ValueId::ZERO, bound).ordering())
            }
            Condition::Name { other, name, .. } => {
                *other || ["integer", "nimber", "N", "P"].contains(&&**name)
            }
            // All these invariants are integers.
            Condition::Class { not, class, .. } => (*class == Class::None) == *not,
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Condition::Number {
                invariant,
                relator,
                bound,
            } => write!(f, "{} {} {bound}", invariant.name(), relator.name()),
            Condition::AtomicWeight { relator, bound } => {
                write!(f, "atomic_weight {} {bound}", relator.name())
            }
            Condition::Name {
                invariant,
                other,
                name,
            } => {
                let relator = if *other { "!=" } else { "=" };
                write!(f, "{} {relator} {name}", invariant.name())
            }
            Condition::Class {
                invariant,
                not,
                class,
            } => {
                let not = if *not { "not " } else { "" };
                write!(f, "{} is {not}{}", invariant.name(), class.name())
            }
        }
    }
}

/// One condition, or a list of them.
pub(super) fn conditions<'f>() -> Form<'f, Vec<Condition>> {
    const ACCEPTED: &str = "a condition such as \"nim_value >= 10\", or a list of such";
    let read = text(ACCEPTED).then(|problems, field, text| {
        let read = condition(&text);
        read.map_err(|(fault, help)| {
            problems.add_with_help(&field.key, field.span.clone(), fault, help);
        })
        .ok()
    });
    one_or_more(ACCEPTED, read)
}

fn condition(text: &str) -> Result<Condition, (AnyFault, Option<String>)> {
    let text = text.trim();
    let malformed = || -> (AnyFault, Option<String>) {
        let accepted = "a name, one of =, !=, <, <=, >, >= and a bound, or a name and is, is not and one of integer, \
                       number, none";
        (malformed_condition(text, accepted).into(), None)
    };
    let end = text
        .find(|c: char| !(c.is_ascii_lowercase() || c == '_'))
        .ok_or_else(malformed)?;
    let (name, rest) = text.split_at(end);
    let unknown = |what, found, names: &[&str]| -> (AnyFault, _) {
        let (fault, help) = Fault::unknown_name(what, found, names);
        (fault.into(), help)
    };
    let Some(invariant) = Invariant::named(name) else {
        let names = Invariant::NAMED.iter().map(|invariant| invariant.1);
        return Err(unknown("invariant", name, &names.collect::<Vec<_>>()));
    };
    let rest = rest.trim();
    if let Some(class) = rest.strip_prefix("is ") {
        let (not, class) = match class.trim().strip_prefix("not ") {
            Some(class) => (true, class.trim()),
            None => (false, class.trim()),
        };
        let class = Class::named(class);
        let named = matches!(invariant, Invariant::Kind | Invariant::Outcome);
        let class = class.filter(|_| !named).ok_or_else(malformed)?;
        return Ok(Condition::Class {
            invariant,
            not,
            class,
        });
    }
    let (relator, bound) = Relator::NAMED
        .iter()
        .find_map(|(relator, symbol)| Some((*relator, rest.strip_prefix(symbol)?.trim())))
        .ok_or_else(malformed)?;
    match invariant {
        Invariant::Kind | Invariant::Outcome => {
            let other = match relator {
                Relator::Equal => false,
                Relator::Unequal => true,
                _ => return Err(malformed()),
            };
            let names = match invariant {
                Invariant::Kind => Kind::ALL.map(Kind::name).to_vec(),
                _ => OUTCOMES.map(OutcomeClass::letter).to_vec(),
            };
            if !names.contains(&bound) {
                return Err(unknown(invariant.name(), bound, &names));
            }
            Ok(Condition::Name {
                invariant,
                other,
                name: bound.to_owned(),
            })
        }
        Invariant::AtomicWeight => {
            let arena = Arena::new();
            let value = arena
                .calculator()
                .parse(bound)
                .map_err(|reason| (no_value(bound, reason).into(), None))?;
            Ok(Condition::AtomicWeight {
                relator,
                bound: arena.notation(value).to_string(),
            })
        }
        _ => {
            let bound: Dyadic = bound
                .parse()
                .ok()
                .filter(|bound: &Dyadic| bound.to_f64_exact().is_some())
                .ok_or_else(|| -> (AnyFault, _) {
                    let accepted = "an integer or a dyadic rational, such as 3/4";
                    (malformed_condition(bound, accepted).into(), None)
                })?;
            Ok(Condition::Number {
                invariant,
                relator,
                bound,
            })
        }
    }
}

fn malformed_condition(found: &str, accepted: &str) -> String {
    format!("malformed condition {found:?}; accepted: {accepted}")
}

const OUTCOMES: [OutcomeClass; 4] = [
    OutcomeClass::Next,
    OutcomeClass::Previous,
    OutcomeClass::Left,
    OutcomeClass::Right,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_print_what_they_read() {
        for text in [
            "nim_value >= 10",
            "atomic_weight >= 4",
            "atomic_weight != {1|0}",
            "atomic_weight is not integer",
            "atomic_weight is none",
            "temperature > 3/4",
            "birthday <= 20",
            "kind = tiny",
            "outcome != N",
            "mean is integer",
        ] {
            let read = condition(text).unwrap_or_else(|(fault, _)| panic!("{text}: {fault}"));
            assert_eq!(read.to_string(), text);
        }
        assert_eq!(
            condition("nim_value>=3").ok(),
            condition("nim_value >= 3").ok()
        );
        for text in [
            "",
            "10",
            "nim_value",
            "nim_value ~ 3",
            "kind > hot",
            "kind = warm",
            "mean < 1/3",
            "weight = 1",
        ] {
            assert!(condition(text).is_err(), "{text}");
        }
    }

    #[test]
    fn confused_games_are_unequal_and_nothing_else() {
        for &(relator, _) in Relator::NAMED {
            assert_eq!(relator.holds(None), relator == Relator::Unequal);
        }
        assert!(Relator::AtLeast.holds(Some(Ordering::Equal)));
        assert!(!Relator::Greater.holds(Some(Ordering::Equal)));
    }
}
