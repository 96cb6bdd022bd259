//! What a scan reads, what it is asked for, and how far it is.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::layout::Layout;
use super::super::table::Columns;

/// What a report needs of a table: some columns of some rows.
///
/// A hint: whoever states it also takes rows that are not wanted, and whole ones.
pub struct Wanted<'w> {
    pub(super) columns: Option<Vec<String>>,
    pub(super) filter: Option<Filter<'w>>,
}

/// Which rows are wanted, by some of their columns; several threads ask, about batches in no certain order.
pub(super) struct Filter<'w> {
    pub(super) columns: Vec<String>,
    pub(super) keeps: Box<Keeps<'w>>,
}

/// Returns which rows of a batch are wanted, given the place of its first row among all.
pub(super) type Keeps<'w> = dyn Fn(u64, &Columns<'_>) -> Vec<bool> + Sync + 'w;

impl<'w> Wanted<'w> {
    /// All columns of all rows.
    pub fn all() -> Wanted<'w> {
        Wanted {
            columns: None,
            filter: None,
        }
    }

    /// Some columns, by their names; the other fields of rows hold nothing.
    pub fn columns<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Wanted<'w> {
        Wanted {
            columns: Some(columns.into_iter().map(Into::into).collect()),
            filter: None,
        }
    }

    /// Leaves out rows that some of their columns show not to be wanted.
    pub(crate) fn where_columns(
        self,
        columns: &[&str],
        keeps: impl Fn(u64, &Columns<'_>) -> Vec<bool> + Sync + 'w,
    ) -> Wanted<'w> {
        Wanted {
            filter: Some(Filter {
                columns: columns.iter().map(|&name| name.to_owned()).collect(),
                keeps: Box::new(keeps),
            }),
            ..self
        }
    }
}

/// How far a scan is; any thread may look.
#[derive(Debug, Default)]
pub struct ScanProgress {
    pub(super) read: AtomicU64,
    pub(super) rows: AtomicU64,
}

impl ScanProgress {
    /// Returns the rows looked at so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the rows that will be looked at in all; 0 where that is not known yet.
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }
}

/// The tables of a finished result set, read by the threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'r> {
    pub(super) layout: &'r Layout,
    pub(super) partial: bool,
    pub(super) progress: Option<&'r ScanProgress>,
}

impl<'r> Scan<'r> {
    /// Counts the rows looked at where others can see it.
    pub fn counted_by(self, progress: &'r ScanProgress) -> Scan<'r> {
        Scan {
            progress: Some(progress),
            ..self
        }
    }
}
