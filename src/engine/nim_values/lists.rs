//! The numbers that the heaps of a strip are not seen to reach, yet to be tried exactly.

use super::exact::{STRIP, TRIED, Trial};

/// How many numbers a list holds.
const LIST: usize = 16;

/// For each heap of a strip, common numbers that it is not seen to reach, ascending, not yet tried.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    numbers: [[u16; LIST]; STRIP],
    lengths: [u8; STRIP],
    /// The heaps that have as many numbers as are tried at once, or more.
    served: u64,
    /// The heaps for which a number found no room, so that no later one may be taken in.
    full: u64,
}

impl Lists {
    pub(super) fn new() -> Lists {
        Lists {
            numbers: [[0; LIST]; STRIP],
            lengths: [0; STRIP],
            served: 0,
            full: 0,
        }
    }

    /// Returns whether one of these heaps has fewer numbers than are tried at once and may take in another.
    pub(super) fn wanting(&self, heaps: u64) -> bool {
        heaps & !self.full & !self.served != 0
    }

    /// Adds a number to the lists of these heaps.
    pub(super) fn push(&mut self, number: u16, heaps: u64) {
        let mut left = heaps & !self.full;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let length = usize::from(self.lengths[i]);
            if length < LIST {
                self.numbers[i][length] = number;
                self.lengths[i] += 1;
                self.served |= u64::from(length + 1 >= TRIED) << i;
            } else {
                self.full |= 1 << i;
            }
        }
    }

    /// Returns the first numbers of each list; what stands where there are fewer means nothing.
    pub(super) fn trial(&self) -> Trial {
        std::array::from_fn(|which| self.numbers.map(|numbers| numbers[which]))
    }

    /// Removes from a list the numbers that were tried, and returns how many.
    pub(super) fn shift(&mut self, i: usize) -> usize {
        let tried = self.lengths[i].min(TRIED as u8);
        self.numbers[i].copy_within(TRIED.., 0);
        self.lengths[i] -= tried;
        if usize::from(self.lengths[i]) < TRIED {
            self.served &= !(1 << i);
        }
        usize::from(tried)
    }
}
