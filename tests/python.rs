//! The Python package: built as a wheel, installed into an empty folder, and used.

#![cfg(unix)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the Python interpreter of the tests.
fn python() -> PathBuf {
    env::var_os("SEEDBANK_PYTHON").map_or_else(|| "python3".into(), PathBuf::from)
}

fn ended(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Builds the wheel from the program of the tests and installs it into a folder. Returns the
/// folder.
fn installed(scratch: &Path) -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (wheels, site) = (scratch.join("wheels"), scratch.join("site"));
    // Cargo builds the program once more: with the tests, some dependencies have further features. That
    // program goes elsewhere, as other tests run the one in target meanwhile.
    let build_folder = Path::new(env!("CARGO_BIN_EXE_seedbank"))
        .ancestors()
        .nth(2)
        .unwrap();
    ended(
        Command::new(python())
            .args([
                "-m",
                "maturin",
                "build",
                "--profile",
                "dev",
                "--locked",
                "--compatibility",
                "linux",
                "--out",
            ])
            .arg(&wheels)
            .env("CARGO_BUILD_BUILD_DIR", build_folder)
            .env("CARGO_TARGET_DIR", scratch.join("target"))
            .current_dir(repository),
    );
    let wheel = fs::read_dir(&wheels)
        .unwrap()
        .next()
        .expect("a wheel")
        .unwrap();
    ended(
        Command::new(python())
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--no-index",
                "--target",
            ])
            .arg(&site)
            .arg(wheel.path()),
    );
    site
}

#[test]
fn eval_shows_progress_when_it_is_asked_to() {
    use std::os::unix::fs::PermissionsExt as _;

    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("program");
    let text = "#!/bin/sh\ncase \"$*\" in *--quiet*) ;; *) echo ' INFO eval: half' >&2 ;; esac\n\
                read -r position\necho \"{\\\"position\\\": \\\"$position\\\"}\"\n\
                if [ \"$position\" = 1x ]; then echo 'error: 1x is wrong' >&2; exit 2; fi\n";
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let session = r#"
import contextlib, io, seedbank

class Terminal(io.StringIO):
    def isatty(self):
        return True

for stream, progress, shown in [
    (io.StringIO, None, ""),
    (io.StringIO, True, " INFO eval: half\n"),
    (Terminal, None, " INFO eval: half\n"),
    (Terminal, False, ""),
]:
    with contextlib.redirect_stderr(stream()) as told:
        rows = seedbank.eval("312", game="sowing", play="partisan", progress=progress)
        try:
            seedbank.eval("1x", game="sowing", play="partisan", progress=progress)
        except seedbank.SeedbankError as error:
            assert (error.status, str(error)) == (2, "error: 1x is wrong"), error
    assert rows == [{"position": "312"}], rows
    assert told.getvalue() == 2 * shown, (stream, progress, told.getvalue())
"#;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/python");
    let mut command = Command::new(python());
    (command.args(["-c", session]))
        .env("PYTHONPATH", package)
        .env("SEEDBANK", program);
    ended(&mut command);
}

#[test]
fn a_wheel_contains_the_program_its_jobs_and_a_module() {
    let scratch = tempfile::tempdir().unwrap();
    let site = installed(scratch.path());
    let python_there = |arguments: &[&str]| {
        let mut command = Command::new(python());
        command
            .args(arguments)
            .current_dir(scratch.path())
            .env("PYTHONPATH", &site)
            .env("SEEDBANK", site.join("bin/seedbank"));
        command
    };
    let copied = ended(
        Command::new(site.join("bin/seedbank"))
            .arg("init")
            .current_dir(scratch.path()),
    );
    assert!(
        String::from_utf8_lossy(&copied.stdout).contains("copied to ./jobs"),
        "{copied:?}"
    );
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs/table-5.toml");
    let spec = fs::read(scratch.path().join("jobs/table-5.toml")).unwrap();
    assert_eq!(spec, fs::read(shipped).unwrap());
    ended(&mut python_there(&[
        "-m",
        "doctest",
        site.join("seedbank/__init__.py").to_str().unwrap(),
    ]));
    let session = r#"
import seedbank

finished = seedbank.run("table-5", threads=1)
assert finished["rows"] == 100, finished
for to in ["polars", "pandas", "arrow"]:
    rows = seedbank.read("table-5", to=to)
    assert len(rows) == 100
    assert list(rows["value"])[1 if to != "arrow" else 1] is not None
assert seedbank.read("jobs/table-5.toml")["value"][0] == "0"
assert len(seedbank.read("table-5", "forms")) > 3
# A reader sees which bounds each answer is of.
for pots in [3, 4]:
    with open("found.toml", "w") as spec:
        spec.write(f"""name = "found"
[ruleset]
game = "sowing"
play = "impartial"
[family]
all = {{ pots_max = {pots} }}
[witness]
each = "nim_value"
fewest = "pots"
""")
    seedbank.run("found.toml", threads=1)
for to in ["polars", "pandas", "arrow"]:
    rows = seedbank.read("found", "witnesses", to=to)
    bounds = [str(text) for text in rows["bounds"]]
    for pots in [3, 4]:
        assert f"all positions with at most {pots} pots and any number of seeds" in bounds, bounds
    assert len(set(rows["answer"])) == 2, rows["answer"]
[row] = seedbank.eval("12", game="octal", code="0.77")
assert row["nim_value"] == 4, row
for wrong, error in [
    (lambda: seedbank.eval("1x", game="sowing", play="partisan"), seedbank.SeedbankError),
    (lambda: seedbank.run("table-6"), seedbank.SeedbankError),
    (lambda: seedbank.read("table-1"), FileNotFoundError),
    (lambda: seedbank.read("table-5", "census"), FileNotFoundError),
    (lambda: seedbank.read("table-5", to="excel"), ValueError),
]:
    try:
        wrong()
    except error as raised:
        assert str(raised), wrong
    else:
        raise AssertionError(error)
"#;
    ended(&mut python_there(&["-c", session]));
    // A second copy changes nothing; a file that differs stays.
    let init = || {
        let mut command = Command::new(site.join("bin/seedbank"));
        command.arg("init").current_dir(scratch.path());
        command
    };
    ended(&mut init());
    fs::write(scratch.path().join("jobs/table-5.toml"), "mine").unwrap();
    let refused = init().output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&refused.stderr)
            .contains("jobs/table-5.toml: is there already and differs")
    );
    assert_eq!(
        fs::read(scratch.path().join("jobs/table-5.toml")).unwrap(),
        b"mine"
    );
    // The notebook runs from top to bottom.
    let notebook = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/notebook.py");
    ended(&mut python_there(&[notebook.to_str().unwrap()]));
}
