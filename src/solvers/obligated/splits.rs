//! The totals that can be split into two or three heaps that form a P-position.
//!
//! Heaps fall into four classes by their value; those of value `11` never count, since a sum with
//! one of them is `11`. By the corollary of Theorem 1, with `Z`, `O`, `B` the heaps of value `00`,
//! `01`, `10` and `A` those of `00` or `01`, a sum of two heaps is
//!
//! - P under normal play: both in `A`, or both in `B`;
//! - P under misère play: one in `Z` and the other in `A`, or one in `O` and the other in `B`.
//!
//! For three heaps only two facts about the first two matter: whether one of them is `00`, and
//! whether the number of `10` is odd. So there are four classes of pairs. This is the multiset
//! rule; adding the value of the pair to that of the third heap would be wrong.
//!
//! Invariant: heaps are inserted in ascending order, never size 0 (a part has at least one token),
//! and a total is queried only after all smaller heaps are inserted.

use super::bits::{Mirrored, bit};
use super::blocks::{BLOCK, Covered, cover};
use super::value::ObligatedValue::{self, V00, V01, V10};

/// The P-positions that a total reaches: under normal play, under misère play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) normal: bool,
    pub(super) misere: bool,
}

/// The heaps so far by class, and the totals that can be split into P-positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Splits {
    /// The heaps of values `00` or `01`, `10`, `00`, and `01`.
    a: Mirrored,
    b: Mirrored,
    z: Mirrored,
    o: Mirrored,
    /// The heaps of the same four classes as lists, ascending.
    lists: [Vec<u32>; 4],
    /// The totals of the current block that pairs of large heaps cover, by ending.
    covered: [Covered; 2],
    /// Bit `t` for `t` from 1 to 63: whether the heap `n - t` is in `a`, `b`, `z`, `o`, where `n`
    /// is the next heap.
    recent: [u64; 4],
    /// Totals that split into two, by ending, as bits.
    pub(super) two: [Vec<u64>; 2],
    /// Totals that split into three.
    pub(super) three: [Vec<u64>; 2],
    /// For splits into three: totals of two heaps without `11`, by class. Bit 0 of the index means
    /// that the number of `10` is odd, bit 1 that there is a `00`.
    pairs: [Mirrored; 4],
    distinct: bool,
    thirds: bool,
    words: usize,
}

impl Splits {
    /// Empties all sets. `distinct` requires parts of different sizes (two parts only), `thirds`
    /// adds splits into three.
    pub(super) fn reset(&mut self, distinct: bool, thirds: bool) {
        self.words = 4;
        (self.distinct, self.thirds) = (distinct, thirds);
        self.recent = [0; 4];
        self.lists.iter_mut().for_each(Vec::clear);
        for set in [&mut self.a, &mut self.b, &mut self.z, &mut self.o] {
            set.reset(self.words);
        }
        self.pairs
            .iter_mut()
            .for_each(|set| set.reset(if thirds { self.words } else { 0 }));
        for totals in self.two.iter_mut().chain(&mut self.three) {
            totals.clear();
            totals.resize(self.words, 0);
        }
    }

    /// Reserves memory for heaps and totals up to `n`.
    pub(super) fn reserve(&mut self, n: usize) {
        if n < 64 * self.words {
            return;
        }
        self.words = (n / 64 + 1).next_power_of_two();
        for set in [&mut self.a, &mut self.b, &mut self.z, &mut self.o] {
            set.grow(self.words);
        }
        if self.thirds {
            self.pairs.iter_mut().for_each(|set| set.grow(self.words));
        }
        for totals in self.two.iter_mut().chain(&mut self.three) {
            totals.resize(self.words, 0);
        }
    }

    /// Inserts the next heap, `n`, with this value.
    pub(super) fn insert(&mut self, n: usize, value: ObligatedValue) {
        let part = n > 0;
        let is = [
            part && matches!(value, V00 | V01),
            part && value == V10,
            part && value == V00,
            part && value == V01,
        ];
        let sets = [&mut self.a, &mut self.b, &mut self.z, &mut self.o];
        for ((set, list), _) in sets
            .into_iter()
            .zip(&mut self.lists)
            .zip(is)
            .filter(|&(_, is)| is)
        {
            set.insert(n);
            list.push(n as u32);
        }
        for (recent, is) in self.recent.iter_mut().zip(is) {
            *recent = (*recent | u64::from(is)) << 1;
        }
    }

    /// Returns the heaps of one word that are P under normal play, and those that are P under
    /// misère play.
    pub(super) fn single(&self, word: usize) -> [u64; 2] {
        let read = |set: &Mirrored| set.words().get(word).copied().unwrap_or(0);
        [read(&self.a), read(&self.z) | read(&self.b)]
    }

    /// Returns the number of words for the splits of 64 totals into up to `parts` parts.
    pub(super) fn words(parts: usize) -> usize {
        match parts {
            3 => 8,
            2 => 2,
            _ => 0,
        }
    }

    /// Returns these words for the totals of one word: into two, into three, into two by class.
    pub(super) fn word(&self, word: usize, parts: usize) -> impl Iterator<Item = u64> {
        let totals = self.two.iter().chain(&self.three);
        let totals = totals.map(move |totals| totals[word]);
        let pairs = self.pairs.iter().map(move |set| set.words().get(word));
        let all = totals.chain(pairs.map(|word| word.copied().unwrap_or(0)));
        all.take(Splits::words(parts))
    }

    /// Stores such words.
    pub(super) fn put_word(&mut self, word: usize, words: &[u64]) {
        let totals = self.two.iter_mut().chain(&mut self.three);
        let mut words = words.iter();
        for (totals, &found) in totals.zip(words.by_ref()) {
            totals[word] = found;
        }
        for (set, &found) in self.pairs.iter_mut().zip(words) {
            (0..64)
                .filter(|bit| found >> bit & 1 != 0)
                .for_each(|bit| set.insert(64 * word + bit));
        }
    }

    /// Returns the totals of a word that split into P-positions, in two and in three, by ending.
    pub(super) fn reached_word(&self, word: usize) -> [[u64; 2]; 2] {
        [&self.two, &self.three].map(|totals| [totals[0][word], totals[1][word]])
    }

    /// Prepares the search for totals from `m` on, after words were stored up to there.
    pub(super) fn resume_at(&mut self, m: usize) {
        if m > BLOCKS_FROM && !m.is_multiple_of(BLOCK) && !self.distinct {
            // Heaps above the block's first total have totals beyond the block.
            self.cover_block(m / BLOCK * BLOCK);
        }
    }

    /// Finds and stores the splits of the total `m` in two.
    pub(super) fn split_in_two(&mut self, m: usize) -> Reached {
        // Pairs with a heap below 64 are tested in registers. Most totals need no more.
        let [a, b, z, o] = [&self.a, &self.b, &self.z, &self.o].map(|set| set.words()[0]);
        let [near_a, near_b, near_z, near_o] = self.recent;
        let mut unequal = !0;
        if self.distinct && m.is_multiple_of(2) && m < 128 {
            unequal = !(1 << (m / 2));
        }
        let normal = ((a & near_a) | (b & near_b)) & unequal;
        let misere = ((z & near_a) | (a & near_z) | (o & near_b) | (b & near_o)) & unequal;
        let (mut normal, mut misere) = (normal != 0, misere != 0);
        if m >= BLOCKS_FROM && !self.distinct {
            if m.is_multiple_of(BLOCK) {
                self.cover_block(m);
            }
            let [covered_normal, covered_misere] = &self.covered;
            normal = normal || bit(covered_normal, m % BLOCK) || self.middle_normal(m);
            misere = misere || bit(covered_misere, m % BLOCK) || self.middle_misere(m);
        } else if m >= 128 {
            normal = normal || self.far_normal(m);
            misere = misere || self.far_misere(m);
        }
        let reached = Reached { normal, misere };
        keep(&mut self.two, m, reached);
        reached
    }

    /// Finds the totals of the block from `start` on that pairs of heaps of 512 or more have.
    fn cover_block(&mut self, start: usize) {
        let [a, b, z, o] = &self.lists;
        let (set_a, set_b, set_o) = (self.a.words(), self.b.words(), self.o.words());
        self.covered = [[0; BLOCK / 64]; 2];
        let [normal, misere] = &mut self.covered;
        // Of two heaps of one class the smaller is at most half of the last total.
        let half = (start + BLOCK - 1) / 2;
        cover(normal, a, set_a, start, half);
        cover(normal, b, set_b, start, half);
        cover(misere, z, set_a, start, start - 1);
        if o.len() < b.len() {
            cover(misere, o, set_b, start, start - 1);
        } else {
            cover(misere, b, set_o, start, start - 1);
        }
    }

    /// Returns whether two heaps with total `m`, the smaller in `64..512`, are P under normal play.
    fn middle_normal(&self, m: usize) -> bool {
        let meets = |one: &Mirrored, two: &Mirrored| one.meets(two, m, 1, BLOCK / 64);
        meets(&self.a, &self.a) || meets(&self.b, &self.b)
    }

    /// Returns whether two heaps with total `m`, the smaller in `64..512`, are P under misère play.
    fn middle_misere(&self, m: usize) -> bool {
        let meets = |one: &Mirrored, two: &Mirrored| one.meets(two, m, 1, BLOCK / 64);
        meets(&self.z, &self.a)
            || meets(&self.a, &self.z)
            || meets(&self.o, &self.b)
            || meets(&self.b, &self.o)
    }

    /// Returns whether two heaps of 64 or more with total `m` are P under normal play.
    fn far_normal(&self, m: usize) -> bool {
        let half = m / 128;
        if !self.distinct {
            return self.a.meets(&self.a, m, 1, half + 1) || self.b.meets(&self.b, m, 1, half + 1);
        }
        let smaller = below_half(m);
        [&self.a, &self.b].into_iter().any(|set| {
            let rest = set.common(set, m, half) & smaller;
            // If the half is at a word's edge, the last word is empty.
            set.meets(set, m, 1, half.max(1)) || rest != 0
        })
    }

    /// Returns whether two heaps of 64 or more with total `m` are P under misère play.
    fn far_misere(&self, m: usize) -> bool {
        let (half, all) = (m / 128, m / 64 + 1);
        if !self.distinct {
            return self.z.meets(&self.a, m, 1, all) || self.o.meets(&self.b, m, 1, all);
        }
        let smaller = below_half(m);
        // Parts of different values have different sizes; two parts of value `00` may be equal.
        self.z.meets(&self.o, m, 1, all)
            || self.o.meets(&self.b, m, 1, all)
            || self.z.meets(&self.z, m, 1, half.max(1))
            || self.z.common(&self.z, m, half) & smaller != 0
    }

    /// Finds and stores the splits of the total `m` in three, and the pairs of `m`.
    pub(super) fn split_in_three(&mut self, m: usize) -> Reached {
        let (a, b, z, o) = (&self.a, &self.b, &self.z, &self.o);
        let all = m / 64 + 1;
        let [even, odd, zero_even, zero_odd] = &self.pairs;
        let meets = |one: &Mirrored, two: &Mirrored| one.meets(two, m, 0, all);
        let normal = meets(even, a) || meets(zero_even, a) || meets(odd, b) || meets(zero_odd, b);
        let misere = meets(even, b)
            || meets(odd, o)
            || meets(even, z)
            || meets(zero_even, a)
            || meets(zero_odd, b);
        let pairs = [
            meets(o, o) || meets(b, b),
            meets(o, b),
            meets(z, a),
            meets(z, b),
        ];
        let reached = Reached { normal, misere };
        keep(&mut self.three, m, reached);
        for (set, there) in self.pairs.iter_mut().zip(pairs) {
            if there {
                set.insert(m);
            }
        }
        reached
    }

    /// Returns the stored splits of a total.
    pub(super) fn reached(&self, m: usize, parts: usize) -> Reached {
        let totals = if parts == 2 { &self.two } else { &self.three };
        Reached {
            normal: bit(&totals[0], m),
            misere: bit(&totals[1], m),
        }
    }
}

/// Totals from this on are processed in blocks; a multiple of the block, at least two of them.
pub(super) const BLOCKS_FROM: usize = 2 * BLOCK;

/// Returns a mask for the word that contains half of `m`: it has the numbers below the half and
/// excludes the half itself.
fn below_half(m: usize) -> u64 {
    if m.is_multiple_of(2) {
        !(!0 << (m / 2 % 64))
    } else {
        !0
    }
}

/// Stores the splits of a total.
fn keep(totals: &mut [Vec<u64>; 2], m: usize, reached: Reached) {
    totals[0][m / 64] |= u64::from(reached.normal) << (m % 64);
    totals[1][m / 64] |= u64::from(reached.misere) << (m % 64);
}
