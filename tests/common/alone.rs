//! Tests that need a separate process.

use std::env;
use std::process::Command;

/// The environment variable of a process that runs a single test.
const ALONE: &str = "SEEDBANK_TEST_ALONE";

/// Runs the body of a test in a separate process: this program with only that test. `test` is its
/// path.
///
/// Tests that measure memory need this. The system counts memory that is resident in a process
/// while it starts a program as the program's own (`ru_maxrss` of getrusage(2)). The process of all
/// tests may have hundreds of mebibytes.
///
/// # Panics
///
/// If the test fails there, or if no test has that path.
pub(crate) fn alone(test: &str, body: impl FnOnce()) {
    if env::var_os(ALONE).is_some() {
        return body();
    }
    let program = env::current_exe().expect("a test has a program");
    let output = Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "1")
        .output()
        .expect("this program starts again");
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    print!("{stdout}");
    eprint!("{stderr}");
    assert!(
        output.status.success() && stdout.contains("ok. 1 passed;"),
        "{test} in a process of its own ended with {}",
        output.status
    );
}
