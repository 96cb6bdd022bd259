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
mod search;
mod shards;
mod space;
mod spec;
mod table;

use std::path::Path;

use cggames::game::{Game, GameKind, Play};

pub use self::plan::{header, open};
pub use self::spec::CensusTask;
use super::kind::{Kind, Mark};
use crate::dataset::{DatasetError, ResultSet};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::colours::ValuesAs;
use crate::report::reference::Facts;
use crate::run::{
    Checked, Described, Description, JobHeader, Merge, Merged, Mined, Outcome, Reading, Run,
    RunError, Shard, ShardPlan, Task,
};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Pots(_)),
    mark: Mark::Section("witness"),
    family: "a section [family], for example with pattern and n",
    titles: |game| match game {
        GameKind::Pots(game) if game.on_board(1).is_ok() => &["a search for witnesses"; 2],
        _ => &["a search for witnesses"],
    },
    is_mined: false,
    spec: spec::spec,
};

impl Described for CensusTask {
    fn description(&self) -> Description {
        Description {
            unit: "part",
            row: "position",
            after_rows: " searched",
            ..self.positions.description()
        }
    }

    fn rows(&self) -> u64 {
        self.positions.family.len()
    }

    fn needs_store(&self) -> bool {
        true
    }

    fn meaning(&self) -> String {
        let mut question = self.question.text();
        if self.positions.play == Play::Partisan {
            // Answers without this line leave out the negatives for which listed positions stand.
            question.push_str("negatives\n");
        }
        self.positions.text(&question)
    }
}

impl Checked for CensusTask {
    fn check(&self, _: &Reading<'_>, _: &Facts) -> Result<CheckReport, ReportError> {
        Ok(CheckReport::default())
    }

    fn is_not_checked(&self) -> Option<&'static str> {
        Some("looks for witnesses")
    }
}

impl Mined for CensusTask {
    fn played(&self) -> Option<(Game, Play)> {
        self.positions.played()
    }
}

impl Task for CensusTask {
    fn table_names(&self) -> Vec<&'static str> {
        vec!["census", "forms", "witnesses"]
    }

    fn values_as(&self) -> ValuesAs {
        ValuesAs::Games
    }

    fn open(&self, _: &JobHeader, _: &Path) -> Result<Option<ResultSet>, DatasetError> {
        Ok(None)
    }

    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError> {
        open(job, self, out)?.map_or(Ok(Vec::new()), |census| census.verify(job.digest))
    }

    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError> {
        make::make(run, self)
    }

    fn plan_shards(
        &self,
        job: &JobHeader,
        out: &Path,
        shards: &[Shard],
        verify: bool,
    ) -> Result<Vec<ShardPlan>, DatasetError> {
        shards::plan(job, self, out, shards, verify)
    }

    fn merge(&self, merge: &Merge<'_>, shards: &[Shard]) -> Result<Merged, RunError> {
        shards::merge(self, merge, shards)
    }
}
