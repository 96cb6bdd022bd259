//! Exact margins of positions with more seeds than were scored, in games without cycles.
//!
//! The search decides whether the mover has a margin of at least t: one option is enough for yes,
//! and all must fail for no. Each answer bounds the margin of a position from one side, and a table
//! holds these bounds. Repeated with t one step beyond the last answer, the search converges to the
//! margin: MTD(f) of Plaat et al. (1996), which Irving, Donkers and Uiterwijk used for Kalah
//! (2000). `alpha_beta.rs` has the search itself.
//!
//! A search of a single position may score further tiers as it goes on: the next one when about as much work has gone into the
//! search as the tier will take. So an easy position needs few tiers, and a hard one at most twice the time that it takes with
//! all of them. Likewise the table grows with the number of positions searched.

use std::io;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64};

use bytesize::ByteSize;
use cggames::board::two_rows::TwoRows;
use cggames::game::scored::{Scored, ScoredOption};
use rayon::ThreadPool;

use super::alpha_beta::{BUSY, Halt, Root, Shared};
use super::packed::{Boards, Packed};
use super::transpositions::{Bounds, Transpositions, key};
use super::{Scores, positions_of};
use crate::{Control, StopReason};

/// Finds margins of a game by search above its scores.
#[derive(Debug)]
pub struct ScoreSearch<'a, G> {
    game: G,
    scores: Known<'a, G>,
    control: &'a Control,
    table: Transpositions,
    /// Moves and ranks; none in loopy games.
    boards: Option<Boards>,
    /// The number of positions searched.
    pub searched: u64,
    /// The number of positions searched at which the next tier is scored.
    score_at: u64,
    /// The number of positions searched at which the table grows.
    grow_at: u64,
}

/// The positions that take as long to score as one to search.
const SCORED_FOR_ONE: u64 = 4;

/// The positions that are scored before a search, in whole tiers.
const SCORED_FIRST: u64 = 1 << 14;

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

/// A best line of play: the moves, each with the player's further margin before it.
pub type Line = Vec<(ScoredOption, i32)>;

impl<'a, G: Scored> ScoreSearch<'a, G> {
    /// Returns a search whose table of positions grows up to `memory`, or to 1 MiB if that is less.
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
        let table = Transpositions::new(memory).map_err(io::Error::other)?;
        let grow_at = grow_at(&table, 0);
        let boards = (!G::IS_LOOPY).then(|| Boards::new(game, scores.numbering().pits()));
        Ok(ScoreSearch {
            game,
            scores,
            control,
            table,
            boards,
            searched: 0,
            score_at: 0,
            grow_at,
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

    /// Scores the next tier and doubles the table, whichever is due.
    fn grow(&mut self) -> Result<(), StopReason> {
        if self.searched >= self.score_at {
            self.score_more()?;
        }
        if self.searched >= self.grow_at {
            // A smaller table only means a longer search.
            self.grow_at = match self.table.grow() {
                Ok(()) => grow_at(&self.table, self.searched),
                Err(_) => u64::MAX,
            };
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
        let (mover, opponent) = (position.mover.seeds(), position.opponent.seeds());
        if mover == 0 || opponent == 0 {
            return Ok(self.game.margin_without_sowing(mover, opponent));
        }
        let seeds = position.seeds() as i32;
        let boards = self.boards.as_ref().expect("the game is not loopy");
        let rank = boards.rank(Packed::of(position), position.seeds());
        let known = rank.and_then(|rank| self.table.bounds(key(rank), seeds));
        let Bounds {
            mut least,
            mut most,
        } = known.unwrap_or(Bounds::of_seeds(seeds));
        let mut guess = least.max(most.min(seeds % 2));
        while least < most {
            let bound = if guess == least { guess + 2 } else { guess };
            match self.bound(position, bound) {
                Ok(margin) if margin >= bound => least = margin,
                Ok(margin) => most = margin,
                // The table keeps what was found.
                Err(Halt::Stopped(reason)) => return Err(reason),
                Err(_) => self.grow()?,
            }
            guess = guess.max(least).min(most);
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

    /// Searches a position by as many threads as the pool has, and returns a margin of at least `bound` that the mover has, or
    /// a smaller one that the mover cannot exceed.
    fn bound(&mut self, position: &TwoRows, bound: i32) -> Result<i32, Halt> {
        let (boards, scores) = (self.boards.as_ref().expect("made before"), &*self.scores);
        let pool = match &self.scores {
            Known::Growing { pool, .. } if pool.current_num_threads() > 1 => Some(pool),
            _ => None,
        };
        let threads = pool.map_or(1, |pool| pool.current_num_threads() as u64);
        let due = self.score_at.min(self.grow_at);
        let shared = Shared {
            boards,
            scores,
            tiers: scores.tiers.iter().map(|tier| &tier[..]).collect(),
            table: &self.table,
            control: self.control,
            searched_max: due.saturating_sub(self.searched).div_ceil(threads),
            has_ended: AtomicBool::new(false),
            busy: match pool {
                Some(_) => (0..BUSY).map(|_| AtomicU64::new(0)).collect(),
                None => Vec::new(),
            },
        };
        let root = Root {
            position: Packed::of(position),
            seeds: position.seeds(),
            bound,
        };
        let results = match pool {
            Some(pool) => pool.broadcast(|_| shared.search(root)),
            None => vec![shared.search(root)],
        };
        self.searched += results.iter().map(|(_, searched)| searched).sum::<u64>();
        let mut halt = Halt::Due;
        for (result, _) in results {
            match result {
                Ok(margin) => return Ok(margin),
                Err(Halt::Stopped(reason)) => halt = Halt::Stopped(reason),
                Err(Halt::Due | Halt::Ended) => {}
            }
        }
        Err(halt)
    }
}

/// Returns the number of positions searched at which the table should grow: half as many more as it has entries.
fn grow_at(table: &Transpositions, searched: u64) -> u64 {
    match table.grows() {
        true => searched + table.entries() / 2,
        false => u64::MAX,
    }
}
