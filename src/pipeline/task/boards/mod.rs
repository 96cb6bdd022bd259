//! Boards of Tchoukaillon: a row for each number of stones, each of which has one winning board.

mod check;
mod columns;
mod make;
mod schema;
mod spec;
mod table;

use std::ops::Range;

use bytesize::ByteSize;
use cggames::game::GameKind;
use cglaws::Material;

pub use self::columns::{BinLists, BoardColumns, BoardRow, LISTED_BINS, LISTED_BOARDS_MAX};
pub use self::spec::{
    BINS_MAX, BOARD_LENGTH_MAX, BoardsLayout, BoardsTask, ListedBins, NEAREST_MAX, STONES_MAX,
    fewest_stones,
};
use super::kind::{Kind, Mark};
use crate::dataset::{ColumnKind, Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// Bins per byte of lists; neighbouring boards differ little. Finished result sets have 14 to 30.
const BINS_A_BYTE: u64 = 32;

/// Boards per byte, without their bins. A hundred million have 5.4.
const BOARDS_A_BYTE: u64 = 8;

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("boards", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    read: |problems, sections| sections.marked(problems, spec::read),
    schema: schema::sections,
};

impl RowTask for BoardsTask {
    fn noun(&self) -> &'static str {
        "board"
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let BoardsTask {
            first, last, bins, ..
        } = self;
        format!("seedbank job 1\ntchoukaillon boards\nfrom {first} to {last}\n{bins}")
    }

    fn subject(&self) -> Subject {
        Subject {
            game: format!("boards of {} to {} stones", self.first, self.last),
            detail: ("bins", self.bins.to_string()),
            listed: (self.bins != ListedBins::None).then(|| ("bin", self.bins_about())),
        }
    }

    fn tables(&self) -> Tables {
        // Bin i holds at most i stones: all numbers fit in a byte, so their bytes are split. Beside
        // all bins, first plays take next to no space, and more readers know plain integers.
        let small_bins = matches!(self.bins, ListedBins::Nearest(bins) if bins <= 255);
        let all_bins = self.bins == ListedBins::All;
        Tables::of::<BoardRow>().stored(|column| match column.kind {
            ColumnKind::Unsigned => column.bytes_apart = small_bins,
            _ => column.bytes_apart &= !all_bins,
        })
    }

    fn join(&self) -> Join {
        ResultSet::join::<BoardRow>
    }

    fn part_rows(&self) -> u64 {
        make::part_rows(self)
    }

    /// The number of its bins, plus 1, for each board.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        let rows = ranks.end - ranks.start;
        if rows == 0 {
            return 1;
        }
        let these = BoardsTask {
            first: self.first + ranks.start,
            last: self.first + ranks.end - 1,
            ..*self
        };
        rows.saturating_add(these.bins_about())
    }

    fn row_bytes(&self, rows: u64, is_begun: bool) -> u64 {
        let bins = if is_begun {
            // The number of bins in finished parts is unknown here, so no bins are counted.
            0
        } else {
            self.bins_about()
        };
        rows / BOARDS_A_BYTE + bins / BINS_A_BYTE
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn phase(&self) -> Phase {
        Phase::Writing
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<(u64, &'static str)> {
        Some(make::memory(self, threads))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    /// The length and the stones of the nearest bins, by the number of stones.
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(vec!["n".to_owned()])
    }

    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        columns::material(read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let report = check::check(read.job, self, read.rows, &facts.boards)?;
        Ok(report.numbered_from(facts.first_of_boards()))
    }
}
