//! The commands of the program `seedbank`.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};
use seedbank::input;
use seedbank::run::Signals;
use seedbank_cli::{Caller, call};

use crate::watch::watched;

/// Runs the command of a process, whose name comes first among the arguments. Returns the exit status.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| seedbank_cli::main(arguments))
}

/// Runs a command within this process. Returns its exit status, its output and its errors.
///
/// `input` stands for standard input; `log` receives the lines of log and progress.
#[pyfunction]
pub(crate) fn command(
    py: Python<'_>,
    arguments: Vec<OsString>,
    input: String,
    log: Option<Bound<'_, PyAny>>,
) -> PyResult<(u8, String, Vec<String>)> {
    let signals = Signals::default();
    let stopping = signals.clone();
    let log = |text: &str| {
        log.as_ref()
            .map_or(Ok(()), |log| log.call1((text,)).map(drop))
    };
    let answer = watched(
        py,
        || stopping.interrupt(),
        log,
        |messages| {
            let caller = Caller {
                input,
                log: Box::new(move |text| messages.send(text)),
                signals,
            };
            call(arguments, caller)
        },
    )?;
    Ok((answer.status, answer.output, answer.errors))
}

/// Returns the name of the job in a spec.
#[pyfunction]
pub(crate) fn job_name(spec: PathBuf) -> PyResult<String> {
    let text = input::text(&spec)?;
    let unnamed =
        |error: &dyn Display| PyValueError::new_err(format!("{}: {error}", spec.display()));
    let table: toml::Table = text.parse().map_err(|error| unnamed(&error))?;
    let name = table.get("name").and_then(toml::Value::as_str);
    Ok(name.ok_or_else(|| unnamed(&"it has no name"))?.to_owned())
}

/// Returns a job spec as TOML.
#[pyfunction]
pub(crate) fn spec_text(spec: &Bound<'_, PyDict>) -> PyResult<String> {
    let table = toml_value(spec.as_any(), "the spec")?;
    toml::to_string(&table).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn toml_value(object: &Bound<'_, PyAny>, place: &str) -> PyResult<toml::Value> {
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut table = toml::Table::new();
        for (key, value) in dict {
            let key: String = key
                .extract()
                .map_err(|_| PyTypeError::new_err(format!("{place}: the key {key} is no text")))?;
            let value = toml_value(&value, &format!("{place}, {key}"))?;
            table.insert(key, value);
        }
        return Ok(table.into());
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_str()?.into());
    }
    // Before integers, of which True is one.
    if let Ok(flag) = object.extract::<bool>() {
        return Ok(flag.into());
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(object.extract::<i64>()?.into());
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(object.extract::<f64>()?.into());
    }
    let items = object.try_iter().map_err(|_| {
        PyTypeError::new_err(format!(
            "{place}: {} has no form in a spec; write a dict, list, text, number or bool",
            object.get_type()
        ))
    })?;
    let items: PyResult<Vec<toml::Value>> = items.map(|item| toml_value(&item?, place)).collect();
    Ok(items?.into())
}
