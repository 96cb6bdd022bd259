//! Tables of heaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::columns::HeapRow;
use super::{HeapsLayout, HeapsTask, charts};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::table::plain::{block, count, listed, same_count, wrong_count};
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::{Reading, Tabulated};

impl Tabulated for HeapsTask {
    /// A list of heaps, or a line for each value.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match self.layout {
            HeapsLayout::List { columns_per_row } => heaps_list(self, reading, columns_per_row)?,
            HeapsLayout::ByValue => heaps_by_value(reading)?,
        };
        Ok(reading.table(vec![block]))
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        charts::charts(self.rows(), reading.scan())
    }
}

/// `heap = value`, one after another, filled downwards.
fn heaps_list(
    task: &HeapsTask,
    reading: &Reading<'_>,
    columns: usize,
) -> Result<Block, ReportError> {
    reading.fits(task.rows())?;
    let mut cells = Vec::new();
    for row in reading.rows_of::<HeapRow>(Wanted::columns(["n", "value"]))? {
        let row = row?;
        cells.push(Cell::Equation {
            position: row.n.to_string(),
            variables: Vec::new(),
            value: ValueText::Notation(row.value.to_string()),
            followers: None,
        });
    }
    Ok(listed(cells, columns))
}

/// A line for each value, ascending: how many heaps have it, the first and the last of them.
fn heaps_by_value(reading: &Reading<'_>) -> Result<Block, ReportError> {
    type Groups = BTreeMap<(Option<i32>, Arc<str>), (u64, i64, i64)>;
    let (heading, ranks, rows) = (reading.job.heading(), reading.ranks, reading.scan());
    let known = same_count::<HeapRow>(heading, ranks, &rows)?;
    let wanted = Wanted::columns(["n", "value", "nim_value"]);
    // Threads count batches, which arrive in the order of the heaps.
    let mut found = Groups::new();
    let each = rows.batches(wanted, |rows: Vec<HeapRow>| {
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
    let mut read = 0;
    for some in each {
        for (value, (count, first, last)) in some? {
            read += count;
            let (all, _, latest) = found.entry(value).or_insert((0, first, last));
            *all += count;
            *latest = last;
        }
    }
    if !known && read != count(ranks) {
        return Err(wrong_count(heading, count(ranks), read));
    }
    let lines = found.into_iter().map(|((_, value), (count, first, last))| {
        let mut line = vec![Cell::Value(ValueText::Notation(value.to_string()))];
        line.push(Cell::number(count));
        line.extend([first, last].map(Cell::number));
        line
    });
    Ok(block(&["value", "heaps", "first", "last"], lines.collect()))
}
