//! `seedbank eval`

use std::path::PathBuf;

use clap::{ArgAction, Args};
use seedbank::board::AnyBoard;
use seedbank::dataset::VALUE_CHARS_MAX;
use seedbank::evaluate::{BoardSum, Evaluation, evaluate, with_judge};
use seedbank::game::{Game, GameKind, Manner, Play};
use seedbank::run::Session;
use seedbank::task::heaps::MisereWanted;

use super::answers::Answer;
use super::arguments::Faults;
use super::game_args::{OptionOf, convention};
use super::heaps::{self, HeapArgs};
use super::output::{Format, emit};
use super::positions::PositionArgs;
use super::progress::Display;
use super::scores::{self, ScoreArgs};
use super::writing::WritingArgs;
use super::{CliError, Exit, ResourceArgs, named, rings, sums};

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
    /// with its margin and a line of best play; of a file of moves, each with the value that it leaves
    #[arg(long)]
    moves: bool,
    /// Count the distinct followers of each position, itself included; rows that differ only in empty
    /// ends or in the seeds of full pots count as one
    #[arg(long)]
    followers: bool,
    /// Find who wins misère play, in which the player who moves last loses, and in impartial play the misère nim-value
    #[arg(long)]
    misere: bool,
    /// Find the genus of each position of impartial play, such as 0^120: its nim-value, and its misère nim-values beside 0, 1, 2, ...
    /// heaps of two
    #[arg(long)]
    genus: bool,
    /// Find the misère canonical form of each position of impartial play: a nim heap such as *2, or the options in brackets, such as
    /// *[0,[2]]
    #[arg(long)]
    misere_form: bool,
    /// Print one JSON object a line, with the columns of the table positions, heaps or rings, or the keys of sums and scored games
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Use the values of this store, too
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl EvalArgs {
    /// Refuses options of games of other kinds.
    fn refuse_unused(&self, kind: GameKind) -> Result<(), CliError> {
        let of_values = [
            ("--followers", self.followers, OptionOf::Pots),
            ("--store", self.store.is_some(), OptionOf::Pots),
            ("--misere", self.misere, OptionOf::Misere),
            ("--genus", self.genus, OptionOf::Genus),
            ("--misere-form", self.misere_form, OptionOf::Pots),
            (
                "--notation",
                self.writing.notation.is_some(),
                OptionOf::Plays,
            ),
            ("--full", self.writing.full, OptionOf::Plays),
        ];
        let options = (self.positions.options())
            .chain(of_values)
            .chain(self.heaps.options())
            .chain(self.scores.options())
            .chain([("--moves", self.moves, OptionOf::Moves)]);
        OptionOf::unused(options, kind).map_or(Ok(()), |(name, of)| Err(refusal(name, of)))
    }
}

/// Returns the refusal of an option that has no effect here.
pub(super) fn refusal(name: &str, purpose: impl std::fmt::Display) -> CliError {
    CliError::usage(format!("{name} is for {purpose}; leave it out"))
}

pub(super) fn run(args: &EvalArgs) -> Result<Exit, CliError> {
    let kind = args.positions.of.kind()?;
    args.refuse_unused(kind)?;
    let given = || args.positions.given();
    let (resources, moves, json) = (&args.resources, args.moves, args.json);
    match kind {
        GameKind::Pots(game) => {
            let game = args.positions.of.game(game)?;
            let folders = args.store.iter().map(|store| ("--store", store));
            pots(args, game).map_err(|error| error.with_options(folders))
        }
        GameKind::Heaps(rules) => {
            let ending = convention(args.misere);
            heaps::run(rules, &args.heaps, ending, &given()?, resources, json)
        }
        GameKind::Sum(added) => {
            let misere = match (args.genus, args.misere) {
                (true, _) => MisereWanted::Genus,
                (false, true) => MisereWanted::Outcome,
                (false, false) => MisereWanted::Nothing,
            };
            sums::run(added, &given()?, (moves, misere), resources, json)
        }
        GameKind::Scored(game) => {
            let rules = args.positions.of.rules();
            scores::run(game, rules, &args.scores, &given()?, moves, resources, json)
        }
        GameKind::TchukaRuma => rings::run(&given()?, resources, json),
        GameKind::Moves => {
            let of = &args.positions.of;
            let writing = args.writing.writing(VALUE_CHARS_MAX);
            let file = of.moves()?;
            let play = of.play_or_partisan(&Play::ALL)?;
            let game = (&file, Manner::of(play, convention(args.misere)));
            named::run(game, &given()?, writing, moves, resources, json)
        }
        GameKind::Tchoukaillon | GameKind::SowingGraph => {
            unreachable!("these games have commands of their own")
        }
    }
}

fn pots(args: &EvalArgs, game: Game) -> Result<Exit, CliError> {
    let mut faults = Faults::default();
    let (asked, sums) = args.positions.expand_sums(game, &mut faults)?;
    let has_sums = sums.iter().any(|sum| sum.board().is_none());
    let of_impartial = [("--genus", args.genus), ("--misere-form", args.misere_form)];
    let mut of_positions = of_impartial
        .into_iter()
        .chain([("--followers", args.followers)]);
    if let Some((name, _)) = of_positions.find(|(_, given)| has_sums && *given) {
        return Err(refusal(name, "positions that are not written as sums"));
    }
    let manner = args.positions.of.manner_or_partisan(game, args.misere)?;
    let is_partisan = manner.play == Play::Partisan;
    let mut of_impartial = of_impartial.into_iter();
    if let Some((name, _)) = of_impartial.find(|(_, given)| is_partisan && *given) {
        return Err(refusal(name, "--play impartial"));
    }
    let evaluation = Evaluation {
        game,
        manner,
        genus: args.genus,
        misere_form: args.misere_form,
        store: args.store.clone(),
        writing: args.writing.writing(VALUE_CHARS_MAX),
        followers: args.followers,
    };
    let (limits, signals) = (args.resources.limits(), super::listen()?);
    let display = Display::new();
    let session = Session::new(limits, &signals, &display);
    let evaluated = if args.moves || has_sums {
        with_judge(&evaluation, &session, sums.len(), |judge| {
            for sum in &sums {
                judge.check(sum)?;
            }
            for (asked, sum) in asked.iter().zip(&sums) {
                let judged = if args.moves {
                    judge.judge(sum)?
                } else {
                    judge.value(sum)?
                };
                let moves_of = args.moves.then_some(manner.play);
                emit(args.json, &Answer::judged(asked, sum, judged, moves_of));
            }
            Ok(())
        })
    } else {
        let boards: Vec<AnyBoard> = sums.into_iter().filter_map(BoardSum::into_board).collect();
        let each = |place: usize, row| emit(args.json, &Answer::new(&asked[place], row));
        evaluate(&evaluation, &session, &boards, each).map(drop)
    };
    faults.ended(evaluated, &signals)
}
