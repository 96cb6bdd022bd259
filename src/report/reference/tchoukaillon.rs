//! Published facts about Tchoukaillon boards, from one file of `data/reference`.
//!
//! Bins are numbered from 1 here, as `b_i`; what the file gives as `beta_i = b_{i-1}` begins with the same bin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ReferenceError, cited};

/// The file of what is published of Tchoukaillon boards.
pub const BOARD_FILE: &str = "tchoukaillon.toml";

/// Something that a publication says of Tchoukaillon boards, and a result can confirm.
#[derive(Clone, Debug)]
pub struct BoardFact {
    /// What it is about.
    pub label: String,
    /// What is said.
    pub statement: BoardStatement,
    /// The publication and the place in it.
    pub citation: String,
    /// The file.
    pub file: PathBuf,
    /// The entry in the file.
    pub key: String,
}

cited!(BoardFact);

/// What a fact about boards says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardStatement {
    /// The winning board of n stones has these bins, nearest first, and no others.
    Board {
        /// The stones.
        n: u64,
        /// The bins, the last one not empty.
        bins: Vec<u32>,
    },
    /// A board with these bins is not winning.
    Losing {
        /// The bins, nearest first, the last one not empty.
        bins: Vec<u32>,
    },
    /// The board of n stones has this length.
    Length {
        /// The stones.
        n: u64,
        /// The length.
        length: u64,
    },
    /// The boards of one length have just these numbers of stones.
    OfLength {
        /// The length.
        length: u64,
        /// The fewest stones.
        first: u64,
        /// The most stones.
        last: u64,
    },
    /// The fewest stones of a board of this length.
    Fewest {
        /// The length.
        length: u64,
        /// The stones.
        n: u64,
    },
    /// N(l) is l, rounded up to multiples of l - 1, l - 2, ..., 1.
    FewestByRounding,
    /// The remainders of n by 2, 3, ....
    Remainders {
        /// The number.
        n: u64,
        /// The remainders.
        values: Vec<u64>,
    },
    /// The stones in bin 1, in bins 1 and 2, ... of the board of n stones.
    Increasing {
        /// The stones.
        n: u64,
        /// The sums.
        values: Vec<u64>,
    },
    /// Some entries of S^(k), the numbers of stones whose first play is in bin k or beyond.
    Sieve {
        /// The bin k.
        bin: u64,
        /// Places, counted from 1 and ascending, and the entries there.
        entries: Vec<(u64, u64)>,
    },
    /// b_1 + ... + b_i = n mod (i + 1).
    SumsOfFirstBins,
    /// b_i + b_{i+1} + ... is a multiple of i.
    SumsOfFarBins,
    /// The first i bins repeat with the period lcm(2, ..., i+1).
    Periods,
    /// Whether a board has these bins, and the fewest stones of one.
    Reconstruction {
        /// Bins in numbering beta, ascending, and their stones.
        fixed: Vec<(u64, u64)>,
        /// Whether there is a board; where there is none, no number of stones is said.
        possible: bool,
        /// The fewest stones of a board.
        smallest: Option<u64>,
        /// What the print says, in words, where that is not the fact.
        print: Option<String>,
    },
    /// A sowing graph has finitely many winning boards just when no cycle holds both a Ruma and a bin; which is wrong in
    /// print.
    FiniteIff,
    /// A star of k spokes of length l has as many winning boards as a path of length l has, to the power k.
    Stars,
    /// The winning boards of the directed cycle of four vertices begin with these totals of stones.
    CycleOfFour {
        /// The totals, ascending.
        totals: Vec<u64>,
    },
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    source: String,
    boards: Boards,
    facts: BTreeMap<String, String>,
    examples: Examples,
    sieve: Sieve,
    reconstruct: Vec<Reconstruct>,
    sowing_graphs: SowingGraphs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reconstruct {
    fixed: BTreeMap<String, u64>,
    /// `none`, or that there is one.
    solution: Option<String>,
    smallest_n: Option<u64>,
    print: Option<String>,
    /// A board that the paper constructs, and the smallest one.
    also: Option<u64>,
    beta_34: Option<Vec<u32>>,
    beta_202: Option<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SowingGraphs {
    #[serde(rename = "finite_iff")]
    _finite_iff: String,
    #[serde(rename = "star")]
    _star: String,
    cycle_4_boards: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Boards {
    rows: Vec<Vec<u32>>,
    lengths: Vec<u64>,
    shortest_n_of_length: Vec<u64>,
    losing: Vec<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    board_15: Vec<u32>,
    boards_of_length_6: Range,
    beta_29: Vec<u32>,
    c_29: Vec<u64>,
    ctilde_29: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    n_from: u64,
    n_to: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the keys are those of the paper's table")]
struct Sieve {
    S2: Vec<u64>,
    S3: Vec<u64>,
    S4_some: BTreeMap<String, u64>,
    S5: Vec<u64>,
    #[serde(rename = "rule")]
    _rule: String,
}

/// Loads what is published about Tchoukaillon boards from `dir`.
///
/// # Errors
///
/// A file that is missing or no TOML, a key that is unknown, an entry that makes no sense.
pub fn load_boards(dir: &Path) -> Result<Vec<BoardFact>, ReferenceError> {
    let path = dir.join(BOARD_FILE);
    parse_boards(&super::text(&path)?, &path)
}

/// Reads the facts about boards in a file's text; `path` is what errors and facts name.
///
/// # Errors
///
/// As [`load_boards`].
pub fn parse_boards(text: &str, path: &Path) -> Result<Vec<BoardFact>, ReferenceError> {
    let file: File = toml::from_str(text).map_err(|error| ReferenceError::Syntax {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let mut facts = Facts {
        facts: Vec::new(),
        source: file.source,
        path,
    };
    let Boards {
        rows,
        lengths,
        shortest_n_of_length,
        losing,
    } = file.boards;
    for (n, bins) in (0..).zip(rows) {
        let label = format!("board {n}");
        let key = format!("boards.rows[{n}]");
        facts.board(label, n, bins, "Figure 2", &key)?;
    }
    for (n, length) in (0..).zip(lengths) {
        let statement = BoardStatement::Length { n, length };
        let key = format!("boards.lengths[{n}]");
        facts.add(format!("length of board {n}"), statement, "Figure 2", &key);
    }
    for (length, n) in (1..).zip(shortest_n_of_length) {
        let statement = BoardStatement::Fewest { length, n };
        let key = format!("boards.shortest_n_of_length[{}]", length - 1);
        facts.add(format!("N({length})"), statement, "Section 1.2", &key);
    }
    for (place, bins) in losing.into_iter().enumerate() {
        let label = format!("losing {bins:?}");
        let statement = BoardStatement::Losing {
            bins: trimmed(bins),
        };
        let key = format!("boards.losing[{place}]");
        facts.add(label, statement, "Section 1.1", &key);
    }
    for name in file.facts.into_keys() {
        let key = format!("facts.{name}");
        let (statement, cite) = match name.as_str() {
            "sum_of_first_bins" => (BoardStatement::SumsOfFirstBins, "Theorem 2.1"),
            "period_of_first_i_bins" => (BoardStatement::Periods, "Corollary 2.3"),
            "suffix_sums" => (BoardStatement::SumsOfFarBins, "Corollary 3.1, Theorem 3.2"),
            "shortest" => (BoardStatement::FewestByRounding, "Theorem 3.5"),
            // A bound without a constant, and conditions on fixed bins, which the tests compare.
            "asymptotic" | "consistent" => continue,
            _ => {
                let expected = "a fact that results are compared with";
                return Err(facts.wrong(&key, expected, name));
            }
        };
        facts.add(name, statement, cite, &key);
    }
    let examples = file.examples;
    for (n, bins, cite, name) in [
        (15, examples.board_15, "Example 2.2", "board_15"),
        (29, examples.beta_29, "Section 4", "beta_29"),
    ] {
        facts.board(
            format!("board {n}"),
            n,
            bins,
            cite,
            &format!("examples.{name}"),
        )?;
    }
    let statement = BoardStatement::OfLength {
        length: 6,
        first: examples.boards_of_length_6.n_from,
        last: examples.boards_of_length_6.n_to,
    };
    let key = "examples.boards_of_length_6";
    facts.add(
        "boards of length 6".to_owned(),
        statement,
        "Theorem 3.2",
        key,
    );
    let (n, values) = (29, examples.c_29);
    let statement = BoardStatement::Remainders { n, values };
    facts.add("c(29)".to_owned(), statement, "Section 4", "examples.c_29");
    let values = examples.ctilde_29;
    let statement = BoardStatement::Increasing { n, values };
    facts.add(
        "c~(29)".to_owned(),
        statement,
        "Section 4",
        "examples.ctilde_29",
    );
    for (bin, name, entries) in [
        (2, "S2", file.sieve.S2),
        (3, "S3", file.sieve.S3),
        (5, "S5", file.sieve.S5),
    ] {
        let entries: Vec<(u64, u64)> = (1..).zip(entries).collect();
        facts.sieve(bin, name, entries)?;
    }
    let mut some = Vec::new();
    for (place, n) in file.sieve.S4_some {
        let expected = "places, counted from 1, as keys";
        let known = place.parse().ok().filter(|&place| place > 0);
        some.push((
            known.ok_or_else(|| facts.wrong("sieve.S4_some", expected, place))?,
            n,
        ));
    }
    some.sort_unstable();
    facts.sieve(4, "S4_some", some)?;
    for (place, entry) in file.reconstruct.into_iter().enumerate() {
        facts.reconstruction(&format!("reconstruct[{place}]"), entry)?;
    }
    facts.graphs(&file.sowing_graphs.cycle_4_boards)?;
    Ok(facts.facts)
}

/// Drops empty bins at the end.
fn trimmed(mut bins: Vec<u32>) -> Vec<u32> {
    while bins.last() == Some(&0) {
        bins.pop();
    }
    bins
}

/// Facts as they are read.
struct Facts<'p> {
    facts: Vec<BoardFact>,
    source: String,
    path: &'p Path,
}

impl Facts<'_> {
    fn add(&mut self, label: String, statement: BoardStatement, cite: &str, key: &str) {
        self.facts.push(BoardFact {
            label,
            statement,
            citation: format!("{}, {cite}", self.source),
            file: self.path.to_owned(),
            key: key.to_owned(),
        });
    }

    fn board(
        &mut self,
        label: String,
        n: u64,
        bins: Vec<u32>,
        cite: &str,
        key: &str,
    ) -> Result<(), ReferenceError> {
        let bins = trimmed(bins);
        let stones: u64 = bins.iter().map(|&stones| u64::from(stones)).sum();
        if stones != n {
            let expected = format!("bins of {n} stones together");
            return Err(self.wrong(key, &expected, format!("{stones} stones")));
        }
        self.add(label, BoardStatement::Board { n, bins }, cite, key);
        Ok(())
    }

    fn sieve(
        &mut self,
        bin: u64,
        name: &str,
        entries: Vec<(u64, u64)>,
    ) -> Result<(), ReferenceError> {
        let key = format!("sieve.{name}");
        if !entries.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1) {
            let expected = "places and entries in ascending order";
            return Err(self.wrong(&key, expected, format!("{entries:?}")));
        }
        let statement = BoardStatement::Sieve { bin, entries };
        self.add(format!("S^({bin})"), statement, "Theorem 3.7", &key);
        Ok(())
    }

    fn reconstruction(&mut self, key: &str, entry: Reconstruct) -> Result<(), ReferenceError> {
        let mut fixed = Vec::new();
        for (bin, stones) in entry.fixed {
            let Ok(number) = bin.parse() else {
                return Err(self.wrong(&format!("{key}.fixed"), "numbers of bins as keys", bin));
            };
            fixed.push((number, stones));
        }
        fixed.sort_unstable();
        let label: Vec<String> = fixed
            .iter()
            .map(|(bin, n)| format!("beta_{bin}={n}"))
            .collect();
        let possible = entry.solution.as_deref() != Some("none");
        let smallest = entry.smallest_n;
        // That there is none, or that there is one, or which is the smallest.
        let is_said = entry.solution.is_some() || smallest.is_some();
        if !is_said || !possible && smallest.is_some() {
            let expected = "smallest_n, or a solution that is none or says that there is one";
            return Err(self.wrong(key, expected, format!("{:?}", entry.solution)));
        }
        for (n, bins, name) in [
            (34, entry.beta_34, "beta_34"),
            (202, entry.beta_202, "beta_202"),
        ] {
            if let Some(bins) = bins {
                let key = format!("{key}.{name}");
                self.board(format!("board {n}"), n, bins, "Example 4.8", &key)?;
            }
        }
        if let Some(also) = entry
            .also
            .filter(|&also| smallest.is_none_or(|least| also <= least))
        {
            let key = format!("{key}.also");
            return Err(self.wrong(&key, "more stones than smallest_n", also.to_string()));
        }
        let statement = BoardStatement::Reconstruction {
            fixed,
            possible,
            smallest,
            print: entry.print,
        };
        self.add(
            label.join(" "),
            statement,
            "Examples 4.4 to 4.9, Remark 4.6",
            key,
        );
        Ok(())
    }

    fn graphs(&mut self, cycle: &[Vec<u64>]) -> Result<(), ReferenceError> {
        let (iff, star) = (BoardStatement::FiniteIff, BoardStatement::Stars);
        self.add(
            "finitely many boards".to_owned(),
            iff,
            "Theorem 5.2",
            "sowing_graphs.finite_iff",
        );
        self.add(
            "stars".to_owned(),
            star,
            "Example 5.3",
            "sowing_graphs.star",
        );
        let key = "sowing_graphs.cycle_4_boards";
        let totals: Vec<u64> = cycle.iter().map(|bins| bins.iter().sum()).collect();
        if !totals.is_sorted_by(|a, b| a < b) {
            let expected = "boards of ever more stones";
            return Err(self.wrong(key, expected, format!("totals {totals:?}")));
        }
        let statement = BoardStatement::CycleOfFour { totals };
        self.add("cycle of four".to_owned(), statement, "Figure 6", key);
        Ok(())
    }

    fn wrong(&self, key: &str, expected: &str, found: String) -> ReferenceError {
        ReferenceError::Entry {
            path: self.path.to_owned(),
            key: key.to_owned(),
            expected: expected.to_owned(),
            found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../../data/reference/tchoukaillon.toml");

    fn parsed(from: &str, to: &str) -> Result<Vec<BoardFact>, ReferenceError> {
        assert!(TEXT.contains(from), "{from}");
        parse_boards(&TEXT.replacen(from, to, 1), Path::new("x.toml"))
    }

    #[test]
    fn every_entry_becomes_a_fact() {
        let facts = parsed("", "").expect("the file");
        assert_eq!(facts.len(), 18 + 18 + 7 + 1 + 4 + 2 + 3 + 4 + (7 + 2) + 3);
        let of = |key: &str| {
            let found = facts.iter().find(|fact| fact.key == key);
            &found.unwrap_or_else(|| panic!("no {key}")).statement
        };
        let bins = vec![1, 2, 0, 2, 4, 6];
        assert_eq!(
            of("examples.board_15"),
            &BoardStatement::Board { n: 15, bins }
        );
        assert_eq!(
            of("boards.shortest_n_of_length[5]"),
            &BoardStatement::Fewest { length: 6, n: 12 }
        );
        let entries = vec![(4, 18), (8, 34), (9, 36)];
        assert_eq!(
            of("sieve.S4_some"),
            &BoardStatement::Sieve { bin: 4, entries }
        );
        assert!(facts[0].citation.ends_with("Tongen, Figure 2"));
    }

    #[test]
    fn entries_that_make_no_sense_are_refused() {
        for (from, to, part) in [
            ("board_15 = [1,", "board_15 = [0,", "bins of 15 stones"),
            ("\"4\" = 18", "\"0\" = 18", "sieve.S4_some: expected places"),
            ("\"4\" = 18", "\"4\" = 35", "ascending"),
            ("suffix_sums", "other_sums", "facts.other_sums"),
            (
                "smallest_n = 18",
                "also = 7",
                "reconstruct[1]: expected smallest_n",
            ),
            (
                "also = 202",
                "also = 30",
                "reconstruct[3].also: expected more stones",
            ),
            ("4 = 2, 7 = 5", "x = 2, 7 = 5", "reconstruct[1].fixed"),
            (
                "[0,2,0],[1,2,0]",
                "[1,2,0],[0,2,0]",
                "cycle_4_boards: expected boards of ever",
            ),
            ("losing", "winning", "unknown field"),
            ("[boards]", "[bords]", "unknown field"),
        ] {
            let error = parsed(from, to).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
            assert!(error.contains("x.toml"), "{error}");
        }
    }
}
