//! Jobs over boards: a row for each number of stones, each of which has one winning board.

use std::f64::consts::PI;
use std::fmt;
use std::sync::Arc;

use seedbank_specs::form::{Form, integer, table, table_or};
use seedbank_specs::{POSITIONS_MAX, choice, keys, schema};

use crate::run::Task;
use crate::task::forms::{layout, misfit, range, range_if};
use crate::task::kind::Spec;

/// The most stones of a board, 10^18: its length then fits in 31 bits.
pub const STONES_MAX: u64 = 1_000_000_000_000_000_000;

/// The greatest length in a range of lengths. Longer boards are selected by their stones.
pub const BOARD_LENGTH_MAX: u64 = 10_000_000;

/// The most bins in all boards of a result, 2^37: 550 GB before compression.
pub const BINS_MAX: u64 = 1 << 37;

/// The largest number of nearest bins.
pub const NEAREST_MAX: u32 = 1_000_000;

/// A job over boards: a row for each board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardsTask {
    /// The fewest stones.
    pub first: u64,
    /// The most stones, at most [`STONES_MAX`].
    pub last: u64,
    /// Which bins of each board are listed.
    pub bins: ListedBins,
    /// How the result is printed.
    pub layout: BoardsLayout,
}

/// Which bins of each board are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedBins {
    /// None.
    None,
    /// This many of the bins nearest to the Ruma, or all if there are fewer.
    Nearest(u32),
    /// All.
    All,
}

choice! {
    /// How `seedbank table` prints boards.
    pub enum BoardsLayout {
        /// A line for each board.
        List = "list",
        /// A line for each board and a column for each bin, as in the paper's Figure 2.
        Bins = "bins",
    }
}

impl BoardsTask {
    /// Returns the number of boards.
    pub fn rows(&self) -> u64 {
        self.last - self.first + 1
    }

    /// Returns the estimated number of bins in all rows.
    ///
    /// The board of n stones has about sqrt(pi n) bins, so those from a to below b have 2/3
    /// sqrt(pi) (b^3/2 - a^3/2). For few stones that is some percent too high.
    ///
    /// ```
    /// use seedbank::task::boards::{ListedBins, BoardsLayout, BoardsTask};
    ///
    /// let bins = ListedBins::All;
    /// let task = BoardsTask { first: 0, last: 999_999, bins, layout: BoardsLayout::List };
    /// assert_eq!(task.bins_about() / 1_000_000, 1181);
    /// ```
    pub fn bins_about(&self) -> u64 {
        // The difference of the powers without cancellation: with roots s and t it is (b - a)(a +
        // st + b)/(s + t).
        let (a, b) = (self.first as f64, self.last as f64 + 1.0);
        let (s, t) = (a.sqrt(), b.sqrt());
        let all = 2.0 / 3.0 * PI.sqrt() * self.rows() as f64 * (a + s * t + b) / (s + t);
        // A conversion from a float saturates at the bounds of the type.
        let all = all as u64;
        match self.bins {
            ListedBins::None => 0,
            ListedBins::Nearest(bins) => all.min(self.rows().saturating_mul(bins.into())),
            ListedBins::All => all,
        }
    }
}

impl fmt::Display for ListedBins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListedBins::None => f.write_str("no bins"),
            ListedBins::Nearest(bins) => write!(f, "nearest bins {bins}"),
            ListedBins::All => f.write_str("all bins"),
        }
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let range = spec.family(keys!({
        /// the numbers of stones, or the lengths
        boards: boards(), required;
    }));
    let columns = keys!({
        /// whether all bins are listed, or the number of nearest ones
        bins: listed_bins(), default ListedBins::None;
    });
    let columns = table("a section [columns]", columns);
    let bins = spec.section("columns", "columns that cost extra", columns);
    let bins = bins.map(|bins| bins.unwrap_or(ListedBins::None));
    let layout = layout(BoardsLayout::NAMED).then(|problems, field, layout| {
        if (layout, bins) == (BoardsLayout::Bins, Some(ListedBins::None)) {
            let needs = "bins = true in [columns], or a number of nearest bins";
            return field.refuse(problems, misfit("bins", needs, "no bins"));
        }
        Some(layout)
    });
    let layout = spec.table(layout);
    let (first, last) = range?;
    let task = BoardsTask {
        first,
        last,
        bins: bins?,
        layout: layout?.unwrap_or(BoardsLayout::List),
    };
    let (found, max) = (task.bins_about(), BINS_MAX);
    if found > max {
        return spec.refuse_mark(format!(
            "the boards have about {found} bins together; accepted: at most {max}; leave bins out, write bins = 16 for the 16 \
             nearest bins of each board, or ask for fewer boards"
        ));
    }
    Some(Arc::new(task))
}

/// The numbers of stones: a range of them, or of lengths.
fn boards<'f>() -> Form<'f, (u64, u64)> {
    let accepted = "a string, such as \"0..=1000\", or a table, such as { length = \"1..=40\" }";
    let lengths = table(
        "a table, such as { length = \"1..=40\" }",
        keys!({
            /// the lengths of boards, such as "1..=40"
            length: range("lengths", 0, BOARD_LENGTH_MAX), required "length = \"1..=40\"";
        }),
    );
    let stones = |(first, last)| (fewest_stones(first), fewest_stones(last + 1) - 1);
    table_or(
        range_if(accepted, "stones", 0, STONES_MAX, ""),
        lengths.map(stones),
    )
    .at_most("boards", POSITIONS_MAX, |(first, last)| last - first + 1)
}

fn listed_bins<'f>() -> Form<'f, ListedBins> {
    let nearest = || integer(1, NEAREST_MAX);
    Form::new(
        move |problems, field| match field.value.as_bool() {
            Some(true) => Some(ListedBins::All),
            Some(false) => Some(ListedBins::None),
            None if field.value.is_integer() => {
                nearest().read(problems, field).map(ListedBins::Nearest)
            }
            None => {
                let accepted = "true, false, or a number of nearest bins, such as 16";
                field.wrong_type(problems, accepted)
            }
        },
        move |generator| schema::any_of([schema::boolean(), nearest().schema(generator)]),
    )
}

/// Returns N(l), the fewest stones of a board of length l, by Theorem 3.5: from l round up to a
/// multiple of l - 1, of l - 2, ..., of 1. That is O(l) divisions, 0.1 s for the greatest length
/// accepted.
///
/// ```
/// // From 4 to a multiple of 3: 6, of 2 and of 1: 6.
/// assert_eq!(seedbank::task::boards::fewest_stones(4), 6);
/// ```
pub fn fewest_stones(length: u64) -> u64 {
    (1..length)
        .rev()
        .fold(length, |stones, i| stones.next_multiple_of(i))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cgsolvers::tchoukaillon::lengths::{length, shortest};

    #[test]
    fn fewest_stones_are_those_of_the_engine() {
        for l in (0..500).chain([12_345, BOARD_LENGTH_MAX + 1]) {
            assert_eq!(u128::from(fewest_stones(l)), shortest(l), "{l}");
        }
        assert!(fewest_stones(BOARD_LENGTH_MAX + 1) < STONES_MAX);
        assert!(length(STONES_MAX.into()) < 1 << 31);
    }

    #[test]
    fn bins_are_estimated_within_a_few_parts_in_a_hundred() {
        for (first, last, most) in [
            (0, 500, 0.04),
            (0, 20_000, 0.01),
            (90_000, 90_050, 0.002),
            (1_000_000, 1_000_000, 0.001),
        ] {
            let all: u128 = (first..=last).map(|n| length(n.into())).sum();
            let task = |bins| BoardsTask {
                first,
                last,
                bins,
                layout: BoardsLayout::List,
            };
            let about = task(ListedBins::All).bins_about();
            let off = (about as f64 / all as f64 - 1.0).abs();
            assert!(off < most, "{first} to {last}: {about} for {all}");
            let rows = last - first + 1;
            let near = task(ListedBins::Nearest(3)).bins_about();
            assert_eq!(near, about.min(3 * rows));
            assert_eq!(task(ListedBins::None).bins_about(), 0);
        }
    }
}
