//! Table `quotients`: one row for each code, in the order of the codes.

use std::sync::Arc;

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// One code: its misère quotient, and whether it is proved for all heaps.
pub struct QuotientRow {
    /// The code, such as 0.77.
    pub code: String,
    /// The game's common name; null if it has none.
    pub name: Option<Arc<str>>,
    /// The largest heap of those that the quotient is that of, unless it is proved for all heaps.
    pub heap: i64,
    /// The number of elements of the misere quotient.
    pub order: i64,
    /// The number of elements in the P-portion.
    pub p_portion: i64,
    /// The number of elements that are their own squares.
    pub idempotents: i64,
    /// Whether the game is tame or wild: tame if its quotient is that of positions of Nim; null if neither is known.
    pub tameness: Option<Arc<str>>,
    /// The number of heaps before the period of the pretending function, from 0; null if no period is proved.
    pub preperiod: Option<i64>,
    /// The length of the period, in heaps; null if no period is proved.
    pub period: Option<i64>,
    /// Whether the quotient is proved to be that of all heaps.
    pub proved: bool,
    /// Why it is not proved; null if it is.
    pub reason: Option<String>,
    /// The certificate of a proved quotient, as JSON, which scripts/check_quotient.py checks; null if it is not proved.
    pub certificate: Option<String>,
}
}

impl TableRow for QuotientRow {
    const TABLE: &'static str = "quotients";

    fn describe(row: &QuotientRow) -> String {
        format!("code {}", row.code)
    }
}
