//! Table `sums`: sums of components, in the order of their family.

use std::sync::Arc;

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// One sum and its value.
pub struct SumRow {
    /// How components are added: disjunctive (a move in any one of them) or obligated (a component
    /// that is moved in must be finished before another is begun, as Ferguson defines it).
    pub sum: Arc<str>,
    /// The sum with its variables.
    pub pattern: Arc<str>,
    /// The values of the variables, one column each, in the order in which they first appear in the
    /// sum.
    pub variables: Vec<Option<i64>>,
    /// The sum, as seedbank eval reads it.
    pub position: String,
    /// The value: under disjunctive sums the nimber (0, *, *2, ...), under obligated sums the
    /// outcomes of normal and misere play in two bits (00, 01, 10, 11; 0 is a P-position, 1 an
    /// N-position).
    pub value: Arc<str>,
    /// The nim-value; null under obligated sums, which have none.
    pub nim_value: Option<i32>,
    /// The outcome under normal play: P or N.
    pub normal: Arc<str>,
    /// The outcome under misere play: P or N; null under disjunctive sums, for which it is not
    /// computed.
    pub misere: Option<Arc<str>>,
}
}

impl TableRow for SumRow {
    const TABLE: &'static str = "sums";

    fn describe(row: &SumRow) -> String {
        row.position.clone()
    }
}
