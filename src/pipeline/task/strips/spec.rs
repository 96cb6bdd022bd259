//! Jobs over games on rows of pots: a game, a way of playing, a family of positions, and the
//! columns about them.

use std::sync::Arc;

use cggames::family::Family;
use cggames::game::{Convention, Game, GameKind, Manner, OtherPlay, Play};
use seedbank_specs::form::{Form, Keys, boolean, integer, parsed, table, word};
use seedbank_specs::{keys, schema};

use super::law::{self, Law};
use super::layout::{self, TableSpec};
use super::rules::RuleSets;
use super::{members, rules};
use crate::dataset::RowLimit;
use crate::evaluate::ExtraColumns;
use crate::run::Task;
use crate::task::forms::{ENDING_MEANING, ending_form, refused};
use crate::task::kind::Spec;

/// A job over strips.
#[derive(Clone, Debug)]
pub struct StripTask {
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// Whether the player who moves last wins.
    pub convention: Convention,
    /// The positions.
    pub family: Family,
    /// The columns that cost extra.
    pub columns: ExtraColumns,
    /// How the result is printed.
    pub table: Option<TableSpec>,
    /// The conjectured values, if the spec states a law.
    pub law: Option<Law>,
    /// The most to spend on the value of a row, unless a run sets it.
    pub row_limit: Option<RowLimit>,
}

impl StripTask {
    /// Returns how the game is played.
    pub fn manner(&self) -> Manner {
        Manner::of(self.play, self.convention)
    }

    /// Returns a text that identifies the task, including the text of a question. Its wording is
    /// part of every digest.
    pub(in crate::task) fn text(&self, question: &str) -> String {
        let board = match self.game.board_pots() {
            Some(pots) => pots.to_string(),
            None => "endless".to_owned(),
        };
        let rules = self.game.rules();
        let rules = rules.map_or_else(String::new, |rules| format!("rules {rules}\n"));
        let mut meaning = format!(
            "seedbank job 1\ngame {}\nboard {board}\n{rules}play {}\nfollowers {}\n{}{}",
            self.game.name(),
            self.play,
            self.columns.followers,
            self.family.meaning(),
            question
        );
        // Jobs without these keys keep the meaning that they had before the keys existed.
        let later = [
            ("depth", self.columns.depth),
            ("branching", self.columns.branching),
            ("genus", self.columns.genus),
            ("misere_form", self.columns.misere_form),
        ];
        for (column, _) in later.into_iter().filter(|&(_, asked)| asked) {
            meaning.push_str(&format!("\n{column} true"));
        }
        if self.convention == Convention::Misere {
            meaning.push_str("\nending misere");
        }
        meaning
    }
}

/// The sections of a job of this kind. An invalid section does not prevent reading the others.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let accepted = Accepted {
        misere: true,
        ..Accepted::default()
    };
    let positions = positions(spec, accepted);
    let family = positions.family.as_ref();
    let layout = spec.table(layout::table_spec(family, positions.manner()));
    let meaning = "what the values of patterns are conjectured to be";
    let law = if positions.convention == Some(Convention::Misere) {
        let fault = "a law is about values, and a job about misère play has none";
        spec.section("law", "", refused(fault)).map(|_| None)
    } else {
        spec.section("law", meaning, law::form(family))
    };
    let row_limit = row_limit(spec);
    Some(Arc::new(StripTask {
        law: law?,
        row_limit: row_limit?,
        ..positions.task(layout?)?
    }))
}

/// The section `[limits]`.
pub(in crate::task) fn row_limit(spec: &mut Spec<'_, '_, '_>) -> Option<Option<RowLimit>> {
    let limits = keys!(Limits {
        /// the most to spend on the value of a row, such as "60s", "1000000 positions" or "2 GiB";
        /// harder rows get no value
        row: parsed(RowLimit::ACCEPTED), optional;
    });
    let limits = table("a section [limits]", limits).defined("limits");
    let limits = spec.section("limits", "limits for each row", limits)?;
    Some(limits.and_then(|limits| limits.row))
}

/// The section `[limits]`, which is not part of a job's meaning.
struct Limits {
    row: Option<RowLimit>,
}

/// The positions of a spec; fields are `None` if they are invalid.
pub(in crate::task) struct Positions {
    game: Option<Game>,
    /// The sets of rules, if the game has rules beside its name; the game is by the first.
    pub(in crate::task) rules: Option<RuleSets>,
    pub(in crate::task) play: Option<Play>,
    convention: Option<Convention>,
    family: Option<Family>,
    columns: Option<ExtraColumns>,
}

/// What some kinds of jobs accept.
#[derive(Clone, Copy, Default)]
pub(in crate::task) struct Accepted {
    /// Several sets of rules in `[rules]`.
    pub(in crate::task) sets: bool,
    /// Misère play.
    pub(in crate::task) misere: bool,
}

impl Positions {
    fn manner(&self) -> Option<Manner> {
        Some(Manner::of(self.play?, self.convention?))
    }

    /// Returns the task of these positions, unless anything is invalid.
    pub(in crate::task) fn task(self, table: Option<TableSpec>) -> Option<StripTask> {
        Some(StripTask {
            game: self.game?,
            play: self.play?,
            convention: self.convention?,
            family: self.family?,
            columns: self.columns?,
            table,
            law: None,
            row_limit: None,
        })
    }
}

/// The sections `[ruleset]`, `[rules]` if the game has rules beside its name, `[family]` and
/// `[columns]`. Where they are described, an alternative is about endless rows, and another one about
/// boards if the game has any.
pub(in crate::task) fn positions(spec: &mut Spec<'_, '_, '_>, accepted: Accepted) -> Positions {
    let endless = match spec.game.map(|game| game.kind) {
        Some(GameKind::Pots(game)) => Some(game),
        _ => None,
    };
    let (alternative, base_dir) = (spec.alternative(), spec.base_dir);
    let Ruling {
        game,
        play,
        convention,
    } = spec
        .ruleset(|keys| Some(ruleset(keys, endless, alternative, accepted)))
        .unwrap_or_else(|| Ruling {
            game: described(endless, alternative),
            ..Ruling::default()
        });
    let rules = match game {
        Some(game) if game.has_rules() => Some(rule_sets(spec, accepted.sets)),
        _ => None,
    };
    let game = match &rules {
        Some(Some(sets)) => sets.distinct.first().map(|set| set.game),
        // The schema does not depend on the rules.
        Some(None) if alternative.is_none() => None,
        _ => game,
    };
    let family = match game {
        Some(game) => spec.family(|keys| members::family(keys, game.shape(), base_dir)),
        None => None,
    };
    let columns = keys!(ExtraColumns {
        /// count the distinct followers of each position, itself included
        followers: boolean(), default false;
        /// the moves of the longest play from each position
        depth: boolean(), default false;
        /// the mean number of distinct options of a follower
        branching: boolean(), default false;
        /// the genus of each position, in impartial play
        genus: of_impartial_play(play), default false;
        /// the misère canonical form of each position, in impartial play
        misere_form: of_impartial_play(play), default false;
    });
    let columns = table("a section [columns]", columns).defined("columns");
    let columns = spec.section("columns", "columns that cost extra", columns);
    spec.accept_marks();
    Positions {
        game,
        rules: rules.flatten(),
        play,
        convention,
        family,
        columns: columns.map(Option::unwrap_or_default),
    }
}

/// The sets of rules of the section `[rules]`, which must be there.
fn rule_sets(spec: &mut Spec<'_, '_, '_>, each: bool) -> Option<RuleSets> {
    let form = rules::sets(None, spec.alternative(), each);
    let meaning = "the switches of the rules";
    spec.required(rules::SECTION, meaning, form, rules::ACCEPTED)
}

/// The game that an alternative of the schema is about.
fn described(game: Option<Game>, alternative: Option<usize>) -> Option<Game> {
    match alternative? {
        0 => game,
        _ => game?.on_board(1).ok(),
    }
}

/// Whether a column is asked for that partisan positions cannot have.
fn of_impartial_play(play: Option<Play>) -> Form<'static, bool> {
    boolean().then(move |problems, field, asked| {
        if asked && play == Some(Play::Partisan) {
            let fault = "partisan positions have none; accepted for play = \"impartial\"";
            return field.refuse(problems, fault);
        }
        Some(asked)
    })
}

/// What `[ruleset]` says; fields are `None` if they are invalid.
#[derive(Default)]
struct Ruling {
    game: Option<Game>,
    play: Option<Play>,
    convention: Option<Convention>,
}

/// The keys of `[ruleset]`: the game, on a board if it has pots, the way of playing, and who wins.
fn ruleset(
    keys: &mut Keys<'_, '_, '_>,
    game: Option<Game>,
    alternative: Option<usize>,
    accepted: Accepted,
) -> Ruling {
    let plays = "\"partisan\" or \"impartial\"";
    let known = Play::ALL.map(|play| (play, play.name()));
    let play = word("way of playing", plays, known);
    let play = play.then(|problems, field, play| match game {
        Some(game) if !game.plays().contains(&play) => field.refuse(problems, OtherPlay::of(game)),
        _ => Some(play),
    });
    let offered = game.iter().flat_map(|game| game.plays());
    let names: Vec<&str> = offered.map(|play| play.name()).collect();
    let play = play.narrowed(|_| schema::choice(&names));
    let play = keys.required(
        "play",
        "how the game is played",
        play,
        "play = \"partisan\"",
    );
    let convention = if accepted.misere {
        let ending = keys.optional("ending", ENDING_MEANING, ending_form());
        ending.map(Option::unwrap_or_default)
    } else {
        Some(Convention::Normal)
    };
    let ruling = |game| Ruling {
        game,
        play,
        convention,
    };
    let has_rules = game.is_some_and(Game::has_rules);
    if alternative == Some(0) || has_rules && alternative.is_some() {
        return ruling(game);
    }
    let pots = integer(1, Game::BOARD_POTS_MAX).then(|problems, field, pots| {
        let game = game?;
        if has_rules {
            let help = "write `pots` in the section [rules]".to_owned();
            let fault = "the board is one of the rules";
            problems.add_with_help(&field.key, field.key_span.clone(), fault, Some(help));
            return None;
        }
        let on_board = game.on_board(pots).ok();
        if on_board.is_none() {
            let name = game.name();
            let help = format!("remove `pots`; a row of {name} is as long as it is written");
            let fault = format!("{name} has no board of fixed width; accepted for: atomic-wari");
            problems.add_with_help(&field.key, field.key_span.clone(), fault, Some(help));
        }
        on_board
    });
    let pots = keys.expected("pots", "the width of the board in pots", pots);
    match pots {
        Some(None) => ruling(game),
        pots => ruling(pots.flatten()),
    }
}
