//! Rows of a limited number of pots, with any number of seeds, the counts of full pots cut.
//!
//! On p pots a pot at place i has at most `max(i, p-1-i) + 1` seeds, so that there are finitely many
//! rows: 131,144,488 with at most 9 pots. They are numbered in mixed radix, one digit a pot.

use std::ops::Range;

use super::{SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepOrder, Visit, comes_first};

/// The rows of a part begin alike, but for the last so many pots.
// PERF: with four free pots the family of 10 pots had 12.9 million parts of 207 rows on average, which took
// 0.7 GB beside the cells.
const FREE_POTS: usize = 5;

/// The most pots that the rows of a part have in common; families have at most 10 pots.
const PREFIX_MAX: usize = 8;

/// Rows of at most `pots` pots.
///
/// ```
/// use seedbank::ruleset::{ByPots, SweepOrder};
///
/// // 0 is no row of the family; 1 and 11, 12, 21, 22.
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
    /// Where they begin.
    offset: i64,
    /// The most seeds of each pot.
    caps: Vec<u8>,
    /// The fewest.
    floors: Vec<u8>,
    /// The weight of each pot's digit.
    strides: Vec<i64>,
    /// The most and the fewest seeds from each pot on.
    most: Vec<usize>,
    fewest: Vec<usize>,
}

/// A stretch of the order: all rows of so many pots and seeds that begin like this.
#[derive(Clone, Debug)]
pub struct Level {
    pots: usize,
    seeds: usize,
    len: usize,
    digits: [u8; PREFIX_MAX],
}

impl ByPots {
    /// Returns the family, or `None` where it has more rows than can be numbered.
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
            let from = |counts: &[u8]| {
                let mut sums = vec![0; p + 1];
                for i in (0..p).rev() {
                    sums[i] = sums[i + 1] + usize::from(counts[i]);
                }
                sums
            };
            lengths.push(Length {
                offset,
                most: from(&caps),
                fewest: from(&floors),
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

    fn split(&self, level: Level, seeds: usize, parts: &mut Vec<Level>) {
        let length = self.length(level.pots);
        if level.len + FREE_POTS >= level.pots {
            parts.push(level);
            return;
        }
        for digit in length.counts(level.len, seeds) {
            let mut longer = level.clone();
            longer.digits[longer.len] = digit as u8;
            longer.len += 1;
            self.split(longer, seeds - digit, parts);
        }
    }
}

impl Length {
    /// Returns the counts that a pot can have, the latest first, where so many seeds are left for it
    /// and the pots after it.
    fn counts(&self, place: usize, seeds: usize) -> impl Iterator<Item = usize> + use<> {
        let most = usize::from(self.caps[place]).min(seeds - self.fewest[place + 1].min(seeds));
        let least = seeds
            .saturating_sub(self.most[place + 1])
            .max(usize::from(self.floors[place]));
        let possible = seeds >= self.fewest[place];
        let zero = (possible && least == 0).then_some(0);
        let rest = if possible {
            least.max(1)..most + 1
        } else {
            0..0
        };
        zero.into_iter().chain(rest.rev())
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
    type Part = Level;

    fn cells(&self) -> u64 {
        let last = self.lengths.last().expect("a family has a longest row");
        let rows = last.strides[0] * i64::from(last.caps[0] - last.floors[0] + 1);
        (last.offset + rows) as u64
    }

    fn parts(&self) -> Vec<Level> {
        let mut parts = Vec::new();
        for (length, pots) in self.lengths.iter().zip(1..) {
            for seeds in length.fewest[0]..=length.most[0] {
                let level = Level {
                    pots,
                    seeds,
                    len: 0,
                    digits: [0; PREFIX_MAX],
                };
                self.split(level, seeds, &mut parts);
            }
        }
        parts
    }

    fn cells_of(&self, part: &Level) -> Range<usize> {
        let length = self.length(part.pots);
        let prefix = part.digits[..part.len].iter().copied();
        let first = length.offset + length.number(prefix);
        let rows = match part.len.checked_sub(1) {
            Some(last) => length.strides[last],
            None => length.strides[0] * (length.digit(0, u8::MAX) + 1),
        };
        first as usize..(first + rows) as usize
    }

    fn visit(&self, part: &Level, visit: &mut impl FnMut(&Visit<'_>)) {
        let mut walk = Walk::new(self, part.pots);
        let mut seeds = part.seeds;
        for place in 0..part.len {
            let count = part.digits[place];
            if count > 0 {
                walk.push_landings(place, count);
            }
            walk.enter(place, count);
            seeds -= usize::from(count);
        }
        walk.descend(part.len, seeds, visit);
    }

    fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        let length = self.lengths.get(pots.len().checked_sub(1)?)?;
        let fits = pots
            .iter()
            .zip(&length.caps)
            .zip(&length.floors)
            .all(|((pot, cap), floor)| (floor..=cap).contains(&pot));
        fits.then(|| (length.offset + length.number(pots.iter().copied())) as usize)
    }
}

/// The walk through the rows of one number of pots and seeds, depth first over their prefixes.
struct Walk<'a> {
    length: &'a Length,
    /// The rows of one pot fewer.
    shorter: Option<&'a Length>,
    pots: [u8; SWEEP_POTS_MAX],
    /// The numbers, of the row and of its mirror image, of the pots before each.
    number: [i64; SWEEP_POTS_MAX],
    mirror: [i64; SWEEP_POTS_MAX],
    /// The pots from which Left can sow exactly up to each pot, one bit each.
    landing: [u32; SWEEP_POTS_MAX],
    left: Vec<i64>,
    right: Vec<i64>,
}

impl<'a> Walk<'a> {
    fn new(order: &'a ByPots, pots: usize) -> Walk<'a> {
        Walk {
            length: order.length(pots),
            shorter: (pots > 1).then(|| order.length(pots - 1)),
            pots: [0; SWEEP_POTS_MAX],
            number: [0; SWEEP_POTS_MAX],
            mirror: [0; SWEEP_POTS_MAX],
            landing: [0; SWEEP_POTS_MAX],
            left: Vec::with_capacity(2 * SWEEP_POTS_MAX),
            right: Vec::with_capacity(2 * SWEEP_POTS_MAX),
        }
    }

    /// Visits all rows that begin like this and have so many seeds from `place` on.
    fn descend(&mut self, place: usize, seeds: usize, visit: &mut impl FnMut(&Visit<'_>)) {
        let length = self.length;
        let last = length.caps.len() - 1;
        for count in length.counts(place, seeds) {
            let (lefts, rights) = (self.left.len(), self.right.len());
            let count = count as u8;
            if place == last {
                self.finish(count, visit);
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

    /// Puts a count into a pot other than the last, with Right's move from there.
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
        if seeds <= place && self.pots[place - seeds] > 0 {
            let gained: i64 = (place - seeds..place).map(|j| self.gain(j)).sum();
            self.right.push(gained - i64::from(count) * strides[place]);
        }
    }

    /// Returns how the number changes when a pot gets a seed.
    fn gain(&self, place: usize) -> i64 {
        if self.pots[place] < self.length.caps[place] {
            self.length.strides[place]
        } else {
            0
        }
    }

    /// Adds Left's moves that land in this pot, which has so many seeds, except from the first pot.
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

    /// Visits the row that ends with so many seeds, if it comes before its mirror image.
    fn finish(&mut self, count: u8, visit: &mut impl FnMut(&Visit<'_>)) {
        let length = self.length;
        let last = length.caps.len() - 1;
        self.pots[last] = count;
        if !comes_first(&self.pots[..=last]) {
            return;
        }
        let digit = length.digit(last, count);
        let cell = length.offset + self.number[last] + digit * length.strides[last];
        let mirror = length.offset + self.mirror[last] + digit * length.strides[0];
        self.push_landings(last, count);
        if let Some(shorter) = self.shorter {
            let pots = &self.pots[..=last];
            // A move that empties an end pot makes the row shorter, and all pots' caps change.
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
            mirror: mirror as usize,
            left: &self.left,
            right: &self.right,
            pots: &self.pots[..=last],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of parts is held beside the cells, and a sweep shares out one part after another.
    #[test]
    fn parts_have_many_rows_and_take_little_memory() {
        let order = ByPots::new(9).unwrap();
        let parts = order.parts();
        assert!(order.cells() / parts.len() as u64 > 500, "{}", parts.len());
        assert!(size_of_val(&parts[..]) as u64 * 16 < order.cells());
    }
}
