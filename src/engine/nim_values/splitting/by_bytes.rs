//! The search for the values of a strip for which the bytes decide (see [`Bytes`]), all heaps at once.

use super::Splitting;
use super::block::{Block, SPARE, TRIAL_MIN};
use super::table::Table;
use crate::engine::nim_values::bytes::Bytes;
use crate::engine::nim_values::error::NimValueError;
use crate::engine::nim_values::exact::{STRIP, TRIED};
use crate::engine::nim_values::least::Least;
use crate::engine::nim_values::mask::is_rare;
use crate::engine::nim_values::near::{KEPT, Kept, Layer};

/// A trial is worth it for so many heaps ([`TRIAL_MIN`]) where a few numbers can be tried on one heap by spans.
const TRIAL_MIN_SPANS: u32 = 8;

impl Splitting {
    /// Finds the values of the heaps of a strip up to `end`, or until there is no row for one. The bytes must decide for
    /// it, and are not those of the table meanwhile.
    pub(super) fn strip_by_bytes(
        &mut self,
        table: &mut Table,
        bytes: &mut Bytes,
        layers: &[Layer],
        end: usize,
    ) -> Result<(), NimValueError> {
        let strip = table.block.strip;
        let mut from = self.values.len() - strip;
        let least = self.least_of_strip(table, bytes, end);
        let mut kept = Kept::new(&least);
        kept.begin(layers, from, bytes.last());
        let whole = bytes.whole();
        let mut values = [0; STRIP];
        loop {
            let to = kept.settle(layers, from, end - strip, &mut values);
            for (heap, &value) in (strip + from..).zip(&values[from..to]) {
                let value = whole[usize::from(value)];
                table.window.set(heap, value);
                self.counts[usize::from(value)] += 1;
                self.values.push(value);
            }
            bytes.extend(&values[from..to]);
            if strip + to == end {
                return Ok(());
            }
            let value = self.least_of_heap(table, bytes, &least, strip + to);
            self.append(table, value)?;
            if table.outgrown {
                return Ok(());
            }
            bytes.push(value);
            kept.strike(layers, to, bytes.low(value));
            from = to + 1;
        }
    }

    /// Finds the least common numbers that the heaps of the strip, from the next one on, do not reach by taps that
    /// lead to heaps before it. Those that were tried are taken from what is unseen.
    fn least_of_strip(&self, table: &mut Table, bytes: &Bytes, end: usize) -> Least<KEPT> {
        let Block {
            start,
            strip,
            ref asked,
            ref mut unseen,
            ..
        } = table.block;
        unseen.clear();
        let at = (strip - start) / STRIP;
        unseen.extend(table.common.iter().map(|&number| !asked.seen(number)[at]));
        let trial_min = match bytes.has_spans() {
            true => TRIAL_MIN_SPANS,
            false => TRIAL_MIN,
        };
        let mut least = Least::none();
        let mut heaps = self.unknown(strip, end);
        loop {
            let tried = Least::<TRIED>::take(unseen, &table.common_bytes, heaps);
            let reached = bytes.reached(strip, &tried.numbers);
            let left = std::array::from_fn(|rank| tried.heaps[rank] & !reached[rank]);
            least = least.and(&tried, left);
            // The heaps that may reach more numbers.
            heaps &= tried.heaps[TRIED - 1];
            if (heaps & !least.heaps[0]).count_ones() < trial_min {
                return least;
            }
            heaps &= !least.heaps[SPARE - 1];
        }
    }

    /// Returns the least common number that no option of heap `n`, the next one, has, where near taps show that it is none
    /// of those that were kept; or the number of rows if all have.
    fn least_of_heap(&self, table: &mut Table, bytes: &Bytes, kept: &Least<KEPT>, n: usize) -> u16 {
        let Table {
            block,
            common,
            marks,
            near,
            ..
        } = table;
        let rows = marks.len() as u16;
        self.mark(marks, n, near.iter().copied());
        let i = n - block.strip;
        // Where as many were kept as can be, there may be others among those that were tried.
        let all_kept = kept.heaps[KEPT - 1] >> i & 1 == 0;
        let at = (block.strip - block.start) / STRIP;
        let unseen = |&(&number, &unseen): &(&u16, &u64)| match all_kept {
            true => unseen >> i & 1 == 1,
            false => block.asked.seen(number)[at] >> i & 1 == 0,
        };
        let unseen = common.iter().zip(&block.unseen).filter(unseen);
        let larger = common.last().map_or(0, |last| last + 1)..rows;
        let larger = larger.filter(|&number| !is_rare(number, self.mask));
        let numbers = unseen.map(|(&number, _)| number).chain(larger);
        bytes
            .first_unreached(numbers.filter(|&number| marks[usize::from(number)] != n))
            .unwrap_or(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::nim_values::moves::Moves;

    /// Where near taps reach all numbers that were kept, the least of the others is found, also if it was tried and not
    /// kept.
    #[test]
    fn numbers_that_were_not_kept_are_not_forgotten() {
        let mut engine = Splitting::new(Moves::new(&"0.356".parse().expect("a game")));
        engine.extend(9000, false, &|| false).expect("small values");
        let mut of_tried = 0;
        for heaps in (9000..9600).step_by(7) {
            engine
                .extend(heaps, false, &|| false)
                .expect("small values");
            let (n, mask) = (engine.values.len(), engine.mask);
            let mut table = engine.table.take().expect("made before");
            table.begin(n & !7, n + 64);
            table.block.strip = n & !7;
            let (bytes, layers) = table.take_bytes().expect("the bytes decide");
            engine.look(&mut table);
            let kept = engine.least_of_strip(&mut table, &bytes, n + 1);
            let i = n & 7;
            if kept.heaps[KEPT - 1] >> i & 1 == 1 {
                let whole = bytes.whole();
                let kept_numbers = kept.numbers.map(|numbers| whole[usize::from(numbers[i])]);
                let known = table.near.len();
                let beside = engine.values[n - 1];
                table
                    .near
                    .extend(kept_numbers.map(|number| (number ^ beside, 1)));
                let found = engine.least_of_heap(&mut table, &bytes, &kept, n);
                let far = table.far.iter();
                let far =
                    far.flat_map(|same| same.offsets.iter().map(|&o| (same.value, o as usize)));
                let taps: Vec<_> = far.chain(table.near.iter().copied()).collect();
                let reached = |&number: &u16| {
                    let by = |&(value, offset): &(u16, usize)| {
                        offset < n && value ^ engine.values[n - offset] == number
                    };
                    taps.iter().any(by)
                };
                let mut numbers =
                    (0..table.marks.len() as u16).filter(|&number| !is_rare(number, mask));
                assert_eq!(numbers.find(|number| !reached(number)), Some(found), "{n}");
                let place = table.common.iter().position(|&number| number == found);
                of_tried +=
                    usize::from(place.is_some_and(|place| table.block.unseen[place] >> i & 1 == 0));
                table.near.truncate(known);
            }
            (table.bytes, table.layers) = (Some(bytes), Some(layers));
            engine.table = Some(table);
        }
        assert!(of_tried > 3, "{of_tried}");
    }
}
