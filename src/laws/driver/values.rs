//! Laws of values and integers in terms of the variables.

use std::collections::HashMap;

use cgvalues::{Calculator, Dyadic, ValueId};

use super::findings::Mining;
use crate::column::{Column, Entries, is_for_finding};
use crate::rules::ENTRIES_MAX;
use crate::statement::{Contradiction, EntryError, Evidence, Prediction, Statement};
use crate::template::Template;
use crate::values::{Entry, Law, PlacedEntry, SHORT_MAX, laws, short};

/// The distance from the least value of a variable within which laws of values are found, with one
/// variable, two, and more. They are tested on all places.
const NEAR_PLACES: [i64; 3] = [1 << 12, 1 << 6, 1 << 4];

impl Mining<'_> {
    /// Searches for laws of the values in terms of the variables: finds them on the places near the
    /// least ones, and tests them on all others.
    pub(super) fn values(&mut self, calculator: &mut Calculator<'_>) -> Result<(), EntryError> {
        let column = self.column;
        let ranges = column.ranges();
        let near = NEAR_PLACES[ranges.len().min(NEAR_PLACES.len()) - 1];
        let is_near = |at: &[i64]| {
            at.iter()
                .zip(&ranges)
                .all(|(at, range)| at - range.0 < near)
        };
        let (cells, entries) = placed(column, is_near, calculator)?;
        let found = laws(&cells, &entries, calculator);
        let unlisted = found.failed - found.refuted.len();
        for (law, place) in &found.refuted {
            self.refute_values(law, &cells[*place].at, calculator);
        }
        self.mined.failed += unlisted;
        for law in &found.laws {
            let mut given = Given { column, last: None };
            let far = column.words().filter(|(at, _)| !is_near(at));
            let mut far = far.filter(|(at, _)| law.region.contains(at));
            let mut tested = law.tested;
            let wrong = far.find(|(at, text)| {
                tested += 1;
                !given.is(law, at, *text, calculator)
            });
            match wrong {
                Some((at, _)) => self.refute_values(law, at, calculator),
                None => self.adopt_values(law, tested, calculator),
            }
        }
        Ok(())
    }

    /// Searches for a law of a short sequence.
    pub(super) fn short(&mut self, calculator: &mut Calculator<'_>) -> Result<(), EntryError> {
        if self.column.len() <= SHORT_MAX {
            let (cells, entries) = placed(self.column, |_| true, calculator)?;
            if let Some(law) = short(&cells, &entries, calculator) {
                self.adopt_values(&law, law.tested, calculator);
            }
        }
        Ok(())
    }

    /// Adopts a law of values that was tested on some entries.
    fn adopt_values(&mut self, law: &Law, tested: usize, calculator: &mut Calculator<'_>) {
        let column = self.column;
        let mut cells = 0;
        for ((at, _), is_given) in column.words().zip(&mut self.is_given) {
            let is_inside = law.region.contains(at);
            *is_given |= is_inside;
            cells += usize::from(is_inside);
        }
        let region = &law.region;
        let steps: Vec<Option<i64>> = (0..column.variables.len())
            .map(|i| (!region.is_fixed[i]).then_some(region.moduli[i]))
            .collect();
        let statement = Statement {
            values: (column.entries == Entries::Values).then(|| law.clone()),
            cells,
            tested,
            bits: law.bits,
            evidence: self.evidence(law, calculator),
            ..stated(column, law, calculator)
        };
        let entry = |at: &[i64]| {
            let is_inside = region.contains(at);
            is_inside
                .then(|| given(column, law, at, calculator))
                .flatten()
        };
        self.adopt(statement, column.beyond(&region.first(), &steps), entry);
    }

    /// Returns the entries for and against a law of a short sequence.
    fn evidence(&self, law: &Law, calculator: &mut Calculator<'_>) -> Option<Evidence> {
        let column = self.column;
        if column.variables.len() != 1 || column.len() > SHORT_MAX {
            return None;
        }
        let ranges = column.ranges();
        let first = law.region.first();
        let mut evidence = Evidence::default();
        for (at, word) in column.words() {
            let (place, value) = (column.place(at), column.texts()[word].to_owned());
            if law.region.contains(at) {
                let known = Prediction {
                    at: at.to_vec(),
                    place,
                    value,
                };
                if is_for_finding(at, &ranges) {
                    evidence.found_on.push(known);
                } else {
                    evidence.held_out.push(known);
                }
            } else if let Some(predicted) = given(column, law, at, calculator)
                && (first[0] - at[0]) % law.region.moduli[0] == 0
                && predicted != value
            {
                evidence.exceptions.push(Contradiction {
                    place,
                    predicted,
                    found: value,
                });
            }
        }
        Some(evidence)
    }

    /// Counts a law of values that the entry at a place refutes.
    fn refute_values(&mut self, law: &Law, at: &[i64], calculator: &mut Calculator<'_>) {
        let column = self.column;
        let statement = stated(column, law, calculator);
        let found = column.words().find(|(place, _)| *place == at);
        let by = found.zip(given(column, law, at, calculator));
        let by = by.map(|((_, word), predicted)| Contradiction {
            place: column.place(at),
            predicted,
            found: column.texts()[word].to_owned(),
        });
        self.mined.refute(&statement, by);
    }
}

/// Returns the cells of a column at some places, and their distinct entries.
fn placed(
    column: &Column,
    is_near: impl Fn(&[i64]) -> bool,
    calculator: &mut Calculator<'_>,
) -> Result<(Vec<PlacedEntry>, Vec<Entry>), EntryError> {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut cells: Vec<PlacedEntry> = Vec::new();
    for (at, text) in column.words().filter(|(at, _)| is_near(at)) {
        let number = match numbers.get(&text) {
            Some(&number) => number,
            None => {
                let number = entries.len() as u32;
                entries.push(entry(column, text, calculator)?);
                numbers.insert(text, number);
                number
            }
        };
        cells.push(PlacedEntry {
            at: at.to_vec(),
            entry: number,
        });
    }
    Ok((cells, entries))
}

/// States a law of values.
fn stated(column: &Column, law: &Law, calculator: &mut Calculator<'_>) -> Statement {
    Statement {
        cases: vec![law.text(&column.variables, calculator)],
        region: law.region.text(&column.variables),
        ..Statement::default()
    }
}

/// Returns the entry that a law gives at a place, in its region or not.
fn given(
    column: &Column,
    law: &Law,
    at: &[i64],
    calculator: &mut Calculator<'_>,
) -> Option<String> {
    let given = law.at(at)?;
    match column.entries {
        Entries::Integers => given.numbers.first().map(Dyadic::to_string),
        _ => Some(given.text(calculator)),
    }
}

/// The entries that a law gives, with a cache of the last one, since equal entries often follow
/// each other.
struct Given<'a> {
    column: &'a Column,
    last: Option<(Template, u32)>,
}

impl Given<'_> {
    /// Returns whether a law gives the entry with this text.
    fn is(&mut self, law: &Law, at: &[i64], text: u32, calculator: &mut Calculator<'_>) -> bool {
        let Some(given) = law.at(at) else {
            return false;
        };
        if self
            .last
            .as_ref()
            .is_some_and(|last| *last == (given.clone(), text))
        {
            return true;
        }
        let expected = &self.column.texts()[text];
        let is_it = match self.column.entries {
            Entries::Integers => expected.parse() == Ok(given.numbers[0].numerator()),
            _ => given.text(calculator) == expected,
        };
        self.last = is_it.then_some((given, text));
        is_it
    }
}

/// Reads an entry of a column of values or integers.
fn entry(column: &Column, text: u32, calculator: &mut Calculator<'_>) -> Result<Entry, EntryError> {
    let text = &column.texts()[text];
    let wrong = |source| EntryError {
        subject: column.subject.to_string(),
        text: text.to_owned(),
        source,
    };
    if column.entries == Entries::Integers {
        let number = text.parse().map_err(|error| wrong(Box::new(error)))?;
        return Ok(Entry {
            template: Template::integer(number),
            value: None,
        });
    }
    let value = calculator
        .parse(text)
        .map_err(|error| wrong(Box::new(error)))?;
    Ok(Entry {
        template: Template::of(calculator.arena(), value),
        value: Some(value),
    })
}

/// Returns the index of each entry's negative, if the negative also occurs in the column of values.
pub(super) fn negatives(
    column: &Column,
    calculator: &mut Calculator<'_>,
) -> Result<Vec<Option<u32>>, EntryError> {
    let texts = column.texts().len();
    if column.entries != Entries::Values || texts > ENTRIES_MAX {
        return Ok(vec![None; texts]);
    }
    let values = (0..texts as u32).map(|text| Ok(entry(column, text, calculator)?.value));
    let values: Vec<Option<ValueId>> = values.collect::<Result<_, EntryError>>()?;
    let negative = |value: &Option<ValueId>| {
        let negative = Some(value.as_ref()?.negative());
        let found = values.iter().position(|other| *other == negative);
        found.map(|place| place as u32)
    };
    Ok(values.iter().map(negative).collect())
}
