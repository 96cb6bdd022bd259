//! Compares margins with published ones.

use std::collections::HashMap;

use cggames::game::scored::{ScoredGame, Wari};

use super::columns::{EndgameRow, ScoreRow, StartRow};
use super::spec::{ScoreFamily, ScoresTask};
use crate::dataset::{RowSource, Scan, TableRow, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::met::{Met, finish};
use crate::report::reference::{BoardFact, BoardStatement, ScoreFact};
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
    facts: &[ScoreFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let facts = facts.iter().enumerate();
    let mut met: Vec<Met<'_, ScoreFact>> = facts
        .filter(|(_, fact)| fact.game == task.game)
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    let mut margins: HashMap<String, i64> = HashMap::new();
    match task.family {
        ScoreFamily::Tiers { .. } => {
            report.rows = RowSource::<super::TierRow>::row_count(&rows)?.unwrap_or(0);
        }
        ScoreFamily::Starts { .. } => {
            for row in rows.rows(Wanted::columns(["position", "margin"]))? {
                let row: StartRow = row?;
                report.rows += 1;
                margins.insert(row.position, row.margin);
            }
        }
        _ => {
            let wanted: Vec<String> = met
                .iter()
                .map(|met| met.fact.position.to_string())
                .collect();
            for row in rows.rows(Wanted::columns(["position", "margin"]))? {
                let row: ScoreRow = row?;
                report.rows += 1;
                if wanted.contains(&row.position) {
                    margins.insert(row.position, row.margin);
                }
            }
        }
    }
    for met in &mut met {
        let position = met.fact.position.to_string();
        let Some(&found) = margins.get(&position) else {
            continue;
        };
        let expected = met.fact.margin;
        let texts = || (expected.to_string(), found.to_string());
        met.listed(
            &mut report,
            i64::from(expected) == found,
            || position,
            texts,
        );
    }
    finish(&mut report, &met);
    Ok(report)
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
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let of_ayo = [Wari::AWARI, Wari::OWARE].map(ScoredGame::Wari);
    let facts = facts.iter().enumerate();
    let mut met: Vec<Met<'_, BoardFact>> = facts
        .filter(|(_, fact)| {
            fact.statement == BoardStatement::Endgames && of_ayo.contains(&task.game)
        })
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    let wanted = [
        "pits",
        "seeds",
        "determined",
        "first",
        "board",
        "corresponds",
    ];
    for row in rows.rows(Wanted::columns(wanted))? {
        let row = row?;
        report.rows += 1;
        for met in &mut met {
            if row.corresponds {
                met.rest = true;
                continue;
            }
            let expected = row.board.clone().unwrap_or("none".to_owned());
            let first = row.first.as_deref().unwrap_or("none");
            let found = format!("{}, the first {first}", row.determined);
            met.disagree(&mut report, EndgameRow::describe(&row), expected, found);
        }
    }
    finish(&mut report, &met);
    Ok(report)
}
