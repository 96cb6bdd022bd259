//! From moves to values: some positions, on all threads of a pool.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use cggames::game::moves::Moves;
use cggames::game::{Convention, Manner, Play};
use cgsolvers::{
    CanonicalForms, Ending, FormOf, Formed, LOOPY, LoopyValue, LoopyValues, MisereNimValues,
    MisereOutcomes, MoveValues, NimValues, Word,
};
use cgvalues::Arena;
use rayon::ThreadPool;
use seedbank_memory::lock;

use crate::dataset::PositionRow;
use crate::evaluate::Writing;
use crate::evaluate::describe::{Describer, ValueDescription};
use crate::evaluate::loopy::LoopySolution;
use crate::evaluate::position_row::{RowValue, Undigested, valued};
use crate::moves::{MovesFile, MovesFileError};
use crate::run::{Phase, RunError, Session};

/// The positions that a worker takes at a time.
const POSITIONS_TOGETHER: usize = 1 << 10;

/// The values of some positions of a game.
pub(super) struct Valued<'m> {
    /// The game's name in rows.
    game: &'m str,
    manner: Manner,
    values: Box<dyn Values + 'm>,
    /// The loopy positions among them, ascending, and the place of each one's value.
    loopy: Vec<(u32, u32)>,
    /// The different values of loopy positions, and how play ends there.
    solutions: Vec<(LoopySolution, [Ending; 2])>,
}

/// What is found of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Solution {
    /// Its value.
    Value(Word),
    /// That of a loopy position, by its place.
    Loopy(u32),
}

/// Values of one kind.
trait Values: Sync {
    fn get(&self, position: u32) -> Option<Word>;
    fn arena(&self) -> &Arena;
    fn form_of(&self) -> FormOf;
}

impl<V: Formed> Values for MoveValues<'_, V> {
    fn get(&self, position: u32) -> Option<Word> {
        MoveValues::get(self, position)
    }

    fn arena(&self) -> &Arena {
        self.valuation().arena()
    }

    fn form_of(&self) -> FormOf {
        V::form
    }
}

/// Reads a file of moves under watch, for this number of rows. A line costs as much as to value a position or to make a row.
pub(super) fn read(file: &MovesFile, rows: u64, session: &Session<'_>) -> Result<Moves, RunError> {
    let tracker = &session.tracker;
    tracker.expect(file.positions.saturating_add(rows.saturating_mul(2)));
    tracker.begin(Phase::Listing, "position", Some(file.positions), 0);
    let mut read = 0;
    let mut add = |lines| {
        tracker.add(lines - read, lines - read);
        read = lines;
    };
    let moves = file.read(|lines| {
        add(lines);
        session.control.stopped_or_held()
    })?;
    add(file.positions);
    Ok(moves)
}

/// Returns the position of a name.
pub(super) fn position(file: &MovesFile, moves: &Moves, name: &str) -> Result<u32, RunError> {
    moves.find(name).ok_or_else(|| {
        let fault = format!("no line has the position {name:?}; accepted: the names of its lines");
        MovesFileError::of_file(&file.path, fault).into()
    })
}

impl<'m> Valued<'m> {
    /// Values positions under watch.
    ///
    /// # Errors
    ///
    /// The reason to stop; a form that cannot be stored.
    pub(super) fn new(
        moves: &'m Moves,
        (game, manner): (&'m str, Manner),
        positions: &[u32],
        session: &Session<'_>,
        pool: &ThreadPool,
    ) -> Result<Valued<'m>, RunError> {
        let found = match (manner.convention, manner.play) {
            (Convention::Normal, Play::Partisan) => found::<CanonicalForms>,
            (Convention::Normal, Play::Impartial) => found::<NimValues>,
            (Convention::Misere, Play::Partisan) => found::<MisereOutcomes>,
            (Convention::Misere, Play::Impartial) => found::<MisereNimValues>,
        };
        let (values, loopy, solutions) = found(moves, positions, session, pool)?;
        Ok(Valued {
            game,
            manner,
            values,
            loopy,
            solutions,
        })
    }

    pub(super) fn arena(&self) -> &Arena {
        self.values.arena()
    }

    pub(super) fn describer(&self, writing: Writing) -> Describer<'_> {
        Describer::new(self.values.arena(), writing)
    }

    /// Returns the value of a position that was valued.
    pub(super) fn solution(&self, position: u32) -> Solution {
        let word = self.values.get(position).expect("the position was valued");
        if word != LOOPY {
            return Solution::Value(word);
        }
        let place = self.loopy.binary_search_by_key(&position, |(of, _)| *of);
        let (_, solution) =
            self.loopy[place.expect("every loopy position asked for has a solution")];
        Solution::Loopy(solution)
    }

    /// Returns the value of a loopy position, and how play ends there for Left when Left moves first and for Right when Right
    /// does.
    pub(super) fn loopy(&self, solution: u32) -> &(LoopySolution, [Ending; 2]) {
        &self.solutions[solution as usize]
    }

    /// Returns whether any of the positions is loopy.
    pub(super) fn has_loopy(&self) -> bool {
        !self.loopy.is_empty()
    }

    /// Returns the facts about a value.
    pub(super) fn describe<'d>(
        &self,
        word: Word,
        describer: &'d mut Describer<'_>,
    ) -> Result<&'d ValueDescription, RunError> {
        Ok(describer.describe(word, self.values.form_of())?)
    }

    /// Returns the row of a position with this value, with an empty name.
    pub(super) fn unnamed(
        &self,
        solution: Solution,
        describer: &mut Describer<'_>,
    ) -> Result<Undigested, RunError> {
        let row = PositionRow {
            game: self.game.to_owned().into(),
            play: self.manner.play.name().into(),
            ..PositionRow::default()
        };
        let is_misere = self.manner.convention == Convention::Misere;
        Ok(match solution {
            Solution::Value(word) if is_misere => {
                let value = self.describe(word, describer)?;
                let is_impartial = self.manner.play == Play::Impartial;
                let nim_value = value.nim_value.filter(|_| is_impartial);
                valued(
                    row,
                    RowValue::Misere(nim_value),
                    Ending::of(value.outcome),
                    true,
                )
            }
            Solution::Loopy(place) if is_misere => {
                valued(row, RowValue::Misere(None), self.loopy(place).1, true)
            }
            Solution::Value(word) => {
                let value = self.describe(word, describer)?;
                valued(
                    row,
                    RowValue::Ends(value, false),
                    Ending::of(value.outcome),
                    true,
                )
            }
            Solution::Loopy(place) => {
                let (solution, endings) = self.loopy(place);
                let value = match solution {
                    LoopySolution::Ends(word) => {
                        RowValue::Ends(self.describe(*word, describer)?, true)
                    }
                    LoopySolution::Loopy(value) => RowValue::Loopy(value.clone()),
                    LoopySolution::Unknown => RowValue::Unknown,
                };
                valued(row, value, *endings, true)
            }
        })
    }
}

/// Values, the loopy positions with the places of their values, and the values of these.
type Found<'m> = (
    Box<dyn Values + 'm>,
    Vec<(u32, u32)>,
    Vec<(LoopySolution, [Ending; 2])>,
);

fn found<'m, V: Formed + Default + 'm>(
    moves: &'m Moves,
    positions: &[u32],
    session: &Session<'_>,
    pool: &ThreadPool,
) -> Result<Found<'m>, RunError> {
    let control = &session.control;
    let total = Some(positions.len() as u64);
    session.tracker.begin(Phase::Valuing, "position", total, 0);
    let values = MoveValues::new(moves, V::default());
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    pool.broadcast(|_| {
        let mut worker = values.worker(control);
        while let chunk = next.fetch_add(POSITIONS_TOGETHER, Relaxed)
            && let Some(rest) = positions.get(chunk..).filter(|rest| !rest.is_empty())
        {
            let chunk = &rest[..rest.len().min(POSITIONS_TOGETHER)];
            let valued = chunk
                .iter()
                .try_for_each(|&position| worker.value(position).map(drop));
            if let Err(error) = valued {
                next.fetch_max(positions.len(), Relaxed);
                lock(&failed).get_or_insert(error);
                return;
            }
            session.tracker.add(chunk.len() as u64, chunk.len() as u64);
        }
    });
    if let Some(error) = lock(&failed).take() {
        let name = |position| moves.name(position).to_owned();
        return Err(error.named(name).into());
    }
    let is_loopy = |position: &u32| values.get(*position) == Some(LOOPY);
    let mut loopy: Vec<u32> = positions.iter().copied().filter(is_loopy).collect();
    loopy.sort_unstable();
    loopy.dedup();
    let endings = values.endings(loopy.iter().copied(), control)?;
    let mut worker = values.worker(control);
    let mut found = LoopyValues::new(values.valuation(), control);
    let mut places: HashMap<(LoopyValue, [Ending; 2]), u32> = HashMap::new();
    let mut solutions = Vec::new();
    let mut places_of = Vec::with_capacity(loopy.len());
    for (position, endings) in loopy.into_iter().zip(endings) {
        let name = |position| moves.name(position).to_owned();
        // Under misère play only the endings are asked for.
        let value = match values.valuation().manner().convention {
            Convention::Normal => values.loopy_value(position, &mut worker, &mut found, name)?,
            Convention::Misere => LoopyValue::Unknown,
        };
        let place = *places
            .entry((value, endings))
            .or_insert_with_key(|(value, endings)| {
                solutions.push((LoopySolution::of(value, found.calculator()), *endings));
                solutions.len() as u32 - 1
            });
        places_of.push((position, place));
    }
    drop((worker, found));
    Ok((Box::new(values), places_of, solutions))
}
