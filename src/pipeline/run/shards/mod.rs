//! One job on several machines: its shards, and how they are joined.
//!
//! A job is divided into `N` *shards*, `0/N` to `N-1/N`, which do not communicate. The job's rows
//! are cut into [units](cut), finer than the parts of its result set. Each unit is [assigned](deal)
//! to one shard by its [estimated cost](super::cost). Cut and assignment depend on the job and `N`
//! alone, so every process computes the same ones.
//!
//! A shard has a folder of its own below the job's result set:
//!
//! ```text
//! data/results/<job>/shards/3-of-8/
//!   parts/ forms/ records/ tmp/    a result set whose parts are units; the shard makes its own
//!   store/                         the values it found: an overlay over a read-only base store
//! ```
//!
//! A shard is run, stopped, resumed and verified like any result set, and no two shards write the
//! same file. [`merge`](merge::merge) joins the units' rows into the job's one result set. Its
//! bytes equal those of a run without shards, since files depend on their rows alone. Computing or
//! merging a shard twice changes nothing.
//!
//! Witness jobs are cut into the units of their census, which cannot be cut further. Jobs over
//! heaps and codes can be divided, but every shard repeats their longest work: the values of all
//! smaller heaps, the whole survey.

mod assignment;
mod cut;
mod deal;
mod joining;
mod merge;
mod place;
mod plan;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

pub(super) use self::assignment::Assignment;
pub(crate) use self::cut::Cut;
pub use self::joining::{Merge, Merged};
pub use self::merge::{MergeOptions, merge, shards_there};
pub(crate) use self::place::Place;
pub use self::plan::ShardPlan;
pub(crate) use self::plan::plan_of;
pub(super) use self::plan::plan_rows;

/// The largest number of shards of a job.
pub const SHARDS_MAX: u32 = 4096;

/// One of the shards of a job.
///
/// ```
/// use seedbank::run::Shard;
///
/// let shard: Shard = "3/8".parse()?;
/// assert_eq!((shard.index(), shard.of()), (3, 8));
/// assert_eq!(shard.to_string(), "3/8");
/// assert!("8/8".parse::<Shard>().is_err());
/// # Ok::<(), seedbank::run::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: u32,
    of: u32,
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected i/N with i from 0 to N - 1 and N from 1 to {SHARDS_MAX}, such as 3/8 for the fourth of eight, found {found:?}"
)]
pub struct ShardError {
    /// The text.
    pub found: String,
}

impl Shard {
    /// Returns shard `index`, from 0, of `of`.
    ///
    /// # Errors
    ///
    /// If there is no such shard, or `of` is more than [`SHARDS_MAX`].
    pub fn new(index: u32, of: u32) -> Result<Shard, ShardError> {
        if index < of && of <= SHARDS_MAX {
            Ok(Shard { index, of })
        } else {
            Err(ShardError {
                found: format!("{index}/{of}"),
            })
        }
    }

    /// Returns all shards of a job divided into `of`.
    pub(super) fn all(of: u32) -> Result<Vec<Shard>, ShardError> {
        Shard::new(0, of)?;
        Ok((0..of).map(|index| Shard { index, of }).collect())
    }

    /// Returns the index of the shard, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns the name of the shard's folder.
    pub(crate) fn folder(self) -> String {
        format!("{}-of-{}", self.index, self.of)
    }

    /// Returns the shard whose folder has this name.
    fn of_folder(name: &str) -> Option<Shard> {
        let (index, of) = name.split_once("-of-")?;
        let shard = Shard::new(index.parse().ok()?, of.parse().ok()?).ok()?;
        (shard.folder() == name).then_some(shard)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let refuse = || ShardError {
            found: text.to_owned(),
        };
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| digits)
        };
        let (index, of) = text.split_once('/').ok_or_else(refuse)?;
        match (number(index), number(of)) {
            (Some(index), Some(of)) => Shard::new(index, of).map_err(|_| refuse()),
            _ => Err(refuse()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_printed() {
        for of in [1, 2, 8, SHARDS_MAX] {
            for index in [0, of / 2, of - 1] {
                let shard = Shard::new(index, of).unwrap();
                assert_eq!(shard.to_string().parse(), Ok(shard));
                assert_eq!(Shard::of_folder(&shard.folder()), Some(shard));
            }
        }
        for wrong in [
            "", "/", "3", "3/", "/8", "8/8", "9/8", "0/0", "-1/8", "+1/8", "1/4097", "1/8/2",
            "1 /8", "a/b",
        ] {
            let error = wrong.parse::<Shard>().unwrap_err();
            assert!(error.to_string().ends_with(&format!("found {wrong:?}")));
        }
        for wrong in ["3", "08-of-9", "9-of-8", "3-of-8-of-9", "store"] {
            assert_eq!(Shard::of_folder(wrong), None, "{wrong}");
        }
    }
}
