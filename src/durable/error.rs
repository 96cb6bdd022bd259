//! Errors of the operating system, with the operation and the path.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The operating system refused an operation on a file or directory.
///
/// The message includes the cause, so the error has no source.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {cause}{}", path.display(), remedy(cause))]
pub struct IoError {
    /// The operation, as a verb.
    pub action: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The operating system's error.
    pub cause: io::Error,
}

impl IoError {
    /// Returns whether the folder is at fault, so that another may work: access is denied, it is
    /// not a folder, or its disk is full.
    pub fn is_of_the_folder(&self) -> bool {
        is_of_the_folder(&self.cause)
    }

    /// Returns a closure that adds the operation and the path to an error, for `map_err`.
    pub fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> IoError {
        move |cause| IoError {
            action,
            path: path.to_owned(),
            cause,
        }
    }
}

/// Returns what to do about an error whose message does not say it.
fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::FileTooLarge => "; raise the limit on the size of files (ulimit -f)",
        _ => "",
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
