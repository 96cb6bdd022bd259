//! Locks that admit one writer at a time to a folder.
//!
//! The operating system ties a lock to an open file, so it ends with the process that took it,
//! however that ends. It is advisory: readers need no lock, since visible files never change. The
//! file says who holds the lock, for the message of the process that comes too late. Process
//! numbers repeat in containers and on other hosts, so the file also names the machine, the space
//! of its process numbers, and a random token of the process.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{IoError, random_number};
use crate::input;

/// The right to write to a folder, released on drop.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// Whether the contents of the file are those of a lock, and not the user's.
    is_own: bool,
    /// The path of the file, if it is removed on drop.
    removed: Option<PathBuf>,
}

/// The reason why a lock could not be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another writer holds it, in this process or another.
    #[error("it is held by {0}")]
    Held(Holder),
    /// The file system has no locks.
    #[error(transparent)]
    Unsupported(IoError),
    /// The operating system refused to open or to lock the file.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// What a lock file says about the process that holds the lock.
///
/// ```
/// use seedbank_files::durable::{Holder, Lock, LockError};
///
/// let dir = tempfile::tempdir()?;
/// let path = dir.path().join("store.lock");
/// let lock = Lock::take(&path)?;
/// let Err(LockError::Held(holder)) = Lock::take(&path) else {
///     panic!("it is taken");
/// };
/// assert_eq!(holder, Holder::ThisProcess(std::process::id()));
/// drop(lock);
/// Lock::take(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// This process.
    ThisProcess(u32),
    /// A process of this machine, whose number is valid here.
    Process(u32),
    /// A process of another machine or container, with the number and the host's name there.
    Elsewhere {
        /// The process's number there.
        pid: u32,
        /// The host's name there; empty if the system has none.
        host: String,
    },
    /// The file does not say.
    Unknown,
}

/// The contents of a lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    pid: u32,
    /// A random number of the process.
    token: u64,
    /// The start of the machine and the space of its process numbers.
    machine: String,
    host: String,
}

impl Identity {
    /// Returns that of this process.
    fn own() -> &'static Identity {
        static OWN: LazyLock<Identity> = LazyLock::new(|| {
            // What the system does not tell is missing in messages only.
            let line = |path| {
                fs::read_to_string(path)
                    .unwrap_or_default()
                    .trim()
                    .to_owned()
            };
            let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
            Identity {
                pid: std::process::id(),
                token: random_number(),
                machine: format!(
                    "{} {}",
                    line("/proc/sys/kernel/random/boot_id"),
                    space.display()
                ),
                host: line("/proc/sys/kernel/hostname"),
            }
        });
        &OWN
    }
}

impl Holder {
    /// Returns the process that wrote a lock file, as `own` sees it.
    fn of(text: &str, own: &Identity) -> Holder {
        let Ok(found) = serde_json::from_str::<Identity>(text) else {
            return Holder::Unknown;
        };
        if found == *own {
            Holder::ThisProcess(found.pid)
        } else if found.machine == own.machine && found.host == own.host {
            Holder::Process(found.pid)
        } else {
            Holder::Elsewhere {
                pid: found.pid,
                host: found.host,
            }
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holder::ThisProcess(pid) => write!(f, "this very process ({pid})"),
            Holder::Process(pid) => write!(f, "process {pid}"),
            Holder::Elsewhere { pid, host } => write!(
                f,
                "process {pid} of another machine or container, whose host name is {host:?}"
            ),
            Holder::Unknown => write!(f, "another process"),
        }
    }
}

impl Lock {
    /// Takes the lock whose file has this path, in an existing folder, without waiting.
    ///
    /// # Errors
    ///
    /// [`LockError::Held`] while another lock on the file lives; [`LockError::Unsupported`] on a
    /// file system without locks; a file that cannot be opened.
    pub fn take(path: &Path) -> Result<Lock, LockError> {
        loop {
            let file = input::regular(path).and_then(|()| {
                OpenOptions::new()
                    .read(true)
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(path)
            });
            let file = file.map_err(IoError::on("open", path))?;
            let lock = Lock::on(file, path)?;
            // The holder before may have removed the file since it was opened here.
            if is_named(&lock.file, path) {
                return Ok(lock);
            }
        }
    }

    /// Takes the lock as [`Lock::take`] does; its file is removed on drop. Returns `None` where
    /// nobody can write to the folder, or no locks exist; of the latter it warns.
    ///
    /// # Errors
    ///
    /// As [`Lock::take`].
    pub fn take_if_possible(path: &Path) -> Result<Option<Lock>, LockError> {
        let taken = match Lock::take(path) {
            Err(LockError::Io(error)) if is_denied(&error) => match input::open(path) {
                // Another user made the file.
                Ok(file) => Lock::on(file, path),
                Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
                Err(_) => Err(error.into()),
            },
            taken => taken,
        };
        match taken {
            Err(LockError::Unsupported(error)) => {
                tracing::warn!("{error}; let no other run write to this folder at the same time");
                Ok(None)
            }
            taken => {
                let mut lock = taken?;
                lock.removed = (cfg!(unix) && lock.is_own).then(|| path.to_owned());
                Ok(Some(lock))
            }
        }
    }

    fn on(mut file: File, path: &Path) -> Result<Lock, LockError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let read = file.read_to_string(&mut text);
                return Err(LockError::Held(match read {
                    Ok(_) => Holder::of(&text, Identity::own()),
                    Err(_) => Holder::Unknown,
                }));
            }
            Err(TryLockError::Error(cause)) => {
                let is_unsupported = cause.kind() == ErrorKind::Unsupported
                    || cause.raw_os_error() == Some(NO_LOCKS);
                let error = IoError::on("lock", path)(cause);
                return Err(if is_unsupported {
                    LockError::Unsupported(error)
                } else {
                    LockError::Io(error)
                });
            }
        }
        // The text only makes the message of the next process clearer: failing to write it, for
        // example on a full disk, is no reason to stop. A text of other origin is the user's.
        let mut found = String::new();
        let is_own = file.read_to_string(&mut found).is_ok() && is_of_a_lock(&found);
        if is_own {
            let text = serde_json::to_string(Identity::own()).expect("numbers and texts are JSON");
            let _ = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| writeln!(file, "{text}"));
        }
        let removed = None;
        Ok(Lock {
            file,
            is_own,
            removed,
        })
    }
}

/// Returns whether a text is one that a lock file has; earlier versions wrote the process number
/// alone.
fn is_of_a_lock(text: &str) -> bool {
    text.trim().bytes().all(|byte| byte.is_ascii_digit())
        || serde_json::from_str::<Identity>(text).is_ok()
}

/// Returns whether a path still names an open file.
fn is_named(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let of = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let (open, named) = (file.metadata().map(of), fs::metadata(path).map(of));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Linux's number of the error that a file system has no locks (ENOLCK).
const NO_LOCKS: i32 = 37;

fn is_denied(error: &IoError) -> bool {
    matches!(
        error.cause.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

impl Drop for Lock {
    /// Unlocks the file explicitly. Closing it is not enough: a process that another thread is
    /// spawning holds it open, too, until the system has replaced its program.
    fn drop(&mut self) {
        if let Some(path) = &self.removed {
            // A file that stays does no harm.
            let _ = fs::remove_file(path);
        }
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_given_back_although_the_file_is_still_open_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let lock = Lock::take(&path).unwrap();
        let inherited = lock.file.try_clone().unwrap();
        Lock::take(&path).unwrap_err();
        drop(lock);
        Lock::take(&path).unwrap();
        drop(inherited);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_pipe_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        for text in [
            Lock::take(&path).unwrap_err().to_string(),
            Lock::take_if_possible(&path).unwrap_err().to_string(),
        ] {
            assert!(text.contains("it is a pipe"), "{text}");
        }
    }

    #[test]
    fn a_process_number_counts_only_on_its_machine() {
        let own = Identity::own();
        let holder = |found: &Identity| {
            let text = serde_json::to_string(found).unwrap();
            Holder::of(&text, own).to_string()
        };
        assert_eq!(holder(own), format!("this very process ({})", own.pid));
        let mut other = own.clone();
        other.token += 1;
        assert_eq!(holder(&other), format!("process {}", own.pid));
        other.machine.push('1');
        other.host = "web-1".to_owned();
        let expected = format!(
            "process {} of another machine or container, whose host name is \"web-1\"",
            own.pid
        );
        assert_eq!(holder(&other), expected);
        assert_eq!(Holder::of("1\n", own), Holder::Unknown);
    }

    #[test]
    fn a_folder_to_which_nobody_can_write_needs_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let lock = Lock::take_if_possible(&path).unwrap();
        assert!(lock.is_some());
        let held = Lock::take_if_possible(&path).unwrap_err();
        assert!(matches!(held, LockError::Held(Holder::ThisProcess(_))));
        drop(lock);
        assert_eq!(path.exists(), cfg!(not(unix)));
        // A file of the user stays.
        fs::write(&path, "mine").unwrap();
        drop(Lock::take_if_possible(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        fs::remove_file(&path).unwrap();
        let missing = dir.path().join("missing/lock");
        let missing = Lock::take_if_possible(&missing).unwrap_err();
        assert!(missing.to_string().starts_with("cannot open "), "{missing}");
    }
}
