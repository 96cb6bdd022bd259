//! Published margins of scored games.

use std::path::Path;

use cggames::board::two_rows::TwoRows;
use cggames::game::scored::ScoredGame;
use cggames::game::{GameKind, games};
use serde::Deserialize;

use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The files of margins.
pub const SCORE_FILES: [&str; 2] = ["kalah.toml", "wari.toml"];

/// The published margin of a position.
#[derive(Clone, Debug)]
pub struct ScoreFact {
    /// The game, with its rules.
    pub game: ScoredGame,
    /// The position.
    pub position: TwoRows,
    /// The margin of the player to move.
    pub margin: i32,
}

/// The shape of the files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: String,
    source: String,
    #[serde(default)]
    starts: Vec<Starts>,
    #[serde(default)]
    position: Vec<Position>,
}

/// Starting positions with the same number of pits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Starts {
    rules: String,
    pits: usize,
    /// The seeds of a pit in the first position; each later position has one more.
    from: u32,
    margins: Vec<i32>,
    cite: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    rules: String,
    position: String,
    margin: i32,
    cite: String,
}

/// Reads the margins in one file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_scores(text: &str, path: &Path) -> Result<Vec<Cited<ScoreFact>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut read = Publication::new(path, file.source);
    let named = games().find(|game| game.name == file.game);
    let Some(GameKind::Scored(game)) = named.map(|game| game.kind) else {
        return Err(read.wrong("game", "a scored game", file.game));
    };
    let mut fact = |key: String, rules: &str, position: &str, margin: i32, cite: &str| {
        let game = game
            .with_rules(rules)
            .map_err(|error| read.wrong(&key, "rules of the game", error.to_string()))?;
        let fact = ScoreFact {
            game,
            position: (position.parse::<TwoRows>())
                .map_err(|error| read.wrong(&key, "a position", error.to_string()))?,
            margin,
        };
        read.push(format!("{rules} {position}"), fact, cite, key);
        Ok(())
    };
    for (i, starts) in file.starts.iter().enumerate() {
        for (seeds, &margin) in (starts.from..).zip(&starts.margins) {
            let side = vec![seeds.to_string(); starts.pits].join(" ");
            let position = format!("{side} / {side}");
            let key = format!("starts[{i}]");
            fact(key, &starts.rules, &position, margin, &starts.cite)?;
        }
    }
    for (i, entry) in file.position.iter().enumerate() {
        let key = format!("position[{i}]");
        let Position {
            rules, position, ..
        } = entry;
        fact(key, rules, position, entry.margin, &entry.cite)?;
    }
    Ok(read.facts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let read = |rest: &str| {
            let text = format!("game = \"kalah\"\nsource = \"a paper\"\n{rest}");
            parse_scores(&text, Path::new("x.toml")).map_err(|error| error.to_string())
        };
        let facts = read(
            "[[starts]]\nrules = \"empty\"\npits = 2\nfrom = 3\nmargins = [-2, -12]\ncite = \"p\"",
        )
        .unwrap();
        assert_eq!(facts[1].position.to_string(), "4 4 / 4 4");
        assert_eq!((facts.len(), facts[1].margin), (2, -12));
        let entry = |rules: &str, position: &str| {
            let text = format!(
                "[[position]]\nrules = \"{rules}\"\nposition = \"{position}\"\nmargin = 0\ncite = \"p\""
            );
            read(&text).unwrap_err()
        };
        for (error, part) in [
            (entry("awari", "1 / 1"), "accepted: empty, standard"),
            (entry("empty", "1 1"), "slashes"),
            (read("[other]").unwrap_err(), "unknown field"),
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}
