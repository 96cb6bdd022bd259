//! `seedbank value`

use clap::Args;
use serde_json::{Map, Value, json};

use super::output::print_line;
use super::{CliError, Exit};
use crate::ruleset::brief;
use crate::value::{
    Arena, ArenaError, AtomicWeights, Calculator, Dyadic, Kind, NoAtomicWeight, Thermographs,
    ValueId, Wall,
};

#[derive(Debug, Args)]
pub(super) struct ValueArgs {
    /// Values in CGSuite's notation or in nested braces, such as '{2|0||-2|-4}' or '^*'; those that begin with a minus
    /// sign come after --
    #[arg(required = true, value_name = "VALUE")]
    values: Vec<String>,
    /// Cool the values by a number of 0 or more first
    #[arg(
        long,
        value_name = "T",
        conflicts_with = "heat",
        allow_hyphen_values = true
    )]
    cool: Option<Dyadic>,
    /// Heat the values by a number first
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    heat: Option<Dyadic>,
    /// Print one JSON object a line; numbers are strings, since they are exact, and what there is none of is null
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ValueArgs) -> Result<Exit, CliError> {
    let arena = Arena::new();
    let mut about = About {
        calculator: arena.calculator(),
        thermographs: Thermographs::from_minus_one(&arena),
        weights: AtomicWeights::new(&arena),
    };
    // All are read before anything is said of any.
    let mut ids = Vec::new();
    for text in &args.values {
        let name = brief(text);
        let refuse = |error: &dyn std::fmt::Display| CliError::usage(format!("{name:?}: {error}"));
        let c = &mut about.calculator;
        let mut id = c.parse(text).map_err(|error| refuse(&error))?;
        if let Some(t) = args.cool {
            id = c.cooled(id, t).map_err(|error| refuse(&error))?;
        }
        if let Some(t) = args.heat {
            let heated = c.number(t).and_then(|t| c.heated(id, t));
            id = heated.map_err(|error| refuse(&error))?;
        }
        ids.push(id);
    }
    for (place, id) in ids.into_iter().enumerate() {
        let (facts, missing) = about.facts(id).map_err(CliError::failed)?;
        if args.json {
            let mut object: Map<String, Value> = facts
                .into_iter()
                .map(|(name, fact)| (name.replace(' ', "_"), fact.json()))
                .collect();
            object.insert("atomic_weight_missing".to_owned(), json!(missing));
            print_line(&Value::Object(object).to_string());
            continue;
        }
        if place > 0 {
            print_line("");
        }
        for (name, fact) in facts {
            print_line(&format!("{name:<17} {}", fact.text()));
        }
    }
    Ok(Exit::Done)
}

/// Facts by name.
type Facts = Vec<(&'static str, Fact)>;

/// What there is to say under one name.
enum Fact {
    Text(String),
    Count(u32),
    Flag(bool),
    /// Values, or why there are none.
    List(Vec<String>),
    /// Corners of a wall: the temperature and the number there.
    Corners(Vec<(Dyadic, Dyadic)>),
    /// Why there is nothing.
    Missing(String),
}

impl Fact {
    fn number(number: Option<Dyadic>) -> Fact {
        match number {
            Some(number) => Fact::Text(number.to_string()),
            None => Fact::Missing("it takes numbers of more than 119 bits".to_owned()),
        }
    }

    fn wall(wall: Option<&Wall>) -> Fact {
        match wall {
            Some(wall) => Fact::Corners(wall.corners().to_vec()),
            None => Fact::Missing("a corner takes numbers of more than 119 bits".to_owned()),
        }
    }

    fn text(&self) -> String {
        match self {
            Fact::Text(text) => text.clone(),
            Fact::Count(count) => count.to_string(),
            Fact::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Fact::List(values) if values.is_empty() => "none".to_owned(),
            Fact::List(values) => values.join("  "),
            Fact::Corners(corners) => {
                let corners = corners.iter().map(|(t, x)| format!("{x} at {t}"));
                corners.collect::<Vec<String>>().join(", ")
            }
            Fact::Missing(reason) => format!("none: {reason}"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Fact::Text(text) => json!(text),
            Fact::Count(count) => json!(count),
            Fact::Flag(flag) => json!(flag),
            Fact::List(values) => json!(values),
            Fact::Corners(corners) => {
                let corner = |(t, x): &(Dyadic, Dyadic)| [t.to_string(), x.to_string()];
                json!(corners.iter().map(corner).collect::<Vec<_>>())
            }
            Fact::Missing(_) => Value::Null,
        }
    }
}

/// Tells what is known of values.
struct About<'a> {
    calculator: Calculator<'a>,
    thermographs: Thermographs<'a>,
    weights: AtomicWeights<'a>,
}

impl About<'_> {
    /// Returns the facts by name, in the order in which they are printed; and the table's name for why there is no
    /// atomic weight, where there is none.
    fn facts(&mut self, id: ValueId) -> Result<(Facts, Option<&'static str>), ArenaError> {
        let c = &mut self.calculator;
        let arena = c.arena();
        let text = |id| arena.notation(id).to_string();
        let (weight, missing) = match self.weights.weight(id) {
            Ok(weight) => (Fact::Text(text(weight.value(c)?)), None),
            Err(NoAtomicWeight::Arena(error)) => return Err(error),
            Err(none) => (Fact::Missing(none.to_string()), none.name()),
        };
        let texts = |ids: Result<Vec<ValueId>, ArenaError>| match ids {
            Ok(ids) => {
                let mut texts: Vec<String> = ids.into_iter().map(text).collect();
                texts.sort_unstable();
                Fact::List(texts)
            }
            Err(error) => Fact::Missing(error.to_string()),
        };
        let left_incentives = texts(c.left_incentives(id));
        let right_incentives = texts(c.right_incentives(id));
        let thermograph = self.thermographs.thermograph(id);
        let walls = thermograph.as_ref();
        let facts = vec![
            ("value", Fact::Text(text(id))),
            ("kind", Fact::Text(Kind::of(arena, id).to_string())),
            ("outcome", Fact::Text(c.outcome(id).to_string())),
            ("birthday", Fact::Count(arena.birthday(id))),
            ("dicotic", Fact::Flag(arena.is_dicotic(id))),
            ("left stop", Fact::number(Some(arena.left_stop(id)))),
            ("right stop", Fact::number(Some(arena.right_stop(id)))),
            ("mean", Fact::number(self.thermographs.mean(id))),
            (
                "temperature",
                Fact::number(self.thermographs.temperature(id)),
            ),
            ("left wall", Fact::wall(walls.map(|walls| walls.left()))),
            ("right wall", Fact::wall(walls.map(|walls| walls.right()))),
            ("left incentives", left_incentives),
            ("right incentives", right_incentives),
            ("atomic weight", weight),
        ];
        Ok((facts, missing))
    }
}
