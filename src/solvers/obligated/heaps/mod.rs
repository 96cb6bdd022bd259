//! Obligated values of heaps, one size after another, in words of 64 heaps.
//!
//! A heap's value depends only on its options' values. Single heaps that may be left take one AND
//! of a mask with the recent values. A split in two or three takes one bit for each total, found
//! once for all numbers of tokens taken ([`splits`](super::splits)). One pair with a small heap
//! decides most totals; otherwise all pairs are tested, 64 at a time.
//!
//! Invariant: all stored values are exact; none is extrapolated from a pattern.
//!
//! Source: T. S. Ferguson, *Obligated sums of games*, section 3.

use std::ops::Range;

use cggames::game::Convention;
use cggames::game::heap::HeapGame;

use super::bits::bit;
use super::blocks::BLOCK;
use super::splits::{BLOCKS_FROM, Reached, Splits};
use super::value::ObligatedValue;
use crate::heaps::moves::Moves;

/// The largest number of heaps, for games that split a heap in two at most.
pub const OBLIGATED_HEAPS_MAX: usize = 1 << 30;

/// The obligated values of a heap game's heaps `0..len`, which can be continued.
///
/// Cost: O(1) for most heaps. A total that cannot be split into P-positions takes O(n d / 64)
/// words, where `d` is the density of heaps that are P. With splits into three every total takes
/// O(n / 64) words. Memory: 2 to 4 bytes a heap, and 4 to 8 for each whose value is not `11`.
///
/// ```
/// use cgsolvers::obligated::HeapValues;
///
/// let mut kayles = HeapValues::new(&"kayles".parse()?);
/// kayles.extend(1_000);
/// let values: Vec<String> = (0..8).map(|n| kayles.value(n).to_string()).collect();
/// assert_eq!(values, ["01", "10", "11", "11", "10", "01", "11", "11"]);
/// // Values that are good to leave under both conventions are rare: here there are none.
/// assert_eq!(kayles.counts(), [0, 250, 250, 500]);
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HeapValues {
    pub(super) moves: Moves,
    pub(super) len: usize,
    /// Bit `n`: the heap `n` is N under normal play, and under misère play.
    pub(super) digits: [Vec<u64>; 2],
    pub(super) splits: Splits,
    /// The most parts into which totals are split, at least the number that the moves need.
    pub(super) parts: usize,
    /// Bit `t`: the heap `len - 1 - t` is P, by convention.
    recent_single: [u64; 2],
    /// Bit `t`: the total `len - 1 - t` splits in two, or in three, into a P-position.
    recent_two: [u64; 2],
    recent_three: [u64; 2],
}

impl HeapValues {
    /// Prepares the values of a game; none is computed yet.
    pub fn new(game: &HeapGame) -> HeapValues {
        let mut values = HeapValues {
            moves: Moves::new(game),
            ..HeapValues::default()
        };
        values.restart(0);
        values
    }

    /// Resumes the values of a game from known ones, those of the heaps from 0 on.
    ///
    /// Only games that split a heap in two at most and take at most 64 tokens resume from them, if
    /// there are thousands; the values of other games are recomputed, so [`len`](Self::len) may be
    /// 0.
    ///
    /// Cost: O(1) a heap.
    ///
    /// ```
    /// use cgsolvers::obligated::HeapValues;
    ///
    /// let mut whole = HeapValues::new(&"kayles".parse()?);
    /// whole.extend(6000);
    /// let known = (0..5000).map(|n| whole.value(n));
    /// let mut values = HeapValues::with_known(&"kayles".parse()?, known);
    /// assert_eq!(values.len(), 5000);
    /// values.extend(6000);
    /// assert!((0..6000).all(|n| values.value(n) == whole.value(n)));
    /// # Ok::<(), cggames::game::heap::HeapGameError>(())
    /// ```
    pub fn with_known(
        game: &HeapGame,
        known: impl ExactSizeIterator<Item = ObligatedValue>,
    ) -> HeapValues {
        let mut values = HeapValues::new(game);
        // From here on the data with a lookback are recomputed: 64 heaps and totals, and the cover
        // of a block of totals.
        let near = known.len().saturating_sub(64) / BLOCK * BLOCK;
        if values.parts > 2 || !values.moves.long.is_empty() || near < BLOCKS_FROM {
            return values;
        }
        values.reserve(known.len());
        for (n, value) in known.enumerate() {
            if n < near {
                values.place(n, value);
            } else {
                let [two, three] = values.totals(n);
                values.enter(n, value, two, three);
            }
        }
        values
    }

    /// Resumes the values of a game from [results](Self::found) of the heaps from 0 on, in pieces.
    ///
    /// A piece that does not fit the game is dropped, with all after it.
    ///
    /// Cost: O(1) a heap.
    ///
    /// ```
    /// use cgsolvers::obligated::HeapValues;
    ///
    /// let game: cggames::game::heap::HeapGame = "0.B9".parse()?;
    /// let mut whole = HeapValues::new(&game);
    /// whole.extend(1000);
    /// let mut values = HeapValues::with_found(&game, [whole.found(0..256), whole.found(256..640)]);
    /// assert_eq!(values.len(), 640);
    /// values.extend(1000);
    /// assert!((0..1000).all(|n| values.value(n) == whole.value(n)));
    /// # Ok::<(), cggames::game::heap::HeapGameError>(())
    /// ```
    pub fn with_found(game: &HeapGame, pieces: impl IntoIterator<Item = Vec<u64>>) -> HeapValues {
        let mut values = HeapValues::new(game);
        for piece in pieces {
            if !values.adopt(&piece) {
                break;
            }
        }
        values
    }

    /// Returns the results for these heaps, in words of 64 heaps: their values, and the splits of
    /// totals.
    ///
    /// # Panics
    ///
    /// If an end of the range is not a multiple of 64, or some heaps are not known.
    pub fn found(&self, heaps: Range<usize>) -> Vec<u64> {
        assert!(
            heaps.start.is_multiple_of(64) && heaps.end.is_multiple_of(64) && heaps.end <= self.len,
            "heaps {heaps:?} of {}",
            self.len
        );
        let words = heaps.start / 64..heaps.end / 64;
        words
            .flat_map(|word| {
                let digits = self.digits.iter().map(move |digits| digits[word]);
                digits.chain(self.splits.word(word, self.parts))
            })
            .collect()
    }

    /// Returns the number of words that [`found`](Self::found) has for 64 heaps.
    pub(super) fn words_found(&self) -> usize {
        self.digits.len() + Splits::words(self.parts)
    }

    /// Continues from further words of earlier [results](Self::found); returns whether their length
    /// fits.
    pub(super) fn adopt(&mut self, words: &[u64]) -> bool {
        let each = self.words_found();
        let fits = self.len.is_multiple_of(64) && words.len().is_multiple_of(each);
        let heaps = 64 * words.len() / each;
        if !fits || heaps == 0 || self.len + heaps > OBLIGATED_HEAPS_MAX {
            return false;
        }
        self.reserve(self.len + heaps);
        for words in words.chunks_exact(each) {
            let ([normal, misere], splits) = words.split_first_chunk().expect("it has digits");
            let word = self.len / 64;
            for bit in 0..64 {
                let value = ObligatedValue::new(normal >> bit & 1 != 0, misere >> bit & 1 != 0);
                self.place(self.len, value);
            }
            self.splits.put_word(word, splits);
            // The last heap is that of bit 0.
            let recent = |totals: u64| totals.reverse_bits();
            let part = if word == 0 { !1 } else { !0 };
            self.recent_single = [*normal, *misere].map(|is_n| recent(!is_n & part));
            let [two, three] = self.splits.reached_word(word);
            self.recent_two = two.map(recent);
            self.recent_three = three.map(recent);
        }
        self.splits.resume_at(self.len);
        true
    }

    /// Starts over with the moves of a code with these digits, the one before the point first.
    /// Totals are split into up to `parts` parts, even if no move of this code needs it.
    pub(super) fn restart_with(&mut self, digits: &[u8], parts: usize) {
        self.moves.set_digits(digits);
        self.restart(parts);
    }

    /// Forgets all values.
    fn restart(&mut self, parts: usize) {
        self.parts = parts.max(self.moves.parts_max());
        self.len = 0;
        self.digits.iter_mut().for_each(Vec::clear);
        self.splits.reset(self.moves.distinct, self.parts == 3);
        self.recent_single = [0; 2];
        self.recent_two = [0; 2];
        self.recent_three = [0; 2];
    }

    /// Returns the number of known heaps: those of sizes `0..len`.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether no heap is known yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value of a known heap.
    ///
    /// # Panics
    ///
    /// If the heap is not known: `n` must be below [`len`](Self::len).
    pub fn value(&self, n: usize) -> ObligatedValue {
        assert!(
            n < self.len,
            "heap {n} is not below the {} known heaps",
            self.len
        );
        ObligatedValue::new(bit(&self.digits[0], n), bit(&self.digits[1], n))
    }

    /// Returns the numbers of known heaps with the values `00`, `01`, `10` and `11`.
    pub fn counts(&self) -> [u64; 4] {
        self.counts_before(self.len)
    }

    /// Returns the number of known heaps below `end` with each value.
    pub(super) fn counts_before(&self, end: usize) -> [u64; 4] {
        let mut counts = [0; 4];
        let words = self.digits[0].iter().zip(&self.digits[1]).enumerate();
        for (word, (&normal, &misere)) in words.take(end.div_ceil(64)) {
            let left = end - 64 * word;
            let known = if left < 64 { !(!0 << left) } else { !0u64 };
            let classes = [
                !normal & !misere,
                !normal & misere,
                normal & !misere,
                normal & misere,
            ];
            for (count, class) in counts.iter_mut().zip(classes) {
                *count += u64::from((class & known).count_ones());
            }
        }
        counts
    }

    /// Computes the unknown values of the heaps below `len`.
    ///
    /// # Panics
    ///
    /// If `len` exceeds [`OBLIGATED_HEAPS_MAX`].
    pub fn extend(&mut self, len: usize) {
        assert!(
            len <= OBLIGATED_HEAPS_MAX,
            "{len} heaps exceed {OBLIGATED_HEAPS_MAX}"
        );
        if len <= self.len {
            return;
        }
        self.reserve(len);
        for n in self.len..len {
            self.push(n);
        }
    }

    /// Reserves memory for the heaps below `len`, at least one.
    fn reserve(&mut self, len: usize) {
        self.splits.reserve(len - 1);
        let words = len.div_ceil(64);
        self.digits
            .iter_mut()
            .for_each(|digits| digits.resize(words, 0));
    }

    /// Computes the next heap, `n`.
    fn push(&mut self, n: usize) {
        let [two, three] = self.totals(n);
        let value = self.valued(n, two, three);
        self.enter(n, value, two, three);
    }

    /// Finds the splits of the next total, `n`, as far as moves need them.
    fn totals(&mut self, n: usize) -> [Reached; 2] {
        let two = if self.parts >= 2 {
            self.splits.split_in_two(n)
        } else {
            Default::default()
        };
        let three = if self.parts == 3 {
            self.splits.split_in_three(n)
        } else {
            Default::default()
        };
        [two, three]
    }

    /// Returns the value of the next heap, `n`, from its options.
    fn valued(&self, n: usize, two: Reached, three: Reached) -> ObligatedValue {
        let near = &self.moves.short;
        let reached = |convention: usize| {
            (self.recent_single[convention] & near[1])
                | (self.recent_two[convention] & near[2])
                | (self.recent_three[convention] & near[3])
        };
        // Taking the whole heap ends the game: P under normal play, N under misère play.
        let all = (1..=64).contains(&n) && near[0] >> (n - 1) & 1 != 0;
        let whole = self.moves.whole;
        let mut normal = reached(0) != 0
            || all
            || (whole & 4 != 0 && two.normal)
            || (whole & 8 != 0 && three.normal);
        let mut misere =
            reached(1) != 0 || (whole & 4 != 0 && two.misere) || (whole & 8 != 0 && three.misere);
        if n > 64 && !self.moves.long.is_empty() {
            self.push_far(n, &mut normal, &mut misere);
        }
        if !normal && !misere && !self.moves.has_option(n) {
            misere = true;
        }
        ObligatedValue::new(normal, misere)
    }

    /// Appends the value of the next heap, `n`, and the splits of that total.
    fn enter(&mut self, n: usize, value: ObligatedValue, two: Reached, three: Reached) {
        self.place(n, value);
        let shift = |recent: &mut [u64; 2], normal: bool, misere: bool| {
            recent[0] = recent[0] << 1 | u64::from(normal);
            recent[1] = recent[1] << 1 | u64::from(misere);
        };
        let is_p = |convention| n > 0 && !value.is_n(convention);
        shift(
            &mut self.recent_single,
            is_p(Convention::Normal),
            is_p(Convention::Misere),
        );
        shift(&mut self.recent_two, two.normal, two.misere);
        shift(&mut self.recent_three, three.normal, three.misere);
    }

    /// Stores the value of the next heap, `n`.
    fn place(&mut self, n: usize, value: ObligatedValue) {
        for (digits, convention) in self.digits.iter_mut().zip(Convention::ALL) {
            digits[n / 64] |= u64::from(value.is_n(convention)) << (n % 64);
        }
        self.splits.insert(n, value);
        self.len = n + 1;
    }

    /// Adds the options of heap `n` that take more than 64 tokens.
    fn push_far(&self, n: usize, normal: &mut bool, misere: &mut bool) {
        for &(taken, digit) in &self.moves.long {
            if taken > n || (*normal && *misere) {
                return;
            }
            let left = n - taken;
            *normal |= digit & 1 != 0 && left == 0;
            if digit & 2 != 0 && left > 0 {
                *normal |= !bit(&self.digits[0], left);
                *misere |= !bit(&self.digits[1], left);
            }
            for parts in [2, 3] {
                if digit >> parts & 1 != 0 {
                    let reached = self.splits.reached(left, parts);
                    *normal |= reached.normal;
                    *misere |= reached.misere;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
