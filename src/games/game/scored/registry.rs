//! The scored games and the variants of their rules.

use super::{Capture, Kalah, Scored, Wari};
use crate::game::UnknownName;

/// A scored game with its rules.
///
/// ```
/// use cggames::game::scored::{Scored, ScoredGame, Wari};
///
/// let game = ScoredGame::Wari(Wari::WARI);
/// assert_eq!(game.with_rules("awari"), Ok(ScoredGame::Wari(Wari::AWARI)));
/// assert_eq!(
///     game.with_rules("kalah").unwrap_err().to_string(),
///     "unknown rules \"kalah\"; accepted: wari, awari, oware"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredGame {
    /// Kalah.
    Kalah(Kalah),
    /// Wari or one of its variants.
    Wari(Wari),
}

/// Code that is generic over scored games.
pub trait ScoredVisitor {
    /// The result of [`visit`](ScoredVisitor::visit).
    type Output;

    /// Works with a game.
    fn visit<G: Scored>(self, game: G) -> Self::Output;
}

impl ScoredGame {
    /// Returns the key by which jobs and commands choose rules.
    pub fn key(self) -> &'static str {
        match self {
            ScoredGame::Kalah(_) => "capture",
            ScoredGame::Wari(_) => "rules",
        }
    }

    /// Returns the variants of the game's rules with their names, the usual rules first.
    pub fn all_rules(self) -> Vec<(&'static str, ScoredGame)> {
        let kalah = |capture| ScoredGame::Kalah(Kalah { capture });
        match self {
            ScoredGame::Kalah(_) => vec![
                ("empty", kalah(Capture::Empty)),
                ("standard", kalah(Capture::Standard)),
            ],
            ScoredGame::Wari(_) => vec![
                ("wari", ScoredGame::Wari(Wari::WARI)),
                ("awari", ScoredGame::Wari(Wari::AWARI)),
                ("oware", ScoredGame::Wari(Wari::OWARE)),
            ],
        }
    }

    /// Returns the name of the rules.
    pub fn rules(self) -> &'static str {
        let rules = self.all_rules().into_iter();
        let mut names = rules
            .filter(|&(_, game)| game == self)
            .map(|(name, _)| name);
        names.next().unwrap_or("other")
    }

    /// Returns the game by other rules.
    ///
    /// # Errors
    ///
    /// When the game has no rules of that name.
    pub fn with_rules(self, name: &str) -> Result<ScoredGame, UnknownName> {
        let rules = self.all_rules();
        let found = rules.iter().find(|(known, _)| *known == name);
        found.map(|&(_, game)| game).ok_or_else(|| {
            let names: Vec<&str> = rules.iter().map(|&(name, _)| name).collect();
            UnknownName {
                what: self.key(),
                found: name.to_owned(),
                accepted: names.join(", "),
            }
        })
    }

    /// Calls the visitor with the game.
    pub fn visit<V: ScoredVisitor>(self, visitor: V) -> V::Output {
        match self {
            ScoredGame::Kalah(game) => visitor.visit(game),
            ScoredGame::Wari(game) => visitor.visit(game),
        }
    }
}
