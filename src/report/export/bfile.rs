//! b-files of the Encyclopedia of Integer Sequences: lines `n a(n)`, n ascending by 1.
//!
//! Source: "b-files", OEIS Wiki: one pair a line, separated by a blank, with no gap.

use arrow_array::RecordBatch;
use thiserror::Error;

use super::cell::integer;
use crate::dataset::{Column, ColumnKind};

/// Which columns of a table are n and a(n).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BFile {
    /// The column of n.
    pub index: String,
    /// The column of a(n).
    pub value: String,
}

/// Why rows cannot be written as a b-file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BFileError {
    /// Rows are about several integers, or none.
    #[error(
        "a b-file has a row for each value of one integer variable; these rows have {found}; \
         export them as csv or ndjson"
    )]
    Index {
        /// The variables found.
        found: String,
    },
    /// There is no column of this name that holds integers.
    #[error("no column {found:?} of integers; --column accepts {accepted}")]
    Value {
        /// The name found.
        found: String,
        /// The columns of integers.
        accepted: String,
    },
    /// No column is named, and there is no nim-value.
    #[error("a b-file has one column; choose it with --column: {accepted}")]
    Unnamed {
        /// The columns of integers.
        accepted: String,
    },
    /// A row has no integer.
    #[error(
        "{index} = {at}: {value} is null there, and a b-file has no gaps; export the rows as csv or ndjson"
    )]
    Null {
        /// The column of n.
        index: String,
        /// n.
        at: i64,
        /// The column of a(n).
        value: String,
    },
    /// A row that is not about the next n.
    #[error(
        "{index} = {before} is followed by {found}, and a b-file has no gaps; \
         let the variable take every value from the first to the last"
    )]
    Gap {
        /// The column of n.
        index: String,
        /// n of the row before.
        before: i64,
        /// n of the row, or that it has none.
        found: String,
    },
}

impl BFile {
    /// Chooses the columns of a table. n is the one variable of its rows, or without variables the first column; a(n) is the column
    /// named, or else the nim-value.
    ///
    /// # Errors
    ///
    /// [`BFileError::Index`], [`BFileError::Value`] and [`BFileError::Unnamed`].
    ///
    /// ```
    /// use seedbank::dataset::TableRow;
    /// use seedbank::report::export::bfile::BFile;
    /// use seedbank::task::heaps::HeapRow;
    ///
    /// let heaps = BFile::of(&HeapRow::columns(&[]), &["n".to_owned()], None)?;
    /// assert_eq!((&*heaps.index, &*heaps.value), ("n", "nim_value"));
    /// # Ok::<(), seedbank::report::export::bfile::BFileError>(())
    /// ```
    pub fn of(
        columns: &[Column],
        variables: &[String],
        value: Option<&str>,
    ) -> Result<BFile, BFileError> {
        let is_integer =
            |column: &&Column| matches!(column.kind, ColumnKind::Int32 | ColumnKind::Int64);
        let first = columns.first().filter(is_integer);
        let index = match (variables, first) {
            ([variable], _) => variable,
            ([], Some(first)) => &first.name,
            (variables, _) => {
                let found = match variables.is_empty() {
                    true => "none".to_owned(),
                    false => format!("the variables {}", variables.join(", ")),
                };
                return Err(BFileError::Index { found });
            }
        };
        let others = columns.iter().filter(is_integer);
        let names = others.map(|column| column.name.as_str());
        let names: Vec<&str> = names.filter(|name| *name != index).collect();
        let named = |name: &str| names.iter().find(|other| **other == name);
        let accepted = || names.join(", ");
        let value = match value {
            Some(name) => named(name).ok_or_else(|| BFileError::Value {
                found: name.to_owned(),
                accepted: accepted(),
            }),
            None => named("nim_value").ok_or_else(|| BFileError::Unnamed {
                accepted: accepted(),
            }),
        };
        Ok(BFile {
            index: index.clone(),
            value: (*value?).to_owned(),
        })
    }

    /// Returns n and a(n) of each row of a batch; `None` where they are null.
    ///
    /// # Panics
    ///
    /// If the batch lacks one of the columns.
    pub fn pairs(&self, batch: &RecordBatch) -> Vec<[Option<i64>; 2]> {
        let columns = [&self.index, &self.value]
            .map(|name| batch.column_by_name(name).expect("a column of the table"));
        let pair = |row| columns.map(|column| integer(column, row));
        (0..batch.num_rows()).map(pair).collect()
    }

    /// Checks that a row is the one after `before`, and has an integer.
    ///
    /// # Errors
    ///
    /// [`BFileError::Null`] and [`BFileError::Gap`].
    pub fn next(
        &self,
        before: Option<i64>,
        [at, value]: [Option<i64>; 2],
    ) -> Result<(i64, i64), BFileError> {
        let index = || self.index.clone();
        let at = match (before, at) {
            (None, Some(at)) => at,
            (Some(before), Some(at)) if before.checked_add(1) == Some(at) => at,
            (None, None) => {
                let found = format!("no {}", self.index);
                return Err(BFileError::Index { found });
            }
            (Some(before), at) => {
                let found = at.map_or_else(
                    || format!("a row without {}", self.index),
                    |at| at.to_string(),
                );
                return Err(BFileError::Gap {
                    index: index(),
                    before,
                    found,
                });
            }
        };
        let value = value.ok_or_else(|| BFileError::Null {
            index: index(),
            at,
            value: self.value.clone(),
        })?;
        Ok((at, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_say_where_they_are() {
        let file = BFile {
            index: "n".to_owned(),
            value: "nim_value".to_owned(),
        };
        assert_eq!(file.next(None, [Some(-3), Some(1)]), Ok((-3, 1)));
        assert_eq!(file.next(Some(-3), [Some(-2), Some(0)]), Ok((-2, 0)));
        let gap = file.next(Some(6), [Some(8), Some(1)]).unwrap_err();
        assert!(
            gap.to_string().starts_with("n = 6 is followed by 8,"),
            "{gap}"
        );
        let again = file.next(Some(6), [Some(6), Some(1)]).unwrap_err();
        assert!(
            again.to_string().starts_with("n = 6 is followed by 6,"),
            "{again}"
        );
        let null = file.next(Some(6), [Some(7), None]).unwrap_err();
        assert!(
            null.to_string()
                .starts_with("n = 7: nim_value is null there"),
            "{null}"
        );
    }
}
