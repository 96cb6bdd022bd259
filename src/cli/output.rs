//! Standard output.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use super::terminal::bar;
use crate::job::printable;

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
    print_with(|out| writeln!(out, "{line}"));
}

/// Prints a text of our own on standard output as it is, with the colours in it.
pub(super) fn print_styled(text: &str) {
    print_with(|out| writeln!(out, "{text}"));
}

fn print_with(write: impl Fn(&mut io::StdoutLock<'_>) -> io::Result<()>) {
    let print = || {
        let mut out = io::stdout().lock();
        write(&mut out).and_then(|()| out.flush())
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
