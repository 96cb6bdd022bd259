//! `seedbank prove`

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use clap::{ArgAction, ArgGroup, Args};
use seedbank::durable::IoError;
use seedbank::engine::{EngineError, StopReason};
use seedbank::evaluate::with_values;
use seedbank::family::Pattern;
use seedbank::game::{Game, Play};
use seedbank::mine::{LawKind, MineOptions, Subject};
use seedbank::proof::{Certificate, Relation, Written};
use seedbank::prover::{Budget, Theorem, TheoremError, Verdict, claim_of, prove};
use seedbank::run::mining::{Data, MiningError};
use seedbank::run::{Job, Limits, RunError, Session, Signals, Silent};
use serde::Serialize;

use super::error::{ended_early, unwritten};
use super::files::write_text;
use super::laws::mined;
use super::options::{OutArgs, ResourceArgs, time};
use super::output::{Format, count, emit};
use super::positions::GameArgs;
use super::progress::Meter;
use super::{CliError, Exit, load_jobs, results};

/// The most positions that the search of one small row may take.
const POSITIONS_MAX: u64 = 20_000;

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("claim").required(true).args(["value", "at_most", "at_least", "set", "laws"]))]
pub(super) struct ProveArgs {
    /// The pattern of the rows, such as '(10)^m 2 (01)^n'
    #[arg(
        value_name = "PATTERN",
        required_unless_present_any = ["set", "laws"],
        conflicts_with_all = ["set", "laws"]
    )]
    pattern: Option<String>,
    /// The value of all rows, in terms of the pattern's variables, such as '{n|-m}'
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    value: Option<String>,
    /// An upper bound of the values of all rows
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_most: Option<String>,
    /// A lower bound of the values of all rows
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    at_least: Option<String>,
    /// A pattern of rows that the player who moves first loses; may be repeated
    #[arg(long, value_name = "PATTERN")]
    set: Vec<String>,
    /// The jobs whose laws are to be proved, as "seedbank mine" finds them in their results: values of patterns in terms of the
    /// exponents; those of games whose moves are not read are open
    #[arg(long, value_name = "JOB", num_args = 1.., conflicts_with_all = ["least", "game", "play", "pots"])]
    laws: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    /// The least values of the variables, such as m=1,n=0 [default: 0]; if repeated, the rows of any of them
    #[arg(long, value_name = "PLACE", value_parser = least)]
    least: Vec<Least>,
    /// Use no claims except those to be proved
    #[arg(long)]
    alone: bool,
    /// The most further claims that a proof may have
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        conflicts_with = "alone"
    )]
    claims: usize,
    /// The time after which the search for a proof of a theorem ends, such as 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    time: humantime::Duration,
    /// Write the proof to this file, which "seedbank check" checks; with --laws, each proof to a file in this folder
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
    /// The certificate's title
    #[arg(long, value_name = "TEXT", requires = "certificate")]
    title: Option<String>,
    /// The source of the theorem, for the certificate
    #[arg(long, value_name = "TEXT", requires = "certificate")]
    source: Option<String>,
    /// Print one JSON object for each theorem
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
    #[command(flatten)]
    of: GameArgs,
    #[command(flatten)]
    resources: ResourceArgs,
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

/// Laws that no proof is attempted for.
#[derive(Default)]
struct LeftOut {
    /// Laws of games whose moves are not read; they stay open.
    unread: Vec<Unread>,
    /// The number of laws that are not claims.
    others: usize,
}

/// A law of a game whose moves are not read.
#[derive(Serialize)]
struct Unread {
    game: &'static str,
    play: &'static str,
    law: String,
    verdict: &'static str,
    why: String,
}

/// A theorem to prove about a game.
struct Question {
    game: Game,
    play: Play,
    theorem: Vec<Written>,
    title: Option<String>,
    source: Option<String>,
    /// The file for its certificate.
    certificate: Option<PathBuf>,
}

impl ProveArgs {
    /// Returns the theorem that the arguments state: a claim for each of the least values and each pattern.
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
        let least = if self.least.is_empty() {
            &all
        } else {
            &self.least[..]
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

    /// Returns the theorems to prove, and the laws left out.
    fn questions(&self, signals: &Signals) -> Result<(Vec<Question>, LeftOut), Stopped> {
        if self.laws.is_empty() {
            let game = self.of.game().map_err(Stopped::Error)?;
            let question = Question {
                game,
                play: self.of.play(game).map_err(Stopped::Error)?,
                theorem: self.theorem(),
                title: self.title.clone(),
                source: self.source.clone(),
                certificate: self.certificate.clone(),
            };
            return Ok((vec![question], LeftOut::default()));
        }
        let mut questions: Vec<Question> = Vec::new();
        let mut left_out = LeftOut::default();
        for job in load_jobs(&self.laws).map_err(Stopped::Error)? {
            self.laws_of(job, signals, &mut questions, &mut left_out)?;
        }
        Ok((questions, left_out))
    }

    /// Adds the laws of values that mining finds in a job's result.
    fn laws_of(
        &self,
        job: Job,
        signals: &Signals,
        questions: &mut Vec<Question>,
        left_out: &mut LeftOut,
    ) -> Result<(), Stopped> {
        let played = job.task.played().ok_or_else(|| {
            Stopped::Error(CliError::usage(format!(
                "{}: laws of values are about positions of a game that is played; accepted: jobs with a game and a play",
                job.header.path.display(),
            )))
        });
        let (game, play) = played?;
        let unread = unread(game);
        results::finished(&job, &self.out.out)
            .and_then(|result| result.complete(&job, &self.out.out))
            .map_err(Stopped::Error)?;
        let session = Session::new(self.resources.limits(), signals, &Silent);
        let options = MineOptions {
            laws: vec![LawKind::Values],
            ..MineOptions::default()
        };
        let mining = mined(&[job], &self.out.out, &options, &session);
        let mining = mining.map_err(|error| match error {
            MiningError::Run(error) => Stopped::Evaluation(error),
            error => Stopped::Error(error.into()),
        })?;
        for found in &mining.found {
            let Data::Column(column) = &found.data else {
                continue;
            };
            let pattern = match &column.subject {
                Subject::Members(pattern) => pattern.parse::<Pattern>().ok(),
                Subject::Followers(_) => None,
            };
            for statement in &found.mined.laws {
                let Some(law) = &statement.values else {
                    continue;
                };
                if let Some(why) = &unread {
                    left_out.unread.push(Unread {
                        game: game.name(),
                        play: play.name(),
                        law: format!("{} = {statement}", column.subject),
                        verdict: "open",
                        why: why.clone(),
                    });
                    continue;
                }
                let pattern = pattern.as_ref();
                let claim = pattern.and_then(|pattern| claim_of(pattern, &column.variables, law));
                let Some(theorem) = claim else {
                    left_out.others += 1;
                    continue;
                };
                let name = &mining.jobs[0].header.name;
                let certificate = self.certificate.as_ref().map(|folder| {
                    let file = file_name(game, play, &theorem);
                    let mut path = folder.join(format!("{file}.toml"));
                    let is_taken = |path: &PathBuf| {
                        let mut others = questions.iter();
                        others.any(|other| other.certificate.as_ref() == Some(path))
                    };
                    let mut number = 1;
                    while is_taken(&path) {
                        number += 1;
                        path = folder.join(format!("{file}-{number}.toml"));
                    }
                    path
                });
                questions.push(Question {
                    game,
                    play,
                    title: None,
                    source: Some(format!("a law of the job {name}")),
                    theorem: vec![theorem],
                    certificate,
                });
            }
        }
        Ok(())
    }
}

/// Returns the name of a file about a theorem, without its ending.
fn file_name(game: Game, play: Play, theorem: &Written) -> String {
    let pattern = theorem.rows.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c => c.is_ascii_alphanumeric().then_some(c),
    });
    format!(
        "{}-{}-{}",
        game.name(),
        play.name(),
        pattern.collect::<String>()
    )
}

/// Returns why proofs do not know the moves of a game, if they do not.
fn unread(game: Game) -> Option<String> {
    if game.board_pots().is_some() {
        let name = game.name();
        return Some(format!(
            "the moves of {name} on a board of fixed width are not read"
        ));
    }
    let is_read = game.reading().is_some();
    (!is_read).then(|| format!("the moves of {} are not read", game.name()))
}

pub(super) fn run(args: &ProveArgs) -> Result<Exit, CliError> {
    let signals = super::listen()?;
    let ended = |stopped| match stopped {
        Stopped::Error(error) => Err(error),
        Stopped::Evaluation(error) => ended_early(*error, &signals),
    };
    let (questions, left_out) = match args.questions(&signals) {
        Ok(found) => found,
        Err(stopped) => return ended(stopped),
    };
    if let (Some(folder), false) = (&args.certificate, args.laws.is_empty()) {
        let failed = |error| unwritten(&IoError::on("create", folder)(error));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut proved = 0;
    let mut refuted = 0;
    for question in &questions {
        let verdict = match args.verdict(question, &signals) {
            Ok(verdict) => verdict,
            Err(stopped) => return ended(stopped),
        };
        emit(args.json, &Report::of(question, &verdict));
        match verdict {
            Verdict::Proved(claims) => {
                proved += 1;
                question.write(claims)?;
            }
            Verdict::Refuted { .. } => refuted += 1,
            Verdict::Open(_) => {}
        }
    }
    for law in &left_out.unread {
        emit(args.json, law);
    }
    if !args.laws.is_empty() {
        let all = questions.len() + left_out.unread.len();
        let open = all - proved - refuted;
        let laws = count(all as u64, "law");
        let left_out = match left_out.others {
            0 => String::new(),
            more => format!("; {} of another form", count(more as u64, "law")),
        };
        args.json.remark(&format!(
            "{laws}: {proved} proved, {refuted} refuted, {open} open{left_out}"
        ));
        return Ok(Exit::Done);
    }
    Ok(if proved == questions.len() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Why there is no verdict.
enum Stopped {
    /// An error in the arguments or in the work.
    Error(CliError),
    /// The evaluation was stopped.
    Evaluation(Box<RunError>),
}

/// Returns the games whose moves are read.
fn readable() -> String {
    let readable = Game::ALL.iter().filter(|game| game.reading().is_some());
    let readable: Vec<&str> = readable.map(|game| game.name()).collect();
    readable.join(", ")
}

impl ProveArgs {
    /// Searches for a proof.
    fn verdict(&self, question: &Question, signals: &Signals) -> Result<Verdict, Stopped> {
        let Question {
            game,
            play,
            theorem,
            ..
        } = question;
        let usage = |message: String| Stopped::Error(CliError::usage(message));
        let Some(reading) = game.reading() else {
            return Err(usage(format!(
                "nothing is proved about this game; accepted: {}, without --pots",
                readable()
            )));
        };
        let until = Instant::now() + *self.time;
        let more = if self.alone { 0 } else { self.claims };
        let is_stopped = || signals.interrupted() || signals.terminated();
        let budget = Budget {
            until,
            is_stopped: &is_stopped,
            claims_max: theorem.len() + more,
        };
        let limits = Limits {
            deadline: Some(until),
            ..Limits::new(1, self.resources.memory())
        };
        let session = Session::new(limits, signals, &Silent);
        let asked = Theorem {
            reading,
            play: *play,
            claims: theorem,
        };
        let _meter = Meter::new(theorem[0].rows.clone(), "proving", "");
        let verdict = with_values(*game, *play, &session, |values| {
            let mut evaluate = |board: &_| match values.value(board, POSITIONS_MAX) {
                // No value: the search for a proof ends at the time limit and returns its verdict.
                Err(RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))) => Ok(None),
                found => Ok(found?),
            };
            prove(&asked, budget, values.arena(), &mut evaluate)
        });
        if is_stopped() {
            let interrupted = EngineError::Stopped(StopReason::Interrupted);
            return Err(Stopped::Evaluation(Box::new(interrupted.into())));
        }
        verdict.map_err(|error| match error {
            TheoremError::Claim(error) => usage(error.to_string()),
            TheoremError::Evaluation(error) => match error.downcast::<RunError>() {
                Ok(error) => Stopped::Evaluation(error),
                Err(error) => usage(error.to_string()),
            },
        })
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: open; {}", self.law, self.why)
    }
}

impl Question {
    /// Writes the certificate, if it has a file.
    fn write(&self, claims: Vec<Written>) -> Result<(), CliError> {
        let Some(path) = &self.certificate else {
            return Ok(());
        };
        let certificate = Certificate {
            title: self.title.clone(),
            source: self.source.clone(),
            game: self.game,
            play: self.play,
            version: self.game.version(),
            theorem: self.theorem.clone(),
            claims,
        };
        write_text(path, &certificate.to_string())?;
        Ok(())
    }
}

/// The answer to a question.
#[derive(Serialize)]
struct Report<'a> {
    game: &'static str,
    play: &'static str,
    theorem: Vec<Claim<'a>>,
    #[serde(flatten)]
    answer: Answer<'a>,
}

/// A verdict, as it is printed.
#[derive(Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
enum Answer<'a> {
    Proved {
        claims: Vec<Claim<'a>>,
    },
    Refuted {
        row: &'a str,
        value: &'a str,
        claimed: &'a str,
    },
    Open {
        why: &'a str,
    },
}

#[derive(Serialize)]
struct Claim<'a> {
    rows: &'a str,
    least: &'a BTreeMap<char, i64>,
    relation: &'static str,
    value: &'a str,
    #[serde(skip)]
    written: &'a Written,
}

impl Claim<'_> {
    fn all(written: &[Written]) -> Vec<Claim<'_>> {
        let claims = written.iter().map(|written| Claim {
            rows: &written.rows,
            least: &written.least,
            relation: written.relation.key(),
            value: &written.value,
            written,
        });
        claims.collect()
    }
}

impl Report<'_> {
    fn of<'a>(question: &'a Question, verdict: &'a Verdict) -> Report<'a> {
        Report {
            game: question.game.name(),
            play: question.play.name(),
            theorem: Claim::all(&question.theorem),
            answer: match verdict {
                Verdict::Proved(claims) => Answer::Proved {
                    claims: Claim::all(claims),
                },
                Verdict::Refuted {
                    row,
                    value,
                    claimed,
                } => Answer::Refuted {
                    row,
                    value,
                    claimed,
                },
                Verdict::Open(why) => Answer::Open { why },
            },
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let theorem = self.theorem.iter().map(|claim| claim.written.to_string());
        let theorem = theorem.collect::<Vec<_>>().join("; ");
        match &self.answer {
            Answer::Proved { claims } => {
                write!(f, "{theorem}: proved")?;
                if !claims.is_empty() {
                    write!(f, ", with {}", count(claims.len() as u64, "further claim"))?;
                }
                let mut claims = claims.iter();
                claims.try_for_each(|claim| write!(f, "\n  {}", claim.written))
            }
            Answer::Refuted {
                row,
                value,
                claimed,
            } => write!(f, "{theorem}: refuted by {row} = {value}, not {claimed}"),
            Answer::Open { why } => write!(f, "{theorem}: open; {why}"),
        }
    }
}
