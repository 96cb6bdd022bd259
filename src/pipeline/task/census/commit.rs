//! Committing the census of a part: values are described, their forms collected, and rows written.

use std::mem;

use cggames::family::Iter as Members;
use rayon::prelude::*;

use super::count::{Counted, ValueCount};
use super::findings::Findings;
use super::lots::Lot;
use super::search::Search;
use super::space::{CellsOrRanks, Part};
use crate::dataset::{CensusPartRecord, CensusRow, DatasetError, FormRow};
use crate::evaluate::forms::FormCollector;
use crate::evaluate::worker::{Worker, Workers};
use crate::run::RunError;

/// The fewest and the most values described together.
const DESCRIBED_MIN: usize = 512;
const DESCRIBED_MAX: usize = 4096;

/// The number of values that one worker describes at once: small enough that all threads stay busy
/// to the end, and that the texts of a lot are still in the cache when they are written.
const LOT: usize = 128;

/// Values that are written together, with their progress so far.
#[derive(Default)]
struct Chunk<'a> {
    found: &'a [ValueCount],
    lots: Vec<Lot>,
    /// The digests of the values, once their forms are collected.
    digests: Vec<[u8; 16]>,
}

impl Search<'_> {
    /// Describes the values found and commits the census of the part.
    ///
    /// While the rows of some values are written, the forms of the next values are collected, and
    /// those after them are described.
    pub(super) fn commit(
        &self,
        part: &Part,
        counted: Counted,
        findings: &mut Option<Findings<'_>>,
        workers: &Workers<'_>,
    ) -> Result<CensusPartRecord, RunError> {
        let mut cells = findings.as_mut().map(|found| found.begin(&counted.cells));
        let mut writer = self.set.part_writer(&part.name)?;
        let (census, form_rows) = (&mut writer.census, &mut writer.forms);
        let mut forms = FormCollector::new(workers.evaluator.arena());
        // PERF: lots shrink towards the end, since one thread alone writes the last one.
        let mut left = &counted.found[..];
        let mut next = || {
            let together = (left.len() / 4).clamp(DESCRIBED_MIN, DESCRIBED_MAX);
            left.split_off(..together.min(left.len()))
                .unwrap_or_default()
        };
        let mut described = Chunk::default();
        let mut collected = Chunk::default();
        loop {
            let found = next();
            if found.is_empty() && described.found.is_empty() && collected.found.is_empty() {
                break;
            }
            self.run.session.check_stop()?;
            let collect = || -> Result<Vec<[u8; 16]>, DatasetError> {
                let mut push = |row: &FormRow| form_rows.push(row);
                let values = described.lots.iter().flat_map(|lot| &lot.values);
                values
                    .map(|value| forms.collect(value.form, &mut push))
                    .collect()
            };
            let write = || -> Result<(), RunError> {
                for row in collected.rows() {
                    if let (Some(findings), Some(cells)) = (&mut *findings, &mut cells) {
                        findings.take(cells, &row)?;
                    }
                    census.push(&row)?;
                }
                if findings.as_ref().is_some_and(Findings::is_large) {
                    *findings = None;
                }
                Ok(())
            };
            // Describing comes last, because all threads can share it.
            let (digests, (written, lots)) = rayon::join(collect, || {
                rayon::join(write, || self.describe(found, workers))
            });
            written?;
            described.digests = digests?;
            let lots = lots?;
            self.run.session.tracker.add(found.len() as u64, 0);
            let digests = Vec::new();
            collected = mem::replace(
                &mut described,
                Chunk {
                    found,
                    lots,
                    digests,
                },
            );
        }
        let ranks = match &part.members {
            CellsOrRanks::Ranks(ranks) => Some([ranks.start, ranks.end]),
            CellsOrRanks::Cells(_) => None,
        };
        Ok(writer.commit(ranks, counted.cells)?)
    }

    /// Returns the first position of each value found, with the description of the value.
    fn describe(&self, found: &[ValueCount], workers: &Workers<'_>) -> Result<Vec<Lot>, RunError> {
        let start = || (workers.take(), self.space.family.iter());
        let describe = |(worker, members): &mut (Worker<'_, '_>, Members<'_>),
                        found: &[ValueCount]| {
            let mut lot = Lot::with_capacity(found.len());
            for found in found {
                let member = members.go_to(found.family_rank);
                lot.push(&member.position, worker.describe(found.word)?);
            }
            Ok(lot)
        };
        found.par_chunks(LOT).map_init(start, describe).collect()
    }
}

impl Chunk<'_> {
    /// Returns the rows of values whose forms are collected.
    fn rows(&self) -> impl Iterator<Item = CensusRow<'_>> {
        let lots = self.lots.iter();
        let values = lots.flat_map(|lot| lot.values.iter().map(move |value| (lot, value)));
        let found = self.found.iter().zip(&self.digests);
        found
            .zip(values)
            .map(|((found, &digest), (lot, value))| lot.row(value, found, digest))
    }
}
