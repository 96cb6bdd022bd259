//! A job's name, title, source and digest: all of its spec but the task.

use std::path::PathBuf;

use cglaws::MineOptions;
use seedbank_files::digest::Digest;

/// A job's name, everything in its spec besides the task, and the digest that identifies its
/// results.
#[derive(Clone, Debug)]
pub struct JobHeader {
    /// The job's name, which also names the folder of its results.
    pub name: String,
    /// A title, in words.
    pub title: Option<String>,
    /// The publication that the job reproduces or extends.
    pub source: Option<String>,
    /// The path of the spec.
    pub path: PathBuf,
    /// The text of the spec.
    pub text: String,
    /// The digest of the job's meaning.
    ///
    /// For rows of pots: the game, board, way of playing, positions (those of a file as the file
    /// writes them), selected columns, and the witnesses sought. Comments, name, title, source and
    /// the table's layout are not part of it.
    pub digest: Digest,
    /// The laws to search for in the finished rows, if any. They are not part of the meaning.
    pub mine: Option<MineOptions>,
}

/// The words for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The noun for the subject of a row, in the singular, as all nouns here; an s makes the plural.
    pub noun: &'static str,
    /// The game, or another name for it.
    pub game: String,
    /// How the game is played, or which members of a family there are.
    pub detail: Detail,
    /// The lists of all rows, if rows have lists.
    pub listed: Option<ListColumn>,
    /// The noun for a unit of a shard.
    pub unit: &'static str,
    /// The noun for a row of the finished result.
    pub row: &'static str,
    /// The words that follow the number of rows of the finished result.
    pub after_rows: &'static str,
}

impl Description {
    /// Returns the words for a job whose result has a row for each `noun` of a game. The last two
    /// arguments are those of the [`Detail`].
    pub fn new(
        noun: &'static str,
        game: impl Into<String>,
        detail: &'static str,
        text: impl Into<String>,
    ) -> Description {
        Description {
            noun,
            game: game.into(),
            detail: Detail {
                name: detail,
                text: text.into(),
            },
            listed: None,
            unit: "unit",
            row: "row",
            after_rows: "",
        }
    }
}

/// A fact about a job, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Its name, for programs.
    pub name: &'static str,
    /// The fact.
    pub text: String,
}

/// The lists of all rows. An entry takes four bytes before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListColumn {
    /// The noun for an entry.
    pub noun: &'static str,
    /// The total length of the lists, estimated.
    pub entries: u64,
}
