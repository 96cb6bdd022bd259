//! Published values: the files of `data/reference` as a flat list of facts.
//!
//! A [`Fact`] is one thing that a publication says and a result can confirm: the value of a position,
//! a theorem for all values of its variables, a sum. Every fact knows its citation, and where the
//! print differs from what the rules give, what the print shows instead.
//!
//! Invariant: a fact that was loaded can be checked. Its positions belong to its game, its values
//! are values, its formulas are formulas in its own variables. A [`HeapFact`] is the same for heaps, a [`BoardFact`] for
//! Tchoukaillon boards.
//!
//! This module does not know which facts hold.

mod error;
mod formula;
mod heaps;
mod read;
mod tchoukaillon;
mod wire;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use error::ReferenceError;
pub(crate) use formula::bind;
pub use formula::{Binding, Formula};
pub use heaps::{HEAP_FILES, HeapClaim, HeapFact, HeapStatement, load_heaps, parse_heaps};
pub use tchoukaillon::{BOARD_FILE, BoardFact, BoardStatement, load_boards, parse_boards};

use crate::board::row::Row;
use crate::family::Pattern;
use crate::game::{Game, Play};

/// The folder of these files in the source tree.
pub const FOLDER: &str = "data/reference";

/// Returns all files of [`FOLDER`] with their texts, as they were when the program was built: those of the games on rows, in
/// the order of the registry, and then the others.
pub fn embedded() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_rows = Game::ALL.iter().map(|game| game.published());
    of_rows.chain([
        (
            "obligated.toml",
            include_str!("../../../data/reference/obligated.toml"),
        ),
        (
            "octal.toml",
            include_str!("../../../data/reference/octal.toml"),
        ),
        (
            "tchoukaillon.toml",
            include_str!("../../../data/reference/tchoukaillon.toml"),
        ),
    ])
}

/// Loads the published values of all games on rows from `dir`, or from the [`embedded`] files, in the order of the registry
/// and of the entries in the files. A folder may lack games.
///
/// # Errors
///
/// A folder that is missing, a file that is no TOML, a key that is unknown, an entry that makes no sense.
pub fn load(dir: Option<&Path>) -> Result<Vec<Fact>, ReferenceError> {
    let mut facts = Vec::new();
    for game in Game::ALL {
        let (name, _) = game.published();
        if dir.is_some_and(|dir| dir.is_dir() && !dir.join(name).exists()) {
            continue;
        }
        let (path, text) = text(dir, name)?;
        facts.extend(parse(&text, &path)?);
    }
    Ok(facts)
}

/// All published facts: about rows of pots, about heaps, about boards. They are numbered in this order.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The facts about games on rows.
    pub rows: Vec<Fact>,
    /// The facts about heaps.
    pub heaps: Vec<HeapFact>,
    /// The facts about Tchoukaillon boards.
    pub boards: Vec<BoardFact>,
}

impl Facts {
    /// Loads all facts from `dir`, or from the [`embedded`] files.
    ///
    /// # Errors
    ///
    /// As [`load`], [`load_heaps`] and [`load_boards`].
    pub fn load(dir: Option<&Path>) -> Result<Facts, ReferenceError> {
        Ok(Facts {
            rows: load(dir)?,
            heaps: load_heaps(dir)?,
            boards: load_boards(dir)?,
        })
    }

    /// Returns the number of the first fact about heaps.
    pub fn first_of_heaps(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of the first fact about boards.
    pub fn first_of_boards(&self) -> usize {
        self.rows.len() + self.heaps.len()
    }

    /// Returns all facts, each with how it is played or added, in words.
    pub fn all(&self) -> impl Iterator<Item = (&dyn Cited, String)> {
        let rows = self.rows.iter().map(|fact| {
            let cited: &dyn Cited = fact;
            (cited, fact.play.to_string())
        });
        let heaps = self.heaps.iter().map(|fact| {
            let cited: &dyn Cited = fact;
            (cited, fact.sum.to_string())
        });
        let boards = self.boards.iter().map(|fact| {
            let cited: &dyn Cited = fact;
            (cited, "tchoukaillon".to_owned())
        });
        rows.chain(heaps).chain(boards)
    }
}

/// A fact, however it is said, with where it is from.
pub trait Cited {
    /// Returns what it is about, as the file names it.
    fn label(&self) -> &str;
    /// Returns the publication and the place in it.
    fn citation(&self) -> &str;
    /// Returns the file and the entry in it.
    fn reference(&self) -> String;
}

/// Implements [`Cited`] for a fact with fields of these names.
macro_rules! cited {
    ($fact:ty) => {
        impl $crate::report::reference::Cited for $fact {
            fn label(&self) -> &str {
                &self.label
            }
            fn citation(&self) -> &str {
                &self.citation
            }
            fn reference(&self) -> String {
                format!("{}: {}", self.file.display(), self.key)
            }
        }
    };
}
use cited;

cited!(Fact);

/// Returns the path and the text of a file in `dir`, or of the embedded file.
fn text(dir: Option<&Path>, name: &str) -> Result<(PathBuf, Cow<'static, str>), ReferenceError> {
    let path = dir.unwrap_or(Path::new(FOLDER)).join(name);
    let embedded = embedded().find(|(embedded, _)| *embedded == name);
    match (dir, embedded) {
        (None, Some((_, text))) => Ok((path, text.into())),
        _ => match std::fs::read_to_string(&path) {
            Ok(text) => Ok((path, text.into())),
            Err(source) => Err(ReferenceError::Unreadable { path, source }),
        },
    }
}

/// Reads the facts of one file's text; `path` is what errors and facts name.
///
/// # Errors
///
/// As [`load`].
pub fn parse(text: &str, path: &Path) -> Result<Vec<Fact>, ReferenceError> {
    read::facts(text, path)
}

/// Something that a publication says and a result can confirm.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// What it is about: a position or a pattern, as the file writes it.
    pub label: String,
    /// What is said.
    pub statement: Statement,
    /// The publication and the place in it.
    pub citation: String,
    /// The file.
    pub file: PathBuf,
    /// The entry in the file, such as `partisan[3]`, counted from 0.
    pub key: String,
    /// What the source shows, in words, where that is not the fact.
    pub print: Option<String>,
    /// What the source shows, where it differs and can be read.
    pub printed: Option<Printed>,
}

/// What stands in print instead of a fact; what is missing is as in the fact.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The position in print.
    pub position: Option<Row>,
    /// The value in print.
    pub value: Option<String>,
}

/// What a fact says.
#[derive(Clone, Debug)]
pub enum Statement {
    /// The position has the value.
    Value {
        /// The position.
        position: Row,
        /// The value in notation; nim-values are nimbers.
        value: String,
    },
    /// The value of the position has the atomic weight.
    AtomicWeight {
        /// The position.
        position: Row,
        /// The weight.
        weight: i64,
    },
    /// A pattern has properties for all values of its variables.
    Theorem(Theorem),
    /// The position has the value of the sum of its components.
    Sum {
        /// The position.
        position: Row,
        /// The components.
        components: Vec<Row>,
    },
    /// Every position without a pot above two is the sum of its runs of deuces, which are nimbers:
    /// heaps of the octal game .37.
    Sparse,
    /// A run of n deuces is zero for just these n.
    DeuceRuns {
        /// Those n, ascending.
        zero: Vec<u64>,
        /// The n from which on nothing is said.
        below: u64,
    },
}

/// A pattern's properties, in terms of its variables.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// The pattern.
    pub pattern: Pattern,
    /// The least value of each of the pattern's variables.
    pub least: Vec<i64>,
    /// Combinations of values for which nothing is said.
    pub except: Vec<Vec<i64>>,
    /// The value, with the variables in it.
    pub value: Option<String>,
    /// The atomic weight.
    pub atomic_weight: Option<Formula>,
    /// The least number of distinct followers.
    pub followers_at_least: Option<Formula>,
}
