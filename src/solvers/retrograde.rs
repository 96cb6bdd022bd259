//! Retrograde analysis: the winners of games whose play need not end.
//!
//! A position without options is lost for the player to move, under misère play won. A position with a lost
//! option is won, and a position whose options are all won is lost. Once these rules decide no further positions,
//! the rest are draws: each player can keep the other from winning.
//!
//! Source: *Winning Ways*, chapter 12.

use std::hash::Hash;

use cggames::board::Key;
use cggames::game::{Convention, Manner, Play, Player, Ruleset};
use cgvalues::Ending;
use hashbrown::HashMap;

use super::{Control, EngineError};

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Positions are numbered in 32 bits.
const POSITIONS_MAX: usize = u32::MAX as usize;

/// The number of positions visited between two checks of the stop flag.
const POSITIONS_A_CHECK: usize = 256;

/// Returns the unknown endings, for the player to move, of all positions reachable from `roots`. Those of
/// the roots come first, in their order.
///
/// `options` appends the options of a position. Cost: O(positions + moves) time; memory for each
/// position 8 bytes plus twice its own size, and 12 bytes for each move.
///
/// # Errors
///
/// When it is stopped, when there is not enough memory, or when the options of a position fail.
///
/// ```
/// use cggames::game::Convention;
/// use cgsolvers::{Control, Ending, endings};
///
/// // Moves lead from 2 to 1 or 3, from 3 back to 2, and from 1 to 0, where play ends.
/// let moves = [vec![], vec![0], vec![1, 3], vec![2]];
/// let control = Control::default();
/// let found = endings([2], Convention::Normal, &control, |_| None, |n: &usize, options| {
///     options.extend(&moves[*n]);
///     Ok(())
/// })?;
/// let of = |n| found.iter().find(|(found, _)| *found == n).map(|&(_, ending)| ending);
/// assert_eq!((of(0), of(1)), (Some(Ending::Loss), Some(Ending::Win)));
/// assert_eq!((of(2), of(3)), (Some(Ending::Draw), Some(Ending::Draw)));
/// # Ok::<(), cgsolvers::EngineError>(())
/// ```
pub fn endings<P: Clone + Eq + Hash>(
    roots: impl IntoIterator<Item = P>,
    convention: Convention,
    control: &Control,
    known: impl Fn(&P) -> Option<Ending>,
    mut options: impl FnMut(&P, &mut Vec<P>) -> Result<(), EngineError>,
) -> Result<Vec<(P, Ending)>, EngineError> {
    let mut places: Map<P, u32> = Map::default();
    let mut positions: Vec<P> = Vec::new();
    for root in roots {
        if known(&root).is_none() && !places.contains_key(&root) {
            places.insert(root.clone(), positions.len() as u32);
            positions.push(root);
        }
    }
    // The number of options not known to be won, and the moves as pairs of target and source.
    let mut unsettled: Vec<u32> = Vec::new();
    let mut moves: Vec<[u32; 2]> = Vec::new();
    let mut found: Vec<Option<Ending>> = Vec::new();
    let mut next = Vec::new();
    while unsettled.len() < positions.len() {
        let place = unsettled.len();
        if place.is_multiple_of(POSITIONS_A_CHECK)
            && let Some(reason) = control.stopped()
        {
            return Err(EngineError::Stopped(reason));
        }
        next.clear();
        options(&positions[place], &mut next)?;
        let growth = if positions.len() + next.len() > POSITIONS_MAX {
            u64::MAX
        } else {
            places.growth(next.len()) + positions.growth(next.len()) + moves.growth(next.len())
        };
        control
            .reserve_memory(growth)
            .map_err(EngineError::Stopped)?;
        let mut left = 0;
        let mut wins = next.is_empty() && convention == Convention::Misere;
        for option in next.drain(..) {
            match known(&option) {
                Some(Ending::Win) => continue,
                Some(Ending::Draw) => {}
                Some(Ending::Loss) => wins = true,
                None => {
                    let there = places.get(&option).copied();
                    let to = there.unwrap_or_else(|| {
                        places.insert(option.clone(), positions.len() as u32);
                        positions.push(option);
                        positions.len() as u32 - 1
                    });
                    moves.push([to, place as u32]);
                }
            }
            left += 1;
        }
        unsettled.push(left);
        found.push(match (wins, left) {
            (true, _) => Some(Ending::Win),
            (false, 0) => Some(Ending::Loss),
            (false, _) => None,
        });
    }
    drop(places);
    let reversed = (positions.len() + 1) * 2 * size_of::<usize>() + moves.len() * size_of::<u32>();
    control
        .reserve_memory(reversed as u64)
        .map_err(EngineError::Stopped)?;
    let before = Before::new(positions.len(), &moves);
    drop(moves);
    let mut settled: Vec<u32> = (0..positions.len() as u32)
        .filter(|&place| found[place as usize].is_some())
        .collect();
    while let Some(place) = settled.pop() {
        let is_lost = found[place as usize] == Some(Ending::Loss);
        for &earlier in before.of(place) {
            let slot = &mut found[earlier as usize];
            if slot.is_some() {
                continue;
            }
            let unsettled = &mut unsettled[earlier as usize];
            *unsettled -= u32::from(!is_lost);
            *slot = match (is_lost, *unsettled) {
                (true, _) => Some(Ending::Win),
                (false, 0) => Some(Ending::Loss),
                (false, _) => continue,
            };
            settled.push(earlier);
        }
    }
    let found = found.into_iter().map(|found| found.unwrap_or(Ending::Draw));
    Ok(positions.into_iter().zip(found).collect())
}

/// A collection that doubles its memory when it is full.
trait Grows {
    /// Returns the bytes that it allocates to take `more` elements, 0 if they fit.
    fn growth(&self, more: usize) -> u64;
}

impl<T> Grows for Vec<T> {
    fn growth(&self, more: usize) -> u64 {
        if self.capacity() - self.len() < more {
            2 * (self.capacity().max(more) * size_of::<T>()) as u64
        } else {
            0
        }
    }
}

impl<K, V> Grows for Map<K, V> {
    fn growth(&self, more: usize) -> u64 {
        if self.capacity() - self.len() < more {
            // A slot takes a byte in addition to the element, and a table is at most seven eighths
            // full.
            3 * (self.capacity().max(self.len() + more) * (size_of::<(K, V)>() + 1)) as u64
        } else {
            0
        }
    }
}

/// The predecessors of each position.
struct Before {
    /// The start of each position's predecessors, and the end of the last.
    starts: Vec<usize>,
    positions: Vec<u32>,
}

impl Before {
    fn new(positions: usize, moves: &[[u32; 2]]) -> Before {
        let mut starts = vec![0; positions + 1];
        for [to, _] in moves {
            starts[*to as usize + 1] += 1;
        }
        for place in 0..positions {
            starts[place + 1] += starts[place];
        }
        let mut ends = starts.clone();
        let mut before = vec![0; moves.len()];
        for &[to, from] in moves {
            let end = &mut ends[to as usize];
            before[*end] = from;
            *end += 1;
        }
        Before {
            starts,
            positions: before,
        }
    }

    fn of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        &self.positions[self.starts[place]..self.starts[place + 1]]
    }
}

/// The known endings of positions of a loopy ruleset.
///
/// ```
/// use cgsolvers::{Control, Ending, Endings};
/// use cggames::game::{Play, ReverseAtomicWari, Ruleset};
///
/// let mut endings = Endings::new(Play::Partisan.into());
/// let mut of = |text: &str| {
///     let position = ReverseAtomicWari.position(&text.parse()?)?;
///     Ok::<_, Box<dyn std::error::Error>>(endings.of(&ReverseAtomicWari, &position, &Control::default())?)
/// };
/// assert_eq!(of("44021")?, [Ending::Win, Ending::Loss]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Endings {
    manner: Manner,
    /// By the key, then whether the player to move is Right; in impartial play that is Left.
    found: Map<u128, Ending>,
    /// The number of sums too long for a key, one for each player to move.
    sums: usize,
}

/// A sum of positions and negatives, by their keys, with a player to move.
type Sum = (Vec<(Key, bool)>, Player);

impl Endings {
    /// Returns an empty map of endings.
    pub fn new(manner: Manner) -> Endings {
        Endings {
            manner,
            found: Map::default(),
            sums: 0,
        }
    }

    /// Returns how play from a position ends for Left when Left moves first, and for Right when
    /// Right does.
    ///
    /// Finds and stores all unknown endings of its followers, at the cost of [`endings`]. Those of
    /// a position that is too long for a key are found from its components and not stored.
    ///
    /// # Errors
    ///
    /// As [`endings`]; or when a component is too long for a key, too.
    pub fn of<R: Ruleset>(
        &mut self,
        ruleset: &R,
        position: &R::Position,
        control: &Control,
    ) -> Result<[Ending; 2], EngineError> {
        let Ok(key) = ruleset.key(position) else {
            return self.of_sum(ruleset, position, control);
        };
        let roots = Player::BOTH.map(|player| self.state(key, player));
        let known = |state: &u128| self.found.get(state).copied();
        let convention = self.manner.convention;
        let found = endings(roots, convention, control, known, |&state, options| {
            let position = ruleset.position_of(state >> 1);
            let to_move = Player::BOTH[(state & 1) as usize];
            for &player in self.manner.play.movers(to_move) {
                let mut failed = None;
                ruleset.each_option(
                    &position,
                    player,
                    &mut |option| match ruleset.key(option) {
                        Ok(key) => options.push(self.state(key, to_move.opponent())),
                        Err(error) => failed = failed.take().or(Some(error)),
                    },
                )?;
                if let Some(error) = failed {
                    return Err(error.into());
                }
            }
            Ok(())
        })?;
        control
            .reserve_memory(self.found.growth(found.len()))
            .map_err(EngineError::Stopped)?;
        self.found.extend(found);
        Ok(roots.map(|state| self.found[&state]))
    }

    /// Returns the endings of a position that is the sum of components with keys.
    ///
    /// A component and its negative do not cancel: their sum may be drawn.
    fn of_sum<R: Ruleset>(
        &mut self,
        ruleset: &R,
        position: &R::Position,
        control: &Control,
    ) -> Result<[Ending; 2], EngineError> {
        let mut sum = ruleset.summand_keys(position)?;
        sum.sort_unstable();
        let roots = Player::BOTH.map(|player| (sum.clone(), player));
        let options = |(sum, to_move): &Sum, options: &mut Vec<Sum>| {
            for (place, &(key, negated)) in sum.iter().enumerate() {
                let position = match ruleset.position_of(key) {
                    position if negated => ruleset.negative(&position),
                    position => position,
                };
                let mut failed = None;
                let mut add = |option: &R::Position| match ruleset.summand_keys(option) {
                    Ok(parts) => {
                        let mut next = sum.clone();
                        next.splice(place..=place, parts);
                        next.sort_unstable();
                        options.push((next, to_move.opponent()));
                    }
                    Err(error) => failed = failed.take().or(Some(error)),
                };
                for &player in self.manner.play.movers(*to_move) {
                    ruleset.each_option(&position, player, &mut add)?;
                }
                if let Some(error) = failed {
                    return Err(error.into());
                }
            }
            Ok(())
        };
        // The roots are the first positions found.
        let found = endings(roots, self.manner.convention, control, |_| None, options)?;
        self.sums += found.len();
        Ok([found[0].1, found[1].1])
    }

    /// Returns the number of endings found, one for each position and player to move.
    pub fn len(&self) -> usize {
        self.found.len() + self.sums
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of a position, by its key, with a player to move.
    fn state(&self, (key, negated): (Key, bool), player: Player) -> u128 {
        // The negative with Left to move is the position with Right to move.
        let right_moves =
            self.manner.play == Play::Partisan && (player == Player::Right) != negated;
        key << 1 | u128::from(right_moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sums::nim_sum;
    use cggames::game::ReverseAtomicWari;
    use cggames::game::impartial::{Impartial, PokerNim, PokerNimPosition};

    /// Checks that positions of Poker Nim are won as in Nim and never drawn, and returns their
    /// number.
    fn as_in_nim(rules: PokerNim, roots: Vec<PokerNimPosition>) -> usize {
        let control = Control::default();
        let found = endings(
            roots,
            Convention::Normal,
            &control,
            |_| None,
            |position, options| {
                options.extend(rules.options(position).into_iter().flatten());
                Ok(())
            },
        );
        let found = found.unwrap();
        for (position, ending) in &found {
            let expected = match nim_sum(position.sizes()) {
                0 => Ending::Loss,
                _ => Ending::Win,
            };
            assert_eq!(*ending, expected, "{position}");
        }
        found.len()
    }

    #[test]
    fn a_row_as_a_sum_ends_as_the_row_does() {
        let control = Control::default();
        let mut classes = std::collections::HashSet::new();
        for manner in Manner::ALL {
            let mut endings = Endings::new(manner);
            for left in ["44021", "143223", "111"] {
                for right in ["44021", "12"] {
                    let row = format!("{left}0{right}").parse().unwrap();
                    let position = ReverseAtomicWari.position(&row).unwrap();
                    let whole = endings.of(&ReverseAtomicWari, &position, &control).unwrap();
                    let sum = endings.of_sum(&ReverseAtomicWari, &position, &control);
                    assert_eq!(sum.unwrap(), whole, "{row}");
                    classes.insert(whole);
                }
            }
        }
        assert!(classes.len() >= 3);
    }

    #[test]
    fn bogus_heaps_have_the_nim_values_of_heaps() {
        for refill in [false, true] {
            let rules = PokerNim { refill };
            let mut roots = Vec::new();
            for a in 0..5 {
                for b in 0..5 {
                    for supplies in 0..16 {
                        let [mine, yours] = [supplies / 4, supplies % 4];
                        // Two heaps that may grow, and one such heap with a heap of Nim, which may
                        // not.
                        roots.push(PokerNimPosition::new([a, b], [], mine, yours));
                        roots.push(PokerNimPosition::new([a], [b], mine, yours));
                        roots.push(PokerNimPosition::new([a, b], [2], mine / 2, yours / 2));
                    }
                }
            }
            assert!(as_in_nim(rules, roots) > 1_000);
        }
    }

    #[test]
    fn poker_nim_can_go_on_for_ever() {
        // Adding twice and taking back twice returns to an earlier position.
        let rules = PokerNim { refill: false };
        let start = PokerNimPosition::new([1, 1], [], 1, 1);
        let step = |p: &PokerNimPosition, to: &str| {
            let options = rules.options(p).into_iter().flatten();
            options.into_iter().find(|o| o.to_string() == to).expect(to)
        };
        let once = step(&start, "2,1 supplies 1,0");
        let twice = step(&once, "2,2 supplies 0,0");
        let back = step(&step(&twice, "1,2 supplies 0,1"), "1,1 supplies 1,1");
        assert_eq!(back, start);
    }
}
