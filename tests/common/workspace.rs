//! A separate folder for a test of the command: job specs, a store, results.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use seedbank::dataset::{FormRow, PositionRow, ResultSet, TableRow};
use seedbank::task::Job;
use serde_json::Value;

/// Longer than any step takes that a test waits for, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of a test, which is deleted when the test ends.
pub(crate) struct Workspace {
    dir: tempfile::TempDir,
}

/// The output and exit status of a process.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit status; `None` if a signal ended the process.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workspace {
    pub(crate) fn new() -> Workspace {
        // The name contains a digit, so that `src/files/durable/faults.rs` gives a site the same name in
        // all workspaces.
        let dir = tempfile::Builder::new().prefix(".tmp0").tempdir();
        let dir = dir.expect("a temporary directory");
        Workspace { dir }
    }

    /// Returns the path of something in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a job spec under this name and returns its path.
    pub(crate) fn spec(&self, name: &str, game: &str, play: &str, family: &str) -> PathBuf {
        let path = self.path(&format!("{name}.toml"));
        let text = format!(
            "name = {name:?}\n[ruleset]\ngame = {game:?}\nplay = {play:?}\n[family]\n{family}\n"
        );
        fs::write(&path, text).expect("the folder is ours to write to");
        path
    }

    /// Writes the spec of a job over this game from the text of its sections after the first, and
    /// returns its path.
    pub(crate) fn plain_spec(&self, name: &str, game: &str, rest: &str) -> PathBuf {
        let path = self.path(&format!("{name}.toml"));
        let text = format!("name = {name:?}\n[ruleset]\ngame = {game:?}\n{rest}\n");
        fs::write(&path, text).expect("the folder is ours to write to");
        path
    }

    /// Returns the rows of a finished job that has one plain table.
    pub(crate) fn plain_rows<R: TableRow>(&self, spec: &Path) -> Vec<R> {
        let rows = self.result_set("out", spec).read_plain::<R>();
        rows.and_then(Iterator::collect)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a job of one plain table to its end and returns its rows.
    pub(crate) fn plain_finished<R: TableRow>(&self, name: &str, game: &str, rest: &str) -> Vec<R> {
        let path = self.plain_spec(name, game, rest);
        self.finish(&path, &[]);
        self.plain_rows(&path)
    }

    /// Returns the command that runs a job with the folder's store and results, and these extra
    /// arguments.
    pub(crate) fn running(&self, spec: &Path, arguments: &[&str]) -> Command {
        let mut command = seedbank(&["run"]);
        command.arg(spec).args(arguments);
        for (option, folder) in [("--store", "store"), ("--out", "out")] {
            if !arguments.contains(&option) {
                command.arg(option).arg(self.path(folder));
            }
        }
        command
    }

    /// Has a command wait until it is stopped once it has evaluated some positions, in a debug build.
    /// See [`Workspace::until_held`].
    pub(crate) fn held(&self, mut command: Command, positions: u64) -> Command {
        let file = self.path("held");
        // It is there if an earlier command was held.
        let _ = fs::remove_file(&file);
        command.env("SEEDBANK_HOLD", format!("{positions}:{}", file.display()));
        command
    }

    /// Waits until the command made by [`Workspace::held`] waits in the middle of its work.
    pub(crate) fn until_held(&self) {
        until("evaluating", || self.path("held").exists());
    }

    /// Runs a job to its end and returns its output.
    pub(crate) fn run(&self, spec: &Path, arguments: &[&str]) -> Ended {
        ended(self.running(spec, arguments))
    }

    /// Runs a job, which must finish, and returns the object that `--json` prints.
    pub(crate) fn finish(&self, spec: &Path, arguments: &[&str]) -> Value {
        let ended = self.run(spec, &[arguments, &["--json"]].concat());
        assert_eq!(ended.status, Some(0), "{ended:?}");
        ended.json()
    }

    /// Runs a command on the folder's store.
    pub(crate) fn store(&self, command: &str, arguments: &[&str]) -> Ended {
        let mut command = seedbank(&["store", command]);
        command
            .args(arguments)
            .arg("--store")
            .arg(self.path("store"));
        ended(command)
    }

    /// Returns the bytes of a result set: every Parquet file and the manifest, and the answer of a
    /// census.
    pub(crate) fn result(&self, out: &str, job: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let dir = self.path(out).join(job);
        let mut files = BTreeMap::new();
        for folder in ["parts", "forms", "census", "witnesses"] {
            for path in files_in(&dir.join(folder)) {
                files.insert(path, ());
            }
        }
        if !dir.join("census").exists() {
            files.insert(dir.join("manifest.json"), ());
        }
        let read = |path: PathBuf| {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let name = path.strip_prefix(&dir).expect("it is in there");
            (name.to_owned(), bytes)
        };
        files.into_keys().map(read).collect()
    }

    /// Opens the result set of a job.
    pub(crate) fn result_set(&self, out: &str, spec: &Path) -> ResultSet {
        let job = load(spec);
        let results = job.task.open(&job.header, &self.path(out));
        let results = results.unwrap_or_else(|error| panic!("{error}"));
        results.expect("a job with a row for each rank")
    }

    /// Returns the rows of the finished result set of a job.
    pub(crate) fn rows(&self, spec: &Path) -> Vec<PositionRow> {
        let rows = self.result_set("out", spec).read_positions();
        let rows = rows.and_then(Iterator::collect);
        rows.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the forms of the finished result set of a job.
    pub(crate) fn forms(&self, spec: &Path) -> Vec<FormRow> {
        let rows = self.result_set("out", spec).read_forms();
        let rows = rows.and_then(Iterator::collect);
        rows.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the files of the store's segments, in order.
    pub(crate) fn segments(&self) -> Vec<PathBuf> {
        files_in(&self.path("store").join("segments"))
    }

    /// Returns the number of values that the store holds.
    pub(crate) fn values_stored(&self) -> u64 {
        let stat = self.store("stat", &["--json"]);
        assert_eq!(stat.status, Some(0), "{stat:?}");
        let values = stat.stdout.lines().map(|line| {
            let space: Value = serde_json::from_str(line).expect("an object a line");
            space["values"].as_u64().expect("a count")
        });
        values.sum()
    }
}

impl Ended {
    /// Returns the object that the process printed.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Returns the command with these arguments, and without the log level of the caller's environment.
pub(crate) fn seedbank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seedbank"));
    command.args(arguments).env_remove("SEEDBANK_LOG");
    command
}

/// Runs a command to its end.
pub(crate) fn ended(mut command: Command) -> Ended {
    of_output(command.output().expect("the command starts"))
}

/// Has a command start without ignored signals, even if this process was started with some.
pub(crate) fn heeding_signals(command: &mut Command) -> &mut Command {
    let restore = || {
        use libc::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
        for signal in [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU] {
            // SAFETY: the default action is valid for each of these signals.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: between fork and exec only signal(2) is called, which is safe there.
    unsafe { command.pre_exec(restore) }
}

/// Sends a signal to a process.
pub(crate) fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill")
        .args([&format!("-{name}"), &pid])
        .status();
    assert!(status.expect("kill starts").success(), "{name}");
}

/// Waits until a condition holds.
pub(crate) fn until(what: &str, so: impl Fn() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < PATIENCE, "{what} takes too long");
        sleep(Duration::from_millis(2));
    }
}

/// Waits until the process holds the lock of a store.
pub(crate) fn until_locked(store: &Path, child: &Child) {
    until("taking the lock", || {
        is_locked_by(&store.join("store.lock"), child)
    });
}

/// Starts a command and captures its output for [`wait`].
pub(crate) fn started(mut command: Command) -> Child {
    heeding_signals(&mut command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Waits for a started command to end.
pub(crate) fn wait(child: Child) -> Ended {
    of_output(child.wait_with_output().expect("the command was started"))
}

fn of_output(output: Output) -> Ended {
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ended {
        status: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Reads a job spec that must be sound.
pub(crate) fn load(spec: &Path) -> Job {
    Job::load(spec).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether a lock file names this process as the holder of the lock.
pub(crate) fn is_locked_by(lock: &Path, child: &Child) -> bool {
    let text = fs::read_to_string(lock).unwrap_or_default();
    serde_json::from_str(&text).is_ok_and(|holder: Value| holder["pid"] == child.id())
}

/// Returns the files of a folder, sorted; none if there is no such folder.
pub(crate) fn files_in(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    files
}

/// Changes one byte of a file and keeps its length. No process may have the file mapped.
pub(crate) fn flip_byte(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("the file is there");
    bytes[at] ^= 0x10;
    replace(path, &bytes);
}

/// Truncates a file.
pub(crate) fn truncate(path: &Path, len: usize) {
    let bytes = fs::read(path).expect("the file is there");
    replace(path, &bytes[..len]);
}

/// Published files may be read-only, so a new file takes the name.
fn replace(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).expect("the file is there");
    fs::write(path, bytes).expect("the folder is ours to write to");
}

/// Returns a command on a job whose results are in the folder's `out`.
pub(crate) fn of_out(here: &Workspace, arguments: &[&str], spec: &Path) -> Command {
    let mut command = seedbank(arguments);
    command.arg(spec).arg("--out").arg(here.path("out"));
    command
}

/// Returns the output of a command, which must succeed.
pub(crate) fn printed(command: Command) -> String {
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.stdout
}
