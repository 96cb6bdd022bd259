//! How a running search is watched and stopped.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Why a search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The user or the system asked for it.
    Interrupted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory budget was reached.
    MemoryBudget,
    /// Another worker failed, so that the rest is of no use.
    Abandoned,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Interrupted => "interrupted",
            StopReason::TimeLimit => "the time limit was reached",
            StopReason::MemoryBudget => "the memory budget was reached",
            StopReason::Abandoned => "another worker failed",
        })
    }
}

/// What all searches of a run share: a stop flag and a count of the positions evaluated.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicU8,
    evaluated: AtomicU64,
}

impl Control {
    /// Tells all searches to stop; the first reason given stays.
    pub fn stop(&self, reason: StopReason) {
        let _ = self
            .stop
            .compare_exchange(0, reason as u8 + 1, Relaxed, Relaxed);
    }

    /// Returns why searches are to stop, if they are.
    pub fn stopped(&self) -> Option<StopReason> {
        match self.stop.load(Relaxed) {
            0 => None,
            1 => Some(StopReason::Interrupted),
            2 => Some(StopReason::TimeLimit),
            3 => Some(StopReason::MemoryBudget),
            _ => Some(StopReason::Abandoned),
        }
    }

    /// Returns the number of positions evaluated, to within some hundreds a worker while it runs.
    pub fn evaluated(&self) -> u64 {
        self.evaluated.load(Relaxed)
    }

    pub(super) fn count_evaluated(&self, count: u64) {
        self.evaluated.fetch_add(count, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_to_stop_stays() {
        let all = [
            StopReason::Interrupted,
            StopReason::TimeLimit,
            StopReason::MemoryBudget,
            StopReason::Abandoned,
        ];
        for reason in all {
            let control = Control::default();
            assert_eq!(control.stopped(), None);
            control.stop(reason);
            control.stop(StopReason::Interrupted);
            assert_eq!(control.stopped(), Some(reason));
        }
    }
}
