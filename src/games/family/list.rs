//! Lists of positions, in a job or in a text file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::two_rows::TwoRowsError;
use crate::board::{AnyBoard, AnyBoardError, Shape, Unfit};

/// The error in a line of a file of positions.
#[derive(Debug, Error)]
#[error(transparent)]
pub enum LineError {
    /// It is not a position.
    Malformed(#[from] AnyBoardError),
    /// It is a position of another game.
    Unfit(#[from] Unfit),
    /// It is not a position of two rows.
    TwoRows(#[from] TwoRowsError),
}

/// The reason why a file gives no list of positions.
#[derive(Debug, Error)]
pub enum FileError {
    /// A line that is not a position of the game.
    #[error("{}:{line}: {source}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The error in it.
        source: LineError,
    },
    /// There are no positions.
    #[error(
        "{} holds no position; write one a line, blank lines and # comments between them",
        .path.display()
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Reads the text of a file of positions: one a line; blank lines and text after a `#` are ignored.
///
/// # Errors
///
/// No position, or the first line that is not a position of a game whose rows have this shape.
pub fn read_positions(path: &Path, text: &str, shape: Shape) -> Result<Vec<AnyBoard>, FileError> {
    read_lines(path, text, |written| {
        let row = shape.kind().read(written)?;
        shape.check(&row)?;
        Ok(row)
    })
}

/// As [`read_positions`], with `read` as the parser of positions.
pub fn read_lines<T>(
    path: &Path,
    text: &str,
    read: impl Fn(&str) -> Result<T, LineError>,
) -> Result<Vec<T>, FileError> {
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let written = line.split_once('#').map_or(line, |(written, _)| written);
        let written = written.trim();
        if written.is_empty() {
            continue;
        }
        let position = read(written).map_err(|source| FileError::Line {
            path: path.to_owned(),
            line: index + 1,
            source,
        })?;
        positions.push(position);
    }
    if positions.is_empty() {
        return Err(FileError::Empty {
            path: path.to_owned(),
        });
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let shape = Game::ATOMIC_WARI.on_board(4).unwrap().shape();
        match read_positions(Path::new("positions.txt"), text, shape) {
            Ok(rows) => Ok(rows.iter().map(AnyBoard::to_string).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn comments_and_blank_lines_are_ignored() {
        assert_eq!(
            read("# from the paper\n312\n\n 3 [12] # a big one\n312\n"),
            Ok(vec!["312".into(), "3[12]".into(), "312".into()])
        );
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = read("312\n\n31x\n").unwrap_err();
        assert!(
            error.starts_with("positions.txt:3: unexpected 'x' at character 3"),
            "{error}"
        );
        let error = read("31e\n").unwrap_err();
        assert!(error.starts_with("positions.txt:1: full pots"), "{error}");
        let error = read("31222\n").unwrap_err();
        assert!(
            error.starts_with("positions.txt:1: 5 pots on a board of 4 pots"),
            "{error}"
        );
        let error = read("# nothing\n").unwrap_err();
        assert!(
            error.starts_with("positions.txt holds no position"),
            "{error}"
        );
    }
}
