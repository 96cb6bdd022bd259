//! Tables of heaps and of codes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::plain::{block, count, counted, fits, same_count, table, wrong_count};
use super::{Block, Cell, Table, ValueText};
use crate::dataset::{CodeRow, HeapRow, RowSource, Wanted};
use crate::job::{CodesLayout, CodesTask, HeapsLayout, HeapsTask, Job};
use crate::report::ReportError;

/// Lays the heaps of a game out as its job says: as a list, or a line for each value.
///
/// # Errors
///
/// Rows that cannot be read or are not as many as the job's heaps, and lists of more than [`CELLS_MAX`](super::CELLS_MAX) cells.
pub fn build_heaps(
    job: &Job,
    task: &HeapsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<HeapRow>,
) -> Result<Table, ReportError> {
    let block = match task.layout {
        HeapsLayout::List { columns_per_row } => {
            fits(job, task.rows())?;
            let wanted = Wanted::columns(["n", "value"]);
            heaps_list(counted(job, ranks, rows, wanted)?, columns_per_row)?
        }
        HeapsLayout::ByValue => heaps_by_value(job, ranks, rows)?,
    };
    Ok(table(job, vec![block]))
}

/// Lays a survey out as its job says: a line for each code, or what it amounts to.
///
/// # Errors
///
/// As [`build_heaps`]; a summary lists the codes without a proved period.
pub fn build_codes(
    job: &Job,
    task: &CodesTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<CodeRow>,
) -> Result<Table, ReportError> {
    let rows = counted(job, ranks, rows, Wanted::all())?;
    let blocks = match task.layout {
        CodesLayout::List => {
            fits(job, task.rows().saturating_mul(CODE_HEADER.len() as u64))?;
            let rows = rows.map(|row| Ok(code_cells(&row?)));
            let rows = rows.collect::<Result<_, ReportError>>()?;
            vec![block(&CODE_HEADER, rows)]
        }
        CodesLayout::Summary => summary(job, rows)?,
    };
    Ok(table(job, blocks))
}

/// `heap = value`, one after another, filled downwards.
fn heaps_list(
    rows: impl Iterator<Item = Result<HeapRow, ReportError>>,
    columns: usize,
) -> Result<Block, ReportError> {
    let mut cells = Vec::new();
    for row in rows {
        let row = row?;
        cells.push(Cell::Equation {
            position: row.n.to_string(),
            variables: Vec::new(),
            value: ValueText::Notation(row.value.to_string()),
            followers: None,
        });
    }
    let height = cells.len().div_ceil(columns.max(1));
    let mut lines = vec![Vec::new(); height];
    for (i, cell) in cells.into_iter().enumerate() {
        lines[i % height].push(cell);
    }
    Ok(Block {
        name: "table",
        keys: &[],
        header: Vec::new(),
        labelled: false,
        rows: filled(lines),
    })
}

/// Adds blank cells where a line is shorter than the first.
fn filled(mut lines: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let width = lines.first().map_or(0, Vec::len);
    for line in &mut lines {
        line.resize(width, Cell::Blank);
    }
    lines
}

/// A line for each value, ascending: how many heaps have it, the first and the last of them.
fn heaps_by_value(
    job: &Job,
    ranks: &[Range<u64>],
    rows: impl RowSource<HeapRow>,
) -> Result<Block, ReportError> {
    type Found = BTreeMap<(Option<i32>, Arc<str>), (u64, i64, i64)>;
    let known = same_count(job, ranks, &rows)?;
    let wanted = Wanted::columns(["n", "value", "nim_value"]);
    // Threads count batches, which arrive in the order of the heaps.
    let mut found = Found::new();
    let each = rows.batches(wanted, |rows: Vec<HeapRow>| {
        let mut found = Found::new();
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
    if !known && read != job.task.rows() {
        return Err(wrong_count(job, count(ranks), read));
    }
    let lines = found.into_iter().map(|((_, value), (count, first, last))| {
        let mut line = vec![Cell::Value(ValueText::Notation(value.to_string()))];
        line.push(Cell::number(count));
        line.extend([first, last].map(Cell::number));
        line
    });
    Ok(block(&["value", "heaps", "first", "last"], lines.collect()))
}

const CODE_HEADER: [&str; 9] = [
    "code",
    "name",
    "equal to",
    "preperiod",
    "period",
    "saltus",
    "bound",
    "verified to",
    "counts",
];

fn code_cells(row: &CodeRow) -> Vec<Cell> {
    let number = |n: Option<i64>| n.map_or(Cell::Blank, Cell::number);
    let equal = match row.equivalent == row.code {
        true => Cell::Blank,
        false => Cell::Label(row.equivalent.clone()),
    };
    let counts: Vec<String> = row.counts.iter().map(i64::to_string).collect();
    vec![
        Cell::Label(row.code.clone()),
        row.name
            .as_deref()
            .map_or(Cell::Blank, |name| Cell::Label(name.to_owned())),
        equal,
        number(row.preperiod),
        number(row.period),
        number(row.saltus),
        number(row.bound),
        number(Some(row.verified_to)),
        Cell::Label(counts.join(" ")),
    ]
}

/// How many codes have a proved period, the longest ones, and the codes that have none.
fn summary(
    job: &Job,
    rows: impl Iterator<Item = Result<CodeRow, ReportError>>,
) -> Result<Vec<Block>, ReportError> {
    let (mut codes, mut proved, mut sequences, mut sequences_open) = (0u64, 0u64, 0u64, 0u64);
    let mut period_max: Option<(i64, String)> = None;
    let mut preperiod_max: Option<(i64, String)> = None;
    let mut open = Vec::new();
    for row in rows {
        let row = row?;
        let is_first = row.equivalent == row.code;
        codes += 1;
        proved += u64::from(row.proved);
        sequences += u64::from(is_first);
        sequences_open += u64::from(is_first && !row.proved);
        if row.proved {
            let records = [
                (&mut period_max, row.period),
                (&mut preperiod_max, row.preperiod),
            ];
            for (record, length) in records {
                if let Some(length) = length
                    && record.as_ref().is_none_or(|(most, _)| length > *most)
                {
                    *record = Some((length, row.code.clone()));
                }
            }
        } else {
            open.push(vec![
                Cell::Label(row.code.clone()),
                match is_first {
                    true => Cell::Blank,
                    false => Cell::Label(row.equivalent.clone()),
                },
                Cell::number(row.verified_to),
            ]);
            fits(job, 3 * open.len() as u64)?;
        }
    }
    let label = |text: String| Cell::Label(text);
    let mut lines = Vec::new();
    for (name, count) in [
        ("codes", codes),
        ("with a proved period", proved),
        ("distinct sequences", sequences),
        ("of these without a proved period", sequences_open),
    ] {
        lines.push(vec![
            label(name.to_owned()),
            Cell::number(count),
            Cell::Blank,
        ]);
    }
    for (name, record) in [
        ("longest period", period_max),
        ("longest preperiod", preperiod_max),
    ] {
        if let Some((length, code)) = record {
            lines.push(vec![
                label(name.to_owned()),
                Cell::number(length),
                label(code),
            ]);
        }
    }
    let mut blocks = vec![Block {
        name: "summary",
        keys: &["what", "number", "code"],
        header: Vec::new(),
        labelled: true,
        rows: lines,
    }];
    if !open.is_empty() {
        let header = ["without a proved period", "equal to", "verified to"];
        blocks.push(Block {
            name: "open",
            ..block(&header, open)
        });
    }
    Ok(blocks)
}
