//! The files of `data/reference/computed`, and the keys that each of their entries must have.

use std::fs;
use std::path::{Path, PathBuf};

use seedbank::board::{AnyBoard, BoardKind};
use seedbank::family::Pattern;
use seedbank::game::{Game, Play};
use seedbank::value::Arena;
use serde::Deserialize;

/// The file of answers about sowing graphs, which has other keys and its own test,
/// `sowing_graph_computed.rs`.
const GRAPHS: &str = "tchoukaillon.toml";

/// Returns the files of values of games, sorted.
pub(crate) fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/computed");
    let entries = fs::read_dir(folder).expect("the folder is part of the source tree");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file() && !path.ends_with(GRAPHS));
    files.sort();
    files
}

/// Returns the entries of a file.
pub(crate) fn entries(path: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(path).unwrap();
    parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the entries of one file's text.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let file: wire::File = toml::from_str(text).map_err(|error| error.to_string())?;
    let game: Game = file.game.parse().map_err(|_| format!("{}?", file.game))?;
    let entries = file.value.into_iter().map(|entry| {
        let play: Play = entry.play.parse().map_err(|_| format!("{}?", entry.play))?;
        let board = match game.shape().kind() {
            BoardKind::Grid => (BoardKind::Grid.read(&entry.pattern)).map_err(|e| e.to_string())?,
            kind => {
                let pattern = Pattern::read(&entry.pattern, kind).map_err(|e| e.to_string())?;
                pattern.expand(&[entry.n]).map_err(|e| e.to_string())?
            }
        };
        Ok(Entry {
            game,
            play,
            pattern: entry.pattern,
            n: entry.n,
            board,
            value: entry.value,
            shape: entry.shape,
            quick: entry.quick,
            ways: entry.ways,
        })
    });
    entries.collect()
}

/// A value and the ways to find it.
pub(crate) struct Entry {
    pub(crate) game: Game,
    pub(crate) play: Play,
    pub(crate) pattern: String,
    pub(crate) n: i64,
    pub(crate) board: AnyBoard,
    /// The value in notation, if that is short enough to read.
    pub(crate) value: Option<String>,
    /// Other facts about the value.
    pub(crate) shape: Option<Shape>,
    pub(crate) quick: bool,
    pub(crate) ways: Vec<Way>,
}

/// Facts about a value too long to write.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub(crate) digest: String,
    pub(crate) kind: String,
    pub(crate) outcome: String,
    pub(crate) left_stop: String,
    pub(crate) right_stop: String,
    pub(crate) mean: String,
    pub(crate) temperature: String,
    pub(crate) birthday: u32,
}

/// How a value was found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Way {
    pub(crate) engine: Engine,
    pub(crate) command: String,
    /// The number of positions visited.
    #[serde(default)]
    pub(crate) positions: Option<u64>,
    /// The CPU seconds taken.
    #[serde(default)]
    pub(crate) cpu_seconds: Option<f64>,
}

/// An algorithm that finds values, or confirms one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Engine {
    /// Canonical forms, or nim-values, of all rows with the same number of seeds, in an order that
    /// puts options first.
    Sweep,
    /// Canonical forms, or nim-values, depth first with a table of positions.
    Search,
    /// Who wins the sum with nim heaps.
    Outcome,
    /// Canonical forms, or nim-values, by plain recursion: every position by its options' values.
    Recursion,
    /// Literal moves and canonical forms, or nim-values, by definition.
    Reference,
    /// Who wins the position minus the value.
    Play,
}

impl Engine {
    pub(crate) const ALL: [Engine; 6] = [
        Engine::Sweep,
        Engine::Search,
        Engine::Outcome,
        Engine::Recursion,
        Engine::Reference,
        Engine::Play,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Sweep => "sweep",
            Engine::Search => "search",
            Engine::Outcome => "outcome",
            Engine::Recursion => "recursion",
            Engine::Reference => "reference",
            Engine::Play => "play",
        }
    }

    /// Returns whether the algorithm searches for winning moves.
    fn plays(self) -> bool {
        matches!(self, Engine::Outcome | Engine::Play)
    }
}

impl Entry {
    /// Returns the position as commands take it: the pattern with its variable's value.
    pub(crate) fn written(&self) -> String {
        self.pattern.replace('n', &self.n.to_string())
    }

    /// Returns the name of the position whose value this is.
    pub(crate) fn title(&self) -> String {
        format!(
            "{} {} {}",
            self.game.name(),
            self.play.name(),
            self.written()
        )
    }

    /// Returns the nimber that the value is, if it is one.
    pub(crate) fn nimber(&self) -> Option<u32> {
        let arena = Arena::new();
        let value = arena.calculator().parse(self.value.as_deref()?).ok()?;
        arena.nimber(value)
    }

    /// Returns the command that finds the value in this way, if the program has an option for it.
    pub(crate) fn command(&self, way: &Way) -> String {
        let (game, play, position) = (self.game.name(), self.play.name(), self.written());
        let asked = format!("--game {game} --play {play} '{position}'");
        // Rows of at least ten ones are swept in games that have sweeps; all else is searched.
        let swept = self.game.is_swept() && self.pattern == "1^n" && self.n >= 10;
        match way.engine {
            Engine::Outcome => match self.nimber() {
                Some(nimber @ 3..) => {
                    format!(
                        "seedbank outcome --game {game} --play {play} --nimbers {nimber} '{position}'"
                    )
                }
                _ => format!("seedbank outcome {asked}"),
            },
            Engine::Sweep if swept => format!("seedbank eval {asked}"),
            Engine::Search if !swept => format!("seedbank eval {asked}"),
            _ => format!(
                "SEEDBANK_COMPUTED='{position}' cargo test --release --test integration computed::values"
            ),
        }
    }
}

/// Returns the faults of an entry.
pub(crate) fn check(entry: &Entry) -> Result<(), String> {
    let expect = |holds: bool, fault: &str| if holds { Ok(()) } else { Err(fault.to_owned()) };
    expect(
        entry.value.is_some() != entry.shape.is_some(),
        "either a value or what is said of a long one",
    )?;
    let mut engines: Vec<Engine> = entry.ways.iter().map(|way| way.engine).collect();
    engines.sort();
    engines.dedup();
    expect(engines.len() >= 2, "two different engines")?;
    expect(engines.len() == entry.ways.len(), "different engines")?;
    let nimber = entry.nimber();
    let has = |engine| engines.contains(&engine);
    expect(
        nimber.is_some() || entry.play == Play::Partisan && !has(Engine::Outcome),
        "only a nimber has impartial play, or is found by outcomes",
    )?;
    expect(
        !engines.iter().all(|engine| engine.plays()),
        "both ways share the search for wins",
    )?;
    // The search settles positions of value 0 by playing where that is easy.
    let settled = |engine: &Engine| engine.plays() || *engine == Engine::Search;
    expect(
        nimber != Some(0) || !engines.iter().all(settled),
        "both ways share the search for wins, which settles zeros",
    )?;
    for way in &entry.ways {
        let command = entry.command(way);
        expect(way.command == command, &format!("command: {command}"))?;
        expect(way.positions != Some(0), "no positions")?;
        expect(way.cpu_seconds.is_none_or(|s| s > 0.0), "no time")?;
    }
    Ok(())
}

/// The files' shape.
mod wire {
    use super::{Deserialize, Shape, Way};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct File {
        pub(super) game: String,
        pub(super) value: Vec<Entry>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Entry {
        pub(super) play: String,
        pub(super) pattern: String,
        #[serde(default)]
        pub(super) n: i64,
        #[serde(default)]
        pub(super) value: Option<String>,
        #[serde(default)]
        pub(super) shape: Option<Shape>,
        #[serde(default)]
        pub(super) quick: bool,
        pub(super) ways: Vec<Way>,
    }
}
