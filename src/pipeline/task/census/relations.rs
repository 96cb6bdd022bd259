//! Decides whether a position satisfies a job's relation.

use cggames::board::AnyBoard;
use cggames::board::row::{Pot, Row};
use cggames::game::{Play, Player};
use cgsolvers::{LOOPY, Word};

use super::question::Relation;
use crate::evaluate::worker::Worker;
use crate::run::RunError;

/// Returns whether a position of this value satisfies the relation. Returns `None` if evaluating
/// one of its parts takes more than `positions_max` positions.
pub(super) fn holds(
    relation: Relation,
    worker: &mut Worker<'_, '_>,
    board: &AnyBoard,
    word: Word,
    positions_max: u64,
) -> Result<Option<bool>, RunError> {
    const OF_ROWS: &str = "only jobs over rows have relations between pots of a row";
    match relation {
        Relation::EndOneIdle => {
            end_one_idle(worker, board.row().expect(OF_ROWS), word, positions_max)
        }
        Relation::Splits => splits(worker, board.row().expect(OF_ROWS), word, positions_max),
        Relation::Whole => Ok(Some(worker.evaluator().components(board)?.len() == 1)),
    }
}

/// Tests whether an end pot holds one seed and the row without it has seeds and the same value.
fn end_one_idle(
    worker: &mut Worker<'_, '_>,
    row: &Row,
    word: Word,
    positions_max: u64,
) -> Result<Option<bool>, RunError> {
    let ends = [
        (0, row.endless_left),
        (row.pots.len() - 1, row.endless_right),
    ];
    for (end, endless) in ends {
        if endless || row.pots[end] != Pot::Seeds(1) {
            continue;
        }
        let mut rest = row.clone();
        rest.pots[end] = Pot::Seeds(0);
        if !has_seeds(&rest) {
            continue;
        }
        match worker.short_value(&rest.into(), positions_max)? {
            None => return Ok(None),
            Some(value) if value == word => return Ok(Some(true)),
            Some(_) => {}
        }
    }
    Ok(Some(false))
}

/// Tests whether at some cut the value is the sum of those of the two parts, although both have
/// moves and no rule implies it.
fn splits(
    worker: &mut Worker<'_, '_>,
    row: &Row,
    word: Word,
    positions_max: u64,
) -> Result<Option<bool>, RunError> {
    let evaluator = worker.evaluator();
    let mut by_rule = evaluator.components(&row.clone().into())?;
    sort(&mut by_rule);
    for cut in 1..row.pots.len() {
        // If the pot before the cut is empty, the cut on its other side separates the same seeds.
        if row.pots[cut - 1] == Pot::Seeds(0) {
            continue;
        }
        // Each part keeps its place, which matters on a board.
        let mut left = row.clone();
        left.pots[cut..].fill(Pot::Seeds(0));
        left.endless_right = false;
        let mut right = row.clone();
        right.pots[..cut].fill(Pot::Seeds(0));
        right.endless_left = false;
        let (left, right) = (AnyBoard::Row(left), AnyBoard::Row(right));
        let mut moving = true;
        for part in [&left, &right] {
            let mut options = 0;
            for player in Player::BOTH {
                options += evaluator.count_options(part, player)?;
            }
            moving &= options > 0;
        }
        if !moving {
            continue;
        }
        let mut parts = evaluator.components(&left)?;
        parts.extend(evaluator.components(&right)?);
        sort(&mut parts);
        if parts == by_rule {
            continue;
        }
        let mut words = [word; 2];
        for (part, slot) in [left, right].iter().zip(&mut words) {
            match worker.short_value(part, positions_max)? {
                None => return Ok(None),
                Some(value) => *slot = value,
            }
        }
        if !words.contains(&LOOPY) && is_sum(worker, word, words)? {
            return Ok(Some(true));
        }
    }
    Ok(Some(false))
}

fn is_sum(worker: &mut Worker<'_, '_>, whole: Word, parts: [Word; 2]) -> Result<bool, RunError> {
    let (play, form_of) = (worker.evaluator().play(), worker.evaluator().form_of());
    let calculator = worker.calculator();
    let mut form = |word| form_of(calculator, word);
    let (whole, left, right) = (form(whole)?, form(parts[0])?, form(parts[1])?);
    if play == Play::Impartial {
        let nimber = |form| calculator.arena().nimber(form);
        let sum = nimber(left).zip(nimber(right)).map(|(l, r)| l ^ r);
        return Ok(sum == nimber(whole));
    }
    Ok(calculator.sum(left, right)? == whole)
}

/// Sorts positions by their notation, to compare lists.
fn sort(positions: &mut [AnyBoard]) {
    positions.sort_by_cached_key(ToString::to_string);
}

fn has_seeds(row: &Row) -> bool {
    let seeds = row.pots.iter().any(|pot| *pot != Pot::Seeds(0));
    seeds || row.endless_left || row.endless_right
}
