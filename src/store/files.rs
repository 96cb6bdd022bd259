//! The commit protocol: what makes a file durable, whole and never half-visible.
//!
//! A file is written under `tmp/` and synced; then either *published*, which gives it a name that
//! nothing had before, or *replaces* a file atomically; then its directory is synced. A failed sync
//! is never retried: the kernel may have dropped the pages and reported it only once, so the
//! file is dropped and the error returned.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;

/// A file below `tmp/` that vanishes unless it is published or replaces another.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// Creates the file; one that a killed process left under the same name is replaced.
    pub(crate) fn create(path: PathBuf) -> Result<Temporary, StoreError> {
        let file = File::create(&path).map_err(StoreError::io("create", &path))?;
        Ok(Temporary { path, file })
    }

    /// Returns the open file.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Returns where the file is for now.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the contents durable and gives them a name that must be new.
    ///
    /// The caller syncs the directory, once for all files that it publishes.
    pub(crate) fn publish(self, to: &Path) -> Result<(), StoreError> {
        self.file
            .sync_all()
            .map_err(StoreError::io("sync", &self.path))?;
        fs::hard_link(&self.path, to).map_err(StoreError::io("create", to))
    }

    /// Makes the contents durable and puts them in the place of another file, atomically.
    pub(crate) fn replace(self, to: &Path) -> Result<(), StoreError> {
        self.file
            .sync_all()
            .map_err(StoreError::io("sync", &self.path))?;
        fs::rename(&self.path, to).map_err(StoreError::io("replace", to))?;
        to.parent().map_or(Ok(()), sync_directory)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already after `replace`; and what stays behind is removed by the next writer.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(dir: &Path) -> Result<(), StoreError> {
    // Directories can be opened and synced on Unix only; elsewhere names are durable by themselves.
    if cfg!(unix) {
        let open = File::open(dir).map_err(StoreError::io("open", dir))?;
        open.sync_all().map_err(StoreError::io("sync", dir))?;
    }
    Ok(())
}

/// Creates a directory and those above it, durably.
pub(crate) fn create_directory(dir: &Path) -> Result<(), StoreError> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir).map_err(StoreError::io("create the directory", dir))?;
    match dir.parent() {
        Some(parent) if parent.as_os_str().is_empty() => sync_directory(Path::new(".")),
        Some(parent) => sync_directory(parent),
        None => Ok(()),
    }
}

/// Returns the names of the plain files in a directory, sorted; none if it does not exist.
pub(crate) fn file_names(dir: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", dir)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(StoreError::io("list", dir))?;
        let kind = entry
            .file_type()
            .map_err(StoreError::io("inspect", &entry.path()))?;
        if kind.is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
