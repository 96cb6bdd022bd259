//! The registry: every game by its name, with its rules in words.
//!
//! Job specs, commands, help, families, literal play and stored values all look up their game here.

use super::heap::HeapRules;
use super::scored::{Capture, Kalah, ScoredGame, Wari};
use super::{Game, SumKind, heap, moves, scored, sowing_graph, sum, tchoukaillon, tchuka_ruma};

/// The games that are not played on pots.
const OTHERS: [GameEntry; 11] = [
    other("octal", heap::OCTAL_RULES, GameKind::Heaps(HeapRules::Code)),
    other(
        "grundy",
        heap::GRUNDY_RULES,
        GameKind::Heaps(HeapRules::Grundy),
    ),
    other(
        "subtraction",
        heap::SUBTRACTION_RULES,
        GameKind::Heaps(HeapRules::Subtraction),
    ),
    other(
        "disjunctive",
        sum::DISJUNCTIVE_RULES,
        GameKind::Sum(SumKind::Disjunctive),
    ),
    other(
        "obligated",
        sum::OBLIGATED_RULES,
        GameKind::Sum(SumKind::Obligated),
    ),
    other("tchoukaillon", tchoukaillon::RULES, GameKind::Tchoukaillon),
    other("tchuka-ruma", tchuka_ruma::RULES, GameKind::TchukaRuma),
    other("sowing-graph", sowing_graph::RULES, GameKind::SowingGraph),
    other(
        "kalah",
        scored::KALAH_RULES,
        GameKind::Scored(ScoredGame::Kalah(Kalah {
            capture: Capture::Empty,
        })),
    ),
    other(
        "wari",
        scored::WARI_RULES,
        GameKind::Scored(ScoredGame::Wari(Wari::WARI)),
    ),
    other("moves", moves::RULES, GameKind::Moves),
];

/// Returns every game, in the order of the documentation.
///
/// ```
/// let names: Vec<&str> = cggames::game::games().map(|game| game.name).collect();
/// assert_eq!(names[..2], ["sowing", "atomic-wari"]);
/// assert_eq!(names.last(), Some(&"moves"));
/// ```
pub fn games() -> impl Iterator<Item = GameEntry> {
    let on_pots = Game::ALL.iter().map(|&game| GameEntry {
        name: game.name(),
        rules: game.facts().rules,
        kind: GameKind::Pots(game),
    });
    on_pots.chain(OTHERS)
}

/// Returns how a game is played here that the registry has under another name, as a sentence;
/// `None` if no such game is known.
///
/// ```
/// use cggames::game::elsewhere;
///
/// let sentence = "awari is the game wari by the rules awari";
/// assert_eq!(elsewhere("awari").as_deref(), Some(sentence));
/// assert_eq!(elsewhere("chess"), None);
/// ```
pub fn elsewhere(name: &str) -> Option<String> {
    let by_rules = |entry: GameEntry| match entry.kind {
        GameKind::Scored(game) => game.with_rules(name).ok().map(|_| {
            let (game, key) = (entry.name, game.key());
            format!("the game {game} by the {key} {name}")
        }),
        _ => None,
    };
    let found = match name {
        "domineering" => {
            Some("the game grid-sowing with one seed in every pot, such as 11/11".to_owned())
        }
        "nim" | "wythoff" | "knight" | "checkers" => Some(format!(
            "a component of sums; choose the game disjunctive or obligated, and a sum such as {name}(2,3)"
        )),
        _ if heap::is_code_name(name) => Some(format!("the game octal with the code {name}")),
        _ => games().find_map(by_rules),
    };
    found.map(|found| format!("{name} is {found}"))
}

/// A line of the registry.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name that jobs and commands use.
    pub name: &'static str,
    /// The rules and one move as a picture, in lines of at most 80 characters.
    pub rules: &'static str,
    /// The kind of game.
    pub kind: GameKind,
}

/// The equipment of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameKind {
    /// Pots, in a row or a rectangle.
    Pots(Game),
    /// Heaps of tokens, with rules of this kind; see [`heap`].
    Heaps(HeapRules),
    /// A sum of this kind of components; see [`impartial`](super::impartial).
    Sum(SumKind),
    /// Boards of Tchoukaillon.
    Tchoukaillon,
    /// A ring of pits and a Ruma.
    TchukaRuma,
    /// Boards on the vertices of a directed graph.
    SowingGraph,
    /// Two rows of pits and a score, with the usual rules of the game.
    Scored(ScoredGame),
    /// A game of the user's own, by a file of its moves.
    Moves,
}

const fn other(name: &'static str, rules: &'static str, kind: GameKind) -> GameEntry {
    GameEntry { name, rules, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different() {
        let mut names: Vec<&str> = games().map(|game| game.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
