//! Exact margins of positions with more seeds than were scored, in games without cycles.
//!
//! The search decides whether the mover has a margin of at least t: one option is enough for yes,
//! and all must fail for no. Each answer bounds the margin of a position from one side, and a table
//! holds these bounds. Repeated with t one step beyond the last answer, the search converges to the
//! margin: MTD(f) of Plaat et al. (1996), which Irving, Donkers and Uiterwijk used for Kalah
//! (2000). The bounds of all options are looked up before any option is searched, and the most
//! promising is searched first.
//!
//! A search of a single position may score further tiers as it goes on: the next one when about as much work has gone into the
//! search as the tier will take. So an easy position needs few tiers, and a hard one at most twice the time that it takes with
//! all of them.

use std::cmp::Reverse;
use std::hint::black_box;
use std::io;
use std::ops::Deref;

use bytesize::ByteSize;
use cggames::board::two_rows::{SIDE_PITS_MAX, TWO_ROWS_SEEDS_MAX, TwoRows};
use cggames::game::scored::{Scored, ScoredOption};
use memmap2::MmapMut;
use rayon::ThreadPool;
use seedbank_memory::zeroed;

use super::{Scores, positions_of};
use crate::{Control, StopReason};

/// Finds margins of a game by search above its scores.
#[derive(Debug)]
pub struct ScoreSearch<'a, G> {
    game: G,
    scores: Known<'a, G>,
    control: &'a Control,
    table: Transpositions,
    /// The options of one position.
    options: Vec<ScoredOption>,
    /// The options on the path of the search, one position's after another's.
    branches: Vec<Branch>,
    /// The number of positions searched.
    pub searched: u64,
    /// The number of positions searched at which the next tier is scored.
    score_at: u64,
}

/// The positions that take as long to score as one to search.
const SCORED_FOR_ONE: u64 = 16;

/// The positions that are scored before a search, in whole tiers.
const SCORED_FIRST: u64 = 1 << 16;

/// The scores below a search.
#[derive(Debug)]
enum Known<'a, G> {
    Given(&'a Scores<G>),
    /// The search's own, with tiers of up to `seeds_max` seeds at most.
    Growing {
        scores: Box<Scores<G>>,
        seeds_max: u32,
        pool: &'a ThreadPool,
    },
}

impl<G> Deref for Known<'_, G> {
    type Target = Scores<G>;

    fn deref(&self) -> &Scores<G> {
        match self {
            Known::Given(scores) => scores,
            Known::Growing { scores, .. } => scores,
        }
    }
}

/// Why a search of a position has no result yet.
enum Halt {
    Stopped(StopReason),
    /// The next tier is due.
    Score,
}

/// An option that may have to be searched.
#[derive(Clone, Copy, Debug)]
struct Branch {
    option: ScoredOption,
    key: TableKey,
    bucket: usize,
    /// Options with a higher promise are searched first.
    promise: i32,
}

/// The promise added for moving again; the known bound of an option's margin counts twice.
const MOVING_AGAIN: i32 = 10;

/// A best line of play: the moves, each with the player's further margin before it.
pub type Line = Vec<(ScoredOption, i32)>;

impl<'a, G: Scored> ScoreSearch<'a, G> {
    /// Returns a search whose table of positions takes `memory`.
    ///
    /// # Errors
    ///
    /// If the system cannot allocate the table.
    pub fn new(
        game: G,
        scores: &'a Scores<G>,
        memory: ByteSize,
        control: &'a Control,
    ) -> io::Result<ScoreSearch<'a, G>> {
        ScoreSearch::above(game, Known::Given(scores), memory, control)
    }

    /// Returns a search that scores tiers of up to `scored_max` seeds itself, on the threads of a pool, as far as it has use
    /// for them.
    ///
    /// # Errors
    ///
    /// If the system cannot allocate the table.
    pub fn growing(
        game: G,
        pits: usize,
        (scored_max, pool): (u32, &'a ThreadPool),
        memory: ByteSize,
        control: &'a Control,
    ) -> io::Result<ScoreSearch<'a, G>> {
        let scores = Known::Growing {
            scores: Box::new(Scores::new(game, pits)),
            seeds_max: scored_max,
            pool,
        };
        ScoreSearch::above(game, scores, memory, control)
    }

    fn above(
        game: G,
        scores: Known<'a, G>,
        memory: ByteSize,
        control: &'a Control,
    ) -> io::Result<ScoreSearch<'a, G>> {
        Ok(ScoreSearch {
            game,
            scores,
            control,
            table: Transpositions::new(memory)?,
            options: Vec::new(),
            branches: Vec::new(),
            searched: 0,
            score_at: 0,
        })
    }

    /// Scores the next tier if it is due, and small ones in any case, as far as there are tiers left to score.
    fn score_more(&mut self) -> Result<(), StopReason> {
        let mut is_due = self.score_at > 0;
        self.score_at = u64::MAX;
        let Known::Growing {
            scores,
            seeds_max,
            pool,
        } = &mut self.scores
        else {
            return Ok(());
        };
        while scores.tiers() <= *seeds_max {
            let positions = positions_of(scores.numbering().pits(), scores.tiers());
            let positions = positions.unwrap_or(u64::MAX);
            if positions > SCORED_FIRST && !is_due {
                self.score_at = self.searched + positions / SCORED_FOR_ONE;
                break;
            }
            pool.install(|| scores.score_next(self.control))?;
            is_due = false;
        }
        Ok(())
    }

    /// Returns the margin of the player to move.
    ///
    /// # Errors
    ///
    /// The reason why it was stopped.
    ///
    /// # Panics
    ///
    /// If the position was not scored and the game is loopy.
    pub fn margin(&mut self, position: &TwoRows) -> Result<i32, StopReason> {
        if self.score_at == 0 {
            self.score_more()?;
        }
        if let Some(margin) = self.scores.get(position) {
            return Ok(margin);
        }
        assert!(!G::IS_LOOPY, "where play need not end positions are scored");
        let seeds = position.seeds() as i32;
        let key = TableKey::of(position);
        let known = self.table.bounds(&key, self.table.bucket(&key));
        let Bounds {
            mut least,
            mut most,
        } = known.unwrap_or(Bounds::of_seeds(seeds));
        let mut guess = least.max(most.min(seeds % 2));
        while least < most {
            let bound = if guess == least { guess + 2 } else { guess };
            match self.has(position, bound) {
                Ok(true) => least = bound,
                Ok(false) => most = bound - 2,
                // The table keeps what was found.
                Err(Halt::Score) => {
                    self.score_more()?;
                    continue;
                }
                Err(Halt::Stopped(reason)) => return Err(reason),
            }
            guess = if guess < least {
                least
            } else {
                guess.min(most)
            };
        }
        Ok(least)
    }

    /// Returns the margin of each option for the player who makes the move.
    ///
    /// # Errors
    ///
    /// The reason why it was stopped.
    pub fn options(&mut self, position: &TwoRows) -> Result<Line, StopReason> {
        let mut options = Vec::new();
        for option in self.game.options(position) {
            let margin = self.margin(&option.position)?;
            options.push((option, option.margin(margin)));
        }
        Ok(options)
    }

    /// Returns a line of best moves to the end of play, always with the first of equally good
    /// moves.
    ///
    /// # Errors
    ///
    /// The reason why it was stopped.
    ///
    /// # Panics
    ///
    /// If the game is loopy.
    pub fn line(&mut self, position: &TwoRows) -> Result<Line, StopReason> {
        assert!(!G::IS_LOOPY, "a line is of a game whose play ends");
        let mut line = Vec::new();
        let mut position = *position;
        loop {
            let margin = self.margin(&position)?;
            let mut best = None;
            for option in self.game.options(&position) {
                if option.margin(self.margin(&option.position)?) == margin {
                    best = Some(option);
                    break;
                }
            }
            let Some(best) = best else { return Ok(line) };
            line.push((best, margin));
            position = best.position;
        }
    }

    /// Returns whether the mover has a margin of at least `bound`.
    fn has(&mut self, position: &TwoRows, bound: i32) -> Result<bool, Halt> {
        let seeds = position.seeds() as i32;
        // Every seed goes to one of the players, so the margin has the parity of the seeds.
        let bound = bound + (seeds - bound).rem_euclid(2);
        if bound <= -seeds || bound > seeds {
            return Ok(bound <= -seeds);
        }
        if let Some(margin) = self.scores.get(position) {
            return Ok(margin >= bound);
        }
        let key = TableKey::of(position);
        let known = self.table.bounds(&key, self.table.bucket(&key));
        if let Some(decided) = known.and_then(|known| known.decide(bound)) {
            return Ok(decided);
        }
        self.searched += 1;
        if self.searched.is_multiple_of(1 << 12) {
            self.control.count_evaluated(1 << 12);
            if let Some(reason) = self.control.stopped_or_paused() {
                return Err(Halt::Stopped(reason));
            }
            if self.searched >= self.score_at {
                return Err(Halt::Score);
            }
        }
        self.options.clear();
        self.game.add_options(position, &mut self.options);
        if self.options.is_empty() {
            let (mover, opponent) = (position.mover.seeds(), position.opponent.seeds());
            return Ok(self.game.margin_without_sowing(mover, opponent) >= bound);
        }
        let start = self.branches.len();
        let has = self.has_by_option(bound);
        self.branches.truncate(start);
        let has = has?;
        self.table.add(&key, seeds, bound, has);
        Ok(has)
    }

    /// Returns whether one of the options gives the mover at least `bound`; the caller must remove
    /// the branches.
    fn has_by_option(&mut self, bound: i32) -> Result<bool, Halt> {
        let start = self.branches.len();
        // Among equal promises the last pit comes first.
        for option in self.options.drain(..).rev() {
            let key = TableKey::of(&option.position);
            let (bucket, promise) = (self.table.bucket(&key), 0);
            self.branches.push(Branch {
                option,
                key,
                bucket,
                promise,
            });
        }
        // PERF: prefetched together, so the memory accesses overlap.
        let buckets = self.branches[start..].iter().map(|branch| branch.bucket);
        black_box(buckets.fold(0, |all, bucket| all ^ self.table.first_word(bucket)));
        let mut undecided = start;
        for place in start..self.branches.len() {
            let mut branch = self.branches[place];
            let known = self.known(&branch);
            match known.decide(bound) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => {
                    let again = i32::from(branch.option.moves_again) * MOVING_AGAIN;
                    branch.promise = known.least + known.most + again;
                    self.branches[undecided] = branch;
                    undecided += 1;
                }
            }
        }
        self.branches.truncate(undecided);
        self.branches[start..].sort_by_key(|branch| Reverse(branch.promise));
        for place in start..undecided {
            let option = self.branches[place].option;
            let gain = option.gain as i32;
            let has = if option.moves_again {
                self.has(&option.position, bound - gain)?
            } else {
                !self.has(&option.position, gain - bound + 1)?
            };
            if has {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the known bounds of the mover's margin by an option, without a search.
    fn known(&self, branch: &Branch) -> Bounds {
        let Branch {
            option,
            key,
            bucket,
            ..
        } = branch;
        let after = match self.scores.get(&option.position) {
            Some(margin) => Bounds {
                least: margin,
                most: margin,
            },
            None => {
                let known = self.table.bounds(key, *bucket);
                known.unwrap_or_else(|| Bounds::of_seeds(option.position.seeds() as i32))
            }
        };
        let ends = [after.least, after.most].map(|margin| option.margin(margin));
        Bounds {
            least: ends[0].min(ends[1]),
            most: ends[0].max(ends[1]),
        }
    }
}

/// Bounds of a margin.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i32,
    most: i32,
}

impl Bounds {
    /// Returns the bounds that hold whatever the moves.
    fn of_seeds(seeds: i32) -> Bounds {
        Bounds {
            least: -seeds,
            most: seeds,
        }
    }

    /// Returns whether the margin is at least `bound`, if the bounds decide it.
    fn decide(&self, bound: i32) -> Option<bool> {
        if bound <= self.least {
            Some(true)
        } else if bound > self.most {
            Some(false)
        } else {
            None
        }
    }
}

/// The pits of both sides, in seven bits of each byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableKey([u64; 2]);

/// The bits of a key.
const KEY_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

const _: () = assert!(
    TWO_ROWS_SEEDS_MAX < 1 << 7,
    "the seeds of a pit leave a bit of a byte"
);

impl TableKey {
    fn of(position: &TwoRows) -> TableKey {
        TableKey([position.mover, position.opponent].map(|side| {
            let mut bytes = [0; SIDE_PITS_MAX];
            bytes[..side.pits().len()].copy_from_slice(side.pits());
            u64::from_le_bytes(bytes)
        }))
    }
}

/// A position with the bounds of its margin: the bits of the key and, in the bits that it leaves
/// free, one bound in each word. A position without seeds is never searched, so zeros mark an empty
/// entry.
///
/// PERF: with 16 bytes an entry a bucket is one line of the cache.
#[derive(Clone, Copy, Debug)]
struct TableEntry([u64; 2]);

impl TableEntry {
    fn new(key: TableKey, bounds: Bounds) -> TableEntry {
        let [mover, opponent] = key.0;
        TableEntry([mover | apart(bounds.least), opponent | apart(bounds.most)])
    }

    fn key(self) -> TableKey {
        TableKey(self.0.map(|word| word & KEY_BITS))
    }

    fn bounds(self) -> Bounds {
        let [least, most] = self.0.map(together);
        Bounds { least, most }
    }

    fn seeds(self) -> i32 {
        let pits = self.key().0.into_iter().flat_map(u64::to_le_bytes);
        pits.map(i32::from).sum()
    }
}

/// Spreads a number of eight bits: bit i becomes the highest bit of byte i.
fn apart(bound: i32) -> u64 {
    let bits = (0..8).map(|bit| u64::from(bound as u8 >> bit & 1) << (8 * bit + 7));
    bits.sum()
}

/// Gathers the number from the highest bits of the bytes.
fn together(word: u64) -> i32 {
    let bits = word >> 7 & 0x0101_0101_0101_0101;
    // Bit 8 i moves to bit 56 + i, without collisions.
    i32::from((bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as i8)
}

/// Bounds of the margins of positions, in a fixed amount of memory.
#[derive(Debug)]
struct Transpositions {
    /// Buckets of entries. The last entry of a bucket takes the latest position; the others prefer
    /// positions with more seeds.
    buckets: MmapMut,
}

/// The entries of a bucket.
const BUCKET: usize = 4;

const ENTRY_BYTES: usize = size_of::<TableEntry>();
const BUCKET_BYTES: usize = BUCKET * ENTRY_BYTES;

impl Transpositions {
    fn new(memory: ByteSize) -> io::Result<Transpositions> {
        let count = memory.as_u64() as usize / BUCKET_BYTES;
        let buckets = zeroed(count.max(1) * BUCKET_BYTES, 0)?;
        Ok(Transpositions { buckets })
    }

    /// Returns the number of the bucket that may hold a position.
    fn bucket(&self, key: &TableKey) -> usize {
        let [mover, opponent] = key.0;
        let product = u128::from(mover ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(opponent ^ 0xd1b5_4a32_d192_ed03);
        let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let buckets = (self.buckets.len() / BUCKET_BYTES) as u128;
        ((u128::from(mixed) * buckets) >> 64) as usize
    }

    fn entries(&self, bucket: usize) -> [TableEntry; BUCKET] {
        let bytes = &self.buckets[bucket * BUCKET_BYTES..][..BUCKET_BYTES];
        let (words, _) = bytes.as_chunks();
        std::array::from_fn(|entry| {
            TableEntry([0, 1].map(|word| u64::from_le_bytes(words[2 * entry + word])))
        })
    }

    fn first_word(&self, bucket: usize) -> u64 {
        self.entries(bucket)[0].0[0]
    }

    fn bounds(&self, key: &TableKey, bucket: usize) -> Option<Bounds> {
        let mut entries = self.entries(bucket).into_iter();
        let found = entries.find(|entry| entry.key() == *key);
        found.map(TableEntry::bounds)
    }

    /// Stores that the mover has a margin of at least `bound` or, if `has` is false, of at most
    /// `bound - 2`.
    fn add(&mut self, key: &TableKey, seeds: i32, bound: i32, has: bool) {
        let bucket = self.bucket(key);
        let entries = self.entries(bucket);
        let known = entries.iter().position(|entry| entry.key() == *key);
        let mut bounds = known.map_or(Bounds::of_seeds(seeds), |place| entries[place].bounds());
        if has {
            bounds.least = bounds.least.max(bound)
        } else {
            bounds.most = bounds.most.min(bound - 2)
        }
        let place = known.unwrap_or_else(|| {
            let fewest = (0..BUCKET - 1).min_by_key(|&place| entries[place].seeds());
            let is_replaced = |&place: &usize| entries[place].seeds() <= seeds;
            fewest.filter(is_replaced).unwrap_or(BUCKET - 1)
        });
        let entry = TableEntry::new(*key, bounds);
        let bytes = &mut self.buckets[bucket * BUCKET_BYTES + place * ENTRY_BYTES..];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(entry.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_its_position_and_bounds() {
        let position: TwoRows = "127 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0".parse().unwrap();
        let key = TableKey::of(&position);
        for least in -127..=127 {
            for most in [-127, -1, 0, 1, 126, 127] {
                let entry = TableEntry::new(key, Bounds { least, most });
                assert_eq!(entry.key(), key);
                assert_eq!(entry.seeds(), 127);
                assert_eq!((entry.bounds().least, entry.bounds().most), (least, most));
            }
        }
    }
}
