//! Jobs over boards: a row for each number of stones, each of which has one winning board.

use std::f64::consts::PI;
use std::fmt;

use seedbank_specs::POSITIONS_MAX;
use seedbank_specs::sections::{at_most_rows, read_layout, read_range};
use seedbank_specs::{Fault, Field, Fields, Problems};

/// The most stones of a board, 10^18: its length then fits in 31 bits.
pub const STONES_MAX: u64 = 1_000_000_000_000_000_000;

/// The greatest length in a range of lengths. Longer boards are selected by their stones.
pub const BOARD_LENGTH_MAX: u64 = 10_000_000;

/// The most bins in all boards of a result, 2^37: 550 GB before compression.
pub const BINS_MAX: u64 = 1 << 37;

/// The largest number of nearest bins.
pub const NEAREST_MAX: i64 = 1_000_000;

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

/// How `seedbank table` prints boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardsLayout {
    /// A line for each board.
    List,
    /// A line for each board and a column for each bin, as in the paper's Figure 2.
    Bins,
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

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    kind: &Field<'_>,
) -> Option<BoardsTask> {
    let range = read_boards(problems, kind);
    let bins = match fields.take("columns") {
        Some(field) => field
            .table(problems, "a section [columns]")
            .and_then(|fields| read_columns(problems, fields)),
        None => Some(ListedBins::None),
    };
    let layout = match fields.take("table") {
        Some(field) => {
            let fields = field.table(problems, "a section [table]");
            let layout =
                fields.and_then(|fields| read_layout(problems, fields, &["list", "bins"], false));
            if let (Some(("bins", _)), Some(ListedBins::None)) = (layout, bins) {
                let fault = Fault::Layout {
                    layout: "bins",
                    needs: "bins = true in [columns], or a number of nearest bins",
                    found: "no bins".to_owned(),
                };
                problems.add(&field.key, field.span.clone(), fault);
            }
            layout
        }
        None => Some(("list", 1)),
    };
    let (first, last) = range?;
    let task = BoardsTask {
        first,
        last,
        bins: bins?,
        layout: match layout?.0 {
            "bins" => BoardsLayout::Bins,
            _ => BoardsLayout::List,
        },
    };
    let found = task.bins_about();
    if found > BINS_MAX {
        let max = BINS_MAX;
        problems.add(
            &kind.key,
            kind.span.clone(),
            Fault::TooManyBins { found, max },
        );
        return None;
    }
    Some(task)
}

/// Reads the numbers of stones: a range of them, or of lengths.
fn read_boards(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<(u64, u64)> {
    let (first, last) = match field.value.as_table() {
        None => {
            let text =
                "a string, such as \"0..=1000\", or a table, such as { length = \"1..=40\" }";
            field.string(problems, text)?;
            read_range(problems, field, "stones", STONES_MAX)?
        }
        Some(_) => {
            let mut fields = field.table(problems, "a table, such as { length = \"1..=40\" }")?;
            let lengths = fields.require(problems, "length", "length = \"1..=40\"");
            fields.finish(problems);
            let (first, last) = read_range(problems, &lengths?, "lengths", BOARD_LENGTH_MAX)?;
            (fewest_stones(first), fewest_stones(last + 1) - 1)
        }
    };
    let found = last - first + 1;
    at_most_rows(problems, field, "boards", found, POSITIONS_MAX)?;
    Some((first, last))
}

fn read_columns(problems: &mut Problems<'_>, mut fields: Fields<'_>) -> Option<ListedBins> {
    let bins = match fields.take("bins") {
        None => Some(ListedBins::None),
        Some(field) if field.value.as_integer().is_some() => {
            let nearest = field.integer(problems, 1, NEAREST_MAX);
            nearest.and_then(|bins| Some(ListedBins::Nearest(u32::try_from(bins).ok()?)))
        }
        Some(field) => match field.value.as_bool() {
            Some(true) => Some(ListedBins::All),
            Some(false) => Some(ListedBins::None),
            None => {
                field.wrong_type(
                    problems,
                    "true, false, or a number of nearest bins, such as 16",
                );
                None
            }
        },
    };
    fields.finish(problems);
    bins
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
