//! The one place where a game and a way of playing become a ruleset and a valuation.

use cggames::game::{Convention, Game, GameVisitor, Manner, Play, PotGame};
use cgsolvers::{CanonicalForms, MisereNimValues, MisereOutcomes, NimValues};

use super::stored::Stored;

/// Code that is generic over rulesets and valuations.
pub(crate) trait Visitor {
    /// What [`visit`](Visitor::visit) returns.
    type Output;

    /// Works with a ruleset and a valuation.
    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output;
}

/// Calls the visitor with the ruleset and the valuation of a game and how it is played.
pub(crate) fn dispatch<T: Visitor>(game: Game, manner: Manner, visitor: T) -> T::Output {
    struct AsPlayed<T>(Manner, T);

    impl<T: Visitor> GameVisitor for AsPlayed<T> {
        type Output = T::Output;

        fn visit<R: PotGame>(self, ruleset: R) -> T::Output {
            let AsPlayed(Manner { play, convention }, visitor) = self;
            match (convention, play) {
                (Convention::Normal, Play::Partisan) => visitor.visit::<R, CanonicalForms>(ruleset),
                (Convention::Normal, Play::Impartial) => visitor.visit::<R, NimValues>(ruleset),
                (Convention::Misere, Play::Partisan) => visitor.visit::<R, MisereOutcomes>(ruleset),
                (Convention::Misere, Play::Impartial) => {
                    visitor.visit::<R, MisereNimValues>(ruleset)
                }
            }
        }
    }

    game.visit(AsPlayed(manner, visitor))
}
