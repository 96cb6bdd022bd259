//! Laws of short sequences, by a permutation test.
//!
//! [Laws](super::laws) pay for their formulas with the entries that they give. A short sequence
//! cannot pay, however striking its law: 2n+1 for n = 3 to 7 behind three other entries costs more
//! than five of eight entries. Here the chance is counted instead. Let a law give the last L of N
//! entries and none more. If the entries were in random order, their last L would have some law,
//! constant or not, with the probability
//!
//! ```text
//! p = (sequences of L of the N entries that some law gives) / (N (N-1) ... (N-L+1))
//! ```
//!
//! and the law saves -log2 p bits. Since a law of the last L entries is one of fewer, too, p is the
//! probability of a law that gives at least as many; that laws of other lengths were tried needs no
//! correction.

use std::collections::HashSet;

use cgvalues::Calculator;

use super::{Entry, Law, PlacedEntry, Region, Search, template};
use crate::formula::Formula;
use crate::template::Shape;

/// The most entries of a short sequence.
///
/// Unit: entries. Of two dozen entries a law of all but the first twelve saves more than
/// [`BITS_LEAST`](crate::bits::BITS_LEAST) in the other search, even if it is constant.
pub const SHORT_MAX: usize = 24;

/// The least number of bits that a law of a short sequence saves.
///
/// Unit: bits. Six equal entries behind two others have 4.8: one order in 28.
const SHORT_BITS_LEAST: f64 = 4.0;

/// The least number of entries held out.
const TESTED_LEAST: usize = 2;

/// The most combinations of formulas through two entries that are counted.
const COMBINATIONS_MAX: usize = 64;

/// Returns the law of the end of a short sequence that chance does not explain. It is found on the
/// first two thirds of the places, two at least, and gives all others.
///
/// Cost: O(entries^3).
pub fn short(
    cells: &[PlacedEntry],
    entries: &[Entry],
    calculator: &mut Calculator<'_>,
) -> Option<Law> {
    let count = cells.len();
    if count > SHORT_MAX || cells.first()?.at.len() != 1 {
        return None;
    }
    let mut places: Vec<i64> = cells.iter().map(|cell| cell.at[0]).collect();
    places.sort_unstable();
    let step = places.get(1)? - places[0];
    if places.windows(2).any(|pair| pair[1] - pair[0] != step) {
        return None;
    }
    let mut search = Search::new(cells, entries, calculator)?;
    if search.is_constant {
        return None;
    }
    let all: Vec<usize> = (0..count).collect();
    let law = places[..count.div_ceil(2)].iter().find_map(|&from| {
        let region = Region {
            from: vec![from],
            is_fixed: vec![false],
            moduli: vec![step],
            residues: vec![from],
        };
        let law = search.law(region, &all, 2)?;
        (law.tested >= TESTED_LEAST).then_some(law)
    })?;
    let mut frequencies = vec![0; entries.len()];
    for cell in cells {
        frequencies[cell.entry as usize] += 1;
    }
    let mut sequences = Sequences {
        entries,
        calculator: search.calculator,
    };
    let given = sequences.given(&frequencies, law.cells);
    let orders = |n: usize, places: usize| (0..places).map(|i| (n - i) as f64).product::<f64>();
    let bits = (orders(count, law.cells) / given.max(1.0)).log2();
    (bits >= SHORT_BITS_LEAST).then_some(Law { bits, ..law })
}

/// The sequences of entries that laws give.
struct Sequences<'a, 'c, 'r> {
    entries: &'a [Entry],
    calculator: &'c mut Calculator<'r>,
}

impl Sequences<'_, '_, '_> {
    /// Returns the number of sequences of `length` entries, drawn without replacement from entries
    /// of some frequencies, that a law gives.
    fn given(&mut self, frequencies: &[usize], length: usize) -> f64 {
        let constant = |&all: &usize| -> f64 {
            let ways = (0..length).map(|i| all.saturating_sub(i) as f64);
            ways.product()
        };
        let mut number: f64 = frequencies.iter().map(constant).sum();
        for first in 0..self.entries.len() {
            for second in (0..self.entries.len()).filter(|&second| second != first) {
                let mut sequences: HashSet<Vec<usize>> = HashSet::new();
                for (shape, formulas) in self.through(first, second) {
                    sequences.extend(self.sequence(&shape, &formulas, length));
                }
                let drawn = |sequence: Vec<usize>| {
                    let mut left = frequencies.to_vec();
                    let draw = |at: usize| {
                        let ways = left[at];
                        left[at] = ways.saturating_sub(1);
                        ways as f64
                    };
                    sequence.into_iter().map(draw).product::<f64>()
                };
                number += sequences.into_iter().map(drawn).sum::<f64>();
            }
        }
        number
    }

    /// Returns the laws that give two entries at steps 0 and 1.
    fn through(&self, first: usize, second: usize) -> Vec<(Shape, Vec<Formula>)> {
        let [first, second] = [first, second].map(|at| &self.entries[at].template);
        if first.shape != second.shape {
            return Vec::new();
        }
        let mut all = vec![Vec::new()];
        for (&back, &here) in first.numbers.iter().zip(&second.numbers) {
            let next = Formula::through(&[1], here, &[back]);
            let longer = |formulas: &Vec<Formula>| {
                let formulas = formulas.clone();
                let next = next.clone().into_iter();
                next.map(move |formula| [&formulas[..], &[formula]].concat())
            };
            all = all.iter().flat_map(longer).take(COMBINATIONS_MAX).collect();
        }
        let with_shape = |formulas| (first.shape.clone(), formulas);
        all.into_iter().map(with_shape).collect()
    }

    /// Returns the entries that a law gives; `None` if it gives another.
    fn sequence(
        &mut self,
        shape: &Shape,
        formulas: &[Formula],
        length: usize,
    ) -> Option<Vec<usize>> {
        let entry = |step: usize| {
            let given = template(shape, formulas, &[step as i64])?;
            let mut entries = self.entries.iter();
            entries.position(|entry| entry.is(&given, self.calculator))
        };
        (0..length).map(entry).collect()
    }
}
