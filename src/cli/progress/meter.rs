//! Counts and displays work that no run reports.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use seedbank_memory::spawn;

use super::line::State;
use super::pace::Sample;
use super::{BAR_INTERVAL, Display};

/// Counts work, and shows its progress once it takes long. Several threads may count at once.
///
/// It shows nothing for the first two seconds, and removes its bar from the terminal when it is dropped. Without a terminal, it
/// prints a plain line every ten seconds.
pub(crate) struct Meter {
    counts: Arc<Counts>,
    /// Ends the thread that shows the progress when it is dropped.
    working: Option<mpsc::Sender<()>>,
    shows: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Counts {
    done: AtomicU64,
    /// 0 if it is not known.
    total: AtomicU64,
}

impl Meter {
    /// Begins to count. `title` names the job or the folder, `phase` the work (`reading`), and `unit` the unit in the singular
    /// (`row`).
    pub(crate) fn new(title: impl Into<String>, phase: &'static str, unit: &'static str) -> Meter {
        let counts = Arc::new(Counts::default());
        let shown = Arc::clone(&counts);
        let look = move || (shown.done.load(Relaxed), shown.total.load(Relaxed));
        Meter::begun(title.into(), phase, unit, counts, look)
    }

    /// Shows the progress of work counted elsewhere. `look` returns the work done, and the total or 0 if that is not known.
    pub(crate) fn watching(
        title: impl Into<String>,
        phase: &'static str,
        unit: &'static str,
        look: impl Fn() -> (u64, u64) + Send + 'static,
    ) -> Meter {
        Meter::begun(title.into(), phase, unit, Arc::default(), look)
    }

    fn begun(
        title: String,
        phase: &'static str,
        unit: &'static str,
        counts: Arc<Counts>,
        look: impl Fn() -> (u64, u64) + Send + 'static,
    ) -> Meter {
        let (working, ends) = mpsc::channel::<()>();
        let show = move || {
            let display = Display::new();
            while ends.recv_timeout(BAR_INTERVAL / 2) == Err(mpsc::RecvTimeoutError::Timeout) {
                let (done, total) = look();
                let total = Some(total).filter(|&total| total > 0);
                let done = total.map_or(done, |total| done.min(total));
                let sample = Sample {
                    phase,
                    count: done,
                    cost: total.map(|total| (done, total)),
                };
                display.show(sample, || State {
                    title: title.clone(),
                    phase,
                    unit,
                    done,
                    total,
                    part: total.map(|total| done as f64 / total as f64),
                    rate_unit: unit,
                    ..State::default()
                });
            }
        };
        Meter {
            counts,
            working: Some(working),
            shows: Some(spawn(show)),
        }
    }

    /// Sets the total, if it is known.
    pub(crate) fn set_total(&self, total: u64) {
        self.counts.total.store(total, Relaxed);
    }

    /// Counts finished work.
    pub(crate) fn add(&self, done: u64) {
        self.counts.done.fetch_add(done, Relaxed);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        drop(self.working.take());
        if let Some(shows) = self.shows.take() {
            let _ = shows.join();
        }
    }
}
