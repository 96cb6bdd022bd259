//! Boards from the residues of the nearer fixed bins, for searches that the farthest bin would make long.
//!
//! The boards that agree with the fixed bins up to bin j repeat with P = lcm(2, ..., j+1) (Corollary 2.3). Where few
//! of the numbers below P do, as after five bins, going through these numbers plus the multiples of P, and looking
//! at the farther fixed bins of each, takes fewer steps than going through the classes of the farthest bin. Turn t
//! of the wheel has the numbers from tP to (t+1)P - 1, so they come in rising order.
//!
//! **Which bins are near** is decided by [`plan`], which counts steps. It takes stones for evenly spread, so that
//! 1 board in i+1 has what is asked of bin i. That decides on time only.

use std::ops::Range;

use super::lanes::{Chains, WHOLE};
use crate::engine::tchoukaillon::quotient::lower;
use crate::engine::tchoukaillon::remainders::period;

/// The classes that a wheel has at most; they take 64 MiB, and as much again while they are found.
pub(super) const CLASSES_MAX: usize = 1 << 22;

/// What looking at a quotient costs beside its steps.
///
/// Unit: steps of a chain. An estimate.
const LOOK: f64 = 6.0;

/// Boards that are looked at together: whole turns, or a part of one.
const PART: usize = 1 << 12;

/// What is kept of the boards that agree with the nearer fixed bins.
pub(super) struct Wheel {
    period: u64,
    /// The numbers of stones below the period, rising.
    classes: Vec<u64>,
    /// The quotients of these boards at bin `bin`, the farthest of the nearer ones.
    quotients: Vec<f64>,
    bin: u64,
    /// The other fixed bins and their stones, nearest first.
    beyond: Vec<(u64, u64)>,
}

/// Where in a wheel to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    turn: u64,
    class: usize,
}

/// Some classes in each of some turns.
pub(super) struct Part {
    turns: Range<u64>,
    classes: Range<usize>,
}

impl Wheel {
    /// Prepares a wheel for bins, the farthest first, from the classes of those without the first `beyond` ones modulo
    /// their period.
    pub(super) fn new(classes: Vec<u64>, bins: &[(u64, u64)], beyond: usize) -> Wheel {
        let bin = bins[beyond].0;
        let period = period(bin).and_then(|period| u64::try_from(period).ok());
        let quotient = |&n: &u64| lower(u128::from(n), 1, bin) as f64;
        Wheel {
            period: period.expect("a plan has short periods"),
            quotients: classes.iter().map(quotient).collect(),
            classes,
            bin,
            beyond: bins[..beyond].iter().rev().copied().collect(),
        }
    }

    /// Returns what it costs to look at the boards of a stretch so long.
    ///
    /// Unit: steps of a chain.
    pub(super) fn steps(&self, boards: f64) -> f64 {
        let looked_at = self.classes.len() as f64 * (boards / self.period as f64).ceil();
        steps_beyond(self.bin, &self.beyond, looked_at)
    }

    /// Returns the place of the first class in the turn of so many stones.
    pub(super) fn place(&self, stones: u64) -> Place {
        Place {
            turn: stones / self.period,
            class: 0,
        }
    }

    /// Takes the next part off; `None` when no board in it has at most `last` stones.
    pub(super) fn take(&self, next: &mut Place, last: u64) -> Option<Part> {
        let last_turn = last / self.period;
        if next.turn > last_turn || self.classes.is_empty() {
            return None;
        }
        let Place { turn, class } = *next;
        let end = self.classes.len().min(class + PART);
        let turns = match class {
            0 => (PART / self.classes.len()).max(1) as u64,
            _ => 1,
        };
        let part = Part {
            turns: turn..(turn + turns).min(last_turn + 1),
            classes: class..end,
        };
        *next = match end == self.classes.len() {
            true => Place {
                turn: part.turns.end,
                class: 0,
            },
            false => Place { turn, class: end },
        };
        Some(part)
    }

    /// Returns the numbers of stones that agree among those of a part, rising.
    pub(super) fn search(&self, part: &Part, chains: &Chains) -> Vec<u64> {
        let size = part.classes.len() * (part.turns.end - part.turns.start) as usize;
        let (mut numbers, mut quotients) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for turn in part.turns.clone() {
            // The number of every bin up to `bin` divides the stones of a turn, so they go on to the bin undiminished.
            let (stones, quotient) = (turn * self.period, (turn * (self.period / self.bin)) as f64);
            numbers.extend(
                self.classes[part.classes.clone()]
                    .iter()
                    .map(|n| n + stones),
            );
            quotients.extend(
                self.quotients[part.classes.clone()]
                    .iter()
                    .map(|q| q + quotient),
            );
        }
        let mut bin = self.bin;
        for &(farther, stones) in &self.beyond {
            chains.lower_all(&mut quotients, bin, farther);
            bin = farther;
            let (modulus, stones) = ((bin + 1) as f64, stones as f64);
            let inverse = 1.0 / modulus;
            let mut kept = 0;
            for i in 0..numbers.len() {
                (numbers[kept], quotients[kept]) = (numbers[i], quotients[i]);
                let with_stones = quotients[i] + stones;
                let nearest = (with_stones * inverse + WHOLE) - WHOLE;
                kept += usize::from(nearest * modulus == with_stones);
            }
            numbers.truncate(kept);
            quotients.truncate(kept);
        }
        numbers
    }
}

/// Returns how many of the farthest bins to look at with a wheel of the nearer ones, to search so many boards for those with
/// these bins, the farthest first; `None` where no wheel is the cheapest. Any wheel is, where it may take `at_any_cost`.
///
/// O(f^2) for f fixed bins.
pub(super) fn plan(bins: &[(u64, u64)], boards: f64, at_any_cost: bool) -> Option<usize> {
    let mut residues: Vec<Residues> = Vec::new();
    for i in (1..bins.len()).rev() {
        let (bin, _) = bins[i];
        let Some(period) = period(bin).map(|period| period as f64) else {
            break;
        };
        if period > boards {
            break;
        }
        let share = |count: f64, &(bin, _): &(u64, u64)| count / (bin + 1) as f64;
        let (_, steps) = cheapest(&bins[i..], period, &residues);
        residues.push(Residues {
            period,
            count: bins[i..].iter().fold(period, share),
            steps: steps.min(steps_without(&bins[i..], period)),
        });
    }
    let (beyond, steps) = cheapest(bins, boards, &residues);
    (beyond > 0 && (at_any_cost || steps < steps_without(bins, boards))).then_some(beyond)
}

/// The boards below the period that agree with some of the nearest bins.
struct Residues {
    period: f64,
    /// How many there are, about.
    count: f64,
    /// What it costs to find them.
    steps: f64,
}

/// Returns how many bins to leave to the cheapest wheel, and what that costs with finding its residues; 0 and infinity
/// where no wheel can be. Residues are given for the nearest bin, for the two nearest, and so on.
fn cheapest(bins: &[(u64, u64)], boards: f64, residues: &[Residues]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (i, residues) in residues.iter().enumerate() {
        // The estimate may be out by a little.
        if residues.count > (CLASSES_MAX / 2) as f64 {
            continue;
        }
        let beyond = bins.len() - 1 - i;
        let farther: Vec<(u64, u64)> = bins[..beyond].iter().rev().copied().collect();
        let looked_at = residues.count * (boards / residues.period).ceil();
        let steps = residues.steps
            + LOOK * residues.count
            + steps_beyond(bins[beyond].0, &farther, looked_at);
        if steps < best.1 {
            best = (beyond, steps);
        }
    }
    best
}

/// Returns what it costs to look at the farther bins, the nearest first, of so many boards.
fn steps_beyond(mut bin: u64, farther: &[(u64, u64)], mut looked_at: f64) -> f64 {
    let mut steps = 0.0;
    for &(next, _) in farther {
        steps += looked_at * (LOOK + (next - bin) as f64);
        looked_at /= (next + 1) as f64;
        bin = next;
    }
    steps
}

/// Returns what it costs to search so many boards from the farthest bin.
pub(super) fn steps_without(bins: &[(u64, u64)], boards: f64) -> f64 {
    let (mut steps, mut looked_at) = (0.0, boards);
    for (i, &(bin, _)) in bins.iter().enumerate() {
        let (bin, next) = (
            bin as f64,
            bins.get(i + 1).map_or(1, |&(bin, _)| bin) as f64,
        );
        if i == 0 {
            looked_at /= bin;
        }
        looked_at /= bin + 1.0;
        steps += looked_at;
        let mut chained = looked_at;
        if i == 0 && next > 1.0 {
            // As in `reachable`.
            let between = (bin + next - 1.0) * (bin - next) / 2.0;
            chained *= (between / (next * (next + 1.0))).min(1.0);
        }
        steps += chained * (LOOK + 2.0 * (bin - next));
        looked_at *= bin / next;
    }
    steps
}
