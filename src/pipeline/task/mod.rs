//! The kinds of jobs, one folder each, and their registry.
//!
//! A task reads its part of a spec (`spec.rs`), makes rows (`make.rs`), lays them out (`table.rs`)
//! and compares them with published values (`check.rs`). The rest of the crate sees it by name only
//! in `KINDS`: specs are read here, and everything else uses the [`Task`].

pub mod array;
pub mod boards;
pub mod census;
pub mod codes;
mod forms;
pub mod graphs;
pub mod heaps;
mod kind;
pub mod lengths;
mod mine;
pub mod moves;
pub mod quotients;
pub mod reconstructions;
pub mod schema;
pub mod scores;
pub mod strips;
pub mod sums;
pub mod tchuka_ruma;
pub mod variants;

use std::path::Path;
use std::sync::Arc;

use cggames::game::{Game, GameEntry, GameKind, elsewhere, games};
use seedbank_files::digest::Digest;
use seedbank_files::input;
use seedbank_specs::form::one_kind;
use seedbank_specs::{Field, Fields, JobError, Problems, read_name, read_spec, read_word};

use self::kind::{Kind, Mark, Sections};
use crate::run::JobHeader;
pub use crate::run::{Job, RowTask, Task};

/// Every kind of job.
const KINDS: &[Kind] = &[
    strips::KIND,
    variants::KIND,
    census::KIND,
    heaps::KIND,
    codes::KIND,
    quotients::KIND,
    boards::KIND,
    lengths::KIND,
    array::KIND,
    reconstructions::KIND,
    graphs::KIND,
    scores::KIND,
    tchuka_ruma::KIND,
    sums::KIND,
    moves::KIND,
];

impl Job {
    /// Reads the spec at `path`; a file of positions is found relative to the spec's folder.
    ///
    /// # Errors
    ///
    /// If the spec cannot be read; otherwise all problems of the spec.
    pub fn load(path: &Path) -> Result<Job, JobError> {
        let text = input::text(path).map_err(|source| JobError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let base_dir = path.parent().unwrap_or(Path::new(""));
        Job::parse(&text, path, base_dir)
    }

    /// Reads a spec. Errors name `path`; a file of positions is found relative to `base_dir`.
    ///
    /// # Errors
    ///
    /// All problems of the spec.
    pub fn parse(text: &str, path: &Path, base_dir: &Path) -> Result<Job, JobError> {
        read_spec(text, path, |problems, mut fields| {
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
            let task = read(problems, &mut fields, base_dir);
            let mine = fields.take("mine");
            fields.finish(problems);
            let mine = match mine {
                Some(field) => mine::read(problems, &field, task.as_deref()).map(Some),
                None => Some(None),
            };
            let task = task?;
            Some(Job {
                header: JobHeader {
                    name: name?,
                    title: title?,
                    source: source?,
                    path: path.to_owned(),
                    text: problems.text.to_owned(),
                    digest: Digest::of(task.meaning().as_bytes()),
                    mine: mine?,
                },
                task,
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
    if !game.is_some_and(has_rules)
        && fields.has(strips::RULES)
        && let Some(field) = fields.take(strips::RULES)
        && let Some(game) = game
    {
        let (of, with) = (game.name, Game::ROW_RULES.name());
        let fault = format!("{of} has rules of its own; a section [rules] is for the game {with}");
        problems.add(&field.key, field.key_span, fault);
    }
    let kinds: Vec<&Kind> = match game {
        Some(game) => KINDS
            .iter()
            .filter(|kind| (kind.plays)(game.kind))
            .collect(),
        // The other sections are still read, as those of positions.
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
    let mark = if marks.is_empty() {
        None
    } else {
        let mark = family
            .as_mut()
            .and_then(|family| one_kind(problems, family, &marks));
        if mark.is_none() {
            // The other sections and keys belong to some kind, though it is unknown which.
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
    };
    let is_marked = |kind: &&&Kind| match kind.mark {
        Mark::None => false,
        Mark::Family(name, _) => mark.as_ref().is_some_and(|mark| mark.name == name),
        Mark::Section(name) => fields.has(name),
        Mark::Within(name, key) => fields.has_within(name, key),
    };
    let is_plain = |kind: &&&Kind| matches!(kind.mark, Mark::None);
    let kind = kinds.iter().find(is_marked);
    let kind = kind.or_else(|| kinds.iter().find(is_plain))?;
    let section = |kind: &&Kind| match kind.mark {
        Mark::Section(name) => Some(name),
        Mark::None | Mark::Family(..) | Mark::Within(..) => None,
    };
    let sections = Sections {
        marks: match game {
            Some(_) => kinds.iter().filter_map(section).collect(),
            None => Vec::new(),
        },
        others: fields,
        game,
        game_field,
        ruleset,
        family_place: (family.as_ref())
            .map(|family| (family.key.clone(), family.span.clone()))
            .unwrap_or_default(),
        family,
        mark,
        base_dir,
    };
    kind.read(problems, sections)
}

fn has_rules(game: GameEntry) -> bool {
    matches!(game.kind, GameKind::Pots(game) if game.has_rules())
}

fn read_game(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<GameEntry> {
    let is_played = |game: &GameEntry| KINDS.iter().any(|kind| (kind.plays)(game.kind));
    let games: Vec<_> = games()
        .filter(is_played)
        .map(|game| (game, game.name))
        .collect();
    let accepted = "a string, such as \"sowing\"";
    read_word(problems, field, "game", accepted, &games, |name| {
        elsewhere(name)
    })
}

#[cfg(test)]
mod tests;
