//! Table `boards`: one row for each winning Tchoukaillon board, in ascending order of stones.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, UInt32Builder};
use arrow_array::{ArrayRef, Int32Array, Int64Array, new_null_array};
use cglaws::{Column, Entries, Material};

use super::BoardsTask;
use crate::dataset::Wanted;
use crate::dataset::column::ColumnKind;
use crate::dataset::datum::{Datum, Unmarked};
use crate::dataset::row::{RowColumns, TableRow, table_row};
use crate::dataset::table::BATCH_ROWS;
use crate::report::ReportError;
use crate::run::{Mined, Reading};

/// The most boards in a batch if bins are listed.
pub const LISTED_BOARDS_MAX: usize = BATCH_ROWS;

/// The bins in a batch of boards: a batch ends with the board that reaches this number.
///
/// A run writes whole columns and a merge writes rows. Both end their batches here, so both write
/// the same bytes. The writer's buffers for a batch of this size stay in the processor's cache.
/// They are also below the size at which the allocator requests pages from the system each time.
pub const LISTED_BINS: usize = 1 << 13;

table_row! {
/// One board: the only winning board with this number of stones.
pub struct BoardRow {
    /// The number of stones.
    pub n: i64 = ascending,
    /// The length of the board: the number of the farthest bin with a stone, bin 1 being the one
    /// beside the Ruma; 0 for the empty board.
    pub length: i32,
    /// The bin played first: the nearest whose stones equal its number; null for the empty board.
    pub first_play: Option<i32> = small,
    /// The stones of each bin, bin 1 first, up to the board's length; only those of the nearest
    /// bins if the job requests some, null if it requests none.
    pub bins: Option<Vec<u32>>,
}
}

impl TableRow for BoardRow {
    const TABLE: &'static str = "boards";
    const BATCH_TEXT_BYTES: usize = LISTED_BINS * size_of::<u32>();

    fn describe(row: &BoardRow) -> String {
        format!("the board of {} stones", row.n)
    }
}

/// Boards of consecutive numbers of stones, in columns of equal length.
#[derive(Debug, Default)]
pub struct BoardColumns {
    /// The stones of the first board.
    pub first: i64,
    /// The length of each board.
    pub lengths: Vec<i32>,
    /// The first play of each board, 0 for the empty one.
    pub first_plays: Vec<i32>,
    /// The bins of all boards, if requested.
    pub bins: Option<BinLists>,
}

/// The bins of some boards.
#[derive(Debug)]
pub struct BinLists(ListBuilder<UInt32Builder>);

impl Default for BinLists {
    fn default() -> BinLists {
        BinLists(<Vec<u32> as Datum<Unmarked>>::builder(0, 0))
    }
}

impl BinLists {
    /// Appends the bins of a board.
    pub fn push(&mut self, bins: &[u32]) {
        self.0.values().append_slice(bins);
        self.0.append(true);
    }
}

impl RowColumns for BoardColumns {
    type Row = BoardRow;

    fn arrays(self) -> Vec<ArrayRef> {
        let rows = self.lengths.len();
        let n: Vec<i64> = (self.first..self.first + rows as i64).collect();
        // Only the empty board has no first play, and it can only come first.
        let first_plays = match self.first_plays.first() {
            Some(0) => Int32Array::from_iter(
                (self.first_plays.iter()).map(|&play| (play != 0).then_some(play)),
            ),
            _ => Int32Array::from(self.first_plays),
        };
        let bins = match self.bins {
            Some(BinLists(mut bins)) => Arc::new(bins.finish()),
            None => new_null_array(&ColumnKind::Unsigned.data_type(), rows),
        };
        vec![
            Arc::new(Int64Array::from(n)),
            Arc::new(Int32Array::from(self.lengths)),
            Arc::new(first_plays),
            bins,
        ]
    }
}

/// The number of bins that are searched for laws.
const MINED_BINS: usize = 10;

impl Mined for BoardsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(vec!["n".to_owned()])
    }

    /// The length and the stones of the nearest bins, by the number of stones. Bins beyond a board's
    /// length are empty.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let column =
            |subject: String| Column::new(subject, vec!["n".to_owned()], Entries::Integers);
        let mut columns = vec![column("length".to_owned())];
        columns.extend((1..=MINED_BINS).map(|bin| column(format!("bin {bin}"))));
        let wanted = Wanted::columns(["n", "length", "bins"]);
        for row in reading.scan().rows::<BoardRow>(wanted)? {
            let row = row?;
            columns[0].push(&[row.n], &row.length.to_string());
            let Some(bins) = row.bins else {
                continue;
            };
            // If the list is shorter than the board, the other bins are unknown.
            let known = if bins.len() < row.length as usize {
                bins.len()
            } else {
                MINED_BINS
            };
            for (bin, column) in columns[1..].iter_mut().enumerate().take(known) {
                let stones = bins.get(bin).copied().unwrap_or(0);
                column.push(&[row.n], &stones.to_string());
            }
        }
        columns.retain(|column| !column.is_empty());
        Ok(Material {
            columns,
            ..Material::default()
        })
    }
}
