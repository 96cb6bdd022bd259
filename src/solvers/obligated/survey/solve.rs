//! The computation of a survey: classes by the first 64 values, then one class after another.

use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use cggames::game::heap::Code;
use rayon::prelude::*;
use seedbank_memory::lock;

use super::super::heaps::HeapValues;
use super::equal::first_difference;
use super::prefix::{Prefix, prefix};
use super::spec::SurveySpec;
use crate::heaps::certificate::Certificate;
use crate::heaps::moves::Moves;
use crate::heaps::survey::{Delivery, FoundClasses, FoundValues, Solution, SurveyWatcher};

/// The work was stopped on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the survey was stopped before it finished")]
pub struct Stopped;

/// The number of heaps computed between two calls of the watcher's `stop`.
const HEAPS_BETWEEN_STOPS: usize = if cfg!(test) { 1 << 8 } else { 1 << 16 };

/// The number of heaps computed before the first search for a period; a power of two. It proves
/// most codes of few digits periodic.
const HEAPS_FIRST: usize = 128;

/// The number of classes in a lot if no code splits a heap in three; otherwise a lot is one class,
/// which may take long.
const LOT_CLASSES: usize = 256;

/// The least number of heaps whose values are delivered; recomputing fewer takes no longer.
const HEAPS_PASSED_ON: usize = if cfg!(test) { 1 << 9 } else { 1 << 17 };

/// The number of heaps in a delivered piece of values, a multiple of 64.
const HEAPS_TOGETHER: usize = 1 << 20;

/// Returns for every code the index of the first with its values, and the results for those.
pub(super) fn solve(
    spec: &SurveySpec,
    watcher: &impl SurveyWatcher,
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
    let classes: Vec<&[(Prefix, u32)]> = keyed.chunk_by(|one, next| one.0 == next.0).collect();
    let lots: Vec<&[&[(Prefix, u32)]]> = match spec.parts_max() {
        3 => classes.chunks(1).collect(),
        _ => classes.chunks(LOT_CLASSES).collect(),
    };
    let done = Done::new(&lots, watcher);
    lots.par_iter()
        .enumerate()
        .with_max_len(1)
        .map_init(CodeClass::default, |class, (number, lot)| {
            if done.is_known(number) {
                return Ok(());
            }
            let mut found = FoundClasses {
                lot: number,
                ..FoundClasses::default()
            };
            for members in *lot {
                let places = members.iter().map(|&(_, place)| place);
                class.solve(spec, places, &done, &mut found)?;
            }
            done.enter(found);
            Ok(())
        })
        .collect::<Result<Vec<()>, Stopped>>()
        .inspect_err(|_| done.hand_over())?;
    let mut first = vec![0; keyed.len()];
    let mut solutions: Vec<Solution> = Vec::new();
    for (lot, found) in lots.iter().zip(done.found) {
        let found = found.into_inner().expect("no lot was stopped");
        let places = lot.iter().copied().flatten().map(|&(_, place)| place);
        for (place, leader) in places.zip(found.first) {
            first[place as usize] = leader;
        }
        solutions.extend(found.solutions);
    }
    solutions.par_sort_unstable_by_key(|solution| solution.place);
    Ok((first, solutions))
}

/// The finished lots.
struct Done<'w, W> {
    watcher: &'w W,
    found: Vec<OnceLock<FoundClasses>>,
    new: Mutex<NewlyDone>,
}

/// The finished lots that are not delivered yet, and the time of the last delivery.
struct NewlyDone {
    lots: Vec<usize>,
    since: Instant,
}

impl<'w, W: SurveyWatcher> Done<'w, W> {
    /// Collects the known lots, ignoring those of other surveys.
    fn new(lots: &[&[&[(Prefix, u32)]]], watcher: &'w W) -> Done<'w, W> {
        let found: Vec<OnceLock<FoundClasses>> = lots.iter().map(|_| OnceLock::new()).collect();
        for known in watcher.known_classes() {
            let codes = |lot: &&[&[(Prefix, u32)]]| lot.iter().map(|class| class.len()).sum();
            if lots.get(known.lot).map(codes) == Some(known.first.len()) {
                // An earlier one for the same lot is equal.
                let _ = found[known.lot].set(known);
            }
        }
        Done {
            watcher,
            found,
            new: Mutex::new(NewlyDone {
                lots: Vec::new(),
                since: Instant::now(),
            }),
        }
    }

    fn is_known(&self, lot: usize) -> bool {
        self.found[lot].get().is_some()
    }

    fn enter(&self, found: FoundClasses) {
        let lot = found.lot;
        let entered = self.found[lot].set(found);
        debug_assert!(entered.is_ok(), "each lot is done once");
        let mut new = lock(&self.new);
        new.lots.push(lot);
        if self.watcher.is_due(new.since) {
            self.hand_over_all(&mut new);
        }
    }

    fn hand_over(&self) {
        self.hand_over_all(&mut lock(&self.new));
    }

    fn hand_over_all(&self, new: &mut NewlyDone) {
        for lot in new.lots.drain(..) {
            let found = self.found[lot].get().expect("it is done");
            self.watcher.take_classes(found.clone());
        }
        self.watcher.checkpoint();
        new.since = Instant::now();
    }
}

/// The distinct codes of one class, each with its values; reused from class to class for its
/// memory.
#[derive(Default)]
struct CodeClass {
    leaders: Vec<(HeapValues, Option<Certificate>)>,
}

impl CodeClass {
    /// Finds for each code the first in the class with its values.
    fn solve(
        &mut self,
        spec: &SurveySpec,
        places: impl Iterator<Item = u32>,
        done: &Done<'_, impl SurveyWatcher>,
        classes: &mut FoundClasses,
    ) -> Result<(), Stopped> {
        if done.watcher.stop() {
            return Err(Stopped);
        }
        let before = classes.solutions.len();
        for place in places {
            let moves = spec.moves(place as usize);
            let found = &classes.solutions[before..];
            let used = &mut self.leaders[..found.len()];
            let equal = used
                .iter_mut()
                .zip(found)
                .find_map(|((values, period), solution)| {
                    shares(values, period.as_ref(), &moves).then_some(solution.place)
                });
            classes.first.push(equal.unwrap_or(place));
            if equal.is_some() {
                continue;
            }
            if self.leaders.len() == found.len() {
                self.leaders.push(Default::default());
            }
            let (values, period) = &mut self.leaders[found.len()];
            values.restart_with(spec.digits(place as usize, &mut [0; 25]), spec.parts_max());
            *period = follow(values, &spec.code(place as usize), spec.limit(), done)?;
            classes.solutions.push(Solution {
                place,
                heaps: 0,
                period: period.map(|c| (c.preperiod, c.period)),
                counts: counts(values, *period, spec.limit()),
            });
        }
        // Values may have been continued for the bound of another code.
        for (solution, (values, _)) in classes.solutions[before..].iter_mut().zip(&self.leaders) {
            solution.heaps = values.len();
        }
        Ok(())
    }
}

/// Returns whether these values are also those of other moves: completely if they have a period,
/// otherwise as far as they are known.
fn shares(values: &mut HeapValues, period: Option<&Certificate>, moves: &Moves) -> bool {
    if let Some(found) = period {
        // The other moves have their own bound, which the checked values must reach.
        values.extend(moves.bound(found.preperiod.max(1), found.period) + found.period);
    }
    first_difference(values, moves).is_none()
}

/// Computes values until they are proved periodic or the limit is reached.
fn follow(
    values: &mut HeapValues,
    code: &Code,
    limit: usize,
    done: &Done<'_, impl SurveyWatcher>,
) -> Result<Option<Certificate>, Stopped> {
    let known = done.watcher.known_values(code);
    let words: usize = known.iter().map(|found| found.beside.len()).sum();
    let mut known = known.into_iter().flat_map(|found| found.beside);
    let known_to = 64 * words / values.words_found();
    let mut delivery = Delivery::new(done.watcher, code, known_to, HEAPS_TOGETHER);
    let mut goal = HEAPS_FIRST;
    loop {
        goal = goal.min(limit);
        // Known values are examined in the same steps as when they were found, so that certificates
        // are the same.
        let words = goal.saturating_sub(values.len()) / 64 * values.words_found();
        let words: Vec<u64> = known.by_ref().take(words).collect();
        values.adopt(&words);
        while values.len() < goal {
            if values.len() >= HEAPS_BETWEEN_STOPS {
                let stop = done.watcher.stop();
                if stop || delivery.is_due() {
                    pass(&mut delivery, values);
                    done.hand_over();
                    delivery.wait();
                }
                if stop {
                    return Err(Stopped);
                }
            }
            values.extend(goal.min(values.len() + HEAPS_BETWEEN_STOPS));
        }
        let certificate = values.certificate();
        if certificate.is_some() || goal == limit {
            pass(&mut delivery, values);
            return Ok(certificate);
        }
        // 128, 192, 256, 384, ...: periods are mostly short, so steps by a half pay off.
        goal = if goal.is_power_of_two() {
            goal / 2 * 3
        } else {
            goal / 3 * 4
        };
    }
}

/// Delivers the values of a code, if there are many.
fn pass(delivery: &mut Delivery<'_, impl SurveyWatcher>, values: &HeapValues) {
    let end = values.len() / 64 * 64;
    if end >= HEAPS_PASSED_ON {
        delivery.pass(end, |heaps| FoundValues {
            values: Vec::new(),
            beside: values.found(heaps),
        });
    }
}

/// Returns the number of heaps below `limit` with each value; beyond the known heaps by their
/// period.
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
