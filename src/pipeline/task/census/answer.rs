//! The answer: the first position that has the value or conditions sought, read from the census.

use std::sync::LazyLock;

use cgvalues::{Arena, ValueDigest};
use rayon::prelude::*;

use super::count::ValueCount;
use super::findings::{Findings, Key, PositionCounts, Slot};
use super::first::First;
use super::followers::count_followers_of;
use super::lots::census_row;
use super::question::{Each, Fewest};
use super::search::Search;
use crate::dataset::{
    AnswerRecord, CensusBatch, CensusPartRecord, CensusRow, DatasetError, Digest, FORMAT_VERSION,
    FileRecord, WitnessRow,
};
use crate::evaluate::worker::{Worker, Workers};
use crate::run::RunError;

/// The sources of an answer.
pub(super) struct Answer<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) parts: Vec<CensusPartRecord>,
}

/// The most values of a census for which capacity is reserved in advance, at 20 bytes each.
const VALUES_AHEAD: u64 = 1 << 17;

impl Answer<'_> {
    /// Writes the answer, from the findings made during the search or else from the census. Returns
    /// how many witnesses were found, and how many were sought.
    pub(super) fn write(
        &self,
        found: Option<Findings<'_>>,
        workers: &Workers<'_>,
    ) -> Result<(u64, u64), RunError> {
        let Search {
            run,
            task,
            set,
            space,
            ..
        } = self.search;
        let spec = &task.question;
        let arena: LazyLock<Arena> = LazyLock::new(Arena::new);
        let mut found = match found {
            Some(found) => found,
            None => self.read(&arena)?,
        };
        if spec.fewest == Fewest::Followers {
            let matches = std::mem::take(&mut found.matches);
            let firsts = matches.search(self.search, workers)?;
            found.replace_firsts(firsts)?;
        }
        self.write_negatives(&mut found, workers)?;
        let Findings {
            values,
            others,
            census,
            places,
            searched,
            ..
        } = found;
        let mut rows = Vec::new();
        let witness = |sought: String, variables: Vec<Option<i64>>, slot: &Slot| {
            let mut row = witness_row(slot, &places, searched);
            row.sought = sought;
            row.variables = variables;
            row
        };
        for (sought, slot) in spec.values.iter().zip(&values) {
            let variables = sought.variables.iter().copied().map(Some).collect();
            rows.push(witness(sought.text.clone(), variables, slot));
        }
        let mut next = 0;
        for (key, slot) in &others {
            // Nim-values without a position are reported too, up to the largest that has one.
            if let (Key::Number(n), Each::NimValue) = (key, spec.each) {
                for missing in next..*n {
                    rows.push(witness(
                        format!("nim_value = {missing}"),
                        vec![],
                        &Slot::default(),
                    ));
                }
                next = n + 1;
            }
            rows.push(witness(self.sought_text(key, slot), vec![], slot));
        }
        if task.positions.columns.followers && spec.fewest != Fewest::Followers {
            count_followers_of(&mut rows, self.search, workers)?;
        }
        let found = rows.iter().filter(|row| row.found).count() as u64;
        let sought = rows.len() as u64;
        let header = super::header(run.job, task);
        let record = AnswerRecord {
            format_version: FORMAT_VERSION,
            job: header.job,
            space: header.space,
            job_digest: run.job.digest,
            code_version: header.code_version,
            bounds: space.bounds_text(),
            searched,
            counted: census.counted,
            values: census.values.len() as u64,
            found,
            kinds: census.kinds(),
            atomic_weights: census.atomic_weights(),
            witnesses: FileRecord {
                file: String::new(),
                rows: 0,
                bytes: 0,
                blake3: Digest([0; 32]),
            },
        };
        set.write_answer(record, &run.job.text, &spec.variables, &rows)?;
        Ok((found, sought))
    }

    /// Replaces witnesses that stand for their negatives by these.
    fn write_negatives(
        &self,
        found: &mut Findings<'_>,
        workers: &Workers<'_>,
    ) -> Result<(), RunError> {
        let values = found.values.iter_mut();
        let slots = values.chain(found.others.values_mut());
        let negated: Vec<&mut First> = slots
            .filter_map(|slot| slot.first.as_mut())
            .filter(|first| first.negated)
            .collect();
        let write = |worker: &mut Worker<'_, '_>, first: &mut First| -> Result<(), RunError> {
            first.row = self.negative(&first.row, worker)?;
            Ok(())
        };
        self.search.run.pool.install(|| {
            let each = negated.into_par_iter();
            each.map_init(|| workers.take(), |worker, first| write(worker, first))
                .collect::<Result<(), _>>()
        })?;
        // Now the digests of the negatives are known.
        let negatives = found
            .others
            .extract_if(.., |key, _| matches!(key, Key::NegativeOf(_)));
        for (key, slot) in negatives.collect::<Vec<_>>() {
            let first = slot.first.as_ref();
            let first = first.expect("a slot with a key has a position");
            let digest = first.row.value.value_digest;
            // A value that is its own negative has a key already.
            if key != Key::NegativeOf(digest) {
                let slots = found.others.entry(Key::Value(digest));
                slots.or_default().merge(slot);
            }
        }
        Ok(())
    }

    /// Returns the row of the negative of a row's position.
    fn negative(
        &self,
        row: &CensusRow<'_>,
        worker: &mut Worker<'_, '_>,
    ) -> Result<CensusRow<'static>, RunError> {
        let board = self.search.space.position(&row.position)?;
        let negative = worker.evaluator().negative(&board)?;
        let word = worker.short_value(&negative, u64::MAX)?;
        let word = word.expect("no value takes more positions than the greatest number");
        let form = worker.describe(word)?.form;
        let digest = worker.digest(form);
        let count = ValueCount {
            features: negative.features(),
            word,
            count: row.count as u64,
            rank: row.rank as u64,
            family_rank: 0,
        };
        Ok(census_row(
            &count,
            &negative,
            worker.describe(word)?,
            digest,
        ))
    }

    /// Reads the findings from the census.
    fn read<'f>(&'f self, arena: &'f LazyLock<Arena>) -> Result<Findings<'f>, RunError> {
        let mut found = Findings::new(self.search, arena);
        let rows = self.parts.iter().map(|record| record.census.rows);
        let rows: u64 = rows.sum();
        found.census.values.reserve(rows.min(VALUES_AHEAD) as usize);
        for record in &self.parts {
            let mut cells = found.begin(&record.cells);
            if !cells.counting.is_empty() {
                let batches = self.search.set.census_batches(std::slice::from_ref(record));
                let mut take = |row: CensusRow<'_>| found.take(&mut cells, &row);
                read_ahead(batches, &self.search.run.pool, &mut take)?;
            }
        }
        Ok(found)
    }

    fn sought_text(&self, key: &Key, slot: &Slot) -> String {
        let name = self.search.task.question.each.name().unwrap_or_default();
        match key {
            Key::All => self.search.task.question.conditions_text(),
            Key::Number(n) => format!("{name} = {n}"),
            Key::Text(text) => format!("{name} = {text}"),
            Key::Value(digest) | Key::NegativeOf(digest) => {
                let first = slot.first.as_ref();
                let value = first.and_then(|first| first.row.value.value.as_deref());
                value
                    .map(str::to_owned)
                    .unwrap_or_else(|| format!("#{}", ValueDigest(*digest)))
            }
        }
    }
}

/// Calls a function with the rows one by one; while it handles a batch, the next one is read.
fn read_ahead(
    mut batches: impl Iterator<Item = Result<CensusBatch, DatasetError>> + Send,
    pool: &rayon::ThreadPool,
    take: &mut (impl FnMut(CensusRow<'_>) -> Result<(), RunError> + Send),
) -> Result<(), RunError> {
    let mut next = batches.next();
    while let Some(batch) = next {
        let batch = batch?;
        let taken;
        (next, taken) = pool.join(|| batches.next(), || batch.rows().try_for_each(&mut *take));
        taken?;
    }
    Ok(())
}

fn witness_row(slot: &Slot, places: &PositionCounts, searched: u64) -> WitnessRow {
    let mut witness = WitnessRow {
        count: slot.count as i64,
        searched: searched as i64,
        ..WitnessRow::default()
    };
    if let Some(First {
        followers,
        place,
        rank,
        row,
        ..
    }) = &slot.first
    {
        witness.found = true;
        witness.position = Some(row.position.to_string());
        witness.pots = row.features.pots;
        witness.seeds = row.features.seeds;
        witness.blue = row.features.blue;
        witness.red = row.features.red;
        witness.squares = row.features.squares;
        let value = &row.value;
        witness.value = value.value.as_deref().map(str::to_owned);
        witness.value_digest = Some(value.value_digest);
        witness.kind = Some(value.kind.clone());
        witness.nim_value = value.nim_value;
        witness.mean = value.mean;
        witness.temperature = value.temperature;
        witness.birthday = value.birthday;
        witness.atomic_weight = value.atomic_weight.as_deref().map(str::to_owned);
        witness.followers = followers.map(|followers| followers as i64);
        // For the order by followers, the census does not show how many come before.
        witness.searched_before = match followers {
            Some(_) => None,
            None => Some((places.before(*place) + rank) as i64),
        };
    }
    witness
}
