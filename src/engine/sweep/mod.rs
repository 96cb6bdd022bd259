//! The sweep: all positions of a family valued in an order that puts options first.
//!
//! Values lie in a flat array, one cell a position, at a number that is found by a few additions
//! ([`SweepOrder`]). There is no recursion, no hash table and no lock: a worker takes the next stretch of the
//! order, and reads the values of options where they must be. Where another worker has not got so
//! far yet the cell is empty; the position is then put off and tried again after the stretch. Since every
//! option comes earlier in the order, the earliest position put off anywhere can always be
//! valued, and all are valued in the end.

mod batch;
mod cells;
mod values;

pub use cells::{Cell, Cells};
pub use values::SweepValuation;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use self::batch::{Batch, Row};
use super::{Control, EngineError};
use crate::ruleset::SweepOrder;
use crate::value::{ArenaError, lock, prefetch};

/// Values all positions of a family, in parallel on the threads of a pool, and fills their cells.
///
/// Costs one visit for each position and its mirror image.
///
/// # Errors
///
/// When it was stopped, or a value cannot be held.
pub fn sweep<O: SweepOrder, V: SweepValuation>(
    order: &O,
    valuation: &V,
    cells: &Cells<V::Cell>,
    pool: &rayon::ThreadPool,
    control: &Control,
) -> Result<(), EngineError> {
    let parts = order.parts();
    let sweep = Sweep {
        order,
        cells: cells.shared(),
        parts: &parts,
        next: AtomicUsize::new(0),
        ring: (0..RING).map(|_| Slot::default()).collect(),
        front: AtomicUsize::new(0),
        control,
        failed: AtomicBool::new(false),
        failure: OnceLock::new(),
    };
    if pool.current_num_threads() == 1 {
        pool.install(|| sweep.work_alone(valuation));
    } else {
        pool.broadcast(|_| sweep.work(valuation));
    }
    match sweep.failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// How many batches are ready or in the making at most.
const RING: usize = 16;

/// How many rows a worker takes at once.
const CLAIM: usize = 16;

/// How many rows ahead the cells of options are asked for, and their values.
const CELLS_AHEAD: usize = 8;
const VALUES_AHEAD: usize = 3;

/// How often a worker looks for options in the making before it lets others run.
const ROUNDS_A_YIELD: u32 = 64;

/// A batch and who takes its rows.
struct Ready {
    index: usize,
    batch: Batch,
    /// The next row that nobody has taken.
    next: AtomicUsize,
}

type Slot = Mutex<Option<Arc<Ready>>>;

struct Sweep<'a, O: SweepOrder, V: SweepValuation> {
    order: &'a O,
    cells: &'a [<V::Cell as Cell>::Shared],
    parts: &'a [O::Part],
    /// The next part that nobody has made ready.
    next: AtomicUsize,
    /// The batches that are ready, by index modulo `RING`.
    ring: Vec<Slot>,
    /// The first batch that may have rows not taken.
    front: AtomicUsize,
    control: &'a Control,
    failed: AtomicBool,
    failure: OnceLock<EngineError>,
}

impl<O: SweepOrder, V: SweepValuation> Sweep<'_, O, V> {
    /// Values the parts one after another: all options are there when a row comes.
    fn work_alone(&self, valuation: &V) {
        let mut scratch = valuation.scratch();
        for part in self.parts {
            let mut valued = 0;
            self.order.visit(part, &mut |visit| {
                if !self.failed.load(Relaxed) {
                    let cell = |delta: &i64| (visit.cell as i64 + delta) as usize;
                    let sides = (visit.left.iter().map(cell), visit.right.iter().map(cell));
                    let whole = self.value(&mut scratch, visit.cell, visit.mirror, sides);
                    assert!(whole, "the options of {:?} come before it", visit.pots);
                    valued += 1;
                }
            });
            self.control.count_evaluated(valued);
            if self.stopped() {
                return;
            }
        }
    }

    /// Returns whether the sweep was stopped, or has failed.
    fn stopped(&self) -> bool {
        if let Some(reason) = self.control.stopped() {
            let _ = self.failure.set(EngineError::Stopped(reason));
            self.failed.store(true, Relaxed);
        }
        self.failed.load(Relaxed)
    }

    /// Values the rows of one batch after another together with the other workers.
    fn work(&self, valuation: &V) {
        // A worker that panics must not leave others waiting for its positions.
        let guard = FailOnDrop(&self.failed);
        let mut scratch = valuation.scratch();
        let ahead = RING.min(2 * rayon::current_num_threads());
        while !self.failed.load(Relaxed) {
            let front = self.front.load(Relaxed);
            if self.next.load(Relaxed) < self.parts.len().min(front + ahead) {
                self.make_ready();
                continue;
            }
            if front >= self.parts.len() {
                std::mem::forget(guard);
                return;
            }
            let ready = lock(&self.ring[front % RING]).clone();
            match ready {
                Some(ready) if ready.index == front => {
                    self.value_batch(&ready, valuation, &mut scratch)
                }
                _ => std::thread::yield_now(),
            }
        }
        std::mem::forget(guard);
    }

    /// Makes the next batch ready, unless the ring is full.
    fn make_ready(&self) {
        let claimed = self.next.fetch_update(Relaxed, Relaxed, |next| {
            (next < self.parts.len().min(self.front.load(Relaxed) + RING)).then_some(next + 1)
        });
        if let Ok(index) = claimed {
            let mut slot = lock(&self.ring[index % RING]);
            // The memory of the batch that was there serves again, unless somebody still looks at it.
            let mut batch = slot
                .take()
                .and_then(Arc::into_inner)
                .map_or_else(Batch::default, |ready| ready.batch);
            drop(slot);
            batch.fill(self.order, &self.parts[index]);
            *lock(&self.ring[index % RING]) = Some(Arc::new(Ready {
                index,
                batch,
                next: AtomicUsize::new(0),
            }));
        }
    }

    /// Values rows of a batch until all are taken.
    fn value_batch(&self, ready: &Ready, valuation: &V, scratch: &mut V::Scratch<'_>) {
        let len = ready.batch.len();
        // Rows with an option that another worker has in hand; tried again after the others.
        let mut waiting = Vec::with_capacity(CLAIM);
        loop {
            let first = ready.next.fetch_add(CLAIM, Relaxed);
            if first >= len {
                let _ = self
                    .front
                    .compare_exchange(ready.index, ready.index + 1, Relaxed, Relaxed);
                return;
            }
            let last = len.min(first + CLAIM);
            for index in first..last {
                // The cells of a row that comes soon are asked for, and the values of one that comes sooner.
                if index + CELLS_AHEAD < len {
                    let row = ready.batch.row(index + CELLS_AHEAD);
                    for &cell in row.left.iter().chain(row.right) {
                        prefetch(&self.cells[cell as usize]);
                    }
                }
                if index + VALUES_AHEAD < len {
                    let row = ready.batch.row(index + VALUES_AHEAD);
                    for &cell in row.left.iter().chain(row.right) {
                        valuation.prefetch(V::Cell::load(&self.cells[cell as usize]));
                    }
                }
                if !self.value_row(scratch, ready.batch.row(index)) {
                    waiting.push(index);
                }
            }
            let mut rounds = 0u32;
            while !waiting.is_empty() {
                waiting.retain(|&index| !self.value_row(scratch, ready.batch.row(index)));
                rounds += 1;
                if self.failed.load(Relaxed) {
                    return;
                }
                if rounds.is_multiple_of(ROUNDS_A_YIELD) {
                    std::thread::yield_now();
                } else {
                    std::hint::spin_loop();
                }
            }
            self.control.count_evaluated((last - first) as u64);
            if self.stopped() {
                return;
            }
        }
    }

    #[inline]
    fn value_row(&self, scratch: &mut V::Scratch<'_>, row: Row<'_>) -> bool {
        let cell = |&cell: &u32| cell as usize;
        let sides = (row.left.iter().map(cell), row.right.iter().map(cell));
        self.value(scratch, row.cell, row.mirror, sides)
    }

    /// Values a position, and returns whether all its options had values.
    #[inline]
    fn value(
        &self,
        scratch: &mut V::Scratch<'_>,
        cell: usize,
        mirror: usize,
        (left, right): (impl Iterator<Item = usize>, impl Iterator<Item = usize>),
    ) -> bool {
        let content = |cell: usize| V::Cell::load(&self.cells[cell]);
        match V::content(scratch, left.map(content), right.map(content)) {
            Ok(None) => false,
            Ok(Some(content)) => {
                V::Cell::store(&self.cells[cell], content);
                V::Cell::store(&self.cells[mirror], V::mirror_content(content));
                true
            }
            Err(source) => {
                self.fail(cell, source);
                true
            }
        }
    }

    /// Gives up, for the value of a position cannot be held.
    #[cold]
    fn fail(&self, cell: usize, source: ArenaError) {
        let mut position = String::new();
        let part = self
            .parts
            .iter()
            .find(|part| self.order.cells_of(part).contains(&cell));
        if let Some(part) = part {
            self.order.visit(part, &mut |visit| {
                if visit.cell == cell {
                    position = visit.pots.iter().map(|pot| format!("[{pot}]")).collect();
                }
            });
        }
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
mod tests {
    use super::*;
    use crate::engine::{
        CanonicalForms, Engine, NimValues, NothingKnown, OutcomeSearch, Valuation, Word,
    };
    use crate::ruleset::row::Row;
    use crate::ruleset::{ByPots, BySeeds, Play, Ruleset, Sowing};
    use crate::value::Notation;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    }

    fn swept<V: SweepValuation>(
        order: &impl SweepOrder,
        valuation: &V,
        threads: usize,
    ) -> Cells<V::Cell> {
        let cells = Cells::in_memory(order.cells()).unwrap();
        let control = Control::default();
        sweep(order, valuation, &cells, &pool(threads), &control).unwrap();
        let all = (0..order.cells() as usize).all(|cell| cells.get(cell) != V::Cell::EMPTY);
        assert!(all, "a cell is empty");
        cells
    }

    /// Calls `check` with each row of a family and its cell's content.
    fn each_row<C: Cell>(
        order: &impl SweepOrder,
        cells: &Cells<C>,
        mut check: impl FnMut(&Row, C),
    ) {
        for part in order.parts() {
            order.visit(&part, &mut |visit| {
                let text: Vec<String> = visit.pots.iter().map(|pot| format!("[{pot}]")).collect();
                let row: Row = text.concat().parse().unwrap();
                check(&row, cells.get(visit.cell));
            });
        }
    }

    fn agrees<V: SweepValuation + Valuation + Default>(order: &impl SweepOrder, threads: usize)
    where
        V::Cell: Into<u32>,
    {
        let engine = Engine::new(Sowing, V::default());
        let mut search = engine.search(&NothingKnown);
        let valuation = V::default();
        let cells = swept(order, &valuation, threads);
        let print = |arena: &crate::value::Arena, word: Word| {
            let mut calculator = arena.calculator();
            let form = V::form(&mut calculator, word).unwrap();
            arena
                .notation_as(form, Notation::Plain)
                .limited(1 << 20)
                .unwrap()
        };
        each_row(order, &cells, |row, content| {
            let word = Word::new(content.into()).unwrap();
            let expected = search.evaluate(&Sowing.position(row).unwrap()).unwrap();
            assert_eq!(
                print(Valuation::arena(&valuation), word),
                print(Valuation::arena(&engine.valuation), expected),
                "{row}"
            );
        });
    }

    #[test]
    fn a_sweep_finds_what_the_search_finds() {
        for threads in [1, 3] {
            for seeds in 1..=8 {
                let order = BySeeds::new(seeds, seeds).unwrap();
                agrees::<CanonicalForms>(&order, threads);
                agrees::<NimValues>(&order, threads);
            }
            let order = ByPots::new(6).unwrap();
            agrees::<CanonicalForms>(&order, threads);
            agrees::<NimValues>(&order, threads);
        }
    }

    #[test]
    fn threads_share_parts_of_many_rows() {
        let order = BySeeds::new(12, 12).unwrap();
        let content = |threads: usize| -> Vec<u8> {
            let cells = swept(&order, &NimValues::default(), threads);
            (0..order.cells() as usize)
                .map(|cell| cells.get(cell))
                .collect()
        };
        assert!(content(1) == content(4));
    }

    #[test]
    fn playing_finds_the_same_winners_and_nimbers() {
        let order = BySeeds::new(7, 7).unwrap();
        let forms = CanonicalForms::default();
        let cells = swept(&order, &forms, 2);
        let mut calculator = forms.arena.calculator();
        let control = Control::default();
        let memory = bytesize::ByteSize::mib(64);
        let mut search = OutcomeSearch::new(&Sowing, Play::Partisan, memory, &control);
        let mut found = std::collections::BTreeSet::new();
        each_row(&order, &cells, |row, content| {
            let value = CanonicalForms::value(Word::new(content).unwrap());
            let position = Sowing.position(row).unwrap();
            let outcome = search.outcome(&position).unwrap();
            assert_eq!(outcome, calculator.outcome(value), "{row}");
            let nimber = forms.arena.nimber(value).filter(|&n| n <= 2);
            assert_eq!(
                search.nimber(&position, 2).unwrap().map(u32::from),
                nimber,
                "{row}"
            );
            found.insert((outcome, nimber));
        });
        assert!(found.len() > 5, "{found:?}");
    }

    #[test]
    fn a_sweep_that_is_stopped_says_so() {
        let order = BySeeds::new(11, 11).unwrap();
        for threads in [1, 2] {
            let control = Control::default();
            control.stop(crate::engine::StopReason::TimeLimit);
            let cells = Cells::in_memory(order.cells()).unwrap();
            let result = sweep(
                &order,
                &NimValues::default(),
                &cells,
                &pool(threads),
                &control,
            );
            assert!(matches!(result, Err(EngineError::Stopped(_))));
        }
    }

    #[test]
    fn cells_in_a_file_hold_what_cells_in_memory_hold() {
        let order = BySeeds::new(9, 9).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let cells = Cells::in_file(order.cells(), folder.path()).unwrap();
        sweep(
            &order,
            &NimValues::default(),
            &cells,
            &pool(1),
            &Control::default(),
        )
        .unwrap();
        let memory = swept(&order, &NimValues::default(), 1);
        for cell in 0..order.cells() as usize {
            assert_eq!(cells.get(cell), memory.get(cell));
        }
        assert!(Cells::<u8>::in_file(10, &folder.path().join("missing")).is_err());
    }
}
