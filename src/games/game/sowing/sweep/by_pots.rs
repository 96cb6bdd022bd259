//! Rows of a limited number of pots, with any number of seeds and capped counts of full pots.
//!
//! On p pots a pot at place i has at most `max(i, p-1-i) + 1` seeds, so there are finitely many
//! rows: 131,144,488 with at most 9 pots. They are numbered in mixed radix, one digit for each pot.

use std::ops::Range;

use super::{
    Level, SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SowingGrid, SowingOrder, SweepOrder, Visit,
    cells_through, comes_first, may_come_first,
};

/// Rows of at most `pots` pots.
///
/// ```
/// use cggames::game::{ByPots, SweepOrder};
///
/// // The rows are 1, 11, 12, 21 and 22; 0 is not among them.
/// let order = ByPots::new(2).unwrap();
/// assert_eq!(order.cells(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct ByPots {
    /// For each number of pots, from 1 on.
    lengths: Vec<Length>,
}

/// The rows of one number of pots.
#[derive(Clone, Debug)]
struct Length {
    /// The number of the first row.
    offset: i64,
    /// The most seeds of each pot.
    caps: Vec<u8>,
    /// The fewest seeds of each pot.
    floors: Vec<u8>,
    /// The weight of each pot's digit.
    strides: Vec<i64>,
    /// `ways[start][end][seeds]`: the number of ways to put `seeds` seeds into the pots
    /// `start..end`.
    ways: Vec<Vec<Vec<u64>>>,
}

impl ByPots {
    /// Returns the family, or `None` if it has too many rows to number.
    pub fn new(pots: usize) -> Option<ByPots> {
        if pots == 0 || pots > SWEEP_POTS_MAX {
            return None;
        }
        let mut lengths = Vec::new();
        let mut offset = 0i64;
        for p in 1..=pots {
            let caps: Vec<u8> = (0..p).map(|i| (i.max(p - 1 - i) + 1) as u8).collect();
            let floors: Vec<u8> = (0..p).map(|i| u8::from(i == 0 || i == p - 1)).collect();
            let mut strides = vec![1i64; p];
            let digits = |i: usize| i64::from(caps[i] - floors[i]) + 1;
            for i in (0..p - 1).rev() {
                strides[i] = strides[i + 1] * digits(i + 1);
            }
            let rows = strides[0] * digits(0);
            lengths.push(Length {
                offset,
                ways: ways(&floors, &caps),
                caps,
                floors,
                strides,
            });
            offset += rows;
            if offset as u64 > SWEEP_CELLS_MAX {
                return None;
            }
        }
        Some(ByPots { lengths })
    }

    fn length(&self, pots: usize) -> &Length {
        &self.lengths[pots - 1]
    }
}

/// Returns the table [`Length::ways`].
fn ways(floors: &[u8], caps: &[u8]) -> Vec<Vec<Vec<u64>>> {
    let from = |first: usize| {
        let mut sums = vec![vec![1u64]];
        for (&floor, &cap) in floors[first..].iter().zip(&caps[first..]) {
            let before = &sums[sums.len() - 1];
            let mut after = vec![0; before.len() + usize::from(cap)];
            for (seeds, ways) in before.iter().enumerate() {
                for count in floor..=cap {
                    after[seeds + usize::from(count)] += ways;
                }
            }
            sums.push(after);
        }
        sums
    };
    (0..floors.len()).map(from).collect()
}

impl Length {
    /// Returns the number of ways to put `seeds` seeds into the pots of a range.
    fn ways(&self, places: Range<usize>, seeds: usize) -> u64 {
        if places.is_empty() {
            return u64::from(seeds == 0);
        }
        let ways = &self.ways[places.start][places.len()];
        ways.get(seeds).copied().unwrap_or(0)
    }

    fn fits(&self, first: usize, pots: &[u8]) -> bool {
        let places = first..first + pots.len();
        let bounds = self.floors[places.clone()].iter().zip(&self.caps[places]);
        pots.iter()
            .zip(bounds)
            .all(|(pot, (floor, cap))| (floor..=cap).contains(&pot))
    }

    fn digit(&self, place: usize, count: u8) -> i64 {
        i64::from(count.min(self.caps[place]) - self.floors[place])
    }

    fn number(&self, pots: impl Iterator<Item = u8>) -> i64 {
        pots.enumerate()
            .map(|(place, count)| self.digit(place, count) * self.strides[place])
            .sum()
    }
}

impl SweepOrder for ByPots {
    type Level = Level;
    type Grid = SowingGrid;

    fn cells(&self) -> u64 {
        let last = self.lengths.last().expect("a family has a longest row");
        let rows = last.strides[0] * i64::from(last.caps[0] - last.floors[0] + 1);
        (last.offset + rows) as u64
    }

    fn levels(&self) -> Vec<Level> {
        let mut levels = Vec::new();
        for (length, pots) in self.lengths.iter().zip(1..) {
            let most = length.caps.iter().map(|&cap| usize::from(cap)).sum();
            let fewest = pots.min(2);
            levels.extend((fewest..=most).map(|seeds| Level { pots, seeds }));
        }
        levels
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
        let length = self.lengths.get(pots.len().checked_sub(1)?)?;
        length
            .fits(0, pots)
            .then(|| (length.offset + length.number(pots.iter().copied())) as usize)
    }
}

impl SowingOrder for ByPots {
    fn rows(&self, level: Level, beginning: &[u8], ending: &[u8]) -> u64 {
        let length = self.length(level.pots);
        let end = level.pots - ending.len();
        if !(length.fits(0, beginning) && length.fits(end, ending)) {
            return 0;
        }
        let given = beginning.iter().chain(ending);
        let given: usize = given.map(|&pot| usize::from(pot)).sum();
        match level.seeds.checked_sub(given) {
            Some(seeds) => length.ways(beginning.len()..end, seeds),
            None => 0,
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
            Walk::new(self, level, ending).walk(beginning, visit);
        }
    }
}

/// A depth-first walk through the rows of one number of pots and seeds with the same ending.
struct Walk<'a> {
    length: &'a Length,
    /// The rows of one pot fewer.
    shorter: Option<&'a Length>,
    /// All seeds but those of the ending.
    seeds: usize,
    /// The place of the first pot of the ending.
    end: usize,
    /// The most and the fewest seeds in the pots from each place to the ending.
    most: [usize; SWEEP_POTS_MAX + 1],
    fewest: [usize; SWEEP_POTS_MAX + 1],
    pots: [u8; SWEEP_POTS_MAX],
    /// The contribution to the number of the row of the pots before each place; the next field has
    /// that for its mirror image.
    number: [i64; SWEEP_POTS_MAX],
    mirror: [i64; SWEEP_POTS_MAX],
    /// The contribution of the ending, without its last pot, to the number of the row; the next
    /// field has that for its mirror image.
    end_number: i64,
    end_mirror: i64,
    /// For each pot, a bit set of the pots from which Left's sowing ends exactly there.
    landing: [u32; SWEEP_POTS_MAX],
    left: Vec<i64>,
    right: Vec<i64>,
}

impl<'a> Walk<'a> {
    fn new(order: &'a ByPots, level: Level, ending: &[u8]) -> Walk<'a> {
        let length = order.length(level.pots);
        let end_seeds: usize = ending.iter().map(|&pot| usize::from(pot)).sum();
        let mut walk = Walk {
            length,
            shorter: (level.pots > 1).then(|| order.length(level.pots - 1)),
            seeds: level.seeds - end_seeds,
            end: level.pots - ending.len(),
            most: [0; SWEEP_POTS_MAX + 1],
            fewest: [0; SWEEP_POTS_MAX + 1],
            pots: [0; SWEEP_POTS_MAX],
            number: [0; SWEEP_POTS_MAX],
            mirror: [0; SWEEP_POTS_MAX],
            end_number: 0,
            end_mirror: 0,
            landing: [0; SWEEP_POTS_MAX],
            left: Vec::with_capacity(2 * SWEEP_POTS_MAX),
            right: Vec::with_capacity(2 * SWEEP_POTS_MAX),
        };
        for place in (0..walk.end).rev() {
            walk.most[place] = walk.most[place + 1] + usize::from(length.caps[place]);
            walk.fewest[place] = walk.fewest[place + 1] + usize::from(length.floors[place]);
        }
        walk.end_with(ending);
        walk
    }

    /// Sets the ending, and computes the data that depend on it alone.
    fn end_with(&mut self, ending: &[u8]) {
        let (length, end) = (self.length, self.end);
        let last = length.caps.len() - 1;
        self.pots[end..=last].copy_from_slice(ending);
        for place in end..last {
            let digit = length.digit(place, self.pots[place]);
            self.end_number += digit * length.strides[place];
            self.end_mirror += digit * length.strides[last - place];
        }
        // Moves within the ending. A move of the last pot changes the number of pots, so it depends
        // on the whole row.
        for place in end..=last {
            let count = self.pots[place];
            let seeds = usize::from(count);
            if count == 0 {
                continue;
            }
            if place + seeds <= last {
                self.landing[place + seeds] |= 1 << place;
            }
            self.push_landings(place, count);
            if place < last && place >= end + seeds {
                self.push_right(place);
            }
        }
        self.landing = [0; SWEEP_POTS_MAX];
    }

    fn walk(&mut self, beginning: &[u8], visit: &mut impl FnMut(&Visit<'_>)) {
        let mut seeds = self.seeds;
        for (place, &count) in beginning.iter().enumerate() {
            let Some(rest) = seeds.checked_sub(usize::from(count)) else {
                return;
            };
            if count > 0 {
                self.push_landings(place, count);
            }
            self.enter(place, count);
            seeds = rest;
        }
        self.descend(beginning.len(), seeds, visit);
    }

    /// Visits all rows with the current beginning and `seeds` seeds from `place` to the ending.
    fn descend(&mut self, place: usize, seeds: usize, visit: &mut impl FnMut(&Visit<'_>)) {
        let last = self.length.caps.len() - 1;
        if place == self.end {
            if seeds == 0 {
                self.finish(visit);
            }
            return;
        }
        let ending = &self.pots[self.end..=last];
        if place <= ending.len() && !may_come_first(&self.pots[..place], ending) {
            return;
        }
        for count in self.counts(place, seeds) {
            let (lefts, rights) = (self.left.len(), self.right.len());
            let count = count as u8;
            if place == last {
                self.pots[last] = count;
                self.finish(visit);
            } else {
                if count > 0 {
                    self.push_landings(place, count);
                }
                self.enter(place, count);
                self.descend(place + 1, seeds - usize::from(count), visit);
                if let Some(landing) = self.landing.get_mut(place + usize::from(count)) {
                    *landing &= !(1 << place);
                }
            }
            self.left.truncate(lefts);
            self.right.truncate(rights);
        }
    }

    /// Returns the possible counts of a pot, the latest first, with `seeds` seeds left for it and
    /// the pots after it.
    fn counts(&self, place: usize, seeds: usize) -> impl Iterator<Item = usize> + use<> {
        let most =
            usize::from(self.length.caps[place]).min(seeds - self.fewest[place + 1].min(seeds));
        let least = seeds
            .saturating_sub(self.most[place + 1])
            .max(usize::from(self.length.floors[place]));
        let possible = seeds >= self.fewest[place];
        let zero = (possible && least == 0).then_some(0);
        let rest = if possible {
            least.max(1)..most + 1
        } else {
            0..0
        };
        zero.into_iter().chain(rest.rev())
    }

    /// Sets the count of a pot other than the last, and adds Right's move from there.
    fn enter(&mut self, place: usize, count: u8) {
        let Length { strides, .. } = self.length;
        let last = strides.len() - 1;
        let digit = self.length.digit(place, count);
        self.pots[place] = count;
        self.number[place + 1] = self.number[place] + digit * strides[place];
        self.mirror[place + 1] = self.mirror[place] + digit * strides[last - place];
        let seeds = usize::from(count);
        if seeds == 0 {
            return;
        }
        if place + seeds <= last {
            self.landing[place + seeds] |= 1 << place;
        }
        if seeds <= place {
            self.push_right(place);
        }
    }

    /// Adds Right's move from this pot, if there is one.
    fn push_right(&mut self, place: usize) {
        let count = self.pots[place];
        let target = place - usize::from(count);
        if self.pots[target] > 0 {
            let gained: i64 = (target..place).map(|j| self.gain(j)).sum();
            let lost = i64::from(count) * self.length.strides[place];
            self.right.push(gained - lost);
        }
    }

    /// Returns the change of the row's number when a pot gets a seed.
    fn gain(&self, place: usize) -> i64 {
        if self.pots[place] < self.length.caps[place] {
            self.length.strides[place]
        } else {
            0
        }
    }

    /// Adds Left's moves that land in this pot, which has `count` seeds, except from the first pot.
    fn push_landings(&mut self, place: usize, count: u8) {
        self.pots[place] = count;
        let mut sources = self.landing[place] & !1;
        while sources != 0 {
            let source = sources.trailing_zeros() as usize;
            sources &= sources - 1;
            let gained: i64 = (source + 1..=place).map(|j| self.gain(j)).sum();
            let lost = i64::from(self.pots[source]) * self.length.strides[source];
            self.left.push(gained - lost);
        }
    }

    /// Visits the row, all of whose pots are set, if it comes before its mirror image.
    fn finish(&mut self, visit: &mut impl FnMut(&Visit<'_>)) {
        let length = self.length;
        let last = length.caps.len() - 1;
        if !comes_first(&self.pots[..=last]) {
            return;
        }
        let (lefts, rights) = (self.left.len(), self.right.len());
        let count = self.pots[last];
        let digit = length.digit(last, count);
        let before = self.end.min(last);
        let number = self.number[before] + self.end_number + digit * length.strides[last];
        let mirror = self.mirror[before] + self.end_mirror + digit * length.strides[0];
        let cell = length.offset + number;
        for place in self.end..last {
            let count = self.pots[place];
            if count > 0 {
                self.push_landings(place, count);
                let seeds = usize::from(count);
                if seeds <= place && place < self.end + seeds {
                    self.push_right(place);
                }
            }
        }
        self.push_landings(last, count);
        if let Some(shorter) = self.shorter {
            let pots = &self.pots[..=last];
            // A move that empties an end pot shortens the row, which changes the caps of all pots.
            let reach = usize::from(pots[0]);
            if reach <= last && pots[reach] > 0 {
                let option = (1..=last).map(|j| pots[j] + u8::from(j <= reach));
                self.left
                    .push(shorter.offset + shorter.number(option) - cell);
            }
            let reach = usize::from(count);
            if reach <= last && pots[last - reach] > 0 {
                let option = (0..last).map(|j| pots[j] + u8::from(j >= last - reach));
                self.right
                    .push(shorter.offset + shorter.number(option) - cell);
            }
        }
        visit(&Visit {
            cell: cell as usize,
            mirror: (length.offset + mirror) as usize,
            left: &self.left,
            right: &self.right,
            pots: &self.pots[..=last],
        });
        self.left.truncate(lefts);
        self.right.truncate(rights);
    }
}
