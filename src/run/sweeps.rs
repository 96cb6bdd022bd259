//! Sweeps: families of Sowing rows whose values are found all at once, before the rows are written.
//!
//! Two kinds of work are done by a [sweep](crate::engine::sweep) and not by the search. A row of n
//! single seeds has all rows of n seeds on at most n pots as followers, so that none is valued in vain;
//! its own value goes to the memo, and from there to the store. And where a job asks for most rows of so
//! many pots, all are valued; they are read from the array as their rows are written, and not stored, for
//! finding them again is faster.

use std::io;
use std::path::Path;

use bytesize::ByteSize;

use super::RunError;
use super::stored::Stored;
use crate::engine::sweep::{Cell, Cells, SweepValuation, sweep};
use crate::engine::{Engine, EngineError, KnownValues, Word};
use crate::ruleset::{ByPots, BySeeds, Ruleset, SWEEP_CELLS_MAX, SweepOrder};

/// The fewest seeds of a row of ones that is worth a sweep; the search does smaller ones in no time.
const ONES_MIN: usize = 10;

/// Whole families are swept where the job asks for one in so many of their rows.
const ROWS_PART: u64 = 16;

/// Cells may take up to this part of the budget in memory; larger arrays go to a file.
const CELLS_PART: u64 = 2;

/// Where the arrays of sweeps may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room<'a> {
    /// The memory budget in bytes.
    pub(super) memory: u64,
    /// A folder for arrays that do not fit, if there is one.
    pub(super) folder: Option<&'a Path>,
}

impl Room<'_> {
    pub(super) fn cells<C: Cell>(&self, family: &str, cells: u64) -> Result<Cells<C>, RunError> {
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

/// How large a sweep was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    /// The positions valued, of one and its mirror image only one counted.
    pub(super) positions: u64,
    /// The bytes of the array.
    pub(super) bytes: u64,
}

/// Values the rows of ones among some positions, the shortest first, and puts their values into the
/// memo. Begins no other sweep once the run is `draining`. Returns the size of the largest sweep.
pub(super) fn sweep_ones<R: Ruleset, V: Stored>(
    engine: &Engine<R, V>,
    known: &dyn KnownValues,
    positions: impl Iterator<Item = R::Position>,
    room: Room<'_>,
    pool: &rayon::ThreadPool,
    draining: &dyn Fn() -> bool,
) -> Result<Size, RunError> {
    let mut largest = Size::default();
    let ones = |position: &R::Position| {
        let pots = engine.ruleset.swept_pots(position)?;
        (pots.len() >= ONES_MIN && pots.iter().all(|&pot| pot == 1)).then_some(pots.len())
    };
    let mut rows: Vec<(usize, R::Position)> = positions
        .filter_map(|position| Some((ones(&position)?, position)))
        .collect();
    rows.sort_by_key(|&(seeds, _)| seeds);
    rows.dedup_by_key(|&mut (seeds, _)| seeds);
    for (seeds, position) in rows {
        if draining() {
            break;
        }
        let (key, mirrored) = engine.ruleset.key(&position).map_err(EngineError::from)?;
        if engine.memo.get(key).is_some() || known.known(key)?.is_some() {
            continue;
        }
        let Some(order) = BySeeds::new(seeds, seeds) else {
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
        let cells = room.cells(&format!("the followers of 1^{seeds}"), order.cells())?;
        sweep(&order, &engine.valuation, &cells, pool, &engine.control)?;
        let cell = engine
            .ruleset
            .swept_pots(&position)
            .and_then(|pots| order.cell_of(pots))
            .expect("a row of ones is of its own family");
        let word = word::<V>(cells.get(cell));
        let word = if mirrored { V::mirrored(word) } else { word };
        engine.memo.insert(key, word);
        largest = Size {
            positions: engine.control.evaluated() - before,
            bytes: cells.bytes(),
        };
    }
    Ok(largest)
}

/// The values of all rows of at most so many pots.
pub(super) struct Swept<V: SweepValuation> {
    order: ByPots,
    cells: Cells<V::Cell>,
}

impl<V: Stored> Swept<V> {
    /// Values all rows of at most `pots` pots, where a job asks for most of them.
    pub(super) fn new<R: Ruleset>(
        engine: &Engine<R, V>,
        pots: usize,
        rows: u64,
        room: Room<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Option<Swept<V>>, RunError> {
        let Some(order) = ByPots::new(pots) else {
            return Ok(None);
        };
        if rows < order.cells() / ROWS_PART {
            return Ok(None);
        }
        drop(order);
        Swept::of_pots(engine, pots, room, pool)
    }

    /// Values all rows of at most `pots` pots, or none where they are too many to be numbered.
    pub(super) fn of_pots<R: Ruleset>(
        engine: &Engine<R, V>,
        pots: usize,
        room: Room<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Option<Swept<V>>, RunError> {
        let Some(order) = ByPots::new(pots) else {
            return Ok(None);
        };
        let cells = room.cells(&format!("all rows of at most {pots} pots"), order.cells())?;
        sweep(&order, &engine.valuation, &cells, pool, &engine.control)?;
        Ok(Some(Swept { order, cells }))
    }

    /// Returns the value of a row in normal form, which must be among them.
    #[inline]
    pub(super) fn of_row(&self, pots: &[u8]) -> Word {
        let cell = self.order.cell_of(pots);
        word::<V>(
            self.cells
                .get(cell.expect("a row in normal form is of the family swept")),
        )
    }

    /// Returns the value of a position, if it is among them.
    pub(super) fn value<R: Ruleset>(&self, ruleset: &R, position: &R::Position) -> Option<Word> {
        let cell = self.order.cell_of(ruleset.swept_pots(position)?)?;
        Some(word::<V>(self.cells.get(cell)))
    }
}

pub(super) fn word<V: Stored>(content: V::Cell) -> Word {
    Word::new(content.into()).expect("all cells are filled when a sweep has ended")
}
