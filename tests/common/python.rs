//! Finds the Python that reads results as an outside program would, and the Python package.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// Returns a command that runs Python with pyarrow, DuckDB, Polars, pandas and jsonschema.
///
/// The interpreter is the one that `SEEDBANK_PYTHON` names, else `python3`.
///
/// # Panics
///
/// If the interpreter cannot be started or lacks a library: a test that cannot read results must
/// not pass.
pub(crate) fn python() -> Command {
    let interpreter = env::var_os("SEEDBANK_PYTHON").unwrap_or_else(|| "python3".into());
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

/// Returns the folder of the Python package, with the native module of this build.
pub(crate) fn package() -> PathBuf {
    static LINKED: Once = Once::new();

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    LINKED.call_once(|| {
        let package = folder.join("seedbank");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&package).expect("the folder is ours");
        let built = env::current_exe().expect("the tests have a path");
        let built = built.with_file_name("lib_native.so");
        let sources = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/python/seedbank"));
        let sources = sources
            .expect("the package is there")
            .map(|entry| entry.expect("it is there").path());
        let sources = sources.filter(|path| path.extension().is_some_and(|ending| ending != "so"));
        for source in sources {
            symlink(
                &source,
                package.join(source.file_name().expect("it has a name")),
            )
            .expect("the folder is ours");
        }
        symlink(built, package.join("_native.abi3.so")).expect("the folder is ours");
    });
    folder
}
