//! Reads rows back, in order, from files whose checksums have been compared.

use std::path::{Path, PathBuf};
use std::vec;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::column;
use super::file::checked_file;
use super::format;
use super::layout::PartState;
use super::row::TableRow;
use super::{DatasetError, FileRecord, FormRow, PartRecord, PositionRow, ResultSet};

/// The number of rows of a batch read at once.
const BATCH_ROWS: usize = 8192;

impl ResultSet {
    /// Returns the positions of a complete result set, in the family's order.
    ///
    /// Each file is compared with its checksum before its first row is returned. After an error the
    /// iterator ends.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Incomplete`] if parts are unfinished; damage. A row is an error if its file
    /// is damaged, missing or unreadable.
    pub fn read_positions(
        &self,
    ) -> Result<impl Iterator<Item = Result<PositionRow, DatasetError>> + Send + use<>, DatasetError>
    {
        self.read_table::<PositionRow>()
    }

    /// Returns the forms of a complete result set, part by part; a form that several parts need is
    /// repeated.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::read_positions`].
    pub fn read_forms(
        &self,
    ) -> Result<impl Iterator<Item = Result<FormRow, DatasetError>> + Send + use<>, DatasetError>
    {
        self.read_table::<FormRow>()
    }

    /// Returns the rows of a plain table of a complete result set, in order.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::read_positions`], and [`DatasetError::NoTable`] if the result set has
    /// other tables.
    pub fn read_plain<R: TableRow>(
        &self,
    ) -> Result<impl Iterator<Item = Result<R, DatasetError>> + Send + use<R>, DatasetError> {
        self.read_table::<R>()
    }

    /// Returns the rows of one of the tables, part by part.
    pub(crate) fn read_table<R: TableRow>(&self) -> Result<Rows<R>, DatasetError> {
        // A missing table is reported before any trouble with the records.
        self.layout.table(R::TABLE)?;
        let records = self.layout.records(self.partial)?;
        self.rows_of(records)
    }

    /// Returns the rows of one of the tables in one part that can be read.
    pub(crate) fn read_table_of<R: TableRow>(&self, part: u32) -> Result<Rows<R>, DatasetError> {
        let Some(record) = self.readable(part)? else {
            return Err(DatasetError::Incomplete {
                dir: self.layout.folder.dir.clone(),
                parts: self.layout.header.parts,
                unfinished: vec![part],
            });
        };
        self.rows_of(vec![record])
    }

    /// Reads some columns of a table in one part, batch by batch, in the order of the table; returns
    /// whether the part can be read.
    ///
    /// # Errors
    ///
    /// Damage, and [`DatasetError::NoTable`] if the result set has other tables.
    pub(crate) fn read_columns<R: TableRow>(
        &self,
        part: u32,
        columns: &'static [&'static str],
        mut read: impl FnMut(&[ArrayRef]),
    ) -> Result<bool, DatasetError> {
        let Some(record) = self.readable(part)? else {
            return Ok(false);
        };
        let mut rows = self.rows_of::<R>(vec![record])?;
        rows.only = Some(columns);
        while let Some(batch) = rows.batch()? {
            read(batch.columns());
        }
        Ok(true)
    }

    /// Returns the record of a part if it is finished or, in a partial result set, may be read.
    fn readable(&self, part: u32) -> Result<Option<PartRecord>, DatasetError> {
        self.layout.check_part(part)?;
        match self.layout.state(part)? {
            PartState::Finished(record) => Ok(Some(record)),
            PartState::Open(record, _) if self.partial => Ok(Some(record)),
            PartState::Open(..) | PartState::Absent => Ok(None),
            PartState::Broken(damage) => Err(damage),
        }
    }

    fn rows_of<R: TableRow>(&self, records: Vec<PartRecord>) -> Result<Rows<R>, DatasetError> {
        let layout = &self.layout;
        let table = layout.table(R::TABLE)?;
        let files = records.into_iter().map(|record| {
            let file = record.files.of(R::TABLE);
            let file = file.expect("a record that was read names a file for each table");
            (layout.record(record.part), file.clone())
        });
        let schema = column::schema(&table.columns);
        Ok(Rows::new(&layout.folder.dir, schema, files.collect()))
    }
}

/// The rows of several files of one table.
pub(crate) struct Rows<R: TableRow> {
    dir: PathBuf,
    schema: SchemaRef,
    /// The files, each with the record that names it.
    files: vec::IntoIter<(PathBuf, FileRecord)>,
    open: Option<OpenFile>,
    rows: vec::IntoIter<R>,
    /// The columns to read, if these are not all.
    only: Option<&'static [&'static str]>,
    /// The number of rows to skip in the first file.
    skipped: u64,
}

struct OpenFile {
    record: FileRecord,
    batches: ParquetRecordBatchReader,
    rows_read: u64,
}

impl<R: TableRow> Rows<R> {
    /// Returns the rows of files below a directory, each file given with the record that names it.
    pub(crate) fn new(dir: &Path, schema: SchemaRef, files: Vec<(PathBuf, FileRecord)>) -> Rows<R> {
        Rows {
            dir: dir.to_owned(),
            schema,
            files: files.into_iter(),
            open: None,
            rows: Vec::new().into_iter(),
            only: None,
            skipped: 0,
        }
    }

    /// Skips rows of the first file.
    pub(crate) fn after(mut self, rows: u64) -> Rows<R> {
        self.skipped = rows;
        self
    }

    /// Reads the next batch; `None` at the end.
    pub(crate) fn batch(&mut self) -> Result<Option<RecordBatch>, DatasetError> {
        loop {
            let Some(open) = &mut self.open else {
                let Some((named_by, record)) = self.files.next() else {
                    return Ok(None);
                };
                let file = checked_file(&self.dir, &named_by, &record)?;
                let batches = ParquetRecordBatchReaderBuilder::try_new(file)
                    .map_err(|error| error.to_string())
                    .and_then(|builder| {
                        same_columns(&self.schema, builder.schema())?;
                        let columns = match self.only {
                            Some(only) => {
                                let only = only.iter().copied();
                                ProjectionMask::columns(builder.parquet_schema(), only)
                            }
                            None => ProjectionMask::all(),
                        };
                        let builder = builder.with_projection(columns);
                        let builder = builder.with_offset(self.skipped as usize);
                        let reader = builder.with_batch_size(BATCH_ROWS).build();
                        reader.map_err(|error| error.to_string())
                    })
                    .map_err(|found| unreadable(&self.dir, &record, found))?;
                self.open = Some(OpenFile {
                    record,
                    batches,
                    rows_read: std::mem::take(&mut self.skipped),
                });
                continue;
            };
            match open.batches.next() {
                Some(Ok(batch)) => {
                    open.rows_read += batch.num_rows() as u64;
                    let batch = format::current(batch);
                    let is_whole =
                        self.only.is_none() && batch.num_columns() < self.schema.fields().len();
                    return Ok(Some(match is_whole {
                        true => format::padded(
                            &self.schema,
                            &format::padded_schema(&self.schema),
                            &batch,
                        ),
                        false => batch,
                    }));
                }
                Some(Err(error)) => {
                    let record = open.record.clone();
                    return Err(unreadable(&self.dir, &record, error.to_string()));
                }
                None => {
                    let (record, rows) = (open.record.clone(), open.rows_read);
                    self.open = None;
                    if rows != record.rows {
                        let found = format!("expected {} rows, found {rows}", record.rows);
                        return Err(unreadable(&self.dir, &record, found));
                    }
                }
            }
        }
    }
}

impl<R: TableRow> Iterator for Rows<R> {
    type Item = Result<R, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            match self.batch() {
                Ok(Some(batch)) => self.rows = R::read(&batch).into_iter(),
                Ok(None) => return None,
                Err(error) => {
                    self.files = Vec::new().into_iter();
                    self.open = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Returns the error for a file that is unreadable although its checksum agrees: it was damaged
/// before it was committed.
pub(super) fn unreadable(dir: &Path, record: &FileRecord, found: String) -> DatasetError {
    DatasetError::Damaged {
        path: dir.join(&record.file),
        found,
        remedy: "remove the directory and run the job again".to_owned(),
    }
}

/// Compares names and types only, the latter after conversion to this format; the fields' metadata
/// may change between code versions. Columns that earlier formats lack may be missing.
pub(super) fn same_columns(expected: &Schema, found: &Schema) -> Result<(), String> {
    let is_later = found.column_with_name("onside").is_some();
    let columns = |schema: &Schema| -> Vec<String> {
        let fields = schema.fields().iter();
        fields
            .filter(|f| is_later || !format::is_added(f.name()))
            .map(|f| format!("{} {}", f.name(), format::current_type(f)))
            .collect()
    };
    let (expected, found) = (columns(expected), columns(found));
    if expected == found {
        return Ok(());
    }
    Err(format!(
        "expected columns {}, found {}",
        expected.join(", "),
        found.join(", ")
    ))
}
