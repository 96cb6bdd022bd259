//! The commit protocol, which makes a file durable, whole and never half-visible.
//!
//! Segments and manifests of a store, and parts, records and manifests of a result set all reach
//! the disk in the same way:
//!
//! 1. A [`Temporary`] file is created in a directory `tmp/` beside the final place, and locked for
//!    as long as its writer lives. The directory is created when it is needed.
//! 2. It is written and synced.
//! 3. It is *published*: a hard link gives it its name unless that exists, so two workers on one
//!    file are harmless. Or it *replaces* a file by an atomic rename.
//! 4. The directory of the final name is synced, and the name in `tmp/` is removed.
//!
//! Invariants: a final name refers to no file, or to one that is whole and on the disk. A published
//! file never changes or shrinks. A failed sync is never retried: the kernel may have dropped the
//! pages and reports that only once, so the file is dropped and the error returned. The next writer
//! [removes](remove_leftovers) the files of dead writers, never those of live ones; the lock distinguishes them
//! without a guess about age. On a file system without locks nothing is removed, which costs only
//! space.
//!
//! A writer [claims](claim) the folder of a store or of results before anything else, and only files
//! whose names the program makes there are ever removed (`folders.rs`). A [`Lock`] admits one writer
//! at a time to a folder.
//!
//! Files that the user names are written by [`write_whole`], outside these folders and without a
//! directory `tmp/`.
//!
//! Small JSON files also carry a checksum of themselves on their first line: see [`seal`].
//!
//! Debug builds count every change that this module makes on the disk. Tests make one of each kind
//! fail, or be the last before the process or the machine goes down (`faults.rs`,
//! `tests/faults.rs`).
//!
//! This module knows files and directories, but not their contents. The caller chooses which name
//! is the commit point.
//!
//! Source for the required syncs and for the rule on failures: A. Rebello et al., *Can Applications
//! Recover from fsync Failures?*, USENIX ATC 2020.
//!
//! ```
//! use std::fs;
//!
//! use seedbank_files::durable::{Temporary, create_directory, remove_leftovers};
//!
//! let dir = tempfile::tempdir()?;
//! let tmp = dir.path().join("tmp");
//! create_directory(&tmp)?;
//! remove_leftovers(&tmp)?;
//!
//! let path = dir.path().join("answer");
//! let mut temporary = Temporary::create(&tmp, "answer")?;
//! temporary.write_all(b"42")?;
//! assert!(temporary.publish(&path)?);
//!
//! // A second worker is too late: its file is dropped.
//! let mut temporary = Temporary::create(&tmp, "answer")?;
//! temporary.write_all(b"43")?;
//! assert!(!temporary.publish(&path)?);
//! assert_eq!(fs::read(&path)?, b"42");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::hash::{BuildHasher, RandomState};

mod directory;
mod error;
mod faults;
mod folders;
mod layout;
mod lock;
mod output;
mod sealed;
mod temporary;

pub use directory::{
    create_directory, folders, is_hidden, named_files, paths, plain_files, refuse_link, remove,
    rename,
};
pub use error::{IoError, Refusal};
pub use folders::{ClaimError, check_claim, claim, is_marked, remove_folder};
pub use layout::{EARLIER, Layout, MARK, RECORDS, RESULT, SEGMENT_MAGIC, STORE, TABLE};
pub use layout::{NUMBERED, NUMBERED_FOLDERS, SEGMENTS, SHARDS, SITE, SITE_PAGES, TMP};
pub use lock::{Holder, Lock, LockError};
pub use output::{is_standard_output, write_whole};
pub use sealed::{SealFault, seal, unseal};
pub use temporary::{Temporary, remove_empty, remove_leftovers};

/// Returns a random number, by which files of different writers are told apart.
pub fn random_number() -> u64 {
    RandomState::new().hash_one(0)
}
