//! Temporary files, and the removal of those whose writers died.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::IoError;
use super::directory::{
    create_directory, plain_files, refuse_link, remove_if_present, sync_directory_of,
};
use super::faults::{Operation, doing};
use super::layout::TMP_FILES;

/// Numbers the temporary files of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A file in `tmp/` that is removed on drop, unless it has been published or has replaced a file.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// Creates an empty, locked file in directory `tmp` whose name begins with `stem`, and creates
    /// the directory if it is missing.
    ///
    /// # Errors
    ///
    /// Where the directory or the file cannot be created. A file system without locks is not an
    /// error.
    pub fn create(tmp: &Path, stem: &str) -> Result<Temporary, IoError> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = tmp.join(format!("{stem}.{}-{number}.tmp", std::process::id()));
            let create = || OpenOptions::new().write(true).create_new(true).open(&path);
            let file = match doing(Operation::Create(&path), create) {
                Ok(file) => file,
                Err(cause) if cause.kind() == ErrorKind::AlreadyExists => continue,
                // A writer that has finished removes the directory, perhaps while another starts.
                Err(cause) if cause.kind() == ErrorKind::NotFound => {
                    create_directory(tmp)?;
                    continue;
                }
                Err(cause) => return Err(IoError::on("create", &path)(cause)),
            };
            match file.try_lock() {
                // Another process removed leftovers between creation and locking: it has removed the name, or
                // is about to.
                Err(TryLockError::WouldBlock) => continue,
                Ok(()) if !path.exists() => continue,
                // A file system without locks removes no leftovers either.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Temporary { path, file }),
            }
        }
    }

    /// Returns the temporary path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// Where the disk refuses, named as `cannot write`.
    pub fn write_all(&mut self, bytes: &[u8]) -> Result<(), IoError> {
        let written = Write::write_all(self, bytes);
        written.map_err(IoError::on("write", &self.path))
    }

    /// Makes the contents durable and gives them a name, unless it exists; returns whether it was
    /// absent.
    ///
    /// Either way the name is durable afterwards, whichever process created it.
    ///
    /// # Errors
    ///
    /// Where a sync or the link fails; after a failed sync of the directory the name may exist.
    pub fn publish(self, to: &Path) -> Result<bool, IoError> {
        self.sync()?;
        let absent = match doing(Operation::Link(&self.path, to), || {
            fs::hard_link(&self.path, to)
        }) {
            Ok(()) => true,
            Err(cause) if cause.kind() == ErrorKind::AlreadyExists => false,
            Err(cause) => return Err(IoError::on("link a finished file to", to)(cause)),
        };
        drop(self);
        // The process that created the name may have been killed before it synced the directory.
        sync_directory_of(to)?;
        Ok(absent)
    }

    /// Makes the contents durable and atomically replaces another file, if there is one.
    ///
    /// # Errors
    ///
    /// Where a sync or the renaming fails; after a failed sync of the directory the other file may
    /// already be replaced.
    pub fn replace(self, to: &Path) -> Result<(), IoError> {
        self.sync()?;
        doing(Operation::Rename(&self.path, to), || {
            fs::rename(&self.path, to)
        })
        .map_err(IoError::on("replace", to))?;
        sync_directory_of(to)
    }

    fn sync(&self) -> Result<(), IoError> {
        doing(Operation::Sync(&self.path), || self.file.sync_all())
            .map_err(IoError::on("sync", &self.path))
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Temporary { path, file } = self;
        doing(Operation::Write(path), || file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Temporary {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Already gone after `replace`; if it cannot be removed now, the next writer removes it.
        if let Err(error) = remove_if_present(&self.path) {
            tracing::debug!("{error}; the next writer removes it");
        }
    }
}

/// Removes the files of dead writers from a directory `tmp`: those with the names that
/// [`Temporary::create`] gives. Others stay.
///
/// # Errors
///
/// Where the directory is a symbolic link or cannot be listed, or a file cannot be removed.
pub fn remove_leftovers(tmp: &Path) -> Result<(), IoError> {
    refuse_link(tmp)?;
    for path in plain_files(tmp)? {
        if !path
            .file_name()
            .is_some_and(|name| TMP_FILES.has_file(name))
        {
            continue;
        }
        // Some network file systems lock only files open for writing, but another user's file may
        // be readable only.
        let writable = OpenOptions::new().write(true).open(&path);
        let file = match writable.or_else(|_| File::open(&path)) {
            Ok(file) => file,
            Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
            Err(cause) => return Err(IoError::on("open", &path)(cause)),
        };
        if file.try_lock().is_ok() {
            tracing::info!(path = %path.display(), "removing a file that an interrupted run left");
            remove_if_present(&path)?;
        }
    }
    Ok(())
}

/// Removes the directory `tmp` after the last write, if it exists and is empty.
///
/// A failure is logged but is not an error: the next writer empties the directory.
pub fn remove_empty(tmp: &Path) {
    if let Err(error) = fs::remove_dir(tmp) {
        tracing::debug!("{} stays: {error}", tmp.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_names(dir: &Path) -> Vec<String> {
        let paths = plain_files(dir).unwrap();
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        paths.iter().map(name).collect()
    }

    fn written(dir: &Path, bytes: &[u8]) -> Temporary {
        let mut temporary = Temporary::create(dir, "file").unwrap();
        temporary.write_all(bytes).unwrap();
        temporary
    }

    #[test]
    fn publishing_gives_a_name_once() {
        let scratch = tempfile::tempdir().unwrap();
        let to = scratch.path().join("final");
        let (first, second) = (written(scratch.path(), b"1"), written(scratch.path(), b"2"));
        assert_ne!(first.path(), second.path());
        assert!(!to.exists());
        assert!(first.publish(&to).unwrap());
        assert!(!second.publish(&to).unwrap());
        assert_eq!(fs::read(&to).unwrap(), b"1");
        assert_eq!(file_names(scratch.path()), ["final"]);
    }

    #[test]
    fn replacing_puts_one_file_in_the_place_of_another() {
        let scratch = tempfile::tempdir().unwrap();
        let to = scratch.path().join("final");
        for bytes in [b"1", b"2"] {
            written(scratch.path(), bytes).replace(&to).unwrap();
            assert_eq!(fs::read(&to).unwrap(), bytes);
        }
        assert_eq!(file_names(scratch.path()), ["final"]);
    }

    #[test]
    fn what_is_dropped_or_cannot_be_named_vanishes() {
        let scratch = tempfile::tempdir().unwrap();
        let nowhere = scratch.path().join("missing/final");
        drop(written(scratch.path(), b"1"));
        let error = written(scratch.path(), b"2").publish(&nowhere).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cannot link a finished file to "),
            "{error}"
        );
        let error = written(scratch.path(), b"3").replace(&nowhere).unwrap_err();
        assert!(error.to_string().starts_with("cannot replace "), "{error}");
        assert_eq!(file_names(scratch.path()), [""; 0]);
    }

    #[test]
    fn removing_leftovers_takes_files_of_the_dead_and_leaves_those_of_the_living() {
        let scratch = tempfile::tempdir().unwrap();
        let tmp = scratch.path().join("tmp");
        create_directory(&tmp).unwrap();
        let theirs = tmp.join("half a thesis");
        fs::write(&theirs, "89").unwrap();
        fs::write(tmp.join("file.1-0.tmp"), "89").unwrap();
        let alive = written(&tmp, b"1");
        remove_leftovers(&tmp).unwrap();
        assert_eq!(plain_files(&tmp).unwrap(), [alive.path(), &theirs]);
        let to = scratch.path().join("final");
        assert!(alive.publish(&to).unwrap());
        assert_eq!(fs::read(to).unwrap(), b"1");
    }
}
