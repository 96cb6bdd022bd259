//! The records of a segment: sorted full keys with their values, and a bucket index over them.
//!
//! A record is an array of 32-bit words, so it needs no padding: the mixed key, low word first,
//! then the value; 3 words if keys are narrow, 5 if wide. Records are sorted by mixed key. Bucket
//! `b` of `B` holds the mixed keys whose top 64 bits `t` have `floor(t * B / 2^64) = b`; since
//! mixed keys are uniform, each bucket has about [`BUCKET_RECORDS`]. `buckets[b]..buckets[b + 1]`
//! are its records.
//!
//! Archived with rkyv as a flat structure of two integer arrays, which validates in constant time
//! in an optimised build.

use std::ops::Range;

use rkyv::rancor::Fallible;
use rkyv::rend::u32_le;
use rkyv::ser::{Allocator, Writer};
use rkyv::vec::{ArchivedVec, VecResolver};
use rkyv::{Archive, Place, Serialize};

use super::mixer::{mix64, mix128, unmix64, unmix128};

/// Words in a record with a narrow key.
pub(crate) const NARROW: usize = 3;

/// Words in a record with a wide key.
pub(crate) const WIDE: usize = 5;

/// The average number of records in a bucket, which costs 1 byte of index a record.
pub(crate) const BUCKET_RECORDS: usize = 4;

/// A record before it is written: its key, mixed or not, and its value.
pub(crate) type Entry = (u128, u32);

/// The archived form of a section of records, `W` words each.
pub(crate) type ArchivedTable<const W: usize> = ArchivedRecordTable<Vec<[u32; W]>>;

/// What is archived: `R` is a vector of records, or what serialises like one.
#[derive(Archive, Serialize)]
pub(crate) struct RecordTable<R> {
    buckets: Vec<u32>,
    records: R,
}

impl<'a, const W: usize> RecordTable<SortedEntries<'a, W>> {
    /// Indexes entries that are sorted by mixed key and have at most `u32::MAX` elements.
    pub(crate) fn new(entries: &'a [Entry]) -> Self {
        let bucket_count = bucket_count(entries.len());
        let mut buckets = Vec::with_capacity(bucket_count + 1);
        for (i, &(mixed, _)) in entries.iter().enumerate() {
            while buckets.len() <= bucket_of::<W>(mixed, bucket_count) {
                buckets.push(i as u32);
            }
        }
        buckets.resize(bucket_count + 1, entries.len() as u32);
        RecordTable {
            buckets,
            records: SortedEntries(entries),
        }
    }
}

/// Entries that serialise as records of `W` words one by one, so that no copy of them is made.
pub(crate) struct SortedEntries<'a, const W: usize>(&'a [Entry]);

impl<const W: usize> Archive for SortedEntries<'_, W> {
    type Archived = ArchivedVec<[u32_le; W]>;
    type Resolver = VecResolver;

    fn resolve(&self, resolver: VecResolver, out: Place<Self::Archived>) {
        ArchivedVec::resolve_from_len(self.0.len(), resolver, out);
    }
}

impl<const W: usize, S> Serialize<S> for SortedEntries<'_, W>
where
    S: Fallible + Allocator + Writer + ?Sized,
{
    fn serialize(&self, serializer: &mut S) -> Result<VecResolver, S::Error> {
        let records = self
            .0
            .iter()
            .map(|&(mixed, value)| words::<W>(mixed, value));
        ArchivedVec::serialize_from_iter::<[u32; W], _, S>(records, serializer)
    }
}

/// A section of records in the map: look-ups and scans over it.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'a, const W: usize> {
    buckets: &'a [u32_le],
    records: &'a [[u32_le; W]],
}

impl<'a, const W: usize> RecordView<'a, W> {
    /// Takes a look at an archived table.
    #[inline]
    pub(crate) fn new(table: &'a ArchivedTable<W>) -> Self {
        RecordView {
            buckets: table.buckets.as_slice(),
            records: table.records.as_slice(),
        }
    }

    /// Takes a look at the arrays that [`words`](Self::words) gave.
    #[inline]
    pub(crate) fn from_words(buckets: &'a [u32_le], words: &'a [u32_le]) -> Self {
        let (records, _) = words.as_chunks();
        RecordView { buckets, records }
    }

    /// Returns the index and the words of all records, one after the other.
    pub(crate) fn words(&self) -> (&'a [u32_le], &'a [u32_le]) {
        (self.buckets, self.records.as_flattened())
    }

    /// Returns the number of records.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Checks in constant time that the table has this many records and an index to match.
    pub(crate) fn check_shape(&self, count: u64) -> Result<(), String> {
        let (found, buckets) = (self.records.len(), self.buckets.len());
        if found as u64 != count {
            return Err(format!("{found} records where the header says {count}"));
        }
        if buckets != bucket_count(found) + 1 {
            return Err(format!("an index of {buckets} entries for {found} records"));
        }
        Ok(())
    }

    /// Returns the bucket that a mixed key belongs to.
    #[inline]
    pub(crate) fn bucket_of(&self, mixed: u128) -> usize {
        bucket_of::<W>(mixed, self.buckets.len() - 1)
    }

    /// Returns the records of a bucket, or `None` if the index is broken there.
    #[inline]
    pub(crate) fn bucket(&self, bucket: usize) -> Option<&'a [[u32_le; W]]> {
        let start = self.buckets.get(bucket)?.to_native() as usize;
        let end = self.buckets.get(bucket + 1)?.to_native() as usize;
        self.records.get(start..end)
    }

    /// Asks the processor to fetch the index entry of a bucket.
    #[inline]
    pub(crate) fn prefetch_index(&self, bucket: usize) {
        prefetch(self.buckets.as_ptr().wrapping_add(bucket));
    }

    /// Returns the record at a place as its mixed key and value, or `None` past the last one.
    pub(crate) fn entry(&self, place: usize) -> Option<Entry> {
        let record = self.records.get(place)?;
        Some((key::<W>(record), record[W - 1].to_native()))
    }

    /// Returns the records as mixed keys and values, in their order.
    pub(crate) fn entries(self) -> impl ExactSizeIterator<Item = Entry> + use<'a, W> {
        self.records
            .iter()
            .map(|record| (key::<W>(record), record[W - 1].to_native()))
    }

    /// Calls `problem` for everything about order, index and keys that is not as it should be.
    pub(crate) fn verify(&self, mut problem: impl FnMut(String)) {
        let mut ends = self.buckets.iter().map(|end| end.to_native() as usize);
        if !ends.clone().is_sorted() || ends.next_back() != Some(self.records.len()) {
            problem(String::from("the index leads out of the records"));
        }
        let mut previous: Option<u128> = None;
        for (i, (mixed, _)) in self.entries().enumerate() {
            match previous {
                Some(before) if before == mixed => {
                    problem(format!(
                        "record {i} repeats the key of the record before it"
                    ));
                }
                Some(before) if before > mixed => {
                    problem(format!("record {i} is out of order"));
                }
                _ => {}
            }
            previous = Some(mixed);
            if W == WIDE && unmix::<W>(mixed) >> 64 == 0 {
                problem(format!("record {i} has a narrow key"));
            }
            let bucket = self.bucket_of(mixed);
            if !self
                .bucket_range(bucket)
                .is_some_and(|range| range.contains(&i))
            {
                problem(format!("record {i} is not where the index looks for it"));
            }
        }
    }

    fn bucket_range(&self, bucket: usize) -> Option<Range<usize>> {
        let start = self.buckets.get(bucket)?.to_native() as usize;
        Some(start..self.buckets.get(bucket + 1)?.to_native() as usize)
    }
}

/// Returns the value of a mixed key among the records of its bucket.
#[inline]
pub(crate) fn find<const W: usize>(bucket: &[[u32_le; W]], mixed: u128) -> Option<u32> {
    let record = bucket.iter().find(|record| key::<W>(record) >= mixed)?;
    (key::<W>(record) == mixed).then(|| record[W - 1].to_native())
}

/// Asks the processor to fetch the memory at an address, which need not be valid.
#[inline]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint; it reads nothing that the program can see and faults on no
        // address. SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Returns the uniform image of a key that has this width.
#[inline]
pub(crate) fn mix<const W: usize>(key: u128) -> u128 {
    if W == NARROW {
        u128::from(mix64(key as u64))
    } else {
        mix128(key)
    }
}

/// Returns the key with this image.
#[inline]
pub(crate) fn unmix<const W: usize>(mixed: u128) -> u128 {
    if W == NARROW {
        u128::from(unmix64(mixed as u64))
    } else {
        unmix128(mixed)
    }
}

fn bucket_count(records: usize) -> usize {
    records.div_ceil(BUCKET_RECORDS).max(1)
}

#[inline]
fn bucket_of<const W: usize>(mixed: u128, bucket_count: usize) -> usize {
    let top = if W == NARROW {
        mixed as u64
    } else {
        (mixed >> 64) as u64
    };
    ((u128::from(top) * bucket_count as u128) >> 64) as usize
}

#[inline]
fn words<const W: usize>(mixed: u128, value: u32) -> [u32; W] {
    let mut words = [value; W];
    for (i, word) in words[..W - 1].iter_mut().enumerate() {
        *word = (mixed >> (32 * i)) as u32;
    }
    words
}

#[inline]
fn key<const W: usize>(record: &[u32_le; W]) -> u128 {
    let mut key = 0;
    for (i, word) in record[..W - 1].iter().enumerate() {
        key |= u128::from(word.to_native()) << (32 * i);
    }
    key
}

#[cfg(test)]
mod tests {
    use rkyv::rancor::BoxedError;

    use super::*;

    fn archive<const W: usize>(entries: &[Entry]) -> rkyv::util::AlignedVec {
        rkyv::to_bytes::<BoxedError>(&RecordTable::<SortedEntries<'_, W>>::new(entries)).unwrap()
    }

    fn round_trip<const W: usize>(count: u64) {
        let mut entries: Vec<Entry> = (0..count)
            .map(|i| {
                (
                    mix::<W>(u128::from(i) << if W == WIDE { 70 } else { 3 }),
                    i as u32,
                )
            })
            .collect();
        entries.sort_unstable();
        let bytes = archive::<W>(&entries);
        assert!(
            bytes.len() <= entries.len() * (4 * W + 1) + 48,
            "{} bytes",
            bytes.len()
        );
        let table = rkyv::access::<ArchivedTable<W>, BoxedError>(&bytes).unwrap();
        let view = RecordView::<W>::new(table);
        view.check_shape(count).unwrap();
        assert!(view.check_shape(count + 1).is_err());
        assert!(view.entries().eq(entries.iter().copied()));
        for &(mixed, value) in &entries {
            assert_eq!(
                find(view.bucket(view.bucket_of(mixed)).unwrap(), mixed),
                Some(value)
            );
            // Keys that agree with a stored one in all bits but one are other keys.
            for bit in 0..32 * (W - 1) {
                let absent = mixed ^ 1 << bit;
                assert_eq!(
                    find(view.bucket(view.bucket_of(absent)).unwrap(), absent),
                    None
                );
                assert_eq!(
                    find(view.bucket(view.bucket_of(mixed)).unwrap(), absent),
                    None
                );
            }
        }
    }

    #[test]
    fn every_record_is_found_in_its_bucket() {
        for count in [0, 1, 2, 3, 4, 5, 8, 9, 1000] {
            round_trip::<NARROW>(count);
            round_trip::<WIDE>(count.max(1) - 1);
        }
    }

    #[test]
    fn verify_notices_what_sorting_and_indexing_guarantee() {
        let problems = |entries: &[Entry]| {
            let bytes = archive::<NARROW>(entries);
            let table = rkyv::access::<ArchivedTable<NARROW>, BoxedError>(&bytes).unwrap();
            let mut problems = Vec::new();
            RecordView::<NARROW>::new(table).verify(|problem| problems.push(problem));
            problems
        };
        assert_eq!(
            problems(&[(1, 0), (2, 0), (u128::from(u64::MAX), 0)]),
            [""; 0]
        );
        assert!(problems(&[(2, 0), (1, 0)])[0].contains("out of order"));
        assert!(problems(&[(2, 0), (2, 1)])[0].contains("repeats the key"));
        // Eight records in two buckets, the first four of which belong into the second.
        let high = u128::from(u64::MAX);
        let entries: Vec<Entry> = (0..8)
            .map(|i| (if i < 4 { high - 9 + i } else { i }, 0))
            .collect();
        assert!(
            problems(&entries)
                .iter()
                .any(|problem| problem.contains("the index looks"))
        );
    }

    #[test]
    fn an_index_that_leads_astray_is_noticed() {
        for buckets in [vec![0, 2], vec![1, 0], vec![9, 9], vec![u32::MAX, 0]] {
            let table = RecordTable {
                buckets,
                records: vec![[1u32, 2, 3]],
            };
            let bytes = rkyv::to_bytes::<BoxedError>(&table).unwrap();
            let table = rkyv::access::<ArchivedTable<NARROW>, BoxedError>(&bytes).unwrap();
            let view = RecordView::<NARROW>::new(table);
            assert!(view.bucket(0).is_none());
            let mut problems = 0;
            view.verify(|_| problems += 1);
            assert_ne!(problems, 0);
        }
        let table = RecordTable {
            buckets: vec![0],
            records: vec![[1u32, 2, 3]],
        };
        let bytes = rkyv::to_bytes::<BoxedError>(&table).unwrap();
        let table = rkyv::access::<ArchivedTable<NARROW>, BoxedError>(&bytes).unwrap();
        assert!(RecordView::<NARROW>::new(table).check_shape(1).is_err());
    }
}
