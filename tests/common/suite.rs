//! The suite that every ruleset passes: its positions, keys and options agree with literal play.
//!
//! The first law that fails ends the suite with an error, whose text begins with the law's name.

use std::collections::{BTreeMap, HashMap};

use seedbank::board::row::{Pot, Row};
use seedbank::board::{AnyBoard, Board, Key};
use seedbank::game::{Player, Ruleset};
use seedbank::value::{Arena, ValueId};

use super::naive::{Evaluator, NaiveValues, SameForm, options};
use super::rows::seeds;

/// Longer than any play of the small rows tried here.
const PLAY_MAX: usize = 200;

/// The effect of a move on the number of seeds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Seeds {
    /// The number stays the same, except that an endless end swallows seeds.
    Kept,
    /// Pots of two or three are captured, a chain of them at once, or none.
    CapturedByTwoOrThree,
    /// The seeds of one pot are captured.
    OnePotCaptured,
    /// The number never grows; nothing else is known.
    NeverMore,
}

/// Makes a player's legal moves from a board.
pub(crate) type Moves<'a, B> = &'a dyn Fn(&B, Player) -> Vec<B>;

/// Counts a player's legal moves from a board without making them.
pub(crate) type CountMoves<'a, B> = &'a dyn Fn(&B, Player) -> usize;

/// A ruleset, and independent knowledge about it.
pub(crate) struct Subject<'a, R: Ruleset> {
    pub(crate) ruleset: R,
    /// The boards to start from.
    pub(crate) rows: Vec<R::Board>,
    /// The boards that literal play reaches in one move, one for each legal move.
    pub(crate) moves: Moves<'a, R::Board>,
    pub(crate) count: CountMoves<'a, R::Board>,
    /// The board on which each player has the other's moves.
    pub(crate) negative: &'a dyn Fn(&R::Board) -> R::Board,
    pub(crate) seeds: Seeds,
    /// The least count from which on a pot's counts are indistinguishable, by the number of pots
    /// and the pot's place.
    pub(crate) cap: &'a dyn Fn(usize, usize) -> Option<u32>,
}

/// Checks all laws on all rows and their followers, and returns the number of positions checked.
pub(crate) fn check<R: Ruleset>(subject: &Subject<R>) -> Result<usize, String> {
    let ruleset = &subject.ruleset;
    let arena = Arena::new();
    let mut suite = Suite {
        subject,
        arena: &arena,
        evaluator: Evaluator::new(ruleset, &arena),
        naive: NaiveValues::new(subject.moves),
        same: SameForm::default(),
        keys: HashMap::new(),
        heights: HashMap::new(),
    };
    for row in &subject.rows {
        let position = suite.position(row)?;
        suite.play_ends(&position, 0)?;
    }
    for row in &subject.rows {
        suite.row_is_its_normal_form(row)?;
        suite.counts_from_the_cap_on_are_alike(row)?;
    }
    let mut positions: Vec<R::Position> = suite.heights.keys().cloned().collect();
    positions.sort_by_key(|position| (position.to_string().len(), position.to_string()));
    for position in &positions {
        suite.position_reads_back(position)?;
        suite.key_reads_back(position)?;
        suite.negative_is_the_other_side(position)?;
        suite.options_are_as_ruled(position)?;
        suite.seeds_are_as_ruled(position)?;
        // tests/loopy.rs compares values of positions that may have none.
        if !ruleset.is_loopy() {
            suite.value_is_as_defined(position)?;
            suite.components_make_the_whole(position)?;
        }
    }
    Ok(positions.len())
}

struct Suite<'a, R: Ruleset> {
    subject: &'a Subject<'a, R>,
    arena: &'a Arena,
    evaluator: Evaluator<'a, R>,
    naive: NaiveValues<'a, R::Board>,
    same: SameForm,
    keys: HashMap<Key, R::Position>,
    /// The length of the longest play from each position; `None` while it is being computed.
    heights: HashMap<R::Position, Option<usize>>,
}

impl<R: Ruleset> Suite<'_, R> {
    fn position(&self, row: &R::Board) -> Result<R::Position, String> {
        let position = self.subject.ruleset.position(row);
        position.map_err(|error| format!("position: {row}: {error}"))
    }

    fn row(&self, position: &R::Position) -> R::Board {
        self.subject.ruleset.board(position)
    }

    fn options(&self, position: &R::Position, player: Player) -> Result<Vec<R::Position>, String> {
        options(&self.subject.ruleset, position, player)
    }

    fn play_ends(&mut self, position: &R::Position, moves_made: usize) -> Result<usize, String> {
        match self.heights.get(position) {
            Some(Some(height)) => return Ok(*height),
            Some(None) if self.subject.ruleset.is_loopy() => return Ok(0),
            Some(None) => return Err(format!("termination: play returns to {position}")),
            None => {}
        }
        if moves_made > PLAY_MAX {
            return Err(format!(
                "termination: play reaches {position} after {PLAY_MAX} moves"
            ));
        }
        self.heights.insert(position.clone(), None);
        let mut height = 0;
        for player in Player::BOTH {
            for option in self.options(position, player)? {
                height = height.max(1 + self.play_ends(&option, moves_made + 1)?);
            }
        }
        self.heights.insert(position.clone(), Some(height));
        Ok(height)
    }

    /// A written row and its normal form are the same game and have the same options.
    fn row_is_its_normal_form(&mut self, row: &R::Board) -> Result<(), String> {
        let text = row.to_string();
        law(
            text.parse().is_ok_and(|read: R::Board| read == *row),
            || format!("notation: {text} reads back differently"),
        )?;
        let position = self.position(row)?;
        if !self.subject.ruleset.is_loopy() {
            let normal = self.row(&position);
            let values = (self.naive.value(row), self.naive.value(&normal));
            law(values.0 == values.1, || {
                format!("normal form: {row} and its normal form {position} differ in value")
            })?;
        }
        for player in Player::BOTH {
            self.same_options(row, &position, player)?;
        }
        Ok(())
    }

    fn same_options(
        &self,
        row: &R::Board,
        position: &R::Position,
        player: Player,
    ) -> Result<(), String> {
        let literal = (self.subject.moves)(row, player);
        let literal = literal.iter().map(|option| self.position(option));
        let expected = tally(literal.collect::<Result<Vec<_>, _>>()?);
        let found = tally(self.options(position, player)?);
        law(expected == found, || {
            format!(
                "options: {player:?} moves from {row} to {expected:?}, but from its normal form \
                 {position} to {found:?}"
            )
        })
    }

    fn counts_from_the_cap_on_are_alike(&self, board: &R::Board) -> Result<(), String> {
        let board: AnyBoard = board.clone().into();
        let Some(row) = board.row() else {
            return Ok(());
        };
        for place in 0..row.pots.len() {
            let Some(cap) = (self.subject.cap)(row.pots.len(), place) else {
                return Ok(());
            };
            // All other pots hold seeds, so that no pot is stripped or merges with an end.
            let with = |seeds| {
                let mut other = row.clone();
                other.pots.fill(Pot::Seeds(1));
                other.pots[place] = Pot::Seeds(seeds);
                self.position(&of_row::<R>(other))
            };
            for more in [1, 2, 17] {
                law(with(cap)? == with(cap + more)?, || {
                    format!(
                        "cap: {cap} and {} seeds at {place} of {row} differ",
                        cap + more
                    )
                })?;
            }
            let fewer = cap - 1;
            law(
                cap == 1 || self.literal_play_tells(row, place, fewer, cap),
                || format!("cap: {fewer} seeds at {place} of {row} are as good as {cap}"),
            )?;
            law(with(cap)? != with(fewer)?, || {
                format!("cap: {fewer} and {cap} seeds at {place} of {row} are alike")
            })?;
        }
        Ok(())
    }

    /// Returns whether literal play distinguishes one count from another among some neighbours.
    fn literal_play_tells(&self, row: &Row, place: usize, one: u32, other: u32) -> bool {
        [0, 1].into_iter().any(|filling| {
            let moves = |seeds| {
                let mut row = row.clone();
                row.pots.fill(Pot::Seeds(filling));
                row.pots[place] = Pot::Seeds(seeds);
                let row = of_row::<R>(row);
                Player::BOTH.map(|player| (self.subject.moves)(&row, player).len())
            };
            moves(one) != moves(other)
        })
    }

    fn position_reads_back(&self, position: &R::Position) -> Result<(), String> {
        let again = self.position(&self.row(position))?;
        law(again == *position, || {
            format!("idempotence: the normal form {position} has the normal form {again}")
        })?;
        let text = position.to_string();
        let read: R::Board = text
            .parse()
            .map_err(|error| format!("notation: {text}: {error}"))?;
        let again = self.position(&read)?;
        law(again == *position, || {
            format!("notation: {position} reads back as {again}")
        })
    }

    fn key_reads_back(&mut self, position: &R::Position) -> Result<(), String> {
        let ruleset = &self.subject.ruleset;
        let key = |position| {
            ruleset
                .key(position)
                .map_err(|error| format!("key: {error}"))
        };
        let (code, negated) = key(position)?;
        let back = ruleset.position_of(code);
        let expected = if negated {
            ruleset.negative(position)
        } else {
            position.clone()
        };
        law(back == expected, || {
            format!("key: {position} (negated: {negated}) reads back as {back}")
        })?;
        let (negative_code, _) = key(&ruleset.negative(position))?;
        law(negative_code == code, || {
            format!("key: {position} and its negative have keys {code:#x} and {negative_code:#x}")
        })?;
        let first = self.keys.entry(code).or_insert_with(|| position.clone());
        law(
            first == position || *first == ruleset.negative(position),
            || format!("key: {first} and {position} share {code:#x}"),
        )
    }

    fn negative_is_the_other_side(&self, position: &R::Position) -> Result<(), String> {
        let ruleset = &self.subject.ruleset;
        let negative = ruleset.negative(position);
        law(ruleset.negative(&negative) == *position, || {
            format!("negative: that of the negative of {position} is another position")
        })?;
        let expected = self.position(&(self.subject.negative)(&self.row(position)))?;
        law(negative == expected, || {
            format!("negative: that of {position} is {negative}; as written it is {expected}")
        })?;
        for player in Player::BOTH {
            let options = self.options(position, player)?;
            let negatives = tally(options.iter().map(|option| ruleset.negative(option)));
            let found = tally(self.options(&negative, player.opponent())?);
            law(negatives == found, || {
                format!(
                    "negative: {player:?}'s options of {position} have the negatives {negatives:?}, but \
                     the opponent moves from {negative} to {found:?}"
                )
            })?;
        }
        Ok(())
    }

    fn options_are_as_ruled(&self, position: &R::Position) -> Result<(), String> {
        let row = self.row(position);
        for player in Player::BOTH {
            self.same_options(&row, position, player)?;
            let (options, count) = (
                self.options(position, player)?,
                (self.subject.count)(&row, player),
            );
            law(options.len() == count, || {
                format!("count: {player:?} has {count} moves from {position}, not {options:?}")
            })?;
            let counted = self.subject.ruleset.count_options(position, player);
            law(counted == Ok(count), || {
                format!("count: {player:?} has {count} moves from {position}, not {counted:?}")
            })?;
        }
        Ok(())
    }

    fn seeds_are_as_ruled(&self, position: &R::Position) -> Result<(), String> {
        let row = self.row(position);
        let before = seeds_of(&row);
        let any: AnyBoard = row.clone().into();
        let has_pot = |pot: Pot| any.row().is_some_and(|row| row.pots.contains(&pot));
        let is_endless = any
            .row()
            .is_some_and(|row| row.endless_left || row.endless_right);
        let swallows = is_endless || has_pot(Pot::Full);
        for player in Player::BOTH {
            for option in (self.subject.moves)(&row, player) {
                let after = seeds_of(&option);
                let right = match self.subject.seeds {
                    Seeds::Kept if swallows => after <= before,
                    Seeds::Kept => after == before,
                    Seeds::CapturedByTwoOrThree => after <= before && before - after != 1,
                    Seeds::NeverMore => after <= before,
                    Seeds::OnePotCaptured => has_pot(Pot::Seeds(before - after)),
                };
                law(right, || {
                    format!("seeds: {row} has {before} seeds, but {option} has {after}")
                })?;
            }
            for option in self.options(position, player)? {
                let after = seeds_of(&self.row(&option));
                law(after <= before, || {
                    format!("seeds: {position} grows to {option}")
                })?;
            }
        }
        Ok(())
    }

    fn value_is_as_defined(&mut self, position: &R::Position) -> Result<(), String> {
        let (expected, nim_value) = self.naive.value(&self.row(position));
        let found = self.evaluator.value(position)?;
        law(
            self.same
                .same(&self.naive.forms, expected, self.arena, found),
            || format!("value: {position} has another canonical form than its literal row"),
        )?;
        let other = self.subject.ruleset.negative(position);
        let negative = self.evaluator.value(&other)?;
        law(negative == found.negative(), || {
            format!("value: the negative {other} of {position} has not the negative value")
        })?;
        let found = self.evaluator.nim_value(position)?;
        law(found == nim_value, || {
            format!("value: {position} has nim-value {found}, its literal row {nim_value}")
        })
    }

    fn components_make_the_whole(&mut self, position: &R::Position) -> Result<(), String> {
        let whole = (
            self.evaluator.value(position)?,
            self.evaluator.nim_value(position)?,
        );
        let mut sum = (ValueId::ZERO, 0);
        for component in self.subject.ruleset.components(position) {
            let value = self.evaluator.value(&component)?;
            let added = self.evaluator.calculator.sum(sum.0, value);
            sum.0 = added.map_err(|error| error.to_string())?;
            sum.1 ^= self.evaluator.nim_value(&component)?;
        }
        law(whole == sum, || {
            format!("components: those of {position} have another sum")
        })
    }
}

/// Returns the board of a game on rows.
fn of_row<R: Ruleset>(row: Row) -> R::Board {
    let board = R::Board::of(&AnyBoard::Row(row)).cloned();
    board.expect("a game on rows")
}

/// Returns the seeds in all pots that are not full.
fn seeds_of<B: Board>(board: &B) -> u32 {
    let any: AnyBoard = board.clone().into();
    match any.row() {
        Some(row) => seeds(row),
        None => board.features().seeds.expect("no endless ends") as u32,
    }
}

/// Counts the occurrences of each position, by its text.
fn tally<P: ToString>(positions: impl IntoIterator<Item = P>) -> BTreeMap<String, usize> {
    let mut tally = BTreeMap::new();
    for position in positions {
        *tally.entry(position.to_string()).or_default() += 1;
    }
    tally
}

fn law(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
