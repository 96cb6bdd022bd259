//! The limits of a search for a quotient, and its end at one of them.

use std::fmt;

/// The limits of a search for a quotient. None of them depends on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotientLimits {
    /// The most elements of a quotient, up to 65,535.
    pub elements_max: usize,
    /// The most positions whose outcomes are found by play, and the most pairs of a check.
    pub positions_max: usize,
}

impl Default for QuotientLimits {
    /// Returns 256 elements and 2^20 positions.
    fn default() -> QuotientLimits {
        QuotientLimits {
            elements_max: 256,
            positions_max: 1 << 20,
        }
    }
}

/// The limit at which a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotientEnd {
    /// The quotient of the heaps with the next one has more elements; it may be infinite.
    Elements,
    /// To find the quotient needs the outcomes of more positions.
    Positions,
    /// To check the quotient needs more pairs.
    Pairs,
}

impl fmt::Display for QuotientEnd {
    /// Writes the unit that was exhausted, such as `elements`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QuotientEnd::Elements => "elements",
            QuotientEnd::Positions => "positions",
            QuotientEnd::Pairs => "pairs",
        })
    }
}
