//! Table `sums`: sums of components, in the order of their family.

use std::sync::Arc;

use cggames::game::{Convention, SumKind};
use cglaws::{Column, Entries, Material};

use super::SumsTask;
use crate::dataset::row::{TableRow, table_row};
use crate::dataset::{KeptRow, Wanted};
use crate::report::ReportError;
use crate::run::{Mined, Reading, RunError, Session};
use crate::task::heaps::{OUTCOMES, SumEvaluation, evaluate_sums};

table_row! {
/// One sum and its value.
pub struct SumRow {
    /// How components are added: disjunctive (a move in any one of them) or obligated (a component
    /// that is moved in must be finished before another is begun, as Ferguson defines it).
    pub sum: Arc<str>,
    /// The sum with its variables.
    pub pattern: Arc<str>,
    /// The values of the variables, one column each, in the order in which they first appear in the
    /// sum.
    pub variables: Vec<Option<i64>>,
    /// The sum, as seedbank eval reads it.
    pub position: String,
    /// The value: under disjunctive sums the nimber (0, *, *2, ...), under obligated sums the
    /// outcomes of normal and misere play in two bits (00, 01, 10, 11; 0 is a P-position, 1 an
    /// N-position).
    pub value: Arc<str>,
    /// The nim-value; null under obligated sums, which have none.
    pub nim_value: Option<i32>,
    /// The outcome under normal play: P or N.
    pub normal: Arc<str>,
    /// The outcome under misere play: P or N; null under disjunctive sums unless the job asks for the
    /// genus, and then if that takes more than 1,048,576 moves.
    pub misere: Option<Arc<str>>,
    /// The genus of a disjunctive sum, such as 0^120: its nim-value, and its misère nim-values beside
    /// 0, 1, 2, ... heaps of two, of which the last two go on alternating; null unless the job asks for it,
    /// and then if it takes more than 1,048,576 moves.
    pub genus: Option<Arc<str>>,
}
}

impl TableRow for SumRow {
    const TABLE: &'static str = "sums";

    fn describe(row: &SumRow) -> String {
        row.position.clone()
    }
}

impl KeptRow for SumRow {
    const COLUMNS: &'static [&'static str] = &["position"];
}

impl Mined for SumsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(self.names()).filter(|names| !names.is_empty())
    }

    /// The values by the variables, or under misère play the outcomes that are known; empty for a sum without variables.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let names = self.names();
        if names.is_empty() {
            return Ok(Material::default());
        }
        let entries = match (self.added, self.ending) {
            (SumKind::Disjunctive, Convention::Normal) => Entries::Values,
            _ => Entries::Words,
        };
        let wanted = names.iter().map(String::as_str);
        let wanted = Wanted::columns(wanted.chain(["value", "misere"]));
        let mut column = Column::new(self.family.text().to_owned(), names.clone(), entries);
        for row in reading.scan().rows::<SumRow>(wanted)? {
            let row = row?;
            let entry = match self.ending {
                Convention::Normal => Some(row.value),
                Convention::Misere => row.misere,
            };
            let place = row.variables.into_iter().collect::<Option<Vec<i64>>>();
            if let (Some(place), Some(entry)) = (place, entry) {
                column.push(&place, &entry);
            }
        }
        Ok(Material {
            columns: vec![column],
            ..Material::default()
        })
    }

    fn entry(
        &self,
        _: &Column,
        at: &[i64],
        session: &Session<'_>,
    ) -> Result<Option<String>, RunError> {
        // Numbers that a component cannot have are no place of the table.
        let Ok(sum) = self.family.expand(at) else {
            return Ok(None);
        };
        let evaluation = SumEvaluation {
            sums: vec![sum],
            added: self.added,
            moves: false,
            misere: self.misere(),
        };
        let mut found = None;
        evaluate_sums(&evaluation, session, |_, evaluated| {
            found = match self.ending {
                Convention::Normal => Some(evaluated.value.to_string()),
                Convention::Misere => {
                    let is_n = evaluated.value.is_n(Convention::Misere);
                    is_n.map(|is_n| OUTCOMES[usize::from(is_n)].to_owned())
                }
            };
        })?;
        Ok(found)
    }
}
