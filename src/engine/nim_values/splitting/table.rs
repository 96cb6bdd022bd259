//! What is made of the values found so far for speed alone: rows, taps, and the mask.

use super::block::Block;
use super::{BACK_MAX, Splitting};
use crate::engine::nim_values::bytes::Bytes;
use crate::engine::nim_values::cover::Cover;
use crate::engine::nim_values::exact::{Offsets, STRIP};
use crate::engine::nim_values::mask::{Sparse, is_rare, sparsest};
use crate::engine::nim_values::near::{Layer, layers};
use crate::engine::nim_values::plan::{Lessons, Plan, Worth};
use crate::engine::nim_values::taps::{Limits, Taps};
use crate::engine::nim_values::verifier::Verifier;
use crate::engine::nim_values::window::{BLOCK, Window};

/// Rows reach back so many heaps at most; taps that reach further are left to the exact way.
const REACH_MAX: usize = BLOCK + 15_360;

/// Sample taps have offsets from a block's length to this.
const SAMPLE_MAX: usize = BLOCK + 16_384;

/// What makes taps for common numbers worth it.
///
/// PERF: gains of 10, 20, 40, 80 and 160 take 2.41, 2.22, 2.41, 2.75 and 3.00 s for five million speculative values of
/// 0.37; rows in the order of their heaps, tried until few heaps were left, took 2.52 s.
const COMMON: Worth = Worth {
    equal: usize::MAX,
    gain: 20,
};

/// For every so many heaps there is a block from which it is learnt what taps show, and at most so many.
const LESSON: usize = 1 << 17;
const LESSONS_MAX: usize = 8;

/// What was learnt from the most blocks serves until there are so many times as many heaps. PERF: to learn anew each time
/// the heaps have doubled, from twice as many blocks, took a tenth of the time of eight million values of 0.37.
const LEARNT_SERVES: usize = 8;

/// How many heaps of a block may be left to be looked at one by one without a mask.
///
/// A look at pairs until one is found goes through about `1 / p` pairs, if a pair has the number with probability
/// `p`; a tap shows `p` of the heaps that are left. So the number that pays does not depend on `p`: it is the cost of
/// a tap over that of a pair, an estimate, not a measurement.
const DENSE_LEFT: u32 = 15;

/// After how many times `1 / p` taps it is enough, since what is left then are heaps that do not reach the
/// number at all.
const DENSE_TAPS: u64 = 8;

/// A mask is used where at most one heap in so many is rare by it.
const RARE_SHARE: u64 = 10;

/// And at most one in so many of the second half of the heaps. What has been found of a block is taken
/// back when a heap of rare value turns up in it.
const RARE_LATE_SHARE: usize = 2000;

/// Common numbers are looked for in blocks up to the one that all but one heap in so many stay below.
const LARGE_SHARE: u64 = 2048;

/// How many newly found heaps of rare value are kept apart before the taps are made anew.
const FRESH_MAX: usize = 32;

/// What is made of the values for speed alone.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) window: Window,
    /// How far back the window must go: to where taps lead, also after values were taken back.
    reach: usize,
    /// Taps for common numbers that reach back to before the block and not beyond the window.
    pub(super) cover: Cover,
    /// Some taps for all numbers, without a mask.
    pub(super) sample: Taps,
    /// When enough of these have been tried.
    pub(super) dense: Limits,
    /// The common numbers that are looked for in blocks, ascending, none left out.
    pub(super) common: Vec<u16>,
    /// The same as bytes, where there are bytes.
    pub(super) common_bytes: Vec<u8>,
    /// All taps that reach back to before the strip.
    pub(super) far: Vec<Offsets>,
    /// All others, as values and offsets.
    pub(super) near: Vec<(u16, usize)>,
    /// The same as `far`, to be asked first, where values are small.
    pub(super) bytes: Option<Bytes>,
    /// The same as `near`, where these are within the strip and there are bytes.
    pub(super) layers: Option<Vec<Layer>>,
    /// How many heaps of rare value have been found since the table was made.
    pub(super) fresh: usize,
    /// For each value, the last heap of which a tap was seen to have it as an option.
    pub(super) marks: Vec<usize>,
    /// A value came up for which there is no row.
    pub(super) outgrown: bool,
    pub(super) block: Block,
}

/// What was learnt of taps, and of which.
#[derive(Clone, Debug)]
pub(super) struct Learnt {
    /// How many heaps there were.
    heaps: usize,
    mask: u16,
    rows: usize,
    taps: Vec<(u16, usize)>,
    /// The common numbers that are looked for in blocks.
    common: Vec<u16>,
    /// Which taps are worth trying for these.
    cover: Plan,
    /// Which of a sample are for rare numbers, if that was asked.
    verifier: Option<Plan>,
}

impl Learnt {
    /// Returns whether it serves still.
    fn serves(
        &self,
        heaps: usize,
        mask: u16,
        rows: usize,
        taps: &[(u16, usize)],
        verify: bool,
    ) -> bool {
        self.heaps >= LESSON * LESSONS_MAX
            && heaps < LEARNT_SERVES * self.heaps
            && (self.mask, self.rows) == (mask, rows)
            && self.taps == taps
            && (self.verifier.is_some() || !verify)
    }
}

impl Table {
    /// Returns whether the table is to be made anew for heap `n`, the next one.
    pub(super) fn is_stale(&self, n: usize) -> bool {
        let by_bytes = || {
            self.bytes
                .as_ref()
                .is_some_and(|bytes| bytes.decide(n & !7))
        };
        self.outgrown || self.fresh >= FRESH_MAX || self.fresh > 0 && by_bytes()
    }

    /// Takes out the bytes and the layers, if they are there and decide for the strip.
    pub(super) fn take_bytes(&mut self) -> Option<(Bytes, Vec<Layer>)> {
        let bytes = self.bytes.as_ref()?;
        if self.layers.is_none() || !bytes.decide(self.block.strip) {
            return None;
        }
        self.bytes.take().zip(self.layers.take())
    }

    /// Begins the block from `start` on, a multiple of 8, up to `end`.
    pub(super) fn begin(&mut self, start: usize, end: usize) {
        self.window.advance(start, self.reach);
        self.block.begin(start, end, self.marks.len());
    }

    /// Notes the value of heap `n`, the next one, unless there is no row for it.
    pub(super) fn note(&mut self, n: usize, value: u16) {
        if let Some(bytes) = &mut self.bytes {
            bytes.push(value);
        }
        if usize::from(value) < self.marks.len() {
            self.window.set(n, value);
        } else {
            // The next block begins here, with more rows.
            self.outgrown = true;
        }
    }

    /// Takes back the values from heap `n` on, and puts in the one of rare value that it has.
    pub(super) fn take_back(&mut self, n: usize, wrong: &[u16], value: u16, taken: &[usize]) {
        for (heap, &wrong) in (n..).zip(wrong) {
            if usize::from(wrong) < self.marks.len() {
                self.window.clear(heap, wrong);
            }
        }
        self.window.set(n, value);
        self.near
            .extend(taken.iter().map(|&taken| (value, n + taken)));
        self.layers = None;
        if let Some(bytes) = &mut self.bytes {
            bytes.take_back(n, value);
        }
        self.fresh += 1;
        self.marks.fill(0);
    }
}

impl Splitting {
    /// Chooses the mask, if it is time to, and makes the table.
    pub(super) fn remake(&mut self, verify: bool) {
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
        let is_common = |number| !is_rare(number, self.mask);
        let common: Vec<u16> = match self.mask {
            0 => Vec::new(),
            _ => (0..self.large())
                .filter(|&number| is_common(number))
                .collect(),
        };
        let before = self.learnt.take();
        let before = before.filter(|learnt| learnt.serves(heaps, self.mask, rows, &taps, verify));
        let learnt = before.or_else(|| {
            let blocks = (heaps / LESSON).clamp(2, LESSONS_MAX);
            let lessons = (self.mask != 0)
                .then(|| Lessons::new(&self.values, rows, REACH_MAX.max(SAMPLE_MAX), blocks))?;
            let far: Vec<_> = within(BLOCK, REACH_MAX.min(start + 1)).collect();
            let of_rare = || Verifier::plan(&lessons, rows, self.mask, self.sample_taps());
            Some(Learnt {
                heaps,
                mask: self.mask,
                rows,
                cover: lessons.plan(far, &common, is_common, COMMON),
                verifier: verify.then(of_rare),
                common,
                taps: taps.clone(),
            })
        });
        let cover = learnt.as_ref().map(|learnt| Cover::new(&learnt.cover));
        let cover = cover.unwrap_or_else(|| Cover::new(&Plan::default()));
        let sample = match self.mask {
            0 => Taps::new(self.sample_taps(), &self.counts),
            _ => Taps::default(),
        };
        let reach = cover.reach().max(sample.reach()) + BACK_MAX;
        let window = Window::filled(&self.values, rows, reach);
        let far: Vec<_> = within(STRIP, start + 1).collect();
        let near: Vec<_> = within(0, STRIP)
            .chain(within(start + 1, usize::MAX))
            .collect();
        let rare_last = self.values.iter().rposition(|&v| is_rare(v, self.mask));
        let rare_last = rare_last.unwrap_or(0);
        let bytes = Bytes::new(&self.values, rows, self.mask, &far, BACK_MAX, rare_last);
        let layers = bytes.as_ref().and_then(|bytes| {
            let low = near
                .iter()
                .map(|&(value, offset)| (bytes.low(value), offset));
            layers(&low.collect::<Vec<_>>())
        });
        let far = far.chunk_by(|a, b| a.0 == b.0).map(|same| Offsets {
            value: same[0].0,
            offsets: same.iter().map(|&(_, offset)| offset as u32).collect(),
        });
        let common = learnt
            .as_ref()
            .map_or(Vec::new(), |learnt| learnt.common.clone());
        let common_bytes = bytes.as_ref().map_or(Vec::new(), |bytes| {
            common.iter().map(|&number| bytes.low(number)).collect()
        });
        let of_rare = learnt.as_ref().and_then(|learnt| learnt.verifier.as_ref());
        self.verifier = of_rare
            .filter(|_| verify)
            .map(|plan| Verifier::new(&self.values, rows, self.mask, plan, BACK_MAX));
        self.table = Some(Table {
            window,
            reach,
            cover,
            sample,
            dense: self.dense_limits(),
            common,
            common_bytes,
            far: far.collect(),
            bytes,
            near,
            layers,
            fresh: 0,
            marks: vec![0; rows],
            outgrown: false,
            block: Block::new(),
        });
        self.learnt = learnt;
    }

    /// Returns the number that all but few heaps have values below.
    fn large(&self) -> u16 {
        let heaps: u64 = self.counts.iter().sum();
        let mut few = heaps / LARGE_SHARE;
        let mut large = self.counts.len();
        while large > 0 && self.counts[large - 1] <= few {
            large -= 1;
            few -= self.counts[large];
        }
        large as u16
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
