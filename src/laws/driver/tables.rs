//! Laws of whole tables: products of powers, periods in all variables, and rules of grids. Each replaces laws that save less.

use super::findings::{Mining, sought};
use crate::column::Column;
use crate::products::product;
use crate::residues::residues;
use crate::rules::{HELPER_ENTRIES_MAX, Helper, rule};
use crate::statement::Statement;

impl Mining<'_> {
    /// Searches for a product of powers, unless most entries have a law. A product replaces laws
    /// that save less.
    pub(super) fn product(&mut self) {
        let column = self.column;
        let given = self.is_given.iter().filter(|is_given| **is_given).count();
        let cells = column.words();
        let cells = cells.map(|(at, word)| Some((at, column.texts()[word].parse().ok()?)));
        let Some(cells) = cells.collect::<Option<Vec<(&[i64], i128)>>>() else {
            return;
        };
        if 2 * given > cells.len() {
            return;
        }
        let Some((found, holds)) = sought(product(&cells)) else {
            return;
        };
        let first: Vec<i64> = column.ranges().iter().map(|range| range.0).collect();
        let law = Statement {
            cases: vec![found.text(&column.variables)],
            region: from(&column.variables, &first),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        let entry = |at: &[i64]| Some(found.at(at)?.to_string());
        if !holds {
            self.refute(&law, entry);
        } else if self.saves_more(found.bits) {
            self.is_given.fill(true);
            self.adopt_alone(law, &first, entry);
        }
    }

    /// Searches for periods in all variables. They replace laws that save less.
    pub(super) fn residues(&mut self) {
        let column = self.column;
        let Some((found, holds)) = sought(residues(column)) else {
            return;
        };
        let names = &column.variables;
        let text = |entry: u32| &column.texts()[entry];
        let first: Vec<i64> = found.folds.iter().map(|fold| fold.least).collect();
        let law = Statement {
            cases: vec![found.text(names)],
            also: found.rows(names, text),
            region: from(names, &first),
            cells: found.cells,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        let entry = |at: &[i64]| Some(text(found.at(at)?).to_owned());
        if !holds {
            self.refute(&law, entry);
        } else if self.saves_more(found.bits) {
            for ((at, _), is_given) in column.words().zip(&mut self.is_given) {
                *is_given = !found.lists(at);
            }
            self.adopt_alone(law, &first, entry);
        }
    }

    /// Searches for a rule of a grid. A rule replaces laws that save less.
    pub(super) fn rule(&mut self, others: &[&Column], negatives: &[Option<u32>]) {
        let column = self.column;
        let cells = column.words().map(|(at, entry)| ([at[0], at[1]], entry));
        let sequences: Vec<(&Column, i64, Vec<u32>)> = others
            .iter()
            .filter(|other| other.texts().len() <= HELPER_ENTRIES_MAX)
            .filter_map(|other| {
                let (first, words) = other.sequence()?;
                Some((*other, first, words))
            })
            .collect();
        let helpers: Vec<Helper<'_>> = sequences
            .iter()
            .map(|(column, first, entries)| Helper {
                subject: &column.subject,
                variable: &column.variables[0],
                first: *first,
                entries,
                texts: column.texts(),
            })
            .collect();
        let found = rule(cells, column.texts().len(), negatives, &helpers);
        let Some((found, holds)) = sought(found) else {
            return;
        };
        let ranges = column.ranges();
        let first: Vec<i64> = ranges.iter().map(|range| range.0).collect();
        let law = Statement {
            cases: found.text(&column.variables, column.texts(), &helpers),
            region: found.region(&column.variables, &ranges),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        let entry = |at: &[i64]| {
            let entry = found.at([at[0], at[1]], negatives, &helpers)?;
            Some(column.texts()[entry].to_owned())
        };
        if !holds {
            self.refute(&law, entry);
        } else if self.saves_more(found.bits) {
            self.is_given.fill(true);
            self.adopt_alone(law, &first, entry);
        }
    }
}

/// Writes the region of all places from one on.
fn from(names: &[String], first: &[i64]) -> String {
    let from = names.iter().zip(first);
    let from: Vec<String> = from
        .map(|(name, from)| format!("{name} >= {from}"))
        .collect();
    from.join("; ")
}
