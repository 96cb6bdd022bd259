//! Row groups: compares files with their checksums, reads their row groups in parallel, and returns
//! the results in order.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::{mem, vec};

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::file::metadata::PageIndexPolicy;
use rayon::prelude::*;
use seedbank_files::input;

use super::super::column::{self, Column};
use super::super::format;
use super::super::reader::{same_columns, unreadable};
use super::super::table::Columns;
use super::super::{DatasetError, FileRecord};
use super::wanted::{Filter, Scan, Wanted};

/// The number of rows of a batch read at once.
///
/// Unit: rows. PERF: 8,192 to 65,536 take the same time.
const BATCH_ROWS: usize = 1 << 14;

/// The number of row groups read per thread before their results are passed on.
pub(super) const GROUPS_AHEAD: usize = 2;

/// The results of a function on the batches of a table, in order.
pub(super) struct Batches<'w, M> {
    reader: GroupReader<'w, M>,
    /// Files not yet opened, each with its part and the index of its first row.
    files: vec::IntoIter<(u32, u64, FileRecord)>,
    /// Row groups of files whose checksums agree.
    groups: VecDeque<Group>,
    ready: vec::IntoIter<Result<M, DatasetError>>,
}

/// Applies the function to a row group; threads share it.
struct GroupReader<'w, M> {
    scan: Scan<'w>,
    schema: SchemaRef,
    padded: SchemaRef,
    wanted: Wanted<'w>,
    map: Box<dyn Fn(u64, RecordBatch) -> M + Sync + 'w>,
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

impl<'w, M: Send> Batches<'w, M> {
    /// Begins to read files, each given with its part and the index of its first row.
    pub(super) fn new(
        scan: Scan<'w>,
        columns: &[Column],
        files: Vec<(u32, u64, FileRecord)>,
        wanted: Wanted<'w>,
        map: impl Fn(u64, RecordBatch) -> M + Sync + 'w,
    ) -> Batches<'w, M> {
        let schema = column::schema(columns);
        Batches {
            reader: GroupReader {
                padded: format::padded_schema(&schema),
                schema,
                scan,
                wanted,
                map: Box::new(map),
            },
            files: files.into_iter(),
            groups: VecDeque::new(),
            ready: Vec::new().into_iter(),
        }
    }

    /// Reads some more row groups; returns whether there were any.
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

    /// Ends the reading, after an error.
    fn end(&mut self) {
        self.groups.clear();
        self.files = Vec::new().into_iter();
    }
}

impl<M: Send> GroupReader<'_, M> {
    /// Compares a file with its checksum and returns its row groups.
    fn open(
        &self,
        (part, mut first_row, record): (u32, u64, FileRecord),
    ) -> Result<Vec<Group>, DatasetError> {
        let layout = self.scan.layout;
        let file = layout.checked(part, &record)?;
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let metadata = ArrowReaderMetadata::load(&file, options)
            .map_err(|error| error.to_string())
            .and_then(|metadata| {
                same_columns(&self.schema, metadata.schema())?;
                let found = metadata.metadata().file_metadata().num_rows();
                if found == record.rows as i64 {
                    Ok(metadata)
                } else {
                    Err(format!("expected {} rows, found {found}", record.rows))
                }
            })
            .map_err(|found| unreadable(&layout.folder.dir, &record, found))?;
        let file = Arc::new(CheckedFile {
            path: layout.folder.path(&record.file),
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

    /// Reads a row group: first the columns that decide which rows are wanted, then the wanted
    /// columns of these rows.
    fn read(&self, group: &Group) -> Result<Vec<M>, DatasetError> {
        let CheckedFile {
            path,
            record,
            metadata,
        } = &*group.file;
        let rows = metadata.metadata().row_group(group.index).num_rows() as u64;
        let damaged = |found: String| unreadable(&self.scan.layout.folder.dir, record, found);
        let each = |columns: &Option<Vec<String>>,
                    selection: Option<RowSelection>,
                    visit: &mut dyn FnMut(RecordBatch) -> Result<(), DatasetError>|
         -> Result<(), DatasetError> {
            // Each thread opens its own file, because a shared one would share its read position.
            let file = input::open(path).map_err(DatasetError::io("open", path))?;
            let mut reader =
                ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
            if let Some(names) = columns {
                let names = names.iter().map(String::as_str);
                let needed = names.clone().filter_map(format::needed_for);
                let mask = ProjectionMask::columns(reader.parquet_schema(), names.chain(needed));
                reader = reader.with_projection(mask);
            }
            if let Some(selection) = selection {
                reader = reader.with_row_selection(selection);
            }
            let reader = reader.with_row_groups(vec![group.index]);
            let reader = reader.with_batch_size(BATCH_ROWS).build();
            for batch in reader.map_err(|error| damaged(error.to_string()))? {
                let batch = batch.map_err(|error| damaged(error.to_string()))?;
                visit(format::current(batch))?;
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
        let mut first_row = group.first_row;
        each(&self.wanted.columns, selection, &mut |batch| {
            let padded = format::padded(&self.schema, &self.padded, &batch);
            made.push((self.map)(first_row, padded));
            first_row += batch.num_rows() as u64;
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
