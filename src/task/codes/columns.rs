//! Table `codes`: one row for each code of a survey, in the order of the codes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// One code: when its values become periodic, and how often each value occurs.
#[derive(Serialize, Deserialize)]
pub struct CodeRow {
    /// The code, such as 0.77.
    pub code: String,
    /// The name by which the game is known; null where it has none.
    pub name: Option<Arc<str>>,
    /// How heaps are added: disjunctive or obligated, as in table heaps.
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
    /// The period is proved once the values of the heaps below this, from preperiod on, are those of heaps larger by the
    /// period; null where no period is proved.
    pub bound: Option<i64>,
    /// Whether the period is proved for all heaps.
    pub proved: bool,
    /// The values of the heaps below this were worked out, or checked one by one.
    pub verified_to: i64,
    /// How many heaps from 0 to the survey's heaps_max have each value, beyond verified_to by the period: of nim-values from
    /// 0 on, of obligated values 00, 01, 10 and 11.
    pub counts: Vec<i64>,
    /// The heaps that are P-positions under normal play, ascending: those below preperiod + period where that is proved,
    /// those below verified_to else; null under obligated sums where no period is proved.
    pub p_positions: Option<Vec<i64>>,
}
}

impl TableRow for CodeRow {
    const TABLE: &'static str = "codes";

    fn describe(row: &CodeRow) -> String {
        format!("code {}", row.code)
    }
}
