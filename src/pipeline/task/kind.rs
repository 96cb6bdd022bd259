//! The registry's entry for each kind of job, and the sections of a spec of one kind.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use cggames::game::{GameEntry, GameKind};
use schemars::{Schema, SchemaGenerator};
use seedbank_specs::form::{Form, Keys, TableSchema};
use seedbank_specs::schema::Key;
use seedbank_specs::{AnyFault, Field, Fields, Problems};

use super::forms;
use crate::run::Task;

/// An entry of the registry.
pub(super) struct Kind {
    /// Returns whether the kind applies to games of this kind.
    pub(super) plays: fn(GameKind) -> bool,
    /// The mark that distinguishes such a job from others about the same games.
    pub(super) mark: Mark,
    /// An example of the section `[family]`.
    pub(super) family: &'static str,
    /// Returns the titles of the alternatives of the schema for such jobs about a game.
    pub(super) titles: fn(GameKind) -> &'static [&'static str],
    /// Whether rows of such jobs can be mined.
    pub(super) is_mined: bool,
    /// Reads or describes the sections of a job of this kind.
    pub(super) spec: fn(&mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>>,
}

/// The mark that distinguishes a kind of job from others about the same games.
pub(super) enum Mark {
    /// No mark: a job is of this kind unless it has the mark of another.
    None,
    /// A key of `[family]`, and the keys allowed beside it.
    Family(&'static str, &'static [&'static str]),
    /// A section.
    Section(&'static str),
    /// A section in which a key has a table with this key, as in `last = { each = [...] }`.
    Within(&'static str, &'static str),
}

impl Mark {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Family(name, _) | Mark::Section(name) | Mark::Within(name, _) => name,
        }
    }
}

impl Kind {
    /// Reads the sections of a job of this kind.
    pub(super) fn read(
        &self,
        problems: &mut Problems<'_>,
        sections: Sections<'_, '_>,
    ) -> Option<Arc<dyn Task>> {
        let mut read = Spec {
            game: sections.game,
            base_dir: sections.base_dir,
            pass: Pass::Read(problems, Box::new(sections)),
        };
        let task = (self.spec)(&mut read);
        // Most games have no keys of their own.
        read.ruleset(|_| Some(()));
        task
    }

    /// Returns the schemas of the sections of such jobs about a game.
    pub(super) fn schemas(
        &self,
        generator: &mut SchemaGenerator,
        game: GameEntry,
    ) -> Vec<SectionsSchema> {
        let schema = |(alternative, title): (usize, &&'static str)| {
            let mut schema = SectionsSchema {
                title,
                ruleset: Vec::new(),
                family: Schema::default(),
                others: TableSchema::default(),
                is_mined: self.is_mined,
            };
            (self.spec)(&mut Spec {
                game: Some(game),
                base_dir: Path::new(""),
                pass: Pass::Describe(generator, alternative, &mut schema),
            });
            schema
        };
        let titles = (self.titles)(game.kind).iter();
        titles.enumerate().map(schema).collect()
    }
}

/// Returns the kinds of families in an alternative of a schema: the first one, or the others. In a
/// spec, all are known.
pub(super) fn of_alternative<K>(mut kinds: Vec<K>, alternative: Option<usize>) -> Vec<K> {
    match alternative {
        None => kinds,
        Some(0) => kinds.drain(..1).collect(),
        Some(_) => kinds.split_off(1),
    }
}

/// The sections of a spec of one kind, while they are read or described. Where they are described,
/// no key has a value.
pub(super) struct Spec<'k, 'p, 'a> {
    /// The game, unless it is invalid.
    pub(super) game: Option<GameEntry>,
    /// The folder that relative paths start from.
    pub(super) base_dir: &'k Path,
    pass: Pass<'k, 'p, 'a>,
}

enum Pass<'k, 'p, 'a> {
    Read(&'k mut Problems<'p>, Box<Sections<'k, 'a>>),
    Describe(&'k mut SchemaGenerator, usize, &'k mut SectionsSchema),
}

impl<'p, 'a> Spec<'_, 'p, 'a> {
    /// Returns the alternative of the schema that is described.
    pub(super) fn alternative(&self) -> Option<usize> {
        match self.pass {
            Pass::Read(..) => None,
            Pass::Describe(_, alternative, _) => Some(alternative),
        }
    }

    /// The keys of `[ruleset]` beside the game; by default there are none.
    pub(super) fn ruleset<T>(
        &mut self,
        keys: impl Fn(&mut Keys<'_, '_, '_>) -> Option<T>,
    ) -> Option<T> {
        match &mut self.pass {
            Pass::Read(problems, sections) => Keys::read(problems, sections.ruleset.take()?, keys),
            Pass::Describe(generator, _, schema) => {
                schema.ruleset = Keys::describe(generator, keys).keys;
                None
            }
        }
    }

    /// The keys of `[family]`.
    pub(super) fn family<T>(
        &mut self,
        keys: impl Fn(&mut Keys<'_, '_, '_>) -> Option<T>,
    ) -> Option<T> {
        match &mut self.pass {
            Pass::Read(problems, sections) => {
                let mut family = sections.family.take()?;
                if let Some(mark) = &sections.mark {
                    family.put_back(mark.clone());
                }
                Keys::read(problems, family, keys)
            }
            Pass::Describe(generator, _, schema) => {
                schema.family = Keys::describe(generator, keys).into_table();
                None
            }
        }
    }

    /// Another section, which must be there; if it is missing, an example tells what to write.
    pub(super) fn required<T>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        form: Form<'_, T>,
        example: &'static str,
    ) -> Option<T> {
        self.others().required(name, meaning, form, example)
    }

    /// Another section, which may be missing.
    pub(super) fn section<T>(
        &mut self,
        name: &'static str,
        meaning: &'static str,
        form: Form<'_, T>,
    ) -> Option<Option<T>> {
        self.others().optional(name, meaning, form)
    }

    /// The sections beside `[ruleset]` and `[family]`.
    fn others(&mut self) -> Keys<'_, 'p, 'a> {
        match &mut self.pass {
            Pass::Read(problems, sections) => Keys::Read(problems, sections.others),
            Pass::Describe(generator, _, schema) => Keys::Describe(generator, &mut schema.others),
        }
    }

    /// Accepts the sections that mark other kinds of jobs about the same game.
    pub(super) fn accept_marks(&mut self) {
        if let Pass::Read(_, sections) = &mut self.pass {
            for mark in &sections.marks {
                sections.others.accept(mark);
            }
        }
    }

    /// The section `[table]`.
    pub(super) fn table<L>(&mut self, layouts: Form<'_, L>) -> Option<Option<L>> {
        let meaning = "how `seedbank table` lays the result out; no part of the job's meaning";
        self.section("table", meaning, layouts)
    }

    /// The section `[table]` of layouts without keys of their own; the first is the default.
    pub(super) fn layout<L: Copy>(&mut self, layouts: &[(L, &'static str)]) -> Option<L> {
        let layout = self.table(forms::layout(layouts))?;
        Some(layout.unwrap_or(layouts[0].0))
    }

    /// The section `[table]` of a list and, for some families, a grid.
    pub(super) fn layout_with_grid<L: Copy>(
        &mut self,
        has_grid: bool,
        layouts: &[(L, &'static str)],
    ) -> Option<L> {
        self.layout(if has_grid { layouts } else { &layouts[..1] })
    }

    /// The section `[table]` of a list, with columns side by side, and other layouts.
    pub(super) fn list_or<L: Copy>(
        &mut self,
        list: fn(usize) -> L,
        others: &[(L, &'static str)],
    ) -> Option<L> {
        let layout = self.table(forms::list_or(list, others))?;
        Some(layout.unwrap_or_else(|| list(1)))
    }

    /// Refuses the game.
    pub(super) fn refuse_game<T>(&mut self, fault: impl Into<AnyFault>) -> Option<T> {
        match &mut self.pass {
            Pass::Read(problems, sections) => sections.game_field.as_ref()?.refuse(problems, fault),
            Pass::Describe(..) => None,
        }
    }

    /// Refuses the rows of the section `[family]`, which was read before.
    pub(super) fn refuse_rows<T>(&mut self, fault: impl Into<AnyFault>) -> Option<T> {
        if let Pass::Read(problems, sections) = &mut self.pass {
            let (key, span) = &sections.family_place;
            problems.add(key, span.clone(), fault);
        }
        None
    }

    /// Refuses the key of `[family]` that is the kind's mark.
    pub(super) fn refuse_mark<T>(&mut self, fault: impl Into<AnyFault>) -> Option<T> {
        match &mut self.pass {
            Pass::Read(problems, sections) => sections.mark.as_ref()?.refuse(problems, fault),
            Pass::Describe(..) => None,
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
    /// The name and the place of `[family]`.
    pub(super) family_place: (String, Range<usize>),
    /// The key of `[family]` that is the kind's mark.
    pub(super) mark: Option<Field<'a>>,
    /// The sections that mark kinds of jobs about the game.
    pub(super) marks: Vec<&'static str>,
    /// The folder that relative paths start from.
    pub(super) base_dir: &'s Path,
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
    pub(super) others: TableSchema,
    /// Whether rows of such jobs can be mined.
    pub(super) is_mined: bool,
}
