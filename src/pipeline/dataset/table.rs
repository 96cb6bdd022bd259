//! The common writer of tables: rows are collected in batches, and batches go to a Parquet file
//! that is hashed as it is written.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use seedbank_files::durable::Temporary;

use super::DatasetError;
use super::column::{self, Column, ROW_GROUP_ELEMENTS_MAX};
use super::file::WrittenFile;
use super::footer;
use super::labels::Labels;
use super::row::TableRow;

/// The number of rows passed to the Parquet writer at once.
///
/// Unit: rows. The boundaries of batches depend on the rows alone, so that the bytes do too.
pub(crate) const BATCH_ROWS: usize = 8192;

/// A Parquet file of one table being written.
pub(crate) struct TableWriter<R: TableRow> {
    /// The rows of the next batch.
    gathered: R::Builders,
    gathered_rows: usize,
    gathered_text_bytes: usize,
    schema: SchemaRef,
    rows: u64,
    file: ArrowWriter<HashingFile>,
    /// The number of list elements in the open row group.
    elements: u64,
}

impl<R: TableRow> TableWriter<R> {
    /// Begins a file of a table with these columns, this number of variables, and the given
    /// provenance.
    pub(crate) fn new(
        columns: &[Column],
        variables: usize,
        provenance: Vec<KeyValue>,
        temporary: Temporary,
    ) -> Result<TableWriter<R>, DatasetError> {
        let schema = column::schema(columns);
        let properties = column::writer_properties(columns)
            .set_key_value_metadata(Some(provenance))
            .build();
        let path = temporary.path().to_owned();
        let file = HashingFile {
            temporary,
            hasher: blake3::Hasher::new(),
            bytes: 0,
            end: None,
        };
        let file = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let file = file.map_err(|error| unwritten(path, error))?;
        Ok(TableWriter {
            gathered: R::builders(variables),
            gathered_rows: 0,
            gathered_text_bytes: 0,
            schema,
            rows: 0,
            file,
            elements: 0,
        })
    }

    /// Appends a row, unless it does not fit.
    pub(crate) fn push(&mut self, row: &R::Of<'_>) -> Result<(), DatasetError> {
        if let Some(reason) = R::misfit(row, "", &self.gathered) {
            return Err(DatasetError::Row {
                table: R::TABLE,
                row: R::describe(row),
                reason,
            });
        }
        self.gathered_text_bytes += R::gather(row, &mut self.gathered);
        self.gathered_rows += 1;
        self.rows += 1;
        if self.gathered_rows >= BATCH_ROWS || self.gathered_text_bytes >= R::BATCH_TEXT_BYTES {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Appends rows given as arrays, in the order of the columns.
    ///
    /// Rows are written in the batches in which they come. The caller's batches must therefore
    /// depend on the rows alone, so that the bytes do too.
    pub(crate) fn push_arrays(&mut self, arrays: Vec<ArrayRef>) -> Result<(), DatasetError> {
        if self.gathered_rows > 0 {
            self.write_batch()?;
        }
        self.rows += arrays.first().map_or(0, |array| array.len()) as u64;
        self.write_arrays(arrays)
    }

    /// Ends the file; the number of its rows is the last entry of its metadata.
    pub(crate) fn finish(mut self) -> Result<WrittenFile, DatasetError> {
        self.write_batch()?;
        let path = self.file.inner().temporary.path().to_owned();
        let rows = KeyValue::new("seedbank.rows".into(), self.rows.to_string());
        self.file.append_key_value_metadata(rows);
        let columns = self.schema.fields().len();
        let file = self.file.flush().and_then(|()| {
            self.file.inner_mut().end = Some(Vec::new());
            self.file.into_inner()?.ended(columns)
        });
        let file = file.map_err(|error| unwritten(path, error))?;
        Ok(WrittenFile {
            temporary: file.temporary,
            rows: self.rows,
            bytes: file.bytes,
            blake3: file.hasher.finalize().into(),
        })
    }

    fn write_batch(&mut self) -> Result<(), DatasetError> {
        let mut arrays = Vec::new();
        R::finish(&mut self.gathered, &mut arrays);
        self.gathered_rows = 0;
        self.gathered_text_bytes = 0;
        self.write_arrays(arrays)
    }

    fn write_arrays(&mut self, arrays: Vec<ArrayRef>) -> Result<(), DatasetError> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
        (batch.map_err(ParquetError::from))
            .and_then(|batch| self.encode(&batch))
            .map_err(|error| {
                let path = self.file.inner().temporary.path().to_owned();
                unwritten(path, error)
            })
    }

    /// Encodes a batch, in a new row group if its lists do not fit the open one.
    fn encode(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let elements = elements_of(batch);
        if self.elements > 0 && self.elements + elements > ROW_GROUP_ELEMENTS_MAX {
            self.file.flush()?;
            self.elements = 0;
        }
        let groups = self.file.flushed_row_groups().len();
        self.file.write(batch)?;
        if self.file.flushed_row_groups().len() > groups {
            // The rest of the batch began the open row group.
            let left = self.file.in_progress_rows();
            self.elements = elements_of(&batch.slice(batch.num_rows() - left, left));
        } else {
            self.elements += elements;
        }
        Ok(())
    }
}

/// Returns the number of list elements in a batch.
fn elements_of(batch: &RecordBatch) -> u64 {
    let lists = batch.columns().iter();
    let lists = lists.filter_map(|column| column.as_list_opt::<i32>());
    let elements = lists.map(|list| {
        let offsets = list.value_offsets();
        (offsets[list.len()] - offsets[0]) as u64
    });
    elements.sum()
}

/// Returns the error of a file that cannot be written: the operating system's, if it has one.
fn unwritten(path: PathBuf, error: ParquetError) -> DatasetError {
    match error {
        ParquetError::External(inner) if inner.is::<io::Error>() => {
            let inner = inner.downcast::<io::Error>().expect("it was just compared");
            DatasetError::io("write", &path)(*inner)
        }
        error => DatasetError::Write {
            path,
            cause: cause(error),
        },
    }
}

/// Returns the text of an error, unwrapping an external one.
pub(crate) fn cause(error: ParquetError) -> String {
    match error {
        ParquetError::External(inner) => inner.to_string(),
        other => other.to_string(),
    }
}

/// A temporary file whose bytes are hashed as they are written.
struct HashingFile {
    temporary: Temporary,
    hasher: blake3::Hasher,
    bytes: u64,
    /// The end of the file, from the last row group on, which is held back until it is whole.
    end: Option<Vec<u8>>,
}

impl HashingFile {
    /// Writes the end of the file, in which each column has the order of its type.
    fn ended(mut self, columns: usize) -> Result<HashingFile, ParquetError> {
        let mut end = self.end.take().unwrap_or_default();
        footer::order_by_types(&mut end, columns)
            .map_err(|found| ParquetError::General(found.to_owned()))?;
        self.write_all(&end)?;
        Ok(self)
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(end) = &mut self.end {
            end.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = self.temporary.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// The columns of a batch that has the table's schema.
pub(crate) struct Columns<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Columns<'a> {
    /// Wraps a batch.
    pub(crate) fn of(batch: &'a RecordBatch) -> Columns<'a> {
        Columns { batch }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn array(&self, name: &str) -> &'a ArrayRef {
        let array = self.batch.column_by_name(name);
        array.expect("a filter names columns of the table")
    }

    pub(crate) fn labels(&self, name: &str) -> Labels<'a> {
        Labels::of(self.array(name))
    }

    pub(crate) fn text(&self, name: &str) -> &'a StringArray {
        self.array(name).as_string()
    }

    pub(crate) fn int32(&self, name: &str) -> &'a Int32Array {
        self.array(name).as_primitive::<Int32Type>()
    }

    pub(crate) fn int64(&self, name: &str) -> &'a Int64Array {
        self.array(name).as_primitive::<Int64Type>()
    }
}
