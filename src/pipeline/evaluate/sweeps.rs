//! Sweeps value whole families of rows before the rows are written.
//!
//! A [sweep](cgsolvers::sweep) replaces the search in three cases. A row of n single seeds of Sowing has all
//! rows of n seeds on at most n pots as followers, so a sweep values none in vain. The value of the
//! row itself goes to the memo, and from there to the store. And if a job has many of the rows of at
//! most some number of pots, a sweep values all of them. The same holds
//! of the rows of Atomic Wari that play can reach from a census. These values are read from the array as
//! their rows are written. They are not stored, because another sweep is faster.

use std::sync::Once;

use cggames::board::row::Pot;
use cggames::board::{AnyBoard, brief};
use cggames::game::{AnyOrder, ByPots, BySeeds, Manner, Play, Stopped, SweepOrder};
use cgsolvers::sweep::SweepValuation;
use cgsolvers::{CanonicalForms, EngineError, NimValues};

use super::evaluator::Evaluator;
use super::swept::{CELLS_PART, Room, Swept};
use crate::run::{Phase, RunError};

/// The fewest seeds of a row of ones that is worth a sweep. The search takes no time for smaller ones.
const ONES_MIN: usize = 10;

/// A whole family is swept if the job has at least one in `ROWS_PART` of its rows.
const ROWS_PART: u64 = 16;

/// How large a sweep was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    /// The positions valued; a position and its mirror image count once.
    pub(crate) positions: u64,
    /// The bytes of the array.
    pub(crate) bytes: u64,
}

/// Values the rows of ones among some boards, the shortest first, and puts their values into the
/// memo, with the values of those `followers` that a sweep values on the way. Begins no other sweep
/// once the run is draining. Returns the size of the largest sweep.
pub(crate) fn sweep_ones<'b>(
    evaluator: &dyn Evaluator,
    boards: impl Iterator<Item = &'b AnyBoard>,
    followers: &[AnyBoard],
    room: Room<'_>,
    pool: &rayon::ThreadPool,
) -> Result<Size, RunError> {
    let mut largest = Size::default();
    let ones = |board: &AnyBoard| {
        let pots = evaluator.swept_pots(board)?;
        (pots.len() >= ONES_MIN && pots.iter().all(|&pot| pot == 1)).then_some(pots.len())
    };
    let mut rows: Vec<(usize, &AnyBoard)> = boards
        .filter_map(|board| Some((ones(board)?, board)))
        .collect();
    rows.sort_by_key(|&(seeds, _)| seeds);
    rows.dedup_by_key(|&mut (seeds, _)| seeds);
    // The forms of a checkpoint can be restored only into an empty arena, so before known values are read.
    let mut with_checkpoint = None;
    for (place, &(seeds, _)) in rows.iter().enumerate() {
        if let Some((checkpoint, _)) = room.checkpoint
            && checkpoint.has_sweep(&by_seeds(seeds, seeds))?
        {
            with_checkpoint = Some(place);
        }
    }
    if let Some(last) = with_checkpoint {
        rows[..=last].rotate_right(1);
    }
    if rows.is_empty() {
        return Ok(largest);
    }
    let order_of = |seeds| ones_order(evaluator.manner(), seeds);
    let orders = rows.iter().filter_map(|&(seeds, _)| order_of(seeds));
    let all: u64 = orders.map(|order| order.positions()).sum();
    room.tracker.expect(all);
    let control = evaluator.control();
    (room.tracker).begin(Phase::Sweeping, "position", Some(all), control.evaluated());
    for (seeds, board) in rows {
        if control.draining() {
            break;
        }
        let order = order_of(seeds).map(AnyOrder::BySeeds);
        let cell = |board: &AnyBoard| order.as_ref()?.cell_of(&evaluator.swept_pots(board)?);
        let followers = (followers.iter())
            .filter(|follower| cell(follower).is_some())
            .collect::<Vec<_>>();
        let mut is_known = evaluator.is_known(board)?;
        for follower in &followers {
            is_known = is_known && evaluator.is_known(follower)?;
        }
        if is_known {
            let there = order.as_ref().map_or(0, AnyOrder::positions);
            room.tracker.add(there, there);
            continue;
        }
        let Some(order) = &order else {
            tracing::warn!(
                "1^{seeds} has more followers than a sweep has room for: searching, which takes several times the memory"
            );
            continue;
        };
        tracing::debug!(
            positions = order.positions(),
            "sweeping the followers of 1^{seeds}"
        );
        let before = control.evaluated();
        let name = (
            &*by_seeds(seeds, seeds),
            &*format!("the followers of 1^{seeds}"),
        );
        // Only the values of this row and of some options are read.
        let room = Room {
            narrow: true,
            ..room
        };
        let words = evaluator.sweep(order, name, room, pool)?;
        for board in followers.into_iter().chain([board]) {
            let cell = cell(board).expect("a row of ones and these followers are of its family");
            let word = words.word(cell).ok_or_else(|| EngineError::NimValue {
                position: brief(board),
            })?;
            evaluator.enter(board, word)?;
        }
        largest = Size {
            positions: control.evaluated() - before,
            bytes: words.bytes(),
        };
    }
    Ok(largest)
}

/// Returns whether [`sweep_ones`] finds the value of a row, of a game that has sweeps.
pub(crate) fn is_swept(board: &AnyBoard) -> bool {
    let Some(row) = board.row() else {
        return false;
    };
    let ones = row.pots.iter().all(|pot| *pot == Pot::Seeds(1));
    ones && !row.endless_left
        && !row.endless_right
        && row.pots.len() >= ONES_MIN
        && BySeeds::new(row.pots.len(), row.pots.len()).is_some()
}

/// Returns the order of the sweep that values a row of `seeds` ones, unless it is short or has too many followers.
pub(crate) fn ones_order(manner: Manner, seeds: usize) -> Option<BySeeds> {
    let cells_max = if has_forms(manner) {
        CanonicalForms::CELLS_MAX
    } else {
        NimValues::CELLS_MAX
    };
    let order = BySeeds::new(seeds, seeds)?;
    (seeds >= ONES_MIN && order.cells() <= cells_max).then_some(order)
}

/// Returns the bytes of a value in the array of a sweep.
pub(crate) fn cell_bytes(manner: Manner) -> u64 {
    let bytes = if has_forms(manner) {
        size_of::<<CanonicalForms as SweepValuation>::Content>()
    } else {
        size_of::<<NimValues as SweepValuation>::Content>()
    };
    bytes as u64
}

/// Returns whether values are canonical forms; others take one byte each.
pub(crate) fn has_forms(manner: Manner) -> bool {
    manner == Play::Partisan.into()
}

/// Returns a name for the sweep through all rows of `seeds` seeds on at most `pots` pots.
pub(crate) fn by_seeds(seeds: usize, pots: usize) -> String {
    format!("seeds-{seeds}-pots-{pots}")
}

/// Returns the order of a sweep through all rows of at most `pots` pots, if a job with `rows` of them is worth it.
pub(crate) fn worth_sweeping(pots: u32, rows: u64) -> Option<ByPots> {
    ByPots::new(pots as usize).filter(|order| rows >= order.cells() / ROWS_PART)
}

/// Values all rows of at most `pots` pots, or none if they are too many to be numbered.
pub(crate) fn sweep_pots(
    evaluator: &dyn Evaluator,
    pots: usize,
    room: Room<'_>,
    pool: &rayon::ThreadPool,
) -> Result<Option<Swept>, RunError> {
    let Some(order) = ByPots::new(pots).map(AnyOrder::ByPots) else {
        return Ok(None);
    };
    let family = format!("all rows of at most {pots} pots");
    let evaluated = evaluator.control().evaluated();
    let all = Some(order.positions());
    (room.tracker).begin(Phase::Sweeping, "position", all, evaluated);
    let name = (&*format!("pots-{pots}"), &*family);
    let words = evaluator.sweep(&order, name, room, pool)?;
    Ok(Some(Swept { order, words }))
}

/// Values all rows that play can reach from those of at most `pots` pots and `seeds` seeds; none if the game has no
/// [order](cggames::game::Ruleset::reachable_rows) of them that fits into memory, or the run is draining.
pub(crate) fn sweep_reachable(
    evaluator: &dyn Evaluator,
    (pots, seeds): (usize, usize),
    room: Room<'_>,
    pool: &rayon::ThreadPool,
) -> Result<Option<Swept>, RunError> {
    let control = evaluator.control();
    let begin = |phase, all| {
        let evaluated = control.evaluated();
        room.tracker.begin(phase, "position", all, evaluated);
    };
    let begun = Once::new();
    let goes_on = |found| {
        begun.call_once(|| begin(Phase::Listing, None));
        room.tracker.add(found, 0);
        control.stopped().is_none() && !control.draining()
    };
    let bytes_max = room.memory / CELLS_PART;
    let found = pool.install(|| evaluator.reachable_rows(pots, seeds, bytes_max, &goes_on));
    let order = match (found, control.stopped()) {
        (Ok(Some(order)), _) => AnyOrder::Reachable(order),
        (Err(Stopped), Some(reason)) => return Err(EngineError::Stopped(reason).into()),
        (Ok(None), _) => {
            if begun.is_completed() {
                tracing::info!(
                    "the rows that play can reach do not fit half of the memory budget, or are too long: searching"
                );
            }
            return Ok(None);
        }
        (Err(Stopped), None) => return Ok(None),
    };
    room.tracker.expect(order.positions());
    begin(Phase::Sweeping, Some(order.positions()));
    let name = (
        &*format!("reachable-pots-{pots}-seeds-{seeds}"),
        &*format!("all rows that play can reach from {pots} pots and {seeds} seeds"),
    );
    let words = evaluator.sweep(&order, name, room, pool)?;
    Ok(Some(Swept { order, words }))
}
