//! Long work on a thread of its own, while the calling thread notices Ctrl-C.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The longest wait before Ctrl-C is noticed.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// The stack of the thread: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// What the thread sends.
enum Sent<T> {
    Message(String),
    Done(T),
}

/// Sends messages from the work.
#[derive(Clone)]
pub(crate) struct Messages<T>(Sender<Sent<T>>);

impl<T> Messages<T> {
    /// Sends a message; none arrives after the work has ended.
    pub(crate) fn send(&self, text: &str) {
        let _ = self.0.send(Sent::Message(text.to_owned()));
    }
}

/// Does work without the interpreter's lock. `message` receives its messages.
///
/// # Errors
///
/// KeyboardInterrupt after Ctrl-C, and the first error of `message`: each calls `stop`, after which the work is to end soon, and
/// is raised once it has.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    stop: impl Fn(),
    mut message: impl FnMut(&str) -> PyResult<()>,
    work: impl FnOnce(Messages<T>) -> T + Send,
) -> PyResult<T> {
    let (sender, mut results): (Sender<Sent<T>>, Receiver<Sent<T>>) = channel();
    thread::scope(|scope| {
        let work = move || {
            let done = work(Messages(sender.clone()));
            let _ = sender.send(Sent::Done(done));
        };
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        let worker = worker.spawn_scoped(scope, work)?;
        let mut failed = None;
        let mut fail = |error| {
            if failed.is_none() {
                stop();
                failed = Some(error);
            }
        };
        let done = loop {
            let waiting = &mut results;
            match py.detach(move || waiting.recv_timeout(LOOK_INTERVAL)) {
                Ok(Sent::Message(text)) => message(&text).unwrap_or_else(&mut fail),
                Ok(Sent::Done(done)) => break Ok(done),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(PyRuntimeError::new_err(
                        "the work ended in a defect of seedbank; please report it",
                    ));
                }
            }
            py.check_signals().unwrap_or_else(&mut fail);
        };
        let _ = worker.join();
        failed.map_or(done, Err)
    })
}
