//! Rows: those of each set of rules, one after another.

use std::ops::Range;

use bytesize::ByteSize;

use super::{VariantRow, VariantsTask};
use crate::dataset::{DatasetError, KeptRows, Lacking, ResultSet, RowLimit, Tables, earlier};
use crate::run::estimate::{Amount, Workload};
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, RowTask, RunError};
use crate::task::strips::{EarlierRows, StripTask, disk};

impl VariantsTask {
    /// Returns the job of each set of rules, with the ranks of its rows.
    fn jobs(&self) -> impl Iterator<Item = (VariantRow, StripTask, Range<u64>)> {
        let rows = self.rows_of_set();
        (0..).zip(&self.rules.distinct).map(move |(place, set)| {
            let job = StripTask {
                game: set.game,
                ..self.positions.clone()
            };
            let ranks = place * rows..(place + 1) * rows;
            (VariantRow::of(&set.rules), job, ranks)
        })
    }
}

impl RowTask for VariantsTask {
    fn making(&self) -> Making {
        Making {
            tables: Tables::with_forms::<VariantRow>(self.positions.family.variables().to_vec()),
            join: ResultSet::join_positions::<VariantRow>,
            grows: Some(Tables::with_forms::<VariantRow>),
            ..self.positions.making()
        }
    }

    fn parts(&self) -> Vec<Range<u64>> {
        // The estimates of all sets are equal, and so are the parts.
        let parts = self.positions.parts();
        let starts = (0..self.rules.distinct.len() as u64).map(|set| set * self.rows_of_set());
        let parts = starts.flat_map(|start| {
            let shifted = |ranks: &Range<u64>| start + ranks.start..start + ranks.end;
            parts.iter().map(shifted).collect::<Vec<_>>()
        });
        parts.collect()
    }

    /// The cost of ranks that lie within one set, or have whole sets between their ends.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        let rows = self.rows_of_set().max(1);
        let (first, last) = (ranks.start / rows, ranks.end.saturating_sub(1) / rows);
        let of_set = |set: u64| {
            let start = set * rows;
            let end = ranks.end.min(start + rows) - start;
            self.positions.cost(&(ranks.start.max(start) - start..end))
        };
        match last.saturating_sub(first) {
            0 => of_set(first),
            1 => of_set(first).saturating_add(of_set(last)),
            sets => {
                let whole = self.positions.cost(&(0..rows)).saturating_mul(sets - 1);
                of_set(first)
                    .saturating_add(whole)
                    .saturating_add(of_set(last))
            }
        }
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        disk(rows, rows)
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        let (workload, results) = self.positions.volume(least);
        let sets = self.rules.distinct.len() as u64;
        let workload = match workload {
            Workload::Searched { positions, forms } => Workload::Searched {
                positions: positions.map(|positions| positions.saturating_mul(sets)),
                forms,
            },
            other => other,
        };
        (workload, results)
    }

    fn memory(&self, _end: u64, _threads: u64) -> Option<MemoryNeed> {
        None
    }

    fn row_limit(&self) -> Option<RowLimit> {
        self.positions.row_limit
    }

    fn lacking(&self, found: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        let rows = KeptRows::<VariantRow>::of(std::slice::from_ref(found))?;
        let rules: Vec<_> = self.jobs().map(|(columns, ..)| columns.rules).collect();
        let subjects = rules
            .iter()
            .flat_map(|rules| self.positions.subjects(Some(rules)));
        rows.lacking(subjects).map(Some)
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let earlier = earlier(parts.results, Tables::with_forms::<VariantRow>)?;
        let earlier = EarlierRows::<VariantRow>::of(&earlier)?;
        for (columns, job, ranks) in self.jobs() {
            if parts.draining() {
                break;
            }
            if let Some(parts) = parts.within(&ranks) {
                let earlier = earlier.of_job(Some(&columns.rules), self.rules.distinct.len());
                let of = |row| VariantRow {
                    row,
                    ..columns.clone()
                };
                job.make_rows(&parts, earlier, &of)?;
            }
        }
        Ok(())
    }
}
