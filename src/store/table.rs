//! The records of a segment: full keys with their values in order, each near the home slot of its
//! key.
//!
//! A record is an array of 32-bit words, so it needs no padding: the mixed key, low word first,
//! then the value; 3 words if keys are narrow, 5 if wide. Records lie in slots, in the order of
//! their mixed keys. Of `n` records, the one whose mixed key has the top 64 bits `t` has slot
//! `floor(t * h / 2^64)` of the first `h = n + n/7 + 1` as its *home*. It lies there or, if earlier
//! records occupy that slot, in the first slot after them; a few more slots may follow the homes
//! for the last records. An empty slot repeats the record before it, and those before the first
//! record repeat the first. So slots ascend, and a lookup scans from the home to the first slot
//! whose key is not smaller. Since mixed keys are uniform and seven slots in eight are occupied,
//! the scan takes 3.5 slots on average, whether the key is found or not.
//!
//! This is linear probing in the order of keys (Amble and Knuth, *Ordered hash tables*, The
//! Computer Journal 17, 1974). Like the sorted array with an index that it replaced, it is written
//! and merged as a stream of sorted records; but a lookup waits for memory once, not twice.
//!
//! Archived with rkyv as one flat array of integers, which validates in constant time in an
//! optimised build. In format 1 all slots are records, and an index of buckets lies before them.
//! The index is not used: lookups in such segments are binary searches, until
//! [compaction](super::Writer::compact) rewrites the records.

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

/// The number of records for each free slot.
// PERF: more free slots shorten lookups: halving this number halves the slots that a lookup scans.
// With 7, an entry with a narrow key takes 13.7 bytes.
const RECORDS_A_FREE_SLOT: usize = 7;

/// A record before it is written: its key, mixed or not, and its value.
pub(crate) type Entry = (u128, u32);

/// The archived form of a section of records, `W` words each.
pub(crate) type ArchivedSlots<const W: usize> = ArchivedVec<[u32_le; W]>;

/// The archived form of a section of records in format 1.
pub(crate) type ArchivedIndexed<const W: usize> = ArchivedIndexedRecords<Vec<[u32; W]>>;

/// The archive of format 1.
#[derive(Archive)]
#[expect(
    dead_code,
    reason = "format 1 is only read, and of it only where the records lie"
)]
pub(crate) struct IndexedRecords<R> {
    buckets: Vec<u32>,
    records: R,
}

/// Entries that serialise as slots of `W` words one by one, without a copy.
pub(crate) struct SortedEntries<'a, const W: usize> {
    entries: &'a [Entry],
    slots: usize,
}

impl<'a, const W: usize> SortedEntries<'a, W> {
    /// Computes the number of slots for entries sorted by mixed key, at least one of them.
    pub(crate) fn new(entries: &'a [Entry]) -> Self {
        let homes = homes(entries.len());
        let taken = entries.iter().fold(0, |taken, &(mixed, _)| {
            usize::max(taken, home::<W>(mixed, homes)) + 1
        });
        SortedEntries {
            entries,
            slots: taken.max(homes),
        }
    }
}

impl<const W: usize> Archive for SortedEntries<'_, W> {
    type Archived = ArchivedSlots<W>;
    type Resolver = VecResolver;

    fn resolve(&self, resolver: VecResolver, out: Place<Self::Archived>) {
        ArchivedVec::resolve_from_len(self.slots, resolver, out);
    }
}

impl<const W: usize, S> Serialize<S> for SortedEntries<'_, W>
where
    S: Fallible + Allocator + Writer + ?Sized,
{
    fn serialize(&self, serializer: &mut S) -> Result<VecResolver, S::Error> {
        let entries = self.entries;
        let homes = homes(entries.len());
        let home = move |entry: &Entry| home::<W>(entry.0, homes);
        let first = home(&entries[0]);
        let mut taken = 0;
        let slots = (0..self.slots).map(move |slot| {
            let next = entries.get(taken + 1);
            if slot > first && next.is_some_and(|next| home(next) <= slot) {
                taken += 1;
            }
            let (mixed, value) = entries[taken];
            words::<W>(mixed, value)
        });
        ArchivedVec::serialize_from_iter::<[u32; W], _, S>(slots, serializer)
    }
}

/// A mapped section of records: lookups and scans.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'a, const W: usize> {
    slots: &'a [[u32_le; W]],
    /// The number of home slots; 0 in format 1.
    homes: usize,
}

impl<'a, const W: usize> RecordView<'a, W> {
    /// Returns a view of the slots of `records` records, after checking in constant time that there
    /// are enough slots.
    pub(crate) fn new(slots: &'a [[u32_le; W]], records: u64) -> Result<Self, String> {
        let found = slots.len();
        let records = usize::try_from(records).unwrap_or(usize::MAX);
        if records <= found {
            let homes = homes(records);
            if (homes..=homes + records).contains(&found) {
                return Ok(RecordView { slots, homes });
            }
        }
        Err(format!("{found} slots for {records} records"))
    }

    /// Returns a view of the records of format 1, after checking their number in constant time.
    pub(crate) fn indexed(table: &'a ArchivedIndexed<W>, records: u64) -> Result<Self, String> {
        let slots = table.records.as_slice();
        if slots.len() as u64 != records {
            let found = slots.len();
            return Err(format!("{found} records where the header says {records}"));
        }
        Ok(RecordView { slots, homes: 0 })
    }

    /// Returns a view of the result of [`words`](Self::words).
    #[inline]
    pub(crate) fn from_words(words: &'a [u32_le], homes: usize) -> Self {
        let (slots, _) = words.as_chunks();
        RecordView { slots, homes }
    }

    /// Returns the words of all slots, one after another, and the number of home slots.
    pub(crate) fn words(&self) -> (&'a [u32_le], usize) {
        (self.slots.as_flattened(), self.homes)
    }

    /// Returns whether there are no records.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the slot at which the scan for a mixed key starts.
    #[inline]
    pub(crate) fn start(&self, mixed: u128) -> usize {
        if self.homes == 0 {
            return self.slots.partition_point(|slot| key(slot) < mixed);
        }
        home::<W>(mixed, self.homes)
    }

    /// Prefetches a slot and those after it.
    #[inline]
    pub(crate) fn prefetch(&self, slot: usize) {
        let slot = self.slots.as_ptr().wrapping_add(slot).cast::<u8>();
        prefetch(slot);
        prefetch(slot.wrapping_add(LINE_BYTES));
    }

    /// Returns the value of a mixed key, given the [first slot to scan](Self::start).
    #[inline]
    pub(crate) fn find(&self, start: usize, mixed: u128) -> Option<u32> {
        let slots = self.slots.get(start..)?;
        let mut smaller = match slots.first_chunk::<SLOTS_AT_ONCE>() {
            Some(slots) => slots.partition_point(|slot| is_smaller(slot, mixed)),
            None => 0,
        };
        while is_smaller(slots.get(smaller)?, mixed) {
            smaller += 1;
        }
        let slot = &slots[smaller];
        (key(slot) == mixed).then(|| slot[W - 1].to_native())
    }

    /// Returns the records as mixed keys and values, in their order.
    pub(crate) fn entries(self) -> Entries<'a, W> {
        Entries {
            slots: self.slots.iter(),
            before: None,
        }
    }

    /// Returns the greatest distance of a record from its home, in slots.
    #[cfg(test)]
    pub(crate) fn farthest(&self) -> usize {
        let places = self.slots.iter().enumerate();
        let far = places.map(|(place, slot)| place.saturating_sub(self.start(key(slot))));
        far.max().unwrap_or(0)
    }

    /// Calls `problem` for each fault in order, places and keys, given the expected number of
    /// records.
    pub(crate) fn verify(&self, records: u64, mut problem: impl FnMut(String)) {
        let mut found = 0;
        let mut before: Option<&[u32_le; W]> = None;
        for (place, slot) in self.slots.iter().enumerate() {
            let mixed = key(slot);
            if let Some(before) = before.replace(slot) {
                if key(before) > mixed {
                    problem(format!("slot {place} is out of order"));
                } else if key(before) == mixed {
                    if self.homes == 0 || before[W - 1] != slot[W - 1] {
                        problem(format!("slot {place} repeats the key of the one before it"));
                    }
                    continue;
                }
            }
            found += 1;
            if W == WIDE && unmix::<W>(mixed) >> 64 == 0 {
                problem(format!("slot {place} has a narrow key"));
            }
            if self.find(self.start(mixed), mixed).is_none() {
                problem(format!("slot {place} is not where a lookup finds its key"));
            }
        }
        if found != records {
            problem(format!("{found} records where the header says {records}"));
        }
    }
}

/// The records of a section, in the order of their mixed keys.
#[derive(Clone)]
pub(crate) struct Entries<'a, const W: usize> {
    slots: std::slice::Iter<'a, [u32_le; W]>,
    before: Option<u128>,
}

impl<const W: usize> Iterator for Entries<'_, W> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        let before = self.before;
        let slot = self.slots.find(|slot| Some(key(slot)) != before)?;
        let mixed = key(slot);
        self.before = Some(mixed);
        Some((mixed, slot[W - 1].to_native()))
    }
}

/// The number of slots from a home on that a lookup compares without a branch in between.
///
/// PERF: the length of a scan is unpredictable, and a mispredicted branch delays the start of the
/// next lookup. Seven lookups in eight end within eight slots.
const SLOTS_AT_ONCE: usize = 8;

/// The bytes that a processor fetches at once.
const LINE_BYTES: usize = 64;

/// Prefetches the memory at an address, which need not be valid.
#[inline]
fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint; it has no visible effect and faults on no address. SSE is
        // part of every x86-64 processor.
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

/// Returns the number of home slots.
fn homes(records: usize) -> usize {
    records + records / RECORDS_A_FREE_SLOT + 1
}

#[inline]
fn home<const W: usize>(mixed: u128, homes: usize) -> usize {
    let top = if W == NARROW {
        mixed as u64
    } else {
        (mixed >> 64) as u64
    };
    ((u128::from(top) * homes as u128) >> 64) as usize
}

#[inline]
fn words<const W: usize>(mixed: u128, value: u32) -> [u32; W] {
    let mut words = [value; W];
    for (i, word) in words[..W - 1].iter_mut().enumerate() {
        *word = (mixed >> (32 * i)) as u32;
    }
    words
}

/// Returns whether the key of a slot is smaller.
#[inline]
fn is_smaller<const W: usize>(slot: &[u32_le; W], mixed: u128) -> bool {
    if W == NARROW {
        (key(slot) as u64) < mixed as u64
    } else {
        key(slot) < mixed
    }
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
    use rkyv::util::AlignedVec;

    use super::*;

    fn archive<const W: usize>(entries: &[Entry]) -> AlignedVec {
        rkyv::to_bytes::<BoxedError>(&SortedEntries::<W>::new(entries)).unwrap()
    }

    fn view<const W: usize>(bytes: &[u8], records: u64) -> Result<RecordView<'_, W>, String> {
        RecordView::new(
            rkyv::access::<ArchivedSlots<W>, BoxedError>(bytes).unwrap(),
            records,
        )
    }

    fn look_up<const W: usize>(view: RecordView<'_, W>, mixed: u128) -> Option<u32> {
        view.find(view.start(mixed), mixed)
    }

    fn check<const W: usize>(mut entries: Vec<Entry>) {
        entries.sort_unstable();
        let count = entries.len() as u64;
        let bytes = archive::<W>(&entries);
        let view = view::<W>(&bytes, count).unwrap();
        view.verify(count, |problem| panic!("{problem}"));
        assert!(view.entries().eq(entries.iter().copied()));
        for &(mixed, value) in &entries {
            assert_eq!(look_up(view, mixed), Some(value));
            // Keys that differ from a stored one in a single bit are not found.
            for bit in 0..32 * (W - 1) {
                let absent = mixed ^ 1 << bit;
                let stored = entries.binary_search_by_key(&absent, |&(key, _)| key);
                assert_eq!(look_up(view, absent), stored.ok().map(|i| entries[i].1));
            }
        }
    }

    fn mixed<const W: usize>(count: u64) -> Vec<Entry> {
        let key = |i: u64| mix::<W>(u128::from(i) << if W == WIDE { 70 } else { 3 });
        (0..count).map(|i| (key(i + 1), i as u32)).collect()
    }

    #[test]
    fn every_record_is_found_from_its_home() {
        for count in [1, 2, 3, 6, 7, 8, 14, 1000] {
            check::<NARROW>(mixed::<NARROW>(count));
            check::<WIDE>(mixed::<WIDE>(count));
        }
        for count in [1000, 100_000] {
            let bytes = archive::<NARROW>(&{
                let mut entries = mixed::<NARROW>(count);
                entries.sort_unstable();
                entries
            });
            let least = count as usize * 12;
            assert!(bytes.len() <= least + least / 7 + 500, "{}", bytes.len());
        }
    }

    #[test]
    fn keys_that_crowd_are_found_too() {
        // All records in the first home, all in the last, and both; the least and the greatest key.
        let low = |i: u128| (i, i as u32);
        let high = |i: u128| (u128::from(u64::MAX) - i, i as u32);
        check::<NARROW>((0..50).map(low).collect());
        check::<NARROW>((0..50).map(high).collect());
        check::<NARROW>((0..50).map(low).chain((0..50).map(high)).collect());
        check::<NARROW>(vec![(u128::from(u64::MAX) / 2, 1)]);
        let wide = |i: u128| (u128::MAX - unmix128(mix128(i)), i as u32);
        check::<WIDE>((0..50).map(wide).collect());
    }

    fn problems(slots: &[[u32; NARROW]], records: u64) -> Vec<String> {
        let bytes = rkyv::to_bytes::<BoxedError>(&slots.to_vec()).unwrap();
        let mut problems = Vec::new();
        let view = view::<NARROW>(&bytes, records).unwrap();
        view.verify(records, |problem| problems.push(problem));
        problems
    }

    #[test]
    fn verify_notices_what_order_and_places_guarantee() {
        // The high word of the key determines the home; with two records there are three homes.
        let third = u32::MAX / 3 + 1;
        assert_eq!(
            problems(&[[0, 0, 5], [0, third, 6], [0, third, 6]], 2),
            [""; 0]
        );
        assert_eq!(
            problems(&[[0, third, 6], [0, third, 6], [0, third, 6]], 1),
            [""; 0]
        );
        let noticed = |slots: [[u32; NARROW]; 3], records, expected: &str| {
            let problems = problems(&slots, records);
            let found = problems.iter().any(|problem| problem.contains(expected));
            assert!(found, "{expected}: {problems:?}");
        };
        noticed([[0, third, 6], [0, 0, 5], [0, 0, 5]], 2, "out of order");
        noticed([[0, 0, 5], [0, 0, 6], [0, third, 6]], 2, "repeats the key");
        noticed(
            [[0, third, 5], [0, 2 * third, 6], [0, 2 * third, 6]],
            2,
            "where a lookup finds",
        );
        noticed(
            [[0, 0, 5], [0, 0, 5], [0, 0, 5]],
            2,
            "1 records where the header says 2",
        );
    }

    #[test]
    fn slots_that_are_too_few_or_too_many_are_noticed() {
        let mut entries = mixed::<NARROW>(70);
        entries.sort_unstable();
        let bytes = archive::<NARROW>(&entries);
        for wrong in [0, 1, 30, 75, 1000, u64::MAX] {
            assert!(view::<NARROW>(&bytes, wrong).is_err(), "{wrong}");
        }
    }
}
