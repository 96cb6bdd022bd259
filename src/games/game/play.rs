//! The players and the ways of playing a game.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

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

    /// Returns the name that options and results use.
    pub fn name(self) -> &'static str {
        match self {
            Player::Left => "left",
            Player::Right => "right",
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Left => "Left",
            Player::Right => "Right",
        })
    }
}

/// The way a ruleset is played: each player with moves of their own, or both with all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// Left and Right move differently; values are canonical forms.
    Partisan,
    /// Both players have all moves; values are nimbers.
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

    /// Returns the players whose moves a player may make.
    pub fn movers(self, player: Player) -> &'static [Player] {
        match (self, player) {
            (Play::Impartial, _) => &Player::BOTH,
            (Play::Partisan, Player::Left) => &[Player::Left],
            (Play::Partisan, Player::Right) => &[Player::Right],
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The convention that decides whether the player who moves last wins or loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Convention {
    /// The player who moves last wins.
    #[default]
    Normal,
    /// The player who moves last loses.
    Misere,
}

impl Convention {
    /// Both conventions, normal play first.
    pub const ALL: [Convention; 2] = [Convention::Normal, Convention::Misere];

    /// Returns the name that jobs, commands and results use.
    pub fn name(self) -> &'static str {
        match self {
            Convention::Normal => "normal",
            Convention::Misere => "misere",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who may make which moves, and who wins.
///
/// ```
/// use cggames::game::{Convention, Manner, Play};
///
/// let manner: Manner = "misere impartial".parse()?;
/// assert_eq!((manner.play, manner.convention), (Play::Impartial, Convention::Misere));
/// assert_eq!(Manner::from(Play::Partisan).name(), "partisan");
/// # Ok::<(), cggames::game::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Manner {
    /// Who may make which moves.
    pub play: Play,
    /// Who wins.
    pub convention: Convention,
}

impl Manner {
    /// All manners, those of normal play first.
    pub const ALL: [Manner; 4] = [
        Manner::of(Play::Partisan, Convention::Normal),
        Manner::of(Play::Impartial, Convention::Normal),
        Manner::of(Play::Partisan, Convention::Misere),
        Manner::of(Play::Impartial, Convention::Misere),
    ];

    /// Returns the manner of this play under this convention.
    pub const fn of(play: Play, convention: Convention) -> Manner {
        Manner { play, convention }
    }

    /// Returns the name under which values are stored.
    pub fn name(self) -> &'static str {
        match (self.convention, self.play) {
            (Convention::Normal, play) => play.name(),
            (Convention::Misere, Play::Partisan) => "misere partisan",
            (Convention::Misere, Play::Impartial) => "misere impartial",
        }
    }
}

/// Normal play.
impl From<Play> for Manner {
    fn from(play: Play) -> Manner {
        Manner::of(play, Convention::Normal)
    }
}

impl FromStr for Manner {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Manner, UnknownName> {
        Manner::ALL
            .into_iter()
            .find(|manner| manner.name() == name)
            .ok_or_else(|| UnknownName {
                what: "way of playing",
                found: name.to_owned(),
                accepted: Manner::ALL.map(Manner::name).join(", "),
            })
    }
}

/// The error for an unknown name, such as that of a game or a way of playing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {what} {found:?}; accepted: {accepted}")]
pub struct UnknownName {
    /// The kind of thing named.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for play in Play::ALL {
            assert_eq!(play.name().parse(), Ok(play));
        }
        assert!("both".parse::<Play>().is_err());
    }
}
