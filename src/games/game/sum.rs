//! Kinds of sums: the components in which a player may move.

use std::fmt;
use std::str::FromStr;

use super::UnknownName;

/// The rules of disjunctive sums, for the help.
pub(super) const DISJUNCTIVE_RULES: &str = "\
Disjunctive sums: a move is a move in one component; the others stay as they
are. Play ends when no component has a move left, and the player who cannot move
loses. The value is the nim-value. A throw in Kayles:

    kayles(5) + nim(3)  ->  kayles(1) + kayles(3) + nim(3)
";

/// The rules of obligated sums, for the help.
pub(super) const OBLIGATED_RULES: &str = "\
Obligated sums: a move in a component obliges both players to play there until
it has no move left; only then may another component be started. The player who
makes the last move wins in normal play and loses in misere play. Components
before \">\" must be finished first:

    kayles(5) + nim(3)  ->  kayles(1) + kayles(3) > nim(3)
";

/// The kinds of sums.
///
/// ```
/// use cggames::game::SumKind;
///
/// assert_eq!("obligated".parse(), Ok(SumKind::Obligated));
/// assert_eq!(SumKind::Disjunctive.to_string(), "disjunctive");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SumKind {
    /// A player moves in one component; play ends when no component has a move left (Sprague 1935,
    /// Grundy 1939).
    Disjunctive,
    /// A move in a component obliges both players to move there until no move is left in it; only
    /// then is another chosen (Ferguson, *Obligated sums of games*, section 1).
    Obligated,
}

impl SumKind {
    /// Both kinds.
    pub const ALL: [SumKind; 2] = [SumKind::Disjunctive, SumKind::Obligated];

    /// Returns the name that jobs, commands and results use.
    pub fn name(self) -> &'static str {
        match self {
            SumKind::Disjunctive => "disjunctive",
            SumKind::Obligated => "obligated",
        }
    }
}

impl fmt::Display for SumKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SumKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<SumKind, UnknownName> {
        let found = SumKind::ALL.into_iter().find(|sum| sum.name() == name);
        found.ok_or_else(|| UnknownName {
            what: "sum",
            found: name.to_owned(),
            accepted: SumKind::ALL.map(SumKind::name).join(", "),
        })
    }
}
