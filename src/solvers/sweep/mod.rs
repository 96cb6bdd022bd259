//! The sweep: values all positions of a family in an order that puts options first.
//!
//! Values lie in a flat array, one cell for each position, at an index computed by a few additions
//! ([`SweepOrder`]). There is no recursion, no hash table and no lock: a worker takes the next
//! block of rows whose options have all been valued ([`SweepGrid`]), and reads the values of options in
//! place.
//!
//! A canonical form takes four bytes of the array, a nim-value one byte ([`NimValues`]) or four bits
//! ([`NimValuesInNibbles`]).
//!
//! [`NimValues`]: super::NimValues

mod blocks;
mod cells;
mod queue;
mod values;

use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use cggames::game::{SweepGrid, SweepOrder, Visit};
use cgvalues::ArenaError;
use seedbank_memory::Padded;
use seedbank_memory::lock;

use self::blocks::Blocks;
use self::queue::Queue;
use super::{Control, EngineError};
pub use cells::{CellContent, Cells, Nibble};
pub use values::{InNibbles, NimValuesInNibbles, SweepValuation};

/// The number of finished levels of a sweep.
#[derive(Debug, Default)]
pub struct SweepProgress(AtomicUsize);

impl SweepProgress {
    /// Returns the number of levels whose cells are all filled and visible to the caller.
    pub fn levels(&self) -> usize {
        self.0.load(Acquire)
    }

    /// Makes a sweep start after `levels` levels, whose cells are all filled.
    pub fn begin_after(&self, levels: usize) {
        self.0.store(levels, Release);
    }
}

/// Values all positions of a family in parallel, on the threads of a pool, and fills their cells.
///
/// Costs one visit for each position and its mirror image in the unfinished levels. Filled cells
/// keep their contents, and fill those of the mirror images.
///
/// # Errors
///
/// When it was stopped, or a value is too large.
pub fn sweep<O: SweepOrder, V: SweepValuation>(
    order: &O,
    valuation: &V,
    cells: &Cells<V::Content>,
    progress: &SweepProgress,
    pool: &rayon::ThreadPool,
    control: &Control,
) -> Result<(), EngineError> {
    let workers = pool.current_num_threads();
    let cells = cells.shared();
    let sweep = Sweep {
        order,
        cells,
        looks_ahead: V::LOOKS_AHEAD || O::LOOKS_AHEAD || size_of_val(cells) >= FAR_BYTES,
        control,
        failed: AtomicBool::new(false),
        failure: OnceLock::new(),
    };
    // PERF: adjacent scratch memories cost two workers 8 % of the time of Sowing 1^14.
    let scratches: Vec<_> = (0..workers)
        .map(|_| Padded(Mutex::new(valuation.scratch())))
        .collect();
    for level in order.levels().into_iter().skip(progress.levels()) {
        let blocks = Blocks::new(order.grid(level, workers));
        if workers == 1 {
            pool.install(|| sweep.work::<V>(&blocks, valuation, &mut lock(&scratches[0].0)));
        } else {
            pool.broadcast(|worker| {
                sweep.work::<V>(&blocks, valuation, &mut lock(&scratches[worker.index()].0));
            });
        }
        if sweep.failure.get().is_some() {
            break;
        }
        progress.0.fetch_add(1, Release);
    }
    match sweep.failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The bytes of an array from which on looking ahead pays off for any content.
// PERF: late in impartial 1^20, whose array takes 16.5 GiB, two workers value 13.8 million positions a
// second with it and some 4 million without; at 1^18 and 1.1 GiB the two take the same time.
const FAR_BYTES: usize = 1 << 31;

/// The number of searches for a block after which a worker yields.
const ROUNDS_A_YIELD: u32 = 64;

/// The number of failed searches after which a worker sleeps in between: there are more workers
/// than blocks or processors.
const ROUNDS_A_NAP: u32 = 1 << 12;
const NAP: Duration = Duration::from_micros(50);

struct Sweep<'a, O: SweepOrder, C: CellContent> {
    order: &'a O,
    cells: &'a [C::Shared],
    /// Whether cells are prefetched some rows ahead.
    looks_ahead: bool,
    control: &'a Control,
    failed: AtomicBool,
    failure: OnceLock<EngineError>,
}

impl<O: SweepOrder, C: CellContent> Sweep<'_, O, C> {
    /// Visits one block after another together with the other workers, until all have been visited.
    fn work<V: SweepValuation<Content = C>>(
        &self,
        blocks: &Blocks<O::Grid>,
        valuation: &V,
        scratch: &mut V::Scratch<'_>,
    ) {
        // If a worker panics, the others must not wait for its blocks.
        let guard = FailOnDrop(&self.failed);
        let mut rounds = 0u32;
        while !self.failed.load(Relaxed) && !blocks.all_visited() {
            let Some((band, mut column)) = blocks.take() else {
                rounds += 1;
                if rounds >= ROUNDS_A_NAP {
                    std::thread::sleep(NAP);
                } else if rounds.is_multiple_of(ROUNDS_A_YIELD) {
                    std::thread::yield_now();
                } else {
                    std::hint::spin_loop();
                }
                continue;
            };
            rounds = 0;
            loop {
                self.visit(&blocks.grid, (band, column), valuation, scratch);
                column += 1;
                if self.stopped() {
                    break;
                }
                if column == blocks.grid.columns() || !blocks.is_ready(band, column) {
                    blocks.release(band, column);
                    break;
                }
                blocks.advance(band, column);
            }
        }
        std::mem::forget(guard);
    }

    /// Values the rows of a block.
    fn visit<V: SweepValuation<Content = C>>(
        &self,
        grid: &O::Grid,
        block: (usize, usize),
        valuation: &V,
        scratch: &mut V::Scratch<'_>,
    ) {
        let mut failure = None;
        let mut valued = 0;
        if self.looks_ahead {
            let mut queue = Queue::new();
            let mut value_next = |queue: &mut Queue| {
                let Some(row) = queue.pop() else {
                    return false;
                };
                if failure.is_none() {
                    let (left, right) = row.sides();
                    let sides = (left.iter().copied(), right.iter().copied());
                    match self.value::<V>((row.cell, row.mirror), sides, scratch) {
                        Ok(()) => valued += 1,
                        Err(source) => failure = Some((row.cell, source)),
                    }
                }
                true
            };
            self.order.visit(grid, block, &mut |row| {
                if self.is_filled::<V>(row) {
                    return;
                }
                if queue.is_full() {
                    value_next(&mut queue);
                }
                queue.push(row, self.cells, valuation);
            });
            while value_next(&mut queue) {}
        } else {
            self.order.visit(grid, block, &mut |row| {
                if failure.is_none() && !self.is_filled::<V>(row) {
                    let cell = |delta: &i64| (row.cell as i64 + delta) as usize;
                    let sides = (row.left.iter().map(cell), row.right.iter().map(cell));
                    match self.value::<V>((row.cell, row.mirror), sides, scratch) {
                        Ok(()) => valued += 1,
                        Err(source) => failure = Some((row.cell, source)),
                    }
                }
            });
        }
        self.control.count_evaluated(valued);
        if let Some((cell, source)) = failure {
            self.fail(grid, block, cell, source);
        }
    }

    /// Returns whether a row was filled before the sweep; if so, fills its mirror image, too.
    #[inline]
    fn is_filled<V: SweepValuation<Content = C>>(&self, row: &Visit<'_>) -> bool {
        let content = C::load(self.cells, row.cell);
        let is_filled = content != C::EMPTY;
        if is_filled {
            C::store(self.cells, row.mirror, V::negative_content(content));
        }
        is_filled
    }

    /// Returns whether the sweep was stopped, or has failed.
    fn stopped(&self) -> bool {
        if let Some(reason) = self.control.stopped_or_held() {
            let _ = self.failure.set(EngineError::Stopped(reason));
            self.failed.store(true, Relaxed);
        }
        self.failed.load(Relaxed)
    }

    /// Values a row, whose options all have values, and its mirror image.
    #[inline]
    fn value<V: SweepValuation<Content = C>>(
        &self,
        (cell, mirror): (usize, usize),
        (left, right): (impl Iterator<Item = usize>, impl Iterator<Item = usize>),
        scratch: &mut V::Scratch<'_>,
    ) -> Result<(), ArenaError> {
        let content = |cell: usize| C::load(self.cells, cell);
        let content = V::content(scratch, left.map(content), right.map(content))?
            .unwrap_or_else(|| panic!("the options of cell {cell} come before it"));
        C::store(self.cells, cell, content);
        C::store(self.cells, mirror, V::negative_content(content));
        Ok(())
    }

    /// Fails the sweep, since the value of a row is too large.
    #[cold]
    fn fail(&self, grid: &O::Grid, block: (usize, usize), cell: usize, source: ArenaError) {
        let mut position = String::new();
        self.order.visit(grid, block, &mut |row| {
            if row.cell == cell {
                position = row.pots.iter().map(|pot| format!("[{pot}]")).collect();
            }
        });
        let _ = self.failure.set(EngineError::Form { position, source });
        self.failed.store(true, Relaxed);
    }
}

struct FailOnDrop<'a>(&'a AtomicBool);

impl Drop for FailOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests;
