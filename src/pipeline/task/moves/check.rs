//! Compares positions with the published values of the game's own name.

use std::collections::HashMap;

use cggames::game::Manner;
use cgvalues::{Arena, Calculator, ValueId};

use super::MovesTask;
use crate::dataset::{PositionRow, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{Cited, Facts, NamedFact, NamedStatement};
use crate::run::{Checked, Reading};

impl Checked for MovesTask {
    /// Costs a look at each row's position, and a value parsed for each row about which something is published.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let is_ours = |cited: &&Cited<NamedFact>| {
            Some(&*cited.game) == self.name.as_deref() && Manner::from(cited.play) == self.manner
        };
        let facts: Vec<&Cited<NamedFact>> = facts.named.iter().filter(is_ours).collect();
        let mut by_position: HashMap<&str, Vec<&Cited<NamedFact>>> = HashMap::new();
        for cited in &facts {
            by_position.entry(&cited.position).or_default().push(cited);
        }
        let arena = Arena::new();
        let mut comparison = Comparison::new(&reading.job.name, facts.iter().copied());
        let columns = [
            "position",
            "outcome",
            "value",
            "value_digest",
            "kind",
            "value_missing",
        ];
        let wanted = Wanted::columns(columns).where_columns(&["position"], |_, columns| {
            let positions = columns.text("position");
            let is_published = |row| by_position.contains_key(positions.value(row));
            (0..columns.rows()).map(is_published).collect()
        });
        for row in reading.scan().rows::<PositionRow>(wanted)? {
            let row = row?;
            let mut calculator = arena.calculator();
            let value = row.value.as_ref().and_then(|value| value.short_notation());
            let value = value.map(|text| parsed(&mut calculator, &row.position, text));
            let value = value.transpose()?;
            comparison.each(|cited| {
                let is_about = cited.position == row.position;
                is_about.then(|| compared(&mut calculator, &row, value, &cited.fact))
            });
        }
        comparison.report.rows = reading.scan().count::<PositionRow>()?;
        Ok(comparison.finish())
    }

    fn is_not_checked(&self) -> Option<&'static str> {
        let why = "the job does not name its game; write its name below [ruleset], if values of it are published";
        self.name.is_none().then_some(why)
    }
}

fn parsed(
    calculator: &mut Calculator<'_>,
    position: &str,
    text: &str,
) -> Result<ValueId, ReportError> {
    calculator.parse(text).map_err(|source| ReportError::Value {
        position: position.to_owned(),
        value: text.to_owned(),
        source,
    })
}

/// Compares a row with a fact about its position.
fn compared(
    calculator: &mut Calculator<'_>,
    row: &PositionRow,
    value: Option<ValueId>,
    fact: &NamedFact,
) -> Verdict {
    match &fact.statement {
        NamedStatement::Value(text) => {
            // The text was parsed when the fact was read.
            let expected = calculator.parse(text).ok();
            let found = row.value.as_ref().and_then(|value| value.value.as_deref());
            let found = found.unwrap_or_else(|| row.missing());
            Verdict::listed(expected == value, &row.position, text, found)
        }
        NamedStatement::Outcome(class) => {
            let found = row.outcome.as_deref().unwrap_or("no outcome");
            let holds = found == class.letter();
            Verdict::listed(holds, &row.position, format_args!("outcome {class}"), found)
        }
    }
}
