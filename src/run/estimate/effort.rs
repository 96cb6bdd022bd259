//! What a task says of its work, and amounts that are estimated from it.

use std::time::Duration;

use bytesize::ByteSize;

use crate::run::stage::WRITING_COST;
use crate::run::{Checkpoints, Plan};

/// A position in the checkpoint of a sweep, of impartial and of partisan play with its forms. Unit: bytes.
const SWEEP_BYTES: [f64; 2] = [2.0, 14.0];

/// Why an amount is unknown that was not measured.
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

    /// Changes the amount.
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
    /// The positions to be evaluated, or the rows of other jobs to be worked out.
    pub positions: Amount<u64>,
    /// The bytes in the folder of the result sets, checkpoints not counted.
    pub results: Amount<ByteSize>,
    /// The bytes in the store.
    pub store: Amount<ByteSize>,
    /// The bytes in checkpoints, at their largest.
    pub checkpoints: Amount<ByteSize>,
    /// The most memory, mapped files not counted.
    pub memory: Amount<ByteSize>,
    /// The time.
    pub time: Amount<Duration>,
}

/// How a run values what its rows are about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Position by position.
    Searched {
        /// The positions, where their number can be estimated.
        positions: Option<u64>,
        /// The canonical forms for each position.
        forms: f64,
    },
    /// By sweeps of this number of positions, mirror images not counted.
    Swept {
        /// The positions.
        positions: u64,
        /// Whether each position takes its part of the canonical forms.
        has_forms: bool,
    },
    /// Rows are no positions of rows of pots.
    Plain {
        /// Whether rows are made as fast as checkpoints are read, so that there are none.
        is_fast: bool,
    },
}

/// What a task says of its work, for estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// How values are found.
    pub way: Way,
    /// The bytes of the result set.
    pub results: Amount<ByteSize>,
    /// Whether the extent of some work is not known in advance.
    pub is_open_ended: bool,
    /// Whether rows differ so much that those of some seconds tell nothing of the others.
    pub is_uneven: bool,
    /// The bytes of writers on all threads.
    pub writers: u64,
    /// Whether each value swept is also written as a row.
    pub writes_rows: bool,
}

impl Effort {
    /// Returns the part done of a sweep, by the positions in its checkpoint and the rows written.
    pub(crate) fn swept_part(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
        let Way::Swept { positions, .. } = self.way else {
            return 0.0;
        };
        let rows = plan.status.as_ref().map_or(0, |status| status.rows);
        let written = if self.writes_rows { WRITING_COST } else { 0 };
        let valued = checkpoints.sweeps.iter().map(|sweep| sweep.valued / 2);
        part(
            valued.sum::<u64>() + written * rows,
            positions + written * plan.rows,
        )
    }

    /// Returns the size of the checkpoint of a sweep that is nearly done.
    pub(super) fn sweep_checkpoint(positions: u64, has_forms: bool) -> ByteSize {
        let each = SWEEP_BYTES[usize::from(has_forms)];
        ByteSize((positions as f64 * each) as u64)
    }
}

/// Makes the estimate of a measurement, given the bytes in its store.
pub type Measured = Box<dyn FnOnce(ByteSize) -> Estimate>;

/// Returns what part of a whole is done, from 0 to 1.
pub(crate) fn part(done: u64, whole: u64) -> f64 {
    done.min(whole) as f64 / whole.max(1) as f64
}
