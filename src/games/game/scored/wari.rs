//! Wari and its variants: games of two rows of pits in which pits of two or three seeds are
//! captured (Erickson 1996, section 4).
//!
//! # Rules
//!
//! Each player has a row of pits; sowing goes around the board, through the own pits and then
//! through the opponent's. The mover takes all the seeds of an own pit and sows them one by one. If
//! the pit of the last seed then holds two or three seeds, they are captured, and so are those of
//! the pits before it as long as each holds two or three. The *margin* is the number of seeds that
//! the mover captures from here on minus the opponent's. If play never ends, the remaining seeds
//! count for nobody.
//!
//! The games differ in the five fields of [`Wari`], and its constants are the named games.
//!
//! # Cycles
//!
//! A move without captures preserves the number of seeds, so play can return to a position. A
//! player's margin is at least b > 0 if the player can force it within some number of moves, and at
//! least -b if the opponent cannot force more than b.

use super::{Effect, Met, Scored, ScoredOption, SideMove};
use crate::board::two_rows::{Side, TwoRows};

/// The rules and one move, for the help.
pub(in crate::game) const RULES: &str = "\
Wari: two rows of pits. Take all the seeds of an own pit and sow them one by one
around the board, the first into the pit they came from; a single seed does not
move. If the pit of the last seed then holds two or three, these are captured,
and so are those of the pits before it while they hold two or three. A player
who cannot move passes. The margin of the player to move counts; what is left
where play is endless, or nobody can move, counts for nobody. By the rules awari
and oware sowing begins in the next pit, single seeds move, only the opponent's
pits are captured, and a player who can leave the opponent seeds must do so. A
move that would capture all seeds of the opponent (a grand slam) is illegal by
awari; by oware it is legal and captures nothing.
Positions are the mover's pits and the opponent's, both in the order of sowing;
a move exchanges them. Two seeds are captured:

    0 0 (3) / 0 1 2  ->  1 0 2 / 0 0 1
";

/// The pit where sowing begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Begin {
    /// The pit moved from, as in Atomic Wari.
    Pit,
    /// The next pit; the pit moved from is skipped on every lap, so it is empty afterwards.
    Next,
}

/// The pits that can be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Captures {
    /// The pits of both players.
    Anywhere,
    /// The opponent's pits, with the rule for a move that would capture all seeds there.
    Opponent(GrandSlam),
}

/// The rule for a move that would capture all seeds of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GrandSlam {
    /// Legal, like any other move.
    Legal,
    /// Illegal unless every move would do so.
    Illegal,
    /// Legal, but it captures nothing.
    CapturesNothing,
}

/// The rule for a player who cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stuck {
    /// The player passes. If neither player can move, the remaining seeds count for nobody.
    Passes,
    /// The opponent gets all remaining seeds.
    Loses,
}

/// The rules of Wari or of one of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wari {
    /// The pit where sowing begins.
    pub begin: Begin,
    /// Whether a single seed can be sown.
    pub singles_move: bool,
    /// The pits that can be captured.
    pub captures: Captures,
    /// The rule for a player who cannot move.
    pub stuck: Stuck,
    /// Whether a player whose opponent has no seeds must give some, and gets all remaining seeds if
    /// that is impossible.
    pub feeds: bool,
}

impl Wari {
    /// Wari in Erickson's wording.
    pub const WARI: Wari = Wari {
        begin: Begin::Pit,
        singles_move: false,
        captures: Captures::Anywhere,
        stuck: Stuck::Passes,
        feeds: false,
    };

    /// Awari as Romein and Bal solved it (*Awari is solved*, ICGA Journal 25(3), 2002): a player
    /// must leave the opponent seeds if possible. Without this rule the position in the description
    /// of their database and its six options would have other scores.
    pub const AWARI: Wari = Wari {
        begin: Begin::Next,
        singles_move: true,
        captures: Captures::Opponent(GrandSlam::Illegal),
        stuck: Stuck::Loses,
        feeds: true,
    };

    /// Oware by the abapa rules of the Oware Society, which tournaments use: the pit moved from is
    /// skipped on every lap; a player must leave the opponent seeds if possible, and otherwise
    /// keeps the remaining seeds; a grand slam captures nothing, as in the tournament of the Mind
    /// Sports Olympiad. By these rules the players agree to end endless play and keep the seeds on
    /// their own sides; here the remaining seeds count for nobody.
    pub const OWARE: Wari = Wari {
        captures: Captures::Opponent(GrandSlam::CapturesNothing),
        ..Wari::AWARI
    };

    /// Returns the fewest seeds that can be sown from a pit.
    fn least_that_moves(&self) -> u8 {
        if self.singles_move { 1 } else { 2 }
    }

    /// Returns the seeds captured from a pit with this number: two, three, or `None`.
    fn captured(seeds: u8) -> Option<u8> {
        matches!(seeds, 2 | 3).then_some(seeds)
    }

    /// Empties the captured pits, from the last of `pits` backwards, and returns the captured seeds
    /// and whether all pits were captured.
    fn capture(pits: &mut [u8]) -> (u8, bool) {
        let mut taken = 0;
        for seeds in pits.iter_mut().rev() {
            match Wari::captured(*seeds) {
                Some(captured) => taken += captured,
                None => return (taken, false),
            }
            *seeds = 0;
        }
        (taken, true)
    }
}

impl Scored for Wari {
    const IS_LOOPY: bool = true;

    fn id(&self) -> String {
        match *self {
            Wari::WARI => "wari".to_owned(),
            Wari::AWARI => "awari".to_owned(),
            Wari::OWARE => "oware".to_owned(),
            other => format!("{other:?}"),
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn each_sowing(&self, mover: &Side, opponent_seeds: u32, visit: &mut impl FnMut(SideMove)) {
        let pits = mover.pits().len();
        let least = self.least_that_moves();
        // The number of places in a lap, and the offset of the first from the pit moved from.
        let (ring, skipped) = match self.begin {
            Begin::Pit => (2 * pits, 0),
            Begin::Next => (2 * pits - 1, 1),
        };
        let mut is_stuck = true;
        for (from, &seeds) in mover.pits().iter().enumerate() {
            if seeds < least {
                continue;
            }
            is_stuck = false;
            let (laps, rest) = (seeds / ring as u8, usize::from(seeds) % ring);
            let mut side = *mover;
            side.pits_mut()[from] = 0;
            for (pit, seeds) in side.pits_mut().iter_mut().enumerate() {
                if pit != from || skipped == 0 {
                    *seeds += laps;
                }
            }
            let start = from + skipped;
            // The last lap runs to the end of the own side, through the opponent's, and again
            // through the own.
            let ahead = rest.min(pits - start);
            let first = (rest - ahead).min(pits);
            let behind = rest - ahead - first;
            side.pits_mut()[start..][..ahead]
                .iter_mut()
                .for_each(|seeds| *seeds += 1);
            side.pits_mut()[..behind]
                .iter_mut()
                .for_each(|seeds| *seeds += 1);
            // The last seed's place, counted around the board from the mover's first pit.
            let last = match (rest, skipped) {
                (0, 0) => (from + 2 * pits - 1) % (2 * pits),
                (0, _) => (from + ring) % (2 * pits),
                _ => (start + rest - 1) % (2 * pits),
            };
            let mut effect = Effect {
                each: laps,
                first: first as u8,
                from: (last >= pits).then(|| (last - pits) as u8),
                goes_round: false,
            };
            let mut after = [(side, 0); 2];
            if self.captures == Captures::Anywhere {
                if last < pits {
                    let (taken, all) = Wari::capture(&mut side.pits_mut()[..=last]);
                    after = [(side, taken); 2];
                    if all {
                        effect.from = Some(pits as u8 - 1);
                        let (more, _) = Wari::capture(&mut side.pits_mut()[last + 1..]);
                        after[1] = (side, taken + more);
                    }
                } else {
                    let (taken, all) = Wari::capture(side.pits_mut());
                    after[1] = (side, taken);
                    effect.goes_round = all;
                }
            }
            if self.feeds && opponent_seeds == 0 && effect.sown(pits) == 0 {
                continue;
            }
            visit(SideMove {
                pit: Some(from as u8),
                after,
                effect,
                moves_again: false,
            });
        }
        if is_stuck && self.stuck == Stuck::Passes {
            visit(SideMove {
                pit: None,
                after: [(*mover, 0); 2],
                effect: Effect::default(),
                moves_again: false,
            });
        }
    }

    /// Forks where captures continue behind the opponent's first pit.
    fn meet(&self, effect: Effect, opponent: Side) -> Met {
        let mut sown = opponent;
        effect.sow(&mut sown);
        let mut side = sown;
        let (mut taken, mut fork) = (0, false);
        if let Some(from) = effect.from {
            let (near, far) = side.pits_mut().split_at_mut(usize::from(from) + 1);
            (taken, fork) = Wari::capture(near);
            if fork && effect.goes_round {
                taken += Wari::capture(far).0;
            }
        }
        let captures_nothing = Captures::Opponent(GrandSlam::CapturesNothing);
        if self.captures == captures_nothing && taken > 0 && side.seeds() == 0 {
            (side, taken) = (sown, 0);
        }
        Met {
            side,
            taken: taken.into(),
            fork: fork && self.captures == Captures::Anywhere,
        }
    }

    fn is_stuck(&self, side: &Side) -> bool {
        let least = self.least_that_moves();
        self.stuck == Stuck::Passes && side.pits().iter().all(|&seeds| seeds < least)
    }

    fn shuns_grand_slams(&self) -> bool {
        self.captures == Captures::Opponent(GrandSlam::Illegal)
    }

    fn margin_without_sowing(&self, mover_seeds: u32, opponent_seeds: u32) -> i32 {
        match self.stuck {
            _ if self.feeds && opponent_seeds == 0 => mover_seeds as i32,
            Stuck::Passes => 0,
            Stuck::Loses => -((mover_seeds + opponent_seeds) as i32),
        }
    }

    fn literal_options(&self, position: &TwoRows) -> Vec<ScoredOption> {
        let pits = position.mover.pits().len();
        let ring = [position.mover.pits(), position.opponent.pits()].concat();
        let seeds_of = |side: &[u8]| side.iter().map(|&seeds| u32::from(seeds)).sum::<u32>();
        let option = |pit: Option<usize>, gain: u32, ring: &[u8]| {
            let mut after = *position;
            after.mover.pits_mut().copy_from_slice(&ring[..pits]);
            after.opponent.pits_mut().copy_from_slice(&ring[pits..]);
            ScoredOption {
                pit: pit.map(|pit| pit as u8),
                gain,
                moves_again: false,
                position: after.swapped(),
            }
        };
        let (mut options, mut slams) = (Vec::new(), Vec::new());
        let mut can_move = false;
        for pit in 0..pits {
            if ring[pit] == 0 || (ring[pit] == 1 && !self.singles_move) {
                continue;
            }
            can_move = true;
            let mut sown = ring.clone();
            let mut in_hand = std::mem::take(&mut sown[pit]);
            let mut place = pit;
            if self.begin == Begin::Pit {
                sown[pit] += 1;
                in_hand -= 1;
            }
            while in_hand > 0 {
                place = (place + 1) % (2 * pits);
                if place == pit && self.begin == Begin::Next {
                    continue;
                }
                sown[place] += 1;
                in_hand -= 1;
            }
            if self.feeds && seeds_of(&ring[pits..]) == 0 && seeds_of(&sown[pits..]) == 0 {
                continue;
            }
            let mut after = sown.clone();
            let mut gain = 0;
            while matches!(after[place], 2 | 3)
                && (place >= pits || self.captures == Captures::Anywhere)
            {
                gain += u32::from(std::mem::take(&mut after[place]));
                place = (place + 2 * pits - 1) % (2 * pits);
            }
            let is_slam = seeds_of(&sown[pits..]) > 0 && seeds_of(&after[pits..]) == 0;
            match self.captures {
                Captures::Opponent(GrandSlam::Illegal) if is_slam => {
                    slams.push(option(Some(pit), gain, &after))
                }
                Captures::Opponent(GrandSlam::CapturesNothing) if is_slam => {
                    options.push(option(Some(pit), 0, &sown));
                }
                _ => options.push(option(Some(pit), gain, &after)),
            }
        }
        let can_follow = ring[pits..]
            .iter()
            .any(|&seeds| seeds > 1 || (seeds == 1 && self.singles_move));
        if !can_move && can_follow && self.stuck == Stuck::Passes {
            options.push(option(None, 0, &ring));
        }
        if options.is_empty() { slams } else { options }
    }
}
