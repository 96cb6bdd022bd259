//! The Tchoukaillon array: a row for each of some entries.

mod columns;
mod make;
mod schema;
mod spec;
mod table;

use std::ops::Range;

use bytesize::ByteSize;
use cggames::game::GameKind;
use cglaws::{Column, Entries, Material};

pub use self::columns::ArrayRow;
pub use self::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use super::kind::{Kind, Mark};
use super::lengths;
use crate::dataset::{Join, ResultSet, RowSource, Tables, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::memory::bytes_of_threads;
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The size of a row of the table `array`.
///
/// Unit: bytes. Ten thousand rows have 10.5 a row.
const ROW_BYTES: u64 = 10;

/// The most steps of a part: a second's work.
const PART_STEPS: u64 = 1 << 27;

/// The most rows of a part.
const PART_ROWS: u64 = 1 << 20;

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("array", &[]),
    family: "a section [family], for example with array = { rows = \"2\", columns = \"1..=1000\" }",
    read: |problems, sections| sections.marked(problems, spec::read),
    schema: schema::sections,
};

impl ArrayTask {
    /// The entries, for people and as the meaning of the job.
    fn text(&self) -> String {
        match self.entries {
            ArrayEntries::Block { rows, columns } => {
                format!(
                    "rows {} to {}, columns {} to {}",
                    rows.0, rows.1, columns.0, columns.1
                )
            }
            ArrayEntries::Antidiagonals { first, last } => {
                format!("antidiagonals {first} to {last}")
            }
        }
    }

    /// The numbers that are not the same for all entries: of the row, of the column, or both.
    fn variables(&self) -> Vec<String> {
        let names: &[&str] = match self.entries {
            ArrayEntries::Block { rows, .. } if rows.0 == rows.1 => &["j"],
            ArrayEntries::Block { columns, .. } if columns.0 == columns.1 => &["i"],
            _ => &["i", "j"],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }
}

impl RowTask for ArrayTask {
    fn noun(&self) -> &'static str {
        "number"
    }

    fn rows(&self) -> u64 {
        self.entries.number()
    }

    fn meaning(&self) -> String {
        format!("seedbank job 1\ntchoukaillon array\n{}", self.text())
    }

    fn subject(&self) -> Subject {
        Subject {
            game: "the Tchoukaillon array".to_owned(),
            detail: ("family", self.text()),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<ArrayRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<ArrayRow>
    }

    fn part_rows(&self) -> u64 {
        (PART_STEPS / self.entries.farthest()).clamp(1, PART_ROWS)
    }

    /// The sum of the rows and the columns.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        let Some(last) = ranks.end.checked_sub(1).filter(|last| *last >= ranks.start) else {
            return 1;
        };
        let steps = [ranks.start, last].map(|rank| {
            let (row, column) = self.entries.place(rank);
            u128::from(row + column)
        });
        let sum = (steps[0] + steps[1]) * u128::from(ranks.end - ranks.start) / 2;
        u64::try_from(sum).unwrap_or(u64::MAX)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows.saturating_mul(ROW_BYTES)
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn phase(&self) -> Phase {
        Phase::Writing
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<(u64, &'static str)> {
        Some((bytes_of_threads(threads, 0), "the threads"))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(self.variables())
    }

    /// The entries by their rows, columns, or both.
    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        let names = self.variables();
        let mut column = Column::new("n".to_owned(), names.clone(), Entries::Integers);
        for row in RowSource::<ArrayRow>::rows(read.rows, Wanted::columns(["i", "j", "n"]))? {
            let row = row?;
            let place: Vec<i64> = (names.iter())
                .map(|name| if name == "i" { row.i } else { row.j })
                .collect();
            column.push(&place, &row.n.to_string());
        }
        Ok(Material {
            columns: vec![column],
            ..Material::default()
        })
    }

    /// Row 1 has the fewest stones of each length.
    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let wanted = Wanted::columns(["i", "j", "n"]);
        let rows = RowSource::<ArrayRow>::rows(read.rows, wanted)?.map(|row| Ok(row?));
        let first =
            |row: &Result<ArrayRow, ReportError>| row.as_ref().map_or(true, |row| row.i == 1);
        let lengths = rows.filter(first).map(|row| row.map(|row| (row.j, row.n)));
        let report = lengths::compare(read.job, lengths, &facts.boards)?;
        Ok(report.numbered_from(facts.first_of_boards()))
    }
}
