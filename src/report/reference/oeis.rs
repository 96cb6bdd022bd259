//! Published first terms of sequences in the Encyclopedia of Integer Sequences: `data/reference/oeis.toml`.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::ReferenceError;
use super::files::{FOLDER, parsed};

/// The file, below [`FOLDER`].
const FILE: &str = "oeis.toml";

const EMBEDDED: &str = include_str!("../../../data/reference/oeis.toml");

/// The first terms of a sequence, and the jobs whose rows have them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// The number, such as `A002491`.
    pub number: String,
    /// The subject.
    pub name: String,
    /// The names of jobs whose rows have the terms.
    pub jobs: Vec<String>,
    /// The column that has the terms, or from which they are derived.
    pub column: String,
    /// The index of the first term.
    pub offset: i64,
    /// The value of the rows' variable at the first term; by default the offset.
    pub at: Option<i64>,
    /// If set, the terms are the indices k whose basin in the column N has this size.
    ///
    /// The size of basin k is the number of even numbers from N(k-1) + 1 to N(k).
    pub basin: Option<i64>,
    /// The terms.
    pub terms: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sequence: Vec<Sequence>,
}

/// Returns all sequences, of a folder or embedded in the program.
///
/// # Errors
///
/// A file that cannot be read.
///
/// ```
/// let sequences = seedbank::report::reference::oeis::sequences(None)?;
/// let lengths = sequences.iter().find(|sequence| sequence.number == "A002491");
/// assert_eq!(lengths.expect("a published sequence").terms[..4], [1, 2, 4, 6]);
/// # Ok::<(), seedbank::report::reference::ReferenceError>(())
/// ```
pub fn sequences(dir: Option<&Path>) -> Result<Vec<Sequence>, ReferenceError> {
    let path = dir.unwrap_or(Path::new(FOLDER)).join(FILE);
    let text = match dir {
        None => Cow::from(EMBEDDED),
        Some(_) => fs::read_to_string(&path)
            .map_err(|source| ReferenceError::Unreadable {
                path: path.clone(),
                source,
            })?
            .into(),
    };
    Ok(parsed::<File>(&text, &path)?.sequence)
}

/// Terms compared with those of a sequence, one by one.
#[derive(Clone, Debug)]
pub struct Terms<'s> {
    /// The sequence.
    pub sequence: &'s Sequence,
    /// The number of terms that agree.
    pub agree: usize,
    /// The terms that differ.
    pub others: Vec<OtherTerm>,
    /// The last value, and the terms derived so far.
    before: Option<i64>,
    derived: usize,
}

/// A term that is not the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherTerm {
    /// Its index.
    pub index: i64,
    /// The published one.
    pub published: i64,
    /// The one found.
    pub found: i64,
}

impl<'s> Terms<'s> {
    /// Returns a comparison of no terms yet.
    pub fn of(sequence: &'s Sequence) -> Terms<'s> {
        Terms {
            sequence,
            agree: 0,
            others: Vec::new(),
            before: None,
            derived: 0,
        }
    }

    /// Compares a row, given its variable, which is one more than that of the row before, and its column.
    pub fn row(&mut self, at: i64, value: i64) {
        let Some(basin) = self.sequence.basin else {
            let first = self.sequence.at.unwrap_or(self.sequence.offset);
            let term = at.checked_sub(first);
            if let Some(term) = term.and_then(|term| usize::try_from(term).ok()) {
                self.compare(term, value);
            }
            return;
        };
        // N(0) is 0. Rows that begin later lack some of the terms before theirs.
        let before = match self.before {
            None if at == 0 => value,
            None if at == 1 => 0,
            None => return,
            Some(before) => before,
        };
        self.before = Some(value);
        if value.div_euclid(2) - before.div_euclid(2) == basin {
            self.compare(self.derived, at);
            self.derived += 1;
        }
    }

    fn compare(&mut self, term: usize, found: i64) {
        match self.sequence.terms.get(term) {
            Some(&published) if published == found => self.agree += 1,
            Some(&published) => self.others.push(OtherTerm {
                index: self.sequence.offset + term as i64,
                published,
                found,
            }),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N of the first lengths.
    const LENGTHS: [i64; 8] = [1, 2, 4, 6, 10, 12, 18, 22];

    fn sequence(basin: Option<i64>, terms: &[i64]) -> Sequence {
        Sequence {
            number: "A000000".to_owned(),
            name: String::new(),
            jobs: Vec::new(),
            column: "n".to_owned(),
            offset: 1,
            at: None,
            basin,
            terms: terms.to_vec(),
        }
    }

    fn compared(sequence: &Sequence) -> (usize, Vec<OtherTerm>) {
        let mut terms = Terms::of(sequence);
        for (at, value) in (1..).zip(LENGTHS) {
            terms.row(at, value);
        }
        (terms.agree, terms.others)
    }

    #[test]
    fn terms_are_compared_by_their_index() {
        assert_eq!(compared(&sequence(None, &[1, 2, 4])), (3, vec![]));
        let other = OtherTerm {
            index: 2,
            published: 3,
            found: 2,
        };
        assert_eq!(compared(&sequence(None, &[1, 3, 4])), (2, vec![other]));
        let later = Sequence {
            at: Some(4),
            ..sequence(None, &[6, 10])
        };
        assert_eq!(compared(&later), (2, vec![]));
    }

    #[test]
    fn basins_are_derived_from_the_lengths() {
        assert_eq!(compared(&sequence(Some(1), &[2, 3, 4, 6, 14])), (4, vec![]));
        assert_eq!(compared(&sequence(Some(2), &[5, 8, 10])), (2, vec![]));
        let (agree, others) = compared(&sequence(Some(2), &[5, 7]));
        assert_eq!((agree, others.len()), (1, 1));
    }
}
