//! Compares reconstructions with published facts.

use cggames::family::{BinNumbering, written_fixed};

use super::ReconstructionsTask;
use super::columns::ReconstructionRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::compare::Verdict;
use crate::report::check::{CheckReport, Finding};
use crate::report::reference::{BoardStatement, Facts};
use crate::run::{Checked, Reading};

impl Checked for ReconstructionsTask {
    /// Compares reconstructions with the facts about them; bin i in numbering b is bin i + 1 in
    /// numbering beta.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let shift = match self.family.numbers() {
            BinNumbering::B => 1,
            BinNumbering::Beta => 0,
        };
        let facts = facts.boards.iter();
        let facts =
            facts.filter(|cited| matches!(cited.fact, BoardStatement::Reconstruction { .. }));
        let mut findings = Vec::new();
        let report = reading.compared(Wanted::all(), facts, |row: &ReconstructionRow, cited| {
            let BoardStatement::Reconstruction {
                fixed,
                possible,
                smallest,
                print,
            } = &cited.fact
            else {
                return None;
            };
            let bins = row.bins.iter().map(|bin| bin.unsigned_abs() + shift);
            let stones = row.stones.iter().map(|stones| stones.unsigned_abs());
            let bins: Vec<(u64, u64)> = bins.zip(stones).collect();
            if *fixed != bins {
                return None;
            }
            let found = row.n.map(i64::unsigned_abs);
            let holds =
                row.possible == Some(*possible) && (smallest.is_none() || *smallest == found);
            if holds && print.is_some() {
                findings.push(Finding {
                    citation: cited.citation.clone(),
                    position: cited.label.clone(),
                    value: text(*possible, found),
                    note: print.clone(),
                    ..Finding::default()
                });
            }
            let found = match row.possible {
                None => format!("none of at most {} stones", row.searched_to),
                Some(possible) => text(possible, found),
            };
            let expected = text(*possible, *smallest);
            Some(Verdict::listed(
                holds,
                written_fixed(&bins),
                expected,
                found,
            ))
        })?;
        Ok(CheckReport { findings, ..report })
    }
}

fn text(possible: bool, n: Option<u64>) -> String {
    match (possible, n) {
        (false, _) => "no board".to_owned(),
        (true, Some(n)) => format!("a board, the smallest of {n} stones"),
        (true, None) => "a board".to_owned(),
    }
}
