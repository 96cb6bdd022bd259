#![doc = include_str!("README.md")]

mod control;
mod followers;
mod genus;
mod heaps;
mod interned;
mod loopy;
mod memo;
mod misere;
mod misere_form;
mod moves;
pub mod nim_values;
pub mod obligated;
mod outcome;
mod processor;
pub mod quotient;
pub mod reference;
mod retrograde;
pub mod scores;
mod search;
pub mod sowing_graph;
pub mod sums;
pub mod sweep;
pub mod tchoukaillon;
pub mod tchuka_ruma;
mod valuation;

use bytesize::ByteSize;
use cggames::board::{Key, PositionError};
use cgvalues::ArenaError;
use thiserror::Error;

pub use cgvalues::Ending;
pub use control::{Control, Pause, StopReason};
pub use followers::{Followers, count_followers, count_followers_within};
pub use genus::{Genera, Genus, GenusWorker};
pub use loopy::{LoopyRows, LoopyValue, LoopyValues, infinite_text};
pub use memo::Memo;
pub use misere::MisereOutcomes;
pub use misere_form::{MisereForm, MisereFormWorker, MisereForms};
pub use moves::{MoveError, MoveValues, MoveWorker, move_endings};
pub use outcome::OutcomeSearch;
pub use processor::processor_features;
pub use retrograde::{Endings, endings};
pub use search::{Engine, Search, Shared};
pub use valuation::{
    CanonicalForms, CanonicalWorker, FormOf, Formed, LOOPY, MisereNimValues, NimValues,
    NimValuesUnder, Valuation, Word,
};

/// The reason why a position has no value.
#[derive(Debug, Error)]
pub enum EngineError {
    /// A follower is too large for seedbank.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A canonical form cannot be stored.
    #[error("position {position}: {source}")]
    Form {
        /// The position with this form.
        position: String,
        /// The arena's error.
        source: ArenaError,
    },
    /// A nim-value does not fit the narrow cells of a sweep.
    #[error(
        "position {position}: its nim-value is above 13, the greatest that a cell of four bits can hold; \
         give the sweep more memory, so that cells of a byte fit"
    )]
    NimValue {
        /// The position.
        position: String,
    },
    /// A position follows from itself, so that play need not end.
    #[error("position {position} follows from itself; the ruleset {ruleset} does not terminate")]
    Cycle {
        /// The position.
        position: String,
        /// The ruleset's name.
        ruleset: String,
    },
    /// Two values for one position: a bug or a damaged store.
    #[error(
        "position {position} has two values, {first} and {second} (raw); the store or the program \
         is at fault: check it with \"seedbank store verify\""
    )]
    Conflict {
        /// The position.
        position: String,
        /// The old value.
        first: u32,
        /// The new value.
        second: u32,
    },
    /// A search for the winner needs more memory than its budget.
    #[error(
        "the search for the winner of {position} + *{heap} fills its memory budget of {memory} with \
         {positions} positions; give it more memory"
    )]
    OutcomeMemory {
        /// The position.
        position: String,
        /// The nim heap added to it.
        heap: u8,
        /// The number of positions in its table.
        positions: u64,
        /// Its memory budget.
        memory: ByteSize,
    },
    /// The search was stopped.
    #[error("stopped early: {0}")]
    Stopped(StopReason),
    /// Values known from elsewhere cannot be read.
    #[error("known values cannot be read")]
    Known(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Values of positions that are known from elsewhere.
pub trait KnownValues: Sync {
    /// Returns the value of the position with this key, if it is known.
    ///
    /// # Errors
    ///
    /// When the values cannot be read. A value that may be wrong is never returned.
    fn known(&self, key: Key) -> Result<Option<Word>, EngineError>;
}

/// An empty source of known values.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingKnown;

impl KnownValues for NothingKnown {
    fn known(&self, _key: Key) -> Result<Option<Word>, EngineError> {
        Ok(None)
    }
}
