//! Published facts about Tchoukaillon boards, from one file of `data/reference`.
//!
//! Bins are numbered from 1 here, as `b_i`. The file's `beta_i = b_{i-1}` begins with the same bin.

mod read;
mod statement;
mod wire;

use std::path::Path;

use self::read::trimmed;
pub use self::statement::BoardStatement;
use self::wire::{Boards, File};
use super::cited::{Cited, Publication};
use super::{ReferenceError, files};

/// The file of published facts about Tchoukaillon boards.
pub const BOARD_FILE: &str = "tchoukaillon.toml";

/// Reads the facts about boards in a file's text; errors and facts name the file by `path`.
///
/// # Errors
///
/// A text that is not TOML, an unknown key, an entry that makes no sense.
pub fn parse_boards(text: &str, path: &Path) -> Result<Vec<Cited<BoardStatement>>, ReferenceError> {
    let file: File = files::parsed(text, path)?;
    let mut facts = Publication::new(path, file.source);
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
        facts.push(format!("length of board {n}"), statement, "Figure 2", &key);
    }
    for (length, n) in (1..).zip(shortest_n_of_length) {
        let statement = BoardStatement::Fewest { length, n };
        let key = format!("boards.shortest_n_of_length[{}]", length - 1);
        facts.push(format!("N({length})"), statement, "Section 1.2", &key);
    }
    for (place, bins) in losing.into_iter().enumerate() {
        let label = format!("losing {bins:?}");
        let statement = BoardStatement::Losing {
            bins: trimmed(bins),
        };
        let key = format!("boards.losing[{place}]");
        facts.push(label, statement, "Section 1.1", &key);
    }
    for name in file.facts.into_keys() {
        let key = format!("facts.{name}");
        let (statement, cite) = match name.as_str() {
            "sum_of_first_bins" => (BoardStatement::SumsOfFirstBins, "Theorem 2.1"),
            "period_of_first_i_bins" => (BoardStatement::Periods, "Corollary 2.3"),
            "suffix_sums" => (BoardStatement::SumsOfFarBins, "Corollary 3.1, Theorem 3.2"),
            "endgames" => (BoardStatement::Endgames, "Section 5"),
            "shortest" => (BoardStatement::FewestByRounding, "Theorem 3.5"),
            // The tests compare these: a bound without a constant, and conditions on fixed bins.
            "asymptotic" | "consistent" => continue,
            _ => {
                let expected = "a fact that results are compared with";
                return Err(facts.wrong(&key, expected, name));
            }
        };
        facts.push(name, statement, cite, &key);
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
    facts.push(
        "boards of length 6".to_owned(),
        statement,
        "Theorem 3.2",
        key,
    );
    let (n, values) = (29, examples.c_29);
    let statement = BoardStatement::Remainders { n, values };
    facts.push("c(29)".to_owned(), statement, "Section 4", "examples.c_29");
    let values = examples.ctilde_29;
    let statement = BoardStatement::Increasing { n, values };
    facts.push(
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../../../../data/reference/tchoukaillon.toml");

    fn parsed(from: &str, to: &str) -> Result<Vec<Cited<BoardStatement>>, ReferenceError> {
        assert!(TEXT.contains(from), "{from}");
        parse_boards(&TEXT.replacen(from, to, 1), Path::new("x.toml"))
    }

    #[test]
    fn every_entry_becomes_a_fact() {
        let facts = parsed("", "").expect("the file");
        assert_eq!(
            facts.len(),
            18 + 18 + 7 + 1 + 4 + 2 + 3 + 4 + (7 + 2) + 1 + 3
        );
        let of = |key: &str| {
            let found = facts.iter().find(|fact| fact.key == key);
            &found.unwrap_or_else(|| panic!("no {key}")).fact
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
