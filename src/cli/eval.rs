//! `seedbank eval`

use std::path::PathBuf;

use clap::Args;

use super::heaps::{self, HeapArgs};
use super::json;
use super::output::print_line;
use super::positions::{GameArg, PositionArgs, ended_early};
use super::{CliError, Exit, MeansArgs, sums};
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
    /// With sums, list the values of the components and all winning moves
    #[arg(long)]
    moves: bool,
    /// Count the distinct followers of each position
    #[arg(long)]
    followers: bool,
    /// Print one JSON object a line, with the columns of the table positions or heaps, or the keys of sums
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

impl EvalArgs {
    fn refuse_what_is_for_strips(&self) -> Result<(), CliError> {
        let unused = [
            ("--followers", self.followers),
            ("--notation", self.notation.is_some()),
            ("--store", self.store.is_some()),
        ];
        let unused = unused.iter().find(|(_, given)| *given);
        let given = self.positions.given_for_strips();
        match given.or(unused.map(|&(name, _)| name)) {
            None => Ok(()),
            Some(name) => Err(CliError::usage(format!(
                "{name} is for positions of sowing and atomic-wari; leave it out"
            ))),
        }
    }

    fn refuse_what_is_for_heaps(&self) -> Result<(), CliError> {
        match self.heaps.given() {
            None => Ok(()),
            Some(name) => Err(CliError::usage(format!(
                "{name} is for games of heaps: octal, grundy, subtraction; leave it out"
            ))),
        }
    }

    fn refuse_moves(&self) -> Result<(), CliError> {
        match self.moves {
            false => Ok(()),
            true => Err(CliError::usage(
                "--moves is for sums: --game obligated, --game disjunctive; leave it out",
            )),
        }
    }
}

pub(super) fn run(args: &EvalArgs) -> Result<Exit, CliError> {
    match args.positions.game_arg()? {
        GameArg::Heaps(game) => {
            args.refuse_what_is_for_strips()?;
            args.refuse_moves()?;
            let heaps = &args.positions.positions;
            return heaps::run(game, &args.heaps, heaps, &args.means, args.json);
        }
        GameArg::Sum(added) => {
            args.refuse_what_is_for_strips()?;
            args.refuse_what_is_for_heaps()?;
            let sums = &args.positions.positions;
            return sums::run(added, sums, args.moves, &args.means, args.json);
        }
        GameArg::Strips(_) => {
            args.refuse_what_is_for_heaps()?;
            args.refuse_moves()?;
        }
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
