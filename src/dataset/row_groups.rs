//! The row groups of a Parquet file: batches are encoded column by column until a row group is full.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Int64Array, PrimitiveArray, RecordBatch, types,
};
use arrow_schema::{DataType, FieldRef, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{DataType as ParquetType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use rayon::prelude::*;

use super::column::ROW_GROUP_ELEMENTS_MAX;
use super::consecutive::Consecutive;

/// A Parquet file that is written row group by row group.
///
/// It holds what parquet's `ArrowWriter` would write, which is slower for integers: see [`Integers`] and [`Consecutive`].
pub(super) struct RowGroups<W: Write + Send> {
    file: SerializedFileWriter<W>,
    schema: SchemaRef,
    /// Makes the writers of the columns that are not of integers.
    others: ArrowRowGroupWriterFactory,
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
    columns: Vec<OpenColumn>,
}

/// A column of a row group that is open; each has one column of the file, as lists have no lists in them.
enum OpenColumn {
    /// Becomes `Int64` when an integer comes that is not the one after the last.
    Consecutive(Box<Consecutive>),
    Int32(Box<Integers<Int32Type>>),
    Int64(Box<Integers<Int64Type>>),
    Other(Box<ArrowColumnWriter>),
}

/// A column of a row group, encoded and compressed.
enum EndedColumn {
    Integers(Bytes, ColumnCloseResult),
    Other(ArrowColumnChunk),
}

impl<W: Write + Send> RowGroups<W> {
    /// Begins a file of batches with this schema.
    pub(super) fn new(
        file: W,
        schema: SchemaRef,
        mut properties: WriterProperties,
    ) -> Result<RowGroups<W>, ParquetError> {
        let descriptor = ArrowSchemaConverter::new().convert(&schema)?;
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let properties = WriterPropertiesPtr::from(properties);
        let file =
            SerializedFileWriter::new(file, descriptor.root_schema_ptr(), properties.clone())?;
        let no_limit = usize::MAX;
        Ok(RowGroups {
            file,
            rows_max: properties.max_row_group_row_count().unwrap_or(no_limit),
            bytes_max: properties.max_row_group_bytes().unwrap_or(no_limit),
            others: factory_of_others(&schema, properties)?,
            schema,
            open: None,
            in_parallel: false,
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
            open.write(&batch.slice(0, rows), self.in_parallel)?;
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
        let mut others = self.others.create_column_writers(index)?.into_iter();
        let leaves = self.file.schema_descr().columns().iter();
        let columns = self.schema.fields().iter().zip(leaves);
        let properties = self.file.properties();
        let columns = columns.map(|(field, leaf)| match field.data_type() {
            DataType::Int32 => OpenColumn::Int32(Integers::new(leaf, properties)),
            DataType::Int64 => match Consecutive::new(leaf, properties) {
                Some(column) => OpenColumn::Consecutive(column.into()),
                None => OpenColumn::Int64(Integers::new(leaf, properties)),
            },
            _ => OpenColumn::Other(
                others
                    .next()
                    .expect("a writer for each other column")
                    .into(),
            ),
        });
        Ok(RowGroup {
            rows: 0,
            elements: 0,
            columns: columns.collect(),
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
        let ended: Result<Vec<EndedColumn>, ParquetError> = match rayon::current_thread_index() {
            Some(_) => columns.into_par_iter().map(OpenColumn::end).collect(),
            None => columns.into_iter().map(OpenColumn::end).collect(),
        };
        let mut group = self.file.next_row_group()?;
        for column in ended? {
            match column {
                EndedColumn::Integers(pages, ended) => group.append_column(&pages, ended)?,
                EndedColumn::Other(pages) => pages.append_to_row_group(&mut group)?,
            }
        }
        group.close()?;
        Ok(())
    }
}

/// Returns what makes the writers of the columns that are not of integers.
fn factory_of_others(
    schema: &Schema,
    properties: WriterPropertiesPtr,
) -> Result<ArrowRowGroupWriterFactory, ParquetError> {
    let fields = schema.fields().iter();
    let others =
        fields.filter(|field| !matches!(field.data_type(), DataType::Int32 | DataType::Int64));
    let others = Arc::new(Schema::new(others.cloned().collect::<Vec<_>>()));
    let descriptor = ArrowSchemaConverter::new().convert(&others)?;
    // A factory is made for a file of all its columns. Nothing is written to this one.
    let file = SerializedFileWriter::new(io::sink(), descriptor.root_schema_ptr(), properties)?;
    Ok(ArrowRowGroupWriterFactory::new(&file, others))
}

impl RowGroup {
    fn write(&mut self, batch: &RecordBatch, in_parallel: bool) -> Result<(), ParquetError> {
        let fields = batch.schema_ref().fields();
        let write =
            |((column, field), array): ((&mut OpenColumn, _), _)| column.write(field, array);
        if in_parallel && rayon::current_thread_index().is_some() {
            let columns = self.columns.par_iter_mut().zip(&fields[..]);
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
        self.columns.iter().map(OpenColumn::bytes).sum()
    }
}

impl OpenColumn {
    fn write(&mut self, field: &FieldRef, array: &ArrayRef) -> Result<(), ParquetError> {
        match self {
            OpenColumn::Consecutive(held) => {
                let integers = array.as_primitive::<types::Int64Type>();
                if !held.extend(integers.values()) {
                    let mut column = Integers::new(held.leaf(), held.properties());
                    for batch in held.batches() {
                        column.write(&Int64Array::from(batch))?;
                    }
                    column.write(integers)?;
                    *self = OpenColumn::Int64(column);
                }
                Ok(())
            }
            OpenColumn::Int32(column) => column.write(array.as_primitive::<types::Int32Type>()),
            OpenColumn::Int64(column) => column.write(array.as_primitive::<types::Int64Type>()),
            OpenColumn::Other(column) => {
                let mut leaves = compute_leaves(field, array)?.into_iter();
                leaves.try_for_each(|leaf| column.write(&leaf))
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            OpenColumn::Consecutive(_) => 0,
            OpenColumn::Int32(column) => column.bytes(),
            OpenColumn::Int64(column) => column.bytes(),
            OpenColumn::Other(column) => column.get_estimated_total_bytes(),
        }
    }

    fn end(self) -> Result<EndedColumn, ParquetError> {
        match self {
            OpenColumn::Consecutive(column) => {
                let (pages, ended) = column.end()?;
                Ok(EndedColumn::Integers(pages, ended))
            }
            OpenColumn::Int32(column) => column.end(),
            OpenColumn::Int64(column) => column.end(),
            OpenColumn::Other(column) => Ok(EndedColumn::Other(column.close()?)),
        }
    }
}

/// A column of integers.
///
/// PERF: `ArrowColumnWriter` lists the indices of the values that are not null and gathers values by them, also where all
/// of a batch are. Without that, rows of three integers take an eighth less time.
struct Integers<P: ParquetType> {
    writer: ColumnWriterImpl<'static, P>,
    pages: Pages,
    /// The definition levels of as many integers as any batch had yet that none of was null; empty if none may be.
    all_valid: Vec<i16>,
}

impl<P: ParquetType> Integers<P> {
    fn new(leaf: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> Box<Integers<P>> {
        let pages = Pages(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))));
        let pages_of_writer = Box::new(pages.clone());
        let writer = ColumnWriterImpl::new(leaf.clone(), properties.clone(), pages_of_writer);
        Box::new(Integers {
            writer,
            pages,
            all_valid: Vec::new(),
        })
    }

    fn write<A>(&mut self, integers: &PrimitiveArray<A>) -> Result<(), ParquetError>
    where
        A: ArrowPrimitiveType,
        P: ParquetType<T = A::Native>,
    {
        let rows = integers.len();
        let nullable = self.writer.get_descriptor().max_def_level() > 0;
        if let Some(valid) = integers.nulls().filter(|_| nullable) {
            let levels: Vec<i16> = valid.iter().map(i16::from).collect();
            let values: Vec<A::Native> = integers.iter().flatten().collect();
            self.writer.write_batch(&values, Some(&levels), None)?;
        } else if nullable {
            self.all_valid.resize(self.all_valid.len().max(rows), 1);
            let levels = Some(&self.all_valid[..rows]);
            self.writer.write_batch(integers.values(), levels, None)?;
        } else {
            self.writer.write_batch(integers.values(), None, None)?;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.writer.get_total_bytes_written() as usize
    }

    fn end(self) -> Result<EndedColumn, ParquetError> {
        let ended = self.writer.close()?;
        Ok(EndedColumn::Integers(self.pages.into_bytes()?, ended))
    }
}

/// The pages of a column, in memory, shared between its writer and whoever takes them in the end.
#[derive(Clone)]
struct Pages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Pages {
    /// Returns all pages, once their writer is closed.
    fn into_bytes(self) -> Result<Bytes, ParquetError> {
        let pages = Arc::into_inner(self.0).expect("a writer that is closed shares nothing");
        let pages = pages.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(pages.into_inner()?.into())
    }
}

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        SerializedPageWriter::new(&mut *pages).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(())
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
