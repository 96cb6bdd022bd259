//! Table `array`: one row for each entry of the Tchoukaillon array.

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// One entry, compared with the asymptotic formula.
pub struct ArrayRow {
    /// The number of the row, from 1 on.
    pub i: i64,
    /// The number of the column, from 1 on.
    pub j: i64,
    /// The entry; that of row 1 and column l is N(l).
    pub n: i64,
    /// The entry minus (pi (i - 1) + 2 j)^2 / (4 pi), to which it is asymptotic. The rounding error is at most 2^-50
    /// times the entry.
    pub deviation: f64,
}
}

impl TableRow for ArrayRow {
    const TABLE: &'static str = "array";

    fn describe(row: &ArrayRow) -> String {
        format!("row {}, column {}", row.i, row.j)
    }
}
