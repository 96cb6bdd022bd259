//! Tables of games given by their moves.

use cggames::game::moves::printed;
use cgvalues::Arena;

use super::MovesTask;
use crate::dataset::{PositionRow, Wanted};
use crate::report::ReportError;
use crate::report::site::Occurrence;
use crate::report::table::plain::block;
use crate::report::table::{Cell, Table};
use crate::run::{Described, Reading, Tabulated};
use crate::task::strips::Names;

/// The columns.
const HEADER: [&str; 3] = ["position", "outcome", "value"];

impl Tabulated for MovesTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.fits(self.rows().saturating_mul(HEADER.len() as u64))?;
        let arena = Arena::new();
        let mut names = Names::new(arena.calculator(), &[])?;
        let columns = [&HEADER[..], &["value_digest", "value_missing"]].concat();
        let mut lines = Vec::new();
        for row in reading.counted(Wanted::columns(columns))? {
            let row: PositionRow = row?;
            lines.push(vec![
                Cell::Position(printed(&row.position).into_owned()),
                Cell::label_or_blank(row.outcome.as_ref()),
                Cell::Value(names.show(&row)?),
            ]);
        }
        Ok(Table {
            notes: names.notes(),
            ..reading.table(vec![block(&HEADER, lines)])
        })
    }

    fn occurrences(
        &self,
        reading: &Reading<'_>,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        reading.occurrences(each)
    }
}
