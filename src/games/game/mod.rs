//! The rules of games: one file for each game, and one registry of all games ([`games`]).
//!
//! A [`Ruleset`] defines the positions, their normal forms and keys, and each player's options. It
//! knows nothing about values: the engine decides whether play is partisan or impartial.

#[macro_use]
mod on_strips;

mod any_order;
mod atomic_wari;
mod coloured_sowing;
mod grid_sowing;
pub mod heap;
pub mod impartial;
pub mod literal;
pub mod moves;
mod parameters;
#[cfg(test)]
mod pictures;
mod play;
mod pot_games;
pub mod reading;
mod reaping;
mod registry;
mod reverse_atomic_wari;
mod row_rules;
pub mod scored;
mod sowing;
pub mod sowing_graph;
mod sum;
mod surplus;
mod sweep;
pub mod tchoukaillon;
pub mod tchuka_ruma;

pub use any_order::AnyOrder;
pub use atomic_wari::{GoesOn, ReachableRows, Stopped, SupportGrid, SupportLevel};
pub use coloured_sowing::{COLOURED_SEEDS_MAX, ColouredStrip};
pub use grid_sowing::{GRID_SEEDS_MAX, GridPosition};
pub use literal::LiteralMove;
pub use parameters::Parameters;
pub use play::{Convention, Manner, Play, Player, UnknownName};
pub use pot_games::*;
pub use registry::*;
pub use row_rules::{Counts, Endless, First, Laps, NoRules, RowRules, Switch};
pub use sowing::sweep::{ByPots, BySeeds, Level, SowingGrid, SowingOrder};
pub use sum::SumKind;
pub use sweep::{SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepGrid, SweepOrder, Visit};

use self::reading::Reading;
use crate::board::{AnyBoard, Board, Key, PositionError, Shape, brief};

/// The rules of a game: its positions, their keys, and the options of each player.
///
/// To add a game, implement this trait and [`PotGame`] in a new file and add a line to the list of
/// games on pots (`game/pot_games.rs`). Play must end, and the docs must say why, unless the ruleset [says
/// otherwise](Ruleset::is_loopy).
pub trait Ruleset: Clone + Send + Sync + 'static {
    /// The written board of the game.
    type Board: Board;

    /// A position in working form, always normal up to the choice between it and its negative.
    type Position: Clone + Eq + std::hash::Hash + std::fmt::Debug + std::fmt::Display + Send + Sync;

    /// Returns the name under which values are stored, including the board.
    fn id(&self) -> String;

    /// Returns the version of the rules as implemented; it changes when any value could change.
    fn version(&self) -> u32;

    /// Returns whether play can return to a position, so that some positions may have loopy values
    /// and be drawn.
    ///
    /// The default is false.
    #[inline]
    fn is_loopy(&self) -> bool {
        false
    }

    /// Returns the normal form of a written position.
    ///
    /// # Errors
    ///
    /// When it is not a position of this game, or is too large for its keys.
    fn position(&self, board: &Self::Board) -> Result<Self::Position, PositionError>;

    /// Returns the written form of the position.
    fn board(&self, position: &Self::Position) -> Self::Board;

    /// Visits the player's options in a fixed order, each in normal form; duplicates may occur.
    ///
    /// # Errors
    ///
    /// When an option is too large to represent. No option after it is visited.
    fn each_option(
        &self,
        position: &Self::Position,
        player: Player,
        visit: &mut impl FnMut(&Self::Position),
    ) -> Result<(), PositionError>;

    /// Returns the number of options that [`each_option`](Ruleset::each_option) visits.
    ///
    /// The default makes the moves; a ruleset that can count without making them should do so.
    ///
    /// # Errors
    ///
    /// When an option is too large to represent.
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

    /// Returns the exact key of the position or of its negative, whichever represents both, and
    /// whether it is the negative's.
    ///
    /// # Errors
    ///
    /// When the position does not fit a key.
    fn key(&self, position: &Self::Position) -> Result<(Key, bool), PositionError>;

    /// Returns the keys of positions whose sum is the given one: its own or, if it is too long for
    /// a key, those of its components.
    ///
    /// # Errors
    ///
    /// When a component is too long for a key, too.
    fn summand_keys(&self, position: &Self::Position) -> Result<Vec<(Key, bool)>, PositionError> {
        if let Ok(key) = self.key(position) {
            return Ok(vec![key]);
        }
        let components = self.components(position);
        let keys = components.iter().map(|component| self.key(component));
        keys.collect()
    }

    /// Returns the position that has the key.
    fn position_of(&self, key: Key) -> Self::Position;

    /// Returns the position that has the key, or `None` if there is none: for keys read from a
    /// file, which may be any number.
    ///
    /// The default assumes that every number is a key.
    fn position_of_stored(&self, key: Key) -> Option<Self::Position> {
        Some(self.position_of(key))
    }

    /// Returns independent components whose sum equals the position: the position itself if no
    /// split is known, otherwise smaller positions, possibly none.
    ///
    /// The default knows of no split.
    fn components(&self, position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }

    /// Returns whether a search should [split](Ruleset::components) a follower. A search always
    /// splits the position it starts from.
    // PERF: one in 75 to 280 rows of Sowing splits, and a search that checked each row took 6 to 10
    // % longer.
    fn splits_follower(&self, _follower: &Self::Position) -> bool {
        false
    }

    /// Returns the sweeps through the game's rows, if any.
    ///
    /// The default has none.
    fn swept(&self) -> Option<&dyn Swept<Self::Position>> {
        None
    }

    /// Returns an order of the rows that play can reach from all rows of at most `pots` pots and
    /// `seeds` seeds, as [`ReachableRows::from_all`] does; `None` if there is none.
    ///
    /// The default has none.
    ///
    /// # Errors
    ///
    /// When `goes_on` returned false.
    fn reachable_rows(
        &self,
        pots: usize,
        seeds: usize,
        cells_max: u64,
        goes_on: &GoesOn,
    ) -> Result<Option<ReachableRows>, Stopped> {
        let _ = (pots, seeds, cells_max, goes_on);
        Ok(None)
    }

    /// Returns the number of cells of [`reachable_rows`](Ruleset::reachable_rows); `None` if there
    /// is no such order, or they are more than `cells_max`.
    ///
    /// The default has none.
    fn reachable_cells(&self, pots: usize, seeds: usize, cells_max: u64) -> Option<u64> {
        let _ = (pots, seeds, cells_max);
        None
    }
}

/// A game whose rows are numbered densely in an order that puts options first ([`SweepOrder`]).
pub trait Swept<P> {
    /// Returns the pots of a position if the orders of a sweep can number it, otherwise `None`.
    fn pots<'p>(&self, position: &'p P) -> Option<&'p [u8]>;
}

/// A ruleset of the registry, with all that jobs, commands, families and the reference engine need.
pub trait PotGame: Ruleset {
    /// The name that jobs, commands and results use.
    const NAME: &'static str;

    /// The rules and one move as a picture, in lines of at most 80 characters.
    const RULES: &'static str;

    /// The shape of its positions; if these are rows, that of the endless row.
    const SHAPE: Shape;

    /// The name of its file of published values, in `data/reference`; `None` if there are none.
    const PUBLISHED: Option<&'static str> = None;

    /// Whether the game is also played on boards of fixed width.
    const HAS_BOARDS: bool = false;

    /// The ways of playing that it has.
    const PLAYS: &'static [Play] = &Play::ALL;

    /// Returns the game with these parameters; it ignores those that it does not have.
    fn with(parameters: Parameters) -> Self;

    /// Returns the machine that reads moves on the endless row, pot by pot; `None` if there is none,
    /// or if play need not end, since proofs are by induction.
    ///
    /// The default has none.
    fn reading(&self) -> Option<Reading> {
        None
    }

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
    /// This is literal play, the specification of the ruleset: the rules applied word by word to a
    /// written board without endless ends. A row that is shorter than a board of fixed width stands
    /// at its left end, and its options have all pots of the board.
    fn literal_moves(&self, board: &Self::Board, player: Player) -> Vec<LiteralMove<Self::Board>>;

    /// Returns the boards after the player's moves, one for each legal move.
    fn literal_options(&self, board: &Self::Board, player: Player) -> Vec<Self::Board> {
        let moves = self.literal_moves(board, player).into_iter();
        moves.map(|literal| literal.option).collect()
    }

    /// Returns an estimate of the number of positions evaluated for a single position.
    ///
    /// The default is 1. Estimates decide the division into parts and the remaining time, never the
    /// content of a row.
    fn cost(board: &Self::Board) -> u64 {
        let _ = board;
        1
    }
}
