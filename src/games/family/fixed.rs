//! Fixed bins of Tchoukaillon boards, with their stones.
//!
//! A member is a set of bins with their stones, from which a board is to be reconstructed. A family
//! is a list of members, or all ways to fix a given number of the bins up to some bin, with all
//! numbers of stones that they can hold. The latter ascend by the first bin, then its stones, then
//! the second bin, and so on.
//!
//! The family chooses the numbering of bins. In numbering b bins start at 1 and bin i holds 0 to i
//! stones; in numbering beta they start at 2 and bin i holds 0 to i - 1.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use thiserror::Error;

/// The farthest bin of a family of all fixed bins.
pub const FIXED_BIN_MAX: u64 = 1000;

/// The most bins that a member of a family of all fixed bins fixes.
pub const FIXED_MAX: u64 = 16;

/// A numbering of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinNumbering {
    /// From 1 beside the Ruma; `b_i` holds 0 to i stones. Boards are printed in this order.
    B,
    /// From 2 beside the Ruma, `beta_i = b_{i-1}`; it holds 0 to i - 1 stones. Section 4 of the
    /// paper has this numbering, and calls fixed contents `m_i`.
    Beta,
}

impl BinNumbering {
    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            BinNumbering::B => "b",
            BinNumbering::Beta => "beta",
        }
    }

    /// Returns the number of the bin beside the Ruma.
    pub fn first(self) -> u64 {
        match self {
            BinNumbering::B => 1,
            BinNumbering::Beta => 2,
        }
    }

    /// Returns the difference of a bin's number from that in numbering b.
    pub fn offset(self) -> u64 {
        self.first() - 1
    }

    /// Returns the number of possible contents of a bin, including 0 stones.
    fn values(self, bin: u64) -> u64 {
        bin + 1 - self.offset()
    }
}

impl fmt::Display for BinNumbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bins with their stones, in ascending order of the bins.
pub type Fixed = Vec<(u64, u64)>;

/// A family of fixed bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFamily {
    numbers: BinNumbering,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    List(Vec<Fixed>),
    All {
        bin_max: u64,
        fixed: u64,
        /// Entry `[r][i]` is the number of ways to fix r bins among those from `first + i` on.
        ways: Vec<Vec<u64>>,
    },
}

/// The reason why there is no such family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FixedFamilyError {
    /// More bins are to be fixed than exist.
    #[error(
        "{fixed} bins cannot be fixed among the {found} from {first} to {bin_max}; fix fewer, or raise bin_max"
    )]
    TooFew {
        /// The number of bins to fix.
        fixed: u64,
        /// How many there are.
        found: u64,
        /// The first bin.
        first: u64,
        /// The last one.
        bin_max: u64,
    },
    /// There are 2^63 members or more.
    #[error(
        "there are 2^63 ways or more to fix {fixed} bins up to bin {bin_max}; fix fewer, or lower bin_max"
    )]
    TooMany {
        /// The number of bins to fix.
        fixed: u64,
        /// The last bin.
        bin_max: u64,
    },
}

impl FixedFamily {
    /// Returns the family of these members, in their order.
    pub fn list(numbers: BinNumbering, members: Vec<Fixed>) -> FixedFamily {
        let kind = Kind::List(members);
        FixedFamily { numbers, kind }
    }

    /// Returns the family of all ways to fix `fixed` of the bins up to `bin_max`, which is at most
    /// [`FIXED_BIN_MAX`].
    ///
    /// # Errors
    ///
    /// [`FixedFamilyError`] when there are none, or 2^63 or more.
    ///
    /// ```
    /// use cggames::family::{BinNumbering, FixedFamily};
    ///
    /// // Bins 1 and 2 have 2 and 3 possible numbers of stones.
    /// let family = FixedFamily::all(BinNumbering::B, 2, 1)?;
    /// let members: Vec<_> = (0..family.len()).map(|rank| family.get(rank)[0]).collect();
    /// assert_eq!(members, [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all(
        numbers: BinNumbering,
        bin_max: u64,
        fixed: u64,
    ) -> Result<FixedFamily, FixedFamilyError> {
        let first = numbers.first();
        let found = bin_max.saturating_add(1).saturating_sub(first);
        if found < fixed {
            return Err(FixedFamilyError::TooFew {
                fixed,
                found,
                first,
                bin_max,
            });
        }
        let too_many = || FixedFamilyError::TooMany { fixed, bin_max };
        let bins = found as usize;
        let mut ways = vec![vec![1; bins + 1]];
        for r in 1..=fixed as usize {
            let mut row = vec![0u64; bins + 1];
            for i in (0..bins).rev() {
                // Bin i is the first that is fixed, or is not fixed.
                let with = numbers
                    .values(first + i as u64)
                    .checked_mul(ways[r - 1][i + 1]);
                let all = with.and_then(|with| with.checked_add(row[i + 1]));
                row[i] = all.filter(|&all| all < 1 << 63).ok_or_else(too_many)?;
            }
            ways.push(row);
        }
        let kind = Kind::All {
            bin_max,
            fixed,
            ways,
        };
        Ok(FixedFamily { numbers, kind })
    }

    /// Returns the numbering of bins.
    pub fn numbers(&self) -> BinNumbering {
        self.numbers
    }

    /// Returns the number of members.
    #[expect(clippy::len_without_is_empty, reason = "families are never empty")]
    pub fn len(&self) -> u64 {
        match &self.kind {
            Kind::List(members) => members.len() as u64,
            Kind::All { ways, fixed, .. } => ways[*fixed as usize][0],
        }
    }

    /// Returns the farthest bin that a member fixes.
    pub fn farthest(&self) -> u64 {
        match &self.kind {
            Kind::List(members) => {
                let bins = members.iter().flatten().map(|&(bin, _)| bin);
                bins.max().unwrap_or(0)
            }
            Kind::All { bin_max, .. } => *bin_max,
        }
    }

    /// Returns a member by its rank.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`FixedFamily::len`].
    pub fn get(&self, rank: u64) -> Fixed {
        assert!(rank < self.len(), "the rank is below the number of members");
        let (ways, fixed) = match &self.kind {
            Kind::List(members) => return members[rank as usize].clone(),
            Kind::All { ways, fixed, .. } => (ways, *fixed),
        };
        let first = self.numbers.first();
        let mut member = Vec::new();
        let (mut rest, mut i) = (rank, 0);
        for left in (0..fixed as usize).rev() {
            loop {
                let bin = first + i as u64;
                let each = ways[left][i + 1];
                let here = self.numbers.values(bin) * each;
                i += 1;
                if rest < here {
                    member.push((bin, rest / each));
                    rest %= each;
                    break;
                }
                rest -= here;
            }
        }
        member
    }

    /// Returns the text that defines the family; its wording is part of every digest.
    pub fn meaning(&self) -> String {
        let mut meaning = format!("numbering {}", self.numbers.name());
        match &self.kind {
            Kind::All { bin_max, fixed, .. } => {
                let _ = write!(meaning, "\nall {fixed} bins to {bin_max}");
            }
            Kind::List(members) => {
                for member in members {
                    let _ = write!(meaning, "\n{}", written_fixed(member));
                }
            }
        }
        meaning
    }
}

/// Writes bins with their stones: `3=1 7=2`.
///
/// ```
/// use cggames::family::{parse_fixed, written_fixed};
///
/// assert_eq!(written_fixed(&parse_fixed("7=2, 3=1")?), "3=1 7=2");
/// # Ok::<(), cggames::family::ParseFixedError>(())
/// ```
pub fn written_fixed(member: &Fixed) -> String {
    let bins: Vec<String> = member
        .iter()
        .map(|(bin, stones)| format!("{bin}={stones}"))
        .collect();
    bins.join(" ")
}

/// The error for a text that fixes no bins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no fixed bins: {found:?}; accepted: bins and their stones, each bin once, such as \"3=1 7=2\""
)]
pub struct ParseFixedError {
    /// The text.
    pub found: String,
}

/// Reads bins with their stones, separated by blanks or commas, in any order. Whether a bin can
/// hold its stones is not checked.
///
/// # Errors
///
/// [`ParseFixedError`] for any other text, or a repeated bin.
pub fn parse_fixed(text: &str) -> Result<Fixed, ParseFixedError> {
    let refuse = || ParseFixedError {
        found: text.to_owned(),
    };
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        u64::from_str(text)
            .ok()
            .filter(|_| plain)
            .ok_or_else(refuse)
    };
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let mut member = words
        .map(|word| {
            let (bin, stones) = word.split_once('=').ok_or_else(refuse)?;
            Ok((number(bin)?, number(stones)?))
        })
        .collect::<Result<Fixed, ParseFixedError>>()?;
    member.sort_unstable();
    let twice = member.windows(2).any(|pair| pair[0].0 == pair[1].0);
    if member.is_empty() || twice {
        return Err(refuse());
    }
    Ok(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to fix bins from `bin` on, by enumeration.
    fn slow(numbers: BinNumbering, bin: u64, bin_max: u64, fixed: u64) -> Vec<Fixed> {
        if fixed == 0 {
            return vec![Vec::new()];
        }
        let mut members = Vec::new();
        for bin in bin..=bin_max {
            let most = if numbers == BinNumbering::B {
                bin
            } else {
                bin - 1
            };
            for stones in 0..=most {
                for rest in slow(numbers, bin + 1, bin_max, fixed - 1) {
                    members.push([vec![(bin, stones)], rest].concat());
                }
            }
        }
        members
    }

    #[test]
    fn members_are_all_ways_in_order() {
        for numbers in [BinNumbering::B, BinNumbering::Beta] {
            for bin_max in 2..=8 {
                for fixed in 1..=(bin_max + 1 - numbers.first()).min(3) {
                    let family = FixedFamily::all(numbers, bin_max, fixed).unwrap();
                    let members: Vec<Fixed> =
                        (0..family.len()).map(|rank| family.get(rank)).collect();
                    assert_eq!(members, slow(numbers, numbers.first(), bin_max, fixed));
                }
            }
        }
    }

    #[test]
    fn families_that_do_not_work_out_are_refused() {
        let error = FixedFamily::all(BinNumbering::Beta, 3, 3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3 bins cannot be fixed among the 2 from 2 to 3; fix fewer, or raise bin_max"
        );
        let error = FixedFamily::all(BinNumbering::B, 1000, 16).unwrap_err();
        assert!(matches!(error, FixedFamilyError::TooMany { .. }), "{error}");
    }

    #[test]
    fn texts_of_fixed_bins_are_read() {
        assert_eq!(parse_fixed("7=2 3=1"), Ok(vec![(3, 1), (7, 2)]));
        assert_eq!(parse_fixed(" 7=2,3=1, "), Ok(vec![(3, 1), (7, 2)]));
        for text in [
            "",
            " ",
            "7",
            "7=",
            "=2",
            "7=2 7=2",
            "7=2=3",
            "-7=2",
            "7=+2",
            "99999999999999999999=1",
        ] {
            assert_eq!(
                parse_fixed(text),
                Err(ParseFixedError {
                    found: text.to_owned()
                }),
                "{text}"
            );
        }
    }
}
