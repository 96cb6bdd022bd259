//! Jobs over games on rows of pots: a game, a way of playing, a family of positions, and the
//! columns about them.

use std::sync::Arc;

use cggames::family::Family;
use cggames::game::{Game, GameKind, OtherPlay, Play};
use seedbank_specs::{Fault, Fields, Problems, read_named};

use super::law::{self, Law};
use super::layout::{self, TableSpec};
use super::members;
use crate::evaluate::Columns;
use crate::run::Task;
use crate::task::kind::Sections;

/// A job over strips.
#[derive(Clone, Debug)]
pub struct StripTask {
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
    /// The conjectured values, if the spec states a law.
    pub law: Option<Law>,
}

impl StripTask {
    /// Returns a text that identifies the task, including the text of a question. Its wording is
    /// part of every digest.
    pub(in crate::task) fn text(&self, question: &str) -> String {
        let board = match self.game.board_pots() {
            Some(pots) => pots.to_string(),
            None => "endless".to_owned(),
        };
        let mut meaning = format!(
            "seedbank job 1\ngame {}\nboard {board}\nplay {}\nfollowers {}\n{}{}",
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
        ];
        for (column, _) in later.into_iter().filter(|&(_, asked)| asked) {
            meaning.push_str(&format!("\n{column} true"));
        }
        meaning
    }
}

/// Reads the sections of a job of this kind. An invalid section does not prevent reading the
/// others.
pub(super) fn read(
    problems: &mut Problems<'_>,
    mut sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    let positions = read_positions(problems, &mut sections);
    let (family, play) = (positions.family.as_ref(), positions.play);
    let table = match sections.others.take("table") {
        Some(field) => field
            .table(problems, "a section [table]")
            .and_then(|fields| layout::read(problems, fields, family, play))
            .map(Some),
        None => Some(None),
    };
    let law = match sections.others.take("law") {
        Some(field) => law::read(problems, &field, family).map(Some),
        None => Some(None),
    };
    Some(Arc::new(StripTask {
        law: law?,
        ..positions.task(table?)?
    }))
}

/// The positions of a spec; fields are `None` if they are invalid.
pub(in crate::task) struct Positions {
    game: Option<Game>,
    pub(in crate::task) play: Option<Play>,
    family: Option<Family>,
    columns: Option<Columns>,
}

impl Positions {
    /// Returns the task of these positions, unless anything is invalid.
    pub(in crate::task) fn task(self, table: Option<TableSpec>) -> Option<StripTask> {
        Some(StripTask {
            game: self.game?,
            play: self.play?,
            family: self.family?,
            columns: self.columns?,
            table,
            law: None,
        })
    }
}

/// Reads `[ruleset]`, `[family]` and `[columns]`.
pub(in crate::task) fn read_positions(
    problems: &mut Problems<'_>,
    sections: &mut Sections<'_, '_>,
) -> Positions {
    let game = match sections.game.map(|game| game.kind) {
        Some(GameKind::Pots(game)) => Some(game),
        _ => None,
    };
    let (game, play) = match sections.ruleset.take() {
        Some(ruleset) => read_ruleset(problems, game, ruleset),
        None => (None, None),
    };
    let family = sections.family.take();
    let family =
        family.and_then(|fields| members::read(problems, fields, game?.shape(), sections.base_dir));
    let columns = match sections.others.take("columns") {
        Some(field) => field
            .table(problems, "a section [columns]")
            .and_then(|fields| read_columns(problems, fields)),
        None => Some(Columns::default()),
    };
    sections.accept_marks();
    Positions {
        game,
        play,
        family,
        columns,
    }
}

fn read_ruleset(
    problems: &mut Problems<'_>,
    game: Option<Game>,
    mut fields: Fields<'_>,
) -> (Option<Game>, Option<Play>) {
    let play = fields
        .require(problems, "play", "play = \"partisan\"")
        .and_then(|field| {
            let name = field.string(problems, "\"partisan\" or \"impartial\"")?;
            let play: Play = read_named(problems, &field, name, &Play::ALL.map(Play::name))?;
            match game {
                Some(game) if !game.plays().contains(&play) => {
                    problems.add(&field.key, field.span.clone(), OtherPlay::of(game));
                    None
                }
                _ => Some(play),
            }
        });
    let pots = fields.take("pots");
    fields.finish(problems);
    let Some(pots) = pots else {
        return (game, play);
    };
    let board_pots = pots
        .integer(problems, 1, i64::from(Game::BOARD_POTS_MAX))
        .and_then(|pots| u32::try_from(pots).ok());
    let (Some(game), Some(board_pots)) = (game, board_pots) else {
        return (None, play);
    };
    let on_board = game.on_board(board_pots).ok();
    if on_board.is_none() {
        let name = game.name();
        let help = format!("remove `pots`; a row of {name} is as long as it is written");
        let fault = Fault::NoBoard { game: name };
        problems.add_with_help(&pots.key, pots.key_span, fault, Some(help));
    }
    (on_board, play)
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
