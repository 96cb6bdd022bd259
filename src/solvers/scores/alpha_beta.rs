//! The search of a position by threads that share a table: whether the mover has a margin of at least
//! some bound.
//!
//! The bounds of all options are looked up before any option is searched, and the most promising is
//! searched first. All threads search the same position. A thread leaves an option for later if
//! another is searching it: a simple form of Weill's ABDADA (1996). The first result ends the search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use cggames::game::scored::Scored;

use super::Scores;
use super::packed::{Boards, Packed, PackedOption, seeds_of};
use super::transpositions::{Bounds, Transpositions, key};
use crate::{Control, StopReason};

/// Why a search has no result yet.
#[derive(Debug)]
pub(super) enum Halt {
    Stopped(StopReason),
    /// The next tier is to be scored, or the table to grow.
    Due,
    /// Another thread has ended the search.
    Ended,
}

/// The slots for positions that are being searched; a position is entered in the slot of the lowest
/// bits of its key.
pub(super) const BUSY: usize = 1 << 10;

/// The seeds above the scored tiers from which on threads avoid each other's options. Below, a
/// search is too short.
const BUSY_ABOVE: usize = 3;

/// The positions that a thread searches between two checks for a reason to halt.
const CHECKED: u64 = 1 << 10;

/// The question that a search answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) position: Packed,
    pub(super) seeds: u32,
    pub(super) bound: i32,
}

/// What the threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<'a, G> {
    pub(super) boards: &'a Boards,
    pub(super) scores: &'a Scores<G>,
    /// The bytes of the scored tiers.
    pub(super) tiers: Vec<&'a [u8]>,
    pub(super) table: &'a Transpositions,
    pub(super) control: &'a Control,
    /// The number of positions after which a thread halts.
    pub(super) searched_max: u64,
    pub(super) has_ended: AtomicBool,
    /// The keys of positions that threads are searching; without slots there is one thread.
    pub(super) busy: Vec<AtomicU64>,
}

impl<G: Scored> Shared<'_, G> {
    /// Searches on one of the threads; returns also the number of positions searched.
    pub(super) fn search(&self, root: Root) -> (Result<i32, Halt>, u64) {
        let mut thread = Thread {
            shared: self,
            searched: 0,
        };
        let found = thread.search(&Node::of(self, root.position, root.seeds), root.bound);
        self.has_ended.store(true, Relaxed);
        (found, thread.searched)
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.busy[key as usize % BUSY]
    }
}

/// A position to be searched.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    position: Packed,
    seeds: i32,
    key: Option<u64>,
}

impl Node {
    fn of<G>(shared: &Shared<'_, G>, position: Packed, seeds: u32) -> Node {
        Node {
            position,
            seeds: seeds as i32,
            key: shared.boards.rank(position, seeds).map(key),
        }
    }
}

/// An option to be searched, with bounds of its margin for the player who makes the move.
#[derive(Clone, Copy, Debug, Default)]
struct Branch {
    node: Node,
    gain: i32,
    moves_again: bool,
    /// Options with a higher promise are searched first.
    promise: i32,
}

impl Branch {
    /// Returns the mover's margin for that of the position after the move.
    fn margin(&self, after: i32) -> i32 {
        self.gain + if self.moves_again { after } else { -after }
    }

    /// Estimates how likely the option is best, in eighths of a seed: the middle of the bounds, less
    /// an eighth of the opponent's seeds; 5 seeds for moving again, and one against each of the
    /// opponent's moves that do.
    fn promise(&self, boards: &Boards, known: Bounds) -> i32 {
        let Packed { mover, opponent } = self.node.position;
        let (opponent, again) = match self.moves_again {
            true => (opponent, 40),
            false => (mover, -4 * boards.again(self.node.position)),
        };
        4 * (known.least + known.most) + again - seeds_of(opponent) as i32
    }
}

/// One thread of a search.
struct Thread<'a, G> {
    shared: &'a Shared<'a, G>,
    searched: u64,
}

impl<G: Scored> Thread<'_, G> {
    /// Counts a position, and halts for a reason.
    fn count(&mut self) -> Result<(), Halt> {
        self.searched += 1;
        if !self.searched.is_multiple_of(CHECKED) {
            return Ok(());
        }
        let Shared { control, .. } = self.shared;
        control.count_evaluated(CHECKED);
        if let Some(reason) = control.stopped_or_paused() {
            return Err(Halt::Stopped(reason));
        }
        if self.shared.has_ended.load(Relaxed) {
            return Err(Halt::Ended);
        }
        if self.searched >= self.shared.searched_max {
            return Err(Halt::Due);
        }
        Ok(())
    }

    /// Returns a margin of at least `bound` that the mover has, or a smaller one that the mover
    /// cannot exceed.
    fn search(&mut self, node: &Node, bound: i32) -> Result<i32, Halt> {
        let Shared { table, .. } = *self.shared;
        let known = node.key.and_then(|key| table.bounds(key, node.seeds));
        let known = known.unwrap_or(Bounds::of_seeds(node.seeds));
        if known.least >= bound {
            return Ok(known.least);
        }
        if known.most < bound {
            return Ok(known.most);
        }
        self.count()?;
        let before = self.searched;
        let found = self.best(node, bound)?;
        if let Some(key) = node.key {
            let found = match found >= bound {
                true => Bounds {
                    least: found,
                    ..known
                },
                false => Bounds {
                    most: found.min(known.most),
                    ..known
                },
            };
            table.add(key, node.seeds, found, 1 + self.searched - before);
        }
        Ok(found)
    }

    /// Returns the same from the options.
    fn best(&mut self, node: &Node, bound: i32) -> Result<i32, Halt> {
        let shared = self.shared;
        let mut branches = [Branch::default(); 8];
        let mut count = 0;
        // The most that the options so far give.
        let mut most = -node.seeds;
        for pit in 0..shared.boards.pits() {
            let Some(option) = shared.boards.option(node.position, pit) else {
                continue;
            };
            let PackedOption {
                gain,
                moves_again,
                position,
            } = option;
            let seeds = node.seeds - gain;
            if gain + seeds < bound {
                most = most.max(gain + seeds);
                continue;
            }
            let mut branch = Branch {
                gain,
                moves_again,
                ..Branch::default()
            };
            let (mover, opponent) = (position.mover, position.opponent);
            let exact = if mover == 0 || opponent == 0 {
                Some(seeds_of(mover) as i32 - seeds_of(opponent) as i32)
            } else if gain - seeds >= bound {
                return Ok(gain - seeds);
            } else {
                let tier = shared.tiers.get(seeds as usize);
                tier.map(|tier| (shared.boards).score(shared.scores, tier, position, seeds as u32))
            };
            if let Some(exact) = exact {
                most = most.max(branch.margin(exact));
                if most >= bound {
                    return Ok(most);
                }
                continue;
            }
            branch.node = Node::of(shared, position, seeds as u32);
            if let Some(key) = branch.node.key {
                shared.table.prefetch(key);
            }
            branches[count] = branch;
            count += 1;
        }
        let mut undecided = 0;
        for place in 0..count {
            let mut branch = branches[place];
            let Node { key, seeds, .. } = branch.node;
            let known = key.and_then(|key| shared.table.bounds(key, seeds));
            let known = known.unwrap_or(Bounds::of_seeds(seeds));
            let (one, other) = (branch.margin(known.least), branch.margin(known.most));
            let known = Bounds {
                least: one.min(other),
                most: one.max(other),
            };
            if known.least >= bound {
                return Ok(known.least);
            }
            if known.most < bound {
                most = most.max(known.most);
                continue;
            }
            branch.promise = branch.promise(shared.boards, known);
            // Among equal promises the last pit comes first.
            let mut to = undecided;
            while to > 0 && branches[to - 1].promise < branch.promise {
                branches[to] = branches[to - 1];
                to -= 1;
            }
            branches[to] = branch;
            undecided += 1;
        }
        let is_shared =
            !shared.busy.is_empty() && node.seeds as usize >= shared.tiers.len() + BUSY_ABOVE;
        let mut left = &mut branches[..undecided];
        let mut takes_all = !is_shared;
        while !left.is_empty() {
            let mut postponed = 0;
            for place in 0..left.len() {
                let branch = left[place];
                let slot = match branch.node.key {
                    Some(key) if is_shared => Some((shared.slot(key), key)),
                    _ => None,
                };
                // The first option is searched in any case: the others often depend on it.
                if let Some((slot, key)) = slot
                    && (!takes_all && place > 0 && slot.load(Relaxed) == key)
                {
                    left[postponed] = branch;
                    postponed += 1;
                    continue;
                }
                if let Some((slot, key)) = slot {
                    slot.store(key, Relaxed);
                }
                let found = self.search(&branch.node, bound_after(&branch, bound));
                if let Some((slot, _)) = slot {
                    slot.store(0, Relaxed);
                }
                most = most.max(branch.margin(found?));
                if most >= bound {
                    return Ok(most);
                }
            }
            left = &mut left[..postponed];
            takes_all = true;
        }
        Ok(most)
    }
}

/// Returns the bound for the position after a move, from the view of the player to move in it.
fn bound_after(branch: &Branch, bound: i32) -> i32 {
    match branch.moves_again {
        true => bound - branch.gain,
        false => branch.gain - bound + 1,
    }
}
