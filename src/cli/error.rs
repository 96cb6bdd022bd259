//! Errors as the command line shows them, and exit statuses.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use seedbank::dataset::DatasetError;
use seedbank::durable::{IoError, Refusal};
use seedbank::engine::{EngineError, StopReason};
use seedbank::job::{JobError, printable};
use seedbank::proof::CertificateError;
use seedbank::report::ReportError;
use seedbank::run::mining::MiningError;
use seedbank::run::{RunError, Signals};
use seedbank::store::StoreError;

use super::color;
use super::output::{Unprinted, unprinted};
use super::streams::{say, took_error};

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// Something failed.
    Failed = 1,
    /// The command or a job spec cannot be understood.
    Usage = 2,
    /// A store or a result set is damaged.
    Damaged = 4,
    /// Stopped early by the time limit or a signal such as SIGTERM, or shards are missing; run again
    /// to resume.
    StoppedEarly = 75,
    /// Stopped by Ctrl-C; run again to resume.
    Interrupted = 130,
}

impl Exit {
    /// All statuses.
    pub const ALL: [Exit; 6] = [
        Exit::Done,
        Exit::Failed,
        Exit::Usage,
        Exit::Damaged,
        Exit::StoppedEarly,
        Exit::Interrupted,
    ];

    /// Returns its meaning in the words of the help.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage or job spec",
            Exit::Damaged => "damaged store or result",
            Exit::StoppedEarly => {
                "stopped early by a time limit or a signal such as SIGTERM; run again to resume"
            }
            Exit::Interrupted => "Ctrl-C; run again to resume",
        }
    }

    /// Returns a line for each status, below a heading, as the help shows them.
    pub(super) fn statuses() -> String {
        let lines = Exit::ALL.map(|exit| format!("\n  {:3}  {}", exit as u8, exit.meaning()));
        format!("Exit status:{}", lines.concat())
    }

    /// Returns its meaning in one word.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage",
            Exit::Damaged => "damaged",
            Exit::StoppedEarly => "stopped-early",
            Exit::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// An error with the exit status that goes with it.
#[derive(Debug)]
pub(crate) struct CliError {
    /// The exit status.
    pub exit: Exit,
    /// The message, without a leading "error:".
    pub message: String,
    /// The same with our own colours, for terminals.
    coloured: Option<String>,
    /// The place that was refused, if another may work.
    refused: Option<Refused>,
}

/// A [`Refusal`] that outlives its error.
#[derive(Debug)]
struct Refused {
    path: PathBuf,
    remedy: Option<&'static str>,
}

impl CliError {
    /// Returns an error that ends the process with this status.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> CliError {
        CliError {
            exit,
            message: message.into(),
            coloured: None,
            refused: None,
        }
    }

    /// Returns an error in the command's arguments.
    pub(crate) fn usage(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Usage, message)
    }

    /// Returns a failure of the command's work.
    pub(crate) fn failed(error: impl std::error::Error) -> CliError {
        CliError::new(Exit::Failed, with_causes(&error))
    }

    /// Returns the error with another status.
    pub(super) fn ending(self, exit: Exit) -> CliError {
        CliError { exit, ..self }
    }

    /// Returns the error about a place that may have been refused.
    fn at(exit: Exit, error: &dyn std::error::Error, refusal: Option<Refusal<'_>>) -> CliError {
        let refused = refusal.map(|Refusal { path, remedy }| Refused {
            path: path.to_owned(),
            remedy,
        });
        CliError {
            refused,
            ..CliError::new(exit, with_causes(error))
        }
    }

    /// Adds to an error about a refused place the remedy, and those of these options with their
    /// folders that choose another place.
    pub(super) fn with_options<'a>(
        mut self,
        folders: impl IntoIterator<Item = (&'static str, &'a PathBuf)>,
    ) -> CliError {
        let Some(Refused { path, remedy }) = &self.refused else {
            return self;
        };
        // The refused path is below an option's folder, or above it.
        let led_to = |folder: &Path| path.starts_with(folder) || folder.starts_with(path);
        let options = folders.into_iter().filter(|(_, folder)| led_to(folder));
        let options: Vec<&str> = options.map(|(option, _)| option).collect();
        if !options.is_empty() {
            let options = options.join(" and ");
            self.message += &match remedy {
                Some(remedy) => format!("; {remedy}, or choose another folder with {options}"),
                None => format!(" with {options}"),
            };
        }
        self
    }

    /// Prints the error to standard error, with control characters [made printable](printable).
    pub(crate) fn print(&self) {
        if took_error(&format!("error: {}", self.message.trim_end())) {
            return;
        }
        let color = color::on_stderr();
        let label = color::error_label(color);
        let message = match self.coloured.as_ref().filter(|_| color) {
            Some(coloured) => coloured.trim_end().into(),
            None => printable(self.message.trim_end()),
        };
        say(&format!("{label}{message}\n"));
    }
}

/// Returns the error for a file that the user named and that cannot be written.
pub(super) fn unwritten(error: &IoError) -> CliError {
    let remedy = error.refusal().and_then(|refusal| refusal.remedy);
    let remedy = match (remedy, error.cause.kind()) {
        (Some(remedy), _) => format!("{remedy}, or "),
        (None, io::ErrorKind::NotFound) => "make its folder, or ".to_owned(),
        (None, _) => String::new(),
    };
    CliError::new(
        Exit::Failed,
        format!(
            "{} cannot be written: {}; {remedy}name another file",
            error.path.display(),
            error.cause
        ),
    )
}

fn damaged_if(is_damage: bool) -> Exit {
    if is_damage {
        Exit::Damaged
    } else {
        Exit::Failed
    }
}

/// Returns the messages of an error and of its causes, without repetitions.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
}

/// Returns the error about standard output that cannot be written.
fn lost(error: &io::Error) -> CliError {
    let message = format!("standard output cannot be written: {error}");
    CliError::new(Exit::Failed, message)
}

/// Returns how a command ends: a command that did its work has failed if its output was lost. A
/// reader that went away is no failure, and a command that stopped early says that it did.
pub(super) fn all_printed(result: Result<Exit, CliError>) -> Result<Exit, CliError> {
    match (result, unprinted()) {
        (Ok(Exit::Done), Some(Unprinted::Failed(error))) => Err(lost(error)),
        (result, _) => result,
    }
}

/// Returns how a printing command ends; a reader that closes the pipe is no failure.
pub(super) fn printed(result: Result<(), Unprinted>) -> Result<Exit, CliError> {
    match result {
        Ok(()) | Err(Unprinted::ReaderLeft) => Ok(Exit::Done),
        Err(Unprinted::Failed(error)) => Err(lost(&error)),
        Err(Unprinted::File(error)) => Err(unwritten(&error)),
    }
}

impl From<JobError> for CliError {
    fn from(error: JobError) -> CliError {
        let joined = |color| {
            let between = format!("\n\n{}", color::error_label(color));
            error.reports(color).join(&between)
        };
        CliError {
            coloured: Some(joined(true)),
            ..CliError::usage(joined(false))
        }
    }
}

impl From<CertificateError> for CliError {
    fn from(error: CertificateError) -> CliError {
        match error {
            CertificateError::Unreadable(error) => error.into(),
            error => CliError::failed(error),
        }
    }
}

impl From<DatasetError> for CliError {
    fn from(error: DatasetError) -> CliError {
        CliError::at(damaged_if(error.is_damage()), &error, error.refusal())
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::at(damaged_if(error.is_damage()), &error, error.refusal())
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        let exit = match &error {
            // Run these, and then again this.
            RunError::ShardsMissing { .. } => Exit::StoppedEarly,
            RunError::RowLimit { .. } | RunError::Moves(_) => Exit::Usage,
            error => damaged_if(error.is_damage()),
        };
        CliError::at(exit, &error, error.refusal())
    }
}

impl From<ReportError> for CliError {
    fn from(error: ReportError) -> CliError {
        match error {
            ReportError::Rows(error) => error.into(),
            error => CliError::failed(error),
        }
    }
}

impl From<MiningError> for CliError {
    fn from(error: MiningError) -> CliError {
        match error {
            error @ MiningError::Nothing { .. } => CliError::usage(error.to_string()),
            MiningError::Entry(error) => CliError::failed(error),
            MiningError::Dataset(error) => error.into(),
            MiningError::Report(error) => error.into(),
            MiningError::Run(error) => (*error).into(),
        }
    }
}

/// Returns how the process ends after a signal; `None` if there was none.
pub(super) fn stopped(signals: &Signals) -> Option<Exit> {
    match (signals.interrupted(), signals.terminated()) {
        (true, _) => Some(Exit::Interrupted),
        (false, true) => Some(Exit::StoppedEarly),
        (false, false) => None,
    }
}

/// Returns how the process ends when positions were not answered.
pub(super) fn ended_early(error: RunError, signals: &Signals) -> Result<Exit, CliError> {
    match error {
        RunError::Engine(EngineError::Stopped(StopReason::Interrupted)) => {
            Ok(stopped(signals).unwrap_or(Exit::StoppedEarly))
        }
        RunError::Engine(EngineError::Position(error)) => Err(CliError::usage(error.to_string())),
        error @ (RunError::Follower { .. }
        | RunError::Component { .. }
        | RunError::NoPeriod { .. }) => Err(CliError::usage(error.to_string())),
        error => Err(error.into()),
    }
}
