//! Errors of the operating system, with the operation and the path.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The operating system refused an operation on a file or directory.
///
/// The message includes the cause, so the error has no source.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {cause}", path.display())]
pub struct IoError {
    /// The operation, as a verb.
    pub action: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The operating system's error.
    pub cause: io::Error,
}

impl IoError {
    /// Returns the path and what the user can do there; `None` if no other place would help.
    pub fn refusal(&self) -> Option<Refusal<'_>> {
        let remedy = Some(remedy(&self.cause)?);
        Some(Refusal {
            path: &self.path,
            remedy,
        })
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

/// A place that was refused, so that another may work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal<'a> {
    /// The file or folder.
    pub path: &'a Path,
    /// What the user can do to use this place nevertheless, as an imperative.
    pub remedy: Option<&'static str>,
}

/// Returns what the user can do about an error of the operating system, if the place is at fault.
fn remedy(cause: &io::Error) -> Option<&'static str> {
    use io::ErrorKind::*;
    Some(match cause.kind() {
        PermissionDenied => "change its permissions",
        ReadOnlyFilesystem => "make its file system writable",
        StorageFull => "make room on its disk",
        QuotaExceeded => "make room in your disk quota",
        FileTooLarge => "raise the limit on the size of files (ulimit -f)",
        NotADirectory | AlreadyExists => "move the file away that is in the place of a folder",
        IsADirectory => "move the folder away that is in the place of a file",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_depends_on_the_cause() {
        let remedy = |number| {
            let error = IoError::on("write", Path::new("a"))(io::Error::from_raw_os_error(number));
            error.refusal().and_then(|refusal| refusal.remedy)
        };
        // EACCES, ENOSPC, ENOTDIR and EIO, which have these numbers on all Unix systems.
        assert_eq!(remedy(13), Some("change its permissions"));
        assert_eq!(remedy(28), Some("make room on its disk"));
        assert_eq!(
            remedy(20),
            Some("move the file away that is in the place of a folder")
        );
        assert_eq!(remedy(5), None);
    }
}
