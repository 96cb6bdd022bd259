//! Lengths of boards without a job: the fewest stones of each length, and the length of the board of some stones.

use std::mem;

use bytesize::ByteSize;
use cggames::family::Progression;
use cgsolvers::tchoukaillon::lengths::{fill, length_counted, shortest_counted};

use crate::run::{Limits, Observer, Phase, Session, Signals, Tracker};

/// The number of lengths computed before any of them is passed on: neighbours are cheaper together.
const LENGTHS_TOGETHER: u64 = 1024;

/// The greatest step of a range at which the lengths between are computed too. Near 6,000,000, all of
/// 128 neighbours take as long as some of them alone.
const STEP_TOGETHER: u64 = 8;

/// The number of steps counted locally before the progress gets them.
const STEPS_TOGETHER: u64 = 1 << 16;

/// Finds the fewest stones N(l) of a board of each length l, and passes them on with their lengths, some at a time.
///
/// # Errors
///
/// Those of `each`.
///
/// ```
/// use cggames::family::Progression;
/// use seedbank::run::Silent;
/// use seedbank::task::lengths::fewest_by_length;
///
/// let mut found = Vec::new();
/// let lengths = Progression::parse("4..=6", 0, u64::MAX)?;
/// fewest_by_length(lengths, &Silent, |fewest| {
///     found.extend_from_slice(fewest);
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(found, [(4, 6), (5, 10), (6, 12)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fewest_by_length<E>(
    lengths: Progression<u64>,
    observer: &dyn Observer,
    mut each: impl FnMut(&[(u64, u128)]) -> Result<(), E>,
) -> Result<(), E> {
    let mut next = Some(lengths.first());
    while let Some(from) = next {
        let to = lengths
            .last()
            .min(from.saturating_add(LENGTHS_TOGETHER - 1));
        // A single length is cheaper alone than in a block.
        let is_block = from < to && to < u64::MAX && lengths.step() <= STEP_TOGETHER;
        let fewest = if is_block {
            watched(observer, &format!("N({from}) to N({to})"), None, |_| {
                let mut fewest = vec![0; (to - from + 1) as usize];
                fill(from, &mut fewest);
                fewest
            })
        } else {
            vec![shortest_of(from, observer)]
        };
        let found = (from..=u64::MAX).zip(fewest);
        let found: Vec<(u64, u128)> = found.step_by(lengths.step() as usize).collect();
        each(&found)?;
        let last = found.last().map(|&(length, _)| length);
        next = last.filter(|&length| length < lengths.last());
        next = next.map(|length| length + lengths.step());
    }
    Ok(())
}

/// Finds the length L(n) of the board of n stones, and passes on each n with its length.
///
/// # Errors
///
/// Those of `each`.
pub fn lengths_by_stones<E>(
    stones: Progression<u128>,
    observer: &dyn Observer,
    mut each: impl FnMut(u128, u128) -> Result<(), E>,
) -> Result<(), E> {
    let last = stones.last();
    // The last length found, and the number of stones from which on boards are longer.
    let mut found: Option<(u128, u128)> = None;
    for stones in stones.iter() {
        let length = match found {
            Some((length, longer)) if stones < longer => length,
            _ => {
                let length = length_of(stones, observer);
                let next = u64::try_from(length + 1).ok();
                // A length beyond 64 bits is found alone, and so is the last one.
                let next = next.filter(|_| stones < last);
                found = next.map(|next| (length, shortest_of(next, observer)));
                length
            }
        };
        each(stones, length)?;
    }
    Ok(())
}

/// Returns N(l).
fn shortest_of(length: u64, observer: &dyn Observer) -> u128 {
    let shortest = |length: u128, step: &mut dyn FnMut()| shortest_counted(length as u64, step);
    let growth = (1_000_000, 2.0 / 3.0);
    stepped("N", length.into(), growth, observer, shortest)
}

/// Returns L(n).
fn length_of(stones: u128, observer: &dyn Observer) -> u128 {
    let length = |stones: u128, step: &mut dyn FnMut()| length_counted(stones, step);
    let growth = (1_000_000_000_000, 1.0 / 3.0);
    stepped("L", stones, growth, observer, length)
}

/// Returns a function of a number, and reports its steps if they take long. `sample` takes some 10^4 steps, and the steps grow
/// with this power of the number.
fn stepped(
    name: &str,
    number: u128,
    (sample, power): (u128, f64),
    observer: &dyn Observer,
    function: impl Fn(u128, &mut dyn FnMut()) -> u128,
) -> u128 {
    let growth = (number as f64 / sample as f64).powf(power);
    // Work of less than a second reports no progress.
    if growth < 1000.0 {
        return function(number, &mut || ());
    }
    let mut all = 0_u64;
    function(sample, &mut || all += 1);
    let total = Some((all as f64 * growth) as u64);
    watched(observer, &format!("{name}({number})"), total, |tracker| {
        let mut steps = 0;
        function(number, &mut || {
            steps += 1;
            if steps == STEPS_TOGETHER {
                let steps = mem::take(&mut steps);
                tracker.add(steps, steps);
            }
        })
    })
}

/// Does work that cannot be stopped, of some steps if their number is known, and reports its progress.
fn watched<T>(
    observer: &dyn Observer,
    title: &str,
    steps: Option<u64>,
    work: impl FnOnce(&Tracker) -> T,
) -> T {
    let signals = Signals::default();
    let session = Session::new(Limits::new(1, ByteSize(u64::MAX)), &signals, observer);
    match steps {
        Some(steps) => session.tracker.expect(steps),
        None => session.tracker.expect_unknown(),
    }
    let unit = steps.map_or("", |_| "step");
    session.tracker.begin(Phase::Counting, unit, steps, 0);
    let work = || work(&session.tracker);
    session.watch((title, unit), (0, 0), None, work)
}
