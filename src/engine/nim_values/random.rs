//! Seeded numbers for tests.

/// A sequence of numbers that is the same for the same seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Returns the next number, below `below`.
    pub(super) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as usize % below
    }
}
