//! The games on pots, and the type of any of them.
//!
//! A [`Game`] is a ruleset chosen when the program runs; only [`Game::visit`] branches on it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::reading::{Reading, Unread};
use super::{Endless, LiteralMove, Parameters, Play, Player, PotGame, RowRules, UnknownName};
use crate::board::{AnyBoard, Board, Key, PositionError, RowShape, Shape};

/// Declares the games on pots: a constant of [`Game`] for each ruleset.
macro_rules! pot_games {
    ($($constant:ident: $module:ident::$ruleset:ident),+ $(,)?) => {
        $(pub use super::$module::$ruleset;)+

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        enum Kind {
            $($ruleset),+
        }

        impl Game {
            $(
                #[doc = concat!("The game of [`", stringify!($ruleset), "`](super::", stringify!($ruleset), ").")]
                pub const $constant: Game = Game { kind: Kind::$ruleset, parameters: Parameters::DEFAULT };
            )+

            /// All games on pots, without boards of fixed width.
            pub const ALL: &'static [Game] = &[$(Game::$constant),+];

            /// Calls the visitor with the game's ruleset.
            pub fn visit<V: GameVisitor>(self, visitor: V) -> V::Output {
                match self.kind {
                    $(Kind::$ruleset => visitor.visit($ruleset::with(self.parameters))),+
                }
            }

            pub(super) const fn facts(self) -> Facts {
                match self.kind {
                    $(Kind::$ruleset => Facts::of::<$ruleset>()),+
                }
            }
        }
    };
}

pot_games! {
    SOWING: sowing::Sowing,
    ATOMIC_WARI: atomic_wari::AtomicWari,
    REAPING: reaping::Reaping,
    REVERSE_ATOMIC_WARI: reverse_atomic_wari::ReverseAtomicWari,
    ROW_RULES: row_rules::RowGame,
    COLOURED_SOWING: coloured_sowing::ColouredSowing,
    GRID_SOWING: grid_sowing::GridSowing,
}

/// A game on pots: in a row, endless or on a board of fixed width, or in a rectangle.
///
/// ```
/// use cggames::game::Game;
///
/// let game: Game = "atomic-wari".parse()?;
/// assert_eq!(game, Game::ATOMIC_WARI);
/// assert_eq!(game.on_board(36)?.board_pots(), Some(36));
/// assert_eq!(
///     Game::SOWING.on_board(36).unwrap_err().to_string(),
///     "sowing has no board of fixed width"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Game {
    kind: Kind,
    parameters: Parameters,
}

/// Code that is generic over the rulesets of games on pots.
pub trait GameVisitor {
    /// The result of [`visit`](GameVisitor::visit).
    type Output;

    /// Works with a ruleset.
    fn visit<R: PotGame>(self, ruleset: R) -> Self::Output;
}

/// The reason why a game is not played on a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// The game has no boards.
    #[error("{0} has no board of fixed width")]
    NoBoard(&'static str),
    /// The board is empty or too wide.
    #[error("a board has 1 to {most} pots, not {pots}", most = Game::BOARD_POTS_MAX)]
    Pots {
        /// The pots.
        pots: u32,
    },
}

/// The error for a way of playing that a game lacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{game} is only played {play}")]
pub struct OtherPlay {
    /// The game.
    game: &'static str,
    /// The ways in which it is played.
    play: String,
}

impl OtherPlay {
    /// Returns the error of a way of playing that a game lacks.
    pub fn of(game: Game) -> OtherPlay {
        let plays: Vec<&str> = game.plays().iter().map(|play| play.name()).collect();
        OtherPlay {
            game: game.name(),
            play: plays.join(" or "),
        }
    }
}

/// The constants of a ruleset.
pub(super) struct Facts {
    name: &'static str,
    pub(super) rules: &'static str,
    shape: Shape,
    plays: &'static [Play],
    has_boards: bool,
    published: Option<&'static str>,
    cost: fn(&AnyBoard) -> u64,
}

impl Facts {
    const fn of<R: PotGame>() -> Facts {
        Facts {
            name: R::NAME,
            rules: R::RULES,
            shape: R::SHAPE,
            plays: R::PLAYS,
            has_boards: R::HAS_BOARDS,
            published: R::PUBLISHED,
            cost: |board| R::Board::of(board).map_or(1, R::cost),
        }
    }
}

impl Game {
    /// The widest board of fixed width.
    pub const BOARD_POTS_MAX: u32 = 120;

    /// Returns the name that jobs, commands and results use; the board is not part of it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the [version](super::Ruleset::version) of the rules.
    pub fn version(self) -> u32 {
        struct Version;

        impl GameVisitor for Version {
            type Output = u32;

            fn visit<R: PotGame>(self, ruleset: R) -> u32 {
                ruleset.version()
            }
        }

        self.visit(Version)
    }

    /// Returns [`PotGame::reading`] on the endless row.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn reading(self) -> Result<Reading, Unread> {
        struct ReadingOf;

        impl GameVisitor for ReadingOf {
            type Output = Option<Reading>;

            fn visit<R: PotGame>(self, ruleset: R) -> Option<Reading> {
                ruleset.reading()
            }
        }

        let game = self.name();
        match self.visit(ReadingOf) {
            _ if self.board_pots().is_some() => Err(Unread::Board { game }),
            Some(reading) => Ok(reading),
            None if self.has_rules() => Err(Unread::Circles { game }),
            None => Err(Unread::Game { game }),
        }
    }

    /// Returns [`PotGame::PUBLISHED`].
    pub fn published(self) -> Option<&'static str> {
        self.facts().published
    }

    /// Returns the names of all games on pots, separated by commas.
    pub fn names() -> String {
        let names: Vec<&str> = Game::ALL.iter().map(|game| game.name()).collect();
        names.join(", ")
    }

    /// Returns the names of the games whose moves are [read](Game::reading), separated by commas.
    pub fn names_read() -> String {
        let read = Game::ALL.iter().filter(|game| game.reading().is_ok());
        let names: Vec<&str> = read.map(|game| game.name()).collect();
        names.join(", ")
    }

    /// Returns the game on a board of fixed width.
    ///
    /// # Errors
    ///
    /// [`BoardError`] where there is no such board.
    pub fn on_board(self, pots: u32) -> Result<Game, BoardError> {
        if !self.facts().has_boards {
            return Err(BoardError::NoBoard(self.name()));
        }
        match pots {
            1..=Game::BOARD_POTS_MAX => Ok(Game {
                parameters: Parameters {
                    board_pots: Some(pots),
                    ..self.parameters
                },
                ..self
            }),
            _ => Err(BoardError::Pots { pots }),
        }
    }

    /// Returns the game by these rules of rows, on a board of that width or on the endless row.
    ///
    /// # Errors
    ///
    /// If rows can grow for ever.
    ///
    /// # Panics
    ///
    /// If the board is empty or wider than [`Game::BOARD_POTS_MAX`].
    pub fn of_rules(rules: RowRules, board_pots: Option<u32>) -> Result<Game, Endless> {
        if board_pots.is_none() {
            rules.check_endless()?;
        }
        let widths = 1..=Game::BOARD_POTS_MAX;
        assert!(
            board_pots.is_none_or(|pots| widths.contains(&pots)),
            "a board of fixed width has 1 to {} pots",
            Game::BOARD_POTS_MAX
        );
        Ok(Game {
            parameters: Parameters {
                board_pots,
                rules: rules.normal(),
            },
            ..Game::ROW_RULES
        })
    }

    /// Returns whether the game has rules of rows beside its name.
    pub fn has_rules(self) -> bool {
        self.kind == Game::ROW_RULES.kind
    }

    /// Returns the rules of rows, if the game has some.
    pub fn rules(self) -> Option<RowRules> {
        self.has_rules().then_some(self.parameters.rules)
    }

    /// Returns [`Ruleset::is_loopy`](super::Ruleset::is_loopy).
    pub fn is_loopy(self) -> bool {
        struct IsLoopy;

        impl GameVisitor for IsLoopy {
            type Output = bool;

            fn visit<R: PotGame>(self, ruleset: R) -> bool {
                ruleset.is_loopy()
            }
        }

        self.visit(IsLoopy)
    }

    /// Returns the board's width, or `None` on the endless row.
    pub fn board_pots(self) -> Option<u32> {
        self.parameters.board_pots
    }

    /// Returns the shape of the game's positions in normal form.
    pub fn shape(self) -> Shape {
        match self.facts().shape {
            Shape::Rows(shape) => Shape::Rows(RowShape {
                board_pots: self.board_pots(),
                ..shape
            }),
            other => other,
        }
    }

    /// Returns [`PotGame::PLAYS`].
    pub fn plays(self) -> &'static [Play] {
        self.facts().plays
    }

    /// Returns [`PotGame::cost`] of a position.
    pub fn cost(self, board: &AnyBoard) -> u64 {
        (self.facts().cost)(board)
    }

    /// Returns whether [sweeps](super::Ruleset::swept) value rows of the game.
    pub fn is_swept(self) -> bool {
        struct IsSwept;

        impl GameVisitor for IsSwept {
            type Output = bool;

            fn visit<R: PotGame>(self, ruleset: R) -> bool {
                ruleset.swept().is_some()
            }
        }

        self.visit(IsSwept)
    }

    /// Returns [`Ruleset::reachable_cells`](super::Ruleset::reachable_cells).
    pub fn reachable_cells(self, pots: usize, seeds: usize, cells_max: u64) -> Option<u64> {
        struct Cells(usize, usize, u64);

        impl GameVisitor for Cells {
            type Output = Option<u64>;

            fn visit<R: PotGame>(self, ruleset: R) -> Option<u64> {
                ruleset.reachable_cells(self.0, self.1, self.2)
            }
        }

        self.visit(Cells(pots, seeds, cells_max))
    }

    /// Returns [`PotGame::literal_moves`] of a board of the game's kind.
    ///
    /// ```
    /// use cggames::board::BoardKind;
    /// use cggames::game::{Game, Player};
    ///
    /// let moves = Game::SOWING.literal_moves(&BoardKind::Row.read("312")?, Player::Right);
    /// let places: Vec<_> = moves.iter().map(|m| (m.from, m.to, m.option.to_string())).collect();
    /// assert_eq!(places, [(1, 0, "402".to_owned()), (2, 0, "420".to_owned())]);
    /// # Ok::<(), cggames::board::AnyBoardError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the board is of another kind.
    pub fn literal_moves(self, board: &AnyBoard, player: Player) -> Vec<LiteralMove<AnyBoard>> {
        struct Literal<'a>(&'a AnyBoard, Player);

        impl GameVisitor for Literal<'_> {
            type Output = Vec<LiteralMove<AnyBoard>>;

            fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
                let board = R::Board::of(self.0).expect("a board of the game's kind");
                let moves = ruleset.literal_moves(board, self.1).into_iter();
                let any = moves.map(|literal| LiteralMove {
                    from: literal.from,
                    to: literal.to,
                    option: literal.option.into(),
                });
                any.collect()
            }
        }

        self.visit(Literal(board, player))
    }

    /// Returns the normal form of a board, which has the same value.
    ///
    /// # Errors
    ///
    /// When the board is not a position of the game.
    ///
    /// ```
    /// use cggames::board::BoardKind;
    /// use cggames::game::Game;
    ///
    /// let normal = Game::SOWING.normal(&BoardKind::Row.read("03120")?)?;
    /// assert_eq!(normal.to_string(), "312");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn normal(self, board: &AnyBoard) -> Result<AnyBoard, PositionError> {
        struct Normal<'a>(&'a AnyBoard);

        impl GameVisitor for Normal<'_> {
            type Output = Result<AnyBoard, PositionError>;

            fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
                let position = ruleset.position_on(self.0)?;
                Ok(ruleset.board(&position).into())
            }
        }

        self.visit(Normal(board))
    }

    /// Returns the boards that these moves lead to.
    ///
    /// # Panics
    ///
    /// If the board is of another kind.
    pub fn literal_options(self, board: &AnyBoard, player: Player) -> Vec<AnyBoard> {
        let moves = self.literal_moves(board, player).into_iter();
        moves.map(|literal| literal.option).collect()
    }

    /// Returns the key of a position's normal form, and whether it is the negative's: then the
    /// value belongs to the key with its sign changed.
    ///
    /// # Errors
    ///
    /// When the board is not a position of the game, or is too large for its keys.
    pub fn key(self, board: &AnyBoard) -> Result<(Key, bool), PositionError> {
        struct KeyOf<'a>(&'a AnyBoard);

        impl GameVisitor for KeyOf<'_> {
            type Output = Result<(Key, bool), PositionError>;

            fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
                ruleset.key(&ruleset.position_on(self.0)?)
            }
        }

        self.visit(KeyOf(board))
    }

    /// Returns the keys of positions whose sum is the one on a board: its own or, if it is too long
    /// for a key, those of its [components](super::Ruleset::components).
    ///
    /// # Errors
    ///
    /// When the board is not a position of the game, or a component is too long for a key.
    pub fn summand_keys(self, board: &AnyBoard) -> Result<Vec<(Key, bool)>, PositionError> {
        struct KeysOf<'a>(&'a AnyBoard);

        impl GameVisitor for KeysOf<'_> {
            type Output = Result<Vec<(Key, bool)>, PositionError>;

            fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
                ruleset.summand_keys(&ruleset.position_on(self.0)?)
            }
        }

        self.visit(KeysOf(board))
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Game {
    type Err = UnknownName;

    /// Reads a game's name; a game on rows is on the endless row.
    fn from_str(name: &str) -> Result<Game, UnknownName> {
        let found = Game::ALL.iter().find(|game| game.name() == name);
        found.copied().ok_or_else(|| UnknownName {
            what: "game",
            found: name.to_owned(),
            accepted: Game::names(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_an_unknown_one_lists_them() {
        for &game in Game::ALL {
            assert_eq!(game.name().parse(), Ok(game));
        }
        let error = "wari".parse::<Game>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("unknown game \"wari\"; accepted: {}", Game::names())
        );
        assert!(Game::names().starts_with("sowing, atomic-wari"));
    }
}
