//! What the tables have in common: rows gather in a batch, batches go to a Parquet file that is hashed on its way.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, FixedSizeBinaryArray,
    Float64Array, Int32Array, Int64Array, ListArray, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_schema::SchemaRef;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;

use super::column::{self, Column};
use super::row_groups::RowGroups;
use super::{DatasetError, Digest};
use crate::durable::Temporary;

/// Rows of a batch handed to the Parquet writer at once.
///
/// Unit: rows. The boundaries of batches are a function of the rows alone, so that the bytes are too.
pub(crate) const BATCH_ROWS: usize = 8192;

/// A table: how its rows become Arrow arrays and come back.
pub trait Table: Send {
    /// A row, whose texts may lie elsewhere.
    type Row<'a>: Send;
    /// The table's name.
    const NAME: &'static str;
    /// Bytes in columns of variable width at which a batch ends early.
    ///
    /// Bounds the memory of a batch of long notations; ordinary batches stay below a tenth of it.
    const BATCH_TEXT_BYTES: usize = 8 << 20;

    /// Returns the number of rows gathered.
    fn rows(&self) -> usize;
    /// Returns the bytes gathered in columns of variable width.
    fn text_bytes(&self) -> usize;
    /// Names a row in an error.
    fn describe(row: &Self::Row<'_>) -> String;
    /// Gathers a row, or says why it does not fit, in which case nothing has been gathered.
    fn push(&mut self, row: &Self::Row<'_>) -> Result<(), String>;
    /// Returns the gathered rows as arrays, in the order of the columns, and starts anew.
    fn finish(&mut self) -> Vec<ArrayRef>;
    /// Returns the rows of a batch whose schema is the table's.
    fn read(batch: &RecordBatch) -> Vec<Self::Row<'static>>;
}

/// A Parquet file of one table being written.
pub(crate) struct TableWriter<T: Table> {
    table: T,
    schema: SchemaRef,
    rows: u64,
    file: RowGroups<HashingFile>,
}

/// A Parquet file that is whole, but not committed.
pub(crate) struct WrittenFile {
    pub(crate) temporary: Temporary,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) blake3: Digest,
}

impl<T: Table> TableWriter<T> {
    /// Begins a file with the given provenance.
    pub(crate) fn new(
        table: T,
        columns: &[Column],
        provenance: Vec<KeyValue>,
        temporary: Temporary,
    ) -> Result<TableWriter<T>, DatasetError> {
        let schema = column::schema(columns);
        let properties = column::writer_properties(columns)
            .set_key_value_metadata(Some(provenance))
            .build();
        let path = temporary.path().to_owned();
        let file = HashingFile {
            temporary,
            hasher: blake3::Hasher::new(),
            bytes: 0,
        };
        let file = RowGroups::new(file, Arc::clone(&schema), properties).map_err(|error| {
            DatasetError::Write {
                path,
                cause: cause(error),
            }
        })?;
        Ok(TableWriter {
            table,
            schema,
            rows: 0,
            file,
        })
    }

    /// Has threads of the pool that have nothing else to do encode columns while rows are appended.
    pub(crate) fn in_parallel(mut self) -> TableWriter<T> {
        self.file.in_parallel = true;
        self
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, row: &T::Row<'_>) -> Result<(), DatasetError> {
        self.table.push(row).map_err(|reason| DatasetError::Row {
            table: T::NAME,
            row: T::describe(row),
            reason,
        })?;
        self.rows += 1;
        if self.table.rows() >= BATCH_ROWS || self.table.text_bytes() >= T::BATCH_TEXT_BYTES {
            self.write_batch()?;
        }
        Ok(())
    }

    /// Appends rows that are arrays already, in the order of the columns.
    ///
    /// What is gathered and what is appended is written in the pieces in which it comes: these are to depend on nothing
    /// but the rows, so that the bytes do not either.
    pub(crate) fn push_arrays(&mut self, arrays: Vec<ArrayRef>) -> Result<(), DatasetError> {
        if self.table.rows() > 0 {
            self.write_batch()?;
        }
        self.rows += arrays.first().map_or(0, |array| array.len()) as u64;
        self.write_arrays(arrays)
    }

    /// Ends the file; the count of its rows is the last entry of its metadata.
    pub(crate) fn finish(mut self) -> Result<WrittenFile, DatasetError> {
        self.write_batch()?;
        let path = self.file.inner().temporary.path().to_owned();
        let rows = KeyValue::new("seedbank.rows".into(), self.rows.to_string());
        let file = (self.file.finish(rows)).map_err(|error| DatasetError::Write {
            path,
            cause: cause(error),
        })?;
        Ok(WrittenFile {
            temporary: file.temporary,
            rows: self.rows,
            bytes: file.bytes,
            blake3: file.hasher.finalize().into(),
        })
    }

    fn write_batch(&mut self) -> Result<(), DatasetError> {
        let arrays = self.table.finish();
        self.write_arrays(arrays)
    }

    fn write_arrays(&mut self, arrays: Vec<ArrayRef>) -> Result<(), DatasetError> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
        (batch.map_err(ParquetError::from))
            .and_then(|batch| self.file.write(batch))
            .map_err(|error| DatasetError::Write {
                path: self.file.inner().temporary.path().to_owned(),
                cause: cause(error),
            })
    }
}

/// Returns the reason in the words of whoever gave it.
pub(crate) fn cause(error: ParquetError) -> String {
    match error {
        ParquetError::External(inner) => inner.to_string(),
        other => other.to_string(),
    }
}

/// A temporary file whose bytes are hashed as they pass.
struct HashingFile {
    temporary: Temporary,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.temporary.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// The columns of a batch whose schema is known to be the table's.
pub(crate) struct Columns<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Columns<'a> {
    /// Takes a batch apart.
    pub(crate) fn of(batch: &'a RecordBatch) -> Columns<'a> {
        Columns { batch }
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    fn array(&self, name: &str) -> &'a ArrayRef {
        self.batch
            .column_by_name(name)
            .expect("a file's schema is compared with the table's before its batches are read")
    }

    pub(crate) fn labels(&self, name: &str) -> Labels<'a> {
        let dictionary: &DictionaryArray<Int32Type> = self.array(name).as_dictionary();
        Labels {
            keys: dictionary.keys(),
            texts: dictionary.values().as_string(),
        }
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

    pub(crate) fn float64(&self, name: &str) -> &'a Float64Array {
        self.array(name).as_primitive::<Float64Type>()
    }

    pub(crate) fn bools(&self, name: &str) -> &'a BooleanArray {
        self.array(name).as_boolean()
    }

    pub(crate) fn digests(&self, name: &str) -> &'a FixedSizeBinaryArray {
        self.array(name).as_fixed_size_binary()
    }

    pub(crate) fn lists(&self, name: &str) -> &'a ListArray {
        self.array(name).as_list()
    }

    /// Returns the integer columns between two columns.
    pub(crate) fn between(&self, before: &str, after: &str) -> Vec<&'a Int64Array> {
        let names: Vec<&str> = self
            .batch
            .schema_ref()
            .fields()
            .iter()
            .map(|f| f.name().as_str())
            .collect();
        names
            .into_iter()
            .skip_while(|name| *name != before)
            .skip(1)
            .take_while(|name| *name != after)
            .map(|name| self.int64(name))
            .collect()
    }
}

/// A column of labels: keys into a dictionary.
pub(crate) struct Labels<'a> {
    keys: &'a Int32Array,
    texts: &'a StringArray,
}

impl<'a> Labels<'a> {
    /// Returns the dictionary indices of all rows.
    pub(crate) fn keys(&self) -> &'a Int32Array {
        self.keys
    }

    /// Returns the dictionary index of a row, or `None` where it is null.
    pub(crate) fn key(&self, row: usize) -> Option<usize> {
        at(self.keys, row).map(|key| key as usize)
    }

    /// Returns the label of a row of a column without nulls.
    pub(crate) fn text(&self, row: usize) -> &'a str {
        self.texts.value(self.keys.value(row) as usize)
    }

    /// Returns the label of a row, or `None` where it is null.
    pub(crate) fn text_option(&self, row: usize) -> Option<&'a str> {
        Some(self.texts.value(self.key(row)?))
    }

    /// Returns the label of a row of a column without nulls.
    pub(crate) fn owned(&self, row: usize) -> Cow<'static, str> {
        Cow::Owned(self.text(row).to_owned())
    }

    /// Returns the label of a row, or `None` where it is null.
    pub(crate) fn owned_option(&self, row: usize) -> Option<Cow<'static, str>> {
        let text = self.text_option(row)?;
        Some(Cow::Owned(text.to_owned()))
    }

    /// Returns the dictionary as texts that many rows can share.
    pub(crate) fn shared(&self) -> Vec<Arc<str>> {
        (0..self.texts.len())
            .map(|key| Arc::from(self.texts.value(key)))
            .collect()
    }
}

/// Returns the number of a row, or `None` where it is null.
pub(crate) fn at<N: ArrowPrimitiveType>(
    column: &PrimitiveArray<N>,
    row: usize,
) -> Option<N::Native> {
    column.is_valid(row).then(|| column.value(row))
}

/// Returns the text of a row, or `None` where it is null.
pub(crate) fn text_at(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// Returns the digest of a row of a column without nulls.
pub(crate) fn digest_at(column: &FixedSizeBinaryArray, row: usize) -> [u8; 16] {
    column.value(row).try_into().expect(
        "a file's schema, and so the width of digests, is compared before its batches are read",
    )
}
