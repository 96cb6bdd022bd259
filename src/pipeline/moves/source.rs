//! A file of moves as its formats see it: bytes to read, lines to pass on, and faults with their places.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cggames::game::moves::Movers;
use cgsolvers::StopReason;
use seedbank_files::digest::Digest;
use seedbank_files::input;
use thiserror::Error;

/// The bytes of a file read at a time.
pub(super) const BUFFER_BYTES: usize = 1 << 20;

/// The keys of a line.
pub(super) const KEYS: [&str; 4] = ["position", "left", "right", "options"];

/// A file of moves that cannot be used; the text names the file and, where there is one, the line.
#[derive(Debug, Error)]
pub enum MovesFileError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no file of moves.
    #[error("{}{place}: {fault}", path.display())]
    Fault {
        /// The file.
        path: PathBuf,
        /// The line, or what the format has in its place.
        place: String,
        /// What was found, what is accepted and what to do.
        fault: String,
    },
    /// The file is no longer as it was.
    #[error("{}: has changed since the job was read; run it again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Reading was stopped.
    #[error("stopped early: {0}")]
    Stopped(StopReason),
}

/// What is done with the lines of a file.
pub(super) trait Lines {
    /// Takes a move of the current line.
    fn option(&mut self, movers: Movers, name: &str);

    /// Takes the position whose line ends; no more lines are read if it breaks.
    fn end_line(&mut self, position: &str) -> ControlFlow<()>;
}

/// Where reading has ended.
pub(super) enum End {
    /// At the line with this place.
    Line(String),
    /// At the end of the file, whose bytes have this digest.
    File(Digest),
}

impl End {
    /// Returns the digest of the file.
    pub(super) fn digest(self, source: Source<'_>) -> Result<Digest, MovesFileError> {
        match self {
            End::File(digest) => Ok(digest),
            End::Line(_) => source.digest(),
        }
    }
}

/// A file that is read as text.
pub(super) type Text = BufReader<Hashed>;

/// A file whose bytes are hashed as they are read.
pub(super) struct Hashed {
    file: File,
    hasher: blake3::Hasher,
}

impl Hashed {
    /// Returns the digest of the bytes read so far.
    pub(super) fn digest(self) -> Digest {
        self.hasher.finalize().into()
    }
}

impl Read for Hashed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}

/// A file, by its path.
#[derive(Clone, Copy)]
pub(super) struct Source<'p> {
    pub(super) path: &'p Path,
}

impl Source<'_> {
    pub(super) fn file(self) -> Result<File, MovesFileError> {
        input::open(self.path).map_err(|source| self.unreadable(source))
    }

    /// Returns the text of the file, behind its byte order mark if it has one.
    pub(super) fn text(self) -> Result<Text, MovesFileError> {
        let hashed = Hashed {
            file: self.file()?,
            hasher: blake3::Hasher::new(),
        };
        let mut text = BufReader::with_capacity(BUFFER_BYTES, hashed);
        let start = text.fill_buf().map_err(|source| self.unreadable(source))?;
        if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
            return Err(self.fault(String::new(), "the text is UTF-16; save it as UTF-8"));
        }
        if start.starts_with("\u{feff}".as_bytes()) {
            text.consume("\u{feff}".len());
        }
        Ok(text)
    }

    pub(super) fn digest(self) -> Result<Digest, MovesFileError> {
        let mut hasher = blake3::Hasher::new();
        let read = hasher.update_reader(self.file()?);
        let hasher = read.map_err(|source| self.unreadable(source))?;
        Ok(hasher.finalize().into())
    }

    pub(super) fn unreadable(self, source: io::Error) -> MovesFileError {
        MovesFileError::Unreadable {
            path: self.path.to_owned(),
            source,
        }
    }

    pub(super) fn fault(self, place: String, fault: impl ToString) -> MovesFileError {
        MovesFileError::Fault {
            path: self.path.to_owned(),
            place,
            fault: fault.to_string(),
        }
    }
}

/// Returns the error of a name that is no key of a line.
pub(super) fn unknown_key(found: &str) -> String {
    format!("unknown key {found:?}; accepted: {}", KEYS.join(", "))
}
