//! From records in memory to a segment file: mix, sort, check, split, write.
//!
//! Records are sorted in place and serialised straight into the file, hashed as they are written.
//! So the peak of memory beyond the caller's contents is 4 bytes a form plus a copy of the forms,
//! where contents are split.

use std::io::{self, BufWriter, Seek, Write};

use rkyv::Serialize;
use rkyv::api::high::HighSerializer;
use rkyv::rancor::BoxedError;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::ser::writer::IoWriter;
use seedbank_files::durable::Temporary;

use super::forms::{FormTable, form_index, form_negated, form_ref};
use super::header::{FORMAT_VERSION, Header, PAGE_BYTES, Section, SectionEntry};
use super::table::{Entry, NARROW, SortedEntries, WIDE, mix, unmix};
use super::{Namespace, StoreError};

/// Records ready for writing: keys mixed, sorted and distinct, narrow ones first.
#[derive(Debug)]
pub(crate) struct Prepared {
    entries: Vec<Entry>,
    narrow: usize,
}

impl Prepared {
    /// Mixes and sorts records in place and drops repeated ones.
    ///
    /// O(n log n) time for n records, no additional memory.
    ///
    /// # Errors
    ///
    /// Two values for one key.
    pub(crate) fn new(
        namespace: &Namespace,
        mut records: Vec<(u128, u32)>,
    ) -> Result<Prepared, StoreError> {
        let narrow = partition(&mut records, |&(key, _)| key >> 64 == 0);
        let (narrow_records, wide_records) = records.split_at_mut(narrow);
        sort_mixed::<NARROW>(namespace, narrow_records)?;
        sort_mixed::<WIDE>(namespace, wide_records)?;
        // A wide key's image may be below 2^64, so the widths must not be compared with each other.
        let mut kept = 0;
        let mut kept_narrow = 0;
        for i in 0..records.len() {
            if i == narrow || i == 0 || records[i] != records[i - 1] {
                records[kept] = records[i];
                kept += 1;
                kept_narrow += usize::from(i < narrow);
            }
        }
        records.truncate(kept);
        Ok(Prepared {
            entries: records,
            narrow: kept_narrow,
        })
    }

    /// Calls `write` with the records and forms of one segment after another, at most `records_max`
    /// records each.
    ///
    /// Where forms must be split too, records with neighbouring forms stay together, since a
    /// segment needs all followers of its forms. Otherwise the keys of a segment are spread over
    /// the whole range, since records lie where uniform keys are expected.
    pub(crate) fn for_each_segment(
        mut self,
        forms: &FormTable,
        records_max: usize,
        mut write: impl FnMut(&[Entry], &[Entry], &FormTable) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (narrow, wide) = self.entries.split_at_mut(self.narrow);
        if narrow.len() + wide.len() <= records_max {
            return write(narrow, wide, forms);
        }
        // The low bits of a mixed key are independent of the high ones, which determine a record's
        // slot.
        let place = |&(mixed, value): &Entry| {
            let first = if forms.is_empty() { 0 } else { value };
            (first, mixed.reverse_bits())
        };
        narrow.sort_unstable_by_key(place);
        wide.sort_unstable_by_key(place);
        let mut write_part = |part: &mut [Entry], is_narrow: bool| {
            let closure = (!forms.is_empty()).then(|| {
                let (closure, renumbered) = forms.closure(part.iter().map(|&(_, value)| value));
                for (_, value) in part.iter_mut() {
                    let index = renumbered[form_index(*value) as usize];
                    *value = form_ref(index, form_negated(*value));
                }
                closure
            });
            part.sort_unstable();
            let forms = closure.as_ref().unwrap_or(forms);
            if is_narrow {
                write(part, &[], forms)
            } else {
                write(&[], part, forms)
            }
        };
        narrow
            .chunks_mut(records_max)
            .try_for_each(|part| write_part(part, true))?;
        wide.chunks_mut(records_max)
            .try_for_each(|part| write_part(part, false))
    }
}

/// Writes a segment into an empty file and returns its header; the caller makes it durable.
///
/// Entries are mixed and sorted, as in [`Prepared`].
pub(crate) fn write_segment(
    temporary: &mut Temporary,
    namespace: &Namespace,
    narrow: &[Entry],
    wide: &[Entry],
    forms: &FormTable,
) -> Result<Header, StoreError> {
    let path = temporary.path().to_path_buf();
    let mut header = Header {
        format: FORMAT_VERSION,
        namespace: namespace.clone(),
        file_bytes: PAGE_BYTES,
        narrow: narrow.len() as u64,
        wide: wide.len() as u64,
        forms: forms.len() as u64,
        options: forms.options_len() as u64,
        sections: Default::default(),
    };
    let write = || -> io::Result<()> {
        let file = &mut Blocks::new(temporary);
        Write::write_all(file, &[0; PAGE_BYTES as usize])?;
        for section in Section::ALL {
            if header.count(section) == 0 {
                continue;
            }
            let offset = header.file_bytes;
            let (bytes, checksum) = match section {
                Section::Narrow => write_section(file, &SortedEntries::<NARROW>::new(narrow))?,
                Section::Wide => write_section(file, &SortedEntries::<WIDE>::new(wide))?,
                Section::Forms => write_section(file, forms.arrays())?,
            };
            let entry = SectionEntry {
                offset,
                bytes,
                checksum,
            };
            header.file_bytes += entry.bytes_padded();
            header.sections[section as usize] = entry;
        }
        file.flush()?;
        let file = &mut *file.inner;
        file.rewind()?;
        Write::write_all(file, &header.encode())
    };
    write().map_err(StoreError::io("write", &path))?;
    Ok(header)
}

/// Serialises one section and pads its last page; returns the length of the archive, and the
/// checksum including the padding.
fn write_section<T>(file: &mut dyn Write, archive: &T) -> io::Result<(u64, [u8; 32])>
where
    T: for<'w, 'a> Serialize<
        HighSerializer<IoWriter<&'w mut (dyn Write + 'w)>, ArenaHandle<'a>, BoxedError>,
    >,
{
    // Large writes, so that hashing gets large blocks too.
    const BUFFER_BYTES: usize = 1 << 18;
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, Hashed::new(file));
    let dyn_out: &mut dyn Write = &mut out;
    rkyv::api::high::to_bytes_in::<_, BoxedError>(archive, IoWriter::new(dyn_out))
        .map_err(io::Error::other)?;
    let mut out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let bytes = out.bytes;
    let filling = bytes.next_multiple_of(PAGE_BYTES) - bytes;
    out.write_all(&[0; PAGE_BYTES as usize][..filling as usize])?;
    Ok((bytes, *out.hasher.finalize().as_bytes()))
}

/// A writer from the beginning of an empty file that passes on whole blocks, and the last block
/// when flushed.
///
/// PERF: a system with large pages in its file cache uses one for each write that fills it, and
/// maps it as such. A random lookup among 20 M records, which spends most of its time on page
/// translation, takes 0.7 of the time.
struct Blocks<W> {
    inner: W,
    block: Vec<u8>,
}

impl<W: Write> Blocks<W> {
    /// The large page of most processors.
    const BYTES: usize = 2 << 20;

    fn new(inner: W) -> Self {
        Blocks {
            inner,
            block: Vec::new(),
        }
    }
}

impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() == Self::BYTES {
            self.inner.write_all(&self.block)?;
            self.block.clear();
        }
        let taken = bytes.len().min(Self::BYTES - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.write_all(&self.block)?;
        self.block.clear();
        self.inner.flush()
    }
}

/// A writer that hashes and counts the bytes written through it.
struct Hashed<W> {
    inner: W,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<W> Hashed<W> {
    fn new(inner: W) -> Self {
        Hashed {
            inner,
            hasher: blake3::Hasher::new(),
            bytes: 0,
        }
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Moves the items that satisfy `first` to the front and returns their number; does not preserve
/// the order.
fn partition<T>(items: &mut [T], first: impl Fn(&T) -> bool) -> usize {
    let mut boundary = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(boundary, i);
            boundary += 1;
        }
    }
    boundary
}

fn sort_mixed<const W: usize>(
    namespace: &Namespace,
    records: &mut [(u128, u32)],
) -> Result<(), StoreError> {
    for (key, _) in records.iter_mut() {
        *key = mix::<W>(*key);
    }
    records.sort_unstable();
    for pair in records.windows(2) {
        let [(key, first), (other, second)] = [pair[0], pair[1]];
        if key == other && first != second {
            let (namespace, key) = (namespace.clone(), unmix::<W>(key));
            return Err(StoreError::Conflict {
                namespace,
                key,
                first,
                second,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::{SegmentContents, Store, form_ref};

    fn namespace() -> Namespace {
        Namespace::new("sowing", 1, "partisan")
    }

    #[test]
    fn preparing_sorts_within_each_width_and_drops_repetitions() {
        let wide = 1u128 << 64;
        let records = vec![
            (wide, 1),
            (3, 7),
            (wide | 3, 2),
            (0, 1),
            (3, 7),
            (wide, 1),
            (3, 7),
        ];
        let prepared = Prepared::new(&namespace(), records).unwrap();
        assert_eq!(prepared.narrow, 2);
        let keys = |entries: &[Entry], unmix: fn(u128) -> u128| {
            assert!(entries.is_sorted());
            let mut keys: Vec<Entry> = entries.iter().map(|&(key, v)| (unmix(key), v)).collect();
            keys.sort_unstable();
            keys
        };
        assert_eq!(
            keys(&prepared.entries[..2], unmix::<NARROW>),
            [(0, 1), (3, 7)]
        );
        assert_eq!(
            keys(&prepared.entries[2..], unmix::<WIDE>),
            [(wide, 1), (wide | 3, 2)]
        );
    }

    #[test]
    fn a_wide_key_may_mix_to_a_narrow_one() {
        // The two mixed keys agree, but the keys differ.
        let wide = unmix::<WIDE>(mix::<NARROW>(5));
        assert_ne!(wide >> 64, 0);
        let prepared = Prepared::new(&namespace(), vec![(5, 1), (wide, 1)]).unwrap();
        assert_eq!((prepared.entries.len(), prepared.narrow), (2, 1));
        assert!(Prepared::new(&namespace(), vec![(5, 1), (wide, 2)]).is_ok());
    }

    #[test]
    fn two_values_for_one_key_are_a_conflict() {
        for key in [9, 9 << 64] {
            let records = vec![(key, 4), (1, 1), (key, 3)];
            match Prepared::new(&namespace(), records).unwrap_err() {
                StoreError::Conflict {
                    key: found,
                    first: 3,
                    second: 4,
                    ..
                } => assert_eq!(found, key),
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn records_lie_near_their_homes_in_every_segment() {
        const RECORDS: u128 = 10_000;
        // A few forms, so that segments divide the records of a form, and none.
        for forms_len in [3, 0] {
            let mut forms = FormTable::new();
            for i in 0..forms_len {
                let options: Vec<u32> = (0..i).map(|i| form_ref(i, false)).collect();
                forms.push(&options, &[]).unwrap();
            }
            let value = |i: u128| form_ref((i % 3) as u32, false);
            let key = |i: u128| i << (i % 2 * 70);
            let contents = SegmentContents {
                namespace: namespace(),
                records: (0..RECORDS).map(|i| (key(i), value(i))).collect(),
                forms,
            };
            let dir = TempDir::new().unwrap();
            let store = Store::open(dir.path()).unwrap();
            let farthest = |expected| {
                let reader = store.reader(&namespace());
                assert_eq!(reader.segments().len(), expected);
                for i in 0..RECORDS {
                    assert!(reader.get(key(i)).unwrap().is_some(), "{i}");
                }
                let segments = reader.segments().iter().map(|segment| {
                    let narrow = segment.records::<NARROW>().unwrap().farthest();
                    narrow.max(segment.records::<WIDE>().unwrap().farthest())
                });
                segments.max().unwrap()
            };
            let writer = store.writer().unwrap();
            let mut writer = writer.with_segment_records_max(2_000);
            writer.seal(contents).unwrap();
            assert!(farthest(6) < 200, "{} sealed", farthest(6));
            let mut writer = writer.with_segment_records_max(1_200);
            writer.compact(&namespace()).unwrap();
            assert!(farthest(10) < 200, "{} compacted", farthest(10));
        }
    }
}
