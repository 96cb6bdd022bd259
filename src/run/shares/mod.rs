//! One job on several machines: shares of it, and how they are joined.
//!
//! A job is dealt to `N` *shares*, `0/N` to `N-1/N`, which know nothing of one another; on the
//! command line they are called shards. The job's rows are cut into [units](cut) finer than the
//! shards of its result set, and each unit [belongs](deal) to one share, according to its
//! [estimated cost](super::cost). Cut and deal depend on the job and `N` alone, so that every
//! process finds the same ones without asking another.
//!
//! A share has a folder of its own below the job's result set:
//!
//! ```text
//! data/results/<job>/shards/3-of-8/
//!   parts/ forms/ records/ tmp/    a result set whose shards are the units, of which the share makes its own
//!   store/                         the values it found: an overlay over a base store that is only read
//! ```
//!
//! So a share is run, stopped, gone on with and checked like any result set, and nothing that it writes is written by another.
//! [`merge`](merge::merge) joins the units' rows into the job's one result set. What it writes are the bytes that one run without
//! shares writes, since files depend on their rows alone; a share that was computed twice, or is merged twice, changes nothing.
//!
//! Witness jobs are cut into the stretches of their census, which are as fine as it goes. Jobs over heaps and codes can be
//! shared out, but what they take longest for is done by every share: the values of all smaller heaps, the survey as a whole.

mod assignment;
mod cut;
mod deal;
mod joining;
mod merge;
mod place;
mod plan;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub(super) use self::assignment::Assignment;
pub(crate) use self::cut::Cut;
pub use self::joining::{Merge, Merged};
pub use self::merge::{MergeOptions, merge};
pub(crate) use self::place::Place;
pub use self::plan::SharePlan;
pub(crate) use self::plan::plan_of;
pub(super) use self::plan::plan_rows;

/// The most shares of a job.
pub const SHARES_MAX: u32 = 4096;

/// One of the shares that a job is dealt to.
///
/// ```
/// use seedbank::run::Share;
///
/// let share: Share = "3/8".parse()?;
/// assert_eq!((share.index(), share.of()), (3, 8));
/// assert_eq!(share.to_string(), "3/8");
/// assert!("8/8".parse::<Share>().is_err());
/// # Ok::<(), seedbank::run::ShareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    index: u32,
    of: u32,
}

/// What is no share.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected i/N with i from 0 to N - 1 and N from 1 to {SHARES_MAX}, such as 3/8 for the fourth of eight, found {found:?}"
)]
pub struct ShareError {
    /// The text.
    pub found: String,
}

impl Share {
    /// Returns share `index`, from 0, of so many.
    ///
    /// # Errors
    ///
    /// Where there is no such share, or there are more than [`SHARES_MAX`].
    pub fn new(index: u32, of: u32) -> Result<Share, ShareError> {
        match index < of && of <= SHARES_MAX {
            true => Ok(Share { index, of }),
            false => Err(ShareError {
                found: format!("{index}/{of}"),
            }),
        }
    }

    /// Returns so many shares.
    pub(super) fn all(of: u32) -> Result<Vec<Share>, ShareError> {
        Share::new(0, of)?;
        Ok((0..of).map(|index| Share { index, of }).collect())
    }

    /// Returns which one it is, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns how many there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns the name of its folder.
    pub(crate) fn folder(self) -> String {
        format!("{}-of-{}", self.index, self.of)
    }

    /// Returns the share whose folder has this name.
    fn of_folder(name: &str) -> Option<Share> {
        let (index, of) = name.split_once("-of-")?;
        let share = Share::new(index.parse().ok()?, of.parse().ok()?).ok()?;
        (share.folder() == name).then_some(share)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Share, ShareError> {
        let refuse = || ShareError {
            found: text.to_owned(),
        };
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| digits)
        };
        let (index, of) = text.split_once('/').ok_or_else(refuse)?;
        match (number(index), number(of)) {
            (Some(index), Some(of)) => Share::new(index, of).map_err(|_| refuse()),
            _ => Err(refuse()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_as_they_are_printed() {
        for of in [1, 2, 8, SHARES_MAX] {
            for index in [0, of / 2, of - 1] {
                let share = Share::new(index, of).unwrap();
                assert_eq!(share.to_string().parse(), Ok(share));
                assert_eq!(Share::of_folder(&share.folder()), Some(share));
            }
        }
        for wrong in [
            "", "/", "3", "3/", "/8", "8/8", "9/8", "0/0", "-1/8", "+1/8", "1/4097", "1/8/2",
            "1 /8", "a/b",
        ] {
            let error = wrong.parse::<Share>().unwrap_err();
            assert!(error.to_string().ends_with(&format!("found {wrong:?}")));
        }
        for wrong in ["3", "08-of-9", "9-of-8", "3-of-8-of-9", "store"] {
            assert_eq!(Share::of_folder(wrong), None, "{wrong}");
        }
    }
}
