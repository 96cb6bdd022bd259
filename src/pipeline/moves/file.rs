//! Reading a file of moves in any of its formats.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cggames::game::moves::{Movers, Moves, MovesBuilder, MovesError};
use cgsolvers::StopReason;
use seedbank_files::digest::Digest;

use super::source::{End, Lines, MovesFileError, Source};
use super::{csv, json, parquet};

/// The lines read between two checks whether to stop.
const LINES_A_CHECK: usize = 1 << 12;

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
    /// Cost: reads the file once.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &Path) -> Result<MovesFile, MovesFileError> {
        let source = Source { path };
        let (positions, end) = match Format::of(path) {
            Format::Json => json::count(source)?,
            Format::Csv => csv::count(source)?,
            Format::Parquet => parquet::count(source)?,
        };
        Ok(MovesFile {
            path: path.to_owned(),
            digest: end.digest(source)?,
            positions,
        })
    }

    /// Returns the moves. `stop` is passed the number of lines read so far from time to time, and returns the reason to stop, if
    /// there is one.
    ///
    /// Memory: [`Moves::bytes`], and as much again while lists grow.
    ///
    /// # Errors
    ///
    /// A fault of the file: of a line by itself, then a position with two lines, then a move to a position that has none. If the file
    /// has changed since it was opened. If it was stopped.
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
        let end = read(source, &mut reading)?;
        let moves = match reading.ended {
            Some(Ended::Stopped(reason)) => return Err(MovesFileError::Stopped(reason)),
            Some(Ended::Fault(error)) => Err(error),
            None => reading.builder.finish(),
        };
        if end.digest(source)? != self.digest {
            return Err(MovesFileError::Changed {
                path: self.path.clone(),
            });
        }
        moves.or_else(|error| {
            // Only now does the place of that line in the file matter.
            let mut lines = error.line();
            let place = match read(source, &mut FindLine(&mut lines))? {
                End::Line(place) => place,
                End::File(_) => String::new(),
            };
            Err(source.fault(place, error))
        })
    }
}

/// The format of a file.
enum Format {
    Json,
    Csv,
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Format {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("csv") => Format::Csv,
            Some("parquet") => Format::Parquet,
            _ => Format::Json,
        }
    }
}

/// Reads all lines, or those up to a break.
fn read(source: Source<'_>, lines: &mut impl Lines) -> Result<End, MovesFileError> {
    match Format::of(source.path) {
        Format::Json => json::read(source, lines),
        Format::Csv => csv::read(source, lines),
        Format::Parquet => parquet::read(source, lines),
    }
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
