//! Records gathered from several segments and written as new ones.
//!
//! Each segment to write takes one pass over the records, in the order of their mixed keys. Only
//! the records of one new segment are ever in memory: 32 bytes a record.

use std::ops::Range;

use super::forms::{FormTable, form_index, form_negated, form_ref};
use super::merge::Merged;
use super::table::{Entry, NARROW, WIDE, unmix};
use super::unify::Unified;
use super::{Hit, Namespace, Reader, StoreError};

/// The records gathered from the segments of one namespace.
pub(crate) struct Gathered<'s> {
    reader: Reader,
    forms: Option<Unified>,
    /// The number of segments, at the front, that are another store's. Only those of their keys
    /// that no later segment has are gathered; keys that both have must have one value.
    foreign: usize,
    /// Returns whether to stop; called every [`RECORDS_A_CHECK`] records.
    stop: &'s dyn Fn() -> bool,
}

/// Records read between two calls of `stop`: some milliseconds of work.
const RECORDS_A_CHECK: usize = 1 << 16;

/// The result of [`Gathered::count`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Records with keys below 2^64.
    pub(crate) narrow: u64,
    /// Records with larger keys.
    pub(crate) wide: u64,
    /// Keys in more than one segment whose values are not all the same.
    pub(crate) differing: u64,
    /// The first key, in the order of the records, with two values.
    pub(crate) first_differing: Option<u128>,
    /// Keys of the other store that this one has, with the same value.
    pub(crate) present: u64,
    /// For each width, the number of records of each form; empty where there are no forms.
    by_form: [Vec<u64>; 2],
}

impl Counts {
    /// Returns the number of segments that these records need.
    pub(crate) fn segments(&self, records_max: u64) -> u64 {
        match self.narrow + self.wide {
            0 => 0,
            all if all <= records_max => 1,
            _ => self.narrow.div_ceil(records_max) + self.wide.div_ceil(records_max),
        }
    }
}

impl<'s> Gathered<'s> {
    /// Gathers the records of a reader whose first `foreign` segments are another store's. Once
    /// `stop` returns true, reading ends with [`StoreError::Stopped`].
    ///
    /// # Errors
    ///
    /// A damaged segment, found before any of it is used; or a mixture of segments with and without
    /// forms.
    pub(crate) fn new(
        reader: Reader,
        foreign: usize,
        stop: &'s dyn Fn() -> bool,
    ) -> Result<Gathered<'s>, StoreError> {
        let segments = reader.segments();
        for segment in segments {
            if stop() {
                return Err(StoreError::Stopped);
            }
            let mut first = None;
            segment.verify(|problem| {
                first.get_or_insert(problem);
            });
            if let Some(problem) = first {
                return Err(problem);
            }
        }
        let with_forms = segments.iter().filter(|one| one.forms_len() > 0).count();
        if with_forms != 0 && with_forms != segments.len() {
            return Err(StoreError::Contents {
                namespace: reader.namespace().clone(),
                reason: format!(
                    "{with_forms} of its {} segments have forms and the others have none",
                    segments.len()
                ),
            });
        }
        let forms = match with_forms {
            0 => None,
            _ => Some(Unified::new(segments)?),
        };
        Ok(Gathered {
            reader,
            forms,
            foreign,
            stop,
        })
    }

    /// Counts the records, and compares the values of repeated keys.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] where another store has a key with another value.
    pub(crate) fn count(&self) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        if let Some(forms) = &self.forms {
            counts.by_form = [(); 2].map(|()| vec![0; forms.table().len()]);
        }
        self.count_width::<NARROW>(&mut counts)?;
        self.count_width::<WIDE>(&mut counts)?;
        Ok(counts)
    }

    fn count_width<const W: usize>(&self, counts: &mut Counts) -> Result<(), StoreError> {
        let mut merged = Merged::<W>::new(self.reader.segments())?;
        let mut read = 0;
        while let Some((mixed, hit)) = merged.next() {
            self.look(&mut read)?;
            let value = self.value(hit)?;
            let ours = hit.segment >= self.foreign;
            let mut differs = false;
            let mut present = false;
            for &older in merged.older() {
                let is_foreign = older.segment < self.foreign;
                let other = self.value(older)?;
                if is_foreign && ours && other != value {
                    return Err(StoreError::Conflict {
                        namespace: self.namespace().clone(),
                        key: unmix::<W>(mixed),
                        first: value,
                        second: other,
                    });
                }
                if is_foreign == ours {
                    present = true;
                    // Still older values of the other store are hidden there, too.
                    break;
                }
                differs |= other != value;
            }
            counts.present += u64::from(present);
            if differs {
                counts.differing += 1;
                counts.first_differing.get_or_insert(unmix::<W>(mixed));
            }
            if ours && self.foreign > 0 {
                continue;
            }
            let (width, count) = match W {
                NARROW => (0, &mut counts.narrow),
                _ => (1, &mut counts.wide),
            };
            *count += 1;
            if self.forms.is_some() {
                counts.by_form[width][form_index(value) as usize] += 1;
            }
        }
        Ok(())
    }

    /// Calls `write` with the records and forms of one new segment after another, at most
    /// `records_max` records each, with only the forms that its values need. `counts` is the result
    /// of [`count`](Self::count).
    ///
    /// Where there is more than one segment, records with neighbouring forms stay together, since a
    /// segment needs all followers of its forms.
    pub(crate) fn for_each_segment(
        &self,
        counts: &Counts,
        records_max: u64,
        mut write: impl FnMut(&[Entry], &[Entry], &FormTable) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut write_one = |mut narrow: Vec<Entry>, mut wide: Vec<Entry>| {
            let Some(forms) = &self.forms else {
                return write(&narrow, &wide, &FormTable::new());
            };
            let values = narrow.iter().chain(&wide).map(|&(_, value)| value);
            let (needed, renumbered) = forms.table().closure(values);
            for (_, value) in narrow.iter_mut().chain(&mut wide) {
                let index = renumbered[form_index(*value) as usize];
                *value = form_ref(index, form_negated(*value));
            }
            write(&narrow, &wide, &needed)
        };
        if counts.segments(records_max) <= 1 {
            let narrow = self.segment::<NARROW>(counts, 0, u64::MAX)?;
            let wide = self.segment::<WIDE>(counts, 0, u64::MAX)?;
            return if narrow.is_empty() && wide.is_empty() {
                Ok(())
            } else {
                write_one(narrow, wide)
            };
        }
        for index in 0..counts.narrow.div_ceil(records_max) {
            write_one(
                self.segment::<NARROW>(counts, index, records_max)?,
                Vec::new(),
            )?;
        }
        for index in 0..counts.wide.div_ceil(records_max) {
            write_one(
                Vec::new(),
                self.segment::<WIDE>(counts, index, records_max)?,
            )?;
        }
        Ok(())
    }

    /// Returns the records of one new segment, in the order of their mixed keys. Imagine all
    /// records laid out form by form, with the records of each form [spread](Spread): segment `i`
    /// has the `records_max` records from place `i * records_max` on.
    fn segment<const W: usize>(
        &self,
        counts: &Counts,
        index: u64,
        records_max: u64,
    ) -> Result<Vec<Entry>, StoreError> {
        let (width, count) = match W {
            NARROW => (0, counts.narrow),
            _ => (1, counts.wide),
        };
        let start = index.saturating_mul(records_max);
        let end = start.saturating_add(records_max).min(count);
        let all = [count];
        let by_form = match self.forms {
            None => &all[..],
            Some(_) => &counts.by_form[width],
        };
        let mut selection = Selection::new(by_form, start..end);
        let mut entries = Vec::with_capacity((end - start) as usize);
        let mut read = 0;
        for (mixed, hit) in Merged::<W>::new(self.reader.segments())? {
            self.look(&mut read)?;
            if self.foreign > 0 && hit.segment >= self.foreign {
                continue;
            }
            let value = self.value(hit)?;
            let form = match self.forms {
                None => 0,
                Some(_) => form_index(value) as usize,
            };
            if selection.has_next_of(form) {
                entries.push((mixed, value));
            }
        }
        Ok(entries)
    }

    /// Counts a record read, and calls `stop` from time to time.
    #[inline]
    fn look(&self, read: &mut usize) -> Result<(), StoreError> {
        *read += 1;
        if read.is_multiple_of(RECORDS_A_CHECK) && (self.stop)() {
            Err(StoreError::Stopped)
        } else {
            Ok(())
        }
    }

    /// Returns a value as a reference into the unified table of forms.
    fn value(&self, hit: Hit) -> Result<u32, StoreError> {
        match &self.forms {
            None => Ok(hit.value),
            Some(forms) => forms.reference(hit).map_err(|reason| StoreError::Contents {
                namespace: self.namespace().clone(),
                reason,
            }),
        }
    }

    fn namespace(&self) -> &Namespace {
        self.reader.namespace()
    }
}

/// The selection of the records of one new segment, form by form.
struct Selection {
    /// The forms whose records are all in the segment.
    whole: Range<usize>,
    /// The first and the last form of the segment, if only some of their records are in it.
    divided: Vec<Spread>,
}

impl Selection {
    /// Returns the selection of a range of places, given the number of records of each form.
    fn new(by_form: &[u64], places: Range<u64>) -> Selection {
        let mut divided = Vec::new();
        let mut whole = 0..0;
        let mut end = 0;
        for (form, &count) in by_form.iter().enumerate() {
            let start = end;
            end += count;
            let wanted = places.start.max(start)..places.end.min(end);
            if wanted.is_empty() {
                continue;
            }
            if wanted == (start..end) {
                let first = if whole.is_empty() { form } else { whole.start };
                whole = first..form + 1;
            } else {
                divided.push(Spread::new(
                    form,
                    count,
                    wanted.start - start..wanted.end - start,
                ));
            }
        }
        Selection { whole, divided }
    }

    /// Returns whether the next record of a form is in the segment.
    #[inline]
    fn has_next_of(&mut self, form: usize) -> bool {
        if self.whole.contains(&form) {
            return true;
        }
        let divided = self.divided.iter_mut().find(|spread| spread.form == form);
        divided.is_some_and(Spread::has_next)
    }
}

/// The records of one form, laid out so that neighbouring places have keys far apart: the `i`-th,
/// in the order of their keys, has place `i * stride mod count`.
///
/// So the keys of every segment are as evenly distributed as all keys, as its [table](super::table)
/// of records assumes. The stride is near the golden section of `count`, which spreads the first
/// multiples most evenly.
struct Spread {
    form: usize,
    count: u64,
    stride: u64,
    /// The place of the next record.
    next: u64,
    /// The places in the segment.
    wanted: Range<u64>,
}

impl Spread {
    fn new(form: usize, count: u64, wanted: Range<u64>) -> Spread {
        let golden = (count as f64 * 0.618_033_988_749_895) as u64;
        let stride = (golden.max(1)..).find(|&stride| gcd(stride, count) == 1);
        Spread {
            form,
            count,
            stride: stride.expect("some number is coprime to any other") % count,
            next: 0,
            wanted,
        }
    }

    #[inline]
    fn has_next(&mut self) -> bool {
        let place = self.next;
        self.next += self.stride;
        if self.next >= self.count {
            self.next -= self.count;
        }
        self.wanted.contains(&place)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
