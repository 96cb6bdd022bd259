//! Tables of heaps.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::columns::HeapRow;
use super::{HeapsLayout, HeapsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{
    block, count, counted, fits, listed, same_count, table, wrong_count,
};
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::JobHeader;

/// Lays out the heaps of a game: as a list, or a line for each value.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's heaps, or if a table has
/// more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &HeapsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<HeapRow>,
) -> Result<Table, ReportError> {
    let heading = job.heading();
    let block = match task.layout {
        // `heap = value`.
        HeapsLayout::List { columns_per_row } => {
            fits(heading, task.rows())?;
            let cell = |row: HeapRow| Cell::Equation {
                position: row.n.to_string(),
                variables: Vec::new(),
                value: ValueText::Notation(row.value.to_string()),
                followers: None,
            };
            let rows = counted(heading, ranks, rows, Wanted::columns(["n", "value"]))?;
            let cells = rows.map(|row| Ok(cell(row?)));
            listed(cells.collect::<Result<_, ReportError>>()?, columns_per_row)
        }
        HeapsLayout::ByValue => heaps_by_value(job, ranks, rows)?,
    };
    Ok(table(heading, vec![block]))
}

/// A line for each value, ascending: how many heaps have it, the first and the last of them.
fn heaps_by_value(
    job: &JobHeader,
    ranks: &[Range<u64>],
    rows: impl RowSource<HeapRow>,
) -> Result<Block, ReportError> {
    type Groups = BTreeMap<(Option<i32>, Arc<str>), (u64, i64, i64)>;
    let known = same_count(job.heading(), ranks, &rows)?;
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
        return Err(wrong_count(job.heading(), count(ranks), read));
    }
    let lines = found.into_iter().map(|((_, value), (count, first, last))| {
        let mut line = vec![Cell::Value(ValueText::Notation(value.to_string()))];
        line.push(Cell::number(count));
        line.extend([first, last].map(Cell::number));
        line
    });
    Ok(block(&["value", "heaps", "first", "last"], lines.collect()))
}
