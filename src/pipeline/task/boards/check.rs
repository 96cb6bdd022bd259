//! Compares Tchoukaillon boards with published facts.
//!
//! If a fact lists boards or entries of a sieve, each row that confirms one is an agreement. A
//! statement about all boards is one agreement if rows tested it and none contradicted it.

use std::collections::HashMap;
use std::fmt::Display;

use super::columns::BoardRow;
use super::{BoardsTask, ListedBins};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{BoardStatement, Facts};
use crate::run::{Checked, Reading};

/// The number of bins whose period is checked; that period is lcm(2, ..., 10).
const NEAR: usize = 9;
const PERIOD: usize = 2520;

impl Checked for BoardsTask {
    /// Compares boards with the facts about boards.
    ///
    /// Costs O(bins) for each row that lists its bins, plus a look at each fact about a single board.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let facts = facts
            .boards
            .iter()
            .filter(|cited| is_of_boards(&cited.fact));
        let mut comparison = Comparison::new(&reading.job.name, facts);
        let mut near: Vec<Vec<u32>> = Vec::new();
        let mut before: Option<i32> = None;
        // A statement about a sieve counts only if none of its entries was missed.
        let mut places = (self.first <= 1).then(HashMap::new);
        for (place, row) in reading.scan().rows::<BoardRow>(Wanted::all())?.enumerate() {
            let row = row?;
            let whole = row.bins.as_ref().filter(|_| self.bins == ListedBins::All);
            // The nearest bins, and those of the board a period before.
            let repeated = row.bins.as_ref().and_then(|bins| {
                let mut first = bins[..bins.len().min(NEAR)].to_vec();
                // Bins that are not listed are not compared; in a whole board they are empty.
                if whole.is_some() {
                    first.resize(NEAR, 0);
                }
                if place < PERIOD {
                    near.push(first);
                    return None;
                }
                Some((&near[place % PERIOD], first))
            });
            comparison.row(|cited| match &cited.fact {
                BoardStatement::Periods => {
                    let (expected, first) = repeated.as_ref()?;
                    let shared = expected.len().min(first.len());
                    let holds = expected[..shared] == first[..shared];
                    Some(Verdict::rest(
                        holds,
                        format_args!("board {}", row.n),
                        format_args!("{expected:?}"),
                        format_args!("{first:?}"),
                    ))
                }
                BoardStatement::Sieve { bin, entries } => {
                    let place = places.as_mut()?.entry(cited.number).or_insert(0);
                    sieve(*bin, entries, place, &row)
                }
                statement => about_one(statement, &row, before, whole),
            });
            before = Some(row.length);
        }
        Ok(comparison.finish())
    }
}

/// Returns whether a table of boards can confirm the statement.
fn is_of_boards(statement: &BoardStatement) -> bool {
    !matches!(
        statement,
        BoardStatement::FewestByRounding
            | BoardStatement::Endgames
            | BoardStatement::Reconstruction { .. }
            | BoardStatement::FiniteIff
            | BoardStatement::Stars
            | BoardStatement::CycleOfFour { .. }
    )
}

/// Compares a row with a statement; `whole` has all its bins, if they are listed.
fn about_one(
    statement: &BoardStatement,
    row: &BoardRow,
    before: Option<i32>,
    whole: Option<&Vec<u32>>,
) -> Option<Verdict> {
    let stones = row.n.unsigned_abs();
    let length_found = u64::from(row.length.unsigned_abs());
    let board = format_args!("board {stones}");
    let length_text = format_args!("length {length_found}");
    let bins = row.bins.as_deref();
    Some(match statement {
        BoardStatement::Board { n, bins: expected } if *n == stones => {
            // If only the nearest bins are listed, only these are compared.
            let found = bins?;
            let expected = match whole {
                Some(_) => &expected[..],
                None => &expected[..expected.len().min(found.len())],
            };
            let texts = (format_args!("{expected:?}"), format_args!("{found:?}"));
            Verdict::listed(found == expected, board, texts.0, texts.1)
        }
        BoardStatement::Losing { bins: expected } => {
            let sum: u64 = expected.iter().map(|&stones| u64::from(stones)).sum();
            let found = whole.filter(|_| sum == stones)?;
            let expected_text = format_args!("other bins than {expected:?}");
            Verdict::listed(
                found != expected,
                board,
                expected_text,
                format_args!("{found:?}"),
            )
        }
        BoardStatement::Length { n, length } if *n == stones => {
            let expected = format_args!("length {length}");
            Verdict::listed(*length == length_found, board, expected, length_text)
        }
        BoardStatement::OfLength {
            length,
            first,
            last,
        } => {
            let expected = (*first..=*last).contains(&stones);
            let found = length_found == *length;
            if !expected && !found {
                return None;
            }
            let text = format_args!("boards {first} to {last} to have length {length}");
            Verdict::listed(expected == found, board, text, length_text)
        }
        // The first board of its length, provided the previous board is a row too.
        BoardStatement::Fewest { length, n }
            if length_found == *length
                && (stones == *n || before.is_some_and(|before| before < row.length)) =>
        {
            let expected = format_args!("N({length}) = {n}");
            let found = format_args!("length {length} at {stones}");
            Verdict::listed(stones == *n, board, expected, found)
        }
        BoardStatement::Remainders { n, values } if *n == stones => {
            // By Theorem 2.1, from the stones in the first bins.
            let sums = sums(bins?, whole.is_some());
            let remainders = (2..).zip(sums).map(|(i, sum)| sum % i);
            begins(values, remainders, board)
        }
        BoardStatement::Increasing { n, values } if *n == stones => {
            begins(values, sums(bins?, whole.is_some()), board)
        }
        BoardStatement::SumsOfFirstBins => {
            let mut sums = (2..).zip(sums(bins?, false));
            let wrong = sums.find(|(i, sum)| sum % i != stones % i);
            let (i, sum) = wrong.unwrap_or((1, 0));
            let expected = format_args!("b_1 + ... + b_{} = n mod {i}", i - 1);
            Verdict::rest(wrong.is_none(), board, expected, sum)
        }
        BoardStatement::SumsOfFarBins => {
            let bins = whole?;
            let mut far = 0;
            let wrong = (1..=bins.len() as u64)
                .rev()
                .zip(bins.iter().rev())
                .find(|&(i, &bin)| {
                    far += u64::from(bin);
                    far % i != 0 || u64::from(bin) > i
                });
            let (i, _) = wrong.unwrap_or((0, &0));
            let expected = format_args!("b_{i} + ... to be a multiple of {i}");
            Verdict::rest(wrong.is_none() && far == stones, board, expected, far)
        }
        _ => return None,
    })
}

/// Compares numbers with the values that a fact lists, as far as there are any.
fn begins(values: &[u64], found: impl Iterator<Item = u64>, board: impl Display) -> Verdict {
    let found: Vec<u64> = found.take(values.len()).collect();
    let texts = (format_args!("{values:?}"), format_args!("{found:?}"));
    Verdict::listed(values.starts_with(&found), board, texts.0, texts.1)
}

/// Returns the number of stones in bin 1, in bins 1 and 2, and so on; without end if these are all
/// bins.
fn sums(bins: &[u32], whole: bool) -> impl Iterator<Item = u64> + '_ {
    let mut sum = 0;
    let listed = bins.iter().map(move |&stones| {
        sum += u64::from(stones);
        sum
    });
    let all: u64 = bins.iter().map(|&stones| u64::from(stones)).sum();
    listed.chain(std::iter::repeat_n(all, if whole { usize::MAX } else { 0 }))
}

/// Compares a row with the entries of a sieve, given the number of its entries in the rows before.
fn sieve(bin: u64, entries: &[(u64, u64)], place: &mut u64, row: &BoardRow) -> Option<Verdict> {
    let first_play = row
        .first_play
        .map_or(0, |play| u64::from(play.unsigned_abs()));
    if first_play < bin {
        return None;
    }
    *place += 1;
    let found = entries.binary_search_by_key(place, |&(place, _)| place);
    let (_, expected) = entries[found.ok()?];
    let position = format_args!("entry {place} of S^({bin})");
    let holds = expected == row.n.unsigned_abs();
    Some(Verdict::listed(holds, position, expected, row.n))
}
