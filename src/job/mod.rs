//! Job specs: a TOML file that says what of which game to compute, read and checked before any work.
//!
//! A [`Job`] has a [`Task`]: the positions of a game on strips to be evaluated ([`StripTask`]), or
//! something else that has a table of its own. What all jobs have is in the [`Job`]; what some have
//! is in the variant of theirs, so that who works on one kind branches once and then has all of it.
//!
//! A [`Job`] that exists is sound: its family's positions belong to its game, every range is bound
//! and used, every size is within reach. `jobs/README.md` documents the format; what is wrong with
//! a spec is told all at once, each problem with file, line, column, key, what was found and what
//! is accepted ([`JobError`]).
//!
//! [`Job::digest`] names what a job *means*: two specs with equal digests have the same results.
//! How a table is laid out, titles and comments are no part of it.
//!
//! This module knows neither values nor engines nor where results go.

mod error;
mod fields;
pub mod graphs;
pub mod heaps;
mod members;
mod sections;
mod strips;
mod table;
pub mod tchoukaillon;
pub mod witness;

use std::fs;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

pub(crate) use self::error::unturned;
pub use self::error::{Fault, JobError, Problem, printable};
pub(crate) use self::fields::near;
use self::fields::{Field, Fields, Problems, nearest};
pub use self::graphs::{GraphsLayout, GraphsTask};
pub use self::heaps::{CodesLayout, CodesTask, HeapsLayout, HeapsTask};
pub use self::strips::{Columns, StripJob, StripTask};
pub use self::table::{Layout, TableSpec};
pub use self::tchoukaillon::{
    BinsAsked, BoardsLayout, BoardsTask, LengthsLayout, LengthsTask, ReconstructionsLayout,
    ReconstructionsTask, fewest_stones,
};
pub use self::witness::WitnessSpec;
use crate::game::{GameEntry, GameKind, UnknownName, games};

/// The most positions of a job, 2^40: a year's work at 35,000 positions a second.
pub const POSITIONS_MAX: u64 = 1 << 40;

/// The longest name of a job.
pub const NAME_MAX: usize = 64;

/// A checked job spec.
///
/// ```
/// use std::path::Path;
///
/// use seedbank::job::Job;
///
/// let spec = r#"
///     name = "ones"
///     [ruleset]
///     game = "sowing"
///     play = "partisan"
///     [family]
///     pattern = "1^n"
///     n = "1..=14"
/// "#;
/// let job = Job::parse(spec, Path::new("jobs/ones.toml"), Path::new("jobs"))?;
/// assert_eq!(job.task.rows(), 14);
///
/// let spec = spec.replace("1..=14", "14..=1");
/// let error = Job::parse(&spec, Path::new("jobs/ones.toml"), Path::new("jobs")).unwrap_err();
/// assert!(error.to_string().contains("jobs/ones.toml:8:9"));
/// # Ok::<(), seedbank::job::JobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    /// The name, also of the results' folder.
    pub name: String,
    /// What the job is about, in words.
    pub title: Option<String>,
    /// What it reproduces or extends.
    pub source: Option<String>,
    /// What is to be computed.
    pub task: Task,
    /// Where the spec was read.
    pub path: PathBuf,
    /// The spec.
    pub text: String,
}

/// What a job computes.
#[derive(Clone, Debug)]
pub enum Task {
    /// The values of positions of a game on strips, or witnesses among them.
    Strips(Box<StripTask>),
    /// The values of the heaps of one game.
    Heaps(HeapsTask),
    /// A survey of codes.
    Codes(CodesTask),
    /// Tchoukaillon boards.
    Boards(BoardsTask),
    /// The fewest stones of Tchoukaillon boards, by length.
    Lengths(LengthsTask),
    /// Tchoukaillon boards with some bins fixed.
    Reconstructions(ReconstructionsTask),
    /// Sowing graphs.
    Graphs(GraphsTask),
}

impl Task {
    /// Returns the number of rows of the result; of a search for witnesses, the positions to be searched.
    pub fn rows(&self) -> u64 {
        match self {
            Task::Strips(task) => task.family.len(),
            Task::Heaps(task) => task.rows(),
            Task::Codes(task) => task.rows(),
            Task::Boards(task) => task.rows(),
            Task::Lengths(task) => task.rows(),
            Task::Reconstructions(task) => task.family.len(),
            Task::Graphs(task) => task.graphs.len(),
        }
    }

    /// Returns what a row is about, in the singular.
    pub fn noun(&self) -> &'static str {
        match self {
            Task::Strips(_) => "position",
            Task::Heaps(_) => "heap",
            Task::Codes(_) => "code",
            Task::Boards(_) => "board",
            Task::Lengths(_) => "length",
            Task::Reconstructions(_) => "reconstruction",
            Task::Graphs(_) => "graph",
        }
    }

    /// Returns what the task means, in words that never change for what has a meaning already.
    fn meaning(&self) -> String {
        match self {
            Task::Strips(task) => task.meaning(),
            Task::Heaps(task) => task.meaning(),
            Task::Codes(task) => task.meaning(),
            Task::Boards(task) => task.meaning(),
            Task::Lengths(task) => task.meaning(),
            Task::Reconstructions(task) => task.meaning(),
            Task::Graphs(task) => task.meaning(),
        }
    }
}

impl Job {
    /// Reads the spec at `path`; a file of positions is found from the spec's folder.
    ///
    /// # Errors
    ///
    /// A spec that cannot be read, or everything that is wrong with it.
    pub fn load(path: &Path) -> Result<Job, JobError> {
        let text = fs::read_to_string(path).map_err(|source| JobError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let base_dir = path.parent().unwrap_or(Path::new(""));
        Job::parse(&text, path, base_dir)
    }

    /// Reads a spec. `path` is what errors name; a file of positions is found from `base_dir`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the spec.
    pub fn parse(text: &str, path: &Path, base_dir: &Path) -> Result<Job, JobError> {
        let mut problems = Problems {
            text,
            found: Vec::new(),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            problems.add("", span, Fault::Syntax(error.message().to_owned()));
        }
        let job = match problems.found.is_empty() {
            true => {
                let fields = Fields::new("", 0..0, document.get_ref());
                read(&mut problems, fields, path, base_dir)
            }
            false => None,
        };
        match job {
            Some(job) if problems.found.is_empty() => Ok(job),
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

    /// Returns the job as one over strips, if it is one.
    pub fn strips(&self) -> Option<StripJob<'_>> {
        match &self.task {
            Task::Strips(task) => Some(StripJob { job: self, task }),
            _ => None,
        }
    }

    /// Returns the digest of what the job means: of strips game, board, way of playing, positions (those of
    /// a file as they are written there), the columns asked for, and what is sought. Comments, name, title,
    /// source and the table's layout are no part of it.
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(self.task.meaning().as_bytes()).as_bytes()
    }

    /// Returns [`Job::digest`] as 64 hexadecimal digits.
    pub fn digest_hex(&self) -> String {
        blake3::Hash::from_bytes(self.digest()).to_hex().to_string()
    }
}

fn read(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    path: &Path,
    base_dir: &Path,
) -> Option<Job> {
    let name = fields
        .require(problems, "name", "name = \"my-job\" at the top")
        .and_then(|field| read_name(problems, &field));
    let mut text = |problems: &mut Problems<'_>, key| match fields.take(key) {
        Some(field) => field
            .string(problems, "a string")
            .map(|text| Some(text.to_owned())),
        None => Some(None),
    };
    let title = text(problems, "title");
    let source = text(problems, "source");

    let ruleset = fields
        .require(
            problems,
            "ruleset",
            "a section [ruleset] with game and play",
        )
        .and_then(|field| field.table(problems, "a section [ruleset]"));
    let task = read_task(problems, &mut fields, ruleset, base_dir);
    fields.finish(problems);

    Some(Job {
        name: name?,
        title: title?,
        source: source?,
        task: task?,
        path: path.to_owned(),
        text: problems.text.to_owned(),
    })
}

/// Reads everything that depends on the game.
fn read_task(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    mut ruleset: Option<Fields<'_>>,
    base_dir: &Path,
) -> Option<Task> {
    let game = ruleset.as_mut().and_then(|ruleset| {
        let field = ruleset.require(problems, "game", "game = \"sowing\"")?;
        field.string(problems, "a string, such as \"sowing\"")?;
        let of_jobs: Vec<GameEntry> = games()
            .filter(|game| !matches!(game.kind, GameKind::Sum(_)))
            .collect();
        let names: Vec<&str> = of_jobs.iter().map(|game| game.name).collect();
        let name = read_choice(problems, &field, "game", &names)?;
        let game = of_jobs.into_iter().find(|game| game.name == name)?;
        Some((field, game.kind))
    });
    let (game, ruleset) = match (game, ruleset) {
        (Some((field, GameKind::Heaps)), Some(ruleset)) => {
            return heaps::read(problems, fields, &field, ruleset);
        }
        (Some((_, GameKind::Tchoukaillon)), Some(ruleset)) => {
            return tchoukaillon::read(problems, fields, ruleset);
        }
        (Some((_, GameKind::SowingGraph)), Some(ruleset)) => {
            return graphs::read(problems, fields, ruleset, base_dir);
        }
        (Some((_, GameKind::Rows(game))), ruleset) => (Some(game), ruleset),
        (_, ruleset) => (None, ruleset),
    };
    let task = strips::read(problems, fields, game, ruleset, base_dir)?;
    Some(Task::Strips(Box::new(task)))
}

/// Reads one of a few words, with a suggestion for a near miss.
fn read_choice(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    what: &'static str,
    accepted: &[&'static str],
) -> Option<&'static str> {
    let name = field.string(problems, "a string")?;
    let found = accepted.iter().find(|word| **word == name);
    if found.is_none() {
        let fault = UnknownName {
            what,
            found: name.to_owned(),
            accepted: accepted.join(", "),
        };
        let help = nearest(name, accepted.iter().copied());
        let help = help.map(|name| format!("did you mean `{name}`?"));
        problems.add_with_help(&field.key, field.span.clone(), fault, help);
    }
    found.copied()
}

fn read_name(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<String> {
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
fn read_named<T>(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    name: &str,
    accepted: &[&'static str],
) -> Option<T>
where
    T: std::str::FromStr,
    Fault: From<T::Err>,
{
    let help = nearest(name, accepted.iter().copied());
    match name.parse() {
        Ok(named) => Some(named),
        Err(error) => {
            let help = help.map(|name| format!("did you mean `{name}`?"));
            problems.add_with_help(&field.key, field.span.clone(), Fault::from(error), help);
            None
        }
    }
}

#[cfg(test)]
mod tests;
