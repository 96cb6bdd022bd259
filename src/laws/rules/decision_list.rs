//! Decision lists, and the entry that one gives for a place.

use crate::Subject;
use crate::texts::Texts;

/// A place in a grid, and the index of its entry.
pub type GridCell = ([i64; 2], u32);

/// A column of one variable, at consecutive places.
#[derive(Clone, Copy, Debug)]
pub struct Helper<'a> {
    /// The subject of its entries.
    pub subject: &'a Subject,
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
