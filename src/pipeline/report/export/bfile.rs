//! b-files of the Encyclopedia of Integer Sequences: lines `n a(n)`, n ascending by 1.
//!
//! Source: "b-files", OEIS Wiki: one pair a line, separated by a blank, with no gap.

use std::slice;

use arrow_array::{ArrayRef, RecordBatch};
use thiserror::Error;

use super::cell::integers as integers_of;
use crate::dataset::{Column, ColumnKind};
use crate::report::reference::oeis::{Form, Sequence};

/// Which columns of a table make a b-file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BFile {
    /// The column of n; `None` if terms are numbered one after another and rows have several variables.
    pub index: Option<String>,
    /// The column of a(n), or of lists from which terms are made.
    pub value: String,
    /// The column that has the number of entries of each whole list.
    pub whole: Option<String>,
}

/// A row of a table, as a b-file needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BFileRow {
    /// n.
    pub at: Option<i64>,
    /// The integer, or the integers of the list.
    pub entries: Option<Vec<i64>>,
    /// The number of entries of the whole list.
    pub whole: Option<i64>,
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
    /// There is no column of this name and kind.
    #[error("no column {found:?} of {kind}; --column accepts {accepted}")]
    Value {
        /// The name found.
        found: String,
        /// What the column must hold.
        kind: &'static str,
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
        "{row}: {value} is null there, and a b-file has no gaps; export the rows as csv or ndjson"
    )]
    Null {
        /// The row, by n.
        row: String,
        /// The column of a(n).
        value: String,
    },
    /// A row that lists fewer entries than there are.
    #[error("{value} has {found} of {whole} entries in a row; run the job with all of them")]
    Short {
        /// The column of lists.
        value: String,
        /// The number of entries found.
        found: usize,
        /// The number of all.
        whole: i64,
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
    /// assert_eq!((heaps.index.as_deref(), &*heaps.value), (Some("n"), "nim_value"));
    /// # Ok::<(), seedbank::report::export::bfile::BFileError>(())
    /// ```
    pub fn of(
        columns: &[Column],
        variables: &[String],
        value: Option<&str>,
    ) -> Result<BFile, BFileError> {
        let index = index(columns, variables)?;
        let names: Vec<&str> = integers(columns).filter(|name| *name != index).collect();
        let accepted = names.join(", ");
        let named = value.unwrap_or("nim_value");
        if names.contains(&named) {
            return Ok(BFile {
                index: Some(index.to_owned()),
                value: named.to_owned(),
                whole: None,
            });
        }
        Err(match value {
            Some(found) => BFileError::Value {
                found: found.to_owned(),
                kind: "integers",
                accepted,
            },
            None => BFileError::Unnamed { accepted },
        })
    }

    /// Chooses the columns that a sequence is derived from.
    ///
    /// # Errors
    ///
    /// [`BFileError::Index`] and [`BFileError::Value`].
    pub fn of_sequence(
        columns: &[Column],
        variables: &[String],
        sequence: &Sequence,
    ) -> Result<BFile, BFileError> {
        let lists = columns
            .iter()
            .filter(|column| column.kind == ColumnKind::Unsigned);
        let lists: Vec<&str> = lists.map(|column| column.name.as_str()).collect();
        let integers: Vec<&str> = integers(columns).collect();
        let (kind, accepted) = match sequence.form {
            Form::Values | Form::Basin(_) => ("integers", integers),
            Form::Flattened => ("integers or lists of them", [integers, lists].concat()),
            Form::Reversed | Form::Joined => ("lists of integers", lists),
        };
        let is_column = |name: &String| columns.iter().any(|column| column.name == *name);
        let is_accepted = accepted.contains(&sequence.column.as_str());
        let lacking = match &sequence.whole {
            _ if !is_accepted => Some(&sequence.column),
            whole => whole.as_ref().filter(|whole| !is_column(whole)),
        };
        if let Some(found) = lacking {
            return Err(BFileError::Value {
                found: found.clone(),
                kind,
                accepted: accepted.join(", "),
            });
        }
        let index = match (index(columns, variables), sequence.form.is_numbered()) {
            (Err(_), true) => None,
            (index, _) => Some(index?.to_owned()),
        };
        Ok(BFile {
            index,
            value: sequence.column.clone(),
            whole: sequence.whole.clone(),
        })
    }

    /// Returns the columns to read.
    pub fn columns(&self) -> impl Iterator<Item = String> {
        let BFile {
            index,
            value,
            whole,
        } = self.clone();
        index.into_iter().chain([value]).chain(whole)
    }

    /// Returns the rows of a batch, with `None` where they are null.
    ///
    /// # Panics
    ///
    /// If the batch lacks one of the columns.
    pub fn rows(&self, batch: &RecordBatch) -> Vec<BFileRow> {
        let column = |name: &String| batch.column_by_name(name).expect("a column of the table");
        let (index, whole) = (
            self.index.as_ref().map(column),
            self.whole.as_ref().map(column),
        );
        let value = column(&self.value);
        let one = |column: Option<&ArrayRef>, row| integers_of(column?, row)?.first().copied();
        let row = |row| BFileRow {
            at: one(index, row),
            entries: integers_of(value, row),
            whole: one(whole, row),
        };
        (0..batch.num_rows()).map(row).collect()
    }

    /// Checks that a row is the one after `before`, and has a whole value. Returns n, or 0 if there is no column of n, and the
    /// integers.
    ///
    /// # Errors
    ///
    /// [`BFileError::Null`], [`BFileError::Short`] and [`BFileError::Gap`].
    pub fn next(&self, before: Option<i64>, row: BFileRow) -> Result<(i64, Vec<i64>), BFileError> {
        let BFileRow { at, entries, whole } = row;
        let name = self.index.clone().unwrap_or_default();
        let at = match (before, at) {
            _ if self.index.is_none() => 0,
            (None, Some(at)) => at,
            (Some(before), Some(at)) if before.checked_add(1) == Some(at) => at,
            (None, None) => {
                let found = format!("no {name}");
                return Err(BFileError::Index { found });
            }
            (Some(before), at) => {
                let found = at.map_or_else(|| format!("a row without {name}"), |at| at.to_string());
                return Err(BFileError::Gap {
                    index: name,
                    before,
                    found,
                });
            }
        };
        let Some(entries) = entries else {
            return Err(BFileError::Null {
                row: match self.index {
                    Some(_) => format!("{name} = {at}"),
                    None => "a row".to_owned(),
                },
                value: self.value.clone(),
            });
        };
        match whole {
            Some(whole) if whole != entries.len() as i64 => Err(BFileError::Short {
                value: self.value.clone(),
                found: entries.len(),
                whole,
            }),
            _ => Ok((at, entries)),
        }
    }
}

/// Returns the names of the columns of integers.
fn integers(columns: &[Column]) -> impl Iterator<Item = &str> {
    let is_integer =
        |column: &&Column| matches!(column.kind, ColumnKind::Int32 | ColumnKind::Int64);
    columns
        .iter()
        .filter(is_integer)
        .map(|column| column.name.as_str())
}

/// Returns the column of n: the one variable, or without variables the first column.
fn index<'c>(columns: &'c [Column], variables: &'c [String]) -> Result<&'c str, BFileError> {
    let first = columns
        .first()
        .and_then(|first| integers(slice::from_ref(first)).next());
    match (variables, first) {
        ([variable], _) => Ok(variable),
        ([], Some(first)) => Ok(first),
        (variables, _) => {
            let found = if variables.is_empty() {
                "none".to_owned()
            } else {
                format!("the variables {}", variables.join(", "))
            };
            Err(BFileError::Index { found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_say_where_they_are() {
        let file = BFile {
            index: Some("n".to_owned()),
            value: "nim_value".to_owned(),
            whole: None,
        };
        let row = |at, value: Option<i64>| BFileRow {
            at: Some(at),
            entries: value.map(|value| vec![value]),
            whole: None,
        };
        assert_eq!(file.next(None, row(-3, Some(1))), Ok((-3, vec![1])));
        assert_eq!(file.next(Some(-3), row(-2, Some(0))), Ok((-2, vec![0])));
        let gap = file.next(Some(6), row(8, Some(1))).unwrap_err();
        assert!(
            gap.to_string().starts_with("n = 6 is followed by 8,"),
            "{gap}"
        );
        let again = file.next(Some(6), row(6, Some(1))).unwrap_err();
        assert!(
            again.to_string().starts_with("n = 6 is followed by 6,"),
            "{again}"
        );
        let null = file.next(Some(6), row(7, None)).unwrap_err();
        assert!(
            null.to_string()
                .starts_with("n = 7: nim_value is null there"),
            "{null}"
        );
        let short = BFileRow {
            whole: Some(2),
            ..row(7, Some(1))
        };
        let short = file.next(Some(6), short).unwrap_err();
        assert!(
            short
                .to_string()
                .starts_with("nim_value has 1 of 2 entries"),
            "{short}"
        );
    }
}
