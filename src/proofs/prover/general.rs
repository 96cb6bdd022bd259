//! Generalises one row after a move to the family of all rows that arise in the same way.

use std::ops::Range;

use cggames::game::reading::{FULL, Pot};

use crate::proof::{Block, Linear, Rows, Step};

/// A family, and the counts of the original family in terms of its own.
#[derive(Clone, Debug)]
pub(super) struct General {
    /// The family.
    pub(super) rows: Rows,
    /// The old counts, as sums of new ones.
    pub(super) counts: Vec<Linear>,
}

impl General {
    /// Returns the family of all rows reached by moves that sow the same pots of the same blocks.
    /// Words that are repeated on either side of the move may be repeated any number of times.
    pub(super) fn after(rows: &Rows, steps: &[Step]) -> General {
        let most = steps.iter().map(|step| step.before);
        let most = most.filter(|&pot| pot != FULL).max().unwrap_or(0);
        let beyond = |end: Pot| std::iter::repeat_n(Step::of(end), usize::from(most));
        let steps = beyond(rows.ends[0]).chain(steps.iter().copied());
        let steps: Vec<Step> = steps.chain(beyond(rows.ends[1])).collect();
        let Some(Range { start, end }) = sown(&steps) else {
            return General::all(rows);
        };
        let all = 0..rows.blocks.len();
        let whole = |blocks: Range<usize>| {
            blocks.map(|block| (rows.blocks[block].clone(), rows.count_of(block)))
        };
        let pots = |pots: Vec<Pot>| (Block::Pots(pots), None);
        // The blocks, with the old count that each repeats.
        let mut parts: Vec<(Block, Option<usize>)> = Vec::new();
        match steps[start].within {
            Some((block, offset)) => {
                parts.extend(whole(0..block));
                let word = rows.blocks[block].pots();
                if let Some(count) = rows.count_of(block) {
                    parts.push((Block::Repeated(word.to_vec(), 0), Some(count)));
                }
                parts.push(pots(word[..offset].to_vec()));
            }
            None => {
                let before = &steps[..start];
                if let Some(last) = before.iter().rposition(|step| step.within.is_some()) {
                    parts.extend(whole(all.clone()));
                    parts.push(pots(
                        before[last + 1..].iter().map(|step| step.before).collect(),
                    ));
                }
            }
        }
        parts.push(pots(
            steps[start..end].iter().map(|step| step.after).collect(),
        ));
        match steps[end - 1].within {
            Some((block, offset)) => {
                let word = rows.blocks[block].pots();
                parts.push(pots(word[offset + 1..].to_vec()));
                if let Some(count) = rows.count_of(block) {
                    parts.push((Block::Repeated(word.to_vec(), 0), Some(count)));
                }
                parts.extend(whole(block + 1..all.end));
            }
            None => {
                let after = &steps[end..];
                if let Some(first) = after.iter().position(|step| step.within.is_some()) {
                    parts.push(pots(
                        after[..first].iter().map(|step| step.before).collect(),
                    ));
                    parts.extend(whole(all));
                }
            }
        }
        let repeated: Vec<usize> = parts.iter().filter_map(|part| part.1).collect();
        let mut counts = vec![Linear::constant(0, repeated.len()); rows.least().len()];
        for (new, &old) in repeated.iter().enumerate() {
            counts[old].factors[new] += 1;
        }
        // The changed repetitions: those that begin within the change, and one that begins before
        // it.
        let begun = steps[start]
            .counts
            .is_none()
            .then_some(steps[start].within)
            .flatten();
        let begun = begun.and_then(|(block, _)| rows.count_of(block));
        let changed = steps[start..end].iter().filter_map(|step| step.counts);
        for count in changed.chain(begun) {
            counts[count].constant += 1;
        }
        General {
            rows: Rows {
                blocks: parts.into_iter().map(|part| part.0).collect(),
                ends: rows.ends,
            },
            counts,
        }
        .normal()
    }

    /// Returns the family itself.
    pub(super) fn all(rows: &Rows) -> General {
        let count = rows.least().len();
        let counts = (0..count).map(|at| Linear::count(at, count)).collect();
        let rows = rows.clone();
        General { rows, counts }.normal()
    }

    /// Returns the family in normal form.
    ///
    /// No block is empty, repeated words stand as far to the left as possible, and a copy of a
    /// repeated word next to its block counts as a repetition. Adjacent blocks of the same word are
    /// merged; unless the old counts depend on their sum alone, the second block is treated as
    /// having no repetitions.
    pub(super) fn normal(mut self) -> General {
        loop {
            let blocks = &mut self.rows.blocks;
            blocks.retain(|block| !matches!(block, Block::Pots(pots) if pots.is_empty()));
            let mut changed = false;
            let mut i = 0;
            while i + 1 < blocks.len() {
                let count = blocks[..i]
                    .iter()
                    .filter(|block| matches!(block, Block::Repeated(..)))
                    .count();
                match (blocks[i].clone(), blocks[i + 1].clone()) {
                    (Block::Pots(left), Block::Pots(right)) => {
                        blocks[i] = Block::Pots([left, right].concat());
                        blocks.remove(i + 1);
                        changed = true;
                        continue;
                    }
                    (Block::Pots(left), Block::Repeated(word, least)) if left.ends_with(&word) => {
                        blocks[i] = Block::Pots(left[..left.len() - word.len()].to_vec());
                        blocks[i + 1] = Block::Repeated(word, least + 1);
                        shift(&mut self.counts, count, -1);
                        changed = true;
                    }
                    // x (yx)^n is (xy)^n x.
                    (Block::Pots(mut left), Block::Repeated(mut word, least))
                        if left.last() == word.last() =>
                    {
                        let pot = left.pop();
                        word.rotate_right(1);
                        blocks[i] = Block::Pots(left);
                        blocks[i + 1] = Block::Repeated(word, least);
                        blocks.insert(i + 2, Block::Pots(pot.into_iter().collect()));
                        changed = true;
                    }
                    (Block::Repeated(word, least), Block::Pots(right))
                        if right.starts_with(&word) =>
                    {
                        blocks[i] = Block::Repeated(word.clone(), least + 1);
                        blocks[i + 1] = Block::Pots(right[word.len()..].to_vec());
                        shift(&mut self.counts, count, -1);
                        changed = true;
                    }
                    (Block::Repeated(word, least), Block::Repeated(other, more))
                        if word == other =>
                    {
                        blocks[i] = Block::Repeated(word, least + more);
                        blocks.remove(i + 1);
                        for linear in &mut self.counts {
                            linear.factors.remove(count + 1);
                        }
                        changed = true;
                        continue;
                    }
                    _ => {}
                }
                i += 1;
            }
            let is_empty_end = |block: Option<&Block>, end: Pot| match block {
                Some(Block::Pots(pots)) => pots.iter().all(|&pot| pot == end),
                _ => false,
            };
            let [left, right] = self.rows.ends;
            if is_empty_end(blocks.first(), left) {
                blocks.remove(0);
                changed = true;
            }
            if is_empty_end(blocks.last(), right) {
                blocks.pop();
                changed = true;
            }
            if let Some(Block::Pots(pots)) = blocks.first_mut()
                && pots[0] == left
            {
                pots.remove(0);
                changed = true;
            }
            if let Some(Block::Pots(pots)) = blocks.last_mut()
                && pots[pots.len() - 1] == right
            {
                pots.pop();
                changed = true;
            }
            if !changed {
                return self;
            }
        }
    }

    /// Returns the families in which a word that a fixed block repeats, other than empty pots, may
    /// occur any number of times.
    pub(super) fn wider(&self) -> Vec<General> {
        let mut wider = Vec::new();
        for (at, block) in self.rows.blocks.iter().enumerate() {
            let Block::Pots(pots) = block else { continue };
            for width in 1..=pots.len() / 2 {
                let mut start = 0;
                while start + 2 * width <= pots.len() {
                    let word = &pots[start..start + width];
                    let times = pots[start..]
                        .chunks_exact(width)
                        .take_while(|other| *other == word)
                        .count();
                    let is_shorter_word = (1..width).any(|less| {
                        width % less == 0
                            && word.chunks_exact(less).all(|part| *part == word[..less])
                    });
                    let is_empty = word.iter().all(|&pot| pot == 0);
                    if times < 2 || is_shorter_word || is_empty || width == 1 && times < 3 {
                        start += 1;
                        continue;
                    }
                    let end = start + times * width;
                    let count = self.rows.blocks[..at]
                        .iter()
                        .filter(|block| matches!(block, Block::Repeated(..)))
                        .count();
                    wider.extend((0..=times).map(|least| {
                        let mut general = self.clone();
                        let parts = [
                            Block::Pots(pots[..start].to_vec()),
                            Block::Repeated(word.to_vec(), least as u32),
                            Block::Pots(pots[end..].to_vec()),
                        ];
                        general.rows.blocks.splice(at..=at, parts);
                        for linear in &mut general.counts {
                            linear.factors.insert(count, 0);
                        }
                        general.normal()
                    }));
                    start = end;
                }
            }
        }
        wider
    }

    /// Returns the family of the shortest row alone.
    pub(super) fn least(&self) -> General {
        let mut general = self.clone();
        while let Some(&least) = general.rows.least().first() {
            general = general.fixed(0, least);
        }
        general
    }

    /// Returns the family with one count fixed.
    pub(super) fn fixed(&self, count: usize, to: i64) -> General {
        let mut at = 0;
        let mut general = self.clone();
        for block in &mut general.rows.blocks {
            if let Block::Repeated(word, _) = block {
                if at == count {
                    *block = Block::Pots(word.repeat(to as usize));
                    break;
                }
                at += 1;
            }
        }
        for linear in &mut general.counts {
            linear.constant += linear.factors.remove(count) * to;
        }
        general.normal()
    }
}

/// Returns the pots that a move changes, and the full pots that its seeds go into: a move from
/// before a full pot is none from before another pot.
fn sown(steps: &[Step]) -> Option<Range<usize>> {
    let is_changed = |step: &Step| step.before != step.after;
    let start = steps.iter().position(is_changed)?;
    let end = steps.iter().rposition(is_changed)? + 1;
    let mut sown = start..end;
    let is_reached = |step: &Step| step.before == FULL || is_changed(step);
    for (at, step) in steps.iter().enumerate().take(end).skip(start) {
        let seeds = usize::from(step.before);
        if step.before == FULL || step.after >= step.before {
            continue;
        }
        let right = steps.get(at + 1..=at + seeds);
        if at == start && right.is_some_and(|pots| pots.iter().all(is_reached)) {
            sown.end = sown.end.max(at + seeds + 1);
        }
        let left = at.checked_sub(seeds).map(|first| &steps[first..at]);
        if at + 1 == end && left.is_some_and(|pots| pots.iter().all(is_reached)) {
            sown.start = sown.start.min(at - seeds);
        }
    }
    Some(sown)
}

/// Returns the rows in which the least value of one count is one more.
pub(super) fn raised(rows: &Rows, count: usize) -> Rows {
    let mut rows = rows.clone();
    let repeated = rows.blocks.iter_mut().filter_map(|block| match block {
        Block::Repeated(_, least) => Some(least),
        Block::Pots(_) => None,
    });
    if let Some(least) = repeated.into_iter().nth(count) {
        *least += 1;
    }
    rows
}

/// Replaces a count by itself plus a number.
fn shift(counts: &mut [Linear], count: usize, by: i64) {
    for linear in counts {
        linear.constant += by * linear.factors[count];
    }
}

/// Reads a row pot by pot, each with its place in the family; the row may have more pots beyond the
/// ends.
pub(super) fn read(rows: &Rows, row: &[Pot]) -> Option<Vec<Step>> {
    let reader = rows.reader();
    let shortest = rows.row(&rows.least()).len();
    let [left, right] = rows.ends;
    let padded: Vec<Pot> = std::iter::repeat_n(left, shortest + 1)
        .chain(row.iter().copied())
        .chain(std::iter::repeat_n(right, shortest + 1))
        .collect();
    // A path to each letter, if there is one.
    let mut ways: Vec<Option<Vec<usize>>> = vec![None; reader.letters.len()];
    ways[0] = Some(Vec::new());
    for &pot in &padded {
        let mut next: Vec<Option<Vec<usize>>> = vec![None; reader.letters.len()];
        for (from, way) in ways.iter().enumerate() {
            let Some(way) = way else { continue };
            for &place in &reader.next[from] {
                if reader.letters[place].pot == pot && next[place].is_none() {
                    next[place] = Some([&way[..], &[place]].concat());
                }
            }
        }
        ways = next;
    }
    let way = ways.pop()??;
    let steps = way.iter().map(|&place| {
        let letter = reader.letters[place];
        Step {
            before: letter.pot,
            after: letter.pot,
            within: letter.within,
            counts: letter.counts,
        }
    });
    Some(steps.collect())
}
