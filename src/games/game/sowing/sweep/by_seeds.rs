//! Rows of a fixed number of seeds on a limited number of pots.
//!
//! The rows of n seeds on at most n pots are exactly the followers of `1^n` (checked for n <= 13),
//! and there are C(2n-2, n-1) of them.
//!
//! # Numbering
//!
//! Let `R_j` be the number of seeds right of pot j, minus the one that the last pot must have. The
//! number of a row of p pots is
//!
//! ```text
//! sum over j = 0 .. p-2 of W[p-2-j][R_j]      with W[q][r] = C(r+q, q+1)
//! ```
//!
//! Each term depends on one prefix sum of the row. So a move changes only the terms of the pots
//! that it passes, and the moves within a prefix of the row are computed once for all rows with
//! that prefix. A visit then costs a few additions for each option.

use super::{
    Level, SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SowingGrid, SowingOrder, SweepOrder, Visit,
    cells_through, comes_first, may_come_first,
};

/// One more than the most seeds.
const SEEDS_END: usize = 64;

/// Rows of `seeds` seeds, on at most `pots` pots.
///
/// ```
/// use cggames::game::{BySeeds, SweepOrder};
///
/// let order = BySeeds::new(13, 13).unwrap();
/// assert_eq!(order.cells(), 2_704_156);
/// ```
#[derive(Clone, Debug)]
pub struct BySeeds {
    seeds: usize,
    pots: usize,
    /// The number of the first row of p pots, for p = 0 (none), 1, 2, ..., and at last the number
    /// of all rows.
    offsets: Vec<i64>,
    weights: Vec<[i64; SEEDS_END]>,
}

impl BySeeds {
    /// Returns the family, or `None` if it has too many pots, seeds or rows to number.
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
}

impl SweepOrder for BySeeds {
    type Level = Level;
    type Grid = SowingGrid;

    fn cells(&self) -> u64 {
        self.offsets[self.pots + 1] as u64
    }

    fn levels(&self) -> Vec<Level> {
        // A single seed fills only one pot.
        let longest = if self.seeds == 1 { 1 } else { self.pots };
        let level = |pots| Level {
            pots,
            seeds: self.seeds,
        };
        (1..=longest).map(level).collect()
    }

    fn cells_through(&self, levels: usize) -> u64 {
        cells_through(self, levels)
    }

    fn grid(&self, level: Level, workers: usize) -> SowingGrid {
        SowingGrid::new(self, level, workers)
    }

    fn visit(&self, grid: &SowingGrid, block: (usize, usize), visit: &mut impl FnMut(&Visit<'_>)) {
        grid.visit(self, block, visit);
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

impl SowingOrder for BySeeds {
    fn rows(&self, level: Level, beginning: &[u8], ending: &[u8]) -> u64 {
        let sum = |pots: &[u8]| pots.iter().map(|&pot| usize::from(pot)).sum::<usize>();
        let ends = [beginning.first(), ending.last()];
        if ends.contains(&Some(&0)) {
            return 0;
        }
        let between = level.pots - beginning.len() - ending.len();
        // Each end pot outside the given beginning and ending needs a seed; in a row of one pot
        // both ends are the same.
        let needed = match between {
            1 if level.pots == 1 => 1,
            _ => ends.iter().filter(|end| end.is_none()).count(),
        };
        let seeds = level
            .seeds
            .checked_sub(sum(beginning) + sum(ending) + needed);
        match (between, seeds) {
            (_, None) => 0,
            (0, Some(seeds)) => u64::from(seeds == 0),
            (1, Some(_)) => 1,
            // C(seeds + between - 1, between - 1)
            (_, Some(seeds)) => self.weights[between - 2][seeds + 1] as u64,
        }
    }

    fn visit_between(
        &self,
        level: Level,
        beginning: &[u8],
        ending: &[u8],
        visit: &mut impl FnMut(&Visit<'_>),
    ) {
        if may_come_first(beginning, ending) {
            Walk::new(self, level.pots).walk(beginning, ending, visit);
        }
    }
}

/// A depth-first walk through the rows of one number of pots with the same ending.
struct Walk<'a> {
    order: &'a BySeeds,
    len: usize,
    /// The place of the first pot of the ending, and the ending's seeds.
    end: usize,
    end_seeds: usize,
    pots: [u8; SWEEP_POTS_MAX],
    /// The seeds right of each pot, minus the one that the last pot must have.
    right_of: [usize; SWEEP_POTS_MAX],
    /// The number so far: the sum of its terms before each pot.
    number: [i64; SWEEP_POTS_MAX],
    /// The same for the row without its last pot. In the ending, the sum of the terms from there
    /// on.
    number_shorter: [i64; SWEEP_POTS_MAX],
    /// The mirror image's number so far.
    number_mirror: [i64; SWEEP_POTS_MAX],
    /// The terms of the ending.
    end_number: i64,
    end_mirror: i64,
    /// For each pot, a bit set of the pots from which Left's sowing ends exactly there.
    landing: [u32; SWEEP_POTS_MAX],
    left: Vec<i64>,
    right: Vec<i64>,
}

impl<'a> Walk<'a> {
    fn new(order: &'a BySeeds, len: usize) -> Walk<'a> {
        Walk {
            order,
            len,
            end: len,
            end_seeds: 0,
            pots: [0; SWEEP_POTS_MAX],
            right_of: [0; SWEEP_POTS_MAX],
            number: [0; SWEEP_POTS_MAX],
            number_shorter: [0; SWEEP_POTS_MAX],
            number_mirror: [0; SWEEP_POTS_MAX],
            end_number: 0,
            end_mirror: 0,
            landing: [0; SWEEP_POTS_MAX],
            left: Vec::with_capacity(2 * SWEEP_POTS_MAX),
            right: Vec::with_capacity(2 * SWEEP_POTS_MAX),
        }
    }

    fn walk(&mut self, beginning: &[u8], ending: &[u8], visit: &mut impl FnMut(&Visit<'_>)) {
        self.end_with(ending);
        let mut seeds = self.order.seeds;
        for (place, &count) in beginning.iter().enumerate() {
            let count = usize::from(count);
            if seeds < count + self.end_seeds.max(1) {
                return;
            }
            if count > 0 {
                self.push_landings(place);
            }
            self.enter(place, count, seeds);
            seeds -= count;
        }
        self.descend(beginning.len(), seeds, visit);
    }

    /// Sets the ending, and computes the data that depend on it alone.
    fn end_with(&mut self, ending: &[u8]) {
        self.end = self.len - ending.len();
        let mut seeds: usize = ending.iter().map(|&pot| usize::from(pot)).sum();
        self.end_seeds = seeds;
        let weights = &self.order.weights;
        let mut shorter = 0;
        for (place, &count) in (self.end..).zip(ending) {
            seeds -= usize::from(count);
            self.pots[place] = count;
            if place + 1 == self.len {
                break;
            }
            let right_of = seeds - 1;
            self.right_of[place] = right_of;
            self.end_number += weights[self.len - 2 - place][right_of];
            self.end_mirror += weights[place][self.order.seeds - seeds - 1];
            if place + 3 <= self.len {
                shorter += weights[self.len - 3 - place][right_of];
                self.number_shorter[place] = shorter;
            }
        }
        // Moves within the ending. Those of the last pot change the number of pots, so they depend
        // on the whole row.
        for place in self.end..self.len {
            let count = usize::from(self.pots[place]);
            if count > 0 && place + count < self.len {
                self.landing[place + count] |= 1 << place;
            }
            if count > 0 {
                self.push_landings(place);
            }
            if place + 1 < self.len && count > 0 && place >= self.end + count {
                self.push_right(place, count);
            }
        }
        self.landing = [0; SWEEP_POTS_MAX];
    }

    /// Visits all rows with the current beginning and `seeds` seeds from `place` on.
    fn descend(&mut self, place: usize, seeds: usize, visit: &mut impl FnMut(&Visit<'_>)) {
        if place == self.end {
            self.finish(visit);
            return;
        }
        if place + 1 == self.len {
            self.pots[place] = seeds as u8;
            self.finish(visit);
            return;
        }
        let ending = &self.pots[self.end..self.len];
        if place <= ending.len() && !may_come_first(&self.pots[..place], ending) {
            return;
        }
        let most = seeds - self.end_seeds.max(1);
        let least = if place + 1 == self.end {
            // The pots before the ending hold all other seeds.
            most.max(usize::from(place == 0))
        } else if place == 0 {
            1
        } else if self.end == self.len && place + 2 == self.len {
            // In a row that comes before its mirror image the last pot has at most as much as the
            // first.
            seeds.saturating_sub(usize::from(self.pots[0]))
        } else {
            0
        };
        if least == 0 {
            self.enter(place, 0, seeds);
            self.descend(place + 1, seeds, visit);
        }
        if most == 0 {
            return;
        }
        let lefts = self.left.len();
        self.push_landings(place);
        for count in (least.max(1)..=most).rev() {
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

    /// Sets the count of a pot other than the last, and adds Right's move from there.
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
        if count <= place {
            self.push_right(place, count);
        }
    }

    /// Adds Right's move from this pot, which has `count` seeds, if there is one.
    fn push_right(&mut self, place: usize, count: usize) {
        if self.pots[place - count] == 0 {
            return;
        }
        let delta = (place - count..place)
            .zip(1..)
            .map(|(j, gone)| {
                let weights = &self.order.weights[self.len - 2 - j];
                weights[self.right_of[j] - gone] - weights[self.right_of[j]]
            })
            .sum();
        self.right.push(delta);
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

    /// Visits the row, all of whose pots are set, if it comes before its mirror image.
    fn finish(&mut self, visit: &mut impl FnMut(&Visit<'_>)) {
        let last = self.len - 1;
        if !comes_first(&self.pots[..self.len]) {
            return;
        }
        let offsets = &self.order.offsets;
        // The pots whose terms are already known; the last pot has none.
        let (mut number, mut mirror) = (self.end_number, self.end_mirror);
        if let Some(place) = last.min(self.end).checked_sub(1) {
            number += self.number[place];
            mirror += self.number_mirror[place];
        }
        let (lefts, rights) = (self.left.len(), self.right.len());
        for place in self.end..last {
            let count = usize::from(self.pots[place]);
            if count > 0 {
                self.push_landings(place);
                if count <= place && place < self.end + count {
                    self.push_right(place, count);
                }
            }
        }
        self.push_landings(last);
        let count = usize::from(self.pots[last]);
        if count <= last && self.pots[last - count] > 0 {
            // The row loses its last pot: all terms are those of a shorter row.
            let target = last - count;
            let mut option = match target.checked_sub(1) {
                None => 0,
                Some(place) if place < self.end => self.number_shorter[place],
                Some(place) => self.number_shorter[self.end - 1] + self.number_shorter[place],
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
