//! Making many segments few, and taking over what another store has.
//!
//! Both write new segments first and list them afterwards, with one replacement of the manifest. Whatever happens
//! before leaves the store as it was, with files that no manifest lists; whatever happens after leaves it as it is now.

use std::path::PathBuf;

use super::gather::Gathered;
use super::manifest::SegmentEntry;
use super::writer::COMPARE_BATCH;
use super::{Hit, Namespace, Reader, SegmentReader, Store, StoreError, Writer};
use crate::durable;

/// What [`Writer::compact`] did with a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compaction {
    /// The namespace.
    pub namespace: Namespace,
    /// The segments that there were.
    pub segments_before: u64,
    /// The segments that there are now.
    pub segments: u64,
    /// The records that there were, a key counting in each segment that has it.
    pub records_before: u64,
    /// The records that there are now, one for each key.
    pub records: u64,
    /// The forms that there were.
    pub forms_before: u64,
    /// The forms that there are now.
    pub forms: u64,
    /// The length of the files that there were.
    pub bytes_before: u64,
    /// The length of the files that there are now.
    pub bytes: u64,
    /// The keys that had more than one value, of which only the newest is left: one of them was wrong.
    pub differing: u64,
    /// One of these keys.
    pub first_differing: Option<u128>,
}

/// What [`Writer::take_over`] did with a namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenOver {
    /// The namespace.
    pub namespace: Namespace,
    /// The values that are new here.
    pub added: u64,
    /// The values that were here already, and are the same.
    pub present: u64,
}

impl Store {
    /// Returns the namespaces of the listed segments, in order, those of segments that can't be opened included.
    pub fn namespaces(&self) -> Vec<Namespace> {
        let mut namespaces: Vec<Namespace> = self
            .manifest()
            .segments
            .iter()
            .map(SegmentEntry::namespace)
            .collect();
        namespaces.sort_unstable();
        namespaces.dedup();
        namespaces
    }

    /// Returns the error for the first listed segment of a namespace that can't be opened.
    fn check_all_open(&self, namespace: &Namespace) -> Result<(), StoreError> {
        for refused in self.refused() {
            if refused.entry.namespace() == *namespace {
                // Errors can't be copied, so it is met once more.
                self.open_segment(&refused.entry)?;
            }
        }
        Ok(())
    }
}

impl Writer {
    /// Merges the segments of a namespace into as few as their limit allows, with each key once, the newest value of
    /// it, in the newest format, and no forms that no value needs. Does nothing where that is so already.
    ///
    /// The old segments are deleted once the new ones are listed; readers that have them open keep them until they let
    /// go. Until then there must be room on the disk for both.
    ///
    /// Time: a few sequential readings of the segments, and one more for each new segment. Memory: 32 bytes a record of
    /// one new segment; and where there are forms, those of all segments, about 45 bytes each and 4 an option.
    ///
    /// # Errors
    ///
    /// A damaged segment, [`StoreError::Contents`] for more forms than a segment holds, or [`StoreError::Io`]; the
    /// store then is as it was. After an error in deleting, old files may be left, unlisted: see
    /// [`remove_left_over`](Self::remove_left_over).
    ///
    /// ```
    /// use seedbank::store::{FormTable, Namespace, SegmentContents, Store};
    ///
    /// let dir = tempfile::tempdir()?;
    /// let store = Store::open(dir.path())?;
    /// let namespace = Namespace::new("sowing", 1, "impartial");
    /// let mut writer = store.writer()?;
    /// for key in 0..3 {
    ///     let records = vec![(key, 7)];
    ///     let (namespace, forms) = (namespace.clone(), FormTable::new());
    ///     writer.seal(SegmentContents { namespace, records, forms })?;
    /// }
    /// let compaction = writer.compact(&namespace)?;
    /// assert_eq!((compaction.segments_before, compaction.segments), (3, 1));
    /// assert_eq!(store.reader(&namespace).get(2)?.map(|hit| hit.value), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compact(&mut self, namespace: &Namespace) -> Result<Compaction, StoreError> {
        self.store.check_all_open(namespace)?;
        let reader = self.store.reader(namespace);
        let old: Vec<SegmentEntry> = reader
            .segments()
            .iter()
            .map(|segment| segment.entry().clone())
            .collect();
        let gathered = Gathered::new(reader.clone(), 0, &|| false)?;
        let counts = gathered.count()?;
        let records_before = sum(&old, SegmentEntry::records);
        let records = counts.narrow + counts.wide;
        let records_max = self.segment_records_max as u64;
        let few = old.len() as u64 <= counts.segments(records_max)
            && old.iter().all(|entry| entry.records() <= records_max)
            && reader.segments().iter().all(|segment| segment.is_current());
        let new = if few && records == records_before && all_forms_needed(&reader)? {
            old.clone()
        } else {
            let new = self.write_gathered(namespace, |records_max, write| {
                gathered.for_each_segment(&counts, records_max, write)
            })?;
            self.exchange(&old, &new)?;
            new
        };
        Ok(Compaction {
            namespace: namespace.clone(),
            segments_before: old.len() as u64,
            segments: new.len() as u64,
            records_before,
            records,
            forms_before: sum(&old, |entry| entry.forms),
            forms: sum(&new, |entry| entry.forms),
            bytes_before: sum(&old, |entry| entry.bytes),
            bytes: sum(&new, |entry| entry.bytes),
            differing: counts.differing,
            first_differing: counts.first_differing,
        })
    }

    /// Deletes the segment files that no manifest lists and that hold nothing the store lacks, and returns them.
    ///
    /// Such files are left by a writer that was killed between listing new segments and deleting the old ones, or before it
    /// listed what it had written. Files with a key that the store does not have, or without forms with another value for
    /// one, are no mere leftovers and stay, for [`adopt_orphans`](Self::adopt_orphans); so do files that are not whole.
    ///
    /// Time: a reading of each such file, and a look-up for each of its records.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] where files can't be listed or deleted.
    pub fn remove_left_over(&mut self) -> Result<Vec<PathBuf>, StoreError> {
        let mut removed = Vec::new();
        for path in self.store.orphans()? {
            let Ok(segment) = SegmentReader::open(&path, None) else {
                continue;
            };
            let mut whole = true;
            segment.verify(|_| whole = false);
            if whole && self.has_all(&segment)? {
                durable::remove(&path)?;
                removed.push(path);
            }
        }
        Ok(removed)
    }

    /// Returns whether the store has every key of a segment; where there are no forms, with its value.
    fn has_all(&self, segment: &SegmentReader) -> Result<bool, StoreError> {
        let (live, _) = self.store.reader(segment.namespace()).without_damaged();
        let numbers = segment.forms_len() == 0;
        let (mut keys, mut values, mut hits) = (Vec::new(), Vec::new(), Vec::new());
        let mut records = segment.iter()?;
        loop {
            keys.clear();
            values.clear();
            for (key, value) in records.by_ref().take(COMPARE_BATCH) {
                keys.push(key);
                values.push(value);
            }
            if keys.is_empty() {
                return Ok(true);
            }
            live.get_many(&keys, &mut hits)?;
            let is_there = |(hit, value): (&Option<Hit>, &u32)| {
                hit.is_some_and(|hit| !numbers || hit.value == *value)
            };
            if !hits.iter().zip(&values).all(is_there) {
                return Ok(false);
            }
        }
    }

    /// Takes over the values that another store has in some namespaces and this one has not; all of them, or none.
    ///
    /// Forms may be numbered in any way over there. What both have is compared; damaged segments of this store count as
    /// not there. Time and memory: as [`compact`](Self::compact) over both stores' segments.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] where a key has another value in each store; a damaged segment of the other store;
    /// [`StoreError::Stopped`] once `stop` returns true;
    /// otherwise as [`compact`](Self::compact). In each case nothing has been taken over.
    pub fn take_over(
        &mut self,
        from: &Store,
        namespaces: &[Namespace],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<TakenOver>, StoreError> {
        let mut new = Vec::new();
        let result = namespaces
            .iter()
            .try_fold(Vec::new(), |mut done, namespace| {
                let (imported, segments) = self.take_over_one(from, namespace, stop)?;
                new.extend(segments);
                done.push(imported);
                Ok(done)
            });
        match result {
            Ok(done) => {
                if !new.is_empty() {
                    self.exchange(&[], &new)?;
                }
                Ok(done)
            }
            Err(error) => {
                self.discard(&new);
                Err(error)
            }
        }
    }

    fn take_over_one(
        &mut self,
        from: &Store,
        namespace: &Namespace,
        stop: &dyn Fn() -> bool,
    ) -> Result<(TakenOver, Vec<SegmentEntry>), StoreError> {
        from.check_all_open(namespace)?;
        let theirs = from.reader(namespace);
        let (ours, _) = self.store.reader(namespace).without_damaged();
        let gathered = Gathered::new(ours.over(&theirs), theirs.segments().len(), stop)?;
        let counts = gathered.count()?;
        let imported = TakenOver {
            namespace: namespace.clone(),
            added: counts.narrow + counts.wide,
            present: counts.present,
        };
        let new = self.write_gathered(namespace, |records_max, write| {
            gathered.for_each_segment(&counts, records_max, write)
        })?;
        Ok((imported, new))
    }

    /// Lists segments in the place of others, and then deletes those.
    pub(super) fn exchange(
        &mut self,
        old: &[SegmentEntry],
        new: &[SegmentEntry],
    ) -> Result<(), StoreError> {
        let mut manifest = self.manifest.clone();
        manifest.segments.retain(|entry| !old.contains(entry));
        manifest.segments.extend(new.iter().cloned());
        if let Err(error) = self.commit(manifest) {
            // Only where the last step failed are other processes told of the new segments; these files must stay.
            tracing::debug!("the new segments stay where they are, listed or not");
            return Err(error);
        }
        for entry in old {
            durable::remove(&self.store.segments_dir().join(&entry.file))?;
        }
        Ok(())
    }
}

/// Tells whether every form of every segment is one that a value of it needs.
fn all_forms_needed(reader: &Reader) -> Result<bool, StoreError> {
    for segment in reader.segments() {
        let mut needed = vec![false; segment.forms_len() as usize];
        for (_, value) in segment.iter()? {
            if let Some(needed) = needed.get_mut(super::form_index(value) as usize) {
                *needed = true;
            }
        }
        // Options come before forms, so one pass down finds all that is needed.
        for index in (0..needed.len()).rev() {
            if !needed[index] {
                return Ok(false);
            }
            let form = segment.form(index as u32)?;
            for option in form.left().chain(form.right()) {
                needed[super::form_index(option) as usize] = true;
            }
        }
    }
    Ok(true)
}

fn sum(entries: &[SegmentEntry], of: impl Fn(&SegmentEntry) -> u64) -> u64 {
    entries.iter().map(of).fold(0, u64::saturating_add)
}
