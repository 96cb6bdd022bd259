//! Counts of the ways to fill a row of given length: the tables behind length, rank and unrank.
//!
//! A row is filled in *steps*, outside in: pots 0, p-1, 1, p-2, ... Up to some step the row may
//! still be *tied*: its left half is the mirror image of its right half. In a listed row the right
//! pot that breaks the tie holds more than its partner; after that every filling is allowed. From a
//! tie before an even step there are (all + symmetric) / 2 listed ways, where `all` counts all ways
//! and `symmetric` the symmetric ones.

use crate::board::RowShape;

/// The counts for rows of one length.
#[derive(Clone, Debug)]
pub(super) struct RowTable {
    pots: u32,
    seeds_max: u32,
    /// The least and the most seeds in the pot of each step.
    limits: Vec<(u32, u32)>,
    /// For each step, the fewest and the most seeds that it and all later steps take together.
    rest: Vec<(u32, u32)>,
    /// `free[step][seeds]`: the ways to fill the pots from `step` on with `seeds` seeds.
    free: Vec<Vec<u128>>,
    /// `tied[step][seeds]` for even steps: the same, up to mirror image; empty at odd steps.
    tied: Vec<Vec<u128>>,
}

/// A partly filled row, as far as later steps depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartialRow {
    /// The next step.
    pub(super) step: usize,
    /// The seeds left for it and later steps.
    pub(super) seeds: u32,
    /// Whether the row is its own mirror image so far.
    pub(super) tied: bool,
    /// At odd steps, the seeds in the partner of the next pot.
    pub(super) partner: u32,
}

impl PartialRow {
    /// Returns the state before the first step of a row of `seeds` seeds.
    pub(super) fn start(seeds: u32) -> PartialRow {
        PartialRow {
            step: 0,
            seeds,
            tied: true,
            partner: 0,
        }
    }

    /// Returns the state after a pot of `value` seeds.
    pub(super) fn after(self, value: u32) -> PartialRow {
        PartialRow {
            step: self.step + 1,
            seeds: self.seeds - value,
            tied: self.tied && (self.step.is_multiple_of(2) || value == self.partner),
            partner: value,
        }
    }
}

impl RowTable {
    /// Counts the rows of `pots` pots of at most `seeds_bound` seeds, and at most `pot_bound` in a
    /// pot.
    pub(super) fn new(
        shape: RowShape,
        pots: u32,
        seeds_bound: u32,
        pot_bound: Option<u32>,
    ) -> RowTable {
        let limits: Vec<(u32, u32)> = (0..pots)
            .map(|step| {
                let pot = pot_of_step(pots, step);
                let dropped_if_empty = shape.board_pots.is_none() && step < 2;
                let cap = shape.caps.cap(pots, pot).unwrap_or(seeds_bound);
                let cap = pot_bound.map_or(cap, |bound| cap.min(bound));
                (u32::from(dropped_if_empty), cap)
            })
            .collect();
        let mut rest = vec![(0, 0); limits.len() + 1];
        for (step, limit) in limits.iter().enumerate().rev() {
            let (min, max) = rest[step + 1];
            rest[step] = (min + limit.0, u32::saturating_add(max, limit.1));
        }
        let seeds_max = rest[0].1.min(seeds_bound);
        let (free, tied) = count(&limits, seeds_max);
        RowTable {
            pots,
            seeds_max,
            limits,
            rest,
            free,
            tied,
        }
    }

    pub(super) fn pots(&self) -> u32 {
        self.pots
    }

    /// Returns the most seeds of any row counted.
    pub(super) fn seeds_max(&self) -> u32 {
        self.seeds_max
    }

    /// Returns the number of rows of `seeds` seeds up to mirror image, exact below 2^127.
    pub(super) fn count(&self, seeds: u32) -> u128 {
        self.tied[0][seeds as usize]
    }

    /// Returns the least and the greatest value of the next pot in a listed row. Every value
    /// between them occurs too, since all limits are intervals.
    pub(super) fn choices(&self, state: PartialRow) -> (u32, u32) {
        let (min, max) = self.limits[state.step];
        let PartialRow { seeds, .. } = state;
        if self.may_break_tie(state) {
            // The right pot of the pair holds at least as much as this one and at most `max`.
            let (rest_min, rest_max) = self.rest[state.step + 2];
            let least = seeds.saturating_sub(max.saturating_add(rest_max));
            (
                least.max(min),
                seeds.saturating_sub(rest_min).min(2 * max) / 2,
            )
        } else {
            let (rest_min, rest_max) = self.rest[state.step + 1];
            let least = if state.tied && state.step % 2 == 1 {
                min.max(state.partner)
            } else {
                min
            };
            (
                least.max(seeds.saturating_sub(rest_max)),
                max.min(seeds.saturating_sub(rest_min)),
            )
        }
    }

    /// Returns the number of listed rows in which the next pot holds `value`.
    pub(super) fn completions(&self, state: PartialRow, value: u32) -> u128 {
        let left = (state.seeds - value) as usize;
        if self.may_break_tie(state) {
            let (_, max) = self.limits[state.step + 1];
            (value..=max.min(state.seeds - value))
                .map(|right| {
                    let ways = if right == value {
                        &self.tied
                    } else {
                        &self.free
                    };
                    ways[state.step + 2][left - right as usize]
                })
                .fold(0, u128::saturating_add)
        } else if state.tied && state.step % 2 == 1 && value == state.partner {
            self.tied[state.step + 1][left]
        } else {
            self.free[state.step + 1][left]
        }
    }

    /// Returns whether the next pot is the left one of a pair that may break a tie.
    fn may_break_tie(&self, state: PartialRow) -> bool {
        state.tied && state.step.is_multiple_of(2) && state.step + 1 < self.limits.len()
    }

    /// Returns the rank of a row among the listed rows with its number of seeds, or `None` if it is
    /// not listed.
    pub(super) fn rank(&self, pots: &[u32]) -> Option<u64> {
        let mut state = PartialRow::start(pots.iter().sum());
        let mut rank = 0u128;
        for step in 0..self.pots {
            let value = pots[pot_of_step(self.pots, step) as usize];
            let (least, most) = self.choices(state);
            if !(least..=most).contains(&value) {
                return None;
            }
            for smaller in least..value {
                rank += self.completions(state, smaller);
            }
            state = state.after(value);
        }
        u64::try_from(rank).ok()
    }
}

/// Returns the pot that `step` fills.
pub(super) fn pot_of_step(pots: u32, step: u32) -> u32 {
    match step % 2 {
        0 => step / 2,
        _ => pots - 1 - step / 2,
    }
}

/// Returns the tables `free` and `tied`. Counts saturate: a saturated count is refused as too many
/// anyway.
fn count(limits: &[(u32, u32)], seeds_max: u32) -> (Vec<Vec<u128>>, Vec<Vec<u128>>) {
    let width = seeds_max as usize + 1;
    let none = || vec![0u128; width];
    let mut end = none();
    end[0] = 1;
    let mut free = vec![end.clone()];
    let mut symmetric = vec![end.clone()];
    let mut tied = vec![end];
    // From the last step to the first; the tables are reversed at the end.
    for (step, &limit) in limits.iter().enumerate().rev() {
        let before = &free[free.len() - 1];
        let all = fill(before, limit, 1);
        let alone = step + 1 == limits.len();
        let (mirrored, listed) = if step % 2 == 1 {
            // Within a pair, where no tie is ever looked up.
            (none(), Vec::new())
        } else {
            let mirrored = if alone {
                all.clone()
            } else {
                fill(&symmetric[symmetric.len() - 2], limit, 2)
            };
            let listed = std::iter::zip(&all, &mirrored)
                .map(|(all, mirrored)| all.saturating_add(*mirrored) / 2)
                .collect();
            (mirrored, listed)
        };
        free.push(all);
        symmetric.push(mirrored);
        tied.push(listed);
    }
    free.reverse();
    tied.reverse();
    (free, tied)
}

/// Adds `copies` equal pots to rows counted by `before`. The sum is computed in full: a sliding
/// difference would be wrong with saturated counts.
fn fill(before: &[u128], (min, max): (u32, u32), copies: usize) -> Vec<u128> {
    (0..before.len())
        .map(|seeds| {
            (min as usize..=max as usize)
                .take_while(|value| copies * value <= seeds)
                .map(|value| before[seeds - copies * value])
                .fold(0, u128::saturating_add)
        })
        .collect()
}
