//! Tables of codes.

use std::ops::Range;

use super::columns::CodeRow;
use super::{CodesLayout, CodesTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
use crate::run::JobHeader;

/// Lays out a survey: a line for each code, or a summary.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's codes, or if a table has
/// more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells; a summary lists the codes
/// without a proved period.
pub(super) fn build(
    job: &JobHeader,
    task: &CodesTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<CodeRow>,
) -> Result<Table, ReportError> {
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let blocks = match task.layout {
        CodesLayout::List => {
            fits(
                job.heading(),
                task.rows().saturating_mul(CODE_HEADER.len() as u64),
            )?;
            let rows = rows.map(|row| Ok(code_cells(&row?)));
            let rows = rows.collect::<Result<_, ReportError>>()?;
            vec![block(&CODE_HEADER, rows)]
        }
        CodesLayout::Summary => summary(job, rows)?,
    };
    Ok(table(job.heading(), blocks))
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
    let equal = if row.equivalent == row.code {
        Cell::Blank
    } else {
        Cell::Label(row.equivalent.clone())
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

/// The number of codes with a proved period, the longest periods, and the codes without one.
fn summary(
    job: &JobHeader,
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
                if is_first {
                    Cell::Blank
                } else {
                    Cell::Label(row.equivalent.clone())
                },
                Cell::number(row.verified_to),
            ]);
            fits(job.heading(), 3 * open.len() as u64)?;
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
