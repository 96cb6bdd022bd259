//! A search in progress.

use std::sync::atomic::AtomicU64;

use cggames::board::AnyBoard;
use cgsolvers::{LOOPY, Word};

use super::CensusTask;
use super::relations;
use super::space::{Part, Space};
use crate::dataset::CensusSet;
use crate::evaluate::worker::Worker;
use crate::run::checkpoint::Checkpoint;
use crate::run::{Run, RunError};

/// The rows evaluated together.
pub(super) const CHUNK: usize = 8192;

/// A search through the parts that are left.
pub(super) struct Search<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) task: &'a CensusTask,
    pub(super) set: &'a CensusSet,
    pub(super) space: &'a Space<'a>,
    pub(super) checkpoint: Checkpoint,
    pub(super) parts: Vec<Part>,
    /// Whether no part is finished yet.
    pub(super) starts_over: bool,
    /// The positions searched, including those of earlier runs.
    pub(super) searched: AtomicU64,
}

impl Search<'_> {
    /// Returns the value of a position, and whether it counts.
    pub(super) fn value(
        &self,
        worker: &mut Worker<'_, '_>,
        board: &AnyBoard,
        positions_max: u64,
    ) -> Result<Option<(Word, bool)>, RunError> {
        let Some(word) = worker.short_value(board, positions_max)? else {
            return Ok(None);
        };
        if word == LOOPY {
            return Ok(Some((word, false)));
        }
        let Some(relation) = self.task.question.relation else {
            return Ok(Some((word, true)));
        };
        let holds = relations::holds(relation, worker, board, word, positions_max)?;
        Ok(holds.map(|holds| (word, holds)))
    }
}
