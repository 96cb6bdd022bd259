//! Problems of a job spec, with their place in the text and their presentation.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use thiserror::Error as ThisError;

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

/// A [`Fault`], or the error of another layer.
pub type AnyFault = Box<dyn Error + Send + Sync>;

/// The problems of specs themselves: what was found, and what is accepted.
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
    /// A board of fixed width for a game without one.
    #[error("{game} has no board of fixed width; accepted for: atomic-wari")]
    NoBoard {
        /// The game.
        game: &'static str,
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
    /// A claim of a certificate that cannot be read.
    #[error("{0}")]
    Claim(String),
    /// More seeds than a position of two rows holds.
    #[error("positions of {found} seeds; accepted: at most {max}")]
    TwoRowsSeeds {
        /// The seeds found.
        found: u64,
        /// The most seeds.
        max: u32,
    },
    /// A key that must be a value and is not.
    #[error("the key is no value: {reason}")]
    NoValue {
        /// Why not.
        reason: String,
    },
    /// Two names for the same value.
    #[error("the value has a symbol already, under {first:?}; give it one symbol")]
    NamedTwice {
        /// The key that named it first.
        first: String,
    },
    /// More positions than any run could finish.
    #[error("{found} positions; accepted: at most {max}", max = super::POSITIONS_MAX)]
    TooManyPositions {
        /// The number of positions.
        found: u64,
    },
    /// A text in `[witness]` or `[law]` that is no value.
    #[error("{text:?} is no value: {reason}")]
    Sought {
        /// The text, with the variables replaced by numbers.
        text: String,
        /// Why not.
        reason: String,
    },
    /// A pattern of `[witness]` that denotes too many values.
    #[error("the pattern stands for too many values; accepted: at most {max}")]
    TooManySought {
        /// The most values.
        max: u64,
    },
    /// A malformed condition.
    #[error("malformed condition {found:?}; accepted: {accepted}")]
    Condition {
        /// What was found.
        found: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// Keys of `[witness]` that do not fit each other or other sections.
    #[error("a job with [witness] needs {needs}")]
    Witness {
        /// What it needs.
        needs: &'static str,
    },
    /// Something sought that no position has in impartial play.
    #[error(
        "{found} cannot be found, because in impartial play every value is 0 or a nimber, such as *2; seek one of these, or \
         choose play = \"partisan\""
    )]
    NoNimber {
        /// The value or the condition.
        found: String,
    },
    /// Contents of `[law]`, or a family, that no law can have.
    #[error("a law needs {needs}; found {found}")]
    Law {
        /// What it needs.
        needs: &'static str,
        /// What was found.
        found: String,
    },
    /// A section `[mine]` in a job without data to mine.
    #[error("{why}")]
    NothingToMine {
        /// Which data can be mined.
        why: &'static str,
    },
    /// A text that is no time.
    #[error("{found:?} is no time; accepted: a time such as 90s, 30m or 8h")]
    Time {
        /// The text found.
        found: String,
    },
    /// A range with a step, in a place where every number has a row.
    #[error(
        "the range {found:?} of {what} has a step, but a job has a row for every number of a range; leave the step out, and \
         choose among the rows where they are read"
    )]
    Step {
        /// What the numbers are, in the plural.
        what: &'static str,
        /// What was found.
        found: String,
    },
    /// A range of numbers that is malformed, empty or too large.
    #[error(
        "no range of {what}: {found:?}; accepted: \"0..=1000\", \"0..1001\" (without 1001) or \"7\", \
         ascending, up to {max}{when}"
    )]
    Range {
        /// What the numbers are, in the plural.
        what: &'static str,
        /// What was found.
        found: String,
        /// The largest number.
        max: u64,
        /// When that is the largest number; empty, or words after a space.
        when: &'static str,
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
    /// Boards with more bins than a result can hold.
    #[error(
        "the boards have about {found} bins together; accepted: at most {max}; leave bins out, write bins = 16 for the 16 \
         nearest bins of each board, or ask for fewer boards"
    )]
    TooManyBins {
        /// The number of bins, estimated.
        found: u64,
        /// The most bins.
        max: u64,
    },
    /// A survey of more codes than any run could finish.
    #[error(
        "too many codes of {digits} digits from 0 to {max_digit}; accepted: at most {max} codes"
    )]
    TooManyCodes {
        /// The number of digits.
        digits: u32,
        /// The greatest digit.
        max_digit: u8,
        /// The most codes.
        max: u64,
    },
    /// A game and a family of heaps that do not fit each other.
    #[error("a family of {what} needs {needs}")]
    Heaps {
        /// The kind of family.
        what: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A family of fixed bins that is neither listed nor all of a kind.
    #[error(
        "no family of fixed bins; accepted: bins = [\"3=1 7=2\"], or bin_max and fixed for all ways to fix the bins"
    )]
    FixedBins,
    /// A bin that no winning board has, or more stones than it holds on any.
    #[error(
        "bin {bin} of numbering {numbering} cannot hold {stones} stones; accepted: {}",
        match most {
            Some(most) => format!("0 to {most}"),
            None => format!("bins {first} to {last}"),
        }
    )]
    NoSuchBin {
        /// The bin.
        bin: u64,
        /// The stones.
        stones: u64,
        /// How bins are numbered.
        numbering: &'static str,
        /// The first bin.
        first: u64,
        /// The last bin that is accepted.
        last: u64,
        /// The most stones of the bin, if there is such a bin.
        most: Option<u64>,
    },
    /// A layout that does not fit the family.
    #[error("layout {layout} needs {needs}; found {found}")]
    Layout {
        /// The layout.
        layout: &'static str,
        /// What it needs.
        needs: &'static str,
        /// What was found.
        found: String,
    },
}

impl Fault {
    /// Returns the fault of a text in `[witness]` or `[law]` that is no value.
    pub fn no_value(text: impl Into<String>, reason: impl fmt::Display) -> Fault {
        Fault::Sought {
            text: text.into(),
            reason: reason.to_string(),
        }
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
