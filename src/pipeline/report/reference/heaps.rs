//! Published facts about heaps: values of the heaps of a game, their periods, and which heaps are P-positions.
//!
//! They come from two files of `data/reference`: `obligated.toml`, whose other tables are about sums and boards
//! (`sums.rs` reads the values of squares), and `octal.toml`. Values are compared as texts, since obligated values have one spelling.

use std::collections::BTreeMap;
use std::path::Path;

use cggames::game::SumKind;
use cggames::game::heap::HeapGame;
use serde::Deserialize;

use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The file of obligated values, and that of nim-values of codes.
pub const HEAP_FILES: [&str; 2] = ["obligated.toml", "octal.toml"];

/// A published statement about the heaps of a game, which a result can confirm.
#[derive(Clone, Debug)]
pub struct HeapFact {
    /// The game.
    pub game: HeapGame,
    /// How heaps are added.
    pub sum: SumKind,
    /// The statement.
    pub statement: HeapStatement,
}

/// The statement of a fact about heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeapStatement {
    /// The heaps have these values.
    Values {
        /// The first heap with a published value.
        from: u64,
        /// The values of this heap and the next ones, as results write them.
        values: Vec<String>,
        /// The heap from which on values repeat, and the period.
        period: Option<(u64, u64)>,
    },
    /// Of the heaps below some size, only these are P-positions under normal play.
    PPositions {
        /// Those heaps, ascending.
        heaps: Vec<u64>,
        /// The least heap that the statement does not cover.
        below: u64,
    },
}

/// A statement about one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapClaim<'f> {
    /// Its value.
    Value(&'f str),
    /// Whether it is a P-position under normal play.
    IsP(bool),
}

impl HeapFact {
    /// Returns the statement about a heap, if there is one.
    ///
    /// ```
    /// use seedbank::report::reference::{HeapClaim, parse_heaps};
    ///
    /// let text = r#"
    ///     source = "a paper"
    ///     [heaps.kayles]
    ///     code = "0.77"
    ///     cite = "Example 4"
    ///     from = 0
    ///     values = ["01", "10", "11", "11", "10", "01", "11", "11"]
    ///     period = 8
    /// "#;
    /// let facts = parse_heaps(text, "obligated.toml".as_ref())?;
    /// assert_eq!(facts[0].claim(4), Some(HeapClaim::Value("10")));
    /// assert_eq!(facts[0].claim(8_000_004), Some(HeapClaim::Value("10")));
    /// # Ok::<(), seedbank::report::reference::ReferenceError>(())
    /// ```
    pub fn claim(&self, heap: u64) -> Option<HeapClaim<'_>> {
        match &self.statement {
            HeapStatement::Values {
                from,
                values,
                period,
            } => {
                let place = heap.checked_sub(*from)?;
                let place = match period {
                    Some((preperiod, period)) if place >= values.len() as u64 => {
                        preperiod - from + (heap - preperiod) % period
                    }
                    _ => place,
                };
                let value = values.get(usize::try_from(place).ok()?)?;
                Some(HeapClaim::Value(value))
            }
            HeapStatement::PPositions { heaps, below } => {
                (heap < *below).then(|| HeapClaim::IsP(heaps.binary_search(&heap).is_ok()))
            }
        }
    }

    /// Returns whether the fact lists a heap, with a value or as a P-position. A period, or all other heaps being N-positions,
    /// covers heaps without listing them.
    pub fn lists(&self, heap: u64) -> bool {
        match &self.statement {
            HeapStatement::Values { from, values, .. } => {
                heap >= *from && heap - from < values.len() as u64
            }
            HeapStatement::PPositions { heaps, .. } => heaps.binary_search(&heap).is_ok(),
        }
    }
}

/// The shape of the files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: String,
    #[serde(default)]
    heaps: BTreeMap<String, Heaps>,
    #[serde(default)]
    p_positions: BTreeMap<String, PPositions>,
    // tests/obligated_reference.rs compares the statements about sums and boards.
    #[serde(rename = "sum_of_two")]
    _sum_of_two: Option<toml::Table>,
    #[serde(rename = "theorem_1")]
    _theorem_1: Option<toml::Table>,
    #[serde(rename = "recursion")]
    _recursion: Option<toml::Table>,
    #[serde(rename = "wythoff")]
    _wythoff: Option<toml::Table>,
    #[serde(rename = "knight")]
    _knight: Option<toml::Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Heaps {
    code: String,
    cite: String,
    from: u64,
    values: Vec<String>,
    period: Option<u64>,
    preperiod: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PPositions {
    code: String,
    cite: String,
    heaps: Vec<u64>,
    searched_below: u64,
}

/// Reads the facts about heaps in one file's text, in the order of the entries' names; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_heaps(text: &str, path: &Path) -> Result<Vec<Cited<HeapFact>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut read = Publication::new(path, file.source);
    for (name, entry) in file.heaps {
        let key = format!("heaps.{name}");
        let is_value = |text: &String| matches!(text.as_str(), "00" | "01" | "10" | "11");
        if let Some(value) = entry.values.iter().find(|text| !is_value(text)) {
            let key = format!("{key}.values");
            return Err(read.wrong(key, "00, 01, 10 or 11", value));
        }
        let period = entry
            .period
            .map(|period| (entry.preperiod.unwrap_or(entry.from), period));
        let end = entry.from + entry.values.len() as u64;
        if let Some((preperiod, period)) = period
            && (period == 0
                || preperiod < entry.from
                || preperiod
                    .checked_add(period)
                    .is_none_or(|least| least > end))
        {
            let expected =
                "a preperiod from `from` on, and values up to the end of the first period";
            let found = format!("preperiod {preperiod}, period {period}, values to below {end}");
            return Err(read.wrong(format!("{key}.period"), expected, found));
        }
        let fact = HeapFact {
            game: read.game(&key, &entry.code)?,
            sum: SumKind::Obligated,
            statement: HeapStatement::Values {
                from: entry.from,
                values: entry.values,
                period,
            },
        };
        read.push(name, fact, &entry.cite, key);
    }
    for (name, entry) in file.p_positions {
        let key = format!("p_positions.{name}");
        let ascending = entry.heaps.is_sorted_by(|a, b| a < b);
        let last = entry.heaps.last();
        if !ascending || last.is_some_and(|&heap| heap >= entry.searched_below) {
            let key = format!("{key}.heaps");
            let expected = "heaps in ascending order, below searched_below";
            return Err(read.wrong(key, expected, format!("{:?}", entry.heaps)));
        }
        let fact = HeapFact {
            game: read.game(&key, &entry.code)?,
            sum: SumKind::Disjunctive,
            statement: HeapStatement::PPositions {
                heaps: entry.heaps,
                below: entry.searched_below,
            },
        };
        let label = format!("P-positions of {}", entry.code);
        read.push(label, fact, &entry.cite, key);
    }
    Ok(read.facts)
}

impl<F> Publication<'_, F> {
    pub(super) fn game(&self, key: &str, code: &str) -> Result<HeapGame, ReferenceError> {
        code.parse().map_err(|error| {
            let found = format!("{code:?}: {error}");
            self.wrong(format!("{key}.code"), "a heap game", found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(rest: &str) -> Result<Vec<Cited<HeapFact>>, ReferenceError> {
        parse_heaps(
            &format!("source = \"a paper\"\n{rest}"),
            Path::new("x.toml"),
        )
    }

    #[test]
    fn periods_go_on_from_the_preperiod() {
        let text = "[heaps.a]\ncode = \"grundy\"\ncite = \"p\"\nfrom = 1\npreperiod = 3\nperiod = 3\n\
                    values = [\"01\", \"01\", \"10\", \"01\", \"11\", \"10\"]";
        let fact = &facts(text).expect("a file")[0];
        let claims = (0..12).map(|heap| match fact.claim(heap) {
            Some(HeapClaim::Value(value)) => value,
            _ => "-",
        });
        let claims: Vec<_> = claims.collect();
        let expected = "- 01 01 10 01 11 10 01 11 10 01 11";
        assert_eq!(claims.join(" "), expected);
        assert!(fact.lists(1) && fact.lists(6) && !fact.lists(0) && !fact.lists(7));
    }

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let head = "[heaps.a]\ncite = \"p\"\nfrom = 1\n";
        let p = "[p_positions.a]\ncite = \"p\"\ncode = \"0.37\"\n";
        for (text, part) in [
            (format!("{head}code = \"0.x\"\nvalues = []"), "heaps.a.code"),
            (format!("{head}code = \"0.7\"\nvalues = [\"2\"]"), "found 2"),
            (
                format!("{head}code = \"0.7\"\nvalues = [\"01\"]\nperiod = 2"),
                "values to below 2",
            ),
            (
                format!("{head}code = \"0.7\"\nvalues = [\"01\"]\nperiod = 0"),
                "period 0",
            ),
            (
                format!("{p}heaps = [3, 0]\nsearched_below = 9"),
                "ascending",
            ),
            (format!("{p}heaps = [3]\nsearched_below = 3"), "below"),
            ("[other]".to_owned(), "unknown field"),
        ] {
            let error = facts(&text).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
