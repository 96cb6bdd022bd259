//! Boards from the residues of the nearer fixed bins, for searches that would be long from the
//! farthest bin.
//!
//! The boards that agree with the fixed bins up to bin j repeat with P = lcm(2, ..., j+1)
//! (Corollary 2.3). If few of the numbers below P agree, as after five bins, it takes fewer steps
//! to enumerate these numbers plus the multiples of P, testing the farther fixed bins of each, than
//! to enumerate the classes of the farthest bin. Turn t has the numbers from tP to (t+1)P - 1, so
//! the order is ascending.
//!
//! [`plan`] decides **which bins are near** by counting steps. It assumes that stones are evenly
//! distributed, so that 1 board in i+1 agrees with bin i. That assumption affects only the time.

use std::ops::Range;

use super::lanes::{Chains, WHOLE};
use crate::tchoukaillon::quotient::lower;
use crate::tchoukaillon::remainders::period;

/// The most residues; they take 64 MiB, and the same again while they are found.
pub(super) const CLASSES_MAX: usize = 1 << 22;

/// The cost of visiting a quotient, in addition to its steps.
///
/// Unit: steps of a chain. An estimate.
const VISIT_STEPS: f64 = 6.0;

/// The number of boards that are tested together: whole turns, or a section of one.
const BATCH: usize = 1 << 12;

/// The residues of the boards that agree with the nearer fixed bins.
pub(super) struct ResidueClasses {
    period: u64,
    /// The numbers of stones below the period, ascending.
    classes: Vec<u64>,
    /// The quotients of these boards at bin `bin`, the farthest of the nearer ones.
    quotients: Vec<f64>,
    bin: u64,
    /// The other fixed bins and their stones, nearest first.
    beyond: Vec<(u64, u64)>,
}

/// The position of the enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    turn: u64,
    class: usize,
}

/// A batch of boards: some classes in each of some turns.
pub(super) struct Batch {
    turns: Range<u64>,
    classes: Range<usize>,
}

impl ResidueClasses {
    /// Prepares the search for bins, the farthest first, from the residues of all but the first
    /// `beyond` bins.
    pub(super) fn new(classes: Vec<u64>, bins: &[(u64, u64)], beyond: usize) -> ResidueClasses {
        let bin = bins[beyond].0;
        let period = period(bin).and_then(|period| u64::try_from(period).ok());
        let quotient = |&n: &u64| lower(u128::from(n), 1, bin) as f64;
        ResidueClasses {
            period: period.expect("a plan has short periods"),
            quotients: classes.iter().map(quotient).collect(),
            classes,
            bin,
            beyond: bins[..beyond].iter().rev().copied().collect(),
        }
    }

    /// Returns the cost of testing `boards` consecutive boards.
    ///
    /// Unit: steps of a chain.
    pub(super) fn steps(&self, boards: f64) -> f64 {
        let visited = self.classes.len() as f64 * (boards / self.period as f64).ceil();
        steps_beyond(self.bin, &self.beyond, visited)
    }

    /// Returns the position of the first class in the turn that contains `stones`.
    pub(super) fn position(&self, stones: u64) -> Position {
        Position {
            turn: stones / self.period,
            class: 0,
        }
    }

    /// Takes the next batch; `None` if no board in it has at most `last` stones.
    pub(super) fn take(&self, next: &mut Position, last: u64) -> Option<Batch> {
        let last_turn = last / self.period;
        if next.turn > last_turn || self.classes.is_empty() {
            return None;
        }
        let Position { turn, class } = *next;
        let end = self.classes.len().min(class + BATCH);
        let turns = match class {
            0 => (BATCH / self.classes.len()).max(1) as u64,
            _ => 1,
        };
        let batch = Batch {
            turns: turn..(turn + turns).min(last_turn + 1),
            classes: class..end,
        };
        *next = if end == self.classes.len() {
            Position {
                turn: batch.turns.end,
                class: 0,
            }
        } else {
            Position { turn, class: end }
        };
        Some(batch)
    }

    /// Returns the numbers of stones that agree among those of a batch, ascending.
    pub(super) fn search(&self, batch: &Batch, chains: &Chains) -> Vec<u64> {
        let size = batch.classes.len() * (batch.turns.end - batch.turns.start) as usize;
        let (mut numbers, mut quotients) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for turn in batch.turns.clone() {
            // The number of every bin up to `bin` divides the period, so quotients shift by a
            // constant from turn to turn.
            let (stones, quotient) = (turn * self.period, (turn * (self.period / self.bin)) as f64);
            numbers.extend(
                self.classes[batch.classes.clone()]
                    .iter()
                    .map(|n| n + stones),
            );
            quotients.extend(
                self.quotients[batch.classes.clone()]
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

/// Returns the number of farthest bins to test in the cheapest search by residues of the other
/// bins, for `boards` boards and these bins, the farthest first. Returns `None` if a search from
/// the farthest bin is cheaper, unless `at_any_cost`.
///
/// O(f^2) for f fixed bins.
pub(super) fn plan(bins: &[(u64, u64)], boards: f64, at_any_cost: bool) -> Option<usize> {
    let mut residues: Vec<ResidueEstimate> = Vec::new();
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
        residues.push(ResidueEstimate {
            period,
            count: bins[i..].iter().fold(period, share),
            steps: steps.min(steps_without(&bins[i..], period)),
        });
    }
    let (beyond, steps) = cheapest(bins, boards, &residues);
    (beyond > 0 && (at_any_cost || steps < steps_without(bins, boards))).then_some(beyond)
}

/// An estimate for the boards below the period that agree with some of the nearest bins.
struct ResidueEstimate {
    period: f64,
    /// Their approximate number.
    count: f64,
    /// The cost of finding them.
    steps: f64,
}

/// Returns the number of farthest bins to test in the cheapest search by residues, and its cost
/// including that of finding the residues; 0 and infinity if there is none. `residues` has
/// estimates for the nearest bin, for the two nearest, and so on.
fn cheapest(bins: &[(u64, u64)], boards: f64, residues: &[ResidueEstimate]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (i, residues) in residues.iter().enumerate() {
        // The estimate may be slightly wrong.
        if residues.count > (CLASSES_MAX / 2) as f64 {
            continue;
        }
        let beyond = bins.len() - 1 - i;
        let farther: Vec<(u64, u64)> = bins[..beyond].iter().rev().copied().collect();
        let visited = residues.count * (boards / residues.period).ceil();
        let steps = residues.steps
            + VISIT_STEPS * residues.count
            + steps_beyond(bins[beyond].0, &farther, visited);
        if steps < best.1 {
            best = (beyond, steps);
        }
    }
    best
}

/// Returns the cost of testing the farther bins, the nearest first, on `visited` boards.
fn steps_beyond(mut bin: u64, farther: &[(u64, u64)], mut visited: f64) -> f64 {
    let mut steps = 0.0;
    for &(next, _) in farther {
        steps += visited * (VISIT_STEPS + (next - bin) as f64);
        visited /= (next + 1) as f64;
        bin = next;
    }
    steps
}

/// Returns the cost of searching `boards` boards from the farthest bin.
pub(super) fn steps_without(bins: &[(u64, u64)], boards: f64) -> f64 {
    let (mut steps, mut visited) = (0.0, boards);
    for (i, &(bin, _)) in bins.iter().enumerate() {
        let (bin, next) = (
            bin as f64,
            bins.get(i + 1).map_or(1, |&(bin, _)| bin) as f64,
        );
        if i == 0 {
            visited /= bin;
        }
        visited /= bin + 1.0;
        steps += visited;
        let mut chained = visited;
        if i == 0 && next > 1.0 {
            // As in `reachable`.
            let between = (bin + next - 1.0) * (bin - next) / 2.0;
            chained *= (between / (next * (next + 1.0))).min(1.0);
        }
        steps += chained * (VISIT_STEPS + 2.0 * (bin - next));
        visited *= bin / next;
    }
    steps
}
