//! Rows of earlier results, found by their positions.
//!
//! All columns of a row but the pattern and the variables depend on the position, the game, the way
//! of playing and the columns requested alone, so a job with another family can take the row over.
//! Canonical forms are read from table `forms`; no position is evaluated.

use std::sync::{Arc, Mutex};

use cggames::board::AnyBoard;
use cggames::family::Member;
use cgvalues::{Arena, Kind, ValueId};
use hashbrown::HashMap;
use seedbank_memory::lock;

use crate::dataset::{
    DatasetError, FormRow, KeptReader, KeptRow, KeptRows, PositionRow, PositionTable, ResultSet,
    Subject,
};
use crate::evaluate::position_row::{MemberColumns, Undigested};
use crate::run::RunError;

/// The forms of a part by their digests.
type Forms = HashMap<[u8; 16], ValueId, foldhash::fast::RandomState>;

/// The rows of earlier results.
///
/// Takes 16 bytes of memory per row, and about 32 per form of the parts in use.
pub(in crate::task) struct EarlierRows<R> {
    rows: KeptRows<R>,
    /// The forms of each part that is in use.
    forms: Vec<Mutex<Option<Arc<Forms>>>>,
}

impl<R: PositionTable + KeptRow> EarlierRows<R> {
    /// Returns the rows of partial result sets.
    ///
    /// # Errors
    ///
    /// As [`KeptRows::of`].
    pub(in crate::task) fn of(sets: &[ResultSet]) -> Result<EarlierRows<R>, DatasetError> {
        let rows = KeptRows::of(sets)?;
        let forms = rows.parts().iter().map(|_| Mutex::default()).collect();
        Ok(EarlierRows { rows, forms })
    }

    /// Returns the rows of a job, one of `jobs` whose rows these are. Their subjects may have a text
    /// before the position.
    pub(in crate::task) fn of_job<'e>(
        &'e self,
        before: Option<&'e str>,
        jobs: usize,
    ) -> OfJob<'e, R> {
        OfJob {
            earlier: self,
            before,
            rows: self.rows.len() / jobs as u64,
        }
    }

    /// Returns the forms of a part in an arena, which is always the same. There are none if the table is
    /// damaged.
    fn forms(&self, part: usize, arena: &Arena) -> Result<Arc<Forms>, RunError> {
        let mut cached = lock(&self.forms[part]);
        if let Some(forms) = &*cached {
            return Ok(Arc::clone(forms));
        }
        let forms = self.read_forms(part, arena).or_else(|error| match error {
            RunError::Dataset(damage) if damage.is_damage() => {
                tracing::warn!("its rows are evaluated again: {damage}");
                Ok(Forms::default())
            }
            error => Err(error),
        })?;
        Ok(Arc::clone(cached.insert(Arc::new(forms))))
    }

    fn read_forms(&self, part: usize, arena: &Arena) -> Result<Forms, RunError> {
        let mut forms = Forms::default();
        let mut calculator = arena.calculator();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let part = &self.rows.parts()[part];
        for row in part.set.read_table_of::<FormRow>(part.part)? {
            let row = row?;
            if row.is_loopy() {
                // Rows with its value are evaluated again.
                continue;
            }
            // A form comes after its options.
            for (ids, digests) in [
                (&mut left, row.left_options),
                (&mut right, row.right_options),
            ] {
                ids.clear();
                ids.extend(digests.iter().filter_map(|digest| forms.get(digest)));
            }
            let form = calculator.canonical(&mut left, &mut right)?;
            forms.insert(row.value_digest, form);
        }
        Ok(forms)
    }
}

/// The rows of earlier results that a job can have.
pub(in crate::task) struct OfJob<'e, R> {
    earlier: &'e EarlierRows<R>,
    /// The text before the position in their subjects.
    before: Option<&'e str>,
    /// The number of rows, about.
    pub(super) rows: u64,
}

impl<R: PositionTable + KeptRow> OfJob<'_, R> {
    /// Returns whether a position has a row.
    pub(super) fn has(&self, position: &AnyBoard) -> bool {
        self.place(position).is_some()
    }

    fn place(&self, position: &AnyBoard) -> Option<u64> {
        let position = position.to_string();
        let subject = Subject::of(self.before.into_iter().chain([&*position]));
        self.earlier.rows.place(subject)
    }

    /// Returns a reader of the rows.
    pub(super) fn reader(&self) -> RowReader<'_, R> {
        RowReader {
            of: self,
            rows: self.earlier.rows.reader(),
        }
    }
}

/// Reads rows of earlier results; ascending ones cost least.
pub(super) struct RowReader<'e, R: PositionTable> {
    of: &'e OfJob<'e, R>,
    rows: KeptReader<'e, R>,
}

impl<R: PositionTable + KeptRow> RowReader<'_, R> {
    /// Returns the row of each member that has one, with the member's pattern and variables.
    pub(super) fn of_members(
        &mut self,
        members: &[Member],
        labels: &MemberColumns<'_>,
        arena: &Arena,
    ) -> Result<Vec<Option<Undigested>>, RunError> {
        let OfJob { earlier, .. } = self.of;
        let mut found: Vec<Option<Undigested>> = members.iter().map(|_| None).collect();
        let place = |(at, member): (usize, &Member)| Some((self.of.place(&member.position)?, at));
        let mut places: Vec<(u64, usize)> = members.iter().enumerate().filter_map(place).collect();
        places.sort_unstable();
        for same in places.chunk_by(|(a, _), (b, _)| a == b) {
            let row = self.rows.row(same[0].0)?;
            let row = row.position();
            let form = match &row.value {
                Some(value) => {
                    let forms = earlier.forms(earlier.rows.part_of(same[0].0), arena)?;
                    let form = forms.get(&value.value_digest);
                    let Some(&form) = form else { continue };
                    Some((form, Kind::of(arena, form)))
                }
                None => None,
            };
            for &(_, at) in same {
                let own = labels.unvalued(&members[at].position, Some(&members[at]), None);
                if (&row.position, &row.game, &row.play) == (&own.position, &own.game, &own.play) {
                    let row = PositionRow {
                        pattern: own.pattern,
                        variables: own.variables,
                        ..row.clone()
                    };
                    found[at] = Some(Undigested::of(row, form));
                }
            }
        }
        Ok(found)
    }
}
