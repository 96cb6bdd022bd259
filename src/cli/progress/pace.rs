//! The rate of work, and the time left.
//!
//! The rate is that of the last half minute or, if nothing was counted in it, of the time since just before the last
//! count; never of an earlier phase. The time left is the remaining cost divided by the cost done per second in the
//! last quarter of the run, or in the last half minute if that is longer, since other work on the machine, or work
//! that is counted in large steps, makes the rate of half a minute uneven. It is only as good as the estimated
//! cost, so past estimates judge it: if the run ends when the present estimate says, each estimate of the last
//! half of the run must have been right within a factor of [`TRUST`]. When the work exceeds its estimate,
//! estimates grow instead of shrinking, and the time left is unknown until they settle.

use std::collections::VecDeque;
use std::time::Duration;

/// The span of the rate, and the shortest one for the time left. Unit: s.
const WINDOW: f64 = 30.0;

/// The part of the run whose pace gives the time left.
const RECENT: f64 = 0.25;

/// The least time between two samples. Unit: s.
const SAMPLE: f64 = 0.25;

/// The shortest span of a rate. Unit: s.
const RATE_MIN: f64 = 1.0;

/// The time after which the time left is first estimated. Unit: s.
const LEFT_MIN: f64 = 8.0;

/// Past estimates must be right within this factor to be trusted.
const TRUST: f64 = 1.75;

/// The most times of a run that are remembered, evenly spread.
const TIMES_MAX: usize = 256;

/// What has been done at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The phase.
    pub(crate) phase: &'static str,
    /// The work counted for the rate.
    pub(crate) count: u64,
    /// The cost done and the whole cost, if that is known.
    pub(crate) cost: Option<(u64, u64)>,
}

/// The pace of some work, measured by samples.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// The samples of the last half minute and the last one before them, with their times in seconds. If nothing was counted
    /// in the half minute, the last one before the last count is in its place.
    samples: VecDeque<(f64, Sample)>,
    /// When the first sample was taken.
    began: f64,
    /// The cost done.
    done: Course<u64>,
    /// The estimates of the time left, in seconds.
    estimates: Course<f64>,
}

/// What was so at times of a run, in seconds.
#[derive(Debug, Default)]
struct Course<T> {
    times: Vec<(f64, T)>,
    /// The time between two of them.
    apart: f64,
}

impl<T> Course<T> {
    /// Remembers what is so at a time, unless one shortly before is remembered.
    fn add(&mut self, at: f64, what: T) {
        let last = self.times.last();
        if last.is_some_and(|(before, _)| at - before < self.apart) {
            return;
        }
        self.times.push((at, what));
        if self.times.len() > TIMES_MAX {
            let mut keep = false;
            self.times.retain(|_| {
                keep = !keep;
                keep
            });
            self.apart = 2.0 * self.apart.max(SAMPLE);
        }
    }
}

impl Pace {
    /// Takes a sample at a time, whose origin is the same for all samples.
    pub(crate) fn add(&mut self, at: Duration, sample: Sample) {
        let at = at.as_secs_f64();
        match self.samples.len() {
            0 => self.began = at,
            // A sample that follows closely replaces the last one.
            many if many > 1
                && at - self.samples[many - 2].0 < SAMPLE
                && self.samples[many - 1].1.phase == sample.phase =>
            {
                self.samples.pop_back();
            }
            _ => {}
        }
        self.samples.push_back((at, sample));
        while self.samples.len() > 2 && self.samples[1].0 <= at - WINDOW {
            // If nothing has been counted since, the first sample stays.
            let since = self.samples[1].1;
            let is_level = (since.phase, since.count) == (sample.phase, sample.count);
            self.samples.remove(usize::from(is_level));
        }
        if let Some((done, _)) = sample.cost {
            self.done.add(at, done);
        }
        if let Some(left) = self.estimate() {
            self.estimates.add(at, left);
        }
    }

    /// Returns the count per second; none in the first second of a phase.
    pub(crate) fn rate(&self) -> Option<f64> {
        let (now, last) = self.samples.back()?;
        let same =
            |(_, sample): &&(f64, Sample)| sample.phase == last.phase && sample.count <= last.count;
        let (then, first) = self.samples.iter().rev().take_while(same).last()?;
        let seconds = now - then;
        (seconds >= RATE_MIN).then(|| (last.count - first.count) as f64 / seconds)
    }

    /// Returns the time left if estimates agree.
    pub(crate) fn left(&self) -> Option<Duration> {
        let (now, _) = *self.samples.back()?;
        let left = self.estimate()?;
        let elapsed = now - self.began;
        if elapsed < LEFT_MIN {
            return None;
        }
        let end = now + left;
        // Just before the end an error of a second or two is small.
        let slack = 2.0;
        let agrees = |&(then, left): &(f64, f64)| {
            let right = end - then;
            left <= TRUST * right + slack && right <= TRUST * left + slack
        };
        let later_half = self.began + elapsed / 2.0;
        let settled = self.estimates.times.iter();
        let mut settled = settled.filter(|(then, _)| *then >= later_half);
        let any = self
            .estimates
            .times
            .iter()
            .any(|(then, _)| *then <= later_half);
        (any && settled.all(agrees)).then(|| Duration::try_from_secs_f64(left).ok())?
    }

    /// Returns the seconds left, at the recent pace.
    fn estimate(&self) -> Option<f64> {
        let (now, last) = self.samples.back()?;
        let (done, total) = last.cost?;
        let since = now - WINDOW.max(RECENT * (now - self.began));
        let times = &self.done.times;
        let recent = times.partition_point(|(at, _)| *at <= since);
        let &(then, before) = times.get(recent.saturating_sub(1))?;
        let seconds = now - then;
        if seconds < RATE_MIN || done <= before {
            return None;
        }
        // Work that outlasts its estimated cost was estimated too low.
        let left = total.checked_sub(done).filter(|&left| left > 0)?;
        let rate = (done - before) as f64 / seconds;
        Some(left as f64 / rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays work whose cost done is a function of the time, and returns the time left seen at some times.
    fn seen(cost: impl Fn(f64) -> f64, total: f64, times: &[u64]) -> Vec<Option<u64>> {
        let mut pace = Pace::default();
        let mut seen = Vec::new();
        for tenth in 0..=10 * times.last().unwrap() {
            let at = tenth as f64 / 10.0;
            let sample = Sample {
                phase: "searching",
                count: 7 * tenth,
                cost: Some((cost(at) as u64, total as u64)),
            };
            pace.add(Duration::from_secs_f64(at), sample);
            if tenth % 10 == 0 && times.contains(&(tenth / 10)) {
                seen.push(pace.left().map(|left| left.as_secs()));
            }
        }
        seen
    }

    #[test]
    fn the_rate_is_that_of_the_last_half_minute_and_of_the_phase() {
        let mut pace = Pace::default();
        let mut count = 0;
        let mut add = |pace: &mut Pace, at: u64, more: u64, phase| {
            count += more;
            let sample = Sample {
                phase,
                count,
                cost: None,
            };
            pace.add(Duration::from_secs(at), sample);
        };
        add(&mut pace, 0, 0, "sweeping");
        assert_eq!(pace.rate(), None);
        for at in 1..=40 {
            add(&mut pace, at, 1000, "sweeping");
        }
        assert_eq!(pace.rate(), Some(1000.0));
        for at in 41..=70 {
            add(&mut pace, at, 10, "sweeping");
        }
        assert_eq!(pace.rate(), Some(10.0));
        add(&mut pace, 71, 5, "writing");
        assert_eq!(pace.rate(), None);
        add(&mut pace, 73, 8, "writing");
        assert_eq!(pace.rate(), Some(4.0));
        assert_eq!(pace.left(), None, "the work has no estimate");
    }

    #[test]
    fn steady_work_is_estimated_soon_and_to_the_end() {
        let seen = seen(|at| 1000.0 * at, 100_000.0, &[2, 10, 50, 99, 100]);
        assert_eq!(seen, [None, Some(90), Some(50), Some(1), None]);
    }

    #[test]
    fn work_whose_extent_shows_late_is_estimated() {
        let mut pace = Pace::default();
        for at in 0..=20 {
            let sample = Sample {
                cost: (at > 1).then_some((10 * at, 400)),
                ..Sample::default()
            };
            pace.add(Duration::from_secs(at), sample);
        }
        assert_eq!(pace.left().map(|left| left.as_secs()), Some(20));
    }

    #[test]
    fn work_that_slows_down_a_little_is_estimated() {
        // The second half takes twice as long: 33 s and 67 s.
        let cost = |at: f64| {
            if at < 33.0 {
                at / 33.0
            } else {
                1.0 + (at - 33.0) / 67.0
            }
        };
        let seen = seen(|at| 1e6 * cost(at), 2e6, &[20, 80]);
        assert!(seen[0].is_some());
        let left = seen[1].expect("it has settled");
        assert!((18..=22).contains(&left), "{left}");
    }

    /// The estimate assumes equal rows, but each takes as long as all before it.
    #[test]
    fn work_whose_estimate_is_poor_is_unknown() {
        let seen = seen(|at| 1e6 * (1.0 + at).log2(), 2e7, &[100, 300, 600]);
        assert_eq!(seen, [None; 3]);
    }

    #[test]
    fn work_that_stands_still_is_unknown() {
        let seen = seen(|at| 1000.0 * at.min(20.0), 100_000.0, &[15, 60]);
        assert!(seen[0].is_some() && seen[1].is_none(), "{seen:?}");
    }

    #[test]
    fn work_that_is_counted_every_forty_seconds_has_a_rate() {
        let mut pace = Pace::default();
        for at in 0..2000 {
            let sample = Sample {
                count: 40_000 * (at / 40),
                ..Sample::default()
            };
            pace.add(Duration::from_secs(at), sample);
            if at >= 40 {
                let rate = pace.rate().expect("the phase is old enough");
                assert!((970.0..=1334.0).contains(&rate), "{rate} at {at} s");
            }
            assert!(pace.samples.len() <= 32);
        }
    }

    #[test]
    fn work_that_is_counted_every_forty_seconds_is_estimated() {
        let seen = seen(|at| 1000.0 * 40.0 * (at / 40.0).floor(), 2e6, &[900, 1600]);
        for (seen, right) in seen.into_iter().zip([1100, 400]) {
            let left = seen.expect("it has settled");
            assert!(left.abs_diff(right) <= right / 5, "{left} for {right}");
        }
    }

    #[test]
    fn estimates_of_long_runs_are_few() {
        let mut pace = Pace::default();
        for at in 0..100_000 {
            let sample = Sample {
                cost: Some((at, 200_000)),
                ..Sample::default()
            };
            pace.add(Duration::from_secs(at), sample);
        }
        assert!(pace.estimates.times.len() <= TIMES_MAX);
        assert!(pace.done.times.len() <= TIMES_MAX);
        assert_eq!(pace.left().map(|left| left.as_secs()), Some(100_001));
        assert!(pace.samples.len() <= 32);
    }
}
