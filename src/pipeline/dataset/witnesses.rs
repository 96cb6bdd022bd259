//! Table `witnesses`: one row for each value sought, with the first position that has it, if there
//! is one.

use std::borrow::Cow;

use super::row::{TableRow, table_row};

table_row! {
/// A value or condition sought, and its witness.
pub struct WitnessRow {
    /// The value sought, as the job writes it, or the conditions.
    pub sought: String,
    /// The values of the pattern's variables, one column each.
    pub variables: Vec<Option<i64>>,
    /// Whether any position within the space searched has it. If not, no position there has.
    pub found: bool,
    /// The witness: the first position that has it, in the order that the job chose, or the negative
    /// of that position; null if there is none.
    pub position: Option<String>,
    /// Its number of pots; null if there is no witness, as are all columns of it.
    pub pots: Option<i32>,
    /// Its number of seeds; null also if there are full pots, whose count is unknown.
    pub seeds: Option<i64>,
    /// Its number of blue seeds; null also if seeds have no colours.
    pub blue: Option<i64>,
    /// Its number of red seeds; null also if seeds have no colours.
    pub red: Option<i64>,
    /// The number of squares of a grid, which are its pots that hold seeds; null also for other
    /// positions.
    pub squares: Option<i32>,
    /// The number of its distinct followers, itself included; null unless the job requests it.
    pub followers: Option<i64>,
    /// Its value in CGSuite's notation; null also beyond 4,096 characters.
    pub value: Option<String>,
    /// The 128-bit digest of its value, as in table census; null if there is no witness.
    pub value_digest: Option<[u8; 16]>,
    /// The kind of value, as in table census; null if there is no witness.
    pub kind: Option<Cow<'static, str>> = label,
    /// The nim-value k of a value *k; null if the value is no nimber, or there is no witness.
    pub nim_value: Option<i32>,
    /// The mean, an exact dyadic rational; null if a 64-bit float is not exact or it was not
    /// computed, or there is no witness.
    pub mean: Option<f64>,
    /// The temperature, an exact dyadic rational (below zero for numbers); null like the mean.
    pub temperature: Option<f64>,
    /// The birthday: the height of the canonical form's game tree, in moves; null if there is no
    /// witness.
    pub birthday: Option<i32>,
    /// The atomic weight in CGSuite's notation; null if the value has none, beyond 4,096
    /// characters, and if there is no witness.
    pub atomic_weight: Option<String>,
    /// The number of positions in the space searched that have what was sought, or stand for a
    /// negative that has it.
    pub count: i64,
    /// The number of positions in the space that precede the witness in the job's order; they were
    /// searched and do not have what was sought; null if there is no witness, or if the order is by
    /// followers.
    pub searched_before: Option<i64>,
    /// The number of positions searched: the size of the space.
    pub searched: i64,
}
}

impl TableRow for WitnessRow {
    const TABLE: &'static str = "witnesses";

    fn describe(row: &WitnessRow) -> String {
        format!("sought {:?}", row.sought)
    }
}
