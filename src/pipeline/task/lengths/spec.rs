//! Jobs over lengths: a row for each length, with the fewest stones of a board of this length.

use seedbank_specs::sections::{read_range, read_table};
use seedbank_specs::{Field, Fields, Problems};

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

/// How `seedbank table` prints lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthsLayout {
    /// A line for each length.
    List,
    /// A line for each number of digits: the deviation of N(l) from l^2/pi there.
    Summary,
}

impl LengthsTask {
    /// Returns the number of lengths.
    pub fn rows(&self) -> u64 {
        self.last - self.first + 1
    }
}

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    kind: &Field<'_>,
) -> Option<LengthsTask> {
    let range = read_range(problems, kind, "lengths", LENGTH_MAX);
    let layout = read_table(problems, fields, &["list", "summary"], false);
    let (first, last) = range?;
    Some(LengthsTask {
        first,
        last,
        layout: match layout?.0 {
            "summary" => LengthsLayout::Summary,
            _ => LengthsLayout::List,
        },
    })
}
