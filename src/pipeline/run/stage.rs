//! The phase of a run, and how much of its work is done.
//!
//! Work is counted twice. For people, it is counted in the unit of the phase: positions of a sweep,
//! rows to write. For the time left, it is counted as *cost*: the positions that the
//! [estimate](super::cost) expects a row to take, one for each position of a sweep up to mirror
//! image, and [`WRITING_COST`] for a row whose value a sweep has found. The cost covers the whole
//! run, so it grows from phase to phase; the estimate fixes its total before the work begins. If
//! only the order of rows by their cost is known, their [growth](super::growth) so far gives the
//! total. If the work of a later phase cannot be estimated, there is none.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use seedbank_memory::lock;

use super::growth::Growth;

/// The cost of describing and writing a row whose value is known from a sweep.
///
/// Unit: positions of a sweep. Measured over Sowing on at most 9 pots: 3.5 with optimised code,
/// about 5 without.
pub(crate) const WRITING_COST: u64 = 4;

/// The phase of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Reading the work of earlier runs.
    #[default]
    Preparing,
    /// Finding the positions that play can reach.
    Listing,
    /// Finding the values of a whole family at once.
    Sweeping,
    /// Evaluating rows one by one and writing them.
    Searching,
    /// Computing the values of heaps or codes and writing their rows.
    Valuing,
    /// Writing rows that need no search.
    Writing,
    /// Counting positions by value, boards of graphs, or followers of witnesses.
    Counting,
    /// Describing the counted values and writing them.
    Describing,
    /// Reading the answer from the census.
    Answering,
    /// Joining the results of shards.
    Merging,
    /// Writing new values to the store.
    Sealing,
}

impl Phase {
    /// Returns the word for progress lines.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Preparing => "preparing",
            Phase::Listing => "listing",
            Phase::Sweeping => "sweeping",
            Phase::Searching => "searching",
            Phase::Valuing => "valuing",
            Phase::Writing => "writing",
            Phase::Counting => "counting",
            Phase::Describing => "describing",
            Phase::Answering => "answering",
            Phase::Merging => "merging",
            Phase::Sealing => "sealing",
        }
    }
}

/// The phase of a run, and how much of the work is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// The phase.
    pub phase: Phase,
    /// The unit of the phase's work, in the singular: a position, a row.
    pub unit: &'static str,
    /// The work of the phase that is done.
    pub done: u64,
    /// The work of the phase, if it is known.
    pub total: Option<u64>,
    /// The estimated cost of the run's work that is done.
    pub cost_done: u64,
    /// The estimated cost of the whole run, if there is an estimate.
    pub cost_total: Option<u64>,
}

/// The stage of a run while its workers change it.
#[derive(Debug, Default)]
pub struct Tracker {
    current: Mutex<Current>,
    done: AtomicU64,
    cost_done: AtomicU64,
    cost_total: AtomicU64,
    /// Whether some work has no estimate.
    open_ended: AtomicBool,
    /// The positions evaluated when the last row was finished.
    credited: AtomicU64,
    /// Whether costs of rows only order them.
    grows: AtomicBool,
    /// About how many positions were evaluated for rows that are set aside.
    aside: AtomicU64,
}

#[derive(Debug, Default)]
struct Current {
    phase: Phase,
    unit: &'static str,
    total: Option<u64>,
    /// The positions evaluated when the phase began, and the cost done by then.
    evaluated: u64,
    cost: u64,
    /// The sweep in progress.
    sweep: Option<Sweep>,
    /// The cost of the rows finished in the phase, and their positions.
    growth: Growth,
}

/// A sweep in progress, whose positions count as they are evaluated.
#[derive(Clone, Copy, Debug)]
struct Sweep {
    /// The positions evaluated when it began.
    evaluated: u64,
    /// The number of its positions.
    positions: u64,
    /// The estimated number of times that each is evaluated, which is its cost.
    visits: f64,
}

impl Sweep {
    fn cost(&self) -> u64 {
        (self.positions as f64 * self.visits) as u64
    }
}

impl Tracker {
    /// Adds work to the estimate for the whole run.
    pub(crate) fn expect(&self, cost: u64) {
        let add = |total: u64| Some(total.saturating_add(cost));
        let _ = self.cost_total.fetch_update(Relaxed, Relaxed, add);
    }

    /// Drops the estimate, because some work has none.
    pub(crate) fn expect_unknown(&self) {
        self.open_ended.store(true, Relaxed);
    }

    /// Lets the growth of the positions evaluated give the estimate: costs of rows only order them.
    pub(crate) fn expect_growth(&self) {
        self.grows.store(true, Relaxed);
    }

    /// Returns whether some work has entered a cost, or the lack of one.
    pub(crate) fn has_costs(&self) -> bool {
        self.cost_total.load(Relaxed) > 0 || self.open_ended.load(Relaxed)
    }

    /// Begins a phase, after `evaluated` positions have been evaluated.
    pub(crate) fn begin(
        &self,
        phase: Phase,
        unit: &'static str,
        total: Option<u64>,
        evaluated: u64,
    ) {
        let mut current = lock(&self.current);
        self.done.store(0, Relaxed);
        self.credited.store(evaluated, Relaxed);
        *current = Current {
            phase,
            unit,
            total,
            evaluated,
            cost: self.cost_done.load(Relaxed),
            ..Current::default()
        };
    }

    /// Counts work of the phase, and its cost.
    pub(crate) fn add(&self, done: u64, cost: u64) {
        self.done.fetch_add(done, Relaxed);
        self.cost_done.fetch_add(cost, Relaxed);
    }

    /// Counts a row that a search has finished, and its cost.
    pub(crate) fn add_row(&self, cost: u64, evaluated: u64) {
        self.add(1, cost);
        self.credited.fetch_max(evaluated, Relaxed);
        if self.grows.load(Relaxed) {
            let mut current = lock(&self.current);
            let cost = self.cost_done.load(Relaxed).saturating_sub(current.cost);
            let of_others = current.evaluated + self.aside.load(Relaxed);
            let positions = evaluated.saturating_sub(of_others);
            current.growth.add(cost as f64, positions as f64);
        }
    }

    /// Counts positions evaluated for rows that are set aside; their growth is that of other rows.
    pub(crate) fn set_aside(&self, positions: u64) {
        self.aside.fetch_add(positions, Relaxed);
    }

    /// Counts positions evaluated for a row that is no longer set aside.
    pub(crate) fn take_up(&self, positions: u64) {
        let less = |aside: u64| Some(aside.saturating_sub(positions));
        let _ = self.aside.fetch_update(Relaxed, Relaxed, less);
    }

    /// Begins a sweep of `positions`, of which an earlier run has found `known`; each is evaluated
    /// `visits` times, about, which is its cost.
    pub(crate) fn begin_sweep(&self, positions: u64, known: u64, visits: f64, evaluated: u64) {
        let mut current = lock(&self.current);
        let known = known.min(positions);
        self.add(known, (known as f64 * visits) as u64);
        current.sweep = Some(Sweep {
            evaluated,
            positions: positions - known,
            visits,
        });
    }

    /// Ends the sweep in progress; all its positions have values.
    pub(crate) fn end_sweep(&self) {
        let mut current = lock(&self.current);
        if let Some(sweep) = current.sweep.take() {
            self.add(sweep.positions, sweep.cost());
        }
    }

    /// Returns the stage when `evaluated` positions have been evaluated.
    ///
    /// Positions evaluated since the last finished row count for the rows in progress. Each counts
    /// at the average cost of a position in this phase, up to half of the cost left.
    pub(crate) fn stage(&self, evaluated: u64) -> Stage {
        let current = lock(&self.current);
        let mut done = self.done.load(Relaxed);
        let mut cost_done = self.cost_done.load(Relaxed);
        let mut cost_total = self.cost_total.load(Relaxed);
        if let Some(sweep) = current.sweep {
            let visited = evaluated.saturating_sub(sweep.evaluated);
            done += ((visited as f64 / sweep.visits) as u64).min(sweep.positions);
            let mut cost = sweep.cost();
            if cost_total > 0 && sweep.visits > 1.0 {
                // Nobody knows which visit is the last one, but it is not over yet.
                let more = (visited + sweep.positions).saturating_sub(cost);
                cost += more;
                cost_total += more;
            }
            cost_done += visited.min(cost);
        } else if current.phase == Phase::Searching {
            let credited = self.credited.load(Relaxed);
            let in_phase = credited.saturating_sub(current.evaluated);
            if in_phase > 0 {
                let a_position = (cost_done - current.cost) as f64 / in_phase as f64;
                let in_progress = evaluated.saturating_sub(credited) as f64 * a_position;
                cost_done += (in_progress as u64).min(cost_total.saturating_sub(cost_done) / 2);
            }
        }
        let is_known = cost_total > 0 && !self.open_ended.load(Relaxed);
        let (cost_done, cost_total) = if self.grows.load(Relaxed) {
            // The unit is then one position evaluated.
            let grown = current
                .growth
                .positions(cost_total.saturating_sub(current.cost) as f64);
            let grown = grown.filter(|_| current.phase == Phase::Searching);
            let whole = |grown| {
                current
                    .evaluated
                    .saturating_add(grown as u64)
                    .max(evaluated)
            };
            (evaluated, grown.map(whole))
        } else {
            (cost_done.min(cost_total), Some(cost_total))
        };
        Stage {
            phase: current.phase,
            unit: current.unit,
            done: current.total.map_or(done, |total| done.min(total)),
            total: current.total,
            cost_done,
            cost_total: cost_total.filter(|_| is_known),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_counts_its_positions_as_they_are_evaluated() {
        let tracker = Tracker::default();
        tracker.expect(100);
        tracker.expect(20);
        tracker.begin(Phase::Sweeping, "position", Some(100), 7);
        tracker.begin_sweep(100, 40, 1.0, 7);
        let stage = tracker.stage(17);
        assert_eq!((stage.done, stage.total), (50, Some(100)));
        assert_eq!((stage.cost_done, stage.cost_total), (50, Some(120)));
        tracker.end_sweep();
        assert_eq!(tracker.stage(17).done, 100);
        // The cost accumulates over the phases; the work restarts at 0.
        tracker.begin(Phase::Writing, "row", Some(10), 67);
        tracker.add(5, 10);
        let stage = tracker.stage(67);
        assert_eq!((stage.done, stage.cost_done), (5, 110));
        tracker.expect_unknown();
        assert_eq!(tracker.stage(67).cost_total, None);
    }

    #[test]
    fn a_sweep_that_visits_positions_again_counts_each_once() {
        let tracker = Tracker::default();
        tracker.expect(400);
        tracker.begin(Phase::Sweeping, "position", Some(100), 0);
        tracker.begin_sweep(100, 20, 4.0, 0);
        let stages = [40, 200, 400].map(|evaluated| tracker.stage(evaluated));
        assert_eq!(stages.map(|stage| stage.done), [30, 70, 100]);
        let costs = stages.map(|stage| (stage.cost_done, stage.cost_total));
        // In the end one more visit of the 80 is always to come.
        let expected = [(120, Some(400)), (280, Some(400)), (480, Some(560))];
        assert_eq!(costs, expected);
    }

    #[test]
    fn rows_whose_costs_only_order_them_are_estimated_by_their_growth() {
        let tracker = Tracker::default();
        tracker.expect_growth();
        tracker.expect(1 + 10 + 100 + 1000);
        tracker.begin(Phase::Searching, "row", Some(4), 50);
        // Three times the positions for ten times the cost.
        tracker.add_row(1, 80);
        assert_eq!(
            tracker.stage(80).cost_total,
            None,
            "one row shows no growth"
        );
        tracker.add_row(10, 50 + 30 + 60);
        tracker.add_row(100, 50 + 90 + 180);
        let stage = tracker.stage(400);
        assert_eq!(stage.cost_done, 400);
        let total = stage.cost_total.expect("three rows show a growth");
        assert!((800..=1000).contains(&total), "{total}");
        assert_eq!(
            tracker.stage(5000).cost_total,
            Some(5000),
            "it outgrew the estimate"
        );
        tracker.begin(Phase::Sealing, "value", None, 1000);
        assert_eq!(tracker.stage(1000).cost_total, None);
    }

    #[test]
    fn a_row_in_progress_counts_for_what_is_evaluated_of_it() {
        let tracker = Tracker::default();
        tracker.expect(1000);
        tracker.begin(Phase::Searching, "row", Some(3), 50);
        assert_eq!(tracker.stage(100).cost_done, 0, "nothing to go by");
        tracker.add_row(200, 150);
        assert_eq!(tracker.stage(150).cost_done, 200);
        // 2 per position, and at most half of the 800 that are left.
        assert_eq!(tracker.stage(250).cost_done, 400);
        assert_eq!(tracker.stage(1_000_000).cost_done, 600);
        assert_eq!(tracker.stage(250).done, 1);
    }
}
