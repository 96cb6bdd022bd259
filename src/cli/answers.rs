//! Positions on pots, their sums and their moves, as `seedbank eval` prints them.

use std::fmt;

use seedbank::dataset::{PositionRow, TableRow, VALUE_CHARS_MAX, ValueColumns};
use seedbank::engine::Ending;
use seedbank::evaluate::{BoardSum, Judged, JudgedMove, JudgedValue};
use seedbank::game::moves::printed;
use seedbank::game::{Convention, Play, Player};
use seedbank::play::Choice;
use seedbank::value::ValueDigest;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::positions::Asked;

/// A position with its value. A sum has the values of its components, too, and each may have its moves.
pub(super) struct Answer<'a> {
    asked: &'a Asked,
    row: PositionRow,
    components: Vec<(String, Option<JudgedValue>)>,
    moves: Option<Moves<'a>>,
}

/// The moves of a position.
struct Moves<'a> {
    play: Play,
    has_values: bool,
    sum: &'a BoardSum,
    moves: Vec<JudgedMove>,
}

impl<'a> Answer<'a> {
    /// Returns the answer about a position.
    pub(super) fn new(asked: &'a Asked, mut row: PositionRow) -> Answer<'a> {
        row.pattern.clone_from(&asked.pattern);
        row.variables = asked.variables.iter().map(|(_, value)| *value).collect();
        Answer {
            asked,
            row,
            components: Vec::new(),
            moves: None,
        }
    }

    /// Returns the answer about a position that may be a sum, with its moves in a way of playing.
    pub(super) fn judged(
        asked: &'a Asked,
        sum: &'a BoardSum,
        judged: Judged,
        moves_of: Option<Play>,
    ) -> Answer<'a> {
        let Judged {
            row,
            summands,
            moves,
            convention,
        } = judged;
        // Under misère play components have no values to show.
        let has_values = convention == Convention::Normal;
        let components = sum.summands.iter().map(ToString::to_string).zip(summands);
        Answer {
            components: (components.filter(|_| has_values && sum.summands.len() > 1)).collect(),
            moves: moves_of.map(|play| Moves {
                play,
                has_values,
                sum,
                moves,
            }),
            ..Answer::new(asked, row)
        }
    }
}

/// A position's name, and its row as an equation.
pub(super) struct Equation<'a>(pub(super) &'a str, pub(super) &'a PositionRow);

impl fmt::Display for Equation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Equation(name, row) = self;
        let name = printed(name);
        match &row.value {
            Some(ValueColumns {
                value: Some(value), ..
            }) => write!(f, "{name} = {value}"),
            Some(value) => {
                let digest = ValueDigest(value.value_digest);
                write!(f, "{name} = {}", long(digest))
            }
            None if row.misere_outcome.is_some() => write!(f, "{}", Misere(&name, row)),
            None => write!(
                f,
                "{name} has no value: {} (Left first: {}, Right first: {})",
                row.missing(),
                row.left_first.as_deref().unwrap_or("unknown"),
                row.right_first.as_deref().unwrap_or("unknown"),
            ),
        }
    }
}

/// Who wins misère play from a position: `1111: misère N, nim-value 2`.
struct Misere<'a>(&'a str, &'a PositionRow);

impl fmt::Display for Misere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misere(name, row) = self;
        write!(
            f,
            "{name}: misère {}",
            row.misere_outcome.as_deref().unwrap_or("unknown")
        )?;
        match row.misere_nim_value {
            Some(value) => write!(f, ", nim-value {value}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Equation(&self.asked.name, &self.row))?;
        if let Some(genus) = &self.row.genus {
            let kind = match self.row.is_tame {
                Some(true) => "tame",
                _ => "wild",
            };
            write!(f, ", genus {genus} ({kind})")?;
        }
        if let Some(form) = &self.row.misere_form {
            write!(f, ", misère form {form}")?;
        }
        if let Some(followers) = self.row.followers {
            write!(f, ", {followers} followers")?;
        }
        for (component, value) in &self.components {
            let value = value.as_ref().map_or("no value".to_owned(), shown);
            write!(f, "\n  {component} = {value}")?;
        }
        match &self.moves {
            Some(moves) => write!(f, "{moves}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let movers: &[Option<Player>] = match self.play {
            Play::Partisan => &[Some(Player::Left), Some(Player::Right)],
            Play::Impartial => &[None],
        };
        for &mover in movers {
            let label = mover.map_or(String::new(), |player| format!("{player}: "));
            let own = self.moves.iter().filter(|own| own.mover == mover);
            let mut own = own.peekable();
            if own.peek().is_none() {
                write!(f, "\n  {label}no move")?;
            }
            for own in own {
                let choice = Choice::of_pots(self.sum, own);
                let value = match &own.value {
                    Some(value) => format!(" = {}", shown(value)),
                    None if self.has_values => " has no value".to_owned(),
                    None => String::new(),
                };
                let (text, marks) = (choice.text(), choice.marks());
                write!(f, "\n  {label}{text}{value}{marks}")?;
            }
        }
        Ok(())
    }
}

/// Returns the replacement of a value whose text is long.
fn long(digest: ValueDigest) -> String {
    format!("(longer than {VALUE_CHARS_MAX} characters, digest {digest}; --full prints up to 2^30)")
}

fn shown(value: &JudgedValue) -> String {
    (value.notation.clone()).unwrap_or_else(|| long(value.digest))
}

/// The columns of the position's row, the components of a sum, and the moves.
impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letters = self.asked.variables.iter();
        let letters: Vec<String> = letters.map(|(letter, _)| letter.clone()).collect();
        let mut object = PositionRow::object(&self.row, &letters);
        if !self.components.is_empty() {
            let components = self.components.iter().map(|(component, value)| {
                with_value(json!({ "component": component }), value.as_ref())
            });
            object["components"] = components.collect();
        }
        if let Some(moves) = &self.moves {
            object["moves"] = moves.moves.iter().map(move_object).collect();
        }
        object.serialize(serializer)
    }
}

fn move_object(own: &JudgedMove) -> Value {
    let pot = |place: usize| own.pots.as_ref().map(|pots| pots[place].as_str());
    let object = json!({
        "player": own.mover.map(Player::name),
        "component": own.summand,
        "from": pot(0),
        "to": pot(1),
        "option": own.option.to_string(),
        "leaves": own.leaves.to_string(),
        "best": own.best,
        "reversible": own.reversible,
        "ending": own.ending.name(),
        "wins": own.ending == Ending::Win,
    });
    with_value(object, own.value.as_ref())
}

/// Adds a value to an object.
fn with_value(mut object: Value, value: Option<&JudgedValue>) -> Value {
    object["value"] = json!(value.and_then(|value| value.notation.as_deref()));
    object["value_digest"] = json!(value.map(|value| value.digest.to_string()));
    object
}
