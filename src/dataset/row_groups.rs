//! The row groups of a Parquet file: batches are encoded column by column until a row group is full.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use super::column::ROW_GROUP_ELEMENTS_MAX;

/// A Parquet file that is written row group by row group.
///
/// It holds what parquet's `ArrowWriter` would write; but threads can share the columns, and the elements of lists are bounded.
pub(super) struct RowGroups<W: Write + Send> {
    file: SerializedFileWriter<W>,
    schema: SchemaRef,
    columns: ArrowRowGroupWriterFactory,
    open: Option<RowGroup>,
    /// Whether threads of the pool that have nothing else to do may encode columns of a batch.
    pub(super) in_parallel: bool,
    rows_max: usize,
    bytes_max: usize,
}

/// A row group that is open.
struct RowGroup {
    rows: usize,
    /// The elements of its lists.
    elements: u64,
    /// Each has one column of the file, as lists have no lists in them.
    columns: Vec<ArrowColumnWriter>,
}

impl<W: Write + Send> RowGroups<W> {
    /// Begins a file of batches with this schema.
    pub(super) fn new(
        file: W,
        schema: SchemaRef,
        properties: WriterProperties,
    ) -> Result<RowGroups<W>, ParquetError> {
        let no_limit = usize::MAX;
        let rows_max = properties.max_row_group_row_count().unwrap_or(no_limit);
        let bytes_max = properties.max_row_group_bytes().unwrap_or(no_limit);
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))?;
        let (file, columns) = writer.into_serialized_writer()?;
        Ok(RowGroups {
            file,
            schema,
            columns,
            open: None,
            in_parallel: false,
            rows_max,
            bytes_max,
        })
    }

    /// Returns what the file is written to.
    pub(super) fn inner(&self) -> &W {
        self.file.inner()
    }

    /// Appends a batch: in a new row group where its lists do not fit in the one that is open, and in several where its
    /// rows do not fit in one.
    pub(super) fn write(&mut self, mut batch: RecordBatch) -> Result<(), ParquetError> {
        let elements = self.open.as_ref().map_or(0, |open| open.elements);
        if elements > 0 && elements + elements_of(&batch) > ROW_GROUP_ELEMENTS_MAX {
            self.flush()?;
        }
        while batch.num_rows() > 0 {
            let mut open = self.open.take().map_or_else(|| self.begin(), Ok)?;
            let rows = batch.num_rows().min(self.rows_max - open.rows);
            open.write(&self.schema, &batch.slice(0, rows), self.in_parallel)?;
            batch = batch.slice(rows, batch.num_rows() - rows);
            let full = open.rows == self.rows_max || open.bytes() >= self.bytes_max;
            self.open = Some(open);
            if full {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the file, with one more entry in its metadata.
    pub(super) fn finish(mut self, last: KeyValue) -> Result<W, ParquetError> {
        self.flush()?;
        self.file.append_key_value_metadata(last);
        self.file.into_inner()
    }

    /// Begins a row group.
    fn begin(&self) -> Result<RowGroup, ParquetError> {
        let index = self.file.flushed_row_groups().len();
        Ok(RowGroup {
            rows: 0,
            elements: 0,
            columns: self.columns.create_column_writers(index)?,
        })
    }

    /// Ends the row group that is open.
    fn flush(&mut self) -> Result<(), ParquetError> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        // PERF: the last pages of all columns are compressed here. With threads at hand, searches of a second take a
        // twentieth less. Elsewhere none are to be made that nobody asked for.
        let columns = open.columns;
        let ended: Result<Vec<ArrowColumnChunk>, ParquetError> = match has_threads() {
            true => columns
                .into_par_iter()
                .map(ArrowColumnWriter::close)
                .collect(),
            false => columns.into_iter().map(ArrowColumnWriter::close).collect(),
        };
        let mut group = self.file.next_row_group()?;
        for column in ended? {
            column.append_to_row_group(&mut group)?;
        }
        group.close()?;
        Ok(())
    }
}

fn has_threads() -> bool {
    rayon::current_thread_index().is_some()
}

/// A column of a row group, its field, and its values in a batch.
type Cells<'a> = ((&'a mut ArrowColumnWriter, &'a FieldRef), &'a ArrayRef);

impl RowGroup {
    fn write(
        &mut self,
        schema: &SchemaRef,
        batch: &RecordBatch,
        in_parallel: bool,
    ) -> Result<(), ParquetError> {
        let fields = &schema.fields()[..];
        let write = |((column, field), array): Cells<'_>| {
            let leaves = compute_leaves(field, array)?;
            leaves.iter().try_for_each(|leaf| column.write(leaf))
        };
        if in_parallel && has_threads() {
            let columns = self.columns.par_iter_mut().zip(fields);
            columns.zip(batch.columns()).try_for_each(write)?;
        } else {
            let columns = self.columns.iter_mut().zip(fields);
            let mut columns = columns.zip(batch.columns());
            columns.try_for_each(write)?;
        }
        self.rows += batch.num_rows();
        self.elements += elements_of(batch);
        Ok(())
    }

    /// Returns about how many bytes it has, encoded.
    fn bytes(&self) -> usize {
        let columns = self.columns.iter();
        columns
            .map(ArrowColumnWriter::get_estimated_total_bytes)
            .sum()
    }
}

/// Returns how many elements the lists of a batch have.
fn elements_of(batch: &RecordBatch) -> u64 {
    let lists = batch.columns().iter();
    let lists = lists.filter_map(|column| column.as_list_opt::<i32>());
    let elements = lists.map(|list| {
        let offsets = list.value_offsets();
        (offsets[list.len()] - offsets[0]) as u64
    });
    elements.sum()
}
