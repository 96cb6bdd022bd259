//! A job's name, title, source and digest: all of its spec but the task.

use std::path::PathBuf;

use cglaws::MineOptions;
use seedbank_files::digest::Digest;

use crate::report::table::plain::Heading;

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

impl JobHeader {
    /// Returns the heading of the job's tables.
    pub(crate) fn heading(&self) -> Heading<'_> {
        Heading {
            name: &self.name,
            title: self.title.as_deref(),
            source: self.source.as_deref(),
        }
    }
}

/// What a task is about, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The game, or another name for it.
    pub game: String,
    /// How the game is played, or which members of a family there are: a name for programs, and a
    /// text.
    pub detail: (&'static str, String),
    /// The total length of the lists of all rows, estimated, with the noun for one entry. An entry
    /// takes four bytes before compression.
    pub listed: Option<(&'static str, u64)>,
}
