//! Positions of a job's game by their keys, whichever ruleset it is.

use crate::board::row::Row;
use crate::board::{Key, PositionError};
use crate::game::{AtomicWari, Game, Ruleset, Sowing};

/// Finds the keys of a game's positions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keys {
    Sowing(Sowing),
    AtomicWari(AtomicWari),
}

impl Keys {
    pub(super) fn of(game: Game) -> Keys {
        match game {
            Game::Sowing => Keys::Sowing(Sowing),
            Game::AtomicWari { board_pots: None } => Keys::AtomicWari(AtomicWari::endless()),
            Game::AtomicWari {
                board_pots: Some(pots),
            } => Keys::AtomicWari(AtomicWari::on_board(pots)),
        }
    }

    /// Returns the key of a row's normal form, and whether it is the mirror image's: then the value
    /// belongs to the key with its sign changed.
    pub(super) fn key(self, row: &Row) -> Result<(Key, bool), PositionError> {
        fn key<R: Ruleset>(ruleset: &R, row: &Row) -> Result<(Key, bool), PositionError> {
            ruleset.key(&ruleset.position(row)?)
        }
        match self {
            Keys::Sowing(ruleset) => key(&ruleset, row),
            Keys::AtomicWari(ruleset) => key(&ruleset, row),
        }
    }
}
