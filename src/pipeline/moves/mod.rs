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
mod file;
mod json;
mod parquet;
mod source;
mod write;

pub use self::file::MovesFile;
pub use self::source::MovesFileError;
pub use self::write::MovesLine;
