//! The estimated cost of rows before any is evaluated.
//!
//! The unit is a position evaluated; [`RowTask::cost`](super::RowTask::cost) says what rows cost. Estimates decide where parts end and which process
//! makes which, never what a row says.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::plan::rows_of;

/// The cumulative cost of the parts that are left.
pub(crate) struct Costs<'a> {
    cost: &'a (dyn Fn(&Range<u64>) -> u64 + Sync),
    /// The ranks of each part, with the rows and the cost of the parts before it.
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

/// Halves the costliest range, of equal ones the first, until there are `wanted` ranges, or each costs at most `cost_max`, or none
/// has two members. Returns the ranges in order, with their costs.
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
