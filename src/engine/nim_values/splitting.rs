//! The engine for games in which a heap is split in two at most.
//!
//! The nim-value of a heap is the least number that no option has. Numbers are tried upwards, and a
//! number is passed over only when an option is known that has it, and taken only when none has:
//!
//! - A number that is common (see [`super::mask`]) is reached by one heap of rare and one of common
//!   value, or not at all. All heaps of rare value are listed, as taps (see [`super::cover`]), so that
//!   these decide. Most numbers are passed over for the sake of a few taps, tried on 1016 heaps at once;
//!   of those that are left to each heap, four at a time are put to all taps, for 64 heaps at once.
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
//! Invariant: `values` are the nim-values of the heaps from 0 on, unless speculative; row `v` of the window
//! has the heaps of value `v`, heap 0 left out, from `window.first()` on.

use rayon::prelude::*;

use super::bytes::Bytes;
use super::cover::{BLOCK, Bits, Limits, STRETCH, Taps, Window, range, strip_of};
use super::exact::{self, Offsets, STRIP, TRIED};
use super::lists::Lists;
use super::mask::{Sparse, is_rare, sparsest};
use super::moves::Moves;
use super::scan::has_pair;
use super::verifier::Verifier;
use super::{NimValueError, VALUE_MAX};

/// From how many heaps on blocks are used.
const START: usize = 2048;

/// Rows reach back so many heaps at most; taps that reach further are left to the exact way.
const REACH_MAX: usize = BLOCK + 32_768;

/// Sample taps have offsets from a block's length to this.
const SAMPLE_MAX: usize = BLOCK + 16_384;

/// When enough taps have been tried for common numbers.
const COMMON: Limits = Limits { left: 8, taps: 700 };

/// How many heaps of a block may be left to be looked at one by one without a mask.
///
/// A look at pairs until one is found goes through about `1 / p` pairs, if a pair has the number with probability
/// `p`; a tap shows `p` of the heaps that are left. So the number that pays does not depend on `p`: it is the cost of
/// a tap over that of a pair, an estimate, not a measurement.
const DENSE_LEFT: u32 = 15;

/// After how many times `1 / p` taps it is enough, since what is left then are heaps that do not reach the
/// number at all.
const DENSE_TAPS: u64 = 8;

/// A trial of four numbers for each heap of a strip is worth it for so many heaps; fewer are treated one
/// by one.
const TRIAL_MIN: u32 = 4;

/// A mask is used where at most one heap in so many is rare by it.
const RARE_SHARE: u64 = 10;

/// And at most one in so many of the second half of the heaps. What has been found of a block is taken
/// back when a heap of rare value turns up in it.
const RARE_LATE_SHARE: usize = 4000;

/// The most blocks that are found before they are verified.
const ROUND_MAX: usize = 4;

/// How many heaps may be taken back: those of a round that is verified and of the one found meanwhile.
const BACK_MAX: usize = (2 * ROUND_MAX + 1) * BLOCK;

/// How many newly found heaps of rare value are kept apart before the taps are made anew.
const FRESH_MAX: usize = 32;

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
    /// Values below this are verified, or speculative on purpose; those from it on are yet to be.
    settled: usize,
    /// There is one while there is a mask and values are to be verified.
    verifier: Option<Verifier>,
    /// How many blocks are found before they are verified.
    round: usize,
}

/// What is made of the values for speed alone.
#[derive(Clone, Debug)]
struct Table {
    window: Window,
    /// How far back the window must go: to where taps lead, also after values were taken back.
    reach: usize,
    /// Taps for common numbers that reach back to before the block and not beyond the window.
    common: Taps,
    /// Some taps for rare numbers.
    sample: Taps,
    /// When enough of these have been tried.
    dense: Limits,
    /// All taps that reach back to before the strip.
    far: Vec<Offsets>,
    /// All others, as values and offsets.
    near: Vec<(u16, usize)>,
    /// The same as `far`, to be asked first, where values are small.
    bytes: Option<Bytes>,
    /// How many heaps of rare value have been found since the table was made.
    fresh: usize,
    /// For each value, the last heap of which a tap was seen to have it as an option.
    marks: Vec<usize>,
    /// A value came up for which there is no row.
    outgrown: bool,
    block: Block,
}

/// What is known of the numbers from 0 on within a block and a strip of it.
#[derive(Clone, Debug, Default)]
struct Block {
    start: usize,
    end: usize,
    /// The heaps that are seen to reach each number by some taps, by number.
    seen: Vec<Option<Bits>>,
    /// The first heap of the strip.
    strip: usize,
    /// For each heap of the strip the least common numbers that no far tap reaches, ascending, as many as
    /// were found.
    least: Vec<Least>,
    /// Whether the bytes decide for the strip.
    by_bytes: bool,
    /// The rare numbers that some heap of the strip is not seen to reach, ascending, with those that are.
    rare: Vec<(u16, u64)>,
    /// The first number not looked at for `rare`.
    rare_next: u16,
}

/// Some numbers, and how many they are.
type Least = ([u16; TRIED + SPARE], usize);

/// As many numbers that a heap does not reach by far taps are sought, for the sake of near ones, while others
/// of the strip have none.
const SPARE: usize = 2;

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
            settled: 1,
            verifier: None,
            round: 1,
        }
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
        let remake = |t: &Table| t.outgrown || t.fresh >= FRESH_MAX;
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
            .find_first(|&&(n, number)| !self.reaches(n, number));
        let Some(&(n, value)) = wrong else {
            return false;
        };
        let table = self.table.as_mut().expect("values were found with it");
        let verifier = self.verifier.as_mut().expect("values were missed by it");
        for (heap, &wrong) in self.values.iter().enumerate().skip(n) {
            self.counts[usize::from(wrong)] -= 1;
            if usize::from(wrong) < table.marks.len() {
                table.window.clear(heap, wrong);
                if heap < self.settled {
                    verifier.take_back(heap, wrong);
                }
            }
        }
        self.values.truncate(n);
        self.values.push(value);
        self.counts[usize::from(value)] += 1;
        table.window.set(n, value);
        verifier.put(n, value);
        self.settled = n + 1;
        let taps = self.moves.two.iter().map(|&taken| (value, n + taken));
        table.near.extend(taps);
        if let Some(bytes) = &mut table.bytes {
            bytes.take_back(n, value);
        }
        table.fresh += 1;
        table.marks.fill(0);
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

    /// Finds the values of the next block, or of the heaps up to `heaps` in it.
    fn block(&mut self, heaps: usize) -> Result<(), NimValueError> {
        let mut table = self
            .table
            .take()
            .expect("made at the beginning of the round");
        let start = self.values.len() & !7;
        let end = heaps.min(start + BLOCK);
        table.begin(start);
        table.block.end = end;
        for n in self.values.len()..end {
            if n == start || n >= table.block.strip + STRIP || table.block.least.is_empty() {
                self.strip(&mut table, n);
            }
            let value = match self.mask {
                0 => self.value(&mut table, n),
                _ => self.least_common(&mut table, n),
            };
            let at = usize::from(value);
            self.note(value)?;
            if let Some(bytes) = &mut table.bytes {
                bytes.push(value);
            }
            if at >= table.marks.len() {
                // The next block begins here, with more rows.
                table.outgrown = true;
                break;
            }
            table.window.set(n, value);
        }
        self.table = Some(table);
        Ok(())
    }

    /// Begins the strip in which heap `n` is, the next one.
    ///
    /// Finds the least common numbers that the heaps of the strip do not reach by taps that lead to heaps
    /// before it.
    fn strip(&self, table: &mut Table, n: usize) {
        let block = &mut table.block;
        block.strip = block.start + (n - block.start) / STRIP * STRIP;
        block.rare.clear();
        block.rare_next = 0;
        block.least.clear();
        block.least.resize(STRIP, Least::default());
        if self.mask == 0 {
            return;
        }
        let strip = block.strip;
        let bytes = table.bytes.as_ref().filter(|bytes| bytes.decide(strip));
        block.by_bytes = bytes.is_some();
        let heaps = STRIP.min(block.end - strip);
        // The heaps of which the least number is still sought, and those of which more are.
        let mut open = (u64::MAX >> (STRIP - heaps)) & (u64::MAX << (n - strip));
        let mut more = open;
        let mut lists = Lists::new();
        let mut next = 0;
        while open.count_ones() >= TRIAL_MIN {
            while next < table.marks.len() && lists.wanting(open) {
                let number = next as u16;
                next += 1;
                if !is_rare(number, self.mask) {
                    let at = strip - table.block.start;
                    let seen = strip_of(self.seen(table, n, number), at);
                    lists.push(number, more & !seen);
                }
            }
            let trial = lists.trial();
            let reached = match table.bytes.as_ref().filter(|_| table.block.by_bytes) {
                Some(bytes) => bytes.reached(strip, &trial),
                None => exact::reached(&self.values, strip, &table.far, &trial),
            };
            let mut left = more;
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let tried = lists.shift(i);
                let (least, found) = &mut table.block.least[i];
                for (numbers, reached) in trial.iter().zip(reached).take(tried) {
                    if reached >> i & 1 == 0 {
                        least[*found] = numbers[i];
                        *found += 1;
                        open &= !(1 << i);
                    }
                }
                if tried == 0 || *found >= SPARE {
                    // There are enough, or its list is full, or all numbers have been tried.
                    open &= !(1 << i);
                    more &= !(1 << i);
                }
            }
        }
    }

    /// Returns which heaps of the block, from `n` on, are seen to reach a number by some taps: a common one,
    /// or any without a mask.
    fn seen<'a>(&self, table: &'a mut Table, n: usize, number: u16) -> &'a Bits {
        let Table { window, block, .. } = table;
        let at = usize::from(number);
        if block.seen[at].is_none() {
            let (taps, limits) = match self.mask {
                0 => (&table.sample, table.dense),
                _ => (&table.common, COMMON),
            };
            let need = [range(n - block.start, block.end - block.start); STRETCH];
            let stretch = at / STRETCH;
            let wanted = self.in_stretch(stretch, self.mask == 0);
            let seen = taps.seen(window, block.start, stretch, wanted, &need, limits);
            let all = block.seen.iter_mut().skip(stretch * STRETCH);
            for (known, seen) in all.zip(seen) {
                *known = Some(seen);
            }
        }
        block.seen[at].as_ref().expect("its stretch was looked at")
    }

    /// Returns which numbers of a stretch are rare, or which are common, among those that have rows.
    fn in_stretch(&self, stretch: usize, rare: bool) -> u64 {
        let numbers = stretch * STRETCH..self.counts.len().min((stretch + 1) * STRETCH);
        let wanted = numbers.filter(|&number| is_rare(number as u16, self.mask) == rare);
        wanted.fold(0, |bits, number| bits | 1 << (number % STRETCH))
    }

    /// Finds the value of heap `n`, the next one, without a mask.
    fn value(&self, table: &mut Table, n: usize) -> u16 {
        let bit = n - table.block.strip;
        let mut at = 0;
        loop {
            while at < table.block.rare.len() {
                let (number, seen) = table.block.rare[at];
                at += 1;
                if seen >> bit & 1 == 0 && !self.reaches(n, number) {
                    return number;
                }
            }
            let number = table.block.rare_next;
            if usize::from(number) == table.marks.len() {
                return number;
            }
            table.block.rare_next += 1;
            let at = table.block.strip - table.block.start;
            let seen = strip_of(self.seen(table, n, number), at);
            if !seen >> bit != 0 {
                table.block.rare.push((number, seen));
            }
        }
    }

    /// Returns the least common number that no option of heap `n` has, or the number of rows if all have.
    fn least_common(&self, table: &mut Table, n: usize) -> u16 {
        let rows = table.marks.len() as u16;
        if self.mask == 0 {
            return rows;
        }
        self.mark(&mut table.marks, n, table.near.iter().copied());
        let (least, found) = &table.block.least[n - table.block.strip];
        let free = |&&number: &&u16| table.marks[usize::from(number)] != n;
        if let Some(&least) = least[..*found].iter().find(free) {
            return least;
        }
        if let Some(bytes) = table.bytes.as_ref().filter(|_| table.block.by_bytes) {
            let reaches = bytes.reaches();
            let least = |number: &u16| {
                !is_rare(*number, self.mask)
                    && table.marks[usize::from(*number)] != n
                    && !reaches(*number)
            };
            return (0..rows).find(least).unwrap_or(rows);
        }
        let known = &self.values[..n];
        for same in &table.far {
            for &offset in &same.offsets {
                table.marks[usize::from(same.value ^ known[n - offset as usize])] = n;
            }
        }
        let least =
            |&number: &u16| !is_rare(number, self.mask) && table.marks[usize::from(number)] != n;
        (0..rows).find(least).unwrap_or(rows)
    }

    /// Marks what heap `n` reaches by taps.
    fn mark(&self, marks: &mut [usize], n: usize, taps: impl Iterator<Item = (u16, usize)>) {
        for (value, offset) in taps {
            // Offsets of n and more stand for heaps that could not have been left.
            if offset < n {
                marks[usize::from(value ^ self.values[n - offset])] = n;
            }
        }
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

    /// Chooses the mask, if it is time to, and makes the table.
    fn remake(&mut self, verify: bool) {
        let heaps = self.values.len();
        if heaps >= self.review {
            self.review = 2 * heaps;
            let sparse = sparsest(&self.counts).filter(|sparse| self.is_worth(sparse));
            if self.speculative_from.is_none() {
                self.mask = sparse.map_or(0, |sparse| sparse.mask);
            }
        }
        let rows = self.counts.len();
        let start = heaps & !7;
        let taps = self.rare_taps();
        let within = |from: usize, to: usize| {
            let inside = move |&&(_, offset): &&(u16, usize)| (from..to).contains(&offset);
            taps.iter().filter(inside).copied()
        };
        let offsets = within(0, REACH_MAX).map(|(_, offset)| offset);
        let reach = offsets.max().unwrap_or(0).max(SAMPLE_MAX);
        let window = Window::filled(&self.values, rows, reach + BACK_MAX);
        let far: Vec<_> = within(STRIP, start + 1).collect();
        let rare_last = self.values.iter().rposition(|&v| is_rare(v, self.mask));
        let bytes = Bytes::new(
            &self.values,
            rows,
            self.mask,
            &far,
            BACK_MAX,
            rare_last.unwrap_or(0),
        );
        let far = far.chunk_by(|a, b| a.0 == b.0).map(|same| Offsets {
            value: same[0].0,
            offsets: same.iter().map(|&(_, offset)| offset as u32).collect(),
        });
        let mut common = Taps::new(within(BLOCK, reach + 1).collect(), &self.counts);
        let is_common = |number| !is_rare(number, self.mask);
        if self.mask != 0 {
            common.list(&window, is_common, COMMON.taps);
        }
        let verifier = || {
            let sample = self.sample_taps();
            let reach = SAMPLE_MAX + BACK_MAX;
            Verifier::new(&self.values, &self.counts, self.mask, sample, reach)
        };
        self.verifier = (verify && self.mask != 0).then(verifier);
        self.table = Some(Table {
            window,
            reach: reach + BACK_MAX,
            common,
            sample: Taps::new(self.sample_taps(), &self.counts),
            dense: self.dense_limits(),
            far: far.collect(),
            bytes,
            near: within(0, STRIP)
                .chain(within(start + 1, usize::MAX))
                .collect(),
            fresh: 0,
            marks: vec![0; rows],
            outgrown: false,
            block: Block::default(),
        });
    }

    /// Returns when enough sample taps have been tried without a mask.
    fn dense_limits(&self) -> Limits {
        let heaps: u64 = self.counts.iter().sum();
        // Two heaps have equal values with probability 1 / `unlike`, about what it is for any nim-sum.
        let equal: u64 = self.counts.iter().map(|&count| count * count).sum();
        let unlike = (heaps * heaps).checked_div(equal).unwrap_or(1);
        Limits {
            left: DENSE_LEFT,
            taps: u32::try_from(DENSE_TAPS * unlike).unwrap_or(u32::MAX),
        }
    }

    /// Returns whether a mask pays: few heaps are rare by it, and still fewer of late.
    fn is_worth(&self, sparse: &Sparse) -> bool {
        let heaps = self.values.len();
        let late = &self.values[heaps / 2..];
        let rare_late = late.iter().filter(|&&v| is_rare(v, sparse.mask)).count();
        sparse.rare * RARE_SHARE <= heaps as u64 && rare_late * RARE_LATE_SHARE <= late.len()
    }

    /// Returns the taps that decide about common numbers: those of all heaps of rare value, and those of
    /// moves that leave one heap, as if beside one of no tokens.
    fn rare_taps(&self) -> Vec<(u16, usize)> {
        if self.mask == 0 {
            return Vec::new();
        }
        let mut taps: Vec<(u16, usize)> = self.moves.one.iter().map(|&taken| (0, taken)).collect();
        for (heap, &value) in self.values.iter().enumerate().skip(1) {
            if is_rare(value, self.mask) {
                taps.extend(self.moves.two.iter().map(|&taken| (value, heap + taken)));
            }
        }
        taps.sort_unstable();
        taps.dedup();
        taps
    }

    /// Returns taps for rare numbers: those of heaps that are not rare themselves, or of all without a
    /// mask. The other heap of each pair is the larger for all heaps to come.
    fn sample_taps(&self) -> Vec<(u16, usize)> {
        let heaps = SAMPLE_MAX.min(self.values.len() / 2);
        let mut taps = Vec::new();
        for (heap, &value) in self.values[..heaps].iter().enumerate().skip(1) {
            let offsets = self.moves.two.iter().map(|&taken| heap + taken);
            if self.mask == 0 || !is_rare(value, self.mask) {
                let fitting = offsets.filter(|offset| (BLOCK..heaps).contains(offset));
                taps.extend(fitting.map(|offset| (value, offset)));
            }
        }
        taps
    }
}

impl Table {
    /// Begins the block from `start` on, a multiple of 8.
    fn begin(&mut self, start: usize) {
        self.window.advance(start, self.reach);
        self.block = Block {
            start,
            seen: std::mem::take(&mut self.block.seen),
            least: Vec::new(),
            ..Block::default()
        };
        self.block.seen.clear();
        self.block.seen.resize(self.marks.len(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            assert!(engine.table.is_some_and(|table| table.block.by_bytes));
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
