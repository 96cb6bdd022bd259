//! Candidates for an answer, and whether the bound of one suffices.

use cggames::game::reading::Pot;

use super::claims::Answer;
use crate::proof::bound::{Counts, Linear, Value};

/// Counts of a row that exceed their least by this or more are not distinguished.
pub(super) const COUNTS_APART: u32 = 2;

/// The sum that a count of an answering claim is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Partner {
    /// None: the count may be anything from its least on.
    None,
    /// The sum of the counts in this set; the distance from it is tracked.
    Sum(u32),
}

/// An answering claim being sought.
pub(super) struct Candidate {
    pub(super) answer: usize,
    pub(super) reader: usize,
    pub(super) bound: Value,
    pub(super) least: Vec<i64>,
    pub(super) partners: Vec<Partner>,
}

/// The counts of a row at its end; those not far above their least are known exactly.
pub(super) struct Own {
    counts: Vec<Linear>,
    pub(super) region: Counts,
}

impl Own {
    /// Returns the counts found, as integers in terms of themselves and of others whose least
    /// values are given.
    pub(super) fn of(found: &[u32], least: &[i64], others: &[i64]) -> Own {
        let all = least.len() + others.len();
        let found: Vec<i64> = found[..least.len()]
            .iter()
            .map(|&count| count.into())
            .collect();
        let counts = found.iter().zip(least).enumerate();
        let counts = counts.map(|(count, (&found, least))| {
            if found < least + i64::from(COUNTS_APART) {
                Linear::constant(found, all)
            } else {
                Linear::count(count, all)
            }
        });
        Own {
            counts: counts.collect(),
            region: Counts {
                least: [&found[..], others].concat(),
                negative: None,
            },
        }
    }

    /// Returns an integer in terms of the row's counts.
    pub(super) fn integer(&self, integer: &Linear) -> Linear {
        integer.with(&self.counts, self.region.least.len())
    }
}

/// Returns whether a candidate's bound suffices for all counts of the claim and of the candidate.
/// Some of the latter are sums of counts of the claim, plus lags.
pub(super) fn suffices(
    candidate: &Candidate,
    answer: &Answer,
    lags: &[i8],
    (found, least): (&[u32], &[i64]),
    negative: Option<&Linear>,
) -> bool {
    let free = candidate.partners.iter().zip(&candidate.least);
    let free = free.filter(|(partner, _)| **partner == Partner::None);
    let free: Vec<i64> = free.map(|(_, least)| *least).collect();
    let mut own = Own::of(found, least, &free);
    own.region.negative = negative.map(|negative| own.integer(negative));
    let all = own.region.least.len();
    let mut free = least.len()..all;
    let theirs = candidate.partners.iter().zip(lags);
    let theirs = theirs.map(|(partner, lag)| match partner {
        Partner::None => Linear::count(free.next().unwrap_or(0), all),
        Partner::Sum(set) => own.counts.iter().enumerate().fold(
            Linear::constant(i64::from(*lag), all),
            |sum, (count, linear)| sum.plus(i64::from(set >> count & 1), linear),
        ),
    });
    let theirs: Vec<Linear> = theirs.collect();
    let bound = candidate.bound.with(&theirs, all);
    let target = answer.bound.with(&own.counts, all);
    match answer.by {
        None => bound.is_less_or_confused(&target, &own.region),
        Some(_) => bound.is_at_most(&target, &own.region),
    }
}

/// Returns all ways to compare the counts that a bound depends on with sums of counts of other
/// rows. Two counts are comparable if their words are equal up to rotation.
pub(super) fn partners(bound: &Value, own: &[&[Pot]], others: &[&[Pot]]) -> Vec<Vec<Partner>> {
    let mut ways = vec![Vec::new()];
    for (count, word) in own.iter().enumerate() {
        let mut partners = vec![Partner::None];
        if bound.depends_on(count) {
            let alike = others
                .iter()
                .enumerate()
                .filter(|(_, other)| is_rotation(word, other));
            let mut sets = vec![0u32];
            for (other, _) in alike {
                let more: Vec<u32> = sets.iter().map(|set| set | 1 << other).collect();
                sets.extend(more);
            }
            partners.extend(sets.into_iter().map(Partner::Sum));
        }
        ways = ways
            .iter()
            .flat_map(|way| {
                partners
                    .iter()
                    .map(|&partner| [&way[..], &[partner]].concat())
            })
            .collect();
    }
    ways
}

fn is_rotation(word: &[Pot], other: &[Pot]) -> bool {
    word.len() == other.len()
        && (0..word.len()).any(|at| [&word[at..], &word[..at]].concat() == other)
}
