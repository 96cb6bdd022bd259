//! The registry's entry for each kind of job.

use std::path::Path;
use std::sync::Arc;

use cggames::game::{GameEntry, GameKind};
use schemars::{Schema, SchemaGenerator};
use seedbank_specs::schema::Key;
use seedbank_specs::{Field, Fields, Problems};

use crate::run::Task;

/// An entry of the registry.
pub(super) struct Kind {
    /// Returns whether the kind applies to games of this kind.
    pub(super) plays: fn(GameKind) -> bool,
    /// The mark that distinguishes such a job from others about the same games.
    pub(super) mark: Mark,
    /// An example of the section `[family]`.
    pub(super) family: &'static str,
    /// Reads the sections of a job of this kind.
    pub(super) read: Reader,
    /// Returns the schemas of the sections of such jobs about a game of the kind.
    pub(super) schema: fn(&mut SchemaGenerator, GameEntry) -> Vec<SectionsSchema>,
}

/// The mark that distinguishes a kind of job from others about the same games.
pub(super) enum Mark {
    /// No mark: a job is of this kind unless it has the mark of another.
    None,
    /// A key of `[family]`, and the keys allowed beside it.
    Family(&'static str, &'static [&'static str]),
    /// A section.
    Section(&'static str),
}

pub(super) type Reader = fn(&mut Problems<'_>, Sections<'_, '_>) -> Option<Arc<dyn Task>>;

impl Mark {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Family(name, _) | Mark::Section(name) => name,
        }
    }
}

/// The sections of a spec, as passed to the reader of a kind of job.
pub(super) struct Sections<'s, 'a> {
    /// The sections not taken yet.
    pub(super) others: &'s mut Fields<'a>,
    /// The game, unless it is invalid.
    pub(super) game: Option<GameEntry>,
    /// The key of the game, unless it is missing.
    pub(super) game_field: Option<Field<'a>>,
    /// The other keys of `[ruleset]`.
    pub(super) ruleset: Option<Fields<'a>>,
    /// The keys of `[family]`.
    pub(super) family: Option<Fields<'a>>,
    /// The key of `[family]` that is the kind's mark.
    pub(super) mark: Option<Field<'a>>,
    /// The sections that mark kinds of jobs about the game.
    pub(super) marks: Vec<&'static str>,
    /// The folder that relative paths start from.
    pub(super) base_dir: &'s Path,
}

impl Sections<'_, '_> {
    /// Accepts the sections that mark other kinds of jobs about the same game.
    pub(super) fn accept_marks(&mut self) {
        for section in &self.marks {
            self.others.accept(section);
        }
    }

    /// Reads a task from the remaining sections and from the kind's mark, which is all of
    /// `[family]`. Besides the game, `[ruleset]` has no keys.
    pub(super) fn marked<T: Task>(
        self,
        problems: &mut Problems<'_>,
        read: fn(&mut Problems<'_>, &mut Fields<'_>, &Field<'_>) -> Option<T>,
    ) -> Option<Arc<dyn Task>> {
        for fields in self.ruleset.into_iter().chain(self.family) {
            fields.finish(problems);
        }
        Some(Arc::new(read(problems, self.others, &self.mark?)?))
    }
}

/// The schema of the sections of a kind of job about one game, beside what all jobs have.
pub(super) struct SectionsSchema {
    /// What such a job is about, for editors.
    pub(super) title: &'static str,
    /// The keys of `[ruleset]` beside the game.
    pub(super) ruleset: Vec<Key>,
    /// The schema of `[family]`.
    pub(super) family: Schema,
    /// The other sections.
    pub(super) others: Vec<Key>,
    /// Whether rows of such jobs can be mined.
    pub(super) is_mined: bool,
}
