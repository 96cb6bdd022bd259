//! The command that `--notify` starts when a run ends.

use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{CliError, Exit};

/// How a run ended, as passed to the command.
#[derive(Debug, Default)]
pub(super) struct RunEnd {
    /// The lines that the run printed, one a job.
    pub(super) lines: Vec<String>,
    /// The rows of all results of the run.
    pub(super) rows: u64,
    /// How long it took.
    pub(super) elapsed: Duration,
}

impl RunEnd {
    /// Returns the last event of a run.
    pub(super) fn event(&self, result: &Result<Exit, CliError>) -> Value {
        let exit = match result {
            Ok(exit) => *exit,
            Err(error) => error.exit,
        };
        let mut event = json!({
            "outcome": exit.name(),
            "status": exit as u8,
            "rows": self.rows,
            "seconds": self.elapsed.as_secs_f64(),
        });
        if let Err(error) = result {
            event["error"] = json!(error.message.trim_end().to_owned());
        }
        event
    }
}

/// Runs a shell command once, with the end of the run in its environment. Its failure is only a warning.
///
/// Its output goes to standard error, since standard output is the run's. The call returns when the command ends.
pub(super) fn notify(command: &str, result: &Result<Exit, CliError>, ending: &RunEnd) {
    let (exit, summary) = match result {
        Ok(exit) => (*exit, ending.lines.join("\n")),
        Err(error) => (error.exit, error.message.trim_end().to_owned()),
    };
    let status = Command::new("sh")
        .args(["-c", command])
        .env("SEEDBANK_OUTCOME", exit.name())
        .env("SEEDBANK_STATUS", (exit as u8).to_string())
        .env("SEEDBANK_SUMMARY", summary)
        .env("SEEDBANK_ROWS", ending.rows.to_string())
        .env(
            "SEEDBANK_SECONDS",
            format!("{:.1}", ending.elapsed.as_secs_f64()),
        )
        .stdin(Stdio::null())
        .stdout(io::stderr())
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => tracing::warn!("the command of --notify ended with {status}: {command}"),
        Err(error) => tracing::warn!("the command of --notify cannot be started: {error}"),
    }
}
