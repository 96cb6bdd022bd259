//! Makes a row for each code of a survey.
//!
//! A survey is computed as a whole, since equal codes are computed once, and is then written in
//! parts. A run that resumes reads the [checkpoints](crate::task::heaps::HeapCheckpoints) of the survey, and
//! writes the missing parts.

use std::sync::Arc;

use bytesize::ByteSize;
use cggames::game::heap::{Code, HeapGame};
use cggames::game::{Convention, SumKind};
use cgsolvers::StopReason;
use cgsolvers::nim_values;
use cgsolvers::obligated::survey::{CodeOutcomes, Equality, Survey, SurveySpec};
use cgsolvers::obligated::{Certificate, HeapValues};
use hashbrown::HashMap;
use rayon::prelude::*;

use super::CodesTask;
use super::columns::CodeRow;
use crate::run::estimate::{Amount, FEW, Workload};
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};
use crate::task::heaps::{FOUND_BYTES, HeapCheckpoints, ROW_BYTES, with_more};

/// The codes of a part.
const PART_ROWS: u64 = 1 << 16;

/// The memory of a survey per code.
///
/// Unit: bytes. The engine's own figure is 60; the rest is for the P-positions of sequences.
const BYTES_A_CODE: u64 = 100;

/// The number of rows made together.
const CHUNK: usize = 1 << 12;

impl RowTask for CodesTask {
    fn making(&self) -> Making {
        Making::new::<CodeRow>(Phase::Valuing, PART_ROWS)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows.saturating_mul(ROW_BYTES))
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        let workload = Workload::Plain {
            is_fast: false,
            held: None,
        };
        let results = match self.rows() {
            // The lists in the rows may take more than the rows.
            ..FEW => Amount::AtLeast(least),
            rows => Amount::About(with_more(least, rows)),
        };
        (workload, results)
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        let heaps = self.heaps_max + 1;
        // The bytes per code, per worker for the values of one code, and for everything else.
        let (a_code, a_worker, rest) = match self.sum {
            SumKind::Obligated => (BYTES_A_CODE, 4 * heaps, (1 << 20) + FOUND_BYTES),
            // The values of a code without a proved period stay in memory until its row is written.
            SumKind::Disjunctive => (BYTES_A_CODE + 2 * heaps, 6 * heaps, FOUND_BYTES),
        };
        let codes = self.rows().saturating_mul(a_code);
        let bytes = codes
            .saturating_add(a_worker * threads)
            .saturating_add(rest);
        Some(MemoryNeed {
            bytes,
            purpose: "the codes and their values",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        match self.sum {
            SumKind::Disjunctive => self.make_disjunctive(parts),
            SumKind::Obligated => self.make_obligated(parts),
        }
    }
}

impl CodesTask {
    fn make_disjunctive(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let codes: Vec<Code> = (0..self.rows()).map(|rank| self.code(rank)).collect();
        let heaps = self.heaps_max as usize + 1;
        let checkpoints = HeapCheckpoints::new(parts)?;
        // No row is written before all codes are done.
        let tracker = &parts.run.session.tracker;
        tracker.expect(self.rows());
        tracker.begin(Phase::Valuing, "code", Some(self.rows()), 0);
        let found = checkpoints.during(|| {
            let survey = || nim_values::survey(&codes, heaps, &checkpoints);
            let found = parts.run.pool.install(survey)?;
            found.ok_or_else(|| why_stopped(parts))
        })?;
        let rows_left = Some(parts.rows_left());
        tracker.begin(
            Phase::Writing,
            "row",
            rows_left,
            parts.run.session.control.evaluated(),
        );
        for (part, ranks) in parts.pending() {
            let mut writer = parts.writer::<CodeRow>(part)?;
            for found in &found[ranks.start as usize..ranks.end as usize] {
                parts.check_stop()?;
                parts.push(&mut writer, &disjunctive_row(self, found))?;
            }
            writer.commit()?;
        }
        Ok(())
    }

    fn make_obligated(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let spec = spec(self);
        let checkpoints = HeapCheckpoints::new(parts)?;
        let survey = checkpoints.during(|| {
            let survey = parts.run.pool.install(|| Survey::run(spec, &checkpoints));
            survey.map_err(|_| why_stopped(parts))
        })?;
        parts.count(self.rows());
        let mut p_positions = PPositions::default();
        for (part, ranks) in parts.pending() {
            let mut writer = parts.writer::<CodeRow>(part)?;
            let places: Vec<usize> = (ranks.start as usize..ranks.end as usize).collect();
            for chunk in places.chunks(CHUNK) {
                parts.check_stop()?;
                let found: Vec<CodeOutcomes> =
                    chunk.iter().map(|&place| survey.row(place)).collect();
                p_positions.prepare(&found, &parts.run.pool);
                for found in found {
                    parts.push(&mut writer, &row(self, found, &p_positions))?;
                }
            }
            writer.commit()?;
        }
        Ok(())
    }
}

/// Returns the error of a survey that was stopped.
fn why_stopped(parts: &Parts<'_>) -> RunError {
    match parts.check_stop() {
        Err(error) => error,
        // A draining run has no current work to finish before the survey is done.
        Ok(()) => StopReason::Interrupted.into(),
    }
}

fn disjunctive_row(task: &CodesTask, found: &nim_values::CodeValues) -> CodeRow {
    let certificate = found.certificate;
    let mut counts: Vec<i64> = Vec::new();
    for heap in 0..=task.heaps_max as usize {
        let value = found.value(heap).map_or(0, usize::from);
        if value >= counts.len() {
            counts.resize(value + 1, 0);
        }
        counts[value] += 1;
    }
    let verified_to = certificate.map_or(found.values.len(), |found| found.needed());
    let p_positions = nim_values::p_positions(0, &found.values);
    CodeRow {
        saltus: certificate.map(|_| 0),
        verified_to: verified_to as i64,
        counts,
        p_positions: Some(p_positions.map(|heap| heap as i64).collect()),
        ..row_of(task, &found.code, &found.first, found.equality, certificate)
    }
}

/// Returns the columns that have the same meaning for both kinds of sums.
fn row_of(
    task: &CodesTask,
    code: &Code,
    first: &Code,
    equality: Equality,
    certificate: Option<Certificate>,
) -> CodeRow {
    let game = HeapGame::Code(code.clone());
    CodeRow {
        code: game.to_string(),
        name: game.name().map(Arc::from),
        sum: task.sum.name().into(),
        equivalent: first.to_string(),
        equivalent_proved: equality.is_proved(),
        preperiod: certificate.map(|found| found.preperiod as i64),
        period: certificate.map(|found| found.period as i64),
        bound: certificate.map(|found| found.bound as i64),
        proved: certificate.is_some(),
        ..CodeRow::default()
    }
}

/// Returns the survey of a task.
fn spec(task: &CodesTask) -> SurveySpec {
    let heaps = task.heaps_max as usize + 1;
    SurveySpec::new(task.digits as usize, task.max_digit, heaps)
        .expect("a task that was read is within the bounds of surveys")
}

/// The P-positions of codes with a proved period, by the first code with the same values.
#[derive(Default)]
struct PPositions(HashMap<Code, Arc<Vec<i64>>, foldhash::fast::RandomState>);

impl PPositions {
    /// Computes those that some rows need.
    fn prepare(&mut self, rows: &[CodeOutcomes], pool: &rayon::ThreadPool) {
        let mut missing: Vec<(&Code, usize)> = rows
            .iter()
            .filter(|row| !self.0.contains_key(&row.first))
            .filter_map(|row| {
                let found = row.certificate?;
                Some((&row.first, found.preperiod + found.period))
            })
            .collect();
        missing.sort_unstable();
        missing.dedup_by_key(|(code, _)| *code);
        let found: Vec<_> = pool.install(|| {
            let found = missing.par_iter().map(|&(code, heaps)| {
                let mut values = HeapValues::new(&HeapGame::Code(code.clone()));
                values.extend(heaps);
                let is_p = |&n: &usize| !values.value(n).is_n(Convention::Normal);
                let list = (0..heaps).filter(is_p).map(|n| n as i64).collect();
                (code.clone(), Arc::new(list))
            });
            found.collect()
        });
        self.0.extend(found);
    }
}

fn row(task: &CodesTask, found: CodeOutcomes, p_positions: &PPositions) -> CodeRow {
    let certificate = found.certificate;
    let p_positions = certificate.and_then(|_| p_positions.0.get(&found.first));
    CodeRow {
        saltus: None,
        verified_to: found.verified_to as i64,
        counts: found.counts.iter().map(|&count| count as i64).collect(),
        p_positions: p_positions.map(|list| list.to_vec()),
        ..row_of(task, &found.code, &found.first, found.equality, certificate)
    }
}
