//! File names: making them durable, removing them, listing them.

use std::ffi::OsString;
use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::IoError;
use super::faults::{Operation, doing};
use super::layout::Layout;

/// Creates a directory and its ancestors, and makes their names durable.
///
/// The name of an existing directory is synced too: the process that created it may have been
/// killed before it synced the name. Its ancestors were synced earlier, since names are made
/// durable from the top down. If the parent directory cannot even be opened, this program created
/// nothing in it, and nothing is synced.
///
/// # Errors
///
/// Where a directory is missing and cannot be created, or its name cannot be synced.
pub fn create_directory(path: &Path) -> Result<(), IoError> {
    if path.is_dir() {
        return match sync_directory_of(path) {
            Err(error) if error.cause.kind() == ErrorKind::PermissionDenied => Ok(()),
            synced => synced,
        };
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        create_directory(above)?;
    }
    match doing(Operation::CreateDirectory(path), || fs::create_dir(path)) {
        Ok(()) => sync_directory_of(path),
        // Another process was faster, and may be killed before it has synced the name.
        Err(_) if path.is_dir() => sync_directory_of(path),
        Err(cause) => Err(IoError::on("create the directory", path)(cause)),
    }
}

/// Removes a file durably, if it exists; returns whether it did.
///
/// # Errors
///
/// Where the file or its directory is a symbolic link, the file cannot be removed, or the directory
/// cannot be synced.
pub fn remove(path: &Path) -> Result<bool, IoError> {
    refuse_link(path)?;
    path.parent().map_or(Ok(()), refuse_link)?;
    let present = remove_if_present(path)?;
    if present {
        sync_directory_of(path)?;
    }
    Ok(present)
}

/// Renames a file or folder durably, unless it is missing or the new name is taken; returns whether
/// it was renamed.
///
/// # Errors
///
/// Where it is a symbolic link, it cannot be renamed, or a directory cannot be synced.
pub fn rename(from: &Path, to: &Path) -> Result<bool, IoError> {
    refuse_link(from)?;
    let is_there = |path: &Path| {
        let found = path.try_exists();
        found.map_err(IoError::on("inspect", path))
    };
    if !is_there(from)? || is_there(to)? {
        return Ok(false);
    }
    doing(Operation::Rename(from, to), || fs::rename(from, to))
        .map_err(IoError::on("rename", from))?;
    sync_directory_of(to)?;
    sync_directory_of(from)?;
    Ok(true)
}

/// Returns whether a name begins with a dot. But for the mark of a folder, no file of this program
/// has such a name: systems and editors leave such files in any folder, such as
/// `._part-00000.parquet` or `.DS_Store`.
pub fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns the paths of the plain files in a directory, sorted; none if it does not exist.
/// [Hidden](is_hidden) files are left out.
///
/// # Errors
///
/// Where the directory cannot be listed.
pub fn plain_files(dir: &Path) -> Result<Vec<PathBuf>, IoError> {
    listed(dir, FileType::is_file)
}

/// Returns the paths of the files in a directory whose names are of its layout, sorted; none if it
/// does not exist.
///
/// # Errors
///
/// Where the directory cannot be listed.
pub fn named_files(dir: &Path, layout: &Layout) -> Result<Vec<PathBuf>, IoError> {
    let mut paths = plain_files(dir)?;
    paths.retain(|path| path.file_name().is_some_and(|name| layout.has_file(name)));
    Ok(paths)
}

/// Returns the paths of the folders in a directory, sorted; none if it does not exist.
///
/// # Errors
///
/// Where the directory cannot be listed.
pub fn folders(dir: &Path) -> Result<Vec<PathBuf>, IoError> {
    listed(dir, FileType::is_dir)
}

/// Returns the paths in a directory, whatever is there, sorted; none if it does not exist.
/// [Hidden](is_hidden) names are left out.
///
/// # Errors
///
/// Where the directory cannot be listed.
pub fn paths(dir: &Path) -> Result<Vec<PathBuf>, IoError> {
    listed(dir, |_| true)
}

fn listed(dir: &Path, is_wanted: fn(&FileType) -> bool) -> Result<Vec<PathBuf>, IoError> {
    let wanted = entries(dir)?
        .into_iter()
        .filter(|(name, kind)| is_wanted(kind) && !is_hidden(name.as_ref()));
    Ok(wanted.map(|(name, _)| dir.join(name)).collect())
}

/// Returns the names in a directory and their types, sorted; none if it does not exist. Links are
/// not followed.
pub(super) fn entries(dir: &Path) -> Result<Vec<(OsString, FileType)>, IoError> {
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(IoError::on("list", dir)(cause)),
    };
    let mut entries = Vec::new();
    for entry in listed {
        let entry = entry.map_err(IoError::on("list", dir))?;
        let kind = entry.file_type();
        let kind = kind.map_err(IoError::on("inspect", &entry.path()))?;
        entries.push((entry.file_name(), kind));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Refuses a path that is a symbolic link, for removing something there.
///
/// # Errors
///
/// If it is one.
pub fn refuse_link(path: &Path) -> Result<(), IoError> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(IoError::on("remove files through", path)(
            io::Error::other("it is a symbolic link; remove the link, or choose another folder"),
        )),
        // A missing name has nothing to remove, and another fault shows when something is removed.
        _ => Ok(()),
    }
}

/// Removes a file, if it exists; after a loss of power it may be back.
pub(super) fn remove_if_present(path: &Path) -> Result<bool, IoError> {
    match doing(Operation::Remove(path), || fs::remove_file(path)) {
        Ok(()) => Ok(true),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(IoError::on("remove", path)(cause)),
    }
}

/// Makes the names in a file's directory durable, including removals.
pub(super) fn sync_directory_of(path: &Path) -> Result<(), IoError> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    // Only Unix opens directories as files; elsewhere the file system's own journal must suffice.
    if cfg!(unix) {
        let open = File::open(dir).map_err(IoError::on("open", dir))?;
        doing(Operation::SyncDirectory(dir), || open.sync_all())
            .map_err(IoError::on("sync", dir))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_created_with_those_above_and_again() {
        let scratch = tempfile::tempdir().unwrap();
        let deep = scratch.path().join("a/b/c");
        create_directory(&deep).unwrap();
        create_directory(&deep).unwrap();
        assert!(deep.is_dir());
    }

    #[test]
    fn a_file_in_the_way_of_a_directory_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        for path in [file.clone(), file.join("below")] {
            let text = create_directory(&path).unwrap_err().to_string();
            let expected = format!("cannot create the directory {}: ", file.display());
            assert!(text.starts_with(&expected), "{text}");
        }
    }

    #[test]
    fn removing_tells_whether_there_was_a_file() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(remove(&file).unwrap());
        assert!(!remove(&file).unwrap());
        let text = remove(scratch.path()).unwrap_err().to_string();
        assert!(text.starts_with("cannot remove "), "{text}");
    }

    #[test]
    fn plain_files_are_listed_in_order_without_directories() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        fs::create_dir(path("c")).unwrap();
        for name in ["d", "a", "b", "._a"] {
            fs::write(path(name), "").unwrap();
        }
        let listed = plain_files(scratch.path()).unwrap();
        assert_eq!(listed, [path("a"), path("b"), path("d")]);
        assert_eq!(plain_files(&path("e")).unwrap(), [""; 0].map(PathBuf::from));
        assert!(plain_files(&path("a")).is_err());
    }
}
