//! `seedbank mine`

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use seedbank::mine::{Confidence, LawKind, MineOptions, Place};
use seedbank::run::mining::{Data, Mining, MiningError};
use seedbank::run::{Session, Silent};

use super::error::ended_early;
use super::laws::{mined, reports};
use super::options::{ResourceArgs, ResultArgs, time};
use super::output::{Format, emit};
use super::{CliError, Exit, load_jobs, results};

#[derive(Debug, Args)]
#[command(after_long_help = Confidence::MEANING)]
pub(super) struct MineArgs {
    /// The job specs, files or names below jobs/ such as theorem-2-2, whose results are searched
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Find only these kinds of laws, such as values,rules
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind())]
    laws: Vec<LawKind>,
    /// Mine only columns over these variables, such as m,n
    #[arg(long, value_name = "VARIABLES", value_delimiter = ',')]
    variables: Option<Vec<String>>,
    /// Print the value that the laws give at one place, such as m=11,n=9, as the last line
    #[arg(long, value_name = "PLACE", value_parser = place)]
    predict: Option<Place>,
    /// Compute the nearest entries that laws predict, within a time such as 90s, and report which laws hold
    #[arg(long, value_name = "TIME", value_parser = time)]
    extend: Option<humantime::Duration>,
    /// Write the laws to a result set of this folder, table laws
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    #[command(flatten)]
    result: ResultArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Print one JSON object for each column
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

/// Reads the name of a kind of law.
fn kind() -> impl TypedValueParser<Value = LawKind> {
    PossibleValuesParser::new(LawKind::NAMES).map(|name| {
        LawKind::named(&name).expect("a kind for each of the names that the parser accepts")
    })
}

fn place(text: &str) -> Result<Place, String> {
    let binding = |part: &str| {
        let (name, number) = part.split_once('=')?;
        Some((name.trim().to_owned(), number.trim().parse().ok()?))
    };
    let bindings = text.split(',').map(|part| {
        binding(part).ok_or_else(|| {
            format!("{part:?} gives no variable a number; write a place such as m=11,n=9")
        })
    });
    bindings.collect::<Result<_, _>>().map(Place::new)
}

pub(super) fn run(args: &MineArgs) -> Result<Exit, CliError> {
    let jobs = load_jobs(&args.jobs)?;
    for job in &jobs {
        results::expected(job, &args.result)?;
    }
    let options = options(args);
    let signals = super::listen()?;
    let session = Session::new(args.resources.limits(), &signals, &Silent);
    let mining = match mined(&jobs, &args.result, &options, &session) {
        Err(MiningError::Run(error)) => return ended_early(*error, &signals),
        mined => mined?,
    };
    reports(&mining, args.json).for_each(|laws| emit(args.json, &laws));
    if let Some(dir) = &args.table {
        mining.write(dir, &options)?;
    }
    let predicted = predicted(&mining, &options);
    if args.predict.is_some() && predicted.is_empty() {
        let message = "no law gives the entry at this place";
        return Err(CliError::new(Exit::Failed, message.to_owned()));
    }
    predicted.iter().for_each(|line| args.json.remark(line));
    Ok(Exit::Done)
}

fn options(args: &MineArgs) -> MineOptions {
    let all = MineOptions::default();
    MineOptions {
        laws: if args.laws.is_empty() {
            all.laws
        } else {
            args.laws.clone()
        },
        variables: args.variables.clone(),
        extend: args.extend.map(|time| *time),
        predict: args.predict.clone(),
    }
}

/// Returns the values that the laws give at the place, a line for each column that has the place.
fn predicted(mining: &Mining, options: &MineOptions) -> Vec<String> {
    let lines = mining.found.iter().filter_map(|found| {
        let Data::Column(column) = &found.data else {
            return None;
        };
        let value = found.mined.predicted.as_ref()?;
        let place = column.place(&options.place(column)?);
        Some(format!("{} at {place} = {value}", column.subject))
    });
    lines.collect()
}
