//! Periods of sequences.
//!
//! The period is found on the first two thirds of a sequence, as the one that begins earliest, and
//! must hold on the rest. It must also save [bits](super::bits): the cost of the entries that it
//! gives, by their frequency, minus the cost of the period and the preperiod as numbers.

use std::collections::HashMap;
use std::hash::Hash;

use super::bits::{BITS_LEAST, by_frequency};
use super::sought::Sought;

/// A sequence that repeats from some place on.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    /// The place, counted from 0, from which on entry n + period is entry n.
    pub preperiod: usize,
    /// The period.
    pub period: usize,
    /// The number of entries held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

/// Returns the period of a sequence, in O(entries).
///
/// ```
/// use cglaws::{Sought, period};
///
/// let sequence: Vec<u32> = [7, 7].into_iter().chain((0..40).map(|n| n % 4)).collect();
/// let Sought::Found(found) = period(&sequence) else { panic!("no period") };
/// assert_eq!((found.preperiod, found.period, found.tested), (2, 4, 14));
/// ```
pub fn period<T: Copy + Eq + Hash>(sequence: &[T]) -> Sought<Period> {
    let found_on = 2 * sequence.len() / 3;
    let Some((preperiod, period)) = repetition(&sequence[..found_on]) else {
        return Sought::None;
    };
    let holds = (found_on.saturating_sub(period)..sequence.len() - period)
        .all(|n| sequence[n] == sequence[n + period]);
    let bits = saved(sequence, preperiod, period);
    let found = Period {
        preperiod,
        period,
        tested: sequence.len() - found_on,
        bits,
    };
    if !holds {
        return Sought::Failed(found);
    }
    let is_constant = sequence.iter().all(|entry| *entry == sequence[0]);
    if bits < BITS_LEAST && !is_constant {
        return Sought::None;
    }
    Sought::Found(found)
}

/// Returns the preperiod and the period of a sequence whose end repeats at least twice; of several,
/// those that begin earliest.
///
/// Cost: O(entries).
pub(super) fn repetition<T: Copy + Eq>(sequence: &[T]) -> Option<(usize, usize)> {
    let backwards: Vec<T> = sequence.iter().rev().copied().collect();
    let repeats = repeats(&backwards);
    let period = (1..backwards.len())
        .filter(|&period| repeats[period] >= period)
        .max_by_key(|&period| (repeats[period], usize::MAX - period))?;
    Some((sequence.len() - period - repeats[period], period))
}

/// Returns the bits that a period saves: the cost of the entries behind the first period, minus
/// [those of the law](written).
pub(super) fn saved<T: Copy + Eq + Hash>(sequence: &[T], preperiod: usize, period: usize) -> f64 {
    // Kinds in the order of first occurrence, so that the sum is identical to the last bit in every
    // run.
    let mut kinds: HashMap<T, usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    for &entry in sequence {
        let kind = *kinds.entry(entry).or_insert(counts.len());
        if kind == counts.len() {
            counts.push(0);
        }
        counts[kind] += 1;
    }
    let costs = by_frequency(counts.into_iter());
    let given = sequence[preperiod + period..].iter();
    given.map(|entry| costs[kinds[entry]]).sum::<f64>() - written(preperiod, period)
}

/// Returns the bits of a preperiod and a period, written as numbers.
pub(super) fn written(preperiod: usize, period: usize) -> f64 {
    [preperiod, period]
        .map(|n| 2.0 * (n as f64 + 1.0).log2())
        .iter()
        .sum()
}

/// Returns, for each shift, the length of the common prefix of the sequence and its shifted copy
/// (the Z-function).
fn repeats<T: Eq>(entries: &[T]) -> Vec<usize> {
    let mut repeats = vec![entries.len(); entries.len().min(1)];
    let (mut left, mut right) = (0, 0);
    for shift in 1..entries.len() {
        let known = if shift < right {
            repeats[shift - left].min(right - shift)
        } else {
            0
        };
        let mut length = known;
        while shift + length < entries.len() && entries[length] == entries[shift + length] {
            length += 1;
        }
        if shift + length > right {
            (left, right) = (shift, shift + length);
        }
        repeats.push(length);
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_those_of_all_shifts() {
        let mut generator = fastrand::Rng::with_seed(3);
        let mut found = 0;
        for _ in 0..3000 {
            let (period, preperiod) = (generator.usize(1..9), generator.usize(0..9));
            let part: Vec<u8> = (0..period).map(|_| generator.u8(0..4)).collect();
            let mut sequence: Vec<u8> = (0..preperiod).map(|_| generator.u8(0..4)).collect();
            sequence.extend(part.iter().cycle().take(40));
            // The least pair of period and preperiod, by trying all.
            let holds = |period: usize, from: usize| {
                (from..sequence.len() - period).all(|n| sequence[n] == sequence[n + period])
            };
            let least = (1..=period)
                .find(|&period| holds(period, preperiod))
                .unwrap();
            let first = (0..=preperiod).find(|&from| holds(least, from)).unwrap();
            match super::period(&sequence) {
                Sought::Found(period) => {
                    found += 1;
                    assert_eq!((period.period, period.preperiod), (least, first));
                }
                Sought::Failed(_) => panic!("{sequence:?}"),
                // A nearly constant sequence saves too little.
                Sought::None => {}
            }
        }
        assert!(found > 2000, "{found}");
    }

    #[test]
    fn random_sequences_have_none() {
        let mut generator = fastrand::Rng::with_seed(8);
        for round in 0..20_000 {
            let letters = 2 + round % 9;
            let length = generator.usize(10..120);
            let sequence: Vec<u32> = (0..length).map(|_| generator.u32(0..letters)).collect();
            assert!(
                !matches!(period(&sequence), Sought::Found(_)),
                "{sequence:?}"
            );
        }
    }
}
