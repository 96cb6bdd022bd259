//! Automata in words: a regular expression of the rows of each output, or a list of the states.
//!
//! States are eliminated one by one, in the order that leaves the shortest expression. An
//! expression is returned only if its derivatives agree with the automaton, so that no earlier step
//! needs to be trusted. The same check decides which terms are superfluous.
//!
//! Source: Brzozowski and McCluskey, *Signal Flow Graph Techniques for Sequential Circuit State
//! Diagrams*, IEEE Transactions on Electronic Computers EC-12, 1963.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::mem::replace;

use super::automata::Automaton;
use super::expression::Expression::{self, Pot};
use super::expression::{EMPTY_ROW, NO_ROW, concatenation, star, union};

/// The longest expression returned, in characters; texts are at most twice as long.
const EXPRESSION_MAX: usize = 60;

/// The most states of an automaton that is converted to an expression.
const STATES_MAX: usize = 12;

/// Up to this number of states, all orders of elimination are tried.
const STATES_ALL_ORDERS: usize = 5;

impl Automaton {
    /// Describes the rows of each output: by [expressions](Expression) if they are short, and by
    /// the states otherwise. The output with the longest expression has "all other rows".
    ///
    /// Expressions are of rows without empty ends, unless those of rows with any empty ends are
    /// shorter.
    ///
    /// PERF: automata of 2 to 10 states took 3 to 65 ms.
    pub fn text(&self, name: impl Fn(u32) -> String) -> String {
        let outputs: BTreeSet<u32> = self.outputs.iter().copied().collect();
        // The shortest first; among equals, the greatest output first.
        let mut rows: Vec<(Option<Expression>, Reverse<u32>, bool)> = Vec::new();
        for &output in &outputs {
            let (bare, all) = (self.expression(output), self.expression_with_ends(output));
            let has_ends = length(&all) < length(&bare);
            rows.push((if has_ends { all } else { bare }, Reverse(output), has_ends));
        }
        rows.sort_by_key(|(rows, output, _)| (length(rows), *output));
        let others = rows.pop().map(|(_, output, _)| output);
        let mut texts = Vec::new();
        for (rows, Reverse(output), has_ends) in rows {
            let Some(rows) = rows else {
                return self.states_text(name);
            };
            let rows = match (has_ends, self.outputs[0] == output) {
                (true, _) => format!("{rows} (with empty ends)"),
                (false, false) => rows.to_string(),
                (false, true) if rows == NO_ROW => "the empty row".to_owned(),
                (false, true) => format!("{rows}, the empty row"),
            };
            texts.push(format!("{}: {rows}", name(output)));
        }
        if let Some(Reverse(output)) = others {
            let rows = if texts.is_empty() {
                "all rows"
            } else {
                "all other rows"
            };
            texts.push(format!("{}: {rows}", name(output)));
        }
        let text = texts.join("; ");
        if text.len() <= 2 * EXPRESSION_MAX {
            text
        } else {
            self.states_text(name)
        }
    }

    /// Returns a short expression of the rows with an output, without empty pots at their ends, and
    /// without the empty row.
    ///
    /// Cost: O(5! states^2) unions of expressions, then O(terms^2) checks of at most `PAIRS_MAX`
    /// pairs.
    pub fn expression(&self, output: u32) -> Option<Expression> {
        // The first group of states are those before a pot, the next those behind a pot with seeds,
        // and the last those behind an empty pot.
        let states = self.outputs.len();
        let dead = 3 * states;
        let to = |place: usize, pot: usize, to: usize| match (place, pot) {
            (0, 0) => dead,
            (_, 0) => 2 * states + to,
            _ => states + to,
        };
        let next = (0..dead).map(|state| {
            let next = self.next[state % states].iter().enumerate();
            next.map(|(pot, &next)| to(state / states, pot, next))
                .collect()
        });
        let mut next: Vec<Vec<usize>> = next.collect();
        next.push(vec![dead; self.next[0].len()]);
        let is_in = |state| state / states == 1 && self.outputs[state % states] == output;
        let outputs = (0..=dead).map(|state| u32::from(is_in(state))).collect();
        expression(&Automaton { next, outputs }.minimal())
    }

    /// Returns a short expression of the rows with an output, with all empty pots at their ends.
    pub fn expression_with_ends(&self, output: u32) -> Option<Expression> {
        let is_in = |&of_state: &u32| u32::from(of_state == output);
        let (next, outputs) = (self.next.clone(), self.outputs.iter().map(is_in).collect());
        expression(&Automaton { next, outputs }.minimal())
    }

    fn states_text(&self, name: impl Fn(u32) -> String) -> String {
        let list = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers
                .map(|number| number.to_string())
                .collect::<Vec<String>>()
                .join(" ")
        };
        let states = self.next.iter().zip(&self.outputs).enumerate();
        let states = states.map(|(state, (next, &output))| {
            format!(
                "{state} ({}): {}",
                name(output),
                list(&mut next.iter().copied())
            )
        });
        format!(
            "states with their outputs and the next states for pots {}, from state 0: {}",
            list(&mut (0..self.next[0].len())),
            states.collect::<Vec<String>>().join("; ")
        )
    }
}

fn length(expression: &Option<Expression>) -> usize {
    let text = expression.as_ref().map(Expression::to_string);
    text.map_or(usize::MAX, |text| text.len())
}

/// Returns a short expression of the rows with output 1.
fn expression(automaton: &Automaton) -> Option<Expression> {
    let states = automaton.outputs.len();
    let mut is_live: Vec<bool> = automaton
        .outputs
        .iter()
        .map(|&output| output == 1)
        .collect();
    for _ in 0..states {
        for state in 0..states {
            is_live[state] |= automaton.next[state].iter().any(|&next| is_live[next]);
        }
    }
    let live: Vec<usize> = (0..states).filter(|&state| is_live[state]).collect();
    if live.len() > STATES_MAX {
        return None;
    }
    let (begin, end) = (states, states + 1);
    let mut edges = vec![vec![NO_ROW; states + 2]; states + 2];
    for &state in &live {
        for &to in &live {
            let pots = automaton.next[state]
                .iter()
                .enumerate()
                .filter(|(_, next)| **next == to);
            edges[state][to] = union(pots.map(|(pot, _)| Pot(pot as u8)).collect());
        }
        if automaton.outputs[state] == 1 {
            edges[state][end] = EMPTY_ROW;
        }
    }
    edges[begin][0] = EMPTY_ROW;
    let mut found = shortest(edges, &live)?;
    // PERF: longer ones rarely become short enough, and checking one takes long.
    if found.size() > 2 * EXPRESSION_MAX || !found.describes(automaton) {
        return None;
    }
    let mut length = found.to_string().len();
    // Every step makes the expression shorter.
    while let Some(shorter) = found
        .without_a_term()
        .into_iter()
        .find(|shorter| shorter.to_string().len() < length && shorter.describes(automaton))
    {
        length = shorter.to_string().len();
        found = shorter;
    }
    (length <= EXPRESSION_MAX).then_some(found)
}

/// Returns the shortest expression that eliminating these states leaves; `None` if an intermediate
/// term is too long.
fn shortest(edges: Vec<Vec<Expression>>, left: &[usize]) -> Option<Expression> {
    let end = edges.len() - 1;
    if left.is_empty() {
        return Some(edges[end - 1][end].clone());
    }
    let length = |edges: &[Vec<Expression>]| -> usize {
        let edges = edges.iter().flatten();
        edges.map(Expression::size).sum()
    };
    let each = left
        .iter()
        .map(|&state| (state, without_state(&edges, state)));
    let mut each: Vec<(usize, Vec<Vec<Expression>>)> = each
        .filter(|(_, edges)| length(edges) <= 5 * EXPRESSION_MAX)
        .collect();
    if left.len() > STATES_ALL_ORDERS {
        each.sort_by_key(|(_, edges)| length(edges));
        each.truncate(1);
    }
    let found = each.into_iter().filter_map(|(state, edges)| {
        let left: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&other| other != state)
            .collect();
        shortest(edges, &left)
    });
    found.min_by_key(Expression::size)
}

fn without_state(edges: &[Vec<Expression>], state: usize) -> Vec<Vec<Expression>> {
    let mut left = edges.to_vec();
    let again = star(edges[state][state].clone());
    for (i, row) in left.iter_mut().enumerate() {
        let to = replace(&mut row[state], NO_ROW);
        for (j, edge) in row.iter_mut().enumerate() {
            if i != state && j != state && to != NO_ROW && edges[state][j] != NO_ROW {
                let through = vec![to.clone(), again.clone(), edges[state][j].clone()];
                *edge = union(vec![replace(edge, NO_ROW), concatenation(through)]);
            }
        }
    }
    left[state].fill(NO_ROW);
    left
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Sought;
    use crate::automata::{RowClasses, automaton};
    use crate::expression::Expression::{Concatenation, Star, Union};

    /// Returns the places of a row at which the expression may end, if it begins at one of the
    /// given places.
    fn ends(expression: &Expression, row: &[u8], begins: &HashSet<usize>) -> HashSet<usize> {
        match expression {
            Pot(pot) => {
                let begins = begins.iter().filter(|&&at| row.get(at) == Some(pot));
                begins.map(|at| at + 1).collect()
            }
            Union(terms) => terms
                .iter()
                .flat_map(|term| ends(term, row, begins))
                .collect(),
            Concatenation(factors) => factors
                .iter()
                .fold(begins.clone(), |begins, factor| ends(factor, row, &begins)),
            Star(term) => {
                let mut all = begins.clone();
                for _ in 0..=row.len() {
                    all.extend(ends(term, row, &all.clone()));
                }
                all
            }
        }
    }

    fn rows(symbols: usize, pots: usize) -> impl Iterator<Item = Vec<u8>> {
        (0..symbols.pow(pots as u32)).map(move |n| {
            let pot = |i| (n / symbols.pow(i as u32) % symbols) as u8;
            (0..pots).map(pot).collect()
        })
    }

    #[test]
    fn expressions_are_the_rows_of_random_automata() {
        let mut generator = fastrand::Rng::with_seed(5);
        let mut written = 0;
        for _ in 0..30 {
            let (states, symbols) = (generator.usize(1..5), generator.usize(2..4));
            let mut next = || (0..symbols).map(|_| generator.usize(..states)).collect();
            let next = (0..states).map(|_| next()).collect();
            let outputs = (0..states).map(|_| generator.u32(..2)).collect();
            let automaton = Automaton { next, outputs };
            let (with_ends, without) = (automaton.expression_with_ends(1), automaton.expression(1));
            written += usize::from(with_ends.is_some()) + usize::from(without.is_some());
            for row in (0..=5).flat_map(|pots| rows(symbols, pots)) {
                let is = |expression: &Expression| {
                    ends(expression, &row, &HashSet::from([0])).contains(&row.len())
                };
                let is_in = automaton.output(&row) == Some(1);
                assert!(with_ends.as_ref().is_none_or(|found| is(found) == is_in));
                let is_bare = row.first().is_some_and(|&pot| pot > 0) && row.last() != Some(&0);
                assert!(
                    without
                        .as_ref()
                        .is_none_or(|found| is(found) == (is_in && is_bare))
                );
            }
        }
        assert!(written > 30, "{written}");
    }

    #[test]
    fn laws_are_written_as_people_would() {
        let seeds = |pots: &[u8]| pots.iter().map(|&pot| u32::from(pot)).sum::<u32>();
        let text = |symbols: usize, rule: &dyn Fn(&[u8]) -> bool| {
            let mut classes = RowClasses::new(symbols, [10, 7, 7][symbols - 2]);
            for row in rows(symbols, [10, 7, 7][symbols - 2]) {
                let end = row
                    .iter()
                    .rposition(|&pot| pot > 0)
                    .map_or(0, |end| end + 1);
                let begin = row.iter().position(|&pot| pot > 0).unwrap_or(0);
                classes.insert(&row, u32::from(rule(&row[begin..end])));
            }
            let Sought::Found(law) = automaton(&classes, |class| class) else {
                return "none".to_owned();
            };
            law.automaton
                .text(|output| ["N", "P"][output as usize].to_owned())
        };
        let is_alternating = |pots: &[u8]| (1..).zip(pots).all(|(i, &pot)| pot == i % 2);
        let has = |two: [u8; 2]| move |pots: &[u8]| pots.windows(2).any(|pots| pots == two);
        let is_around_3 = |pots: &[u8]| {
            let halves = pots
                .iter()
                .position(|&pot| pot == 3)
                .map(|at| (&pots[..at], &pots[at + 1..]));
            halves.is_some_and(|(left, right)| {
                left.chunks(2).all(|pots| pots == [1, 0])
                    && right.chunks(2).all(|pots| pots == [0, 1])
            })
        };
        type Rule<'a> = &'a dyn Fn(&[u8]) -> bool;
        let rules: [(usize, Rule, &str); 10] = [
            (
                2,
                &|pots| seeds(pots).is_multiple_of(2),
                "P: (0|10*1)* (with empty ends); N: all other rows",
            ),
            (
                2,
                &|pots| !pots.is_empty() && is_alternating(pots),
                "P: 1(01)*; N: all other rows",
            ),
            (
                2,
                &|pots| has([1, 1])(pots),
                "N: 1(0+1)*, the empty row; P: all other rows",
            ),
            (
                2,
                &|pots| !has([0, 0])(pots),
                "P: 1(0?1)*, the empty row; N: all other rows",
            ),
            (
                2,
                &|pots| pots.iter().all(|&pot| pot == 1),
                "P: 1+, the empty row; N: all other rows",
            ),
            (
                3,
                &|pots| !pots.contains(&0),
                "P: (1|2)+, the empty row; N: all other rows",
            ),
            (
                3,
                &|pots| pots.contains(&2),
                "N: (0|1)* (with empty ends); P: all other rows",
            ),
            (
                3,
                &|pots| pots.chunks(2).all(|two| two == [1, 2]),
                "P: (12)+, the empty row; N: all other rows",
            ),
            (
                3,
                &|pots| pots.first() == Some(&2),
                "P: 0*2(0-2)* (with empty ends); N: all other rows",
            ),
            (4, &is_around_3, "P: (10)*3(01)*; N: all other rows"),
        ];
        for (symbols, rule, written) in rules {
            assert_eq!(text(symbols, rule), written);
        }
    }

    #[test]
    fn long_laws_are_written_as_states() {
        let next = (0..3)
            .map(|state| (0..3).map(|pot| (state + pot) % 3).collect())
            .collect();
        let automaton = Automaton {
            next,
            outputs: vec![0, 1, 2],
        };
        assert_eq!(
            automaton.text(|output| format!("*{output}")),
            "states with their outputs and the next states for pots 0 1 2, from state 0: \
             0 (*0): 0 1 2; 1 (*1): 1 2 0; 2 (*2): 2 0 1"
        );
        let constant = Automaton {
            next: vec![vec![0; 12]],
            outputs: vec![4],
        };
        assert_eq!(constant.text(|output| output.to_string()), "4: all rows");
        assert_eq!(
            constant.expression(4).unwrap().to_string(),
            "(1-[11])(1-[11]|0+(1-[11]))*"
        );
        assert_eq!(constant.expression(0), Some(NO_ROW));
        assert_eq!(Union(vec![Pot(1), Pot(2), Pot(12)]).to_string(), "1|2|[12]");
    }
}
