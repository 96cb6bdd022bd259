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

pub use cells::{CellContent, Cells, Nibble};
pub use values::{NimValuesInNibbles, SweepValuation};

use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use self::blocks::Blocks;
use self::queue::Queue;
use super::{Control, EngineError};
use crate::game::{SweepGrid, SweepOrder, Visit};
use crate::memory::Padded;
use crate::value::{ArenaError, lock};

/// The number of finished levels of a sweep.
#[derive(Debug, Default)]
pub struct Progress(AtomicUsize);

impl Progress {
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
    progress: &Progress,
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
        if let Some(reason) = self.control.stopped() {
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
mod tests {
    use super::*;
    use crate::board::row::Row;
    use crate::engine::{
        CanonicalForms, Engine, NimValues, NothingKnown, OutcomeSearch, Valuation, Word,
    };
    use crate::game::{AtomicWari, ByPots, BySeeds, Play, PotGame, ReachableRows, Ruleset, Sowing};
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
    ) -> Cells<V::Content> {
        let cells = Cells::in_memory(order.cells()).unwrap();
        let control = Control::default();
        let progress = Progress::default();
        sweep(
            order,
            valuation,
            &cells,
            &progress,
            &pool(threads),
            &control,
        )
        .unwrap();
        assert_eq!(progress.levels(), order.levels().len());
        order.visit_all(&mut |row| {
            let contents = [row.cell, row.mirror].map(|cell| cells.get(cell));
            assert!(contents.iter().all(|&content| content != V::Content::EMPTY));
        });
        cells
    }

    /// Calls `check` with each row of a family and its cell's content.
    fn each_row<C: CellContent>(
        order: &impl SweepOrder,
        cells: &Cells<C>,
        mut check: impl FnMut(&Row, C),
    ) {
        order.visit_all(&mut |visit| {
            let text: Vec<String> = visit.pots.iter().map(|pot| format!("[{pot}]")).collect();
            let row: Row = match visit.pots {
                [] => "0".parse().unwrap(),
                _ => text.concat().parse().unwrap(),
            };
            check(&row, cells.get(visit.cell));
        });
    }

    /// Narrow cells have the contents of others, for any number of workers.
    fn narrow_cells_agree(order: &impl SweepOrder, threads: usize) {
        let wide = swept(order, &NimValues::default(), threads);
        let narrow = swept(order, &NimValuesInNibbles, threads);
        assert_eq!(narrow.bytes(), wide.bytes().div_ceil(2));
        for cell in 0..order.cells() as usize {
            let contents = [u32::from(narrow.get(cell)), u32::from(wide.get(cell))];
            assert_eq!(contents[0], contents[1], "cell {cell}");
        }
    }

    fn agrees<V: SweepValuation + Valuation + Default>(
        ruleset: impl Ruleset<Board = Row>,
        order: &impl SweepOrder,
        threads: usize,
    ) where
        V::Content: Into<u32>,
    {
        let engine = Engine::new(ruleset, V::default());
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
            let position = engine.ruleset.position(row).unwrap();
            let expected = search.evaluate(&position).unwrap();
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
                agrees::<CanonicalForms>(Sowing, &order, threads);
                agrees::<NimValues>(Sowing, &order, threads);
            }
            let order = ByPots::new(6).unwrap();
            agrees::<CanonicalForms>(Sowing, &order, threads);
            agrees::<NimValues>(Sowing, &order, threads);
            let order = ReachableRows::from_all(6, 9, u64::MAX, &|_| true);
            let order = order.unwrap().unwrap();
            let wari = AtomicWari::on(None);
            agrees::<CanonicalForms>(wari, &order, threads);
            agrees::<NimValues>(wari, &order, threads);
        }
    }

    #[test]
    fn narrow_cells_hold_what_others_hold() {
        for threads in [1, 3] {
            for seeds in 1..=11 {
                narrow_cells_agree(&BySeeds::new(seeds, seeds).unwrap(), threads);
            }
            for pots in 1..=6 {
                narrow_cells_agree(&ByPots::new(pots).unwrap(), threads);
            }
            let order = ReachableRows::from_all(6, 9, u64::MAX, &|_| true);
            narrow_cells_agree(&order.unwrap().unwrap(), threads);
        }
    }

    #[test]
    fn workers_fill_both_halves_of_a_byte() {
        let cells = Cells::<Nibble>::in_memory(1 << 12).unwrap();
        let content = |cell: usize| Nibble::from(cell as u32 * 7 % 16);
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let cells = &cells;
                scope.spawn(move || {
                    for cell in (worker..1 << 12).step_by(2) {
                        Nibble::store(cells.shared(), cell, content(cell));
                    }
                });
            }
        });
        assert!((0..1 << 12).all(|cell| cells.get(cell) == content(cell)));
    }

    /// Nim-values from 14 on look the same in narrow cells, and smaller ones are right beside them.
    #[test]
    fn narrow_cells_hold_small_nim_values_beside_large_ones() {
        let mut rng = 1u32;
        for round in 0..100_000 {
            let options: Vec<u8> = (0..round % 40)
                .map(|_| {
                    rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (rng >> 24) as u8 % 20 + 1
                })
                .chain(1..(round % 23 + 1) as u8)
                .collect();
            let content = NimValues::content(&mut (), options.iter().copied(), [].into_iter());
            let content = content.unwrap().unwrap();
            let options = options
                .iter()
                .map(|&option| Nibble::from(u32::from(option)));
            let narrow = NimValuesInNibbles::content(&mut (), [].into_iter(), options);
            let narrow = narrow.unwrap().unwrap();
            assert_eq!(narrow, Nibble::from(u32::from(content)));
            assert_eq!(narrow.is_exact(), content < 15);
        }
        let empty = [Nibble::EMPTY, Nibble::from(3)];
        let content = NimValuesInNibbles::content(&mut (), empty.into_iter(), [].into_iter());
        assert_eq!(content, Ok(None));
    }

    /// In a game whose rows have the options 0 to 11, too, values from 12 on are those of Sowing.
    #[test]
    fn narrow_cells_hold_what_others_hold_in_a_game_of_large_values() {
        struct Greater<V>(V);

        impl<V: SweepValuation> SweepValuation for Greater<V>
        where
            V::Content: TryFrom<u32, Error: std::fmt::Debug>,
        {
            type Content = V::Content;

            const LOOKS_AHEAD: bool = V::LOOKS_AHEAD;

            const CELLS_MAX: u64 = V::CELLS_MAX;

            type Scratch<'a>
                = V::Scratch<'a>
            where
                V: 'a;

            fn scratch(&self) -> V::Scratch<'_> {
                self.0.scratch()
            }

            fn forms(&self) -> Option<&crate::value::Arena> {
                self.0.forms()
            }

            fn content(
                scratch: &mut V::Scratch<'_>,
                left: impl Iterator<Item = V::Content>,
                right: impl Iterator<Item = V::Content>,
            ) -> Result<Option<V::Content>, ArenaError> {
                let lower = (1..=12).map(|content| V::Content::try_from(content).unwrap());
                V::content(scratch, left.chain(lower), right)
            }

            fn negative_content(content: V::Content) -> V::Content {
                V::negative_content(content)
            }
        }

        let order = BySeeds::new(9, 9).unwrap();
        let wide = swept(&order, &Greater(NimValues::default()), 1);
        let narrow = swept(&order, &Greater(NimValuesInNibbles), 3);
        let mut inexact = 0;
        for cell in 0..order.cells() as usize {
            let (content, wide) = (narrow.get(cell), u32::from(wide.get(cell)));
            assert_eq!(content.is_exact(), wide < 15);
            assert_eq!(u32::from(content), wide.min(15));
            inexact += u32::from(!content.is_exact());
        }
        assert!(inexact > 100, "{inexact}");
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
    fn a_sweep_goes_on_from_whatever_cells_are_filled() {
        goes_on(&NimValues::default());
        goes_on(&NimValuesInNibbles);
    }

    fn goes_on<V: SweepValuation>(valuation: &V) {
        let order = BySeeds::new(10, 10).unwrap();
        let whole = swept(&order, valuation, 2);
        for levels in [0, 4, order.levels().len()] {
            let cells = Cells::in_memory(order.cells()).unwrap();
            let mut seen = 0;
            for (index, level) in order.levels().into_iter().enumerate() {
                order.visit_level(level, &mut |row| {
                    // In later levels every third row, some of these without the mirror image.
                    if index < levels || seen % 3 == 0 {
                        V::Content::store(cells.shared(), row.cell, whole.get(row.cell));
                    }
                    if index < levels || seen % 6 == 0 {
                        V::Content::store(cells.shared(), row.mirror, whole.get(row.mirror));
                    }
                    seen += 1;
                });
            }
            let (progress, control) = (Progress::default(), Control::default());
            progress.begin_after(levels);
            sweep(&order, valuation, &cells, &progress, &pool(3), &control).unwrap();
            assert!((0..order.cells() as usize).all(|cell| cells.get(cell) == whole.get(cell)));
            assert!(control.evaluated() < order.cells() / 2);
        }
    }

    #[test]
    fn impartial_sweeps_may_be_larger() {
        let cells = |seeds| BySeeds::new(seeds, seeds).unwrap().cells();
        let forms_max = <CanonicalForms as SweepValuation>::CELLS_MAX;
        let nim_values_max = <NimValues as SweepValuation>::CELLS_MAX;
        assert!(cells(18) <= forms_max && forms_max < cells(19));
        assert!(cells(20) <= nim_values_max);
        let (narrow, gib) = (Cells::<Nibble>::bytes_of(cells(20)).unwrap(), 1 << 30);
        assert!((16 * gib..17 * gib).contains(&narrow));
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
                &Progress::default(),
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
            &Progress::default(),
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
