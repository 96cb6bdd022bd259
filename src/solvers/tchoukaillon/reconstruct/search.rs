//! All boards that agree with fixed bins, in ascending order of stones.
//!
//! Let k be the farthest fixed bin. `b_k = m` means that the quotient `q_k` is -m modulo k + 1 (see
//! [the module of quotients](crate::tchoukaillon)), so `q_k` runs through one residue
//! class. For a nearer bin j, the boards with a given `q_k` have exactly the `q_j` from
//! `raise(q_k)` to `raise(q_k + 1) - 1`. Among these the search takes those in the class of the
//! next fixed bin, and so on down to `q_1 = n`. Each quotient of the nearest fixed bin gives a
//! range of n, all of which agree.
//!
//! **Why the first board found has the fewest stones.** From n to `q_k` no step decreases: `q_{i+1}
//! = floor(i q_i / (i+1))`. So the boards with `q_k = 0, 1, 2, ...` are consecutive ranges of n,
//! and within one of them so are those with each `q_j`. Therefore the search visits the boards in
//! ascending order of n, and omits none: every n has one `q_k`, one `q_j`, and so on, and these are
//! in the classes if and only if its bins are as fixed. The first n found is the least.
//!
//! **Cost.** Among n stones there are n/(k(k+1)) values of `q_k`. Each takes one addition if the
//! stones between the next fixed bin j and k cannot reach j's class, and otherwise two chains of k
//! - j steps, about 0.5 ns a step in lanes. About 1 in j(j+1)/k of these continues to the next bin.
//!
//! After a million quotients the search estimates whether it is cheaper to continue from [the
//! residues of the nearer bins](super::residues). It finds these residues by another search.
//!
//! Boards shorter than k have `q_k = 0` and form one range; they are searched for the other bins if
//! m = 0, and skipped otherwise.

use std::collections::VecDeque;
use std::mem;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::FixedBins;
use super::lanes::{Chains, EXACT_MAX};
use super::region::{Nearer, Region, SwitchRule};
use super::residues::CLASSES_MAX;
use crate::tchoukaillon::lengths::shortest;

/// The most stones of boards in a search: all intermediate numbers then fit in 128 bits.
pub const STONES_MAX: u128 = 1 << 120;

/// The most tasks in one round. The first round has one task, and each round without results
/// doubles the number: the first boards are often near, and only otherwise are all workers needed.
const TASKS_MAX: u64 = 1 << 11;

/// Most searches have found a board before this rule applies.
const SWITCH_RULE: SwitchRule = SwitchRule {
    quotients: 1 << 20,
    at_any_cost: false,
};

impl FixedBins {
    /// Returns the numbers of stones, from `from` to `to`, of all boards that agree, in ascending
    /// order.
    ///
    /// With `from` 0 the first result is the smallest board of any length. For boards at least as
    /// long as the farthest fixed bin see [`long_solutions`](Self::long_solutions). An upper end
    /// beyond [`STONES_MAX`] is reduced to it. The search uses all threads of the current rayon
    /// pool.
    ///
    /// The iterator ends when the range is searched. [`examine`](Self::examine), or this search up
    /// to [`period`](Self::period) - 1, decides whether any board agrees at all.
    ///
    /// ```
    /// use cggames::family::BinNumbering;
    /// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
    ///
    /// let fixed = FixedBins::new(BinNumbering::B, [(2, 1), (3, 3)])?;
    /// assert_eq!(fixed.solutions(0, 40).collect::<Vec<_>>(), [4, 5, 16, 17, 28, 29, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solutions(&self, from: u128, to: u128) -> Solutions {
        Solutions::new(self, from, to)
    }

    /// As [`solutions`](Self::solutions), for boards at least as long as the farthest fixed bin.
    ///
    /// The paper's Example 4.4 counts in this way: `beta_4 = 1` and `beta_7 = 0` hold on the board
    /// of 10 stones, whose end is before bin 7 of numbering beta, and then on that of 214.
    ///
    /// ```
    /// use cggames::family::BinNumbering;
    /// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
    ///
    /// let fixed = FixedBins::new(BinNumbering::Beta, [(4, 1), (7, 0)])?;
    /// assert_eq!(fixed.solutions(0, 1000).next(), Some(10));
    /// assert_eq!(fixed.long_solutions(1000).next(), Some(214));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn long_solutions(&self, to: u128) -> Solutions {
        self.solutions(shortest(self.farthest()), to)
    }

    /// Returns all numbers of stones below the period: every board that agrees has one of these
    /// plus a multiple of the period. `None` when the period exceeds [`STONES_MAX`].
    ///
    /// ```
    /// use cggames::family::BinNumbering;
    /// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
    ///
    /// let fixed = FixedBins::new(BinNumbering::B, [(3, 0)])?;
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
    /// The ranges of boards left to search, in ascending order.
    regions: VecDeque<Region>,
    /// The ranges of n that agree and were not returned yet.
    found: VecDeque<RangeInclusive<u128>>,
    tasks: u64,
    chains: Chains,
    rule: SwitchRule,
    /// The residues for the first region, while they are being found.
    residues: Option<ResidueSearch>,
}

/// A search for the residues of the nearer bins.
struct ResidueSearch {
    search: Box<Solutions>,
    /// The residues found so far.
    classes: Vec<u64>,
    /// The number of farther bins, which are left out.
    beyond: usize,
}

/// The result of one step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// The number of stones of the next board.
    Found(u128),
    /// The next board was not reached yet.
    Open,
    /// There are no further boards in the range.
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
            // The range up to `EXACT_MAX` is searched in floating point.
            if first <= EXACT_MAX && last > EXACT_MAX {
                regions.push_front(Region::new(bins.clone(), EXACT_MAX + 1, last));
            }
            let last = if first <= EXACT_MAX {
                last.min(EXACT_MAX)
            } else {
                last
            };
            regions.push_front(Region::new(bins.clone(), first, last));
            // Boards too short for the farthest bin have no stones in it.
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

    /// Returns the next number of stones, or `Open` after some tens of milliseconds, so that
    /// callers can check a stop flag. [`next`](Iterator::next) continues until it has an answer.
    pub fn step(&mut self) -> SearchStep {
        if self.found.is_empty() && !self.search() {
            return SearchStep::End;
        }
        let Some(range) = self.found.front_mut() else {
            return SearchStep::Open;
        };
        let stones = *range.start();
        if stones == *range.end() {
            self.found.pop_front();
        } else {
            *range = stones + 1..=*range.end();
        }
        SearchStep::Found(stones)
    }

    /// Searches for some tens of milliseconds; returns false if nothing is left.
    fn search(&mut self) -> bool {
        let Some(region) = self.regions.front_mut() else {
            return false;
        };
        if let Some(residues) = &mut self.residues {
            match residues.step() {
                SearchStep::Open => return true,
                // Too many residues.
                SearchStep::Found(_) => {}
                SearchStep::End => {
                    let classes = mem::take(&mut residues.classes);
                    region.use_residues(classes, residues.beyond, self.rule.at_any_cost);
                }
            }
            self.residues = None;
            return true;
        }
        if let Some(nearer) = region.nearer_bins(self.rule) {
            self.residues = Some(ResidueSearch::new(nearer, self.rule));
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

impl ResidueSearch {
    fn new(nearer: Nearer, rule: SwitchRule) -> ResidueSearch {
        let Nearer {
            bins,
            period,
            beyond,
        } = nearer;
        ResidueSearch {
            search: Box::new(Solutions::with_rule(&bins, 0, period - 1, rule)),
            classes: Vec::new(),
            beyond,
        }
    }

    /// Searches for some tens of milliseconds. `Found` means that there are too many residues.
    fn step(&mut self) -> SearchStep {
        let mut found = self.search.step();
        while let SearchStep::Found(class) = found
            && self.classes.len() < CLASSES_MAX
        {
            self.classes.push(class as u64);
            found = self.search.step();
        }
        found
    }
}

impl Iterator for Solutions {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        loop {
            match self.step() {
                SearchStep::Found(stones) => return Some(stones),
                SearchStep::Open => {}
                SearchStep::End => return None,
            }
        }
    }
}
