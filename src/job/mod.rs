//! Job specs: a TOML file that says which positions of which game to evaluate, read and checked
//! before any work.
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
mod members;
mod table;
pub mod witness;

use std::fs;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

pub use self::error::{Fault, JobError, Problem};
use self::fields::{Field, Fields, Problems, nearest};
pub use self::table::{Layout, TableSpec};
pub use self::witness::WitnessSpec;
use crate::family::{Family, RowShape};
use crate::ruleset::{Game, Play};

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
/// assert_eq!(job.family.len(), 14);
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
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// The positions.
    pub family: Family,
    /// The columns that cost extra.
    pub columns: Columns,
    /// How the result is printed.
    pub table: Option<TableSpec>,
    /// What the job looks for, if its result is that rather than the values of all positions.
    pub witness: Option<WitnessSpec>,
    /// Where the spec was read.
    pub path: PathBuf,
    /// The spec.
    pub text: String,
}

/// The columns that cost extra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Whether the distinct followers of each position are counted.
    pub followers: bool,
    /// Whether the longest play from each position is measured.
    pub depth: bool,
    /// Whether the mean number of options of each position's followers is taken.
    pub branching: bool,
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

    /// Returns the digest of what the job means: game, board, way of playing, positions (those of
    /// a file as they are written there), the columns asked for, and what is sought. Comments, name, title,
    /// source and the table's layout are no part of it.
    pub fn digest(&self) -> [u8; 32] {
        let board = match self.game.board_pots() {
            Some(pots) => pots.to_string(),
            None => "endless".to_owned(),
        };
        let sought = self.witness.as_ref().map(WitnessSpec::meaning);
        let mut meaning = format!(
            "seedbank job 1\ngame {}\nboard {board}\nplay {}\nfollowers {}\n{}{}",
            self.game.name(),
            self.play,
            self.columns.followers,
            self.family.meaning(),
            sought.unwrap_or_default()
        );
        // Jobs that do not ask for these mean what they meant before there were any.
        let later = [
            ("depth", self.columns.depth),
            ("branching", self.columns.branching),
        ];
        for (column, _) in later.into_iter().filter(|&(_, asked)| asked) {
            meaning.push_str(&format!("\n{column} true"));
        }
        *blake3::hash(meaning.as_bytes()).as_bytes()
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
    let (game, play) = match ruleset {
        Some(fields) => read_ruleset(problems, fields),
        None => (None, None),
    };

    let family = fields
        .require(
            problems,
            "family",
            "a section [family], for example with pattern and n",
        )
        .and_then(|field| field.table(problems, "a section [family]"))
        .and_then(|fields| members::read(problems, fields, RowShape::of(game?), base_dir));

    let columns = match fields.take("columns") {
        Some(field) => field
            .table(problems, "a section [columns]")
            .and_then(|fields| read_columns(problems, fields)),
        None => Some(Columns::default()),
    };
    let witness = match fields.take("witness") {
        Some(field) => field
            .table(problems, "a section [witness]")
            .and_then(|fields| witness::read(problems, fields))
            .map(Some),
        None => Some(None),
    };
    let table = match fields.take("table") {
        Some(field) if !matches!(witness, Some(None)) => {
            let needs = "no [table]: its witnesses and its census have a layout of their own";
            problems.add(&field.key, field.key_span.clone(), Fault::Witness { needs });
            None
        }
        Some(field) => field
            .table(problems, "a section [table]")
            .and_then(|fields| table::read(problems, fields, family.as_ref(), play))
            .map(Some),
        None => Some(None),
    };
    fields.finish(problems);

    Some(Job {
        name: name?,
        title: title?,
        source: source?,
        game: game?,
        play: play?,
        family: family?,
        columns: columns?,
        table: table?,
        witness: witness?,
        path: path.to_owned(),
        text: problems.text.to_owned(),
    })
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

fn read_ruleset(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
) -> (Option<Game>, Option<Play>) {
    let game = fields
        .require(problems, "game", "game = \"sowing\"")
        .and_then(|field| {
            let name = field.string(problems, "a string, such as \"sowing\"")?;
            read_named(problems, &field, name, &Game::NAMES)
        });
    let play = fields
        .require(problems, "play", "play = \"partisan\"")
        .and_then(|field| {
            let name = field.string(problems, "\"partisan\" or \"impartial\"")?;
            read_named(problems, &field, name, &Play::ALL.map(Play::name))
        });
    let pots = fields.take("pots");
    fields.finish(problems);
    let Some(pots) = pots else {
        return (game, play);
    };
    let board_pots = pots
        .integer(problems, 1, i64::from(Game::BOARD_POTS_MAX))
        .and_then(|pots| u32::try_from(pots).ok());
    let game = match game {
        Some(Game::AtomicWari { .. }) => board_pots.map(|pots| Game::AtomicWari {
            board_pots: Some(pots),
        }),
        Some(game @ Game::Sowing) => {
            let fault = Fault::NoBoard { game: game.name() };
            let help =
                Some("remove `pots`; a row of sowing is as long as it is written".to_owned());
            problems.add_with_help(&pots.key, pots.key_span, fault, help);
            None
        }
        None => None,
    };
    (game, play)
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

fn read_columns(problems: &mut Problems<'_>, mut fields: Fields<'_>) -> Option<Columns> {
    let mut asked = |name| match fields.take(name) {
        Some(field) => field.boolean(problems),
        None => Some(false),
    };
    let (followers, depth, branching) = (asked("followers"), asked("depth"), asked("branching"));
    fields.finish(problems);
    Some(Columns {
        followers: followers?,
        depth: depth?,
        branching: branching?,
    })
}

#[cfg(test)]
mod tests;
