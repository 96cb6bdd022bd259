//! Reading of what a report needs, by several threads: columns instead of rows, and of most columns the wanted rows only.
//!
//! Each file is compared with its checksum, whole, before anything is read from it. Row groups are read in parallel and
//! handed over in order, so that what is made of them does not depend on the number of threads. At most
//! [`GROUPS_AHEAD`] row groups a thread are held, and of these only the columns asked for.

use std::collections::VecDeque;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{mem, vec};

use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int32Array, RecordBatch, StringArray, new_null_array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::file::metadata::PageIndexPolicy;
use rayon::prelude::*;

use super::column;
use super::layout::Layout;
use super::plain::PlainRow;
use super::positions::Positions;
use super::reader::{same_columns, unreadable};
use super::table::{Columns, Table};
use super::verify::checked_file;
use super::{DatasetError, FileRecord, PositionRow, ResultSet};

/// Rows of a batch read at once.
///
/// Unit: rows. PERF: 8,192 to 65,536 take as long.
const BATCH_ROWS: usize = 1 << 14;

/// Row groups that are read for each thread before what they hold is handed over.
const GROUPS_AHEAD: usize = 2;

/// A row that a table of result sets consists of.
pub trait TableRow: Sized + Send + 'static {
    /// Rows on their way from an Arrow batch.
    type Batch: for<'a> Table<Row<'a> = Self>;
}

impl TableRow for PositionRow {
    type Batch = Positions;
}

impl<R: PlainRow> TableRow for R {
    type Batch = R::Batch;
}

/// What a report needs of a table: some columns of some rows.
///
/// A hint: whoever states it also takes rows that are not wanted, and whole ones.
pub struct Wanted<'w> {
    columns: Option<Vec<String>>,
    filter: Option<Filter<'w>>,
}

/// Which rows are wanted, by some of their columns; several threads ask, about batches in no certain order.
struct Filter<'w> {
    columns: Vec<String>,
    keeps: Box<Keeps<'w>>,
}

/// Returns which rows of a batch are wanted, given the place of its first row among all.
type Keeps<'w> = dyn Fn(u64, &Columns<'_>) -> Vec<bool> + Sync + 'w;

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
    read: AtomicU64,
    rows: AtomicU64,
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

/// Where a report takes the rows of a table from: a finished result set, or rows in order from anywhere else.
pub trait RowSource<R>: Sized {
    /// Returns the number of rows where it is known before they are read.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Incomplete`] where shards are unfinished; damage.
    fn row_count(&self) -> Result<Option<u64>, DatasetError>;

    /// Returns the wanted rows in order, and perhaps others.
    ///
    /// # Errors
    ///
    /// As [`row_count`](Self::row_count), and [`DatasetError::NoTable`]; a row is an error where its file is damaged or cannot be read.
    fn rows<'w>(
        self,
        wanted: Wanted<'w>,
    ) -> Result<impl Iterator<Item = Result<R, DatasetError>>, DatasetError>
    where
        Self: 'w;

    /// Returns what a function makes of the wanted rows, some thousands at a time, in order. Several threads may call it.
    ///
    /// # Errors
    ///
    /// As [`rows`](Self::rows).
    fn batches<'w, M: Send>(
        self,
        wanted: Wanted<'w>,
        map: impl Fn(Vec<R>) -> M + Sync + 'w,
    ) -> Result<impl Iterator<Item = Result<M, DatasetError>>, DatasetError>
    where
        Self: 'w;
}

impl<R, I: IntoIterator<Item = Result<R, DatasetError>>> RowSource<R> for I {
    fn row_count(&self) -> Result<Option<u64>, DatasetError> {
        Ok(None)
    }

    fn rows<'w>(
        self,
        _: Wanted<'w>,
    ) -> Result<impl Iterator<Item = Result<R, DatasetError>>, DatasetError>
    where
        I: 'w,
    {
        Ok(self.into_iter())
    }

    fn batches<'w, M: Send>(
        self,
        _: Wanted<'w>,
        map: impl Fn(Vec<R>) -> M + Sync + 'w,
    ) -> Result<impl Iterator<Item = Result<M, DatasetError>>, DatasetError>
    where
        I: 'w,
    {
        Ok(self.into_iter().map(move |row| Ok(map(vec![row?]))))
    }
}

/// The tables of a finished result set, read by the threads of the current pool.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'r> {
    layout: &'r Layout,
    partial: bool,
    progress: Option<&'r ScanProgress>,
}

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
    /// Counts the rows looked at where others can see it.
    pub fn counted_by(self, progress: &'r ScanProgress) -> Scan<'r> {
        Scan {
            progress: Some(progress),
            ..self
        }
    }

    /// Returns what a function makes of the batches of a table, in order; batches have all columns, those not asked for
    /// without values.
    fn scan<'w, T: Table, M: Send>(
        self,
        wanted: Wanted<'w>,
        map: impl Fn(RecordBatch) -> M + Sync + 'w,
    ) -> Result<Batches<'w, M>, DatasetError>
    where
        'r: 'w,
    {
        let table = self.layout.table(T::NAME)?;
        let mut files = Vec::new();
        let mut rows = 0;
        for record in self.layout.records(self.partial)? {
            let file = record.files.of(T::NAME);
            let file = file.expect("a record that was read names a file for each table");
            files.push((record.shard, rows, file.clone()));
            rows += file.rows;
        }
        if let Some(progress) = self.progress {
            progress.rows.store(rows, Ordering::Relaxed);
        }
        let schema = column::schema(&table.columns);
        Ok(Batches {
            reader: GroupReader {
                padded: padded_schema(&schema),
                schema,
                scan: self,
                wanted,
                map: Box::new(map),
            },
            files: files.into_iter(),
            groups: VecDeque::new(),
            ready: Vec::new().into_iter(),
        })
    }
}

impl<R: TableRow> RowSource<R> for Scan<'_> {
    fn row_count(&self) -> Result<Option<u64>, DatasetError> {
        let table = self.layout.table(R::Batch::NAME)?.name;
        let records = self.layout.records(self.partial)?;
        let files = records.iter().filter_map(|record| record.files.of(table));
        Ok(Some(files.map(|file| file.rows).sum()))
    }

    fn rows<'w>(
        self,
        wanted: Wanted<'w>,
    ) -> Result<impl Iterator<Item = Result<R, DatasetError>>, DatasetError>
    where
        Self: 'w,
    {
        let mut batches = self.scan::<R::Batch, _>(wanted, |batch| batch)?;
        let mut rows: vec::IntoIter<R> = Vec::new().into_iter();
        // Rows take ten times the memory of a batch: they are made of one at a time.
        Ok(std::iter::from_fn(move || {
            loop {
                if let Some(row) = rows.next() {
                    return Some(Ok(row));
                }
                match batches.next()? {
                    Ok(batch) => rows = R::Batch::read(&batch).into_iter(),
                    Err(error) => return Some(Err(error)),
                }
            }
        }))
    }

    fn batches<'w, M: Send>(
        self,
        wanted: Wanted<'w>,
        map: impl Fn(Vec<R>) -> M + Sync + 'w,
    ) -> Result<impl Iterator<Item = Result<M, DatasetError>>, DatasetError>
    where
        Self: 'w,
    {
        self.scan::<R::Batch, M>(wanted, move |batch| map(R::Batch::read(&batch)))
    }
}

/// What is made of the batches of a table, in order.
struct Batches<'w, M> {
    reader: GroupReader<'w, M>,
    /// Files that have not been looked at, each with its shard and the place of its first row.
    files: vec::IntoIter<(u32, u64, FileRecord)>,
    /// Row groups of files whose checksums agree.
    groups: VecDeque<Group>,
    ready: vec::IntoIter<Result<M, DatasetError>>,
}

/// Makes something of a row group; threads share it.
struct GroupReader<'w, M> {
    scan: Scan<'w>,
    schema: SchemaRef,
    padded: SchemaRef,
    wanted: Wanted<'w>,
    map: Box<dyn Fn(RecordBatch) -> M + Sync + 'w>,
}

/// A row group of a file whose checksum agrees.
struct Group {
    file: Arc<CheckedFile>,
    index: usize,
    first_row: u64,
}

struct CheckedFile {
    path: PathBuf,
    record: FileRecord,
    metadata: ArrowReaderMetadata,
}

impl<M: Send> Batches<'_, M> {
    /// Reads some more row groups; returns whether there are any.
    fn refill(&mut self) -> Result<bool, DatasetError> {
        let threads = rayon::current_num_threads();
        let window = threads * GROUPS_AHEAD;
        while self.groups.len() < window && !self.files.as_slice().is_empty() {
            let files: Vec<_> = self.files.by_ref().take(threads).collect();
            let reader = &self.reader;
            let opened = files.into_par_iter().map(|file| reader.open(file));
            for groups in opened.collect::<Vec<_>>() {
                self.groups.extend(groups?);
            }
        }
        let window = window.min(self.groups.len());
        let groups: Vec<Group> = self.groups.drain(..window).collect();
        let reader = &self.reader;
        let read = groups.par_iter().map(|group| reader.read(group));
        let mut ready = Vec::new();
        for made in read.collect::<Vec<_>>() {
            match made {
                Ok(made) => ready.extend(made.into_iter().map(Ok)),
                Err(error) => {
                    ready.push(Err(error));
                    self.end();
                    break;
                }
            }
        }
        self.ready = ready.into_iter();
        Ok(window > 0)
    }

    /// After an error nothing more is read.
    fn end(&mut self) {
        self.groups.clear();
        self.files = Vec::new().into_iter();
    }
}

impl<M: Send> GroupReader<'_, M> {
    /// Compares a file with its checksum and returns its row groups.
    fn open(
        &self,
        (shard, mut first_row, record): (u32, u64, FileRecord),
    ) -> Result<Vec<Group>, DatasetError> {
        let layout = self.scan.layout;
        let file = checked_file(layout, shard, &record)?;
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let metadata = ArrowReaderMetadata::load(&file, options)
            .map_err(|error| error.to_string())
            .and_then(|metadata| {
                same_columns(&self.schema, metadata.schema())?;
                let found = metadata.metadata().file_metadata().num_rows();
                match found == record.rows as i64 {
                    true => Ok(metadata),
                    false => Err(format!("expected {} rows, found {found}", record.rows)),
                }
            })
            .map_err(|found| unreadable(&layout.dir, &record, found))?;
        let file = Arc::new(CheckedFile {
            path: layout.path(&record.file),
            record,
            metadata,
        });
        let groups = file.metadata.metadata().row_groups().iter().enumerate();
        let groups = groups.map(|(index, group)| {
            let next = first_row + group.num_rows() as u64;
            Group {
                file: Arc::clone(&file),
                index,
                first_row: mem::replace(&mut first_row, next),
            }
        });
        Ok(groups.collect())
    }

    /// Reads a row group: the columns that tell which rows are wanted, then what is wanted of these.
    fn read(&self, group: &Group) -> Result<Vec<M>, DatasetError> {
        let CheckedFile {
            path,
            record,
            metadata,
        } = &*group.file;
        let rows = metadata.metadata().row_group(group.index).num_rows() as u64;
        let damaged = |found: String| unreadable(&self.scan.layout.dir, record, found);
        let each = |columns: &Option<Vec<String>>,
                    selection: Option<RowSelection>,
                    visit: &mut dyn FnMut(RecordBatch) -> Result<(), DatasetError>|
         -> Result<(), DatasetError> {
            // A file of its own, for threads that share one would share the place where it is read.
            let file = File::open(path).map_err(DatasetError::io("open", path))?;
            let mut reader =
                ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
            if let Some(names) = columns {
                let names = names.iter().map(String::as_str);
                let mask = ProjectionMask::columns(reader.parquet_schema(), names);
                reader = reader.with_projection(mask);
            }
            if let Some(selection) = selection {
                reader = reader.with_row_selection(selection);
            }
            let reader = reader.with_row_groups(vec![group.index]);
            let reader = reader.with_batch_size(BATCH_ROWS).build();
            for batch in reader.map_err(|error| damaged(error.to_string()))? {
                visit(batch.map_err(|error| damaged(error.to_string()))?)?;
            }
            Ok(())
        };
        let mut selection = None;
        if let Some(Filter { columns, keeps }) = &self.wanted.filter {
            let mut kept = Vec::new();
            let mut first_row = group.first_row;
            each(&Some(columns.clone()), None, &mut |batch| {
                kept.push(BooleanArray::from(keeps(first_row, &Columns::of(&batch))));
                first_row += batch.num_rows() as u64;
                Ok(())
            })?;
            if kept.iter().all(|kept| !kept.has_true()) {
                self.count(rows);
                return Ok(Vec::new());
            }
            selection = Some(RowSelection::from_filters(&kept));
        }
        let mut made = Vec::new();
        each(&self.wanted.columns, selection, &mut |batch| {
            made.push((self.map)(padded(&self.schema, &self.padded, &batch)));
            Ok(())
        })?;
        self.count(rows);
        Ok(made)
    }

    fn count(&self, rows: u64) {
        if let Some(progress) = self.scan.progress {
            progress.read.fetch_add(rows, Ordering::Relaxed);
        }
    }
}

impl<M: Send> Iterator for Batches<'_, M> {
    type Item = Result<M, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(made) = self.ready.next() {
                return Some(made);
            }
            match self.refill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.end();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Returns the schema of batches that lack values in columns that have them in the table.
fn padded_schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter();
    let fields = fields.map(|field| Field::new(field.name(), field.data_type().clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Adds columns without values for those of the table that a batch lacks.
fn padded(table: &Schema, schema: &SchemaRef, batch: &RecordBatch) -> RecordBatch {
    let rows = batch.num_rows();
    let column = |field: &Arc<Field>| -> ArrayRef {
        if let Some(column) = batch.column_by_name(field.name()) {
            return Arc::clone(column);
        }
        match field.data_type() {
            // A label that may not be null is looked up.
            DataType::Dictionary(..) if !field.is_nullable() => Arc::new(DictionaryArray::new(
                Int32Array::from_value(0, rows),
                Arc::new(StringArray::from_iter_values([""])),
            )),
            other => new_null_array(other, rows),
        }
    };
    let columns = table.fields().iter().map(column).collect();
    RecordBatch::try_new(Arc::clone(schema), columns)
        .expect("columns have the types of the table and the rows of the batch")
}
