//! The fourth rung: values that are proved, block by block.
//!
//! # Formula
//!
//! `G(n)` is the least number that no option of `n` has. [`wide`](super::wide) passes over common numbers only for the sake of
//! options that have them, and stops at the first one that no option has: all heaps of rare value are among its shifts, so
//! that these decide. What is left to show is that heap `n` reaches each rare number below. Shifts of a sample show it
//! for nearly all heaps and numbers of a block ([`rare_numbers`]), and all pairs decide about the others. A heap that reaches some rare
//! number by no pair has that value: what was found from there on is taken back, and the heap joins those of rare value.
//!
//! # Cost
//!
//! O(1) vectors for each block, rare number and shift of the sample, and O(n) for each rare number that is not seen to be reached. Blocks
//! are checked in rounds of up to [`ROUND_MAX`], while the next round is found.
//!
//! # What it adds
//!
//! Every value is right, whatever the mask. Without it a heap of rare value is missed, and all that follows may be wrong:
//! that is speculation.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on, unless speculative.

mod rare_numbers;

use rayon::prelude::*;

use super::error::NimValueError;
use super::sparse::Sparse;
use super::wide::kernels::ROUND_MAX;
use super::wide::pairs::reaches;
use super::wide::{START, Wide};
use crate::engine::heaps::moves::MoveLists;
use rare_numbers::RareNumbers;

/// The values of a game with splits in two at most, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    wide: Wide,
    /// The first heap whose value is not verified.
    speculative_from: Option<usize>,
    /// Values below this are verified, or speculative on purpose; those from it on are yet to be.
    settled: usize,
    /// There are some while there is a mask and values are to be verified.
    rare_numbers: Option<RareNumbers>,
    /// The number of blocks that are found before they are verified.
    round: usize,
}

impl Verified {
    pub(super) fn new(moves: MoveLists) -> Verified {
        Verified {
            wide: Wide::new(Sparse::new(moves)),
            speculative_from: None,
            settled: 1,
            rare_numbers: None,
            round: 1,
        }
    }

    /// Resumes from verified values; none may have been found yet.
    pub(super) fn adopt(&mut self, values: Vec<u16>) {
        self.settled = values.len();
        self.wide.sparse.adopt(values);
    }

    /// Returns the values found so far.
    pub(super) fn values(&self) -> &[u16] {
        &self.wide.sparse.values
    }

    /// Returns the first heap whose value is not verified, if there is one.
    pub(super) fn speculative_from(&self) -> Option<usize> {
        self.speculative_from
    }

    /// Finds values until there are `heaps` of them or `stop` says so.
    pub(super) fn extend(
        &mut self,
        heaps: usize,
        verify: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), NimValueError> {
        let sparse = &mut self.wide.sparse;
        let plain = START.max(sparse.moves.taken_max + 1).min(heaps);
        while sparse.values.len() < plain {
            if sparse.values.len().is_multiple_of(256) && stop() {
                return Ok(());
            }
            let value = sparse.next_value();
            sparse.push(value)?;
        }
        self.settled = self.settled.max(self.values().len());
        // What follows a speculative value is speculative.
        let verify = verify && self.speculative_from.is_none();
        loop {
            let mut result = Ok(());
            while result.is_ok() && self.values().len() < heaps && !stop() {
                result = self.round(heaps, verify);
            }
            // All values returned are verified; an error that follows a wrong value is none.
            if self.settle() && (result.is_err() || self.values().len() >= heaps) {
                continue;
            }
            if result.is_err() || self.values().len() >= heaps || stop() {
                return result;
            }
        }
    }

    /// Finds the values of some blocks, or as far as `heaps`, while those before are verified.
    fn round(&mut self, heaps: usize, verify: bool) -> Result<(), NimValueError> {
        if self.wide.is_stale() {
            self.settle();
            self.wide.prepare(self.speculative_from.is_none());
            let has_mask = self.wide.sparse.mask() != 0;
            self.rare_numbers = (verify && has_mask).then(|| RareNumbers::new(&self.wide.sparse));
        }
        let Some(mut rare_numbers) = self.rare_numbers.take().filter(|_| verify) else {
            if self.wide.sparse.mask() != 0 {
                let heap = self.values().len();
                self.speculative_from.get_or_insert(heap);
            }
            let result = self.wide.block(heaps);
            self.settled = self.values().len();
            return result;
        };
        let (first, round) = (self.settled, self.round);
        let pending = self.values()[first..].to_vec();
        let wide = &mut self.wide;
        let blocks = || {
            (0..round).try_for_each(
                |_| match wide.goes_on() && wide.sparse.values.len() < heaps {
                    true => wide.block(heaps),
                    false => Ok(()),
                },
            )
        };
        let (result, missed) = rayon::join(blocks, || rare_numbers.missed(first, &pending));
        self.rare_numbers = Some(rare_numbers);
        self.settled += pending.len();
        if self.take_back(&missed) {
            return Ok(());
        }
        self.round = (self.round + 1).min(ROUND_MAX);
        result
    }

    /// Verifies all values that are not yet; returns whether any were taken back.
    fn settle(&mut self) -> bool {
        let Some(rare_numbers) = &mut self.rare_numbers else {
            return false;
        };
        let first = self.settled;
        let values = &self.wide.sparse.values;
        let missed = rare_numbers.missed(first, &values[first..]);
        self.settled = values.len();
        self.take_back(&missed)
    }

    /// Looks for options of the numbers that were missed, and takes back the values from the first heap on
    /// that has none; returns whether there was one.
    fn take_back(&mut self, missed: &[(usize, u16)]) -> bool {
        let sparse = &self.wide.sparse;
        let wrong = missed
            .par_iter()
            .filter(|&&(n, number)| !reaches(sparse, n, number))
            .min();
        let Some(&(n, value)) = wrong else {
            return false;
        };
        let rare_numbers = self.rare_numbers.as_mut();
        let rare_numbers = rare_numbers.expect("numbers were missed by it");
        for (heap, &wrong) in (n..self.settled).zip(&sparse.values[n..]) {
            rare_numbers.take_back(heap, wrong);
        }
        rare_numbers.put(n, value);
        self.wide.take_back(n, value);
        self.settled = n + 1;
        self.round = 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::mask::is_rare;
    use super::super::reference;
    use super::*;

    fn verified(game: &str) -> Verified {
        Verified::new(MoveLists::new(&game.parse().expect("a game")))
    }

    /// With a mask by which heaps of rare value keep coming up, values are taken back time and again.
    #[test]
    fn any_mask_gives_the_values_of_none() {
        for (game, masks) in [
            ("0.37", [0x1ee, 0x1]),
            ("0.172", [0xcd, 0x3]),
            ("4.06", [0x3, 0x7]),
            ("grundy", [0x1f, 0x2]),
        ] {
            let heaps = 2800;
            let slow = reference::nim_values(&game.parse().expect("a game"), heaps);
            for mask in masks {
                let mut engine = verified(game);
                engine.extend(START, true, &|| false).expect("small values");
                engine.wide.review = usize::MAX;
                engine.wide.sparse.set_mask(mask);
                engine.extend(2333, true, &|| false).expect("small values");
                engine.extend(heaps, true, &|| false).expect("small values");
                let wrong = (0..heaps).find(|&n| u32::from(engine.values()[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} {mask:x}");
                let rare = engine.values()[START..]
                    .iter()
                    .filter(|&&v| is_rare(v, mask));
                assert!(rare.count() > 20, "{game} {mask:x}");
                let counted = |v: usize| slow[1..].iter().filter(|&&s| s as usize == v).count();
                let counts = engine.wide.sparse.counts.iter().enumerate();
                assert!(
                    counts
                        .clone()
                        .all(|(v, &count)| count as usize == counted(v))
                );
            }
        }
    }

    /// Values found by bytes are those found without a mask.
    #[test]
    fn bytes_give_the_values_of_no_mask() {
        for game in ["0.356", "0.454"] {
            let mut plain = verified(game);
            plain.wide.review = usize::MAX;
            plain.extend(9000, true, &|| false).expect("small values");
            let mut engine = verified(game);
            engine.extend(9000, true, &|| false).expect("small values");
            assert_eq!(engine.values(), plain.values(), "{game}");
            assert!(engine.wide.has_bytes(), "{game}");
        }
    }

    /// It does not matter how many values were known before.
    #[test]
    fn values_go_on_from_others() {
        for (game, heaps) in [("0.37", 12_000), ("0.356", 9000), ("0.06", 3000)] {
            let mut whole = verified(game);
            whole.extend(heaps, true, &|| false).expect("small values");
            for known in [1, 100, START, heaps / 2, heaps - 1] {
                let mut engine = verified(game);
                engine.adopt(whole.values()[..known].to_vec());
                engine.extend(heaps, true, &|| false).expect("small values");
                assert!(engine.values() == whole.values(), "{game} from {known}");
                let counted: u64 = engine.wide.sparse.counts.iter().sum();
                let from = engine.speculative_from();
                assert_eq!((counted as usize, from), (heaps - 1, None));
            }
        }
    }

    /// A speculative value that is wrong is one that verification takes back.
    #[test]
    fn speculation_with_a_bad_mask_is_wrong_and_says_so() {
        let mut engine = verified("0.37");
        engine.extend(START, true, &|| false).expect("small values");
        engine.wide.review = usize::MAX;
        engine.wide.sparse.set_mask(1);
        engine.extend(4000, false, &|| false).expect("small values");
        let slow = reference::nim_values(&"0.37".parse().expect("a code"), 4000);
        let wrong = (0..4000).find(|&n| u32::from(engine.values()[n]) != slow[n]);
        let from = engine.speculative_from().expect("it was speculative");
        assert!(wrong.is_some_and(|wrong| wrong >= from), "{wrong:?} {from}");
    }

    /// Values are taken back also where the window has moved on meanwhile. 0.165 has the period 1550 from heap
    /// 5181 on, and by this mask heaps of rare value in each period.
    #[test]
    fn values_are_taken_back_from_a_window_that_has_moved() {
        use crate::engine::heaps::certificate::Certificate;

        let mut plain = verified("0.165");
        plain.wide.review = usize::MAX;
        plain.extend(14_000, true, &|| false).expect("small values");
        let game = "0.165".parse().expect("a code");
        let certificate = Certificate::find(&game, plain.values()).expect("a period");
        assert_eq!((certificate.preperiod, certificate.period), (5181, 1550));

        let mut engine = verified("0.165");
        engine.extend(START, true, &|| false).expect("small values");
        engine.wide.review = usize::MAX;
        engine.wide.sparse.set_mask(0x1b);
        engine
            .extend(80_000, true, &|| false)
            .expect("small values");
        for (heap, &value) in engine.values().iter().enumerate() {
            assert_eq!(plain.values()[certificate.same_heap(heap)], value, "{heap}");
        }
        let rare = engine.values()[70_000..]
            .iter()
            .filter(|&&v| is_rare(v, 0x1b));
        assert!(rare.count() > 20);
    }
}
