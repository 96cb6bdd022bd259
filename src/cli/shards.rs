//! The work of each shard of a job, for `plan` and `status`.

use seedbank::run::{Job, ShardPlan};
use serde_json::{Value, json};

use super::output::count;

/// Returns a line for each shard: its rows and units, its fraction of the estimated cost, and its
/// unfinished rows.
pub(super) fn lines(job: &Job, plans: &[ShardPlan]) -> Vec<String> {
    let description = job.task.description();
    let total: f64 = plans.iter().map(|plan| plan.cost as f64).sum();
    let line = |plan: &ShardPlan| {
        format!(
            "  shard {}: {} in {}, estimated cost {} ({:.1} %), {} left",
            plan.shard,
            count(plan.rows, description.noun),
            count(plan.units.into(), description.unit),
            plan.cost,
            100.0 * plan.cost as f64 / total.max(1.0),
            plan.rows_left,
        )
    };
    plans.iter().map(line).collect()
}

/// Returns an object for each shard.
pub(super) fn objects(plans: &[ShardPlan]) -> Value {
    let object = |plan: &ShardPlan| {
        json!({
            "shard": plan.shard.to_string(),
            "units": plan.units,
            "rows": plan.rows,
            "cost": plan.cost,
            "rows_left": plan.rows_left,
        })
    };
    plans.iter().map(object).collect()
}
