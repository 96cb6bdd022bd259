//! The rows of earlier results, found by their subjects.
//!
//! A row says the same about its subject in the result of every family that has it, but for the
//! columns of patterns and variables. So a run over a larger family finds its rows here. Subjects are
//! compared by their hashes of 64 bits.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};

use super::labels::Labels;
use super::row::TableRow;
use super::{DatasetError, Missing, PositionRow, ResultSet, Rows};

/// The most rows between two needed ones that are read and passed over. Farther ones are sought in
/// the file, whose checksum is then compared again.
const ROWS_PASSED_MAX: u64 = 1 << 14;

/// The column with the reason why a row has no value.
const MISSING: &str = "value_missing";

/// A row that other families have, too.
pub(crate) trait KeptRow: TableRow {
    /// The columns of text that name the row's subject, and `value_missing` if rows may have no value
    /// yet; in the order of the table.
    const COLUMNS: &'static [&'static str];
}

impl KeptRow for PositionRow {
    const COLUMNS: &'static [&'static str] = &["position", MISSING];
}

/// The rows of partial result sets that have a value, or have none because play need not end.
///
/// Takes 16 bytes of memory per row.
pub(crate) struct KeptRows<R> {
    parts: Vec<KeptPart>,
    /// The subject of each row and its place, sorted.
    index: Vec<(Subject, u64)>,
    row: PhantomData<fn() -> R>,
}

/// A part of an earlier result.
pub(crate) struct KeptPart {
    pub(crate) set: ResultSet,
    pub(crate) part: u32,
    /// The place of its first row among the rows of all parts.
    first: u64,
}

/// The hash of what a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subject(u64);

impl Subject {
    /// Returns the subject with these texts in its columns.
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Subject {
        let mut hasher = DefaultHasher::new();
        texts.into_iter().for_each(|text| text.hash(&mut hasher));
        Subject(hasher.finish())
    }
}

/// The rows of another result that a job lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// The number of rows of the result that have been found.
    pub rows: u64,
    /// The number of these that the job lacks.
    pub lacking: u64,
    /// The first of them.
    pub first: Option<String>,
}

impl<R: KeptRow> KeptRows<R> {
    /// Returns the rows of partial result sets. Damaged parts are left out, with a warning. Cost:
    /// reads their subjects.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(crate) fn of(sets: &[ResultSet]) -> Result<KeptRows<R>, DatasetError> {
        let (mut parts, mut index) = (Vec::new(), Vec::new());
        let mut place = 0;
        for set in sets {
            let status = set.status()?;
            for damage in &status.damage {
                tracing::warn!("{damage}");
            }
            for part in status.readable() {
                let (first, before) = (place, index.len());
                let read = each_subject::<R>(set, part, |subject| {
                    index.extend(subject.map(|texts| (Subject::of(texts), place)));
                    place += 1;
                });
                match read {
                    Ok(()) => parts.push(KeptPart {
                        set: set.clone(),
                        part,
                        first,
                    }),
                    Err(damage) if damage.is_damage() => {
                        tracing::warn!("its rows are evaluated again: {damage}");
                        index.truncate(before);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        index.sort_unstable();
        Ok(KeptRows {
            parts,
            index,
            row: PhantomData,
        })
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> u64 {
        self.index.len() as u64
    }

    /// Returns the parts that the rows are in.
    pub(crate) fn parts(&self) -> &[KeptPart] {
        &self.parts
    }

    /// Returns the index of the part of the row at a place.
    pub(crate) fn part_of(&self, place: u64) -> usize {
        self.parts.partition_point(|part| part.first <= place) - 1
    }

    /// Returns the place of the row of a subject, if there is one.
    pub(crate) fn place(&self, subject: Subject) -> Option<u64> {
        let at = self.index.partition_point(|(of, _)| *of < subject);
        let (found, place) = *self.index.get(at)?;
        (found == subject).then_some(place)
    }

    /// Returns the rows whose subjects are not among those of a family. Cost: finds these until all
    /// rows have one.
    ///
    /// # Errors
    ///
    /// If a row cannot be read.
    pub(crate) fn lacking(
        &self,
        family: impl IntoIterator<Item = Subject>,
    ) -> Result<Lacking, DatasetError> {
        let mut is_member = vec![false; self.index.len()];
        let mut left = is_member.len();
        let mut members = family.into_iter();
        while left > 0
            && let Some(member) = members.next()
        {
            let at = self.index.partition_point(|(of, _)| *of < member);
            let same = self.index[at..].iter().take_while(|(of, _)| *of == member);
            for is_member in &mut is_member[at..][..same.count()] {
                left -= usize::from(!*is_member);
                *is_member = true;
            }
        }
        let lacking = self.index.iter().zip(is_member);
        let lacking = lacking.filter_map(|((_, place), is_member)| (!is_member).then_some(*place));
        let first = lacking.min().map(|place| self.named(place)).transpose()?;
        Ok(Lacking {
            rows: self.len(),
            lacking: left as u64,
            first,
        })
    }

    /// Returns the subject of the row at a place, in words.
    fn named(&self, place: u64) -> Result<String, DatasetError> {
        let KeptPart { set, part, first } = &self.parts[self.part_of(place)];
        let (mut at, mut name) = (*first, String::new());
        each_subject::<R>(set, *part, |subject| {
            if let (true, Some(texts)) = (at == place, subject) {
                name = texts.join(", ");
            }
            at += 1;
        })?;
        Ok(name)
    }

    /// Returns a reader of the rows.
    pub(crate) fn reader(&self) -> KeptReader<'_, R> {
        KeptReader {
            kept: self,
            open: None,
        }
    }
}

/// Calls `each` with the texts of the subject of each row of a part, or `None` if the row has no
/// value yet.
fn each_subject<R: KeptRow>(
    set: &ResultSet,
    part: u32,
    mut each: impl FnMut(Option<Vec<&str>>),
) -> Result<(), DatasetError> {
    let has_missing = R::COLUMNS.last() == Some(&MISSING);
    set.read_columns::<R>(part, R::COLUMNS, |columns| {
        let (missing, columns) = match columns.split_last() {
            Some((last, columns)) if has_missing => (Some(Labels::of(last)), columns),
            _ => (None, columns),
        };
        let texts: Vec<Texts<'_>> = columns.iter().map(Texts::of).collect();
        for row in 0..columns[0].len() {
            let missing = missing.as_ref().and_then(|missing| missing.get(row));
            let subject = || texts.iter().map(|texts| texts.get(row)).collect();
            each((!missing.is_some_and(Missing::is_open)).then(subject));
        }
    })?;
    Ok(())
}

/// A column of text.
enum Texts<'a> {
    Plain(&'a StringArray),
    Labels(Labels<'a>),
}

impl<'a> Texts<'a> {
    fn of(array: &'a ArrayRef) -> Texts<'a> {
        match array.as_string_opt() {
            Some(texts) => Texts::Plain(texts),
            None => Texts::Labels(Labels::of(array)),
        }
    }

    fn get(&self, row: usize) -> &'a str {
        match self {
            Texts::Plain(texts) => texts.value(row),
            Texts::Labels(labels) => labels.text(row),
        }
    }
}

/// Reads rows of earlier results; ascending ones cost least.
pub(crate) struct KeptReader<'k, R: TableRow> {
    kept: &'k KeptRows<R>,
    open: Option<OpenPart<R>>,
}

struct OpenPart<R: TableRow> {
    /// The index of the part.
    part: usize,
    /// The place of the next row.
    next: u64,
    rows: Rows<R>,
}

impl<R: KeptRow> KeptReader<'_, R> {
    /// Returns the row of a subject, if there is one.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn find(&mut self, subject: Subject) -> Result<Option<R>, DatasetError> {
        let place = self.kept.place(subject);
        place.map(|place| self.row(place)).transpose()
    }

    /// Returns the row at a place.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn row(&mut self, place: u64) -> Result<R, DatasetError> {
        let part = self.kept.part_of(place);
        let is_near = |open: &OpenPart<R>| {
            let passed = place.checked_sub(open.next);
            open.part == part && passed.is_some_and(|passed| passed <= ROWS_PASSED_MAX)
        };
        let mut open = match self.open.take().filter(is_near) {
            Some(open) => open,
            None => {
                let kept = &self.kept.parts[part];
                let rows = kept.set.read_table_of(kept.part)?;
                OpenPart {
                    part,
                    next: place,
                    rows: rows.after(place - kept.first),
                }
            }
        };
        let row = open.rows.nth((place - open.next) as usize);
        open.next = place + 1;
        self.open = Some(open);
        row.expect("the part had this row when its subjects were read")
    }
}
