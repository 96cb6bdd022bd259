//! Which totals can be split into two or three heaps that together are P-positions.
//!
//! Heaps fall into four classes by their value; those of value `11` never help, since a sum with one of
//! them is `11`. By the corollary of Theorem 1, with `Z`, `O`, `B` the heaps of value `00`, `01`, `10` and
//! `A` those of `00` or `01`, two heaps are together
//!
//! - P under normal play: both in `A`, or both in `B`;
//! - P under misère play: one in `Z` and the other in `A`, or one in `O` and the other in `B`.
//!
//! For three heaps it matters of two of them only whether a `00` is among them and whether the number of
//! `10` is odd: four classes of pairs. That is the multiset rule; adding the value of the pair
//! to the third heap would be wrong.
//!
//! Invariant: heaps are entered in ascending order, size 0 never (a part holds a token at least), and
//! totals are asked for once all smaller heaps are in.

use super::bits::{Mirrored, bit};
use super::blocks::{BLOCK, Covered, cover};
use super::value::ObligatedValue::{self, V00, V01, V10};

/// What can be reached of a total: P under normal play, P under misère play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) normal: bool,
    pub(super) misere: bool,
}

/// The heaps so far by class, and which totals can be split into P-positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Splits {
    /// The heaps of values `00` or `01`, `10`, `00`, and `01`.
    a: Mirrored,
    b: Mirrored,
    z: Mirrored,
    o: Mirrored,
    /// The heaps of the same four classes as lists, ascending.
    lists: [Vec<u32>; 4],
    /// What pairs of large heaps cover of the block of totals that is being worked on, by ending.
    covered: [Covered; 2],
    /// The heaps `n - t` in `a`, `b`, `z`, `o` for `t` from 1 to 63 as bit `t`, `n` being next.
    recent: [u64; 4],
    /// Totals that split into two, by ending, as bits.
    pub(super) two: [Vec<u64>; 2],
    /// Totals that split into three.
    pub(super) three: [Vec<u64>; 2],
    /// For splits into three: totals of two heaps without `11`, by class: bit 0 of the place says that
    /// the number of `10` is odd, bit 1 that there is a `00`.
    pairs: [Mirrored; 4],
    distinct: bool,
    thirds: bool,
    words: usize,
}

impl Splits {
    /// Empties everything. `distinct` asks for parts of different sizes (two parts only), `thirds` for
    /// splits into three as well.
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

    /// Makes room for heaps and totals up to `n`.
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

    /// Enters the heap `n` of this value, the next one.
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

    /// Returns the heaps that are P under normal play, and those P under misère play, for one word.
    pub(super) fn single(&self, word: usize) -> [u64; 2] {
        let read = |set: &Mirrored| set.words().get(word).copied().unwrap_or(0);
        [read(&self.a), read(&self.z) | read(&self.b)]
    }

    /// Returns how many words say into what 64 totals can be split in up to so many parts.
    pub(super) fn words(parts: usize) -> usize {
        match parts {
            3 => 8,
            2 => 2,
            _ => 0,
        }
    }

    /// Returns these words, of the totals of a word: into two, into three, into two by class.
    pub(super) fn word(&self, word: usize, parts: usize) -> impl Iterator<Item = u64> {
        let totals = self.two.iter().chain(&self.three);
        let totals = totals.map(move |totals| totals[word]);
        let pairs = self.pairs.iter().map(move |set| set.words().get(word));
        let all = totals.chain(pairs.map(|word| word.copied().unwrap_or(0)));
        all.take(Splits::words(parts))
    }

    /// Enters such words.
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

    /// Makes what is needed to find totals from `m` on, after words were entered up to there.
    pub(super) fn go_on(&mut self, m: usize) {
        if m > BLOCKS_FROM && !m.is_multiple_of(BLOCK) && !self.distinct {
            // Heaps that came after the block's first total make totals beyond the block.
            self.cover_block(m / BLOCK * BLOCK);
        }
    }

    /// Finds out into what the total `m` can be split in two, and keeps it.
    pub(super) fn split_in_two(&mut self, m: usize) -> Reached {
        // Pairs of which one is below 64 are met in registers. Most totals need no more.
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

    /// Finds out which totals from `start` on, a block of them, pairs of heaps of 512 or more have.
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

    /// Returns whether two heaps, the smaller from 64 to below 512, are P under normal play.
    fn middle_normal(&self, m: usize) -> bool {
        let meets = |one: &Mirrored, two: &Mirrored| one.meets(two, m, 1, BLOCK / 64);
        meets(&self.a, &self.a) || meets(&self.b, &self.b)
    }

    /// Returns whether two heaps, the smaller from 64 to below 512, are P under misère play.
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
            // Halves at a word's edge leave nothing of the last word.
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
        // Two different values never meet in equal parts; two `00` may.
        self.z.meets(&self.o, m, 1, all)
            || self.o.meets(&self.b, m, 1, all)
            || self.z.meets(&self.z, m, 1, half.max(1))
            || self.z.common(&self.z, m, half) & smaller != 0
    }

    /// Finds out into what the total `m` can be split in three, and keeps it and the pairs of `m`.
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

    /// Returns what was found of a total that has been looked at.
    pub(super) fn reached(&self, m: usize, parts: usize) -> Reached {
        let totals = if parts == 2 { &self.two } else { &self.three };
        Reached {
            normal: bit(&totals[0], m),
            misere: bit(&totals[1], m),
        }
    }
}

/// Totals from this on are met in blocks; a multiple of the block, and at least two of them.
pub(super) const BLOCKS_FROM: usize = 2 * BLOCK;

/// Returns the bits, of the word that holds half of `m`, of numbers that differ from it, and at least of
/// those below.
fn below_half(m: usize) -> u64 {
    if m.is_multiple_of(2) {
        !(!0 << (m / 2 % 64))
    } else {
        !0
    }
}

/// Keeps what was found of a total.
fn keep(totals: &mut [Vec<u64>; 2], m: usize, reached: Reached) {
    totals[0][m / 64] |= u64::from(reached.normal) << (m % 64);
    totals[1][m / 64] |= u64::from(reached.misere) << (m % 64);
}
