//! The moves of a position on pots, or of a sum of such positions and of values. Each move has the position after it, the
//! value of that position, and whether the move wins.
//!
//! Moves are those of [literal play](cggames::game::PotGame::literal_moves), so options appear as played, not in normal
//! form. Values come from the engine, and those of rows of ones and their options from a [sweep](super::sweeps), as without
//! moves. `seedbank eval --moves` prints moves, and `seedbank play` chooses among them.

use cggames::board::AnyBoard;
use cggames::game::{Convention, Game, Play, Player};
use cgsolvers::{Ending, EngineError, LOOPY, StopReason};
use cgvalues::{NotationWriter, ValueDigest, ValueId};

use super::board_sum::{BoardSum, Summand, WrittenValue};
use super::evaluator::Evaluator;
use super::rows::{Evaluation, with_evaluator};
use super::sweeps::{is_swept, sweep_ones};
use super::worker::{POSITIONS_ALONE, Worker, Workers};
use crate::dataset::{PositionRow, ValueColumns};
use crate::run::{Phase, RunError, Session};

/// A position with its value and its moves.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The position and its value, as a row of the table `positions`; that of a sum has the pots and seeds of all its boards.
    pub row: PositionRow,
    /// The values of the components.
    pub summands: Vec<Option<JudgedValue>>,
    /// The legal moves: Left's and then Right's in partisan play, component by component.
    pub moves: Vec<JudgedMove>,
    /// Whether the player who moves last wins.
    pub convention: Convention,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The player that can make it; `None` in impartial play, where both can.
    pub mover: Option<Player>,
    /// The component that it is made in, from 0.
    pub summand: usize,
    /// The pots where it begins and ends, as [`JudgedMove::act`] names them; `None` in a value.
    pub pots: Option<[String; 2]>,
    /// The component after the move.
    pub option: Summand,
    /// The whole position after the move.
    pub leaves: BoardSum,
    /// The value of the whole position after the move; `None` if it has none.
    pub value: Option<JudgedValue>,
    /// How play ends for the mover if both play best from then on.
    pub ending: Ending,
    /// Whether no other option is better for the player, so that this one is not dominated. `None` in impartial play, where
    /// options of different values are confused, and if an option of the player has no value.
    pub best: Option<bool>,
    /// Whether it is best, but reversible: the opponent can reply with a position that is no better for the mover than the
    /// one before the move. The canonical form has other options in its place. `None` whenever `best` is.
    pub reversible: Option<bool>,
}

/// A value as output shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedValue {
    /// The notation, unless it is longer than the evaluation's [`writing`](Evaluation::writing)
    /// permits.
    pub notation: Option<String>,
    /// The digest.
    pub digest: ValueDigest,
}

impl Judged {
    /// Returns how best play ends for the player, who moves first.
    pub fn ending(&self, player: Player) -> Ending {
        let own = self.moves.iter().filter(|own| own.is_of(player));
        let rank = |ending: &Ending| match ending {
            Ending::Win => 2,
            Ending::Draw => 1,
            Ending::Loss => 0,
        };
        let best = own.map(|own| own.ending).max_by_key(rank);
        best.unwrap_or(match self.convention {
            Convention::Normal => Ending::Loss,
            Convention::Misere => Ending::Win,
        })
    }
}

impl JudgedMove {
    /// Returns whether the player can make the move.
    pub fn is_of(&self, player: Player) -> bool {
        self.mover.is_none_or(|mover| mover == player)
    }

    /// Returns the move in words: `pot 2 to 3`, in a grid by rows and columns `pot 2,1 to 1,1`, or `to *` in a value. Pots
    /// count from 1 in the position before the move; a number outside it is a pot beyond its ends.
    pub fn act(&self) -> String {
        match &self.pots {
            Some([from, to]) => format!("pot {from} to {to}"),
            None => format!("to {}", self.option),
        }
    }
}

/// Judges positions of one game, with one engine.
pub struct Judge<'w, 'a> {
    pub(super) evaluation: &'w Evaluation,
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) workers: &'w Workers<'a>,
    pub(super) session: &'w Session<'w>,
    pool: &'w rayon::ThreadPool,
    /// The number of positions to judge.
    total: usize,
}

/// Calls `work` with a judge. Progress is out of `total`, the number of positions to judge.
///
/// # Errors
///
/// The errors of `work`; [`RunError::Memory`] if it takes more than the budget.
///
/// ```
/// use seedbank::evaluate::{BoardSum, Evaluation, with_judge};
/// use seedbank::game::{Game, Play};
/// use seedbank::run::{Limits, Session, Signals, Silent};
///
/// let evaluation = Evaluation::of(Game::SOWING, Play::Partisan);
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let sum = BoardSum::read("312 + *", Game::SOWING.shape())?;
/// let judged = with_judge(&evaluation, &session, 1, |judge| judge.judge(&sum))?;
/// let moves = judged.moves.iter().map(|m| format!("{} -> {}", m.act(), m.leaves));
/// let expected = [
///     "pot 2 to 3 -> 303 + *",
///     "to 0 -> 312 + 0",
///     "pot 2 to 1 -> 402 + *",
///     "pot 3 to 1 -> 420 + *",
///     "to 0 -> 312 + 0",
/// ];
/// assert!(moves.eq(expected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_judge<T>(
    evaluation: &Evaluation,
    session: &Session<'_>,
    total: usize,
    work: impl FnOnce(&Judge<'_, '_>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    with_evaluator(evaluation, session, |evaluator| {
        let judge = Judge {
            evaluation,
            evaluator,
            workers: &Workers::new(evaluator, evaluation.writing, None),
            session,
            pool: &session.pool()?,
            total,
        };
        session.tracker.expect_unknown();
        judge.begin_search();
        session.evaluating(total, || work(&judge))
    })
}

/// A move in a component: the pots where it begins and ends, and the component after it.
type Step = (Option<[String; 2]>, Summand);

/// A move whose value has been found.
struct ValuedMove {
    judged: JudgedMove,
    form: Option<ValueId>,
}

impl<'a> Judge<'_, 'a> {
    /// Returns the game.
    pub fn game(&self) -> Game {
        self.evaluation.game
    }

    /// Returns an error if a board is not a position of the game or is too large, or if a value cannot be added.
    pub fn check(&self, sum: &BoardSum) -> Result<(), RunError> {
        if self.is_misere() {
            return self.check_misere(sum);
        }
        for summand in &sum.summands {
            match summand {
                Summand::Board(board) => self.evaluator.check(board)?,
                Summand::Value(value) => {
                    self.form_of_value(&mut self.workers.take(), value)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the value of a position, and its moves with their values.
    ///
    /// Cost: the positions that can be reached, and a sum for each move in a sum of several components.
    ///
    /// # Errors
    ///
    /// As [`check`](Judge::check); a component of a sum that has no value; or the reason that stopped the work.
    pub fn judge(&self, sum: &BoardSum) -> Result<Judged, RunError> {
        self.judged(sum, true)
    }

    /// Returns the value of a position without its moves.
    ///
    /// # Errors
    ///
    /// As [`judge`](Judge::judge).
    pub fn value(&self, sum: &BoardSum) -> Result<Judged, RunError> {
        self.judged(sum, false)
    }

    fn judged(&self, sum: &BoardSum, with_moves: bool) -> Result<Judged, RunError> {
        self.check(sum)?;
        self.sweep(sum, with_moves)?;
        let has_values = !self.is_misere();
        let forms = sum.summands.iter().filter(|_| has_values);
        let forms = forms.map(|summand| self.form(summand));
        let forms: Vec<Option<ValueId>> = forms.collect::<Result<_, _>>()?;
        let add = |without| {
            if has_values {
                self.add(sum, &forms, without)
            } else {
                Ok(None)
            }
        };
        let whole = add(None)?;
        let mut worker = self.workers.take();
        let mut writer = NotationWriter::new(self.evaluator.arena());
        let writing = self.evaluation.writing;
        let mut shown = |form: ValueId| JudgedValue {
            notation: writer.limited(form, writing.notation, writing.chars_max),
            digest: ValueDigest(worker.digest(form)),
        };
        let summands = forms.iter().map(|form| form.map(&mut shown)).collect();
        let mut found = Vec::new();
        let hands: &[(Option<Player>, &[Player])] = match self.evaluation.manner.play {
            Play::Partisan => &[
                (Some(Player::Left), &[Player::Left]),
                (Some(Player::Right), &[Player::Right]),
            ],
            Play::Impartial => &[(None, &Player::BOTH)],
        };
        for (mover, hands) in hands.iter().filter(|_| with_moves) {
            let mut own = Vec::new();
            for place in 0..sum.summands.len() {
                let rest = add(Some(place))?;
                for hand in *hands {
                    own.extend(self.found(sum, place, rest, *mover, *hand, &mut shown)?);
                }
            }
            if let Some(player) = mover {
                self.rank(&mut own, whole, *player);
            }
            found.append(&mut own);
        }
        drop(worker);
        let row = self.row(sum, whole)?;
        let moves = found.into_iter().map(|found| found.judged).collect();
        self.session.count_item();
        Ok(Judged {
            row,
            summands,
            moves,
            convention: self.evaluation.manner.convention,
        })
    }

    /// Sweeps the followers of the boards that are rows of ones, so that neither they nor their options must be searched.
    fn sweep(&self, sum: &BoardSum, with_moves: bool) -> Result<(), RunError> {
        let game = self.game();
        let boards: Vec<&AnyBoard> = sum.boards().filter(|board| is_swept(board)).collect();
        if !game.is_swept() || boards.is_empty() {
            return Ok(());
        }
        let options = boards.iter().filter(|_| with_moves).flat_map(|board| {
            let of = |hand| game.literal_options(board, hand);
            Player::BOTH.into_iter().flat_map(of)
        });
        let options: Vec<AnyBoard> = options.collect();
        let room = self.evaluation.room(self.session);
        sweep_ones(
            self.evaluator,
            boards.into_iter(),
            &options,
            room,
            self.pool,
        )?;
        self.begin_search();
        Ok(())
    }

    /// Begins to report the positions judged.
    fn begin_search(&self) {
        self.session.begin(Phase::Searching, "row", self.total);
    }

    /// Returns a player's moves in a component; `rest` is the sum of the other components.
    fn found(
        &self,
        sum: &BoardSum,
        place: usize,
        rest: Option<ValueId>,
        mover: Option<Player>,
        hand: Player,
        shown: &mut impl FnMut(ValueId) -> JudgedValue,
    ) -> Result<Vec<ValuedMove>, RunError> {
        let mut found = Vec::new();
        for (pots, option) in self.steps(&sum.summands[place], mover, hand)? {
            let leaves = sum.with(place, option.clone());
            let form = match rest {
                Some(rest) => {
                    (self.form(&option)?.map(|option| self.sum(option, rest))).transpose()?
                }
                None => None,
            };
            let ending = match (form, &option) {
                _ if self.is_misere() => ending_for_mover(self.misere_endings(&leaves)?, hand),
                (Some(form), _) => {
                    let outcome = self.workers.take().calculator().outcome(form);
                    ending_for_mover(Ending::of(outcome), hand)
                }
                (None, Summand::Board(board)) => {
                    ending_for_mover(self.evaluator.endings(board)?, hand)
                }
                (None, Summand::Value(_)) => unreachable!("a value has a form"),
            };
            found.push(ValuedMove {
                judged: JudgedMove {
                    mover,
                    summand: place,
                    pots,
                    leaves,
                    option,
                    value: form.map(&mut *shown),
                    ending,
                    best: None,
                    reversible: None,
                },
                form,
            });
        }
        Ok(found)
    }

    /// Returns the moves of a player in a component: the pots, and the component after the move.
    fn steps(
        &self,
        summand: &Summand,
        mover: Option<Player>,
        hand: Player,
    ) -> Result<Vec<Step>, RunError> {
        match summand {
            Summand::Board(board) => {
                let moves = self.evaluation.game.literal_moves(board, hand).into_iter();
                let steps = moves.map(|literal| {
                    let pots = [literal.from as isize, literal.to].map(|at| pot(board, at));
                    (Some(pots), Summand::Board(literal.option))
                });
                Ok(steps.collect())
            }
            // Both players have all options of a nimber, so each is listed once.
            Summand::Value(_) if mover.is_none() && hand == Player::Right => Ok(Vec::new()),
            Summand::Value(value) => {
                let form = self.form_of_value(&mut self.workers.take(), value)?;
                let arena = self.evaluator.arena();
                let options = match hand {
                    Player::Left => arena.left_options(form),
                    Player::Right => arena.right_options(form),
                };
                let kind = self.evaluation.game.shape().kind();
                let steps = options.into_iter().map(|option| {
                    let text = arena.notation(option).to_string();
                    (None, Summand::Value(WrittenValue::new(text, kind)))
                });
                Ok(steps.collect())
            }
        }
    }

    /// Marks the best of a player's moves and, of these, the reversible ones.
    fn rank(&self, own: &mut [ValuedMove], whole: Option<ValueId>, player: Player) {
        let forms: Option<Vec<ValueId>> = own.iter().map(|found| found.form).collect();
        let (Some(forms), Some(whole)) = (forms, whole) else {
            return;
        };
        let mut distinct = forms.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let arena = self.evaluator.arena();
        let canonical = match player {
            Player::Left => arena.left_options(whole),
            Player::Right => arena.right_options(whole),
        };
        let mut worker = self.workers.take();
        let calculator = worker.calculator();
        let mut is_better = |other: ValueId, form: ValueId| match player {
            Player::Left => other != form && calculator.le(form, other),
            Player::Right => other != form && calculator.le(other, form),
        };
        let best: Vec<ValueId> = (distinct.iter().copied())
            .filter(|&form| !distinct.iter().any(|&other| is_better(other, form)))
            .collect();
        for (found, form) in own.iter_mut().zip(forms) {
            let is_best = best.contains(&form);
            found.judged.best = Some(is_best);
            found.judged.reversible = Some(is_best && !canonical.contains(&form));
        }
    }

    /// Returns the row of a position.
    fn row(&self, sum: &BoardSum, whole: Option<ValueId>) -> Result<PositionRow, RunError> {
        let Evaluation { game, manner, .. } = *self.evaluation;
        let mut worker = self.workers.take();
        if let Some(board) = sum.board() {
            let labels = self.evaluation.labels();
            let row = worker.row(board, None, &labels, u64::MAX)?;
            let row = row.expect("a row that is not limited is made");
            return row.digested(|(form, _)| Ok(worker.digest(form)));
        }
        let row = PositionRow {
            game: game.name().into(),
            play: manner.play.name().into(),
            position: sum.to_string(),
            features: sum.features().into(),
            ..PositionRow::default()
        };
        if self.is_misere() {
            drop(worker);
            return self.misere_row(row, sum);
        }
        let whole = whole.expect("a sum has a value");
        let description = worker.describe_form(whole)?;
        Ok(PositionRow {
            outcome: Some(description.outcome.letter().into()),
            value: Some(ValueColumns {
                value: description.notation.clone().map(Into::into),
                value_digest: worker.digest(whole),
                atomic_weight: description
                    .weight_notation()
                    .map(|text| text.to_owned().into()),
                ..description.columns()
            }),
            ..row
        })
    }

    /// Returns the form of a component, or `None` if it has no value; under misère play, a form that ends in normal play as
    /// the component does in misère play.
    pub(super) fn form(&self, summand: &Summand) -> Result<Option<ValueId>, RunError> {
        let board = match summand {
            Summand::Board(board) => board,
            Summand::Value(value) => {
                return Ok(Some(self.form_of_value(&mut self.workers.take(), value)?));
            }
        };
        let threads = self.pool.current_num_threads();
        let positions_max = if threads == 1 {
            u64::MAX
        } else {
            POSITIONS_ALONE
        };
        let mut word = self.workers.take().short_value(board, positions_max)?;
        if word.is_none() {
            (self.pool).install(|| self.evaluator.evaluate_together(board, threads, &|_| true))?;
            word = self.workers.take().short_value(board, u64::MAX)?;
        }
        match word.expect("a search that is not limited finds a value") {
            LOOPY => Ok(None),
            word => {
                let mut worker = self.workers.take();
                let form_of = self.evaluator.form_of();
                Ok(Some(form_of(worker.calculator(), word)?))
            }
        }
    }

    fn form_of_value(
        &self,
        worker: &mut Worker<'_, 'a>,
        value: &WrittenValue,
    ) -> Result<ValueId, RunError> {
        let cannot = |why| RunError::Component {
            component: value.text().to_owned(),
            why,
        };
        let form = (worker.calculator().parse(value.text()))
            .map_err(|_| cannot("it is no value that can be held"))?;
        let is_nimber = self.evaluator.arena().nimber(form).is_some();
        match self.evaluation.manner.play {
            Play::Impartial if !is_nimber => {
                Err(cannot("in impartial play values are nimbers, such as *2"))
            }
            _ => Ok(form),
        }
    }

    /// Returns the sum of all components except one, or `None` if one of them has no value.
    fn add(
        &self,
        sum: &BoardSum,
        forms: &[Option<ValueId>],
        without: Option<usize>,
    ) -> Result<Option<ValueId>, RunError> {
        if let (&[form], None) = (forms, without) {
            return Ok(form);
        }
        let mut total = ValueId::ZERO;
        for (place, form) in forms.iter().enumerate() {
            if Some(place) == without {
                continue;
            }
            let form = form.ok_or_else(|| RunError::Component {
                component: sum.summands[place].to_string(),
                why: "play from it need not end, and it has no value of a game that ends; give it alone",
            })?;
            total = self.sum(total, form)?;
        }
        Ok(Some(total))
    }

    fn sum(&self, g: ValueId, h: ValueId) -> Result<ValueId, RunError> {
        let control = self.evaluator.control();
        let mut worker = self.workers.take();
        let calculator = worker.calculator();
        let sum = calculator.sum_while(g, h, &mut || control.stopped().is_none())?;
        sum.ok_or_else(|| {
            let reason = control.stopped().unwrap_or(StopReason::Interrupted);
            EngineError::Stopped(reason).into()
        })
    }
}

/// Returns how play ends for the player who has moved, given how it ends for Left and for Right moving next.
pub(crate) fn ending_for_mover([left_first, right_first]: [Ending; 2], mover: Player) -> Ending {
    let of_opponent = match mover {
        Player::Left => right_first,
        Player::Right => left_first,
    };
    match of_opponent {
        Ending::Win => Ending::Loss,
        Ending::Draw => Ending::Draw,
        Ending::Loss => Ending::Win,
    }
}

/// Returns the name of a pot: its place in a row from 1, or its row and column in a grid.
fn pot(board: &AnyBoard, at: isize) -> String {
    match board {
        AnyBoard::Grid(grid) => {
            let columns = grid.columns as isize;
            format!("{},{}", at / columns + 1, at % columns + 1)
        }
        _ => (at + 1).to_string(),
    }
}
