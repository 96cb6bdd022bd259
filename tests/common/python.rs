//! Finds the Python that reads results as an outside program would.

use std::process::Command;

/// Returns a command that runs Python with pyarrow, DuckDB, Polars, pandas and jsonschema.
///
/// The interpreter is the one that `SEEDBANK_PYTHON` names, else `python3`.
///
/// # Panics
///
/// If the interpreter cannot be started or lacks a library: a test that cannot read results must
/// not pass.
pub(crate) fn python() -> Command {
    let interpreter = std::env::var_os("SEEDBANK_PYTHON").unwrap_or_else(|| "python3".into());
    let probe = "import pyarrow, duckdb, polars, pandas, jsonschema";
    let found = match Command::new(&interpreter).args(["-c", probe]).output() {
        Ok(output) if output.status.success() => return Command::new(interpreter),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    panic!(
        "{interpreter:?} cannot import pyarrow, duckdb, polars, pandas and jsonschema:\n{}\n\
         install them and name the interpreter:\n  \
         python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt\n  \
         SEEDBANK_PYTHON=$PWD/.venv/bin/python cargo test",
        found.trim_end()
    );
}
