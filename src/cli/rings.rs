//! Positions of Tchuka Ruma as arguments of `seedbank eval`: whether they can be won, and how.

use std::fmt;

use seedbank::dataset::TableRow;
use seedbank::game::tchuka_ruma::Ring;
use seedbank::run::Session;
use seedbank::task::tchuka_ruma::{POSITIONS_MAX_DEFAULT, RingRow, evaluate_rings};
use serde::{Serialize, Serializer};

use super::arguments::{Argument, Faults};
use super::output::{Format, print_line};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

/// Evaluates positions and prints a line for each.
pub(super) fn run(
    given: &[Argument],
    resources: &ResourceArgs,
    json: Format,
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
    // A line without plays ends with a blank, which is printed.
    let each = |row: RingRow| print_line(&json.render(&Found(row)));
    faults.ended(evaluate_rings(&rings, &session, each), &signals)
}

/// What was found about a position.
struct Found(RingRow);

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RingRow::object(&self.0, &[]).serialize(serializer)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found(row) = self;
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
        write!(f, "{} = {says}", row.position)
    }
}
