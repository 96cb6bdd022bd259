//! Published values: the files of `data/reference` as a flat list of facts.
//!
//! A [`Fact`] is one published statement that a result can confirm: the value of a position, a theorem
//! for all values of its variables, a sum. Every fact has its citation. If the print differs from the
//! value by the rules, the fact also has the reading of the print.
//!
//! Invariant: a fact that was loaded can be checked. Its positions belong to its game, its values
//! are values, its formulas are formulas in its own variables. A [`HeapFact`] is the same for heaps, a [`BoardFact`] for
//! Tchoukaillon boards, a [`SumFact`] for sums of components.
//!
//! This module does not know which facts hold.

mod cited;
mod error;
mod fact;
mod files;
mod formula;
mod heaps;
pub mod oeis;
mod read;
mod scores;
mod sums;
mod tchoukaillon;
mod wire;

use std::path::Path;

pub use cited::Cited;
pub use error::ReferenceError;
pub use fact::{Fact, Printed, Statement, Theorem};
pub use files::{FOLDER, Files};
pub use formula::{Binding, Formula};
pub use heaps::{HEAP_FILES, HeapClaim, HeapFact, HeapStatement, load_heaps, parse_heaps};
pub use scores::{SCORE_FILES, ScoreFact, load_scores, parse_scores};
pub use sums::{SUM_FILE, SumFact, load_sums, parse_sums};
pub use tchoukaillon::{BOARD_FILE, BoardFact, BoardStatement, load_boards, parse_boards};

use cggames::game::Game;

/// Loads the published values of all games on rows, in the order of the registry and of the
/// entries in the files. A folder may lack games.
///
/// # Errors
///
/// A missing folder, a file that is not TOML, an unknown key, an entry that makes no sense.
pub fn load(files: Files<'_>) -> Result<Vec<Fact>, ReferenceError> {
    let mut facts = Vec::new();
    for game in Game::ALL {
        let Some(name) = game.published().filter(|name| !files.lack(name)) else {
            continue;
        };
        let (path, text) = files.text(name)?;
        facts.extend(parse(&text, &path)?);
    }
    Ok(facts)
}

/// All published facts: about rows of pots, heaps, boards, scored games and sums. They are numbered in this order.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The facts about games on rows.
    pub rows: Vec<Fact>,
    /// The facts about heaps.
    pub heaps: Vec<HeapFact>,
    /// The facts about Tchoukaillon boards.
    pub boards: Vec<BoardFact>,
    /// The facts about scored games.
    pub scores: Vec<ScoreFact>,
    /// The facts about sums of components.
    pub sums: Vec<SumFact>,
}

impl Facts {
    /// Loads all facts.
    ///
    /// # Errors
    ///
    /// As [`load`], [`load_heaps`], [`load_boards`], [`load_scores`] and [`load_sums`].
    pub fn load(files: Files<'_>) -> Result<Facts, ReferenceError> {
        Ok(Facts {
            rows: load(files)?,
            heaps: load_heaps(files)?,
            boards: load_boards(files)?,
            scores: load_scores(files)?,
            sums: load_sums(files)?,
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

    /// Returns the number of the first fact about scored games.
    pub fn first_of_scores(&self) -> usize {
        self.first_of_boards() + self.boards.len()
    }

    /// Returns the number of the first fact about sums.
    pub fn first_of_sums(&self) -> usize {
        self.first_of_scores() + self.scores.len()
    }

    /// Returns all facts, each with its way of playing or adding, in words.
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
        let scores = self.scores.iter().map(|fact| {
            let cited: &dyn Cited = fact;
            (cited, fact.game.rules().to_owned())
        });
        let sums = self.sums.iter().map(|fact| {
            let cited: &dyn Cited = fact;
            (cited, fact.added.to_string())
        });
        rows.chain(heaps).chain(boards).chain(scores).chain(sums)
    }
}

/// Reads the facts of one file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// As [`load`].
pub fn parse(text: &str, path: &Path) -> Result<Vec<Fact>, ReferenceError> {
    read::facts(text, path)
}
