//! The search for the values of a block of heaps, one strip after another.
//!
//! The common numbers that a heap of the strip is not seen to reach by the
//! [rows](super::shift_or) of the block are tried, some at a time, by all shifts that lead to heaps
//! before the [strip](super::strip), or by rows of bits if there are few. Then the shifts within the strip are tried heap by heap. The
//! least remaining number is the heap's value, if it reaches all smaller rare numbers.

use super::super::error::NimValueError;
use super::super::sparse::Sparse;
use super::candidates::Candidates;
use super::kernels::Kernels;
use super::shift_or::{self, Queries};
use super::strip::{self, STRIP, TRIED, Trial};
use super::window::{BLOCK, range, strip_of};

/// The fewest heaps for which numbers are tried together; fewer are processed one by one.
const TRIAL_MIN: u32 = 4;

/// The number of candidates sought for each heap while other heaps of the strip have none, since
/// shifts within the strip may reach the first.
const SPARE: usize = 2;

/// The most candidates stored for a heap.
const LEFT_MAX: usize = 4;

/// The state of the search: the numbers that heaps of a block, and of one of its strips, are seen
/// to reach.
#[derive(Clone, Debug)]
pub(super) struct Search {
    start: usize,
    end: usize,
    /// The heaps that are seen to reach common numbers by the rows of the block.
    queries: Queries,
    /// The first heap of the strip.
    strip: usize,
    /// For each heap of the strip, the common numbers that were not tried, as indices of labels.
    candidates: Candidates,
    /// For each rank and each heap of the strip, the least common numbers that no far shift
    /// reaches, ascending, as far as found.
    least: [[u16; STRIP]; LEFT_MAX + 1],
    found: [u8; STRIP],
    /// For each number, the last heap that was seen to reach it by a near shift.
    marks: Vec<usize>,
}

impl Search {
    /// Returns a search of no heaps.
    pub(super) fn new() -> Search {
        Search {
            start: 0,
            end: 0,
            queries: Queries::default(),
            strip: 0,
            candidates: Candidates::default(),
            least: [[0; STRIP]; LEFT_MAX + 1],
            found: [0; STRIP],
            marks: Vec::new(),
        }
    }

    /// Finds the values of the next block, of its heaps up to `heaps`, or until a value has no row.
    pub(super) fn block(
        &mut self,
        sparse: &mut Sparse,
        kernels: &mut Kernels,
        heaps: usize,
    ) -> Result<(), NimValueError> {
        self.start = sparse.values.len() & !7;
        self.end = heaps.min(self.start + BLOCK);
        kernels.advance(self.start);
        self.marks.clear();
        self.marks.resize(kernels.rows, 0);
        self.see_block(sparse, kernels);
        self.strip = self.start;
        while sparse.values.len() < self.end && !kernels.outgrown {
            while sparse.values.len() >= self.strip + STRIP {
                self.strip += STRIP;
            }
            let end = self.end.min(self.strip + STRIP);
            self.sparse_strip(sparse, kernels, end)?;
        }
        Ok(())
    }

    /// Finds by rows which heaps of the block, from the next one on, reach which common numbers.
    fn see_block(&mut self, sparse: &Sparse, kernels: &mut Kernels) {
        let need = range(sparse.values.len() - self.start, self.end - self.start);
        self.queries.clear(kernels.rows);
        for &label in &kernels.common {
            self.queries.query(label, &need);
        }
        let Kernels {
            shift_or, window, ..
        } = kernels;
        shift_or::see(shift_or, window, self.start, &mut self.queries);
    }

    /// Finds, in a sparse space, the values of the heaps of a strip up to `end`, or until a value has no
    /// row.
    fn sparse_strip(
        &mut self,
        sparse: &mut Sparse,
        kernels: &mut Kernels,
        end: usize,
    ) -> Result<(), NimValueError> {
        self.try_numbers(sparse, kernels, end);
        while sparse.values.len() < end && !kernels.outgrown {
            let value = self.least_common(sparse, kernels);
            kernels.push(sparse, value)?;
        }
        Ok(())
    }

    /// Finds, for the heaps of the strip from the next one on, the least common numbers that they
    /// do not reach by shifts to heaps before the strip.
    fn try_numbers(&mut self, sparse: &Sparse, kernels: &Kernels, end: usize) {
        let strip = self.strip;
        let space = sparse.space();
        self.found = [0; STRIP];
        let at = strip - self.start;
        let common = &kernels.common;
        let unseen = common.iter().map(|&label| {
            let seen = strip_of(self.queries.seen(label), at);
            !(seen | kernels.seen_by_rows(label, strip))
        });
        self.candidates.fill(unseen);
        // The heaps that still need their least number, and those that need further ones.
        let unknown =
            (u64::MAX >> (STRIP - (end - strip))) & (u64::MAX << (sparse.values.len() - strip));
        if kernels.rows_decide() {
            for i in ones(unknown) {
                let places = std::iter::from_fn(|| self.candidates.next(i));
                for (least, place) in self.least[..LEFT_MAX].iter_mut().zip(places) {
                    least[i] = space.label(strip + i, common[place]);
                    self.found[i] += 1;
                }
            }
            return;
        }
        let mut open = unknown;
        let mut more = unknown;
        let bytes = kernels.deciding_bytes(strip);
        let mut trial: Trial<u16> = [[0; STRIP]; TRIED];
        while open.count_ones() >= TRIAL_MIN {
            let mut tried = [0; STRIP];
            for i in ones(more) {
                for numbers in &mut trial {
                    let Some(place) = self.candidates.next(i) else {
                        break;
                    };
                    numbers[i] = space.label(strip + i, common[place]);
                    tried[i] += 1;
                }
            }
            let reached = match bytes {
                Some(bytes) => bytes.reached(strip, &trial),
                None => strip::reached(&sparse.values, strip, &kernels.far, &trial),
            };
            for i in ones(more) {
                // No branch, since it would be unpredictable; surplus numbers go to an unused
                // place.
                let mut found = usize::from(self.found[i]);
                for (numbers, reached) in trial.iter().zip(reached).take(tried[i]) {
                    self.least[found.min(LEFT_MAX)][i] = numbers[i];
                    found += usize::from(reached >> i & 1 == 0);
                }
                self.found[i] = found.min(LEFT_MAX) as u8;
                // A number was found, or all have been tried.
                let done = u64::from(found > 0 || tried[i] < TRIED);
                open &= !(done << i);
                let done = u64::from(found >= SPARE || tried[i] < TRIED);
                more &= !(done << i);
            }
        }
    }

    /// Returns the least common number that is no option of the next heap, or the number of rows if
    /// all are.
    fn least_common(&mut self, sparse: &mut Sparse, kernels: &Kernels) -> u16 {
        let n = sparse.values.len();
        for &(value, offset) in &kernels.near {
            // Offsets of n and more lead to no heap.
            if offset < n {
                self.marks[usize::from(value ^ sparse.values[n - offset])] = n;
            }
        }
        let i = n - self.strip;
        let left = &self.least[..usize::from(self.found[i])];
        let mut left = left.iter().map(|numbers| numbers[i]);
        let least = left.find(|&number| self.marks[usize::from(number)] != n);
        least.unwrap_or_else(|| sparse.least_common())
    }
}

/// Returns the indices of the ones in a word.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}
