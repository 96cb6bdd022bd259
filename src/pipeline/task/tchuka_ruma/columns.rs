//! Table `rings`: positions of Tchuka Ruma, in the order of their family.

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// One position of Tchuka Ruma: whether it can be won, in how many ways, and how fast.
pub struct RingRow {
    /// The position: the stones of each pit, in the order of sowing; the Ruma is behind the last.
    pub position: String,
    /// The number of pits.
    pub pits: i64,
    /// The number of stones in them.
    pub stones: i64,
    /// Whether all stones can be brought into the Ruma; null if a search of the job's positions_max
    /// positions does not decide it.
    pub won: Option<bool>,
    /// The number of sequences of plays that do so; null if it is 2^63 or more, or the positions
    /// exceed the job's limit.
    pub winning: Option<i64>,
    /// The number of plays in the shortest of them; null if there is none or the positions exceed
    /// the job's limit.
    pub fewest: Option<i64>,
    /// The fewest stones outside the Ruma when play ends; null if the positions exceed the job's
    /// limit.
    pub left: Option<i64>,
    /// The pits of a winning sequence, counted from 1: the lexicographically first of the shortest,
    /// or any one if the positions exceed the job's limit.
    pub line: Option<String>,
    /// The number of positions with stones that play can reach; null if they exceed the job's
    /// limit.
    pub positions: Option<i64>,
}
}

impl TableRow for RingRow {
    const TABLE: &'static str = "rings";

    fn describe(row: &RingRow) -> String {
        row.position.clone()
    }
}
