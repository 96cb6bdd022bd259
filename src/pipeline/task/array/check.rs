//! Compares entries of the Tchoukaillon array with published facts about lengths of boards.

use super::columns::ArrayRow;
use super::spec::ArrayTask;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::run::{Checked, Reading};
use crate::task::lengths;

impl Checked for ArrayTask {
    /// Row 1 has the fewest stones of each length.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let rows = reading
            .scan()
            .rows::<ArrayRow>(Wanted::columns(["i", "j", "n"]))?;
        let first = rows.filter(|row| row.as_ref().map_or(true, |row| row.i == 1));
        lengths::compare(
            reading,
            first.map(|row| row.map(|row| (row.j, row.n))),
            facts,
        )
    }
}
