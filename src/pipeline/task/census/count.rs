//! Counting: how many positions of a part have each value, and which of them comes first.

use std::collections::{BTreeMap, VecDeque};

use cggames::board::Features;
use cggames::family::{AllPositions, CellOfAll, Member};
use cgsolvers::Word;
use hashbrown::HashMap;
use rayon::prelude::*;

use super::space::{CellsOrRanks, Part};
use crate::dataset::CellRecord;
use crate::evaluate::swept::Swept;
use crate::run::{Run, RunError};

/// The positions of one size that have one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueCount {
    pub(super) features: Features,
    pub(super) word: Word,
    pub(super) count: u64,
    /// The number of positions of this size before the first of them.
    pub(super) rank: u64,
    /// The first one's rank in the family.
    pub(super) family_rank: u64,
}

/// The counts of a part.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) cells: Vec<CellRecord>,
    /// Ordered by cell, then in the family's order.
    pub(super) found: Vec<ValueCount>,
}

type WordMap<K> = HashMap<K, ValueCount, foldhash::fast::RandomState>;

/// Counts positions one after another.
#[derive(Default)]
pub(super) struct Counter {
    cells: BTreeMap<Features, CellRecord>,
    found: WordMap<(Features, Word)>,
}

impl Counter {
    /// Counts positions, which must follow the earlier ones, with their values and whether they
    /// count.
    pub(super) fn add_all(&mut self, members: &[Member], values: &[(Word, bool)]) {
        for (member, &(word, counts)) in members.iter().zip(values) {
            self.add(member.position.features(), member.rank, word, counts);
        }
    }

    fn add(&mut self, features: Features, family_rank: u64, word: Word, counts: bool) {
        let cell = self.cells.entry(features).or_insert(CellRecord {
            features,
            positions: 0,
            counted: 0,
        });
        let rank = cell.positions;
        cell.positions += 1;
        if !counts {
            return;
        }
        cell.counted += 1;
        self.found
            .entry((features, word))
            .or_insert(ValueCount {
                features,
                word,
                count: 0,
                rank,
                family_rank,
            })
            .count += 1;
    }

    /// Ends the count, and adds it to the counts of the part.
    pub(super) fn finish(self, counted: &mut Counted) {
        counted.cells.extend(self.cells.into_values());
        let first = counted.found.len();
        counted.found.extend(self.found.into_values());
        counted.found[first..].sort_unstable_by_key(|found| (found.features, found.rank));
    }
}

/// Returns the size of the positions of a cell.
pub(super) fn features_of(cell: &CellOfAll) -> Features {
    Features {
        pots: cell.pots,
        seeds: Some(u64::from(cell.seeds)),
        ..Features::default()
    }
}

/// The most rows that one worker counts at once, and the number of such lots counted before they
/// are combined.
const LOT_ROWS: u64 = 1 << 17;
const LOTS: usize = 64;

/// Why a row of a census has a number in the order of the sweep.
const SWEPT: &str = "a row of the cell is of the family swept";

/// The number of rows whose values are prefetched before they are counted.
const ROWS_AHEAD: usize = 16;

/// Words below this are counted in an array. All nim-values of a sweep are below it.
const SMALL_WORDS: usize = 128;

/// Counts cells whose values are in an array, on all threads of the current pool.
///
/// Only the first row of each value is materialised; the others are visited by updating the pots
/// that differ from the previous row.
pub(super) fn count_swept(
    all: &AllPositions,
    cells: &[CellOfAll],
    swept: &Swept,
    run: &Run<'_>,
) -> Result<Counted, RunError> {
    let lots: Vec<(usize, std::ops::Range<u64>)> = cells
        .iter()
        .enumerate()
        .flat_map(|(index, cell)| {
            let (start, end) = (cell.ranks.start, cell.ranks.end);
            let starts = (start..end).step_by(LOT_ROWS as usize);
            starts.map(move |start| (index, start..end.min(start + LOT_ROWS)))
        })
        .collect();
    let mut counted = Counted::default();
    counted.cells.extend(cells.iter().map(|cell| CellRecord {
        features: features_of(cell),
        positions: 0,
        counted: 0,
    }));
    let mut of_cell: (usize, WordMap<Word>) = (0, WordMap::default());
    for lots in lots.chunks(LOTS) {
        let results: Vec<Result<Vec<ValueCount>, RunError>> = lots
            .par_iter()
            .map(|(index, ranks)| {
                run.session.check_stop()?;
                let lot = count_lot(all, &cells[*index], ranks.clone(), swept);
                let positions = ranks.end - ranks.start;
                run.session.count_rows(positions);
                run.session.tracker.add(positions, 0);
                Ok(lot)
            })
            .collect();
        for ((index, ranks), lot) in lots.iter().zip(results) {
            let lot = lot?;
            if of_cell.0 != *index {
                close(&mut of_cell.1, &mut counted);
                of_cell.0 = *index;
            }
            let record = &mut counted.cells[*index];
            let positions: u64 = lot.iter().map(|found| found.count).sum();
            record.positions += positions;
            record.counted += positions;
            if *ranks == cells[*index].ranks {
                counted.found.extend(lot);
                continue;
            }
            for found in lot {
                let known = of_cell
                    .1
                    .entry(found.word)
                    .or_insert(ValueCount { count: 0, ..found });
                known.count += found.count;
            }
        }
    }
    close(&mut of_cell.1, &mut counted);
    Ok(counted)
}

/// Ends the count of a cell that was counted in several lots, if there is one.
fn close(of_cell: &mut WordMap<Word>, counted: &mut Counted) {
    let first = counted.found.len();
    counted
        .found
        .extend(of_cell.drain().map(|(_, found)| found));
    counted.found[first..].sort_unstable_by_key(|found| found.rank);
}

/// Counts some rows of a cell; values come in the order of their first rows.
fn count_lot(
    all: &AllPositions,
    cell: &CellOfAll,
    ranks: std::ops::Range<u64>,
    swept: &Swept,
) -> Vec<ValueCount> {
    let mut small = [(0u64, 0u64); SMALL_WORDS];
    let mut large: HashMap<Word, (u64, u64), foldhash::fast::RandomState> = HashMap::default();
    let mut rank = ranks.start;
    let mut count = |cell: usize| {
        let word = swept
            .words
            .word(cell)
            .expect("a census has cells for all values");
        let (count, first) = match small.get_mut(word.get() as usize) {
            Some(slot) => slot,
            None => large.entry(word).or_insert((0, 0)),
        };
        if *count == 0 {
            *first = rank;
        }
        *count += 1;
        rank += 1;
    };
    let mut ahead = VecDeque::with_capacity(ROWS_AHEAD);
    all.each_row(ranks, &mut |pots| {
        if ahead.len() == ROWS_AHEAD {
            ahead.pop_front().into_iter().for_each(&mut count);
        }
        let cell = swept.order.cell_of(pots).expect(SWEPT);
        swept.words.prefetch(cell);
        ahead.push_back(cell);
    });
    ahead.into_iter().for_each(count);
    let small = small
        .iter()
        .zip(0..)
        .filter_map(|(&counted, word)| Some((Word::new(word)?, counted)));
    let found =
        small
            .filter(|(_, (count, _))| *count > 0)
            .chain(large)
            .map(|(word, (count, first))| ValueCount {
                features: features_of(cell),
                word,
                count,
                rank: first - cell.ranks.start,
                family_rank: first,
            });
    let mut found: Vec<ValueCount> = found.collect();
    found.sort_unstable_by_key(|found| found.rank);
    found
}

impl Counted {
    /// Checks that all positions of a part have been counted: each cell as its closed formula says.
    pub(super) fn check(&self, part: &Part) {
        let positions: u64 = self.cells.iter().map(|cell| cell.positions).sum();
        assert_eq!(
            positions, part.positions,
            "every position of a part is counted once"
        );
        if let CellsOrRanks::Cells(cells) = &part.members {
            for (cell, record) in cells.iter().zip(&self.cells) {
                assert_eq!(
                    (features_of(cell), cell.ranks.end - cell.ranks.start),
                    (record.features, record.positions),
                    "the count of a cell's positions agrees with its formula"
                );
            }
        }
    }
}
