//! A checked job: a task with its name, and the text that it was read from.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use super::Task;
use crate::digest::Digest;
use crate::report::table::plain::Heading;

/// A checked job spec.
///
/// ```
/// use std::path::Path;
///
/// use seedbank::task::Job;
///
/// let spec = r#"
///     name = "ones"
///     [ruleset]
///     game = "sowing"
///     play = "partisan"
///     [family]
///     pattern = "1^n"
///     n = "1..=14"
/// "#;
/// let job = Job::parse(spec, Path::new("jobs/ones.toml"), Path::new("jobs"))?;
/// assert_eq!(job.task.rows(), 14);
///
/// let spec = spec.replace("1..=14", "14..=1");
/// let error = Job::parse(&spec, Path::new("jobs/ones.toml"), Path::new("jobs")).unwrap_err();
/// assert!(error.to_string().contains("jobs/ones.toml:8:9"));
/// # Ok::<(), seedbank::job::JobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    /// The name, also of the results' folder.
    pub name: String,
    /// What the job is about, in words.
    pub title: Option<String>,
    /// The publication that it reproduces or extends.
    pub source: Option<String>,
    /// What is to be computed.
    pub task: Arc<dyn Task>,
    /// The path that the spec was read from.
    pub path: PathBuf,
    /// The spec.
    pub text: String,
}

impl Job {
    /// Returns the task as one of a known kind, if it is of that kind.
    pub fn task_as<T: Task>(&self) -> Option<&T> {
        let task: &dyn Any = &*self.task;
        task.downcast_ref()
    }

    /// Returns what tables say of the job.
    pub(crate) fn heading(&self) -> Heading<'_> {
        Heading {
            name: &self.name,
            title: self.title.as_deref(),
            source: self.source.as_deref(),
        }
    }

    /// Returns the digest of what the job means: of rows of pots the game, board, way of playing, positions (those of
    /// a file as they are written there), the columns asked for, and what is sought. Comments, name, title,
    /// source and the table's layout are no part of it.
    pub fn digest(&self) -> Digest {
        Digest::of(self.task.meaning().as_bytes())
    }
}
