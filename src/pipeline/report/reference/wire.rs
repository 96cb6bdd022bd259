//! The shape of the files of published values; `data/reference/README.md` explains the keys. Only the
//! shape is checked here.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) game: String,
    pub(super) source: String,
    #[serde(default)]
    pub(super) partisan: Vec<Entry>,
    #[serde(default)]
    pub(super) impartial: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) impartial_cite: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) impartial_print: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) impartial_printed: BTreeMap<String, Printed>,
    #[serde(default)]
    pub(super) partisan_sequence: Vec<Sequence>,
    #[serde(default)]
    pub(super) impartial_sequence: Vec<Sequence>,
    #[serde(default)]
    pub(super) theorem: Vec<Theorem>,
    #[serde(default)]
    pub(super) sum: Vec<Sum>,
    pub(super) p_positions_of_octal_37: Option<PPositions>,
    pub(super) table_5: Option<Grid>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) position: String,
    pub(super) value: Option<Value>,
    pub(super) outcome: Option<String>,
    pub(super) same_as: Option<String>,
    pub(super) cite: String,
    pub(super) print: Option<String>,
    pub(super) printed: Option<Printed>,
    // Options are facts about rules, which the rulesets' tests check.
    #[serde(rename = "left_options")]
    _left_options: Option<Vec<String>>,
    #[serde(rename = "right_options")]
    _right_options: Option<Vec<String>>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Printed {
    pub(super) position: Option<String>,
    pub(super) value: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sequence {
    pub(super) pattern: String,
    pub(super) cite: String,
    pub(super) from: i64,
    pub(super) values: Vec<Value>,
    #[serde(default)]
    pub(super) print: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) printed: BTreeMap<String, Printed>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Theorem {
    pub(super) pattern: Option<String>,
    pub(super) law: Option<String>,
    pub(super) value: Option<String>,
    pub(super) atomic_weight: Option<String>,
    pub(super) followers_at_least: Option<String>,
    #[serde(default)]
    pub(super) least: BTreeMap<String, i64>,
    #[serde(default)]
    pub(super) except: Vec<BTreeMap<String, i64>>,
    pub(super) cite: String,
    #[serde(rename = "where")]
    _where: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
    #[serde(rename = "statement")]
    _statement: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sum {
    pub(super) position: String,
    pub(super) components: Vec<String>,
    pub(super) cite: String,
    pub(super) print: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PPositions {
    pub(super) heaps: Vec<u64>,
    pub(super) searched_below: u64,
    pub(super) cite: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    pub(super) pattern: String,
    pub(super) cite: String,
    pub(super) legend: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) weights: BTreeMap<String, i64>,
    pub(super) rows: Vec<String>,
}
