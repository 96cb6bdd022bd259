//! `seedbank eval`

use std::path::PathBuf;

use clap::Args;

use super::heaps::{self, HeapArgs};
use super::json;
use super::output::print_line;
use super::positions::{GameArg, PositionArgs, ended_early};
use super::{CliError, Exit, MeansArgs};
use crate::run::{Evaluation, Signals, evaluate};
use crate::value::{Notation, ValueDigest};

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    positions: PositionArgs,
    /// How values are written [default: cgsuite]
    #[arg(long, value_enum)]
    notation: Option<NotationArg>,
    #[command(flatten)]
    heaps: HeapArgs,
    /// Count the distinct followers of each position
    #[arg(long)]
    followers: bool,
    /// Print one JSON object a line, with the columns of the table positions or heaps
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    means: MeansArgs,
    /// Use the values of this store, too
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum NotationArg {
    /// As CGSuite prints values
    Cgsuite,
    /// Nested braces over numbers and nimbers
    Plain,
}

pub(super) fn run(args: &EvalArgs) -> Result<Exit, CliError> {
    if let GameArg::Heaps(game) = args.positions.game {
        let unused = [
            ("--followers", args.followers),
            ("--notation", args.notation.is_some()),
            ("--store", args.store.is_some()),
        ];
        let unused = unused
            .iter()
            .find(|(_, given)| *given)
            .map(|&(name, _)| name);
        if let Some(name) = args.positions.given_for_strips().or(unused) {
            return Err(CliError::usage(format!(
                "{name} is for positions of sowing and atomic-wari; leave it out"
            )));
        }
        let heaps = &args.positions.positions;
        return heaps::run(game, &args.heaps, heaps, &args.means, args.json);
    }
    if let Some(name) = args.heaps.given() {
        return Err(CliError::usage(format!(
            "{name} is for games of heaps: octal, grundy, subtraction; leave it out"
        )));
    }
    let game = args.positions.game()?;
    let (asked, rows) = args.positions.expand(game)?;
    let evaluation = Evaluation {
        game,
        play: args.positions.play()?,
        threads: args.means.threads(),
        memory: args.means.memory(),
        store: args.store.clone(),
        notation: match args.notation {
            None | Some(NotationArg::Cgsuite) => Notation::CgSuite,
            Some(NotationArg::Plain) => Notation::Plain,
        },
        followers: args.followers,
    };
    let signals = Signals::listen().map_err(CliError::failed)?;
    let evaluated = match evaluate(&evaluation, &rows, &signals) {
        Ok(evaluated) => evaluated.rows,
        Err(error) => return ended_early(error, &signals),
    };
    for (asked, mut row) in asked.into_iter().zip(evaluated) {
        let name = asked.name;
        if args.json {
            row.pattern = asked.pattern;
            let (letters, values): (Vec<String>, _) = asked.variables.into_iter().unzip();
            row.variables = values;
            print_line(&json::position(&row, &letters).to_string());
            continue;
        }
        let value = row.value.clone().unwrap_or_else(|| {
            format!(
                "(longer than 4096 characters, digest {})",
                ValueDigest(row.value_digest)
            )
        });
        match row.followers {
            Some(followers) => print_line(&format!("{name} = {value}, {followers} followers")),
            None => print_line(&format!("{name} = {value}")),
        }
    }
    Ok(Exit::Done)
}
