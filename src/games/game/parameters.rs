//! What a game on pots takes beside its name.

use super::row_rules::RowRules;

/// The parameters of a game on pots; a game has those that its rules name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parameters {
    /// The width of the board, or `None` for the endless row.
    pub board_pots: Option<u32>,
    /// The rules, where they are not those of the game's name.
    pub rules: RowRules,
}

impl Parameters {
    /// The parameters of a game that is only named.
    pub const DEFAULT: Parameters = Parameters {
        board_pots: None,
        rules: RowRules::SOWING,
    };
}
