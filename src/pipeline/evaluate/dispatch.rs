//! The one place where a game and a way of playing become a ruleset and a valuation.

use cggames::game::{Game, GameVisitor, Play, PotGame};
use cgsolvers::{CanonicalForms, NimValues};

use super::stored::Stored;

/// Code that is generic over rulesets and valuations.
pub(crate) trait Visitor {
    /// What [`visit`](Visitor::visit) returns.
    type Output;

    /// Works with a ruleset and a valuation.
    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output;
}

/// Calls the visitor with the ruleset and the valuation of a game and a way of playing.
pub(crate) fn dispatch<T: Visitor>(game: Game, play: Play, visitor: T) -> T::Output {
    struct AsPlayed<T>(Play, T);

    impl<T: Visitor> GameVisitor for AsPlayed<T> {
        type Output = T::Output;

        fn visit<R: PotGame>(self, ruleset: R) -> T::Output {
            let AsPlayed(play, visitor) = self;
            match play {
                Play::Partisan => visitor.visit::<R, CanonicalForms>(ruleset),
                Play::Impartial => visitor.visit::<R, NimValues>(ruleset),
            }
        }
    }

    game.visit(AsPlayed(play, visitor))
}
