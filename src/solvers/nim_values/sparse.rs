//! The second rung: the sparse space, one heap at a time, without vectors.
//!
//! # Formula
//!
//! A heap of `n` tokens has the options `G(a) xor G(b)` with `a + b = n - k`, for the numbers `k`
//! that may be taken. A [space](super::space) makes each number rare or common for heap `n`. An
//! option with two heaps has a common number if and only if exactly one of the two is rare. Let `R`
//! be the set of the rare heaps, with heap 0 for all moves that leave one heap. Then
//!
//! ```text
//! c    = the least number that is common for n, other than all G(r) xor G(n - k - r), r in R
//! G(n) = the least number below c that is rare for n and no option; c if there is none
//! ```
//!
//! In the space in which all numbers are rare, `G(n)` is the least number that is no option.
//!
//! # Cost
//!
//! `c` takes O(|R|) steps for each `k`. A rare number takes about `1 / p` steps if a pair has it
//! with probability `p`, and O(n) for each `k` if no pair has it. If all numbers are rare, a heap
//! takes O(n) steps for each `k`.
//!
//! # What it adds
//!
//! [`reference`](mod@super::reference) visits all pairs of every heap. Here a heap costs only as
//! much as the rare heaps, of which 0.37 has 1400 in a million. The values do not depend on the
//! space.
//!
//! Source: Berlekamp, Conway and Guy, *Winning Ways*, chapter 4; A. Gangolli and T. Plambeck, *A
//! note on periodicity in some octal games* (1989).

use super::error::{NimValueError, VALUE_MAX};
use super::space::{RareHeaps, Shift, Space};
use crate::heaps::moves::MoveLists;

/// The values of a game with splits into at most two heaps, from heap 0 on, and its rare heaps.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    pub(super) moves: MoveLists,
    pub(super) values: Vec<u16>,
    /// The number of heaps from 1 on with each value. The length is a power of two, so nim-sums of
    /// values have an entry.
    pub(super) counts: Vec<u64>,
    space: Space,
    /// The rare heaps from 1 on, ascending; none while all numbers are rare.
    rare: Vec<usize>,
    /// For each number, the last heap that was seen to have it as an option.
    marks: Vec<usize>,
}

impl Sparse {
    /// Starts the values of a game with that of heap 0.
    pub(super) fn new(moves: MoveLists) -> Sparse {
        Sparse {
            moves,
            values: vec![0],
            counts: vec![0],
            space: Space::default(),
            rare: Vec::new(),
            marks: vec![0],
        }
    }

    /// Resumes from verified values of the heaps from 0 on, before any are computed.
    pub(super) fn adopt(&mut self, values: Vec<u16>) {
        debug_assert_eq!((self.values.len(), values.first()), (1, Some(&0)));
        let largest = values
            .iter()
            .max()
            .map_or(0, |&largest| usize::from(largest));
        self.counts = vec![0; (largest + 1).next_power_of_two()];
        self.marks = vec![0; self.counts.len()];
        for &value in &values[1..] {
            self.counts[usize::from(value)] += 1;
        }
        self.values = values;
    }

    /// Returns the space.
    pub(super) fn space(&self) -> Space {
        self.space
    }

    /// Returns the space with the fewest rare heaps; see [`RareHeaps::fewest`].
    pub(super) fn fewest_rare(&self) -> Option<RareHeaps> {
        let mut counts = vec![[0; 2]; self.counts.len()];
        for (heap, &value) in self.values.iter().enumerate().skip(1) {
            counts[usize::from(value)][heap % 2] += 1;
        }
        RareHeaps::fewest(&counts, self.moves.parity_of_splits())
    }

    /// Replaces the space.
    pub(super) fn set_space(&mut self, space: Space) {
        self.space = space;
        self.rare.clear();
        if !space.is_whole() {
            let heaps = self.values.iter().enumerate().skip(1);
            let rare = heaps.filter(|&(heap, &value)| space.is_rare(heap, value));
            self.rare.extend(rare.map(|(heap, _)| heap));
        }
    }

    /// Returns the shifts that decide common numbers, ascending: those of all rare heaps,
    /// and of moves that leave one heap.
    pub(super) fn rare_shifts(&self) -> Vec<Shift> {
        let mut shifts: Vec<Shift> = self.moves.one.iter().map(|&taken| (0, taken)).collect();
        for &heap in &self.rare {
            let offsets = self.moves.two.iter().map(|taken| heap + taken);
            shifts.extend(offsets.map(|offset| (self.values[heap], offset)));
        }
        shifts.sort_unstable();
        shifts.dedup();
        shifts
    }

    /// Finds the value of the next heap.
    pub(super) fn next_value(&mut self) -> u16 {
        if self.space.is_whole() {
            return self.least_of_all();
        }
        let common = self.least_common();
        let n = self.values.len();
        let mut rare = (0..common).filter(|&number| self.space.is_rare(n, number));
        rare.find(|&number| !self.reaches(n, number))
            .unwrap_or(common)
    }

    /// Finds the value of the next heap from all its options.
    fn least_of_all(&self) -> u16 {
        let n = self.values.len();
        let mut reached = vec![false; self.counts.len() + 1];
        let left = |taken: &usize| n.checked_sub(*taken);
        for l in self.moves.none.iter().filter_map(left) {
            reached[0] |= l == 0;
        }
        for l in self.moves.one.iter().filter_map(left).filter(|&l| l > 0) {
            reached[usize::from(self.values[l])] = true;
        }
        for l in self.moves.two.iter().filter_map(left) {
            for a in 1..=self.moves.pairs(l) {
                reached[usize::from(self.values[a] ^ self.values[l - a])] = true;
            }
        }
        let mex = reached.iter().position(|&reached| !reached);
        mex.expect("the last number exceeds every nim-sum") as u16
    }

    /// Finds the least common number that is no option of the next heap; the length of `counts` if
    /// all below are options.
    pub(super) fn least_common(&mut self) -> u16 {
        let n = self.values.len();
        for left in self
            .moves
            .one
            .iter()
            .filter_map(|taken| n.checked_sub(*taken))
        {
            if left > 0 {
                self.marks[usize::from(self.values[left])] = n;
            }
        }
        for left in self
            .moves
            .two
            .iter()
            .filter_map(|taken| n.checked_sub(*taken))
        {
            // Two heaps of equal size, which Grundy's game forbids, are both rare or both common,
            // so their nim-sum 0 is not among the common numbers.
            for &heap in self.rare.iter().take_while(|&&heap| heap < left) {
                self.marks[usize::from(self.values[heap] ^ self.values[left - heap])] = n;
            }
        }
        let rows = self.counts.len() as u16;
        let is_free =
            |&number: &u16| !self.space.is_rare(n, number) && self.marks[usize::from(number)] != n;
        (0..rows).find(is_free).unwrap_or(rows)
    }

    /// Returns whether heap `n` has an option of this value, searching all pairs; `n` must exceed
    /// the number of tokens that a move may take.
    pub(super) fn reaches(&self, n: usize, number: u16) -> bool {
        let values = &self.values;
        let one = self
            .moves
            .one
            .iter()
            .any(|taken| values[n - taken] == number);
        one || self.moves.two.iter().any(|taken| {
            let left = n - taken;
            (1..=self.moves.pairs(left)).any(|a| values[a] ^ values[left - a] == number)
        })
    }

    /// Appends the value of the next heap.
    pub(super) fn push(&mut self, value: u16) -> Result<(), NimValueError> {
        let heap = self.values.len();
        if value > VALUE_MAX {
            return Err(NimValueError::LargeValue { heap });
        }
        self.values.push(value);
        let at = usize::from(value);
        if at >= self.counts.len() {
            self.counts.resize((at + 1).next_power_of_two(), 0);
            self.marks.resize(self.counts.len(), 0);
        }
        self.counts[at] += 1;
        if !self.space.is_whole() && self.space.is_rare(heap, value) {
            self.rare.push(heap);
        }
        Ok(())
    }

    /// Removes the values of the heaps from `heap` on.
    pub(super) fn truncate(&mut self, heap: usize) {
        for &value in &self.values[heap..] {
            self.counts[usize::from(value)] -= 1;
        }
        self.values.truncate(heap);
        let known = self.rare.partition_point(|&rare| rare < heap);
        self.rare.truncate(known);
        self.marks.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;

    /// All octal codes of three digits agree with the reference in the best space of their first
    /// heaps. In many of them it depends on the parity of heaps.
    #[test]
    fn all_codes_of_three_digits_agree_with_the_reference_in_their_spaces() {
        let (mut plain, mut by_parity) = (0, 0);
        for digits in 0..512 {
            let game = format!("0.{digits:03o}").parse().expect("a code");
            let slow = reference::nim_values(&game, 300);
            let mut sparse = Sparse::new(MoveLists::new(&game));
            while sparse.values.len() < slow.len() {
                if [40, 150].contains(&sparse.values.len()) {
                    let found = sparse.fewest_rare();
                    let space = found.map_or(Space::default(), |found| found.space);
                    sparse.set_space(space);
                    plain += u32::from(!space.is_whole() && !space.has_parity());
                    by_parity += u32::from(space.has_parity());
                }
                let value = sparse.next_value();
                sparse.push(value).expect("small values");
            }
            let wrong = (0..slow.len()).find(|&n| u32::from(sparse.values[n]) != slow[n]);
            assert_eq!(wrong, None, "{game}");
        }
        assert!(plain > 100 && by_parity > 100, "{plain} {by_parity}");
    }

    /// Even in spaces in which rare heaps occur again and again.
    #[test]
    fn any_space_gives_the_values_of_the_reference() {
        for game in [
            "0.37", "0.172", "4.06", "0.77", "0.6", "0.0137", "grundy", "0.356", "0.104", "0.2303",
        ] {
            let game = game.parse().expect("a game");
            let slow = reference::nim_values(&game, 700);
            let moves = MoveLists::new(&game);
            for space in Space::of_masks(&[0, 1, 0x3, 0xcd, 0x1ee], moves.parity_of_splits()) {
                let mut sparse = Sparse::new(moves.clone());
                while sparse.values.len() < slow.len() {
                    if sparse.values.len() == 100 {
                        sparse.set_space(space);
                    }
                    // Removed values are found again.
                    if sparse.values.len() == 500 {
                        let again = sparse.values[400..].to_vec();
                        sparse.truncate(400);
                        for value in again {
                            assert_eq!(sparse.next_value(), value);
                            sparse.push(value).expect("small values");
                        }
                    }
                    let value = sparse.next_value();
                    sparse.push(value).expect("small values");
                }
                let wrong = (0..slow.len()).find(|&n| u32::from(sparse.values[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} {space:x?}");
                let counted: u64 = sparse.counts.iter().sum();
                assert_eq!(counted as usize, slow.len() - 1);
            }
        }
    }
}
