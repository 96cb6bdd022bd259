//! What surveys of codes share: what they report on their way, how they resume, and which codes they find equal.

use std::ops::Range;
use std::time::Instant;

use super::certificate::Certificate;
use super::moves::Moves;
use crate::game::heap::Code;

/// What a survey asks and reports on its way, from any thread. A function is one that says whether to stop, and keeps nothing.
pub trait SurveyWatcher: Sync {
    /// Returns whether to stop.
    fn stop(&self) -> bool;

    /// Returns whether a checkpoint is due, where the last one was at this time.
    fn is_due(&self, _since: Instant) -> bool {
        false
    }

    /// Called when all results that were due have been passed on.
    fn checkpoint(&self) {}

    /// Returns the values of a code that were passed on before, from heap 0 on, in pieces. Called once for each code.
    fn known_values(&self, _code: &Code) -> Vec<FoundValues> {
        Vec::new()
    }

    /// Takes the values of some heaps of a code: when a checkpoint is due, when there are enough, and when the survey stops.
    /// They follow those that were known and those that were passed on before.
    fn take_values(&self, _code: &Code, _heaps: Range<usize>, _found: FoundValues) {}

    /// Returns the classes of codes that were passed on before. Called once.
    fn known_classes(&self) -> Vec<FoundClasses> {
        Vec::new()
    }

    /// Takes classes of codes: when a checkpoint is due, and when the survey stops.
    fn take_classes(&self, _found: FoundClasses) {}

    /// Called with the number of codes whose values have become known.
    fn count(&self, _codes: usize) {}
}

impl<F: Fn() -> bool + Sync> SurveyWatcher for F {
    fn stop(&self) -> bool {
        self()
    }
}

/// The values of consecutive heaps, as an engine resumes from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundValues {
    /// The nim-values; none for obligated sums.
    pub values: Vec<u16>,
    /// What else the engine resumes from: for nim-values of games with splits in three the sums of pairs, for obligated sums
    /// the values and into what totals can be split, else nothing.
    pub beside: Vec<u64>,
}

/// Some classes of codes, which agree in the first 64 values, with the sequences found in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundClasses {
    /// The number of the lot that they are.
    pub lot: usize,
    /// For each of their codes, in the order of the lot, the place of the first code with its values.
    pub first: Vec<u32>,
    /// The sequences of those first codes.
    pub solutions: Vec<Solution>,
}

/// The sequence of the first code that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The place of that code.
    pub place: u32,
    /// The number of heaps that were valued.
    pub heaps: usize,
    /// The preperiod and period, proved.
    pub period: Option<(usize, usize)>,
    /// How many heaps below the survey's limit have each value.
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

/// How far the values of a code are known to equal those of the first code with its values.
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

/// Passes the values of a code on to a watcher, piece by piece.
pub(crate) struct Passing<'c, W> {
    watcher: &'c W,
    code: &'c Code,
    /// The watcher has the values of the heaps below this.
    passed_to: usize,
    /// When the last checkpoint was.
    since: Instant,
    /// The number of heaps in a piece.
    piece: usize,
}

impl<'c, W: SurveyWatcher> Passing<'c, W> {
    /// Begins with a code of which the watcher has the values of some heaps.
    pub(crate) fn new(watcher: &'c W, code: &'c Code, known: usize, piece: usize) -> Self {
        Passing {
            watcher,
            code,
            passed_to: known,
            since: Instant::now(),
            piece,
        }
    }

    /// Returns whether a checkpoint is due.
    pub(crate) fn is_due(&self) -> bool {
        self.watcher.is_due(self.since)
    }

    /// Passes on the values of the heaps below `end`.
    pub(crate) fn pass(&mut self, end: usize, found: impl Fn(Range<usize>) -> FoundValues) {
        while self.passed_to < end {
            let heaps = self.passed_to..end.min(self.passed_to + self.piece);
            self.passed_to = heaps.end;
            let found = found(heaps.clone());
            self.watcher.take_values(self.code, heaps, found);
        }
    }

    /// Begins to wait for the next checkpoint.
    pub(crate) fn wait(&mut self) {
        self.since = Instant::now();
    }
}
