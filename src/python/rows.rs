//! Tables of results as Arrow streams, which data frame libraries take without copying.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray, new_null_array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use seedbank::durable::TABLE;
use serde_json::Value as Json;

/// The rows of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// The table of answers, each of which has a file.
const WITNESSES: &str = "witnesses";

/// The rows of a table of a result, in the job's order, as an Arrow stream: `polars.DataFrame(rows)`,
/// `pyarrow.table(rows)`, `pandas.DataFrame.from_arrow(rows)` and DuckDB read them.
#[pyclass(frozen, module = "seedbank")]
pub(crate) struct Rows {
    files: Vec<TableFile>,
    schema: SchemaRef,
    rows: usize,
}

/// A file of a table.
#[derive(Clone)]
struct TableFile {
    path: PathBuf,
    /// Columns that come before those of the file, with the same text in each row.
    labels: Vec<(&'static str, String)>,
}

/// Opens a table of the result set in a folder. `partial` allows an unfinished one.
#[pyfunction]
pub(crate) fn rows(folder: PathBuf, table: &str, partial: bool) -> PyResult<Rows> {
    let files = files_of(&folder, table)?;
    if files.is_empty() {
        let accepted = tables(&folder)?;
        let accepted = if accepted.is_empty() {
            "none".to_owned()
        } else {
            accepted.join(", ")
        };
        return Err(PyFileNotFoundError::new_err(format!(
            "{}: no table {table:?}; there are {accepted}",
            folder.display()
        )));
    }
    if table == "parts" && !partial && !folder.join("manifest.json").exists() {
        return Err(PyRuntimeError::new_err(format!(
            "{}: the job is not finished; run it again to resume, or read with partial=True",
            folder.display()
        )));
    }
    let mut fields: Vec<Arc<Field>> = Vec::new();
    let mut rows = 0;
    for file in &files {
        let reader = file.open()?;
        rows += reader.metadata().file_metadata().num_rows() as usize;
        let labels = file
            .labels
            .iter()
            .map(|(name, _)| Arc::new(Field::new(*name, DataType::Utf8, false)));
        for field in labels.chain(reader.schema().fields().iter().cloned()) {
            if !fields.iter().any(|known| known.name() == field.name()) {
                fields.push(field);
            }
        }
    }
    if files.len() > 1 {
        // A column that another file lacks is null there.
        fields
            .iter_mut()
            .for_each(|field| *field = Arc::new((**field).clone().with_nullable(true)));
    }
    Ok(Rows {
        files,
        schema: Arc::new(Schema::new(fields)),
        rows,
    })
}

/// Returns the names of the tables in a folder.
fn tables(folder: &Path) -> PyResult<Vec<String>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if folder.join(&name).is_dir() && !files_of(folder, &name)?.is_empty() {
            tables.push(name);
        }
    }
    tables.sort();
    Ok(tables)
}

/// Returns the files of a table, in the job's order; files that are not the program's are left out.
fn files_of(folder: &Path, table: &str) -> PyResult<Vec<TableFile>> {
    let entries = match fs::read_dir(folder.join(table)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if !TABLE.has_file(name) || path.extension().is_none_or(|ending| ending != "parquet") {
            continue;
        }
        let mut labels = Vec::new();
        if table == WITNESSES {
            let stem = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let record = folder.join("records").join(format!("{stem}.json"));
            // An answer counts once it has a record.
            let Ok(text) = fs::read_to_string(&record) else {
                continue;
            };
            let record: Json = serde_json::from_str(&text).map_err(|error| {
                PyRuntimeError::new_err(format!("{}: {error}", record.display()))
            })?;
            let bounds = record["body"]["bounds"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            labels.push(("answer", stem.trim_start_matches("answer-").to_owned()));
            labels.push(("bounds", bounds));
        }
        files.push(TableFile { path, labels });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

impl TableFile {
    fn open(&self) -> PyResult<ParquetRecordBatchReaderBuilder<File>> {
        let named =
            |error: String| PyRuntimeError::new_err(format!("{}: {error}", self.path.display()));
        let file = File::open(&self.path).map_err(|error| named(error.to_string()))?;
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| named(error.to_string()))
    }

    /// Returns the batches of the file, with the columns of a table.
    fn batches(
        &self,
        schema: SchemaRef,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, ArrowError>> + use<>, ArrowError> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&self.path)?)?;
        let labels = self.labels.clone();
        Ok(reader
            .with_batch_size(BATCH_ROWS)
            .build()?
            .map(move |batch| {
                let batch = batch?;
                let rows = batch.num_rows();
                let column = |field: &Arc<Field>| -> ArrayRef {
                    if let Some((_, text)) = labels.iter().find(|(name, _)| name == field.name()) {
                        return Arc::new(StringArray::from_iter_values(std::iter::repeat_n(
                            text, rows,
                        )));
                    }
                    let found = batch.column_by_name(field.name());
                    found.map_or_else(|| new_null_array(field.data_type(), rows), Arc::clone)
                };
                RecordBatch::try_new(
                    Arc::clone(&schema),
                    schema.fields().iter().map(column).collect(),
                )
            }))
    }
}

impl Rows {
    fn reader(&self) -> Box<dyn RecordBatchReader + Send> {
        let schema = Arc::clone(&self.schema);
        let of_table = Arc::clone(&schema);
        let batches = self.files.clone().into_iter().flat_map(move |file| {
            let (batches, error) = match file.batches(Arc::clone(&of_table)) {
                Ok(batches) => (Some(batches), None),
                Err(error) => (None, Some(Err(error))),
            };
            batches.into_iter().flatten().chain(error)
        });
        Box::new(RecordBatchIterator::new(batches, schema))
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.rows
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The Arrow stream, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer casts what it wants otherwise.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(self.reader());
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!(
            "<Rows of {} rows and {} columns>",
            self.rows,
            self.schema.fields().len()
        )
    }
}
