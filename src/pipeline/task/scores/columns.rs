//! Tables `tiers`, `scores`, `starts` and `endgames`: scored games, in the order of their families.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// All positions with the same number of seeds: their margins, and where the least and the greatest
/// occur.
pub struct TierRow {
    /// The rules, such as empty or awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The number of positions.
    pub positions: i64,
    /// The number of positions from which play can be endless.
    pub endless: i64,
    /// The least margin of the player to move, in seeds.
    pub margin_least: i64,
    /// The first position that has it, in the order of table scores.
    pub least_at: String,
    /// The greatest margin of the player to move, in seeds.
    pub margin_greatest: i64,
    /// The first position that has it, in the order of table scores.
    pub greatest_at: String,
    /// The margins that occur, ascending.
    pub margins: Vec<i64>,
    /// The number of positions with each of these margins.
    pub counts: Vec<i64>,
}
}

table_row! {
/// One position of a scored game: its margin and best moves.
pub struct ScoreRow {
    /// The position: the pits of the player to move, then the opponent's, both in the order of
    /// sowing.
    pub position: String,
    /// The rules, such as empty or awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The seeds that the player to move wins from here on, minus those that the opponent wins.
    pub margin: i64,
    /// The pits whose moves reach it, counted from 1, ascending; 0 is a pass. Empty if play is
    /// over.
    pub best_moves: Vec<i64>,
    /// Whether some play from here never ends: always false for Kalah.
    pub endless: bool,
}
}

table_row! {
/// One starting position of a scored game: its margin and the margin of each first move.
#[derive(Serialize, Deserialize)]
pub struct StartRow {
    /// The pits of a side.
    pub pits: i64,
    /// The seeds of a pit.
    pub pit_seeds: i64,
    /// The rules, such as empty or awari.
    pub rules: Arc<str>,
    /// The position.
    pub position: String,
    /// The seeds that the first player wins minus those that the second wins.
    pub margin: i64,
    /// The pits of the first moves, counted from 1, ascending.
    pub moves: Vec<i64>,
    /// The margin of the first player after each of them.
    pub move_margins: Vec<i64>,
    /// A line of best play, each time the first of equally good moves: pits from 1, + if the same
    /// player moves again; null if play need not end.
    pub line: Option<String>,
    /// The number of positions searched, including all first moves and the line of best play; 0 if
    /// all were scored.
    pub searched: i64,
    /// The largest number of seeds for which positions were scored before the search.
    pub scored_to: i64,
}
}

table_row! {
/// The endgames with some pits and seeds that one player decides alone, and the board of
/// Tchoukaillon to compare them with.
pub struct EndgameRow {
    /// The rules, such as awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The number of positions in which the opponent has exactly one seed.
    pub positions: i64,
    /// The number of these that are determined: the player to move can win seeds with every move
    /// from there on, each time leaving the opponent one seed, until the own pits are empty.
    pub determined: i64,
    /// The first determined position, in lexicographic order of the mover's pits; null if there is
    /// none.
    pub first: Option<String>,
    /// The winning board of Tchoukaillon with one stone less, if bin 1 is empty and there are
    /// enough pits for the others; otherwise null.
    pub board: Option<String>,
    /// Whether that board is the only determined position, or there is neither.
    pub corresponds: bool,
}
}

impl TableRow for TierRow {
    const TABLE: &'static str = "tiers";

    fn describe(row: &TierRow) -> String {
        format!("{} seeds", row.seeds)
    }
}

impl TableRow for ScoreRow {
    const TABLE: &'static str = "scores";

    fn describe(row: &ScoreRow) -> String {
        row.position.clone()
    }
}

impl TableRow for StartRow {
    const TABLE: &'static str = "starts";

    fn describe(row: &StartRow) -> String {
        row.position.clone()
    }
}

impl TableRow for EndgameRow {
    const TABLE: &'static str = "endgames";

    fn describe(row: &EndgameRow) -> String {
        format!("{} pits a side, {} seeds", row.pits, row.seeds)
    }
}
