//! Supports: the places of a row's nonempty pots, and those that play can reach.

use hashbrown::HashMap;

use super::terms::{SEEDS_END, Terms};
use crate::game::SWEEP_POTS_MAX;

/// Returns whether to go on, after some more rows have been found.
pub type GoesOn<'a> = dyn Fn(u64) -> bool + Sync + 'a;

/// The rows were not all found, since the caller did not want to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The most cells, whose numbers are kept in 32 bits.
const CELLS_MAX: u64 = 1 << 32;

/// A bit set of the places of nonempty pots; the first place has one.
pub(super) type Mask = u32;

type MaskMap<T> = HashMap<Mask, T, foldhash::fast::RandomState>;

/// A support, or its mirror image if that is less, with the rows on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub(super) mask: Mask,
    /// The most seeds of a row.
    pub(super) most: u8,
    /// The first cell of its rows, and of the rows of the mirror image.
    pub(super) first: i64,
    pub(super) mirror_first: i64,
}

impl Support {
    /// Returns the number of nonempty pots.
    pub(super) fn pots(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// Returns the number of pots from the first nonempty one to the last.
    pub(super) fn length(self) -> usize {
        (Mask::BITS - self.mask.leading_zeros()) as usize
    }

    /// Returns the mirror image.
    pub(super) fn mirror(self) -> Support {
        Support {
            mask: mirror(self.mask),
            first: self.mirror_first,
            mirror_first: self.first,
            ..self
        }
    }

    pub(super) fn is_symmetric(self) -> bool {
        self.first == self.mirror_first
    }
}

/// The supports of a family that is closed under moves.
#[derive(Clone, Debug)]
pub(super) struct Supports {
    /// One of each mirror pair, for each number of pots; those with the most seeds first.
    pub(super) by_pots: Vec<Vec<Support>>,
    /// The first cell of each support, mirror images included.
    // PERF: four bytes in place of eight save 2 to 6 % of the time for 13 pots and 16 seeds.
    firsts: MaskMap<u32>,
    /// The number of cells. Cell 0 is that of all rows without a surplus.
    pub(super) cells: u64,
}

impl Supports {
    /// Finds the supports that play can reach from rows of at most `pots` pots and `seeds` seeds,
    /// with the most seeds that a row may have there; `None` if they have more than `cells_max`
    /// cells, or too many pots to be numbered.
    ///
    /// Takes time in the number of moves from the supports, of which there are a million for 14 pots
    /// and 18 seeds.
    ///
    /// # Errors
    ///
    /// When `goes_on` returned false.
    pub(super) fn reached_from(
        pots: usize,
        seeds: usize,
        cells_max: u64,
        terms: &Terms,
        goes_on: &GoesOn,
    ) -> Result<Option<Supports>, Stopped> {
        let cells_max = cells_max.min(CELLS_MAX);
        // Right's sowing from the left end of a row such as [n]001 adds n - 1 pots.
        if seeds >= SEEDS_END || pots > 1 && pots + seeds > SWEEP_POTS_MAX + 2 {
            return Ok(None);
        }
        let mut search = Search {
            most: MaskMap::default(),
            waiting: vec![vec![Vec::new(); seeds + 1]; seeds + 1],
            is_too_long: false,
        };
        search.reach_all(1, pots, seeds);
        // Without a capture the number of pots grows or the support stays the same, and a capture
        // removes seeds. So no support is reached with more seeds after its turn.
        let mut cells = 1;
        for of_seeds in (1..=seeds).rev() {
            for pots in 1..of_seeds {
                if !goes_on(0) {
                    return Err(Stopped);
                }
                for mask in std::mem::take(&mut search.waiting[of_seeds][pots]) {
                    if usize::from(search.most[&mask]) == of_seeds {
                        search.move_from(mask, of_seeds);
                        cells += terms.rows(pots, of_seeds) as u64;
                        if search.is_too_long || cells > cells_max {
                            return Ok(None);
                        }
                    }
                }
            }
        }
        Ok(Supports::numbered(search.most, cells_max, terms))
    }

    fn numbered(most: MaskMap<u8>, cells_max: u64, terms: &Terms) -> Option<Supports> {
        let mut found: Vec<(Mask, u8)> = most.into_iter().collect();
        found.sort_unstable_by_key(|&(mask, most)| (mask.count_ones(), u8::MAX - most, mask));
        let mut supports = Supports {
            by_pots: vec![Vec::new(); SEEDS_END],
            firsts: MaskMap::default(),
            cells: 1,
        };
        for (mask, most) in found {
            if supports.cells > cells_max {
                return None;
            }
            let mut support = Support {
                mask,
                most,
                first: supports.cells as i64,
                mirror_first: supports.cells as i64,
            };
            let rows = terms.rows(support.pots(), usize::from(most));
            supports.cells += rows as u64;
            if mirror(mask) != mask {
                support.mirror_first = supports.cells as i64;
                supports.cells += rows as u64;
            }
            supports.firsts.insert(mask, support.first as u32);
            supports
                .firsts
                .insert(mirror(mask), support.mirror_first as u32);
            supports.by_pots[support.pots()].push(support);
        }
        (supports.cells <= cells_max).then_some(supports)
    }

    /// Returns the first cell of a support, whose first place need not be 0; `None` if play does
    /// not reach it.
    #[inline]
    pub(super) fn first(&self, mask: u64) -> Option<i64> {
        let mask = Mask::try_from(mask >> mask.trailing_zeros()).ok()?;
        self.firsts.get(&mask).map(|&first| i64::from(first))
    }

    /// Returns the supports of `pots` pots that have rows of `seeds` seeds.
    pub(super) fn with(&self, pots: usize, seeds: usize) -> &[Support] {
        let supports = &self.by_pots[pots];
        &supports[..supports.partition_point(|support| usize::from(support.most) >= seeds)]
    }
}

/// A search for supports.
struct Search {
    /// The most seeds with which each support was reached; one of each mirror pair.
    most: MaskMap<u8>,
    /// The supports reached, by seeds and by pots. Some have been reached with more seeds since.
    waiting: Vec<Vec<Vec<Mask>>>,
    is_too_long: bool,
}

impl Search {
    /// Reaches a support and those that have more pots behind it, up to `pots` pots in all.
    fn reach_all(&mut self, mask: u64, pots: usize, seeds: usize) {
        self.reach(mask, seeds);
        // A row with a seed in each pot has no surplus.
        if mask.count_ones() as usize + 1 < seeds {
            let length = (u64::BITS - mask.leading_zeros()) as usize;
            for place in length..pots {
                self.reach_all(mask | 1 << place, pots, seeds);
            }
        }
    }

    /// Notes that a row of `seeds` seeds may have a support.
    fn reach(&mut self, mask: u64, seeds: usize) {
        let pots = mask.count_ones() as usize;
        if seeds <= pots || pots == 0 {
            // A row without a surplus has no moves.
            return;
        }
        let Ok(mask) = Mask::try_from(mask >> mask.trailing_zeros()) else {
            self.is_too_long = true;
            return;
        };
        let mask = mask.min(mirror(mask));
        let most = self.most.entry(mask).or_insert(0);
        if usize::from(*most) < seeds {
            *most = seeds as u8;
            self.waiting[seeds][pots].push(mask);
        }
    }

    /// Reaches the supports after one move from some row of `seeds` seeds on a support.
    fn move_from(&mut self, mask: Mask, seeds: usize) {
        for mask in [u64::from(mask), u64::from(mirror(mask))] {
            self.sow_right(mask, seeds);
        }
    }

    fn sow_right(&mut self, mask: u64, seeds: usize) {
        let surplus = seeds - mask.count_ones() as usize;
        let mut froms = mask;
        while froms != 0 {
            let from = froms.trailing_zeros() as usize;
            froms &= froms - 1;
            for further in 1..=surplus {
                let run = ((1 << further) - 1) << (from + 1);
                let last = from + further;
                let sown = mask | run;
                let has = |place: usize| mask >> place & 1 != 0;
                // Three seeds or more before the move take a surplus of two.
                let may_have_three = further + 2 <= surplus;
                if sown != mask && (!has(last) || may_have_three) {
                    self.reach(sown, seeds);
                }
                for place in (from + 1..=last).rev().take_while(|&place| has(place)) {
                    // A chain of captures ends where a pot was empty or had three or more.
                    if place - 1 == from || !has(place - 1) || may_have_three {
                        let captured = run >> place << place;
                        let seeds = seeds - 2 * captured.count_ones() as usize;
                        self.reach(sown & !captured, seeds);
                    }
                }
            }
        }
    }
}

/// Returns the mirror image of a mask.
pub(super) fn mirror(mask: Mask) -> Mask {
    mask.reverse_bits() >> mask.leading_zeros()
}
