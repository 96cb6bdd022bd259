//! The Python package: its tests in `tests/python`, its notebook, and the wheel, installed into an empty folder.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::python::{package, python};

/// Runs a command that succeeds.
fn succeeded(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Builds the wheel and installs it below a folder. Returns where.
fn installed(folder: &Path) -> PathBuf {
    let (wheels, site) = (folder.join("wheels"), folder.join("site"));
    for old in [&wheels, &site] {
        if old.exists() {
            fs::remove_dir_all(old).expect("the folder is ours");
        }
    }
    // What Cargo built for the tests is used, but the wheel's library goes elsewhere: other tests run
    // the program in target meanwhile.
    let build_folder = Path::new(env!("CARGO_BIN_EXE_seedbank"))
        .ancestors()
        .nth(2)
        .expect("the program is in the folder of a profile");
    succeeded(
        python()
            .args(["-m", "maturin", "build", "--profile", "dev", "--locked"])
            .args(["--compatibility", "linux", "--out"])
            .arg(&wheels)
            .env("CARGO_BUILD_BUILD_DIR", build_folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .current_dir(repository()),
    );
    let mut built = fs::read_dir(&wheels).expect("maturin made the folder");
    let wheel = built.next().expect("a wheel").expect("a name").path();
    succeeded(
        python()
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"])
            .arg("--target")
            .arg(&site)
            .arg(wheel),
    );
    site
}

/// Returns a command that runs Python in a folder, with the package.
fn session(folder: &Path) -> Command {
    let mut session = python();
    session
        .current_dir(folder)
        .env("PYTHONPATH", package())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("SEEDBANK_LOG");
    session
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the tests of a module below `tests/python`.
fn passes(module: &str) {
    let folder = tempfile::tempdir().unwrap();
    succeeded(
        session(folder.path())
            .args(["-m", "unittest", "discover", "--pattern"])
            .arg(format!("{module}.py"))
            .arg("--start-directory")
            .arg(repository().join("tests/python")),
    );
}

/// Makes a test for each module of tests.
macro_rules! modules {
    ($($module:ident,)+) => {
        const MODULES: &[&str] = &[$(stringify!($module)),+];
        $(
            #[test]
            fn $module() {
                passes(stringify!($module));
            }
        )+
    };
}

modules! {
    test_games,
    test_interrupts,
    test_jobs,
    test_laws,
    test_loopy,
    test_package,
    test_value,
}

#[test]
fn every_module_of_tests_runs() {
    let entries = fs::read_dir(repository().join("tests/python")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut modules: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".py")?.to_owned()))
        .filter(|name| name.starts_with("test_"))
        .collect();
    modules.sort();
    assert_eq!(modules, MODULES);
}

#[test]
fn a_wheel_has_the_package_and_a_command_that_copies_the_jobs_once() {
    let site = installed(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("wheel"));
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let init = || {
        let mut command = Command::new(site.join("bin/seedbank"));
        command
            .arg("init")
            .current_dir(here)
            .env("PYTHONPATH", &site);
        command
    };
    let copied = succeeded(&mut init());
    assert!(
        String::from_utf8_lossy(&copied.stdout).contains("copied to ./jobs"),
        "{copied:?}"
    );
    let spec = here.join("jobs/table-5.toml");
    let shipped = repository().join("jobs/table-5.toml");
    assert_eq!(fs::read(&spec).unwrap(), fs::read(shipped).unwrap());
    let mut value = python();
    (value.args(["-c", "import seedbank; print(seedbank.Value(\"^\") + 1)"]))
        .env("PYTHONPATH", &site)
        .current_dir(here);
    assert_eq!(succeeded(&mut value).stdout, b"1^\n");
    // A second copy changes nothing; a file that differs stays.
    succeeded(&mut init());
    fs::write(&spec, "mine").unwrap();
    let refused = init().output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&refused.stderr)
            .contains("jobs/table-5.toml: is there already and differs")
    );
    assert_eq!(fs::read(&spec).unwrap(), b"mine");
}

#[test]
fn the_notebook_runs_from_top_to_bottom() {
    let folder = tempfile::tempdir().unwrap();
    succeeded(session(folder.path()).arg(repository().join("scripts/notebook.py")));
}
