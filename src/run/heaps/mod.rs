//! Heaps: jobs over the heaps of one game, surveys of codes, and a few heaps, or sums with other games, without a job.

mod codes;
mod evaluate;
mod keeper;
mod rows;
mod sums;
mod values;

pub use evaluate::{HeapEvaluation, HeapsEvaluated, evaluate_heaps, period_heaps};
pub use sums::{SumEvaluated, SumEvaluation, evaluate_sums};
pub use values::{HeapValue, Period};

use super::plain;
use super::supervise::Context;
use super::{Outcome, RunError};
use crate::job::{CodesTask, HeapsTask};

/// Runs a job over the heaps of one game.
pub(super) fn run_heaps(
    context: Context<'_>,
    task: &HeapsTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    plain::run(context, &rows::HeapsMaker::new(task), pool)
}

/// Runs a survey of codes.
pub(super) fn run_codes(
    context: Context<'_>,
    task: &CodesTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    plain::run(context, &codes::CodesMaker::new(task), pool)
}
