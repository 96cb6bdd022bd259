//! The solver for Tchuka Ruma: whether a game can be won, in how many ways and how fast.
//!
//! [`count`] visits every reachable position once and answers all of this; [`win`] only searches
//! for one way to win. Every play brings at least one stone into the Ruma, so the depth of both is
//! at most the number of stones on the ring, and no line of play repeats a position.
//!
//! The source is that of [the game](cggames::game::tchuka_ruma).

use cggames::game::tchuka_ruma::{Played, Ring};
use hashbrown::{HashMap, HashSet};
use thiserror::Error;

use super::{Control, StopReason};

/// The number of positions visited between two checks of the stop flag.
const POSITIONS_A_CHECK: usize = 1 << 12;

/// Returns the most memory that `positions` positions take in bytes, including the doubling of
/// their table.
pub fn bytes_of(positions: u64) -> u64 {
    let entry = size_of::<(Ring, PositionResult)>() as u64 + 1;
    let places = positions.saturating_mul(8) / 7;
    let table = places.checked_next_power_of_two().unwrap_or(u64::MAX);
    table.saturating_mul(entry) / 2 * 3
}

/// The results of all play from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of reachable positions with stones, including this one.
    pub positions: u64,
    /// The number of winning sequences of plays, or `None` if it is 2^63 or more.
    pub winning: Option<u64>,
    /// The fewest stones outside the Ruma when play ends.
    pub left: u32,
    /// The pits, counted from 0, of the first sequence in lexicographic order that wins in the
    /// fewest plays. `None` if no sequence wins.
    pub line: Option<Vec<u8>>,
}

/// The reason why a search was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// There are more positions than the limit.
    #[error("more positions than the limit")]
    Positions,
    /// It was stopped.
    #[error("{0}")]
    Stopped(StopReason),
}

/// Returns the results of all play from a position.
///
/// Cost: O(pits^2) for each play of each position, and memory for at most `positions_max` positions
/// (see [`bytes_of`]).
///
/// # Errors
///
/// [`Unfinished`] if play can reach more positions, or `control` stops it.
///
/// ```
/// use cgsolvers::Control;
/// use cgsolvers::tchuka_ruma::count;
///
/// let counted = count(&"2 2 2 2".parse()?, 100, &Control::default())?;
/// assert_eq!((counted.winning, counted.positions), (Some(1), 10));
/// assert_eq!(counted.line.map(|line| line.len()), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count(ring: &Ring, positions_max: u64, control: &Control) -> Result<Counted, Unfinished> {
    let mut counting = Counting {
        known: HashMap::default(),
        looks: VisitLimit::new(positions_max, control),
    };
    let known = counting.visit(ring)?;
    let mut line = known.fewest.map(|_| Vec::new());
    if let Some(line) = &mut line {
        let mut ring = *ring;
        while let Some(left) = counting
            .of(&ring)
            .fewest
            .and_then(|plays| plays.checked_sub(1))
        {
            let mut plays = plays(ring).filter(|(_, played, _)| *played == Played::Ended);
            let next = plays.find(|(_, _, after)| counting.of(after).fewest == Some(left));
            let (pit, _, after) = next.expect("a play of the fewest leads on");
            line.push(pit);
            ring = after;
        }
    }
    Ok(Counted {
        positions: counting.known.len() as u64,
        winning: (known.winning < 1 << 63).then_some(known.winning),
        left: known.left.into(),
        line,
    })
}

/// Returns the pits, counted from 0, of a winning sequence of plays, or `None` if there is none;
/// pits near the Ruma are tried first.
///
/// Cost: as for [`count`], for the positions visited, which may be far fewer.
///
/// # Errors
///
/// As [`count`].
///
/// ```
/// use cgsolvers::Control;
/// use cgsolvers::tchuka_ruma::win;
///
/// assert_eq!(win(&"3 3 3".parse()?, 100, &Control::default())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win(
    ring: &Ring,
    positions_max: u64,
    control: &Control,
) -> Result<Option<Vec<u8>>, Unfinished> {
    let mut winning = Winning {
        lost: HashSet::default(),
        looks: VisitLimit::new(positions_max, control),
        line: Vec::new(),
    };
    let is_won = winning.visit(ring)?;
    Ok(is_won.then_some(winning.line))
}

/// Returns the plays of a position, in the order of pits: the pit, the end of the play and the
/// position after it.
fn plays(ring: Ring) -> impl DoubleEndedIterator<Item = (u8, Played, Ring)> {
    let pits = 0..ring.pits().len();
    let full = pits.filter(move |&pit| ring.pits()[pit] > 0);
    full.map(move |pit| {
        let mut after = ring;
        (pit as u8, after.play(pit), after)
    })
}

/// A limit on the number of positions visited.
struct VisitLimit<'c> {
    positions_max: u64,
    control: &'c Control,
}

impl<'c> VisitLimit<'c> {
    fn new(positions_max: u64, control: &'c Control) -> VisitLimit<'c> {
        VisitLimit {
            positions_max,
            control,
        }
    }

    /// Refuses a position beyond the limit.
    fn one_more(&self, positions: usize) -> Result<(), Unfinished> {
        if positions as u64 >= self.positions_max {
            return Err(Unfinished::Positions);
        }
        match self.control.stopped() {
            Some(reason) if positions.is_multiple_of(POSITIONS_A_CHECK) => {
                Err(Unfinished::Stopped(reason))
            }
            _ => Ok(()),
        }
    }
}

/// The results for a position.
#[derive(Clone, Copy)]
struct PositionResult {
    /// The number of winning sequences, saturated at `u64::MAX`.
    winning: u64,
    /// The fewest plays of a winning sequence.
    fewest: Option<u8>,
    left: u8,
}

struct Counting<'c> {
    known: HashMap<Ring, PositionResult, foldhash::fast::RandomState>,
    looks: VisitLimit<'c>,
}

impl Counting<'_> {
    /// Returns the results for a visited position.
    fn of(&self, ring: &Ring) -> PositionResult {
        self.known.get(ring).copied().unwrap_or(WON)
    }

    fn visit(&mut self, ring: &Ring) -> Result<PositionResult, Unfinished> {
        if ring.stones() == 0 {
            return Ok(WON);
        }
        if let Some(&known) = self.known.get(ring) {
            return Ok(known);
        }
        let mut known = PositionResult {
            winning: 0,
            fewest: None,
            left: ring.stones() as u8,
        };
        for (_, played, after) in plays(*ring) {
            let then = match played {
                Played::Ended => self.visit(&after)?,
                Played::Lost => PositionResult {
                    winning: 0,
                    fewest: None,
                    left: after.stones() as u8,
                },
            };
            known.left = known.left.min(then.left);
            known.winning = known.winning.saturating_add(then.winning);
            let fewest = then.fewest.map(|plays| plays + 1);
            known.fewest = [known.fewest, fewest].into_iter().flatten().min();
        }
        self.looks.one_more(self.known.len())?;
        self.known.insert(*ring, known);
        Ok(known)
    }
}

/// The results when all stones are in the Ruma.
const WON: PositionResult = PositionResult {
    winning: 1,
    fewest: Some(0),
    left: 0,
};

struct Winning<'c> {
    lost: HashSet<Ring, foldhash::fast::RandomState>,
    looks: VisitLimit<'c>,
    line: Vec<u8>,
}

impl Winning<'_> {
    /// Returns whether a position can be won; if so, appends its line.
    fn visit(&mut self, ring: &Ring) -> Result<bool, Unfinished> {
        if ring.stones() == 0 {
            return Ok(true);
        }
        if self.lost.contains(ring) {
            return Ok(false);
        }
        for (pit, played, after) in plays(*ring).rev() {
            self.line.push(pit);
            if played == Played::Ended && self.visit(&after)? {
                return Ok(true);
            }
            self.line.pop();
        }
        self.looks.one_more(self.lost.len())?;
        self.lost.insert(*ring);
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sequences of plays, without a memo: the number that win, the length of the shortest, and
    /// the fewest stones left.
    fn followed(ring: &Ring) -> (u64, Option<usize>, u32) {
        if ring.stones() == 0 {
            return (1, Some(0), 0);
        }
        let mut found = (0, None, u32::MAX);
        for pit in 0..ring.pits().len() {
            if ring.pits()[pit] == 0 {
                continue;
            }
            let mut after = *ring;
            let (winning, fewest, left) = match after.play(pit) {
                Played::Ended => followed(&after),
                Played::Lost => (0, None, after.stones()),
            };
            let fewest = fewest.map(|plays: usize| plays + 1);
            found = (
                found.0 + winning,
                found.1.into_iter().chain(fewest).min(),
                found.2.min(left),
            );
        }
        found
    }

    fn each_ring(pits: usize, most: u8, visit: &mut impl FnMut(Ring)) {
        let codes = (u32::from(most) + 1).pow(pits as u32);
        for code in 0..codes {
            let mut rest = code;
            let mut ring = Ring::empty(pits);
            for stones in ring.pits_mut() {
                *stones = (rest % (u32::from(most) + 1)) as u8;
                rest /= u32::from(most) + 1;
            }
            visit(ring);
        }
    }

    /// Plays the pits of a line to the end; returns whether they win.
    fn wins(ring: &Ring, line: &[u8]) -> bool {
        let mut ring = *ring;
        let all = line
            .iter()
            .all(|&pit| ring.play(pit.into()) == Played::Ended);
        all && ring.stones() == 0
    }

    #[test]
    fn counts_are_those_of_all_sequences() {
        let control = Control::default();
        let (mut positions, mut won) = (0, 0);
        for (pits, most) in [(1, 60), (2, 12), (3, 7), (4, 4), (5, 3)] {
            each_ring(pits, most, &mut |ring| {
                let counted = count(&ring, u64::MAX, &control).unwrap();
                let (winning, fewest, left) = followed(&ring);
                assert_eq!(counted.winning, Some(winning), "{ring}");
                assert_eq!(
                    (counted.line.as_ref().map(Vec::len), counted.left),
                    (fewest, left)
                );
                let found = win(&ring, u64::MAX, &control).unwrap();
                assert_eq!(found.is_some(), winning > 0);
                for line in counted.line.iter().chain(&found) {
                    assert!(wins(&ring, line), "{ring}: {line:?}");
                }
                positions += 1;
                won += u32::from(winning > 0);
            });
        }
        assert!(won > 300 && won < positions, "{won} of {positions}");
    }

    #[test]
    fn searches_stop() {
        let (ring, control) = ("8 8 8 8 8 8".parse().unwrap(), Control::default());
        let counted = count(&ring, 148_547, &control).unwrap();
        assert_eq!((counted.positions, counted.winning), (148_547, Some(9517)));
        assert_eq!(count(&ring, 148_546, &control), Err(Unfinished::Positions));
        control.stop(StopReason::Interrupted);
        let stopped = Err(Unfinished::Stopped(StopReason::Interrupted));
        assert_eq!(count(&ring, u64::MAX, &control), stopped);
        assert_eq!(
            win(&"8 8 8 8 8 8 8".parse().unwrap(), u64::MAX, &control),
            Err(Unfinished::Stopped(StopReason::Interrupted))
        );
    }
}
