//! The growth of a pattern's cost, measured on its cheap rows.
//!
//! Rows are evaluated in the order of their estimated [cost](crate::run::cost) until the time is
//! over, and their [growth](crate::run::growth) is continued to the cost of all rows. The time per
//! position and its bytes in memory and in the store are measured as well, including sealing.

use std::time::Duration;

use bytesize::ByteSize;
use cggames::board::AnyBoard;
use cggames::family::Subfamily;
use cgsolvers::{EngineError, StopReason};

use super::StripTask;
use crate::evaluate::Writing;
use crate::evaluate::session::with_engine;
use crate::evaluate::worker::{POSITIONS_ALONE, Workers};
use crate::run::estimate::{Amount, BASE_BYTES, Estimate, duration};
use crate::run::growth::{self, STEP};
use crate::run::{Described, JobHeader, Options, Place, Run, RunError, Signals, Silent};

/// The most rows tried, evenly spread over the family.
const ROWS_TRIED: u64 = 4096;

/// The largest multiple of the measurement that is extrapolated. Beyond it only a bound is known.
const FAR: f64 = 100.0;

/// Jobs larger than this multiple of the measurement take twice the time for each position: no
/// cache holds their tables, and their values are merged in the store. 53 million positions `x y`
/// took 1.9 times as long each as 3 million.
const LARGE: f64 = 4.0;

/// The measurement of a pattern.
pub(super) struct Grown {
    /// The positions that all rows take, if a growth was seen.
    positions: Option<f64>,
    /// The positions evaluated, and their time and memory.
    evaluated: f64,
    elapsed: Duration,
    bytes_max: u64,
}

/// Evaluates rows of a job in the order of their cost until the deadline.
pub(super) fn measure(
    job: &JobHeader,
    task: &StripTask,
    options: &Options,
    signals: &Signals,
) -> Result<Grown, RunError> {
    let place = Place::of_job(job, options);
    let run = Run::new(
        job,
        task.description().noun,
        options,
        &place,
        signals,
        &Silent,
    )?;
    Growth { run: &run, task }.measure()
}

struct Growth<'a> {
    run: &'a Run<'a>,
    task: &'a StripTask,
}

impl Growth<'_> {
    fn measure(&self) -> Result<Grown, RunError> {
        let StripTask { game, family, .. } = self.task;
        let rows = by_cost(self.task);
        let whole: f64 = rows.iter().map(|(cost, _)| *cost as f64).sum();
        let mut growth = growth::Growth::default();
        let run = self.run;
        let mut value_rows = |workers: &Workers<'_>| {
            let mut cost_so_far = 0.0;
            let mut left = &rows[..];
            while !left.is_empty() {
                let (lot, cost) = next_lot(left, cost_so_far);
                left = &left[lot.len()..];
                cost_so_far += cost;
                workers.rows_in_turn(
                    lot,
                    POSITIONS_ALONE,
                    |(_, row)| row,
                    |worker, (_, row), positions_max| worker.value(row, positions_max),
                    &mut |_| {},
                )?;
                growth.add(cost_so_far, run.session.control.evaluated() as f64);
            }
            Ok(())
        };
        let result = run.watch((rows.len() as u64, 0), None, || {
            with_engine(run, *game, self.task.manner(), |evaluator| {
                let workers = Workers::new(evaluator, Writing::default(), None);
                run.pool.install(|| value_rows(&workers))
            })
        });
        let summary = run.summary(0);
        let evaluated = summary.positions as f64;
        let mut positions = match result {
            Ok(()) => Some(evaluated),
            Err(
                RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))
                | RunError::Memory { .. },
            ) => (growth.positions(whole)).map(|positions| positions.max(evaluated)),
            Err(error) => return Err(error),
        };
        let is_pattern = |subfamily: &Subfamily| matches!(subfamily, Subfamily::Pattern(_));
        if !family.subfamilies().iter().all(is_pattern) {
            // Rows without a pattern share few followers, so those left out are added in
            // proportion.
            let left_out = (family.len() as f64 / rows.len() as f64).max(1.0);
            positions = positions.map(|positions| positions * left_out);
        }
        tracing::debug!(?growth, evaluated, positions, "measured the growth");
        Ok(Grown {
            positions,
            evaluated,
            elapsed: summary.elapsed,
            bytes_max: summary.bytes_max,
        })
    }
}

/// Returns rows of a family with their estimated costs, the cheapest first.
fn by_cost(task: &StripTask) -> Vec<(u64, AnyBoard)> {
    let family = &task.family;
    let step = family.len().div_ceil(ROWS_TRIED).max(1);
    let ranks = (0..family.len()).step_by(step as usize);
    // The last row is often the costliest.
    let last = family.len().checked_sub(1).filter(|last| last % step > 0);
    let rows = ranks.chain(last).map(|rank| family.get(rank).position);
    let mut rows: Vec<(u64, AnyBoard)> = rows.map(|row| (task.game.cost(&row), row)).collect();
    rows.sort_by_key(|(cost, _)| *cost);
    rows
}

/// Returns the rows to evaluate next, and their cost.
fn next_lot(rows: &[(u64, AnyBoard)], cost_so_far: f64) -> (&[(u64, AnyBoard)], f64) {
    let mut cost = 0.0;
    let fits = rows.iter().take_while(|(of_row, _)| {
        cost += *of_row as f64;
        cost <= STEP * cost_so_far
    });
    let lot = &rows[..fits.count().max(1).min(rows.len())];
    (lot, lot.iter().map(|(cost, _)| *cost as f64).sum())
}

impl Grown {
    /// Returns the estimate for all rows, given the size of the store after the measurement.
    pub(super) fn estimate(
        &self,
        recorded: Estimate,
        store: ByteSize,
        memory: ByteSize,
    ) -> Estimate {
        let multiple = |positions| positions / self.evaluated.max(1.0);
        let (all, is_near) = match self.positions.map(multiple) {
            Some(all) => (all.min(FAR), all <= FAR),
            None => (1.0, false),
        };
        let amount = |of: &dyn Fn(f64) -> f64| {
            if is_near {
                Amount::About(of(all))
            } else {
                Amount::AtLeast(of(all))
            }
        };
        let bytes = |of: &dyn Fn(f64) -> f64| amount(of).map(|bytes| ByteSize(bytes as u64));
        let bytes_max = self.bytes_max as f64;
        let base = BASE_BYTES.min(bytes_max);
        let in_memory = |all: f64| (base + (bytes_max - base) * all).min(memory.0 as f64);
        let slower = if all > LARGE { 2.0 } else { 1.0 };
        let elapsed = self.elapsed.as_secs_f64();
        Estimate {
            positions: amount(&|all| all * self.evaluated).map(|positions| positions as u64),
            store: bytes(&|all| all * store.0 as f64),
            memory: bytes(&in_memory),
            time: amount(&|all| elapsed * all * slower).map(duration),
            ..recorded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::board::BoardKind;

    #[test]
    fn lots_add_a_quarter_and_at_least_a_row() {
        let row = BoardKind::Row.read("1").unwrap();
        let rows: Vec<(u64, AnyBoard)> = [1, 1, 1, 5, 90].map(|cost| (cost, row.clone())).into();
        let costs = |rows: &[(u64, AnyBoard)], so_far| next_lot(rows, so_far).1;
        assert_eq!(costs(&rows, 0.0), 1.0);
        assert_eq!(costs(&rows, 8.0), 2.0);
        assert_eq!(costs(&rows, 40.0), 8.0);
        assert_eq!(costs(&rows[4..], 8.0), 90.0);
        assert!(next_lot(&[], 8.0).0.is_empty());
    }

    #[test]
    fn far_growth_is_a_bound() {
        let grown = |positions: Option<f64>| {
            let measured = Grown {
                positions,
                evaluated: 1000.0,
                elapsed: Duration::from_secs(1),
                bytes_max: 20_000_000,
            };
            let unknown = Estimate {
                positions: Amount::Unknown(""),
                results: Amount::About(ByteSize(7)),
                store: Amount::Unknown(""),
                checkpoints: Amount::About(ByteSize(0)),
                memory: Amount::Unknown(""),
                time: Amount::Unknown(""),
            };
            measured.estimate(unknown, ByteSize(300), ByteSize::gib(1))
        };
        let near = grown(Some(3000.0));
        assert_eq!(near.time, Amount::About(Duration::from_secs(3)));
        assert_eq!(near.store, Amount::About(ByteSize(900)));
        assert_eq!(near.memory, Amount::About(ByteSize(40_000_000)));
        assert_eq!(near.results, Amount::About(ByteSize(7)));
        let far = grown(Some(1e9));
        assert_eq!(far.positions, Amount::AtLeast(100_000));
        assert_eq!(far.time, Amount::AtLeast(Duration::from_secs(200)));
        let unknown = grown(None);
        assert_eq!(unknown.positions, Amount::AtLeast(1000));
        assert_eq!(unknown.store, Amount::AtLeast(ByteSize(300)));
    }
}
