//! All boards that agree with fixed bins, in rising order of stones.
//!
//! Let k be the farthest fixed bin. `b_k = m` says that the quotient `q_k` is -m modulo k + 1 (see [the
//! module of quotients](crate::engine::tchoukaillon)), so `q_k` runs through one residue class. The boards with
//! a given `q_k` have as `q_j`, for a nearer bin j, the numbers from `raise(q_k)` to `raise(q_k + 1) - 1`
//! and no others; among these, those of the class of the next fixed bin are taken, and so on down to
//! `q_1 = n`. What comes of the nearest fixed bin is a range of n, all of which agree.
//!
//! **Why the first board found has the fewest stones.** From n to `q_k` no step decreases:
//! `q_{i+1} = floor(i q_i / (i+1))`. So the boards with `q_k = 0, 1, 2, ...` are consecutive ranges of n, and
//! within one of them so are those with each `q_j`. Going through the classes in rising order therefore
//! goes through the boards in rising order of n, and leaves none out: every n has one `q_k`, one `q_j`, and
//! so on, and these are in the classes just when its bins are as fixed. The first n that comes out is
//! the least.
//!
//! **Cost.** Among n stones there are n/(k(k+1)) values of `q_k` to look at. One look is an
//! addition where the stones between the next fixed bin j and k cannot reach j's class, else two
//! chains of k - j steps, about 0.5 ns a step in lanes. Of these 1 in j(j+1)/k goes on.
//!
//! After a million quotients the search estimates whether it is cheaper to continue from [the
//! residues of the nearer bins](super::wheel). It finds these residues with a search of its own.
//!
//! Boards shorter than k have `q_k = 0`, and all of them are one range; they are searched for
//! the other bins if m = 0, and skipped otherwise.

use std::collections::VecDeque;
use std::mem;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::FixedBins;
use super::lanes::{Chains, EXACT_MAX};
use super::region::{Nearer, Region, SwitchRule};
use super::wheel::CLASSES_MAX;
use crate::engine::tchoukaillon::lengths::shortest;

/// The most stones to which boards are searched: all numbers on the way then fit in 128 bits.
pub const STONES_MAX: u128 = 1 << 120;

/// Tasks handed out together at most. One at first, twice as many after each time that finds nothing: the
/// first boards are often near, and workers are needed only when they are not.
const TASKS_MAX: u64 = 1 << 11;

/// Most searches have found a board by then.
const SWITCH_RULE: SwitchRule = SwitchRule {
    quotients: 1 << 20,
    at_any_cost: false,
};

impl FixedBins {
    /// Returns the numbers of stones, from `from` to `to`, of all boards that agree, in rising order.
    ///
    /// `from` 0 asks for the smallest board of any length. For boards at least as long as the farthest
    /// fixed bin see [`long_solutions`](Self::long_solutions). An upper end beyond
    /// [`STONES_MAX`] counts as that. The search works in all threads of the rayon pool it is called in.
    ///
    /// The iterator ends when the range is searched; that no board agrees at all is
    /// [`examine`](Self::examine)'s to say, or this search's to [`period`](Self::period) - 1.
    ///
    /// ```
    /// use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, Numbering};
    ///
    /// let fixed = FixedBins::new(Numbering::B, [(2, 1), (3, 3)])?;
    /// assert_eq!(fixed.solutions(0, 40).collect::<Vec<_>>(), [4, 5, 16, 17, 28, 29, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solutions(&self, from: u128, to: u128) -> Solutions {
        Solutions::new(self, from, to)
    }

    /// Returns what [`solutions`](Self::solutions) does, for boards at least as long as the farthest fixed
    /// bin.
    ///
    /// The paper's Example 4.4 counts so: `beta_4 = 1` and `beta_7 = 0` hold on the board of 10 stones, whose
    /// bin 7 of numbering beta lies beyond its end, and then on that of 214.
    ///
    /// ```
    /// use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, Numbering};
    ///
    /// let fixed = FixedBins::new(Numbering::Beta, [(4, 1), (7, 0)])?;
    /// assert_eq!(fixed.solutions(0, 1000).next(), Some(10));
    /// assert_eq!(fixed.long_solutions(1000).next(), Some(214));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn long_solutions(&self, to: u128) -> Solutions {
        self.solutions(shortest(self.farthest()), to)
    }

    /// Returns all numbers of stones below the period: every board that agrees has one of these plus a
    /// multiple of the period. `None` when the period exceeds [`STONES_MAX`].
    ///
    /// ```
    /// use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, Numbering};
    ///
    /// let fixed = FixedBins::new(Numbering::B, [(3, 0)])?;
    /// assert_eq!(fixed.period(), Some(12));
    /// assert_eq!(fixed.residues().expect("short").collect::<Vec<_>>(), [0, 1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn residues(&self) -> Option<Solutions> {
        let period = self.period().filter(|&period| period <= STONES_MAX)?;
        Some(self.solutions(0, period - 1))
    }
}

/// Numbers of stones of boards that agree with fixed bins, in rising order; see
/// [`FixedBins::solutions`].
pub struct Solutions {
    /// Ranges of boards still to be searched, in rising order.
    regions: VecDeque<Region>,
    /// Ranges of n that agree and were not yet given.
    found: VecDeque<RangeInclusive<u128>>,
    tasks: u64,
    chains: Chains,
    rule: SwitchRule,
    /// The residues for a wheel of the first region, while they are being found.
    residues: Option<Residues>,
}

/// A search for the residues of the nearer bins.
struct Residues {
    search: Box<Solutions>,
    /// The residues found so far.
    classes: Vec<u64>,
    /// The number of farther bins, which are left out.
    beyond: usize,
}

/// What a stretch of a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// The next board has so many stones.
    Found(u128),
    /// The next board was not reached yet.
    Open,
    /// There is no other board in the range.
    End,
}

impl Solutions {
    fn new(fixed: &FixedBins, from: u128, to: u128) -> Solutions {
        Solutions::with_rule(fixed, from, to, SWITCH_RULE)
    }

    pub(super) fn with_rule(
        fixed: &FixedBins,
        from: u128,
        to: u128,
        rule: SwitchRule,
    ) -> Solutions {
        let to = to.min(STONES_MAX);
        let mut bins: Vec<(u64, u64)> = fixed.stones.iter().map(|(&b, &m)| (b, m)).rev().collect();
        let mut regions = VecDeque::new();
        let mut end = to;
        loop {
            let least = bins.first().map_or(0, |&(bin, _)| shortest(bin));
            let (first, last) = (from.max(least), end);
            // What can be searched in floating point is searched so.
            if first <= EXACT_MAX && last > EXACT_MAX {
                regions.push_front(Region::new(bins.clone(), EXACT_MAX + 1, last));
            }
            let last = if first <= EXACT_MAX {
                last.min(EXACT_MAX)
            } else {
                last
            };
            regions.push_front(Region::new(bins.clone(), first, last));
            // Boards too short for the farthest bin have nothing in it.
            if bins.is_empty() || bins[0].1 > 0 || least == 0 {
                break;
            }
            bins.remove(0);
            end = end.min(least - 1);
        }
        Solutions {
            regions,
            found: VecDeque::new(),
            tasks: 1,
            chains: Chains::new(fixed.farthest()),
            rule,
            residues: None,
        }
    }

    /// Returns the next number of stones, or searches on for some tens of milliseconds: for those who look now and then
    /// at whether to stop. [`next`](Iterator::next) goes on until it has an answer.
    pub fn stretch(&mut self) -> Stretch {
        if self.found.is_empty() && !self.search() {
            return Stretch::End;
        }
        let Some(range) = self.found.front_mut() else {
            return Stretch::Open;
        };
        let stones = *range.start();
        if stones == *range.end() {
            self.found.pop_front();
        } else {
            *range = stones + 1..=*range.end();
        }
        Stretch::Found(stones)
    }

    /// Searches for a stretch; false when there is nothing left.
    fn search(&mut self) -> bool {
        let Some(region) = self.regions.front_mut() else {
            return false;
        };
        if let Some(residues) = &mut self.residues {
            match residues.stretch() {
                Stretch::Open => return true,
                // Too many for a wheel.
                Stretch::Found(_) => {}
                Stretch::End => {
                    let classes = mem::take(&mut residues.classes);
                    region.use_residues(classes, residues.beyond, self.rule.at_any_cost);
                }
            }
            self.residues = None;
            return true;
        }
        if let Some(nearer) = region.nearer_bins(self.rule) {
            self.residues = Some(Residues::new(nearer, self.rule));
            return true;
        }
        let Some(tasks) = region.tasks(self.tasks) else {
            self.regions.pop_front();
            return true;
        };
        let (region, chains) = (&*region, &self.chains);
        if let [task] = tasks.as_slice() {
            self.found.extend(region.search(task, chains));
        } else {
            let found = tasks
                .into_par_iter()
                .map(|task| region.search(&task, chains));
            let found: Vec<_> = found.collect();
            self.found.extend(found.into_iter().flatten());
        }
        self.tasks = if self.found.is_empty() {
            (2 * self.tasks).min(TASKS_MAX)
        } else {
            1
        };
        true
    }
}

impl Residues {
    fn new(nearer: Nearer, rule: SwitchRule) -> Residues {
        let Nearer {
            bins,
            period,
            beyond,
        } = nearer;
        Residues {
            search: Box::new(Solutions::with_rule(&bins, 0, period - 1, rule)),
            classes: Vec::new(),
            beyond,
        }
    }

    /// Searches for a stretch. `Found` means that there are more residues than a wheel may have.
    fn stretch(&mut self) -> Stretch {
        let mut found = self.search.stretch();
        while let Stretch::Found(class) = found
            && self.classes.len() < CLASSES_MAX
        {
            self.classes.push(class as u64);
            found = self.search.stretch();
        }
        found
    }
}

impl Iterator for Solutions {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        loop {
            match self.stretch() {
                Stretch::Found(stones) => return Some(stones),
                Stretch::Open => {}
                Stretch::End => return None,
            }
        }
    }
}
