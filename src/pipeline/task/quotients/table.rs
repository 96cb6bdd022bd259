//! Tables of quotients.

use std::collections::BTreeMap;

use super::columns::QuotientRow;
use super::spec::{QuotientsLayout, QuotientsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{self, Column};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for QuotientsTask {
    /// A line for each code, or a summary with the orders of proved quotients.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let blocks = match self.layout {
            QuotientsLayout::List => vec![reading.list(self.rows(), LIST)?],
            QuotientsLayout::Summary => {
                let wanted = Wanted::columns(["order", "tameness", "proved"]);
                summary(reading.counted(wanted)?)?
            }
        };
        Ok(reading.table(blocks))
    }
}

const LIST: &[Column<QuotientRow>] = &[
    ("code", |row| Cell::label(&row.code)),
    ("name", |row| Cell::label_or_blank(row.name.as_ref())),
    ("order", |row| Cell::number(row.order)),
    ("P", |row| Cell::number(row.p_portion)),
    ("is", |row| Cell::label_or_blank(row.tameness.as_ref())),
    ("preperiod", |row| Cell::number_or_blank(row.preperiod)),
    ("period", |row| Cell::number_or_blank(row.period)),
    ("heaps to", |row| {
        Cell::label(if row.proved {
            "all".to_owned()
        } else {
            row.heap.to_string()
        })
    }),
    ("reason", |row| Cell::label_or_blank(row.reason.as_ref())),
];

/// The number of codes that are proved, tame and wild, and of proved codes by order.
fn summary(
    rows: impl Iterator<Item = Result<QuotientRow, ReportError>>,
) -> Result<Vec<Block>, ReportError> {
    let [mut codes, mut proved, mut tame, mut wild] = [0u64; 4];
    let mut orders: BTreeMap<i64, u64> = BTreeMap::new();
    for row in rows {
        let row = row?;
        codes += 1;
        tame += u64::from(row.tameness.as_deref() == Some("tame"));
        wild += u64::from(row.tameness.as_deref() == Some("wild"));
        if row.proved {
            proved += 1;
            *orders.entry(row.order).or_default() += 1;
        }
    }
    let counts = [
        ("codes", codes),
        ("with a proved quotient", proved),
        ("tame", tame),
        ("wild", wild),
        ("wild with a proved quotient", proved - tame),
    ];
    let counts = counts.map(|(name, count)| vec![Cell::label(name), Cell::number(count)]);
    let orders = orders.into_iter();
    let orders = orders.map(|(order, codes)| vec![Cell::number(order), Cell::number(codes)]);
    Ok(vec![
        plain::summary(&["what", "number"], counts.into()),
        Block {
            name: "orders",
            ..plain::summary(&["order of a proved quotient", "codes"], orders.collect())
        },
    ])
}
