//! The search for the values of a block, a strip of it after the other.

use super::Splitting;
use super::table::Table;
use crate::engine::nim_values::candidates::Candidates;
use crate::engine::nim_values::cover::Asked;
use crate::engine::nim_values::error::NimValueError;
use crate::engine::nim_values::exact::{self, STRIP, TRIED, Trial};
use crate::engine::nim_values::mask::is_rare;
use crate::engine::nim_values::near::KEPT;
use crate::engine::nim_values::taps::STRETCH;
use crate::engine::nim_values::window::{BLOCK, Bits, range, strip_of};

/// A trial of some numbers for each heap of a strip is worth it for so many heaps; fewer are treated one
/// by one.
pub(super) const TRIAL_MIN: u32 = 4;

/// As many numbers that a heap does not reach by far taps are sought, for the sake of near ones, while others
/// of the strip have none.
pub(super) const SPARE: usize = 2;

/// What is known of the numbers from 0 on within a block and a strip of it.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) start: usize,
    end: usize,
    /// The heaps that are seen to reach common numbers by some taps.
    pub(super) asked: Asked,
    /// Whether it was asked of them.
    looked: bool,
    /// The heaps that are seen to reach each number by some taps, by number as far as was looked; without a mask.
    seen: Vec<Bits>,
    /// The first heap of the strip.
    pub(super) strip: usize,
    /// For each common number the heaps of the strip that are not seen to reach it, as far as it was not tried.
    pub(super) unseen: Vec<u64>,
    /// For each heap of the strip, what is left of the common numbers.
    candidates: Candidates,
    /// For each rank and each heap of the strip the least common numbers that no far tap reaches, ascending, as
    /// many as were found.
    least: [[u16; STRIP]; KEPT + 1],
    found: [u8; STRIP],
    /// The numbers that some heap of the strip is not seen to reach, ascending, with those that are; without a mask.
    rare: Vec<(u16, u64)>,
    /// The first number not looked at for `rare`.
    rare_next: u16,
}

impl Block {
    /// Returns a block of no heaps.
    pub(super) fn new() -> Block {
        Block {
            start: 0,
            end: 0,
            asked: Asked::default(),
            looked: false,
            seen: Vec::new(),
            strip: 0,
            candidates: Candidates::default(),
            least: [[0; STRIP]; KEPT + 1],
            found: [0; STRIP],
            unseen: Vec::new(),
            rare: Vec::new(),
            rare_next: 0,
        }
    }

    /// Begins a block, with numbers below `rows`.
    pub(super) fn begin(&mut self, start: usize, end: usize, rows: usize) {
        self.start = start;
        self.end = end;
        self.looked = false;
        self.seen.clear();
        self.asked.clear(rows);
    }
}

impl Splitting {
    /// Finds the values of the next block, or of the heaps up to `heaps` in it.
    pub(super) fn block(&mut self, heaps: usize) -> Result<(), NimValueError> {
        let mut table = self
            .table
            .take()
            .expect("made at the beginning of the round");
        let start = self.values.len() & !7;
        table.begin(start, heaps.min(start + BLOCK));
        let mut strip = start;
        while self.values.len() < table.block.end && !table.outgrown {
            let n = self.values.len();
            while n >= strip + STRIP {
                strip += STRIP;
            }
            table.block.strip = strip;
            let end = table.block.end.min(strip + STRIP);
            if self.mask == 0 {
                self.dense_strip(&mut table, end)?;
            } else {
                self.sparse_strip(&mut table, end)?;
            }
        }
        self.table = Some(table);
        Ok(())
    }

    /// Appends the value of a heap.
    pub(super) fn append(&mut self, table: &mut Table, value: u16) -> Result<(), NimValueError> {
        table.note(self.values.len(), value);
        self.note(value)
    }

    /// Looks which heaps of the block, from the next one on, reach which common numbers.
    pub(super) fn look(&self, table: &mut Table) {
        let Table { block, .. } = table;
        let need = range(self.values.len() - block.start, block.end - block.start);
        for &number in &table.common {
            block.asked.ask(number, need);
        }
        let cover = &mut table.cover;
        cover.see(&table.window, block.start, &mut block.asked);
        block.looked = true;
    }

    /// Looks which heaps of the block reach which of the next numbers, without a mask.
    fn look_further(&self, table: &mut Table) {
        let Table { block, .. } = table;
        let need = range(self.values.len() - block.start, block.end - block.start);
        let from = block.seen.len();
        let numbers = STRETCH.min(table.marks.len() - from);
        let seen = table.sample.seen(
            &table.window,
            block.start,
            from / STRETCH,
            u64::MAX >> (STRETCH - numbers),
            &need,
            table.dense,
        );
        block.seen.extend_from_slice(&seen[..numbers]);
    }

    /// Finds the values of the heaps of a strip up to `end`, or until there is no row for one, with a mask.
    fn sparse_strip(&mut self, table: &mut Table, end: usize) -> Result<(), NimValueError> {
        if !table.block.looked {
            self.look(table);
        }
        if let Some((mut bytes, layers)) = table.take_bytes() {
            let result = self.strip_by_bytes(table, &mut bytes, &layers, end);
            (table.bytes, table.layers) = (Some(bytes), Some(layers));
            return result;
        }
        self.sift(table, end);
        while self.values.len() < end && !table.outgrown {
            let value = self.least_common(table, self.values.len());
            self.append(table, value)?;
        }
        Ok(())
    }

    /// Finds the least common numbers that the heaps of the strip, from the next one on, do not reach by taps that
    /// lead to heaps before it.
    fn sift(&self, table: &mut Table, end: usize) {
        let Table { block, common, .. } = table;
        let strip = block.strip;
        block.found = [0; STRIP];
        let at = strip - block.start;
        let unseen = common.iter();
        let unseen = unseen.map(|&number| !strip_of(block.asked.seen(number), at));
        block.candidates.fill(unseen);
        // The heaps of which the least number is still sought, and those of which more are.
        let mut open = self.unknown(strip, end);
        let mut more = open;
        let mut trial: Trial = [[0; STRIP]; TRIED];
        while open.count_ones() >= TRIAL_MIN {
            let mut tried = [0; STRIP];
            for i in ones(more) {
                for numbers in &mut trial {
                    let Some(place) = block.candidates.next(i) else {
                        break;
                    };
                    numbers[i] = common[place];
                    tried[i] += 1;
                }
            }
            let reached = exact::reached(&self.values, strip, &table.far, &trial);
            for i in ones(more) {
                // No branch, since there is no guessing; what is too many is written to where it means nothing.
                let mut found = usize::from(block.found[i]);
                for (numbers, reached) in trial.iter().zip(reached).take(tried[i]) {
                    block.least[found.min(KEPT)][i] = numbers[i];
                    found += usize::from(reached >> i & 1 == 0);
                }
                block.found[i] = found.min(KEPT) as u8;
                // There are some, or all numbers have been tried.
                let done = u64::from(found > 0 || tried[i] < TRIED);
                open &= !(done << i);
                let done = u64::from(found >= SPARE || tried[i] < TRIED);
                more &= !(done << i);
            }
        }
    }

    /// Finds the values of the heaps of a strip up to `end`, or until there is no row for one, without a mask.
    fn dense_strip(&mut self, table: &mut Table, end: usize) -> Result<(), NimValueError> {
        table.block.rare.clear();
        table.block.rare_next = 0;
        while self.values.len() < end && !table.outgrown {
            let value = self.value(table, self.values.len());
            self.append(table, value)?;
        }
        Ok(())
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
            let rows = table.marks.len();
            let number = table.block.rare_next;
            if usize::from(number) == rows {
                return number;
            }
            table.block.rare_next += 1;
            if usize::from(number) == table.block.seen.len() {
                self.look_further(table);
            }
            let at = table.block.strip - table.block.start;
            let seen = strip_of(&table.block.seen[usize::from(number)], at);
            if !seen >> bit != 0 {
                table.block.rare.push((number, seen));
            }
        }
    }

    /// Returns the least common number that no option of heap `n` has, or the number of rows if all have.
    fn least_common(&self, table: &mut Table, n: usize) -> u16 {
        let rows = table.marks.len() as u16;
        self.mark(&mut table.marks, n, table.near.iter().copied());
        let i = n - table.block.strip;
        let known = &table.block.least[..usize::from(table.block.found[i])];
        let free = |number: &u16| table.marks[usize::from(*number)] != n;
        if let Some(least) = known.iter().map(|numbers| numbers[i]).find(free) {
            return least;
        }
        let values = &self.values[..n];
        for same in &table.far {
            for &offset in &same.offsets {
                table.marks[usize::from(same.value ^ values[n - offset as usize])] = n;
            }
        }
        let least =
            |&number: &u16| !is_rare(number, self.mask) && table.marks[usize::from(number)] != n;
        (0..rows).find(least).unwrap_or(rows)
    }

    /// Returns the heaps of a strip whose values are to be found: from the next one on up to `end`.
    pub(super) fn unknown(&self, strip: usize, end: usize) -> u64 {
        (u64::MAX >> (STRIP - (end - strip))) & (u64::MAX << (self.values.len() - strip))
    }

    /// Marks what heap `n` reaches by taps.
    pub(super) fn mark(
        &self,
        marks: &mut [usize],
        n: usize,
        taps: impl Iterator<Item = (u16, usize)>,
    ) {
        for (value, offset) in taps {
            // Offsets of n and more stand for heaps that could not have been left.
            if offset < n {
                marks[usize::from(value ^ self.values[n - offset])] = n;
            }
        }
    }
}

/// Returns the places of the bits of a word that are 1.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}
