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
use cggames::game::Play;
use schemars::{Schema, SchemaGenerator};
use seedbank_specs::form::{Form, Keys, Place, word};
use seedbank_specs::{Field, Problems, choice, schema};

pub use self::condition::{Class, Condition, Invariant, Relator};
pub use self::sought::{SOUGHT_MAX, Sought};
use crate::task::forms::{variables, with_variables};

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

    /// Returns the name that jobs use, if it has one.
    pub fn name(self) -> Option<&'static str> {
        let named = Each::NAMED.iter().find(|(each, _)| *each == self);
        named.map(|&(_, name)| name)
    }
}

choice! {
    /// The order that decides which position comes first.
    pub enum Fewest {
        /// Fewest seeds, then fewest pots, then the family's order.
        Seeds = "seeds",
        /// Fewest pots, then fewest seeds, then the family's order.
        Pots = "pots",
        /// Fewest squares, for grids; then fewest seeds, then the family's order.
        Squares = "squares",
        /// Fewest distinct followers, then the order by pots.
        Followers = "followers",
    }
}

choice! {
    /// A relation between a position and its parts.
    pub enum Relation {
        /// An end pot holds one seed, and the row without it has the same value: 1001321 = 1321.
        EndOneIdle = "end-one-idle",
        /// At some cut the value is the sum of the values of the two parts, though no rule implies
        /// it and both parts have moves.
        Splits = "splits",
        /// No rule splits it: no part is so far from the rest that play never passes between them.
        Whole = "whole",
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

/// The section `[witness]`, with the orders and relations that positions on boards of a kind can
/// have.
pub(super) fn form<'f>(kind: BoardKind, play: Option<Play>) -> Form<'f, WitnessSpec> {
    Form::new(
        move |problems, field| read(problems, field, kind, play),
        move |generator| {
            let name = match kind {
                BoardKind::Row => "witness-rows",
                BoardKind::Coloured => "witness-coloured-rows",
                BoardKind::Grid => "witness-grids",
            };
            let questions = describe(generator, kind);
            schema::defined(generator, name, questions)
        },
    )
}

/// Returns the schema of questions: about values, a pattern, or neither.
fn describe(generator: &mut SchemaGenerator, kind: BoardKind) -> Schema {
    let mut table = |key: Option<schema::Key>| {
        let has_each = key.is_none();
        let common = Keys::describe(generator, |keys| Some(common(keys, kind, has_each)));
        schema::table(key.into_iter().chain(common.keys))
    };
    let meaning = "the values sought, in notation";
    let values = schema::one_or_more(schema::text());
    let values = table(Some(schema::required("value", meaning, values)));
    let meaning = "values sought, with variables that have a key each, such as \"1/2^k\"";
    let pattern = table(Some(schema::required("pattern", meaning, schema::text())));
    let others = table(None);
    schema::any_of([
        values,
        with_variables(generator, pattern),
        schema::with_one_of(others, &["where", "each", "relation"]),
    ])
}

/// The keys that every question has; each is `None` if it is invalid.
struct Common {
    conditions: Option<Option<(Vec<Condition>, Place)>>,
    each: Option<Option<(Each, Place)>>,
    fewest: Option<Fewest>,
    relation: Option<Option<Relation>>,
}

/// The keys that every question has. Only a question without values and without a pattern has
/// `each`.
fn common(keys: &mut Keys<'_, '_, '_>, kind: BoardKind, has_each: bool) -> Common {
    let accepted = "a string, one of the accepted names";
    let meaning = "conditions that the values of all witnesses meet, such as \"nim_value >= 10\"";
    let conditions = keys.optional("where", meaning, condition::conditions().placed());
    let each = if has_each {
        let each = word("each", accepted, Each::NAMED).placed();
        keys.optional("each", "for what there is a witness each", each)
    } else {
        None
    };
    let orders = Fewest::NAMED.iter().copied();
    let orders = orders.filter(|(order, _)| kind == BoardKind::Grid || *order != Fewest::Squares);
    let fewest = word("order", accepted, orders);
    let fewest = keys.required(
        "fewest",
        "which position comes first",
        fewest,
        "fewest = \"seeds\"",
    );
    // The others are only defined for rows of one colour.
    let relations = Relation::NAMED.iter().copied();
    let relations =
        relations.filter(|(relation, _)| kind == BoardKind::Row || *relation == Relation::Whole);
    let relation = word("relation", accepted, relations);
    let relation = keys.optional("relation", "how a position relates to its parts", relation);
    Common {
        conditions,
        each,
        fewest,
        relation,
    }
}

/// Reads a question.
fn read(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    kind: BoardKind,
    play: Option<Play>,
) -> Option<WitnessSpec> {
    let mut fields = field.table(problems, "a section [witness]")?;
    let (value, pattern) = (fields.take("value"), fields.take("pattern"));
    let of_values = value.as_ref().or(pattern.as_ref()).map(Place::of);
    let common = common(&mut Keys::Read(problems, &mut fields), kind, true);
    let (values, variables) = match (value, pattern) {
        (Some(value), None) => (sought::values().read(problems, &value), Some(Vec::new())),
        (None, Some(pattern)) => {
            let variables = variables(&mut Keys::Read(problems, &mut fields));
            sought::read_pattern(problems, &pattern, variables).unzip()
        }
        (Some(value), Some(pattern)) => {
            let second = if value.key_span.start < pattern.key_span.start {
                pattern
            } else {
                value
            };
            let fault = "a job with [witness] needs value or pattern, not both";
            problems.add(&second.key, second.key_span, fault);
            fields.take_variables();
            (None, None)
        }
        (None, None) => (Some(Vec::new()), Some(Vec::new())),
    };
    fields.finish(problems);
    let (values, conditions) = (values?, common.conditions?);
    let (each, relation) = (common.each?, common.relation?);
    let (conditions, of_conditions) = conditions.unzip();
    let conditions = conditions.unwrap_or_default();
    if play == Some(Play::Impartial) {
        let value = values.iter().find(|sought| !sought.is_nimber);
        let value = value.map(|sought| sought.text.clone());
        let condition = conditions
            .iter()
            .find(|condition| !condition.fits_nimbers());
        let condition = condition.map(ToString::to_string);
        let found = [of_values.zip(value), of_conditions.zip(condition)];
        for (place, found) in found.into_iter().flatten() {
            let fault = format!(
                "{found} cannot be found, because in impartial play every value is 0 or a nimber, such as *2; seek one of these, or \
                 choose play = \"partisan\""
            );
            problems.add(&place.key, place.span, fault);
        }
    }
    if values.is_empty() && conditions.is_empty() && each.is_none() && relation.is_none() {
        let fault = "a job with [witness] needs something to look for: value, pattern, where, each or relation";
        problems.add(&field.key, field.key_span.clone(), fault);
        return None;
    }
    if let (Some((_, place)), false) = (&each, values.is_empty()) {
        let fault = "a job with [witness] needs no each beside value or pattern, each value of which has a witness anyway";
        problems.add(&place.key, place.key_span.clone(), fault);
        return None;
    }
    Some(WitnessSpec {
        values,
        variables: variables?,
        conditions,
        each: each.map_or(Each::Sought, |(each, _)| each),
        fewest: common.fewest?,
        relation,
    })
}
