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

use std::collections::HashMap;

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, cost, independent};
use super::column::is_for_finding;
use super::texts::Texts;

/// The cost of a cell that a list gets wrong, in bits: more than that of any case that corrects it.
const WRONG_BITS: f64 = 64.0;

/// The most places of each variable on which rules are found.
pub const FOUND_MAX: i64 = 40;

/// The most places of a variable that are compared with their mirror images, and that count as
/// given by a rule.
const NEAR_MAX: i64 = 1000;

/// The most distinct entries of a grid; with more, entries are rather functions of the variables.
pub const ENTRIES_MAX: usize = 32;

/// The most conditions of a case.
const CONDITIONS_MAX: usize = 3;

/// The most cases; Table 5 takes nine.
const CASES_MAX: usize = 24;

/// The greatest distance from the least value of a variable, or from 0, of the numbers that
/// variables and differences are compared with.
const NEAR: i64 = 4;

/// The greatest modulus.
const MODULUS_MAX: i64 = 4;

/// The greatest distance from a variable at which a helper is looked up.
const SHIFT_MAX: i64 = 3;

/// The most distinct entries of a helper.
pub const HELPER_ENTRIES_MAX: usize = 12;

/// A place in a grid, and the index of its entry.
pub type GridCell = ([i64; 2], u32);

/// A column of one variable, at consecutive places.
#[derive(Clone, Copy, Debug)]
pub struct Helper<'a> {
    /// The subject of its entries.
    pub subject: &'a str,
    /// Its variable.
    pub variable: &'a str,
    /// The first place.
    pub first: i64,
    /// The entries, as indices of texts.
    pub entries: &'a [u32],
    /// The texts.
    pub texts: &'a Texts,
}

/// The relation of the entry at (y, x) to that at (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// None: the cases give it.
    Free,
    /// They are equal.
    Same,
    /// It is the negative.
    Negative,
}

/// A term that a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable.
    Variable(usize),
    /// The second variable minus the first.
    Difference,
    /// The sum of both.
    Sum,
}

/// A condition on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The term is the number.
    Is(Term, i64),
    /// The term is at least the number.
    AtLeast(Term, i64),
    /// The term is at most the number.
    AtMost(Term, i64),
    /// The term has the residue, for a modulus.
    Residue(Term, i64, i64),
    /// A helper has the entry at the term plus a number.
    Helper {
        /// The helper.
        helper: usize,
        /// The place of the lookup.
        term: Term,
        /// The distance from that place.
        shift: i64,
        /// The entry.
        entry: u32,
    },
}

/// A case of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The conditions, all of which must hold.
    pub conditions: Vec<Condition>,
    /// The entry.
    pub entry: u32,
}

/// A list of cases; the last has no condition.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The cases.
    pub cases: Vec<Case>,
    /// The mirror symmetry; if there is one, the cases apply only if the first variable is at most
    /// the second.
    pub mirror: Mirror,
    /// The number of cells held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

/// The result of the search for a rule.
#[derive(Clone, Debug)]
pub enum SoughtRule {
    /// A rule was found.
    Found(Rule),
    /// A rule fitted the places it was found on and failed on the rest.
    Failed,
    /// None is short enough to rule out chance.
    None,
}

impl Term {
    /// Returns the value of the term at a place.
    pub fn at(self, place: [i64; 2]) -> i128 {
        let [x, y] = place.map(i128::from);
        match self {
            Term::Variable(0) => x,
            Term::Variable(_) => y,
            Term::Difference => y - x,
            Term::Sum => x + y,
        }
    }
}

impl Condition {
    /// Returns whether it holds at a place; `None` beyond the end of the helper.
    pub fn holds(&self, at: [i64; 2], helpers: &[Helper<'_>]) -> Option<bool> {
        Some(match *self {
            Condition::Is(term, number) => term.at(at) == i128::from(number),
            Condition::AtLeast(term, number) => term.at(at) >= number.into(),
            Condition::AtMost(term, number) => term.at(at) <= number.into(),
            Condition::Residue(term, residue, modulus) => {
                term.at(at).rem_euclid(modulus.into()) == i128::from(residue)
            }
            Condition::Helper {
                helper,
                term,
                shift,
                entry,
            } => {
                let Helper { first, entries, .. } = helpers[helper];
                let place = term.at(at) + i128::from(shift) - i128::from(first);
                match usize::try_from(place) {
                    Ok(place) => *entries.get(place)? == entry,
                    Err(_) if place < 0 => false,
                    Err(_) => return None,
                }
            }
        })
    }
}

impl Rule {
    /// Returns the entry at a place; `None` beyond the end of a helper. `negatives` has the
    /// negative of each entry.
    pub fn at(
        &self,
        at: [i64; 2],
        negatives: &[Option<u32>],
        helpers: &[Helper<'_>],
    ) -> Option<u32> {
        let [x, y] = at;
        match self.mirror {
            Mirror::Same if x > y => self.by_cases([y, x], helpers),
            Mirror::Negative if x > y => negatives[self.by_cases([y, x], helpers)? as usize],
            _ => self.by_cases(at, helpers),
        }
    }

    fn by_cases(&self, at: [i64; 2], helpers: &[Helper<'_>]) -> Option<u32> {
        for case in &self.cases {
            let mut is_known = true;
            let mut holds = true;
            for condition in &case.conditions {
                match condition.holds(at, helpers) {
                    Some(false) => holds = false,
                    Some(true) => {}
                    None => is_known = false,
                }
            }
            match (holds, is_known) {
                (true, true) => return Some(case.entry),
                (true, false) => return None,
                (false, _) => {}
            }
        }
        None
    }
}

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
) -> SoughtRule {
    if !(2..=ENTRIES_MAX).contains(&entries) {
        return SoughtRule::None;
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
        return SoughtRule::None;
    }
    let Some(list) = Search::new(&found, entries, &ranges, helpers).list() else {
        return SoughtRule::None;
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
        return SoughtRule::None;
    }
    let gives = |(at, entry)| rule.at(at, negatives, helpers) == Some(entry);
    match all.clone().all(gives) {
        true => SoughtRule::Found(rule),
        false => SoughtRule::Failed,
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
    match all(&|entry, other| negatives[entry as usize] == Some(other)) {
        true => Mirror::Negative,
        false => Mirror::Free,
    }
}

/// A set of cells.
type Cells = Box<[u64]>;

/// A condition, the cells that satisfy it, and its cost in bits.
struct Tried {
    condition: Condition,
    cells: Cells,
    bits: f64,
}

struct Search {
    /// The cells of each entry.
    of_entries: Vec<Cells>,
    /// All cells.
    all: Cells,
    conditions: Vec<Tried>,
    /// The bits of an entry, and of a case without its conditions.
    case_bits: f64,
}

/// A list of cases, with the cells that satisfy the conditions of each.
#[derive(Clone)]
struct List {
    cases: Vec<Case>,
    cells: Vec<Cells>,
    /// The cost of the list and of the cells that it gets wrong.
    bits: f64,
    wrong: u32,
}

/// A case that may be inserted.
struct Insertion {
    conditions: Vec<usize>,
    entry: u32,
    gain: f64,
}

impl Search {
    fn new(
        found: &[&GridCell],
        entries: usize,
        ranges: &[(i64, i64); 2],
        helpers: &[Helper<'_>],
    ) -> Search {
        let words = found.len().div_ceil(64);
        let set = |is_in: &dyn Fn(&GridCell) -> bool| {
            let mut cells: Cells = vec![0; words].into();
            for (place, cell) in found.iter().enumerate() {
                cells[place / 64] |= u64::from(is_in(cell)) << (place % 64);
            }
            cells
        };
        let all = set(&|_| true);
        let mut conditions = Vec::new();
        for (kind_bits, kind) in kinds(ranges, helpers) {
            // Conditions that hold nowhere, everywhere, or exactly where another one does are
            // useless.
            let bits = (kind.len() as f64).log2() + kind_bits;
            for condition in kind {
                let cells = set(&|cell| condition.holds(cell.0, helpers) == Some(true));
                let is_same = |known: &Tried| known.cells == cells;
                if cells.iter().any(|word| *word != 0)
                    && cells != all
                    && !conditions.iter().any(is_same)
                {
                    conditions.push(Tried {
                        condition,
                        cells,
                        bits,
                    });
                }
            }
        }
        Search {
            of_entries: (0..entries as u32)
                .map(|entry| set(&|cell| cell.1 == entry))
                .collect(),
            all,
            conditions,
            case_bits: (entries as f64).log2() + 2.0,
        }
    }

    /// Returns a list that is right on all cells, if one was found.
    fn list(&self) -> Option<List> {
        let most =
            (0..self.of_entries.len()).max_by_key(|&entry| count(&self.of_entries[entry]))?;
        let mut list = List {
            cases: vec![Case {
                conditions: Vec::new(),
                entry: most as u32,
            }],
            cells: vec![self.all.clone()],
            bits: 0.0,
            wrong: 0,
        };
        self.price(&mut list);
        while list.cases.len() < CASES_MAX {
            let Some(longer) = self.longer(&list) else {
                break;
            };
            list = self.polished(longer);
        }
        (list.wrong == 0).then_some(list)
    }

    /// Returns the list with the case inserted that saves most; `None` if none saves.
    fn longer(&self, list: &List) -> Option<List> {
        let mut best: Option<(usize, Insertion)> = None;
        for slot in 0..list.cases.len() {
            let least = best.as_ref().map_or(1e-9, |(_, best)| best.gain);
            if let Some(found) = self.best_at(list, slot, least) {
                best = Some((slot, found));
            }
        }
        let (slot, insertion) = best?;
        let mut longer = list.clone();
        let cells = insertion
            .conditions
            .iter()
            .fold(self.all.clone(), |cells, &of| {
                both(&cells, &self.conditions[of].cells)
            });
        let conditions = insertion.conditions.iter();
        longer.cases.insert(
            slot,
            Case {
                conditions: conditions
                    .map(|&of| self.conditions[of].condition)
                    .collect(),
                entry: insertion.entry,
            },
        );
        longer.cells.insert(slot, cells);
        self.price(&mut longer);
        Some(longer)
    }

    /// Replaces each case but the last by the one that saves most, as long as the list improves.
    fn polished(&self, mut list: List) -> List {
        let mut place = 0;
        while place + 1 < list.cases.len() {
            let mut shorter = list.clone();
            shorter.cases.remove(place);
            shorter.cells.remove(place);
            self.price(&mut shorter);
            let again = self.longer(&shorter).unwrap_or(shorter);
            if again.bits < list.bits - 1e-9 {
                list = again;
                place = 0;
            } else {
                place += 1;
            }
        }
        list
    }

    /// Returns the case that saves most if it is inserted before `slot`; `None` unless it saves
    /// more than `least`.
    fn best_at(&self, list: &List, slot: usize, least: f64) -> Option<Insertion> {
        let mut reached = self.all.clone();
        for cells in &list.cells[..slot] {
            reached = without(&reached, cells);
        }
        // The cells that the later cases give.
        let mut given: Cells = vec![0; self.all.len()].into();
        let mut left = reached.clone();
        for (case, cells) in list.cases.iter().zip(&list.cells).skip(slot) {
            let applies = both(&left, cells);
            let right = both(&applies, &self.of_entries[case.entry as usize]);
            given.iter_mut().zip(&right).for_each(|(a, b)| *a |= b);
            left = without(&left, cells);
        }
        let mut best = None;
        let mut least = least;
        for (entry, of_entry) in self.of_entries.iter().enumerate() {
            let mut cases = Cases {
                search: self,
                // The cells that the case would correct and those that it would break.
                gains: without(&both(&reached, of_entry), &given),
                losses: without(&given, of_entry),
                least,
                best: None,
            };
            let all = cases.gains.clone();
            let losses = cases.losses.clone();
            cases.extend(0, &all, &losses, self.case_bits, &mut Vec::new());
            if let Some(conditions) = cases.best {
                least = cases.least;
                best = Some(Insertion {
                    conditions,
                    entry: entry as u32,
                    gain: least,
                });
            }
        }
        best
    }

    /// Computes the cost of a list.
    fn price(&self, list: &mut List) {
        let (mut left, mut right) = (self.all.clone(), 0);
        for (case, cells) in list.cases.iter().zip(&list.cells) {
            let applies = both(&left, cells);
            right += count(&both(&applies, &self.of_entries[case.entry as usize]));
            left = without(&left, cells);
        }
        list.wrong = count(&self.all) - right;
        let conditions = list.cases.iter().flat_map(|case| &case.conditions);
        let bits = |condition: &Condition| {
            let mut tried = self.conditions.iter();
            let known = tried.find(|tried| tried.condition == *condition);
            known.expect("cases have conditions that are tried").bits
        };
        list.bits = list.cases.len() as f64 * self.case_bits
            + conditions.map(bits).sum::<f64>()
            + f64::from(list.wrong) * WRONG_BITS;
    }
}

/// The search for the conditions of a case with a given entry at a given place of the list.
struct Cases<'a> {
    search: &'a Search,
    gains: Cells,
    losses: Cells,
    least: f64,
    best: Option<Vec<usize>>,
}

impl Cases<'_> {
    /// Tries all ways of adding conditions from `from` on.
    fn extend(
        &mut self,
        from: usize,
        gains: &Cells,
        losses: &Cells,
        bits: f64,
        conditions: &mut Vec<usize>,
    ) {
        for of in from..self.search.conditions.len() {
            let tried = &self.search.conditions[of];
            let written = bits + tried.bits;
            let more = count_both(gains, &tried.cells);
            // No further condition corrects more cells.
            if f64::from(more) * WRONG_BITS - written <= self.least {
                continue;
            }
            let less = count_both(losses, &tried.cells);
            let gain = (f64::from(more) - f64::from(less)) * WRONG_BITS - written;
            conditions.push(of);
            if gain > self.least {
                self.least = gain;
                self.best = Some(conditions.clone());
            }
            if less > 0 && conditions.len() < CONDITIONS_MAX {
                let gains = both(gains, &tried.cells);
                let losses = both(losses, &tried.cells);
                self.extend(of + 1, &gains, &losses, written, conditions);
            }
            conditions.pop();
        }
    }
}

/// Returns all conditions by kind, with the bits of each kind.
fn kinds(ranges: &[(i64, i64); 2], helpers: &[Helper<'_>]) -> Vec<(f64, Vec<Condition>)> {
    let terms = [
        Term::Variable(0),
        Term::Variable(1),
        Term::Difference,
        Term::Sum,
    ];
    let least = |term: Term| match term {
        Term::Variable(of) => ranges[of].0,
        _ => -NEAR,
    };
    let compared = || {
        terms[..3].iter().flat_map(move |&term| {
            let from = least(term);
            let to = if from < 0 { NEAR } else { from + NEAR };
            (from..=to).map(move |number| (term, number))
        })
    };
    let residues = || {
        terms.iter().flat_map(|&term| {
            (2..=MODULUS_MAX).flat_map(move |modulus| {
                (0..modulus).map(move |residue| Condition::Residue(term, residue, modulus))
            })
        })
    };
    let mut looked_up = Vec::new();
    for (helper, of) in helpers.iter().enumerate() {
        let entries = of.texts.len() as u32;
        for term in terms {
            let shifts = match term {
                Term::Variable(_) => -SHIFT_MAX..=SHIFT_MAX,
                _ => 0..=0,
            };
            for shift in shifts {
                looked_up.extend((0..entries).map(|entry| Condition::Helper {
                    helper,
                    term,
                    shift,
                    entry,
                }));
            }
        }
    }
    let numbers = compared().map(|(term, number)| Condition::Is(term, number));
    let bounds = compared().flat_map(|(term, number)| {
        [
            Condition::AtLeast(term, number),
            Condition::AtMost(term, number),
        ]
    });
    vec![
        (2.0, numbers.collect()),
        (2.0, bounds.collect()),
        (2.0, looked_up),
        (3.0, residues().collect()),
    ]
}

fn both(a: &Cells, b: &Cells) -> Cells {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn without(a: &Cells, b: &Cells) -> Cells {
    a.iter().zip(b).map(|(a, b)| a & !b).collect()
}

fn count(cells: &Cells) -> u32 {
    cells.iter().map(|word| word.count_ones()).sum()
}

fn count_both(a: &Cells, b: &Cells) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}
#[cfg(test)]
mod tests;
