//! Tables of sums.

use cggames::game::Convention;

use super::columns::SumRow;
use super::spec::{SumsLayout, SumsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::site::Occurrence;
use crate::report::table::plain::{Grid, listed};
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};
use crate::task::heaps::shown;

impl Tabulated for SumsTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.fits(self.family.len())?;
        let names = self.names();
        let wanted = names
            .iter()
            .map(String::as_str)
            .chain(["position", "value", "misere"]);
        let rows = reading.counted(Wanted::columns(wanted))?;
        let value = |row: &SumRow| shown(self.ending, &row.value, row.misere.as_deref());
        let block = match self.layout {
            // `sum = value`.
            SumsLayout::List { columns_per_row } => {
                let cell = |row: SumRow| Cell::Equation {
                    value: value(&row),
                    variables: (names.iter().zip(&row.variables))
                        .filter_map(|(name, number)| Some((name.clone(), (*number)?)))
                        .collect(),
                    position: row.position,
                    followers: None,
                };
                let cells = rows.map(|row| Ok(cell(row?)));
                listed(cells.collect::<Result<_, ReportError>>()?, columns_per_row)
            }
            // Cells without a row stay blank.
            SumsLayout::Grid => {
                let [down, across] = self.family.values() else {
                    unreachable!("a grid has two variables, which the spec's reader checks");
                };
                let corner = format_args!("{}\\{}", names[0], names[1]);
                let labels = across.iter().map(Cell::label);
                let mut grid = Grid::new(corner, down.iter().map(Cell::label), labels);
                // Rows are in the family's order, so the rank gives a row's place.
                for (rank, row) in reading.ranks.iter().cloned().flatten().zip(rows) {
                    let (down, across) = (rank / across.len(), rank % across.len());
                    grid.set(down, across, Cell::Value(value(&row?)));
                }
                grid.block()
            }
        };
        Ok(reading.table(vec![block]))
    }

    /// Sums with a nim-value have no size.
    fn occurrences(
        &self,
        reading: &Reading<'_>,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        // Under misère play the table shows outcomes.
        if self.ending == Convention::Misere {
            return Ok(());
        }
        let wanted = Wanted::columns(["position", "value", "nim_value"]);
        for row in reading.scan().rows::<SumRow>(wanted)? {
            let row = row?;
            if row.nim_value.is_some() {
                each(&Occurrence {
                    value: &row.value,
                    position: &row.position,
                    pots: None,
                    seeds: None,
                    count: 1,
                });
            }
        }
        Ok(())
    }
}
