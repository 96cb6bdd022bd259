//! Rows of a fixed number of seeds on a limited number of pots.
//!
//! The rows of n seeds on at most n pots are exactly the followers of `1^n` (checked for n <= 13), and
//! there are C(2n-2, n-1) of them.
//!
//! # Numbering
//!
//! With `R_j` seeds right of pot j, not counting the one that the last pot must have, a row of p pots
//! has the number
//!
//! ```text
//! sum over j = 0 .. p-2 of W[p-2-j][R_j]      with W[q][r] = C(r+q, q+1)
//! ```
//!
//! Each term depends on one prefix sum of the row. So a move changes only the terms of the pots that it
//! passes, whatever stands beside them: all moves within a prefix of the row are found once for all
//! rows with that prefix. That makes a visit cost a few additions an option.

use std::ops::Range;

use super::{SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepOrder, Visit, comes_first};

/// The rows of a part at most, mirror images included.
const PART_ROWS: u64 = 16_384;

/// One more than the most seeds.
const SEEDS_END: usize = 64;

/// Rows of `seeds` seeds, on at most `pots` pots.
///
/// ```
/// use seedbank::ruleset::{BySeeds, SweepOrder};
///
/// let order = BySeeds::new(13, 13).unwrap();
/// assert_eq!(order.cells(), 2_704_156);
/// ```
#[derive(Clone, Debug)]
pub struct BySeeds {
    seeds: usize,
    pots: usize,
    /// Where the rows of p pots begin, for p = 0 (none), 1, 2, ...; and where they all end.
    offsets: Vec<i64>,
    weights: Vec<[i64; SEEDS_END]>,
}

/// A stretch of the order: all rows of so many pots that begin like this.
#[derive(Clone, Debug)]
pub struct Prefix {
    pots: usize,
    len: usize,
    digits: [u8; SWEEP_POTS_MAX],
}

impl BySeeds {
    /// Returns the family, or `None` where it has more pots, more seeds or more rows than can be
    /// numbered.
    pub fn new(seeds: usize, pots: usize) -> Option<BySeeds> {
        if seeds == 0 || seeds >= SEEDS_END || pots == 0 || pots > SWEEP_POTS_MAX {
            return None;
        }
        // W[q][r] = W[q][r-1] + W[q-1][r], for C(r+q, q+1) = C(r+q-1, q+1) + C(r+q-1, q).
        let mut weights = vec![[0i64; SEEDS_END]; pots + 1];
        for q in 0..=pots {
            for r in 1..SEEDS_END {
                let above = if q == 0 { 1 } else { weights[q - 1][r] };
                weights[q][r] = weights[q][r - 1].saturating_add(above);
            }
        }
        let mut offsets = vec![0, 0];
        for p in 1..=pots {
            // C(n-2+p-1, p-1) rows: n - 2 seeds free on p pots; one row where p = 1.
            let rows = match (p, seeds) {
                (1, _) => 1,
                (_, 1) => 0,
                _ => weights[p - 2][seeds - 1],
            };
            offsets.push(i64::checked_add(offsets[p], rows)?);
        }
        (offsets[pots + 1] as u64 <= SWEEP_CELLS_MAX).then_some(BySeeds {
            seeds,
            pots,
            offsets,
            weights,
        })
    }

    /// Returns how many rows of `pots` more pots hold `seeds` seeds, the last pot at least one.
    fn completions(&self, pots: usize, seeds: usize) -> u64 {
        match (pots, seeds) {
            (0, _) | (_, 0) => 0,
            (1, _) => 1,
            _ => self.weights[pots - 2][seeds] as u64,
        }
    }

    fn split(&self, prefix: Prefix, seeds: usize, parts: &mut Vec<Prefix>) {
        let left = prefix.pots - prefix.len;
        if left == 1 || self.completions(left, seeds) <= PART_ROWS {
            parts.push(prefix);
            return;
        }
        let zero = (prefix.len > 0).then_some(0);
        for digit in zero.into_iter().chain((1..seeds).rev()) {
            let mut longer = prefix.clone();
            longer.digits[longer.len] = digit as u8;
            longer.len += 1;
            self.split(longer, seeds - digit, parts);
        }
    }
}

impl SweepOrder for BySeeds {
    type Part = Prefix;

    fn cells(&self) -> u64 {
        self.offsets[self.pots + 1] as u64
    }

    fn parts(&self) -> Vec<Prefix> {
        let mut parts = Vec::new();
        // A single seed makes no longer row than its pot.
        let longest = if self.seeds == 1 { 1 } else { self.pots };
        for pots in 1..=longest {
            let prefix = Prefix {
                pots,
                len: 0,
                digits: [0; SWEEP_POTS_MAX],
            };
            self.split(prefix, self.seeds, &mut parts);
        }
        parts
    }

    fn cells_of(&self, part: &Prefix) -> Range<usize> {
        let mut seeds = self.seeds;
        let mut first = self.offsets[part.pots];
        for (j, &digit) in part.digits[..part.len].iter().enumerate() {
            seeds -= usize::from(digit);
            first += self.weights[part.pots - 2 - j][seeds - 1];
        }
        let rows = self.completions(part.pots - part.len, seeds);
        first as usize..first as usize + rows as usize
    }

    fn visit(&self, part: &Prefix, visit: &mut impl FnMut(&Visit<'_>)) {
        Walk::new(self, part.pots).walk(part, visit);
    }

    fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        let (first, last) = (*pots.first()?, *pots.last()?);
        let seeds: usize = pots.iter().map(|&pot| usize::from(pot)).sum();
        if first == 0 || last == 0 || seeds != self.seeds || pots.len() > self.pots {
            return None;
        }
        let mut right_of = seeds - 1;
        let mut cell = self.offsets[pots.len()];
        for (&pot, weights) in pots.iter().zip(self.weights[..pots.len() - 1].iter().rev()) {
            right_of -= usize::from(pot);
            cell += weights[right_of];
        }
        Some(cell as usize)
    }
}

/// The walk through the rows of one number of pots, depth first over their prefixes.
struct Walk<'a> {
    order: &'a BySeeds,
    len: usize,
    pots: [u8; SWEEP_POTS_MAX],
    /// Seeds right of each pot, less the one that the last pot must have.
    right_of: [usize; SWEEP_POTS_MAX],
    /// The number so far: its terms up to each pot.
    number: [i64; SWEEP_POTS_MAX],
    /// The same if the last pot were not there.
    number_shorter: [i64; SWEEP_POTS_MAX],
    /// The mirror image's number so far.
    number_mirror: [i64; SWEEP_POTS_MAX],
    /// The pots from which Left can sow exactly up to each pot, one bit each.
    landing: [u32; SWEEP_POTS_MAX],
    left: Vec<i64>,
    right: Vec<i64>,
}

impl<'a> Walk<'a> {
    fn new(order: &'a BySeeds, len: usize) -> Walk<'a> {
        Walk {
            order,
            len,
            pots: [0; SWEEP_POTS_MAX],
            right_of: [0; SWEEP_POTS_MAX],
            number: [0; SWEEP_POTS_MAX],
            number_shorter: [0; SWEEP_POTS_MAX],
            number_mirror: [0; SWEEP_POTS_MAX],
            landing: [0; SWEEP_POTS_MAX],
            left: Vec::with_capacity(2 * SWEEP_POTS_MAX),
            right: Vec::with_capacity(2 * SWEEP_POTS_MAX),
        }
    }

    fn walk(&mut self, part: &Prefix, visit: &mut impl FnMut(&Visit<'_>)) {
        let mut seeds = self.order.seeds;
        for place in 0..part.len {
            let count = usize::from(part.digits[place]);
            if count > 0 {
                self.push_landings(place);
            }
            self.enter(place, count, seeds);
            seeds -= count;
        }
        self.descend(part.len, seeds, visit);
    }

    /// Visits all rows that begin like this and have so many seeds from `place` on.
    fn descend(&mut self, place: usize, seeds: usize, visit: &mut impl FnMut(&Visit<'_>)) {
        if place + 1 == self.len {
            self.finish(seeds, visit);
            return;
        }
        // A row that comes first ends with no more seeds than it begins with.
        let least = if place > 0 && place + 2 == self.len {
            seeds.saturating_sub(usize::from(self.pots[0]))
        } else {
            0
        };
        if place > 0 && least == 0 {
            self.enter(place, 0, seeds);
            self.descend(place + 1, seeds, visit);
        }
        let lefts = self.left.len();
        self.push_landings(place);
        for count in (least.max(1)..seeds).rev() {
            let rights = self.right.len();
            self.enter(place, count, seeds);
            self.descend(place + 1, seeds - count, visit);
            self.right.truncate(rights);
            if place + count < self.len {
                self.landing[place + count] &= !(1 << place);
            }
        }
        self.left.truncate(lefts);
    }

    /// Puts a count into a pot other than the last, with Right's move from there.
    fn enter(&mut self, place: usize, count: usize, seeds: usize) {
        let weights = &self.order.weights;
        let before = |sums: &[i64]| if place == 0 { 0 } else { sums[place - 1] };
        let right_of = seeds - count - 1;
        let left_of = self.order.seeds - seeds + count;
        self.pots[place] = count as u8;
        self.right_of[place] = right_of;
        self.number[place] = before(&self.number) + weights[self.len - 2 - place][right_of];
        if place + 3 <= self.len {
            self.number_shorter[place] =
                before(&self.number_shorter) + weights[self.len - 3 - place][right_of];
        }
        self.number_mirror[place] = before(&self.number_mirror) + weights[place][left_of - 1];
        if count == 0 {
            return;
        }
        if place + count < self.len {
            self.landing[place + count] |= 1 << place;
        }
        if count <= place && self.pots[place - count] > 0 {
            let delta = (place - count..place)
                .zip(1..)
                .map(|(j, gone)| {
                    let weights = &weights[self.len - 2 - j];
                    weights[self.right_of[j] - gone] - weights[self.right_of[j]]
                })
                .sum();
            self.right.push(delta);
        }
    }

    /// Adds Left's moves that land in this pot.
    fn push_landings(&mut self, place: usize) {
        let weights = &self.order.weights;
        let mut sources = self.landing[place];
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let mut delta = 0;
            let mut from = source;
            if source == 0 {
                // The row loses its first pot, and with it the first term.
                let offsets = &self.order.offsets;
                delta += offsets[self.len - 1]
                    - offsets[self.len]
                    - weights[self.len - 2][self.right_of[0]];
                from = 1;
            }
            for j in from..place {
                let weights = &weights[self.len - 2 - j];
                delta += weights[self.right_of[j] + place - j] - weights[self.right_of[j]];
            }
            self.left.push(delta);
        }
    }

    /// Visits the row that ends with so many seeds, if it comes before its mirror image.
    fn finish(&mut self, count: usize, visit: &mut impl FnMut(&Visit<'_>)) {
        let last = self.len - 1;
        self.pots[last] = count as u8;
        if !comes_first(&self.pots[..self.len]) {
            return;
        }
        let offsets = &self.order.offsets;
        let number = if last == 0 { 0 } else { self.number[last - 1] };
        let mirror = if last == 0 {
            0
        } else {
            self.number_mirror[last - 1]
        };
        let (lefts, rights) = (self.left.len(), self.right.len());
        self.push_landings(last);
        if count <= last && self.pots[last - count] > 0 {
            // The row loses its last pot: all terms are those of a shorter row.
            let target = last - count;
            let mut option = if target == 0 {
                0
            } else {
                self.number_shorter[target - 1]
            };
            for j in target..last - 1 {
                let weights = &self.order.weights[self.len - 3 - j];
                option += weights[self.right_of[j] + target - (j + 1)];
            }
            self.right
                .push(offsets[self.len - 1] + option - offsets[self.len] - number);
        }
        visit(&Visit {
            cell: (offsets[self.len] + number) as usize,
            mirror: (offsets[self.len] + mirror) as usize,
            left: &self.left,
            right: &self.right,
            pots: &self.pots[..self.len],
        });
        self.left.truncate(lefts);
        self.right.truncate(rights);
    }
}
