//! The work of each shard of a job, for `plan` and `status`.

use std::fmt;

use seedbank::run::{Job, ShardPlan};
use serde::Serialize;

use super::output::count;

/// The work of each shard: its rows and units, its fraction of the estimated cost, and its
/// unfinished rows.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Dealt<'a> {
    #[serde(skip)]
    pub(super) job: &'a Job,
    pub(super) plans: Vec<ShardPlan>,
}

impl fmt::Display for Dealt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.job.task.description();
        let total: f64 = self.plans.iter().map(|plan| plan.cost as f64).sum();
        for plan in &self.plans {
            write!(
                f,
                "\n  shard {}: {} in {}, estimated cost {} ({:.1} %), {} left",
                plan.shard,
                count(plan.rows, words.noun),
                count(plan.units.into(), words.unit),
                plan.cost,
                100.0 * plan.cost as f64 / total.max(1.0),
                plan.rows_left,
            )?;
        }
        Ok(())
    }
}
