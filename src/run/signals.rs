//! Signals that end a run: Ctrl-C once and twice, SIGTERM, SIGHUP.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit status after Ctrl-C.
pub const STATUS_INTERRUPTED: i32 = 130;

/// What signals have come in.
///
/// After the first Ctrl-C a run finishes the shards in hand; a second one ends the process at once, and
/// loses what came since the last checkpoint and nothing else. SIGTERM and SIGHUP make it stop
/// early: it seals what it has and can be run again.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    interrupt: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
}

impl Signals {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler.
    pub fn listen() -> io::Result<Signals> {
        let signals = Signals::default();
        // In this order: the shutdown is conditional on a flag that an earlier Ctrl-C has set.
        flag::register_conditional_shutdown(
            SIGINT,
            STATUS_INTERRUPTED,
            Arc::clone(&signals.interrupt),
        )?;
        flag::register(SIGINT, Arc::clone(&signals.interrupt))?;
        flag::register(SIGTERM, Arc::clone(&signals.terminate))?;
        flag::register(SIGHUP, Arc::clone(&signals.terminate))?;
        Ok(signals)
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Returns whether the system asked for an end.
    pub fn terminated(&self) -> bool {
        self.terminate.load(Ordering::Relaxed)
    }
}
