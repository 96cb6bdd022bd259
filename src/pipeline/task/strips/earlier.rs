//! Rows of earlier results, found by their positions.
//!
//! All columns of a row but the pattern and the variables depend on the position, the game, the way
//! of playing and the columns requested alone, so a job with another family can take the row over.
//! Canonical forms are read from table `forms`; no position is evaluated.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use cggames::board::AnyBoard;
use cggames::family::{Family, Member};
use cgvalues::{Arena, Kind, ValueId};
use hashbrown::HashMap;
use seedbank_memory::lock;

use crate::dataset::{DatasetError, FormRow, Missing, PositionRow, ResultSet, Rows};
use crate::evaluate::position_row::{MemberColumns, Undigested};
use crate::run::{Lacking, RunError};

/// The most rows between two needed ones that are read and passed over. Farther ones are sought in
/// the file, whose checksum is then compared again.
const ROWS_PASSED_MAX: u64 = 1 << 14;

/// The forms of a part by their digests.
type Forms = HashMap<[u8; 16], ValueId, foldhash::fast::RandomState>;

/// The rows of earlier results that have a value, or have none because play need not end.
///
/// Takes 16 bytes of memory per row, and about 32 per form of the parts in use.
pub(super) struct EarlierRows {
    parts: Vec<EarlierPart>,
    /// The hash of each position and the place of its row, sorted.
    index: Vec<(u64, u64)>,
}

/// A part of an earlier result.
struct EarlierPart {
    set: ResultSet,
    part: u32,
    /// The place of its first row among the rows of all parts.
    first: u64,
    forms: Mutex<Option<Arc<Forms>>>,
}

impl EarlierRows {
    /// Returns the rows of partial result sets. Damaged parts are left out, with a warning. Cost:
    /// reads the positions.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(super) fn of(sets: &[ResultSet]) -> Result<EarlierRows, DatasetError> {
        let (mut parts, mut index) = (Vec::new(), Vec::new());
        let mut place = 0;
        for set in sets {
            let status = set.status()?;
            for damage in &status.damage {
                tracing::warn!("{damage}");
            }
            for part in status.readable() {
                let (first, before) = (place, index.len());
                match add_part(set, part, &mut place, &mut index) {
                    Ok(()) => parts.push(EarlierPart {
                        set: set.clone(),
                        part,
                        first,
                        forms: Mutex::default(),
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
        Ok(EarlierRows { parts, index })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> u64 {
        self.index.len() as u64
    }

    /// Returns whether a position has a row.
    pub(super) fn has(&self, position: &AnyBoard) -> bool {
        self.place(&position.to_string()).is_some()
    }

    fn place(&self, position: &str) -> Option<u64> {
        let hash = hash_of(position);
        let at = self.index.partition_point(|(of, _)| *of < hash);
        let (found, place) = *self.index.get(at)?;
        (found == hash).then_some(place)
    }

    /// Returns the rows whose positions are no members of a family. Positions are compared by their
    /// hashes of 64 bits. Cost: finds members until all rows have one.
    ///
    /// # Errors
    ///
    /// If a row cannot be read.
    pub(super) fn lacking(&self, family: &Family) -> Result<Lacking, DatasetError> {
        let mut is_member = vec![false; self.index.len()];
        let mut left = is_member.len();
        let mut members = family.iter();
        while left > 0
            && let Some(member) = members.next()
        {
            let hash = hash_of(&member.position.to_string());
            let at = self.index.partition_point(|(of, _)| *of < hash);
            let same = self.index[at..].iter().take_while(|(of, _)| *of == hash);
            for is_member in &mut is_member[at..][..same.count()] {
                left -= usize::from(!*is_member);
                *is_member = true;
            }
        }
        let lacking = self.index.iter().zip(is_member);
        let lacking = lacking.filter_map(|((_, place), is_member)| (!is_member).then_some(*place));
        let first = match lacking.min() {
            Some(place) => Some(self.rows().row(place)?.position),
            None => None,
        };
        Ok(Lacking {
            rows: self.len(),
            lacking: left as u64,
            first,
        })
    }

    /// Returns a reader of the rows.
    pub(super) fn rows(&self) -> RowReader<'_> {
        RowReader {
            earlier: self,
            open: None,
        }
    }
}

/// Adds the rows of a part to the index.
fn add_part(
    set: &ResultSet,
    part: u32,
    place: &mut u64,
    index: &mut Vec<(u64, u64)>,
) -> Result<(), DatasetError> {
    let columns = &["position", "value_missing"];
    set.read_columns::<PositionRow>(part, columns, |columns| {
        let positions = columns[0].as_string::<i32>();
        let missing = columns[1].as_dictionary::<Int32Type>();
        let reasons = missing.values().as_string::<i32>();
        for (position, reason) in positions.iter().zip(missing.keys()) {
            let reason = reason.map(|reason| reasons.value(reason as usize));
            if let Some(position) = position.filter(|_| !reason.is_some_and(Missing::is_open)) {
                index.push((hash_of(position), *place));
            }
            *place += 1;
        }
    })?;
    Ok(())
}

fn hash_of(position: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

impl EarlierPart {
    /// Returns the forms in an arena, which is always the same. There are none if the table is
    /// damaged.
    fn forms(&self, arena: &Arena) -> Result<Arc<Forms>, RunError> {
        let mut cached = lock(&self.forms);
        if let Some(forms) = &*cached {
            return Ok(Arc::clone(forms));
        }
        let forms = self.read_forms(arena).or_else(|error| match error {
            RunError::Dataset(damage) if damage.is_damage() => {
                tracing::warn!("its rows are evaluated again: {damage}");
                Ok(Forms::default())
            }
            error => Err(error),
        })?;
        Ok(Arc::clone(cached.insert(Arc::new(forms))))
    }

    fn read_forms(&self, arena: &Arena) -> Result<Forms, RunError> {
        let mut forms = Forms::default();
        let mut calculator = arena.calculator();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for row in self.set.read_table_of::<FormRow>(self.part)? {
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

/// Reads rows of earlier results; ascending ones cost least.
pub(super) struct RowReader<'e> {
    earlier: &'e EarlierRows,
    open: Option<OpenPart>,
}

struct OpenPart {
    /// The index of the part.
    part: usize,
    /// The place of the next row.
    next: u64,
    rows: Rows<PositionRow>,
}

impl RowReader<'_> {
    /// Returns the row of each member that has one, with the member's pattern and variables.
    pub(super) fn of_members(
        &mut self,
        members: &[Member],
        labels: &MemberColumns<'_>,
        arena: &Arena,
    ) -> Result<Vec<Option<Undigested>>, RunError> {
        let mut found: Vec<Option<Undigested>> = members.iter().map(|_| None).collect();
        let place = |(at, member): (usize, &Member)| {
            let place = self.earlier.place(&member.position.to_string())?;
            Some((place, at))
        };
        let mut places: Vec<(u64, usize)> = members.iter().enumerate().filter_map(place).collect();
        places.sort_unstable();
        for same in places.chunk_by(|(a, _), (b, _)| a == b) {
            let row = self.row(same[0].0)?;
            let form = match &row.value {
                Some(value) => {
                    let forms = self.part_of(same[0].0).forms(arena)?;
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

    fn part_of(&self, place: u64) -> &EarlierPart {
        &self.earlier.parts[self.index_of(place)]
    }

    fn index_of(&self, place: u64) -> usize {
        let parts = &self.earlier.parts;
        parts.partition_point(|part| part.first <= place) - 1
    }

    /// Returns the row at a place.
    fn row(&mut self, place: u64) -> Result<PositionRow, DatasetError> {
        let part = self.index_of(place);
        let is_near = |open: &OpenPart| {
            let passed = place.checked_sub(open.next);
            open.part == part && passed.is_some_and(|passed| passed <= ROWS_PASSED_MAX)
        };
        let mut open = match self.open.take().filter(is_near) {
            Some(open) => open,
            None => {
                let EarlierPart {
                    set,
                    part: number,
                    first,
                    ..
                } = &self.earlier.parts[part];
                let rows = set.read_table_of(*number)?;
                OpenPart {
                    part,
                    next: place,
                    rows: rows.after(place - first),
                }
            }
        };
        let row = open.rows.nth((place - open.next) as usize);
        open.next = place + 1;
        self.open = Some(open);
        row.expect("the part had this row when its positions were read")
    }
}
