//! Control of running searches: stopping, pausing, counting.

use std::fmt;
#[cfg(debug_assertions)]
use std::path::PathBuf;
#[cfg(debug_assertions)]
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// The reason why a search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The user or the system requested it.
    Interrupted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory budget was reached.
    MemoryBudget,
    /// Another worker failed, so the results would be useless.
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

/// The interval at which a paused search checks whether it may resume.
const WAIT_INTERVAL: Duration = Duration::from_millis(1);

/// State shared by all searches of a run: the flags to stop, to start no new work and to pause, and
/// the count of evaluated positions.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicU8,
    draining: AtomicBool,
    paused: AtomicBool,
    /// `u64::MAX` minus the memory left, so the initial 0 means no limit.
    taken: AtomicU64,
    /// The size of the largest refused allocation.
    refused: AtomicU64,
    evaluated: AtomicU64,
}

impl Control {
    /// Stops all searches; the first reason stays.
    pub fn stop(&self, reason: StopReason) {
        let _ = self
            .stop
            .compare_exchange(0, reason as u8 + 1, Relaxed, Relaxed);
    }

    /// Prevents new work while current work continues; returns whether this is the first call.
    pub fn drain(&self) -> bool {
        !self.draining.swap(true, Relaxed)
    }

    /// Returns whether no new work may begin.
    pub fn draining(&self) -> bool {
        self.draining.load(Relaxed)
    }

    /// Returns the reason why searches must stop, if any.
    pub fn stopped(&self) -> Option<StopReason> {
        match self.stop.load(Relaxed) {
            0 => None,
            1 => Some(StopReason::Interrupted),
            2 => Some(StopReason::TimeLimit),
            3 => Some(StopReason::MemoryBudget),
            _ => Some(StopReason::Abandoned),
        }
    }

    /// Pauses searches, from their next check on, until the pause is dropped or they are stopped.
    ///
    /// A paused search holds no lock, so memo and arena can be used meanwhile.
    pub fn pause(&self) -> Pause<'_> {
        self.paused.store(true, Relaxed);
        Pause(self)
    }

    /// Sets the memory left, against which searches check large allocations.
    pub fn set_memory_left(&self, bytes: u64) {
        self.taken.store(u64::MAX - bytes, Relaxed);
    }

    /// Returns the size of the allocation for which searches were stopped, or 0.
    pub fn memory_refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// Checks that `bytes` of memory are left, and stops all searches if not.
    pub(super) fn reserve_memory(&self, bytes: u64) -> Result<(), StopReason> {
        if bytes > u64::MAX - self.taken.load(Relaxed) {
            self.refused.fetch_max(bytes, Relaxed);
            self.stop(StopReason::MemoryBudget);
            return Err(StopReason::MemoryBudget);
        }
        Ok(())
    }

    /// Waits during a pause, and returns the reason why searches must stop, if any.
    #[inline]
    pub(super) fn stopped_or_paused(&self) -> Option<StopReason> {
        while self.paused.load(Relaxed) && self.stopped().is_none() {
            thread::sleep(WAIT_INTERVAL);
        }
        self.stopped_or_held()
    }

    /// Returns the reason why work must stop, if any; work calls this between two steps. A debug
    /// build first waits, if the environment says so.
    #[inline]
    pub fn stopped_or_held(&self) -> Option<StopReason> {
        #[cfg(debug_assertions)]
        self.hold();
        self.stopped()
    }

    /// With `SEEDBANK_HOLD=POSITIONS:FILE` in the environment, waits until searches must stop, if that
    /// many positions have been evaluated. The file is created when the wait begins.
    ///
    /// So a test can interrupt a small job in the middle, however fast the job is.
    #[cfg(debug_assertions)]
    fn hold(&self) {
        static HOLD: LazyLock<Option<(u64, PathBuf)>> = LazyLock::new(|| {
            let hold = std::env::var("SEEDBANK_HOLD").ok()?;
            let (positions, file) = hold.split_once(':')?;
            Some((positions.parse().ok()?, file.into()))
        });
        if let Some((positions, file)) = &*HOLD
            && self.evaluated() >= *positions
            && self.stopped().is_none()
        {
            std::fs::write(file, "").expect("the file of a hold can be created");
            while self.stopped().is_none() {
                thread::sleep(WAIT_INTERVAL);
            }
        }
    }

    /// Returns the number of positions evaluated, accurate to a few hundred per running worker.
    pub fn evaluated(&self) -> u64 {
        self.evaluated.load(Relaxed)
    }

    /// Adds to the number of positions evaluated.
    pub fn count_evaluated(&self, count: u64) {
        self.evaluated.fetch_add(count, Relaxed);
    }
}

/// A guard: searches wait until it is dropped.
#[derive(Debug)]
pub struct Pause<'a>(&'a Control);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.paused.store(false, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_when_it_is_dropped_or_the_search_is_stopped() {
        let control = Control::default();
        let look = || {
            thread::scope(|scope| {
                let search = scope.spawn(|| control.stopped_or_paused());
                thread::sleep(WAIT_INTERVAL * 20);
                (
                    search.is_finished(),
                    control.stop(StopReason::TimeLimit),
                    search.join().unwrap(),
                )
            })
        };
        let pause = control.pause();
        assert_eq!(look(), (false, (), Some(StopReason::TimeLimit)));
        drop(pause);
        let control = Control::default();
        drop(control.pause());
        assert_eq!(control.stopped_or_paused(), None);
    }

    #[test]
    fn memory_that_is_not_left_stops_searches() {
        let control = Control::default();
        assert_eq!(control.reserve_memory(1 << 60), Ok(()));
        control.set_memory_left(1000);
        assert_eq!(control.reserve_memory(1000), Ok(()));
        assert_eq!((control.stopped(), control.memory_refused()), (None, 0));
        let refused = Err(StopReason::MemoryBudget);
        assert_eq!(control.reserve_memory(1001), refused);
        assert_eq!(control.stopped(), refused.err());
        assert_eq!(control.memory_refused(), 1001);
    }

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
