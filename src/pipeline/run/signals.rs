//! Signals that end a run: Ctrl-C once and twice, SIGTERM, SIGHUP, the warnings of batch systems.
//!
//! A signal that is ignored when the process starts stays ignored: `nohup` ignores SIGHUP, and a
//! shell without job control ignores Ctrl-C for the commands that it starts in the background.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use cgsolvers::{Control, StopReason};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::{flag, iterator, low_level};

/// The exit status after Ctrl-C.
pub const STATUS_INTERRUPTED: i32 = 130;

/// The time that current work may take to finish after a signal, before it is stopped.
///
/// Unit: time. Stopping and sealing take up to about a second more, and a run should end within two
/// seconds.
const GRACE: Duration = Duration::from_millis(500);

/// The time that the process waits for the last message after a second Ctrl-C.
///
/// Unit: time. A terminal takes a line in microseconds; a stuck one must not keep the process
/// alive.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The signals that request termination. SGE, PBS and Slurm send SIGUSR1, SIGUSR2 or SIGXCPU some
/// time before they kill a job, and the system sends SIGXCPU when the limit on processor time is
/// reached.
const TERMINATING: [i32; 5] = [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU];

/// The signals received.
///
/// Ctrl-C and the terminating signals all end a run in the same way. It begins no new work, finishes its
/// current work if that takes less than half a second, and otherwise stops it. All values found are
/// sealed, and the next run resumes. Only the exit status differs. A second Ctrl-C ends the process
/// at once, and loses only the work since the last checkpoint.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
    /// When a signal was first noticed.
    since: Arc<OnceLock<Instant>>,
}

impl Signals {
    /// Starts to listen to SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 and SIGXCPU, unless
    /// they are ignored. The second Ctrl-C calls `last_words`, which may end the process. If it
    /// returns or hangs, the process ends all the same: after at most half a second, or at the
    /// third Ctrl-C.
    ///
    /// # Errors
    ///
    /// If the system refuses a handler or a thread.
    pub fn listen(last_words: impl FnOnce() + Send + 'static) -> io::Result<Signals> {
        let signals = Signals::default();
        for signal in TERMINATING {
            if !is_ignored(signal) {
                flag::register(signal, Arc::clone(&signals.terminate))?;
            }
        }
        if is_ignored(SIGINT) {
            return Ok(signals);
        }
        let again = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(SIGINT, STATUS_INTERRUPTED, Arc::clone(&again))?;
        flag::register(SIGINT, Arc::clone(&signals.interrupt))?;
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
                // Returns when the sender is dropped, or after this time.
                let _ = said.recv_timeout(LAST_WORDS);
            }
            low_level::exit(STATUS_INTERRUPTED);
        };
        thread::Builder::new()
            .name("interrupts".into())
            .spawn(second)?;
        Ok(signals)
    }

    /// Stops the work as Ctrl-C does.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Relaxed);
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Relaxed)
    }

    /// Returns whether the system requested termination, by any signal but SIGINT.
    pub fn terminated(&self) -> bool {
        self.terminate.load(Relaxed)
    }

    /// After a signal, prevents new work under `control`, and stops current work after [`GRACE`].
    ///
    /// An otherwise idle thread calls this every few milliseconds.
    pub(crate) fn heed(&self, control: &Control) {
        if !self.interrupted() && !self.terminated() {
            return;
        }
        let since = self.since.get_or_init(Instant::now);
        if control.drain() {
            tracing::warn!(
                "stopping within seconds; all values found are kept; press Ctrl-C again to stop at once"
            );
        }
        if since.elapsed() >= GRACE {
            control.stop(StopReason::Interrupted);
        }
    }
}

/// Makes a write beyond the limit on the size of files (`ulimit -f`) an error of that write. By
/// default the system kills the process.
///
/// # Errors
///
/// If the system refuses the handler.
pub fn file_size_limit_is_an_error() -> io::Result<()> {
    // A handler, because programs that the process starts would inherit an ignored signal.
    if is_ignored(SIGXFSZ) {
        Ok(())
    } else {
        flag::register(SIGXFSZ, Arc::default()).map(drop)
    }
}

/// Returns whether the process ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let mut now = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: no action is passed, so the call changes nothing. It writes the present one to memory
    // that is ours, and all integers there may be zero if it fails.
    let now = unsafe {
        libc::sigaction(signal, ptr::null(), now.as_mut_ptr());
        now.assume_init()
    };
    now.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_work_is_stopped_after_the_grace_time() {
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
