//! One sweep: values all rows of an order, with checkpoints if that takes long, and holds their values.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use cggames::game::{AnyOrder, SweepOrder};
use cgsolvers::sweep::{CellContent, Cells, SweepProgress, SweepValuation, sweep};
use cgsolvers::{Control, EngineError, Word};
use seedbank_memory::spawn_in;
use valuestore::Namespace;

use super::stored::Stored;
use super::sweep_files::SweepFiles;
use crate::run::checkpoint::Checkpoint;
use crate::run::{Run, RunError, Tracker};

/// Cells may take up to this fraction of the memory budget; larger arrays go to a file.
pub(crate) const CELLS_PART: u64 = 2;

/// Cells that share bytes may take all but this many bytes of the memory budget, if that is more: there are no forms
/// beside them.
const REST: u64 = 2 << 30;

/// The memory and folders for the arrays of sweeps and their checkpoints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'a> {
    /// The memory budget in bytes.
    pub(crate) memory: u64,
    /// A folder for arrays that do not fit, if there is one.
    pub(crate) folder: Option<&'a Path>,
    /// The folder of checkpoints, if there is one, and the time between two checkpoints.
    pub(crate) checkpoint: Option<(&'a Checkpoint, Duration)>,
    /// Records the progress of sweeps.
    pub(crate) tracker: &'a Tracker,
    /// Whether cells may be too narrow for some of the values.
    pub(crate) narrow: bool,
}

impl<'a> Room<'a> {
    /// Returns the room of a run with checkpoints.
    pub(crate) fn of_run(run: &'a Run<'_>, checkpoint: &'a Checkpoint) -> Room<'a> {
        Room {
            memory: run.options.limits.memory.0,
            folder: Some(&run.place.store),
            checkpoint: Some((checkpoint, run.options.checkpoint)),
            tracker: &run.session.tracker,
            narrow: false,
        }
    }

    /// Returns the most bytes that cells may take in memory.
    fn bytes_max<C: CellContent>(&self) -> u64 {
        let part = self.memory / CELLS_PART;
        match C::SHARING {
            1 => part,
            _ => part.max(self.memory.saturating_sub(REST)),
        }
    }

    fn fits<C: CellContent>(&self, cells: u64) -> bool {
        Cells::<C>::bytes_of(cells).is_ok_and(|bytes| bytes <= self.bytes_max::<C>())
    }

    pub(crate) fn cells<C: CellContent>(
        &self,
        family: &str,
        cells: u64,
    ) -> Result<Cells<C>, RunError> {
        let failed = |bytes, source| RunError::Cells {
            family: family.to_owned(),
            needed: ByteSize(bytes),
            budget: ByteSize(self.memory),
            source,
        };
        let bytes = Cells::<C>::bytes_of(cells).map_err(|source| failed(u64::MAX, source))?;
        let made = if bytes <= self.bytes_max::<C>() {
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

/// A sweep to make, whatever the values are.
pub(crate) struct Sweeping<'a> {
    /// The order's name among those of the ruleset.
    pub(crate) name: &'a str,
    /// The rows, in words.
    pub(crate) family: &'a str,
    pub(crate) namespace: &'a Namespace,
    pub(crate) control: &'a Control,
    pub(crate) room: Room<'a>,
    pub(crate) pool: &'a rayon::ThreadPool,
}

impl Sweeping<'_> {
    /// Values all rows of an order, with checkpoints if that takes long. If the room allows narrow
    /// cells, they are used where the others do not fit into memory, unless these can go to a file
    /// and narrow cells do not fit either.
    pub(crate) fn values<V: Stored>(
        &self,
        order: &AnyOrder,
        valuation: &V,
    ) -> Result<Box<dyn SweptWords>, RunError> {
        let (room, cells) = (&self.room, order.cells());
        let is_needed = room.narrow
            && !room.fits::<V::Content>(cells)
            && (room.folder.is_none()
                || room.fits::<<V::Narrow as SweepValuation>::Content>(cells));
        match valuation.narrow().filter(|_| is_needed) {
            Some(narrow) => {
                tracing::info!(
                    "the values of {} do not fit into half of the memory budget: they get narrow cells",
                    self.family
                );
                self.of_any(order, narrow)
            }
            None => self.of_any(order, valuation),
        }
    }

    fn of_any<V: SweepValuation>(
        &self,
        order: &AnyOrder,
        valuation: &V,
    ) -> Result<Box<dyn SweptWords>, RunError> {
        match order {
            AnyOrder::ByPots(order) => self.of(order, valuation),
            AnyOrder::BySeeds(order) => self.of(order, valuation),
            AnyOrder::Reachable(order) => self.of(order, valuation),
        }
    }

    fn of<V: SweepValuation>(
        &self,
        order: &impl SweepOrder,
        valuation: &V,
    ) -> Result<Box<dyn SweptWords>, RunError> {
        let cells = self.room.cells(self.family, order.cells())?;
        let progress = SweepProgress::default();
        let go = |known| {
            let evaluated = self.control.evaluated();
            self.room
                .tracker
                .begin_sweep(order.positions(), known, 1.0, evaluated);
            sweep(order, valuation, &cells, &progress, self.pool, self.control)?;
            self.room.tracker.end_sweep();
            Ok::<(), EngineError>(())
        };
        let Some((checkpoint, interval)) = self.room.checkpoint else {
            go(0)?;
            return Ok(Box::new(cells));
        };
        let folder = checkpoint.sweep(self.name)?;
        let mut files = SweepFiles::new::<V>(folder, interval, self.namespace, self.name, order);
        let filled = files.restore(valuation, &cells, &progress)?;
        let (working, ends) = mpsc::channel::<()>();
        let write = |files: &mut SweepFiles| {
            let result = files.write(valuation, &cells, &progress);
            if let Err(error) = &result {
                // A sweep continues without its checkpoint.
                tracing::warn!("{error}; if the run is interrupted, its sweep starts over");
            }
            result.is_ok()
        };
        let swept = thread::scope(|scope| {
            let (files, write) = (&mut files, &write);
            spawn_in(scope, move || {
                let is_time = |files: &SweepFiles| {
                    ends.recv_timeout(files.wait()) == Err(RecvTimeoutError::Timeout)
                };
                while is_time(files) && write(files) {}
            });
            let swept = go(filled / 2);
            drop(working);
            swept
        });
        // The work after a long sweep may also take long. And if the run is about to stop, this is the
        // last chance for a checkpoint.
        let stops = swept.is_err() || self.control.draining();
        if files.has_any() || stops && files.is_worth_writing() {
            write(&mut files);
        }
        swept?;
        Ok(Box::new(cells))
    }
}

/// The values that a sweep has found, by the number of the row.
pub(crate) trait SweptWords: Send + Sync {
    /// Returns the value of a row that has been valued, or `None` if it is too large for narrow cells.
    fn word(&self, cell: usize) -> Option<Word>;

    /// Prefetches the value of a row.
    fn prefetch(&self, cell: usize);

    /// Returns the bytes of the array.
    fn bytes(&self) -> u64;
}

impl<C: CellContent> SweptWords for Cells<C> {
    #[inline]
    fn word(&self, cell: usize) -> Option<Word> {
        let content = self.get(cell);
        let word = Word::new(content.into()).expect("all cells are filled when a sweep has ended");
        content.is_exact().then_some(word)
    }

    #[inline]
    fn prefetch(&self, cell: usize) {
        Cells::prefetch(self, cell);
    }

    fn bytes(&self) -> u64 {
        Cells::bytes(self)
    }
}

/// The values of all rows of an order.
pub(crate) struct Swept {
    pub(crate) order: AnyOrder,
    pub(crate) words: Box<dyn SweptWords>,
}

impl Swept {
    /// Returns the value of a row in normal form, if it is among them.
    #[inline]
    pub(crate) fn value(&self, pots: &[u8]) -> Option<Word> {
        self.words.word(self.order.cell_of(pots)?)
    }
}
