//! Compares reconstructions with published facts.

use cggames::family::{BinNumbers, written_fixed};

use super::ReconstructionsTask;
use super::columns::ReconstructionRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::met::{Met, finish};
use crate::report::check::{CheckReport, Finding};
use crate::report::reference::{BoardFact, BoardStatement};
use crate::run::JobHeader;

/// Compares reconstructions with the facts about them; bin i in numbering b is bin i + 1 in
/// numbering beta.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    task: &ReconstructionsTask,
    rows: impl RowSource<ReconstructionRow>,
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let shift = match task.family.numbers() {
        BinNumbers::B => 1,
        BinNumbers::Beta => 0,
    };
    let is_one = |fact: &BoardFact| matches!(fact.statement, BoardStatement::Reconstruction { .. });
    let mut met: Vec<Met<'_, BoardFact>> = (facts.iter().enumerate())
        .filter(|(_, fact)| is_one(fact))
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    for row in rows.rows(Wanted::all())? {
        let row = row?;
        report.rows += 1;
        let bins = row.bins.iter().map(|bin| bin.unsigned_abs() + shift);
        let stones = row.stones.iter().map(|stones| stones.unsigned_abs());
        let bins: Vec<(u64, u64)> = bins.zip(stones).collect();
        for met in &mut met {
            let BoardStatement::Reconstruction {
                fixed,
                possible,
                smallest,
                print,
            } = &met.fact.statement
            else {
                continue;
            };
            if *fixed != bins {
                continue;
            }
            let found = row.n.map(i64::unsigned_abs);
            let holds =
                row.possible == Some(*possible) && (smallest.is_none() || *smallest == found);
            if !holds {
                let expected = text(*possible, *smallest);
                let found = match row.possible {
                    None => format!("none of at most {} stones", row.searched_to),
                    Some(possible) => text(possible, found),
                };
                met.disagree(&mut report, written_fixed(&bins), expected, found);
                continue;
            }
            met.confirmed += 1;
            if let Some(note) = print {
                report.findings.push(Finding {
                    citation: met.fact.citation.clone(),
                    position: met.fact.label.clone(),
                    value: text(*possible, found),
                    printed_position: None,
                    printed_value: None,
                    printed_position_value: None,
                    note: Some(note.clone()),
                });
            }
        }
    }
    finish(&mut report, &met);
    Ok(report)
}

fn text(possible: bool, n: Option<u64>) -> String {
    match (possible, n) {
        (false, _) => "no board".to_owned(),
        (true, Some(n)) => format!("a board, the smallest of {n} stones"),
        (true, None) => "a board".to_owned(),
    }
}
