//! `seedbank value`

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use clap::{ArgAction, Args};
use seedbank::evaluate::Writing;
use seedbank::report::svg;
use seedbank::value::{
    Arena, ArenaError, AtomicWeights, Calculator, Comparison, CoolingError, Digester, Dyadic,
    Ending, LoopyCalculator, NotationWriter, ParseValueError, Relation, Sides, Statement, Stopper,
    Thermographs, ValueDigest, ValueId, Wall,
};
use serde::{Serialize, Serializer};

use super::arguments::{Faults, arguments, unmarked};
use super::output::{Format, Printer, note, unprinted};
use super::writing::WritingArgs;
use super::{CliError, Exit};

/// The most steps for a value and its facts, about a second's work. Its atomic weight has
/// the same limit.
const STEPS_MAX: u64 = 3_000_000;

/// The most steps for a loopy value and its facts, some seconds' work, and those of short forms.
const LOOPY_STEPS_MAX: u64 = 3_000_000;
const LOOPY_SHORT_STEPS_MAX: u64 = 10_000_000;

/// A new arena replaces one that has grown beyond this size, together with the answers about its values.
const ARENA_BYTES_MAX: u64 = 1 << 26;

/// The answers between two looks at that size, unless one takes more than this many steps.
// PERF: adding the arena's bytes up took a tenth of the time of a short line.
const ANSWERS_A_LOOK: u64 = 64;
const STEPS_A_LOOK: u64 = 1 << 12;

/// The longest text of a value that is printed, in characters.
const TEXT_MAX: usize = 1 << 16;

#[derive(Debug, Args)]
pub(super) struct ValueArgs {
    /// Values in CGSuite's notation or in nested braces, such as '{2|0||-2|-4}', '^*' or '-1/2',
    /// loopy ones such as 'over', 'a{0|a}' or '1 & 0', or comparisons such as '^ > *' or '^ <=> *'; -
    /// reads one per line from standard input
    #[arg(required = true, value_name = "VALUE", value_parser = unmarked::<String>)]
    values: Vec<String>,
    /// Cool the values by a number of 0 or more first
    #[arg(
        long,
        value_name = "T",
        conflicts_with = "heat",
        allow_hyphen_values = true,
        value_parser = unmarked::<Dyadic>
    )]
    cool: Option<Dyadic>,
    /// Heat the values by a number first
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = unmarked::<Dyadic>)]
    heat: Option<Dyadic>,
    #[command(flatten)]
    writing: WritingArgs,
    /// Print one JSON object a line; exact numbers are strings, and a missing fact is null
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
    /// Print the thermograph of a single value as an SVG picture: temperature upwards, Left's
    /// values to the left
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

pub(super) fn run(args: &ValueArgs) -> Result<Exit, CliError> {
    if args.svg && args.values.len() > 1 {
        let found = args.values.len();
        return Err(CliError::usage(format!(
            "--svg takes one value, and there are {found}"
        )));
    }
    // Answers are printed before a read that may wait for the next line.
    let out = RefCell::new(Printer::new());
    let print = || note(out.borrow_mut().flush());
    let mut asked = arguments(&args.values, &print);
    let mut faults = Faults::default();
    let mut is_first = true;
    // Values share an arena while it is small.
    loop {
        let arena = Arena::new();
        let mut about = About::new(&arena);
        while about.is_small() {
            let next = match unprinted() {
                Some(_) => None,
                None => asked.next(),
            };
            let Some(argument) = next.transpose()? else {
                print();
                return Ok(faults.end(Exit::Done));
            };
            let told = match about.tell(&argument.text, args) {
                Ok(told) => told,
                Err(error) => {
                    print();
                    faults.report(&argument.fault(error));
                    continue;
                }
            };
            let mut out = out.borrow_mut();
            if !std::mem::take(&mut is_first) && args.json == Format::Text {
                note(out.line(""));
            }
            note(out.line(told));
        }
    }
}

/// The facts about a value, or about a comparison of two.
#[derive(Serialize)]
struct Report {
    /// By name, in the order of the output.
    #[serde(flatten, serialize_with = "by_name")]
    facts: Vec<(&'static str, Fact)>,
    /// The tables' name of the reason why a value has no atomic weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    atomic_weight_missing: Option<Option<&'static str>>,
}

fn by_name<S: Serializer>(
    facts: &[(&'static str, Fact)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        facts
            .iter()
            .map(|(name, fact)| (name.replace(' ', "_"), fact)),
    )
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, fact)) in self.facts.iter().enumerate() {
            let end = if place == 0 { "" } else { "\n" };
            write!(f, "{end}{name:<17} {fact}")?;
        }
        Ok(())
    }
}

/// A fact about a value.
enum Fact {
    Text(String),
    Count(u32),
    Flag(bool),
    /// Values.
    List(Vec<String>),
    /// Corners of a wall: the temperature and the number there.
    Corners(Vec<(Dyadic, Dyadic)>),
    /// The reason why there is no such fact.
    Missing(String),
    /// The replacement of a value whose text is too long.
    Long(String),
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
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Text(text) | Fact::Long(text) => f.write_str(text),
            Fact::Count(count) => count.fmt(f),
            Fact::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            Fact::List(values) if values.is_empty() => f.write_str("none"),
            Fact::List(values) => f.write_str(&values.join("  ")),
            Fact::Corners(corners) => {
                let corners = corners.iter().map(|(t, x)| format!("{x} at {t}"));
                f.write_str(&corners.collect::<Vec<String>>().join(", "))
            }
            Fact::Missing(reason) => write!(f, "none: {reason}"),
        }
    }
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Fact::Text(text) => text.serialize(serializer),
            Fact::Count(count) => count.serialize(serializer),
            Fact::Flag(flag) => flag.serialize(serializer),
            Fact::List(values) => values.serialize(serializer),
            Fact::Corners(corners) => {
                let corner = |(t, x): &(Dyadic, Dyadic)| [t.to_string(), x.to_string()];
                serializer.collect_seq(corners.iter().map(corner))
            }
            Fact::Missing(_) | Fact::Long(_) => serializer.serialize_none(),
        }
    }
}

fn long(digest: ValueDigest) -> String {
    format!("(longer than {TEXT_MAX} characters, digest {digest}; --full prints up to 2^30)")
}

/// Returns how two values compare, and whether a relation holds for them.
fn comparison_facts(relation: Relation, found: Comparison) -> Vec<(&'static str, Fact)> {
    let mut facts = vec![("comparison", Fact::Text(found.to_string()))];
    if relation != Relation::Any {
        facts.push(("relation", Fact::Text(relation.to_string())));
        facts.push(("holds", Fact::Flag(relation.holds(found))));
    }
    facts
}

/// Returns the stops, the mean and the temperature of a loopy value.
fn thermal(c: &LoopyCalculator<'_>, sides: Sides) -> [Fact; 4] {
    let Some(stopper) = sides.stopper() else {
        return [(); 4].map(|()| Fact::Missing("the value is no stopper".to_owned()));
    };
    let [left, right] = c.stops(stopper).map(|stop| Fact::Text(stop.to_string()));
    let of_mast = |fact: fn((Dyadic, Dyadic)) -> Dyadic| match c.mast(stopper) {
        Some(mast) => Fact::Text(fact(mast).to_string()),
        None => Fact::Missing("the walls meet at no number".to_owned()),
    };
    [left, right, of_mast(|mast| mast.0), of_mast(|mast| mast.1)]
}

/// Computes the facts about values.
struct About<'a> {
    calculator: Calculator<'a>,
    thermographs: Thermographs<'a>,
    weights: AtomicWeights<'a>,
    writer: NotationWriter<'a>,
    /// Most commands are about short values.
    loopy: Option<LoopyCalculator<'a>>,
    /// The answers about values so far, and the bytes of their texts.
    told: HashMap<ValueId, Rc<str>>,
    told_bytes: u64,
    answers: u64,
}

impl<'a> About<'a> {
    fn new(arena: &'a Arena) -> About<'a> {
        About {
            calculator: arena.calculator(),
            thermographs: Thermographs::from_minus_one(arena),
            weights: AtomicWeights::new(arena),
            writer: NotationWriter::new(arena),
            loopy: None,
            told: HashMap::new(),
            told_bytes: 0,
            answers: 0,
        }
    }

    /// Returns whether arena and answers have not grown beyond their size, as far as that has been looked at.
    fn is_small(&self) -> bool {
        let c = &self.calculator;
        let is_due = self.answers.is_multiple_of(ANSWERS_A_LOOK)
            || c.steps_left() < STEPS_MAX - STEPS_A_LOOK;
        !is_due || c.arena().bytes() + self.told_bytes <= ARENA_BYTES_MAX
    }

    /// Returns the text of a value, or else its replacement.
    fn text(&mut self, id: ValueId, writing: Writing) -> Result<String, String> {
        let text = (self.writer).limited(id, writing.notation, writing.chars_max);
        text.ok_or_else(|| long(Digester::new(self.calculator.arena()).digest(id)))
    }

    fn fact(&mut self, id: ValueId, writing: Writing) -> Fact {
        self.text(id, writing).map_or_else(Fact::Long, Fact::Text)
    }

    /// Returns the texts of values, in alphabetical order.
    fn texts(&mut self, ids: Vec<ValueId>, writing: Writing) -> Fact {
        let text = |id| self.text(id, writing).unwrap_or_else(|long| long);
        let mut texts: Vec<String> = ids.into_iter().map(text).collect();
        texts.sort_unstable();
        Fact::List(texts)
    }

    /// Returns the output about a value.
    fn tell(
        &mut self,
        text: &str,
        args: &ValueArgs,
    ) -> Result<Rc<str>, Box<dyn std::error::Error>> {
        self.answers += 1;
        let c = &mut self.calculator;
        c.limit_steps(STEPS_MAX);
        self.weights.limit_steps(STEPS_MAX);
        let writing = args.writing.writing(TEXT_MAX);
        let statement = match c.parse_statement(text) {
            Err(ParseValueError::Loopy { .. }) => return self.tell_loopy(text, args, writing),
            statement => statement?,
        };
        let id = match statement {
            Statement::Value(id) => self.heated(id, args)?,
            Statement::Comparison(..) if args.svg => {
                return Err(
                    "--svg draws the thermograph of a value, and this is a comparison".into(),
                );
            }
            Statement::Comparison(left, relation, right) => {
                let (left, right) = (self.heated(left, args)?, self.heated(right, args)?);
                let compared = self.compared(left, relation, right, writing)?;
                return Ok(args.json.render(&compared).into());
            }
        };
        if args.svg {
            let text = self.text(id, writing).unwrap_or_default();
            let drawn = self.thermographs.thermograph(id);
            let drawn = drawn.ok_or("its thermograph takes numbers of more than 119 bits")?;
            return Ok(svg::thermograph(&text, &drawn).document().into());
        }
        self.answer(id, args, writing)
    }

    /// Returns the output about a value that is not loopy.
    fn answer(
        &mut self,
        id: ValueId,
        args: &ValueArgs,
        writing: Writing,
    ) -> Result<Rc<str>, Box<dyn std::error::Error>> {
        if let Some(told) = self.told.get(&id) {
            return Ok(Rc::clone(told));
        }
        let told: Rc<str> = args.json.render(&self.report(id, writing)?).into();
        self.told_bytes += told.len() as u64;
        self.told.insert(id, Rc::clone(&told));
        Ok(told)
    }

    /// Returns the output about a text with loopy values.
    fn tell_loopy(
        &mut self,
        text: &str,
        args: &ValueArgs,
        writing: Writing,
    ) -> Result<Rc<str>, Box<dyn std::error::Error>> {
        if args.svg || args.cool.is_some() || args.heat.is_some() {
            return Err("--svg, --cool and --heat are for short values, and this is loopy".into());
        }
        let arena = self.calculator.arena();
        let c = self
            .loopy
            .get_or_insert_with(|| LoopyCalculator::new(arena));
        c.limit_steps(LOOPY_STEPS_MAX);
        c.short().limit_steps(LOOPY_SHORT_STEPS_MAX);
        let shown = |c: &mut LoopyCalculator<'_>, sides| match c.text(sides, writing.chars_max) {
            Some(text) => Fact::Text(text),
            None => Fact::Long(long(c.digest_of(sides))),
        };
        let facts = match c.parse_statement(text)? {
            Statement::Comparison(left, relation, right) => {
                let comparison = c.compare(left, right)?;
                let sides = [("left", shown(c, left)), ("right", shown(c, right))];
                sides
                    .into_iter()
                    .chain(comparison_facts(relation, comparison))
                    .collect()
            }
            Statement::Value(sides) => {
                if let Some(Stopper::Short(id)) = sides.stopper() {
                    return self.answer(id, args, writing);
                }
                let [left, right] = c.endings(sides)?;
                let outcome = match Ending::class([left, right]) {
                    Some(class) => Fact::Text(class.to_string()),
                    None => Fact::Missing(
                        "play is drawn where one of the players moves first".to_owned(),
                    ),
                };
                let [left_stop, right_stop, mean, temperature] = thermal(c, sides);
                vec![
                    ("value", shown(c, sides)),
                    ("kind", Fact::Text("loopy".to_owned())),
                    ("outcome", outcome),
                    ("left first", Fact::Text(left.name().to_owned())),
                    ("right first", Fact::Text(right.name().to_owned())),
                    ("left stop", left_stop),
                    ("right stop", right_stop),
                    ("mean", mean),
                    ("temperature", temperature),
                    ("is stopper", Fact::Flag(sides.stopper().is_some())),
                    ("onside", shown(c, sides.onside.into())),
                    ("offside", shown(c, sides.offside.into())),
                ]
            }
        };
        c.check_steps()?;
        let report = Report {
            facts,
            atomic_weight_missing: None,
        };
        Ok(args.json.render(&report).into())
    }

    /// Returns a value after `--cool` and `--heat`.
    fn heated(&mut self, id: ValueId, args: &ValueArgs) -> Result<ValueId, CoolingError> {
        let c = &mut self.calculator;
        match (args.cool, args.heat) {
            (Some(t), _) => c.cooled(id, t),
            (None, Some(t)) => {
                let t = c.number(t)?;
                Ok(c.heated(id, t)?)
            }
            (None, None) => Ok(id),
        }
    }

    /// Returns how two values compare, and whether a relation holds for them.
    fn compared(
        &mut self,
        left: ValueId,
        relation: Relation,
        right: ValueId,
        writing: Writing,
    ) -> Result<Report, ArenaError> {
        let c = &mut self.calculator;
        let comparison = c.compare(left, right);
        c.check_steps()?;
        let sides = [
            ("left", self.fact(left, writing)),
            ("right", self.fact(right, writing)),
        ];
        let facts = sides
            .into_iter()
            .chain(comparison_facts(relation, comparison));
        Ok(Report {
            facts: facts.collect(),
            atomic_weight_missing: None,
        })
    }

    fn report(&mut self, id: ValueId, writing: Writing) -> Result<Report, ArenaError> {
        let arena = self.calculator.arena();
        let outcome = self.calculator.outcome(id);
        self.calculator.check_steps()?;
        let (weight, missing) = match self.weights.weight(id) {
            Ok(weight) => {
                let weight = weight.value(&mut self.calculator)?;
                (self.fact(weight, writing), None)
            }
            Err(none) => (Fact::Missing(none.to_string()), none.name()),
        };
        let [left_incentives, right_incentives] = match self.calculator.incentives(id) {
            Ok(incentives) => incentives.map(|ids| self.texts(ids, writing)),
            Err(error) => [(); 2].map(|()| Fact::Missing(error.to_string())),
        };
        let reduced = match self.calculator.reduced(id) {
            Ok(reduced) => self.fact(reduced, writing),
            Err(error) => Fact::Missing(error.to_string()),
        };
        let thermograph = self.thermographs.thermograph(id);
        let walls = thermograph.as_ref();
        let facts = vec![
            ("value", self.fact(id, writing)),
            ("kind", Fact::Text(self.writer.kind(id).to_string())),
            ("outcome", Fact::Text(outcome.to_string())),
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
            ("reduced form", reduced),
        ];
        Ok(Report {
            facts,
            atomic_weight_missing: Some(missing),
        })
    }
}
