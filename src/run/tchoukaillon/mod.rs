//! Tchoukaillon: jobs over boards, lengths and reconstructions, whose shards do not depend on one another.

mod boards;
mod lengths;
mod reconstructions;

use super::plain;
use super::supervise::Context;
use super::{Outcome, RunError};
use crate::job::{BoardsTask, LengthsTask, ReconstructionsTask};

pub(super) use boards::shard_rows as board_shard_rows;
pub(super) use lengths::SHARD_ROWS as LENGTH_SHARD_ROWS;
pub(super) use reconstructions::shard_rows as reconstruction_shard_rows;

/// Runs a job over boards.
pub(super) fn run_boards(
    context: Context<'_>,
    task: &BoardsTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    let threads = pool.current_num_threads() as u64;
    plain::run(context, &boards::BoardsMaker { task, threads }, pool)
}

/// Runs a job over lengths.
pub(super) fn run_lengths(
    context: Context<'_>,
    task: &LengthsTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    let threads = pool.current_num_threads() as u64;
    plain::run(context, &lengths::LengthsMaker { task, threads }, pool)
}

/// Runs a job over reconstructions.
pub(super) fn run_reconstructions(
    context: Context<'_>,
    task: &ReconstructionsTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    let threads = pool.current_num_threads() as u64;
    plain::run(
        context,
        &reconstructions::ReconstructionsMaker { task, threads },
        pool,
    )
}
