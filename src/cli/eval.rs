//! `seedbank eval`

use std::path::PathBuf;

use clap::Args;

use super::json;
use super::output::print_line;
use super::positions::{PositionArgs, ended_early};
use super::{CliError, Exit, MeansArgs};
use crate::run::{Evaluation, Signals, evaluate};
use crate::value::{Notation, ValueDigest};

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    positions: PositionArgs,
    /// How values are written
    #[arg(long, value_enum, default_value_t = NotationArg::Cgsuite)]
    notation: NotationArg,
    /// Count the distinct followers of each position
    #[arg(long)]
    followers: bool,
    /// Print one JSON object a line, with the columns of the table positions
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
    let game = args.positions.game()?;
    let (asked, rows) = args.positions.expand(game)?;
    let evaluation = Evaluation {
        game,
        play: args.positions.play,
        threads: args.means.threads(),
        memory: args.means.memory(),
        store: args.store.clone(),
        notation: match args.notation {
            NotationArg::Cgsuite => Notation::CgSuite,
            NotationArg::Plain => Notation::Plain,
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
