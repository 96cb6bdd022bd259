//! Table `census`: for each size of positions, one row for each value that occurs.
//!
//! The census of some positions depends neither on the witnesses sought among them nor on the
//! bounds of the job that counted them.

use std::borrow::Cow;

use arrow_array::RecordBatch;

use super::datum::Unmarked;
use super::features::FeatureColumns;
use super::row::{Fields, TableRow, table_row};
use super::value::{ValueColumns, no_outcome};

table_row! {
/// The positions of one size and one value.
pub struct CensusRow<'a> {
    /// Their size, five columns.
    pub features: FeatureColumns,
    /// The number of positions of this size with this value; of a position and its mirror image,
    /// only the one that the family lists counts. If the job has a relation, only positions that
    /// satisfy it count.
    pub count: i64,
    /// The first of these positions, in the family's order.
    pub position: Cow<'a, str>,
    /// The number of positions of this size before it, in the family's order.
    pub rank: i64,
    /// Their outcome class: N (first player wins), P (second player wins), L (Left wins), R (Right
    /// wins).
    pub outcome: Cow<'a, str> = label,
    /// Their value, thirteen columns.
    pub value: ValueColumns<'a>,
}
unless misfit
}

fn misfit(row: &CensusRow<'_>) -> Option<String> {
    no_outcome(&row.outcome)
}

impl TableRow for CensusRow<'static> {
    const TABLE: &'static str = "census";

    fn describe(row: &CensusRow<'_>) -> String {
        format!("position {:?}", row.position)
    }
}

impl CensusRow<'_> {
    /// Returns the row with owned texts.
    pub fn into_owned(self) -> CensusRow<'static> {
        <CensusRow<'_> as Fields<Unmarked>>::own(self)
    }
}

/// Some rows in their memory layout: visiting a row without keeping it costs next to nothing.
pub struct CensusBatch(pub(super) RecordBatch);

impl CensusBatch {
    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = CensusRow<'_>> {
        CensusRow::borrowed(&self.0)
    }
}
