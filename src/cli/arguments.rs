//! Arguments that may stand for lines of standard input, and the faults among them.
//!
//! `-` stands for the lines of standard input, which are read one by one. A fault in one argument
//! or line is reported, the others are answered, and the exit status is 2 in the end.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::str::FromStr;

use seedbank::board::brief;
use seedbank::family::{Number, Progression};
use seedbank::input;
use seedbank::run::{RunError, Signals};

use super::error::ended_early;
use super::{CliError, Exit, streams};

/// The most bytes of standard input that are read ahead.
const BUFFER_BYTES: usize = 1 << 16;

/// An argument, or a line of standard input that stands for one.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) text: String,
    /// The line of standard input, from 1.
    line: Option<u64>,
}

impl Argument {
    /// Returns an argument of the command line.
    pub(super) fn alone(text: &str) -> Argument {
        Argument {
            text: text.to_owned(),
            line: None,
        }
    }

    /// Returns the error of an argument that cannot be answered.
    pub(super) fn fault(&self, error: impl fmt::Display) -> CliError {
        let encoding = if self.line.is_some() && self.text.contains(char::REPLACEMENT_CHARACTER) {
            "; the line is not UTF-8"
        } else {
            ""
        };
        let shown = brief(&self.text);
        CliError::usage(format!("{}{shown:?}: {error}{encoding}", self.origin()))
    }

    /// Returns the prefix of an error that names the argument's line; empty for an argument of the
    /// command line.
    pub(super) fn origin(&self) -> String {
        match self.line {
            Some(line) => format!("standard input, line {line}: "),
            None => String::new(),
        }
    }
}

/// Standard input, with a function that is called before each read, since that may wait.
struct BeforeReads<'f>(Box<dyn BufRead>, &'f dyn Fn());

impl Read for BeforeReads<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        (self.1)();
        self.0.read(bytes)
    }
}

/// Returns the arguments, with the lines of standard input in place of each `-`. Lines are read as
/// they are needed, some of them ahead; blank lines are skipped. `before_reads` is called before each read of standard input, which
/// waits if there is no line yet.
pub(super) fn arguments<'a>(
    given: &'a [String],
    before_reads: &'a dyn Fn(),
) -> impl Iterator<Item = Result<Argument, CliError>> + use<'a> {
    given.iter().flat_map(move |text| {
        let (alone, lines) = match text.as_str() {
            "-" => {
                let stream = BeforeReads(streams::input(), before_reads);
                let stream = BufReader::with_capacity(BUFFER_BYTES, stream);
                (None, Some(input::Lines::of(stream)))
            }
            _ => (Some(text.clone()), None),
        };
        let alone = alone.map(|text| Ok(Argument { text, line: None }));
        let lines = (1..).zip(lines.into_iter().flatten()).map(|(line, text)| {
            let text = text.map_err(|error| {
                let message = format!("standard input, line {line}: cannot be read: {error}");
                CliError::new(Exit::Failed, message)
            })?;
            Ok(Argument {
                text: text.trim().to_owned(),
                line: Some(line),
            })
        });
        let is_blank = |argument: &Result<Argument, CliError>| {
            (argument.as_ref())
                .is_ok_and(|argument| argument.line.is_some() && argument.text.is_empty())
        };
        alone
            .into_iter()
            .chain(lines.filter(move |line| !is_blank(line)))
    })
}

/// Returns all arguments at once.
pub(super) fn all_arguments(given: &[String]) -> Result<Vec<Argument>, CliError> {
    arguments(given, &|| ()).collect()
}

/// Reads a number from 0 to `max`, or a range of them, perhaps with a step; `what` is what the number is.
pub(super) fn numbers<T: Number>(text: &str, what: &str, max: T) -> Result<Progression<T>, String> {
    Progression::parse(text, T::from(0), max).map_err(|_| {
        format!(
            "{:?} is no {what}; write a number from 0 to {max}, or an ascending range such as 1..=20, 1..21 (without 21) \
             or 0..=100/5 (every fifth)",
            brief(&text)
        )
    })
}

/// Whether some arguments were at fault.
#[derive(Debug, Default)]
pub(super) struct Faults(bool);

impl Faults {
    /// Reports a fault.
    pub(super) fn report(&mut self, error: &CliError) {
        error.print();
        self.0 = true;
    }

    /// Returns the result of an argument, or reports its fault.
    pub(super) fn reported<T>(&mut self, made: Result<T, CliError>) -> Option<T> {
        made.map_err(|error| self.report(&error)).ok()
    }

    /// Returns the exit status of a command, given the status that it would have without faults.
    pub(super) fn end(&self, exit: Exit) -> Exit {
        match (self.0, exit) {
            (true, Exit::Done) => Exit::Usage,
            (_, exit) => exit,
        }
    }

    /// Returns how a command ends after its work.
    pub(super) fn ended(
        &self,
        worked: Result<(), RunError>,
        signals: &Signals,
    ) -> Result<Exit, CliError> {
        match worked {
            Ok(()) => Ok(self.end(Exit::Done)),
            Err(error) => ended_early(error, signals),
        }
    }
}

/// The prefix that keeps a value with a minus sign from being taken for an option. No argument of a
/// process contains it.
const MARK: char = '\0';

/// Marks the arguments of `seedbank value` that begin with a minus sign and are no options: `-1/2`,
/// `-{2|1}`, `--2`.
///
/// An option is made of letters: `-v`, `--json`, `--cool=2`. So a mistyped option is not taken for
/// a value, and the value `-v`, minus down, must be written `-(v)` or after `--`.
pub(super) fn marked(
    arguments: impl Iterator<Item = OsString>,
    is_command: impl Fn(&OsStr) -> bool,
) -> Vec<OsString> {
    let mut command: Option<OsString> = None;
    let mut options_end = false;
    let mark = |argument: OsString| {
        if command.is_none() {
            command = is_command(&argument).then(|| argument.clone());
            return argument;
        }
        options_end |= argument == "--";
        match argument.to_str() {
            Some(text) if command.as_deref() == Some(OsStr::new("value")) && !options_end => {
                if is_negative_value(text) {
                    format!("{MARK}{text}").into()
                } else {
                    argument
                }
            }
            _ => argument,
        }
    };
    arguments.map(mark).collect()
}

fn is_negative_value(text: &str) -> bool {
    match text.strip_prefix('-') {
        None | Some("") => false,
        Some(rest) => match rest.strip_prefix('-') {
            Some(name) => !name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.is_empty(),
            None => !rest.chars().all(|c| c.is_ascii_alphabetic()),
        },
    }
}

/// Reads an argument that may be [marked].
pub(super) fn unmarked<T: FromStr>(text: &str) -> Result<T, T::Err> {
    text.strip_prefix(MARK).unwrap_or(text).parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_distinguished_from_options() {
        for value in [
            "-1/2", "-{2|1}", "-^", "-*2", "-v3", "-Tiny(2)", "--2", "---1", "-(v)", "-↑",
        ] {
            assert!(is_negative_value(value), "{value}");
        }
        for option in [
            "-",
            "--",
            "-v",
            "-vv",
            "-q",
            "--json",
            "--jsn",
            "--cool=-1",
            "1",
            "{-1|-2}",
            "",
        ] {
            assert!(!is_negative_value(option), "{option}");
        }
        let arguments = ["seedbank", "-q", "value", "-1", "--json", "--", "-1"].map(OsString::from);
        let marked = marked(arguments.into_iter(), |word| word == "value");
        assert_eq!(
            marked,
            ["seedbank", "-q", "value", "\0-1", "--json", "--", "-1"].map(OsString::from)
        );
        assert_eq!(unmarked("\0-1"), Ok(-1));
        assert_eq!(unmarked("-1"), Ok(-1));
    }
}
