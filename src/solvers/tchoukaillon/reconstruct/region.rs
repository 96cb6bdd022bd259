//! A range of boards to search: from the farthest bin, or by the residues of the nearer bins.
//!
//! A region does not find these residues itself. It returns the [bins](Nearer) whose residues it
//! needs, and [its caller](super::search) answers with [`Region::use_residues`].

use std::ops::RangeInclusive;

use cggames::family::BinNumbering;

use super::FixedBins;
use super::lanes::{Chains, EXACT_MAX, quotient_ranges};
use super::residues::{self, Batch, Position, ResidueClasses};
use crate::tchoukaillon::quotient::{lower, raise};

/// The number of quotients of the farthest bin in one task, if bins are near; fewer if one quotient
/// stands for many boards. PERF: with 2^13 the lists of a task were allocated by the system, page
/// by page, which took a third of the time.
const TASK: u64 = 1 << 11;

/// The most boards in one task.
const TASK_BOARDS: u64 = 1 << 22;

/// Residues must pay off within this multiple of the boards searched so far, since the caller may
/// need no board after the first.
const PAYBACK: u128 = 1 << 10;

/// The rule by which a search switches from the farthest bin to residues.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwitchRule {
    /// The number of quotients of the farthest bin that are searched first.
    pub(super) quotients: u128,
    /// Whether to switch even if that is not cheaper.
    pub(super) at_any_cost: bool,
}

/// The nearer bins of a region, whose residues are needed.
pub(super) struct Nearer {
    pub(super) bins: FixedBins,
    /// The boards that agree with these bins repeat with this period.
    pub(super) period: u128,
    /// The number of farther bins, which are omitted.
    pub(super) beyond: usize,
}

/// Boards of consecutive n. Fixed bins beyond the region's own bins are empty on them and impose no
/// condition.
pub(super) struct Region {
    /// Fixed bins with their stones, farthest first; empty when any board of the region agrees.
    bins: Vec<(u64, u64)>,
    boards: RangeInclusive<u128>,
    /// The next quotient of the farthest bin and the last one.
    next: u128,
    last: u128,
    /// The quotients searched so far.
    searched: u128,
    method: Method,
}

/// The search method of a region.
enum Method {
    /// From the farthest bin, until the switch rule is applied.
    Undecided,
    /// From the farthest bin to the end.
    Farthest,
    /// From the residues of the nearer bins.
    Residues {
        classes: ResidueClasses,
        next: Position,
    },
}

/// A unit of work in a region.
pub(super) enum Task {
    /// Quotients of the farthest bin, in steps of that bin's number plus one.
    Quotients { first: u128, count: u64 },
    /// Residue classes.
    Classes(Batch),
}

impl Region {
    pub(super) fn new(bins: Vec<(u64, u64)>, first: u128, last: u128) -> Region {
        let boards = first..=last;
        let mut region = Region {
            bins,
            boards,
            next: 1,
            last: 0,
            searched: 0,
            method: Method::Undecided,
        };
        if region.boards.is_empty() {
            return region;
        }
        // Without fixed bins the whole region is one range.
        (region.next, region.last) = match region.bins.first() {
            Some(&(bin, stones)) => {
                let least = lower(first, 1, bin);
                (in_class(least, bin, stones), lower(last, 1, bin))
            }
            None => (0, 0),
        };
        region
    }

    /// Returns the bins whose residues must be found before the search continues, or `None` to
    /// continue at once.
    ///
    /// The choice is made once. Unless the caller then calls [`use_residues`](Self::use_residues),
    /// the region is searched from the farthest bin to the end.
    pub(super) fn nearer_bins(&mut self, rule: SwitchRule) -> Option<Nearer> {
        if !matches!(self.method, Method::Undecided) || self.searched < rule.quotients {
            return None;
        }
        self.method = Method::Farthest;
        if *self.boards.end() > EXACT_MAX || self.next > self.last {
            return None;
        }
        let first = self.first_left();
        let ahead = if rule.at_any_cost {
            self.boards.end() - first
        } else {
            (self.boards.end() - first).min(PAYBACK * first)
        };
        let beyond = residues::plan(&self.bins, ahead as f64, rule.at_any_cost)?;
        // The residues do not depend on the numbering.
        let bins = FixedBins::new(BinNumbering::B, self.bins[beyond..].iter().copied()).ok()?;
        let period = bins.period()?;
        Some(Nearer {
            bins,
            period,
            beyond,
        })
    }

    /// Searches the rest from the residues of all but the `beyond` farthest bins if that is
    /// cheaper.
    pub(super) fn use_residues(&mut self, classes: Vec<u64>, beyond: usize, at_any_cost: bool) {
        let (first, last) = (self.first_left(), *self.boards.end());
        self.boards = first..=last;
        let left = (last - first) as f64;
        let classes = ResidueClasses::new(classes, &self.bins, beyond);
        if at_any_cost || classes.steps(left) <= residues::steps_without(&self.bins, left) {
            let next = classes.position(first as u64);
            self.method = Method::Residues { classes, next };
        }
    }

    /// Returns the first number of stones that has not been searched.
    fn first_left(&self) -> u128 {
        let bin = self.bins.first().map_or(1, |&(bin, _)| bin);
        raise(self.next, bin, 1).max(*self.boards.start())
    }

    /// Takes at most `count` tasks; `None` if none is left.
    pub(super) fn tasks(&mut self, count: u64) -> Option<Vec<Task>> {
        let mut tasks = Vec::new();
        if let Method::Residues { classes, next } = &mut self.method {
            let last = *self.boards.end() as u64;
            tasks.extend(
                (0..count)
                    .map_while(|_| classes.take(next, last))
                    .map(Task::Classes),
            );
            return (!tasks.is_empty()).then_some(tasks);
        }
        let bin = self.bins.first().map_or(0, |&(bin, _)| bin);
        let (step, size) = (
            u128::from(bin) + 1,
            TASK.min(TASK_BOARDS / bin.max(1)).max(1),
        );
        while self.next <= self.last && (tasks.len() as u64) < count {
            let left = (self.last - self.next) / step + 1;
            let count = left.min(u128::from(size)) as u64;
            tasks.push(Task::Quotients {
                first: self.next,
                count,
            });
            self.next += u128::from(count) * step;
            self.searched += u128::from(count);
        }
        (!tasks.is_empty()).then_some(tasks)
    }

    /// Returns the ranges of n that agree among the boards of a task, ascending.
    pub(super) fn search(&self, task: &Task, chains: &Chains) -> Vec<RangeInclusive<u128>> {
        let (first, last) = (*self.boards.start(), *self.boards.end());
        let clipped = |(least, most): (u128, u128)| least.max(first)..=most.min(last);
        let ranges = match (task, &self.method) {
            (Task::Classes(batch), Method::Residues { classes, .. }) => {
                let numbers = classes.search(batch, chains).into_iter();
                numbers.map(|n| (n.into(), n.into())).collect()
            }
            (&Task::Quotients { first, count }, _) => self.search_quotients(first, count, chains),
            (Task::Classes(_), _) => unreachable!("only a search by residues has classes"),
        };
        let ranges = ranges.into_iter().map(clipped);
        ranges.filter(|range| !range.is_empty()).collect()
    }

    /// Returns the ranges of n that agree among the boards of some quotients of the farthest bin.
    fn search_quotients(&self, first: u128, count: u64, chains: &Chains) -> Vec<(u128, u128)> {
        let &[(farthest, _), ref nearer @ ..] = self.bins.as_slice() else {
            return vec![(*self.boards.start(), *self.boards.end())];
        };
        let places = reachable(first, count, farthest, nearer.first().copied());
        let step = farthest + 1;
        let mut bin = farthest;
        if *self.boards.end() <= EXACT_MAX {
            // No quotient exceeds the number of stones, so all of them fit in 64 bits.
            let first = first as u64;
            let quotients = places.iter().map(|place| first + place * step);
            let mut quotients: Vec<u64> = quotients.collect();
            for &(nearer, stones) in nearer {
                quotients = chains.exact_members(&quotients, bin, nearer, stones);
                bin = nearer;
            }
            let (least, beyond) = chains.exact_ranges(&quotients, bin, 1);
            let range = |(least, beyond): (f64, f64)| (least as u128, beyond as u128 - 1);
            least.into_iter().zip(beyond).map(range).collect()
        } else {
            let quotient = |&place: &u64| first + u128::from(place) * u128::from(step);
            let mut quotients: Vec<u128> = places.iter().map(quotient).collect();
            for &(nearer, stones) in nearer {
                let within = |(least, most): (u128, u128)| {
                    (in_class(least, nearer, stones)..=most).step_by(nearer as usize + 1)
                };
                let quotient_ranges = quotient_ranges(&quotients, bin, nearer).into_iter();
                quotients = quotient_ranges.flat_map(within).collect();
                bin = nearer;
            }
            quotient_ranges(&quotients, bin, 1)
        }
    }
}

/// Returns the least quotient from `least` on with which a bin holds `stones` stones: -stones
/// modulo bin + 1.
fn in_class(least: u128, bin: u64, stones: u64) -> u128 {
    let modulus = u128::from(bin) + 1;
    let past = (least + u128::from(stones)) % modulus;
    if past == 0 {
        least
    } else {
        least + modulus - past
    }
}

/// Returns the indices, among `count` quotients from `first` on, of those that allow the required
/// content of the next fixed bin.
///
/// With S_i = i q_i stones in bin i and beyond, bin j holds m if S_j is -jm modulo j(j+1). S_j -
/// S_k is the number of stones in the bins j to k - 1, at most j + ... + (k-1). If that is small
/// compared with j(j+1), one addition excludes most of the quotients.
fn reachable(first: u128, count: u64, farthest: u64, next: Option<(u64, u64)>) -> Vec<u64> {
    let Some((bin, stones)) = next else {
        return (0..count).collect();
    };
    // Bins are at most 10^6, so all of these are far below 2^64.
    let modulus = bin * (bin + 1);
    let between = (bin + farthest - 1) * (farthest - bin) / 2;
    if between >= modulus {
        return (0..count).collect();
    }
    let beyond = (first % u128::from(modulus) * u128::from(farthest)) % u128::from(modulus);
    let wanted = (modulus - bin * stones % modulus) % modulus;
    let mut missing = (wanted + modulus - beyond as u64) % modulus;
    let fall = farthest * (farthest + 1) % modulus;
    let mut reached = vec![0; count as usize];
    let mut kept = 0;
    for place in 0..count {
        reached[kept] = place;
        kept += usize::from(missing <= between);
        missing = if missing >= fall {
            missing - fall
        } else {
            missing + modulus - fall
        };
    }
    reached.truncate(kept);
    reached
}
