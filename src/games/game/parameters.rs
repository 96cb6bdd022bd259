//! What a game on pots takes beside its name.

/// The parameters of a game on pots; a game has those that its rules name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parameters {
    /// The width of the board, or `None` for the endless row.
    pub board_pots: Option<u32>,
}

impl Parameters {
    /// The parameters of a game that is only named.
    pub const DEFAULT: Parameters = Parameters { board_pots: None };
}
