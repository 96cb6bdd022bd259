//! Tables of heaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::charts::charts;
use super::columns::HeapRow;
use super::{HeapsLayout, HeapsTask, Period};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::table::plain::{block, listed};
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::{Reading, Tabulated};

impl Tabulated for HeapsTask {
    /// The heaps as a list, or a line for each value, with the period that is proved.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match self.layout {
            // `heap = value`.
            HeapsLayout::List { columns_per_row } => {
                reading.fits(self.rows())?;
                let cell = |row: HeapRow| Cell::Equation {
                    position: row.n.to_string(),
                    variables: Vec::new(),
                    value: ValueText::Notation(row.value.to_string()),
                    followers: None,
                };
                let rows = reading.counted(Wanted::columns(["n", "value"]))?;
                let cells = rows.map(|row| Ok(cell(row?)));
                listed(cells.collect::<Result<_, ReportError>>()?, columns_per_row)
            }
            HeapsLayout::ByValue => heaps_by_value(reading)?,
        };
        let proved = self.proved_period(reading.scan())?;
        Ok(Table {
            notes: proved.iter().map(Period::to_string).collect(),
            ..reading.table(vec![block])
        })
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        let proved = self.proved_period(reading.scan())?;
        charts(self.rows(), reading.scan(), proved)
    }
}

/// A line for each value, ascending: how many heaps have it, the first and the last of them.
fn heaps_by_value(reading: &Reading<'_>) -> Result<Block, ReportError> {
    type Groups = BTreeMap<(Option<i32>, Arc<str>), (u64, i64, i64)>;
    reading.check_count::<HeapRow>()?;
    let wanted = Wanted::columns(["n", "value", "nim_value"]);
    // Threads count batches, which arrive in the order of the heaps.
    let mut found = Groups::new();
    let each = reading.scan().batches(wanted, |rows: Vec<HeapRow>| {
        let mut found = Groups::new();
        for row in rows {
            let (count, _, last) = found
                .entry((row.nim_value, row.value))
                .or_insert((0, row.n, row.n));
            *count += 1;
            *last = row.n;
        }
        found
    })?;
    for some in each {
        for (value, (count, first, last)) in some? {
            let (all, _, latest) = found.entry(value).or_insert((0, first, last));
            *all += count;
            *latest = last;
        }
    }
    let lines = found.into_iter().map(|((_, value), (count, first, last))| {
        let mut line = vec![Cell::Value(ValueText::Notation(value.to_string()))];
        line.push(Cell::number(count));
        line.extend([first, last].map(Cell::number));
        line
    });
    Ok(block(&["value", "heaps", "first", "last"], lines.collect()))
}
