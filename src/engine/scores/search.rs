//! Exact margins of positions with more seeds than were scored, of games without circles.
//!
//! The search decides whether the mover has a margin of at least t: one option suffices, or all
//! must fail. Each answer bounds the margin of a position from one side, and a table holds these
//! bounds. Repeated with t one step beyond the last answer, the search ends at the margin: MTD(f)
//! of Plaat et al. (1996), which Irving, Donkers and Uiterwijk used for Kalah (2000). The bounds of
//! all options are looked up before any option is searched.

use std::io;

use bytesize::ByteSize;
use memmap2::{Advice, MmapMut};

use super::Scores;
use crate::board::two_rows::TwoRows;
use crate::engine::{Control, StopReason};
use crate::game::scored::{Scored, ScoredOption};

/// Finds margins of a game by search above its scores.
#[derive(Debug)]
pub struct ScoreSearch<'a, G> {
    game: G,
    scores: &'a Scores<G>,
    control: &'a Control,
    table: Transpositions,
    /// The options on the path of the search, one position's after another's.
    options: Vec<ScoredOption>,
    /// How many positions have been searched.
    pub searched: u64,
}

/// A best line of play: the moves, each with the player's further margin before it.
pub type Line = Vec<(ScoredOption, i32)>;

impl<'a, G: Scored> ScoreSearch<'a, G> {
    /// Returns a search whose table of positions takes `memory`.
    ///
    /// # Errors
    ///
    /// Where the system has no room for the table.
    pub fn new(
        game: G,
        scores: &'a Scores<G>,
        memory: ByteSize,
        control: &'a Control,
    ) -> io::Result<ScoreSearch<'a, G>> {
        Ok(ScoreSearch {
            game,
            scores,
            control,
            table: Transpositions::new(memory)?,
            options: Vec::new(),
            searched: 0,
        })
    }

    /// Returns the margin of the player to move.
    ///
    /// # Errors
    ///
    /// The reason for which it was stopped.
    ///
    /// # Panics
    ///
    /// If the position was not scored and the game has circles.
    pub fn margin(&mut self, position: &TwoRows) -> Result<i32, StopReason> {
        if let Some(margin) = self.scores.get(position) {
            return Ok(margin);
        }
        assert!(!G::IS_LOOPY, "where play need not end positions are scored");
        let seeds = position.seeds() as i32;
        let known = self.table.bounds(position);
        let (mut least, mut most) = known.map_or((-seeds, seeds), |known| {
            (known.least.into(), known.most.into())
        });
        let mut guess = least.max(most.min(seeds % 2));
        while least < most {
            let bound = if guess == least { guess + 2 } else { guess };
            if self.has(position, bound)? {
                least = bound;
            } else {
                most = bound - 2;
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
    /// The reason for which it was stopped.
    pub fn options(&mut self, position: &TwoRows) -> Result<Line, StopReason> {
        let mut options = Vec::new();
        for option in self.game.options(position) {
            let margin = self.margin(&option.position)?;
            options.push((option, option.margin(margin)));
        }
        Ok(options)
    }

    /// Returns a line of best moves to the end of play, the first of equally good ones each time.
    ///
    /// # Errors
    ///
    /// The reason for which it was stopped.
    ///
    /// # Panics
    ///
    /// If the game has circles.
    pub fn line(&mut self, position: &TwoRows) -> Result<Line, StopReason> {
        assert!(!G::IS_LOOPY, "play ends");
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
    fn has(&mut self, position: &TwoRows, bound: i32) -> Result<bool, StopReason> {
        let seeds = position.seeds() as i32;
        // Every seed goes to one of the players, so that the margin is as odd as the seeds are.
        let bound = bound + (seeds - bound).rem_euclid(2);
        if bound <= -seeds || bound > seeds {
            return Ok(bound <= -seeds);
        }
        if let Some(margin) = self.scores.get(position) {
            return Ok(margin >= bound);
        }
        let known = self.table.bounds(position);
        if let Some(decided) = known.and_then(|known| known.decide(bound)) {
            return Ok(decided);
        }
        self.searched += 1;
        if self.searched.is_multiple_of(1 << 12) {
            self.control.count_evaluated(1 << 12);
            if let Some(reason) = self.control.stopped_or_paused() {
                return Err(reason);
            }
        }
        let start = self.options.len();
        self.game.add_options(position, &mut self.options);
        let found = self.has_among(start, bound, known.and_then(|known| known.best));
        let is_over = self.options.len() == start;
        self.options.truncate(start);
        let (has, best) = match found? {
            _ if is_over => {
                let (mover, opponent) = (position.mover.seeds(), position.opponent.seeds());
                return Ok(self.game.margin_without_sowing(mover, opponent) >= bound);
            }
            Some(best) => (true, best),
            None => (false, None),
        };
        self.table.add(position, bound, has, best);
        Ok(has)
    }

    /// Returns the pit of an option, of those from `start` on, that gives the mover at least
    /// `bound`.
    fn has_among(
        &mut self,
        start: usize,
        bound: i32,
        best: Option<u8>,
    ) -> Result<Option<Option<u8>>, StopReason> {
        // What needs no search decides first.
        for place in start..self.options.len() {
            let option = self.options[place];
            if self.known(&option, bound) == Some(true) {
                return Ok(Some(option.pit));
            }
        }
        let rank = |option: &ScoredOption| {
            let is_best = option.pit == best && best.is_some();
            (
                !is_best,
                !option.moves_again,
                -(option.gain as i32),
                option.pit.map(|pit| u8::MAX - pit),
            )
        };
        self.options[start..].sort_by_key(rank);
        for place in start..self.options.len() {
            let option = self.options[place];
            let gain = option.gain as i32;
            let has = match option.moves_again {
                true => self.has(&option.position, bound - gain)?,
                false => !self.has(&option.position, gain - bound + 1)?,
            };
            if has {
                return Ok(Some(option.pit));
            }
        }
        Ok(None)
    }

    /// Returns whether an option gives at least `bound`, if that is known without a search.
    fn known(&self, option: &ScoredOption, bound: i32) -> Option<bool> {
        let gain = option.gain as i32;
        let below = match option.moves_again {
            true => bound - gain,
            false => gain - bound + 1,
        };
        let decided = match self.scores.get(&option.position) {
            Some(margin) => Some(margin >= below),
            None => self.table.bounds(&option.position)?.decide(below),
        };
        decided.map(|decided| decided == option.moves_again)
    }
}

/// What is known of the margin of a position.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i8,
    most: i8,
    /// The pit of the latest move that reached its bound.
    best: Option<u8>,
}

impl Bounds {
    fn decide(&self, bound: i32) -> Option<bool> {
        if bound <= self.least.into() {
            Some(true)
        } else if bound > self.most.into() {
            Some(false)
        } else {
            None
        }
    }

    fn word(self) -> u64 {
        u64::from_le_bytes([
            self.least as u8,
            self.most as u8,
            self.best.map_or(0, |pit| pit + 1),
            0,
            0,
            0,
            0,
            0,
        ])
    }

    fn of(word: u64) -> Bounds {
        let [least, most, best, ..] = word.to_le_bytes();
        Bounds {
            least: least as i8,
            most: most as i8,
            best: best.checked_sub(1),
        }
    }
}

/// Bounds of the margins of positions, in a fixed amount of memory.
#[derive(Debug)]
struct Transpositions {
    /// Pairs of entries of three words: the mover's pits, the opponent's, and the bounds. The first
    /// of a pair goes to the position with more seeds, the second to the latest. An entry of zeros
    /// is empty, for no position without seeds is searched.
    ///
    /// PERF: large pages spare most of the misses of the address cache.
    entries: MmapMut,
}

type Entry = [u64; 3];

const ENTRY_BYTES: usize = size_of::<Entry>();

impl Transpositions {
    fn new(memory: ByteSize) -> io::Result<Transpositions> {
        let pairs = memory.as_u64() as usize / (2 * ENTRY_BYTES);
        let entries = MmapMut::map_anon(2 * pairs.max(1) * ENTRY_BYTES)?;
        // Not all systems have large pages.
        let _ = entries.advise(Advice::HugePage);
        Ok(Transpositions { entries })
    }

    fn entry(&self, place: usize) -> Entry {
        let bytes = &self.entries[place * ENTRY_BYTES..][..ENTRY_BYTES];
        let (words, _) = bytes.as_chunks();
        [0, 1, 2].map(|word| u64::from_le_bytes(words[word]))
    }

    fn set(&mut self, place: usize, entry: Entry) {
        let bytes = &mut self.entries[place * ENTRY_BYTES..][..ENTRY_BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(entry) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    /// Returns the pits of both sides, a byte each.
    fn key(position: &TwoRows) -> [u64; 2] {
        [position.mover, position.opponent].map(|side| {
            let mut bytes = [0; 8];
            bytes[..side.pits().len()].copy_from_slice(side.pits());
            u64::from_le_bytes(bytes)
        })
    }

    /// Returns the place of the first of the two entries that may hold a position.
    fn pair(&self, key: [u64; 2]) -> usize {
        let product =
            u128::from(key[0] ^ 0x9e37_79b9_7f4a_7c15) * u128::from(key[1] ^ 0xd1b5_4a32_d192_ed03);
        let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let pairs = (self.entries.len() / (2 * ENTRY_BYTES)) as u128;
        2 * ((u128::from(mixed) * pairs) >> 64) as usize
    }

    fn bounds(&self, position: &TwoRows) -> Option<Bounds> {
        let key = Transpositions::key(position);
        let pair = self.pair(key);
        let mut entries = [pair, pair + 1].into_iter().map(|place| self.entry(place));
        let found = entries.find(|entry| entry[..2] == key);
        found.map(|entry| Bounds::of(entry[2]))
    }

    /// Remembers that the mover has a margin of at least `bound`, by a move, or of at most two
    /// less.
    fn add(&mut self, position: &TwoRows, bound: i32, has: bool, best: Option<u8>) {
        let key = Transpositions::key(position);
        let pair = self.pair(key);
        let entries = [self.entry(pair), self.entry(pair + 1)];
        let seeds = position.seeds();
        let seeds_of = |entry: &Entry| -> u32 {
            let pits = entry[..2].iter().flat_map(|side| side.to_le_bytes());
            pits.map(u32::from).sum()
        };
        let known = entries.iter().position(|entry| entry[..2] == key);
        let place = known.unwrap_or_else(|| usize::from(seeds_of(&entries[0]) > seeds));
        let mut bounds = match known {
            Some(_) => Bounds::of(entries[place][2]),
            None => Bounds {
                least: -(seeds as i8),
                most: seeds as i8,
                best: None,
            },
        };
        match has {
            true => bounds.least = bounds.least.max(bound as i8),
            false => bounds.most = bounds.most.min((bound - 2) as i8),
        }
        bounds.best = best.or(bounds.best);
        self.set(pair + place, [key[0], key[1], bounds.word()]);
    }
}
