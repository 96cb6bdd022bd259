//! The engine for games in which a heap is split in two at most.
//!
//! The nim-value of a heap is the least number that no option has. Numbers are tried upwards, and a
//! number is passed over only when an option is known that has it, and taken only when none has:
//!
//! - A number that is common (see [`super::mask`]) is reached by one heap of rare and one of common
//!   value, or not at all. All heaps of rare value are listed, as taps (see [`super::cover`]), so that
//!   these decide. Most numbers are passed over for the sake of some taps (see [`super::plan`]) tried on 1016 heaps at once; of those that
//!   are left to each heap, some at a time are put to all taps, for 64 heaps at once (see [`super::exact`],
//!   and where values are small [`super::bytes`] and [`super::least`]).
//! - A number that is rare may be reached by any pairs. Those with one heap out of a fixed sample are
//!   tried first, as taps on 1016 heaps at once; where they do not reach it, all pairs are looked at.
//!
//! So every value is right, whatever the mask. Without a mask all numbers are rare. The mask is
//! chosen anew whenever the heaps have doubled, and used where few heaps are rare by it. A heap found to
//! be rare joins the list.
//!
//! In the speculative way rare numbers are passed over unseen once there is a mask. Then a heap of rare
//! value would be missed, and all that follows be wrong.
//!
//! Values are found block by block, and made sure of in rounds of some blocks, while the next ones are found.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on, unless speculative; row `v` of the window
//! has the heaps of value `v`, heap 0 left out, from its first heap on.

mod block;
mod by_bytes;
mod table;

use rayon::prelude::*;

use super::error::{NimValueError, VALUE_MAX};
use super::moves::Moves;
use super::scan::has_pair;
use super::verifier::Verifier;
use super::window::BLOCK;

use table::{Learnt, Table};

/// From how many heaps on blocks are used.
const START: usize = 2048;

/// The most blocks that are found before they are verified.
const ROUND_MAX: usize = 4;

/// How many heaps may be taken back: those of a round that is verified and of the one found meanwhile.
const BACK_MAX: usize = (2 * ROUND_MAX + 1) * BLOCK;

/// The values of a game with splits in two at most, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Splitting {
    moves: Moves,
    values: Vec<u16>,
    /// How many heaps from 1 on have each value; as many entries as a power of two, so that nim-sums of
    /// values have one.
    counts: Vec<u64>,
    /// By which mask values are rare; 0 while all are.
    mask: u16,
    /// At how many heaps the mask is chosen anew.
    review: usize,
    /// The first heap that is not verified.
    speculative_from: Option<usize>,
    table: Option<Table>,
    /// What serves again when the table is made anew.
    learnt: Option<Learnt>,
    /// Values below this are verified, or speculative on purpose; those from it on are yet to be.
    settled: usize,
    /// There is one while there is a mask and values are to be verified.
    verifier: Option<Verifier>,
    /// How many blocks are found before they are verified.
    round: usize,
}

impl Splitting {
    pub(super) fn new(moves: Moves) -> Splitting {
        Splitting {
            moves,
            values: vec![0],
            counts: vec![0],
            mask: 0,
            review: START,
            speculative_from: None,
            table: None,
            learnt: None,
            settled: 1,
            verifier: None,
            round: 1,
        }
    }

    /// Goes on from values that were verified before; none has been found yet.
    pub(super) fn adopt(&mut self, values: Vec<u16>) {
        debug_assert_eq!((self.values.len(), values.first()), (1, Some(&0)));
        let most = values.iter().max().map_or(0, |&most| usize::from(most));
        self.counts = vec![0; (most + 1).next_power_of_two()];
        for &value in &values[1..] {
            self.counts[usize::from(value)] += 1;
        }
        self.settled = values.len();
        self.values = values;
    }

    /// Returns the values found so far.
    pub(super) fn values(&self) -> &[u16] {
        &self.values
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
        let plain = START.max(self.moves.taken_max + 1).min(heaps);
        while self.values.len() < plain {
            if self.values.len().is_multiple_of(256) && stop() {
                return Ok(());
            }
            let value = self.plain_value(self.values.len());
            self.note(value)?;
        }
        self.settled = self.settled.max(self.values.len());
        // What follows a speculative value is speculative.
        let verify = verify && self.speculative_from.is_none();
        loop {
            let mut result = Ok(());
            while result.is_ok() && self.values.len() < heaps && !stop() {
                result = self.round(heaps, verify);
            }
            // What was found is handed out verified; an error that follows a wrong value is none.
            if self.settle() && (result.is_err() || self.values.len() >= heaps) {
                continue;
            }
            if result.is_err() || self.values.len() >= heaps || stop() {
                return result;
            }
        }
    }

    /// Finds the values of some blocks, or as far as `heaps`, while those before are verified.
    fn round(&mut self, heaps: usize, verify: bool) -> Result<(), NimValueError> {
        let remake = |t: &Table| t.is_stale(self.values.len());
        if self.values.len() >= self.review || self.table.as_ref().is_none_or(remake) {
            self.settle();
            self.remake(verify);
        }
        if self.mask == 0 || !verify {
            if self.mask != 0 {
                self.speculative_from.get_or_insert(self.values.len());
            }
            let result = self.block(heaps);
            self.settled = self.values.len();
            return result;
        }
        let mut verifier = self.verifier.take().expect("made with the table");
        let (first, round) = (self.settled, self.round);
        let pending = self.values[first..].to_vec();
        let blocks = || {
            (0..round).try_for_each(|_| {
                let go_on = self.values.len() < heaps
                    && self.values.len() < self.review
                    && self.table.as_ref().is_some_and(|t| !t.outgrown);
                if go_on { self.block(heaps) } else { Ok(()) }
            })
        };
        let (result, missed) = rayon::join(blocks, || verifier.missed(first, &pending));
        self.verifier = Some(verifier);
        self.settled += pending.len();
        if self.take_back(&missed) {
            return Ok(());
        }
        self.round = (self.round + 1).min(ROUND_MAX);
        result
    }

    /// Verifies all values that are not yet; returns whether any were taken back.
    fn settle(&mut self) -> bool {
        let first = self.settled;
        let Some(mut verifier) = self.verifier.take() else {
            return false;
        };
        let missed = verifier.missed(first, &self.values[first..]);
        self.verifier = Some(verifier);
        self.settled = self.values.len();
        self.take_back(&missed)
    }

    /// Looks for options of the numbers that were missed, and takes back the values from the first heap on
    /// that has none; returns whether there was one.
    fn take_back(&mut self, missed: &[(usize, u16)]) -> bool {
        let wrong = missed
            .par_iter()
            .filter(|&&(n, number)| !self.reaches(n, number))
            .min();
        let Some(&(n, value)) = wrong else {
            return false;
        };
        let table = self.table.as_mut().expect("values were found with it");
        let verifier = self.verifier.as_mut().expect("values were missed by it");
        let wrong = &self.values[n..];
        table.take_back(n, wrong, value, &self.moves.two);
        for (heap, &wrong) in (n..).zip(wrong) {
            self.counts[usize::from(wrong)] -= 1;
            if heap < self.settled {
                verifier.take_back(heap, wrong);
            }
        }
        verifier.put(n, value);
        self.values.truncate(n);
        self.values.push(value);
        self.counts[usize::from(value)] += 1;
        self.settled = n + 1;
        self.round = 1;
        true
    }

    /// Finds the value of a heap from all its options.
    fn plain_value(&self, n: usize) -> u16 {
        let mut reached = vec![false; self.counts.len() + 1];
        let left = |taken: &usize| n.checked_sub(*taken);
        for l in self.moves.none.iter().filter_map(left) {
            reached[0] |= l == 0;
        }
        for l in self.moves.one.iter().filter_map(left) {
            if l > 0 {
                reached[usize::from(self.values[l])] = true;
            }
        }
        for l in self.moves.two.iter().filter_map(left) {
            for a in 1..=self.moves.pairs(l) {
                reached[usize::from(self.values[a] ^ self.values[l - a])] = true;
            }
        }
        let mex = reached.iter().position(|&reached| !reached);
        mex.expect("the last number exceeds every nim-sum") as u16
    }

    /// Appends a value.
    fn note(&mut self, value: u16) -> Result<(), NimValueError> {
        let heap = self.values.len();
        if value > VALUE_MAX {
            return Err(NimValueError::LargeValue { heap });
        }
        self.values.push(value);
        let at = usize::from(value);
        if at >= self.counts.len() {
            self.counts.resize((at + 1).next_power_of_two(), 0);
        }
        self.counts[at] += 1;
        Ok(())
    }

    /// Returns whether heap `n` has an option of this value, from all its options.
    fn reaches(&self, n: usize, number: u16) -> bool {
        let one = &self.moves.one;
        let two = &self.moves.two;
        one.iter().any(|taken| self.values[n - taken] == number)
            || two.iter().any(|taken| {
                let l = n - taken;
                has_pair(&self.values, l, self.moves.pairs(l), number)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::nim_values::mask::is_rare;
    use crate::engine::nim_values::reference;

    fn splitting(game: &str) -> Splitting {
        Splitting::new(Moves::new(&game.parse().expect("a game")))
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
                let mut engine = splitting(game);
                engine.extend(START, true, &|| false).expect("small values");
                engine.review = usize::MAX;
                engine.mask = mask;
                engine.extend(2333, true, &|| false).expect("small values");
                engine.extend(heaps, true, &|| false).expect("small values");
                let wrong = (0..heaps).find(|&n| u32::from(engine.values[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} {mask:x}");
                let rare = engine.values[START..].iter().filter(|&&v| is_rare(v, mask));
                assert!(rare.count() > 20, "{game} {mask:x}");
                let counted = |v: usize| slow[1..].iter().filter(|&&s| s as usize == v).count();
                let counts = engine.counts.iter().enumerate();
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
            let mut plain = splitting(game);
            plain.review = usize::MAX;
            plain.extend(9000, true, &|| false).expect("small values");
            let mut engine = splitting(game);
            engine.extend(9000, true, &|| false).expect("small values");
            assert_eq!(engine.values, plain.values, "{game}");
            let by_bytes = engine.table.and_then(|mut table| table.take_bytes());
            assert!(by_bytes.is_some(), "{game}");
        }
    }

    /// It does not matter how many values were known before.
    #[test]
    fn values_go_on_from_others() {
        for (game, heaps) in [("0.37", 12_000), ("0.356", 9000), ("0.06", 3000)] {
            let mut whole = splitting(game);
            whole.extend(heaps, true, &|| false).expect("small values");
            for known in [1, 100, START, heaps / 2, heaps - 1] {
                let mut engine = splitting(game);
                engine.adopt(whole.values[..known].to_vec());
                engine.extend(heaps, true, &|| false).expect("small values");
                assert!(engine.values == whole.values, "{game} from {known}");
                let counted: u64 = engine.counts.iter().sum();
                let from = engine.speculative_from();
                assert_eq!((counted as usize, from), (heaps - 1, None));
            }
        }
    }

    /// A speculative value that is wrong is one that verification takes back.
    #[test]
    fn speculation_with_a_bad_mask_is_wrong_and_says_so() {
        let mut engine = splitting("0.37");
        engine.extend(START, true, &|| false).expect("small values");
        engine.review = usize::MAX;
        engine.mask = 1;
        engine.extend(4000, false, &|| false).expect("small values");
        let slow = reference::nim_values(&"0.37".parse().expect("a code"), 4000);
        let wrong = (0..4000).find(|&n| u32::from(engine.values[n]) != slow[n]);
        let from = engine.speculative_from().expect("it was speculative");
        assert!(wrong.is_some_and(|wrong| wrong >= from), "{wrong:?} {from}");
    }

    /// Values are taken back also where the window has moved on meanwhile. 0.165 has the period 1550 from heap
    /// 5181 on, and by this mask heaps of rare value in each period.
    #[test]
    fn values_are_taken_back_from_a_window_that_has_moved() {
        use crate::engine::nim_values::Certificate;

        let mut plain = splitting("0.165");
        plain.review = usize::MAX;
        plain.extend(14_000, true, &|| false).expect("small values");
        let game = "0.165".parse().expect("a code");
        let certificate = Certificate::find(&game, &plain.values).expect("a period");
        assert_eq!((certificate.preperiod, certificate.period), (5181, 1550));

        let mut engine = splitting("0.165");
        engine.extend(START, true, &|| false).expect("small values");
        engine.review = usize::MAX;
        engine.mask = 0x1b;
        engine
            .extend(80_000, true, &|| false)
            .expect("small values");
        for (heap, &value) in engine.values.iter().enumerate() {
            assert_eq!(
                certificate.value(&plain.values, heap),
                Some(value),
                "{heap}"
            );
        }
        let rare = engine.values[70_000..]
            .iter()
            .filter(|&&v| is_rare(v, 0x1b));
        assert!(rare.count() > 20);
    }
}
