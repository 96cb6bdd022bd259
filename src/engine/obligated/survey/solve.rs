//! The work of a survey: classes by the first 64 values, then one class after the other.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::super::moves::Moves;
use super::super::{Certificate, HeapValues};
use super::equal::first_difference;
use super::prefix::{Prefix, prefix};
use super::{Stopped, SurveySpec};

/// What was found of the values of the first code that has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Solution {
    /// The place of that code.
    pub(super) place: u32,
    /// How many heaps were worked out.
    pub(super) heaps: usize,
    /// The preperiod and period, proved.
    pub(super) period: Option<(usize, usize)>,
    /// How many heaps below the survey's limit have each value.
    pub(super) counts: [u64; 4],
}

impl Solution {
    /// Returns the certificate for a code with these values and moves.
    pub(super) fn certificate(&self, moves: &Moves) -> Option<Certificate> {
        let (preperiod, period) = self.period?;
        Some(Certificate {
            preperiod,
            period,
            bound: moves.bound(preperiod.max(1), period),
            checked_to: self.heaps - period,
        })
    }
}

/// Heaps that are worked out between two questions whether to stop.
const HEAPS_BETWEEN_STOPS: usize = 1 << 16;

/// Heaps that are worked out before a period is looked for the first time; a power of two. Most codes
/// of few digits are proved periodic by then.
const HEAPS_FIRST: usize = 128;

/// Returns for every code the place of the first with its values, and what was found of those.
pub(super) fn solve(
    spec: &SurveySpec,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<u32>, Vec<Solution>), Stopped> {
    let places = 0..spec.codes() as u32;
    let first_values = |engine: &mut HeapValues, place: u32| {
        let mut digits = [0; 25];
        let digits = spec.digits(place as usize, &mut digits);
        let mut moves = Moves::default();
        moves.set_digits(digits);
        (prefix(&moves, digits, engine), place)
    };
    let keyed = places
        .into_par_iter()
        .map_init(HeapValues::default, first_values);
    let mut keyed: Vec<(Prefix, u32)> = keyed.collect();
    keyed.par_sort_unstable();
    let first: Vec<AtomicU32> = keyed.iter().map(|_| AtomicU32::new(0)).collect();
    let classes: Vec<&[(Prefix, u32)]> = keyed.chunk_by(|one, next| one.0 == next.0).collect();
    let solved = classes
        .par_iter()
        .with_max_len(256)
        .map_init(Class::default, |class, members| {
            let places = members.iter().map(|&(_, place)| place);
            class.solve(spec, places, stop, |place, leader| {
                // Every place is in one class, so each is written once; joining the workers publishes it.
                first[place as usize].store(leader, Ordering::Relaxed);
            })
        });
    let mut solutions: Vec<Solution> = Vec::new();
    for found in solved.collect::<Vec<_>>() {
        solutions.extend(found?);
    }
    solutions.par_sort_unstable_by_key(|solution| solution.place);
    Ok((
        first.into_iter().map(AtomicU32::into_inner).collect(),
        solutions,
    ))
}

/// The codes of one class that differ, each with its values; kept from class to class for its memory.
#[derive(Default)]
struct Class {
    leaders: Vec<(HeapValues, Option<Certificate>)>,
}

impl Class {
    /// Finds for each of the codes the first in the class with its values.
    fn solve(
        &mut self,
        spec: &SurveySpec,
        places: impl Iterator<Item = u32>,
        stop: &(dyn Fn() -> bool + Sync),
        mut assign: impl FnMut(u32, u32),
    ) -> Result<Vec<Solution>, Stopped> {
        if stop() {
            return Err(Stopped);
        }
        let mut found: Vec<Solution> = Vec::new();
        for place in places {
            let moves = spec.moves(place as usize);
            let used = &mut self.leaders[..found.len()];
            let equal = used
                .iter_mut()
                .zip(&found)
                .find_map(|((values, period), solution)| {
                    shares(values, period.as_ref(), &moves).then_some(solution.place)
                });
            assign(place, equal.unwrap_or(place));
            if equal.is_some() {
                continue;
            }
            if self.leaders.len() == found.len() {
                self.leaders.push(Default::default());
            }
            let (values, period) = &mut self.leaders[found.len()];
            values.restart_with(spec.digits(place as usize, &mut [0; 25]), spec.parts_max());
            *period = follow(values, spec.limit(), stop)?;
            found.push(Solution {
                place,
                heaps: 0,
                period: period.map(|c| (c.preperiod, c.period)),
                counts: counts(values, *period, spec.limit()),
            });
        }
        // Values may have been continued for the bound of another code.
        for (solution, (values, _)) in found.iter_mut().zip(&self.leaders) {
            solution.heaps = values.len();
        }
        Ok(found)
    }
}

/// Returns whether these values are those of other moves: for good where they have a period, else as far
/// as they are known.
fn shares(values: &mut HeapValues, period: Option<&Certificate>, moves: &Moves) -> bool {
    if let Some(found) = period {
        // The other moves have a bound of their own, which must be met by checked values.
        values.extend(moves.bound(found.preperiod.max(1), found.period) + found.period);
    }
    first_difference(values, moves).is_none()
}

/// Works out values until they are proved periodic or the limit is reached.
fn follow(
    values: &mut HeapValues,
    limit: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Certificate>, Stopped> {
    let mut goal = HEAPS_FIRST;
    loop {
        goal = goal.min(limit);
        while values.len() < goal {
            if values.len() >= HEAPS_BETWEEN_STOPS && stop() {
                return Err(Stopped);
            }
            values.extend(goal.min(values.len() + HEAPS_BETWEEN_STOPS));
        }
        let certificate = values.certificate();
        if certificate.is_some() || goal == limit {
            return Ok(certificate);
        }
        // 128, 192, 256, 384, ...: periods are mostly short, so steps of a half pay.
        goal = if goal.is_power_of_two() {
            goal / 2 * 3
        } else {
            goal / 3 * 4
        };
    }
}

/// Returns how many heaps below `limit` have each value, beyond the known ones by their period.
fn counts(values: &HeapValues, period: Option<Certificate>, limit: usize) -> [u64; 4] {
    let Some(Certificate {
        preperiod, period, ..
    }) = period.filter(|_| limit > values.len())
    else {
        return values.counts_before(limit.min(values.len()));
    };
    let rounds = ((limit - preperiod) / period) as u64;
    let rest = values.counts_before(preperiod + (limit - preperiod) % period);
    let (before, after) = (
        values.counts_before(preperiod),
        values.counts_before(preperiod + period),
    );
    std::array::from_fn(|v| rest[v] + rounds * (after[v] - before[v]))
}
