//! What the operating system refused, and on which path.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The operating system refused an operation on a file or directory.
///
/// The cause stands in the message and is not repeated as the error's source.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {cause}", path.display())]
pub struct IoError {
    /// What was tried, as a verb.
    pub action: &'static str,
    /// The file or directory that it was tried on.
    pub path: PathBuf,
    /// What the operating system answered.
    pub cause: io::Error,
}

impl IoError {
    /// Returns whether the folder is at fault, so that another may work: it must not be written to
    /// or read, it is no folder, or its disk is full.
    pub fn is_of_the_folder(&self) -> bool {
        is_of_the_folder(&self.cause)
    }

    /// Returns a closure that says what was tried on which path, for `map_err`.
    pub fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> IoError {
        move |cause| IoError {
            action,
            path: path.to_owned(),
            cause,
        }
    }
}

/// Returns whether another folder may work after this error of the operating system.
pub(crate) fn is_of_the_folder(cause: &io::Error) -> bool {
    use io::ErrorKind::*;
    matches!(
        cause.kind(),
        PermissionDenied
            | ReadOnlyFilesystem
            | NotADirectory
            | AlreadyExists
            | StorageFull
            | QuotaExceeded
    )
}
