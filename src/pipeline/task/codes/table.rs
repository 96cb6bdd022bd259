//! Tables of codes.

use super::columns::CodeRow;
use super::{CodesLayout, CodesTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::block;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for CodesTask {
    /// A line for each code, or a summary, which lists the codes without a proved period.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let blocks = match self.layout {
            CodesLayout::List => vec![reading.list(self.rows(), &CODE_HEADER, code_cells)?],
            CodesLayout::Summary => summary(reading)?,
        };
        Ok(reading.table(blocks))
    }
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

fn code_cells(row: CodeRow) -> Vec<Cell> {
    let number = |n: Option<i64>| n.map_or(Cell::Blank, Cell::number);
    let equal = if row.equivalent == row.code {
        Cell::Blank
    } else {
        Cell::Label(row.equivalent)
    };
    let counts: Vec<String> = row.counts.iter().map(i64::to_string).collect();
    vec![
        Cell::Label(row.code),
        row.name
            .map_or(Cell::Blank, |name| Cell::Label(name.to_string())),
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
fn summary(reading: &Reading<'_>) -> Result<Vec<Block>, ReportError> {
    let (mut codes, mut proved, mut sequences, mut sequences_open) = (0u64, 0u64, 0u64, 0u64);
    let mut period_max: Option<(i64, String)> = None;
    let mut preperiod_max: Option<(i64, String)> = None;
    let mut open = Vec::new();
    for row in reading.rows_of::<CodeRow>(Wanted::all())? {
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
            reading.fits(3 * open.len() as u64)?;
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
