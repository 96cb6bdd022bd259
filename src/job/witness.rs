//! What a job looks for: the section `[witness]`.
//!
//! A [`WitnessSpec`] names values, or conditions on what values have, and an order in which the first position
//! that meets them wins. It says nothing about how positions are searched; and two specs that differ in what they
//! seek, but not in the positions they seek it among, share one census ([`WitnessSpec::relation`] apart).

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::error::Fault;
use super::fields::{Field, Fields, Problems, nearest};
use super::members::read_values;
use crate::family::{SweepError, Values};
use crate::ruleset::UnknownName;
use crate::value::{Arena, Dyadic, Kind, OutcomeClass};
use crate::value::{Calculator, Digester, ParseValueError};

/// The most values that one pattern may stand for.
pub const SOUGHT_MAX: u64 = 1 << 16;

/// What a job looks for, and which of the positions that have it is the witness.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessSpec {
    /// The values sought, in order; none where conditions alone say what is sought.
    pub values: Vec<Sought>,
    /// The variables of the pattern, in the order in which they first appear in it.
    pub variables: Vec<String>,
    /// What a witness's value must have; all must hold.
    pub conditions: Vec<Condition>,
    /// For what there is a witness each.
    pub each: Each,
    /// Which position comes first.
    pub fewest: Fewest,
    /// What relates a position to its parts; only such positions count.
    pub relation: Option<Relation>,
}

/// A value sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// As it is written, the variables replaced by numbers.
    pub text: String,
    /// What the variables of the pattern are replaced by.
    pub variables: Vec<i64>,
    /// The digest of its canonical form.
    pub digest: [u8; 16],
}

/// For what there is a witness each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// For each value sought; where conditions alone say what is sought, for all together.
    Sought,
    /// For each distinct value that meets the conditions.
    Value,
    /// For each nim-value that meets them.
    NimValue,
    /// For each atomic weight that meets them.
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

/// Which position comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// That of the fewest seeds; of those, of the fewest pots; of those, the first in the family's order.
    Seeds,
    /// That of the fewest pots; of those, of the fewest seeds; of those, the first in the family's order.
    Pots,
    /// That with the fewest distinct followers; of those, the first by pots.
    Followers,
}

impl Fewest {
    /// All orders.
    pub const ALL: [Fewest; 3] = [Fewest::Seeds, Fewest::Pots, Fewest::Followers];

    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Fewest::Seeds => "seeds",
            Fewest::Pots => "pots",
            Fewest::Followers => "followers",
        }
    }
}

/// How a position relates to its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// An end pot holds one seed, and the row without it has the same value: 1001321 = 1321.
    EndOneIdle,
    /// At some cut the value is the sum of those of the two parts, though no rule says so and both have moves.
    Splits,
    /// No rule splits it: no part of it lies so far from the rest that play never passes between them.
    Whole,
}

impl Relation {
    /// All relations.
    pub const ALL: [Relation; 3] = [Relation::EndOneIdle, Relation::Splits, Relation::Whole];

    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Relation::EndOneIdle => "end-one-idle",
            Relation::Splits => "splits",
            Relation::Whole => "whole",
        }
    }
}

/// Something that a value has and a condition can be about.
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

/// How two things compare.
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

    /// Returns the relator as it is written.
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

    /// Returns whether it holds between things that compare like this; `None` stands for confused games.
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

/// What something may be or not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// Not there at all.
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

/// A condition on a value. One that is about something that the value does not have does not hold, unless it is
/// `is none`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// An invariant that is a number compares with a number like this.
    Number {
        /// The invariant.
        invariant: Invariant,
        /// How it compares.
        relator: Relator,
        /// With what.
        bound: Dyadic,
    },
    /// The atomic weight compares with a game like this; confused games are unequal and nothing else.
    AtomicWeight {
        /// How it compares.
        relator: Relator,
        /// With what, in notation.
        bound: String,
    },
    /// The kind or the outcome class has this name, or another one.
    Name {
        /// The invariant.
        invariant: Invariant,
        /// Whether it is another one.
        other: bool,
        /// The name.
        name: String,
    },
    /// An invariant is this, or is there and not this.
    Class {
        /// The invariant.
        invariant: Invariant,
        /// Whether it is not.
        not: bool,
        /// What it may be.
        class: Class,
    },
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

impl WitnessSpec {
    /// Returns a text that two specs share exactly if they seek the same in the same order.
    pub(super) fn meaning(&self) -> String {
        let mut text = format!(
            "witness fewest {} each {}\n",
            self.fewest.name(),
            self.each.name().unwrap_or("sought")
        );
        // Writing to a string cannot fail.
        for sought in &self.values {
            let _ = write!(text, "value {}", blake3::Hash::from(digest_32(sought)));
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

    /// Returns what is sought, beside values, in words.
    pub fn conditions_text(&self) -> String {
        let conditions = self.conditions.iter().map(ToString::to_string);
        let relation = self.relation.map(|relation| relation.name().to_owned());
        let texts: Vec<String> = relation.into_iter().chain(conditions).collect();
        texts.join(" and ")
    }
}

fn digest_32(sought: &Sought) -> [u8; 32] {
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&sought.digest);
    digest
}

/// Reads `[witness]`.
pub(super) fn read(problems: &mut Problems<'_>, mut fields: Fields<'_>) -> Option<WitnessSpec> {
    let value = fields.take("value");
    let pattern = fields.take("pattern");
    let conditions = match fields.take("where") {
        Some(field) => read_conditions(problems, &field),
        None => Some(Vec::new()),
    };
    let each = match fields.take("each") {
        Some(field) => read_name(problems, &field, "each", &Each::NAMED).map(|e| Some((e, field))),
        None => Some(None),
    };
    let fewest = fields
        .require(problems, "fewest", "fewest = \"seeds\"")
        .and_then(|field| {
            read_name(
                problems,
                &field,
                "order",
                &Fewest::ALL.map(|f| (f, f.name())),
            )
        });
    let relation = match fields.take("relation") {
        Some(field) => {
            let names = Relation::ALL.map(|relation| (relation, relation.name()));
            read_name(problems, &field, "relation", &names).map(Some)
        }
        None => Some(None),
    };
    let (values, variables) = match (value, pattern) {
        (Some(value), None) => (read_sought(problems, &value), Some(Vec::new())),
        (None, Some(pattern)) => read_pattern(problems, &pattern, fields.take_variables()).unzip(),
        (Some(value), Some(pattern)) => {
            let second = match value.key_span.start < pattern.key_span.start {
                true => pattern,
                false => value,
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

/// Reads `value`: one in notation, or a list of them.
fn read_sought(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Sought>> {
    const ACCEPTED: &str = "a value in notation, such as \"*10\", or a list of such";
    let fields = match field.value.is_array() {
        true => field.array(problems, ACCEPTED)?,
        false => vec![field.clone()],
    };
    let arena = Arena::new();
    let mut reader = Reader::new(&arena);
    let mut all = Some(Vec::new());
    for field in fields {
        let sought = field.string(problems, ACCEPTED).and_then(|text| {
            reader
                .sought(text.to_owned(), Vec::new())
                .map_err(|source| {
                    let text = text.to_owned();
                    let span = field.span.clone();
                    problems.add(&field.key, span, Fault::Sought { text, source });
                })
                .ok()
        });
        all = all.zip(sought).map(|(mut all, sought)| {
            all.push(sought);
            all
        });
    }
    all
}

struct Reader<'a> {
    calculator: Calculator<'a>,
    digester: Digester<'a>,
}

impl<'a> Reader<'a> {
    fn new(arena: &'a Arena) -> Reader<'a> {
        Reader {
            calculator: arena.calculator(),
            digester: Digester::new(arena),
        }
    }

    fn sought(&mut self, text: String, variables: Vec<i64>) -> Result<Sought, ParseValueError> {
        let value = self.calculator.parse(&text)?;
        Ok(Sought {
            text,
            variables,
            digest: self.digester.digest(value).0,
        })
    }
}

/// Reads `pattern`: notation in which variables stand for numbers.
fn read_pattern(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    bindings: Vec<Field<'_>>,
) -> Option<(Vec<Sought>, Vec<String>)> {
    let mut ranges = Some(Vec::new());
    for binding in &bindings {
        let values = read_values(problems, binding);
        ranges = ranges.zip(values).map(|(mut ranges, values)| {
            ranges.push((binding.name.clone(), values));
            ranges
        });
    }
    let text = field.string(problems, "a string, such as \"1/2^k\"")?;
    let pieces = pieces(text);
    let mut names: Vec<char> = Vec::new();
    for piece in &pieces {
        if let Piece::Variable(name) | Piece::Power(_, name) = piece
            && !names.contains(name)
        {
            names.push(*name);
        }
    }
    let mut sound = true;
    for &variable in &names {
        if !bindings.iter().any(|b| b.name.chars().eq([variable])) {
            let help = format!("add `{variable} = \"1..=9\"` below the pattern");
            let fault = SweepError::Unbound { variable };
            problems.add_with_help(&field.key, field.span.clone(), fault, Some(help));
            sound = false;
        }
    }
    for binding in &bindings {
        let variable = binding.name.chars().next().unwrap_or_default();
        if !names.contains(&variable) {
            let help = match variable {
                'v' => Some("v is down; name the variable otherwise".to_owned()),
                _ => Some("remove it, or use the variable in the pattern".to_owned()),
            };
            let fault = SweepError::Unused {
                variable,
                pattern: text.to_owned(),
            };
            problems.add_with_help(&binding.key, binding.key_span.clone(), fault, help);
            sound = false;
        }
    }
    let ranges = ranges.filter(|_| sound)?;
    let range = |name: &char| -> &Values {
        let bound = ranges.iter().find(|(n, _)| n.chars().eq([*name]));
        &bound.expect("every variable has a range here").1
    };
    let ranges: Vec<&Values> = names.iter().map(range).collect();
    let found = ranges
        .iter()
        .try_fold(1u64, |n, values| n.checked_mul(values.len()));
    let Some(count) = found.filter(|&n| n <= SOUGHT_MAX) else {
        problems.add(&field.key, field.span.clone(), Fault::TooManySought);
        return None;
    };
    let arena = Arena::new();
    let mut reader = Reader::new(&arena);
    let mut all = Vec::new();
    for rank in 0..count {
        let mut rest = rank;
        let mut values = vec![0; ranges.len()];
        for (slot, range) in values.iter_mut().zip(&ranges).rev() {
            *slot = range.get(rest % range.len());
            rest /= range.len();
        }
        let Some(text) = substituted(&pieces, &names, &values) else {
            let fault = Fault::Witness {
                needs: "powers of 0 or more and below 2^127 in the pattern",
            };
            problems.add(&field.key, field.span.clone(), fault);
            return None;
        };
        match reader.sought(text.clone(), values) {
            Ok(sought) => all.push(sought),
            Err(source) => {
                let fault = Fault::Sought { text, source };
                problems.add(&field.key, field.span.clone(), fault);
                return None;
            }
        }
    }
    let names = names.iter().map(char::to_string).collect();
    Some((all, names))
}

/// A part of a pattern of values.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(char),
    /// An integer to the power of a variable, as in `1/2^k`.
    Power(u32, char),
}

/// Takes a pattern apart. A lowercase letter alone, but `v`, is a variable. A variable that follows a number and
/// `^` is the number's exponent: `1/2^k` is a dyadic; so many ups are written `k.^`.
fn pieces(text: &str) -> Vec<Piece> {
    let chars: Vec<char> = text.chars().collect();
    let letter = |i: usize| chars.get(i).is_some_and(char::is_ascii_alphabetic);
    let variable = |i: usize| -> Option<char> {
        let c = *chars.get(i)?;
        let alone = !letter(i + 1) && (i == 0 || !letter(i - 1));
        (c.is_ascii_lowercase() && c != 'v' && alone).then_some(c)
    };
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut i = 0;
    while i < chars.len() {
        let digits = chars[i..].iter().take_while(|c| c.is_ascii_digit()).count();
        let power = (digits > 0 && chars.get(i + digits) == Some(&'^'))
            .then(|| variable(i + digits + 1))
            .flatten();
        let base: String = chars[i..i + digits].iter().collect();
        let piece = match (power, base.parse(), variable(i)) {
            (Some(name), Ok(base), _) => Some((Piece::Power(base, name), digits + 2)),
            (_, _, Some(name)) => Some((Piece::Variable(name), 1)),
            _ => None,
        };
        let Some((piece, width)) = piece else {
            let width = digits.max(1);
            plain.extend(&chars[i..i + width]);
            i += width;
            continue;
        };
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(piece);
        i += width;
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

fn substituted(pieces: &[Piece], names: &[char], values: &[i64]) -> Option<String> {
    let value = |name: &char| {
        let place = names.iter().position(|other| other == name);
        values[place.expect("every variable of the pattern has a name")]
    };
    let mut text = String::new();
    for piece in pieces {
        // Writing to a string cannot fail.
        let _ = match piece {
            Piece::Text(plain) => write!(text, "{plain}"),
            Piece::Variable(name) => write!(text, "{}", value(name)),
            Piece::Power(base, name) => {
                let exponent = u32::try_from(value(name)).ok()?;
                write!(text, "{}", i128::from(*base).checked_pow(exponent)?)
            }
        };
    }
    Some(text)
}

/// Reads `where`: conditions that must all hold.
fn read_conditions(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Condition>> {
    const ACCEPTED: &str = "a condition such as \"nim_value >= 10\", or a list of such";
    let fields = match field.value.is_array() {
        true => field.array(problems, ACCEPTED)?,
        false => vec![field.clone()],
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

fn condition(text: &str) -> Result<Condition, (Fault, Option<String>)> {
    let text = text.trim();
    let malformed = || {
        let fault = Fault::Condition {
            found: text.to_owned(),
            accepted: "a name, one of =, !=, <, <=, >, >= and a bound, or a name and is, is not and one of integer, \
                       number, none",
        };
        (fault, None)
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
            let value = arena.calculator().parse(bound).map_err(|source| {
                let text = bound.to_owned();
                (Fault::Sought { text, source }, None)
            })?;
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
                .ok_or_else(|| {
                    let fault = Fault::Condition {
                        found: bound.to_owned(),
                        accepted: "an integer or a dyadic rational, such as 3/4",
                    };
                    (fault, None)
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
    fn variables_stand_alone_and_powers_are_of_numbers() {
        let text = |pattern: &str, names: &str, values: &[i64]| {
            let names: Vec<char> = names.chars().collect();
            substituted(&pieces(pattern), &names, values)
        };
        for (pattern, names, values, expected) in [
            ("1/2^k", "k", &[3][..], "1/8"),
            ("Tiny(1/2^k)", "k", &[10], "Tiny(1/1024)"),
            ("n.^ + *m", "nm", &[2, 5], "2.^ + *5"),
            ("n.^ + ^<k> + *m", "nkm", &[1, 2, 3], "1.^ + ^<2> + *3"),
            ("1/2v", "", &[], "1/2v"),
            ("{k|-k}", "k", &[4], "{4|-4}"),
            ("12^2", "", &[], "12^2"),
        ] {
            assert_eq!(text(pattern, names, values).as_deref(), Some(expected));
        }
        assert_eq!(text("1/2^k", "k", &[-1]), None);
        assert_eq!(text("1/2^k", "k", &[200]), None);
    }

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
