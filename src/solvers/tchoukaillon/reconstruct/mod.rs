//! Boards from some of their bins: existence, the smallest board, all boards.
//!
//! Given the stones of some bins, this module answers three questions:
//!
//! - [`examine`](FixedBins::examine) decides by Theorem 4.5's conditions whether any board agrees.
//!   If none does, it gives a sentence such as `m_8 + m_7 must be even`; if one does, it gives all
//!   bins of a board up to the farthest fixed one;
//! - [`constructed`] finds the number of stones from such bins by the Chinese Remainder Theorem, as
//!   the paper does: a board, rarely the smallest;
//! - [`solutions`](FixedBins::solutions) yields all numbers of stones in ascending order, so the
//!   first is the smallest: the problem that the paper poses after Remark 4.6.
//!
//! The boards that agree repeat with the period lcm(2, ..., i+1) of the farthest fixed bin i
//! ([`FixedBins::period`]).
//!
//! Bins have one of two [`BinNumbering`]s; every function answers in the given one.

mod conditions;
mod construct;
mod contradiction;
mod lanes;
mod region;
mod residues;
mod search;

use std::collections::BTreeMap;

use cggames::family::BinNumbering;
use thiserror::Error;

use super::remainders;

pub use construct::{ConstructError, constructed};
pub use contradiction::Contradiction;
pub use search::{STONES_MAX, SearchStep, Solutions};

/// The farthest bin that may be fixed, in numbering b; tables have this length.
pub const BIN_MAX: u64 = 1_000_000;

/// The reason why bins cannot be fixed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FixedError {
    /// No bin is given.
    #[error("no bin is fixed; give at least one, for example bin 3 with 1 stone")]
    None,
    /// There is no such bin, or it is too far.
    #[error("there is no bin {bin} in numbering {numbering}; bins are {first} to {last} there")]
    Bin {
        /// The number given.
        bin: u64,
        /// The numbering it was given in.
        numbering: BinNumbering,
        /// The first bin.
        first: u64,
        /// The farthest bin that is accepted.
        last: u64,
    },
    /// The bin cannot hold this number of stones on a winning board.
    #[error("bin {bin} of numbering {numbering} cannot hold {stones} stones; it holds 0 to {most}")]
    Stones {
        /// The bin as it was given.
        bin: u64,
        /// The numbering it was given in.
        numbering: BinNumbering,
        /// The stones given.
        stones: u64,
        /// The most it holds on a winning board.
        most: u64,
    },
    /// A bin is given twice.
    #[error(
        "bin {bin} of numbering {numbering} is fixed twice, to {first} and to {second} stones; give it once"
    )]
    Twice {
        /// The bin as it was given.
        bin: u64,
        /// The numbering it was given in.
        numbering: BinNumbering,
        /// The stones given first.
        first: u64,
        /// The stones given later.
        second: u64,
    },
}

/// The stones of some bins.
///
/// ```
/// use cggames::family::BinNumbering;
/// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
///
/// // Example 4.8: beta_3 = 1 and beta_7 = 2, that is b_2 = 1 and b_6 = 2.
/// let fixed = FixedBins::new(BinNumbering::Beta, [(3, 1), (7, 2)])?;
/// assert_eq!(fixed.solutions(0, 10_000).next(), Some(34));
///
/// // Example 4.4: no board has beta_5 = 1 and beta_6 = 2.
/// let fixed = FixedBins::new(BinNumbering::Beta, [(5, 1), (6, 2)])?;
/// let reason = fixed.examine().contradiction().expect("none").to_string();
/// assert_eq!(reason, "m_6 + m_5 must be even, and is 2 + 1 = 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedBins {
    numbering: BinNumbering,
    /// Stones by bin, in numbering b.
    stones: BTreeMap<u64, u64>,
}

/// Whether any board agrees with fixed bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No board agrees, for this reason.
    None(Contradiction),
    /// A board agrees: the stones of its bins, nearest first, up to the farthest fixed one. It is
    /// the first in lexicographic order, not the one with the fewest stones.
    Exists(Vec<u64>),
    /// The attempts were spent without a decision; [`FixedBins::solutions`] up to the period
    /// decides.
    Undecided {
        /// The attempts.
        attempts: u64,
    },
}

impl Verdict {
    /// Returns the reason why no board agrees.
    pub fn contradiction(&self) -> Option<&Contradiction> {
        match self {
            Verdict::None(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns the bins of a board that agrees, nearest first, up to the farthest fixed one.
    pub fn bins(&self) -> Option<&[u64]> {
        match self {
            Verdict::Exists(bins) => Some(bins),
            _ => None,
        }
    }
}

impl FixedBins {
    /// Fixes bins, given as pairs (bin, stones).
    ///
    /// # Errors
    ///
    /// [`FixedError`] for an empty list, a bin that does not exist or is beyond [`BIN_MAX`], more
    /// stones than a bin of a winning board holds, and a bin given twice.
    pub fn new(
        numbering: BinNumbering,
        bins: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<FixedBins, FixedError> {
        let offset = numbering.offset();
        let mut fixed = BTreeMap::new();
        for (bin, stones) in bins {
            let (first, last) = (1 + offset, BIN_MAX + offset);
            if !(first..=last).contains(&bin) {
                return Err(FixedError::Bin {
                    bin,
                    numbering,
                    first,
                    last,
                });
            }
            let most = bin - offset;
            if stones > most {
                return Err(FixedError::Stones {
                    bin,
                    numbering,
                    stones,
                    most,
                });
            }
            if let Some(first) = fixed.insert(bin - offset, stones) {
                return Err(FixedError::Twice {
                    bin,
                    numbering,
                    first,
                    second: stones,
                });
            }
        }
        if fixed.is_empty() {
            return Err(FixedError::None);
        }
        Ok(FixedBins {
            numbering,
            stones: fixed,
        })
    }

    /// Returns the numbering in which the bins were given.
    pub fn numbering(&self) -> BinNumbering {
        self.numbering
    }

    /// Returns the farthest fixed bin, in numbering b.
    pub fn farthest(&self) -> u64 {
        let last = self.stones.last_key_value();
        *last.expect("at least one bin is fixed").0
    }

    /// Returns the period of the boards that agree, by Corollary 2.3: lcm(2, ..., i+1) for the
    /// farthest fixed bin i in numbering b; `None` beyond 128 bits.
    pub fn period(&self) -> Option<u128> {
        remainders::period(self.farthest())
    }

    /// Returns whether the first bins of a board, nearest first, agree.
    pub fn agree(&self, bins: &[u64]) -> bool {
        let agrees = |(&bin, &stones): (&u64, &u64)| {
            bins.get(bin as usize - 1).copied().unwrap_or(0) == stones
        };
        self.stones.iter().all(agrees)
    }
}

#[cfg(test)]
mod tests;
