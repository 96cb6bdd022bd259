//! How much work a task has, as it declares it, and amounts estimated from that.

use std::time::Duration;

use bytesize::ByteSize;

use crate::run::stage::WRITING_COST;
use crate::run::{Checkpoints, Plan};

/// The bytes of forms per position in the checkpoint of a sweep that has them.
const FORMS_BYTES: u64 = 6;

/// Why an amount that was not measured is unknown.
pub(crate) const NOT_MEASURED: &str = "plan --measure finds out";

/// An amount, a bound, or the reason why it is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount<T> {
    /// The amount, within a factor of about three.
    About(T),
    /// A lower bound; the amount may be far larger.
    AtLeast(T),
    /// The reason why it is unknown.
    Unknown(&'static str),
}

impl<T> Amount<T> {
    /// Returns the amount if it is known.
    pub fn about(self) -> Option<T> {
        match self {
            Amount::About(amount) => Some(amount),
            _ => None,
        }
    }

    /// Returns the bound if only that is known.
    pub fn at_least(self) -> Option<T> {
        match self {
            Amount::AtLeast(amount) => Some(amount),
            _ => None,
        }
    }

    /// Applies a function to the amount or bound.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Amount<U> {
        match self {
            Amount::About(amount) => Amount::About(change(amount)),
            Amount::AtLeast(amount) => Amount::AtLeast(change(amount)),
            Amount::Unknown(why) => Amount::Unknown(why),
        }
    }
}

/// The resources of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The positions to evaluate, or the rows of other tasks to compute.
    pub positions: Amount<u64>,
    /// The bytes in the folder of the result sets, without checkpoints.
    pub results: Amount<ByteSize>,
    /// The bytes in the store.
    pub store: Amount<ByteSize>,
    /// The bytes in checkpoints, at their peak.
    pub checkpoints: Amount<ByteSize>,
    /// The peak of memory, without mapped files.
    pub memory: Amount<ByteSize>,
    /// The time.
    pub time: Amount<Duration>,
}

/// How a run finds the values for its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Workload {
    /// Position by position.
    Searched {
        /// The positions, if their number can be estimated.
        positions: Option<u64>,
        /// The canonical forms for each position.
        forms: f64,
    },
    /// By sweeps.
    Swept {
        /// The positions; mirror images are not counted.
        positions: u64,
        /// The bytes of the array of values.
        array: u64,
        /// Whether there are many different values, whose canonical forms take memory, too.
        has_forms: bool,
    },
    /// The rows are not about rows of pots.
    Plain {
        /// Whether making rows is as fast as reading checkpoints, so that none are written.
        is_fast: bool,
        /// The bytes that the values of all rows take, if they stay in memory.
        held: Option<u64>,
    },
}

/// How much work a task has, for estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// How values are found.
    pub workload: Workload,
    /// The bytes of the result set.
    pub results: Amount<ByteSize>,
    /// Whether the amount of some work is unknown in advance.
    pub is_open_ended: bool,
    /// Whether rows differ too much for a few seconds of them to represent the rest.
    pub is_uneven: bool,
    /// The bytes that writers take on all threads.
    pub writers: u64,
    /// Whether each swept value is also written as a row.
    pub writes_rows: bool,
}

impl Effort {
    /// Returns the fraction of a sweep that is done, from the positions in its checkpoint and the
    /// rows written.
    pub(crate) fn swept_fraction(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
        let Workload::Swept { positions, .. } = self.workload else {
            return 0.0;
        };
        let rows = plan.status.as_ref().map_or(0, |status| status.rows);
        let written = if self.writes_rows { WRITING_COST } else { 0 };
        let valued = checkpoints.sweeps.iter().map(|sweep| sweep.valued / 2);
        fraction(
            valued.sum::<u64>() + written * rows,
            positions + written * plan.rows,
        )
    }

    /// Returns the size of the checkpoint of a nearly finished sweep.
    pub(super) fn sweep_checkpoint(positions: u64, array: u64, has_forms: bool) -> ByteSize {
        let forms = if has_forms { FORMS_BYTES } else { 0 };
        ByteSize(array.saturating_add(positions.saturating_mul(forms)))
    }
}

/// Finishes the estimate of a measurement, given the bytes in its store.
pub type Measured = Box<dyn FnOnce(ByteSize) -> Estimate>;

/// Returns the fraction of a whole that is done, from 0 to 1.
pub(crate) fn fraction(done: u64, whole: u64) -> f64 {
    done.min(whole) as f64 / whole.max(1) as f64
}
