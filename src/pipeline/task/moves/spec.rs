//! Jobs over a game given by its moves: the file, and the positions that rows are about.

use std::path::Path;
use std::sync::Arc;

use cggames::game::moves::MOVES_MAX;
use cggames::game::{Convention, Manner, Play};
use seedbank_specs::form::{FamilyKind, Form, boolean, list, text, word};
use seedbank_specs::{Fault, keys, kinds};

use crate::moves::MovesFile;
use crate::run::Task;
use crate::task::forms::{ending_form, file};
use crate::task::kind::Spec;

/// A job over a game given by its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesTask {
    /// How the game is played.
    pub manner: Manner,
    /// The game's own name.
    pub name: Option<String>,
    /// The moves.
    pub file: MovesFile,
    /// The positions that rows are about.
    pub family: MovesFamily,
}

/// Positions of a game given by its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovesFamily {
    /// All, in the order of the file.
    All,
    /// Some, by their names.
    Listed(Vec<String>),
}

impl MovesTask {
    /// Returns the game's own name, or the one that all such games share.
    pub fn game(&self) -> &str {
        self.name.as_deref().unwrap_or("moves")
    }
}

impl MovesFamily {
    /// Returns the number of positions.
    pub fn rows(&self, file: &MovesFile) -> u64 {
        match self {
            MovesFamily::All => file.positions,
            MovesFamily::Listed(names) => names.len() as u64,
        }
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let base_dir = spec.base_dir;
    let ruleset = spec.ruleset(keys!({
        /// how the game is played; in impartial play both players have all moves
        play: word("way of playing", "\"partisan\" or \"impartial\"", Play::ALL.map(|play| (play, play.name()))),
            required "play = \"partisan\"";
        /// whether the player who moves last wins (normal, the default) or loses (misere)
        ending: ending_form(), default Convention::Normal;
        /// the file of moves, by its path from the spec's folder: a line for each position
        moves: moves(base_dir), required "moves = \"my-game.ndjson\"";
        /// the game's own name, in the column game and for published values
        name: text("a name in quotes"), optional;
    }));
    let family = spec.family(|keys| keys.one_of(families(base_dir)));
    let layout = spec.layout(&[((), "list")]);
    let (play, convention, file, name) = ruleset?;
    layout?;
    Some(Arc::new(MovesTask {
        manner: Manner::of(play, convention),
        name,
        file,
        family: family?,
    }))
}

/// The file of moves.
fn moves(base_dir: &Path) -> Form<'_, MovesFile> {
    text("a string, a path from the spec's folder").then(move |problems, field, written| {
        let file = problems.ok(field, MovesFile::open(&base_dir.join(written)))?;
        let (what, found, max) = ("positions", file.positions, MOVES_MAX as u64);
        if found > max {
            return field.refuse(problems, Fault::TooManyRows { what, found, max });
        }
        if found == 0 {
            let fault = format!("{} has no positions", file.path.display());
            return field.refuse(problems, fault);
        }
        Some(file)
    })
}

fn families<'f>(base_dir: &'f Path) -> Vec<FamilyKind<'f, MovesFamily>> {
    let all = boolean().then(|problems, field, all| match all {
        true => Some(MovesFamily::All),
        false => field.refuse(problems, "accepted: true, for all positions of the file"),
    });
    let listed = list(
        "a list of names, such as [\"a\", \"b\"]",
        text("a name in quotes"),
    );
    let lines = file(base_dir).then(|problems, field, (path, text)| {
        let names = text.lines().filter(|line| !line.is_empty());
        let names: Vec<String> = names.map(str::to_owned).collect();
        if names.is_empty() {
            let fault = format!("{} has no names; write one a line", path.display());
            return field.refuse(problems, fault);
        }
        Some(MovesFamily::Listed(names))
    });
    kinds! {
        /// all positions of the file of moves, in its order
        all: all;
        /// positions by their names
        positions: listed.map(MovesFamily::Listed);
        /// a text file with one name a line, by its path from the spec's folder
        file: lines;
    }
}
