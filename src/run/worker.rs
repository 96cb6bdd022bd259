//! One worker: a search, a describer, and the rows that they make.

use std::sync::{Arc, Mutex};

use super::RunError;
use super::describe::Describer;
use super::stored::Stored;
use super::sweeps::Swept;
use crate::dataset::PositionRow;
use crate::engine::{Engine, EngineError, KnownValues, Search, Valuation, count_followers};
use crate::family::{Family, Member};
use crate::job::Job;
use crate::ruleset::row::{Pot, Row};
use crate::ruleset::{Game, Play, Ruleset};
use crate::value::{Dyadic, Notation, ValueId, lock};

/// Workers at rest, so that their scratch memory serves again.
pub(super) struct Workers<'a, R: Ruleset, V: Stored> {
    pub(super) engine: &'a Engine<R, V>,
    known: &'a dyn KnownValues,
    notation: Notation,
    swept: Option<Swept<V>>,
    resting: Mutex<Vec<Scratch<'a, R, V>>>,
}

struct Scratch<'a, R: Ruleset, V: Valuation> {
    search: Search<'a, R, V>,
    describer: Describer<'a>,
}

/// A worker at work; goes back to rest when dropped.
pub(super) struct Worker<'w, 'a, R: Ruleset, V: Stored> {
    workers: &'w Workers<'a, R, V>,
    scratch: Option<Scratch<'a, R, V>>,
}

/// What the rows of a table say beside their positions' values.
pub(super) struct Labels<'a> {
    game: Game,
    play: Play,
    patterns: Vec<Option<Arc<str>>>,
    family: Option<&'a Family>,
    followers: bool,
}

impl<'a> Labels<'a> {
    /// Returns the labels of a job's rows.
    pub(super) fn of_job(job: &'a Job) -> Labels<'a> {
        Labels {
            game: job.game,
            play: job.play,
            patterns: job
                .family
                .patterns()
                .map(|pattern| pattern.map(Arc::from))
                .collect(),
            family: Some(&job.family),
            followers: job.columns.followers,
        }
    }

    /// Returns the labels of positions that belong to no family.
    pub(super) fn of_positions(game: Game, play: Play, followers: bool) -> Labels<'static> {
        Labels {
            game,
            play,
            patterns: Vec::new(),
            family: None,
            followers,
        }
    }
}

impl<'a, R: Ruleset, V: Stored> Workers<'a, R, V> {
    pub(super) fn new(
        engine: &'a Engine<R, V>,
        known: &'a dyn KnownValues,
        notation: Notation,
        swept: Option<Swept<V>>,
    ) -> Workers<'a, R, V> {
        Workers {
            engine,
            known,
            notation,
            swept,
            resting: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn take(&self) -> Worker<'_, 'a, R, V> {
        let scratch = lock(&self.resting).pop().unwrap_or_else(|| Scratch {
            search: self.engine.search(self.known),
            describer: Describer::new(self.engine.valuation.arena(), self.notation),
        });
        Worker {
            workers: self,
            scratch: Some(scratch),
        }
    }
}

impl<R: Ruleset, V: Stored> Drop for Worker<'_, '_, R, V> {
    fn drop(&mut self) {
        lock(&self.workers.resting).extend(self.scratch.take());
    }
}

impl<R: Ruleset, V: Stored> Worker<'_, '_, R, V> {
    /// Evaluates a position and returns its row and the form of its value.
    pub(super) fn row(
        &mut self,
        row: &Row,
        member: Option<&Member>,
        labels: &Labels<'_>,
    ) -> Result<(PositionRow, ValueId), RunError> {
        let Scratch { search, describer } = self
            .scratch
            .as_mut()
            .expect("a worker at work has its scratch memory");
        let Engine {
            ruleset, control, ..
        } = self.workers.engine;
        // A search looks at the stop flag after some hundred positions; rows whose values are known need none.
        if let Some(reason) = control.stopped() {
            return Err(EngineError::Stopped(reason).into());
        }
        let position = ruleset.position(row).map_err(EngineError::from)?;
        let swept = self.workers.swept.as_ref();
        let found = swept.and_then(|swept| swept.value(ruleset, &position));
        let word = found.map_or_else(|| search.evaluate(&position), Ok);
        let word = word.map_err(|error| match error {
            EngineError::Position(source) => RunError::Follower {
                position: row.to_string(),
                source,
            },
            error => error.into(),
        })?;
        let value = describer.describe::<V>(word)?;
        let followers = match labels.followers {
            true => Some(count_followers(ruleset, &position, control)? as i64),
            false => None,
        };
        let seeds = row.pots.iter().map(|pot| match pot {
            Pot::Seeds(seeds) => Some(i64::from(*seeds)),
            Pot::Full => None,
        });
        let endless = row.endless_left || row.endless_right;
        let pattern = member.and_then(|member| labels.patterns.get(member.source)?.clone());
        let variables = match (member, labels.family) {
            (Some(member), Some(_)) => member.variables.clone(),
            _ => Vec::new(),
        };
        let number = |x: Dyadic| x.to_f64_exact();
        let row = PositionRow {
            game: labels.game.name().into(),
            play: labels.play.name().into(),
            pattern,
            variables,
            position: row.to_string(),
            pots: row.pots.len() as i32,
            seeds: if endless { None } else { seeds.sum() },
            outcome: value.outcome.letter().into(),
            value: value.notation.clone(),
            value_digest: value.digest,
            kind: value.kind.name().into(),
            nim_value: value.nim_value.map(|n| n as i32),
            left_stop: number(value.left_stop),
            right_stop: number(value.right_stop),
            mean: value.mean.and_then(number),
            temperature: value.temperature.and_then(number),
            birthday: value.birthday as i32,
            atomic_weight: None,
            atomic_weight_number: None,
            dicotic: value.dicotic,
            followers,
        };
        Ok((row, value.form))
    }
}
