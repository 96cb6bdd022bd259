//! Errors of a store, which name the file and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use seedbank_files::durable::{ClaimError, Holder, IoError, Refusal};
use thiserror::Error;

use super::Namespace;

/// The reason why a store, or one of its files, could not be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The operating system refused an operation on a file or directory.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The directory is not a store, and must not become one.
    #[error(transparent)]
    Claim(ClaimError),
    /// A segment file is faulty; the rest of the store stays usable.
    #[error("segment {path} is refused: {fault}{}", fault.remedy())]
    Segment {
        /// The segment file.
        path: PathBuf,
        /// What is wrong with it.
        fault: SegmentFault,
    },
    /// The list of live segments can't be trusted, so the whole store is unusable.
    #[error("manifest {path}: {fault}{}", fault.remedy())]
    Manifest {
        /// The manifest file.
        path: PathBuf,
        /// What is wrong with it.
        fault: ManifestFault,
    },
    /// Another writer, in this process or another, holds the store's lock.
    #[error(
        "the store {dir} is already being written by {holder}; wait until that has ended, or choose \
         another store"
    )]
    Locked {
        /// The directory of the store.
        dir: PathBuf,
        /// The process that holds the lock.
        holder: Holder,
    },
    /// One key was given two values: a bug in a ruleset or an engine, which must not be ignored.
    #[error(
        "{namespace}: key {key:#x} has two values, {first} and {second}; nothing was stored, since \
         at least one of them is wrong"
    )]
    Conflict {
        /// The namespace of the key.
        namespace: Namespace,
        /// The key as passed by the caller, before mixing.
        key: u128,
        /// One value (the stored one, if one was stored).
        first: u32,
        /// The other value.
        second: u32,
    },
    /// Merging was stopped on request; the store is unchanged.
    #[error("merging segments was stopped")]
    Stopped,
    /// The contents passed to a writer violate an invariant of segments.
    #[error("cannot store these records of {namespace}: {reason}")]
    Contents {
        /// Their namespace.
        namespace: Namespace,
        /// The violated invariant.
        reason: String,
    },
}

impl StoreError {
    /// Returns the refused path if choosing another folder may help.
    pub fn refusal(&self) -> Option<Refusal<'_>> {
        match self {
            StoreError::Io(error) => error.refusal(),
            StoreError::Claim(error) => error.refusal(),
            _ => None,
        }
    }

    /// Returns whether stored data is damaged, as opposed to locked, unreachable, newer or misused.
    ///
    /// ```
    /// use seedbank_files::durable::Holder;
    /// use valuestore::{SegmentFault, StoreError};
    ///
    /// let path = "segments/000001-9f3c11d0.seg".into();
    /// let fault = SegmentFault::Truncated { expected: 8192, found: 100 };
    /// assert!(StoreError::Segment { path, fault }.is_damage());
    /// let holder = Holder::Unknown;
    /// assert!(!StoreError::Locked { dir: "data/store".into(), holder }.is_damage());
    /// ```
    pub fn is_damage(&self) -> bool {
        match self {
            StoreError::Segment { fault, .. } => !matches!(fault, SegmentFault::Newer { .. }),
            StoreError::Manifest { fault, .. } => !matches!(fault, ManifestFault::Newer { .. }),
            StoreError::Io(_)
            | StoreError::Claim(_)
            | StoreError::Locked { .. }
            | StoreError::Conflict { .. }
            | StoreError::Stopped
            | StoreError::Contents { .. } => false,
        }
    }

    /// Returns a closure that turns an I/O error into a store error, for `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        move |cause| IoError::on(action, path)(cause).into()
    }
}

impl From<ClaimError> for StoreError {
    fn from(error: ClaimError) -> StoreError {
        match error {
            ClaimError::Io(error) => StoreError::Io(error),
            refused => StoreError::Claim(refused),
        }
    }
}

/// The fault in a segment file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SegmentFault {
    /// The manifest lists a missing file.
    #[error("the manifest lists it, but there is no such file")]
    Missing,
    /// The file ends early.
    #[error("truncated: {expected} bytes expected, {found} found")]
    Truncated {
        /// The length it should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// The file continues after its end.
    #[error("overlong: {expected} bytes expected, {found} found")]
    Overlong {
        /// The length it should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// The file is not a segment.
    #[error("no seedbank segment: it begins with bytes {found}, not {expected}")]
    Foreign {
        /// The first bytes of every segment, in hexadecimal.
        expected: String,
        /// The first bytes of this file, in hexadecimal.
        found: String,
    },
    /// A later version of the program wrote the file.
    #[error("written in segment format {found}, while this program reads formats up to {known}")]
    Newer {
        /// The format version of the file.
        found: u32,
        /// The latest format version that this program reads.
        known: u32,
    },
    /// The header fails its checksum.
    #[error("its header fails the checksum (stored {stored}, computed {computed})")]
    HeaderChecksum {
        /// The first digits of the checksum in the file.
        stored: String,
        /// The first digits of the checksum of the file's content.
        computed: String,
    },
    /// The header passes its checksum but is impossible.
    #[error("its header is impossible: {reason}")]
    Header {
        /// The impossible content.
        reason: String,
    },
    /// A sound segment, but not the one that the manifest lists under this name.
    #[error("the manifest lists another segment under this name ({difference})")]
    Unlisted {
        /// The difference.
        difference: String,
    },
    /// A section fails its checksum.
    #[error("its {section} fail their checksum (stored {stored}, computed {computed})")]
    SectionChecksum {
        /// The section, in the plural.
        section: &'static str,
        /// The first digits of the checksum in the header.
        stored: String,
        /// The first digits of the checksum of the file's content.
        computed: String,
    },
    /// A section passes its checksum but is not a well-formed archive of its kind.
    #[error("its {section} are malformed: {reason}")]
    Section {
        /// The section, in the plural.
        section: &'static str,
        /// The defect.
        reason: String,
    },
}

impl SegmentFault {
    fn remedy(&self) -> &'static str {
        match self {
            SegmentFault::Newer { .. } => "; use a newer seedbank, or another store",
            _ => "; the rest of the store stays usable, and the lost values are computed again",
        }
    }
}

/// The fault in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ManifestFault {
    /// It fails its own checksum.
    #[error("it fails its checksum (stored {stored}, computed {computed})")]
    Checksum {
        /// The first digits of the checksum on its first line.
        stored: String,
        /// The first digits of the checksum of the rest.
        computed: String,
    },
    /// It is not a manifest.
    #[error("it is no manifest of a seedbank store: {reason}")]
    Malformed {
        /// The reason, with its place.
        reason: String,
    },
    /// A later version of the program wrote it.
    #[error("written in manifest format {found}, while this program reads formats up to {known}")]
    Newer {
        /// The format version of the file.
        found: u32,
        /// The latest format version that this program reads.
        known: u32,
    },
}

impl ManifestFault {
    fn remedy(&self) -> &'static str {
        match self {
            ManifestFault::Newer { .. } => "; use a newer seedbank, or another store",
            _ => {
                "; move it away to begin with an empty list (the files in segments/ stay as they \
                 are, unlisted, and what they hold is computed again)"
            }
        }
    }
}
