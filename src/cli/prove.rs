//! `seedbank prove`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use super::error::ended_early;
use super::means::{MeansArgs, time};
use super::output::{count, print_line};
use super::positions::GameArgs;
use super::progress::Meter;
use super::{CliError, Exit};
use crate::evaluate::with_values;
use crate::game::{Game, Play};
use crate::proof::{Certificate, Relation, Written};
use crate::prover::{Budget, Theorem, TheoremError, Verdict, prove};
use crate::run::{Means, RunError};

/// The most positions that the search of one small row may take.
const POSITIONS_MAX: u64 = 20_000;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("claim").required(true).args(["value", "at_most", "at_least", "set"]))]
pub(super) struct ProveArgs {
    /// The pattern of the rows, such as '(10)^m 2 (01)^n'
    #[arg(
        value_name = "PATTERN",
        required_unless_present = "set",
        conflicts_with = "set"
    )]
    pattern: Option<String>,
    /// What all rows are worth, in terms of the pattern's variables, such as '{n|-m}'
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    value: Option<String>,
    /// What all rows are worth at most
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_most: Option<String>,
    /// What all rows are worth at least
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_least: Option<String>,
    /// A pattern of rows that the player who moves first loses; may be repeated
    #[arg(long, value_name = "PATTERN")]
    set: Vec<String>,
    /// The least values of the variables, such as m=1,n=0 [default: 0]; if repeated, the rows of any of them
    #[arg(long, value_name = "PLACE", value_parser = least)]
    least: Vec<Least>,
    /// Use no other claims than what is to be proved
    #[arg(long)]
    alone: bool,
    /// The most claims that a proof may have besides
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        conflicts_with = "alone"
    )]
    claims: usize,
    /// When to give up, such as 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    time: humantime::Duration,
    /// Write the proof to this file, which "seedbank check" checks
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// The certificate's title
    #[arg(long, value_name = "TEXT", requires = "certificate")]
    title: Option<String>,
    /// Where the theorem is from, for the certificate
    #[arg(long, value_name = "TEXT", requires = "certificate")]
    source: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    of: GameArgs,
    #[command(flatten)]
    means: MeansArgs,
}

/// Least values of variables.
#[derive(Clone, Debug, Default)]
struct Least(BTreeMap<char, i64>);

fn least(text: &str) -> Result<Least, String> {
    let bindings = text.split(',').map(|part| {
        let bound = part.split_once('=').and_then(|(name, least)| {
            let mut name = name.trim().chars();
            let name = name.next().filter(|_| name.next().is_none())?;
            Some((name, least.trim().parse().ok()?))
        });
        bound.ok_or_else(|| {
            format!("{part:?} gives no variable a number; write least values such as m=1,n=0")
        })
    });
    bindings.collect::<Result<_, _>>().map(Least)
}

impl ProveArgs {
    /// Returns what is to be proved: a claim for each of the least values and each pattern.
    fn theorem(&self) -> Vec<Written> {
        let stated = [
            (Relation::Is, &self.value),
            (Relation::AtMost, &self.at_most),
            (Relation::AtLeast, &self.at_least),
        ];
        let mut stated = stated
            .into_iter()
            .filter_map(|(relation, value)| Some((relation, value.as_deref()?)));
        let (relation, value) = stated.next().unwrap_or((Relation::Is, "0"));
        let all = [Least::default()];
        let least = match self.least.is_empty() {
            true => &all,
            false => &self.least[..],
        };
        let patterns = self.pattern.iter().chain(&self.set);
        let claims = patterns.flat_map(|rows| {
            least.iter().map(|least| Written {
                rows: rows.clone(),
                least: least.0.clone(),
                relation,
                value: value.to_owned(),
            })
        });
        claims.collect()
    }
}

pub(super) fn run(args: &ProveArgs) -> Result<Exit, CliError> {
    let game = args.of.game()?;
    let play = args.of.play(game)?;
    let theorem = args.theorem();
    let signals = super::listen()?;
    let means = Means {
        threads: args.means.threads(),
        memory: args.means.memory(),
        deadline: Instant::now() + *args.time,
        signals: &signals,
    };
    let more = if args.alone { 0 } else { args.claims };
    let meter = Meter::new(theorem[0].rows.clone(), "proving", "");
    let verdict = verdict(game, play, &theorem, more, &means);
    drop(meter);
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(Stopped::Usage(message)) => return Err(CliError::usage(message)),
        Err(Stopped::Evaluation(error)) => return ended_early(error, &signals),
    };
    match args.json {
        true => print_line(&object(&theorem, &verdict).to_string()),
        false => print(&theorem, &verdict),
    }
    let Verdict::Proved(claims) = verdict else {
        return Ok(Exit::Failed);
    };
    if let Some(path) = &args.certificate {
        let certificate = Certificate {
            title: args.title.clone(),
            source: args.source.clone(),
            game,
            play,
            version: game.version(),
            theorem,
            claims,
        };
        write(path, &certificate)?;
    }
    Ok(Exit::Done)
}

/// Why there is no verdict.
pub(super) enum Stopped {
    /// What is to be proved cannot be.
    Usage(String),
    /// The evaluation was stopped.
    Evaluation(RunError),
}

/// Looks for a proof with a number of claims besides the theorem, and checks it.
pub(super) fn verdict(
    game: Game,
    play: Play,
    theorem: &[Written],
    more: usize,
    means: &Means<'_>,
) -> Result<Verdict, Stopped> {
    let Some(reading) = game.reading() else {
        let readable = Game::ALL.iter().filter(|game| game.reading().is_some());
        let readable: Vec<&str> = readable.map(|game| game.name()).collect();
        return Err(Stopped::Usage(format!(
            "nothing is proved about this game; accepted: {}, without --pots",
            readable.join(", ")
        )));
    };
    let budget = Budget {
        until: means.deadline,
        claims_max: theorem.len() + more,
    };
    let asked = Theorem {
        reading,
        play,
        claims: theorem,
    };
    // The evaluation may take a little longer than the search, which then says what it was about.
    let evaluating = Means {
        deadline: means.deadline + Duration::from_secs(1),
        ..*means
    };
    let verdict = with_values(game, play, &evaluating, |values| {
        let mut evaluate = |board: &_| Ok(values.value(board, POSITIONS_MAX)?);
        prove(&asked, budget, values.arena(), &mut evaluate)
    });
    match verdict {
        Ok(verdict) => Ok(verdict),
        Err(TheoremError::Claim(error)) => Err(Stopped::Usage(error.to_string())),
        Err(TheoremError::Evaluation(error)) => match error.downcast::<RunError>() {
            Ok(error) => Err(Stopped::Evaluation(*error)),
            Err(error) => Err(Stopped::Usage(error.to_string())),
        },
    }
}

fn write(path: &Path, certificate: &Certificate) -> Result<(), CliError> {
    std::fs::write(path, certificate.to_string()).map_err(|error| {
        CliError::new(
            Exit::Failed,
            format!("{} cannot be written: {error}", path.display()),
        )
    })
}

fn print(theorem: &[Written], verdict: &Verdict) {
    let theorem: Vec<String> = theorem.iter().map(Written::to_string).collect();
    let theorem = theorem.join("; ");
    match verdict {
        Verdict::Proved(claims) => {
            let with = match claims.is_empty() {
                true => String::new(),
                false => format!(", with {}", count(claims.len() as u64, "further claim")),
            };
            print_line(&format!("{theorem}: proved{with}"));
            for claim in claims {
                print_line(&format!("  {claim}"));
            }
        }
        Verdict::Refuted {
            row,
            value,
            claimed,
        } => print_line(&format!(
            "{theorem}: refuted by {row} = {value}, not {claimed}"
        )),
        Verdict::Open(why) => print_line(&format!("{theorem}: open; {why}")),
    }
}

fn object(theorem: &[Written], verdict: &Verdict) -> Value {
    let claim = |claim: &Written| {
        json!({
            "rows": claim.rows,
            "least": claim.least.iter().map(|(name, least)| (name.to_string(), *least)).collect::<BTreeMap<_, _>>(),
            "relation": claim.relation.key(),
            "value": claim.value,
        })
    };
    let all = |claims: &[Written]| claims.iter().map(claim).collect::<Vec<_>>();
    let mut object = json!({ "theorem": all(theorem) });
    let more = match verdict {
        Verdict::Proved(claims) => json!({ "verdict": "proved", "claims": all(claims) }),
        Verdict::Refuted {
            row,
            value,
            claimed,
        } => json!({ "verdict": "refuted", "row": row, "value": value, "claimed": claimed }),
        Verdict::Open(why) => json!({ "verdict": "open", "why": why }),
    };
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}
