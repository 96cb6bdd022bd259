//! The one writer of a store: seals segments and commits the manifest.

use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use seedbank_files::durable::{self, Lock, LockError, Temporary};

use super::build::{Prepared, write_segment};
use super::forms::{FormTable, form_index};
use super::manifest::{Manifest, SegmentEntry};
use super::segment::SegmentReader;
use super::table::Entry;
use super::{Namespace, Reader, Store, StoreError};

/// The most records in one segment; larger contents are split.
///
/// 32 Mi narrow records are 416 MiB: large enough that a store of billions has few segments to
/// probe, small enough to be sorted in memory and hashed in a moment.
pub const SEGMENT_RECORDS_MAX: usize = 32 << 20;

/// The name of the lock file in the directory of a store.
const LOCK_FILE: &str = "store.lock";

/// The interval at which a writer that waits for its turn tries again.
const TURN_INTERVAL: Duration = Duration::from_millis(20);

/// The time that a writer waits for its turn without saying so.
const SILENT_WAIT: Duration = Duration::from_secs(1);

/// The number of keys that are compared with stored ones at a time.
pub(super) const COMPARE_BATCH: usize = 1024;

/// Writes one segment of sorted records with mixed keys, narrow ones and wide ones, and forms.
pub(super) type WriteSegment<'a> =
    dyn FnMut(&[Entry], &[Entry], &FormTable) -> Result<(), StoreError> + 'a;

/// The contents of new segments.
#[derive(Clone, Debug)]
pub struct SegmentContents {
    /// The namespace of the keys and values.
    pub namespace: Namespace,
    /// Keys and values, in any order.
    pub records: Vec<(u128, u32)>,
    /// The forms that values refer to; empty if values are numbers in their own right.
    pub forms: FormTable,
}

/// The right to add to a store and to remove from it, held by one writer at a time.
///
/// Made by [`Store::writer`]. Readers made later from the same [`Store`] see its commits, and so do
/// other processes once they open or [`refresh`](Store::refresh) their store.
#[derive(Debug)]
pub struct Writer {
    pub(super) store: Store,
    pub(super) manifest: Manifest,
    pub(super) segment_records_max: usize,
    _lock: Lock,
}

impl Store {
    /// Returns the writer, creating the directory if needed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] while another writer is alive, in this process or another. A killed
    /// writer is no obstacle. [`StoreError::Claim`] if the directory has something that is not a
    /// store's. Otherwise as [`open`](Self::open).
    pub fn writer(&self) -> Result<Writer, StoreError> {
        Writer::open(self)
    }

    /// Returns the writer as [`writer`](Self::writer) does, but waits while another one is alive, until
    /// `stop` returns true. Says so if that takes longer than a second or ends so.
    ///
    /// # Errors
    ///
    /// As [`writer`](Self::writer); [`StoreError::Locked`] only once `stop` returned true.
    pub fn writer_in_turn(&self, stop: &dyn Fn() -> bool) -> Result<Writer, StoreError> {
        let began = Instant::now();
        let mut is_said = false;
        loop {
            let (dir, holder) = match self.writer() {
                Err(StoreError::Locked { dir, holder }) => (dir, holder),
                writer => return writer,
            };
            let stops = stop();
            if !is_said && (stops || began.elapsed() >= SILENT_WAIT) {
                is_said = true;
                let dir = dir.display();
                tracing::info!("waiting for {holder}, which writes to the store {dir}");
            }
            if stops {
                return Err(StoreError::Locked { dir, holder });
            }
            thread::sleep(TURN_INTERVAL);
        }
    }
}

impl Writer {
    /// Claims the directory, takes the lock, creates missing directories, and removes the files that
    /// a killed writer left in `tmp/`.
    fn open(store: &Store) -> Result<Writer, StoreError> {
        durable::claim(store.dir(), &durable::STORE)?;
        for dir in [store.segments_dir(), store.tmp_dir()] {
            durable::create_directory(&dir)?;
        }
        let lock = lock(store.dir())?;
        store.refresh()?;
        durable::remove_leftovers(&store.tmp_dir())?;
        let mut manifest = store.manifest();
        // A writer that was killed between naming a segment and listing it has used up its number.
        for path in durable::plain_files(&store.segments_dir())? {
            if let Some(sequence) = sequence_of(&path) {
                manifest.next_sequence = manifest.next_sequence.max(sequence.saturating_add(1));
            }
        }
        Ok(Writer {
            store: store.clone(),
            manifest,
            segment_records_max: SEGMENT_RECORDS_MAX,
            _lock: lock,
        })
    }

    /// Sets the most records in one segment, at most [`SEGMENT_RECORDS_MAX`].
    pub fn with_segment_records_max(mut self, records: usize) -> Writer {
        self.segment_records_max = records.clamp(1, SEGMENT_RECORDS_MAX);
        self
    }

    /// Returns the number of segments that were ever written to the store. It grows whenever another
    /// writer has sealed or merged some.
    pub fn segments_written(&self) -> u64 {
        self.manifest.next_sequence
    }

    /// Writes records as one or more segments and commits them together.
    ///
    /// Repeated records are written once. In a namespace without forms, records that the store
    /// already has are left out, and their values are compared with the stored ones. In a namespace
    /// with forms a value has meaning only within its segment, so the store can't compare: leave
    /// out keys that [`Reader::contains`], or compare the forms of both values before sealing. If a
    /// key is stored twice nevertheless, lookups return the newer value.
    ///
    /// Returns the entries of the new segments: none if there was nothing new.
    ///
    /// Time: a sort of the records. Memory: beyond the contents themselves, which are sorted in
    /// place and serialised straight into the file, 1 byte a record; and where contents with forms
    /// are split, 4 bytes a form and a copy of the forms of one segment.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] for two values of one key; [`StoreError::Contents`] for a value
    /// that refers to no form, names that do not fit, or a mixture of values with and without forms
    /// in one namespace; [`StoreError::Io`]. In each case nothing is committed, with one exception.
    /// Where only the last step fails, making the new manifest durable in its directory, other
    /// processes may see the segments until the next commit omits them.
    pub fn seal(&mut self, contents: SegmentContents) -> Result<Vec<SegmentEntry>, StoreError> {
        let SegmentContents {
            namespace,
            mut records,
            forms,
        } = contents;
        if let Some(reason) = namespace.misfit() {
            return Err(StoreError::Contents { namespace, reason });
        }
        let live = self.store.reader(&namespace);
        check_values(&namespace, &records, &forms, &live)?;
        if forms.is_empty() {
            // The records of a damaged segment are sealed again.
            drop_stored(&namespace, &mut records, &live.without_damaged().0)?;
        }
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let mut sealed = Vec::new();
        let records_max = self.segment_records_max;
        Prepared::new(&namespace, records)?.for_each_segment(
            &forms,
            records_max,
            |narrow, wide, forms| {
                sealed.push(self.write(&namespace, narrow, wide, forms)?);
                Ok(())
            },
        )?;
        let mut manifest = self.manifest.clone();
        manifest.segments.extend(sealed.iter().cloned());
        self.commit(manifest)?;
        Ok(sealed)
    }

    /// Removes segments from the manifest, then deletes their files.
    ///
    /// This removes damaged segments from a store, and merged ones. Readers that have them open may
    /// use them until they close them. Unlisted names are ignored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`]; after one, the segments may be removed from the manifest while their
    /// files exist, until [`remove_left_over`](Self::remove_left_over) deletes them.
    pub fn retire(&mut self, files: &[&str]) -> Result<(), StoreError> {
        let mut gone = self.manifest.segments.clone();
        gone.retain(|entry| files.contains(&entry.file.as_str()));
        self.exchange(&gone, &[])
    }

    /// Adds to the manifest the sound segment files that it does not list.
    ///
    /// Such orphans come from a writer that was killed before its commit, or from a lost manifest;
    /// the header of each segment describes its contents. Each is verified in full first. Returns
    /// the adopted segments, and the errors for the others.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] where files can't be listed or the manifest can't be written.
    pub fn adopt_orphans(&mut self) -> Result<(Vec<SegmentEntry>, Vec<StoreError>), StoreError> {
        let mut adopted = Vec::new();
        let mut problems = Vec::new();
        for path in self.store.orphans()? {
            match SegmentReader::open(&path, None) {
                Ok(segment) => {
                    let before = problems.len();
                    segment.verify(|problem| problems.push(problem));
                    if problems.len() == before {
                        adopted.push(segment.entry().clone());
                    }
                }
                Err(error) => problems.push(error),
            }
        }
        if !adopted.is_empty() {
            let mut manifest = self.manifest.clone();
            manifest.segments.extend(adopted.iter().cloned());
            // Oldest first, as they were written.
            manifest
                .segments
                .sort_by_key(|entry| sequence_of(Path::new(&entry.file)));
            self.commit(manifest)?;
        }
        Ok((adopted, problems))
    }

    /// Writes one segment and gives it its final name, which has no effect until it is listed.
    fn write(
        &mut self,
        namespace: &Namespace,
        narrow: &[(u128, u32)],
        wide: &[(u128, u32)],
        forms: &FormTable,
    ) -> Result<SegmentEntry, StoreError> {
        let sequence = self.manifest.next_sequence;
        self.manifest.next_sequence += 1;
        let stem = format!("{sequence:06}.seg");
        let mut temporary = Temporary::create(&self.store.tmp_dir(), &stem)?;
        let header = write_segment(&mut temporary, namespace, narrow, wide, forms)?;
        let checksum = header.checksum();
        let file = format!("{sequence:06}-{}.seg", &checksum[..8]);
        let path = self.store.segments_dir().join(&file);
        if !temporary.publish(&path)? {
            // Sequence numbers are used once, so it is a foreign file.
            return Err(StoreError::io("create", &path)(
                ErrorKind::AlreadyExists.into(),
            ));
        }
        Ok(SegmentEntry::new(&file, &header, checksum))
    }

    /// Writes the segments that `gather` produces, given the most records of one; they are not
    /// listed yet. After an error none of them is left.
    pub(super) fn write_gathered(
        &mut self,
        namespace: &Namespace,
        gather: impl FnOnce(u64, &mut WriteSegment<'_>) -> Result<(), StoreError>,
    ) -> Result<Vec<SegmentEntry>, StoreError> {
        let mut written = Vec::new();
        let records_max = self.segment_records_max as u64;
        let result = gather(records_max, &mut |narrow, wide, forms| {
            written.push(self.write(namespace, narrow, wide, forms)?);
            Ok(())
        });
        match result {
            Ok(()) => Ok(written),
            Err(error) => {
                self.discard(&written);
                Err(error)
            }
        }
    }

    /// Deletes segments that were written but will not be listed.
    pub(super) fn discard(&self, written: &[SegmentEntry]) {
        for entry in written {
            if let Err(error) = durable::remove(&self.store.segments_dir().join(&entry.file)) {
                tracing::debug!("{error}; it is listed nowhere and does no harm");
            }
        }
    }

    pub(super) fn commit(&mut self, manifest: Manifest) -> Result<(), StoreError> {
        manifest.commit(self.store.dir(), &self.store.tmp_dir())?;
        self.manifest = manifest.clone();
        self.store.install(manifest);
        Ok(())
    }
}

/// Takes the lock of the store in an existing directory, without waiting.
fn lock(dir: &Path) -> Result<Lock, StoreError> {
    Lock::take(&dir.join(LOCK_FILE)).map_err(|error| match error {
        LockError::Held(holder) => StoreError::Locked {
            dir: dir.to_path_buf(),
            holder,
        },
        LockError::Unsupported(error) | LockError::Io(error) => error.into(),
    })
}

/// Checks that either every value refers to a form or none does, as in the existing segments.
fn check_values(
    namespace: &Namespace,
    records: &[(u128, u32)],
    forms: &FormTable,
    live: &Reader,
) -> Result<(), StoreError> {
    let fail = |reason| {
        Err(StoreError::Contents {
            namespace: namespace.clone(),
            reason,
        })
    };
    if records.is_empty() {
        return Ok(());
    }
    let other = live
        .segments()
        .iter()
        .find(|other| (other.forms_len() == 0) != forms.is_empty());
    if let Some(other) = other {
        let (ours, theirs) = if forms.is_empty() {
            ("no", "some")
        } else {
            ("some", "no")
        };
        let path = other.path().display();
        return fail(format!(
            "they come with {ours} forms, while {path} has {theirs}"
        ));
    }
    let stray = records
        .iter()
        .find(|(_, value)| form_index(*value) as usize >= forms.len());
    match stray {
        Some((key, value)) if !forms.is_empty() => fail(format!(
            "the value of key {key:#x} refers to form {} of {}",
            form_index(*value),
            forms.len()
        )),
        _ => Ok(()),
    }
}

/// Removes records that are already stored, and fails on one that is stored with another value.
fn drop_stored(
    namespace: &Namespace,
    records: &mut Vec<(u128, u32)>,
    live: &Reader,
) -> Result<(), StoreError> {
    if live.segments().is_empty() {
        return Ok(());
    }
    let mut keys = Vec::with_capacity(COMPARE_BATCH);
    let mut hits = Vec::with_capacity(COMPARE_BATCH);
    let mut kept = 0;
    for start in (0..records.len()).step_by(COMPARE_BATCH) {
        let end = records.len().min(start + COMPARE_BATCH);
        keys.clear();
        keys.extend(records[start..end].iter().map(|&(key, _)| key));
        live.get_many(&keys, &mut hits)?;
        for (i, hit) in (start..end).zip(&hits) {
            let (key, second) = records[i];
            match hit.map(|hit| hit.value) {
                None => {
                    records[kept] = records[i];
                    kept += 1;
                }
                Some(first) if first == second => {}
                Some(first) => {
                    let namespace = namespace.clone();
                    return Err(StoreError::Conflict {
                        namespace,
                        key,
                        first,
                        second,
                    });
                }
            }
        }
    }
    records.truncate(kept);
    Ok(())
}

/// Returns the sequence number in the name of a segment file.
fn sequence_of(file: &Path) -> Option<u64> {
    let (sequence, _) = file.file_name()?.to_str()?.split_once('-')?;
    sequence.parse().ok()
}
