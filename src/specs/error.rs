//! Problems of a job spec, with their place in the text and their presentation.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use thiserror::Error as ThisError;

use super::spelling::{did_you_mean, nearest};

/// The most problems that one error shows in full; a thousand more of the same kind help nobody.
const PROBLEMS_SHOWN: usize = 20;

/// Why a spec is refused.
#[derive(Debug)]
pub enum JobError {
    /// The spec cannot be read.
    Unreadable {
        /// The spec.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The spec is wrong.
    Refused {
        /// The spec.
        path: PathBuf,
        /// The text of the spec.
        text: String,
        /// The problems, in the order of the text; at least one.
        problems: Vec<Problem>,
    },
}

/// One problem of a spec.
#[derive(Debug)]
pub struct Problem {
    /// What was found, and what is accepted: a [`Fault`], or the error of a value that the spec
    /// holds.
    pub fault: AnyFault,
    /// The key at fault, such as `family.n`; empty for the spec as a whole.
    pub key: String,
    /// The place, in bytes of the text.
    pub span: Range<usize>,
    /// A remedy, if one is known.
    pub help: Option<String>,
}

/// A [`Fault`], a text, or the error of another layer.
pub type AnyFault = Box<dyn Error + Send + Sync>;

/// The problems that specs of any kind have: what was found, and what is accepted.
#[derive(Debug, ThisError)]
pub enum Fault {
    /// A file that the spec names cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The text is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A key that is not known here.
    #[error("unknown key; accepted: {accepted}")]
    UnknownKey {
        /// The keys accepted here, separated by commas.
        accepted: String,
    },
    /// A required key is missing.
    #[error("missing; write {example}")]
    Missing {
        /// An example of the key.
        example: &'static str,
    },
    /// A name that is none of those accepted.
    #[error("unknown {what} {found:?}; accepted: {accepted}")]
    UnknownName {
        /// The kind of thing named.
        what: &'static str,
        /// The name found.
        found: String,
        /// The accepted names, separated by commas.
        accepted: String,
    },
    /// A value of another type.
    #[error("found {found}; accepted: {accepted}")]
    WrongType {
        /// The type found.
        found: &'static str,
        /// What is accepted.
        accepted: &'static str,
    },
    /// A number that is too small or too large.
    #[error("{found} is out of range; accepted: {min} to {max}")]
    OutOfRange {
        /// The number found.
        found: String,
        /// The least number accepted.
        min: i64,
        /// The greatest number accepted.
        max: i64,
    },
    /// A job's name that cannot name a folder on every system.
    #[error(
        "invalid name {found:?}; accepted: 1 to {max} lowercase letters, digits and hyphens, \
         a letter or digit first",
        max = super::NAME_MAX
    )]
    InvalidName {
        /// The name found.
        found: String,
    },
    /// A family without a kind.
    #[error("no kind of family; accepted, exactly one of: {accepted}")]
    NoKind {
        /// The kinds accepted, separated by commas.
        accepted: String,
    },
    /// A family of two kinds.
    #[error("a second kind of family beside {first}; accepted, exactly one of: {accepted}")]
    ManyKinds {
        /// The first kind in the text.
        first: String,
        /// The kinds accepted, separated by commas.
        accepted: String,
    },
    /// A list that must not be empty.
    #[error("an empty list; accepted: {accepted}")]
    EmptyList {
        /// What is accepted.
        accepted: &'static str,
    },
    /// More rows than a result can have.
    #[error("{found} {what}; accepted: at most {max}")]
    TooManyRows {
        /// What the rows are, in the plural.
        what: &'static str,
        /// The number of rows.
        found: u64,
        /// The most rows.
        max: u64,
    },
}

impl Fault {
    /// Returns the fault of a name that is none of those accepted, and suggests the nearest one.
    pub fn unknown_name(
        what: &'static str,
        found: &str,
        accepted: &[&str],
    ) -> (Fault, Option<String>) {
        let help = nearest(found, accepted.iter().copied()).map(did_you_mean);
        let fault = Fault::UnknownName {
            what,
            found: found.to_owned(),
            accepted: accepted.join(", "),
        };
        (fault, help)
    }
}

/// Escapes control characters, and those that change the direction of text, as JSON does; line
/// breaks and tabs stay.
///
/// Names, paths and excerpts may come from untrusted files, and a terminal obeys the control
/// characters it receives.
///
/// ```
/// use seedbank_specs::printable;
///
/// assert_eq!(printable("a\u{1b}[2Jb\n"), "a\\u001b[2Jb\n");
/// assert_eq!(printable("{1/2|↑*}"), "{1/2|↑*}");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    // PERF: most texts are plain ASCII, which takes no decoding.
    if text
        .bytes()
        .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t'))
    {
        return text.into();
    }
    escaped(text, |c| {
        turns(c) || (c.is_control() && c != '\n' && c != '\t')
    })
}

/// Escapes, as JSON does, the characters that change the direction of text.
pub fn unturned(text: &str) -> Cow<'_, str> {
    escaped(text, turns)
}

fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_obeyed) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let breaks_line = c == '\r' && chars.peek() == Some(&'\n');
        if is_obeyed(c) && !breaks_line {
            escaped += &format!("\\u{:04x}", u32::from(c))
        } else {
            escaped.push(c)
        }
    }
    escaped.into()
}

impl JobError {
    /// Returns the problems of the spec, in the order of its text; empty if it is unreadable.
    pub fn problems(&self) -> &[Problem] {
        match self {
            JobError::Unreadable { .. } => &[],
            JobError::Refused { problems, .. } => problems,
        }
    }

    /// Formats each problem in some lines: the key, what was found, what is accepted, file, line
    /// and column, the line itself, and a remedy if one is known. The caller writes the word
    /// "error" before them. Colours are for terminals.
    pub fn reports(&self, color: bool) -> Vec<String> {
        match self {
            JobError::Unreadable { path, source } => {
                let path = path.display().to_string();
                vec![format!(
                    "cannot read job spec {}: {source}",
                    printable(&path)
                )]
            }
            JobError::Refused {
                path,
                text,
                problems,
            } => {
                let path = path.display().to_string();
                let path = printable(&path);
                let mut reports: Vec<String> = problems
                    .iter()
                    .take(PROBLEMS_SHOWN)
                    .map(|problem| problem.render(&path, text, color))
                    .collect();
                if let Some(more) = problems.len().checked_sub(PROBLEMS_SHOWN + 1) {
                    reports.push(format!("and {} more problems in {path}", more + 1));
                }
                reports
            }
        }
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reports = self.reports(false);
        match self {
            JobError::Unreadable { .. } => f.write_str(&reports[0]),
            JobError::Refused { .. } => write!(f, "error: {}", reports.join("\n\nerror: ")),
        }
    }
}

impl Error for JobError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            JobError::Unreadable { source, .. } => Some(source),
            JobError::Refused { .. } => None,
        }
    }
}

impl Problem {
    /// Returns the line and the column of the problem in `text`, in characters from 1.
    pub fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    fn render(&self, path: &str, text: &str, color: bool) -> String {
        let title = match self.key.as_str() {
            "" => self.fault.to_string(),
            key => format!("{key}: {}", self.fault),
        };
        // The renderer makes the excerpt and the title printable, but not the help.
        let snippet = Snippet::source(text)
            .path(path)
            .annotation(AnnotationKind::Primary.span(self.span.clone()));
        let mut report = Level::ERROR.no_name().primary_title(title).element(snippet);
        if let Some(help) = &self.help {
            report = report.element(Level::HELP.message(printable(help)));
        }
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&[report])
    }
}
