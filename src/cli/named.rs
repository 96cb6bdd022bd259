//! Positions of a game of the user's own as arguments of `seedbank eval`, by their names.

use std::fmt;

use seedbank::dataset::{PositionRow, TableRow};
use seedbank::evaluate::Writing;
use seedbank::game::{Manner, Play, Player};
use seedbank::moves::MovesFile;
use seedbank::run::Session;
use seedbank::task::moves::{MovesAsked, NamedMoves, evaluate_moves};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::answers::Equation;
use super::arguments::{Argument, Faults};
use super::output::{Format, emit};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

/// Evaluates positions and prints a line for each.
pub(super) fn run(
    (file, manner): (&MovesFile, Manner),
    given: &[Argument],
    writing: Writing,
    options: bool,
    resources: &ResourceArgs,
    json: Format,
) -> Result<Exit, CliError> {
    let names: Vec<String> = given.iter().map(|argument| argument.text.clone()).collect();
    let asked = MovesAsked {
        file,
        manner,
        names: &names,
        writing,
        options,
    };
    let (signals, display) = (super::listen()?, Display::new());
    let session = Session::new(resources.limits(), &signals, &display);
    let evaluated = evaluate_moves(&asked, &session, |row, moves| {
        let options = options.then_some((manner.play, moves));
        emit(json, &Found { row, options });
    });
    Faults::default().ended(evaluated, &signals)
}

/// A position, and its options if they are listed.
struct Found {
    row: PositionRow,
    options: Option<(Play, NamedMoves)>,
}

impl Found {
    /// Returns the options of each player who has options of their own; in impartial play both have the same.
    fn options(&self) -> Vec<(Option<Player>, &[PositionRow])> {
        match &self.options {
            None => Vec::new(),
            Some((Play::Partisan, NamedMoves { left, right })) => {
                vec![(Some(Player::Left), left), (Some(Player::Right), right)]
            }
            Some((Play::Impartial, NamedMoves { left, .. })) => vec![(None, left)],
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Equation(&self.row.position, &self.row))?;
        for (player, options) in self.options() {
            let label = player.map_or(String::new(), |player| format!("{player}: "));
            if options.is_empty() {
                write!(f, "\n  {label}no move")?;
            }
            for option in options {
                write!(f, "\n  {label}{}", Equation(&option.position, option))?;
            }
        }
        Ok(())
    }
}

/// The columns of the position's row, and the moves.
impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = PositionRow::object(&self.row, &[]);
        if self.options.is_some() {
            let moves = self.options().into_iter().flat_map(|(player, options)| {
                options.iter().map(move |option| {
                    let mut object = PositionRow::object(option, &[]);
                    object["player"] = json!(player.map(Player::name));
                    object
                })
            });
            object["moves"] = moves.collect::<Vec<Value>>().into();
        }
        object.serialize(serializer)
    }
}
