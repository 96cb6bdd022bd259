//! Standard output.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use clap::builder::{BoolishValueParser, TypedValueParser};
use seedbank::durable::IoError;
use seedbank::job::printable;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::streams::{Output, output, say};
use super::terminal::bar;

/// Removes the bar from the terminal after a second Ctrl-C, and prints the work that is lost.
pub(super) fn end_at_once() {
    let line = "stopped at once: what was found since the last checkpoint is lost, the rest is kept; run again to resume";
    // No thread draws a bar again, since it would wait for this one.
    bar().suspend(|| {
        say(&format!("{line}\n"));
        std::process::exit(seedbank::run::STATUS_INTERRUPTED);
    });
}

/// Returns a number with its noun, in the plural if needed.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the number of witnesses found, out of those sought.
pub(super) fn witnesses_found(found: u64, sought: u64) -> String {
    let noun = if sought == 1 { "witness" } else { "witnesses" };
    format!("{found} of {sought} {noun} found")
}

/// How a command prints its reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Lines for people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

impl Format {
    /// Returns the parser of a flag `--json`.
    pub(super) fn of_flag() -> impl TypedValueParser<Value = Format> {
        BoolishValueParser::new().map(|is_json| if is_json { Format::Json } else { Format::Text })
    }

    /// Returns a report as it is printed.
    pub(super) fn render(self, report: &(impl fmt::Display + Serialize)) -> String {
        match self {
            Format::Text => report.to_string(),
            Format::Json => json!(report).to_string(),
        }
    }

    /// Prints a line that programs do not need.
    pub(super) fn remark(self, line: &str) {
        if self == Format::Text {
            print_line(line);
        }
    }
}

/// Prints a report; one without text takes no line.
pub(super) fn emit(format: Format, report: &(impl fmt::Display + Serialize)) {
    let lines = format.render(report);
    if !lines.is_empty() {
        print_line(lines.trim_end());
    }
}

/// A finding of the library in the words of a command.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Shown<'a, T>(pub(super) &'a T);

/// Serializes a value as its text.
pub(super) fn as_text<S: Serializer>(
    value: &impl fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serializes a path as text; bytes that are not UTF-8 become U+FFFD, as in text for people.
pub(super) fn as_path<S: Serializer>(
    path: &impl AsRef<Path>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.as_ref().display())
}

/// Prints a line on standard output.
///
/// Control characters are [made printable](printable), since the line may hold names from untrusted
/// files; in a JSON object it stays the same text. A run does not stop because its reader, such as
/// `head`, has gone away, nor because its terminal is closed; [`unprinted`] reports in the end what
/// was lost.
pub(super) fn print_line(line: &str) {
    let line = printable(line);
    print_with(|out| writeln!(out, "{line}"));
}

/// Prints a text of our own on standard output as it is, with the colours in it.
pub(super) fn print_styled(text: &str) {
    print_with(|out| writeln!(out, "{text}"));
}

/// Why standard output accepted no more lines, once it did not.
static UNPRINTED: OnceLock<Unprinted> = OnceLock::new();

fn print_with(write: impl Fn(&mut Output) -> io::Result<()>) {
    let print = || {
        let mut out = output();
        write(&mut out).and_then(|()| out.flush())
    };
    note(bar().suspend(print).map_err(Unprinted::from));
}

/// Keeps why lines were lost, if they were, for [`unprinted`].
pub(super) fn note(printed: Result<(), Unprinted>) {
    if let Err(error) = printed {
        UNPRINTED.get_or_init(|| error);
    }
}

/// Returns why lines were lost, if standard output accepts no more of them.
pub(super) fn unprinted() -> Option<&'static Unprinted> {
    UNPRINTED.get()
}

/// Standard output for many or long lines. It flushes each line only on a terminal. Printing ends when the reader has gone
/// away, because the output may have no end.
pub(super) struct Printer {
    out: io::BufWriter<Output>,
    flushes: bool,
}

/// Standard output accepts no more output.
#[derive(Debug)]
pub(super) enum Unprinted {
    /// The reader, such as `head`, has closed it.
    ReaderLeft,
    /// It cannot be written.
    Failed(io::Error),
    /// The file that stands in for it cannot be written.
    File(IoError),
}

impl From<IoError> for Unprinted {
    fn from(error: IoError) -> Unprinted {
        match error.cause.kind() {
            io::ErrorKind::BrokenPipe => Unprinted::ReaderLeft,
            _ => Unprinted::File(error),
        }
    }
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
        let out = output();
        let flushes = out.is_terminal();
        Printer {
            out: io::BufWriter::with_capacity(1 << 16, out),
            flushes,
        }
    }

    /// Prints the beginning of a line, [made printable](printable).
    pub(super) fn part(&mut self, part: impl fmt::Display) -> Result<(), Unprinted> {
        self.plain(|plain| write!(plain, "{part}"))
    }

    /// Prints a line or the end of one.
    pub(super) fn line(&mut self, line: impl fmt::Display) -> Result<(), Unprinted> {
        self.part(line)?;
        self.end_line()
    }

    /// Lets a function print text.
    fn plain(
        &mut self,
        write: impl FnOnce(&mut Plain<'_>) -> io::Result<()>,
    ) -> Result<(), Unprinted> {
        let mut plain = Plain {
            text: String::new(),
            out: &mut self.out,
        };
        Ok(write(&mut plain).and_then(|()| plain.flush())?)
    }

    fn end_line(&mut self) -> Result<(), Unprinted> {
        self.out.write_all(b"\n")?;
        if self.flushes {
            bar().suspend(|| self.out.flush())?;
        }
        Ok(())
    }

    /// Prints a report without holding its text in memory.
    pub(super) fn report(
        &mut self,
        format: Format,
        report: &(impl fmt::Display + Serialize),
    ) -> Result<(), Unprinted> {
        match format {
            Format::Text => self.part(report)?,
            Format::Json => self.plain(|plain| Ok(serde_json::to_writer(plain, report)?))?,
        }
        self.end_line()
    }

    /// Flushes the output so far.
    pub(super) fn flush(&mut self) -> Result<(), Unprinted> {
        Ok(self.out.flush()?)
    }
}

/// Writes text [made printable](printable), in large pieces.
struct Plain<'a> {
    text: String,
    out: &'a mut io::BufWriter<Output>,
}

impl Write for Plain<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.push_str(&String::from_utf8_lossy(text));
        if self.text.len() >= 1 << 16 {
            self.flush()?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(printable(&self.text).as_bytes())?;
        self.text.clear();
        Ok(())
    }
}
