//! `seedbank outcome`

use std::fmt;

use clap::{ArgAction, Args};
use seedbank::engine::Ending;
use seedbank::evaluate::{Outcomes, PositionOutcome, outcomes};
use seedbank::game::moves::printed;
use seedbank::game::{Convention, Game, GameKind, Manner};
use seedbank::run::Session;
use seedbank::task::moves::outcomes_of_moves;
use seedbank::value::{Nimber, OutcomeClass};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::arguments::Faults;
use super::eval::refusal;
use super::game_args::{OptionOf, convention, refused};
use super::output::{Format, emit};
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
    /// Find who wins misère play, in which the player who moves last loses; positions are then compared with no nimbers
    #[arg(long)]
    misere: bool,
    /// Print one JSON object a line
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
    #[command(flatten)]
    resources: ResourceArgs,
}

pub(super) fn run(args: &OutcomeArgs) -> Result<Exit, CliError> {
    match args.positions.of.kind()? {
        GameKind::Pots(game) => pots(args, args.positions.of.game(game)?),
        GameKind::Moves => moves(args),
        other => Err(refused(other, &format!("{}, moves", Game::names()))),
    }
}

/// Positions of a game of the user's own, by their names.
fn moves(args: &OutcomeArgs) -> Result<Exit, CliError> {
    if let Some((name, of)) = OptionOf::unused(args.positions.options(), GameKind::Moves) {
        return Err(refusal(name, of));
    }
    let (file, play) = (args.positions.of.moves()?, args.positions.of.any_play()?);
    let manner = Manner::of(play, convention(args.misere));
    let given = args.positions.given()?.into_iter();
    let names: Vec<String> = given.map(|argument| argument.text).collect();
    let (signals, display) = (super::listen()?, Display::new());
    let session = Session::new(args.resources.limits(), &signals, &display);
    let found = outcomes_of_moves(&file, manner, &names, &session, |place, found| {
        let name = &names[place];
        let answer = Answer {
            game: "moves",
            manner,
            // Play need not end, so the search finds the winner only.
            nimber_max: 0,
            asked: &Asked {
                name: printed(name).into_owned(),
                pattern: None,
                variables: Vec::new(),
            },
            position: name.clone(),
            found,
        };
        emit(args.json, &answer);
    });
    Faults::default().ended(found, &signals)
}

fn pots(args: &OutcomeArgs, game: Game) -> Result<Exit, CliError> {
    let mut faults = Faults::default();
    let (asked, boards) = args.positions.expand(game, &mut faults)?;
    let question = Outcomes {
        game,
        manner: args.positions.of.manner(game, args.misere)?,
        // If play need not end, and under misère play, the search finds the winner only.
        nimber_max: if game.is_loopy() || args.misere {
            0
        } else {
            args.nimbers
        },
    };
    let signals = super::listen()?;
    let display = Display::new();
    let session = Session::new(args.resources.limits(), &signals, &display);
    let each = |place: usize, found: PositionOutcome| {
        let answer = Answer {
            game: game.name(),
            manner: question.manner,
            nimber_max: question.nimber_max,
            asked: &asked[place],
            position: boards[place].to_string(),
            found,
        };
        emit(args.json, &answer);
    };
    faults.ended(outcomes(&question, &session, &boards, each), &signals)
}

/// The outcome of a position.
struct Answer<'a> {
    game: &'a str,
    manner: Manner,
    /// The largest nimber that the position was compared with.
    nimber_max: u8,
    asked: &'a Asked,
    position: String,
    found: PositionOutcome,
}

/// In words: `11 = *`, or the winner if no nimber was found.
impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        let name = match self.manner.convention {
            Convention::Normal => self.asked.name.clone(),
            Convention::Misere => format!("{}, misère", self.asked.name),
        };
        let Some(outcome) = Ending::class(found.endings) else {
            let [left, right] = found.endings.map(Ending::name);
            return write!(f, "{name}: Left first: {left}, Right first: {right}");
        };
        let nimber_max = self.nimber_max;
        match (found.nimber, outcome) {
            (Some(nimber), _) => write!(f, "{name} = {}", Nimber(nimber.into())),
            (None, OutcomeClass::Next) if nimber_max == 1 => write!(f, "{name}: N, not *"),
            (None, OutcomeClass::Next) if nimber_max > 1 => {
                let nimber_max = Nimber(nimber_max.into());
                write!(f, "{name}: N, no nimber up to {nimber_max}")
            }
            (None, outcome) => write!(f, "{name}: {outcome}"),
        }
    }
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (asked, found) = (self.asked, &self.found);
        let [left_first, right_first] = found.endings.map(Ending::name);
        let mut object: Map<String, Value> = (asked.variables.iter())
            .map(|(variable, value)| (variable.clone(), json!(value)))
            .collect();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("game", json!(self.game));
        put("play", json!(self.manner.play.name()));
        put("ending", json!(self.manner.convention.name()));
        put("pattern", json!(asked.pattern.as_deref()));
        put("position", json!(self.position));
        let outcome = Ending::class(found.endings).map(OutcomeClass::letter);
        put("outcome", json!(outcome));
        put("left_first", json!(left_first));
        put("right_first", json!(right_first));
        put("nim_value", json!(found.nimber));
        put("nimber_max", json!(self.nimber_max));
        put("positions", json!(found.positions));
        object.serialize(serializer)
    }
}
