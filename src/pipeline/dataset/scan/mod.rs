//! Reads tables for reports, on several threads: only the columns that a report needs, and of most
//! columns only its rows.
//!
//! Each file is compared with its checksum before it is used. Row groups are read in parallel and
//! passed on in order, so the number of threads changes no result. At most [`groups::GROUPS_AHEAD`]
//! row groups per thread are in memory, and of these only the wanted columns.

mod groups;
mod wanted;

use std::sync::atomic::Ordering;
use std::vec;

use arrow_array::RecordBatch;

use self::groups::Batches;
pub use self::wanted::{Scan, ScanProgress, Wanted};
use super::column::Column;
use super::row::TableRow;
use super::{DatasetError, ResultSet};

/// Results in order; one is an error if a file is damaged or cannot be read.
pub type Scanned<'w, T> =
    Result<Box<dyn Iterator<Item = Result<T, DatasetError>> + 'w>, DatasetError>;

impl ResultSet {
    /// Returns the tables for reports, which read columns in parallel.
    pub fn scan(&self) -> Scan<'_> {
        Scan {
            layout: &self.layout,
            partial: self.partial,
            progress: None,
        }
    }
}

impl<'r> Scan<'r> {
    /// Returns the columns of the first table.
    pub(super) fn first_columns(&self) -> &'r [Column] {
        &self.layout.tables[0].columns
    }

    /// Returns the number of rows of the first table.
    pub(super) fn first_rows(&self) -> Result<u64, DatasetError> {
        self.rows_of(self.layout.tables[0].name)
    }

    fn rows_of(&self, table: &'static str) -> Result<u64, DatasetError> {
        let records = self.layout.records(self.partial)?;
        let files = records.iter().filter_map(|record| record.files.of(table));
        Ok(files.map(|file| file.rows).sum())
    }

    /// Applies a function to the batches of the first table, and returns its results in order. The function is passed the
    /// index of a batch's first row among all rows, which is right unless a filter drops rows.
    pub fn first_batches<'w, M: Send + 'w>(
        self,
        wanted: Wanted<'w>,
        map: impl Fn(u64, RecordBatch) -> M + Sync + 'w,
    ) -> Scanned<'w, M>
    where
        'r: 'w,
    {
        let batches = self.scan(self.layout.tables[0].name, wanted, map)?;
        Ok(Box::new(batches))
    }

    /// Applies a function to the batches of a table, and returns its results in order. Batches have
    /// all columns; unwanted columns have no values.
    fn scan<'w, M: Send>(
        self,
        table: &'static str,
        wanted: Wanted<'w>,
        map: impl Fn(u64, RecordBatch) -> M + Sync + 'w,
    ) -> Result<Batches<'w, M>, DatasetError>
    where
        'r: 'w,
    {
        let table = self.layout.table(table)?;
        let mut files = Vec::new();
        let mut rows = 0;
        for record in self.layout.records(self.partial)? {
            let file = record.files.of(table.name);
            let file = file.expect("a record that was read names a file for each table");
            files.push((record.part, rows, file.clone()));
            rows += file.rows;
        }
        if let Some(progress) = self.progress {
            progress.rows.store(rows, Ordering::Relaxed);
        }
        Ok(Batches::new(self, &table.columns, files, wanted, map))
    }

    /// Returns the number of rows of a table.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Incomplete`] if parts are unfinished; damage.
    pub fn count<R: TableRow>(&self) -> Result<u64, DatasetError> {
        self.rows_of(self.layout.table(R::TABLE)?.name)
    }

    /// Returns the wanted rows of a table in order.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count), and [`DatasetError::NoTable`]; a row is an error if its file is
    /// damaged or cannot be read.
    pub fn rows<'w, R: TableRow>(self, wanted: Wanted<'w>) -> Scanned<'w, R>
    where
        'r: 'w,
    {
        let mut batches = self.scan(R::TABLE, wanted, |_, batch| batch)?;
        let mut rows: vec::IntoIter<R> = Vec::new().into_iter();
        // Rows take ten times the memory of a batch, so they are made from one batch at a time.
        Ok(Box::new(std::iter::from_fn(move || {
            loop {
                if let Some(row) = rows.next() {
                    return Some(Ok(row));
                }
                match batches.next()? {
                    Ok(batch) => rows = R::read(&batch).into_iter(),
                    Err(error) => return Some(Err(error)),
                }
            }
        })))
    }

    /// Applies a function to the wanted rows, some thousands at a time, and returns its results in
    /// order. Several threads may call the function.
    ///
    /// # Errors
    ///
    /// As [`rows`](Self::rows).
    pub fn batches<'w, R: TableRow, M: Send + 'w>(
        self,
        wanted: Wanted<'w>,
        map: impl Fn(Vec<R>) -> M + Sync + 'w,
    ) -> Scanned<'w, M>
    where
        'r: 'w,
    {
        let batches = self.scan(R::TABLE, wanted, move |_, batch| map(R::read(&batch)))?;
        Ok(Box::new(batches))
    }
}
