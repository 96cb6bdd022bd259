//! Maintenance of a store that needs the rules of its games: recomputing samples, export, import.
//!
//! To the store a namespace is a name. Here it is a game, a way of playing and a version of the
//! rules, and a key is a position. Values of other versions or of unknown games are reported and
//! left alone.

mod deep;
mod export;
mod import;

use cggames::game::{Game, Manner, RowRules};
use serde::{Serialize, Serializer};
use thiserror::Error;
use valuestore::{Namespace, Reader, Store, StoreError};

use super::seal::namespace_of;
pub use deep::{DEEP_SAMPLE, DeepReport, DeepSample, WrongValue, verify_deep};
pub use export::{Exported, export};
pub use import::{ImportReport, import};

/// The longest notation of a value in a message. Unit: characters.
const VALUE_CHARS_MAX: usize = 200;

/// A namespace whose keys and values this program cannot read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("values of {namespace} are left alone: {reason}")]
pub struct UnknownNamespace {
    /// The namespace.
    pub namespace: Namespace,
    /// The part of its name that this program does not know.
    pub reason: String,
}

impl Serialize for UnknownNamespace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the game whose values a namespace holds, and how it is played.
///
/// # Errors
///
/// If this program does not know the game, or knows another version of its rules.
///
/// ```
/// use seedbank::game::{Game, Play};
/// use seedbank::evaluate::care::game_of;
/// use seedbank::store::Namespace;
///
/// let namespace = Namespace::new("atomic-wari/5", 1, "impartial");
/// let game = Game::ATOMIC_WARI.on_board(5).unwrap();
/// assert_eq!(game_of(&namespace)?, (game, Play::Impartial.into()));
/// let later = Namespace::new("sowing", 99, "partisan");
/// assert!(game_of(&later).unwrap_err().to_string().contains("version 1 of these rules"));
/// # Ok::<(), seedbank::evaluate::care::UnknownNamespace>(())
/// ```
pub fn game_of(namespace: &Namespace) -> Result<(Game, Manner), UnknownNamespace> {
    let unknown = |reason: String| UnknownNamespace {
        namespace: namespace.clone(),
        reason,
    };
    let manner: Manner = namespace
        .play
        .parse()
        .map_err(|error| unknown(format!("{error}")))?;
    let (name, board) = match namespace.ruleset.split_once('/') {
        None => (namespace.ruleset.as_str(), None),
        Some((name, board)) => (name, Some(board)),
    };
    let game: Game = name.parse().map_err(|error| unknown(format!("{error}")))?;
    let (rules, board) = match board.filter(|_| game.has_rules()) {
        None => (None, board),
        Some(text) => match text.split_once('/') {
            None => (Some(text), None),
            Some((rules, board)) => (Some(rules), Some(board)),
        },
    };
    let pots = board.map(|board| {
        let pots = board.parse().ok();
        let fits = pots.filter(|pots| (1..=Game::BOARD_POTS_MAX).contains(pots));
        fits.ok_or_else(|| unknown(format!("{board:?} is no width of a board")))
    });
    let game = match (rules, pots.transpose()?) {
        (Some(rules), pots) => {
            let rules: RowRules = rules.parse().map_err(|error| unknown(format!("{error}")))?;
            Game::of_rules(rules, pots).map_err(|error| unknown(error.to_string()))?
        }
        (None, Some(pots)) => (game.on_board(pots)).map_err(|error| unknown(error.to_string()))?,
        (None, None) => game,
    };
    let own = namespace_of(game, manner);
    if own == *namespace {
        return Ok((game, manner));
    }
    Err(unknown(if own.ruleset == namespace.ruleset {
        format!(
            "this program knows version {} of these rules",
            own.ruleset_version
        )
    } else {
        format!("this program would call these rules {}", own.ruleset)
    }))
}

/// Returns a reader of a namespace, all of whose segments have passed their checksums.
fn sound_reader(store: &Store, namespace: &Namespace) -> Result<Reader, StoreError> {
    let (reader, damaged) = store.reader(namespace).without_damaged();
    match damaged.into_iter().next() {
        None => Ok(reader),
        Some(error) => Err(error),
    }
}
