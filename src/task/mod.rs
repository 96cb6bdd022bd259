//! The kinds of jobs, one folder each, and their registry.
//!
//! A task reads its part of a spec (`spec.rs`), makes rows (`make.rs`), and lays them out and compares them with published values
//! (`table.rs`, `check.rs`). The line in [`KINDS`] is all that the rest of the house sees of it by name: specs are read here, and
//! everything else asks the [`Task`].

pub mod boards;
pub mod census;
pub mod codes;
pub mod graphs;
pub mod heaps;
pub mod lengths;
pub mod reconstructions;
pub mod strips;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::game::{GameEntry, GameKind, games};
use crate::job::{self, Field, Fields, JobError, Problems};

pub use crate::run::{Job, RowTask, Task};

/// A line of the registry.
struct Kind {
    /// Returns whether the kind is about games of this kind.
    plays: fn(GameKind) -> bool,
    /// What tells such a job from others about the same games.
    mark: Mark,
    /// An example of the section `[family]`.
    family: &'static str,
    /// Reads the sections of such a job.
    read: Reader,
}

/// What tells a kind of job from others about the same games.
enum Mark {
    /// Nothing: such a job is of this kind unless a mark says otherwise.
    None,
    /// A key of `[family]`, and the keys beside it.
    Family(&'static str, &'static [&'static str]),
    /// A section.
    Section(&'static str),
}

type Reader = fn(&mut Problems<'_>, Sections<'_, '_>) -> Option<Arc<dyn Task>>;

/// Every kind of job.
const KINDS: [Kind; 8] = [
    strips::KIND,
    census::KIND,
    heaps::KIND,
    codes::KIND,
    boards::KIND,
    lengths::KIND,
    reconstructions::KIND,
    graphs::KIND,
];

/// The sections of a spec, as the reader of a kind of job gets them.
struct Sections<'s, 'a> {
    /// The sections that are not taken yet.
    others: &'s mut Fields<'a>,
    /// The game, unless it is wrong.
    game: Option<GameEntry>,
    /// Its key, unless that is missing.
    game_field: Option<Field<'a>>,
    /// The other keys of `[ruleset]`.
    ruleset: Option<Fields<'a>>,
    /// The keys of `[family]`.
    family: Option<Fields<'a>>,
    /// The key of `[family]` that is the kind's mark.
    mark: Option<Field<'a>>,
    /// The folder from which files are found.
    base_dir: &'s Path,
}

impl<'s, 'a> Sections<'s, 'a> {
    /// Accepts the sections that mark other kinds of jobs about the same game.
    fn accept_marks(&mut self) {
        let Some(game) = self.game else {
            return;
        };
        for kind in KINDS.iter().filter(|kind| (kind.plays)(game.kind)) {
            if let Mark::Section(name) = kind.mark {
                self.others.accept(name);
            }
        }
    }

    /// Returns the sections that are not taken yet and the kind's mark, which is all of `[family]`; `[ruleset]` has no other
    /// keys than the game.
    fn marked(self, problems: &mut Problems<'_>) -> Option<(&'s mut Fields<'a>, Field<'a>)> {
        for fields in self.ruleset.into_iter().chain(self.family) {
            fields.finish(problems);
        }
        Some((self.others, self.mark?))
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
        job::read_spec(text, path, |problems, mut fields| {
            let name = fields
                .require(problems, "name", "name = \"my-job\" at the top")
                .and_then(|field| job::read_name(problems, &field));
            let mut text = |problems: &mut Problems<'_>, key| match fields.take(key) {
                Some(field) => field
                    .string(problems, "a string")
                    .map(|text| Some(text.to_owned())),
                None => Some(None),
            };
            let title = text(problems, "title");
            let source = text(problems, "source");
            let task = read(problems, &mut fields, base_dir);
            fields.finish(problems);
            Some(Job {
                name: name?,
                title: title?,
                source: source?,
                task: task?,
                path: path.to_owned(),
                text: problems.text.to_owned(),
            })
        })
    }
}

/// Reads everything that depends on the game.
fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    base_dir: &Path,
) -> Option<Arc<dyn Task>> {
    let mut ruleset = fields
        .require(
            problems,
            "ruleset",
            "a section [ruleset] with game and play",
        )
        .and_then(|field| field.table(problems, "a section [ruleset]"));
    let game_field = ruleset
        .as_mut()
        .and_then(|ruleset| ruleset.require(problems, "game", "game = \"sowing\""));
    let game = game_field
        .as_ref()
        .and_then(|field| read_game(problems, field));
    let kinds: Vec<&Kind> = match game {
        Some(game) => KINDS
            .iter()
            .filter(|kind| (kind.plays)(game.kind))
            .collect(),
        // The other sections are read all the same, as those of positions.
        None => vec![&strips::KIND],
    };
    let mut family = fields
        .require(problems, "family", kinds[0].family)
        .and_then(|field| field.table(problems, "a section [family]"));
    let in_family = |kind: &&&Kind| matches!(kind.mark, Mark::Family(..));
    let marks: Vec<&'static str> = kinds
        .iter()
        .filter(in_family)
        .map(|kind| kind.mark.name())
        .collect();
    let mark = match marks.is_empty() {
        true => None,
        false => {
            let mark = family
                .as_mut()
                .and_then(|family| job::sections::one_kind(problems, family, &marks));
            if mark.is_none() {
                // The other sections and keys belong to one of the kinds, though not to which.
                fields.take_all();
                if let Some(mut family) = family {
                    for kind in kinds {
                        let Mark::Family(_, beside) = kind.mark else {
                            continue;
                        };
                        beside.iter().for_each(|key| drop(family.take(key)));
                    }
                    family.finish(problems);
                }
                return None;
            }
            mark
        }
    };
    let is_marked = |kind: &&&Kind| match kind.mark {
        Mark::None => false,
        Mark::Family(name, _) => mark.as_ref().is_some_and(|mark| mark.name == name),
        Mark::Section(name) => fields.has(name),
    };
    let is_plain = |kind: &&&Kind| matches!(kind.mark, Mark::None);
    let kind = kinds.iter().find(is_marked);
    let kind = kind.or_else(|| kinds.iter().find(is_plain))?;
    let sections = Sections {
        others: fields,
        game,
        game_field,
        ruleset,
        family,
        mark,
        base_dir,
    };
    (kind.read)(problems, sections)
}

impl Mark {
    fn name(&self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Family(name, _) | Mark::Section(name) => name,
        }
    }
}

fn read_game(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<GameEntry> {
    field.string(problems, "a string, such as \"sowing\"")?;
    let is_played = |game: &GameEntry| KINDS.iter().any(|kind| (kind.plays)(game.kind));
    let of_jobs: Vec<GameEntry> = games().filter(is_played).collect();
    let names: Vec<&str> = of_jobs.iter().map(|game| game.name).collect();
    let name = job::read_choice(problems, field, "game", &names)?;
    of_jobs.into_iter().find(|game| game.name == name)
}

#[cfg(test)]
mod tests;
