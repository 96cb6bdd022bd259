//! The work of each shard of a job, for `plan` and `status`.

use serde_json::{Value, json};

use super::output::count;
use crate::run::{Job, SharePlan};

/// Returns a line for each shard: its rows and units, its fraction of the estimated cost, and its unfinished rows.
pub(super) fn lines(job: &Job, shares: &[SharePlan]) -> Vec<String> {
    let [unit, units] = job.task.unit();
    let total: f64 = shares.iter().map(|share| share.cost as f64).sum();
    let line = |share: &SharePlan| {
        let units = match share.units {
            1 => format!("1 {unit}"),
            many => format!("{many} {units}"),
        };
        format!(
            "  shard {}: {} in {units}, estimated cost {} ({:.1} %), {} left",
            share.share,
            count(share.rows, job.task.noun()),
            share.cost,
            100.0 * share.cost as f64 / total.max(1.0),
            share.rows_left,
        )
    };
    shares.iter().map(line).collect()
}

/// Returns an object for each shard.
pub(super) fn objects(shares: &[SharePlan]) -> Value {
    let object = |share: &SharePlan| {
        json!({
            "shard": share.share.to_string(),
            "units": share.units,
            "rows": share.rows,
            "cost": share.cost,
            "rows_left": share.rows_left,
        })
    };
    shares.iter().map(object).collect()
}
