//! The fourth rung: proofs of the values, block by block.
//!
//! # Formula
//!
//! `G(n)` is the least number that no option of `n` has. [`wide`](super::wide) skips a common
//! number only if an option has it, and stops at the first that no option has: its shifts include
//! all rare heaps, which decide this. It remains to show that heap `n` reaches each
//! smaller rare number. Shifts of a sample show it for nearly all heaps and numbers of a block
//! ([`rare_numbers`]), and all pairs decide the others. If no pair reaches some rare number, that
//! number is the value of the heap: the values from there on are withdrawn, and the heap joins
//! the rare heaps.
//!
//! # Cost
//!
//! O(1) vectors for each block, rare number and shift of the sample, and O(n) for each rare number
//! that the sample does not show to be reached. Blocks are checked in rounds of up to
//! [`ROUND_MAX`], while the next round is computed.
//!
//! # What it adds
//!
//! Every value is right, whatever the space. Without this rung a rare heap may be missed,
//! and all later values may be wrong: that is speculation.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on, unless speculative.

mod rare_numbers;

use rayon::prelude::*;

use super::error::NimValueError;
use super::sparse::Sparse;
use super::wide::kernels::ROUND_MAX;
use super::wide::pairs::reaches;
use super::wide::{START, Wide};
use crate::heaps::moves::MoveLists;
use rare_numbers::RareNumbers;

/// The values of a game with splits into at most two heaps, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    wide: Wide,
    /// The first heap whose value is not verified.
    speculative_from: Option<usize>,
    /// The values of heaps below this are verified, or speculative by request; those from it on are
    /// not yet checked.
    settled: usize,
    /// Present in a sparse space while values must be verified.
    rare_numbers: Option<RareNumbers>,
    /// The number of blocks that are computed before they are verified.
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

    /// Resumes from verified values, before any are computed.
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

    /// Finds values until there are `heaps` of them or `stop` returns true.
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
        // Values after a speculative one are speculative.
        let verify = verify && self.speculative_from.is_none();
        loop {
            let mut result = Ok(());
            while result.is_ok() && self.values().len() < heaps && !stop() {
                result = self.round(heaps, verify);
            }
            // All values returned are verified; an error after a wrong value is void.
            if self.settle() && (result.is_err() || self.values().len() >= heaps) {
                continue;
            }
            if result.is_err() || self.values().len() >= heaps || stop() {
                return result;
            }
        }
    }

    /// Finds the values of some blocks, at most up to `heaps`, while those before are verified.
    fn round(&mut self, heaps: usize, verify: bool) -> Result<(), NimValueError> {
        if self.wide.is_stale() {
            self.settle();
            self.wide.prepare(self.speculative_from.is_none());
            let is_sparse = !self.wide.sparse.space().is_whole();
            self.rare_numbers = (verify && is_sparse).then(|| RareNumbers::new(&self.wide.sparse));
        }
        let Some(mut rare_numbers) = self.rare_numbers.take().filter(|_| verify) else {
            if !self.wide.sparse.space().is_whole() {
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
            (0..round).try_for_each(|_| {
                if wide.can_continue() && wide.sparse.values.len() < heaps {
                    wide.block(heaps)
                } else {
                    Ok(())
                }
            })
        };
        let (result, missed) = rayon::join(blocks, || rare_numbers.missed(first, &pending));
        self.rare_numbers = Some(rare_numbers);
        self.settled += pending.len();
        if self.withdraw(&missed) {
            return Ok(());
        }
        self.round = (self.round + 1).min(ROUND_MAX);
        result
    }

    /// Verifies all unverified values; returns whether any were withdrawn.
    fn settle(&mut self) -> bool {
        let Some(rare_numbers) = &mut self.rare_numbers else {
            return false;
        };
        let first = self.settled;
        let values = &self.wide.sparse.values;
        let missed = rare_numbers.missed(first, &values[first..]);
        self.settled = values.len();
        self.withdraw(&missed)
    }

    /// Searches all pairs for the missed numbers, and withdraws the values from the first heap on
    /// that does not reach its number; returns whether there was one.
    fn withdraw(&mut self, missed: &[(usize, u16)]) -> bool {
        let sparse = &self.wide.sparse;
        let wrong = missed
            .par_iter()
            .filter(|&&(n, number)| !reaches(sparse, n, number, 0))
            .min();
        let Some(&(n, value)) = wrong else {
            return false;
        };
        let rare_numbers = self.rare_numbers.as_mut();
        let rare_numbers = rare_numbers.expect("numbers were missed by it");
        for (heap, &wrong) in (n..self.settled).zip(&sparse.values[n..]) {
            rare_numbers.withdraw(heap, wrong);
        }
        rare_numbers.put(n, value);
        self.wide.withdraw(n, value);
        self.settled = n + 1;
        self.round = 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::super::space::Space;
    use super::*;

    fn verified(game: &str) -> Verified {
        Verified::new(MoveLists::new(&game.parse().expect("a game")))
    }

    /// In a space in which rare heaps occur again and again, values are withdrawn repeatedly.
    #[test]
    fn any_space_gives_the_values_of_none() {
        for (game, masks) in [
            ("0.37", [0x1ee, 0x1]),
            ("0.172", [0xcd, 0x3]),
            ("4.06", [0x3, 0x7]),
            ("grundy", [0x1f, 0x2]),
            ("0.104", [0x3, 0x5]),
        ] {
            let heaps = 2800;
            let slow = reference::nim_values(&game.parse().expect("a game"), heaps);
            let moves = MoveLists::new(&game.parse().expect("a game"));
            let spaces = Space::of_masks(&masks, moves.parity_of_splits());
            for space in [spaces[0], spaces[spaces.len() - 1]] {
                let mut engine = verified(game);
                engine.extend(START, true, &|| false).expect("small values");
                engine.wide.review = usize::MAX;
                engine.wide.sparse.set_space(space);
                engine.extend(2333, true, &|| false).expect("small values");
                engine.extend(heaps, true, &|| false).expect("small values");
                let wrong = (0..heaps).find(|&n| u32::from(engine.values()[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} {space:x?}");
                let rare =
                    (START..heaps).filter(|&heap| space.is_rare(heap, engine.values()[heap]));
                assert!(rare.count() > 20, "{game} {space:x?}");
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

    /// In these codes few heaps are rare only if that depends on the parity of heaps. The values
    /// are those of the definition, however often the search is interrupted, and resumed from known
    /// values.
    #[test]
    fn spaces_by_parity_are_found_and_give_the_values_of_the_reference() {
        for (game, heaps) in [("0.104", 7000), ("0.106", 7000), ("0.324", 21_000)] {
            let slow = reference::nim_values(&game.parse().expect("a code"), heaps);
            for known in [0, 1000] {
                let mut engine = verified(game);
                if known > 0 {
                    engine.adopt(slow[..known].iter().map(|&value| value as u16).collect());
                }
                for to in [2047, 3001, 4099, heaps - 999, heaps] {
                    engine.extend(to, true, &|| false).expect("small values");
                }
                let wrong = (0..heaps).find(|&n| u32::from(engine.values()[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} from {known}");
                assert_eq!(engine.speculative_from(), None);
                let has_parity = engine.wide.sparse.space().has_parity();
                assert!(has_parity, "{game} from {known}");
            }
        }
    }

    /// Random codes agree with the reference in the best space of their first heaps, whatever the
    /// share of their rare heaps.
    #[test]
    fn random_codes_agree_with_the_reference_in_their_spaces() {
        let mut random = fastrand::Rng::with_seed(71);
        let (mut plain, mut by_parity) = (0, 0);
        while plain < 4 || by_parity < 4 {
            let digits: String = (0..4).map(|_| random.u8(b'0'..b'8') as char).collect();
            let game = format!("0.{digits}").parse().expect("a code");
            let mut engine = Verified::new(MoveLists::new(&game));
            engine.extend(START, true, &|| false).expect("small values");
            let Some(found) = engine.wide.sparse.fewest_rare() else {
                continue;
            };
            let count = match found.space.has_parity() {
                true => &mut by_parity,
                false => &mut plain,
            };
            *count += 1;
            if game.splits_max() < 2 || *count > 4 {
                continue;
            }
            let heaps = 3000;
            engine.wide.review = usize::MAX;
            engine.wide.sparse.set_space(found.space);
            engine.extend(heaps, true, &|| false).expect("small values");
            let slow = reference::nim_values(&game, heaps);
            let wrong = (0..heaps).find(|&n| u32::from(engine.values()[n]) != slow[n]);
            assert_eq!(wrong, None, "{game}");
        }
    }

    /// Values found with bytes agree with those found where all numbers are rare.
    #[test]
    fn bytes_give_the_values_of_no_space() {
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

    /// The result does not depend on the number of values known before.
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

    /// The first wrong speculative value is one that verification withdraws.
    #[test]
    fn speculation_in_a_bad_space_is_wrong_and_says_so() {
        let mut engine = verified("0.37");
        engine.extend(START, true, &|| false).expect("small values");
        engine.wide.review = usize::MAX;
        engine.wide.sparse.set_space(Space::new(1));
        engine.extend(4000, false, &|| false).expect("small values");
        let slow = reference::nim_values(&"0.37".parse().expect("a code"), 4000);
        let wrong = (0..4000).find(|&n| u32::from(engine.values()[n]) != slow[n]);
        let from = engine.speculative_from().expect("it was speculative");
        assert!(wrong.is_some_and(|wrong| wrong >= from), "{wrong:?} {from}");
    }

    /// Values are withdrawn even when the window has advanced meanwhile. 0.165 has the period 1550
    /// from heap 5181 on, and in this space rare heaps in each period.
    #[test]
    fn values_are_taken_back_from_a_window_that_has_moved() {
        use crate::heaps::certificate::Certificate;

        let mut plain = verified("0.165");
        plain.wide.review = usize::MAX;
        plain.extend(14_000, true, &|| false).expect("small values");
        let game = "0.165".parse().expect("a code");
        let certificate = Certificate::find(&game, plain.values()).expect("a period");
        assert_eq!((certificate.preperiod, certificate.period), (5181, 1550));

        let mut engine = verified("0.165");
        engine.extend(START, true, &|| false).expect("small values");
        engine.wide.review = usize::MAX;
        engine.wide.sparse.set_space(Space::new(0x1b));
        engine
            .extend(80_000, true, &|| false)
            .expect("small values");
        for (heap, &value) in engine.values().iter().enumerate() {
            assert_eq!(plain.values()[certificate.same_heap(heap)], value, "{heap}");
        }
        let space = engine.wide.sparse.space();
        let heaps = (70_000..).zip(&engine.values()[70_000..]);
        let rare = heaps.filter(|&(heap, &value)| space.is_rare(heap, value));
        assert!(rare.count() > 20);
    }
}
