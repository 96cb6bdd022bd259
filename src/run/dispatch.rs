//! The one place where a game and a way of playing become a ruleset and a valuation.

use super::stored::Stored;
use crate::engine::{CanonicalForms, NimValues};
use crate::game::{AtomicWari, Game, Play, Ruleset, Sowing};

/// Something to be done with whatever ruleset and valuation there is.
pub(super) trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<R: Ruleset, V: Stored + Default>(self, ruleset: R) -> Self::Output;
}

/// Does something with the ruleset and the valuation of a game as it is played.
pub(super) fn dispatch<T: Visitor>(game: Game, play: Play, visitor: T) -> T::Output {
    match game {
        Game::Sowing => with_ruleset(Sowing, play, visitor),
        Game::AtomicWari { board_pots: None } => with_ruleset(AtomicWari::endless(), play, visitor),
        Game::AtomicWari {
            board_pots: Some(pots),
        } => with_ruleset(AtomicWari::on_board(pots), play, visitor),
    }
}

fn with_ruleset<R: Ruleset, T: Visitor>(ruleset: R, play: Play, visitor: T) -> T::Output {
    match play {
        Play::Partisan => visitor.visit::<R, CanonicalForms>(ruleset),
        Play::Impartial => visitor.visit::<R, NimValues>(ruleset),
    }
}
