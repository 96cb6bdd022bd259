//! The lock that admits one writer at a time to a store.
//!
//! The operating system ties it to an open file, so it ends with the process that took it, however
//! that ends. It is advisory: readers need no lock, since visible files never change.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::StoreError;

/// The name of the lock file in the directory of a store.
pub(crate) const LOCK_FILE: &str = "store.lock";

/// The right to write to a store, released on drop.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
}

impl Drop for WriterLock {
    /// Unlocks the file explicitly. Closing it is not enough: a process that another thread is
    /// spawning holds it open, too, until the system has replaced its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl WriterLock {
    /// Takes the lock of the store in an existing directory, without waiting.
    pub(crate) fn take(dir: &Path) -> Result<WriterLock, StoreError> {
        let path = dir.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let pid = file
                    .read_to_string(&mut text)
                    .ok()
                    .and_then(|_| text.trim().parse().ok());
                return Err(StoreError::Locked {
                    dir: dir.to_path_buf(),
                    pid,
                });
            }
            Err(TryLockError::Error(cause)) => return Err(StoreError::io("lock", &path)(cause)),
        }
        let mut text = String::new();
        let is_ours = file.read_to_string(&mut text).is_ok()
            && text.trim().bytes().all(|byte| byte.is_ascii_digit());
        // The number only makes the message of the next process clearer: failing to write it, for
        // example on a full disk, is no reason to stop. Other contents are the user's.
        if is_ours {
            let _ = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| writeln!(file, "{}", std::process::id()));
        }
        Ok(WriterLock { file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_given_back_although_the_file_is_still_open_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let lock = WriterLock::take(dir.path()).unwrap();
        let inherited = lock.file.try_clone().unwrap();
        WriterLock::take(dir.path()).unwrap_err();
        drop(lock);
        WriterLock::take(dir.path()).unwrap();
        drop(inherited);
    }
}
