//! Deterministic automata over pots.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::Hash;

use cggames::game::reading::{FULL, Pot};

use crate::proof::rows::{Reader, Rows};

/// The pots that a row can continue with beyond its ends.
const ENDS: [Pot; 2] = [0, FULL];

/// The minimal deterministic automaton of a language.
///
/// State 0 is the first. A transition that is missing rejects. Every state can be reached and, in a
/// language that is not empty, leads to an accepting one. The states are numbered by breadth-first
/// search, pots in increasing order. So two automata are equal if and only if their languages are.
///
/// Costs are in terms of the number n of states and the number a of different pots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    next: Vec<BTreeMap<Pot, usize>>,
    accepting: Vec<bool>,
}

impl Automaton {
    /// Returns the automaton of the words that stand for the rows of some families.
    pub fn of(families: &[Rows]) -> Automaton {
        let readers: Vec<Reader> = families.iter().map(Rows::reader).collect();
        // The last letter read; `None` before the first, which is a pot beyond the left end.
        let starts = (0..readers.len()).map(|family| (family, None));
        let next = |&(family, place): &(usize, Option<usize>)| {
            let reader = &readers[family];
            let places = place.map_or(&[0][..], |place| &reader.next[place]);
            let read = |&place: &usize| (reader.letters[place].pot, (family, Some(place)));
            places.iter().map(read).collect()
        };
        let accepts = |&(family, place): &(usize, Option<usize>)| {
            place.is_some_and(|place| readers[family].is_end(place))
        };
        Automaton::determinised(starts.collect(), next, accepts).stripped()
    }

    /// Returns the automaton of all words over some pots.
    pub fn all(pots: &[Pot]) -> Automaton {
        let again = pots.iter().map(|&pot| (pot, 0)).collect();
        Automaton {
            next: vec![again],
            accepting: vec![true],
        }
    }

    /// Returns the automaton of the words that a nondeterministic automaton accepts, by the subset
    /// construction (Rabin and Scott 1959). That automaton is given by its first states, the
    /// transitions from a state, and the accepting states. Up to 2^s sets for s states.
    pub fn determinised<S: Clone + Ord + Hash>(
        starts: BTreeSet<S>,
        next: impl Fn(&S) -> Vec<(Pot, S)>,
        accepts: impl Fn(&S) -> bool,
    ) -> Automaton {
        let next = |states: &BTreeSet<S>| {
            let mut after: BTreeMap<Pot, BTreeSet<S>> = BTreeMap::new();
            for (pot, state) in states.iter().flat_map(&next) {
                after.entry(pot).or_default().insert(state);
            }
            after
        };
        let accepts = |states: &BTreeSet<S>| states.iter().any(&accepts);
        Automaton::reachable(starts, next, accepts).minimised()
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// Returns the state after a pot, or `None` if no word continues like this.
    pub fn step(&self, state: usize, pot: Pot) -> Option<usize> {
        self.next[state].get(&pot).copied()
    }

    /// Returns the transitions from a state.
    pub fn transitions(&self, state: usize) -> impl Iterator<Item = (Pot, usize)> {
        self.next[state].iter().map(|(&pot, &to)| (pot, to))
    }

    /// Returns whether a state is accepting.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// Returns whether a word is in the language.
    pub fn accepts(&self, word: &[Pot]) -> bool {
        let last = word.iter().try_fold(0, |state, &pot| self.step(state, pot));
        last.is_some_and(|state| self.is_accepting(state))
    }

    /// Returns the most seeds of a pot that is not full, in any word.
    pub fn seeds_most(&self) -> Pot {
        let pots = self.next.iter().flat_map(BTreeMap::keys).copied();
        pots.filter(|&pot| pot != FULL).max().unwrap_or(0)
    }

    /// Returns whether there is no word.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }

    /// Returns the automaton of the words in at least one of two languages.
    pub fn union(&self, other: &Automaton) -> Automaton {
        self.product(other, |one, two| one || two)
    }

    /// Returns the automaton of the words in both of two languages.
    pub fn intersection(&self, other: &Automaton) -> Automaton {
        self.product(other, |one, two| one && two)
    }

    /// Returns the automaton of the words in this language and not in another one.
    pub fn difference(&self, other: &Automaton) -> Automaton {
        self.product(other, |one, two| one && !two)
    }

    /// Returns the automaton of all other words over some pots.
    pub fn complement(&self, pots: &[Pot]) -> Automaton {
        Automaton::all(pots).difference(self)
    }

    /// Returns the first of the shortest words in this language and not in another one; `None` if
    /// the other includes this one.
    pub fn first_outside(&self, other: &Automaton) -> Option<Vec<Pot>> {
        self.difference(other).first()
    }

    /// Returns the first of the shortest words, pots compared from left to right, by breadth-first
    /// search. O(n a) steps.
    pub fn first(&self) -> Option<Vec<Pot>> {
        let mut seen = vec![false; self.states()];
        seen[0] = true;
        let mut queue = VecDeque::from([(0, Vec::new())]);
        while let Some((state, word)) = queue.pop_front() {
            if self.is_accepting(state) {
                return Some(word);
            }
            for (pot, to) in self.transitions(state) {
                if !seen[to] {
                    seen[to] = true;
                    queue.push_back((to, [&word[..], &[pot]].concat()));
                }
            }
        }
        None
    }

    /// Returns the automaton of all words that stand for a row of this language. A word may have
    /// more pots beyond the ends than others for the same row; here all such words are added that
    /// are shorter. Words whose first or last pot cannot be beyond an end stand for no row.
    pub fn stripped(&self) -> Automaton {
        // A state of this automaton, and the pot that led there; `None` before the first pot.
        let next = |&(state, last): &(usize, Option<Pot>)| {
            let firsts = ENDS.iter().flat_map(|&end| {
                let after = move |from| Some((end, (self.step(from, end)?, Some(end))));
                self.repeated(state, end).into_iter().filter_map(after)
            });
            let others = self
                .transitions(state)
                .map(|(pot, to)| (pot, (to, Some(pot))));
            match last {
                None => firsts.collect(),
                Some(_) => others.collect(),
            }
        };
        let accepts = |&(state, last): &(usize, Option<Pot>)| {
            let end = last.filter(|last| ENDS.contains(last));
            end.is_some_and(|end| {
                let mut after = self.repeated(state, end).into_iter();
                after.any(|state| self.is_accepting(state))
            })
        };
        Automaton::determinised([(0, None)].into(), next, accepts)
    }

    /// Returns the states that a pot leads to from a state, read any number of times.
    fn repeated(&self, state: usize, pot: Pot) -> Vec<usize> {
        let mut states = vec![state];
        let mut last = state;
        while let Some(next) = self.step(last, pot)
            && !states.contains(&next)
        {
            states.push(next);
            last = next;
        }
        states
    }

    /// Returns the automaton of the words for which a property of their membership in two languages
    /// holds; words in neither may not have it. O(n m) pairs of states, m those of the other.
    fn product(&self, other: &Automaton, holds: impl Fn(bool, bool) -> bool) -> Automaton {
        type Pair = (Option<usize>, Option<usize>);
        let pots = |automaton: &Automaton, state: Option<usize>| -> BTreeSet<Pot> {
            let keys = state.map(|state| automaton.next[state].keys().copied());
            keys.into_iter().flatten().collect()
        };
        let next = |&(one, two): &Pair| {
            let pots = &pots(self, one) | &pots(other, two);
            let after = pots.into_iter().map(|pot| {
                let one = one.and_then(|state| self.step(state, pot));
                let two = two.and_then(|state| other.step(state, pot));
                (pot, (one, two))
            });
            after.collect()
        };
        let accepts = |&(one, two): &Pair| {
            holds(
                one.is_some_and(|state| self.is_accepting(state)),
                two.is_some_and(|state| other.is_accepting(state)),
            )
        };
        Automaton::reachable((Some(0), Some(0)), next, accepts).minimised()
    }

    /// Returns a deterministic automaton that need not be minimal, from its first state, the
    /// transitions from a state, and the accepting states.
    fn reachable<S: Clone + Eq + Hash>(
        start: S,
        next: impl Fn(&S) -> BTreeMap<Pot, S>,
        accepts: impl Fn(&S) -> bool,
    ) -> Automaton {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut automaton = Automaton {
            next: Vec::new(),
            accepting: Vec::new(),
        };
        while let Some(state) = states.get(automaton.states()).cloned() {
            let after = next(&state).into_iter().map(|(pot, state)| {
                let number = *numbers.entry(state.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(state);
                }
                (pot, number)
            });
            automaton.next.push(after.collect());
            automaton.accepting.push(accepts(&state));
        }
        automaton
    }

    /// Returns the minimal automaton of the same language, by refining a partition of the states
    /// (Moore 1956): two states are equivalent if both or neither accept, and each pot leads from
    /// both to equivalent states. At most n rounds of O(n a) steps. Hopcroft's algorithm (1971)
    /// takes O(n a log n).
    fn minimised(&self) -> Automaton {
        let is_live = self.live();
        let next = |state: usize| self.transitions(state).filter(|&(_, to)| is_live[to]);
        let mut classes: Vec<usize> = self.accepting.iter().map(|&is| usize::from(is)).collect();
        let mut count = 0;
        // The first state of each class.
        let mut firsts: Vec<usize> = Vec::new();
        while count < firsts.len() || count == 0 {
            count = firsts.len();
            firsts.clear();
            let mut numbers = HashMap::new();
            let refined = (0..self.states()).map(|state| {
                let after: Vec<_> = next(state).map(|(pot, to)| (pot, classes[to])).collect();
                *numbers.entry((classes[state], after)).or_insert_with(|| {
                    firsts.push(state);
                    firsts.len() - 1
                })
            });
            classes = refined.collect();
        }
        let next = |&class: &usize| {
            let after = next(firsts[class]);
            after.map(|(pot, to)| (pot, classes[to])).collect()
        };
        let accepts = |&class: &usize| self.is_accepting(firsts[class]);
        Automaton::reachable(classes[0], next, accepts)
    }

    /// Returns for each state whether it leads to an accepting one. At most n rounds of O(n a)
    /// steps.
    fn live(&self) -> Vec<bool> {
        let mut is_live = self.accepting.clone();
        loop {
            let is_newly_live = |&state: &usize| {
                !is_live[state] && self.transitions(state).any(|(_, to)| is_live[to])
            };
            let more: Vec<usize> = (0..self.states()).filter(is_newly_live).collect();
            if more.is_empty() {
                return is_live;
            }
            more.into_iter().for_each(|state| is_live[state] = true);
        }
    }
}
