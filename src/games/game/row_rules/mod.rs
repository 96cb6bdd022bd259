//! Row rules: sowing games on a row of pots, whose rules are a record of switches ([`RowRules`]).
//!
//! # Rules
//!
//! Lift all seeds of a pot, `pot_min` or more, and sow them one a pot: Left to the right, Right to
//! the left. In impartial play both players may sow to either side. The first seed falls into the
//! next pot, or into the pot played. The other switches say in which pots the last seed may fall,
//! whether the move goes on from there, and which seeds leave the board. By `pot_min = 2, first =
//! origin, capture = {2}, chain` Left can move from `312` to `123` or `3111`, and Right to `301` or
//! `11112`, so that `312 = 0`.
//!
//! A row is endless on both sides, or a board of fixed width; then a move whose sowing would leave
//! it is illegal. A sowing passes no pot twice. With multiple laps every lap begins behind the last
//! pot of the lap before, so a move has at most one lap more than there are pots; beyond the last
//! seed of an endless row the next last seed falls into an empty pot.
//!
//! # Normal form
//!
//! On the endless row empty pots at the ends are stripped; on a board all pots stay. One row of each
//! mirror pair represents both; in partisan play the mirror image is the negative.
//!
//! If the last seed may fall into a pot exactly if it is occupied, and no seed leaves the board, then
//! a pot is *full* if its seeds reach beyond both ends, and its count is capped at the least such
//! number, as in [Sowing](super::Sowing). No player can sow from it, now or later: rows do not get
//! longer, and its content only grows. Only whether it is empty matters to other pots.
//!
//! # Finitely many positions
//!
//! No move adds seeds, so on a board there are finitely many positions. On an endless row rules are
//! accepted of two kinds, by which finitely many positions can be reached from any row:
//!
//! * `last` without 0. A move of one lap ends in a pot that was occupied, so between the first and
//!   the last seed of the row, and all its seeds fall there. Multiple laps end in an empty pot, so
//!   there are no moves; with `landing` there is one lap. So rows do not get longer.
//! * `first = origin` with one lap, without `landing`. A pot that has ever held a seed either holds
//!   one, because a pot sown from keeps a seed, or its last change was a capture of one seed or more.
//!   So the pots that ever hold a seed are at most the seeds of the first row. A sowing skips no
//!   pot, so they are an interval beside or around each first pot.
//!
//! # Termination
//!
//! Play ends, on the endless row and on boards, in these cases ([`RowRules::ends`]); by all other
//! rules positions may be loopy.
//!
//! * `last` without 0, and `landing`: each move takes seeds off the board.
//! * `last` without 0, and multiple laps without `landing`: there are no moves.
//! * `last` without 0, `first = next`, and one lap without `landing`. Suppose play never ends, and
//!   consider play after the last capture. Some pots are sown from infinitely often; let i be the
//!   leftmost, and consider play after the last sowing from a pot left of i. Seeds that fall left of
//!   i stay there, so finitely many sowings to the left begin in i or pass it. After them seeds
//!   reach i only by sowings to the left that end in i, which need a seed there. Once i has been
//!   sown from it stays empty: a contradiction.
//! * `first = origin` and one lap without `landing`, if `last` lacks 1 or `capture` has 2. Suppose
//!   play never ends, and consider play after the last capture. A pot sown from keeps a seed, so
//!   occupied pots stay occupied, and from some time on no empty pot is sown into, since there are
//!   never more occupied pots than seeds. Let i be the leftmost pot that is sown from infinitely
//!   often. As above, from some time on i is sown from to the right only, and seeds reach it only by
//!   sowings to the left that end in it. After it has been sown from it holds one seed, and the
//!   next seed would be a last seed in a pot of one: illegal, or a capture.
//!
//! Otherwise `first = origin` has circles: from `21` Left moves to `12`, and Right moves back.
//!
//! # Splitting
//!
//! *By `last` without 0*: divide a row into clusters separated by gaps of empty pots. Let s be the
//! number of seeds of a cluster that are not in full pots. If every gap has at least s pots for the
//! clusters on either side (s - 1 pots if `first = origin`), the row is the sum of its clusters. The
//! proof is that of [Sowing](super::Sowing): a move of k of the s seeds ends at most in the last pot
//! of a gap, which is empty, so it is illegal there. It ends in its cluster; no seed is added to a
//! gap, and captures take seeds only where some have fallen. A cluster of one pot has no moves.
//!
//! *By `first = origin` with one lap without `landing`*: let the *surplus* of a group of pots be its
//! seeds minus its occupied pots. By the count above, play of a group alone reaches at most as many
//! empty pots as its surplus, so it goes beyond either end by at most the surplus. If a gap has at
//! least as many empty pots as the sum of the surpluses on both sides, no pot is reached from two
//! groups, and the row is the sum of its groups. A group without surplus has no moves.
//!
//! If moreover `last` has 0 and 1, and `capture` has 2 but not 1, then one pot less suffices, and if
//! also `capture` has 3 or `last` lacks 2, groups without a pot above two have the reach 1: by the
//! proof of [Atomic Wari](super::AtomicWari), which uses these facts only. A last seed in an empty
//! pot stays; in a pot of one it is captured with that seed, and the chain of captures ends at a pot
//! of one; a captured pot held two seeds or more; a pot of two that receives a seed is captured, or
//! does not receive it.

mod rules;

use std::ops::Range;

pub use self::rules::{Counts, Endless, First, Laps, NoRules, RowRules, Switch};
use super::literal::{LiteralMove, from_each_pot, step, strip};
use super::reading::Reading;
use super::surplus::Reach;
use super::{Parameters, Player, PotGame, Ruleset};
use crate::board::clusters::clusters;
use crate::board::row::{Pot, Row};
use crate::board::{
    Caps, PositionError, ROW_COST_MAX, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Shape, Strip, brief,
};

/// The ruleset of rules of rows, on the endless row or on a board of fixed width.
///
/// ```
/// use cggames::game::{Counts, Player, RowGame, RowRules, Ruleset};
///
/// let twos = RowRules { capture: Counts::of([2]), ..RowRules::ATOMIC_WARI };
/// let game = RowGame::new(twos, None);
/// let position = game.position(&"312".parse()?)?;
/// let mut options = Vec::new();
/// game.each_option(&position, Player::Left, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["123", "3111"]);
/// assert_eq!(game.id(), "row-rules/pot_min=2,first=origin,capture=2,chain");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowGame {
    rules: RowRules,
    board_pots: Option<usize>,
    has_full_pots: bool,
    is_loopy: bool,
    splitting: Splitting,
}

/// Where rows split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Splitting {
    /// Nowhere that is known.
    Nowhere,
    /// At gaps in which no last seed may fall.
    AtGaps,
    /// At gaps that no surplus fills.
    BySurplus(Reach),
}

impl Splitting {
    fn of(rules: &RowRules) -> Splitting {
        let last = |count| rules.last.contains(count);
        let capture = |count| rules.capture.contains(count);
        if !last(0) {
            return Splitting::AtGaps;
        }
        if rules.first == First::Next || rules.laps == Laps::Multiple || rules.landing {
            return Splitting::Nowhere;
        }
        let is_shared = last(1) && capture(2) && !capture(1);
        Splitting::BySurplus(Reach {
            is_shared,
            has_sparse: is_shared && (capture(3) || !last(2)),
        })
    }
}

impl Ruleset for RowGame {
    on_strips!();

    fn id(&self) -> String {
        let board = self.board_pots.map(|pots| format!("/{pots}"));
        format!(
            "{}/{}{}",
            RowGame::NAME,
            self.rules,
            board.unwrap_or_default()
        )
    }

    fn version(&self) -> u32 {
        1
    }

    #[inline]
    fn is_loopy(&self) -> bool {
        self.is_loopy
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        let mut position = Strip::counted(row, self.board_pots)?;
        self.cap(&mut position);
        Ok(position)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => self.each_sowing_right(position, visit),
            Player::Right => self.each_sowing_right(&position.mirror(), &mut |option| {
                visit(&option.mirror());
            }),
        }
    }

    fn components(&self, position: &Strip) -> Vec<Strip> {
        let parts = match self.splitting {
            Splitting::Nowhere => return vec![*position],
            Splitting::AtGaps => self.apart_at_gaps(position),
            Splitting::BySurplus(reach) => reach.groups(position),
        };
        parts
            .into_iter()
            .map(|pots| self.part(position, pots))
            .collect()
    }

    /// As in Atomic Wari, sparse followers split into runs of deuces.
    fn splits_follower(&self, follower: &Strip) -> bool {
        let Splitting::BySurplus(Reach { has_sparse, .. }) = self.splitting else {
            return false;
        };
        has_sparse && follower.pots().iter().all(|&pot| pot <= 2)
    }
}

impl PotGame for RowGame {
    const NAME: &'static str = "row-rules";

    const RULES: &'static str = "\
Row rules: a sowing game with rules of your own, on a row of pots, endless or a
board of fixed width. Take all the seeds of a pot and sow them one by one: Left
to the right, Right to the left; in impartial play both do both. A player who
cannot move loses. The rules are switches, in the section [rules] of a job spec
or of a file after --rules, or one by one after --rule, as in --rule pot_min=2:
pot_min, the fewest seeds of a pot that may be played (1); first, where the
first seed falls: \"next\" pot or \"origin\", the pot played; last, what the pot of
the last seed must hold before: \"any\", \"occupied\", \"empty\" or a list of counts;
laps: \"single\", or \"multiple\" to sow on from an occupied pot; landing: true if a
seed takes the seeds of the pot where it falls, and itself, off the board;
capture, the counts at which the pot of the last seed is captured ([]); chain:
true if captures go on backwards through pots sown; pots, the width of a board.
Each has a default, the first value named. By last = \"occupied\", as in Sowing,
Left sows the pot in parentheses:

    3 (1) 2  ->  3 0 3
";

    const SHAPE: Shape = Shape::rows(Caps::Unlimited);

    const HAS_BOARDS: bool = true;

    fn with(parameters: Parameters) -> RowGame {
        RowGame::new(parameters.rules, parameters.board_pots)
    }

    fn reading(&self) -> Option<Reading> {
        (!self.is_loopy).then(|| Reading::by_rules(self.rules))
    }

    fn literal_moves(&self, row: &Row, player: Player) -> Vec<LiteralMove<Row>> {
        let mut row = row.clone();
        if let Some(pots) = self.board_pots {
            row.pots.resize(pots.max(row.pots.len()), Pot::Seeds(0));
        }
        from_each_pot(&row, |place| self.literal_move(&row, place, player))
    }

    /// Estimates 1.5^s for s seeds. Rules differ so much that no estimate is near for all.
    fn cost(row: &Row) -> u64 {
        let seeds = row.pots.iter().map(|pot| match pot {
            Pot::Seeds(seeds) => u64::from(*seeds),
            Pot::Full => 0,
        });
        // The cast saturates.
        (1.5f64.powf(seeds.sum::<u64>() as f64) as u64).min(ROW_COST_MAX)
    }
}

impl RowGame {
    /// Returns the game by these rules, on a board of that width or on the endless row, where they
    /// must be [accepted](RowRules::check_endless).
    pub fn new(rules: RowRules, board_pots: Option<u32>) -> RowGame {
        let rules = rules.normal();
        RowGame {
            rules,
            board_pots: board_pots.map(|pots| pots as usize),
            has_full_pots: rules.last == Counts::OCCUPIED
                && rules.capture == Counts::NONE
                && !rules.landing,
            is_loopy: !rules.ends(),
            splitting: Splitting::of(&rules),
        }
    }

    /// Returns the last pot of a move from the pot at `place`, and the row after it, or `None` if the
    /// move is illegal.
    fn literal_move(&self, row: &Row, place: usize, player: Player) -> Option<(isize, Row)> {
        let rules = &self.rules;
        let seeds_of = |pot: &Pot| match pot {
            Pot::Seeds(seeds) => *seeds,
            Pot::Full => 0,
        };
        if seeds_of(&row.pots[place]) < u32::from(rules.pot_min) {
            return None;
        }
        let mut pots: Vec<u32> = row.pots.iter().map(seeds_of).collect();
        // On the endless row, add the empty pots on either side that seeds could reach.
        let added = match self.board_pots {
            None => pots.iter().sum::<u32>() as usize,
            Some(_) => 0,
        };
        pots = [vec![0; added], pots, vec![0; added]].concat();
        let mut at = place + added;
        let mut hand = std::mem::take(&mut pots[at]);
        let mut falls_here = rules.first == First::Origin;
        let (sown, held) = loop {
            let mut sown = Vec::new();
            let mut held = 0;
            for _ in 0..hand {
                if !falls_here {
                    at = step(at, player)?;
                }
                falls_here = false;
                // A move that would leave the board is illegal.
                let pot = pots.get_mut(at)?;
                held = *pot;
                *pot = if rules.landing && held > 0 {
                    0
                } else {
                    held + 1
                };
                sown.push(at);
            }
            if rules.laps == Laps::Single || held == 0 || pots[at] == 0 {
                break (sown, held);
            }
            hand = std::mem::take(&mut pots[at]);
        };
        let among = |counts: &Counts, count: u32| {
            u8::try_from(count).is_ok_and(|count| counts.contains(count))
        };
        if !among(&rules.last, held) {
            return None;
        }
        for pot in sown.into_iter().rev() {
            if !among(&rules.capture, pots[pot]) {
                break;
            }
            pots[pot] = 0;
            if !rules.chain {
                break;
            }
        }
        let mut option = Row {
            pots: pots.into_iter().map(Pot::Seeds).collect(),
            ..Row::default()
        };
        if self.board_pots.is_none() {
            strip(&mut option);
        }
        Some((at as isize - added as isize, option))
    }

    /// Returns the least count that makes a pot full.
    fn cap_at(&self, pots: usize, place: usize) -> u8 {
        let farther = (pots - 1 - place).max(place);
        (farther + 1 + usize::from(self.rules.first == First::Origin)) as u8
    }

    /// Caps the counts of full pots.
    fn cap(&self, strip: &mut Strip) {
        if self.has_full_pots {
            for place in 0..strip.len {
                strip.pots[place] = strip.pots[place].min(self.cap_at(strip.len, place));
            }
        }
    }

    /// Returns the clusters that have moves, between gaps in which no last seed may fall.
    fn apart_at_gaps(&self, position: &Strip) -> Vec<Range<usize>> {
        let near = usize::from(self.rules.first == First::Origin);
        let places = position.pots().iter().enumerate();
        let pots = places
            .filter(|&(_, &seeds)| seeds > 0)
            .map(|(place, &seeds)| {
                let is_full = self.has_full_pots && seeds >= self.cap_at(position.len, place);
                let sown = if is_full { 0 } else { usize::from(seeds) };
                (place..place + 1, sown)
            });
        let apart = |left: usize, right, gap| left.max(right) <= gap + near;
        let found = clusters(pots, |left, right| left + right, apart).into_iter();
        let moving = found.filter(|(pots, sown)| pots.len() > 1 && *sown > 0);
        moving.map(|(pots, _)| pots).collect()
    }

    /// Returns the position with all other pots empty.
    fn part(&self, position: &Strip, pots: Range<usize>) -> Strip {
        let mut part = position.only(pots);
        self.normalise(&mut part);
        part
    }

    fn normalise(&self, strip: &mut Strip) {
        if self.board_pots.is_none() {
            strip.strip_empty_ends();
        }
        self.cap(strip);
    }

    /// Visits the positions after a sowing to the right.
    fn each_sowing_right(
        &self,
        position: &Strip,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        for place in 0..position.len {
            if position.pots[place] >= self.rules.pot_min
                && let Some(option) = self.sown_right(position, place)?
            {
                visit(&option);
            }
        }
        Ok(())
    }

    /// Returns the position after a sowing to the right, or `None` if it is illegal.
    #[inline]
    fn sown_right(&self, position: &Strip, place: usize) -> Result<Option<Strip>, PositionError> {
        let rules = &self.rules;
        let width = self.board_pots.unwrap_or(usize::MAX);
        let mut start = place + usize::from(rules.first == First::Next);
        let mut seeds = usize::from(position.pots[place]);
        // PERF: most moves are illegal by rules such as those of Sowing; nothing is copied for them.
        if rules.laps == Laps::Single {
            let end = start + seeds;
            let held = position.pots().get(end - 1).copied().unwrap_or(0);
            if end > width || !rules.last.contains(held) {
                return Ok(None);
            }
        }
        let mut option = *position;
        option.pots[place] = 0;
        let (sown, held) = loop {
            let end = start + seeds;
            if end > width {
                return Ok(None);
            }
            if end > STRIP_POTS_MAX {
                return Err(PositionError::TooLong {
                    row: brief(position),
                    found: end,
                });
            }
            option.len = option.len.max(end);
            let sown = &mut option.pots[start..end];
            let held = sown[seeds - 1];
            if rules.landing {
                sown.iter_mut().for_each(|pot| *pot = u8::from(*pot == 0));
            } else {
                sown.iter_mut().for_each(|pot| *pot += 1);
                if let Some(&found) = sown.iter().find(|&&pot| u32::from(pot) > STRIP_SEEDS_MAX) {
                    return Err(PositionError::TooManySeeds {
                        row: brief(position),
                        found: found.into(),
                        most: STRIP_SEEDS_MAX,
                    });
                }
            }
            if rules.laps == Laps::Single || held == 0 {
                break (start..end, held);
            }
            seeds = usize::from(std::mem::take(&mut sown[seeds - 1]));
            start = end;
        };
        if !rules.last.contains(held) {
            return Ok(None);
        }
        let most = if rules.chain { sown.len() } else { 1 };
        let captured = option.pots[sown].iter_mut().rev().take(most);
        captured
            .take_while(|pot| rules.capture.contains(**pot))
            .for_each(|pot| *pot = 0);
        self.normalise(&mut option);
        Ok(Some(option))
    }
}

#[cfg(test)]
mod tests;
