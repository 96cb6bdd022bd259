//! Jobs over strips: a game, a way of playing, a family of positions, and what to tell of them.

use std::path::Path;

use super::error::Fault;
use super::fields::{Fields, Problems};
use super::{Job, TableSpec, WitnessSpec, members, read_named, table, witness};
use crate::family::Family;
use crate::game::{Game, Play};

/// What a job over strips computes.
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
    /// What the job looks for, if its result is that rather than the values of all positions.
    pub witness: Option<WitnessSpec>,
}

/// A job over strips, with its task.
#[derive(Clone, Copy, Debug)]
pub struct StripJob<'j> {
    /// The job.
    pub job: &'j Job,
    /// Its task.
    pub task: &'j StripTask,
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

impl Columns {
    /// Returns whether followers have to be gone through.
    pub fn needs_followers(self) -> bool {
        self.followers || self.depth || self.branching
    }
}

impl StripTask {
    /// Returns what the task means; its wording is part of every digest.
    pub(super) fn meaning(&self) -> String {
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
        meaning
    }
}

/// Reads the sections of a job over strips, but for the game, which is given if it is known. What is wrong in one does not keep the others from being read.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    game: Option<Game>,
    ruleset: Option<Fields<'_>>,
    base_dir: &Path,
) -> Option<StripTask> {
    let (game, play) = match ruleset {
        Some(ruleset) => read_ruleset(problems, game, ruleset),
        None => (None, None),
    };

    let family = fields
        .require(
            problems,
            "family",
            "a section [family], for example with pattern and n",
        )
        .and_then(|field| field.table(problems, "a section [family]"))
        .and_then(|fields| members::read(problems, fields, game?.shape(), base_dir));

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
    Some(StripTask {
        game: game?,
        play: play?,
        family: family?,
        columns: columns?,
        table: table?,
        witness: witness?,
    })
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
