//! Sweeps: families of Sowing rows whose values are found all at once, before the rows are written.
//!
//! Two kinds of work are done by a [sweep](crate::engine::sweep) and not by the search. A row of n
//! single seeds has all rows of n seeds on at most n pots as followers, so that none is valued in vain;
//! its own value goes to the memo, and from there to the store. And where a job asks for most rows of so
//! many pots, all are valued; they are read from the array as their rows are written, and not stored, for
//! finding them again is faster.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;

use super::seal::namespace;
use super::stored::Stored;
use super::sweep_files::SweepFiles;
use crate::board::row::{Pot, Row};
use crate::engine::sweep::{Cell, Cells, Progress, SweepValuation, sweep};
use crate::engine::{Engine, EngineError, KnownValues, Word};
use crate::game::{ByPots, BySeeds, Ruleset, SWEEP_CELLS_MAX, SweepOrder};
use crate::run::Run;
use crate::run::RunError;
use crate::run::checkpoint::Checkpoint;
use crate::run::{Phase, Tracker};

/// The fewest seeds of a row of ones that is worth a sweep; the search does smaller ones in no time.
const ONES_MIN: usize = 10;

/// Whole families are swept where the job asks for one in so many of their rows.
const ROWS_PART: u64 = 16;

/// Cells may take up to this part of the budget in memory; larger arrays go to a file.
const CELLS_PART: u64 = 2;

/// Where the arrays of sweeps may be, and their checkpoints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'a> {
    /// The memory budget in bytes.
    pub(crate) memory: u64,
    /// A folder for arrays that do not fit, if there is one.
    pub(crate) folder: Option<&'a Path>,
    /// The checkpoints of sweeps that take long, if there are any, and the time between two.
    pub(crate) checkpoint: Option<(&'a Checkpoint, Duration)>,
    /// Records their progress.
    pub(crate) tracker: &'a Tracker,
}

impl<'a> Room<'a> {
    /// Returns the room of a run with checkpoints.
    pub(crate) fn of_run(run: &'a Run<'_>, checkpoint: &'a Checkpoint) -> Room<'a> {
        Room {
            memory: run.options.memory.0,
            folder: Some(&run.place.store),
            checkpoint: Some((checkpoint, run.options.checkpoint)),
            tracker: &run.tracker,
        }
    }

    pub(crate) fn cells<C: Cell>(&self, family: &str, cells: u64) -> Result<Cells<C>, RunError> {
        let failed = |bytes, source| RunError::Cells {
            family: family.to_owned(),
            needed: ByteSize(bytes),
            budget: ByteSize(self.memory),
            source,
        };
        let bytes = Cells::<C>::bytes_of(cells).map_err(|source| failed(u64::MAX, source))?;
        let made = if bytes <= self.memory / CELLS_PART {
            Cells::in_memory(cells)
        } else if let Some(folder) = self.folder {
            if !folder.is_dir() {
                return Err(RunError::CellsWithoutStore {
                    store: folder.to_owned(),
                    family: family.to_owned(),
                    needed: ByteSize(bytes),
                    budget: ByteSize(self.memory),
                });
            }
            tracing::info!(
                "the values of {family} take {}, more than half of the memory budget: they go to a file",
                ByteSize(bytes)
            );
            Cells::in_file(cells, folder)
        } else {
            Err(io::ErrorKind::OutOfMemory.into())
        };
        made.map_err(|source| failed(bytes, source))
    }
}

/// Returns the number of positions that a sweep values, counting mirror images once.
pub(crate) fn positions_of(order: &impl SweepOrder) -> u64 {
    order.cells().div_ceil(2)
}

/// Values all rows of an order, with checkpoints where that takes long. `name` tells the order from others, and
/// `family` says what it is.
pub(crate) fn sweep_order<R: Ruleset, V: Stored>(
    order: &impl SweepOrder,
    (name, family): (&str, &str),
    engine: &Engine<R, V>,
    room: Room<'_>,
    pool: &rayon::ThreadPool,
) -> Result<Cells<V::Cell>, RunError> {
    let Engine {
        ruleset,
        valuation,
        control,
        ..
    } = engine;
    let cells = room.cells(family, order.cells())?;
    let progress = Progress::default();
    let go = |known| {
        let evaluated = control.evaluated();
        room.tracker
            .begin_sweep(positions_of(order), known, evaluated);
        sweep(order, valuation, &cells, &progress, pool, control)?;
        room.tracker.end_sweep();
        Ok::<(), EngineError>(())
    };
    let Some((checkpoint, interval)) = room.checkpoint else {
        go(0)?;
        return Ok(cells);
    };
    let namespace = namespace(ruleset, valuation);
    let folder = checkpoint.sweep(name)?;
    let mut files = SweepFiles::new::<V>(folder, interval, &namespace, name, order);
    let filled = files.restore(valuation, &cells, &progress)?;
    let (working, ends) = mpsc::channel::<()>();
    let write = |files: &mut SweepFiles| {
        let result = files.write(valuation, &cells, &progress);
        if let Err(error) = &result {
            // A sweep without a checkpoint goes on all the same.
            tracing::warn!("{error}; if the run is interrupted, its sweep starts over");
        }
        result.is_ok()
    };
    let swept = thread::scope(|scope| {
        let (files, write) = (&mut files, &write);
        scope.spawn(move || {
            let is_time = |files: &SweepFiles| {
                ends.recv_timeout(files.wait()) == Err(RecvTimeoutError::Timeout)
            };
            while is_time(files) && write(files) {}
        });
        let swept = go(filled / 2);
        drop(working);
        swept
    });
    // Work after a long sweep may take long, too; and if the run is about to stop, this is the last
    // chance.
    let stops = swept.is_err() || control.draining();
    if files.has_any() || stops && files.is_worth_writing() {
        write(&mut files);
    }
    swept?;
    Ok(cells)
}

/// How large a sweep was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size {
    /// The positions valued, of one and its mirror image only one counted.
    pub(crate) positions: u64,
    /// The bytes of the array.
    pub(crate) bytes: u64,
}

/// Values the rows of ones among some positions, the shortest first, and puts their values into the
/// memo. Begins no other sweep once the run is draining. Returns the size of the largest sweep.
pub(crate) fn sweep_ones<R: Ruleset, V: Stored>(
    engine: &Engine<R, V>,
    known: &dyn KnownValues,
    positions: impl Iterator<Item = R::Position>,
    room: Room<'_>,
    pool: &rayon::ThreadPool,
) -> Result<Size, RunError> {
    let mut largest = Size::default();
    let ones = |position: &R::Position| {
        let pots = swept_pots(&engine.ruleset, position)?;
        (pots.len() >= ONES_MIN && pots.iter().all(|&pot| pot == 1)).then_some(pots.len())
    };
    let mut rows: Vec<(usize, R::Position)> = positions
        .filter_map(|position| Some((ones(&position)?, position)))
        .collect();
    rows.sort_by_key(|&(seeds, _)| seeds);
    rows.dedup_by_key(|&mut (seeds, _)| seeds);
    // Forms in the checkpoint of a sweep can only be put back before there are others: before known values are read.
    let has_checkpoint = |&(seeds, _): &(usize, R::Position)| {
        room.checkpoint
            .is_some_and(|(checkpoint, _)| checkpoint.has_sweep(&by_seeds(seeds, seeds)))
    };
    if let Some(last) = rows.iter().rposition(has_checkpoint) {
        rows[..=last].rotate_right(1);
    }
    if rows.is_empty() {
        return Ok(largest);
    }
    let orders = rows.iter().map(|&(seeds, _)| BySeeds::new(seeds, seeds));
    let all: u64 = orders.flatten().map(|order| positions_of(&order)).sum();
    room.tracker.expect(all);
    let evaluated = engine.control.evaluated();
    (room.tracker).begin(Phase::Sweeping, "position", Some(all), evaluated);
    for (seeds, position) in rows {
        if engine.control.draining() {
            break;
        }
        let (key, negated) = engine.ruleset.key(&position).map_err(EngineError::from)?;
        let order = BySeeds::new(seeds, seeds);
        if engine.memo.get(key).is_some() || known.known(key)?.is_some() {
            let there = order.map_or(0, |order| positions_of(&order));
            room.tracker.add(there, there);
            continue;
        }
        let Some(order) = order else {
            tracing::warn!(
                "1^{seeds} has more followers than the {SWEEP_CELLS_MAX} that a sweep can number: searching, which \
                 takes several times the memory"
            );
            continue;
        };
        tracing::debug!(
            positions = order.cells(),
            "sweeping the followers of 1^{seeds}"
        );
        let before = engine.control.evaluated();
        let name = (
            &*by_seeds(seeds, seeds),
            &*format!("the followers of 1^{seeds}"),
        );
        let cells = sweep_order(&order, name, engine, room, pool)?;
        let cell = swept_pots(&engine.ruleset, &position)
            .and_then(|pots| order.cell_of(pots))
            .expect("a row of ones is of its own family");
        let word = word::<V>(cells.get(cell));
        let word = if negated { V::negative(word) } else { word };
        engine.memo.insert(key, word);
        largest = Size {
            positions: engine.control.evaluated() - before,
            bytes: cells.bytes(),
        };
    }
    Ok(largest)
}

/// Returns the pots of a position that an order can number, if the ruleset has sweeps.
pub(crate) fn swept_pots<'p, R: Ruleset>(
    ruleset: &R,
    position: &'p R::Position,
) -> Option<&'p [u8]> {
    ruleset.swept()?.pots(position)
}

/// Returns whether [`sweep_ones`] finds the value of a row, of a game that has sweeps.
pub(crate) fn is_swept(row: &Row) -> bool {
    let ones = row.pots.iter().all(|pot| *pot == Pot::Seeds(1));
    ones && !row.endless_left
        && !row.endless_right
        && row.pots.len() >= ONES_MIN
        && BySeeds::new(row.pots.len(), row.pots.len()).is_some()
}

/// Returns a name for the sweep through all rows of so many seeds on at most so many pots.
pub(crate) fn by_seeds(seeds: usize, pots: usize) -> String {
    format!("seeds-{seeds}-pots-{pots}")
}

/// Returns the order in which all rows of at most `pots` pots are swept for a job that asks for `rows` of them, if they are.
pub(crate) fn worth_sweeping(pots: u32, rows: u64) -> Option<ByPots> {
    ByPots::new(pots as usize).filter(|order| rows >= order.cells() / ROWS_PART)
}

/// The values of all rows of at most so many pots.
pub(crate) struct Swept<V: SweepValuation> {
    order: ByPots,
    cells: Cells<V::Cell>,
}

impl<V: Stored> Swept<V> {
    /// Values all rows of at most `pots` pots, or none where they are too many to be numbered.
    pub(crate) fn of_pots<R: Ruleset>(
        engine: &Engine<R, V>,
        pots: usize,
        room: Room<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Option<Swept<V>>, RunError> {
        let Some(order) = ByPots::new(pots) else {
            return Ok(None);
        };
        let family = format!("all rows of at most {pots} pots");
        let evaluated = engine.control.evaluated();
        let all = Some(positions_of(&order));
        (room.tracker).begin(Phase::Sweeping, "position", all, evaluated);
        let name = (&*format!("pots-{pots}"), &*family);
        let cells = sweep_order(&order, name, engine, room, pool)?;
        Ok(Some(Swept { order, cells }))
    }

    /// Returns the value of a row in normal form, which must be among them.
    #[inline]
    pub(crate) fn of_row(&self, pots: &[u8]) -> Word {
        let cell = self.order.cell_of(pots);
        word::<V>(
            self.cells
                .get(cell.expect("a row in normal form is of the family swept")),
        )
    }

    /// Returns the value of a position, if it is among them.
    pub(crate) fn value<R: Ruleset>(&self, ruleset: &R, position: &R::Position) -> Option<Word> {
        let cell = self.order.cell_of(swept_pots(ruleset, position)?)?;
        Some(word::<V>(self.cells.get(cell)))
    }
}

pub(crate) fn word<V: Stored>(content: V::Cell) -> Word {
    Word::new(content.into()).expect("all cells are filled when a sweep has ended")
}
