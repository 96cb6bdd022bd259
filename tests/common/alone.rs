//! Tests that need a process of their own.

use std::env;
use std::process::Command;

/// The environment variable of a process that runs one test.
const ALONE: &str = "SEEDBANK_TEST_ALONE";

/// Runs the body of a test in a process of its own: this program again, with that test and no other. `test` is its path.
///
/// Tests that measure memory need this. To the system, what a process has resident while it starts a program counts as the
/// program's own (`ru_maxrss` of getrusage(2)), and the process of all tests may have hundreds of mebibytes.
///
/// # Panics
///
/// When the test fails there, or there is none of that path.
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
