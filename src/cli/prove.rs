//! `seedbank prove`

mod answer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{ArgAction, ArgGroup, Args};
use seedbank::durable::IoError;
use seedbank::evaluate::{ProofError, ValueLaws, prove_theorem};
use seedbank::game::{Game, GameKind, Play};
use seedbank::mine::{LawKind, MineOptions};
use seedbank::proof::{Certificate, Relation, Written};
use seedbank::prover::Verdict;
use seedbank::run::mining::MiningError;
use seedbank::run::{RunError, Session, Signals, Silent};

use self::answer::{About, Allowed, Answer, Claim, OpenAnswer, Report};
use super::error::{ended_early, unwritten};
use super::files::write_text;
use super::game_args::{GameArgs, refused};
use super::laws::mined;
use super::options::{ResourceArgs, ResultArgs, time};
use super::output::{Format, count, emit};
use super::progress::Meter;
use super::{CliError, Exit, load_jobs, results};

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
    #[arg(long, value_name = "JOB", num_args = 1.., conflicts_with_all = ["least", "game", "play", "pots", "rules", "rule"])]
    laws: Vec<PathBuf>,
    #[command(flatten)]
    result: ResultArgs,
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

/// What is to be proved.
#[derive(Default)]
struct Questions {
    theorems: Vec<Question>,
    unread: Vec<UnreadLaw>,
    /// The number of laws that are not claims.
    others: usize,
}

/// A law of a game whose moves are not read, which stays open.
struct UnreadLaw {
    game: Game,
    play: Play,
    law: String,
    why: String,
}

/// A theorem to prove: a certificate that lacks the further claims.
struct Question {
    stated: Certificate,
    /// The file for the certificate.
    file: Option<PathBuf>,
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

    /// Returns what is to be proved.
    fn questions(&self, session: &Session<'_>) -> Result<Questions, Stopped> {
        let mut questions = Questions::default();
        if self.laws.is_empty() {
            let game = match self.of.kind()? {
                GameKind::Pots(game) => self.of.game(game)?,
                other => return Err(refused(other, &Game::names_read()).into()),
            };
            questions.theorems.push(Question {
                stated: Certificate {
                    title: self.title.clone(),
                    source: self.source.clone(),
                    ..stated(game, self.of.play(game)?, self.theorem())
                },
                file: self.certificate.clone(),
            });
        }
        for job in load_jobs(&self.laws)? {
            let (game, play) = job.task.played().ok_or_else(|| {
                CliError::usage(format!(
                    "{}: laws of values are about positions of a game that is played; accepted: jobs with a game and a play",
                    job.header.path.display(),
                ))
            })?;
            results::expected(&job, &self.result)?;
            let options = MineOptions {
                laws: vec![LawKind::Values],
                ..MineOptions::default()
            };
            let source = format!("a law of the job {}", job.header.name);
            let laws = ValueLaws::of(&mined(&[job], &self.result, &options, session)?, game);
            for claim in laws.claims {
                let folder = self.certificate.as_deref();
                questions.theorems.push(Question {
                    file: folder.map(|folder| questions.file(folder, game, play, &claim)),
                    stated: Certificate {
                        source: Some(source.clone()),
                        ..stated(game, play, vec![claim])
                    },
                });
            }
            if let Err(why) = game.reading() {
                let unread = laws.unread.into_iter().map(|law| UnreadLaw {
                    game,
                    play,
                    law,
                    why: why.to_string(),
                });
                questions.unread.extend(unread);
            }
            questions.others += laws.others;
        }
        Ok(questions)
    }
}

impl Questions {
    /// Returns a file for the certificate of a claim that no other theorem has.
    fn file(&self, folder: &Path, game: Game, play: Play, claim: &Written) -> PathBuf {
        let name = file_name(game, play, claim);
        let mut path = folder.join(format!("{name}.toml"));
        let is_taken = |path: &PathBuf| {
            let mut others = self.theorems.iter();
            others.any(|other| other.file.as_ref() == Some(path))
        };
        let mut number = 1;
        while is_taken(&path) {
            number += 1;
            path = folder.join(format!("{name}-{number}.toml"));
        }
        path
    }
}

/// Returns a certificate of a theorem that is still to be proved.
fn stated(game: Game, play: Play, theorem: Vec<Written>) -> Certificate {
    Certificate {
        title: None,
        source: None,
        game,
        play,
        version: game.version(),
        theorem,
        claims: Vec::new(),
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

pub(super) fn run(args: &ProveArgs) -> Result<Exit, CliError> {
    let signals = super::listen()?;
    match proved(args, &signals) {
        Ok(exit) => Ok(exit),
        Err(Stopped::Error(error)) => Err(error),
        Err(Stopped::Run(error)) => ended_early(*error, &signals),
    }
}

/// Why there is no verdict.
enum Stopped {
    /// An error in the arguments or in the work.
    Error(CliError),
    /// The evaluation failed or was stopped.
    Run(Box<RunError>),
}

impl From<CliError> for Stopped {
    fn from(error: CliError) -> Stopped {
        Stopped::Error(error)
    }
}

impl From<MiningError> for Stopped {
    fn from(error: MiningError) -> Stopped {
        match error {
            MiningError::Run(error) => Stopped::Run(error),
            error => Stopped::Error(error.into()),
        }
    }
}

impl From<ProofError> for Stopped {
    fn from(error: ProofError) -> Stopped {
        match error {
            ProofError::Run(error) => Stopped::Run(error),
            error => Stopped::Error(CliError::usage(error.to_string())),
        }
    }
}

/// Searches for proofs, and prints each verdict.
fn proved(args: &ProveArgs, signals: &Signals) -> Result<Exit, Stopped> {
    let session = Session::new(args.resources.limits(), signals, &Silent);
    let questions = args.questions(&session)?;
    if let (Some(folder), false) = (&args.certificate, args.laws.is_empty()) {
        let failed = |error| unwritten(&IoError::on("create", folder)(error));
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let allowed = Allowed {
        alone: args.alone,
        claims: args.claims,
        time: *args.time,
    };
    let claims_more = if args.alone { 0 } else { args.claims };
    let (mut proved, mut refuted) = (0, 0);
    for Question { stated, file } in &questions.theorems {
        let Certificate {
            game,
            play,
            theorem,
            ..
        } = stated;
        let verdict = {
            let _meter = Meter::new(theorem[0].rows.clone(), "proving", "");
            prove_theorem(*game, *play, theorem, claims_more, *args.time, &session)?
        };
        let about = About::Theorem {
            theorem: Claim::all(theorem),
        };
        let report = Report::new(*game, *play, about, allowed.answer(&verdict, theorem));
        emit(args.json, &report);
        match verdict {
            Verdict::Proved(claims) => {
                proved += 1;
                if let Some(file) = file {
                    let certificate = Certificate {
                        claims,
                        ..stated.clone()
                    };
                    write_text(file, &certificate.to_string())?;
                }
            }
            Verdict::Refuted { .. } => refuted += 1,
            Verdict::Open(_) => {}
        }
    }
    for unread in &questions.unread {
        let about = About::Law { law: &unread.law };
        let open = Answer::Open(OpenAnswer::unread(&unread.why));
        let report = Report::new(unread.game, unread.play, about, open);
        emit(args.json, &report);
    }
    if args.laws.is_empty() {
        let is_proved = proved == questions.theorems.len();
        return Ok(if is_proved { Exit::Done } else { Exit::Failed });
    }
    let all = questions.theorems.len() + questions.unread.len();
    let open = all - proved - refuted;
    let laws = count(all as u64, "law");
    let left_out = match questions.others {
        0 => String::new(),
        more => format!("; {} of another form", count(more as u64, "law")),
    };
    args.json.remark(&format!(
        "{laws}: {proved} proved, {refuted} refuted, {open} open{left_out}"
    ));
    Ok(Exit::Done)
}
