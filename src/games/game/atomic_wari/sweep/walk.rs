//! Walks through the rows of one support and one number of seeds, with their options.

use super::supports::{Support, Supports};
use super::terms::{SEEDS_END, Terms};
use super::wanted::Wanted;
use crate::game::{SWEEP_POTS_MAX, Visit};

/// Places left of the row, for sowings beyond its left end.
const MARGIN: usize = SWEEP_POTS_MAX;

/// The row and the margin. No row of the family is longer than `SWEEP_POTS_MAX`.
const PLACES: usize = 2 * SWEEP_POTS_MAX;

/// The rows on some supports, and those among them that are wanted.
pub(super) struct SupportedRows {
    pub(super) terms: Terms,
    pub(super) supports: Supports,
    pub(super) wanted: Wanted,
    /// All rows of at most this many pots are wanted.
    pub(super) pots: usize,
}

impl SupportedRows {
    /// Returns the number of rows on a support.
    pub(super) fn count(&self, support: Support) -> i64 {
        self.terms.rows(support.pots(), usize::from(support.most))
    }
}

/// The direction of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkDirection {
    /// Options before their rows.
    Forwards,
    /// Rows before their options.
    Backwards,
}

/// A depth-first walk, pot by pot from the left.
///
/// Moves within a beginning of the row change nothing behind it, so they are made once for all rows
/// with that beginning.
pub(super) struct Walk<'a> {
    rows: &'a SupportedRows,
    /// Options of at most this many pots are left out, unless the row is longer.
    longer_than: usize,
    support: Support,
    /// Whether all rows on the support are wanted.
    is_whole: bool,
    /// The number of nonempty pots, and their places.
    len: usize,
    places: [usize; SEEDS_END],
    /// The seeds of each nonempty pot.
    counts: [usize; SEEDS_END],
    /// The seeds of all pots by place, from `MARGIN` on.
    pots: [u8; PLACES],
    /// The seeds in each nonempty pot and behind it.
    seeds_from: [usize; SEEDS_END],
    /// The sums of the row's terms up to each nonempty pot, and of the mirror image's.
    number: [i64; SEEDS_END],
    mirror: [i64; SEEDS_END],
    /// For each place, a bit set of the nonempty pots from which Left's sowing ends there.
    landing: [u32; PLACES],
    /// A bit set of the places where some sowing of Left's ends.
    lasts: u64,
    /// The first place where a sowing of Left's may end, and the last place where one of Right's
    /// may; other options are left out.
    last_min: usize,
    last_max: usize,
    left: CellOptions,
    right: CellOptions,
}

/// A player's options: their cells, relative to the row's.
#[derive(Default)]
struct CellOptions {
    cells: Vec<i64>,
    /// The options among them that have no surplus, whose cell is 0.
    ended: Vec<usize>,
}

impl CellOptions {
    fn len(&self) -> (usize, usize) {
        (self.cells.len(), self.ended.len())
    }

    fn truncate(&mut self, (cells, ended): (usize, usize)) {
        self.cells.truncate(cells);
        self.ended.truncate(ended);
    }

    fn push(&mut self, cell: Option<i64>) {
        if cell.is_none() {
            self.ended.push(self.cells.len());
        }
        self.cells.push(cell.unwrap_or(0));
    }

    /// Returns the options of the row of a cell.
    fn of(&mut self, cell: i64) -> &[i64] {
        for &ended in &self.ended {
            self.cells[ended] = -cell;
        }
        &self.cells
    }
}

/// The pots behind some place, as a move leaves them, or from there on.
struct Behind {
    pots: usize,
    seeds: usize,
    /// The sum of the terms of those that the move may have changed.
    number: i64,
    /// The support, from `MARGIN` on.
    mask: u64,
}

impl<'a> Walk<'a> {
    /// Returns a walk that visits rows with all their options.
    pub(super) fn new(rows: &'a SupportedRows) -> Walk<'a> {
        Walk {
            rows,
            longer_than: 0,
            support: Support {
                mask: 1,
                most: 0,
                first: 0,
                mirror_first: 0,
            },
            is_whole: false,
            len: 0,
            places: [0; SEEDS_END],
            counts: [0; SEEDS_END],
            pots: [0; PLACES],
            seeds_from: [0; SEEDS_END],
            number: [0; SEEDS_END],
            mirror: [0; SEEDS_END],
            landing: [0; PLACES],
            lasts: 0,
            last_min: 0,
            last_max: 0,
            left: CellOptions::default(),
            right: CellOptions::default(),
        }
    }

    /// Leaves out options of at most `pots` pots, unless the row is longer.
    pub(super) fn with_options_longer_than(self, pots: usize) -> Walk<'a> {
        Walk {
            longer_than: pots,
            ..self
        }
    }

    /// Visits the wanted rows of `seeds` seeds on a support. One of at most [`SupportedRows::pots`] pots must be
    /// listed in [`Supports`], since the rows on its mirror image are not marked.
    pub(super) fn walk(
        &mut self,
        support: Support,
        seeds: usize,
        direction: WalkDirection,
        visit: &mut impl FnMut(&Visit<'_>),
    ) {
        self.support = support;
        self.is_whole = support.length() <= self.rows.pots;
        self.pots = [0; PLACES];
        self.len = 0;
        let mut mask = support.mask;
        while mask != 0 {
            self.places[self.len] = mask.trailing_zeros() as usize + MARGIN;
            self.len += 1;
            mask &= mask - 1;
        }
        let end = self.places[self.len - 1];
        (self.last_min, self.last_max) = if end < MARGIN + self.longer_than {
            (MARGIN + self.longer_than, end - self.longer_than)
        } else {
            (0, PLACES)
        };
        if self.has_wanted(0, seeds) {
            self.descend(0, seeds, direction, visit);
            self.left.truncate((0, 0));
            self.right.truncate((0, 0));
        }
    }

    /// Returns whether a wanted row has `seeds` seeds in its pots from `pot` on, and the current
    /// pots before.
    fn has_wanted(&self, pot: usize, seeds: usize) -> bool {
        if self.is_whole {
            return true;
        }
        let terms = &self.rows.terms;
        let pots = self.len - pot;
        let first = self.support.first + self.number_before(pot) + terms.term(pots, seeds);
        let rows = terms.term(pots - 1, seeds);
        self.rows.wanted.any(first as usize, rows as usize)
    }

    fn number_before(&self, pot: usize) -> i64 {
        if pot == 0 { 0 } else { self.number[pot - 1] }
    }

    /// Visits the wanted rows with the current pots before `pot`, and `seeds` seeds from there on.
    fn descend(
        &mut self,
        pot: usize,
        seeds: usize,
        direction: WalkDirection,
        visit: &mut impl FnMut(&Visit<'_>),
    ) {
        let terms = &self.rows.terms;
        self.seeds_from[pot] = seeds;
        self.number[pot] = self.number_before(pot) + terms.term(self.len - pot, seeds);
        let behind = self.len - pot - 1;
        if behind == 0 {
            self.enter(pot, seeds, 0);
            self.finish(visit);
            self.leave(pot, seeds);
            return;
        }
        let most = seeds - behind;
        for step in 0..most {
            let late = match direction {
                WalkDirection::Forwards => step,
                WalkDirection::Backwards => most - 1 - step,
            };
            // 1, then the others from the most down to 2.
            let count = if late == 0 { 1 } else { most + 1 - late };
            if self.has_wanted(pot + 1, seeds - count) {
                let (lefts, rights) = (self.left.len(), self.right.len());
                self.enter(pot, count, seeds - count);
                self.descend(pot + 1, seeds - count, direction, visit);
                self.leave(pot, count);
                self.left.truncate(lefts);
                self.right.truncate(rights);
            }
        }
    }

    /// Sets the count of a pot, and makes the moves that end before the next pot.
    fn enter(&mut self, pot: usize, count: usize, behind: usize) {
        self.counts[pot] = count;
        self.pots[self.places[pot]] = count as u8;
        let before = if pot == 0 { 0 } else { self.mirror[pot - 1] };
        let sum = self.seeds_from[0] - behind;
        self.mirror[pot] = before + self.rows.terms.term(pot + 1, sum);
        let here = self.places[pot];
        if count > 1 {
            let last = here + count - 1;
            if last >= self.last_min {
                self.landing[last] |= 1 << pot;
                self.lasts |= 1 << last;
            }
        }
        if count > 1 && here + 1 - count <= self.last_max {
            let option = self.sown_left(pot, behind);
            self.right.push(option);
        }
        let mut lasts = self.lasts >> here << here;
        if pot + 1 < self.len {
            lasts &= (1 << self.places[pot + 1]) - 1;
        }
        while lasts != 0 {
            let last = lasts.trailing_zeros() as usize;
            lasts &= lasts - 1;
            let mut froms = self.landing[last];
            while froms != 0 {
                let from = froms.trailing_zeros() as usize;
                froms &= froms - 1;
                let option = self.sown_right(from, last, pot, behind);
                self.left.push(option);
            }
        }
    }

    /// Takes back the count of a pot that [`enter`](Walk::enter) set.
    fn leave(&mut self, pot: usize, count: usize) {
        if count > 1 {
            let last = self.places[pot] + count - 1;
            self.landing[last] &= !(1 << pot);
            if self.landing[last] == 0 {
                self.lasts &= !(1 << last);
            }
        }
    }

    /// Returns the pots behind `pot`, which hold `seeds` seeds.
    fn behind(&self, pot: usize, seeds: usize) -> Behind {
        // Two shifts, since a shift by 64 places is none.
        let until = self.places[pot] - MARGIN;
        Behind {
            pots: self.len - pot - 1,
            seeds,
            number: 0,
            mask: (u64::from(self.support.mask) >> until >> 1 << 1 << until) << MARGIN,
        }
    }

    /// Adds a nonempty pot before those in `behind`.
    #[inline]
    fn add(&self, behind: &mut Behind, place: usize, count: usize) {
        behind.pots += 1;
        behind.seeds += count;
        behind.number += self.rows.terms.term(behind.pots, behind.seeds);
        behind.mask |= 1 << place;
    }

    /// Returns the option after Left's sowing from the pot `from` to the place `last`, which lies
    /// before the pot behind `pot`.
    fn sown_right(&self, from: usize, last: usize, pot: usize, seeds: usize) -> Option<i64> {
        let start = self.places[from];
        let is_captured = |place: &usize| matches!(self.pots[*place], 1 | 2);
        let captured = (start + 1..=last).rev().take_while(is_captured).count();
        let mut behind = self.behind(pot, seeds);
        for place in (start + 1..=last - captured).rev() {
            self.add(&mut behind, place, usize::from(self.pots[place]) + 1);
        }
        self.add(&mut behind, start, 1);
        self.option(behind, from, pot)
    }

    /// Returns the option after Right's sowing from `pot`.
    fn sown_left(&self, pot: usize, seeds: usize) -> Option<i64> {
        let start = self.places[pot];
        let last = start + 1 - self.counts[pot];
        let is_captured = |place: &usize| matches!(self.pots[*place], 1 | 2);
        let captured = (last..start).take_while(is_captured).count();
        let mut behind = self.behind(pot, seeds);
        self.add(&mut behind, start, 1);
        for place in (last + captured..start).rev() {
            self.add(&mut behind, place, usize::from(self.pots[place]) + 1);
        }
        let before = last.saturating_sub(MARGIN);
        let unchanged = u64::from(self.support.mask) & ((1 << before) - 1);
        self.option(behind, unchanged.count_ones() as usize, pot)
    }

    /// Returns the cell of the option that has the first pots of the row, up to `unchanged`, before
    /// those in `behind`; relative to the row's, which has the same pots behind `pot`. `None` if it
    /// has no surplus.
    fn option(&self, mut behind: Behind, unchanged: usize, pot: usize) -> Option<i64> {
        let before = (self.len - unchanged, self.seeds_from[unchanged]);
        if unchanged > 0 && (behind.pots, behind.seeds) == before {
            behind.number += self.number[unchanged - 1];
            behind.pots = self.len;
            behind.seeds = self.seeds_from[0];
            let until = self.places[unchanged - 1] - MARGIN;
            let mask = u64::from(self.support.mask) << (63 - until) >> (63 - until);
            behind.mask |= mask << MARGIN;
        } else {
            for pot in (0..unchanged).rev() {
                self.add(&mut behind, self.places[pot], self.counts[pot]);
            }
        }
        if behind.seeds == behind.pots {
            return None;
        }
        let first = self.rows.supports.first(behind.mask);
        let first = first.expect("the supports are closed under moves");
        Some(first - self.support.first + behind.number - self.number[pot])
    }

    /// Visits the row, all of whose pots are set; it is wanted.
    fn finish(&mut self, visit: &mut impl FnMut(&Visit<'_>)) {
        let last = self.len - 1;
        let cell = self.support.first + self.number[last];
        visit(&Visit {
            cell: cell as usize,
            mirror: (self.support.mirror_first + self.mirror[last]) as usize,
            left: self.left.of(cell),
            right: self.right.of(cell),
            pots: &self.pots[MARGIN..=self.places[last]],
        });
    }
}
