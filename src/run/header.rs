//! What is said of a job besides its task.

use std::path::PathBuf;

use crate::digest::Digest;
use crate::mine::MineOptions;
use crate::report::table::plain::Heading;

/// What a job is called, what its spec says besides the task, and which results are its.
#[derive(Clone, Debug)]
pub struct JobHeader {
    /// The name, also of the results' folder.
    pub name: String,
    /// What the job is about, in words.
    pub title: Option<String>,
    /// The publication that it reproduces or extends.
    pub source: Option<String>,
    /// The path that the spec was read from.
    pub path: PathBuf,
    /// The spec.
    pub text: String,
    /// The digest of what the job means: of rows of pots the game, board, way of playing, positions (those of a file as they are
    /// written there), the columns asked for, and what is sought. Comments, name, title, source and the table's layout are no
    /// part of it.
    pub digest: Digest,
    /// Which laws are sought in the finished rows, if any; no part of the meaning.
    pub mine: Option<MineOptions>,
}

impl JobHeader {
    /// Returns what tables say of the job.
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
    /// How it is played or which members of a family there are: a name for programs, and a text.
    pub way: (&'static str, String),
    /// About how many numbers the lists of all rows have, four bytes each before they are compressed, with the word for one.
    pub listed: Option<(&'static str, u64)>,
}
