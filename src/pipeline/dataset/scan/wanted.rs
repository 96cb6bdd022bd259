//! The rows and columns that a scan reads, and its progress.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::layout::SetLayout;
use super::super::table::Columns;

/// The columns and rows that a report needs from a table.
///
/// This is a hint: the caller must also accept unwanted rows, and whole ones.
pub struct Wanted<'w> {
    pub(super) columns: Option<Vec<String>>,
    pub(super) filter: Option<Filter<'w>>,
}

/// A filter of rows by some of their columns. Several threads call it, on batches in any order.
pub(super) struct Filter<'w> {
    pub(super) columns: Vec<String>,
    pub(super) keeps: Box<Keeps<'w>>,
}

/// Returns which rows of a batch are wanted, given the index of its first row in the table.
pub(super) type Keeps<'w> = dyn Fn(u64, &Columns<'_>) -> Vec<bool> + Sync + 'w;

impl<'w> Wanted<'w> {
    /// Requests all columns of all rows.
    pub fn all() -> Wanted<'w> {
        Wanted {
            columns: None,
            filter: None,
        }
    }

    /// Requests some columns by name; the other fields of rows are empty.
    pub fn columns<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Wanted<'w> {
        Wanted {
            columns: Some(columns.into_iter().map(Into::into).collect()),
            filter: None,
        }
    }

    /// Leaves out rows that some of their columns show to be unwanted.
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

/// The progress of a scan; any thread may read it.
#[derive(Debug, Default)]
pub struct ScanProgress {
    pub(super) read: AtomicU64,
    pub(super) rows: AtomicU64,
}

impl ScanProgress {
    /// Returns the number of rows scanned so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the total number of rows to scan; 0 while it is unknown.
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }
}

/// The tables of a finished result set, read by the threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'r> {
    pub(super) layout: &'r SetLayout,
    pub(super) partial: bool,
    pub(super) progress: Option<&'r ScanProgress>,
}

impl<'r> Scan<'r> {
    /// Counts scanned rows in `progress`.
    pub fn counted_by(self, progress: &'r ScanProgress) -> Scan<'r> {
        Scan {
            progress: Some(progress),
            ..self
        }
    }
}
