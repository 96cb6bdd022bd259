//! Regular expressions over the pots of a row.
//!
//! Expressions are built in a short, readable form. Their derivatives decide whether they describe
//! the rows of an automaton.
//!
//! Notation: `(01)*` for any number of repetitions, `(01)+` for at least one, `1?` for at most one,
//! `1|20` for alternatives, `(0-3)` for a pot of 0 to 3 seeds, `[12]` for a pot of ten or more.
//!
//! Source: Brzozowski, *Derivatives of Regular Expressions*, Journal of the ACM 11, 1964.

use std::collections::HashSet;
use std::fmt;

use super::automata::Automaton;

/// The most pairs of a state and a derivative that a check visits before it gives up.
const PAIRS_MAX: usize = 500;

/// A regular expression over the pots of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression {
    /// A pot with this number of seeds.
    Pot(u8),
    /// A sequence of factors; the empty sequence is the empty row.
    Concatenation(Vec<Expression>),
    /// Any number of repetitions.
    Star(Box<Expression>),
    /// Alternatives; the empty union contains no row.
    Union(Vec<Expression>),
}

use Expression::{Concatenation, Pot, Star, Union};

pub(super) const NO_ROW: Expression = Union(Vec::new());
pub(super) const EMPTY_ROW: Expression = Concatenation(Vec::new());

impl Expression {
    /// Returns whether the empty row is one of the rows.
    fn is_nullable(&self) -> bool {
        match self {
            Pot(_) => false,
            Star(_) => true,
            Concatenation(factors) => factors.iter().all(Expression::is_nullable),
            Union(terms) => terms.iter().any(Expression::is_nullable),
        }
    }

    /// Returns the approximate length of the text.
    pub(super) fn size(&self) -> usize {
        match self {
            Pot(_) => 1,
            Star(term) => term.size() + 3,
            Concatenation(factors) => factors.iter().map(Expression::size).sum(),
            Union(terms) => terms.iter().map(|term| term.size() + 1).sum::<usize>() + 1,
        }
    }

    /// Returns the derivative: the rows that follow a first pot.
    fn after(&self, pot: u8) -> Expression {
        match self {
            Pot(first) if *first == pot => EMPTY_ROW,
            Pot(_) => NO_ROW,
            Star(term) => concatenation(vec![term.after(pot), self.clone()]),
            Union(terms) => union(terms.iter().map(|term| term.after(pot)).collect()),
            Concatenation(factors) => {
                let mut terms = Vec::new();
                for (i, factor) in factors.iter().enumerate() {
                    let rest = factors[i + 1..].iter().cloned();
                    terms.push(concatenation(
                        [factor.after(pot)].into_iter().chain(rest).collect(),
                    ));
                    if !factor.is_nullable() {
                        break;
                    }
                }
                union(terms)
            }
        }
    }

    /// Returns whether the rows are those with output 1; also false if the check gives up.
    pub(super) fn describes(&self, automaton: &Automaton) -> bool {
        let mut pairs = vec![(0, self.clone())];
        let mut visited: HashSet<(usize, Expression)> = pairs.iter().cloned().collect();
        while let Some((state, rows)) = pairs.pop() {
            if rows.is_nullable() != (automaton.outputs[state] == 1) {
                return false;
            }
            for (pot, &next) in automaton.next[state].iter().enumerate() {
                let pair = (next, rows.after(pot as u8));
                if visited.insert(pair.clone()) {
                    pairs.push(pair);
                }
            }
            if visited.len() > PAIRS_MAX {
                return false;
            }
        }
        true
    }

    /// Returns the expressions with one term, factor or star removed.
    pub(super) fn without_a_term(&self) -> Vec<Expression> {
        let each = |terms: &[Expression], build: fn(Vec<Expression>) -> Expression| {
            let mut found = Vec::new();
            for (i, term) in terms.iter().enumerate() {
                let changed = term.without_a_term().into_iter().map(Some);
                for changed in changed.chain([None]) {
                    let (before, behind) = (terms[..i].iter(), terms[i + 1..].iter());
                    found.push(build(
                        before.chain(&changed).chain(behind).cloned().collect(),
                    ));
                }
            }
            found
        };
        match self {
            Pot(_) => Vec::new(),
            Concatenation(factors) => each(factors, concatenation),
            Union(terms) => each(terms, union),
            Star(term) => {
                let changed = term.without_a_term().into_iter().map(star);
                changed.chain([(**term).clone()]).collect()
            }
        }
    }

    fn into_factors(self) -> Vec<Expression> {
        match self {
            Concatenation(factors) => factors,
            term => vec![term],
        }
    }

    /// Writes the expression as an operand of a star or a question mark.
    fn operand(&self) -> String {
        match self {
            Pot(_) => self.to_string(),
            term => format!("({term})"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pot(seeds @ 0..=9) => write!(f, "{seeds}"),
            Pot(seeds) => write!(f, "[{seeds}]"),
            Star(term) => write!(f, "{}*", term.operand()),
            Union(terms) if terms.is_empty() => write!(f, "∅"),
            Union(terms) if terms.contains(&EMPTY_ROW) => {
                let terms = terms.iter().filter(|term| **term != EMPTY_ROW).cloned();
                write!(f, "{}?", union(terms.collect()).operand())
            }
            Union(terms) => {
                // Pots stand first, in order.
                let pots = terms.iter().map_while(|term| match term {
                    Pot(seeds) => Some(*seeds),
                    _ => None,
                });
                let pots: Vec<u8> = pots.collect();
                let runs = pots.chunk_by(|a, b| a + 1 == *b).flat_map(|run| match run {
                    [first, _, .., last] => vec![format!("{}-{}", Pot(*first), Pot(*last))],
                    run => run.iter().map(|&seeds| Pot(seeds).to_string()).collect(),
                });
                let others = terms[pots.len()..].iter().map(Expression::to_string);
                f.write_str(&runs.chain(others).collect::<Vec<String>>().join("|"))
            }
            Concatenation(factors) => {
                let mut left = &factors[..];
                while let [first, rest @ ..] = left {
                    // Factors followed by their star.
                    let has_repeated = |n: &usize| match &left[*n] {
                        Star(term) => **term == concatenation(left[..*n].to_vec()),
                        _ => false,
                    };
                    let repeated = (1..left.len()).find(has_repeated);
                    if let (Some(n), Some(Star(term))) = (repeated, repeated.map(|n| &left[n])) {
                        write!(f, "{}+", term.operand())?;
                        left = &left[n + 1..];
                        continue;
                    }
                    match first {
                        Union(terms) if !terms.contains(&EMPTY_ROW) => write!(f, "({first})")?,
                        first => write!(f, "{first}")?,
                    }
                    left = rest;
                }
                Ok(())
            }
        }
    }
}

/// Returns any number of repetitions.
pub(super) fn star(term: Expression) -> Expression {
    match term {
        Star(term) => Star(term),
        Union(terms) => {
            let terms = terms.into_iter().filter(|term| *term != EMPTY_ROW);
            let once = terms.map(|term| match term {
                Star(term) => *term,
                term => term,
            });
            let terms: Vec<Expression> = once.collect();
            if terms.is_empty() {
                EMPTY_ROW
            } else {
                Star(Box::new(union(terms)))
            }
        }
        term if term == EMPTY_ROW => EMPTY_ROW,
        term => Star(Box::new(term)),
    }
}

/// Concatenates factors.
pub(super) fn concatenation(terms: Vec<Expression>) -> Expression {
    let mut flat: Vec<Expression> = Vec::new();
    for term in terms.into_iter().flat_map(Expression::into_factors) {
        if term == NO_ROW {
            return NO_ROW;
        }
        append(&mut flat, term);
    }
    if flat.len() == 1 {
        flat.remove(0)
    } else {
        Concatenation(flat)
    }
}

fn append(factors: &mut Vec<Expression>, term: Expression) {
    if let Some(Star(repeated)) = factors.last() {
        let mut repeated = (**repeated).clone().into_factors();
        if factors.last() == Some(&term) {
            return;
        }
        // (xy)*x is written as x(yx)*: stars stand as far to the right as possible.
        if repeated[0] == term {
            factors.pop();
            append(factors, term);
            repeated.rotate_left(1);
            return append(factors, star(concatenation(repeated)));
        }
    }
    factors.push(term);
}

/// Returns the union of terms, with common factors taken out.
pub(super) fn union(terms: Vec<Expression>) -> Expression {
    let flat = terms.into_iter().flat_map(|term| match term {
        Union(terms) => terms,
        term => vec![term],
    });
    let mut terms: Vec<Expression> = flat.collect();
    terms.sort_unstable();
    terms.dedup();
    let all = terms.clone();
    terms.retain(|term| !all.contains(&Star(Box::new(term.clone()))));
    if let Some(empty) = terms.iter().position(|term| *term == EMPTY_ROW) {
        // The empty row or xx* becomes x*.
        let again = terms.iter().position(|term| {
            let mut factors = term.clone().into_factors();
            let last = factors.pop();
            last.is_some_and(|last| last == star(concatenation(factors)))
        });
        if let Some(again) = again.filter(|&again| again != empty)
            && let Some(star) = terms[again].clone().into_factors().pop()
        {
            terms[again] = star;
        }
        let mut others = terms.iter().filter(|term| **term != EMPTY_ROW);
        if others.any(Expression::is_nullable) {
            terms.remove(empty);
        }
    }
    // Two terms with a common first or last factor become one.
    for is_last in [false, true] {
        let split = |term: &Expression| {
            let mut factors = term.clone().into_factors();
            let common = if is_last {
                factors.pop()?
            } else {
                (!factors.is_empty()).then(|| factors.remove(0))?
            };
            Some((common, concatenation(factors)))
        };
        for i in 0..terms.len() {
            for j in 0..i {
                let (Some((a, a_rest)), Some((b, b_rest))) = (split(&terms[i]), split(&terms[j]))
                else {
                    continue;
                };
                if a != b {
                    continue;
                }
                terms.remove(i);
                let mut factors = vec![a, union(vec![a_rest, b_rest])];
                if is_last {
                    factors.reverse();
                }
                terms[j] = concatenation(factors);
                return union(terms);
            }
        }
    }
    if terms.len() == 1 {
        terms.remove(0)
    } else {
        Union(terms)
    }
}
