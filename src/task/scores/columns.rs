//! Tables `tiers`, `scores`, `starts` and `endgames`: scored games, in the order of their families.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::dataset::row::{TableRow, table_row};

table_row! {
/// All positions with equally many seeds: their margins, and where the least and the greatest are reached.
pub struct TierRow {
    /// The rules, such as empty or awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The number of positions.
    pub positions: i64,
    /// How many of them are positions from which play can be endless.
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
    /// How many positions have each of them.
    pub counts: Vec<i64>,
}
}

table_row! {
/// One position of a scored game: its margin and best moves.
pub struct ScoreRow {
    /// The position: the pits of the player to move, then the opponent's, both in the order of sowing.
    pub position: String,
    /// The rules, such as empty or awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The seeds that the player to move wins from here on less those that the opponent wins.
    pub margin: i64,
    /// The pits whose moves reach it, counted from 1, ascending; 0 is a pass. None where play is over.
    pub best_moves: Vec<i64>,
    /// Whether some play from here never ends: always false for Kalah.
    pub endless: bool,
}
}

table_row! {
/// One starting position of a scored game: its margin and what each first move is worth.
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
    /// The seeds that the first player wins less those that the second wins.
    pub margin: i64,
    /// The pits of the first moves, counted from 1, ascending.
    pub moves: Vec<i64>,
    /// The margin of the first player after each of them.
    pub move_margins: Vec<i64>,
    /// A line of best play, the first of equally good moves each time: pits from 1, + where the same player moves again; null where
    /// play need not end.
    pub line: Option<String>,
    /// The positions searched, all first moves and the line of best play included; 0 where all were scored.
    pub searched: i64,
    /// The greatest number of seeds of the positions scored before the search.
    pub scored_to: i64,
}
}

table_row! {
/// The endgames with some pits and seeds that one player decides alone, and the board of Tchoukaillon to compare them with.
pub struct EndgameRow {
    /// The rules, such as awari.
    pub rules: Arc<str>,
    /// The pits of a side.
    pub pits: i64,
    /// The seeds in the pits.
    pub seeds: i64,
    /// The number of positions in which the opponent has one of them.
    pub positions: i64,
    /// How many of these are determined: the player to move can win seeds with every move from there on, each time leaving the
    /// opponent one seed, until the own pits are empty.
    pub determined: i64,
    /// The first that is, in lexicographic order of the mover's pits; null where none is.
    pub first: Option<String>,
    /// The winning board of Tchoukaillon with a stone less, if bin 1 is empty and the pits are enough for the others; else null.
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
