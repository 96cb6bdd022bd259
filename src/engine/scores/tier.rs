//! The scores of a tier, given those of all smaller ones.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::numbering::Numbering;
use super::plans::{MetWord, Planned, Plans};
use crate::engine::{Control, StopReason};
use crate::game::scored::Scored;

/// What is needed to score the positions of a tier.
pub(super) struct Tier<'a, G> {
    pub(super) game: G,
    pub(super) numbering: &'a Numbering,
    pub(super) plans: &'a Plans,
    pub(super) seeds: u32,
    /// The scores of the smaller tiers.
    pub(super) smaller: &'a [&'a [i8]],
    /// The scores of this one, all 0 at first.
    pub(super) scores: &'a [AtomicI8],
}

/// Positions whose opponents have some number of seeds, and whose sides have numbers in some
/// ranges.
#[derive(Clone)]
struct Block {
    mover_seeds: u32,
    movers: Range<u32>,
    opponents: Range<u32>,
}

/// A sowing of a given side, and what it leads to.
struct Sown<'a> {
    planned: &'a Planned,
    met: &'a [MetWord],
    /// The seeds of the opponent's side, had none been taken.
    opponent_seeds: u32,
}

impl<G: Scored> Tier<'_, G> {
    /// Scores the tier of a game that has no circles, each position once, and returns how many were
    /// visited.
    ///
    /// A move that wins nothing lowers the sum of the distances of both sides
    /// ([`Scored::IS_LOOPY`]), so that the positions of equal sums depend on those of smaller ones
    /// alone.
    pub(super) fn in_order(&self, control: &Control) -> Result<u64, StopReason> {
        let levels = (self.numbering.pits() - 1) * self.seeds as usize + 1;
        let visited = AtomicU64::new(0);
        for sum in 0..levels {
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
                Ok(())
            })?;
        }
        Ok(visited.into_inner())
    }

    /// Sweeps through the tier until no score changes, and returns how many positions were visited.
    pub(super) fn to_fixed_point(&self, control: &Control) -> Result<u64, StopReason> {
        /// The sides of movers that a worker takes at a time.
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
                Ok(())
            })?;
            if !has_changed.into_inner() {
                return Ok(visited.into_inner());
            }
        }
    }

    /// Scores the positions of a block, and returns how many there are and whether a score has
    /// changed.
    fn score(&self, block: &Block, control: &Control) -> Result<(u64, bool), StopReason> {
        if let Some(reason) = control.stopped_or_paused() {
            return Err(reason);
        }
        let mover_seeds = block.mover_seeds;
        let opponent_seeds = self.seeds - mover_seeds;
        let start = self.numbering.start(self.seeds, opponent_seeds);
        let width = self.numbering.count(mover_seeds);
        let without_sowing = self.game.margin_without_sowing(mover_seeds, opponent_seeds) as i8;
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
            for opponent in block.opponents.clone() {
                let score = self.best(&sowings, opponent).unwrap_or(without_sowing);
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

    /// Returns the best margin that sowings of one side lead to, opposite a side; `None` without
    /// sowings.
    #[inline]
    fn best(&self, sowings: &[Sown<'_>], opponent: u32) -> Option<i8> {
        let (mut best, mut of_slams) = (i8::MIN, i8::MIN);
        for sown in sowings {
            let met = sown.met[opponent as usize];
            let (taken, fork) = (met & 127, (met >> 7 & 1) as usize);
            let left = sown.opponent_seeds - taken;
            let gain = u32::from(sown.planned.gain[fork]) + taken;
            let sides = [
                (u32::from(sown.planned.seeds[fork]), sown.planned.side[fork]),
                (left, met >> 8),
            ];
            let margin = match sown.planned.moves_again {
                true => self.known(gain, sides[0], sides[1]),
                false => -self.known(gain, sides[1], sides[0]),
            };
            let margin = gain as i8 + margin;
            if left == 0 && taken > 0 && self.game.shuns_grand_slams() {
                of_slams = of_slams.max(margin);
            } else {
                best = best.max(margin);
            }
        }
        match (best, of_slams) {
            (i8::MIN, i8::MIN) => None,
            (i8::MIN, of_slams) => Some(of_slams),
            (best, _) => Some(best),
        }
    }

    /// Returns the score of a position with fewer seeds by the gain, given the seeds and the
    /// numbers of the mover's and the opponent's side.
    #[inline]
    fn known(&self, gain: u32, mover: (u32, u32), opponent: (u32, u32)) -> i8 {
        let place = self.numbering.start(self.seeds - gain, opponent.0)
            + u64::from(opponent.1) * self.numbering.count(mover.0)
            + u64::from(mover.1);
        match gain {
            0 => self.scores[place as usize].load(Relaxed),
            _ => self.smaller[(self.seeds - gain) as usize][place as usize],
        }
    }
}
