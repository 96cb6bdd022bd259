//! The distinct values of a table, and the facts about them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use cgvalues::{
    Arena, AtomicWeights, Calculator, Digester, Dyadic, Ending, Kind, LoopyCalculator, Nimber,
    OutcomeClass, Statement, Thermographs, ValueDigest, ValueId, ValueMap,
};

use super::long::{LongValue, LongValues};
use super::scales::{Quantity, Scale};
use super::shortened::shortened;
use super::values_as::ValuesAs;
use crate::dataset::VALUE_CHARS_MAX;
use crate::report::table::ValueText;
use crate::report::{dyadic, fraction, svg};

/// The most steps that the facts about a value may take, some tenths of a second's work.
const STEPS_MAX: u64 = 300_000;

/// The longest notation in the panel of a cell, once all notations together have [`WHOLE_BYTES_MAX`]; before that they are whole.
///
/// Unit: characters.
const NOTATION_MAX: usize = 400;

/// The most bytes that the whole notations of a table take together.
const WHOLE_BYTES_MAX: usize = 500_000;

/// The most forms of a value that are counted.
const FORMS_MAX: usize = 100_000;

/// The most bytes that the thermographs of a table take together.
const THERMOGRAPHS_BYTES_MAX: usize = 600_000;

/// Distinct values by their texts, in order of first appearance.
#[derive(Default)]
pub(crate) struct DistinctValues {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

/// The facts about the values of a table.
pub(crate) struct Known {
    /// The facts about each value.
    pub(crate) facts: Vec<ValueFacts>,
    /// The quantities that colours can show; the first is the default.
    pub(crate) scales: Vec<Scale>,
    /// Pictures, each for all values with one thermograph.
    pub(crate) thermographs: Vec<String>,
    /// The values whose thermographs would be too many.
    pub(crate) not_drawn: usize,
}

/// The facts about a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueFacts {
    /// Its notation, or the text that tables show in its place.
    pub(crate) text: String,
    /// Names of facts, and the facts.
    pub(crate) named: Vec<(&'static str, String)>,
    /// The place of its thermograph.
    pub(crate) thermograph: Option<usize>,
    /// The number of its distinct followers, in canonical form.
    pub(crate) forms: Option<u64>,
    outcome: Option<&'static str>,
    nim_value: Option<u32>,
    mean: Option<Dyadic>,
    temperature: Option<Dyadic>,
    weight: Option<(String, Option<i32>)>,
}

impl DistinctValues {
    /// Returns the place of a value.
    pub(crate) fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.texts.len();
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Computes the facts about the values.
    pub(crate) fn known(self, values_as: ValuesAs, long: &LongValues) -> Known {
        let mut known = Known {
            facts: Vec::new(),
            scales: Vec::new(),
            thermographs: Vec::new(),
            not_drawn: 0,
        };
        match values_as {
            ValuesAs::Games => known.games(&self.texts, long),
            ValuesAs::Nimbers => known.facts = self.texts.iter().map(|text| nimber(text)).collect(),
            ValuesAs::Words => known.facts = self.texts.iter().map(|text| word(text)).collect(),
        }
        known.scales = scales(&known.facts);
        known
    }
}

impl Known {
    fn games(&mut self, texts: &[String], long: &LongValues) {
        let arena = Arena::new();
        let mut about = About::new(&arena);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let (mut bytes, mut bytes_whole) = (0, 0);
        for text in texts {
            if let Some(digest) = text.strip_prefix(ValueText::DIGEST) {
                let facts = long.get(text).map_or_else(|| unknown(digest), of_long);
                self.facts.push(ValueFacts {
                    text: text.clone(),
                    ..facts
                });
                continue;
            }
            let (mut facts, id) = about.facts(text);
            bytes_whole += text.len();
            if bytes_whole <= WHOLE_BYTES_MAX {
                facts.text.clone_from(text);
            }
            let thermograph = id.and_then(|id| about.thermographs.thermograph(id));
            if let Some(thermograph) = thermograph {
                let picture = svg::thermograph("this value", &thermograph).inline();
                let count = places.len();
                match places.get(&picture) {
                    Some(&place) => facts.thermograph = Some(place),
                    None if bytes + picture.len() > THERMOGRAPHS_BYTES_MAX => self.not_drawn += 1,
                    None => {
                        bytes += picture.len();
                        facts.thermograph = Some(count);
                        self.thermographs.push(picture.clone());
                        places.insert(picture, count);
                    }
                }
            }
            self.facts.push(facts);
        }
    }
}

/// Computes the facts about games.
struct About<'a> {
    calculator: Calculator<'a>,
    thermographs: Thermographs<'a>,
    weights: AtomicWeights<'a>,
}

impl<'a> About<'a> {
    fn new(arena: &'a Arena) -> About<'a> {
        About {
            calculator: arena.calculator(),
            thermographs: Thermographs::new(arena),
            weights: AtomicWeights::new(arena),
        }
    }
}

/// A value as its own page shows it.
pub(crate) struct DescribedValue {
    /// The digest of its canonical form.
    pub(crate) digest: ValueDigest,
    /// Names of facts, and the facts.
    pub(crate) named: Vec<(&'static str, String)>,
    /// Its thermograph.
    pub(crate) thermograph: Option<String>,
}

/// Describes a value; returns `None` if the text is no value, or takes too long.
pub(crate) fn described(text: &str) -> Option<DescribedValue> {
    let arena = Arena::new();
    let mut about = About::new(&arena);
    let (facts, Some(id)) = about.facts(text) else {
        return described_loopy(&arena, text);
    };
    let thermograph = about.thermographs.thermograph(id);
    Some(DescribedValue {
        digest: Digester::new(&arena).digest(id),
        named: facts.named,
        thermograph: thermograph.map(|walls| svg::thermograph(text, &walls).inline()),
    })
}

fn described_loopy(arena: &Arena, text: &str) -> Option<DescribedValue> {
    let mut c = LoopyCalculator::new(arena);
    c.limit_steps(STEPS_MAX);
    c.short().limit_steps(STEPS_MAX);
    let Ok(Statement::Value(sides)) = c.parse_statement(text) else {
        return None;
    };
    let [left, right] = c.endings(sides).ok()?;
    c.check_steps().ok()?;
    let outcome = Ending::class([left, right]);
    let mut named = vec![
        (
            "outcome",
            outcome.map_or("draw".to_owned(), |class| class.to_string()),
        ),
        ("kind", "loopy".to_owned()),
    ];
    let endings = [("left first", left), ("right first", right)];
    named.extend(endings.map(|(name, ending)| (name, ending.name().to_owned())));
    Some(DescribedValue {
        digest: c.digest_of(sides),
        named,
        thermograph: None,
    })
}

impl About<'_> {
    /// Returns the facts about a value, or only its text if they take too long.
    fn facts(&mut self, text: &str) -> (ValueFacts, Option<ValueId>) {
        let plain = word(text);
        let c = &mut self.calculator;
        c.limit_steps(STEPS_MAX);
        self.weights.limit_steps(STEPS_MAX);
        let Ok(id) = c.parse(text) else {
            return (plain, None);
        };
        let arena = c.arena();
        let outcome = c.outcome(id);
        if c.check_steps().is_err() {
            return (plain, None);
        }
        let kind = Kind::of(arena, id);
        let (mean, temperature) = self.thermographs.mast(id).unzip();
        let weight = self.weights.weight(id).ok();
        let weight = weight.and_then(|weight| {
            let id = weight.value(c).ok()?;
            Some((arena.notation_limited(id, NOTATION_MAX)?, weight.integer()))
        });
        let mut facts = ValueFacts {
            outcome: Some(outcome.letter()),
            forms: forms(arena, id),
            nim_value: text.parse::<Nimber>().ok().map(|nimber| nimber.0),
            mean,
            temperature,
            weight,
            ..plain
        };
        let named = &mut facts.named;
        named.push(("outcome", outcome.to_string()));
        named.push(("kind", kind.to_string()));
        named.push(("birthday", arena.birthday(id).to_string()));
        let stops = [arena.left_stop(id), arena.right_stop(id)];
        named.push(("stops", format!("{}, {}", stops[0], stops[1])));
        let numbers = [("mean", mean), ("temperature", temperature)];
        named.extend(
            numbers
                .into_iter()
                .filter_map(|(name, x)| Some((name, x?.to_string()))),
        );
        if let Some((weight, _)) = &facts.weight {
            named.push(("atomic weight", weight.clone()));
        }
        if let Some(forms) = facts.forms {
            facts.named.push(("forms", forms.to_string()));
        }
        (facts, Some(id))
    }
}

/// Returns the number of distinct followers of a canonical form, itself included; `None` if they are too many.
fn forms(arena: &Arena, id: ValueId) -> Option<u64> {
    let mut met = ValueMap::default();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if met.insert(id, ()).is_none() {
            let form = arena.form(id);
            open.extend(form.left().chain(form.right()));
        }
        if met.len() > FORMS_MAX {
            return None;
        }
    }
    Some(met.len() as u64)
}

/// Returns what is known about a value without its row: the beginning of its digest.
fn unknown(digest: &str) -> ValueFacts {
    ValueFacts {
        named: vec![
            ("digest", shortened(&format!("{digest}…"), NOTATION_MAX)),
            ("notation", too_long()),
        ],
        ..ValueFacts::default()
    }
}

fn too_long() -> String {
    format!("more than {VALUE_CHARS_MAX} characters, so the result has its digest alone")
}

/// Returns the facts of a result about a value without a notation.
fn of_long(value: &LongValue) -> ValueFacts {
    let exact = |x: Option<f64>| x.map_or(Cow::Borrowed("unknown"), |x| fraction(x).into());
    let [left, right] = value.stops.map(exact);
    let mut named = vec![
        ("digest", value.digest.clone()),
        ("notation", too_long()),
        ("outcome", value.outcome.unwrap_or("unknown").to_owned()),
        ("kind", value.kind.clone()),
    ];
    // A loopy value has none of the rest.
    if let Some(birthday) = value.birthday {
        named.extend([
            ("birthday", birthday.to_string()),
            ("stops", format!("{left}, {right}")),
            ("mean", exact(value.mean).into_owned()),
            ("temperature", exact(value.temperature).into_owned()),
        ]);
    }
    named.extend(value.forms.map(|forms| ("forms", forms.to_string())));
    named.extend(value.head.clone().map(|head| ("begins, in braces", head)));
    ValueFacts {
        named,
        forms: value.forms,
        outcome: value.outcome,
        mean: value.mean.and_then(dyadic),
        temperature: value.temperature.and_then(dyadic),
        ..ValueFacts::default()
    }
}

fn word(text: &str) -> ValueFacts {
    ValueFacts {
        text: shortened(text, NOTATION_MAX),
        ..ValueFacts::default()
    }
}

fn nimber(text: &str) -> ValueFacts {
    let mut facts = word(text);
    if let Ok(nimber) = text.parse::<Nimber>() {
        facts.nim_value = Some(nimber.0);
        let (outcome, who) = match nimber.0 {
            0 => (OutcomeClass::Previous, "P: the player who moved last wins"),
            _ => (OutcomeClass::Next, "N: the player to move wins"),
        };
        facts.outcome = Some(outcome.letter());
        facts.named.push(("outcome", who.to_owned()));
        facts.named.push(("nim-value", nimber.0.to_string()));
    }
    facts
}

/// Returns the quantities that differ among the values, for colours to show.
fn scales(facts: &[ValueFacts]) -> Vec<Scale> {
    let quantity = |x: Dyadic| Quantity::number(x.to_string(), float(x));
    let temperatures = facts.iter().map(|facts| facts.temperature.map(quantity));
    let numbers = |name, of: &dyn Fn(&ValueFacts) -> Option<Quantity>| {
        Scale::of_numbers(name, facts.iter().map(of).collect())
    };
    let nim_values = numbers("nim-value", &|facts| {
        let k = facts.nim_value?;
        Some(Quantity::number(k.to_string(), f64::from(k)))
    });
    let outcomes = facts.iter().map(|facts| facts.outcome);
    let mut scales = vec![
        numbers("mean", &|facts| facts.mean.map(quantity)),
        Scale::of_temperatures(temperatures.collect()),
        Scale::of_outcomes(outcomes.collect()),
        numbers("atomic weight", &|facts| {
            let (text, number) = facts.weight.as_ref()?;
            let number = number.map_or(f64::NAN, f64::from);
            Some(Quantity::number(text.clone(), number))
        }),
    ];
    scales.push(nim_values);
    scales.retain(Scale::differs);
    // The quantity that distinguishes most values comes first; of several, the first in the order above.
    scales.sort_by_key(|scale| std::cmp::Reverse(scale.colours()));
    scales.push(Scale::of_words(
        "value",
        facts.iter().map(|facts| &*facts.text),
    ));
    scales.retain(Scale::differs);
    scales
}

fn float(x: Dyadic) -> f64 {
    x.to_f64_exact().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str], values_as: ValuesAs) -> Known {
        let mut values = DistinctValues::default();
        for text in texts {
            values.place(text);
        }
        values.known(values_as, &LongValues::new())
    }

    #[test]
    fn games_have_facts_and_equal_thermographs_are_drawn_once() {
        let known = known(&["{1|-1}", "^", "v", "nonsense("], ValuesAs::Games);
        let names: Vec<&str> = known.scales.iter().map(|scale| scale.name).collect();
        assert_eq!(names, ["outcome", "temperature", "atomic weight", "value"]);
        let places: Vec<_> = known.facts.iter().map(|facts| facts.thermograph).collect();
        assert_eq!(places, [Some(0), Some(1), Some(1), None]);
        assert!(
            known.facts[0]
                .named
                .contains(&("stops", "1, -1".to_owned()))
        );
        assert!(
            known.facts[1]
                .named
                .contains(&("atomic weight", "1".to_owned()))
        );
        assert_eq!(known.facts[3].text, "nonsense(");
    }

    #[test]
    fn nimbers_are_shaded_by_nim_value_and_words_by_their_order() {
        let nimbers = known(&["0", "*", "*4"], ValuesAs::Nimbers);
        assert_eq!(nimbers.scales[0].name, "nim-value");
        assert_eq!(nimbers.scales[0].classes, ["s0", "s2", "s8"]);
        let words = known(&["00", "11", "01"], ValuesAs::Words);
        assert_eq!(words.scales[0].classes, ["s0", "s8", "s4"]);
    }
}
