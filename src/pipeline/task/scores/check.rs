//! Compares margins with published ones.

use std::collections::HashMap;

use cggames::game::scored::{ScoredGame, Wari};

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::spec::{ScoreFamily, ScoresTask};
use crate::dataset::{Scan, TableRow, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{BoardStatement, Cited, Facts, ScoreFact};
use crate::run::{Checked, Reading};

impl Checked for ScoresTask {
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        match self.family {
            ScoreFamily::Endgames { .. } => endgames(self, reading, &facts.boards),
            _ => margins(self, reading, &facts.scores),
        }
    }
}

/// Compares the margins of positions with the facts about the same rules.
fn margins(
    task: &ScoresTask,
    reading: &Reading<'_>,
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
    let mut comparison = Comparison::new(&reading.job.name, facts);
    let wanted = Wanted::columns(["position", "margin"]);
    let rows = reading.scan();
    comparison.report.rows = match task.family {
        ScoreFamily::Tiers { .. } => rows.count::<TierRow>()?,
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
fn each<R: TableRow>(
    rows: Scan<'_>,
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
fn endgames(
    task: &ScoresTask,
    reading: &Reading<'_>,
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
    reading.compared(wanted, facts, |row: &EndgameRow, _| {
        let first = row.first.as_deref().unwrap_or("none");
        Some(Verdict::rest(
            row.corresponds,
            EndgameRow::describe(row),
            row.board.as_deref().unwrap_or("none"),
            format_args!("{}, the first {first}", row.determined),
        ))
    })
}
