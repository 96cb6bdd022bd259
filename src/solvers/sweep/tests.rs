use cggames::board::row::Row;
use cggames::game::{AtomicWari, ByPots, BySeeds, Play, ReachableRows, Ruleset, Sowing};
use cgvalues::Notation;

use super::*;
use crate::{
    CanonicalForms, Engine, Formed, MisereNimValues, MisereOutcomes, NimValues, NothingKnown,
    OutcomeSearch, Word,
};

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
    let progress = SweepProgress::default();
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
    let narrow = swept(order, &NimValuesInNibbles::default(), threads);
    assert_eq!(narrow.bytes(), wide.bytes().div_ceil(2));
    for cell in 0..order.cells() as usize {
        let contents = [u32::from(narrow.get(cell)), u32::from(wide.get(cell))];
        assert_eq!(contents[0], contents[1], "cell {cell}");
    }
}

fn agrees<V: SweepValuation + Formed + Default>(
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
    let print = |arena: &cgvalues::Arena, word: Word| {
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
            print(Formed::arena(&valuation), word),
            print(Formed::arena(&engine.valuation), expected),
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
            agrees::<MisereOutcomes>(Sowing, &order, threads);
            agrees::<MisereNimValues>(Sowing, &order, threads);
        }
        let order = ByPots::new(6).unwrap();
        agrees::<CanonicalForms>(Sowing, &order, threads);
        agrees::<NimValues>(Sowing, &order, threads);
        agrees::<MisereOutcomes>(Sowing, &order, threads);
        agrees::<MisereNimValues>(Sowing, &order, threads);
        let order = ReachableRows::from_all(6, 9, u64::MAX, &|_| true);
        let order = order.unwrap().unwrap();
        let wari = AtomicWari::on(None);
        agrees::<CanonicalForms>(wari, &order, threads);
        agrees::<NimValues>(wari, &order, threads);
        agrees::<MisereOutcomes>(wari, &order, threads);
        agrees::<MisereNimValues>(wari, &order, threads);
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

        fn forms(&self) -> Option<&cgvalues::Arena> {
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
    let narrow = swept(&order, &Greater(NimValuesInNibbles::default()), 3);
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
    goes_on(&NimValuesInNibbles::default());
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
        let (progress, control) = (SweepProgress::default(), Control::default());
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
        control.stop(crate::StopReason::TimeLimit);
        let cells = Cells::in_memory(order.cells()).unwrap();
        let result = sweep(
            &order,
            &NimValues::default(),
            &cells,
            &SweepProgress::default(),
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
        &SweepProgress::default(),
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
