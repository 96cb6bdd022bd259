//! The search for laws in one column: tries each kind of law in turn while some entries have no
//! law.

use std::collections::HashMap;

use cgvalues::{Arena, Calculator, Dyadic, ValueId};

use super::column::{Column, Entries};
use super::options::LawKind;
use super::periods::{Sought, period};
use super::products::{SoughtProduct, product};
use super::recurrences::{SoughtRecurrence, recurrence};
use super::residues::{SoughtResidues, residues};
use super::rules::{ENTRIES_MAX, HELPER_ENTRIES_MAX, Helper, SoughtRule, rule};
use super::statement::{EntryError, Mined, NEXT_MAX, Prediction, Statement};
use super::template::Template;
use super::values::{Entry, Law, PlacedEntry, laws};

/// The greatest order of a recurrence whose generating function is printed.
const ORDER_WRITTEN_MAX: usize = 12;

/// The distance from the least value of a variable within which laws of values are found, with one
/// variable, two, and more. They are tested on all places.
const NEAR_PLACES: [i64; 3] = [1 << 12, 1 << 6, 1 << 4];

/// Returns the laws of a column of some kinds; see [`mine`](super::mine).
pub(super) fn mined(
    column: &Column,
    others: &[&Column],
    place: Option<&[i64]>,
    kinds: &[LawKind],
) -> Result<Mined, EntryError> {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut mining = Mining {
        column,
        place,
        mined: Mined::default(),
        is_given: vec![false; column.len()],
    };
    let is_sought = |kind: LawKind| kinds.contains(&kind);
    let sequence = column.sequence();
    let has_period = sequence
        .as_ref()
        .filter(|_| is_sought(LawKind::Periods))
        .is_some_and(|(first, words)| mining.period(*first, words));
    if !has_period {
        if column.entries != Entries::Words && is_sought(LawKind::Values) {
            mining.values(&mut calculator)?;
        }
        if let Some((first, words)) = sequence
            && column.entries == Entries::Integers
            && is_sought(LawKind::Recurrences)
            && !mining.is_all_given()
        {
            mining.recurrence(first, &words);
        }
    }
    if column.entries == Entries::Integers && is_sought(LawKind::Products) {
        mining.product();
    }
    let is_table = column.variables.len() > 1;
    if is_table && is_sought(LawKind::Periods) && !mining.is_all_given() {
        mining.residues();
    }
    if column.variables.len() == 2 && is_sought(LawKind::Rules) && !mining.is_all_given() {
        mining.rule(others, &negatives(column, &mut calculator)?);
    }
    let Mining {
        mut mined,
        is_given,
        ..
    } = mining;
    mined.unexplained = is_given.iter().filter(|is_given| !**is_given).count();
    Ok(mined)
}

/// The findings in a column so far.
struct Mining<'a> {
    column: &'a Column,
    /// The place whose entry to predict.
    place: Option<&'a [i64]>,
    mined: Mined,
    /// For each entry, whether a law gives it.
    is_given: Vec<bool>,
}

impl Mining<'_> {
    fn is_all_given(&self) -> bool {
        self.is_given.iter().all(|is_given| *is_given)
    }

    /// Searches for laws of the values in terms of the variables: finds them on the places near the
    /// least ones, and tests them on all others.
    fn values(&mut self, calculator: &mut Calculator<'_>) -> Result<(), EntryError> {
        let column = self.column;
        let ranges = column.ranges();
        let near = NEAR_PLACES[ranges.len().min(NEAR_PLACES.len()) - 1];
        let is_near = |at: &[i64]| {
            at.iter()
                .zip(&ranges)
                .all(|(at, range)| at - range.0 < near)
        };
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
        let found = laws(&cells, &entries, calculator);
        self.mined.failed += found.failed;
        for law in &found.laws {
            let mut given = Given { column, last: None };
            let far = column.words().filter(|(at, _)| !is_near(at));
            let mut far = far.filter(|(at, _)| law.region.contains(at));
            let mut tested = law.tested;
            if !far.all(|(at, text)| {
                tested += 1;
                given.is(law, at, text, calculator)
            }) {
                self.mined.failed += 1;
                continue;
            }
            let mut cells = 0;
            for ((at, _), is_given) in column.words().zip(&mut self.is_given) {
                let is_inside = law.region.contains(at);
                *is_given |= is_inside;
                cells += usize::from(is_inside);
            }
            let mut says_of = |at: &[i64]| {
                let given = law.at(at)?;
                match column.entries {
                    Entries::Integers => given.numbers.first().map(Dyadic::to_string),
                    _ => Some(given.text(calculator)),
                }
            };
            let region = &law.region;
            let steps: Vec<Option<i64>> = (0..ranges.len())
                .map(|i| (!region.is_fixed[i]).then_some(region.moduli[i]))
                .collect();
            let next = column.beyond(&region.first(), &steps).into_iter();
            let next = next.filter_map(|at| Some(prediction(column, says_of(&at)?, at)));
            let next: Vec<Prediction> = next.collect();
            if let (None, Some(place)) = (&self.mined.predicted, self.place)
                && law.region.contains(place)
            {
                self.mined.predicted = says_of(place);
            }
            self.mined.laws.push(Statement {
                values: (column.entries == Entries::Values).then(|| law.clone()),
                cases: vec![law.text(&column.variables, calculator)],
                also: Vec::new(),
                region: law.region.text(&column.variables),
                cells,
                tested,
                bits: law.bits,
                next,
            });
        }
        Ok(())
    }

    /// Searches for a product of powers, unless most entries have a law. A product replaces laws
    /// that save less.
    fn product(&mut self) {
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
        let found = match product(&cells) {
            SoughtProduct::Found(found) => found,
            SoughtProduct::Failed => {
                self.mined.failed += 1;
                return;
            }
            SoughtProduct::None => return,
        };
        if found.bits <= self.mined.laws.iter().map(|law| law.bits).sum() {
            return;
        }
        let given = |at: &[i64]| found.at(at).map(|entry| entry.to_string());
        let ranges = column.ranges();
        let first: Vec<i64> = ranges.iter().map(|range| range.0).collect();
        let next = column
            .beyond(&first, &vec![Some(1); first.len()])
            .into_iter();
        let next = next.filter_map(|at| Some(prediction(column, given(&at)?, at)));
        let from = column.variables.iter().zip(&first);
        let region: Vec<String> = from
            .map(|(name, from)| format!("{name} >= {from}"))
            .collect();
        self.is_given.fill(true);
        self.mined.predicted = self.place.and_then(|at| {
            let is_inside = at.iter().zip(&first).all(|(at, first)| at >= first);
            if is_inside { given(at) } else { None }
        });
        self.mined.laws = vec![Statement {
            cases: vec![found.text(&column.variables)],
            region: region.join("; "),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            next: next.collect(),
            ..Statement::default()
        }];
    }

    /// Searches for periods in all variables. They replace laws that save less.
    fn residues(&mut self) {
        let column = self.column;
        let found = match residues(column) {
            SoughtResidues::Found(found) => found,
            SoughtResidues::Failed => {
                self.mined.failed += 1;
                return;
            }
            SoughtResidues::None => return,
        };
        let laws = &self.mined.laws;
        if !laws.is_empty() && found.bits <= laws.iter().map(|law| law.bits).sum() {
            return;
        }
        let names = &column.variables;
        let given = |at: &[i64]| found.at(at).map(|entry| column.texts()[entry].to_owned());
        let first: Vec<i64> = found.folds.iter().map(|fold| fold.least).collect();
        let next = column.beyond(&first, &vec![Some(1); first.len()]);
        let next = next.into_iter();
        let next = next.filter_map(|at| Some(prediction(column, given(&at)?, at)));
        for ((at, _), is_given) in column.words().zip(&mut self.is_given) {
            *is_given = !found.lists(at);
        }
        let region = names.iter().zip(&first);
        let region = region.map(|(name, least)| format!("{name} >= {least}"));
        self.mined.predicted = self.place.and_then(given);
        self.mined.laws = vec![Statement {
            cases: vec![found.text(names)],
            also: found.rows(names, |entry| &column.texts()[entry]),
            region: region.collect::<Vec<String>>().join("; "),
            cells: found.cells,
            tested: found.tested,
            bits: found.bits,
            next: next.collect(),
            ..Statement::default()
        }];
    }

    /// Searches for a rule of a grid. A rule replaces laws that save less.
    fn rule(&mut self, others: &[&Column], negatives: &[Option<u32>]) {
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
        let found = match rule(cells, column.texts().len(), negatives, &helpers) {
            SoughtRule::Found(found) => found,
            SoughtRule::Failed => {
                self.mined.failed += 1;
                return;
            }
            SoughtRule::None => return,
        };
        if found.bits <= self.mined.laws.iter().map(|law| law.bits).sum() {
            return;
        }
        let text = |entry: u32| column.texts()[entry].to_owned();
        let ranges = column.ranges();
        let given = |at: &[i64]| found.at([at[0], at[1]], negatives, &helpers).map(text);
        let first: Vec<i64> = ranges.iter().map(|range| range.0).collect();
        let next = column.beyond(&first, &[Some(1); 2]).into_iter();
        let next = next.filter_map(|at| Some(prediction(column, given(&at)?, at)));
        self.is_given.fill(true);
        self.mined.predicted = self.place.and_then(|at| {
            let is_inside = at.iter().zip(&ranges).all(|(at, range)| *at >= range.0);
            if is_inside { given(at) } else { None }
        });
        self.mined.laws = vec![Statement {
            cases: found.text(&column.variables, column.texts(), &helpers),
            region: found.region(&column.variables, &ranges),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            next: next.collect(),
            ..Statement::default()
        }];
    }

    /// Searches for a period of entries at consecutive places, and returns whether there is one.
    /// Entries that are all equal from some place on are left to laws of values.
    fn period(&mut self, first: i64, words: &[u32]) -> bool {
        let found = match period(words) {
            Sought::Found(found) if found.period > 1 || self.column.entries == Entries::Words => {
                found
            }
            Sought::Failed => {
                self.mined.failed += 1;
                return false;
            }
            Sought::Found(_) | Sought::None => return false,
        };
        let column = self.column;
        // For places from the preperiod on.
        let entry = |place: usize| {
            let word = words[found.preperiod + (place - found.preperiod) % found.period];
            column.texts()[word].to_owned()
        };
        self.law_of_sequence(
            first,
            Statement {
                cases: vec![format!("period {}", found.period)],
                region: String::new(),
                cells: words.len() - found.preperiod - found.period,
                tested: found.tested,
                bits: found.bits,
                ..Statement::default()
            },
            found.preperiod,
            |place| Some(entry(usize::try_from(place).ok()?)),
        );
        true
    }

    /// Searches for a recurrence of integers at consecutive places.
    fn recurrence(&mut self, first: i64, words: &[u32]) {
        let column = self.column;
        let entries = words.iter().map(|&word| column.texts()[word].parse().ok());
        let Some(entries) = entries.collect::<Option<Vec<i128>>>() else {
            return;
        };
        let found = match recurrence(&entries) {
            SoughtRecurrence::Found(found) => found,
            SoughtRecurrence::Failed => {
                self.mined.failed += 1;
                return;
            }
            SoughtRecurrence::None => return,
        };
        let begin = found.from - found.coefficients.len();
        let place = first + begin as i64;
        let (name, used) = (&column.variables[0], &entries[begin..]);
        let closed = found.closed_form(used, place);
        let is_short = found.coefficients.len() <= ORDER_WRITTEN_MAX;
        let generating = is_short.then(|| found.generating_function(used)).flatten();
        let also = closed
            .map(|form| format!("{} for {name} >= {}", form.text(name), form.from))
            .into_iter()
            .chain(generating.map(|function| {
                format!(
                    "generating function from {name} = {place} on: {}",
                    function.text()
                )
            }))
            .collect();
        self.law_of_sequence(
            first,
            Statement {
                cases: vec![found.text(&column.variables[0])],
                also,
                region: String::new(),
                cells: entries.len() - found.from,
                tested: found.tested,
                bits: found.bits,
                ..Statement::default()
            },
            found.from,
            |place| {
                let entry = found.at(&entries[begin..found.from], place - begin as u64)?;
                Some(entry.to_string())
            },
        );
    }

    /// Adds a law of entries at consecutive places that gives the last `statement.cells` of them.
    /// `entry` returns the law's entry at a place, counted from 0, from `from` on.
    fn law_of_sequence(
        &mut self,
        first: i64,
        statement: Statement,
        from: usize,
        entry: impl Fn(u64) -> Option<String>,
    ) {
        let (len, cells) = (self.is_given.len(), statement.cells);
        self.is_given[len - cells..].fill(true);
        let (begin, next) = (first + from as i64, first + len as i64);
        if let (None, Some(&[n])) = (&self.mined.predicted, self.place)
            && n >= begin
        {
            self.mined.predicted = entry(n.abs_diff(first));
        }
        self.mined.laws.push(Statement {
            region: format!("{} >= {begin}", self.column.variables[0]),
            next: (0..NEXT_MAX as i64)
                .filter_map(|step| {
                    let at = vec![next + step];
                    let value = entry(len as u64 + step as u64)?;
                    Some(prediction(self.column, value, at))
                })
                .collect(),
            ..statement
        });
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
        subject: column.subject.clone(),
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
fn negatives(
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

fn prediction(column: &Column, value: String, at: Vec<i64>) -> Prediction {
    Prediction {
        place: column.place(&at),
        at,
        value,
    }
}
