//! Rules for grids: decision lists, in which the first case that applies gives the entry.
//!
//! The conditions of a case compare the two variables with numbers, with each other, or modulo
//! small numbers, or test the entry of another column, the *helper*, near one of them. The last
//! case applies otherwise. Erickson's rule for his Table 5 (1996, section 3) is of this kind; its
//! helper is the value of `2^n`.
//!
//! A list is found on the first two thirds of both ranges, at most [`FOUND_MAX`] places of each,
//! and must be right on the rest. It is improved greedily, from one case with the most frequent
//! entry. The case that saves most is inserted at its best place; then every case is removed and
//! the best one inserted instead, as long as the list becomes shorter or right more often. The list
//! is therefore short, though not always the shortest.

mod decision_list;
mod search;

use std::collections::HashMap;

pub use self::decision_list::{Case, Condition, GridCell, Helper, Mirror, Rule, Term};
use self::search::Search;
use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, cost, independent};
use super::column::is_for_finding;
use super::sought::Sought;

/// The most places of each variable on which rules are found.
pub const FOUND_MAX: i64 = 40;

/// The most places of a variable that are compared with their mirror images, and that count as
/// given by a rule.
const NEAR_MAX: i64 = 1000;

/// The most distinct entries of a grid; with more, entries are rather functions of the variables.
pub const ENTRIES_MAX: usize = 32;

/// The most distinct entries of a helper.
pub const HELPER_ENTRIES_MAX: usize = 12;

/// Returns a rule for the entries of a grid. They are numbers below `entries`, and `negatives` has
/// their negatives.
///
/// Cost: for each case some passes over all triples of the conditions, some hundred, that a bound
/// does not exclude; each takes O(cells / 64).
pub fn rule(
    all: impl Iterator<Item = GridCell> + Clone,
    entries: usize,
    negatives: &[Option<u32>],
    helpers: &[Helper<'_>],
) -> Sought<Rule> {
    if !(2..=ENTRIES_MAX).contains(&entries) {
        return Sought::None;
    }
    let range = |of: usize| {
        let numbers = || all.clone().map(|(at, _)| at[of]);
        (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
    };
    let ranges = [range(0), range(1)];
    let is_near = |at: [i64; 2]| (0..2).all(|of| at[of] - ranges[of].0 < NEAR_MAX);
    let cells: Vec<GridCell> = all.clone().filter(|(at, _)| is_near(*at)).collect();
    let cells = &cells[..];
    let is_first = |at: [i64; 2]| {
        let mut behind = at.iter().zip(ranges).map(|(at, range)| at - range.0);
        is_for_finding(&at, &ranges) && behind.all(|behind| behind < FOUND_MAX)
    };
    let mirror = mirror(cells, negatives);
    let is_half = |cell: &&GridCell| mirror == Mirror::Free || cell.0[0] <= cell.0[1];
    let half: Vec<&GridCell> = cells.iter().filter(is_half).collect();
    let (found, rest): (Vec<_>, Vec<_>) = half.iter().partition(|(at, _)| is_first(*at));
    if rest.is_empty() {
        return Sought::None;
    }
    let Some(list) = Search::new(&found, entries, &ranges, helpers).list() else {
        return Sought::None;
    };
    let places: Vec<(&[i64], u32)> = half.iter().map(|(at, entry)| (&at[..], *entry)).collect();
    let rule = Rule {
        cases: list.cases,
        mirror,
        tested: all.clone().filter(|(at, _)| !is_near(*at)).count() + rest.len(),
        bits: cost(places.iter().map(|(_, entry)| *entry)) - list.bits,
    };
    let bits_new = cost(independent(&places).map(|(_, entry)| entry)) - list.bits;
    if rule.bits < BITS_LEAST || bits_new < INDEPENDENT_BITS_LEAST {
        return Sought::None;
    }
    let gives = |(at, entry)| rule.at(at, negatives, helpers) == Some(entry);
    if all.clone().all(gives) {
        Sought::Found(rule)
    } else {
        Sought::Failed(rule)
    }
}

/// Returns how the entries at (x, y) and (y, x) are related at all places.
fn mirror(cells: &[GridCell], negatives: &[Option<u32>]) -> Mirror {
    let entries: HashMap<[i64; 2], u32> = cells.iter().copied().collect();
    let all = |is: &dyn Fn(u32, u32) -> bool| {
        let mut pairs = cells.iter();
        pairs.all(|&([x, y], entry)| entries.get(&[y, x]).is_some_and(|&other| is(entry, other)))
    };
    if all(&|entry, other| entry == other) {
        return Mirror::Same;
    }
    if all(&|entry, other| negatives[entry as usize] == Some(other)) {
        Mirror::Negative
    } else {
        Mirror::Free
    }
}

#[cfg(test)]
mod tests;
