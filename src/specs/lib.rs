#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

mod error;
pub(crate) mod fields;
pub mod schema;
pub mod sections;

use std::path::Path;

use cggames::game::UnknownName;
use toml::de::DeTable;

pub use self::error::unturned;
pub use self::error::{AnyFault, Fault, JobError, Problem, printable};
pub use self::fields::near;
pub use self::fields::{Field, Fields, Problems, nearest};

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

/// Reads one of a few words, with a suggestion for a near miss.
pub fn read_choice(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    accepted: &[&'static str],
) -> Option<&'static str> {
    read_choice_with_help(problems, field, what, accepted, None)
}

/// Reads one of a few words; `help` replaces the suggestion for a near miss.
pub fn read_choice_with_help(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    accepted: &[&'static str],
    help: Option<String>,
) -> Option<&'static str> {
    let name = field.string(problems, "a string")?;
    let found = accepted.iter().find(|word| **word == name);
    if found.is_none() {
        let fault = UnknownName {
            what,
            found: name.to_owned(),
            accepted: accepted.join(", "),
        };
        let nearest = || nearest(name, accepted.iter().copied());
        let help = help.or_else(|| nearest().map(|name| format!("did you mean `{name}`?")));
        problems.add_with_help(&field.key, field.span.clone(), fault, help);
    }
    found.copied()
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

/// Reads one of a few names, with a suggestion for a near miss.
pub fn read_named<T>(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    name: &str,
    accepted: &[&'static str],
) -> Option<T>
where
    T: std::str::FromStr,
    T::Err: Into<AnyFault>,
{
    let help = nearest(name, accepted.iter().copied());
    match name.parse() {
        Ok(named) => Some(named),
        Err(error) => {
            let help = help.map(|name| format!("did you mean `{name}`?"));
            problems.add_with_help(&field.key, field.span.clone(), error, help);
            None
        }
    }
}
