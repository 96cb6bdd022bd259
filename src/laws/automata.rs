//! Laws of rows: finite automata that read a row of pots and output the number of its value.
//!
//! The automaton is learned from the rows of few pots, by the method of Trakhtenbrot and Barzdin:
//! two rows lead to the same state if no known continuation distinguishes them. The automaton must
//! then give the output of every longer row. It must also save [bits](super::bits): the bits of the
//! rows, each costed by the frequency of its output, minus the bits of the automaton. At most one
//! random table in 2^b has a law that saves b bits; of 150,000 random and shuffled tables of up to
//! 8 pots none had a law.
//!
//! An automaton that is found ignores empty pots at the ends of a row. Nothing here knows a game.
//!
//! Source: Trakhtenbrot and Barzdin, *Finite Automata: Behavior and Synthesis*, North-Holland 1973.

use std::collections::{BTreeMap, HashMap};

use super::bits::{BITS_LEAST, by_frequency};
use super::row_classes::{rows_of, words};
use super::sought::Sought;

pub use super::row_classes::RowClasses;

/// The least length, in pots, of the longest rows that an automaton is learned from.
const LEARNED_LEAST: usize = 3;

/// A finite automaton that reads rows from left to right, starting in state 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The next state, by state and by the seeds of the pot read.
    pub next: Vec<Vec<usize>>,
    /// The output of a row that ends in each state.
    pub outputs: Vec<u32>,
}

/// An automaton that agrees with all known rows.
///
/// If all outputs equal those of the mirror images, a row and its mirror image count once.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsLaw {
    /// The least automaton that agrees with these rows, except perhaps if rows are unknown.
    pub automaton: Automaton,
    /// The number of rows that it gives.
    pub rows: usize,
    /// The number of them that it was not learned from.
    pub tested: usize,
    /// The length, in pots, of the longest rows that it was learned from.
    pub pots_learned: usize,
    /// The length, in pots, of the longest rows.
    pub pots_max: usize,
    /// The bits that it saves.
    pub bits: f64,
}

impl Automaton {
    /// Returns the output of a row; `None` if a pot holds more seeds than any that it was learned
    /// from.
    pub fn output(&self, pots: &[u8]) -> Option<u32> {
        let mut state = 0;
        for &pot in pots {
            state = *self.next[state].get(usize::from(pot))?;
        }
        Some(self.outputs[state])
    }

    /// Returns the unknown rows with their outputs, without end, ordered by pots, then seeds, then
    /// lexicographically.
    ///
    /// Cost: O(pots) a row, known rows included.
    pub fn predictions<'a>(
        &'a self,
        rows: &'a RowClasses,
    ) -> impl Iterator<Item = (Vec<u8>, u32)> + 'a {
        let most = self.next[0].len().saturating_sub(1);
        let pots_max = if most == 0 { 0 } else { usize::MAX };
        (0..=pots_max)
            .flat_map(move |pots| (0..=pots * most).map(move |seeds| (pots, seeds)))
            .flat_map(move |(pots, seeds)| rows_of(pots, seeds, most as u8))
            .filter(|pots| rows.class(pots).is_none())
            .filter_map(|pots| self.output(&pots).map(|output| (pots, output)))
    }

    /// Returns the least automaton with the same outputs; its states are in the order in which they
    /// are first reached.
    ///
    /// Cost: O(states^2 symbols) by Moore's partition refinement.
    pub(super) fn minimal(&self) -> Automaton {
        let (mut blocks, mut count) = numbered(self.outputs.iter());
        loop {
            let behaviour = self.next.iter().zip(&blocks).map(|(next, block)| {
                let next: Vec<usize> = next.iter().map(|&state| blocks[state]).collect();
                (block, next)
            });
            let (finer, finer_count) = numbered(behaviour);
            if finer_count == count {
                break;
            }
            (blocks, count) = (finer, finer_count);
        }
        let (mut states, mut numbers) = (vec![0], HashMap::from([(blocks[0], 0)]));
        let mut next: Vec<Vec<usize>> = Vec::new();
        while let Some(&state) = states.get(next.len()) {
            let each = self.next[state].iter().map(|&to| {
                *numbers.entry(blocks[to]).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                })
            });
            next.push(each.collect());
        }
        let outputs = states.iter().map(|&state| self.outputs[state]).collect();
        Automaton { next, outputs }
    }

    /// Returns whether empty pots at the ends never change the output.
    fn ignores_empty_ends(&self) -> bool {
        let mut states = self.next.iter().zip(&self.outputs);
        self.next[0][0] == 0 && states.all(|(next, output)| self.outputs[next[0]] == *output)
    }
}

/// Returns the least automaton that gives the outputs of all rows; `output` maps classes to
/// outputs.
///
/// The automaton is learned from the rows of at most two thirds of the pots, and tested on all
/// longer ones. If that fails, it is learned from rows of one more pot, and so on; the longest rows
/// always remain for the test. At least half of the rows must be known. Rows that all have the same
/// output have no law: it would save no bits.
///
/// Cost: O(states symbols rows) lookups for each number of pots, where rows are those learned from.
/// The search gives up once an automaton takes more bits than it could save. PERF: with rows of at
/// most 10 pots of at most 2 seeds, it took 15 to 45 ms if there was a law, and 60 to 110 ms with
/// random outputs.
///
/// ```
/// use cglaws::Sought;
/// use cglaws::automata::{RowClasses, automaton};
///
/// // The class of a row is its number of seeds; the output says whether that is even.
/// let mut rows = RowClasses::new(2, 8);
/// for n in 0..256u32 {
///     let pots: Vec<u8> = (0..8).map(|i| (n >> i & 1) as u8).collect();
///     rows.insert(&pots, n.count_ones());
/// }
/// let Sought::Found(law) = automaton(&rows, |seeds| seeds % 2) else { panic!("none") };
/// assert_eq!(law.automaton.next, [[0, 1], [1, 0]]);
/// assert_eq!(law.automaton.output(&[1, 1, 0, 1, 0, 0, 0, 0, 1]), Some(0));
/// assert_eq!(law.automaton.predictions(&rows).next(), Some((vec![1, 0, 0, 0, 0, 0, 0, 0, 1], 0)));
/// ```
pub fn automaton(rows: &RowClasses, output: impl Fn(u32) -> u32) -> Sought<RowsLaw> {
    let mut sought = Sought::None;
    if !rows.are_mostly_known() {
        return sought;
    }
    let rows = rows.with_outputs(output);
    let (known, is_counted) = (rows.known(), rows.is_counted());
    let counted = known.iter().filter(|(pots, _)| is_counted(pots));
    let counted: Vec<(&[u8], u32)> = counted.copied().collect();
    let mut frequencies: BTreeMap<u32, usize> = BTreeMap::new();
    for (_, output) in &counted {
        *frequencies.entry(*output).or_default() += 1;
    }
    let costs = by_frequency(frequencies.values().copied());
    let costs: HashMap<u32, f64> = frequencies.keys().copied().zip(costs).collect();
    let cost = |rows: &[(&[u8], u32)]| rows.iter().map(|(_, output)| costs[output]).sum::<f64>();
    let given = cost(&counted);
    if given < BITS_LEAST {
        return sought;
    }
    let code = Code::new(frequencies.len());
    for pots_learned in (2 * rows.pots_max / 3).max(LEARNED_LEAST)..rows.pots_max {
        let Some(automaton) = learned(&rows, pots_learned, code.clone(), given - BITS_LEAST) else {
            continue;
        };
        let is_wrong = |row: &&(&[u8], u32)| automaton.output(row.0) != Some(row.1);
        let wrong = known.iter().find(is_wrong).map(|(pots, _)| pots.len());
        let learned = counted.partition_point(|(pots, _)| pots.len() <= pots_learned);
        let bits = match wrong {
            Some(pots) if pots <= pots_learned => continue,
            Some(_) => cost(&counted[..learned]),
            None => given,
        } - code.clone().bits_of(&automaton);
        if bits < BITS_LEAST || learned == counted.len() {
            continue;
        }
        let law = RowsLaw {
            automaton,
            rows: counted.len(),
            tested: counted.len() - learned,
            pots_learned,
            pots_max: rows.pots_max,
            bits,
        };
        if wrong.is_none() {
            return Sought::Found(law);
        }
        sought = Sought::Failed(law);
    }
    sought
}

/// The bits of an automaton, written transition by transition in the order of the states.
///
/// A state costs fewer bits the more transitions have led to it, as in Laplace's rule of
/// succession. A state that is reached for the first time gets the next number, and its output
/// follows. An empty pot preserves the output, and state 0; these facts cost nothing.
///
/// With states * symbols * log2(states) bits instead, `(10)*3(01)*` on rows of at most 8 pots of at
/// most 3 seeds would be no law: most of its transitions lead to the state of all other rows.
#[derive(Clone)]
struct Code {
    output_bits: f64,
    /// The number of transitions written so far to each state, plus one.
    weights: Vec<f64>,
    bits: f64,
}

impl Code {
    fn new(outputs: usize) -> Code {
        let output_bits = (outputs as f64).log2();
        Code {
            output_bits,
            weights: vec![1.0],
            bits: output_bits,
        }
    }

    fn add(
        &mut self,
        (state, pot): (usize, usize),
        to: usize,
        output: impl Fn(usize) -> Option<u32>,
    ) {
        if (state, pot) == (0, 0) {
            return;
        }
        let may_follow = |next: usize| pot > 0 || output(next) == output(state);
        let weights = self.weights.iter().enumerate();
        let weights = weights.filter(|(next, _)| may_follow(*next));
        let all = 1.0 + weights.map(|(_, weight)| weight).sum::<f64>();
        self.bits += all.log2();
        match self.weights.get_mut(to) {
            Some(weight) => {
                self.bits -= weight.log2();
                *weight += 1.0;
            }
            None => {
                self.weights.push(1.0);
                self.bits += if pot > 0 { self.output_bits } else { 0.0 };
            }
        }
    }

    fn bits_of(mut self, automaton: &Automaton) -> f64 {
        for (state, next) in automaton.next.iter().enumerate() {
            for (pot, &to) in next.iter().enumerate() {
                self.add((state, pot), to, |state| Some(automaton.outputs[state]));
            }
        }
        self.bits
    }
}

/// Returns the automaton of the rows of at most some pots, unless it takes more bits.
///
/// Suppose that an automaton gives all rows, reaches each state within d pots, and distinguishes
/// any two states by a continuation of at most e pots. Then d + 1 + e pots are enough to learn it.
/// With fewer pots, or with unknown rows, the result may be wrong even for these.
fn learned(rows: &RowClasses, pots_max: usize, mut code: Code, bits_max: f64) -> Option<Automaton> {
    // A continuation with empty ends distinguishes nothing that a shorter one does not.
    let ends: Vec<Vec<u8>> = (0..=pots_max)
        .flat_map(|pots| words(rows.symbols, pots))
        .filter(|pots| pots.last() != Some(&0))
        .collect();
    // The known outputs of a row with each continuation.
    let behaviour = |begin: &[u8]| -> Vec<Option<u32>> {
        let left = pots_max.saturating_sub(begin.len());
        let ends = ends.iter().take_while(|end| end.len() <= left);
        let mut row = begin.to_vec();
        ends.map(|end| {
            row.truncate(begin.len());
            row.extend(end);
            rows.class(&row)
        })
        .collect()
    };
    let agree = |(a, b): (&Option<u32>, &Option<u32>)| a == b || a.is_none() || b.is_none();
    let mut states: Vec<(Vec<u8>, Vec<Option<u32>>)> = vec![(Vec::new(), behaviour(&[]))];
    let mut next: Vec<Vec<usize>> = Vec::new();
    while next.len() < states.len() {
        let mut begin = states[next.len()].0.clone();
        let mut to = Vec::with_capacity(rows.symbols);
        for pot in 0..rows.symbols {
            begin.push(pot as u8);
            let found = behaviour(&begin);
            let same =
                |(_, state): &(Vec<u8>, Vec<Option<u32>>)| state.iter().zip(&found).all(agree);
            match states.iter().position(same) {
                Some(state) => {
                    let known = states[state].1.iter_mut().zip(found);
                    known.for_each(|(known, found)| *known = known.or(found));
                    to.push(state);
                }
                None => {
                    to.push(states.len());
                    states.push((begin.clone(), found));
                }
            }
            begin.pop();
        }
        for (pot, &to) in to.iter().enumerate() {
            code.add((next.len(), pot), to, |state| states[state].1[0]);
        }
        next.push(to);
        if code.bits > bits_max {
            return None;
        }
    }
    // No known row ends in a state without an output.
    let first = states[0].1[0].unwrap_or(0);
    let outputs = states.iter().map(|(_, known)| known[0].unwrap_or(first));
    let outputs = outputs.collect();
    let automaton = Automaton { next, outputs }.minimal();
    automaton.ignores_empty_ends().then_some(automaton)
}

/// Numbers keys, equal keys equally, and returns the numbers and how many there are.
fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> (Vec<usize>, usize) {
    let mut numbers: BTreeMap<K, usize> = BTreeMap::new();
    let numbers_of = keys.map(|key| {
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    });
    (numbers_of.collect(), numbers.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::row_classes::without_empty_ends;

    type Rule = fn(&[u8]) -> u32;

    fn seeds(pots: &[u8]) -> u32 {
        pots.iter().map(|&pot| u32::from(pot)).sum()
    }

    /// Symbols, pots of the longest rows, and rules: an even number of seeds; 1(01)*; seeds modulo
    /// 3; neighbours 12 or 21.
    const RULES: [(usize, usize, Rule); 4] = [
        (2, 8, |pots| u32::from(seeds(pots).is_multiple_of(2))),
        (2, 11, |pots| {
            let mut pots = without_empty_ends(pots).iter().enumerate();
            u32::from(pots.len() > 0 && pots.all(|(i, &pot)| usize::from(pot) == (i + 1) % 2))
        }),
        (3, 7, |pots| seeds(pots) % 3),
        (3, 8, |pots| {
            u32::from(pots.windows(2).any(|pair| pair == [1, 2] || pair == [2, 1]))
        }),
    ];

    fn rows(symbols: usize, pots_max: usize, class: impl Fn(&[u8]) -> u32) -> RowClasses {
        let mut rows = RowClasses::new(symbols, pots_max);
        words(symbols, pots_max).for_each(|pots| rows.insert(&pots, class(&pots)));
        rows
    }

    fn found(rows: &RowClasses) -> Option<RowsLaw> {
        match automaton(rows, |class| class) {
            Sought::Found(law) => Some(law),
            _ => None,
        }
    }

    #[test]
    fn automata_are_the_least_and_hold_on_longer_rows() {
        for (symbols, pots_max, rule) in RULES {
            let law = found(&rows(symbols, pots_max, rule)).unwrap();
            assert_eq!(
                (law.pots_learned, law.pots_max),
                (2 * pots_max / 3, pots_max)
            );
            // All words of at most 5 pots, classified by their outputs with at most 4 more pots.
            let short: Vec<Vec<u8>> = (0..=5).flat_map(|pots| words(symbols, pots)).collect();
            let behaviour = |begin: &Vec<u8>| -> Vec<u32> {
                let ends = short.iter().filter(|end| end.len() < 5);
                ends.map(|end| rule(&[&begin[..], end].concat())).collect()
            };
            let states: HashSet<Vec<u32>> = short.iter().map(behaviour).collect();
            assert_eq!(law.automaton.outputs.len(), states.len());
            for pots in words(symbols, if symbols == 2 { 12 } else { 10 }) {
                assert_eq!(law.automaton.output(&pots), Some(rule(&pots)), "{pots:?}");
            }
        }
    }

    #[test]
    fn found_automata_are_those_by_hand() {
        let law =
            |place: usize| found(&rows(RULES[place].0, RULES[place].1, RULES[place].2)).unwrap();
        assert_eq!(law(0).automaton.next, [[0, 1], [1, 0]]);
        assert_eq!(law(0).automaton.outputs, [1, 0]);
        assert_eq!(law(2).automaton.next, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
        // Of n >= 2 pots there are 2^(n-2) rows, and 2^((n-1)/2) of them, rounded down, are their
        // own mirror images: up to mirror images 1, 1, 1, 2, 3, 6, 10, 20, 36 rows of 0 to 8 pots.
        assert_eq!((law(0).rows, law(0).tested), (80, 66));
        assert_eq!(law(0).automaton.output(&[1, 2]), None);
    }

    #[test]
    fn a_law_that_fails_on_the_longest_rows_has_failed() {
        for (symbols, pots_max, rule) in RULES {
            let longest =
                |pots: &[u8]| without_empty_ends(pots).len() == pots_max && seeds(pots) == 5;
            let rows = rows(symbols, pots_max, |pots| {
                rule(pots) + u32::from(longest(pots))
            });
            assert!(matches!(automaton(&rows, |class| class), Sought::Failed(_)));
        }
    }

    #[test]
    fn a_few_unknown_rows_lead_to_no_wrong_law() {
        let mut generator = fastrand::Rng::with_seed(2);
        let mut laws = 0;
        for (symbols, pots_max, rule) in RULES.into_iter().cycle().take(20) {
            let mut few_unknown = RowClasses::new(symbols, pots_max);
            let mut few_known = few_unknown.clone();
            for (pots, class) in rows(symbols, pots_max, rule).known() {
                let is_unknown = generator.u32(..20) == 0;
                let rows = if is_unknown {
                    &mut few_known
                } else {
                    &mut few_unknown
                };
                rows.insert(pots, class);
            }
            assert_eq!(automaton(&few_known, |class| class), Sought::None);
            let law = found(&few_unknown);
            laws += usize::from(law.is_some());
            for (pots, class) in few_known.known() {
                let given = law.as_ref().map(|law| law.automaton.output(pots));
                assert!(given.is_none_or(|given| given == Some(class)), "{pots:?}");
            }
        }
        assert!(laws >= 18, "{laws}");
    }

    #[test]
    fn random_and_shuffled_outputs_have_no_law() {
        let mut generator = fastrand::Rng::with_seed(3);
        for round in 0..3000 {
            let (symbols, _, rule) = RULES[round % 4];
            let all = rows(symbols, generator.usize(3..=8 - symbols), rule);
            let mut outputs: Vec<u32> = all.known().iter().map(|(_, class)| *class).collect();
            let (values, is_symmetric) = (generator.u32(2..5), generator.bool());
            if round % 8 < 4 {
                generator.shuffle(&mut outputs)
            } else {
                outputs.fill_with(|| generator.u32(..values))
            }
            let mut random = all.clone();
            for ((pots, _), output) in all.known().into_iter().zip(outputs) {
                random.insert(pots, output);
                if is_symmetric {
                    random.insert(&pots.iter().rev().copied().collect::<Vec<u8>>(), output);
                }
            }
            assert_eq!(found(&random), None, "{random:?}");
        }
    }

    #[test]
    fn predictions_come_in_order_and_are_complete() {
        let law = found(&rows(3, 5, RULES[2].2)).unwrap();
        let none = RowClasses::new(3, 4);
        let predicted = law.automaton.predictions(&none).take(1 + 2 * 27);
        let predicted: Vec<Vec<u8>> = predicted.map(|(pots, _)| pots).collect();
        let mut all: Vec<Vec<u8>> = words(3, 4)
            .map(|pots| without_empty_ends(&pots).to_vec())
            .collect();
        all.sort_by_key(|pots| (pots.len(), seeds(pots), pots.clone()));
        all.dedup();
        assert_eq!(predicted, all);
        let mut one_unknown = RowClasses::new(3, 5);
        let all = rows(3, 5, RULES[2].2);
        let known = all
            .known()
            .into_iter()
            .filter(|(pots, _)| *pots != [2, 0, 1]);
        known.for_each(|(pots, class)| one_unknown.insert(pots, class));
        let mut predictions = law.automaton.predictions(&one_unknown);
        assert_eq!(predictions.next(), Some((vec![2, 0, 1], 0)));
        assert_eq!(predictions.next(), Some((vec![1, 0, 0, 0, 0, 1], 2)));
    }
}
