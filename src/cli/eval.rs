//! `seedbank eval`

use std::path::PathBuf;

use clap::Args;
use seedbank::board::AnyBoard;
use seedbank::dataset::VALUE_CHARS_MAX;
use seedbank::evaluate::{BoardSum, Evaluation, evaluate};
use seedbank::game::{Game, GameKind, games};
use seedbank::run::Session;

use super::answers::line;
use super::arguments::Faults;
use super::error::ended_early;
use super::heaps::{self, HeapArgs};
use super::output::print_line;
use super::positions::{GameArg, PositionArgs};
use super::progress::Display;
use super::scores::{self, ScoreArgs};
use super::writing::WritingArgs;
use super::{CliError, Exit, ResourceArgs, moves, rings, sums};

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    writing: WritingArgs,
    #[command(flatten)]
    heaps: HeapArgs,
    #[command(flatten)]
    scores: ScoreArgs,
    /// List the moves. Of games on pots, each with the value that it leaves, whether it is best (no other option of the player is
    /// better) and whether it wins; of sums of heaps, each with the value that it leaves and whether it wins; of scored games, each
    /// with its margin and a line of best play
    #[arg(long)]
    moves: bool,
    /// Count the distinct followers of each position, itself included; rows that differ only in empty
    /// ends or in the seeds of full pots count as one
    #[arg(long)]
    followers: bool,
    /// Print one JSON object a line, with the columns of the table positions, heaps or rings, or the keys of sums and scored games
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Use the values of this store, too
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl EvalArgs {
    fn refuse_what_is_for_strips(&self) -> Result<(), CliError> {
        let unused = [
            ("--followers", self.followers),
            ("--notation", self.writing.notation.is_some()),
            ("--full", self.writing.full),
            ("--store", self.store.is_some()),
        ];
        let unused = unused.iter().find(|(_, given)| *given);
        let given = self.positions.given_for_strips();
        refuse(
            given.or(unused.map(|&(name, _)| name)),
            &format!("positions of games on pots: {}", Game::names()),
        )
    }

    fn refuse_what_is_for_heaps(&self) -> Result<(), CliError> {
        let heaps = names_of(|kind| matches!(kind, GameKind::Heaps(_)));
        refuse(self.heaps.given(), &format!("games of heaps: {heaps}"))
    }

    fn refuse_what_is_for_scores(&self) -> Result<(), CliError> {
        let scored = names_of(|kind| matches!(kind, GameKind::Scored(_)));
        refuse(self.scores.given(), &format!("scored games: {scored}"))
    }

    fn refuse_moves(&self) -> Result<(), CliError> {
        let with_moves = names_of(|kind| {
            matches!(
                kind,
                GameKind::Pots(_) | GameKind::Sum(_) | GameKind::Scored(_)
            )
        });
        let given = self.moves.then_some("--moves");
        refuse(
            given,
            &format!("games on pots, sums and scored games: {with_moves}"),
        )
    }
}

/// Returns the names of the games of some kinds.
fn names_of(is_one: fn(GameKind) -> bool) -> String {
    let names = games().filter(|game| is_one(game.kind));
    let names: Vec<&str> = names.map(|game| game.name).collect();
    names.join(", ")
}

/// Refuses an option that was given, and says what it is for.
fn refuse(given: Option<&str>, purpose: &str) -> Result<(), CliError> {
    match given {
        None => Ok(()),
        Some(name) => Err(CliError::usage(format!(
            "{name} is for {purpose}; leave it out"
        ))),
    }
}

pub(super) fn run(args: &EvalArgs) -> Result<Exit, CliError> {
    let folders = args.store.iter().map(|store| ("--store", store));
    answered(args).map_err(|error| error.with_options(folders))
}

fn answered(args: &EvalArgs) -> Result<Exit, CliError> {
    match args.positions.of.game_arg()? {
        GameArg::Heaps(game) => {
            args.refuse_what_is_for_strips()?;
            args.refuse_what_is_for_scores()?;
            args.refuse_moves()?;
            let heaps = args.positions.given()?;
            return heaps::run(game, &args.heaps, &heaps, &args.resources, args.json);
        }
        GameArg::Sum(added) => {
            args.refuse_what_is_for_strips()?;
            args.refuse_what_is_for_heaps()?;
            args.refuse_what_is_for_scores()?;
            let sums = args.positions.given()?;
            return sums::run(added, &sums, args.moves, &args.resources, args.json);
        }
        GameArg::Scored(game) => {
            args.refuse_what_is_for_strips()?;
            args.refuse_what_is_for_heaps()?;
            let positions = args.positions.given()?;
            return scores::run(
                game,
                &args.scores,
                &positions,
                args.moves,
                &args.resources,
                args.json,
            );
        }
        GameArg::TchukaRuma => {
            args.refuse_what_is_for_strips()?;
            args.refuse_what_is_for_heaps()?;
            args.refuse_what_is_for_scores()?;
            args.refuse_moves()?;
            let positions = args.positions.given()?;
            return rings::run(&positions, &args.resources, args.json);
        }
        GameArg::Pots(_) => {
            args.refuse_what_is_for_heaps()?;
            args.refuse_what_is_for_scores()?;
        }
    }
    let game = args.positions.of.game()?;
    let mut faults = Faults::default();
    let (asked, sums) = args.positions.expand_sums(game, &mut faults)?;
    let has_sums = sums.iter().any(|sum| sum.board().is_none());
    if has_sums {
        let given = args.followers.then_some("--followers");
        refuse(given, "positions that are not written as sums")?;
    }
    let evaluation = Evaluation {
        game,
        play: args.positions.of.play(game)?,
        store: args.store.clone(),
        writing: args.writing.writing(VALUE_CHARS_MAX),
        followers: args.followers,
    };
    let (limits, signals) = (args.resources.limits(), super::listen()?);
    let display = Display::new();
    let session = Session::new(limits, &signals, &display);
    if args.moves || has_sums {
        return moves::run(
            &evaluation,
            &session,
            &asked,
            &sums,
            args.moves,
            args.json,
            &faults,
        );
    }
    let boards: Vec<AnyBoard> = sums.into_iter().filter_map(BoardSum::into_board).collect();
    let each = |place: usize, row| print_line(&line(&asked[place], row, args.json));
    match evaluate(&evaluation, &session, &boards, each) {
        Ok(_) => Ok(faults.end(Exit::Done)),
        Err(error) => ended_early(error, &signals),
    }
}
