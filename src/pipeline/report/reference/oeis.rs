//! Published first terms of sequences in the Encyclopedia of Integer Sequences: `data/reference/oeis.toml`.

use std::fmt;

use serde::Deserialize;

use super::ReferenceError;
use super::files::{Files, parsed};

/// The file.
const FILE: &str = "oeis.toml";

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
    /// How the terms are derived from the rows.
    #[serde(default)]
    pub form: Form,
    /// The column that has the number of entries of each whole list, if rows may list fewer.
    pub whole: Option<String>,
    /// The terms.
    pub terms: Vec<i64>,
}

/// How the terms of a sequence are derived from the column of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The terms are the values, and the rows' variable is their index.
    #[default]
    Values,
    /// The terms are the indices k whose basin in the column N has this size.
    ///
    /// The size of basin k is the number of even numbers from N(k-1) + 1 to N(k).
    Basin(i64),
    /// The values of all rows one after another, those of a list in its order. An empty list is one term, 0.
    Flattened,
    /// As `Flattened`, with each list in reverse.
    Reversed,
    /// The rows' variable is the index, and the term has the digits of its list in reverse, one number after another. That of an
    /// empty list is 0.
    Joined,
}

impl Form {
    /// Returns whether terms are numbered one after another, whatever the rows are about.
    pub fn is_numbered(self) -> bool {
        matches!(self, Form::Flattened | Form::Reversed)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sequence: Vec<Sequence>,
}

/// Returns all sequences.
///
/// # Errors
///
/// A file that cannot be read.
///
/// ```
/// use seedbank::report::reference::Files;
/// use seedbank::report::reference::oeis::sequences;
///
/// let text = r#"
///     [[sequence]]
///     number = "A002491"
///     name = "Smallest number of stones in Tchoukaillon"
///     jobs = ["tchoukaillon-lengths"]
///     column = "n"
///     offset = 1
///     terms = [1, 2, 4, 6]
/// "#;
/// let sequences = sequences(Files::Texts(&[("oeis.toml", text)]))?;
/// assert_eq!(sequences[0].terms[..2], [1, 2]);
/// # Ok::<(), seedbank::report::reference::ReferenceError>(())
/// ```
pub fn sequences(files: Files<'_>) -> Result<Vec<Sequence>, ReferenceError> {
    let (path, text) = files.text(FILE)?;
    Ok(parsed::<File>(&text, &path)?.sequence)
}

/// A term that is derived from a row. It is displayed in decimal digits.
#[derive(Clone, Copy, Debug)]
pub enum Term<'e> {
    /// A number.
    Number(i64),
    /// The digits of these numbers, from the last to the first; 0 without numbers.
    Joined(&'e [i64]),
}

impl fmt::Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(number) => number.fmt(f),
            Term::Joined([]) => f.write_str("0"),
            Term::Joined(numbers) => numbers.iter().rev().try_for_each(|number| number.fmt(f)),
        }
    }
}

/// Derives the terms of a sequence from rows.
#[derive(Clone, Debug)]
struct Derived<'s> {
    sequence: &'s Sequence,
    /// The last value.
    before: Option<i64>,
    /// The index of the next term, where terms are numbered one after another.
    next: i64,
}

impl<'s> Derived<'s> {
    fn of(sequence: &'s Sequence) -> Derived<'s> {
        Derived {
            sequence,
            before: None,
            next: sequence.offset,
        }
    }

    /// Visits the terms of a row with their indices, given its variable, which is one more than that of the row before, and
    /// the integer or the list in its column.
    fn row(&mut self, at: i64, entries: &[i64], visit: &mut impl FnMut(i64, Term<'_>)) {
        let none = [0];
        let numbers = if entries.is_empty() { &none } else { entries };
        match self.sequence.form {
            Form::Values => {
                let first = self.sequence.at.unwrap_or(self.sequence.offset);
                let term = at.checked_sub(first).filter(|term| *term >= 0);
                if let Some(index) = term.and_then(|term| term.checked_add(self.sequence.offset)) {
                    visit(index, Term::Number(numbers[0]));
                }
            }
            Form::Basin(size) => {
                let is_term = self.basin(at, numbers[0]) == Some(size);
                self.numbered(is_term.then_some(&at), visit);
            }
            Form::Flattened => self.numbered(numbers, visit),
            Form::Reversed => self.numbered(numbers.iter().rev(), visit),
            Form::Joined => visit(at, Term::Joined(entries)),
        }
    }

    /// Returns the size of a basin; `None` if N of the row before is unknown.
    fn basin(&mut self, at: i64, value: i64) -> Option<i64> {
        // N(0) is 0. Rows that begin later lack some of the terms before theirs.
        let before = match self.before {
            None if at == 0 => Some(value),
            None if at == 1 => Some(0),
            before => before,
        };
        self.before = before.map(|_| value);
        Some(value.div_euclid(2) - before?.div_euclid(2))
    }

    fn numbered<'t>(
        &mut self,
        terms: impl IntoIterator<Item = &'t i64>,
        visit: &mut impl FnMut(i64, Term<'_>),
    ) {
        for &term in terms {
            visit(self.next, Term::Number(term));
            self.next += 1;
        }
    }
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
    derived: Derived<'s>,
}

/// A term that is not the published one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherTerm {
    /// Its index.
    pub index: i64,
    /// The published one.
    pub published: i64,
    /// The one found, in decimal digits.
    pub found: String,
}

impl<'s> Terms<'s> {
    /// Returns a comparison of no terms yet.
    pub fn of(sequence: &'s Sequence) -> Terms<'s> {
        Terms {
            sequence,
            agree: 0,
            others: Vec::new(),
            derived: Derived::of(sequence),
        }
    }

    /// Compares the terms of a row, given its variable, which is one more than that of the row before, and the integer or the list
    /// in its column. Passes each term with its index.
    pub fn row(&mut self, at: i64, entries: &[i64], visit: &mut impl FnMut(i64, Term<'_>)) {
        let Terms {
            sequence,
            agree,
            others,
            derived,
        } = self;
        derived.row(at, entries, &mut |index, term| {
            let place = usize::try_from(index - sequence.offset).ok();
            if let Some(&published) = place.and_then(|place| sequence.terms.get(place)) {
                let found = term.to_string();
                if published.to_string() == found {
                    *agree += 1
                } else {
                    others.push(OtherTerm {
                        index,
                        published,
                        found,
                    })
                }
            }
            visit(index, term);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N of the first lengths.
    const LENGTHS: [i64; 8] = [1, 2, 4, 6, 10, 12, 18, 22];

    fn sequence(form: Form, terms: &[i64]) -> Sequence {
        Sequence {
            number: "A000000".to_owned(),
            name: String::new(),
            jobs: Vec::new(),
            column: "n".to_owned(),
            offset: 1,
            at: None,
            form,
            whole: None,
            terms: terms.to_vec(),
        }
    }

    fn compared(sequence: &Sequence) -> (usize, Vec<OtherTerm>) {
        let mut terms = Terms::of(sequence);
        for (at, value) in (1..).zip(LENGTHS) {
            terms.row(at, &[value], &mut |_, _| ());
        }
        (terms.agree, terms.others)
    }

    #[test]
    fn terms_are_compared_by_their_index() {
        assert_eq!(compared(&sequence(Form::Values, &[1, 2, 4])), (3, vec![]));
        let other = OtherTerm {
            index: 2,
            published: 3,
            found: "2".to_owned(),
        };
        assert_eq!(
            compared(&sequence(Form::Values, &[1, 3, 4])),
            (2, vec![other])
        );
        let later = Sequence {
            at: Some(4),
            ..sequence(Form::Values, &[6, 10])
        };
        assert_eq!(compared(&later), (2, vec![]));
    }

    #[test]
    fn basins_are_derived_from_the_lengths() {
        assert_eq!(
            compared(&sequence(Form::Basin(1), &[2, 3, 4, 6, 14])),
            (4, vec![])
        );
        assert_eq!(
            compared(&sequence(Form::Basin(2), &[5, 8, 10])),
            (2, vec![])
        );
        let (agree, others) = compared(&sequence(Form::Basin(2), &[5, 7]));
        assert_eq!((agree, others.len()), (1, 1));
    }

    #[test]
    fn lists_are_terms_one_after_another_or_digits() {
        let lists: [&[i64]; 4] = [&[], &[1], &[0, 2], &[1, 12]];
        let derived = |form| {
            let sequence = Sequence {
                offset: 0,
                ..sequence(form, &[])
            };
            let mut derived = Derived::of(&sequence);
            let mut terms: Vec<(i64, String)> = Vec::new();
            for (at, list) in (0..).zip(lists) {
                derived.row(at, list, &mut |index, term| {
                    terms.push((index, term.to_string()))
                });
            }
            terms
        };
        let terms = |texts: &[&str]| {
            let texts = texts.iter().map(|text| (*text).to_owned());
            (0..).zip(texts).collect::<Vec<(i64, String)>>()
        };
        assert_eq!(
            derived(Form::Flattened),
            terms(&["0", "1", "0", "2", "1", "12"])
        );
        assert_eq!(
            derived(Form::Reversed),
            terms(&["0", "1", "2", "0", "12", "1"])
        );
        assert_eq!(derived(Form::Joined), terms(&["0", "1", "20", "121"]));
    }
}
