//! What moves exist: one game, one file, and one registry of all games ([`games`]).
//!
//! A [`Ruleset`] says which positions there are, what their normal forms and keys are, and what
//! options each player has. It knows nothing of values: whether it is played partisan or impartial is
//! the engine's business.

#[macro_use]
mod on_strips;

mod atomic_wari;
mod coloured_sowing;
mod grid_sowing;
pub mod heap;
pub mod impartial;
pub(crate) mod literal;
#[cfg(test)]
mod pictures;
mod play;
pub mod reading;
mod reaping;
mod registry;
mod reverse_atomic_wari;
pub mod scored;
mod sowing;
pub mod sowing_graph;
mod sum;
pub mod tchoukaillon;
pub mod tchuka_ruma;

pub use coloured_sowing::{COLOURED_SEEDS_MAX, ColouredStrip};
pub use grid_sowing::{GRID_SEEDS_MAX, GridPosition};
pub use literal::LiteralMove;
pub use play::{Play, Player, UnknownName};
pub use registry::*;
pub use sowing::sweep::{
    ByPots, BySeeds, Grid, Level, SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepOrder, Visit,
};
pub use sum::SumKind;

use self::reading::Reading;
use crate::board::{AnyBoard, Board, Key, PositionError, Shape, brief};

/// The rules of a game: its positions, their keys, and the options of each player.
///
/// To add a game, implement this and [`PotGame`] in a file of its own and add a line to the registry
/// (`game/registry.rs`). Play must end, and the docs must say
/// why, unless the ruleset [says otherwise](Ruleset::IS_LOOPY).
pub trait Ruleset: Clone + Send + Sync + 'static {
    /// What the game is played on, as people write it.
    type Board: Board;

    /// Whether play can come back to a position, so that some positions have no value but the game may be drawn.
    const IS_LOOPY: bool = false;

    /// Whether a search [splits](Ruleset::components) followers, and not only the first position.
    // PERF: of rows of Sowing one in 75 to 280 splits, and a search that looked at each took 6 to 10 % longer.
    const FOLLOWERS_SPLIT: bool = false;

    /// A position in working form, always normal but for the choice between it and its negative.
    type Position: Clone + Eq + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Send + Sync;

    /// Returns the name under which values are stored, board included.
    fn id(&self) -> String;

    /// Returns the version of the rules as implemented; it changes when any value could change.
    fn version(&self) -> u32;

    /// Returns the normal form of a written position.
    ///
    /// # Errors
    ///
    /// When it is no position of this game, or too large for its keys.
    fn position(&self, board: &Self::Board) -> Result<Self::Position, PositionError>;

    /// Returns the position as it is written.
    fn board(&self, position: &Self::Position) -> Self::Board;

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

    /// Returns the negative: the position with Left's and Right's options exchanged.
    fn negative(&self, position: &Self::Position) -> Self::Position;

    /// Returns the exact key of the position or of its negative, whichever stands for both, and whether it is the
    /// negative's.
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

    /// Returns the sweeps through the game's rows, if there are any.
    ///
    /// The default has none.
    fn swept(&self) -> Option<&dyn Swept<Self::Position>> {
        None
    }
}

/// A game whose rows are numbered densely in an order that puts options first ([`SweepOrder`]).
pub trait Swept<P> {
    /// Returns the pots of a position that the orders of a sweep can number, or `None` for another position.
    fn pots<'p>(&self, position: &'p P) -> Option<&'p [u8]>;
}

/// The name of a file of published values, and its text as it was when the program was built.
pub type Published = (&'static str, &'static str);

/// A ruleset of the registry: what jobs, commands, families and the reference engine need of a game on pots.
pub trait PotGame: Ruleset {
    /// The name that jobs, commands and results use.
    const NAME: &'static str;

    /// The rules and one move as a picture, in lines of at most 80 characters.
    const RULES: &'static str;

    /// The shape of its positions, on the endless row where they are rows.
    const SHAPE: Shape;

    /// The file of published values in `data/reference`, and its text.
    const PUBLISHED: Published;

    /// How moves on the endless row are read, pot by pot; `None` where no machine does.
    const READING: Option<Reading> = None;

    /// Whether the game is also played on boards of fixed width.
    const HAS_BOARDS: bool = false;

    /// The ways of playing that it has.
    const PLAYS: &'static [Play] = &Play::ALL;

    /// Returns the game, on a board of that width or on the endless row.
    fn on(board_pots: Option<u32>) -> Self;

    /// Returns the normal form of a written position on a board of any kind.
    ///
    /// # Errors
    ///
    /// As [`position`](Ruleset::position); or when the board is of another kind than the game's.
    fn position_on(&self, board: &AnyBoard) -> Result<Self::Position, PositionError> {
        match Self::Board::of(board) {
            Some(board) => self.position(board),
            None => Err(PositionError::OtherBoard {
                game: Self::NAME,
                board: brief(board),
            }),
        }
    }

    /// Returns the player's legal moves.
    ///
    /// This is literal play, the specification of the ruleset: the rules as they are worded, on a board as it is written. A
    /// row that is shorter than a board of fixed width stands at its left end, and its options have all pots of the board.
    fn literal_moves(&self, board: &Self::Board, player: Player) -> Vec<LiteralMove<Self::Board>>;

    /// Returns the boards that the player's moves lead to, one for each legal move.
    fn literal_options(&self, board: &Self::Board, player: Player) -> Vec<Self::Board> {
        let moves = self.literal_moves(board, player).into_iter();
        moves.map(|literal| literal.option).collect()
    }

    /// Returns about how many positions it takes to evaluate a position by itself.
    ///
    /// The default is 1. Estimates decide where parts end and what time is left, never what a row of a table says.
    fn cost(board: &Self::Board) -> u64 {
        let _ = board;
        1
    }

    /// Returns whether [`cost`](PotGame::cost) is within a factor of three for positions of a pattern up to this one.
    ///
    /// By default it is not.
    fn is_cost_near(board: &Self::Board) -> bool {
        let _ = board;
        false
    }
}
