//! Table `reconstructions`: one row for each way to fix some bins of a Tchoukaillon board, in the
//! family's order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// Some bins with their stones: whether a board has them, and the smallest such board.
#[derive(Serialize, Deserialize)]
pub struct ReconstructionRow {
    /// How bins are numbered: b (bin i is the i-th from the Ruma and holds 0 to i stones) or beta
    /// (bin i is the one before that and holds 0 to i - 1).
    pub numbering: Arc<str>,
    /// The bins that are fixed, ascending.
    pub bins: Vec<i64>,
    /// The stones in each of them.
    pub stones: Vec<i64>,
    /// Whether some winning board has these bins; null if none was found up to searched_to and none
    /// is ruled out.
    pub possible: Option<bool>,
    /// Why no board has them: conditions of Theorem 4.5 that they break, or that all numbers of
    /// stones were searched; null otherwise.
    pub contradiction: Option<String>,
    /// The fewest stones of a board that has them, of any length; null if none was found.
    pub n: Option<i64>,
    /// The fewest stones of a board that has them and is at least as long as the farthest of the
    /// bins; null if none was found.
    pub n_long: Option<i64>,
    /// The period with which such boards repeat: lcm(2, ..., i+1) for the i-th bin from the Ruma,
    /// the farthest that is fixed; null beyond 63 bits.
    pub period: Option<i64>,
    /// The number of residues modulo the period that have them; null if they were not counted,
    /// which is so if the period divided by the square of the farthest bin exceeds 2^22.
    pub residues: Option<i64>,
    /// The number of stones up to which boards were searched for n and n_long.
    pub searched_to: i64,
}
}

impl TableRow for ReconstructionRow {
    const TABLE: &'static str = "reconstructions";

    fn describe(row: &ReconstructionRow) -> String {
        format!("bins {:?} with stones {:?}", row.bins, row.stones)
    }
}
