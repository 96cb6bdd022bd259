//! Published values: the files of `data/reference` as a flat list of facts.
//!
//! A [`Fact`] is one published statement that a result can confirm: the value of a position, a theorem
//! for all values of its variables, a sum. Every fact is [`Cited`]: it has a source, and a number once all are loaded. If the print
//! differs from the value by the rules, the fact also has the reading of the print.
//!
//! Invariant: a fact that was loaded can be checked. Its positions belong to its game, its values
//! are values, its formulas are formulas in its own variables. A [`HeapFact`] is the same for heaps, a [`BoardStatement`] for
//! Tchoukaillon boards, a [`ScoreFact`] for scored games, a [`SumFact`] for sums of components, a [`NamedFact`] for games given
//! by their moves, a [`QuotientFact`] for misère quotients.
//!
//! This module does not know which facts hold.

mod cited;
mod error;
mod fact;
mod files;
mod formula;
mod heaps;
mod named;
pub mod oeis;
mod quotients;
mod read;
mod scores;
mod sums;
mod tchoukaillon;
mod wire;

use std::ops::RangeFrom;
use std::path::Path;

pub use cited::Cited;
pub use error::ReferenceError;
pub use fact::{Fact, Printed, Statement, Theorem};
pub use files::{FOLDER, Files};
pub use formula::{Binding, Formula};
pub use heaps::{HEAP_FILES, HeapClaim, HeapFact, HeapStatement, parse_heaps};
pub use named::{NAMED_FILES, NamedFact, NamedStatement, parse_named};
pub use quotients::{QUOTIENT_FILE, QuotientFact, Tameness, parse_quotients};
pub use scores::{SCORE_FILES, ScoreFact, parse_scores};
pub use sums::{SUM_FILE, SumFact, parse_sums};
pub use tchoukaillon::{BOARD_FILE, BoardStatement, parse_boards};

use cggames::game::Game;

/// Loads the published values of all games on rows, in the order of the registry and of the
/// entries in the files. A folder may lack games.
///
/// # Errors
///
/// A missing folder, a file that is not TOML, an unknown key, an entry that makes no sense.
pub fn load(files: Files<'_>) -> Result<Vec<Cited<Fact>>, ReferenceError> {
    rows(files, &mut (0..))
}

fn rows(
    files: Files<'_>,
    numbers: &mut RangeFrom<usize>,
) -> Result<Vec<Cited<Fact>>, ReferenceError> {
    let names = Game::ALL.iter().filter_map(|game| game.published());
    files.facts(names.filter(|name| !files.lack(name)), parse, numbers)
}

/// All published facts: about rows of pots, heaps, boards, scored games, sums and games given by their moves. They are
/// numbered in this order.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The facts about games on rows.
    pub rows: Vec<Cited<Fact>>,
    /// The facts about heaps, in the order of [`HEAP_FILES`].
    pub heaps: Vec<Cited<HeapFact>>,
    /// The facts about Tchoukaillon boards.
    pub boards: Vec<Cited<BoardStatement>>,
    /// The facts about scored games. A folder may lack them.
    pub scores: Vec<Cited<ScoreFact>>,
    /// The facts about sums of components.
    pub sums: Vec<Cited<SumFact>>,
    /// The facts about games given by their moves. A folder may lack them.
    pub named: Vec<Cited<NamedFact>>,
    /// The misère quotients of heap games. A folder may lack them.
    pub quotients: Vec<Cited<QuotientFact>>,
}

impl Facts {
    /// Loads all facts.
    ///
    /// # Errors
    ///
    /// As [`load`].
    pub fn load(files: Files<'_>) -> Result<Facts, ReferenceError> {
        let numbers = &mut (0..);
        let score_files = SCORE_FILES.into_iter().filter(|name| !files.lack(name));
        let quotient_files = [QUOTIENT_FILE].into_iter().filter(|name| !files.lack(name));
        let named_files = NAMED_FILES.into_iter().filter(|name| !files.lack(name));
        Ok(Facts {
            rows: rows(files, numbers)?,
            heaps: files.facts(HEAP_FILES, parse_heaps, numbers)?,
            boards: files.facts([BOARD_FILE], parse_boards, numbers)?,
            scores: files.facts(score_files, parse_scores, numbers)?,
            sums: files.facts([SUM_FILE], parse_sums, numbers)?,
            named: files.facts(named_files, parse_named, numbers)?,
            quotients: files.facts(quotient_files, parse_quotients, numbers)?,
        })
    }

    /// Returns all facts, by number.
    pub fn all(&self) -> Vec<Listed<'_>> {
        let rows = listed(&self.rows, |fact| fact.play.to_string());
        rows.chain(listed(&self.heaps, |fact| fact.sum.to_string()))
            .chain(listed(&self.boards, |_| "tchoukaillon".to_owned()))
            .chain(listed(&self.scores, |fact| fact.game.rules().to_owned()))
            .chain(listed(&self.sums, |fact| fact.added.to_string()))
            .chain(listed(&self.named, |fact| fact.play.to_string()))
            .chain(listed(&self.quotients, |_| "misere".to_owned()))
            .collect()
    }
}

/// A fact of any kind in a list.
#[derive(Clone, Debug)]
pub struct Listed<'f> {
    /// Its subject.
    pub label: &'f str,
    /// The publication and the place in it.
    pub citation: &'f str,
    /// The way of playing or adding, in words.
    pub how: String,
}

fn listed<F>(facts: &[Cited<F>], how: impl Fn(&F) -> String) -> impl Iterator<Item = Listed<'_>> {
    facts.iter().map(move |cited| Listed {
        label: &cited.label,
        citation: &cited.citation,
        how: how(&cited.fact),
    })
}

/// Reads the facts of one file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// As [`load`].
pub fn parse(text: &str, path: &Path) -> Result<Vec<Cited<Fact>>, ReferenceError> {
    read::facts(text, path)
}
