//! Progress: a bar on a terminal, a plain line every ten seconds elsewhere, nothing when quiet.
//!
//! [`Display`] shows the reports of runs, and [`Meter`] counts work without reports. A bar appears only after two seconds.

mod line;
mod meter;
mod pace;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use seedbank::run::{Observer, Phase, Progress};
use seedbank_memory::lock;

use self::line::{State, line, plain_line};
pub(super) use self::line::{rate_text, time};
pub(super) use self::meter::Meter;
pub(super) use self::pace::{Pace, Sample};
use super::terminal::{bar, columns, has_bars};

/// The interval of plain lines without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Work that takes less than this has no bar.
const BAR_AFTER: Duration = Duration::from_secs(2);

/// How often the bar is drawn.
const BAR_INTERVAL: Duration = Duration::from_millis(200);

/// Shows progress.
pub(super) struct Display {
    mode: Mode,
    since: Instant,
    inner: Mutex<Inner>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Quiet,
    Bar,
    Lines,
}

struct Inner {
    /// The job whose pace it is.
    job: String,
    pace: Pace,
    next: Instant,
}

impl Display {
    pub(super) fn new() -> Display {
        let since = Instant::now();
        // With --quiet, only warnings and errors are logged.
        let quiet = !tracing::enabled!(tracing::Level::INFO);
        let (mode, first) = match (quiet, has_bars()) {
            (true, _) => (Mode::Quiet, LINE_INTERVAL),
            (false, true) => (Mode::Bar, BAR_AFTER),
            (false, false) => (Mode::Lines, LINE_INTERVAL),
        };
        let inner = Mutex::new(Inner {
            job: String::new(),
            pace: Pace::default(),
            next: since + first,
        });
        Display { mode, since, inner }
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        if self.mode == Mode::Bar {
            bar().clear();
        }
    }

    /// Shows a state, whose rate and time left come from the sample.
    fn show(&self, sample: Sample, state: impl FnOnce() -> State) {
        if self.mode == Mode::Quiet {
            return;
        }
        let mut inner = lock(&self.inner);
        inner.pace.add(self.since.elapsed(), sample);
        let now = Instant::now();
        if now < inner.next {
            return;
        }
        let state = State {
            rate: inner.pace.rate(),
            left: inner.pace.left(),
            ..state()
        };
        if self.mode == Mode::Bar {
            inner.next = now + BAR_INTERVAL;
            bar().show(line(&state, columns().saturating_sub(1)));
        } else {
            inner.next = now + LINE_INTERVAL;
            tracing::info!("{}", plain_line(&state));
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for Display {
    fn progress(&self, job: &str, progress: &Progress) {
        let sample = sample(progress);
        {
            let mut inner = lock(&self.inner);
            if inner.job != job {
                inner.job = job.to_owned();
                inner.pace = Pace::default();
            }
        }
        self.show(sample, || {
            let stage = &progress.stage;
            let part = match (stage.cost_total, stage.total) {
                (Some(total), _) => Some((stage.cost_done, total)),
                (None, Some(total)) => Some((stage.done, total)),
                (None, None) => None,
            };
            State {
                title: job.to_owned(),
                phase: stage.phase.name(),
                unit: stage.unit,
                done: stage.done,
                total: stage.total,
                part: part.map(|(done, total)| done as f64 / total.max(1) as f64),
                rate_unit: rate_unit(progress),
                bytes: progress.bytes,
                finishing: progress.draining,
                ..State::default()
            }
        });
    }
}

/// Returns the unit of the rate: that of the phase. Searches use positions, because the work of their rows differs much.
fn rate_unit(progress: &Progress) -> &'static str {
    match progress.stage.phase {
        Phase::Searching | Phase::Valuing => progress.noun,
        _ => progress.stage.unit,
    }
}

/// Returns the sample of a run's progress for the pace.
pub(super) fn sample(progress: &Progress) -> Sample {
    let stage = &progress.stage;
    Sample {
        phase: stage.phase.name(),
        count: match stage.phase {
            Phase::Searching | Phase::Valuing | Phase::Sweeping => progress.positions,
            _ => stage.done,
        },
        cost: stage.cost_total.map(|total| (stage.cost_done, total)),
    }
}
