//! Compaction of segments, and import from another store.
//!
//! Both write new segments first and then list them by one replacement of the manifest. A crash
//! before that leaves the old store, plus files that no manifest lists; a crash after it leaves the
//! new one.

use std::path::PathBuf;
use std::sync::Arc;

use seedbank_files::durable;
use serde::Serialize;

use super::gather::Gathered;
use super::manifest::SegmentEntry;
use super::writer::COMPARE_BATCH;
use super::{Hit, Namespace, Reader, Refused, SegmentReader, Store, StoreError, Writer};

/// The result of [`Writer::compact`] for a namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compaction {
    /// The namespace.
    pub namespace: Namespace,
    /// The number of segments before.
    pub segments_before: u64,
    /// The number of segments now.
    pub segments: u64,
    /// The number of records before, counting a key in each segment that has it.
    #[serde(rename = "values_before")]
    pub records_before: u64,
    /// The number of records now, one for each key.
    #[serde(rename = "values")]
    pub records: u64,
    /// The number of forms before.
    pub forms_before: u64,
    /// The number of forms now.
    pub forms: u64,
    /// The total length of the files before.
    pub bytes_before: u64,
    /// The total length of the files now.
    pub bytes: u64,
    /// The number of keys that had more than one value. At least one of these values was wrong;
    /// only the newest is left.
    pub differing: u64,
    /// One of these keys.
    #[serde(skip)]
    pub first_differing: Option<u128>,
}

/// The result of [`Writer::take_over`] for a namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TakenOver {
    /// The namespace.
    pub namespace: Namespace,
    /// The number of values that are new here.
    pub added: u64,
    /// The number of values that were here already, and agree.
    pub present: u64,
}

impl Store {
    /// Returns the namespaces of the listed segments, in order, including segments that can't be
    /// opened.
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

    /// Returns the error for the first listed segment of a namespace that can't be opened, for a
    /// reason that counts.
    fn check_all_open(
        &self,
        namespace: &Namespace,
        counts: impl Fn(&StoreError) -> bool,
    ) -> Result<(), StoreError> {
        let is_missed = |refused: &Arc<Refused>| {
            refused.entry.namespace() == *namespace && counts(&refused.error)
        };
        while let Some(refused) = self.refused().into_iter().find(is_missed) {
            // Errors can't be copied, so opening fails once more to return it. If it succeeds, the
            // reason has passed, and the segment is read like the others.
            self.open_segment(&refused.entry)?;
            self.refresh()?;
        }
        Ok(())
    }
}

impl Writer {
    /// Merges the segments of a namespace into as few as their size limit allows. The result has
    /// the newest format, each key once with its newest value, and no unneeded forms. Does nothing
    /// where that is already so.
    ///
    /// The old segments are deleted once the new ones are listed; readers that have them open may
    /// use them until they close them. Until then the disk needs space for both.
    ///
    /// Time: a few sequential passes over the segments, and one more for each new segment. Memory:
    /// 32 bytes a record of one new segment, and the forms of all segments, at about 45 bytes each
    /// and 4 an option.
    ///
    /// # Errors
    ///
    /// A damaged segment, [`StoreError::Contents`] for more forms than a segment holds, or
    /// [`StoreError::Io`]; the store is then unchanged. After an error in deleting, old files may
    /// remain, unlisted: see [`remove_left_over`](Self::remove_left_over).
    ///
    /// ```
    /// use valuestore::{FormTable, Namespace, SegmentContents, Store};
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
        self.store.check_all_open(namespace, |_| true)?;
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

    /// Deletes the segment files that no manifest lists and that hold nothing the store lacks, and
    /// returns them.
    ///
    /// Such files are left by a writer that was killed between listing new segments and deleting
    /// the old ones, or before it listed its new segments. A file stays, for
    /// [`adopt_orphans`](Self::adopt_orphans), if it has a key that the store lacks or, in a
    /// namespace without forms, another value for a key. Incomplete files stay too.
    ///
    /// Time: one pass over each such file, and a lookup for each of its records.
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

    /// Returns whether the store has every key of a segment; where there are no forms, with its
    /// value.
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

    /// Imports the values that another store has in some namespaces and this one lacks; all of
    /// them, or none.
    ///
    /// The other store may number its forms in any way. Values that both stores have are compared;
    /// damaged segments of this store are ignored. Time and memory: as [`compact`](Self::compact)
    /// over both stores' segments.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] where a key has another value in each store; a damaged segment of
    /// the other store; a segment of either that cannot be read now; [`StoreError::Stopped`] once `stop` returns true; otherwise as
    /// [`compact`](Self::compact). In each case nothing is imported.
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
        from.check_all_open(namespace, |_| true)?;
        // Values of a segment that cannot be read now are not lost: they would be stored twice.
        let is_unread = |error: &StoreError| matches!(error, StoreError::Io(_));
        self.store.check_all_open(namespace, is_unread)?;
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

    /// Lists segments in place of others, and then deletes the others.
    pub(super) fn exchange(
        &mut self,
        old: &[SegmentEntry],
        new: &[SegmentEntry],
    ) -> Result<(), StoreError> {
        let mut manifest = self.manifest.clone();
        manifest.segments.retain(|entry| !old.contains(entry));
        manifest.segments.extend(new.iter().cloned());
        if let Err(error) = self.commit(manifest) {
            // If only the last step failed, other processes may already see the new segments, so
            // these files must stay.
            tracing::debug!("the new segments stay where they are, listed or not");
            return Err(error);
        }
        for entry in old {
            durable::remove(&self.store.segments_dir().join(&entry.file))?;
        }
        Ok(())
    }
}

/// Returns whether every form of every segment is needed by one of its values.
fn all_forms_needed(reader: &Reader) -> Result<bool, StoreError> {
    for segment in reader.segments() {
        let mut needed = vec![false; segment.forms_len() as usize];
        for (_, value) in segment.iter()? {
            if let Some(needed) = needed.get_mut(super::form_index(value) as usize) {
                *needed = true;
            }
        }
        // Options come before forms, so one downward pass finds all needed forms.
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
