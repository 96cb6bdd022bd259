//! Table `census`: for each size of positions, one row for each value that they have.
//!
//! What a census says of some positions does not depend on what is sought among them, nor on the bounds of the job
//! that counted them.

use std::borrow::Cow;

use arrow_array::RecordBatch;

use super::datum::Unmarked;
use super::features::FeatureColumns;
use super::row::{Fields, TableRow, table_row};
use super::value::ValueColumns;

table_row! {
/// The positions of one size that have one value.
pub struct CensusRow<'a> {
    /// Their size, five columns.
    pub features: FeatureColumns,
    /// How many positions of the size have the value, of one and its mirror image only the one that
    /// the family lists; where the job has a relation, how many of those that have it.
    pub count: i64,
    /// The first of these positions, in the family's order.
    pub position: Cow<'a, str>,
    /// How many positions of the size come before it, in the family's order.
    pub rank: i64,
    /// Their value, fourteen columns.
    pub value: ValueColumns<'a>,
}
}

impl TableRow for CensusRow<'static> {
    const TABLE: &'static str = "census";

    fn describe(row: &CensusRow<'_>) -> String {
        format!("position {:?}", row.position)
    }
}

impl CensusRow<'_> {
    /// Returns the row with texts of its own.
    pub fn into_owned(self) -> CensusRow<'static> {
        <CensusRow<'_> as Fields<Unmarked>>::own(self)
    }
}

/// Some rows as they lie in memory: a row that is looked at and let go costs next to nothing.
pub struct CensusBatch(pub(super) RecordBatch);

impl CensusBatch {
    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = CensusRow<'_>> {
        CensusRow::borrowed(&self.0)
    }
}
