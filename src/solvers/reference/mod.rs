//! The reference engine, with which all other engines are compared.
//!
//! It is the specification, slow and obvious. Moves are made on the written row word by word from
//! the rules; values are trees of options, simplified by definition; outcomes come from winning and
//! losing positions. It uses no normal forms, no mirror images and no theorems. It shares with the
//! rulesets and the arena only the notation of rows and the games' [literal
//! play](Game::literal_options). The recursion is as deep as play is long, so it is for small rows.
//!
//! # Endless full pots
//!
//! Here `...e` and `e...` are expanded to S full pots, where S is the number of seeds in the pots
//! that are not full. No pot that can be sown from ever holds more than S seeds, so no sowing ends
//! more than S pots beyond the written ones. All further full pots are out of reach, and adding
//! them would not change play.

mod forms;
mod scores;

use std::collections::{HashMap, HashSet};

use cggames::board::AnyBoard;
use cggames::board::row::{Pot, Row};
use cggames::game::literal;
use cggames::game::{Game, Play, Player};
use cgvalues::OutcomeClass;
use thiserror::Error;

use super::Ending;
pub use forms::{ReferenceForm, ReferenceForms};
pub use scores::ReferenceScores;

/// The reason why a row is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReferenceError {
    /// Full pots in a game that has none.
    #[error("row {0} has full pots (e), which only Sowing has; write the number of seeds")]
    FullPots(String),
    /// More pots than the board has.
    #[error("row {row} has {found} pots, but the board has {board}; shorten it or widen the board")]
    OffBoard {
        /// The row.
        row: String,
        /// Its pots.
        found: usize,
        /// The board's pots.
        board: usize,
    },
    /// A board of another kind than the game's.
    #[error("{0} is no position of {1}, which is played on other boards")]
    OtherBoard(String, &'static str),
    /// Play need not end, so there is no value.
    #[error("row {0} has no value: one of its followers lies on a cycle")]
    Loopy(String),
}

/// A row with the player to move, and the way of playing.
type ToMove = (AnyBoard, Player, Play);

/// Evaluates the positions of one game by definition.
///
/// ```
/// use cggames::board::BoardKind;
/// use cgsolvers::reference::ReferenceEngine;
/// use cggames::game::{Game, Play};
/// use cgvalues::OutcomeClass;
///
/// let mut engine = ReferenceEngine::new(Game::SOWING);
/// let row = BoardKind::Row.read("11")?;
/// let value = engine.canonical(&row)?;
/// let zero = engine.forms_mut().canonical([], []);
/// assert_eq!(value, engine.forms_mut().canonical([zero], [zero])); // star
/// assert_eq!(engine.nim_value(&row)?, 1);
/// assert_eq!(engine.outcome(&row, Play::Partisan)?, OutcomeClass::Next);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReferenceEngine {
    game: Game,
    forms: ReferenceForms,
    values: HashMap<AnyBoard, ReferenceForm>,
    nim_values: HashMap<AnyBoard, u32>,
    wins: HashMap<ToMove, bool>,
    /// For a loopy game, whether play from a row always ends.
    ends: HashMap<AnyBoard, bool>,
    endings: HashMap<ToMove, Ending>,
}

impl ReferenceEngine {
    /// Returns an engine for the rules of the game.
    pub fn new(game: Game) -> ReferenceEngine {
        ReferenceEngine {
            game,
            forms: ReferenceForms::new(),
            values: HashMap::new(),
            nim_values: HashMap::new(),
            wins: HashMap::new(),
            ends: HashMap::new(),
            endings: HashMap::new(),
        }
    }

    /// Returns the table of forms of values.
    pub fn forms(&self) -> &ReferenceForms {
        &self.forms
    }

    /// Returns the table of forms of values, mutably, to build further forms.
    pub fn forms_mut(&mut self) -> &mut ReferenceForms {
        &mut self.forms
    }

    /// Returns the rows after the player's moves in partisan play, one for each legal move.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game.
    pub fn options(
        &self,
        row: &(impl Clone + Into<AnyBoard>),
        player: Player,
    ) -> Result<Vec<AnyBoard>, ReferenceError> {
        let written = self.written_out(row)?;
        let mut options = self.game.literal_options(&written, player);
        let row = row.clone().into();
        let AnyBoard::Row(row) = &row else {
            return Ok(options);
        };
        // Sowing does not shift pots, so the expanded ends can be removed again.
        let full = full_pots_in_reach(row);
        for option in &mut options {
            let AnyBoard::Row(option) = option else {
                continue;
            };
            if row.endless_left {
                option.pots.drain(..full);
            }
            if row.endless_right {
                option.pots.truncate(row.pots.len());
            }
            (option.endless_left, option.endless_right) = (row.endless_left, row.endless_right);
        }
        Ok(options)
    }

    /// Returns the canonical form of a row in partisan play.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game, or has no value.
    pub fn canonical(
        &mut self,
        row: &(impl Clone + Into<AnyBoard>),
    ) -> Result<ReferenceForm, ReferenceError> {
        let row = self.with_value(row)?;
        Ok(self.value(&row))
    }

    /// Returns the nim-value of a row in impartial play: the least that no option has.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game, or has no value.
    pub fn nim_value(
        &mut self,
        row: &(impl Clone + Into<AnyBoard>),
    ) -> Result<u32, ReferenceError> {
        let row = self.with_value(row)?;
        Ok(self.mex(&row))
    }

    /// Returns how play from a row ends for Left and for Right when they move first; play need not
    /// end.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game.
    pub fn endings(
        &mut self,
        row: &(impl Clone + Into<AnyBoard>),
        play: Play,
    ) -> Result<[Ending; 2], ReferenceError> {
        let row = self.written_out(row)?;
        if !self
            .endings
            .contains_key(&(row.clone(), Player::Left, play))
        {
            self.find_endings(&row, play);
        }
        Ok(Player::BOTH.map(|player| self.endings[&(row.clone(), player, play)]))
    }

    /// Returns who wins a row.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game, or has no value.
    pub fn outcome(
        &mut self,
        row: &(impl Clone + Into<AnyBoard>),
        play: Play,
    ) -> Result<OutcomeClass, ReferenceError> {
        let row = self.with_value(row)?;
        let left_wins = self.wins(&row, Player::Left, play);
        let right_wins = self.wins(&row, Player::Right, play);
        Ok(match (left_wins, right_wins) {
            (true, true) => OutcomeClass::Next,
            (false, false) => OutcomeClass::Previous,
            (true, false) => OutcomeClass::Left,
            (false, true) => OutcomeClass::Right,
        })
    }

    /// Returns the number of followers: the rows that some sequence of moves, possibly empty,
    /// reaches.
    ///
    /// The players need not alternate, so both ways of playing have the same followers. Rows that
    /// differ only in empty pots at the ends count once, unless the board is fixed. Mirror images,
    /// and different counts in pots that can no longer be sown from, count as different.
    ///
    /// # Errors
    ///
    /// When the row is not a position of the game.
    pub fn followers(&self, row: &(impl Clone + Into<AnyBoard>)) -> Result<usize, ReferenceError> {
        let row = self.written_out(row)?;
        Ok(self.all_followers(&row).len())
    }

    fn all_followers(&self, row: &AnyBoard) -> HashSet<AnyBoard> {
        let mut found = HashSet::new();
        let mut ahead = vec![row.clone()];
        while let Some(mut row) = ahead.pop() {
            self.normalise(&mut row);
            if !found.contains(&row) {
                ahead.extend(self.all_options(&row));
                found.insert(row);
            }
        }
        found
    }

    /// Strips the empty ends of a row that is not on a board of fixed width.
    fn normalise(&self, row: &mut AnyBoard) {
        if self.game.board_pots().is_none() {
            strip(row);
        }
    }

    /// Returns the [expanded](Self::written_out) row, if play from it always ends.
    fn with_value(
        &mut self,
        row: &(impl Clone + Into<AnyBoard>),
    ) -> Result<AnyBoard, ReferenceError> {
        let mut row = self.written_out(row)?;
        if self.game.is_loopy() {
            self.normalise(&mut row);
            if !self.ends.contains_key(&row) {
                self.find_ends(&row);
            }
            if !self.ends[&row] {
                return Err(ReferenceError::Loopy(row.to_string()));
            }
        }
        Ok(row)
    }

    /// Play from a row ends if it ends from all its options. Rows that repeated passes do not find
    /// in this way are loopy.
    fn find_ends(&mut self, row: &AnyBoard) {
        let mut open: Vec<(AnyBoard, Vec<AnyBoard>)> = self
            .all_followers(row)
            .into_iter()
            .map(|row| {
                let mut options = self.all_options(&row);
                options.iter_mut().for_each(|row| self.normalise(row));
                (row, options)
            })
            .collect();
        loop {
            let before = open.len();
            open.retain(|(row, options)| {
                let ends = options
                    .iter()
                    .all(|option| self.ends.get(option) == Some(&true));
                if ends {
                    self.ends.insert(row.clone(), true);
                }
                !ends
            });
            if open.len() == before {
                break;
            }
        }
        self.ends
            .extend(open.into_iter().map(|(row, _)| (row, false)));
    }

    /// Finds wins and losses from known ones in repeated passes; the remaining rows are draws.
    fn find_endings(&mut self, row: &AnyBoard, play: Play) {
        let mut rows: Vec<AnyBoard> = self.all_followers(row).into_iter().collect();
        rows.push(row.clone());
        let mut open: Vec<(ToMove, Vec<ToMove>)> = Vec::new();
        for row in rows {
            for player in Player::BOTH {
                let options = match play {
                    Play::Partisan => self.game.literal_options(&row, player),
                    Play::Impartial => self.all_options(&row),
                };
                let options = options.into_iter().map(|mut option| {
                    self.normalise(&mut option);
                    (option, player.opponent(), play)
                });
                open.push(((row.clone(), player, play), options.collect()));
            }
        }
        loop {
            let before = open.len();
            open.retain(|(position, options)| {
                let is = |option, ending| self.endings.get(option) == Some(&ending);
                let ending = if options.iter().any(|option| is(option, Ending::Loss)) {
                    Ending::Win
                } else if options.iter().all(|option| is(option, Ending::Win)) {
                    Ending::Loss
                } else {
                    return true;
                };
                self.endings.insert(position.clone(), ending);
                false
            });
            if open.len() == before {
                break;
            }
        }
        let draws = open
            .into_iter()
            .map(|(position, _)| (position, Ending::Draw));
        self.endings.extend(draws);
    }

    /// Returns the row with endless ends expanded to full pots, and with the empty pots of a fixed
    /// board.
    fn written_out(
        &self,
        board: &(impl Clone + Into<AnyBoard>),
    ) -> Result<AnyBoard, ReferenceError> {
        let board = board.clone().into();
        if board.kind() != self.game.shape().kind() {
            return Err(ReferenceError::OtherBoard(
                board.to_string(),
                self.game.name(),
            ));
        }
        let AnyBoard::Row(row) = &board else {
            return Ok(board);
        };
        let mut pots = row.pots.clone();
        if !self.game.shape().has_full_pots()
            && (row.endless_left || row.endless_right || pots.contains(&Pot::Full))
        {
            return Err(ReferenceError::FullPots(row.to_string()));
        }
        if let Some(board) = self.game.board_pots() {
            let (found, board) = (pots.len(), board as usize);
            if found > board {
                let row = row.to_string();
                return Err(ReferenceError::OffBoard { row, found, board });
            }
            pots.resize(board, Pot::Seeds(0));
        }
        let full = vec![Pot::Full; full_pots_in_reach(row)];
        if row.endless_left {
            pots = [&full[..], &pots].concat();
        }
        if row.endless_right {
            pots.extend(full);
        }
        let row = Row {
            pots,
            ..Row::default()
        };
        Ok(row.into())
    }

    fn value(&mut self, row: &AnyBoard) -> ReferenceForm {
        if let Some(&known) = self.values.get(row) {
            return known;
        }
        let [left, right] = Player::BOTH.map(|player| {
            let options = self.game.literal_options(row, player);
            let values = options.iter().map(|option| self.value(option));
            values.collect::<Vec<ReferenceForm>>()
        });
        let value = self.forms.canonical(left, right);
        self.values.insert(row.clone(), value);
        value
    }

    fn mex(&mut self, row: &AnyBoard) -> u32 {
        if let Some(&known) = self.nim_values.get(row) {
            return known;
        }
        let options = self.all_options(row);
        let found: HashSet<u32> = options.iter().map(|option| self.mex(option)).collect();
        let mut value = 0;
        while found.contains(&value) {
            value += 1;
        }
        self.nim_values.insert(row.clone(), value);
        value
    }

    /// Returns whether the player to move has a move after which the opponent does not win.
    fn wins(&mut self, row: &AnyBoard, player: Player, play: Play) -> bool {
        let position = (row.clone(), player, play);
        if let Some(&known) = self.wins.get(&position) {
            return known;
        }
        let options = match play {
            Play::Partisan => self.game.literal_options(row, player),
            Play::Impartial => self.all_options(row),
        };
        let wins = options
            .iter()
            .any(|option| !self.wins(option, player.opponent(), play));
        self.wins.insert(position, wins);
        wins
    }

    fn all_options(&self, row: &AnyBoard) -> Vec<AnyBoard> {
        let sides = Player::BOTH.map(|player| self.game.literal_options(row, player));
        sides.concat()
    }
}

/// Deletes the empty pots at the ends of a row of one colour; other boards keep theirs.
fn strip(board: &mut AnyBoard) {
    if let AnyBoard::Row(row) = board {
        literal::strip(row);
    }
}

/// Returns the number of full pots of an endless end that can ever be reached: one for each seed.
fn full_pots_in_reach(row: &Row) -> usize {
    let seeds = row.pots.iter().map(|pot| match pot {
        Pot::Seeds(seeds) => *seeds as usize,
        Pot::Full => 0,
    });
    seeds.sum()
}

#[cfg(test)]
mod tests;
