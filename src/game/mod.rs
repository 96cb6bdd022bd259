//! What moves exist: one ruleset, one file.
//!
//! A [`Ruleset`] says which positions there are, what their normal forms and keys are, and what
//! options each player has. It knows nothing of values: whether it is played partisan or impartial is
//! the engine's business.

mod atomic_wari;
mod game;
pub mod heap;
pub mod impartial;
mod rules;
mod sowing;
pub mod sowing_graph;
mod sum;
pub mod tchoukaillon;

pub use atomic_wari::AtomicWari;
pub use game::{Game, Play, Player, UnknownName};
pub use rules::RULES;
pub use sowing::Sowing;
pub use sowing::sweep::{
    ByPots, BySeeds, Grid, Level, SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepOrder, Visit,
};
pub use sum::SumKind;

use crate::board::row::Row;
use crate::board::{Key, PositionError};

/// The rules of a game: its positions, their keys, and the options of each player.
///
/// To add a game, implement this in a file of its own, add it to [`Game`], and run it through the
/// conformance suite (`tests/conformance.rs`). A ruleset must terminate, and its docs must say why.
///
/// All rulesets here are symmetric: the mirror image of a position has Left's and Right's options
/// exchanged.
pub trait Ruleset: Clone + Send + Sync + 'static {
    /// A position in working form, always normal but for the choice between it and its mirror image.
    type Position: Clone + Eq + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Send + Sync;

    /// Returns the name under which values are stored, board included.
    fn id(&self) -> String;

    /// Returns the version of the rules as implemented; it changes when any value could change.
    fn version(&self) -> u32;

    /// Returns the normal form of a written row.
    ///
    /// # Errors
    ///
    /// When the row is no position of this game, or too large for its keys.
    fn position(&self, row: &Row) -> Result<Self::Position, PositionError>;

    /// Returns the position as a row.
    fn row(&self, position: &Self::Position) -> Row;

    /// Visits the player's options in a fixed order, each in normal form; duplicates may occur.
    ///
    /// # Errors
    ///
    /// When an option is too large to be held. Nothing after it has been visited then.
    fn each_option(
        &self,
        position: &Self::Position,
        player: Player,
        visit: &mut impl FnMut(&Self::Position),
    ) -> Result<(), PositionError>;

    /// Returns how many options of the player [`each_option`](Ruleset::each_option) visits.
    ///
    /// The default makes the moves; rulesets that can count without making them should.
    ///
    /// # Errors
    ///
    /// When an option is too large to be held.
    fn count_options(
        &self,
        position: &Self::Position,
        player: Player,
    ) -> Result<usize, PositionError> {
        let mut count = 0;
        self.each_option(position, player, &mut |_| count += 1)?;
        Ok(count)
    }

    /// Returns the mirror image.
    fn mirror(&self, position: &Self::Position) -> Self::Position;

    /// Returns the exact key of the position or of its mirror image, whichever stands for both, and
    /// whether it is the mirror image's.
    ///
    /// # Errors
    ///
    /// When the position does not fit a key.
    fn key(&self, position: &Self::Position) -> Result<(Key, bool), PositionError>;

    /// Returns the position that has the key.
    fn position_of(&self, key: Key) -> Self::Position;

    /// Returns the position that has the key, or `None` where none has: for keys that were read from a file, and may be
    /// any number.
    ///
    /// The default is for rulesets all of whose keys are positions'.
    fn position_of_stored(&self, key: Key) -> Option<Self::Position> {
        Some(self.position_of(key))
    }

    /// Returns independent components whose sum the position is known to equal: itself alone where no split is known,
    /// else positions that are smaller, possibly none.
    ///
    /// The default knows of no split.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns the pots of a position that the orders of a sweep ([`SweepOrder`]) can number: a row of
    /// Sowing without endless ends.
    fn swept_pots<'p>(&self, position: &'p Self::Position) -> Option<&'p [u8]> {
        let _ = position;
        None
    }

    /// Returns the least count from which on all counts of the pot at `place`, from 0, of a row of
    /// `pots` are alike, or `None` where every count differs.
    fn seeds_cap(&self, pots: usize, place: usize) -> Option<u32> {
        let _ = (pots, place);
        None
    }
}
