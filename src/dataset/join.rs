//! Joining: a shard made of rows that other result sets of the same job hold.

use hashbrown::HashSet;

use super::row::TableRow;
use super::{DatasetError, FormRow, PositionRow, ResultSet, ShardRecord};

/// A shard of another result set.
#[derive(Clone, Copy, Debug)]
pub struct Fragment<'a> {
    /// The result set.
    pub set: &'a ResultSet,
    /// The shard.
    pub shard: u32,
}

/// Joins fragments into the shard of a result set whose first row has the given rank; `None` if it was stopped.
pub type Join = fn(
    set: &ResultSet,
    shard: u32,
    first_rank: u64,
    fragments: &[Fragment<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<Option<ShardRecord>, DatasetError>;

impl ResultSet {
    /// Makes a shard of the rows of others, one after the other, and returns its record; `None` if it was stopped.
    ///
    /// The bytes are those of a shard written in one run. Reads and writes every row; takes the memory of a writer and a batch
    /// of rows. Once `stop` returns true, no shard is made.
    ///
    /// # Errors
    ///
    /// As [`PlainWriter::commit`](super::PlainWriter::commit); [`DatasetError::Incomplete`] where a fragment is not finished;
    /// damage of a fragment.
    pub fn join<R: TableRow>(
        &self,
        shard: u32,
        first_rank: u64,
        fragments: &[Fragment<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<ShardRecord>, DatasetError> {
        let mut writer = self.plain_writer::<R>(shard, first_rank)?;
        match for_each_row(fragments, stop, |row: R| writer.push(&row))? {
            true => writer.commit().map(Some),
            false => Ok(None),
        }
    }

    /// Makes a shard of positions and their forms, as [`ResultSet::join`] does of the rows of other tables.
    ///
    /// Forms come in the order of the fragments, each at its first occurrence; 16 bytes a form are held.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::join`].
    pub fn join_positions(
        &self,
        shard: u32,
        first_rank: u64,
        fragments: &[Fragment<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<ShardRecord>, DatasetError> {
        let mut writer = self.shard_writer(shard, first_rank)?;
        if !for_each_row(fragments, stop, |row: PositionRow| writer.push(&row))? {
            return Ok(None);
        }
        // Whoever writes a form has written its options before. So what earlier fragments have is closed under options, and
        // leaving it out of a later one leaves the others in the order in which one writer comes to them.
        let mut written: HashSet<[u8; 16], foldhash::fast::RandomState> = HashSet::default();
        let push = |form: FormRow| match written.insert(form.value_digest) {
            true => writer.push_form(&form),
            false => Ok(()),
        };
        match for_each_row(fragments, stop, push)? {
            true => writer.commit().map(Some),
            false => Ok(None),
        }
    }
}

/// Takes the rows of some fragments in order; returns whether it took all.
fn for_each_row<R: TableRow>(
    fragments: &[Fragment<'_>],
    stop: &dyn Fn() -> bool,
    mut take: impl FnMut(R) -> Result<(), DatasetError>,
) -> Result<bool, DatasetError> {
    for fragment in fragments {
        for row in fragment.set.read_table_of::<R>(fragment.shard)? {
            if stop() {
                return Ok(false);
            }
            take(row?)?;
        }
    }
    Ok(true)
}
