//! Sums of components with variables: a row for each combination of the variables' values.
//!
//! `task/heaps` evaluates a few sums [without a job](super::heaps::evaluate_sums).

mod check;
mod columns;
mod make;
mod spec;
mod table;

use cggames::game::{GameKind, SumKind};
use cglaws::{Column, Entries, Material};

pub use self::columns::SumRow;
pub use self::spec::{SumsLayout, SumsTask};
use super::heaps::{SumEvaluation, evaluate_sums};
use super::kind::{Kind, Mark};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Checked, Described, Description, Mined, Reading, RunError, Session, Tabulated};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Sum(_)),
    mark: Mark::None,
    family: "a section [family], for example with sum = \"knight(i,j)\", i = \"0..=24\" and j = \"0..=24\"",
    titles: |_| &["a row for each sum of components"],
    is_mined: true,
    spec: spec::spec,
};

impl SumsTask {
    /// Returns the names of the variables.
    fn names(&self) -> Vec<String> {
        let variables = self.family.variables().iter();
        variables.map(char::to_string).collect()
    }
}

impl Described for SumsTask {
    fn description(&self) -> Description {
        let ranges = self.names().into_iter().zip(self.family.values());
        let ranges = ranges.map(|(name, values)| format!(", {name} = {values}"));
        let family = format!("{}{}", self.family.text(), ranges.collect::<String>());
        Description::new("sum", format!("{} sums", self.added), "family", family)
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let ranges = self.names().into_iter().zip(self.family.values());
        let ranges = ranges.map(|(name, values)| format!("\n{name} {values}"));
        format!(
            "seedbank job 1\nsums {}\n{}{}",
            self.added,
            self.family.text(),
            ranges.collect::<String>()
        )
    }
}

impl Tabulated for SumsTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        table::build(reading.job, self, reading.ranks, reading.scan())
    }
}

impl Checked for SumsTask {
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        check::check(reading.job, self, reading.scan(), &facts.sums)
    }
}

impl Mined for SumsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(self.names()).filter(|names| !names.is_empty())
    }

    /// The values by the variables; empty for a sum without variables.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let names = self.names();
        if names.is_empty() {
            return Ok(Material::default());
        }
        let entries = match self.added {
            SumKind::Disjunctive => Entries::Values,
            SumKind::Obligated => Entries::Words,
        };
        let wanted = names.iter().map(String::as_str).chain(["value"]);
        let wanted = Wanted::columns(wanted);
        let mut column = Column::new(self.family.text().to_owned(), names.clone(), entries);
        for row in RowSource::<SumRow>::rows(reading.scan(), wanted)? {
            let row = row?;
            if let Some(place) = row.variables.into_iter().collect::<Option<Vec<i64>>>() {
                column.push(&place, &row.value);
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
        };
        let mut found = None;
        evaluate_sums(&evaluation, session, |_, evaluated| {
            found = Some(evaluated.value.to_string());
        })?;
        Ok(found)
    }
}
