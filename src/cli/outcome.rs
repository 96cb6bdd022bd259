//! `seedbank outcome`

use clap::Args;
use seedbank::board::AnyBoard;
use seedbank::engine::Ending;
use seedbank::evaluate::{Outcomes, PositionOutcome, outcomes};
use seedbank::run::Session;
use seedbank::value::{Nimber, OutcomeClass};
use serde_json::{Map, Value, json};

use super::arguments::Faults;
use super::error::ended_early;
use super::output::print_line;
use super::positions::{Asked, PositionArgs};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

#[derive(Debug, Args)]
pub(super) struct OutcomeArgs {
    #[command(flatten)]
    positions: PositionArgs,
    /// The largest nimber that positions are compared with; 0 finds the winner only, as always if
    /// play need not end
    #[arg(long, value_name = "K", default_value_t = 2)]
    nimbers: u8,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub(super) fn run(args: &OutcomeArgs) -> Result<Exit, CliError> {
    let game = args.positions.of.game()?;
    let mut faults = Faults::default();
    let (asked, boards) = args.positions.expand(game, &mut faults)?;
    let question = Outcomes {
        game,
        play: args.positions.of.play(game)?,
        // If play need not end, the search finds the winner only.
        nimber_max: if game.is_loopy() { 0 } else { args.nimbers },
    };
    let signals = super::listen()?;
    let tell = |place: usize, found: PositionOutcome| {
        let asked = &asked[place];
        let answer = if args.json {
            object(&question, asked, &boards[place], &found).to_string()
        } else {
            line(&asked.name, &found, question.nimber_max)
        };
        print_line(&answer);
    };
    let display = Display::new();
    let session = Session::new(args.resources.limits(), &signals, &display);
    match outcomes(&question, &session, &boards, tell) {
        Ok(()) => Ok(faults.end(Exit::Done)),
        Err(error) => ended_early(error, &signals),
    }
}

/// Returns an answer in words: `11 = *`, or the winner if no nimber was found.
fn line(name: &str, found: &PositionOutcome, nimber_max: u8) -> String {
    let Some(outcome) = Ending::class(found.endings) else {
        let [left, right] = found.endings.map(Ending::name);
        return format!("{name}: Left first: {left}, Right first: {right}");
    };
    match (found.nimber, outcome) {
        (Some(nimber), _) => format!("{name} = {}", Nimber(nimber.into())),
        (None, OutcomeClass::Next) if nimber_max == 1 => format!("{name}: N, not *"),
        (None, OutcomeClass::Next) if nimber_max > 1 => {
            let nimber_max = Nimber(nimber_max.into());
            format!("{name}: N, no nimber up to {nimber_max}")
        }
        (None, outcome) => format!("{name}: {outcome}"),
    }
}

fn object(question: &Outcomes, asked: &Asked, board: &AnyBoard, found: &PositionOutcome) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_owned(), value);
    };
    put("game", json!(question.game.name()));
    put("play", json!(question.play.name()));
    put("pattern", json!(asked.pattern.as_deref()));
    for (variable, value) in &asked.variables {
        put(variable, json!(value));
    }
    put("position", json!(board.to_string()));
    let [left_first, right_first] = found.endings.map(Ending::name);
    put(
        "outcome",
        json!(Ending::class(found.endings).map(OutcomeClass::letter)),
    );
    put("left_first", json!(left_first));
    put("right_first", json!(right_first));
    put("nim_value", json!(found.nimber));
    put("nimber_max", json!(question.nimber_max));
    put("positions", json!(found.positions));
    Value::Object(object)
}
