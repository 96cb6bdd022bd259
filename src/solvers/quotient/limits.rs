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

/// The memory of a search for each position: its word in a table, or a pair of a check.
///
/// Unit: bytes.
const POSITION_BYTES: u64 = 200;

impl QuotientLimits {
    /// Returns the most bytes of memory of a search.
    ///
    /// ```
    /// use cgsolvers::quotient::QuotientLimits;
    ///
    /// assert!(QuotientLimits::default().bytes() < 256 << 20);
    /// ```
    pub fn bytes(self) -> u64 {
        let [elements, positions] = [self.elements_max, self.positions_max].map(|n| n as u64);
        // Products, rows of the learner with a bit for each test, and pairs with a bit for each element.
        let pair = POSITION_BYTES.saturating_add(elements / 8);
        (8 * elements * elements).saturating_add(positions.saturating_mul(pair))
    }
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
