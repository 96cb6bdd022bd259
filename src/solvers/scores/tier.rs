//! The scores of a tier, from those of all smaller ones.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use cggames::game::scored::Scored;
use rayon::prelude::*;

use super::byte::{byte, margin};
use super::numbering::TierNumbering;
use super::plans::{MetWord, Planned, Plans};
use crate::{Control, StopReason};

/// The data for scoring the positions of a tier.
pub(super) struct Tier<'a, G> {
    pub(super) game: G,
    pub(super) numbering: &'a TierNumbering,
    pub(super) plans: &'a Plans,
    pub(super) seeds: u32,
    /// The scores of the smaller tiers.
    pub(super) smaller: &'a [&'a [u8]],
    /// The scores of this one.
    pub(super) scores: &'a [AtomicU8],
}

/// The positions with a given number of opponent's seeds, and sides with numbers in given ranges.
#[derive(Clone)]
struct Block {
    mover_seeds: u32,
    movers: Range<u32>,
    opponents: Range<u32>,
}

/// A sowing of a given side, and its results.
struct Sown<'a> {
    planned: &'a Planned,
    met: &'a [MetWord],
    /// The seeds of the opponent's side before any are taken.
    opponent_seeds: u32,
}

impl<G: Scored> Tier<'_, G> {
    /// Scores the tier of a game without cycles, each position once, and returns the number of
    /// positions visited; `rounds` sums of distances are already finished.
    ///
    /// A move that wins nothing lowers the sum of the distances of both sides
    /// ([`Scored::IS_LOOPY`]), so positions with one sum depend only on positions with smaller
    /// sums.
    pub(super) fn in_order<E: From<StopReason>>(
        &self,
        rounds: u64,
        control: &Control,
        after: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<u64, E> {
        let levels = (self.numbering.pits() - 1) * self.seeds as usize + 1;
        let visited = AtomicU64::new(0);
        for sum in rounds as usize..levels {
            let mut blocks = Vec::new();
            for mover_seeds in 0..=self.seeds {
                let opponents = self.numbering.levels(self.seeds - mover_seeds);
                for (level, movers) in self.numbering.levels(mover_seeds).iter().enumerate() {
                    let opponents = sum.checked_sub(level).and_then(|sum| opponents.get(sum));
                    let Some(opponents) = opponents else { continue };
                    if !movers.is_empty() && !opponents.is_empty() {
                        blocks.push(Block {
                            mover_seeds,
                            movers: movers.clone(),
                            opponents: opponents.clone(),
                        });
                    }
                }
            }
            blocks.into_par_iter().try_for_each(|block| {
                visited.fetch_add(self.score(&block, control)?.0, Relaxed);
                Ok::<_, StopReason>(())
            })?;
            after(sum as u64 + 1)?;
        }
        Ok(visited.into_inner())
    }

    /// Sweeps through the tier until no score changes, and returns the number of positions visited;
    /// `rounds` sweeps are already finished.
    pub(super) fn to_fixed_point<E: From<StopReason>>(
        &self,
        mut rounds: u64,
        control: &Control,
        after: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<u64, E> {
        /// The number of movers' sides that a worker takes at a time.
        const MOVERS: u32 = 16;
        let mut blocks = Vec::new();
        for mover_seeds in 0..=self.seeds {
            let opponents = 0..self.numbering.count(self.seeds - mover_seeds) as u32;
            let movers = self.numbering.count(mover_seeds) as u32;
            for start in (0..movers).step_by(MOVERS as usize) {
                blocks.push(Block {
                    mover_seeds,
                    movers: start..movers.min(start + MOVERS),
                    opponents: opponents.clone(),
                });
            }
        }
        let visited = AtomicU64::new(0);
        loop {
            let has_changed = AtomicBool::new(false);
            blocks.par_iter().try_for_each(|block| {
                let (positions, changed) = self.score(block, control)?;
                visited.fetch_add(positions, Relaxed);
                if changed {
                    has_changed.store(true, Relaxed);
                }
                Ok::<_, StopReason>(())
            })?;
            rounds += 1;
            after(rounds)?;
            if !has_changed.into_inner() {
                return Ok(visited.into_inner());
            }
        }
    }

    /// Scores the positions of a block, and returns their number and whether a score has changed.
    fn score(&self, block: &Block, control: &Control) -> Result<(u64, bool), StopReason> {
        if let Some(reason) = control.stopped_or_paused() {
            return Err(reason);
        }
        let mover_seeds = block.mover_seeds;
        let opponent_seeds = self.seeds - mover_seeds;
        let start = self.numbering.start(self.seeds, opponent_seeds);
        let width = self.numbering.count(mover_seeds);
        let without_sowing = Best {
            margin: self.game.margin_without_sowing(mover_seeds, opponent_seeds) as i8,
            must_end: 1,
        };
        let opponents = self.numbering.sides(opponent_seeds);
        let mut changed = false;
        let mut sowings = Vec::new();
        for mover in block.movers.clone() {
            let planned = self.plans.sowings(mover_seeds, mover, opponent_seeds);
            sowings.clear();
            sowings.extend(planned.iter().map(|planned| {
                let (met, sown) =
                    self.plans
                        .met(planned.effect, opponent_seeds, self.numbering.pits());
                Sown {
                    planned,
                    met,
                    opponent_seeds: opponent_seeds + sown,
                }
            }));
            let passes = planned.iter().any(|planned| planned.is_pass);
            for opponent in block.opponents.clone() {
                let is_over = passes && self.game.is_stuck(&opponents[opponent as usize]);
                let best = if is_over {
                    None
                } else {
                    self.best(&sowings, opponent)
                };
                let best = best.unwrap_or(without_sowing);
                let score = byte::<G>(best.margin, best.must_end);
                let place = start + u64::from(opponent) * width + u64::from(mover);
                let cell = &self.scores[place as usize];
                if cell.load(Relaxed) != score {
                    cell.store(score, Relaxed);
                    changed = true;
                }
            }
        }
        let positions = block.movers.len() as u64 * block.opponents.len() as u64;
        control.count_evaluated(positions);
        Ok((positions, changed))
    }

    /// Returns the best result of a side's sowings against an opponent's side; `None` without
    /// sowings.
    #[inline]
    fn best(&self, sowings: &[Sown<'_>], opponent: u32) -> Option<Best> {
        let (mut best, mut of_slams) = (Best::NONE, Best::NONE);
        for sown in sowings {
            let met = sown.met[opponent as usize];
            let (taken, fork) = (met & 127, (met >> 7 & 1) as usize);
            let left = sown.opponent_seeds - taken;
            let gain = u32::from(sown.planned.gain[fork]) + taken;
            let sides = [
                (u32::from(sown.planned.seeds[fork]), sown.planned.side[fork]),
                (left, met >> 8),
            ];
            let (known, sign) = if sown.planned.moves_again {
                (self.known(gain, sides[0], sides[1]), 1)
            } else {
                (self.known(gain, sides[1], sides[0]), -1)
            };
            let is_slam = self.game.shuns_grand_slams() && left == 0 && taken > 0;
            let best = if is_slam { &mut of_slams } else { &mut best };
            best.margin = best.margin.max(gain as i8 + sign * margin::<G>(known));
            best.must_end &= known;
        }
        [best, of_slams]
            .into_iter()
            .find(|best| best.margin > Best::NONE.margin)
    }

    /// Returns the byte of a position after a gain, given the seeds and the numbers of the mover's
    /// and the opponent's side.
    #[inline]
    fn known(&self, gain: u32, mover: (u32, u32), opponent: (u32, u32)) -> u8 {
        let place = self.numbering.start(self.seeds - gain, opponent.0)
            + u64::from(opponent.1) * self.numbering.count(mover.0)
            + u64::from(mover.1);
        match gain {
            0 => self.scores[place as usize].load(Relaxed),
            _ => self.smaller[(self.seeds - gain) as usize][place as usize],
        }
    }
}

/// The best result of some options.
#[derive(Clone, Copy)]
struct Best {
    margin: i8,
    /// The lowest bit: whether play must end after all of them.
    must_end: u8,
}

impl Best {
    /// The result of no options.
    const NONE: Best = Best {
        margin: i8::MIN,
        must_end: 1,
    };
}
