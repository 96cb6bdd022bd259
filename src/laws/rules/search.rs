//! The greedy search for a decision list.

use super::decision_list::{Case, Condition, GridCell, Helper, Term};

/// The cost of a cell that a list gets wrong, in bits: more than that of any case that corrects it.
const WRONG_BITS: f64 = 64.0;

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

/// A set of cells.
type Cells = Box<[u64]>;

/// A condition, the cells that satisfy it, and its cost in bits.
struct Tried {
    condition: Condition,
    cells: Cells,
    bits: f64,
}

pub(super) struct Search {
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
pub(super) struct List {
    pub(super) cases: Vec<Case>,
    cells: Vec<Cells>,
    /// The cost of the list and of the cells that it gets wrong.
    pub(super) bits: f64,
    wrong: u32,
}

/// A case that may be inserted.
struct Insertion {
    conditions: Vec<usize>,
    entry: u32,
    gain: f64,
}

impl Search {
    pub(super) fn new(
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
    pub(super) fn list(&self) -> Option<List> {
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
