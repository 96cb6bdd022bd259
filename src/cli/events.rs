//! The log of events: a file with one JSON object a line, for programs that watch a run.
//!
//! | `event` | when | further keys |
//! |---|---|---|
//! | `run-started` | once, first, unless the jobs cannot be read | `jobs`, `version`, `pid`, `threads`, `memory`, `shard` |
//! | `job-started` | a job begins | `job` |
//! | `progress` | every ten seconds, and when a job ends | `job`, `phase`, `unit`, `done` and `total` of the phase in its unit, `seconds_left`, `rows`, `rows_total`, `positions`, `forms`, `bytes`, `seconds` |
//! | `log` | each message of the log on standard error, in the same detail | `level`, `message`, and the fields of the message |
//! | `job-ended` | a job ended | the keys that `run --json` prints |
//! | `run-ended` | once, last but for a warning about the command of `--notify` | `outcome`, `status`, `seconds`, `rows`, `error` where there is one |
//!
//! Every object has `event` and `time` (UTC). Lines are appended to an existing file. Each line is written at once, so the file
//! of a killed run is complete up to the kill.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use seedbank::run::{Observer, Progress};
use seedbank_memory::lock;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::CliError;
use super::files::is_printed;
use super::progress::{Pace, sample};
use super::streams::Unlocked;

/// How often progress is logged.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// The file, if there is one.
static FILE: Mutex<Option<Box<dyn Write + Send>>> = Mutex::new(None);

/// The first event that could not be written.
static LOSS: Mutex<Loss> = Mutex::new(Loss::None);

/// Whether events were lost.
enum Loss {
    None,
    /// Why the first was.
    Of(String),
    Reported,
}

/// Begins to log events at the end of a file; `-` is standard output.
///
/// # Errors
///
/// If the file cannot be opened.
pub(super) fn start(path: &Path) -> Result<(), CliError> {
    let file: Box<dyn Write + Send> = if is_printed(path) {
        Box::new(Unlocked)
    } else {
        let file = OpenOptions::new().create(true).append(true).open(path);
        Box::new(file.map_err(|error| {
            CliError::usage(format!(
                "the log {} cannot be written: {error}; name another with --log-json",
                path.display()
            ))
        })?)
    };
    *lock(&FILE) = Some(file);
    *lock(&LOSS) = Loss::None;
    Ok(())
}

/// Ends the log.
pub(super) fn end() {
    *lock(&FILE) = None;
}

/// Logs an event if there is a file. An event that cannot be written is lost, since a full disk must not end a run here; a
/// warning reports the first loss.
pub(super) fn log(event: &str, with: Value) {
    append(event, with);
    let lost = {
        let mut loss = lock(&LOSS);
        match &*loss {
            Loss::Of(error) => {
                let error = error.clone();
                *loss = Loss::Reported;
                Some(error)
            }
            Loss::None | Loss::Reported => None,
        }
    };
    if let Some(error) = lost {
        tracing::warn!("events are missing in the log of --log-json: {error}; the run continues");
    }
}

/// Adds a line to the file. Records an error for [`log`] to report: within a message of `tracing` no other can be sent.
fn append(event: &str, with: Value) {
    if lock(&FILE).is_none() {
        return;
    }
    let time = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
    let mut object = Map::from_iter([
        ("event".to_owned(), json!(event)),
        ("time".to_owned(), json!(time)),
    ]);
    if let Value::Object(with) = with {
        object.extend(with);
    }
    let line = format!("{}\n", Value::Object(object));
    // In one piece, so that two processes that share a file keep their lines apart.
    let written = match &mut *lock(&FILE) {
        Some(file) => file.write_all(line.as_bytes()),
        None => return,
    };
    if let Err(error) = written {
        let mut loss = lock(&LOSS);
        if matches!(*loss, Loss::None) {
            *loss = Loss::Of(error.to_string());
        }
    }
}

/// Passes progress on, and logs it at intervals.
pub(super) struct Logged<'a> {
    inner: &'a dyn Observer,
    last: Mutex<(Instant, Option<Value>)>,
    pace: Mutex<Pace>,
}

impl<'a> Logged<'a> {
    pub(super) fn new(inner: &'a dyn Observer) -> Logged<'a> {
        Logged {
            inner,
            last: Mutex::new((Instant::now(), None)),
            pace: Mutex::default(),
        }
    }

    /// Logs the progress of the job at its end.
    pub(super) fn finish(&self) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = last.1.take() {
            log("progress", progress);
        }
    }
}

impl Observer for Logged<'_> {
    fn progress(&self, job: &str, progress: &Progress) {
        self.inner.progress(job, progress);
        if lock(&FILE).is_none() {
            return;
        }
        let left = {
            let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            pace.add(progress.elapsed, sample(progress));
            pace.left()
        };
        let stage = &progress.stage;
        let line = json!({
            "job": job,
            "phase": stage.phase.name(),
            "unit": stage.unit,
            "done": stage.done,
            "total": stage.total,
            "seconds_left": left.map(|left| left.as_secs()),
            "rows": progress.rows,
            "rows_total": progress.rows_total,
            "positions": progress.positions,
            "forms": progress.forms,
            "bytes": progress.bytes,
            "seconds": progress.elapsed.as_secs_f64(),
        });
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0.elapsed() < PROGRESS_INTERVAL {
            last.1 = Some(line);
            return;
        }
        *last = (Instant::now(), None);
        log("progress", line);
    }
}

/// Receives the messages logged with `tracing`.
pub(super) struct LogLayer;

impl<S: tracing::Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if lock(&FILE).is_none() {
            return;
        }
        let mut fields = Fields(Map::new());
        event.record(&mut fields);
        fields
            .0
            .insert("level".to_owned(), json!(event.metadata().level().as_str()));
        append("log", Value::Object(fields.0));
    }
}

/// The fields of an event.
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        self.0.insert(field.name().to_owned(), json!(text));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), json!(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), json!(value));
    }
}
