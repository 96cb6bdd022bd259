//! What each shard of a job is to do, as `plan` and `status` tell it.

use serde_json::{Value, json};

use super::output::count;
use crate::run::{Job, SharePlan};

/// Returns a line for each share: its rows and units, its part of the estimated cost, and what is left of it.
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

/// Returns an object for each share.
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
