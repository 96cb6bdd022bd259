//! Files of moves: games of the user's own, a line for each position.
//!
//! A line has the position's name in `position`, the names of the positions that Left can move to in `left` and those that Right
//! can move to in `right`; `options` has those that both can move to. A list that is missing or null is empty. Names are any text.
//! The formats, by the ending of the file's name:
//!
//! | ending | format |
//! |---|---|
//! | `.csv` | CSV with a header; a list is JSON if it begins with `["` or is `[]`, and otherwise names with blanks between them |
//! | `.parquet` | Parquet with a column of texts and columns of lists of texts |
//! | any other | a JSON object a line |
//!
//! Files are read as a stream, in any order of lines.
//!
//! ```
//! use seedbank::game::Player;
//! use seedbank::moves::MovesFile;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("day-1.ndjson");
//! std::fs::write(&path, "{\"position\": \"1\", \"left\": [\"0\"]}\n{\"position\": \"0\"}\n")?;
//! let file = MovesFile::open(&path)?;
//! assert_eq!(file.positions, 2);
//! let moves = file.read(|_| None)?;
//! assert_eq!(moves.options(0, Player::Left), [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod csv;
mod json;
mod parquet;
mod write;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cggames::game::moves::{Movers, Moves, MovesBuilder, MovesError};
use cgsolvers::StopReason;
use seedbank_files::digest::Digest;
use seedbank_files::input;
use thiserror::Error;

pub use self::write::MovesLine;

/// The bytes of a file read at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// The lines read between two checks whether to stop.
const LINES_A_CHECK: usize = 1 << 12;

/// The keys of a line.
const KEYS: [&str; 4] = ["position", "left", "right", "options"];

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

/// A file of moves, as it was when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesFile {
    /// The file.
    pub path: PathBuf,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The number of its lines, each for one position.
    pub positions: u64,
}

impl MovesFileError {
    /// Returns the error of a fault that belongs to no line.
    pub(crate) fn of_file(path: &Path, fault: impl ToString) -> MovesFileError {
        Source { path }.fault(String::new(), fault)
    }
}

impl MovesFile {
    /// Returns the file at a path, with its digest and the number of its positions. The lines are not checked.
    ///
    /// Cost: reads the file, at the speed of the disk or 1 GB a second.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path) -> Result<MovesFile, MovesFileError> {
        let source = Source { path };
        Ok(MovesFile {
            digest: source.digest()?,
            positions: match source.format() {
                Format::Json => json::count(source)?,
                Format::Csv => csv::count(source)?,
                Format::Parquet => parquet::count(source)?,
            },
            path: path.to_owned(),
        })
    }

    /// Returns the moves. `stop` is passed the number of lines read so far from time to time, and returns the reason to stop, if
    /// there is one.
    ///
    /// Memory: [`Moves::bytes`], and as much again while lists grow.
    ///
    /// # Errors
    ///
    /// The first fault of the file; a fault of a line before a move to a position that has none. If the file has changed since it was
    /// opened. If it was stopped.
    pub fn read(
        &self,
        stop: impl FnMut(u64) -> Option<StopReason>,
    ) -> Result<Moves, MovesFileError> {
        let source = Source { path: &self.path };
        let mut reading = Reading {
            builder: MovesBuilder::default(),
            stop,
            ended: None,
        };
        source.read(&mut reading)?;
        let moves = match reading.ended {
            Some(Ended::Stopped(reason)) => return Err(MovesFileError::Stopped(reason)),
            Some(Ended::Fault(error)) => Err(error),
            None => reading.builder.finish(),
        };
        if source.digest()? != self.digest {
            return Err(MovesFileError::Changed {
                path: self.path.clone(),
            });
        }
        moves.or_else(|error| {
            // Only now does the place of that line in the file matter.
            let mut lines = error.line();
            let place = source.read(&mut FindLine(&mut lines))?;
            Err(source.fault(place.unwrap_or_default(), error))
        })
    }
}

/// The format of a file.
enum Format {
    Json,
    Csv,
    Parquet,
}

/// What is done with the lines of a file.
trait Lines {
    /// Takes a move of the current line.
    fn option(&mut self, movers: Movers, name: &str);

    /// Takes the position whose line ends; no more lines are read if it breaks.
    fn end_line(&mut self, position: &str) -> ControlFlow<()>;
}

/// Reads moves.
struct Reading<F> {
    builder: MovesBuilder,
    stop: F,
    ended: Option<Ended>,
}

/// Why no more lines are read.
enum Ended {
    Fault(MovesError),
    Stopped(StopReason),
}

impl<F: FnMut(u64) -> Option<StopReason>> Lines for Reading<F> {
    fn option(&mut self, movers: Movers, name: &str) {
        self.builder.option(movers, name);
    }

    fn end_line(&mut self, position: &str) -> ControlFlow<()> {
        let ended = self.builder.end_line(position);
        self.ended = ended.err().map(Ended::Fault);
        let lines = self.builder.lines();
        if lines.is_multiple_of(LINES_A_CHECK)
            && let Some(reason) = (self.stop)(lines as u64)
        {
            self.ended = Some(Ended::Stopped(reason));
        }
        match self.ended {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }
}

/// Breaks at the line behind this many others.
struct FindLine<'n>(&'n mut u32);

impl Lines for FindLine<'_> {
    fn option(&mut self, _: Movers, _: &str) {}

    fn end_line(&mut self, _: &str) -> ControlFlow<()> {
        match self.0.checked_sub(1) {
            None => return ControlFlow::Break(()),
            Some(left) => *self.0 = left,
        }
        ControlFlow::Continue(())
    }
}

/// A file, by its path.
#[derive(Clone, Copy)]
struct Source<'p> {
    path: &'p Path,
}

impl Source<'_> {
    fn format(self) -> Format {
        let ending = self
            .path
            .extension()
            .map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("csv") => Format::Csv,
            Some("parquet") => Format::Parquet,
            _ => Format::Json,
        }
    }

    /// Reads all lines, or those up to a break, and returns its place.
    fn read(self, lines: &mut impl Lines) -> Result<Option<String>, MovesFileError> {
        match self.format() {
            Format::Json => json::read(self, lines),
            Format::Csv => csv::read(self, lines),
            Format::Parquet => parquet::read(self, lines),
        }
    }

    fn file(self) -> Result<File, MovesFileError> {
        input::open(self.path).map_err(|source| self.unreadable(source))
    }

    /// Returns the text of the file, behind its byte order mark if it has one.
    fn text(self) -> Result<BufReader<File>, MovesFileError> {
        let mut text = BufReader::with_capacity(BUFFER_BYTES, self.file()?);
        let start = text.fill_buf().map_err(|source| self.unreadable(source))?;
        if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
            return Err(self.fault(String::new(), "the text is UTF-16; save it as UTF-8"));
        }
        if start.starts_with("\u{feff}".as_bytes()) {
            text.consume("\u{feff}".len());
        }
        Ok(text)
    }

    fn digest(self) -> Result<Digest, MovesFileError> {
        let mut hasher = blake3::Hasher::new();
        let read = hasher.update_reader(self.file()?);
        let hasher = read.map_err(|source| self.unreadable(source))?;
        Ok(hasher.finalize().into())
    }

    fn unreadable(self, source: io::Error) -> MovesFileError {
        MovesFileError::Unreadable {
            path: self.path.to_owned(),
            source,
        }
    }

    fn fault(self, place: String, fault: impl ToString) -> MovesFileError {
        MovesFileError::Fault {
            path: self.path.to_owned(),
            place,
            fault: fault.to_string(),
        }
    }
}

/// Returns the error of a name that is no key of a line.
fn unknown_key(found: &str) -> String {
    format!("unknown key {found:?}; accepted: {}", KEYS.join(", "))
}
