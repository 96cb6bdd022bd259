//! Laws of values along variables.
//!
//! A law gives all values of one column from some place on: for each residue class of the
//! variables, a [shape](super::template) whose numbers are [formulas](super::formula) in them.
//! Lines along the border of the law's region are searched in the same way, with one variable less.
//! Moduli are at most 12 with one variable, 4 with two and 2 with more. Laws begin within the first
//! half of each range, at most 12 places behind its beginning with one variable and 5 with more.
//!
//! A law is found on the first two thirds of each variable's range and must hold on the rest. It
//! must also save bits: the cost of the values that it gives, by their frequency in the column,
//! minus the cost of writing down the law. It must also save some bits if values that do not depend
//! on a variable count once. At most one in 2^b columns in random order has a law that saves b
//! bits.
//!
//! [Short sequences](short()) have a test of their own.

mod short;

use std::collections::{HashMap, HashSet};

use cgvalues::{Calculator, Dyadic, ValueId};

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, by_frequency, independent};
use super::column::is_for_finding;
use super::formula::Formula;
use super::template::{Shape, Template};
pub use short::{SHORT_MAX, short};

/// How far from the least value of a variable laws may begin, with several variables and with one.
const BEGINNINGS: [i64; 2] = [5, 12];

/// The most refuted laws that are kept.
const REFUTED_KEPT_MAX: usize = 64;

/// The greatest moduli tried, with one variable, two, and more.
const MODULI: [i64; 3] = [12, 4, 2];

/// A distinct entry of the cells.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its template.
    pub template: Template,
    /// The value; `None` for an integer, which only that number's template has.
    pub value: Option<ValueId>,
}

/// An entry at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedEntry {
    /// The variables.
    pub at: Vec<i64>,
    /// The index of the entry.
    pub entry: u32,
}

/// The region where a law holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The least value of each variable.
    pub from: Vec<i64>,
    /// Whether a variable is fixed at that value.
    pub is_fixed: Vec<bool>,
    /// The modulus of each variable.
    pub moduli: Vec<i64>,
    /// The residue of each variable.
    pub residues: Vec<i64>,
}

/// A law: the values in a region.
#[derive(Clone, Debug)]
pub struct Law {
    /// The region where it holds.
    pub region: Region,
    /// The shape.
    pub shape: Shape,
    /// Its numbers, in steps of the region's variables.
    pub formulas: Vec<Formula>,
    /// The cells that it gives.
    pub cells: usize,
    /// The number of them held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
    /// The bits of writing it down.
    written: f64,
}

/// The laws of a column.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    /// Laws that hold for all cells of their regions, the largest regions first.
    pub laws: Vec<Law>,
    /// The number of laws that fitted the cells they were found on and failed on the rest.
    pub failed: usize,
    /// Those of them that were found on the most cells, each with the index of a cell that refutes it.
    pub refuted: Vec<(Law, usize)>,
    /// The number of cells that no law gives.
    pub unexplained: usize,
}

impl Region {
    /// Returns whether a place is in the region.
    pub fn contains(&self, at: &[i64]) -> bool {
        at.iter().enumerate().all(|(i, &at)| {
            let is_there = if self.is_fixed[i] {
                at == self.from[i]
            } else {
                at >= self.from[i]
            };
            is_there && (at - self.residues[i]).rem_euclid(self.moduli[i]) == 0
        })
    }

    /// Returns the first place.
    pub fn first(&self) -> Vec<i64> {
        let places = self.from.iter().zip(&self.residues).zip(&self.moduli);
        places
            .map(|((from, residue), modulus)| from + (residue - from).rem_euclid(*modulus))
            .collect()
    }

    /// Returns a place as steps from the residues.
    fn steps(&self, at: &[i64]) -> Vec<i64> {
        let steps = at.iter().zip(&self.residues).zip(&self.moduli);
        steps
            .map(|((at, residue), modulus)| (at - residue) / modulus)
            .collect()
    }

    /// Returns the variables that are not fixed.
    fn free(&self) -> Vec<usize> {
        (0..self.from.len())
            .filter(|&i| !self.is_fixed[i])
            .collect()
    }
}

impl Entry {
    /// Returns whether a shape with numbers has the value of the entry.
    fn is(&self, given: &Template, calculator: &mut Calculator<'_>) -> bool {
        if *given == self.template {
            return true;
        }
        // A number plus ups plus a nimber has a unique template.
        let is_sum = |template: &Template| template.shape == Shape::Sum;
        if is_sum(given) && is_sum(&self.template) {
            return false;
        }
        self.value.is_some() && given.value(calculator) == self.value
    }
}

impl Law {
    /// Returns whether the value at a place is independent of those with fewer variables away from
    /// the beginning. A nim-sum of functions of one variable each is determined by the places at
    /// which all variables but one are at the beginning.
    fn is_new(&self, at: &[i64]) -> bool {
        let is_sum = |formula: &Formula| matches!(formula, Formula::NimSum { .. });
        let first = self.region.first();
        let away = at.iter().zip(&first).filter(|(at, first)| at != first);
        away.count() <= 1 || !self.formulas.iter().any(is_sum)
    }

    /// Returns the law's template at a place of its region; `None` if a number takes more than 127
    /// bits.
    pub fn at(&self, at: &[i64]) -> Option<Template> {
        template(&self.shape, &self.formulas, &self.region.steps(at))
    }
}

impl Law {
    /// Returns the law's value at a place of its region; `None` if a number or a form is too large.
    pub fn value(&self, at: &[i64], calculator: &mut Calculator<'_>) -> Option<ValueId> {
        self.at(at)?.value(calculator)
    }
}

fn template(shape: &Shape, formulas: &[Formula], steps: &[i64]) -> Option<Template> {
    let numbers = formulas.iter().map(|formula| formula.at(steps));
    Some(Template {
        shape: shape.clone(),
        numbers: numbers.collect::<Option<Vec<Dyadic>>>()?,
    })
}

/// Returns the laws of a column. Its cells must have distinct places, and its entries must be
/// distinct.
pub fn laws(cells: &[PlacedEntry], entries: &[Entry], calculator: &mut Calculator<'_>) -> Laws {
    let Some(mut search) = Search::new(cells, entries, calculator) else {
        return Laws::default();
    };
    search.border(&vec![None; search.ranges.len()]);
    let Search { mut laws, .. } = search;
    let is_given = |cell: &&PlacedEntry| laws.laws.iter().any(|law| law.region.contains(&cell.at));
    laws.unexplained = cells.len() - cells.iter().filter(is_given).count();
    laws
}

struct Search<'a, 'c, 'r> {
    cells: &'a [PlacedEntry],
    entries: &'a [Entry],
    places: HashMap<Vec<i64>, usize>,
    /// The bits of each entry.
    costs: Vec<f64>,
    /// The least and the greatest value of each variable.
    ranges: Vec<(i64, i64)>,
    calculator: &'c mut Calculator<'r>,
    laws: Laws,
    is_constant: bool,
}

/// Laws with a common beginning and common moduli.
struct Candidate {
    from: Vec<i64>,
    laws: Vec<Law>,
    bits: f64,
}

impl<'a, 'c, 'r> Search<'a, 'c, 'r> {
    /// Returns a search; `None` if there are no cells.
    fn new(
        cells: &'a [PlacedEntry],
        entries: &'a [Entry],
        calculator: &'c mut Calculator<'r>,
    ) -> Option<Self> {
        let first = cells.first()?;
        let mut counts = vec![0; entries.len()];
        let mut places: HashMap<Vec<i64>, usize> = HashMap::new();
        for (place, cell) in cells.iter().enumerate() {
            counts[cell.entry as usize] += 1;
            places.insert(cell.at.clone(), place);
        }
        let ranges = (0..first.at.len()).map(|i| {
            let values = || cells.iter().map(|cell| cell.at[i]);
            (values().min().unwrap_or(0), values().max().unwrap_or(0))
        });
        Some(Search {
            cells,
            entries,
            places,
            costs: by_frequency(counts.into_iter()),
            ranges: ranges.collect(),
            calculator,
            laws: Laws::default(),
            is_constant: cells.iter().all(|cell| cell.entry == first.entry),
        })
    }

    /// Searches for laws with some variables fixed, and then along the border of their region.
    fn border(&mut self, fixed: &[Option<i64>]) {
        let cells: Vec<usize> = (0..self.cells.len())
            .filter(|&place| {
                let at = &self.cells[place].at;
                let is_given = || self.laws.laws.iter().any(|law| law.region.contains(at));
                fixed
                    .iter()
                    .zip(at)
                    .all(|(fixed, at)| fixed.is_none_or(|fixed| fixed == *at))
                    && !is_given()
            })
            .collect();
        let free = fixed.iter().filter(|fixed| fixed.is_none()).count();
        if free == 0 || cells.is_empty() {
            return;
        }
        let Some(candidate) = self.best(fixed, &cells) else {
            return;
        };
        self.laws.laws.extend(candidate.laws);
        for i in (0..fixed.len()).filter(|&i| fixed[i].is_none()) {
            for at in self.ranges[i].0..candidate.from[i] {
                let mut fixed = fixed.to_vec();
                fixed[i] = Some(at);
                self.border(&fixed);
            }
        }
    }

    /// Returns the laws that save the most bits, if they save enough.
    fn best(&mut self, fixed: &[Option<i64>], cells: &[usize]) -> Option<Candidate> {
        let free: Vec<usize> = (0..fixed.len()).filter(|&i| fixed[i].is_none()).collect();
        let modulus_max = MODULI[free.len().min(MODULI.len()) - 1];
        let mut best: Option<Candidate> = None;
        for moduli in each_list(&vec![(1, modulus_max); free.len()]) {
            let mut all = vec![1; fixed.len()];
            for (&i, &modulus) in free.iter().zip(&moduli) {
                all[i] = modulus;
            }
            let found = self.with_moduli(fixed, &all, cells);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.bits > best.bits)
            {
                best = Some(found);
            }
        }
        let saves = |best: &Candidate| best.bits >= BITS_LEAST || self.is_constant;
        best.filter(saves)
    }

    /// Returns the laws with some moduli that save the most bits.
    fn with_moduli(
        &mut self,
        fixed: &[Option<i64>],
        moduli: &[i64],
        cells: &[usize],
    ) -> Option<Candidate> {
        let free: Vec<usize> = (0..fixed.len()).filter(|&i| fixed[i].is_none()).collect();
        let beginnings = BEGINNINGS[usize::from(free.len() == 1)];
        let ranges: Vec<(i64, i64)> = free
            .iter()
            .map(|&i| {
                let (least, greatest) = self.ranges[i];
                (least, (least + beginnings).min((least + greatest) / 2))
            })
            .collect();
        let moduli_bits: f64 = moduli
            .iter()
            .map(|&modulus| 2.0 * (modulus as f64).log2())
            .sum();
        let mut best: Option<Candidate> = None;
        let mut begin = each_list(&ranges);
        // Beginnings that leave the most cells come first.
        begin.sort_by_key(|from| {
            from.iter()
                .zip(&ranges)
                .map(|(at, range)| at - range.0)
                .sum::<i64>()
        });
        for begin in begin {
            let mut from: Vec<i64> = self.ranges.iter().map(|range| range.0).collect();
            for (i, fixed) in fixed.iter().enumerate() {
                from[i] = fixed.unwrap_or(from[i]);
            }
            for (&i, &at) in free.iter().zip(&begin) {
                from[i] = at;
            }
            let later: i64 = begin
                .iter()
                .zip(&ranges)
                .map(|(at, range)| at - range.0)
                .sum();
            let mut bits = -moduli_bits - 2.0 * (later as f64 + 1.0).log2();
            let mut laws = Vec::new();
            let mut left = 0;
            let residues: Vec<(i64, i64)> =
                moduli.iter().map(|&modulus| (0, modulus - 1)).collect();
            for residues in each_list(&residues) {
                let mut region = Region {
                    from: from.clone(),
                    is_fixed: fixed.iter().map(Option::is_some).collect(),
                    moduli: moduli.to_vec(),
                    residues,
                };
                for &i in &free {
                    // Step 0 is the first place of the class from which on the law holds.
                    let behind = (from[i] - region.residues[i]).rem_euclid(moduli[i]);
                    region.residues[i] = from[i] - behind + if behind > 0 { moduli[i] } else { 0 };
                }
                for (i, fixed) in fixed.iter().enumerate() {
                    region.residues[i] = fixed.unwrap_or(region.residues[i]);
                }
                match self.law(region, cells, free.len() + 2) {
                    Some(law) => {
                        bits += law.bits;
                        laws.push(law);
                    }
                    None => left += 1,
                }
            }
            if best.as_ref().is_none_or(|best| bits > best.bits)
                && !laws.is_empty()
                && (self.is_constant || self.saved(&laws) >= INDEPENDENT_BITS_LEAST)
            {
                best = Some(Candidate { from, laws, bits });
            }
            // No later beginning gives more.
            if left == 0 {
                break;
            }
        }
        best
    }

    /// Returns the law of a region, if it has one that is found on enough cells.
    fn law(&mut self, region: Region, cells: &[usize], found_least: usize) -> Option<Law> {
        let inside: Vec<usize> = cells
            .iter()
            .copied()
            .filter(|&place| region.contains(&self.cells[place].at))
            .collect();
        let (found, tested): (Vec<usize>, Vec<usize>) = inside
            .iter()
            .partition(|&&place| is_for_finding(&self.cells[place].at, &self.ranges));
        if found.len() < found_least || tested.is_empty() {
            return None;
        }
        let (shape, formulas, through) = self.formulas(&region, &found)?;
        // There are three ways to write the law: its formulas, or the cells that they go through,
        // with or without a bit for each neighbour that says whether its entry equals that of the
        // corner. The bits for choosing among the three come first.
        let (corner, neighbours) = through.split_last()?;
        let entry = |place: usize| self.cells[place].entry;
        let cost = |place: usize| self.costs[entry(place) as usize];
        let as_cells = 3.0 + through.iter().map(|&place| cost(place)).sum::<f64>();
        let is_again = |place: usize| entry(place) == entry(*corner);
        let others = neighbours.iter().filter(|&&place| !is_again(place));
        let as_corner = 1.0
            + cost(*corner)
            + neighbours.len() as f64
            + others.map(|&place| cost(place)).sum::<f64>();
        let as_formulas = 2.0 + formulas.iter().map(Formula::bits).sum::<f64>();
        let written = as_cells.min(as_corner).min(as_formulas);
        let mut law = Law {
            region,
            shape,
            formulas,
            cells: inside.len(),
            tested: tested.len(),
            bits: -written,
            written,
        };
        for (is_test, places) in [(false, &found), (true, &tested)] {
            for &place in places {
                let cell = &self.cells[place];
                let entry = &self.entries[cell.entry as usize];
                let given = law.at(&cell.at);
                if !given.is_some_and(|given| entry.is(&given, self.calculator)) {
                    if is_test {
                        self.refute(law, place);
                    }
                    return None;
                }
                law.bits += self.costs[cell.entry as usize];
            }
        }
        Some(law)
    }

    /// Counts a law that fails at a cell. A line with too few cells to find a law on has one that
    /// goes through all of them.
    fn refute(&mut self, law: Law, place: usize) {
        let refuted = &mut self.laws.refuted;
        self.laws.failed += 1;
        let found = |law: &Law| law.cells - law.tested;
        let rank = refuted.partition_point(|(other, _)| found(other) >= found(&law));
        refuted.insert(rank, (law, place));
        refuted.truncate(REFUTED_KEPT_MAX);
    }

    /// Returns the bits that laws together save on independent cells.
    fn saved(&self, laws: &[Law]) -> f64 {
        let is_counted = |cell: &&PlacedEntry| {
            let mut laws = laws.iter();
            laws.any(|law| law.region.contains(&cell.at) && law.is_new(&cell.at))
        };
        // A constant of some residue classes is determined by one cell for each place in these
        // classes.
        let moduli = laws
            .iter()
            .flat_map(|law| law.region.moduli.iter().enumerate());
        let in_classes = moduli.filter(|(_, modulus)| **modulus > 1);
        let in_classes: HashSet<usize> = in_classes.map(|(i, _)| i).collect();
        let mut classes: HashSet<Vec<i64>> = HashSet::new();
        let mut is_first = |cell: &&PlacedEntry| {
            let place = in_classes.iter().map(|&i| cell.at[i]).collect();
            in_classes.is_empty() || classes.insert(place)
        };
        let is_constant = laws
            .iter()
            .all(|law| law.formulas.iter().all(|of| of.constant().is_some()));
        let inside = self.cells.iter().filter(is_counted);
        let inside = inside.filter(|cell| !is_constant || is_first(cell));
        let inside: Vec<(&[i64], u32)> = inside.map(|cell| (&cell.at[..], cell.entry)).collect();
        let given = independent(&inside).map(|(_, entry)| self.costs[entry as usize]);
        given.sum::<f64>() - laws.iter().map(|law| law.written).sum::<f64>()
    }

    /// Returns the most frequent shape of some cells and formulas for its numbers that all cells of
    /// that shape satisfy; also the cells that the formulas go through.
    fn formulas(
        &self,
        region: &Region,
        found: &[usize],
    ) -> Option<(Shape, Vec<Formula>, Vec<usize>)> {
        let template = |place: usize| &self.entries[self.cells[place].entry as usize].template;
        let mut counts: HashMap<&Shape, usize> = HashMap::new();
        for &place in found {
            *counts.entry(&template(place).shape).or_default() += 1;
        }
        let shape = counts
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(a.0)))?
            .0;
        let of_shape: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&place| template(place).shape == *shape)
            .collect();
        let free = region.free();
        let back = |at: &[i64], i: usize| {
            let mut at = at.to_vec();
            at[i] -= region.moduli[i];
            let place = *self.places.get(&at)?;
            (at[i] >= region.from[i] && template(place).shape == *shape).then_some(place)
        };
        // The farthest cell whose neighbours have the shape too.
        let (corner, neighbours) = of_shape.iter().rev().find_map(|&place| {
            let at = &self.cells[place].at;
            let neighbours = free
                .iter()
                .map(|&i| back(at, i))
                .collect::<Option<Vec<usize>>>()?;
            Some((place, neighbours))
        })?;
        let steps = region.steps(&self.cells[corner].at);
        let mut formulas = Vec::new();
        for (slot, &here) in template(corner).numbers.iter().enumerate() {
            let mut values = vec![here; region.from.len()];
            for (&i, &place) in free.iter().zip(&neighbours) {
                values[i] = template(place).numbers[slot];
            }
            let agrees = |formula: &Formula| {
                of_shape.iter().all(|&place| {
                    let steps = region.steps(&self.cells[place].at);
                    formula.at(&steps) == Some(template(place).numbers[slot])
                })
            };
            formulas.push(
                Formula::through(&steps, here, &values)
                    .into_iter()
                    .find(agrees)?,
            );
        }
        let mut through = neighbours;
        through.push(corner);
        Some((shape.clone(), formulas, through))
    }
}

/// Returns all lists of integers within these bounds, the first varying slowest.
fn each_list(bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut lists = vec![Vec::new()];
    for &(least, greatest) in bounds {
        let longer = |list: Vec<i64>| {
            (least..=greatest).map(move |last| {
                let mut list = list.clone();
                list.push(last);
                list
            })
        };
        lists = lists.into_iter().flat_map(longer).collect();
    }
    lists
}

#[cfg(test)]
mod tests;
