//! Positions of Tchuka Ruma as arguments of `seedbank eval`: whether they can be won, and how.

use seedbank::dataset::TableRow;
use seedbank::game::tchuka_ruma::Ring;
use seedbank::run::Session;
use seedbank::task::tchuka_ruma::{POSITIONS_MAX_DEFAULT, RingRow, evaluate_rings};

use super::arguments::{Argument, Faults};
use super::error::ended_early;
use super::output::print_line;
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

/// Evaluates positions and prints a line for each.
pub(super) fn run(
    given: &[Argument],
    resources: &ResourceArgs,
    as_json: bool,
) -> Result<Exit, CliError> {
    let mut faults = Faults::default();
    let read = |argument: &Argument| {
        let ring = argument.text.parse::<Ring>();
        ring.map_err(|error| argument.fault(&error))
    };
    let rings = given.iter().map(read);
    let rings: Vec<Ring> = rings.filter_map(|ring| faults.reported(ring)).collect();
    let (signals, display) = (super::listen()?, Display::new());
    let session = Session::new(resources.limits(), &signals, &display);
    let each = |row: RingRow| {
        if as_json {
            print_line(&RingRow::object(&row, &[]).to_string())
        } else {
            print_line(&line(&row))
        }
    };
    match evaluate_rings(&rings, &session, each) {
        Ok(()) => Ok(faults.end(Exit::Done)),
        Err(error) => ended_early(error, &signals),
    }
}

fn line(row: &RingRow) -> String {
    let says = match (row.won, &row.line) {
        (Some(true), Some(line)) => {
            let plays = match row.fewest {
                Some(1) => " in 1 play, ".to_owned(),
                Some(plays) => format!(" in {plays} plays, "),
                None => String::new(),
            };
            let ways = match (row.fewest, row.winning) {
                (Some(_), Some(1)) => "one way".to_owned(),
                (Some(_), Some(ways)) => format!("one of {ways} ways"),
                (Some(_), None) => "one of 2^63 ways or more".to_owned(),
                (None, _) => String::new(),
            };
            format!("won{plays}{ways}: {line}")
        }
        (Some(_), _) => match row.left {
            Some(left) => format!("lost, {left} left at best"),
            None => "lost".to_owned(),
        },
        (None, _) => format!(
            "unknown: more than {POSITIONS_MAX_DEFAULT} positions; give a job positions_max"
        ),
    };
    format!("{} = {says}", row.position)
}
