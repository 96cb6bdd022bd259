//! Wari and its kin: games of two rows of pits in which pots of two or three seeds are captured
//! (Erickson 1996, section 4).
//!
//! # Rules
//!
//! Each player has a row of pits; sowing goes around the board, through the own pits and then
//! through the opponent's. Who moves takes all the seeds of an own pit and sows them one by one. If
//! the pit where the last one fell holds two or three seeds then, they are captured, and so are
//! those of the pits before it for as long as each holds two or three. The *margin* is what the
//! mover captures from here on less what the opponent does. Where play never ends nobody gets what
//! is left.
//!
//! The games differ in five switches, which [`Wari`] lists, and its constants are the games that
//! have names.
//!
//! # Circles
//!
//! A move that captures nothing keeps the number of seeds, so that play can come back to a
//! position. A player has a margin of at least b > 0 where the player can force it within some
//! number of moves, and of at least -b where the opponent cannot force more than b.

use super::{Effect, Met, Scored, ScoredOption, Sowing};
use crate::board::two_rows::{Side, TwoRows};
use crate::game::Published;

/// The file of published margins.
pub(in crate::game) const PUBLISHED: Published = (
    "wari.toml",
    include_str!("../../../data/reference/wari.toml"),
);

/// The rules and one move, as help shows them.
pub(in crate::game) const RULES: &str = "\
Wari: two rows of pits. Take all the seeds of an own pit and sow them one by one
around the board, the first into the pit they came from; a single seed does not
move. If the pit of the last seed then holds two or three, these are captured,
and so are those of the pits before it while they hold two or three. A player
who cannot move passes. The margin of the player to move counts; what is left
where play is endless, or nobody can move, counts for nobody. By the rules awari
and oware sowing begins in the next pit, single seeds move, only the opponent's
pits are captured, and who can leave the opponent seeds must. Positions are the
mover's pits and the opponent's, both in the order of sowing; a move exchanges
them. Two seeds are captured:

    0 0 (3) / 0 1 2  ->  1 0 2 / 0 0 1
";

/// Where sowing begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Begin {
    /// In the pit moved from, as in Atomic Wari.
    Pit,
    /// In the next one; the pit moved from is left out on every lap, and so is empty afterwards.
    Next,
}

/// Which pits are captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Captures {
    /// Those of both players.
    Anywhere,
    /// The opponent's, and what happens to a move that would capture all seeds there.
    Opponent(GrandSlam),
}

/// A move that would capture all seeds of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GrandSlam {
    /// A move like any other.
    Legal,
    /// Illegal unless every move is one.
    Illegal,
    /// Legal, and captures nothing.
    CapturesNothing,
}

/// What happens to a player who cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stuck {
    /// The player passes. When neither can move nobody gets what is left.
    Passes,
    /// The opponent gets all that is left.
    Loses,
}

/// The rules of Wari or of one of its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wari {
    /// Where sowing begins.
    pub begin: Begin,
    /// Whether a single seed moves.
    pub singles_move: bool,
    /// Which pits are captured.
    pub captures: Captures,
    /// What happens to a player who cannot move.
    pub stuck: Stuck,
    /// Whether a player whose opponent has no seeds must give some, and gets all that is left where
    /// that is impossible.
    pub feeds: bool,
}

impl Wari {
    /// Wari as Erickson words it.
    pub const WARI: Wari = Wari {
        begin: Begin::Pit,
        singles_move: false,
        captures: Captures::Anywhere,
        stuck: Stuck::Passes,
        feeds: false,
    };

    /// Awari as Romein and Bal solved it (*Awari is solved*, ICGA Journal 25(3), 2002): a player must leave the
    /// opponent seeds where that is possible. Without this the position in the description of their database and its six
    /// options would have other scores.
    pub const AWARI: Wari = Wari {
        begin: Begin::Next,
        singles_move: true,
        captures: Captures::Opponent(GrandSlam::Illegal),
        stuck: Stuck::Loses,
        feeds: true,
    };

    /// Oware by the abapa rules of the Oware Society, which tournaments use: the pit moved from is left
    /// out on every lap, a player must leave the opponent seeds where that is possible and else
    /// keeps what is left, and a grand slam captures nothing, as the tournament of the Mind Sports
    /// Olympiad states. Of endless play these rules say that the players agree to end it and keep the seeds on
    /// their own sides; here nobody gets what is left.
    pub const OWARE: Wari = Wari {
        captures: Captures::Opponent(GrandSlam::CapturesNothing),
        ..Wari::AWARI
    };

    /// Returns the fewest seeds of a pit that is sown.
    fn least_that_moves(&self) -> u8 {
        if self.singles_move { 1 } else { 2 }
    }

    /// Returns how many seeds are captured from a pit: all two or three, or none.
    fn captured(seeds: u8) -> Option<u8> {
        matches!(seeds, 2 | 3).then_some(seeds)
    }

    /// Empties the pits that are captured, from the last of some pits backwards, and returns the
    /// seeds and whether all are empty.
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

    fn each_sowing(&self, mover: &Side, opponent_seeds: u32, visit: &mut impl FnMut(Sowing)) {
        let pits = mover.pits().len();
        let least = self.least_that_moves();
        // The places of a lap, and how far the first is from the pit moved from.
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
            // The last lap goes to the end of the own side, through the opponent's, and on through
            // the own.
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
            visit(Sowing {
                pit: Some(from as u8),
                after,
                effect,
                moves_again: false,
            });
        }
        if is_stuck && self.stuck == Stuck::Passes {
            visit(Sowing {
                pit: None,
                after: [(*mover, 0); 2],
                effect: Effect::default(),
                moves_again: false,
            });
        }
    }

    /// Forks where captures go on behind the opponent's first pit.
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
