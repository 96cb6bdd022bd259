//! Compares Tchoukaillon boards with published facts.
//!
//! If a fact lists boards or entries of a sieve, each row that confirms one is an agreement. A
//! statement about all boards is one agreement if rows tested it and none contradicted it.

use super::columns::BoardRow;
use super::{BoardsTask, ListedBins};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::met::{Met, finish};
use crate::report::reference::{BoardFact, BoardStatement};
use crate::run::JobHeader;

/// The number of bins whose period is checked; that period is lcm(2, ..., 10).
const NEAR: usize = 9;
const PERIOD: usize = 2520;

/// Compares boards with the facts about boards.
///
/// Costs O(bins) for each row that lists its bins, plus a look at each fact about a single board.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    task: &BoardsTask,
    rows: impl RowSource<BoardRow>,
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    // A statement about a sieve counts only if none of its entries was missed.
    let mut sieves: Vec<Counted<'_>> = Vec::new();
    let mut met: Vec<Met<'_, BoardFact>> = Vec::new();
    for (index, fact) in facts.iter().enumerate() {
        match &fact.statement {
            statement if !is_of_boards(statement) => {}
            BoardStatement::Sieve { .. } => sieves.push(Counted {
                met: Met::new(index, fact),
                entries: 0,
            }),
            _ => met.push(Met::new(index, fact)),
        }
    }
    let from_the_first = task.first <= 1;
    let mut near: Vec<Vec<u32>> = Vec::new();
    let mut before: Option<i32> = None;
    for row in rows.rows(Wanted::all())? {
        let row = row?;
        report.rows += 1;
        let whole = row.bins.as_ref().filter(|_| task.bins == ListedBins::All);
        for met in &mut met {
            about_one(&mut report, met, &row, before, whole);
        }
        if from_the_first {
            for sieve in &mut sieves {
                sieve.look(&mut report, &row);
            }
        }
        if let Some(bins) = &row.bins {
            let mut first = bins[..bins.len().min(NEAR)].to_vec();
            // Bins that are not listed are not compared; in a whole board they are empty.
            if whole.is_some() {
                first.resize(NEAR, 0);
            }
            let place = (report.rows - 1) as usize;
            if place < PERIOD {
                near.push(first);
            } else {
                let expected = &near[place % PERIOD];
                let shared = expected.len().min(first.len());
                let holds = expected[..shared] == first[..shared];
                for met in &mut met {
                    if met.fact.statement == BoardStatement::Periods {
                        let expected = || (format!("{expected:?}"), format!("{first:?}"));
                        rest(&mut report, met, holds, row.n, expected);
                    }
                }
            }
        }
        before = Some(row.length);
    }
    met.extend(sieves.into_iter().map(|sieve| sieve.met));
    finish(&mut report, &met);
    Ok(report)
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

/// Records whether a row agrees with a statement about all rows.
fn rest(
    report: &mut CheckReport,
    met: &mut Met<'_, BoardFact>,
    holds: bool,
    n: i64,
    texts: impl FnOnce() -> (String, String),
) {
    if holds {
        met.rest = true;
    } else {
        let (expected, found) = texts();
        met.disagree(report, format!("board {n}"), expected, found);
    }
}

/// Compares a row with a fact; `whole` has all its bins, if they are listed.
fn about_one(
    report: &mut CheckReport,
    met: &mut Met<'_, BoardFact>,
    row: &BoardRow,
    before: Option<i32>,
    whole: Option<&Vec<u32>>,
) {
    let stones = row.n.unsigned_abs();
    let length_found = u64::from(row.length.unsigned_abs());
    let what = || format!("board {stones}");
    let bins = row.bins.as_deref();
    match &met.fact.statement {
        BoardStatement::Board { n, bins: expected } if *n == stones => {
            // If only the nearest bins are listed, only these are compared.
            let Some(found) = bins else { return };
            let expected = match whole {
                Some(_) => &expected[..],
                None => &expected[..expected.len().min(found.len())],
            };
            let texts = || (format!("{expected:?}"), format!("{found:?}"));
            met.listed(report, found == expected, what, texts);
        }
        BoardStatement::Losing { bins: expected } => {
            let sum: u64 = expected.iter().map(|&stones| u64::from(stones)).sum();
            if let Some(found) = whole.filter(|_| sum == stones) {
                let texts = || {
                    (
                        format!("other bins than {expected:?}"),
                        format!("{found:?}"),
                    )
                };
                met.listed(report, found != expected, what, texts);
            }
        }
        BoardStatement::Length { n, length } if *n == stones => {
            let texts = || (format!("length {length}"), format!("length {length_found}"));
            met.listed(report, *length == length_found, what, texts);
        }
        BoardStatement::OfLength {
            length,
            first,
            last,
        } => {
            let expected = (*first..=*last).contains(&stones);
            let found = length_found == *length;
            if expected || found {
                let texts = || {
                    let expected = format!("boards {first} to {last} to have length {length}");
                    (expected, format!("length {length_found}"))
                };
                met.listed(report, expected == found, what, texts);
            }
        }
        // The first board of its length, provided the previous board is a row too.
        BoardStatement::Fewest { length, n }
            if length_found == *length
                && (stones == *n || before.is_some_and(|before| before < row.length)) =>
        {
            let texts = || {
                let found = format!("length {length} at {stones}");
                (format!("N({length}) = {n}"), found)
            };
            met.listed(report, stones == *n, what, texts);
        }
        BoardStatement::Remainders { n, values } if *n == stones => {
            // By Theorem 2.1, from the stones in the first bins.
            let Some(bins) = bins else { return };
            let sums = sums(bins, whole.is_some());
            let found: Vec<u64> = (2..)
                .zip(sums)
                .map(|(i, sum)| sum % i)
                .take(values.len())
                .collect();
            let holds = values.starts_with(&found);
            let texts = || (format!("{values:?}"), format!("{found:?}"));
            met.listed(report, holds, what, texts);
        }
        BoardStatement::Increasing { n, values } if *n == stones => {
            let Some(bins) = bins else { return };
            let found: Vec<u64> = sums(bins, whole.is_some()).take(values.len()).collect();
            let holds = values.starts_with(&found);
            let texts = || (format!("{values:?}"), format!("{found:?}"));
            met.listed(report, holds, what, texts);
        }
        BoardStatement::SumsOfFirstBins => {
            let Some(bins) = bins else { return };
            let wrong = (2..)
                .zip(sums(bins, false))
                .find(|(i, sum)| sum % i != stones % i);
            let texts = || {
                let (i, sum) = wrong.unwrap_or_default();
                let bin = i - 1;
                (format!("b_1 + ... + b_{bin} = n mod {i}"), format!("{sum}"))
            };
            rest(report, met, wrong.is_none(), row.n, texts);
        }
        BoardStatement::SumsOfFarBins => {
            let Some(bins) = whole else { return };
            let mut far = 0;
            let wrong = (1..=bins.len() as u64)
                .rev()
                .zip(bins.iter().rev())
                .find(|&(i, &bin)| {
                    far += u64::from(bin);
                    far % i != 0 || u64::from(bin) > i
                });
            let texts = || {
                let (i, _) = wrong.unwrap_or((0, &0));
                (
                    format!("b_{i} + ... to be a multiple of {i}"),
                    format!("{far}"),
                )
            };
            rest(report, met, wrong.is_none() && far == stones, row.n, texts);
        }
        _ => {}
    }
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

/// A fact about a sieve, and how many of its entries have been confirmed.
struct Counted<'f> {
    met: Met<'f, BoardFact>,
    entries: u64,
}

impl Counted<'_> {
    fn look(&mut self, report: &mut CheckReport, row: &BoardRow) {
        let BoardStatement::Sieve { bin, entries } = &self.met.fact.statement else {
            return;
        };
        let first_play = row
            .first_play
            .map_or(0, |play| u64::from(play.unsigned_abs()));
        if first_play < *bin {
            return;
        }
        self.entries += 1;
        let place = self.entries;
        if let Ok(found) = entries.binary_search_by_key(&place, |&(place, _)| place) {
            let expected = entries[found].1;
            let what = || format!("entry {place} of S^({bin})");
            let texts = || (expected.to_string(), row.n.to_string());
            self.met
                .listed(report, expected == row.n.unsigned_abs(), what, texts);
        }
    }
}
