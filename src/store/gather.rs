//! Records gathered from several segments, and written as new ones.
//!
//! They are read in the order of their mixed keys as often as there are segments to write, and only those of one segment
//! are ever in memory: 32 bytes a record.

use std::ops::Range;

use super::forms::{FormTable, form_index, form_negated, form_ref};
use super::merge::Merged;
use super::table::{Entry, NARROW, WIDE, unmix};
use super::unify::Unified;
use super::{Hit, Namespace, Reader, StoreError};

/// What is gathered from the segments of one namespace.
pub(crate) struct Gathered<'s> {
    reader: Reader,
    forms: Option<Unified>,
    /// So many of the first segments are another store's: only their keys that no later segment has are gathered, and
    /// keys that both have must have one value.
    foreign: usize,
    /// Whether to stop, checked every [`RECORDS_A_LOOK`] records.
    stop: &'s dyn Fn() -> bool,
}

/// Records read between two checks whether to stop: some milliseconds' work.
const RECORDS_A_LOOK: usize = 1 << 16;

/// What [`Gathered::count`] counts.
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
    /// For each width the records of each form; empty where there are no forms.
    by_form: [Vec<u64>; 2],
}

impl Counts {
    /// Returns the number of segments that it takes to hold all this.
    pub(crate) fn segments(&self, records_max: u64) -> u64 {
        match self.narrow + self.wide {
            0 => 0,
            all if all <= records_max => 1,
            _ => self.narrow.div_ceil(records_max) + self.wide.div_ceil(records_max),
        }
    }
}

impl<'s> Gathered<'s> {
    /// Gathers the records that a reader sees; the first `foreign` of its segments are another
    /// store's. Once `stop` returns true, reading ends with [`StoreError::Stopped`].
    ///
    /// # Errors
    ///
    /// A damaged segment, found before anything is used of it; or segments with forms beside segments without.
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

    /// Counts what is gathered, and compares the values of keys that are there more than once.
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
                    // What is older still in the other store is hidden there, too.
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

    /// Hands out the records and forms of one new segment after the other, of at most `records_max` records each, with
    /// no forms but those that its values need. `counts` is what [`count`](Self::count) returned.
    ///
    /// Where there is more than one segment, records with neighbouring forms stay together, since every segment needs
    /// all forms below its own.
    pub(crate) fn for_each_segment(
        &self,
        counts: &Counts,
        records_max: u64,
        mut write: impl FnMut(&[Entry], &[Entry], &FormTable) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut write_part = |mut narrow: Vec<Entry>, mut wide: Vec<Entry>| {
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
            let narrow = self.part::<NARROW>(counts, 0, u64::MAX)?;
            let wide = self.part::<WIDE>(counts, 0, u64::MAX)?;
            return match narrow.is_empty() && wide.is_empty() {
                true => Ok(()),
                false => write_part(narrow, wide),
            };
        }
        for part in 0..counts.narrow.div_ceil(records_max) {
            write_part(self.part::<NARROW>(counts, part, records_max)?, Vec::new())?;
        }
        for part in 0..counts.wide.div_ceil(records_max) {
            write_part(Vec::new(), self.part::<WIDE>(counts, part, records_max)?)?;
        }
        Ok(())
    }

    /// Returns the records of one part, in the order of their mixed keys: were all of them laid out form by form, those
    /// of each form [spread](Spread), part `p` would be those from place `p * records_max` on.
    fn part<const W: usize>(
        &self,
        counts: &Counts,
        part: u64,
        records_max: u64,
    ) -> Result<Vec<Entry>, StoreError> {
        let (width, count) = match W {
            NARROW => (0, counts.narrow),
            _ => (1, counts.wide),
        };
        let start = part.saturating_mul(records_max);
        let end = start.saturating_add(records_max).min(count);
        let all = [count];
        let by_form = match self.forms {
            None => &all[..],
            Some(_) => &counts.by_form[width],
        };
        let mut shares = Shares::new(by_form, start..end);
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
            if shares.has_next_of(form) {
                entries.push((mixed, value));
            }
        }
        Ok(entries)
    }

    /// Counts a record read, and checks now and then whether to stop.
    #[inline]
    fn look(&self, read: &mut usize) -> Result<(), StoreError> {
        *read += 1;
        match read.is_multiple_of(RECORDS_A_LOOK) && (self.stop)() {
            true => Err(StoreError::Stopped),
            false => Ok(()),
        }
    }

    /// Returns a value as the one table of forms has it.
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

/// The share of one part in the records of each form.
struct Shares {
    /// The forms whose records are all in the part.
    whole: Range<usize>,
    /// The first and the last form of the part where others have some of their records.
    divided: Vec<Spread>,
}

impl Shares {
    /// Finds what lies at some places where the records are laid out form by form, given how many each form has.
    fn new(by_form: &[u64], part: Range<u64>) -> Shares {
        let mut divided = Vec::new();
        let mut whole = 0..0;
        let mut end = 0;
        for (form, &count) in by_form.iter().enumerate() {
            let start = end;
            end += count;
            let wanted = part.start.max(start)..part.end.min(end);
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
        Shares { whole, divided }
    }

    /// Tells whether the next record of a form is in the part.
    #[inline]
    fn has_next_of(&mut self, form: usize) -> bool {
        if self.whole.contains(&form) {
            return true;
        }
        let divided = self.divided.iter_mut().find(|spread| spread.form == form);
        divided.is_some_and(Spread::has_next)
    }
}

/// The records of one form, laid out so that those at neighbouring places come from all over the keys: the `i`-th, in the
/// order of their keys, has place `i * stride mod count`.
///
/// So every part gets keys that are as evenly distributed as all of them, as the [table](super::table) of its records
/// takes them to be. The stride is near the golden section, for which multiples that are few lie farthest apart.
struct Spread {
    form: usize,
    count: u64,
    stride: u64,
    /// The place of the next record.
    next: u64,
    /// The places of the part.
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
