//! The engine for games in which a heap is split in two at most.
//!
//! The nim-value of a heap is the least number that no option has. Numbers are tried upwards, and a
//! number is passed over only when an option is known that has it, and taken only when none has:
//!
//! - A number that is common (see [`super::mask`]) is reached by one heap of rare and one of common
//!   value, or not at all. All heaps of rare value are listed, as taps (see [`super::cover`]), so that
//!   these decide. Most numbers are passed over for the sake of a few taps, tried on 504 heaps at once;
//!   of those that are left to each heap, two at a time are put to all taps, for 64 heaps at once.
//! - A number that is rare may be reached by any pairs. Those with one heap out of a fixed sample are
//!   tried first, as taps on 504 heaps at once; where they do not reach it, all pairs are looked at.
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

use super::cover::{BLOCK, Bits, Limits, STRETCH, Taps, Window};
use super::exact::{self, Offsets, STRIP, Trial};
use super::mask::{Sparse, is_rare, sparsest};
use super::moves::Moves;
use super::scan::has_pair;
use super::{NimValueError, VALUE_MAX};

/// From how many heaps on blocks are used.
const START: usize = 2048;

/// Rows reach back so many heaps at most; taps that reach further are left to the exact way.
const REACH_MAX: usize = BLOCK + 32_768;

/// Sample taps have offsets from a block's length to this.
const SAMPLE_MAX: usize = BLOCK + 16_384;

/// When enough taps have been tried for common numbers.
const COMMON: Limits = Limits { left: 3, taps: 700 };

/// When enough taps have been tried for rare numbers.
const RARE: Limits = Limits { left: 1, taps: 600 };

/// How many numbers a heap's list holds that are yet to be tried.
const LIST: usize = 12;

/// A trial of two numbers for each heap of a strip is worth it for so many heaps; fewer are treated one
/// by one.
const TRIAL_MIN: u32 = 3;

/// A mask is used where at most one heap in so many is rare by it.
const RARE_SHARE: u64 = 10;

/// And at most one in so many of the second half of the heaps. What has been found of a block is taken
/// back when a heap of rare value turns up in it.
const RARE_LATE_SHARE: usize = 64;

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
}

/// What is made of the values for speed alone.
#[derive(Clone, Debug)]
struct Table {
    window: Window,
    /// How far back the window must go.
    reach: usize,
    /// Taps for common numbers that reach back to before the block and not beyond the window.
    common: Taps,
    /// Some taps for rare numbers.
    sample: Taps,
    /// All taps that reach back to before the strip.
    far: Vec<Offsets>,
    /// All others, as values and offsets.
    near: Vec<(u16, usize)>,
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
    /// For each heap of the strip the least common number that no far tap reaches, if found.
    least: Vec<Option<u16>>,
    /// The rare numbers that some heap of the strip is not seen to reach, ascending, with those that are.
    rare: Vec<(u16, u64)>,
    /// The first number not looked at for `rare`.
    rare_next: u16,
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
        while self.values.len() < heaps && !stop() {
            self.block(heaps, verify)?;
        }
        Ok(())
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
    fn block(&mut self, heaps: usize, verify: bool) -> Result<(), NimValueError> {
        let remake = |t: &Table| t.outgrown || t.fresh >= FRESH_MAX;
        if self.values.len() >= self.review || self.table.as_ref().is_none_or(remake) {
            self.remake();
        }
        let mut table = self.table.take().expect("the table has just been made");
        let start = self.values.len() & !7;
        let end = heaps.min(start + BLOCK);
        table.begin(start);
        let verify = verify || self.mask == 0;
        if !verify {
            self.speculative_from.get_or_insert(self.values.len());
        }
        table.block.end = end;
        let first = self.values.len();
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
            if at >= table.marks.len() {
                // The next block begins here, with more rows.
                table.outgrown = true;
                break;
            }
            table.window.set(n, value);
        }
        if verify && self.mask != 0 {
            self.verify(&mut table, first);
        }
        self.table = Some(table);
        Ok(())
    }

    /// Makes sure of the values from heap `first` on, those of a block: takes back those that follow the first
    /// heap of rare value, if there is one.
    fn verify(&mut self, table: &mut Table, first: usize) {
        let Some((n, value)) = self.first_rare(table, first) else {
            return;
        };
        for heap in (n..self.values.len()).rev() {
            let wrong = self.values[heap];
            self.counts[usize::from(wrong)] -= 1;
            if usize::from(wrong) < table.marks.len() {
                table.window.clear(heap, wrong);
            }
        }
        self.values.truncate(n);
        self.values.push(value);
        self.counts[usize::from(value)] += 1;
        table.window.set(n, value);
        let taps = self.moves.two.iter().map(|&taken| (value, n + taken));
        table.near.extend(taps);
        table.fresh += 1;
        table.marks.fill(0);
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
        block.least.resize(STRIP, None);
        if self.mask == 0 {
            return;
        }
        let strip = block.strip;
        let heaps = STRIP.min(block.end - strip);
        // The heaps of which the least number is still sought.
        let mut open = (u64::MAX >> (STRIP - heaps)) & (u64::MAX << (n - strip));
        let mut lists = Lists::new();
        let mut next = 0;
        while open.count_ones() >= TRIAL_MIN {
            while next < table.marks.len() && lists.wanting(open) {
                let number = next as u16;
                next += 1;
                if !is_rare(number, self.mask) {
                    let seen = self.seen(table, n, number);
                    lists.push(number, open & !strip_of(&seen, strip - table.block.start));
                }
            }
            let trial = lists.trial();
            let reached = exact::reached(&self.values, strip, &table.far, &trial);
            let mut left = open;
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let tried = lists.shift(i);
                for (numbers, reached) in trial.iter().zip(reached).take(tried) {
                    if reached >> i & 1 == 0 {
                        table.block.least[i] = Some(numbers[i]);
                        open &= !(1 << i);
                        break;
                    }
                }
                if tried == 0 {
                    // Its list is full or all numbers have been tried.
                    open &= !(1 << i);
                }
            }
        }
    }

    /// Returns which heaps of the block, from `n` on, are seen to reach a number by some taps: a common one,
    /// or any without a mask.
    fn seen(&self, table: &mut Table, n: usize, number: u16) -> Bits {
        let Table { window, block, .. } = table;
        let at = usize::from(number);
        if block.seen[at].is_none() {
            let (taps, limits) = match self.mask {
                0 => (&table.sample, RARE),
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
        block.seen[at].unwrap_or_default()
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
            let seen = self.seen(table, n, number);
            let seen = strip_of(&seen, table.block.strip - table.block.start);
            if !seen >> bit != 0 {
                table.block.rare.push((number, seen));
            }
        }
    }

    /// Returns the first heap from `from` on that does not reach all rare numbers below its value, with the
    /// least of these; the heaps are those of a block.
    fn first_rare(&self, table: &Table, from: usize) -> Option<(usize, u16)> {
        let start = table.block.start;
        let found = &self.values[from..];
        let largest = found.iter().copied().max().unwrap_or(0);
        // The heaps whose value exceeds the number, and may not be shown to reach it.
        let mut need = range(from - start, self.values.len() - start);
        let mut first: Option<(usize, u16)> = None;
        for stretch in 0..usize::from(largest).div_ceil(STRETCH) {
            let mut needs = [[0; 8]; STRETCH];
            let mut wanted = 0u64;
            for (i, needed) in needs.iter_mut().enumerate() {
                let number = (stretch * STRETCH + i) as u16;
                if number >= largest {
                    break;
                }
                if is_rare(number, self.mask) {
                    *needed = need;
                    wanted |= 1 << i;
                } else {
                    let equal = table.window.block(number, start);
                    need = std::array::from_fn(|i| need[i] & !equal[i]);
                }
            }
            let Table { window, sample, .. } = table;
            let seen = sample.seen(window, start, stretch, wanted, &needs, RARE);
            for (i, (needed, seen)) in needs.iter().zip(&seen).enumerate() {
                let number = (stretch * STRETCH + i) as u16;
                first = self.first_missed(start, number, needed, seen, first);
            }
        }
        first
    }

    /// Returns the first heap, and the least number of it, that is not reached, given what was so far.
    fn first_missed(
        &self,
        start: usize,
        number: u16,
        need: &Bits,
        seen: &Bits,
        mut first: Option<(usize, u16)>,
    ) -> Option<(usize, u16)> {
        {
            for i in 0..need.len() {
                let mut left = need[i] & !seen[i];
                while left != 0 {
                    let n = start + 64 * i + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let earlier = first.is_none_or(|(heap, _)| n < heap);
                    if earlier && !self.reaches(n, number) {
                        first = Some((n, number));
                    }
                }
            }
        }
        first
    }

    /// Returns the least common number that no option of heap `n` has, or the number of rows if all have.
    fn least_common(&self, table: &mut Table, n: usize) -> u16 {
        let rows = table.marks.len() as u16;
        if self.mask == 0 {
            return rows;
        }
        self.mark(&mut table.marks, n, table.near.iter().copied());
        let least = table.block.least[n - table.block.strip];
        if let Some(least) = least.filter(|&least| table.marks[usize::from(least)] != n) {
            return least;
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
    fn remake(&mut self) {
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
        let mut window = Window::new(rows, reach, heaps);
        for heap in window.first()..heaps {
            window.set(heap, self.values[heap]);
        }
        let far: Vec<_> = within(STRIP, start + 1).collect();
        let far = far.chunk_by(|a, b| a.0 == b.0).map(|same| Offsets {
            value: same[0].0,
            offsets: same.iter().map(|&(_, offset)| offset as u32).collect(),
        });
        self.table = Some(Table {
            window,
            reach,
            common: Taps::new(within(BLOCK, reach + 1).collect(), &self.counts),
            sample: Taps::new(self.sample_taps(), &self.counts),
            far: far.collect(),
            near: within(0, STRIP)
                .chain(within(start + 1, usize::MAX))
                .collect(),
            fresh: 0,
            marks: vec![0; rows],
            outgrown: false,
            block: Block::default(),
        });
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

/// For each heap of a strip, common numbers that it is not seen to reach, ascending, not yet tried.
#[derive(Clone, Debug)]
struct Lists {
    numbers: [[u16; LIST]; STRIP],
    lengths: [u8; STRIP],
    /// The heaps that have two numbers or more.
    served: u64,
    /// The heaps for which a number found no room, so that no later one may be taken in.
    full: u64,
}

impl Lists {
    fn new() -> Lists {
        Lists {
            numbers: [[0; LIST]; STRIP],
            lengths: [0; STRIP],
            served: 0,
            full: 0,
        }
    }

    /// Returns whether one of these heaps has fewer than two numbers and may take in another.
    fn wanting(&self, heaps: u64) -> bool {
        heaps & !self.full & !self.served != 0
    }

    /// Adds a number to the lists of these heaps.
    fn push(&mut self, number: u16, heaps: u64) {
        let mut left = heaps & !self.full;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let length = usize::from(self.lengths[i]);
            if length < LIST {
                self.numbers[i][length] = number;
                self.lengths[i] += 1;
                self.served |= u64::from(length > 0) << i;
            } else {
                self.full |= 1 << i;
            }
        }
    }

    /// Returns the first two numbers of each list; what stands where there are fewer means nothing.
    fn trial(&self) -> Trial {
        std::array::from_fn(|which| self.numbers.map(|numbers| numbers[which]))
    }

    /// Removes the first two numbers of a list, or as many as there are, and returns how many.
    fn shift(&mut self, i: usize) -> usize {
        let tried = self.lengths[i].min(2);
        self.numbers[i].copy_within(2.., 0);
        self.lengths[i] -= tried;
        if self.lengths[i] < 2 {
            self.served &= !(1 << i);
        }
        usize::from(tried)
    }
}

/// Returns the bits of a strip that begins at a bit, a multiple of 8.
fn strip_of(bits: &Bits, at: usize) -> u64 {
    let low = bits[at / 64] >> (at % 64);
    match at % 64 {
        0 => low,
        moved => low | bits.get(at / 64 + 1).map_or(0, |high| high << (64 - moved)),
    }
}

/// Returns the bits from `from` to before `to`.
fn range(from: usize, to: usize) -> Bits {
    std::array::from_fn(|i| {
        let below = |end: usize| match end.saturating_sub(64 * i) {
            0 => 0,
            bits @ 1..64 => u64::MAX >> (64 - bits),
            _ => u64::MAX,
        };
        below(to) & !below(from)
    })
}
