//! Sums of mixed components as arguments of `seedbank eval`: values, and moves with the values that they leave.

use std::fmt;

use seedbank::engine::Genus;
use seedbank::engine::sums::NotFree;
use seedbank::game::impartial::{Sum, SumError};
use seedbank::game::{Convention, SumKind};
use seedbank::run::{Session, Silent};
use seedbank::task::heaps::{
    HeapValue, MisereWanted, OUTCOMES, SumEvaluated, SumEvaluation, evaluate_sums,
};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::arguments::{Argument, Faults};
use super::heaps::MisereRemark;
use super::output::{Format, emit};
use super::{CliError, Exit, ResourceArgs};

/// The number of characters of a sum that are shown on each side of a fault.
const SHOWN: usize = 40;

/// Evaluates sums and prints each with its value. The arguments may also request the components' values and the
/// moves.
pub(super) fn run(
    added: SumKind,
    given: &[Argument],
    (moves, misere): (bool, MisereWanted),
    resources: &ResourceArgs,
    json: Format,
) -> Result<Exit, CliError> {
    let mut faults = Faults::default();
    // A large heap has many moves, but its value needs none of them.
    let read_sum = if moves || misere != MisereWanted::Nothing {
        str::parse
    } else {
        Sum::of_any_heaps
    };
    let sums = given
        .iter()
        .map(|argument| read_as(argument, added, read_sum));
    let sums: Vec<Sum> = sums.filter_map(|sum| faults.reported(sum)).collect();
    let evaluation = SumEvaluation {
        sums,
        added,
        moves,
        misere,
    };
    let signals = super::listen()?;
    let each = |place: usize, found: SumEvaluated| {
        let sum = &evaluation.sums[place];
        emit(
            json,
            &Answer {
                sum,
                added,
                found,
                moves,
                misere,
            },
        );
    };
    let session = Session::new(resources.limits(), &signals, &Silent);
    faults.ended(evaluate_sums(&evaluation, &session, each), &signals)
}

/// Reads a sum; an error marks the place of the fault.
pub(super) fn read(argument: &Argument, added: SumKind) -> Result<Sum, CliError> {
    read_as(argument, added, str::parse)
}

fn read_as(
    argument: &Argument,
    added: SumKind,
    read: fn(&str) -> Result<Sum, SumError>,
) -> Result<Sum, CliError> {
    let text = &argument.text;
    let refuse = |error: &dyn std::fmt::Display, at: usize| {
        let origin = argument.origin();
        CliError::usage(format!("{origin}{error}\n{}", shown(text, at)))
    };
    let sum = read(text).map_err(|error| refuse(&error, error.at))?;
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

/// A sum with its value, and with its components and moves if they were requested.
struct Answer<'a> {
    sum: &'a Sum,
    added: SumKind,
    found: SumEvaluated,
    moves: bool,
    misere: MisereWanted,
}

/// Moves have the form of those of positions on pots (`super::answers`).
impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer {
            sum,
            added,
            found,
            misere,
            ..
        } = self;
        write!(f, "{sum} = {}", found.value)?;
        if *added == SumKind::Disjunctive && *misere != MisereWanted::Nothing {
            write!(
                f,
                "{}",
                MisereRemark(outcome(found.value, Convention::Misere))
            )?;
        }
        if let Some(genus) = &found.genus {
            write!(f, "{}", GenusRemark(genus))?;
        }
        if !self.moves {
            return Ok(());
        }
        if found.components.len() > 1 {
            for (component, value) in &found.components {
                write!(f, "\n  {component} = {value}")?;
            }
        }
        if found.moves.is_empty() {
            write!(f, "\n  no move")?;
        }
        for (own, value) in &found.moves {
            let option = own.option();
            let act = match found.components.len() {
                1 => format!("to {option}"),
                _ => {
                    let after = own.after(sum, *added);
                    format!("{}, to {option} -> {after}", own.component)
                }
            };
            write!(f, "\n  {act} = {value}{}", remark(*value))?;
        }
        Ok(())
    }
}

/// A genus as it follows an answer: `, genus 0^120 (tame)`.
struct GenusRemark<'a>(&'a Genus);

impl fmt::Display for GenusRemark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GenusRemark(genus) = self;
        let kind = if genus.is_tame() { "tame" } else { "wild" };
        write!(f, ", genus {genus} ({kind})")
    }
}

/// Returns who wins, if that is known: P or N.
fn outcome(value: HeapValue, convention: Convention) -> Option<&'static str> {
    let is_n = value.is_n(convention)?;
    Some(OUTCOMES[usize::from(is_n)])
}

/// Returns the mark of a move that leaves this value, if it wins.
fn remark(left: HeapValue) -> &'static str {
    let wins = Convention::ALL.map(|convention| left.is_n(convention).map(|is_n| !is_n));
    match wins {
        [Some(true), None] => ", wins",
        [Some(true), Some(true)] => ", wins normal and misere play",
        [Some(true), Some(false)] => ", wins normal play",
        [_, Some(true)] => ", wins misere play",
        _ => "",
    }
}

/// `jobs/heaps/README.md` documents the keys.
impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer {
            sum,
            added,
            found,
            moves,
            ..
        } = self;
        let valued = |value: HeapValue| {
            json!({
                "value": value.to_string(),
                "nim_value": value.nim_value(),
                "normal": outcome(value, Convention::Normal),
                "misere": outcome(value, Convention::Misere),
            })
        };
        let components = found.components.iter().map(|(component, value)| {
            let mut object = valued(*value);
            object["component"] = json!(component.to_string());
            object
        });
        let mut object = valued(found.value);
        object["genus"] = json!(found.genus.as_ref().map(Genus::to_string));
        object["position"] = json!(sum.to_string());
        object["sum"] = json!(added.name());
        object["components"] = components.collect();
        if *moves {
            let moves = found.moves.iter().map(|(own, value)| {
                let mut object = valued(*value);
                let before: usize = sum.groups()[..own.group].iter().map(Vec::len).sum();
                object["component"] = json!(before + own.place);
                object["option"] = json!(own.option().to_string());
                object["leaves"] = json!(own.after(sum, *added).to_string());
                let wins = |convention| value.is_n(convention).map(|is_n| !is_n);
                object["wins"] = json!(wins(Convention::Normal));
                object["wins_misere"] = json!(wins(Convention::Misere));
                object
            });
            object["moves"] = moves.collect();
        }
        object.serialize(serializer)
    }
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
