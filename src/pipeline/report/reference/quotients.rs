//! Published misère quotients of heap games.

use std::collections::BTreeMap;
use std::path::Path;

use cggames::game::heap::HeapGame;
use seedbank_specs::choice;
use serde::Deserialize;

use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The file of published quotients.
pub const QUOTIENT_FILE: &str = "quotients.toml";

choice! {
    /// Whether a quotient is that of positions of Nim.
    pub enum Tameness {
        /// It is.
        Tame = "tame",
        /// It is not.
        Wild = "wild",
    }
}

/// A published quotient of a game.
#[derive(Clone, Debug)]
pub struct QuotientFact {
    /// The game.
    pub game: HeapGame,
    /// The largest of the heaps that the quotient is that of; `None` for all heaps.
    pub heap: Option<i64>,
    /// The number of elements.
    pub order: i64,
    /// The number of elements in the P-portion.
    pub p_portion: Option<i64>,
    /// Whether the game is tame.
    pub tameness: Tameness,
    /// The number of heaps before the period.
    pub preperiod: Option<i64>,
    /// The length of the period.
    pub period: Option<i64>,
}

/// The shape of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "quotient")]
    quotients: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    source: String,
    cite: String,
    heap: Option<i64>,
    order: i64,
    p_portion: Option<i64>,
    is: String,
    preperiod: Option<i64>,
    period: Option<i64>,
    // For people.
    #[serde(rename = "note")]
    _note: Option<String>,
}

/// Reads the facts in the file's text, by name; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_quotients(
    text: &str,
    path: &Path,
) -> Result<Vec<Cited<QuotientFact>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut facts = Vec::new();
    for (name, entry) in file.quotients {
        let mut read = Publication::new(path, entry.source);
        let key = format!("quotient.{name:?}");
        let Some(tameness) = Tameness::named(&entry.is) else {
            return Err(read.wrong(format!("{key}.is"), "tame or wild", entry.is));
        };
        let fact = QuotientFact {
            game: read.game(&key, &name)?,
            heap: entry.heap,
            order: entry.order,
            p_portion: entry.p_portion,
            tameness,
            preperiod: entry.preperiod,
            period: entry.period,
        };
        read.push(name, fact, &entry.cite, key);
        facts.append(&mut read.facts);
    }
    Ok(facts)
}
