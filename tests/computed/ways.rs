//! The ways to find a value. If the program has a command for a way, the test runs that command.

use std::collections::HashMap;
use std::fmt;
use std::process::Command;
use std::sync::{Arc, Mutex};

use bytesize::ByteSize;
use seedbank::board::{Key, PositionError};
use seedbank::engine::reference::{ReferenceEngine, ReferenceForm, ReferenceForms};
use seedbank::engine::sweep::{Cells, SweepProgress, SweepValuation, sweep};
use seedbank::engine::{
    CanonicalForms, Control, Formed, NimValues, NothingKnown, OutcomeSearch, Word,
};
use seedbank::evaluate::{Describer, Writing};
use seedbank::game::{BySeeds, GameVisitor, Play, Player, PotGame, Ruleset, SweepOrder};
use seedbank::value::{Arena, Calculator, Digester, Nimber, OutcomeClass, ValueId};
use serde_json::Value;

use super::entries::{Engine, Entry, Shape, Way};
use crate::common::naive::{mex, options};

/// The result of one way.
#[derive(Debug, PartialEq)]
pub(crate) enum Found {
    /// A value.
    Value(Shape),
    /// Who wins, and the value if it is a nimber.
    Nimber(String, Option<Nimber>),
    /// Who wins the position minus the expected value.
    Difference(OutcomeClass),
}

impl Found {
    /// Returns whether the result is the expected one.
    pub(crate) fn agrees(&self, expected: &Expected) -> bool {
        match self {
            Found::Value(shape) if expected.only_digest => shape.digest == expected.shape.digest,
            Found::Value(shape) => *shape == expected.shape,
            Found::Nimber(_, nimber) => nimber.is_some() && *nimber == expected.nimber,
            Found::Difference(outcome) => *outcome == OutcomeClass::Previous,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Value(shape) => write!(f, "{shape:?}"),
            Found::Nimber(outcome, None) => write!(f, "{outcome}, no nimber in reach"),
            Found::Nimber(_, Some(nimber)) => write!(f, "{nimber}"),
            Found::Difference(outcome) => write!(f, "a difference with outcome {outcome}"),
        }
    }
}

/// The expected value of a position.
pub(crate) struct Expected {
    shape: Shape,
    nimber: Option<Nimber>,
    /// The entry states nothing but the value itself.
    only_digest: bool,
}

/// Returns the expected value of an entry.
pub(crate) fn expected(entry: &Entry) -> Result<Expected, String> {
    let nimber = entry.nimber().map(Nimber);
    let shape = match (&entry.value, &entry.shape) {
        (Some(text), _) => {
            let forms = CanonicalForms::default();
            let value = forms.arena.calculator().parse(text);
            let value = value.map_err(|error| error.to_string())?;
            described::<CanonicalForms>(&forms.arena, CanonicalForms::word(value))
        }
        (None, Some(shape)) => shape.clone(),
        (None, None) => return Err("neither value nor shape".to_owned()),
    };
    Ok(Expected {
        shape,
        nimber,
        only_digest: entry.value.is_some(),
    })
}

/// Finds a value in one way.
pub(crate) fn found(entry: &Entry, way: &Way, expected: &Expected) -> Result<Found, String> {
    let title = entry.title();
    let engine = way.engine.name();
    if let Some(arguments) = way.command.strip_prefix("seedbank ") {
        let found = told(arguments);
        println!("{title}: {engine} finds {found}");
        return Ok(found);
    }
    let before = cpu_seconds();
    let (found, positions) = entry.game.visit(FoundBy(entry, way.engine, expected))?;
    let seconds = cpu_seconds() - before;
    println!("{title}: {engine} finds {found}, {positions} positions, {seconds:.1} CPU s");
    Ok(found)
}

/// Returns the CPU time of this thread if the system reports it, else 0.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) * 1e-9
}

/// Runs the program and reads the value that it prints.
fn told(arguments: &str) -> Found {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seedbank"));
    // Only the position is in quotes, and it comes last.
    let (options, position) = arguments.split_once('\'').expect("a position in quotes");
    command.args(options.split_whitespace());
    command.arg(position.trim_end_matches('\'')).arg("--json");
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    let object: Value = serde_json::from_slice(&output.stdout).expect("a JSON object");
    let text = |key: &str| match &object[key] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if arguments.starts_with("outcome") {
        let nim_value = object["nim_value"].as_u64().map(|n| Nimber(n as u32));
        return Found::Nimber(text("outcome"), nim_value);
    }
    let number = |key: &str| text(key).trim_end_matches(".0").to_owned();
    Found::Value(Shape {
        digest: text("value_digest"),
        kind: text("kind"),
        outcome: text("outcome"),
        left_stop: number("left_stop"),
        right_stop: number("right_stop"),
        mean: number("mean"),
        temperature: number("temperature"),
        birthday: object["birthday"].as_u64().expect("a number") as u32,
    })
}

struct FoundBy<'a>(&'a Entry, Engine, &'a Expected);

impl GameVisitor for FoundBy<'_> {
    type Output = Result<(Found, u64), String>;

    fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
        found_by(ruleset, self.0, self.1, self.2)
    }
}

fn found_by<R: PotGame>(
    ruleset: R,
    entry: &Entry,
    engine: Engine,
    expected: &Expected,
) -> Result<(Found, u64), String> {
    let position = ruleset
        .position_on(&entry.board)
        .map_err(|e| e.to_string())?;
    match (engine, entry.play) {
        (Engine::Sweep, Play::Partisan) => swept::<R, CanonicalForms>(&ruleset, &position),
        (Engine::Sweep, Play::Impartial) => swept::<R, NimValues>(&ruleset, &position),
        (Engine::Search, Play::Partisan) => searched::<R, CanonicalForms>(ruleset, &position),
        (Engine::Search, Play::Impartial) => searched::<R, NimValues>(ruleset, &position),
        (Engine::Recursion, _) => by_recursion(&ruleset, entry.play, &position),
        (Engine::Reference, _) => by_definition(entry),
        (Engine::Play, _) => played(ruleset, entry, position, expected),
        (Engine::Outcome, play) => {
            let control = Control::default();
            let mut search = OutcomeSearch::new(&ruleset, play, MEMORY, &control);
            let nimber_max = expected.nimber.map_or(2, |Nimber(n)| n as u8);
            let class = search.outcome(&position).map_err(|e| e.to_string())?;
            let nimber = search.nimber(&position, nimber_max);
            let nimber = nimber.map_err(|e| e.to_string())?;
            let found = Found::Nimber(class.to_string(), nimber.map(|n| Nimber(n.into())));
            Ok((found, search.positions()))
        }
    }
}

/// The memory that a search for wins may use.
const MEMORY: ByteSize = ByteSize::gib(4);

/// Returns the facts that describe a value.
fn described<V: Formed>(arena: &Arena, word: Word) -> Shape {
    let mut describer = Describer::new(arena, Writing::default());
    let description = describer.describe(word, V::form).expect("a form that fits");
    let text = |number: Option<seedbank::value::Dyadic>| {
        number.map_or("null".to_owned(), |n| f64_text(&n.to_string()))
    };
    Shape {
        digest: Digester::new(arena).digest(description.form).to_string(),
        kind: description.kind.to_string(),
        outcome: description.outcome.to_string(),
        left_stop: text(Some(description.left_stop)),
        right_stop: text(Some(description.right_stop)),
        mean: text(description.mean),
        temperature: text(description.temperature),
        birthday: description.birthday,
    }
}

/// Returns `3/2` as `1.5`, as the program prints it.
fn f64_text(dyadic: &str) -> String {
    let (above, below) = dyadic.split_once('/').unwrap_or((dyadic, "1"));
    let quotient = above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap();
    quotient.to_string()
}

fn swept<R: Ruleset, V: SweepValuation + Formed + Default>(
    ruleset: &R,
    position: &R::Position,
) -> Result<(Found, u64), String>
where
    V::Content: Into<u32>,
{
    let pots = ruleset
        .swept()
        .and_then(|swept| swept.pots(position))
        .ok_or("not to be swept")?;
    let seeds = pots.iter().map(|&pot| usize::from(pot)).sum();
    let order = BySeeds::new(seeds, pots.len()).ok_or("too many rows to be swept")?;
    let cells = Cells::in_memory(order.cells()).map_err(|error| error.to_string())?;
    let valuation = V::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let control = Control::default();
    let (progress, pool) = (SweepProgress::default(), pool.unwrap());
    sweep(&order, &valuation, &cells, &progress, &pool, &control).map_err(|e| e.to_string())?;
    let cell = order.cell_of(pots).expect("a row of the family");
    let word = Word::new(cells.get(cell).into()).expect("filled");
    let found = Found::Value(described::<V>(valuation.arena(), word));
    Ok((found, control.evaluated()))
}

fn searched<R: Ruleset, V: Formed + Default>(
    ruleset: R,
    position: &R::Position,
) -> Result<(Found, u64), String> {
    let engine = seedbank::engine::Engine::new(ruleset, V::default());
    let word = engine.search(&NothingKnown).evaluate(position);
    let word = word.map_err(|error| error.to_string())?;
    let found = Found::Value(described::<V>(engine.valuation.arena(), word));
    Ok((found, engine.control.evaluated()))
}

/// Values every position from its options' values, without mirror images and without playing.
fn by_recursion<R: Ruleset>(
    ruleset: &R,
    play: Play,
    position: &R::Position,
) -> Result<(Found, u64), String> {
    let forms = CanonicalForms::default();
    let arena = &forms.arena;
    let mut calculator = arena.calculator();
    let (value, positions) = match play {
        Play::Partisan => {
            let mut values = HashMap::new();
            let value = recursion(
                ruleset,
                position,
                &mut values,
                &mut |mut left, mut right| {
                    let value = calculator.canonical(&mut left, &mut right);
                    value.expect("a form that fits")
                },
            )?;
            (value, values.len())
        }
        Play::Impartial => {
            let mut values = HashMap::new();
            let nim_value = recursion(ruleset, position, &mut values, &mut |left, right| {
                mex(&left.into_iter().chain(right).collect())
            })?;
            let value = calculator.nimber(nim_value).expect("a form that fits");
            (value, values.len())
        }
    };
    let word = CanonicalForms::word(value);
    let found = Found::Value(described::<CanonicalForms>(arena, word));
    Ok((found, positions as u64))
}

fn recursion<R: Ruleset, T: Copy>(
    ruleset: &R,
    position: &R::Position,
    values: &mut HashMap<(Key, bool), T>,
    combine: &mut impl FnMut(Vec<T>, Vec<T>) -> T,
) -> Result<T, String> {
    let key = ruleset.key(position).map_err(|error| error.to_string())?;
    if let Some(&known) = values.get(&key) {
        return Ok(known);
    }
    let mut sides = [Vec::new(), Vec::new()];
    for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
        for option in options(ruleset, position, player)? {
            side.push(recursion(ruleset, &option, values, combine)?);
        }
    }
    let [left, right] = sides;
    let value = combine(left, right);
    values.insert(key, value);
    Ok(value)
}

/// Applies the definitions to the row as it is written.
fn by_definition(entry: &Entry) -> Result<(Found, u64), String> {
    let mut engine = ReferenceEngine::new(entry.game);
    let forms = CanonicalForms::default();
    let mut calculator = forms.arena.calculator();
    let value = match entry.play {
        Play::Partisan => {
            let form = engine.canonical(&entry.board).map_err(|e| e.to_string())?;
            rebuilt(engine.forms(), form, &mut calculator, &mut HashMap::new())
        }
        Play::Impartial => {
            let nim_value = engine.nim_value(&entry.board).map_err(|e| e.to_string())?;
            calculator.nimber(nim_value).expect("a form that fits")
        }
    };
    let word = CanonicalForms::word(value);
    let found = Found::Value(described::<CanonicalForms>(&forms.arena, word));
    let followers = engine.followers(&entry.board).map_err(|e| e.to_string())?;
    Ok((found, followers as u64))
}

/// Returns the arena's form of a reference form, built from its options.
fn rebuilt(
    forms: &ReferenceForms,
    form: ReferenceForm,
    calculator: &mut Calculator,
    known: &mut HashMap<ReferenceForm, ValueId>,
) -> ValueId {
    if let Some(&value) = known.get(&form) {
        return value;
    }
    let [mut left, mut right] = [forms.left_options(form), forms.right_options(form)].map(|side| {
        let values = side
            .iter()
            .map(|&option| rebuilt(forms, option, calculator, known));
        values.collect::<Vec<ValueId>>()
    });
    let value = calculator.canonical(&mut left, &mut right);
    let value = value.expect("a form that fits");
    known.insert(form, value);
    value
}

/// Plays the position minus the value. The value is read from its text, or found by a search where
/// the entry has only its digest.
fn played<R: Ruleset>(
    ruleset: R,
    entry: &Entry,
    position: R::Position,
    expected: &Expected,
) -> Result<(Found, u64), String> {
    let engine = seedbank::engine::Engine::new(ruleset.clone(), CanonicalForms::default());
    let value = match &entry.value {
        Some(text) => {
            let value = engine.valuation.arena.calculator().parse(text);
            value.map_err(|error| error.to_string())?
        }
        None => {
            let word = engine.search(&NothingKnown).evaluate(&position);
            CanonicalForms::value(word.map_err(|error| error.to_string())?)
        }
    };
    let arena = engine.valuation.arena;
    let digest = Digester::new(&arena).digest(value).to_string();
    if digest != expected.shape.digest {
        return Err(format!("there is no value {}", expected.shape.digest));
    }
    let game = Difference {
        shared: Arc::new(Shared {
            ruleset,
            arena,
            places: Mutex::default(),
        }),
    };
    let control = Control::default();
    let mut search = OutcomeSearch::new(&game, entry.play, MEMORY, &control);
    let difference = Sum(position, value.negative());
    let outcome = search.outcome(&difference).map_err(|e| e.to_string())?;
    Ok((Found::Difference(outcome), search.positions()))
}

/// Positions of a ruleset and games of an arena, side by side.
struct Difference<R: Ruleset> {
    shared: Arc<Shared<R>>,
}

impl<R: Ruleset> Clone for Difference<R> {
    fn clone(&self) -> Self {
        let shared = self.shared.clone();
        Difference { shared }
    }
}

/// The numbers of positions, and the positions by number.
type Places<P> = (HashMap<P, u32>, Vec<P>);

struct Shared<R: Ruleset> {
    ruleset: R,
    arena: Arc<Arena>,
    /// The positions met, in order of their numbers.
    places: Mutex<Places<R::Position>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sum<P>(P, ValueId);

impl<P: fmt::Display> fmt::Display for Sum<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + a game", self.0)
    }
}

impl<R: Ruleset> Ruleset for Difference<R> {
    type Board = R::Board;
    type Position = Sum<R::Position>;

    fn id(&self) -> String {
        "difference".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, board: &R::Board) -> Result<Self::Position, PositionError> {
        Ok(Sum(self.shared.ruleset.position(board)?, ValueId::ZERO))
    }

    fn board(&self, position: &Self::Position) -> R::Board {
        self.shared.ruleset.board(&position.0)
    }

    fn each_option(
        &self,
        Sum(position, game): &Self::Position,
        player: Player,
        visit: &mut impl FnMut(&Self::Position),
    ) -> Result<(), PositionError> {
        let Shared { ruleset, arena, .. } = &*self.shared;
        ruleset.each_option(position, player, &mut |option| {
            visit(&Sum(option.clone(), *game));
        })?;
        let options = match player {
            Player::Left => arena.left_options(*game),
            Player::Right => arena.right_options(*game),
        };
        for option in options {
            visit(&Sum(position.clone(), option));
        }
        Ok(())
    }

    fn negative(&self, Sum(position, game): &Self::Position) -> Self::Position {
        Sum(self.shared.ruleset.negative(position), game.negative())
    }

    fn key(&self, Sum(position, game): &Self::Position) -> Result<(Key, bool), PositionError> {
        let mut places = self.shared.places.lock().unwrap();
        let (numbers, positions) = &mut *places;
        let number = *numbers.entry(position.clone()).or_insert_with(|| {
            positions.push(position.clone());
            positions.len() as u32
        });
        let game = CanonicalForms::word(*game).get();
        Ok((Key::from(number) << 32 | Key::from(game), false))
    }

    fn position_of(&self, key: Key) -> Self::Position {
        let places = self.shared.places.lock().unwrap();
        let position = places.1[(key >> 32) as usize - 1].clone();
        let game = Word::new(key as u32).expect("a word");
        Sum(position, CanonicalForms::value(game))
    }
}
