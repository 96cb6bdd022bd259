//! Which game is played and how: the names that jobs, commands and results use.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Caps, RowShape};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Left, who sows to the right.
    Left,
    /// Right, who sows to the left.
    Right,
}

impl Player {
    /// Both players, Left first.
    pub const BOTH: [Player; 2] = [Player::Left, Player::Right];

    /// Returns the other player.
    pub fn opponent(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

/// The way a ruleset is played: each player with moves of their own, or both with all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// Left and Right move differently; values are canonical forms.
    Partisan,
    /// Whoever moves may use every move; values are nimbers.
    Impartial,
}

impl Play {
    /// Both ways of playing.
    pub const ALL: [Play; 2] = [Play::Partisan, Play::Impartial];

    /// Returns the name that jobs, commands and results use.
    pub fn name(self) -> &'static str {
        match self {
            Play::Partisan => "partisan",
            Play::Impartial => "impartial",
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that stands for no game or no way of playing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {what} {found:?}; accepted: {accepted}")]
pub struct UnknownName {
    /// What was being named.
    pub what: &'static str,
    /// The name found.
    pub found: String,
    /// The accepted names, separated by commas.
    pub accepted: String,
}

impl FromStr for Play {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Play, UnknownName> {
        Play::ALL
            .into_iter()
            .find(|play| play.name() == name)
            .ok_or_else(|| UnknownName {
                what: "way of playing",
                found: name.to_owned(),
                accepted: Play::ALL.map(Play::name).join(", "),
            })
    }
}

/// A game: a ruleset and its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Game {
    /// Sowing (Erickson 1996, section 2).
    Sowing,
    /// Atomic Wari (Erickson 1996, section 3).
    AtomicWari {
        /// The number of pots of the board; `None` is the endless row.
        board_pots: Option<u32>,
    },
}

impl Game {
    /// The names of all games.
    pub const NAMES: [&'static str; 2] = ["sowing", "atomic-wari"];

    /// The widest board of fixed width.
    pub const BOARD_POTS_MAX: u32 = 120;

    /// Returns the name that jobs, commands and results use; the board is not part of it.
    pub fn name(self) -> &'static str {
        match self {
            Game::Sowing => "sowing",
            Game::AtomicWari { .. } => "atomic-wari",
        }
    }

    /// Returns the shape of the game's rows in normal form.
    pub fn shape(self) -> RowShape {
        RowShape {
            board_pots: self.board_pots(),
            caps: match self {
                Game::Sowing => Caps::FartherEnd,
                Game::AtomicWari { .. } => Caps::Unlimited,
            },
        }
    }

    /// Returns the board's width, or `None` where the game has no board of fixed width.
    pub fn board_pots(self) -> Option<u32> {
        match self {
            Game::Sowing => None,
            Game::AtomicWari { board_pots } => board_pots,
        }
    }
}

impl FromStr for Game {
    type Err = UnknownName;

    /// Reads a game's name, on the endless row.
    fn from_str(name: &str) -> Result<Game, UnknownName> {
        match name {
            "sowing" => Ok(Game::Sowing),
            "atomic-wari" => Ok(Game::AtomicWari { board_pots: None }),
            _ => Err(UnknownName {
                what: "game",
                found: name.to_owned(),
                accepted: Game::NAMES.join(", "),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for play in Play::ALL {
            assert_eq!(play.name().parse(), Ok(play));
        }
        for name in Game::NAMES {
            assert_eq!(name.parse::<Game>().unwrap().name(), name);
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "wari".parse::<Game>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown game \"wari\"; accepted: sowing, atomic-wari"
        );
        assert!("both".parse::<Play>().is_err());
    }
}
