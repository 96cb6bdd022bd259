//! What can go wrong with a store, in words that say which file and what to do.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Namespace;
use crate::durable::IoError;

/// Why a store, or a part of it, could not be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The operating system refused an operation on a file or directory.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A segment file is not what it should be; the rest of the store stays usable.
    #[error("segment {path} is refused: {fault}{}", fault.remedy())]
    Segment {
        /// The segment file.
        path: PathBuf,
        /// What is wrong with it.
        fault: SegmentFault,
    },
    /// The list of live segments can't be trusted, so nothing of this store is usable.
    #[error("manifest {path}: {fault}{}", fault.remedy())]
    Manifest {
        /// The manifest file.
        path: PathBuf,
        /// What is wrong with it.
        fault: ManifestFault,
    },
    /// Another writer, in this process or another, holds the store's lock.
    #[error(
        "the store {dir} is already being written by {}; wait until that has ended, or choose \
         another store", writer_name(*pid)
    )]
    Locked {
        /// The directory of the store.
        dir: PathBuf,
        /// The process that wrote its number into the lock file, where it could be read.
        pid: Option<u32>,
    },
    /// One key was given two values: a bug in a ruleset or an engine, never to be papered over.
    #[error(
        "{namespace}: key {key:#x} has two values, {first} and {second}; nothing was stored, since \
         at least one of them is wrong"
    )]
    Conflict {
        /// What the key and its values mean.
        namespace: Namespace,
        /// The key as the caller knows it.
        key: u128,
        /// One value (the stored one, where a stored segment is concerned).
        first: u32,
        /// The other value.
        second: u32,
    },
    /// Merging was stopped on request; the store is unchanged.
    #[error("merging segments was stopped")]
    Stopped,
    /// The contents handed to a writer break a rule that every segment keeps.
    #[error("cannot store these records of {namespace}: {reason}")]
    Contents {
        /// The namespace they were meant for.
        namespace: Namespace,
        /// The rule that they break.
        reason: String,
    },
}

impl StoreError {
    /// Returns the refused path if the fault is its folder's, so that another folder may work.
    pub fn refused_path(&self) -> Option<&Path> {
        match self {
            StoreError::Io(error) if error.is_of_the_folder() => Some(&error.path),
            _ => None,
        }
    }

    /// Tells whether stored data is damaged, as opposed to locked, unreachable, newer or wrongly
    /// used.
    ///
    /// ```
    /// use seedbank::store::{SegmentFault, StoreError};
    ///
    /// let path = "segments/000001-9f3c11d0.seg".into();
    /// let fault = SegmentFault::Truncated { expected: 8192, found: 100 };
    /// assert!(StoreError::Segment { path, fault }.is_damage());
    /// assert!(!StoreError::Locked { dir: "data/store".into(), pid: None }.is_damage());
    /// ```
    pub fn is_damage(&self) -> bool {
        match self {
            StoreError::Segment { fault, .. } => !matches!(fault, SegmentFault::Newer { .. }),
            StoreError::Manifest { fault, .. } => !matches!(fault, ManifestFault::Newer { .. }),
            StoreError::Io(_)
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

/// What is wrong with a segment file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SegmentFault {
    /// The manifest lists a file that is not there.
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
    /// The file goes on after its end.
    #[error("overlong: {expected} bytes expected, {found} found")]
    Overlong {
        /// The length it should have.
        expected: u64,
        /// The length it has.
        found: u64,
    },
    /// The file is something else.
    #[error("no seedbank segment: it begins with bytes {found}, not {expected}")]
    Foreign {
        /// How every segment begins, in hexadecimal.
        expected: String,
        /// How this file begins, in hexadecimal.
        found: String,
    },
    /// A later program wrote the file.
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
        /// The first digits of the checksum of what is in the file.
        computed: String,
    },
    /// The header passes its checksum and yet says something impossible.
    #[error("its header is impossible: {reason}")]
    Header {
        /// What it says.
        reason: String,
    },
    /// A sound segment, but not the one that the manifest lists under this name.
    #[error("the manifest lists another segment under this name ({difference})")]
    Unlisted {
        /// Where the two differ.
        difference: String,
    },
    /// A section fails its checksum.
    #[error("its {section} fail their checksum (stored {stored}, computed {computed})")]
    SectionChecksum {
        /// The section, in the plural.
        section: &'static str,
        /// The first digits of the checksum in the header.
        stored: String,
        /// The first digits of the checksum of what is in the file.
        computed: String,
    },
    /// A section passes its checksum and yet is no well-formed archive of its kind.
    #[error("its {section} are malformed: {reason}")]
    Section {
        /// The section, in the plural.
        section: &'static str,
        /// What is wrong.
        reason: String,
    },
}

impl SegmentFault {
    fn remedy(&self) -> &'static str {
        match self {
            SegmentFault::Newer { .. } => "; use a newer seedbank, or another store",
            _ => "; the rest of the store stays usable and what this held is computed again",
        }
    }
}

/// What is wrong with a manifest.
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
    /// It is no manifest.
    #[error("it is no manifest of a seedbank store: {reason}")]
    Malformed {
        /// Where it stops being one.
        reason: String,
    },
    /// A later program wrote it.
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

fn writer_name(pid: Option<u32>) -> String {
    match pid {
        Some(pid) if pid == std::process::id() => format!("this very process ({pid})"),
        Some(pid) => format!("process {pid}"),
        None => String::from("another process"),
    }
}
