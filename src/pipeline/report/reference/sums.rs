//! Published values of sums of components: squares of boards, and worked examples.
//!
//! They come from the tables `[knight]` and `[wythoff]` of `obligated.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use cggames::game::SumKind;
use cggames::game::impartial::{Component, ComponentError, Sum};
use serde::Deserialize;

use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The file of obligated values.
pub const SUM_FILE: &str = "obligated.toml";

/// Values of sums that a publication lists together. A result can confirm them.
#[derive(Clone, Debug)]
pub struct SumFact {
    /// How components are added.
    pub added: SumKind,
    /// The value of each sum.
    values: BTreeMap<String, String>,
}

impl SumFact {
    /// Returns the value of a sum, if it is listed.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use seedbank::report::reference::parse_sums;
    ///
    /// let text = r#"
    ///     source = "A paper"
    ///     [knight]
    ///     cite = "Figure 3"
    ///     rows_j_0_to_10 = ["01 01 10 10"]
    /// "#;
    /// let facts = parse_sums(text, Path::new("obligated.toml"))?;
    /// assert_eq!(facts[0].value("knight(2,0)"), Some("10"));
    /// assert_eq!(facts[0].value("knight(3,11)"), None);
    /// # Ok::<(), seedbank::report::reference::ReferenceError>(())
    /// ```
    pub fn value(&self, sum: &str) -> Option<&str> {
        self.values.get(sum).map(String::as_str)
    }

    /// Returns the sums with their values.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.values.iter();
        values.map(|(sum, value)| (sum.as_str(), value.as_str()))
    }
}

/// The tables of the file about sums; `heaps.rs` reads the others and refuses unknown ones.
#[derive(Deserialize)]
struct File {
    source: String,
    knight: Option<Knights>,
    wythoff: Option<Queens>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knights {
    cite: String,
    rows_j_0_to_10: Vec<String>,
    worked_sum: Option<WorkedSum>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Queens {
    cite: String,
    side: u32,
    #[serde(rename = "00")]
    v00: Vec<[u32; 2]>,
    #[serde(rename = "01")]
    v01: Vec<[u32; 2]>,
    #[serde(rename = "10")]
    v10: Vec<[u32; 2]>,
    others: String,
    worked_sum: Option<WorkedSum>,
}

/// A sum of the paper; tests/obligated_reference.rs compares its moves.
#[derive(Deserialize)]
struct WorkedSum {
    #[serde(alias = "knights", alias = "queens")]
    squares: Vec<[u32; 2]>,
    value: String,
}

/// Reads the values of sums in one file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_sums(text: &str, path: &Path) -> Result<Vec<Cited<SumFact>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut read = Publication::new(path, file.source);
    if let Some(knights) = file.knight {
        let rows = (0..).zip(&knights.rows_j_0_to_10);
        let cells = rows.flat_map(|(j, row)| {
            let values = (0..).zip(row.split(' '));
            values.map(move |(i, value)| (vec![[i, j]], value))
        });
        let cite = &knights.cite;
        read.sums("knight", cite, Component::knight, cells)?;
        if let Some(WorkedSum { squares, value }) = &knights.worked_sum {
            let sum = [(squares.clone(), value.as_str())];
            read.sums("knight.worked_sum", cite, Component::knight, sum)?;
        }
    }
    if let Some(queens) = file.wythoff {
        let listed = [
            ("00", &queens.v00),
            ("01", &queens.v01),
            ("10", &queens.v10),
        ];
        let value = |square: &[u32; 2]| {
            let mut listed = listed.iter();
            let listed = listed.find(|(_, squares)| squares.contains(square));
            listed.map_or(queens.others.as_str(), |(value, _)| value)
        };
        let squares = (0..queens.side).flat_map(|x| (0..queens.side).map(move |y| [x, y]));
        let cells = squares.map(|square| (vec![square], value(&square)));
        let cite = &queens.cite;
        read.sums("wythoff", cite, Component::wythoff, cells)?;
        if let Some(WorkedSum { squares, value }) = &queens.worked_sum {
            let sum = [(squares.clone(), value.as_str())];
            read.sums("wythoff.worked_sum", cite, Component::wythoff, sum)?;
        }
    }
    Ok(read.facts)
}

impl Publication<'_, SumFact> {
    /// Adds the fact of some sums, each of the components on some squares, with its value.
    fn sums<'v>(
        &mut self,
        key: &str,
        cite: &str,
        component: fn(u32, u32) -> Result<Component, ComponentError>,
        sums: impl IntoIterator<Item = (Vec<[u32; 2]>, &'v str)>,
    ) -> Result<(), ReferenceError> {
        let mut values = BTreeMap::new();
        for (squares, value) in sums {
            if !matches!(value, "00" | "01" | "10" | "11") {
                return Err(self.wrong(key, "values 00, 01, 10 or 11", value));
            }
            let components = squares.iter().map(|[x, y]| component(*x, *y));
            let components = components.collect::<Result<Vec<Component>, ComponentError>>();
            let components =
                components.map_err(|error| self.wrong(key, "squares", error.to_string()))?;
            values.insert(Sum::new(components).to_string(), value.to_owned());
        }
        let added = SumKind::Obligated;
        self.push(key, SumFact { added, values }, cite, key);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boards_and_worked_sums_of_the_paper_are_read() {
        let text = include_str!("../../../../data/reference/obligated.toml");
        let facts = parse_sums(text, Path::new("x.toml")).expect("the file is whole");
        let labels = facts
            .iter()
            .map(|fact| (fact.label.as_str(), fact.values().count()));
        assert_eq!(
            labels.collect::<Vec<_>>(),
            [
                ("knight", 121),
                ("knight.worked_sum", 1),
                ("wythoff", 64),
                ("wythoff.worked_sum", 1)
            ]
        );
        assert_eq!(facts[0].value("knight(6,4)"), Some("10"));
        let knights = "knight(3,4) + knight(5,3) + knight(4,9) + knight(6,4)";
        assert_eq!(facts[1].value(knights), Some("11"));
        assert_eq!(facts[2].value("wythoff(3,5)"), Some("00"));
        assert_eq!(facts[2].value("wythoff(1,4)"), Some("11"));
        assert!(facts[0].citation.ends_with("Example 2, Figure 3"));
    }

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        let head = "source = \"a paper\"\n[knight]\ncite = \"p\"\n";
        for (text, part) in [
            (
                "rows_j_0_to_10 = [\"01 2\"]",
                "knight: expected values 00, 01, 10 or 11, found 2",
            ),
            ("rows_j_0_to_10 = []\nworked = 1", "unknown field"),
            (
                "rows_j_0_to_10 = []\nworked_sum = { knights = [[2000, 1]], value = \"11\" }",
                "2001 is too large",
            ),
        ] {
            let error = parse_sums(&format!("{head}{text}"), Path::new("x.toml"));
            let error = error.expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
