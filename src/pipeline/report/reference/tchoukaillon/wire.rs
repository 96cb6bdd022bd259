//! The shape of the file of facts about boards.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) source: String,
    pub(super) boards: Boards,
    pub(super) facts: BTreeMap<String, String>,
    pub(super) examples: Examples,
    pub(super) sieve: Sieve,
    pub(super) reconstruct: Vec<Reconstruct>,
    pub(super) sowing_graphs: SowingGraphs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reconstruct {
    pub(super) fixed: BTreeMap<String, u64>,
    /// `none`, or a claim that there is one.
    pub(super) solution: Option<String>,
    pub(super) smallest_n: Option<u64>,
    pub(super) print: Option<String>,
    /// A board that the paper constructs, and the smallest one.
    pub(super) also: Option<u64>,
    pub(super) beta_34: Option<Vec<u32>>,
    pub(super) beta_202: Option<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SowingGraphs {
    #[serde(rename = "finite_iff")]
    pub(super) _finite_iff: String,
    #[serde(rename = "star")]
    pub(super) _star: String,
    pub(super) cycle_4_boards: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Boards {
    pub(super) rows: Vec<Vec<u32>>,
    pub(super) lengths: Vec<u64>,
    pub(super) shortest_n_of_length: Vec<u64>,
    pub(super) losing: Vec<Vec<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Examples {
    pub(super) board_15: Vec<u32>,
    pub(super) boards_of_length_6: Range,
    pub(super) beta_29: Vec<u32>,
    pub(super) c_29: Vec<u64>,
    pub(super) ctilde_29: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) n_from: u64,
    pub(super) n_to: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "the keys are those of the paper's table")]
pub(super) struct Sieve {
    pub(super) S2: Vec<u64>,
    pub(super) S3: Vec<u64>,
    pub(super) S4_some: BTreeMap<String, u64>,
    pub(super) S5: Vec<u64>,
    #[serde(rename = "rule")]
    pub(super) _rule: String,
}
