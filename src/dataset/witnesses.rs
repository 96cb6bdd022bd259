//! Table `witnesses`: one row for each value sought, with the first position that has it, if there is one.

use std::borrow::Cow;

use super::row::{TableRow, table_row};

table_row! {
/// What was sought, and its witness.
pub struct WitnessRow {
    /// What was sought: a value as the job writes it, or the conditions.
    pub sought: String,
    /// The values of the pattern's variables, one column each.
    pub variables: Vec<Option<i64>>,
    /// Whether any position within the space searched has it. If not, no position there has.
    pub found: bool,
    /// The witness: the first position that has it, in the order that the job chose; null where there is none.
    pub position: Option<String>,
    /// Its number of pots; null where there is no witness, as are all columns of it.
    pub pots: Option<i32>,
    /// Its number of seeds; null also where there are full pots, whose count is unknown.
    pub seeds: Option<i64>,
    /// Its number of blue seeds; null also where seeds have no colours.
    pub blue: Option<i64>,
    /// Its number of red seeds; null also where seeds have no colours.
    pub red: Option<i64>,
    /// The number of squares of a grid: its pots that hold seeds; null also of other positions.
    pub squares: Option<i32>,
    /// The number of its distinct followers, itself included; null where the job did not ask.
    pub followers: Option<i64>,
    /// Its value in CGSuite's notation; null also beyond 4,096 characters.
    pub value: Option<String>,
    /// The 128-bit digest of its value, as in table census; null where there is no witness.
    pub value_digest: Option<[u8; 16]>,
    /// What kind of value it is, as in table census; null where there is no witness.
    pub kind: Option<Cow<'static, str>> = label,
    /// The nim-value k of a value *k; null where the value is no nimber, or there is no witness.
    pub nim_value: Option<i32>,
    /// The mean, an exact dyadic rational; null where a 64-bit float is not exact or it was not computed, or there is no
    /// witness.
    pub mean: Option<f64>,
    /// The temperature, an exact dyadic rational (below zero for numbers); null as the mean is.
    pub temperature: Option<f64>,
    /// The birthday: the height of the canonical form's game tree, in moves; null where there is no witness.
    pub birthday: Option<i32>,
    /// The atomic weight in CGSuite's notation; null where the value has none, beyond 4,096 characters, and where there is
    /// no witness.
    pub atomic_weight: Option<String>,
    /// How many positions of the space searched have what was sought.
    pub count: i64,
    /// How many positions of the space come before the witness in the order that the job chose, and have been
    /// searched and do not have it; null where there is none, or where the order is by followers.
    pub searched_before: Option<i64>,
    /// How many positions have been searched in all: the size of the space.
    pub searched: i64,
}
}

impl TableRow for WitnessRow {
    const TABLE: &'static str = "witnesses";

    fn describe(row: &WitnessRow) -> String {
        format!("sought {:?}", row.sought)
    }
}
