//! The streams and signals of a command: those of the process, or those that a calling program passes.
//!
//! A process runs one command as its own, or any number as calls, one after another: see [`call`](super::call).

use std::io::{self, BufRead, Cursor, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use seedbank::run::Signals;
use seedbank_memory::lock;

/// What a called command has in place of the streams and signals of the process.
pub struct Caller {
    /// Standard input.
    pub input: String,
    /// Receives the log and the progress, a line or more at a time, on any thread.
    pub log: Box<dyn Fn(&str) + Send + Sync>,
    /// The signals that stop the command.
    pub signals: Signals,
}

/// The caller, and what the command has told it.
pub(super) struct Called {
    caller: Caller,
    output: Mutex<Vec<u8>>,
    errors: Mutex<Vec<String>>,
}

/// The caller of the command that runs; there is none if it is the process's own.
static CALLED: RwLock<Option<Arc<Called>>> = RwLock::new(None);

/// Runs a command with a caller's streams. Returns its result, its output and its errors.
pub(super) fn with_caller<T>(
    caller: Caller,
    command: impl FnOnce() -> T,
) -> (T, Vec<u8>, Vec<String>) {
    /// Ends the call even if the command panics.
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            *CALLED.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    let called = Arc::new(Called {
        caller,
        output: Mutex::default(),
        errors: Mutex::default(),
    });
    *CALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&called));
    let end = End;
    let result = command();
    drop(end);
    let (output, errors) = (&mut *lock(&called.output), &mut *lock(&called.errors));
    (result, std::mem::take(output), std::mem::take(errors))
}

fn called() -> Option<Arc<Called>> {
    CALLED
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Returns whether a program called the command.
pub(super) fn is_called() -> bool {
    called().is_some()
}

/// Returns standard input.
pub(super) fn input() -> Box<dyn BufRead> {
    match called() {
        Some(called) => Box::new(Cursor::new(called.caller.input.clone())),
        None => Box::new(io::stdin().lock()),
    }
}

/// Standard output.
pub(super) enum Output {
    Process(io::StdoutLock<'static>),
    Caller(Arc<Called>),
}

/// Returns standard output, locked for this thread.
pub(super) fn output() -> Output {
    match called() {
        Some(called) => Output::Caller(called),
        None => Output::Process(io::stdout().lock()),
    }
}

impl Output {
    /// Returns whether standard output is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        match self {
            Output::Process(out) => out.is_terminal(),
            Output::Caller(_) => false,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Process(out) => out.write(bytes),
            Output::Caller(called) => lock(&called.output).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Process(out) => out.flush(),
            Output::Caller(_) => Ok(()),
        }
    }
}

/// Standard output, locked for each write.
pub(super) struct Unlocked;

impl Write for Unlocked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        output().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        output().flush()
    }
}

/// Writes a text to standard error. A text that cannot be written is lost, because no stream is left to report that.
pub(super) fn say(text: &str) {
    match called() {
        Some(called) => (called.caller.log)(text),
        // In one piece, so that processes that share the stream keep their lines apart.
        None => drop(io::stderr().write_all(text.as_bytes())),
    }
}

/// Returns whether standard error is a terminal.
pub(super) fn says_on_terminal() -> bool {
    !is_called() && io::stderr().is_terminal()
}

/// Passes an error to the caller; returns whether there is one.
pub(super) fn took_error(message: &str) -> bool {
    let called = called();
    if let Some(called) = &called {
        lock(&called.errors).push(message.to_owned());
    }
    called.is_some()
}

/// Returns the caller's signals, if there is a caller.
pub(super) fn signals() -> Option<Signals> {
    called().map(|called| called.caller.signals.clone())
}
