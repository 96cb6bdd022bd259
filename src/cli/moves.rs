//! The moves of positions on pots and of their sums, for `seedbank eval`: the position after each move, and its worth.

use seedbank::engine::Ending;
use seedbank::evaluate::{BoardSum, Evaluation, Judged, JudgedMove, JudgedValue, with_judge};
use seedbank::game::{Play, Player};
use seedbank::play::Choice;
use seedbank::run::Session;
use serde_json::{Value, json};

use super::answers::{long, object, sentence};
use super::arguments::Faults;
use super::error::ended_early;
use super::output::print_line;
use super::positions::Asked;
use super::{CliError, Exit};

/// Evaluates positions and prints each with its value, and the components of sums with theirs. With `moves`, prints the
/// moves too.
pub(super) fn run(
    evaluation: &Evaluation,
    session: &Session<'_>,
    asked: &[Asked],
    sums: &[BoardSum],
    moves: bool,
    as_json: bool,
    faults: &Faults,
) -> Result<Exit, CliError> {
    let ended = with_judge(evaluation, session, sums.len(), |judge| {
        for sum in sums {
            judge.check(sum)?;
        }
        for (asked, sum) in asked.iter().zip(sums) {
            let judged = if moves {
                judge.judge(sum)?
            } else {
                judge.value(sum)?
            };
            if as_json {
                print_line(&with_moves(asked, sum, judged, moves).to_string())
            } else {
                print(asked, sum, &judged, moves.then_some(evaluation.play))
            }
        }
        Ok(())
    });
    match ended {
        Ok(()) => Ok(faults.end(Exit::Done)),
        Err(error) => ended_early(error, session.signals),
    }
}

fn print(asked: &Asked, sum: &BoardSum, judged: &Judged, moves_of: Option<Play>) {
    print_line(&sentence(&asked.name, &judged.row));
    if sum.summands.len() > 1 {
        for (summand, value) in sum.summands.iter().zip(&judged.summands) {
            let value = value.as_ref().map_or("no value".to_owned(), shown);
            print_line(&format!("  {summand} = {value}"));
        }
    }
    let movers: &[Option<Player>] = match moves_of {
        None => &[],
        Some(Play::Partisan) => &[Some(Player::Left), Some(Player::Right)],
        Some(Play::Impartial) => &[None],
    };
    for &mover in movers {
        let label = mover.map_or(String::new(), |player| format!("{player}: "));
        let mut own = judged
            .moves
            .iter()
            .filter(|own| own.mover == mover)
            .peekable();
        if own.peek().is_none() {
            print_line(&format!("  {label}no move"));
        }
        for own in own {
            let choice = Choice::of_pots(sum, own);
            let value = own
                .value
                .as_ref()
                .map_or(" has no value".to_owned(), |value| {
                    format!(" = {}", shown(value))
                });
            print_line(&format!(
                "  {label}{}{value}{}",
                choice.text(),
                choice.marks()
            ));
        }
    }
}

fn shown(value: &JudgedValue) -> String {
    (value.notation.clone()).unwrap_or_else(|| long(value.digest))
}

/// Returns a position as an object: the columns of its row, the components of a sum, and the moves with `--moves`.
fn with_moves(asked: &Asked, sum: &BoardSum, judged: Judged, moves: bool) -> Value {
    let mut object = object(asked, judged.row);
    if sum.summands.len() > 1 {
        let components = sum.summands.iter().zip(&judged.summands);
        let components = components.map(|(summand, value)| {
            json!({
                "component": summand.to_string(),
                "value": value.as_ref().and_then(|value| value.notation.as_deref()),
                "value_digest": value.as_ref().map(|value| value.digest.to_string()),
            })
        });
        object["components"] = components.collect();
    }
    if moves {
        object["moves"] = judged.moves.iter().map(move_object).collect();
    }
    object
}

fn move_object(own: &JudgedMove) -> Value {
    let pot = |place: usize| own.pots.as_ref().map(|pots| pots[place].as_str());
    json!({
        "player": own.mover.map(Player::name),
        "component": own.summand,
        "from": pot(0),
        "to": pot(1),
        "option": own.option.to_string(),
        "leaves": own.leaves.to_string(),
        "value": own.value.as_ref().and_then(|value| value.notation.as_deref()),
        "value_digest": own.value.as_ref().map(|value| value.digest.to_string()),
        "best": own.best,
        "reversible": own.reversible,
        "ending": own.ending.name(),
        "wins": own.ending == Ending::Win,
    })
}
