//! The two numberings of bins.

use std::fmt;

/// A numbering of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// `b_1` is beside the Ruma; `b_i` holds 0 to i stones. Boards are printed in this order.
    B,
    /// `beta_2` is beside the Ruma, `beta_i = b_{i-1}`; it holds 0 to i - 1 stones. The paper's
    /// Section 4, where fixed values are called `m_i`.
    Beta,
}

impl Numbering {
    /// Returns the difference from numbering b.
    pub(super) fn offset(self) -> u64 {
        match self {
            Numbering::B => 0,
            Numbering::Beta => 1,
        }
    }
}

impl fmt::Display for Numbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Numbering::B => "b",
            Numbering::Beta => "beta",
        })
    }
}
