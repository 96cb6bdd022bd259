//! A row for each code of a survey.
//!
//! A survey is done as a whole, since equal codes are worked out once, and then written in shards. A run that
//! goes on where another was cut short goes on from what is [kept](super::keeper) until then, and writes the shards that are
//! missing.

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::keeper::{KEEPER_BYTES, Keeper};
use super::values::stopped;
use crate::dataset::CodeRow;
use crate::engine::StopReason;
use crate::engine::nim_values;
use crate::engine::obligated::survey::{Survey, SurveyRow, SurveySpec};
use crate::engine::obligated::{Ending, HeapValues};
use crate::game::SumKind;
use crate::game::heap::{Code, HeapGame};
use crate::job::CodesTask;
use crate::run::Phase;
use crate::run::RunError;
use crate::run::plain::{Maker, Shards};

/// What a survey takes for each code.
///
/// Unit: bytes. The engine's own figure is 60; the rest is for the P-positions of sequences.
const BYTES_A_CODE: u64 = 100;

/// Rows made together.
const CHUNK: usize = 1 << 12;

/// Makes the rows of table `codes`.
pub(super) struct CodesMaker<'j> {
    task: &'j CodesTask,
}

impl<'j> CodesMaker<'j> {
    pub(super) fn new(task: &'j CodesTask) -> CodesMaker<'j> {
        CodesMaker { task }
    }
}

impl Maker for CodesMaker<'_> {
    type Row = CodeRow;
    const PHASE: Phase = Phase::Valuing;

    fn bytes_needed(&self, _: u64) -> (u64, &'static str) {
        let heaps = self.task.heaps_max + 1;
        // What each code takes, what each worker's values of one code take, and what else there is.
        let (a_code, a_worker, rest) = match self.task.sum {
            SumKind::Obligated => (BYTES_A_CODE, 4 * heaps, (1 << 20) + KEEPER_BYTES),
            // The values of a code without a proved period are kept until its row is written.
            SumKind::Disjunctive => (BYTES_A_CODE + 2 * heaps, 6 * heaps, KEEPER_BYTES),
        };
        let codes = self.task.rows().saturating_mul(a_code);
        let workers = a_worker * rayon::current_num_threads() as u64;
        let bytes = codes.saturating_add(workers).saturating_add(rest);
        (bytes, "the codes and their values")
    }

    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        match self.task.sum {
            SumKind::Disjunctive => self.make_disjunctive(shards),
            SumKind::Obligated => self.make_obligated(shards),
        }
    }
}

impl CodesMaker<'_> {
    fn make_disjunctive(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        let codes: Vec<Code> = (0..self.task.rows())
            .map(|rank| self.task.code(rank))
            .collect();
        let heaps = self.task.heaps_max as usize + 1;
        let keeper = Keeper::new(shards)?;
        let found = keeper.during(|| {
            let survey = || nim_values::survey(&codes, heaps, &keeper);
            let found = shards.pool.install(survey)?;
            found.ok_or_else(|| why_stopped(shards))
        })?;
        for (shard, ranks) in shards.pending() {
            let mut writer = shards.writer::<CodeRow>(shard)?;
            for found in &found[ranks.start as usize..ranks.end as usize] {
                shards.go_on()?;
                shards.push(&mut writer, &disjunctive_row(self.task, found))?;
            }
            writer.commit()?;
        }
        Ok(())
    }

    fn make_obligated(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        let spec = spec(self.task);
        let keeper = Keeper::new(shards)?;
        let survey = keeper.during(|| {
            let survey = shards.pool.install(|| Survey::run(spec, &keeper));
            survey.map_err(|_| why_stopped(shards))
        })?;
        shards.count(self.task.rows());
        let mut p_positions = PPositions::default();
        for (shard, ranks) in shards.pending() {
            let mut writer = shards.writer::<CodeRow>(shard)?;
            let places: Vec<usize> = (ranks.start as usize..ranks.end as usize).collect();
            for chunk in places.chunks(CHUNK) {
                shards.go_on()?;
                let found: Vec<SurveyRow> = chunk.iter().map(|&place| survey.row(place)).collect();
                p_positions.prepare(&found, shards.pool);
                for found in found {
                    shards.push(&mut writer, &row(self.task, found, &p_positions))?;
                }
            }
            writer.commit()?;
        }
        Ok(())
    }
}

/// Returns the error of a survey that was told to stop.
fn why_stopped(shards: &Shards<'_>) -> RunError {
    match shards.go_on() {
        Err(error) => error,
        // A run that is to finish what is in hand has nothing in hand before the survey is done.
        Ok(()) => stopped(StopReason::Interrupted),
    }
}

fn disjunctive_row(task: &CodesTask, found: &nim_values::SurveyRow) -> CodeRow {
    let certificate = found.certificate;
    let game = HeapGame::Code(found.code.clone());
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
        code: game.to_string(),
        name: game.name().map(Arc::from),
        sum: task.sum.name().into(),
        equivalent: found.first.to_string(),
        equivalent_proved: found.equality.is_proved(),
        preperiod: certificate.map(|found| found.preperiod as i64),
        period: certificate.map(|found| found.period as i64),
        saltus: certificate.map(|_| 0),
        bound: certificate.map(|found| found.bound as i64),
        proved: certificate.is_some(),
        verified_to: verified_to as i64,
        counts,
        p_positions: Some(p_positions.map(|heap| heap as i64).collect()),
    }
}

/// Returns the survey of a task.
fn spec(task: &CodesTask) -> SurveySpec {
    let heaps = task.heaps_max as usize + 1;
    SurveySpec::new(task.digits as usize, task.max_digit, heaps)
        .expect("a task that was read is within the bounds of surveys")
}

/// The P-positions of codes with a proved period, by the first code that has their values.
#[derive(Default)]
struct PPositions(HashMap<Code, Arc<Vec<i64>>, foldhash::fast::RandomState>);

impl PPositions {
    /// Works out those that some rows need.
    fn prepare(&mut self, rows: &[SurveyRow], pool: &rayon::ThreadPool) {
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
                let is_p = |&n: &usize| !values.value(n).is_n(Ending::Normal);
                let list = (0..heaps).filter(is_p).map(|n| n as i64).collect();
                (code.clone(), Arc::new(list))
            });
            found.collect()
        });
        self.0.extend(found);
    }
}

fn row(task: &CodesTask, found: SurveyRow, p_positions: &PPositions) -> CodeRow {
    let certificate = found.certificate;
    let p_positions = certificate.and_then(|_| p_positions.0.get(&found.first));
    let game = HeapGame::Code(found.code);
    CodeRow {
        code: game.to_string(),
        name: game.name().map(Arc::from),
        sum: task.sum.name().into(),
        equivalent: found.first.to_string(),
        equivalent_proved: found.equality.is_proved(),
        preperiod: certificate.map(|found| found.preperiod as i64),
        period: certificate.map(|found| found.period as i64),
        saltus: None,
        bound: certificate.map(|found| found.bound as i64),
        proved: certificate.is_some(),
        verified_to: found.verified_to as i64,
        counts: found.counts.iter().map(|&count| count as i64).collect(),
        p_positions: p_positions.map(|list| list.to_vec()),
    }
}
