//! Who wins games whose play need not end, by working backwards from where it does.
//!
//! A position without options is lost for the player to move. A position with a lost option is won; one
//! of which all options are won is lost; what is neither, when nothing more follows, is a draw: each
//! player can keep the other from winning.
//!
//! Source: the method is in *Winning Ways*, chapter 12; here it is used for Poker Nim.

use std::collections::HashMap;
use std::hash::Hash;

/// Who wins under normal play, when nobody errs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move.
    Next,
    /// The player who has just moved.
    Previous,
    /// Nobody: play goes on for ever.
    Draw,
}

/// Returns the outcomes of all positions that can be reached from some, under normal play.
///
/// Cost: O(positions + moves) time and space.
///
/// ```
/// use seedbank::engine::sums::{Outcome, outcomes};
///
/// // From 2 to 1 or 3, from 3 back to 2, from 1 to 0, where play ends.
/// let options = |n: &u8| [vec![], vec![0], vec![1, 3], vec![2]][usize::from(*n)].clone();
/// let found = outcomes([2], options);
/// assert_eq!(found[&0], Outcome::Previous);
/// assert_eq!(found[&1], Outcome::Next);
/// assert_eq!((found[&2], found[&3]), (Outcome::Draw, Outcome::Draw));
/// ```
pub fn outcomes<P: Clone + Eq + Hash>(
    roots: impl IntoIterator<Item = P>,
    options: impl Fn(&P) -> Vec<P>,
) -> HashMap<P, Outcome> {
    let mut places: HashMap<P, usize> = HashMap::new();
    let mut positions: Vec<P> = Vec::new();
    let mut place_of = |position: P, positions: &mut Vec<P>| {
        *places.entry(position).or_insert_with_key(|position| {
            positions.push(position.clone());
            positions.len() - 1
        })
    };
    for root in roots {
        place_of(root, &mut positions);
    }
    // How many options are not known to be won, and from where a position can be reached.
    let mut unsettled: Vec<usize> = Vec::new();
    let mut before: Vec<Vec<usize>> = Vec::new();
    while unsettled.len() < positions.len() {
        let place = unsettled.len();
        let options = options(&positions[place]);
        unsettled.push(options.len());
        for option in options {
            let option = place_of(option, &mut positions);
            before.resize(positions.len().max(before.len()), Vec::new());
            before[option].push(place);
        }
    }
    before.resize(positions.len(), Vec::new());
    let mut found = vec![Outcome::Draw; positions.len()];
    let mut settled: Vec<usize> = Vec::new();
    for (place, &options) in unsettled.iter().enumerate() {
        if options == 0 {
            found[place] = Outcome::Previous;
            settled.push(place);
        }
    }
    while let Some(place) = settled.pop() {
        for &earlier in &before[place] {
            if found[earlier] != Outcome::Draw {
                continue;
            }
            unsettled[earlier] -= 1;
            if found[place] == Outcome::Previous {
                found[earlier] = Outcome::Next;
                settled.push(earlier);
            } else if unsettled[earlier] == 0 {
                found[earlier] = Outcome::Previous;
                settled.push(earlier);
            }
        }
    }
    positions.into_iter().zip(found).collect()
}

#[cfg(test)]
mod tests {
    use super::super::nim_sum;
    use super::*;
    use crate::game::impartial::{Impartial, PokerNim, PokerNimPosition};

    /// Checks that positions of Poker Nim are won as in Nim, none drawn, and returns how many there are.
    fn as_in_nim(rules: PokerNim, roots: Vec<PokerNimPosition>) -> usize {
        let options = |p: &PokerNimPosition| rules.options(p).into_iter().flatten().collect();
        let found = outcomes(roots, options);
        for (position, outcome) in &found {
            let lost = nim_sum(position.sizes()) == 0;
            let expected = if lost {
                Outcome::Previous
            } else {
                Outcome::Next
            };
            assert_eq!(*outcome, expected, "{position}");
        }
        found.len()
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
                        // Two heaps that may grow; and one, beside a heap of Nim that may not.
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
        // Adding, adding, and taking back twice leads to where one has been.
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
