//! The check of a proof: whether every move from the rows of a claim has an answer among the
//! claims.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use super::bound::{Counts, Linear, Value};
use super::claim::{Claim, Gap, Step, Unproved, directions, within_row};
use super::rows::{Letter, Reader};
use crate::game::reading::{Pot, Reading, State};
use crate::game::{Play, Player};

/// The greatest distance of a count from the sum of counts that it is compared with.
const LAG_MAX: i8 = 6;
/// Counts of a row that exceed their least by this or more are not distinguished.
const COUNTS_APART: u32 = 2;
/// The default of the most states that the check of one claim may reach.
pub const STATES_MAX: usize = 1_000_000;

/// The most open answers that may be held, per state allowed: 24 bytes each.
const ITEMS_MAX: usize = 16;

/// The most counts of a family.
pub const COUNTS_MAX: usize = 6;

/// Claims to check together.
pub struct Claims<'a> {
    /// How the game's moves are read.
    pub reading: Reading,
    /// The way of playing.
    pub play: Play,
    /// The claims.
    pub claims: &'a [Claim],
    /// The most states that a check may reach.
    pub states_max: usize,
}

impl Claims<'_> {
    /// Checks one side of a claim; the claims for the followers of its rows are all those given.
    pub fn check(&self, index: usize, first: Player) -> Result<(), Unproved> {
        let claim = &self.claims[index];
        let Some(bound) = claim.bound(first) else {
            return Ok(());
        };
        if claim.rows.has_full_pots() && !self.reading.has_full_pots() {
            return Err(Unproved::FullPots);
        }
        let second = first.opponent();
        let answers = [
            Answer {
                by: None,
                bound: bound.clone(),
            },
            Answer {
                by: Some(second),
                bound: bound.clone(),
            },
        ];
        let everywhere = Occasion {
            mover: Some(first),
            negative: None,
        };
        if let Some(steps) = self.gap(claim, first, everywhere, &answers)? {
            return Err(Unproved::Gap(Gap {
                first,
                steps,
                option: None,
            }));
        }
        let counts = Counts {
            least: claim.rows.least(),
            negative: None,
        };
        let (options, negative) = bound.right_options(&counts);
        for option in options {
            let occasion = Occasion {
                mover: None,
                negative: negative.clone(),
            };
            let answers = [Answer {
                by: Some(second),
                bound: option.clone(),
            }];
            if let Some(steps) = self.gap(claim, first, occasion, &answers)? {
                return Err(Unproved::Gap(Gap {
                    first,
                    steps,
                    option: Some(option),
                }));
            }
        }
        Ok(())
    }

    /// Returns a shortest row, with a move if there is one, that has none of the answers.
    fn gap(
        &self,
        claim: &Claim,
        first: Player,
        occasion: Occasion,
        answers: &[Answer],
    ) -> Result<Option<Vec<Step>>, Unproved> {
        let mover = occasion.mover;
        Search::new(self, claim, first, occasion, answers).gap(mover)
    }
}

/// A situation that needs an answer.
struct Occasion {
    /// The player who moved in the row; `None` if the move was in the bound.
    mover: Option<Player>,
    /// The integer that is negative if the move is possible.
    negative: Option<Linear>,
}

/// An answer to a move: the row after it, or after a further move, is in a claim with a sufficient
/// bound.
struct Answer {
    /// The player who makes the further move.
    by: Option<Player>,
    /// The target: the claim's bound must be less than or confused with it or, after a further
    /// move, at most equal to it.
    bound: Value,
}

/// The sum that a count of an answering claim is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Partner {
    /// None: the count may be anything from its least on.
    None,
    /// The sum of the counts in this set; the distance from it is tracked.
    Sum(u32),
}

/// An answering claim being sought.
struct Candidate {
    answer: usize,
    reader: usize,
    bound: Value,
    least: Vec<i64>,
    partners: Vec<Partner>,
}

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

struct Search<'a> {
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
    fn new(
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

    fn gap(&mut self, mover: Option<Player>) -> Result<Option<Vec<Step>>, Unproved> {
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

/// The counts of a row at its end; those not far above their least are known exactly.
struct Own {
    counts: Vec<Linear>,
    region: Counts,
}

impl Own {
    /// Returns the counts found, as integers in terms of themselves and of others whose least
    /// values are given.
    fn of(found: &[u32], least: &[i64], others: &[i64]) -> Own {
        let all = least.len() + others.len();
        let found: Vec<i64> = found[..least.len()]
            .iter()
            .map(|&count| count.into())
            .collect();
        let counts = found.iter().zip(least).enumerate();
        let counts =
            counts.map(
                |(count, (&found, least))| match found < least + i64::from(COUNTS_APART) {
                    true => Linear::constant(found, all),
                    false => Linear::count(count, all),
                },
            );
        Own {
            counts: counts.collect(),
            region: Counts {
                least: [&found[..], others].concat(),
                negative: None,
            },
        }
    }

    /// Returns an integer in terms of the row's counts.
    fn integer(&self, integer: &Linear) -> Linear {
        integer.with(&self.counts, self.region.least.len())
    }
}

/// Returns whether a candidate's bound suffices for all counts of the claim and of the candidate.
/// Some of the latter are sums of counts of the claim, plus lags.
fn suffices(
    candidate: &Candidate,
    answer: &Answer,
    lags: &[i8],
    (found, least): (&[u32], &[i64]),
    negative: Option<&Linear>,
) -> bool {
    let free = candidate.partners.iter().zip(&candidate.least);
    let free = free.filter(|(partner, _)| **partner == Partner::None);
    let free: Vec<i64> = free.map(|(_, least)| *least).collect();
    let mut own = Own::of(found, least, &free);
    own.region.negative = negative.map(|negative| own.integer(negative));
    let all = own.region.least.len();
    let mut free = least.len()..all;
    let theirs = candidate.partners.iter().zip(lags);
    let theirs = theirs.map(|(partner, lag)| match partner {
        Partner::None => Linear::count(free.next().unwrap_or(0), all),
        Partner::Sum(set) => own.counts.iter().enumerate().fold(
            Linear::constant(i64::from(*lag), all),
            |sum, (count, linear)| sum.plus(i64::from(set >> count & 1), linear),
        ),
    });
    let theirs: Vec<Linear> = theirs.collect();
    let bound = candidate.bound.with(&theirs, all);
    let target = answer.bound.with(&own.counts, all);
    match answer.by {
        None => bound.is_less_or_confused(&target, &own.region),
        Some(_) => bound.is_at_most(&target, &own.region),
    }
}

/// Returns all ways to compare the counts that a bound depends on with sums of counts of other
/// rows. Two counts are comparable if their words are equal up to rotation.
fn partners(bound: &Value, own: &[&[Pot]], others: &[&[Pot]]) -> Vec<Vec<Partner>> {
    let mut ways = vec![Vec::new()];
    for (count, word) in own.iter().enumerate() {
        let mut partners = vec![Partner::None];
        if bound.depends_on(count) {
            let alike = others
                .iter()
                .enumerate()
                .filter(|(_, other)| is_rotation(word, other));
            let mut sets = vec![0u32];
            for (other, _) in alike {
                let more: Vec<u32> = sets.iter().map(|set| set | 1 << other).collect();
                sets.extend(more);
            }
            partners.extend(sets.into_iter().map(Partner::Sum));
        }
        ways = ways
            .iter()
            .flat_map(|way| {
                partners
                    .iter()
                    .map(|&partner| [&way[..], &[partner]].concat())
            })
            .collect();
    }
    ways
}

fn is_rotation(word: &[Pot], other: &[Pot]) -> bool {
    word.len() == other.len()
        && (0..word.len()).any(|at| [&word[at..], &word[..at]].concat() == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{Relation, Written};
    use crate::value::Arena;

    fn written(rows: &str, least: &[(char, i64)], relation: Relation, value: &str) -> Written {
        Written {
            rows: rows.to_owned(),
            least: least.iter().copied().collect(),
            relation,
            value: value.to_owned(),
        }
    }

    /// Returns the first claim that has a move without an answer, and that move.
    fn gap(reading: Reading, play: Play, written: &[Written]) -> Option<(usize, String)> {
        let arena = Arena::new();
        let claims: Vec<Claim> = (written.iter())
            .map(|written| written.claim(&mut arena.calculator()).unwrap())
            .collect();
        let all = Claims {
            reading,
            play,
            claims: &claims,
            states_max: STATES_MAX,
        };
        (0..claims.len()).find_map(|at| {
            let mut firsts = claims[at].firsts();
            let why = firsts.find_map(|first| all.check(at, first).err());
            Some((at, why?.to_string()))
        })
    }

    /// Theorems 2.2 and 2.3, with the moves named in Erickson's proofs.
    fn erickson() -> Vec<Written> {
        use Relation::{AtLeast, Is};
        vec![
            written("(10)^m 03 (01)^n", &[], Is, "0"),
            written("(10)^m 0220 (01)^n", &[], AtLeast, "0"),
            written("(01)^m 2 (01)^n", &[('m', 1)], Is, "n+1"),
            written("2 (01)^n", &[('n', 1)], Is, "n+1"),
        ]
    }

    #[test]
    fn erickson_s_proofs_are_proofs() {
        let all = erickson();
        assert_eq!(gap(Reading::Sowing, Play::Partisan, &all), None);
        for at in 0..2 {
            let mut others = all.clone();
            others.remove(at);
            assert!(
                gap(Reading::Sowing, Play::Partisan, &others).is_some(),
                "{at}"
            );
        }
    }

    #[test]
    fn wrong_claims_have_a_shortest_row_without_an_answer() {
        use Relation::{AtMost, Is};
        let of_one = |claim| gap(Reading::Sowing, Play::Partisan, &[claim]);
        let (_, why) = of_one(written("(10)^m 03 (01)^n", &[], Is, "0")).unwrap();
        assert_eq!(
            why,
            "no answer among the claims to Right's move 1003 -> 2110"
        );
        // 13 has a move for Left.
        let (_, why) = of_one(written("(10)^m 13 (01)^n", &[], AtMost, "0")).unwrap();
        assert_eq!(why, "no answer among the claims to Left's move 13 -> 04");
        // No player can move in it, so it is 0 and not 1.
        let (_, why) = of_one(written("3 (01)^n", &[], Is, "1")).unwrap();
        assert_eq!(
            why,
            "at 3 there is no answer among the claims to Right's move in the value"
        );
    }

    /// 11 = 0 in Atomic Wari, where neither pot has a move; 2 = *.
    #[test]
    fn captures_are_moves() {
        let claims = [
            written("1^m 2 1^n", &[], Relation::Is, "*"),
            written("1^m 0 1^n", &[], Relation::Is, "0"),
        ];
        assert_eq!(gap(Reading::AtomicWari, Play::Partisan, &claims), None);
        assert_eq!(gap(Reading::AtomicWari, Play::Impartial, &claims), None);
        let wrong = [
            written("1^m 2 1^n", &[], Relation::Is, "0"),
            claims[1].clone(),
        ];
        assert!(gap(Reading::AtomicWari, Play::Impartial, &wrong).is_some());
    }

    /// Full pots, both written and endless, take part in moves but never begin one.
    #[test]
    fn full_pots_are_landed_in() {
        let claims = [
            written("1 e", &[], Relation::Is, "1"),
            written("0^n e", &[], Relation::Is, "0"),
            written("1 e...", &[], Relation::Is, "1"),
            written("0 e...", &[], Relation::Is, "0"),
        ];
        assert_eq!(gap(Reading::Sowing, Play::Partisan, &claims), None);
        let (_, why) = gap(Reading::AtomicWari, Play::Partisan, &claims).unwrap();
        assert_eq!(why, "the game has no full pots");
    }
}
