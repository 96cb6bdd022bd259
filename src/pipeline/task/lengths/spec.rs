//! Jobs over lengths: a row for each length, with the fewest stones of a board of this length.

use std::sync::Arc;

use seedbank_specs::{choice, keys};

use crate::run::Task;
use crate::task::forms::range;
use crate::task::kind::Spec;

/// The greatest length, 2^32 - 1: the fewest stones are then fewer than 2^63.
pub const LENGTH_MAX: u64 = (1 << 32) - 1;

/// A job over lengths: a row for each length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthsTask {
    /// The least length.
    pub first: u64,
    /// The greatest length, at most [`LENGTH_MAX`].
    pub last: u64,
    /// How the result is printed.
    pub layout: LengthsLayout,
}

choice! {
    /// How `seedbank table` prints lengths.
    pub enum LengthsLayout {
        /// A line for each length.
        List = "list",
        /// A line for each number of digits: the deviation of N(l) from l^2/pi there.
        Summary = "summary",
    }
}

impl LengthsTask {
    /// Returns the number of lengths.
    pub fn rows(&self) -> u64 {
        self.last - self.first + 1
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let lengths = spec.family(keys!({
        /// the lengths, such as "1..=1000"
        lengths: range("lengths", 0, LENGTH_MAX), required;
    }));
    let layout = spec.layout(LengthsLayout::NAMED);
    let (first, last) = lengths?;
    Some(Arc::new(LengthsTask {
        first,
        last,
        layout: layout?,
    }))
}
