//! Table `laws`: one row for each law that was found in finished results.

use std::borrow::Cow;

use super::row::{TableRow, table_row};

table_row! {
/// A law: what it says, where, and how far it was checked.
pub struct LawRow {
    /// The job in whose result it was found; null where it is about columns of several.
    pub job: Option<Cow<'static, str>> = label,
    /// What its entries belong to: a pattern, a code, a graph; "between columns" where one column is given by others.
    pub subject: String,
    /// The law in words, with the places where it holds.
    pub law: String,
    /// The same in the mathematics of LaTeX.
    pub latex: String,
    /// The number of entries that it gives.
    pub entries: i64,
    /// How many of them were held out: the law was not found on them, but tested.
    pub tested: i64,
    /// The bits that it saves.
    pub bits: f64,
    /// The nearest place beyond the result that it gives; null where there is none.
    pub next: Option<String>,
    /// The entry that it predicts there; null where there is none.
    pub next_entry: Option<String>,
    /// How many entries beyond the result were computed and are as predicted; null where none were to be.
    pub held: Option<i64>,
    /// The last place of these; null where there is none.
    pub held_to: Option<String>,
    /// The place beyond the result whose entry refutes the law; null where there is none.
    pub refuted_at: Option<String>,
    /// The entry there; null where there is none.
    pub refuted_entry: Option<String>,
}
}

impl TableRow for LawRow {
    const TABLE: &'static str = "laws";

    fn describe(row: &LawRow) -> String {
        format!("law of {:?}", row.subject)
    }
}
