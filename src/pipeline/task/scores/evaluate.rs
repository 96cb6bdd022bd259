//! Evaluates margins of a few positions without a job; scores stay in memory.

use bytesize::ByteSize;
use cggames::board::two_rows::TwoRows;
use cggames::game::scored::{Scored, ScoredGame, ScoredOption, ScoredVisitor};
use cgsolvers::scores::{Line, ScoreSearch, Scores};

use super::database::{no_table, positions_up_to, search, seeds_scored, table_of_search};
use super::spec::seeds_max;
use crate::run::memory::memory_in_use;
use crate::run::{Phase, RunError, Session};

/// What takes the memory of an evaluation.
const WHAT: &str = "the scores of all positions with at most that many seeds";

/// Which positions to evaluate.
#[derive(Clone, Debug)]
pub struct ScoreEvaluation {
    /// The game, with its rules.
    pub game: ScoredGame,
    /// The positions.
    pub positions: Vec<TwoRows>,
    /// Whether to find the margin of each move, and a line of best play if play ends.
    pub moves: bool,
}

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePosition {
    /// The further margin of the player to move.
    pub margin: i32,
    /// The legal moves, if [`ScoreEvaluation::moves`] is set.
    pub moves: Vec<ScoreMove>,
    /// Best moves to the end of play, if [`ScoreEvaluation::moves`] is set and play always ends.
    pub line: Vec<ScoreMove>,
}

/// A move with its margin for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreMove {
    /// The move.
    pub option: ScoredOption,
    /// The margin.
    pub margin: i32,
}

/// Evaluates positions in their order.
///
/// Cost: a byte for each position with the same number of pits and no more seeds. If play always
/// ends, positions with more than 2^25 others below them are searched instead (2^28 for more than
/// 40 seeds, 2^31 for more than 50). The search uses all threads. Its table grows up to 512 MiB (6 GiB
/// for more than 50 seeds) or half the memory left, whichever is less.
///
/// # Errors
///
/// [`RunError::Budget`] if scores exceed the memory budget; the reason if a signal or the
/// deadline stopped the evaluation.
///
/// # Panics
///
/// If a position has more seeds than [`seeds_limit`](super::seeds_limit).
///
/// ```
/// use seedbank::game::scored::{Kalah, ScoredGame};
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::scores::{ScoreEvaluation, evaluate_scores};
///
/// let evaluation = ScoreEvaluation {
///     game: ScoredGame::Kalah(Kalah::default()),
///     positions: vec!["1 1 1 / 1 1 1".parse()?, "3 3 / 3 3".parse()?],
///     moves: false,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut margins = Vec::new();
/// evaluate_scores(&evaluation, &session, |_, found| margins.push(found.margin))?;
/// assert_eq!(margins, [0, -2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_scores(
    evaluation: &ScoreEvaluation,
    session: &Session<'_>,
    mut each: impl FnMut(usize, ScorePosition) + Send,
) -> Result<(), RunError> {
    let total = evaluation.positions.len();
    session.tracker.expect_unknown();
    session.begin(Phase::Searching, "position", total);
    let resources = Resources::new(evaluation, session)?;
    let each = |place, found| {
        each(place, found);
        session.count_item();
    };
    resources.evaluating(
        total,
        Work {
            resources: &resources,
            each,
        },
    )
}

/// Finds the margins of moves, of one position after another.
pub trait ScoreFinder {
    /// Returns the further margin of the player to move, and the legal moves with theirs.
    ///
    /// # Errors
    ///
    /// What stopped it: Ctrl-C, SIGTERM or the memory budget.
    ///
    /// # Panics
    ///
    /// If the position has more pits or seeds than those that the finder was made for.
    fn find(&mut self, position: &TwoRows) -> Result<(i32, Vec<ScoreMove>), RunError>;
}

/// Calls `work` with a finder of margins of positions that play from those of the evaluation can reach. All of them have
/// equally many pits.
///
/// Cost: as [`evaluate_scores`], once for all positions.
///
/// # Errors
///
/// As [`evaluate_scores`], and those of the work.
///
/// # Panics
///
/// If the evaluation has no positions.
///
/// ```
/// use seedbank::game::scored::{Kalah, ScoredGame};
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::scores::{ScoreEvaluation, with_scores};
///
/// let evaluation = ScoreEvaluation {
///     game: ScoredGame::Kalah(Kalah::default()),
///     positions: vec!["3 3 / 3 3".parse()?],
///     moves: true,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let (margin, moves) = with_scores(&evaluation, &session, |finder| {
///     finder.find(&evaluation.positions[0])
/// })?;
/// assert_eq!((margin, moves.len()), (-2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_scores<T>(
    evaluation: &ScoreEvaluation,
    session: &Session<'_>,
    work: impl FnOnce(&mut dyn ScoreFinder) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let resources = Resources::new(evaluation, session)?;
    resources.evaluating(
        0,
        Finding {
            resources: &resources,
            work,
        },
    )
}

/// The evaluation, and what it may use.
struct Resources<'a> {
    evaluation: &'a ScoreEvaluation,
    session: &'a Session<'a>,
    pool: rayon::ThreadPool,
}

/// Work with a finder, of any scored game.
struct Finding<'a, F> {
    resources: &'a Resources<'a>,
    work: F,
}

impl<T, F> ScoredVisitor for Finding<'_, F>
where
    F: FnOnce(&mut dyn ScoreFinder) -> Result<T, RunError>,
{
    type Output = Result<T, RunError>;

    fn visit<G: Scored>(self, game: G) -> Result<T, RunError> {
        let Finding { resources, work } = self;
        let all = seeds_max(&resources.evaluation.positions);
        let (pits, seeds) = all.into_iter().next().expect("there is a position");
        resources.with_search(game, pits, seeds, |search| work(&mut Finder(search)))
    }
}

struct Finder<'f, 's, G>(&'f mut ScoreSearch<'s, G>);

impl<G: Scored> ScoreFinder for Finder<'_, '_, G> {
    fn find(&mut self, position: &TwoRows) -> Result<(i32, Vec<ScoreMove>), RunError> {
        let Finder(search) = self;
        Ok((
            search.margin(position)?,
            score_moves(search.options(position)?),
        ))
    }
}

/// The evaluation of positions of any scored game.
struct Work<'a, F> {
    resources: &'a Resources<'a>,
    each: F,
}

impl<F: FnMut(usize, ScorePosition)> ScoredVisitor for Work<'_, F> {
    type Output = Result<(), RunError>;

    fn visit<G: Scored>(mut self, game: G) -> Result<(), RunError> {
        let resources = self.resources;
        let positions = &resources.evaluation.positions;
        let mut found: Vec<Option<ScorePosition>> = vec![None; positions.len()];
        let mut next = 0;
        // Boards of equal size share scores.
        for (pits, seeds_max) in seeds_max(positions) {
            resources.with_search(game, pits, seeds_max, |search| {
                for (place, position) in positions.iter().enumerate() {
                    if position.mover.pits().len() != pits {
                        continue;
                    }
                    found[place] = Some(resources.position(search, position)?);
                    while let Some(evaluated) = found.get_mut(next).and_then(Option::take) {
                        (self.each)(next, evaluated);
                        next += 1;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl<'a> Resources<'a> {
    fn new(
        evaluation: &'a ScoreEvaluation,
        session: &'a Session<'_>,
    ) -> Result<Resources<'a>, RunError> {
        let pool = session.pool()?;
        Ok(Resources {
            evaluation,
            session,
            pool,
        })
    }

    /// Lets the visitor work on `total` positions under watch.
    fn evaluating<T>(
        &self,
        total: usize,
        visitor: impl ScoredVisitor<Output = Result<T, RunError>>,
    ) -> Result<T, RunError> {
        let game = self.evaluation.game;
        let worked = self.session.evaluating(total, || game.visit(visitor));
        worked.map_err(|error| self.session.over_budget(error, "the evaluation", WHAT))
    }

    /// Calls `work` with a search of positions that have `pits` pits a side and at most `seeds_max` seeds.
    fn with_search<G: Scored, T>(
        &self,
        game: G,
        pits: usize,
        seeds_max: u32,
        work: impl FnOnce(&mut ScoreSearch<'_, G>) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let scored = self.scored::<G>(pits, seeds_max)?;
        let control = &self.session.control;
        let left = self.memory_left();
        // A smaller table only means a longer search.
        let table = table_of_search(scored, seeds_max).min(ByteSize(left / 2));
        if scored < seeds_max {
            let growing = ScoreSearch::growing(game, pits, (scored, &self.pool), table, control);
            return work(&mut growing.map_err(|source| no_table(table, source))?);
        }
        let scores = (self.pool).install(|| Scores::up_to(game, pits, scored, control))?;
        work(&mut search(game, &scores, table, control)?)
    }

    fn memory_left(&self) -> u64 {
        let budget = self.session.limits.memory.0;
        budget.saturating_sub(memory_in_use().unwrap_or(0))
    }

    /// Returns the number of seeds up to which positions are scored.
    fn scored<G: Scored>(&self, pits: usize, seeds_max: u32) -> Result<u32, RunError> {
        let free = self.memory_left();
        let wanted = positions_up_to(pits, seeds_max);
        if G::IS_LOOPY && wanted > free / 2 {
            return Err(RunError::Budget {
                job: "the evaluation".to_owned(),
                needed: ByteSize(wanted.saturating_mul(2)),
                what: WHAT,
                budget: self.session.limits.memory,
            });
        }
        let positions_max = free / if wanted > free / 2 { 4 } else { 2 };
        Ok(seeds_scored(G::IS_LOOPY, pits, seeds_max, positions_max))
    }

    fn position<G: Scored>(
        &self,
        search: &mut ScoreSearch<'_, G>,
        position: &TwoRows,
    ) -> Result<ScorePosition, RunError> {
        Ok(ScorePosition {
            margin: search.margin(position)?,
            moves: if self.evaluation.moves {
                score_moves(search.options(position)?)
            } else {
                Vec::new()
            },
            line: if self.evaluation.moves && !G::IS_LOOPY {
                score_moves(search.line(position)?)
            } else {
                Vec::new()
            },
        })
    }
}

fn score_moves(moves: Line) -> Vec<ScoreMove> {
    let moves = moves.into_iter();
    moves
        .map(|(option, margin)| ScoreMove { option, margin })
        .collect()
}
