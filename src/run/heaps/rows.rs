//! A row for each heap of a game.
//!
//! The value of a heap needs those of smaller ones. So values are worked out from 0 on, whichever shards are left: a run
//! that goes on where another was cut short works out the values of earlier heaps once more, and writes the
//! rows that are missing only.

use std::sync::Arc;

use super::values::{HeapValue, Values};
use crate::dataset::{HeapRow, PlainWriter};
use crate::engine::obligated::Ending;
use crate::job::HeapsTask;
use crate::run::RunError;
use crate::run::plain::{Maker, Shards};

/// Makes the rows of table `heaps`.
pub(super) struct HeapsMaker<'j> {
    task: &'j HeapsTask,
}

impl<'j> HeapsMaker<'j> {
    pub(super) fn new(task: &'j HeapsTask) -> HeapsMaker<'j> {
        HeapsMaker { task }
    }
}

impl Maker for HeapsMaker<'_> {
    type Row = HeapRow;

    fn bytes_needed(&self, end: u64) -> (u64, &'static str) {
        let heaps = (self.task.first + end).saturating_add(1);
        (
            Values::bytes(self.task.sum, heaps),
            "the values of all smaller heaps",
        )
    }

    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        let HeapsTask {
            game, sum, first, ..
        } = self.task;
        let heap_of = |rank: u64| (first + rank) as usize;
        let mut values = Values::new(game, *sum);
        let mut labels = Labels::new(game.to_string(), sum.name());
        for (shard, ranks) in shards.pending() {
            let rows = heap_of(ranks.start)..heap_of(ranks.end);
            if values.len() == 0 && rows.start > 0 {
                tracing::info!(
                    "working out the values of the heaps below {} first; rows depend on them",
                    rows.start
                );
            }
            let mut writer = shards.writer::<HeapRow>(shard)?;
            // Heaps before this one have been looked at.
            let mut next = values.len();
            let mut push = |values: &Values, writer: &mut PlainWriter<HeapRow>| {
                shards.count(values.len().saturating_sub(next) as u64);
                for n in next..values.len() {
                    let row = labels.row(n, values.value(n));
                    if rows.contains(&n) {
                        shards.push(writer, &row)?;
                    }
                }
                next = values.len();
                shards.go_on()
            };
            let stop = || shards.go_on().is_err();
            values.extend(rows.end, &stop, |values| push(values, &mut writer))?;
            writer.commit()?;
        }
        Ok(())
    }
}

/// Texts that rows share, and which values have occurred.
pub(super) struct Labels {
    code: Arc<str>,
    sum: Arc<str>,
    outcomes: [Arc<str>; 2],
    /// The text of each value that has occurred, by its index.
    values: Vec<Option<Arc<str>>>,
}

impl Labels {
    pub(super) fn new(code: String, sum: &str) -> Labels {
        Labels {
            code: code.into(),
            sum: sum.into(),
            outcomes: ["P".into(), "N".into()],
            values: Vec::new(),
        }
    }

    /// Returns the row of a heap; heaps are asked for in ascending order, each once.
    pub(super) fn row(&mut self, n: usize, value: HeapValue) -> HeapRow {
        let index = value.index();
        if index >= self.values.len() {
            self.values.resize(index + 1, None);
        }
        let first = self.values[index].is_none();
        let text = self.values[index].get_or_insert_with(|| value.to_string().into());
        let outcome = |ending| {
            let is_n = value.is_n(ending)?;
            Some(Arc::clone(&self.outcomes[usize::from(is_n)]))
        };
        HeapRow {
            code: Arc::clone(&self.code),
            sum: Arc::clone(&self.sum),
            n: n as i64,
            value: Arc::clone(text),
            nim_value: value.nim_value().map(|value| value as i32),
            normal: outcome(Ending::Normal).expect("who wins under normal play is always known"),
            misere: outcome(Ending::Misere),
            first,
        }
    }
}
