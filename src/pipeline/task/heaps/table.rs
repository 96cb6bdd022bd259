//! Tables of heaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use cggames::game::Convention;

use super::charts::charts;
use super::columns::HeapRow;
use super::{HeapsLayout, HeapsTask, Period};
use crate::dataset::{Missing, Wanted};
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::site::Occurrence;
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
                    value: shown(self.ending, &row.value, row.misere.as_deref()),
                    followers: None,
                };
                let rows = reading.counted(Wanted::columns(["n", "value", "misere"]))?;
                let cells = rows.map(|row| Ok(cell(row?)));
                listed(cells.collect::<Result<_, ReportError>>()?, columns_per_row)
            }
            HeapsLayout::ByValue => self.by_value(reading)?,
        };
        let proved = self.proved_period(reading.scan())?;
        Ok(Table {
            notes: proved.iter().map(Period::to_string).collect(),
            ..reading.table(vec![block])
        })
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        let proved = self.proved_period(reading.scan())?;
        charts(self.rows(), self.ending, reading.scan(), proved)
    }

    /// Heaps with a nim-value have no pots.
    fn occurrences(
        &self,
        reading: &Reading<'_>,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        // Under misère play the table shows outcomes.
        if self.ending == Convention::Misere {
            return Ok(());
        }
        let wanted = Wanted::columns(["n", "value", "nim_value"]);
        for row in reading.scan().rows::<HeapRow>(wanted)? {
            let row = row?;
            if row.nim_value.is_some() {
                each(&Occurrence {
                    value: &row.value,
                    position: &row.n.to_string(),
                    pots: None,
                    seeds: Some(row.n),
                    count: 1,
                });
            }
        }
        Ok(())
    }
}

impl HeapsTask {
    /// A line for each value, ascending, or for each outcome of misère play: how many heaps have it, the first and the last
    /// of them.
    fn by_value(&self, reading: &Reading<'_>) -> Result<Block, ReportError> {
        type Groups = BTreeMap<(Option<i32>, Option<Arc<str>>), (u64, i64, i64)>;
        reading.check_count::<HeapRow>()?;
        let wanted = Wanted::columns(["n", "value", "nim_value", "misere"]);
        // Threads count batches, which arrive in the order of the heaps.
        let mut found = Groups::new();
        let each = reading.scan().batches(wanted, |rows: Vec<HeapRow>| {
            let mut found = Groups::new();
            for row in rows {
                let kind = match self.ending {
                    Convention::Normal => (row.nim_value, Some(row.value)),
                    Convention::Misere => (None, row.misere),
                };
                let (count, _, last) = found.entry(kind).or_insert((0, row.n, row.n));
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
        let lines = found.into_iter().map(|((_, text), (count, first, last))| {
            let text = text.as_deref();
            let mut line = vec![Cell::Value(shown(
                self.ending,
                text.unwrap_or_default(),
                text,
            ))];
            line.push(Cell::number(count));
            line.extend([first, last].map(Cell::number));
            line
        });
        Ok(block(&["value", "heaps", "first", "last"], lines.collect()))
    }
}

/// Returns what tables show of a heap or a sum: its value, or the outcome of misère play.
pub(in crate::task) fn shown(ending: Convention, value: &str, misere: Option<&str>) -> ValueText {
    match (ending, misere) {
        (Convention::Normal, _) => ValueText::Notation(value.to_owned()),
        (Convention::Misere, Some(outcome)) => ValueText::Misere(outcome.to_owned()),
        (Convention::Misere, None) => ValueText::Missing(Missing::Limit.name().to_owned()),
    }
}
