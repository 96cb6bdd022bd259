//! Compares margins with published ones.

use std::collections::HashMap;

use cggames::game::scored::{ScoredGame, Wari};

use super::columns::{EndgameRow, ScoreRow, StartRow};
use super::spec::{ScoreFamily, ScoresTask};
use crate::dataset::{RowSource, Scan, TableRow, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict, compared};
use crate::report::reference::{BoardStatement, Cited, ScoreFact};
use crate::run::JobHeader;

/// Compares the margins of positions with the facts about the same rules.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    task: &ScoresTask,
    rows: Scan<'_>,
    facts: &[Cited<ScoreFact>],
) -> Result<CheckReport, ReportError> {
    let facts = facts.iter().filter(|fact| fact.game == task.game);
    let wanted = facts.clone().map(|fact| (fact.position.to_string(), None));
    let mut margins: HashMap<String, Option<i64>> = wanted.collect();
    let mut found = |position: String, margin: i64| {
        margins
            .entry(position)
            .and_modify(|found| *found = Some(margin));
    };
    let mut comparison = Comparison::new(&job.name, facts);
    let wanted = Wanted::columns(["position", "margin"]);
    comparison.report.rows = match task.family {
        ScoreFamily::Tiers { .. } => RowSource::<super::TierRow>::row_count(&rows)?.unwrap_or(0),
        ScoreFamily::Starts { .. } => each(rows, wanted, |row: StartRow| {
            found(row.position, row.margin)
        })?,
        _ => each(rows, wanted, |row: ScoreRow| {
            found(row.position, row.margin)
        })?,
    };
    comparison.each(|fact| {
        let position = fact.position.to_string();
        let found = margins[&position]?;
        let holds = i64::from(fact.margin) == found;
        Some(Verdict::listed(holds, position, fact.margin, found))
    });
    Ok(comparison.finish())
}

/// Visits the wanted rows, and returns their number.
fn each<R>(
    rows: impl RowSource<R>,
    wanted: Wanted<'_>,
    mut visit: impl FnMut(R),
) -> Result<u64, ReportError> {
    let mut count = 0;
    for row in rows.rows(wanted)? {
        visit(row?);
        count += 1;
    }
    Ok(count)
}

/// Compares determined endgames with the facts about those of Ayo, if the rules are those of Ayo.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn endgames(
    job: &JobHeader,
    task: &ScoresTask,
    rows: impl RowSource<EndgameRow>,
    facts: &[Cited<BoardStatement>],
) -> Result<CheckReport, ReportError> {
    let of_ayo = [Wari::AWARI, Wari::OWARE].map(ScoredGame::Wari);
    let facts = facts
        .iter()
        .filter(|cited| cited.fact == BoardStatement::Endgames && of_ayo.contains(&task.game));
    let wanted = Wanted::columns([
        "pits",
        "seeds",
        "determined",
        "first",
        "board",
        "corresponds",
    ]);
    compared(&job.name, rows, wanted, facts, |row: &EndgameRow, _| {
        let first = row.first.as_deref().unwrap_or("none");
        Some(Verdict::rest(
            row.corresponds,
            EndgameRow::describe(row),
            row.board.as_deref().unwrap_or("none"),
            format_args!("{}, the first {first}", row.determined),
        ))
    })
}
