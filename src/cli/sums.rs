//! Sums of mixed components as arguments of `seedbank eval`: values, and the moves that win.

use serde_json::{Value, json};

use super::arguments::{Argument, Faults};
use super::error::ended_early;
use super::output::print_line;
use super::{CliError, Exit, ResourceArgs};
use crate::engine::obligated::Ending;
use crate::engine::sums::{NotFree, SumMove};
use crate::game::SumKind;
use crate::game::impartial::{Sum, SumError};
use crate::task::heaps::{HeapValue, SumEvaluated, SumEvaluation, evaluate_sums};

/// The number of characters of a sum that are shown on each side of a fault.
const SHOWN: usize = 40;

/// Evaluates sums and prints each with its value. The arguments may also request the components' values and the winning
/// moves.
pub(super) fn run(
    added: SumKind,
    given: &[Argument],
    moves: bool,
    resources: &ResourceArgs,
    as_json: bool,
) -> Result<Exit, CliError> {
    let mut faults = Faults::default();
    let sums = given.iter().map(|argument| read(argument, added));
    let sums: Vec<Sum> = sums.filter_map(|sum| faults.reported(sum)).collect();
    let evaluation = SumEvaluation {
        sums,
        added,
        moves,
        memory: resources.memory(),
    };
    let signals = super::listen()?;
    let each = |place: usize, found: SumEvaluated| {
        let sum = &evaluation.sums[place];
        if as_json {
            print_line(&object(sum, added, &found).to_string());
            return;
        }
        print_line(&format!("{sum} = {}", found.value));
        if moves {
            print_moves(sum, &found);
        }
    };
    match evaluate_sums(&evaluation, &signals, each) {
        Ok(()) => Ok(faults.end(Exit::Done)),
        Err(error) => ended_early(error, &signals),
    }
}

/// Reads a sum; an error marks the place of the fault.
pub(super) fn read(argument: &Argument, added: SumKind) -> Result<Sum, CliError> {
    let text = &argument.text;
    let refuse = |error: &dyn std::fmt::Display, at: usize| {
        let origin = argument.origin();
        CliError::usage(format!("{origin}{error}\n{}", shown(text, at)))
    };
    let sum: Sum = text
        .parse()
        .map_err(|error: SumError| refuse(&error, error.at))?;
    match text.chars().position(|sign| sign == '>') {
        Some(at) if added == SumKind::Disjunctive => Err(refuse(&NotFree, at + 1)),
        _ => Ok(sum),
    }
}

/// Returns a line of the text around a character, counted from 1, and a mark below it.
fn shown(text: &str, at: usize) -> String {
    let skipped = at.saturating_sub(SHOWN + 1);
    let near = text.chars().skip(skipped).take(2 * SHOWN);
    let near: String = near
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    format!("  {near}\n  {}^", " ".repeat(at - skipped - 1))
}

fn print_moves(sum: &Sum, found: &SumEvaluated) {
    for (component, value) in &found.components {
        print_line(&format!("  {component} = {value}"));
    }
    for (ending, moves) in &found.winning {
        let ending_name = name(*ending);
        for winning in moves {
            print_line(&format!("  {ending_name}: {winning}"));
        }
        if moves.is_empty() {
            let why = match (is_over(sum), found.value.is_n(*ending)) {
                (true, Some(true)) => "play is over, and the player to move has won",
                (true, _) => "play is over, and the player to move has lost",
                (false, _) => "no winning move",
            };
            print_line(&format!("  {ending_name}: {why}"));
        }
    }
}

/// Returns whether no component has a move left.
fn is_over(sum: &Sum) -> bool {
    sum.components().all(|c| c.options().is_empty())
}

fn name(ending: Ending) -> &'static str {
    match ending {
        Ending::Normal => "normal",
        Ending::Misere => "misere",
    }
}

/// Returns a sum as an object. `jobs/heaps/README.md` documents the keys.
fn object(sum: &Sum, added: SumKind, found: &SumEvaluated) -> Value {
    let outcome = |value: HeapValue, ending| {
        let is_n = value.is_n(ending)?;
        Some(if is_n { "N" } else { "P" })
    };
    let valued = |value: HeapValue| {
        json!({
            "value": value.to_string(),
            "nim_value": value.nim_value(),
            "normal": outcome(value, Ending::Normal),
            "misere": outcome(value, Ending::Misere),
        })
    };
    let components = found.components.iter().map(|(component, value)| {
        let mut object = valued(*value);
        object["component"] = json!(component.to_string());
        object
    });
    let mut object = valued(found.value);
    object["position"] = json!(sum.to_string());
    object["sum"] = json!(added.name());
    object["components"] = components.collect();
    // Winning moves that were not searched for are null: without --moves, or under an ending with no known outcome.
    object["winning_moves"] = json!({ "normal": null, "misere": null });
    for (ending, moves) in &found.winning {
        let moves = moves.iter().map(|m| winning_move(sum, m));
        object["winning_moves"][name(*ending)] = moves.collect();
    }
    object
}

/// Returns a move as an object: the component, from 0, and the position left in it.
fn winning_move(sum: &Sum, winning: &SumMove) -> Value {
    let before: usize = sum.groups()[..winning.group].iter().map(Vec::len).sum();
    json!({
        "component": before + winning.place,
        "move": winning.to_string(),
        "leaves": winning.leaves.iter().map(|part| part.to_string()).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_marked_where_it_is() {
        assert_eq!(shown("nim(x)", 5), "  nim(x)\n      ^");
        // A fault behind the end of a text that is too long to be shown.
        let long = "nim(1) + ".repeat(20);
        let marked = shown(&long, 181);
        let (line, mark) = marked.split_once('\n').expect("two lines");
        assert_eq!(mark.chars().count(), line.chars().count() + 1);
    }
}
