//! Standard output, and the log on standard error.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::color;
use super::events::LogLayer;
use super::terminal::bar;
use crate::job::{printable, unturned};

/// Starts the log on standard error. `SEEDBANK_LOG` overrides the level: `debug`, or levels of modules such as
/// `info,seedbank::store=trace`.
pub(super) fn start_logging(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::WARN,
        (false, 0) => LevelFilter::INFO,
        (false, 1) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let asked = env::var("SEEDBANK_LOG").ok();
    let asked = asked
        .filter(|text| !text.is_empty())
        .map(|text| text.parse::<Targets>());
    let filter = match &asked {
        Some(Ok(targets)) => targets.clone(),
        _ => Targets::new().with_default(level),
    };
    let on_stderr = tracing_subscriber::fmt::layer()
        .with_target(false)
        .without_time()
        .with_ansi(color::on_stderr())
        .with_writer(|| AboveBar);
    tracing_subscriber::registry()
        .with(filter)
        .with(on_stderr)
        .with(LogLayer)
        .init();
    if let Some(Err(error)) = asked {
        tracing::warn!(
            "SEEDBANK_LOG: {error}; accepted are levels such as debug, and levels of modules such as info,seedbank::store=trace"
        );
    }
}

/// Standard error, above the bar.
struct AboveBar;

impl Write for AboveBar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Control characters are escaped by the log itself.
        let text = String::from_utf8_lossy(bytes);
        bar().suspend(|| io::stderr().write_all(unturned(&text).as_bytes()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Takes the bar off the terminal after a second Ctrl-C, and prints what is lost.
pub(super) fn end_at_once() {
    let line = "stopped at once: what was found since the last checkpoint is lost, the rest is kept; run again to resume";
    // No bar is drawn again: threads that would draw one wait for this one.
    bar().suspend(|| {
        // The terminal may be gone.
        let _ = writeln!(io::stderr(), "{line}");
        std::process::exit(crate::run::STATUS_INTERRUPTED);
    });
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
/// Control characters are [made printable](printable), since the line may hold names from untrusted
/// files; in a JSON object it stays the same text. A run does not stop because its reader, such as
/// `head`, has gone away.
pub(super) fn print_line(line: &str) {
    let line = printable(line);
    let print = || {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush())
    };
    if let Err(error) = bar().suspend(print)
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

    /// Prints the beginning of a line, [made printable](printable).
    pub(super) fn part(&mut self, part: impl fmt::Display) -> Result<(), Unprinted> {
        Ok(self
            .out
            .write_all(printable(&part.to_string()).as_bytes())?)
    }

    /// Prints a line or the end of one.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), Unprinted> {
        self.part(line)?;
        self.out.write_all(b"\n")?;
        if self.flushes {
            bar().suspend(|| self.out.flush())?;
        }
        Ok(())
    }

    /// Hands on what was printed so far.
    pub(super) fn flush(&mut self) -> Result<(), Unprinted> {
        Ok(self.out.flush()?)
    }
}
