//! Conditions on a witness's value: the key `where`.

use std::cmp::Ordering;

use cggames::game::UnknownName;
use cgvalues::{Arena, Dyadic, Kind, OutcomeClass};
use seedbank_specs::{AnyFault, Fault, Field, Problems, nearest};

/// A property of a value that a condition can test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// The nim-value of a nimber.
    NimValue,
    /// The atomic weight.
    AtomicWeight,
    /// The temperature.
    Temperature,
    /// The mean.
    Mean,
    /// The Left stop.
    LeftStop,
    /// The Right stop.
    RightStop,
    /// The birthday.
    Birthday,
    /// The kind.
    Kind,
    /// The outcome class.
    Outcome,
}

impl Invariant {
    const ALL: [Invariant; 9] = [
        Invariant::NimValue,
        Invariant::AtomicWeight,
        Invariant::Temperature,
        Invariant::Mean,
        Invariant::LeftStop,
        Invariant::RightStop,
        Invariant::Birthday,
        Invariant::Kind,
        Invariant::Outcome,
    ];

    /// Returns the name that jobs use, which is that of the column.
    pub fn name(self) -> &'static str {
        match self {
            Invariant::NimValue => "nim_value",
            Invariant::AtomicWeight => "atomic_weight",
            Invariant::Temperature => "temperature",
            Invariant::Mean => "mean",
            Invariant::LeftStop => "left_stop",
            Invariant::RightStop => "right_stop",
            Invariant::Birthday => "birthday",
            Invariant::Kind => "kind",
            Invariant::Outcome => "outcome",
        }
    }
}

/// A relation between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relator {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Relator {
    /// Longer spellings first, so that `<=` is not read as `<`.
    const ALL: [Relator; 6] = [
        Relator::Unequal,
        Relator::AtMost,
        Relator::AtLeast,
        Relator::Equal,
        Relator::Less,
        Relator::Greater,
    ];

    /// Returns the relator in notation.
    pub fn symbol(self) -> &'static str {
        match self {
            Relator::Equal => "=",
            Relator::Unequal => "!=",
            Relator::Less => "<",
            Relator::AtMost => "<=",
            Relator::Greater => ">",
            Relator::AtLeast => ">=",
        }
    }

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

/// A class that an invariant may belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// Missing.
    None,
}

impl Class {
    const ALL: [Class; 3] = [Class::Integer, Class::Number, Class::None];

    fn name(self) -> &'static str {
        match self {
            Class::Integer => "integer",
            Class::Number => "number",
            Class::None => "none",
        }
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
    /// Returns whether a nimber may be of the kind or the outcome class that the condition names.
    pub(super) fn fits_nimbers(&self) -> bool {
        match self {
            Condition::Name {
                other: false, name, ..
            } => ["integer", "nimber", "N", "P"].contains(&&**name),
            _ => true,
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
            } => write!(f, "{} {} {bound}", invariant.name(), relator.symbol()),
            Condition::AtomicWeight { relator, bound } => {
                write!(f, "atomic_weight {} {bound}", relator.symbol())
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

/// Reads `where`: conditions that must all hold.
pub(super) fn read_conditions(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
) -> Option<Vec<Condition>> {
    const ACCEPTED: &str = "a condition such as \"nim_value >= 10\", or a list of such";
    let fields = if field.value.is_array() {
        field.array(problems, ACCEPTED)?
    } else {
        vec![field.clone()]
    };
    let mut all = Some(Vec::new());
    for field in fields {
        let condition = field.string(problems, ACCEPTED).and_then(|text| {
            condition(text)
                .map_err(|(fault, help)| {
                    problems.add_with_help(&field.key, field.span.clone(), fault, help);
                })
                .ok()
        });
        all = all.zip(condition).map(|(mut all, condition)| {
            all.push(condition);
            all
        });
    }
    all
}

fn condition(text: &str) -> Result<Condition, (AnyFault, Option<String>)> {
    let text = text.trim();
    let malformed = || -> (AnyFault, Option<String>) {
        let fault = Fault::Condition {
            found: text.to_owned(),
            accepted: "a name, one of =, !=, <, <=, >, >= and a bound, or a name and is, is not and one of integer, \
                       number, none",
        };
        (fault.into(), None)
    };
    let end = text
        .find(|c: char| !(c.is_ascii_lowercase() || c == '_'))
        .ok_or_else(malformed)?;
    let (name, rest) = text.split_at(end);
    let names = Invariant::ALL.map(Invariant::name);
    let invariant = Invariant::ALL.into_iter().find(|i| i.name() == name);
    let Some(invariant) = invariant else {
        let help = nearest(name, names).map(|name| format!("did you mean `{name}`?"));
        let fault = UnknownName {
            what: "invariant",
            found: name.to_owned(),
            accepted: names.join(", "),
        };
        return Err((fault.into(), help));
    };
    let rest = rest.trim();
    if let Some(class) = rest.strip_prefix("is ") {
        let (not, class) = match class.trim().strip_prefix("not ") {
            Some(class) => (true, class.trim()),
            None => (false, class.trim()),
        };
        let class = Class::ALL.into_iter().find(|c| c.name() == class);
        let named = matches!(invariant, Invariant::Kind | Invariant::Outcome);
        let class = class.filter(|_| !named).ok_or_else(malformed)?;
        return Ok(Condition::Class {
            invariant,
            not,
            class,
        });
    }
    let relator = Relator::ALL.into_iter();
    let (relator, bound) = relator
        .filter_map(|relator| Some((relator, rest.strip_prefix(relator.symbol())?.trim())))
        .next()
        .ok_or_else(malformed)?;
    match invariant {
        Invariant::Kind | Invariant::Outcome => {
            let other = match relator {
                Relator::Equal => false,
                Relator::Unequal => true,
                _ => return Err(malformed()),
            };
            let names: Vec<String> = match invariant {
                Invariant::Kind => Kind::ALL.map(|kind| kind.name().to_owned()).to_vec(),
                _ => OUTCOMES.map(|outcome| outcome.letter().to_owned()).to_vec(),
            };
            if !names.iter().any(|name| name == bound) {
                let help = nearest(bound, names.iter().map(String::as_str))
                    .map(|name| format!("did you mean `{name}`?"));
                let fault = UnknownName {
                    what: invariant.name(),
                    found: bound.to_owned(),
                    accepted: names.join(", "),
                };
                return Err((fault.into(), help));
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
                .map_err(|reason| (Fault::no_value(bound, reason).into(), None))?;
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
                    let fault = Fault::Condition {
                        found: bound.to_owned(),
                        accepted: "an integer or a dyadic rational, such as 3/4",
                    };
                    (fault.into(), None)
                })?;
            Ok(Condition::Number {
                invariant,
                relator,
                bound,
            })
        }
    }
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
        for relator in Relator::ALL {
            assert_eq!(relator.holds(None), relator == Relator::Unequal);
        }
        assert!(Relator::AtLeast.holds(Some(Ordering::Equal)));
        assert!(!Relator::Greater.holds(Some(Ordering::Equal)));
    }
}
