//! Standard error: the log and the progress bar, which share the terminal.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::color;
use super::events::LogLayer;

use crate::run::{Observer, Progress};

/// How often progress is told in plain lines, where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The bars on the terminal, if any; log lines are printed above them.
fn bars() -> &'static MultiProgress {
    static BARS: OnceLock<MultiProgress> = OnceLock::new();
    BARS.get_or_init(MultiProgress::new)
}

/// Starts the log on standard error. `SEEDBANK_LOG` overrides the level, in the syntax of tracing.
pub(super) fn start_logging(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::WARN,
        (false, 0) => LevelFilter::INFO,
        (false, 1) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let filter = EnvFilter::builder()
        .with_default_directive(level.into())
        .with_env_var("SEEDBANK_LOG")
        .from_env_lossy();
    let on_stderr = tracing_subscriber::fmt::layer()
        .with_target(false)
        .without_time()
        .with_ansi(color::on_stderr())
        .with_writer(|| AboveBars);
    tracing_subscriber::registry()
        .with(filter)
        .with(on_stderr)
        .with(LogLayer)
        .init();
}

/// Standard error, above the bars.
struct AboveBars;

impl Write for AboveBars {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        bars().suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Shows progress: a bar on a terminal, a plain line now and then elsewhere, nothing when quiet.
pub(super) struct Display {
    mode: Mode,
}

enum Mode {
    Quiet,
    Bar(ProgressBar),
    Lines { next: Mutex<Instant> },
}

impl Display {
    pub(super) fn new(quiet: bool) -> Display {
        let mode = if quiet {
            Mode::Quiet
        } else if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template(
                "{prefix} {wide_bar} {human_pos}/{human_len} rows, {per_sec}, ETA {eta} {msg}",
            )
            .expect("the template is well formed");
            Mode::Bar(bars().add(ProgressBar::new(0).with_style(style)))
        } else {
            Mode::Lines {
                next: Mutex::new(Instant::now() + LINE_INTERVAL),
            }
        };
        Display { mode }
    }

    /// Takes the bar off the terminal.
    pub(super) fn finish(&self) {
        if let Mode::Bar(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Display {
    fn progress(&self, job: &str, progress: &Progress) {
        let Progress {
            noun,
            rows,
            rows_before,
            rows_total,
            positions,
            forms,
            bytes,
            elapsed,
            draining,
        } = progress;
        let rate = *positions as f64 / elapsed.as_secs_f64().max(0.001);
        // Only positions have forms.
        let forms = match *noun {
            "position" => format!("{forms} forms, "),
            _ => String::new(),
        };
        let state = format!(
            "{}, {forms}{rate:.0} {noun}s/s, {}{}",
            count(*positions, noun),
            ByteSize(*bytes),
            if *draining { ", finishing" } else { "" }
        );
        match &self.mode {
            Mode::Quiet => {}
            Mode::Bar(bar) => {
                if bar.length() != Some(*rows_total) {
                    bar.set_prefix(job.to_owned());
                    bar.set_length(*rows_total);
                    // Rows of earlier runs do not count towards the rate.
                    bar.set_position(*rows);
                    bar.reset_eta();
                }
                bar.set_position(*rows);
                bar.set_message(state);
            }
            Mode::Lines { next } => {
                let mut next = next
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if Instant::now() >= *next {
                    *next = Instant::now() + LINE_INTERVAL;
                    let left = match rows - rows_before {
                        0 => "unknown".to_owned(),
                        rows_now => {
                            let seconds = elapsed.as_secs_f64() / rows_now as f64;
                            let left = seconds * rows_total.saturating_sub(*rows) as f64;
                            humantime::format_duration(Duration::from_secs(left as u64)).to_string()
                        }
                    };
                    tracing::info!("{job}: {rows} of {rows_total} rows, {state}, time left {left}");
                }
            }
        }
    }
}

/// Returns a number with its noun, in the plural where that is right.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns how many of the witnesses that were sought have been found.
pub(super) fn witnesses_found(found: u64, sought: u64) -> String {
    let noun = if sought == 1 { "witness" } else { "witnesses" };
    format!("{found} of {sought} {noun} found")
}

/// Prints a line on standard output.
///
/// A reader that has gone away, such as `head`, is no reason to stop: a run has more to do than to print.
pub(super) fn print_line(line: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        eprintln!("error: standard output cannot be written: {error}");
        std::process::exit(1);
    }
}

/// Standard output for many or long lines: nothing is flushed between them save on a terminal, and a reader that has gone
/// away ends the printing, as what is printed may have no end.
pub(super) struct Printer {
    out: io::BufWriter<io::StdoutLock<'static>>,
    flushes: bool,
}

/// Standard output takes no more.
#[derive(Debug)]
pub(super) enum Unprinted {
    /// Whoever read it, such as `head`, has seen enough.
    ReaderLeft,
    /// It cannot be written.
    Failed(io::Error),
}

impl From<io::Error> for Unprinted {
    fn from(error: io::Error) -> Unprinted {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Unprinted::ReaderLeft,
            _ => Unprinted::Failed(error),
        }
    }
}

impl Printer {
    pub(super) fn new() -> Printer {
        let out = io::stdout().lock();
        let flushes = out.is_terminal();
        Printer {
            out: io::BufWriter::with_capacity(1 << 16, out),
            flushes,
        }
    }

    /// Prints a part of a line.
    pub(super) fn part(&mut self, part: impl fmt::Display) -> Result<(), Unprinted> {
        Ok(write!(self.out, "{part}")?)
    }

    /// Prints a line or the end of one.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), Unprinted> {
        writeln!(self.out, "{line}")?;
        if self.flushes {
            self.out.flush()?;
        }
        Ok(())
    }

    /// Hands on what was printed so far.
    pub(super) fn flush(&mut self) -> Result<(), Unprinted> {
        Ok(self.out.flush()?)
    }
}
