//! Progress while the program studies a position: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use seedbank::game::Player;
use seedbank::play::{Referee, Study};
use seedbank::run::{Observer, Progress, RunError};

use crate::progress::Meter;

/// A referee whose studies show their progress.
///
/// While the person is asked, no bar is on the terminal.
pub(super) struct Thinking<R> {
    referee: R,
    /// The positions evaluated so far, where they are counted.
    evaluated: Option<Evaluated>,
}

/// Counts the positions that a judge has evaluated.
#[derive(Clone, Default)]
pub(super) struct Evaluated(Arc<AtomicU64>);

impl<R> Thinking<R> {
    pub(super) fn new(referee: R, evaluated: Option<Evaluated>) -> Thinking<R> {
        Thinking { referee, evaluated }
    }

    fn meter(&self) -> Meter {
        let (title, phase) = ("play", "searching");
        match &self.evaluated {
            Some(Evaluated(count)) => {
                let (count, before) = (Arc::clone(count), count.load(Relaxed));
                let look = move || (count.load(Relaxed).saturating_sub(before), 0);
                Meter::watching(title, phase, "position", look)
            }
            None => Meter::new(title, phase, ""),
        }
    }
}

impl<R: Referee> Referee for Thinking<R> {
    type Position = R::Position;

    fn study(
        &mut self,
        position: &R::Position,
        mover: Player,
    ) -> Result<Study<R::Position>, RunError> {
        let _meter = self.meter();
        self.referee.study(position, mover)
    }

    fn can_recur(&self) -> bool {
        self.referee.can_recur()
    }
}

impl Observer for Evaluated {
    fn progress(&self, _: &str, progress: &Progress) {
        self.0.store(progress.positions, Relaxed);
    }
}
