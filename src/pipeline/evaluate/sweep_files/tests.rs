use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use cggames::game::{ByPots, BySeeds, Visit};
use cgsolvers::sweep::{NimValuesInNibbles, sweep};
use cgsolvers::{
    CanonicalForms, Control, Formed, MisereNimValues, MisereOutcomes, NimValues, StopReason, Word,
};
use cgvalues::Digester;

use super::*;
use crate::run::checkpoint::{self, Checkpoint};

/// Returns the files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The first levels of an order.
struct First<'a, O>(&'a O, usize);

impl<O: SweepOrder> SweepOrder for First<'_, O> {
    type Level = O::Level;
    type Grid = O::Grid;

    fn cells(&self) -> u64 {
        self.0.cells()
    }

    fn levels(&self) -> Vec<O::Level> {
        self.0.levels().into_iter().take(self.1).collect()
    }

    fn cells_through(&self, levels: usize) -> u64 {
        self.0.cells_through(levels)
    }

    fn grid(&self, level: O::Level, workers: usize) -> O::Grid {
        self.0.grid(level, workers)
    }

    fn visit(&self, grid: &O::Grid, block: (usize, usize), visit: &mut impl FnMut(&Visit<'_>)) {
        self.0.visit(grid, block, visit);
    }

    fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        self.0.cell_of(pots)
    }
}

/// A sweep, and the folder of its checkpoints.
struct Swept<'a, O, V: SweepValuation> {
    order: &'a O,
    folder: &'a Path,
    valuation: V,
    cells: Cells<V::Content>,
    progress: SweepProgress,
}

impl<O: SweepOrder, V: SweepValuation + Default> Swept<'_, O, V> {
    fn new<'a>(order: &'a O, folder: &'a Path) -> Swept<'a, O, V> {
        Swept {
            order,
            folder,
            valuation: V::default(),
            cells: Cells::in_memory(order.cells()).expect("memory"),
            progress: SweepProgress::default(),
        }
    }

    fn files(&self) -> SweepFiles {
        let folder = Checkpoint::of(self.folder, "a test").sweep("some");
        let namespace = Namespace::new("sowing", 1, "either");
        let folder = folder.expect("a folder");
        SweepFiles::new::<V>(
            folder,
            Duration::from_secs(1),
            &namespace,
            "some",
            self.order,
        )
    }

    /// Sweeps `levels` levels, or stops after `positions` more positions have been valued.
    fn sweep(&self, levels: usize, positions: u64) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        let (pool, control) = (pool.expect("threads"), Control::default());
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    if control.evaluated() >= positions {
                        control.stop(StopReason::Interrupted);
                    }
                }
            });
            // Stopped or not, the cells are what they are.
            let _ = sweep(
                &First(self.order, levels),
                &self.valuation,
                &self.cells,
                &self.progress,
                &pool,
                &control,
            );
            done.store(true, Relaxed);
        });
    }

    /// Returns the digests of all values.
    fn values(&self) -> Vec<[u8; 16]>
    where
        V: Formed,
    {
        let arena = Formed::arena(&self.valuation);
        let (mut calculator, mut digester) = (arena.calculator(), Digester::new(arena));
        let value = |cell| {
            let word = Word::new(self.cells.get(cell).into()).expect("a filled cell");
            let form = V::form(&mut calculator, word).expect("room");
            digester.digest(form).0
        };
        (0..self.order.cells() as usize).map(value).collect()
    }
}

fn goes_on<V: SweepValuation + Formed + Default>(order: &impl SweepOrder) {
    let folder = tempfile::tempdir().expect("a folder");
    let undisturbed = Swept::<_, V>::new(order, folder.path());
    undisturbed.sweep(usize::MAX, u64::MAX);
    let expected = undisturbed.values();
    let part = order.cells() / 32;
    for _ in 0..8 {
        let run = Swept::<_, V>::new(order, folder.path());
        let mut checkpoint = run.files();
        checkpoint
            .restore(&run.valuation, &run.cells, &run.progress)
            .expect("files");
        run.sweep(usize::MAX, part);
        checkpoint
            .write(&run.valuation, &run.cells, &run.progress)
            .expect("room on the disk");
        run.sweep(usize::MAX, part / 2);
        checkpoint
            .write(&run.valuation, &run.cells, &run.progress)
            .expect("room on the disk");
    }
    let sweep = folder.path().join("checkpoint/sweep-some");
    let mut files = files(&sweep);
    files.retain(|path| path.to_string_lossy().contains(CELLS));
    let bytes = files
        .iter()
        .map(|path| fs::metadata(path).expect("a file").len());
    let headers = 2000 * files.len() as u64;
    let array = order.cells() * size_of::<V::Content>() as u64;
    assert!(bytes.sum::<u64>() <= 3 * array + headers);
    let last = Swept::<_, V>::new(order, folder.path());
    let mut checkpoint = last.files();
    checkpoint
        .restore(&last.valuation, &last.cells, &last.progress)
        .expect("files");
    let cells =
        (0..order.cells() as usize).filter(|&cell| last.cells.get(cell) != V::Content::EMPTY);
    assert!(cells.count() as u64 >= order.cells() / 2);
    assert!(last.progress.levels() > 0);
    last.sweep(usize::MAX, u64::MAX);
    assert!(last.values() == expected);
    checkpoint::remove(folder.path()).expect("files that can be removed");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn sweeps_resume_from_checkpoints() {
    let (seeds, pots) = (
        BySeeds::new(11, 11).expect("few"),
        ByPots::new(6).expect("few"),
    );
    goes_on::<CanonicalForms>(&seeds);
    goes_on::<CanonicalForms>(&pots);
    goes_on::<NimValues>(&seeds);
    goes_on::<NimValues>(&pots);
    goes_on::<MisereNimValues>(&pots);
    goes_on::<MisereOutcomes>(&seeds);
}

#[test]
fn checkpoints_that_take_long_come_less_often() {
    let order = BySeeds::new(9, 9).expect("few");
    let folder = tempfile::tempdir().expect("a folder");
    let run = Swept::<_, NimValues>::new(&order, folder.path());
    run.sweep(usize::MAX, u64::MAX);
    let mut files = run.files();
    assert!(files.wait() <= files.interval);
    files
        .write(&run.valuation, &run.cells, &run.progress)
        .expect("room on the disk");
    assert!(files.took > Duration::ZERO);
    files.took = Duration::from_secs(3600);
    let wait = files.wait();
    assert!(
        wait > PAUSE / 2 * files.took && wait <= PAUSE * files.took,
        "{wait:?}"
    );
}

/// Interrupts a sweep with cells of one width, and finishes it with those of another.
fn resumes_in_width<V, W>(order: &impl SweepOrder)
where
    V: SweepValuation + Default,
    W: SweepValuation + Default,
{
    let whole = Swept::<_, NimValues>::new(order, Path::new(""));
    whole.sweep(usize::MAX, u64::MAX);
    let folder = tempfile::tempdir().expect("a folder");
    let first = Swept::<_, V>::new(order, folder.path());
    let mut checkpoint = first.files();
    for positions in [order.cells() / 8, order.cells() / 4] {
        first.sweep(usize::MAX, positions);
        checkpoint
            .write(&first.valuation, &first.cells, &first.progress)
            .expect("room on the disk");
    }
    let then = Swept::<_, W>::new(order, folder.path());
    let mut checkpoint = then.files();
    let filled = checkpoint.restore(&then.valuation, &then.cells, &then.progress);
    assert!(filled.expect("files") >= order.cells() / 8);
    assert!(then.progress.levels() > 0);
    for cell in 0..order.cells() as usize {
        let contents: [u32; 2] = [first.cells.get(cell).into(), then.cells.get(cell).into()];
        assert_eq!(contents[0], contents[1], "cell {cell}");
    }
    then.sweep(usize::MAX, u64::MAX);
    checkpoint
        .write(&then.valuation, &then.cells, &then.progress)
        .expect("room on the disk");
    let last = Swept::<_, V>::new(order, folder.path());
    let filled = last
        .files()
        .restore(&last.valuation, &last.cells, &last.progress);
    assert_eq!(filled.expect("files"), order.cells());
    for cell in 0..order.cells() as usize {
        let contents: [u32; 2] = [last.cells.get(cell).into(), whole.cells.get(cell).into()];
        assert_eq!(contents[0], contents[1], "cell {cell}");
    }
}

#[test]
fn sweeps_resume_with_cells_of_any_width() {
    // An even number of cells, and an odd one.
    let orders = [(11, 11), (17, 6)].map(|(seeds, pots)| BySeeds::new(seeds, pots).expect("few"));
    assert_eq!(orders.each_ref().map(|order| order.cells() % 2), [0, 1]);
    for order in &orders {
        resumes_in_width::<NimValuesInNibbles, NimValuesInNibbles>(order);
        resumes_in_width::<NimValuesInNibbles, NimValues>(order);
        resumes_in_width::<NimValues, NimValuesInNibbles>(order);
    }
}

#[test]
fn contents_that_are_not_exact_leave_wider_cells_empty() {
    fn restored<V: SweepValuation + Default>(
        from: &Swept<'_, BySeeds, impl SweepValuation + Default>,
    ) -> (u64, usize, Vec<u32>) {
        let to = Swept::<_, V>::new(from.order, from.folder);
        let filled = (to.files()).restore(&to.valuation, &to.cells, &to.progress);
        let contents = (0..8).map(|cell| to.cells.get(cell).into()).collect();
        (filled.expect("files"), to.progress.levels(), contents)
    }

    fn written<'a, V: SweepValuation + Default>(
        order: &'a BySeeds,
        folder: &'a Path,
    ) -> Swept<'a, BySeeds, V> {
        let swept = Swept::<_, V>::new(order, folder);
        for cell in 0..order.cells() as usize {
            let content = V::Content::try_from(cell.min(5) as u32 + 11);
            let content = content.ok().expect("a content");
            V::Content::store(swept.cells.shared(), cell, content);
        }
        swept.progress.begin_after(order.levels().len());
        let mut files = swept.files();
        (files.write(&swept.valuation, &swept.cells, &swept.progress)).expect("room on the disk");
        swept
    }

    let order = BySeeds::new(9, 9).expect("few");
    let (all, levels) = (order.cells(), order.levels().len());
    let folder = tempfile::tempdir().expect("a folder");
    let wide = written::<NimValues>(&order, folder.path());
    let whole = vec![11, 12, 13, 14, 15, 15, 15, 15];
    let found = restored::<NimValuesInNibbles>(&wide);
    assert_eq!(found, (all, levels, whole.clone()));
    let folder = tempfile::tempdir().expect("a folder");
    let narrow = written::<NimValuesInNibbles>(&order, folder.path());
    let found = restored::<NimValuesInNibbles>(&narrow);
    assert_eq!(found, (all, levels, whole));
    let found = restored::<NimValues>(&narrow);
    assert_eq!(found, (4, 0, vec![11, 12, 13, 14, 0, 0, 0, 0]));
}

#[test]
fn whatever_is_damaged_or_missing_no_value_is_wrong() {
    let order = BySeeds::new(8, 8).expect("few");
    let folder = tempfile::tempdir().expect("a folder");
    let run = Swept::<_, CanonicalForms>::new(&order, folder.path());
    let mut checkpoint = run.files();
    for levels in [3, 5, 7] {
        run.sweep(levels, u64::MAX);
        checkpoint
            .write(&run.valuation, &run.cells, &run.progress)
            .expect("room on the disk");
    }
    run.sweep(usize::MAX, u64::MAX);
    let expected = run.values();
    let sweep = folder.path().join("checkpoint/sweep-some");
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&sweep)
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    assert_eq!(whole.len(), 4);
    let check = |what: &str| {
        let run = Swept::<_, CanonicalForms>::new(&order, folder.path());
        let mut checkpoint = run.files();
        checkpoint
            .restore(&run.valuation, &run.cells, &run.progress)
            .expect("files");
        run.sweep(usize::MAX, u64::MAX);
        assert!(run.values() == expected, "{what}");
        for (path, bytes) in &whole {
            fs::write(path, bytes).expect("a file");
        }
    };
    for (path, bytes) in &whole {
        let name = path.display();
        for at in (0..bytes.len()).step_by(397) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(path, &damaged).expect("a file");
            check(&format!("{name}, byte {at}"));
            fs::write(path, &bytes[..at]).expect("a file");
            check(&format!("{name}, {at} bytes"));
        }
        fs::remove_file(path).expect("a file");
        check(&format!("no {name}"));
    }
    // Nor in an arena that has other forms already.
    let run = Swept::<_, CanonicalForms>::new(&order, folder.path());
    let mut calculator = run.valuation.arena.calculator();
    calculator.parse("{7|-5}").expect("a value");
    let mut checkpoint = run.files();
    checkpoint
        .restore(&run.valuation, &run.cells, &run.progress)
        .expect("files");
    assert_eq!(run.progress.levels(), 0);
    run.sweep(usize::MAX, u64::MAX);
    assert!(run.values() == expected);
}

/// Files of two runs with the same cells, whose forms have other numbers, are never mixed.
#[test]
fn cells_of_one_run_and_forms_of_another_start_the_sweep_over() {
    let order = BySeeds::new(11, 11).expect("few");
    let folders = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
    let sweep_of = |folder: &tempfile::TempDir| folder.path().join("checkpoint/sweep-some");
    for folder in &folders {
        let run = Swept::<_, CanonicalForms>::new(&order, folder.path());
        let mut checkpoint = run.files();
        for _ in 0..2 {
            run.sweep(usize::MAX, order.cells() / 8);
            checkpoint
                .write(&run.valuation, &run.cells, &run.progress)
                .expect("room on the disk");
        }
    }
    let undisturbed = Swept::<_, CanonicalForms>::new(&order, Path::new(""));
    undisturbed.sweep(usize::MAX, u64::MAX);
    let expected = undisturbed.values();
    let [ours, theirs] = folders.each_ref().map(sweep_of);
    let whole: Vec<(PathBuf, Vec<u8>)> = files(&ours)
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    for (path, _) in &whole {
        for (path, bytes) in &whole {
            fs::write(path, bytes).expect("our folder");
        }
        let other = theirs.join(path.file_name().expect("a file"));
        fs::copy(other, path).expect("both have this file");
        let run = Swept::<_, CanonicalForms>::new(&order, folders[0].path());
        run.files()
            .restore(&run.valuation, &run.cells, &run.progress)
            .expect("files");
        run.sweep(usize::MAX, u64::MAX);
        assert!(run.values() == expected, "after {path:?} was exchanged");
    }
}
