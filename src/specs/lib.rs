#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

mod error;
mod fields;
pub mod form;
pub mod schema;
mod spelling;

use std::path::Path;

use toml::de::DeTable;

pub use self::error::{AnyFault, Fault, JobError, Problem, printable, unturned};
pub use self::fields::{Field, Fields, Problems};
pub use self::spelling::{did_you_mean, near, nearest};

/// The most positions of a job, 2^40: a year's work at 35,000 positions a second.
pub const POSITIONS_MAX: u64 = 1 << 40;

/// The longest name of a job.
pub const NAME_MAX: usize = 64;

/// Reads a spec with a function that takes its keys. Errors name `path`.
///
/// # Errors
///
/// All problems of the spec.
pub fn read_spec<T>(
    text: &str,
    path: &Path,
    read: impl FnOnce(&mut Problems<'_>, Fields<'_>) -> Option<T>,
) -> Result<T, JobError> {
    let mut problems = Problems {
        text,
        found: Vec::new(),
    };
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        problems.add("", span, Fault::Syntax(error.message().to_owned()));
    }
    let read = if problems.found.is_empty() {
        let fields = Fields::new("", 0..0, document.get_ref());
        read(&mut problems, fields)
    } else {
        None
    };
    match read {
        Some(read) if problems.found.is_empty() => Ok(read),
        _ => {
            let mut problems = problems.found;
            problems.sort_by_key(|problem| problem.span.start);
            Err(JobError::Refused {
                path: path.to_owned(),
                text: text.to_owned(),
                problems,
            })
        }
    }
}

/// Reads one of a few words, with a suggestion for a near miss; `help` replaces it.
pub fn read_word<T: Copy>(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    accepted: &'static str,
    words: &[(T, &'static str)],
    help: impl Fn(&str) -> Option<String>,
) -> Option<T> {
    let found = field.string(problems, accepted)?;
    let word = words.iter().find(|(_, word)| *word == found);
    if word.is_none() {
        let names = words.iter().map(|word| word.1);
        problems.unknown(field, what, found, names, help(found));
    }
    word.map(|word| word.0)
}

/// Reads the name of a job: lowercase letters, digits and hyphens, at most [`NAME_MAX`].
pub fn read_name(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<String> {
    let name = field.string(problems, "a string, such as \"my-job\"")?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > NAME_MAX || name.starts_with('-') || !name.chars().all(fits)
    {
        let found = name.to_owned();
        problems.add(&field.key, field.span.clone(), Fault::InvalidName { found });
        return None;
    }
    Some(name.to_owned())
}
