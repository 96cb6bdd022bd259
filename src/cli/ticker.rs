//! Signs of life from work that takes long and has nothing to count.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often work that takes long says so.
const INTERVAL: Duration = Duration::from_secs(10);

/// Works, and logs every ten seconds what it is at and for how long.
pub(super) fn ticking<T>(what: &str, work: impl FnOnce() -> T) -> T {
    ticking_at(what, || String::new(), work)
}

/// As [`ticking`], with a word on how far the work has come.
pub(super) fn ticking_at<T>(
    what: &str,
    at: impl Fn() -> String + Send,
    work: impl FnOnce() -> T,
) -> T {
    thread::scope(|scope| {
        let (working, wait) = mpsc::channel::<()>();
        let begun = Instant::now();
        scope.spawn(move || {
            // Ends when the sender is dropped, which is when the work is done.
            while wait.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let seconds = begun.elapsed().as_secs();
                tracing::info!("{what}: {seconds} s{}; Ctrl-C ends it", at());
            }
        });
        let done = work();
        drop(working);
        done
    })
}
