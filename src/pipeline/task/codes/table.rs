//! Tables of codes.

use super::columns::CodeRow;
use super::{CodesLayout, CodesTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{self, Column, lines};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for CodesTask {
    /// A line for each code, or a summary, which lists the codes without a proved period.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let blocks = match self.layout {
            CodesLayout::List => vec![reading.list(self.rows(), LIST)?],
            CodesLayout::Summary => summary(reading, reading.counted(Wanted::all())?)?,
        };
        Ok(reading.table(blocks))
    }
}

const LIST: &[Column<CodeRow>] = &[
    ("code", |row| Cell::label(&row.code)),
    ("name", |row| Cell::label_or_blank(row.name.as_ref())),
    ("equal to", equal_to),
    ("preperiod", |row| Cell::number_or_blank(row.preperiod)),
    ("period", |row| Cell::number_or_blank(row.period)),
    ("saltus", |row| Cell::number_or_blank(row.saltus)),
    ("bound", |row| Cell::number_or_blank(row.bound)),
    ("verified to", |row| Cell::number(row.verified_to)),
    ("counts", |row| {
        let counts: Vec<String> = row.counts.iter().map(i64::to_string).collect();
        Cell::label(counts.join(" "))
    }),
];

const OPEN: &[Column<CodeRow>] = &[
    ("without a proved period", |row| Cell::label(&row.code)),
    ("equal to", equal_to),
    ("verified to", |row| Cell::number(row.verified_to)),
];

fn equal_to(row: &CodeRow) -> Cell {
    Cell::label_or_blank(Some(&row.equivalent).filter(|first| **first != row.code))
}

/// The number of codes with a proved period, the longest periods, and the codes without one.
fn summary(
    reading: &Reading<'_>,
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
            // Only the other columns are shown, and lists may be long.
            open.push(CodeRow {
                p_positions: None,
                ..row
            });
            reading.fits(3 * open.len() as u64)?;
        }
    }
    let counts = [
        ("codes", codes),
        ("with a proved period", proved),
        ("distinct sequences", sequences),
        ("of these without a proved period", sequences_open),
    ];
    let counts =
        counts.map(|(name, count)| vec![Cell::label(name), Cell::number(count), Cell::Blank]);
    let records = [
        ("longest period", period_max),
        ("longest preperiod", preperiod_max),
    ];
    let records = records.into_iter().filter_map(|(name, record)| {
        let (length, code) = record?;
        Some(vec![
            Cell::label(name),
            Cell::number(length),
            Cell::label(code),
        ])
    });
    let summary = counts.into_iter().chain(records).collect();
    let mut blocks = vec![plain::summary(&["what", "number", "code"], summary)];
    if !open.is_empty() {
        blocks.push(Block {
            name: "open",
            ..lines(open.into_iter().map(Ok), OPEN)?
        });
    }
    Ok(blocks)
}
