//! A census: for each number of pots and seeds, the values that occur, and the answer to a question
//! about them.
//!
//! A job with `[witness]` writes no row for each position. It takes the parts of its family
//! (`space.rs`) that no run has finished, finds the values of their positions as any run does, and
//! counts them (`count.rs`). A part is written as a *census*: one row for each value that positions
//! of a number of pots and seeds have, with the first of these positions. The answer to the
//! [question] is read from the census (`answer.rs`), so that other questions and wider bounds reuse
//! it. A run that makes the whole census collects the answer during the search (`findings.rs`).

mod answer;
mod charts;
mod commit;
mod conditions;
mod count;
mod findings;
mod first;
mod followers;
mod lots;
mod make;
mod plan;
pub mod question;
mod relations;
mod schema;
mod search;
mod shards;
mod space;
mod spec;
mod table;

use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;
use cggames::game::{GameKind, Play};

pub use self::plan::{header, open};
pub use self::spec::CensusTask;
use super::kind::{Kind, Mark};
use crate::dataset::{DatasetError, ResultSet};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::colours::ValuesAs;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::checkpoint;
use crate::run::estimate::{Amount, Effort, VALUES_UNKNOWN, fraction};
use crate::run::{
    Checkpoints, JobHeader, Merge, Merged, Outcome, Plan, Reading, Run, RunError, Shard, ShardPlan,
    Subject, Task,
};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Pots(_)),
    mark: Mark::Section("witness"),
    family: "a section [family], for example with pattern and n",
    read: spec::read,
    schema: schema::sections,
};

impl Task for CensusTask {
    fn noun(&self) -> &'static str {
        "position"
    }

    fn rows(&self) -> u64 {
        self.positions.family.len()
    }

    fn meaning(&self) -> String {
        let mut question = self.question.text();
        if self.positions.play == Play::Partisan {
            // Answers without this line leave out the negatives for which listed positions stand.
            question.push_str("negatives\n");
        }
        self.positions.text(&question)
    }

    fn subject(&self) -> Subject {
        self.positions.subject_of_positions()
    }

    fn table_names(&self) -> Vec<&'static str> {
        vec!["census", "forms", "witnesses"]
    }

    fn unit(&self) -> [&'static str; 2] {
        ["part", "parts"]
    }

    fn row_text(&self) -> [&'static str; 2] {
        ["position", " searched"]
    }

    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError> {
        plan::plan(job, self, out)
    }

    fn open(&self, _: &JobHeader, _: &Path) -> Result<Option<ResultSet>, DatasetError> {
        Ok(None)
    }

    fn finished_ranks(&self, _: &Plan) -> Vec<Range<u64>> {
        Vec::new()
    }

    fn checkpoints(
        &self,
        job: &JobHeader,
        _: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError> {
        checkpoint::found(&out.join(&job.name), |_| true)
    }

    /// A census has a row for each value, not for each position.
    fn disk(&self, plan: &Plan) -> [u64; 2] {
        let finished = plan
            .status
            .as_ref()
            .map_or(0, |status| status.finished.len());
        let left = u64::from(plan.parts).saturating_sub(finished as u64);
        [left.saturating_mul(crate::run::PART_BYTES), 0]
    }

    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
        let rows = plan.status.as_ref().map_or(0, |status| status.rows);
        let by_sweep = if checkpoints.sweeps.is_empty() {
            0.0
        } else {
            let effort = self.effort(plan, 1, ByteSize(u64::MAX));
            effort.swept_fraction(plan, checkpoints)
        };
        fraction(rows, plan.rows).max(by_sweep).min(1.0)
    }

    fn effort(&self, _: &Plan, _threads: usize, memory: ByteSize) -> Effort {
        Effort {
            workload: plan::swept(self, memory).unwrap_or_else(|| self.positions.searched()),
            // A census has a row for each value.
            results: Amount::Unknown(VALUES_UNKNOWN),
            is_open_ended: plan::is_open_ended(self),
            is_uneven: false,
            writers: 0,
            writes_rows: false,
        }
    }

    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError> {
        make::make(run, self)
    }

    fn plan_shards(
        &self,
        job: &JobHeader,
        out: &Path,
        shards: &[Shard],
    ) -> Result<Vec<ShardPlan>, DatasetError> {
        shards::plan(job, self, out, shards)
    }

    fn merge(&self, merge: &Merge<'_>, shards: &[Shard]) -> Result<Merged, RunError> {
        shards::merge(self, merge, shards)
    }

    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError> {
        match open(job, self, out)? {
            Some(census) => census.verify(job.digest),
            None => Ok(Vec::new()),
        }
    }

    fn table(&self, reading: &Reading<'_>) -> Result<Option<Table>, ReportError> {
        table::of_job(reading.job, self, reading.out)
    }

    fn needs_all(&self) -> Option<&'static str> {
        Some("looks for witnesses, and these need the whole census")
    }

    fn check(&self, _: &Reading<'_>, _: &Facts) -> Result<CheckReport, ReportError> {
        Ok(CheckReport::default())
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(charts::charts(self, reading)?)
    }

    fn values_as(&self) -> ValuesAs {
        ValuesAs::Games
    }

    fn is_not_checked(&self) -> Option<&'static str> {
        Some("looks for witnesses")
    }
}
