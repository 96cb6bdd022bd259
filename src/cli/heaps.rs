//! Heaps as arguments of `seedbank eval`: a game of heaps, how heaps are added, and which heaps.

use std::fmt;

use clap::Args;
use seedbank::dataset::TableRow;
use seedbank::family::Progression;
use seedbank::game::heap::{HeapGame, HeapRules, SubtractionSet};
use seedbank::game::{Convention, SumKind, elsewhere};
use seedbank::run::Session;
use seedbank::task::heaps::{HeapEvaluation, HeapRow, Period, evaluate_heaps, period_heaps};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::arguments::{Argument, Faults, numbers};
use super::error::ended_early;
use super::game_args::{OptionGiven, OptionOf};
use super::names::named;
use super::output::{Format, emit};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

/// The most heaps that are evaluated without a job: their rows are held in memory, some 200 bytes each.
const HEAPS_MAX: u64 = 1_000_000;

/// The largest heap that has a row. A period may give the value of a heap far beyond those that are computed.
const HEAP_MAX: u64 = i64::MAX as u64;

/// The options of games of heaps.
#[derive(Debug, Args)]
pub(super) struct HeapArgs {
    /// The code, for octal: octal or hexadecimal digits such as 0.77, or a name such as kayles
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// The numbers of tokens that may be taken, for subtraction, such as 1,3,4
    #[arg(long, value_name = "NUMBERS")]
    set_of: Option<String>,
    /// How heaps are added: disjunctive (nim-values) or obligated [default: disjunctive]
    #[arg(long, value_name = "SUM", value_parser = named::<SumKind>(SumKind::ALL.map(SumKind::name)), hide_possible_values = true)]
    sum: Option<SumKind>,
    /// Print the preperiod and period of the heaps' values, if they prove them
    #[arg(long)]
    period: bool,
}

impl HeapArgs {
    /// Returns the options.
    pub(super) fn options(&self) -> [OptionGiven; 4] {
        [
            ("--code", self.code.is_some(), OptionOf::Heaps),
            ("--set-of", self.set_of.is_some(), OptionOf::Heaps),
            ("--sum", self.sum.is_some(), OptionOf::Heaps),
            ("--period", self.period, OptionOf::Heaps),
        ]
    }

    /// Returns the game.
    fn game(&self, game: HeapRules) -> Result<HeapGame, CliError> {
        let unused = |name: &str| {
            CliError::usage(format!("{name}: this game of heaps has none; leave it out"))
        };
        match (game, &self.code, &self.set_of) {
            (HeapRules::Code, Some(code), None) => match code.parse::<HeapGame>() {
                Ok(game @ HeapGame::Code(_)) => Ok(game),
                Ok(other) => Err(CliError::usage(format!(
                    "--code {code}: {other} is no code; give it as --game"
                ))),
                Err(error) => {
                    let hint = elsewhere(code).map_or_else(String::new, |hint| format!("; {hint}"));
                    Err(CliError::usage(format!("--code {code}: {error}{hint}")))
                }
            },
            (HeapRules::Code, None, _) => Err(CliError::usage(
                "--game octal needs a code, for example --code 0.77",
            )),
            (HeapRules::Grundy, None, None) => Ok(HeapGame::Grundy),
            (HeapRules::Subtraction, None, Some(set)) => {
                let parsed = set.parse::<SubtractionSet>();
                let parsed =
                    parsed.map_err(|error| CliError::usage(format!("--set-of {set}: {error}")));
                Ok(HeapGame::Subtraction(parsed?))
            }
            (HeapRules::Subtraction, None, None) => Err(CliError::usage(
                "--game subtraction needs a set, for example --set-of 1,3,4",
            )),
            (HeapRules::Code | HeapRules::Grundy, _, Some(_)) => Err(unused("--set-of")),
            (_, Some(_), _) => Err(unused("--code")),
        }
    }
}

/// Evaluates heaps and prints a line for each, and the period if the arguments request it.
pub(super) fn run(
    game: HeapRules,
    args: &HeapArgs,
    ending: Convention,
    given: &[Argument],
    resources: &ResourceArgs,
    json: Format,
) -> Result<Exit, CliError> {
    let game = args.game(game)?;
    let sum = args.sum.unwrap_or(SumKind::Disjunctive);
    // Obligated values say who wins under either ending.
    let ending = match sum {
        SumKind::Disjunctive => ending,
        SumKind::Obligated => Convention::Normal,
    };
    let mut faults = Faults::default();
    let what = format!("heap of {} sums", sum.name());
    let ranges = given.iter().map(|given| {
        let refuse = |error| CliError::usage(format!("{}{error}", given.origin()));
        numbers(&given.text, &what, HEAP_MAX).map_err(refuse)
    });
    let heaps: Vec<Progression<u64>> = ranges.filter_map(|range| faults.reported(range)).collect();
    if heaps.is_empty() {
        return Ok(faults.end(Exit::Done));
    }
    let asked = heaps.iter().map(Progression::len);
    let asked = asked.fold(0, u64::saturating_add);
    if asked > HEAPS_MAX {
        return Err(CliError::usage(format!(
            "{asked} heaps, more than {HEAPS_MAX}; write a job spec for them and use seedbank run"
        )));
    }
    let evaluation = HeapEvaluation {
        game,
        sum,
        ending,
        heaps,
        period: args.period,
    };
    let signals = super::listen()?;
    let display = Display::new();
    let session = Session::new(resources.limits(), &signals, &display);
    let evaluated = match evaluate_heaps(&evaluation, &session) {
        Ok(evaluated) => evaluated,
        Err(error) => return ended_early(error, &signals),
    };
    display.finish();
    for row in &evaluated.rows {
        emit(json, &Heap(row, ending));
    }
    if args.period {
        let proved = Proved {
            period: evaluated.period,
            heaps: evaluated.heaps,
            least: period_heaps(&evaluation.game),
        };
        emit(json, &proved);
    }
    Ok(faults.end(Exit::Done))
}

/// A heap with its value, and who wins if the game ends so.
struct Heap<'a>(&'a HeapRow, Convention);

impl fmt::Display for Heap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Heap(row, ending) = self;
        write!(f, "{} = {}", row.n, row.value)?;
        match ending {
            Convention::Normal => Ok(()),
            Convention::Misere => write!(f, "{}", MisereRemark(row.misere.as_deref())),
        }
    }
}

impl Serialize for Heap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        HeapRow::object(self.0, &[]).serialize(serializer)
    }
}

/// Who wins misère play, as it follows an answer: `, misere N`.
pub(super) struct MisereRemark<'a>(pub(super) Option<&'a str>);

impl fmt::Display for MisereRemark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(outcome) => write!(f, ", misere {outcome}"),
            None => f.write_str(", misere unknown: the search is beyond its limits"),
        }
    }
}

/// The period that the values of heaps prove, if they do.
struct Proved {
    period: Option<Period>,
    /// The heaps whose values were found.
    heaps: u64,
    /// The least number of heaps that are searched.
    least: u64,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proved { heaps, least, .. } = self;
        match &self.period {
            Some(period) => period.fmt(f),
            None => write!(
                f,
                "no period is proved by the values of the heaps below {heaps} (at least {least} heaps are searched)"
            ),
        }
    }
}

impl Serialize for Proved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = json!({
            "preperiod": self.period.map(|found| found.preperiod),
            "period": self.period.map(|found| found.period),
            "saltus": self.period.map(|found| found.saltus),
            "bound": self.period.map(|found| found.bound),
            "checked_to": self.period.map(|found| found.checked_to),
            "heaps": self.heaps,
        });
        object.serialize(serializer)
    }
}
