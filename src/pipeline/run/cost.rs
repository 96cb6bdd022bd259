//! The estimated cost of rows, before any row is evaluated.
//!
//! The unit is one position evaluated; [`RowTask::cost`](super::RowTask::cost) estimates the cost
//! of rows. Estimates decide where parts end and which process makes them. They never affect the
//! contents of a row.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::plan::rows_of;

/// The cumulative cost of the parts left to make.
pub(crate) struct Costs<'a> {
    cost: &'a (dyn Fn(&Range<u64>) -> u64 + Sync),
    /// The ranks of each part, with the total rows and cost of the parts before it.
    parts: Vec<(Range<u64>, u64, u64)>,
    rows: u64,
    all: u64,
}

impl<'a> Costs<'a> {
    pub(crate) fn new<'r>(
        cost: &'a (dyn Fn(&Range<u64>) -> u64 + Sync),
        left: impl Iterator<Item = &'r Range<u64>>,
    ) -> Costs<'a> {
        let mut costs = Costs {
            cost,
            parts: Vec::new(),
            rows: 0,
            all: 0,
        };
        for ranks in left {
            costs.parts.push((ranks.clone(), costs.rows, costs.all));
            costs.rows += rows_of(ranks);
            costs.all = costs.all.saturating_add(cost(ranks));
        }
        costs
    }

    /// Returns the cost of all parts.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// Returns the cost of the first `rows` rows.
    pub(crate) fn of_rows(&self, rows: u64) -> u64 {
        let next = self.parts.partition_point(|&(_, before, _)| before < rows);
        let Some((ranks, before, cost_before)) = next.checked_sub(1).map(|i| &self.parts[i]) else {
            return 0;
        };
        let end = (ranks.start + rows - before).min(ranks.end);
        cost_before.saturating_add((self.cost)(&(ranks.start..end)))
    }
}

/// Halves the costliest range (the first among equals) repeatedly.
///
/// Stops when there are `wanted` ranges, when each costs at most `cost_max`, or when no range has
/// two members. Returns the ranges in order, with their costs.
pub(crate) fn halved(
    ranges: Vec<Range<u64>>,
    wanted: usize,
    cost_max: u64,
    cost: impl Fn(&Range<u64>) -> u64,
) -> (Vec<Range<u64>>, Vec<u64>) {
    let mut done: Vec<(u64, u64, u64)> = Vec::new();
    let mut costliest: BinaryHeap<(u64, Reverse<u64>, u64)> = ranges
        .iter()
        .map(|ranks| (cost(ranks), Reverse(ranks.start), ranks.end))
        .collect();
    while done.len() + costliest.len() < wanted
        && let Some((most, Reverse(start), end)) = costliest.pop()
    {
        if end - start < 2 || most <= cost_max {
            done.push((start, end, most));
            continue;
        }
        let middle = start + (end - start) / 2;
        for half in [start..middle, middle..end] {
            costliest.push((cost(&half), Reverse(half.start), half.end));
        }
    }
    done.extend(
        costliest
            .into_iter()
            .map(|(cost, Reverse(start), end)| (start, end, cost)),
    );
    done.sort_unstable();
    done.into_iter()
        .map(|(start, end, cost)| (start..end, cost))
        .unzip()
}
