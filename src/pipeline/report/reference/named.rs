//! Published values of games that are given by their moves.

use std::collections::BTreeMap;
use std::path::Path;

use cggames::game::Play;
use cgvalues::{Arena, OutcomeClass};
use serde::Deserialize;

use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The files of these values, by the games' own names.
pub const NAMED_FILES: [&str; 6] = [
    "clobber.toml",
    "col.toml",
    "hackenbush.toml",
    "partizan_subtraction.toml",
    "snort.toml",
    "toads_and_frogs.toml",
];

/// A published value or outcome class of a position of a game that is given by its moves.
#[derive(Clone, Debug)]
pub struct NamedFact {
    /// The game's own name.
    pub game: String,
    /// The way of playing.
    pub play: Play,
    /// The position's name.
    pub position: String,
    /// What is published about it.
    pub statement: NamedStatement,
}

/// What is published about a position.
#[derive(Clone, Debug)]
pub enum NamedStatement {
    /// Its value in notation; nim-values are nimbers.
    Value(String),
    /// Its outcome class.
    Outcome(OutcomeClass),
}

/// The shape of the files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: String,
    source: String,
    #[serde(default)]
    partisan: Vec<Entry>,
    #[serde(default)]
    impartial: BTreeMap<String, toml::Value>,
    #[serde(default)]
    impartial_cite: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    position: String,
    value: Option<toml::Value>,
    outcome: Option<String>,
    cite: String,
}

/// Reads the values in one file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_named(text: &str, path: &Path) -> Result<Vec<Cited<NamedFact>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut read = Publication::new(path, file.source);
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let fact = |play, position: &str, statement| NamedFact {
        game: file.game.clone(),
        play,
        position: position.to_owned(),
        statement,
    };
    for (i, entry) in file.partisan.iter().enumerate() {
        let key = format!("partisan[{i}]");
        let statement = match (&entry.value, &entry.outcome) {
            (Some(value), None) => {
                let key = format!("{key}.value");
                let value = read.value(&mut calculator, &key, Play::Partisan, value)?;
                NamedStatement::Value(value)
            }
            (None, Some(letter)) => {
                NamedStatement::Outcome(read.outcome(&format!("{key}.outcome"), letter)?)
            }
            (value, _) => {
                let found = if value.is_some() { "both" } else { "neither" };
                return Err(read.wrong(key, "either value or outcome", found));
            }
        };
        let fact = fact(Play::Partisan, &entry.position, statement);
        read.push(&entry.position, fact, &entry.cite, key);
    }
    for (position, value) in &file.impartial {
        let key = format!("impartial.{position}");
        let value = read.value(&mut calculator, &key, Play::Impartial, value)?;
        let cites = &file.impartial_cite;
        let Some(cite) = cites.get(position).or_else(|| cites.get("default")) else {
            let key = format!("impartial_cite.{position}");
            return Err(read.wrong(key, "a citation, there or as default", "none"));
        };
        let fact = fact(Play::Impartial, position, NamedStatement::Value(value));
        read.push(position, fact, cite, key);
    }
    Ok(read.facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let read = |rest: &str| {
            let text = format!("game = \"clobber\"\nsource = \"a paper\"\n{rest}");
            parse_named(&text, Path::new("x.toml")).map_err(|error| error.to_string())
        };
        let entry = |rest: &str| {
            read(&format!(
                "[[partisan]]\nposition = \"xo\"\ncite = \"p\"\n{rest}"
            ))
        };
        let facts = entry("value = \"*\"").unwrap();
        assert_eq!(
            (&*facts[0].position, &*facts[0].citation),
            ("xo", "a paper, p")
        );
        for (error, part) in [
            (entry("").unwrap_err(), "found neither"),
            (
                entry("value = 0\noutcome = \"P\"").unwrap_err(),
                "found both",
            ),
            (entry("value = \"x\"").unwrap_err(), "expected a value"),
            (entry("outcome = \"W\"").unwrap_err(), "N, P, L, R"),
            (
                read("[impartial]\nxo = 1").unwrap_err(),
                "impartial_cite.xo",
            ),
            (read("[other]").unwrap_err(), "unknown field"),
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}
