//! Joining: builds a part from rows that other result sets of the same job hold.

use hashbrown::HashSet;

use super::row::TableRow;
use super::{DatasetError, FormRow, PartRecord, PositionTable, ResultSet};

/// A part of another result set.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    /// The result set.
    pub set: &'a ResultSet,
    /// The part.
    pub part: u32,
}

/// Joins fragments into one part of a result set, whose first row has the given rank; returns
/// `None` if stopped.
pub type Join = fn(
    set: &ResultSet,
    part: u32,
    first_rank: u64,
    fragments: &[Fragment<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<Option<PartRecord>, DatasetError>;

impl ResultSet {
    /// Joins the rows of fragments, in order, into a part, and returns its record; returns `None`
    /// if stopped.
    ///
    /// The bytes equal those of a part written in one run. Reads and writes every row; takes the
    /// memory of a writer and a batch of rows. Once `stop` returns true, no part is committed.
    ///
    /// # Errors
    ///
    /// As [`PlainWriter::commit`](super::PlainWriter::commit); [`DatasetError::Incomplete`] if a
    /// fragment is not finished; damage of a fragment.
    pub fn join<R: TableRow>(
        &self,
        part: u32,
        first_rank: u64,
        fragments: &[Fragment<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PartRecord>, DatasetError> {
        let mut writer = self.plain_writer::<R>(part, first_rank)?;
        if for_each_row(fragments, stop, |row: R| writer.push(&row))? {
            writer.commit().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Joins positions and their forms, as [`ResultSet::join`] does the rows of other tables.
    ///
    /// Forms come in the order of the fragments, each at its first occurrence. Takes 16 bytes of
    /// memory per form.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::join`].
    pub fn join_positions<R: PositionTable>(
        &self,
        part: u32,
        first_rank: u64,
        fragments: &[Fragment<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<PartRecord>, DatasetError> {
        let mut writer = self.part_writer(part, first_rank)?;
        if !for_each_row(fragments, stop, |row: R| writer.push(&row))? {
            return Ok(None);
        }
        // A writer writes a form after its options. The forms of earlier fragments are therefore
        // closed under options. Leaving them out of a later fragment leaves the rest in the order
        // in which a single writer meets them.
        let mut written: HashSet<[u8; 16], foldhash::fast::RandomState> = HashSet::default();
        let push = |form: FormRow| {
            if written.insert(form.value_digest) {
                writer.push_form(&form)
            } else {
                Ok(())
            }
        };
        if for_each_row(fragments, stop, push)? {
            writer.commit().map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Calls a function with the rows of fragments in order; returns whether it took all.
fn for_each_row<R: TableRow>(
    fragments: &[Fragment<'_>],
    stop: &dyn Fn() -> bool,
    mut take: impl FnMut(R) -> Result<(), DatasetError>,
) -> Result<bool, DatasetError> {
    for fragment in fragments {
        for row in fragment.set.read_table_of::<R>(fragment.part)? {
            if stop() {
                return Ok(false);
            }
            take(row?)?;
        }
    }
    Ok(true)
}
