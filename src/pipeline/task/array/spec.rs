//! Jobs over the Tchoukaillon array: a row for each entry of a block, or of antidiagonals.

use std::sync::Arc;

use cgsolvers::tchoukaillon::array::NUMBER_MAX;
use seedbank_specs::form::{Form, table, table_with};
use seedbank_specs::{POSITIONS_MAX, choice, keys};

use crate::run::Task;
use crate::task::forms::range;
use crate::task::kind::Spec;

/// A job over entries of the array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayTask {
    /// The entries.
    pub entries: ArrayEntries,
    /// How the result is printed.
    pub layout: ArrayLayout,
}

/// Some entries of the array, by the numbers of their rows and columns, from 1 to [`NUMBER_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayEntries {
    /// Those in some rows and columns, row by row.
    Block {
        /// The first and the last row.
        rows: (u64, u64),
        /// The first and the last column.
        columns: (u64, u64),
    },
    /// Those in some antidiagonals, each from row 1 down. Antidiagonal d has d entries.
    Antidiagonals {
        /// The first antidiagonal.
        first: u64,
        /// The last one.
        last: u64,
    },
}

choice! {
    /// How `seedbank table` prints entries.
    pub enum ArrayLayout {
        /// A line for each entry.
        List = "list",
        /// For a block: a line for each row, and a column for each column.
        Grid = "grid",
    }
}

/// The number of entries in the antidiagonals before one.
fn before(antidiagonal: u64) -> u64 {
    antidiagonal * (antidiagonal - 1) / 2
}

impl ArrayEntries {
    /// Returns the number of entries.
    pub fn number(&self) -> u64 {
        match *self {
            ArrayEntries::Block { rows, columns } => {
                (rows.1 - rows.0 + 1).saturating_mul(columns.1 - columns.0 + 1)
            }
            ArrayEntries::Antidiagonals { first, last } => before(last + 1) - before(first),
        }
    }

    /// Returns the row and the column of the entry of a rank, from 0 on.
    ///
    /// ```
    /// use seedbank::task::array::ArrayEntries;
    ///
    /// let entries = ArrayEntries::Antidiagonals { first: 2, last: 3 };
    /// let places = [0, 1, 2, 3, 4].map(|rank| entries.place(rank));
    /// assert_eq!(places, [(1, 2), (2, 1), (1, 3), (2, 2), (3, 1)]);
    /// ```
    pub fn place(&self, rank: u64) -> (u64, u64) {
        match *self {
            ArrayEntries::Block { rows, columns } => {
                let width = columns.1 - columns.0 + 1;
                (rows.0 + rank / width, columns.0 + rank % width)
            }
            ArrayEntries::Antidiagonals { first, .. } => {
                let index = before(first) + rank;
                // The greatest d with d (d - 1) / 2 <= index.
                let antidiagonal = (8 * index + 1).isqrt().div_ceil(2);
                let row = index - before(antidiagonal) + 1;
                (row, antidiagonal + 1 - row)
            }
        }
    }

    /// Returns the greatest sum of a row and a column.
    pub(super) fn farthest(&self) -> u64 {
        match *self {
            ArrayEntries::Block { rows, columns } => rows.1 + columns.1,
            ArrayEntries::Antidiagonals { last, .. } => last + 1,
        }
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let entries = spec.family(keys!({
        /// the entries
        array: entries(), required;
    }));
    let has_grid = !matches!(entries, Some(ArrayEntries::Antidiagonals { .. }));
    let layout = spec.layout_with_grid(has_grid, ArrayLayout::NAMED);
    Some(Arc::new(ArrayTask {
        entries: entries?,
        layout: layout?,
    }))
}

fn entries<'f>() -> Form<'f, ArrayEntries> {
    let accepted = "a table, such as { rows = \"2\", columns = \"1..=1000\" } or { antidiagonals = \"1..=100\" }";
    let block = keys!(ArrayEntries::Block {
        /// the rows, from 1 on, such as "2"
        rows: range("rows", 1, NUMBER_MAX), required "rows = \"1..=3\"";
        /// the columns, from 1 on, such as "1..=1000"
        columns: range("columns", 1, NUMBER_MAX), required "columns = \"1..=1000\"";
    });
    let antidiagonals = keys!({
        /// the antidiagonals, from 1 on, each from row 1 down
        antidiagonals: range("antidiagonals", 1, NUMBER_MAX),
            required "antidiagonals = \"1..=100\"";
    });
    let antidiagonals = table(accepted, antidiagonals)
        .map(|(first, last)| ArrayEntries::Antidiagonals { first, last });
    table_with("antidiagonals", antidiagonals, table(accepted, block)).at_most(
        "entries",
        POSITIONS_MAX,
        ArrayEntries::number,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_through_antidiagonals() {
        for first in [1, 2, 7] {
            let last = first + 20;
            let entries = ArrayEntries::Antidiagonals { first, last };
            let all: Vec<(u64, u64)> = (first..=last)
                .flat_map(|antidiagonal| {
                    (1..=antidiagonal).map(move |row| (row, antidiagonal + 1 - row))
                })
                .collect();
            assert_eq!(entries.number(), all.len() as u64);
            let places: Vec<(u64, u64)> = (0..entries.number())
                .map(|rank| entries.place(rank))
                .collect();
            assert_eq!(places, all);
        }
        let (first, last) = (NUMBER_MAX, NUMBER_MAX);
        let entries = ArrayEntries::Antidiagonals { first, last };
        assert_eq!(entries.number(), NUMBER_MAX);
        assert_eq!(entries.place(0), (1, NUMBER_MAX));
        assert_eq!(entries.place(NUMBER_MAX - 1), (NUMBER_MAX, 1));
    }
}
