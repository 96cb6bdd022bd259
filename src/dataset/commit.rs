//! The commit protocol of one file: write it in `tmp/`, fsync, link it to its final name, unlink, fsync the directory.
//!
//! A name is linked only if it is absent, and only to a file that is whole and on the disk, so a reader never sees a
//! file grow. A temporary file is locked while its writer lives: sweeping leaves the files of other live writers alone
//! and needs no guess about age. Where the file system has no locks, nothing is swept, which costs space only.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::DatasetError;

/// Numbers the temporary files of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A file of `tmp/`, removed on drop.
#[derive(Debug)]
pub(crate) struct TempFile {
    path: PathBuf,
    file: File,
}

impl TempFile {
    /// Creates an empty, locked file in directory `tmp` whose name begins with `stem`.
    pub(crate) fn create(tmp: &Path, stem: &str) -> Result<TempFile, DatasetError> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = tmp.join(format!("{stem}.{}-{number}.tmp", std::process::id()));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(DatasetError::io("create", &path)(error)),
            };
            match file.try_lock() {
                // Another process swept between our creating and our locking: it has, or will have, removed the name.
                Err(TryLockError::WouldBlock) => continue,
                Ok(()) if !path.exists() => continue,
                // A file system without locks has no sweepers either.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(TempFile { path, file }),
            }
        }
    }

    /// Returns where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open file.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Brings the file to the disk and gives it its final name, if that is absent; returns whether it was.
    pub(crate) fn publish(self, path: &Path) -> Result<bool, DatasetError> {
        self.file
            .sync_all()
            .map_err(DatasetError::io("fsync", &self.path))?;
        match fs::hard_link(&self.path, path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
            Err(error) => return Err(DatasetError::io("link a finished file to", path)(error)),
        }
        drop(self);
        fsync_directory_of(path)?;
        Ok(true)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // What cannot be removed now is swept when the next run begins.
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!(path = %self.path.display(), %error, "temporary file not removed");
        }
    }
}

/// Removes the temporary files of writers that are no more.
pub(crate) fn sweep(tmp: &Path) -> Result<(), DatasetError> {
    let entries = fs::read_dir(tmp).map_err(DatasetError::io("list", tmp))?;
    for entry in entries {
        let path = entry.map_err(DatasetError::io("list", tmp))?.path();
        if path.extension().is_none_or(|extension| extension != "tmp") {
            continue;
        }
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(DatasetError::io("open", &path)(error)),
        };
        if file.try_lock().is_ok() {
            tracing::info!(path = %path.display(), "removing what an interrupted run left");
            remove_if_present(&path)?;
        }
    }
    Ok(())
}

/// Removes a file, if it is there, for good; returns whether it was there.
pub(crate) fn remove(path: &Path) -> Result<bool, DatasetError> {
    let present = remove_if_present(path)?;
    if present {
        fsync_directory_of(path)?;
    }
    Ok(present)
}

/// Creates a directory and those above it, and brings their names to the disk.
pub(crate) fn create_directory(path: &Path) -> Result<(), DatasetError> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        create_directory(parent)?;
    }
    match fs::create_dir(path) {
        Ok(()) => fsync_directory_of(path),
        // Another process may have been faster.
        Err(_) if path.is_dir() => Ok(()),
        Err(error) => Err(DatasetError::io("create directory", path)(error)),
    }
}

fn remove_if_present(path: &Path) -> Result<bool, DatasetError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(DatasetError::io("remove", path)(error)),
    }
}

/// Brings the names in a file's directory to the disk.
fn fsync_directory_of(path: &Path) -> Result<(), DatasetError> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let sync = |directory: &Path| -> io::Result<()> { File::open(directory)?.sync_all() };
    // Only Unix opens directories as files; elsewhere the file system's own journal has to do.
    if cfg!(unix) {
        sync(directory).map_err(DatasetError::io("fsync directory", directory))?;
    }
    Ok(())
}
