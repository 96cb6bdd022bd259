//! Errors of the files of published values.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A file of published values that cannot be used; every variant names the file.
#[derive(Debug, Error)]
pub enum ReferenceError {
    /// The file cannot be read.
    #[error(
        "cannot read the published values in {}: {source}; without --reference, those built into the program are used",
        path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The file is not TOML, or has unexpected keys.
    #[error("{}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, column, key and the expected content.
        reason: String,
    },
    /// An entry that makes no sense.
    #[error("{}: {key}: expected {expected}, found {found}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// The entry and its key, such as `partisan[3].value`, counted from 0.
        key: String,
        /// The expected content.
        expected: String,
        /// The content found.
        found: String,
    },
}
