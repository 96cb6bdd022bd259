//! The transcript of a game, as it is written to a file.

use serde::{Deserialize, Serialize};

/// The transcript of a game: a JSON object whose keys are the fields, including those of the setting.
///
/// Each move leads from the position before it to the one after it, with which the next move begins. In a scored game a
/// position is seen by the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The game.
    #[serde(flatten)]
    pub setting: Setting,
    /// The position that the game began with.
    pub position: String,
    /// The person's player.
    pub person: String,
    /// The player who moved first.
    pub first: String,
    /// The moves, without those that were taken back.
    pub moves: Vec<TranscriptMove>,
    /// The number of times that the person took moves back.
    pub undone: u32,
    /// The result for the person: won, lost, drawn, resigned or unfinished.
    pub result: String,
    /// The player who has won, if one has.
    pub winner: Option<String>,
    /// The seeds by which the first of the two players has won a scored game that is over.
    pub margin: Option<i32>,
}

/// The game and the way of playing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The game, by the name that jobs use.
    pub game: String,
    /// The way of playing a game on pots: partisan or impartial.
    pub play: Option<String>,
    /// The width of the board, if it is fixed.
    pub pots: Option<u32>,
    /// The rules of a scored game.
    pub rules: Option<String>,
    /// Whether the last move wins (normal) or loses (misere); null in scored games.
    pub ending: Option<String>,
    /// The names of the two players.
    pub names: [String; 2],
}

/// A move of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptMove {
    /// The player.
    pub player: String,
    /// Whether the person made it, rather than the program.
    pub by_person: bool,
    /// The move in words, for example `pot 2 to 3`.
    #[serde(rename = "move")]
    pub act: String,
    /// The position before.
    pub before: String,
    /// The position after.
    pub after: String,
    /// The value before; null if there is none that can be shown.
    pub value_before: Option<String>,
    /// The value after.
    pub value_after: Option<String>,
    /// The result for the player with best play from then on: win, draw or loss; null in scored games.
    pub ending: Option<String>,
    /// The further margin of the player with best play; null in other games.
    pub margin: Option<i32>,
    /// Whether no other move was better; null if moves are not compared.
    pub best: Option<bool>,
    /// The seeds that it won.
    pub gain: u32,
    /// The hints that were given for it.
    pub hints: u32,
}
