//! Table `codes`: one row for each code of a survey, in the order of the codes.

use std::sync::Arc;

use super::plain::plain_table;

plain_table! {
table "codes", batch Codes, row named by |row| format!("code {}", row.code);
/// One code: when its values become periodic, and how often each value occurs.
pub struct CodeRow {
    /// The code, such as 0.77.
    pub code: String,
    /// The name by which the game is known; null where it has none.
    pub name: Option<Arc<str>>,
    /// How heaps are added: disjunctive or obligated.
    pub sum: Arc<str>,
    /// The first code of the survey that has the same values; the code itself where none comes before it.
    pub equivalent: String,
    /// Whether the values are proved to be those of the equivalent code for all heaps, and not only up to verified_to.
    pub equivalent_proved: bool,
    /// The number of heaps before the period, from 0; null where no period was found.
    pub preperiod: Option<i64>,
    /// The length of the period, in heaps; null where no period was found.
    pub period: Option<i64>,
    /// What the nim-value grows by from period to period; null where no period was found, and under obligated sums.
    pub saltus: Option<i64>,
    /// The heap up to which, by the theorem that applies, the period must hold to hold for ever; null where no period was
    /// found or no theorem applies.
    pub bound: Option<i64>,
    /// Whether the period is proved: it holds up to the bound, and so for ever.
    pub proved: bool,
    /// The largest heap whose value was computed.
    pub verified_to: i64,
    /// The largest heap that counts and p_positions are about: the last one of the first period where that is proved, else
    /// verified_to.
    pub counted_to: i64,
    /// How many heaps from 0 to counted_to have each value: of nim-values from 0 on, of obligated values 00, 01, 10 and 11.
    pub counts: Vec<i64>,
    /// The heaps from 0 to counted_to that are P-positions under normal play, ascending.
    pub p_positions: Vec<i64>,
}
}
