//! The question of a census: the section `[witness]`.
//!
//! A [`WitnessSpec`] names values, or conditions on values, and an order; the witness is the first
//! position in that order that meets them. It does not say how positions are searched. Two specs
//! that seek different things among the same positions share one census, unless
//! [`WitnessSpec::relation`] differs.

mod condition;
mod sought;

use std::fmt::Write as _;

use cggames::board::BoardKind;
use cggames::game::{Play, UnknownName};
use seedbank_specs::{Fault, Field, Fields, Problems, nearest};

pub use self::condition::{Class, Condition, Invariant, Relator};
pub use self::sought::{SOUGHT_MAX, Sought};

/// The values or conditions sought, and the order that decides which position is the witness.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessSpec {
    /// The values sought, in order; empty if only conditions are given.
    pub values: Vec<Sought>,
    /// The variables of the pattern, in the order in which they first appear in it.
    pub variables: Vec<String>,
    /// Conditions on a witness's value; all must hold.
    pub conditions: Vec<Condition>,
    /// The things that have a witness each.
    pub each: Each,
    /// Which position comes first.
    pub fewest: Fewest,
    /// A relation between a position and its parts; only positions that satisfy it count.
    pub relation: Option<Relation>,
}

/// The things that have a witness each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// Each value sought, or all together if only conditions are given.
    Sought,
    /// Each distinct value that meets the conditions.
    Value,
    /// Each nim-value that meets them.
    NimValue,
    /// Each atomic weight that meets them.
    AtomicWeight,
}

impl Each {
    const NAMED: [(Each, &'static str); 3] = [
        (Each::Value, "value"),
        (Each::NimValue, "nim_value"),
        (Each::AtomicWeight, "atomic_weight"),
    ];

    /// Returns the names that jobs use.
    pub(in crate::task) fn names() -> impl Iterator<Item = &'static str> {
        Each::NAMED.iter().map(|&(_, name)| name)
    }

    /// Returns the name that jobs use, if it has one.
    pub fn name(self) -> Option<&'static str> {
        let named = Each::NAMED.iter().find(|(each, _)| *each == self);
        named.map(|&(_, name)| name)
    }
}

/// The order that decides which position comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// Fewest seeds, then fewest pots, then the family's order.
    Seeds,
    /// Fewest pots, then fewest seeds, then the family's order.
    Pots,
    /// Fewest squares, for grids; then fewest seeds, then the family's order.
    Squares,
    /// Fewest distinct followers, then the order by pots.
    Followers,
}

impl Fewest {
    /// All orders.
    pub const ALL: [Fewest; 4] = [
        Fewest::Seeds,
        Fewest::Pots,
        Fewest::Squares,
        Fewest::Followers,
    ];

    /// Returns the orders of positions on boards of a kind.
    pub(in crate::task) fn of(kind: BoardKind) -> impl Iterator<Item = Fewest> {
        let is_known = move |order: &Fewest| kind == BoardKind::Grid || *order != Fewest::Squares;
        Fewest::ALL.into_iter().filter(is_known)
    }

    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Fewest::Seeds => "seeds",
            Fewest::Pots => "pots",
            Fewest::Squares => "squares",
            Fewest::Followers => "followers",
        }
    }
}

/// A relation between a position and its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// An end pot holds one seed, and the row without it has the same value: 1001321 = 1321.
    EndOneIdle,
    /// At some cut the value is the sum of the values of the two parts, though no rule implies it
    /// and both parts have moves.
    Splits,
    /// No rule splits it: no part is so far from the rest that play never passes between them.
    Whole,
}

impl Relation {
    /// All relations.
    pub const ALL: [Relation; 3] = [Relation::EndOneIdle, Relation::Splits, Relation::Whole];

    /// Returns the relations that positions on boards of a kind can have.
    pub(in crate::task) fn of(kind: BoardKind) -> impl Iterator<Item = Relation> {
        let is_known = move |relation: &Relation| kind == BoardKind::Row || !relation.is_of_rows();
        Relation::ALL.into_iter().filter(is_known)
    }

    /// Returns whether the relation is only defined for rows of one colour.
    fn is_of_rows(self) -> bool {
        self != Relation::Whole
    }

    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Relation::EndOneIdle => "end-one-idle",
            Relation::Splits => "splits",
            Relation::Whole => "whole",
        }
    }
}

impl WitnessSpec {
    /// Returns a text that two specs share exactly if they seek the same things in the same order.
    pub(in crate::task) fn text(&self) -> String {
        let mut text = format!(
            "witness fewest {} each {}\n",
            self.fewest.name(),
            self.each.name().unwrap_or("sought")
        );
        // Writing to a string cannot fail.
        for sought in &self.values {
            // The digest of a value is half the length that the names of finished searches have.
            let _ = write!(text, "value {:0<64}", sought.digest);
            for (name, value) in self.variables.iter().zip(&sought.variables) {
                let _ = write!(text, "; {name} = {value}");
            }
            text.push('\n');
        }
        for condition in &self.conditions {
            let _ = writeln!(text, "where {condition}");
        }
        if let Some(relation) = self.relation {
            let _ = writeln!(text, "relation {}", relation.name());
        }
        text
    }

    /// Returns the conditions in words.
    pub fn conditions_text(&self) -> String {
        let conditions = self.conditions.iter().map(ToString::to_string);
        let relation = self.relation.map(|relation| relation.name().to_owned());
        let texts: Vec<String> = relation.into_iter().chain(conditions).collect();
        texts.join(" and ")
    }
}

/// Reads `[witness]`, with the orders and relations that positions on boards of a kind can have.
pub(super) fn read(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    kind: BoardKind,
    play: Option<Play>,
) -> Option<WitnessSpec> {
    let value = fields.take("value");
    let pattern = fields.take("pattern");
    let of_conditions = fields.take("where");
    let conditions = match &of_conditions {
        Some(field) => condition::read_conditions(problems, field),
        None => Some(Vec::new()),
    };
    let of_values = value.as_ref().or(pattern.as_ref()).cloned();
    let each = match fields.take("each") {
        Some(field) => read_name(problems, &field, "each", &Each::NAMED).map(|e| Some((e, field))),
        None => Some(None),
    };
    let fewest = fields
        .require(problems, "fewest", "fewest = \"seeds\"")
        .and_then(|field| {
            let orders = Fewest::of(kind);
            let names: Vec<_> = orders.map(|order| (order, order.name())).collect();
            read_name(problems, &field, "order", &names)
        });
    let relation = match fields.take("relation") {
        Some(field) => {
            let names: Vec<_> = Relation::of(kind)
                .map(|relation| (relation, relation.name()))
                .collect();
            read_name(problems, &field, "relation", &names).map(Some)
        }
        None => Some(None),
    };
    let (values, variables) = match (value, pattern) {
        (Some(value), None) => (sought::read_sought(problems, &value), Some(Vec::new())),
        (None, Some(pattern)) => {
            sought::read_pattern(problems, &pattern, fields.take_variables()).unzip()
        }
        (Some(value), Some(pattern)) => {
            let second = if value.key_span.start < pattern.key_span.start {
                pattern
            } else {
                value
            };
            let fault = Fault::Witness {
                needs: "value or pattern, not both",
            };
            problems.add(&second.key, second.key_span, fault);
            fields.take_variables();
            (None, None)
        }
        (None, None) => (Some(Vec::new()), Some(Vec::new())),
    };
    let (key, span) = (fields.key.clone(), fields.span.clone());
    fields.finish(problems);
    let (values, conditions, each, relation) = (values?, conditions?, each?, relation?);
    if play == Some(Play::Impartial) {
        let value = values.iter().find(|sought| !sought.is_nimber);
        let value = value.map(|sought| sought.text.clone());
        let condition = conditions
            .iter()
            .find(|condition| !condition.fits_nimbers());
        let condition = condition.map(ToString::to_string);
        let found = [of_values.zip(value), of_conditions.zip(condition)];
        for (field, found) in found.into_iter().flatten() {
            problems.add(&field.key, field.span, Fault::NoNimber { found });
        }
    }
    if values.is_empty() && conditions.is_empty() && each.is_none() && relation.is_none() {
        let fault = Fault::Witness {
            needs: "something to look for: value, pattern, where, each or relation",
        };
        problems.add(&key, span, fault);
        return None;
    }
    if let (Some((_, field)), false) = (&each, values.is_empty()) {
        let fault = Fault::Witness {
            needs: "no each beside value or pattern, each value of which has a witness anyway",
        };
        problems.add(&field.key, field.key_span.clone(), fault);
        return None;
    }
    Some(WitnessSpec {
        values,
        variables: variables?,
        conditions,
        each: each.map_or(Each::Sought, |(each, _)| each),
        fewest: fewest?,
        relation,
    })
}

/// Reads one of a few names.
fn read_name<T: Copy>(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    named: &[(T, &'static str)],
) -> Option<T> {
    let found = field.string(problems, "a string, one of the accepted names")?;
    if let Some(&(item, _)) = named.iter().find(|(_, name)| *name == found) {
        return Some(item);
    }
    let names: Vec<&'static str> = named.iter().map(|&(_, name)| name).collect();
    let fault = UnknownName {
        what,
        found: found.to_owned(),
        accepted: names.join(", "),
    };
    let help = nearest(found, names).map(|name| format!("did you mean `{name}`?"));
    problems.add_with_help(&field.key, field.span.clone(), fault, help);
    None
}
