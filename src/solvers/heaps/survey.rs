//! Common parts of surveys of codes: their reports, their resumption, and equal codes.

use std::ops::Range;
use std::time::Instant;

use cggames::game::heap::Code;

use super::certificate::Certificate;
use super::moves::Moves;

/// The callbacks of a survey, called from any thread. A function `Fn() -> bool` is a watcher that
/// only stops the survey.
pub trait SurveyWatcher: Sync {
    /// Returns whether to stop.
    fn stop(&self) -> bool;

    /// Returns whether it is time for a checkpoint, given the time of the last one.
    fn is_due(&self, _since: Instant) -> bool {
        false
    }

    /// Called when every pending result has been delivered.
    fn checkpoint(&self) {}

    /// Returns the values of a code that an earlier survey delivered, from heap 0 on, in pieces.
    /// Called once for each code.
    fn known_values(&self, _code: &Code) -> Vec<FoundValues> {
        Vec::new()
    }

    /// Takes the values of some heaps of a code: at a checkpoint, when a piece is full, and when
    /// the survey stops. They follow the known values and those delivered before.
    fn take_values(&self, _code: &Code, _heaps: Range<usize>, _found: FoundValues) {}

    /// Returns the classes of codes that an earlier survey delivered. Called once.
    fn known_classes(&self) -> Vec<FoundClasses> {
        Vec::new()
    }

    /// Takes classes of codes: at a checkpoint, and when the survey stops.
    fn take_classes(&self, _found: FoundClasses) {}

    /// Called with the number of newly finished codes.
    fn count(&self, _codes: usize) {}
}

impl<F: Fn() -> bool + Sync> SurveyWatcher for F {
    fn stop(&self) -> bool {
        self()
    }
}

/// The values of consecutive heaps, from which an engine can resume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundValues {
    /// The nim-values; none for obligated sums.
    pub values: Vec<u16>,
    /// Further data for resuming. For nim-values of games with splits in three: the sums of pairs.
    /// For obligated sums: the values, and the results of splitting each total. Otherwise empty.
    pub beside: Vec<u64>,
}

/// Classes of codes that agree in the first 64 values, with the sequences found in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundClasses {
    /// The number of their lot.
    pub lot: usize,
    /// For each code, in the order of the lot, the index of the first code with its values.
    pub first: Vec<u32>,
    /// The sequences of those first codes.
    pub solutions: Vec<Solution>,
}

/// A sequence, of the first code that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The index of that code.
    pub place: u32,
    /// The number of heaps that were valued.
    pub heaps: usize,
    /// The preperiod and period, proved.
    pub period: Option<(usize, usize)>,
    /// The number of heaps below the survey's limit with each value.
    pub counts: [u64; 4],
}

impl Solution {
    /// Returns the certificate for a code with these values and moves.
    pub(crate) fn certificate(&self, moves: &Moves) -> Option<Certificate> {
        let (preperiod, period) = self.period?;
        Some(Certificate {
            preperiod,
            period,
            bound: moves.bound(preperiod.max(1), period),
            checked_to: self.heaps - period,
        })
    }
}

/// The extent to which the values of a code are known to equal those of the first such code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equality {
    /// The code is itself the first with its values.
    First,
    /// All values are equal.
    Proved,
    /// The values of the heaps below this are equal.
    UpTo(usize),
}

impl Equality {
    /// Returns whether all values are equal.
    pub fn is_proved(self) -> bool {
        !matches!(self, Equality::UpTo(_))
    }
}

/// Delivers the values of a code to a watcher, piece by piece.
pub(crate) struct Delivery<'c, W> {
    watcher: &'c W,
    code: &'c Code,
    /// The watcher has the values of the heaps below this.
    passed_to: usize,
    /// The time of the last checkpoint.
    since: Instant,
    /// The number of heaps in a piece.
    piece: usize,
}

impl<'c, W: SurveyWatcher> Delivery<'c, W> {
    /// Starts with a code for which the watcher has the values of `known` heaps.
    pub(crate) fn new(watcher: &'c W, code: &'c Code, known: usize, piece: usize) -> Self {
        Delivery {
            watcher,
            code,
            passed_to: known,
            since: Instant::now(),
            piece,
        }
    }

    /// Returns whether it is time for a checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.watcher.is_due(self.since)
    }

    /// Delivers the values of the heaps below `end`.
    pub(crate) fn pass(&mut self, end: usize, found: impl Fn(Range<usize>) -> FoundValues) {
        while self.passed_to < end {
            let heaps = self.passed_to..end.min(self.passed_to + self.piece);
            self.passed_to = heaps.end;
            let found = found(heaps.clone());
            self.watcher.take_values(self.code, heaps, found);
        }
    }

    /// Starts the wait for the next checkpoint.
    pub(crate) fn wait(&mut self) {
        self.since = Instant::now();
    }
}
