//! The search for a shortest row and move without an answer: rows are read pot by pot, together with the
//! open answers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use cggames::game::reading::{Pot, Reading, State};
use cggames::game::{Play, Player};

use super::candidate::{COUNTS_APART, Candidate, Own, Partner, partners, suffices};
use super::claims::{Answer, COUNTS_MAX, Claims, Occasion};
use crate::proof::bound::Linear;
use crate::proof::claim::{Claim, Step, Unproved, directions, within_row};
use crate::proof::rows::{Letter, Reader};

/// The greatest distance of a count from the sum of counts that it is compared with.
const LAG_MAX: i8 = 6;

/// The most open answers that may be held, per state allowed: 24 bytes each.
const ITEMS_MAX: usize = 16;

/// The progress of reading an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Item {
    candidate: u32,
    place: u32,
    state: Option<State>,
    lags: [i8; COUNTS_MAX],
}

/// A state of the row and its move, with all open answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    place: usize,
    state: Option<State>,
    /// The counts so far, capped at [`COUNTS_APART`] above their least.
    counts: [u32; COUNTS_MAX],
    items: usize,
}

pub(super) struct Search<'a> {
    reading: Reading,
    play: Play,
    answers: &'a [Answer],
    /// The integer that is negative if answers are needed.
    negative: Option<Linear>,
    reader: Reader,
    least: Vec<i64>,
    readers: Vec<Reader>,
    candidates: Vec<Candidate>,
    most: Pot,
    states_max: usize,
    /// The sets of items reached.
    sets: Vec<Rc<[Item]>>,
    /// The total number of items in them.
    items: usize,
    numbers: HashMap<Rc<[Item]>, usize>,
    /// Whether a set contains an answer if the row ends.
    answered: HashMap<(usize, [u32; COUNTS_MAX]), bool>,
    /// Whether a candidate's bound suffices.
    suffices: HashMap<(u32, [i8; COUNTS_MAX], [u32; COUNTS_MAX]), bool>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        claims: &Claims<'_>,
        claim: &Claim,
        first: Player,
        occasion: Occasion,
        answers: &'a [Answer],
    ) -> Search<'a> {
        let words = claim.rows.words();
        let mut readers = Vec::new();
        let mut candidates = Vec::new();
        let mut most = claim.rows.seeds_most();
        for other in claims.claims {
            let Some(bound) = other.bound(first) else {
                continue;
            };
            most = most.max(other.rows.seeds_most());
            let ways = partners(&bound, &other.rows.words(), &words);
            for (answer, _) in answers.iter().enumerate() {
                candidates.extend(ways.iter().map(|partners| Candidate {
                    answer,
                    reader: readers.len(),
                    bound: bound.clone(),
                    least: other.rows.least(),
                    partners: partners.clone(),
                }));
            }
            readers.push(other.rows.reader());
        }
        Search {
            reading: claims.reading,
            play: claims.play,
            answers,
            negative: occasion.negative,
            reader: claim.rows.reader(),
            least: claim.rows.least(),
            readers,
            candidates,
            most: most + 2,
            states_max: claims.states_max,
            sets: Vec::new(),
            items: 0,
            numbers: HashMap::new(),
            answered: HashMap::new(),
            suffices: HashMap::new(),
        }
    }

    pub(super) fn gap(&mut self, mover: Option<Player>) -> Result<Option<Vec<Step>>, Unproved> {
        let mut items: Vec<Item> = Vec::new();
        for (candidate, of) in self.candidates.iter().enumerate() {
            let by = self.answers[of.answer].by;
            items.extend(self.starts(by).into_iter().map(|state| Item {
                candidate: candidate as u32,
                place: 0,
                state,
                lags: [0; COUNTS_MAX],
            }));
        }
        // A row may begin later than its answers.
        let outside = self.reader.letters[0];
        for _ in 0..self.margin() {
            items = self.read(&items, outside, outside.pot);
        }
        let items = self.number(items);
        let mut nodes: Vec<(Node, usize, Step)> = Vec::new();
        let mut seen: HashSet<Node> = HashSet::new();
        let mut queue = VecDeque::new();
        for state in self.starts(mover) {
            let node = Node {
                place: 0,
                state,
                counts: [0; COUNTS_MAX],
                items,
            };
            queue.push_back(nodes.len());
            seen.insert(node);
            nodes.push((node, usize::MAX, Step::of(0)));
        }
        while let Some(at) = queue.pop_front() {
            let node = nodes[at].0;
            let is_end =
                self.reader.is_end(node.place) && matches!(node.state, None | Some(State::After));
            if is_end && !self.is_answered(node.items, node.counts) {
                let mut steps = Vec::new();
                let mut at = at;
                while nodes[at].1 != usize::MAX {
                    steps.push(nodes[at].2);
                    at = nodes[at].1;
                }
                steps.reverse();
                return Ok(Some(within_row(steps)));
            }
            for place in self.reader.next[node.place].clone() {
                let letter = self.reader.letters[place];
                let mut counts = node.counts;
                if let Some(count) = letter.counts {
                    counts[count] =
                        (counts[count] + 1).min(self.least[count] as u32 + COUNTS_APART);
                }
                let mut afters = Vec::new();
                match node.state {
                    None => afters.push((None, letter.pot)),
                    Some(state) => {
                        self.reading
                            .step(state, letter.pot, self.most, &mut |state, pot| {
                                afters.push((Some(state), pot));
                            })
                    }
                }
                for (state, pot) in afters {
                    let read = self.read(&self.sets[node.items], letter, pot);
                    let items = self.number(read);
                    let node = Node {
                        place,
                        state,
                        counts,
                        items,
                    };
                    if seen.insert(node) {
                        if nodes.len() == self.states_max
                            || self.items > ITEMS_MAX * self.states_max
                        {
                            return Err(Unproved::TooLarge(self.states_max));
                        }
                        queue.push_back(nodes.len());
                        let step = Step {
                            before: letter.pot,
                            after: pot,
                            within: letter.within,
                            counts: letter.counts,
                        };
                        nodes.push((node, at, step));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the states in which a move may begin, or the state without a move.
    fn starts(&self, mover: Option<Player>) -> Vec<Option<State>> {
        let Some(mover) = mover else {
            return vec![None];
        };
        directions(self.play, mover)
            .iter()
            .map(|&direction| Some(State::Before(direction)))
            .collect()
    }

    /// Returns how many pots beyond the ends of a row two moves can reach.
    fn margin(&self) -> usize {
        2 * usize::from(self.most)
    }

    /// Returns the items after a letter of the row; `pot` is in its place after the move.
    fn read(&self, items: &[Item], letter: Letter, pot: Pot) -> Vec<Item> {
        let mut after = Vec::new();
        for item in items {
            let candidate = &self.candidates[item.candidate as usize];
            let reader = &self.readers[candidate.reader];
            let mut lags = item.lags;
            if let Some(count) = letter.counts {
                for (lag, partner) in lags.iter_mut().zip(&candidate.partners) {
                    *lag -= i8::from(matches!(partner, Partner::Sum(set) if set >> count & 1 == 1));
                }
            }
            let mut enter = |state: Option<State>, pot: Pot| {
                for &place in &reader.next[item.place as usize] {
                    let other = reader.letters[place];
                    if other.pot != pot {
                        continue;
                    }
                    let mut lags = lags;
                    if let Some(count) = other.counts
                        && candidate.partners[count] != Partner::None
                    {
                        lags[count] += 1;
                    }
                    if lags.iter().all(|lag| lag.abs() <= LAG_MAX) {
                        after.push(Item {
                            place: place as u32,
                            state,
                            lags,
                            ..*item
                        });
                    }
                }
            };
            match item.state {
                None => enter(None, pot),
                Some(state) => self.reading.step(state, pot, self.most, &mut |state, pot| {
                    enter(Some(state), pot);
                }),
            }
        }
        after.sort_unstable();
        after.dedup();
        after
    }

    fn number(&mut self, items: Vec<Item>) -> usize {
        if let Some(&number) = self.numbers.get(&*items) {
            return number;
        }
        let number = self.sets.len();
        self.items += items.len();
        let items: Rc<[Item]> = items.into();
        self.sets.push(Rc::clone(&items));
        self.numbers.insert(items, number);
        number
    }

    /// Returns whether one of the items is an answer if the row ends here. The answer's own row may
    /// end later.
    fn is_answered(&mut self, number: usize, counts: [u32; COUNTS_MAX]) -> bool {
        if let Some(&is_answered) = self.answered.get(&(number, counts)) {
            return is_answered;
        }
        let outside = self.reader.letters[self.reader.letters.len() - 1];
        let mut items = self.sets[number].to_vec();
        let own = Own::of(&counts, &self.least, &[]);
        let negative = self.negative.as_ref().map(|negative| own.integer(negative));
        let is_needless = negative.is_some_and(|negative| negative.is_at_least(0, &own.region));
        let mut is_answered = is_needless || self.has_answer(&items, counts);
        for _ in 0..self.margin() {
            if is_answered {
                break;
            }
            items = self.read(&items, outside, outside.pot);
            is_answered = self.has_answer(&items, counts);
        }
        self.answered.insert((number, counts), is_answered);
        is_answered
    }

    fn has_answer(&mut self, items: &[Item], counts: [u32; COUNTS_MAX]) -> bool {
        items.iter().any(|item| {
            let candidate = &self.candidates[item.candidate as usize];
            let is_whole = self.readers[candidate.reader].is_end(item.place as usize)
                && matches!(item.state, None | Some(State::After));
            if !is_whole {
                return false;
            }
            let answer = &self.answers[candidate.answer];
            let key = (item.candidate, item.lags, counts);
            let suffices = || {
                let found = (&counts[..], &self.least[..]);
                suffices(candidate, answer, &item.lags, found, self.negative.as_ref())
            };
            *self.suffices.entry(key).or_insert_with(suffices)
        })
    }
}
