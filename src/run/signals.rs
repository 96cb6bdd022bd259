//! Signals that end a run: Ctrl-C once and twice, SIGTERM, SIGHUP.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, iterator, low_level};

use crate::engine::{Control, StopReason};

/// The exit status after Ctrl-C.
pub const STATUS_INTERRUPTED: i32 = 130;

/// Work in hand may take this time to finish once a signal has come; then it is stopped.
///
/// Unit: time. Stopping and sealing take up to about a second more, and a run is to end within two seconds.
const GRACE: Duration = Duration::from_millis(500);

/// How long the process waits for the last words after a second Ctrl-C.
///
/// Unit: time. A terminal takes a line in microseconds; one that takes none must not keep the process.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The signals received.
///
/// Ctrl-C, SIGTERM and SIGHUP all end a run alike: it begins nothing new, finishes the work in hand if that takes less than
/// half a second, and otherwise stops it; all values found are sealed, and the next run resumes. Only the exit status
/// differs. A second Ctrl-C ends the process at once, and loses what came since the last checkpoint and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
    /// When a signal was first heeded.
    since: Arc<OnceLock<Instant>>,
}

impl Signals {
    /// Starts to listen. At the second Ctrl-C, `last_words` is called, which may end the process; where it returns or gets
    /// stuck, the process ends all the same, after half a second at most or at the third Ctrl-C.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a thread.
    pub fn listen(last_words: impl FnOnce() + Send + 'static) -> io::Result<Signals> {
        let signals = Signals::default();
        let again = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(SIGINT, STATUS_INTERRUPTED, Arc::clone(&again))?;
        flag::register(SIGINT, Arc::clone(&signals.interrupt))?;
        flag::register(SIGTERM, Arc::clone(&signals.terminate))?;
        flag::register(SIGHUP, Arc::clone(&signals.terminate))?;
        let mut interrupts = iterator::Signals::new([SIGINT])?;
        let second = move || {
            if interrupts.forever().nth(1).is_none() {
                return;
            }
            again.store(true, Relaxed);
            let (saying, said) = mpsc::channel::<()>();
            let say = move || {
                last_words();
                drop(saying);
            };
            if thread::Builder::new().spawn(say).is_ok() {
                // Ends when the sender is dropped, or after this time.
                let _ = said.recv_timeout(LAST_WORDS);
            }
            low_level::exit(STATUS_INTERRUPTED);
        };
        thread::Builder::new()
            .name("interrupts".into())
            .spawn(second)?;
        Ok(signals)
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }

    /// Returns whether the system asked for an end.
    pub fn terminated(&self) -> bool {
        self.terminate.load(Relaxed)
    }

    /// Once a signal has come, lets the work under `control` begin nothing new, and stops it after [`GRACE`].
    ///
    /// Called all the time by a thread that waits for nothing else.
    pub(super) fn heed(&self, control: &Control) {
        if !self.interrupted() && !self.terminated() {
            return;
        }
        let since = self.since.get_or_init(Instant::now);
        if control.drain() {
            tracing::warn!(
                "stopping within seconds, and keeping what was found; press Ctrl-C again to stop at once"
            );
        }
        if since.elapsed() >= GRACE {
            control.stop(StopReason::Interrupted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_in_hand_is_stopped_when_the_grace_time_is_over() {
        for signal in [SIGINT, SIGTERM] {
            let (signals, control) = (Signals::default(), Control::default());
            signals.heed(&control);
            assert!(!control.draining());
            let flag = match signal {
                SIGINT => &signals.interrupt,
                _ => &signals.terminate,
            };
            flag.store(true, Relaxed);
            signals.heed(&control);
            assert!(control.draining());
            thread::sleep(GRACE);
            signals.heed(&control);
            assert_eq!(control.stopped(), Some(StopReason::Interrupted));
        }
    }
}
