//! Positions to evaluate: any iterable of them, or a column of a data frame, whose texts are read where they are.
//!
//! A column is any object with the [Arrow PyCapsule interface], such as an array of pyarrow or a series of Polars or pandas. Its
//! buffers are validated before they are read.
//!
//! [Arrow PyCapsule interface]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, downcast_integer_array, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};
use seedbank::board::brief;

/// Returns positions as the lines of a text.
///
/// Raises TypeError if they are no positions, such as a column of floats, or if one is missing, and ValueError if one is not a line of
/// text.
#[pyfunction]
pub(crate) fn position_lines(positions: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut lines = Lines::default();
    if let Ok(text) = positions.cast::<PyString>() {
        lines.push(Some(text.to_str()?))?;
        return Ok(lines.text);
    }
    let export_error = match chunks(positions) {
        Ok(Some(chunks)) => {
            for chunk in chunks {
                lines.extend(&chunk.map_err(refused)?)?;
            }
            return Ok(lines.text);
        }
        Ok(None) => None,
        // Series of pandas whose objects have no common type, or without pyarrow, can still be iterated.
        Err(error) if error.is_instance_of::<PyException>(positions.py()) => Some(error),
        Err(error) => return Err(error),
    };
    let items = (positions.try_iter()).map_err(|error| export_error.unwrap_or(error))?;
    for position in items {
        let position = position?;
        if position.is_none() {
            lines.push(None)?;
        } else {
            lines.push(Some(position.str()?.to_str()?))?;
        }
    }
    Ok(lines.text)
}

/// Lines, each of which is a position.
#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
}

impl Lines {
    /// Adds a position.
    fn push(&mut self, position: Option<&str>) -> PyResult<()> {
        self.count += 1;
        let Some(position) = position else {
            return Err(PyTypeError::new_err(format!(
                "position {} is missing; drop the rows without a position",
                self.count
            )));
        };
        let line = position.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() || line.contains(['\n', '\r']) {
            return Err(PyValueError::new_err(format!(
                "position {}: {:?}: a position is one line of text",
                self.count,
                brief(&position)
            )));
        }
        if self.count > 1 {
            self.text.push('\n');
        }
        self.text.push_str(line);
        Ok(())
    }

    /// Adds the positions of a column, or of a table that has no other.
    fn extend(&mut self, column: &dyn Array) -> PyResult<()> {
        if let Some(texts) = column.as_string_opt::<i32>() {
            return texts.iter().try_for_each(|text| self.push(text));
        }
        if let Some(texts) = column.as_string_opt::<i64>() {
            return texts.iter().try_for_each(|text| self.push(text));
        }
        if let Some(texts) = column.as_string_view_opt() {
            return texts.iter().try_for_each(|text| self.push(text));
        }
        downcast_integer_array!(
            column => column.iter().try_for_each(|n| self.push(n.map(|n| n.to_string()).as_deref())),
            DataType::Dictionary(_, _) => self.extend_by_number(column),
            DataType::Struct(fields) => match column.as_struct().columns() {
                [column] => self.extend(column),
                _ => {
                    let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
                    Err(PyTypeError::new_err(format!(
                        "the positions are a table with the columns {}; pass one of these",
                        names.join(", ")
                    )))
                }
            },
            // An empty list may have any type.
            _ if column.is_empty() => Ok(()),
            other => Err(PyTypeError::new_err(format!(
                "the positions are a column of type {other}; pass texts or integers"
            ))),
        )
    }

    /// Adds the positions of a column of numbers of distinct positions.
    fn extend_by_number(&mut self, column: &dyn Array) -> PyResult<()> {
        let column = column.as_any_dictionary();
        for (row, number) in column.normalized_keys().into_iter().enumerate() {
            if column.keys().is_valid(row) {
                self.extend(&column.values().slice(number, 1))?;
            } else {
                self.push(None)?;
            }
        }
        Ok(())
    }
}

/// The chunks of a column.
type Chunks = Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>>>;

/// Returns the chunks of a column, or `None` if the object has no Arrow interface.
fn chunks(column: &Bound<'_, PyAny>) -> PyResult<Option<Chunks>> {
    let chunks: Chunks = if let Some(export) = column.getattr_opt("__arrow_c_stream__")? {
        let capsule = export.call0()?;
        let stream: NonNull<FFI_ArrowArrayStream> = pointer(&capsule, c"arrow_array_stream")?;
        // SAFETY: by the PyCapsule interface a capsule of this name points to a stream, which its consumer takes out of it while the
        // capsule lives.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let arrays = ArrayStreamReader::try_new(stream).map_err(refused)?;
        if *arrays.field().data_type() == DataType::Null {
            // Polars hands out lists without texts in a form that Arrow does not allow.
            return Ok(None);
        }
        Box::new(arrays.map(|array| {
            let array = array?;
            array.to_data().validate_full()?;
            Ok(array)
        }))
    } else if let Some(export) = column.getattr_opt("__arrow_c_array__")? {
        let exported = export.call0()?;
        let exported = exported.cast::<PyTuple>()?;
        let schema: NonNull<FFI_ArrowSchema> = pointer(&exported.get_item(0)?, c"arrow_schema")?;
        let array: NonNull<FFI_ArrowArray> = pointer(&exported.get_item(1)?, c"arrow_array")?;
        // SAFETY: by the PyCapsule interface the capsules point to an array, which its consumer takes out, and to its type; both
        // capsules live as long as the pair of them.
        let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
        let array = data.and_then(|data| {
            data.validate_full()?;
            Ok(make_array(data))
        });
        Box::new(std::iter::once(array))
    } else {
        return Ok(None);
    };
    Ok(Some(chunks))
}

/// Returns the pointer of a capsule, which is valid while the capsule lives.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule
        .cast::<PyCapsule>()?
        .pointer_checked(Some(name))?
        .cast())
}

/// Returns the error of a column that cannot be read.
fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the column of positions cannot be read: {error}"))
}
