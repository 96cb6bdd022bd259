//! Table `laws`: one row for each law found in finished results.

use std::borrow::Cow;

use super::row::{TableRow, table_row};

table_row! {
/// A law: its statement, its data, and how far it was checked.
pub struct LawRow {
    /// The job in whose result it was found; null if it relates columns of several jobs.
    pub job: Option<Cow<'static, str>> = label,
    /// What its entries belong to: a pattern, a code, a graph; "between columns" if it gives one
    /// column by others.
    pub subject: String,
    /// The law in words, with the places where it holds.
    pub law: String,
    /// The law in LaTeX.
    pub latex: String,
    /// The number of entries that it gives.
    pub entries: i64,
    /// The number of entries that were held out: the law was tested on them, not found on them.
    pub tested: i64,
    /// The bits that the law saves in describing the entries.
    pub bits: f64,
    /// The nearest place beyond the result that it gives; null if there is none.
    pub next: Option<String>,
    /// The entry that it predicts there; null if there is none.
    pub next_entry: Option<String>,
    /// The number of entries beyond the result that were computed and agree; null if none were to
    /// be computed.
    pub held: Option<i64>,
    /// The last place of these; null if there is none.
    pub held_to: Option<String>,
    /// The place beyond the result whose entry refutes the law; null if there is none.
    pub refuted_at: Option<String>,
    /// The entry there; null if there is none.
    pub refuted_entry: Option<String>,
}
}

impl TableRow for LawRow {
    const TABLE: &'static str = "laws";

    fn describe(row: &LawRow) -> String {
        format!("law of {:?}", row.subject)
    }
}
