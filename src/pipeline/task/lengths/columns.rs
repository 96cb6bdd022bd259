//! Table `lengths`: one row for each length of Tchoukaillon boards, in ascending order.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array};

use crate::dataset::row::{RowColumns, TableRow, table_row};

table_row! {
/// One length: the fewest stones of a winning board of that length, compared with the asymptotic
/// formula.
pub struct LengthRow {
    /// The length: the number of the farthest bin with a stone, bin 1 being the one beside the
    /// Ruma.
    pub l: i64 = ascending,
    /// N(l), the fewest stones of a winning board of this length.
    pub n: i64 = ascending,
    /// The square of l divided by pi, to which N(l) is asymptotic; the nearest 64-bit float.
    pub l_squared_by_pi: f64,
    /// N(l) minus that, the nearest 64-bit float of the difference itself, not of the rounded
    /// terms.
    pub deviation: f64,
}
}

impl TableRow for LengthRow {
    const TABLE: &'static str = "lengths";

    fn describe(row: &LengthRow) -> String {
        format!("length {}", row.l)
    }
}

/// Rows of consecutive lengths, in columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LengthColumns {
    /// The first length.
    pub first: i64,
    /// N(l) of each.
    pub n: Vec<i64>,
    /// The square of each, divided by pi.
    pub l_squared_by_pi: Vec<f64>,
    /// The deviation of each.
    pub deviation: Vec<f64>,
}

impl RowColumns for LengthColumns {
    type Row = LengthRow;

    fn arrays(self) -> Vec<ArrayRef> {
        let l = Int64Array::from_iter_values((self.first..).take(self.n.len()));
        vec![
            Arc::new(l),
            Arc::new(Int64Array::from(self.n)),
            Arc::new(Float64Array::from(self.l_squared_by_pi)),
            Arc::new(Float64Array::from(self.deviation)),
        ]
    }
}
