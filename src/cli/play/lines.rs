//! Waits for lines of standard input and for signals at the same time.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use seedbank::input;
use seedbank::run::Signals;
use seedbank_memory::spawn;

/// The longest wait for a line between two checks of the signals.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// An event of the input.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line, without its end.
    Line(String),
    /// The input has ended.
    End,
    /// The input cannot be read.
    Failed(io::Error),
    /// Ctrl-C was pressed.
    Interrupted,
    /// The process received SIGTERM or SIGHUP.
    Terminated,
}

/// Standard input, line by line. A thread reads one line ahead, because a read cannot be cancelled. It ends with the process.
pub(super) struct Lines<'s> {
    lines: Receiver<io::Result<String>>,
    signals: &'s Signals,
}

impl<'s> Lines<'s> {
    pub(super) fn of_input(signals: &'s Signals) -> Lines<'s> {
        let (sender, lines) = sync_channel(0);
        spawn(move || {
            for line in input::Lines::of(io::stdin().lock()) {
                let line = line.map(|line| line.trim().to_owned());
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Lines { lines, signals }
    }

    /// Waits for a line.
    pub(super) fn next(&mut self) -> Heard {
        loop {
            if self.signals.interrupted() {
                return Heard::Interrupted;
            }
            if self.signals.terminated() {
                return Heard::Terminated;
            }
            match self.lines.recv_timeout(LOOK_INTERVAL) {
                Ok(Ok(line)) => return Heard::Line(line),
                Ok(Err(error)) => return Heard::Failed(error),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
