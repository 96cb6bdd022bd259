#![doc = include_str!("README.md")]
//!
//! # Layout
//!
//! The store knows bytes, keys and references between forms. It does not know rulesets, engines or
//! arenas: a [`Namespace`] separates data that must not mix, and the writer defines the meaning of
//! keys and values.
//!
//! ```text
//! .seedbank                    the mark of a store
//! manifest.json                the live segments; replacing it is the commit (see `manifest`)
//! segments/000001-9f3c11d0.seg a segment, named by number and checksum; never changes
//! store.lock                   held by the writer at work; others wait for their turn
//! tmp/                         files being written; a writer empties it when it opens
//! ```
//!
//! A segment file is a page of header (drawn in `header.rs`), then up to three sections, each an
//! rkyv archive of flat integer arrays that begins on a page boundary:
//!
//! ```text
//! header          magic, format version, byte order, pointer width, namespace, counts, offsets,
//!                 checksums
//! narrow records  n + n/7 + 1 slots of 12 bytes and a few more: key below 2^64, value
//! wide records    n + n/7 + 1 slots of 20 bytes and a few more: key, value
//! forms           ends: u32 * f;  lefts: u32 * f;  options: u32 * total
//! ```
//!
//! A correct checksum does not prove a segment honest: a forged one may have it, too. Forms refer
//! to earlier forms only, have at most [`FORM_OPTIONS_MAX`] options and are nested at most
//! [`FORM_DEPTH_MAX`] deep. This is checked before their first use; a segment beyond these bounds
//! is refused like a damaged one. Forms of some hundred options each, nested hundreds deep, are
//! within these bounds, but comparing them would take minutes. So the code that restores forms also
//! limits the work for all forms of a segment (5 million steps and 50 an option,
//! `evaluate/translation.rs`). Only `store verify --deep` finds a wrong value in a sound form
//! (`tests/crafted.rs`).
//!
//! Invariants: a published file is never written to, shortened or renamed, only unlinked
//! ([`durable`] has the commit protocol). Keys are stored in full, so a hit is exact. A lookup
//! returns the stored value, or nothing, or an error. A checksum covers every byte of a file. The
//! header's is checked when a segment is opened, a section's before its first use, and
//! [`Store::verify`] checks them all (rkyv's own validation keeps pointers in bounds, but would let
//! 99 % of flipped bytes pass). Lengths are compared before a file is mapped, so a truncated one is
//! reported instead of causing a bus error.
//!
//! # Promises
//!
//! The guarantees of a store and the result sets beside it, with the tests that check them. Commits
//! follow one order: write, sync the file, give it its name, sync the directory. A manifest or
//! record comes after all files that it names.
//!
//! | promise | tests |
//! |---|---|
//! | a result named in a manifest is whole and right for ever: nothing that was published is changed | `kill_9_at_any_instant_loses_no_published_file`, `a_run_survives_a_loss_of_power_at_every_kind_of_operation`, `readers_keep_the_segments_that_compaction_deleted` |
//! | a crash at any instant, of the process or the machine, loses at most the work since the last checkpoint, and the next run has the same rows | `a_run_survives_a_crash_at_every_kind_of_operation`, `a_survey_survives_every_fault_at_every_kind_of_operation`, `a_survey_of_obligated_sums_survives_every_fault_at_every_kind_of_operation`, `heaps_survive_every_fault_at_every_kind_of_operation`, `graphs_and_reconstructions_survive_every_fault_at_every_kind_of_operation`, `a_search_by_followers_survives_every_fault_at_every_kind_of_operation`, `counts_of_followers_survive_every_fault_at_every_kind_of_operation`, `followers_of_witnesses_survive_every_fault_at_every_kind_of_operation`, `a_run_survives_a_loss_of_power_at_every_kind_of_operation`, `runs_killed_again_and_again_end_with_the_same_rows`, `a_sweep_survives_every_fault_at_every_kind_of_operation`, `a_killed_sweep_resumes` |
//! | a disk that fails or is full is an error, and the files named before stay | `a_run_survives_an_error_of_the_disk_at_every_kind_of_operation`, `a_run_survives_a_disk_that_is_full_from_every_kind_of_operation_on`, `a_full_disk_is_an_error_and_loses_nothing` |
//! | a folder or file without access rights is an error, and nothing is removed | `read_only_folders_are_errors_and_nothing_is_lost`, `unreadable_files_are_errors_and_stay`, `reading_needs_only_read_permission` |
//! | a damaged byte is found before its value is used | `every_flipped_byte_of_a_segment_is_noticed`, `every_truncation_of_a_segment_is_an_error`, `every_flipped_bit_and_every_truncation_is_noticed`, `a_flipped_byte_in_a_part_is_an_error_and_verify_names_it`, `a_truncated_part_is_redone`, `whatever_is_damaged_or_missing_no_value_is_wrong`, the fuzz target `segments` |
//! | a wrong value is never served for another's: keys are exact, and two values for one key are an error wherever they can be compared | `two_values_for_one_key_are_an_error`, `a_conflict_stops_an_import_before_it_changes_anything`, `deep_verification_names_exactly_the_wrong_values` |
//! | segments stay few, however many checkpoints and crashes there are, and merging them changes no value | `many_checkpoints_leave_few_segments_and_the_same_values`, `a_run_that_merges_segments_survives_every_fault_at_every_kind_of_operation` |
//! | compaction and import leave the old store or the new one, at any instant; files that are left over are removed by the next compaction, unless they hold what the store lacks | `compaction_survives_every_fault_at_every_kind_of_operation`, `an_import_survives_every_fault_at_every_kind_of_operation` |
//! | nothing that the program did not make is removed from its folders | `a_folder_with_files_of_the_user_becomes_no_store`, `a_folder_with_files_of_the_user_becomes_no_result`, `files_added_to_a_store_or_a_result_stay`, `nothing_is_removed_or_replaced_through_a_symbolic_link` |
//! | one writer at a time, and a dead writer does not block others | `a_writer_in_another_process_is_refused_until_it_is_dead`, `runs_write_to_one_store_in_turn`, `simultaneous_runs_store_no_value_twice`, `a_run_waits_for_a_writer_of_its_store_until_it_is_to_stop` |
//! | neither the calendar nor the times of files matter | `a_clock_that_jumps_changes_nothing` |
//! | segments of an earlier format are read, with the same values | `format_1_is_read_and_compaction_converts_it`, `the_bytes_of_a_segment_do_not_change` |
//! | stores of a later or an unknown format are distinguished from damaged ones and left alone | `newer_formats_are_told_from_damage`, `newer_and_impossible_manifests_are_refused`, `foreign_newer_and_exchanged_files_are_refused_by_name`, `repair_keeps_a_segment_in_a_later_format` |
//!
//! There is no checkpoint within a single step. Steps are: describing the values of a Parquet file,
//! or of a block of a census (about four million positions, or one cell), counting the followers of
//! one position, trying one strategy on one graph. A step takes seconds, and up to a minute with
//! the default limits.
//!
//! Not promised: values sealed after the last checkpoint. Rows recorded before a crash are not
//! computed again, so unsealed values of their followers stay unknown until another job needs them.

mod build;
mod compact;
mod error;
mod forms;
mod gather;
mod header;
mod manifest;
mod merge;
mod mixer;
mod namespace;
mod reader;
mod segment;
mod stat;
mod table;
mod tiers;
mod unify;
mod writer;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use manifest::Manifest;
use seedbank_files::durable;

pub use compact::{Compaction, TakenOver};
pub use error::{ManifestFault, SegmentFault, StoreError};
pub use forms::{
    FORM_DEPTH_MAX, FORM_OPTIONS_MAX, FORMS_MAX, Form, FormError, FormTable, form_index,
    form_negated, form_ref,
};
pub use manifest::SegmentEntry;
pub use merge::Hit;
pub use namespace::{Namespace, PLAY_BYTES_MAX, RULESET_BYTES_MAX};
pub use reader::Reader;
pub use segment::SegmentReader;
pub use stat::{NamespaceStat, SEGMENT_PROBLEMS_MAX, SegmentReport, StoreStat};
pub use writer::{SEGMENT_RECORDS_MAX, SegmentContents, Writer};

/// The number of times that a manifest is read again because a listed segment is gone.
const LOAD_ATTEMPTS: usize = 4;

/// A directory of segments; any number of processes may read it while one writes.
///
/// Cloning is cheap; clones share all state.
#[derive(Clone, Debug)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    dir: PathBuf,
    snapshot: RwLock<Arc<Snapshot>>,
}

/// The content of the manifest when it was last read.
#[derive(Debug)]
struct Snapshot {
    manifest: Manifest,
    live: Vec<Arc<SegmentReader>>,
    refused: Vec<Arc<Refused>>,
}

/// A listed segment that could not be opened.
#[derive(Debug)]
pub struct Refused {
    /// Its entry in the manifest.
    pub entry: SegmentEntry,
    /// The error on opening it.
    pub error: StoreError,
}

impl Store {
    /// Opens the store in a directory, without creating anything: a missing one is an empty store.
    ///
    /// Segments that can't be opened are left out and listed by [`refused`](Self::refused). Cost:
    /// one page read for each segment.
    ///
    /// # Errors
    ///
    /// A directory that is marked as one of another kind; a manifest that can't be read or is damaged.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        durable::is_marked(dir, &durable::STORE)?;
        let snapshot = Snapshot::load(dir, &[])?;
        let snapshot = RwLock::new(Arc::new(snapshot));
        Ok(Store {
            shared: Arc::new(Shared {
                dir: dir.to_path_buf(),
                snapshot,
            }),
        })
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.shared.dir
    }

    /// Reads the manifest again, to see what other processes have committed.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); the store then stays unchanged.
    pub fn refresh(&self) -> Result<(), StoreError> {
        self.set_snapshot(Snapshot::load(self.dir(), &self.snapshot().live)?);
        Ok(())
    }

    /// Returns a reader of the currently live segments of a namespace.
    pub fn reader(&self, namespace: &Namespace) -> Reader {
        let snapshot = self.snapshot();
        let live = snapshot
            .live
            .iter()
            .filter(|segment| segment.namespace() == namespace);
        Reader::new(namespace.clone(), live.cloned().collect())
    }

    /// Returns the listed segments that could not be opened, for the caller to report.
    pub fn refused(&self) -> Vec<Arc<Refused>> {
        self.snapshot().refused.clone()
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(
            &self
                .shared
                .snapshot
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    fn set_snapshot(&self, snapshot: Snapshot) {
        *self
            .shared
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }

    /// Installs the manifest that the writer has just committed.
    fn install(&self, manifest: Manifest) {
        self.set_snapshot(Snapshot::open(self.dir(), manifest, &self.snapshot().live));
    }

    fn manifest(&self) -> Manifest {
        self.snapshot().manifest.clone()
    }

    fn segments_dir(&self) -> PathBuf {
        segments_dir(self.dir())
    }

    fn tmp_dir(&self) -> PathBuf {
        self.dir().join(durable::TMP)
    }

    fn open_segment(&self, entry: &SegmentEntry) -> Result<SegmentReader, StoreError> {
        SegmentReader::open(&self.segments_dir().join(&entry.file), Some(entry))
    }

    /// Returns the segment files that the manifest does not list.
    fn orphans(&self) -> Result<Vec<PathBuf>, StoreError> {
        let dir = self.segments_dir();
        let manifest = self.manifest();
        let listed: HashSet<PathBuf> = manifest
            .segments
            .iter()
            .map(|entry| dir.join(&entry.file))
            .collect();
        let mut paths = durable::plain_files(&dir)?;
        let is_named = |path: &Path| {
            let name = path.file_name();
            name.is_some_and(|name| durable::SEGMENTS.has_file(name))
        };
        // Files with other names are the user's.
        paths.retain(|path| is_named(path) && !listed.contains(path));
        Ok(paths)
    }
}

impl Snapshot {
    /// Reads the manifest and opens the listed segments that are not yet open.
    fn load(dir: &Path, open: &[Arc<SegmentReader>]) -> Result<Snapshot, StoreError> {
        let mut manifest = Manifest::load(dir)?;
        for _ in 1..LOAD_ATTEMPTS {
            let snapshot = Snapshot::open(dir, manifest, open);
            let is_missing = |refused: &Arc<Refused>| {
                matches!(
                    &refused.error,
                    StoreError::Segment {
                        fault: SegmentFault::Missing,
                        ..
                    }
                )
            };
            if !snapshot.refused.iter().any(is_missing) {
                return Ok(snapshot);
            }
            // A writer may have retired the segment since the manifest was read.
            manifest = Manifest::load(dir)?;
            if manifest == snapshot.manifest {
                return Ok(snapshot);
            }
        }
        Ok(Snapshot::open(dir, manifest, open))
    }

    fn open(dir: &Path, manifest: Manifest, open: &[Arc<SegmentReader>]) -> Snapshot {
        let mut live = Vec::with_capacity(manifest.segments.len());
        let mut refused = Vec::new();
        for entry in &manifest.segments {
            if let Some(segment) = open.iter().find(|segment| segment.entry() == entry) {
                live.push(Arc::clone(segment));
                continue;
            }
            match SegmentReader::open(&segments_dir(dir).join(&entry.file), Some(entry)) {
                Ok(segment) => live.push(Arc::new(segment)),
                Err(error) => refused.push(Arc::new(Refused {
                    entry: entry.clone(),
                    error,
                })),
            }
        }
        Snapshot {
            manifest,
            live,
            refused,
        }
    }
}

fn segments_dir(dir: &Path) -> PathBuf {
    dir.join("segments")
}
