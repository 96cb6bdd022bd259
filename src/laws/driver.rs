//! The search for laws in one column: tries each kind of law in turn while some entries have no
//! law.

use std::collections::HashMap;

use cgvalues::{Arena, Calculator, Dyadic, ValueId};

use super::column::{Column, Entries};
use super::options::LawKind;
use super::periods::period;
use super::products::product;
use super::recurrences::recurrence;
use super::residues::residues;
use super::rules::{ENTRIES_MAX, HELPER_ENTRIES_MAX, Helper, rule};
use super::sought::Sought;
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
            let region = &law.region;
            let steps: Vec<Option<i64>> = (0..ranges.len())
                .map(|i| (!region.is_fixed[i]).then_some(region.moduli[i]))
                .collect();
            let statement = Statement {
                values: (column.entries == Entries::Values).then(|| law.clone()),
                cases: vec![law.text(&column.variables, calculator)],
                region: region.text(&column.variables),
                cells,
                tested,
                bits: law.bits,
                ..Statement::default()
            };
            let entry = |at: &[i64]| {
                let given = law.at(at).filter(|_| region.contains(at))?;
                match column.entries {
                    Entries::Integers => given.numbers.first().map(Dyadic::to_string),
                    _ => Some(given.text(calculator)),
                }
            };
            self.adopt(statement, column.beyond(&region.first(), &steps), entry);
        }
        Ok(())
    }

    /// Returns the law that a search found; counts one that failed.
    fn found<L>(&mut self, sought: Sought<L>) -> Option<L> {
        self.mined.failed += usize::from(matches!(sought, Sought::Failed));
        match sought {
            Sought::Found(law) => Some(law),
            Sought::Failed | Sought::None => None,
        }
    }

    /// Returns whether a law saves more bits than those found so far.
    fn saves_more(&self, bits: f64) -> bool {
        let laws = &self.mined.laws;
        laws.is_empty() || bits > laws.iter().map(|law| law.bits).sum()
    }

    /// Adds a law with its predictions for some places. `entry` returns the law's entry at a place,
    /// if it gives one.
    fn adopt(
        &mut self,
        law: Statement,
        next: Vec<Vec<i64>>,
        mut entry: impl FnMut(&[i64]) -> Option<String>,
    ) {
        let prediction = |at: Vec<i64>| {
            let value = entry(&at)?;
            let place = self.column.place(&at);
            Some(Prediction { at, place, value })
        };
        let next = next.into_iter().filter_map(prediction).collect();
        if let (None, Some(place)) = (&self.mined.predicted, self.place) {
            self.mined.predicted = entry(place);
        }
        self.mined.laws.push(Statement { next, ..law });
    }

    /// Adopts a law of all places from `first` on, in place of the laws found so far.
    fn adopt_alone(
        &mut self,
        law: Statement,
        first: &[i64],
        entry: impl Fn(&[i64]) -> Option<String>,
    ) {
        self.mined.laws.clear();
        self.mined.predicted = None;
        let next = self.column.beyond(first, &vec![Some(1); first.len()]);
        self.adopt(law, next, |at| {
            let is_inside = at.iter().zip(first).all(|(at, first)| at >= first);
            is_inside.then(|| entry(at)).flatten()
        });
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
        let found = self.found(product(&cells));
        let Some(found) = found.filter(|found| self.saves_more(found.bits)) else {
            return;
        };
        let first: Vec<i64> = column.ranges().iter().map(|range| range.0).collect();
        self.is_given.fill(true);
        let law = Statement {
            cases: vec![found.text(&column.variables)],
            region: from(&column.variables, &first),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_alone(law, &first, |at| Some(found.at(at)?.to_string()));
    }

    /// Searches for periods in all variables. They replace laws that save less.
    fn residues(&mut self) {
        let column = self.column;
        let found = self.found(residues(column));
        let Some(found) = found.filter(|found| self.saves_more(found.bits)) else {
            return;
        };
        let names = &column.variables;
        let text = |entry: u32| &column.texts()[entry];
        let first: Vec<i64> = found.folds.iter().map(|fold| fold.least).collect();
        for ((at, _), is_given) in column.words().zip(&mut self.is_given) {
            *is_given = !found.lists(at);
        }
        let law = Statement {
            cases: vec![found.text(names)],
            also: found.rows(names, text),
            region: from(names, &first),
            cells: found.cells,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_alone(law, &first, |at| Some(text(found.at(at)?).to_owned()));
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
        let found = self.found(rule(cells, column.texts().len(), negatives, &helpers));
        let Some(found) = found.filter(|found| self.saves_more(found.bits)) else {
            return;
        };
        let ranges = column.ranges();
        let first: Vec<i64> = ranges.iter().map(|range| range.0).collect();
        self.is_given.fill(true);
        let law = Statement {
            cases: found.text(&column.variables, column.texts(), &helpers),
            region: found.region(&column.variables, &ranges),
            cells: column.len(),
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_alone(law, &first, |at| {
            let entry = found.at([at[0], at[1]], negatives, &helpers)?;
            Some(column.texts()[entry].to_owned())
        });
    }

    /// Searches for a period of entries at consecutive places, and returns whether there is one.
    /// Entries that are all equal from some place on are left to laws of values.
    fn period(&mut self, first: i64, words: &[u32]) -> bool {
        let column = self.column;
        let found = self.found(period(words));
        let found = found.filter(|found| found.period > 1 || column.entries == Entries::Words);
        let Some(found) = found else {
            return false;
        };
        let law = Statement {
            cases: vec![format!("period {}", found.period)],
            cells: words.len() - found.preperiod - found.period,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_sequence(law, first, found.preperiod, |place| {
            let repeated = (usize::try_from(place).ok()? - found.preperiod) % found.period;
            Some(column.texts()[words[found.preperiod + repeated]].to_owned())
        });
        true
    }

    /// Searches for a recurrence of integers at consecutive places.
    fn recurrence(&mut self, first: i64, words: &[u32]) {
        let column = self.column;
        let entries = words.iter().map(|&word| column.texts()[word].parse().ok());
        let Some(entries) = entries.collect::<Option<Vec<i128>>>() else {
            return;
        };
        let Some(found) = self.found(recurrence(&entries)) else {
            return;
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
        let law = Statement {
            cases: vec![found.text(name)],
            also,
            cells: entries.len() - found.from,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_sequence(law, first, found.from, |place| {
            let entry = found.at(&entries[begin..found.from], place - begin as u64)?;
            Some(entry.to_string())
        });
    }

    /// Adopts a law of entries at consecutive places that gives the last `law.cells` of them.
    /// `entry` returns the law's entry at a place, counted from 0, from `from` on.
    fn adopt_sequence(
        &mut self,
        law: Statement,
        first: i64,
        from: usize,
        entry: impl Fn(u64) -> Option<String>,
    ) {
        let len = self.is_given.len();
        self.is_given[len - law.cells..].fill(true);
        let (begin, end) = (first + from as i64, first + len as i64);
        let region = format!("{} >= {begin}", self.column.variables[0]);
        let next = (0..NEXT_MAX as i64).map(|step| vec![end + step]).collect();
        self.adopt(Statement { region, ..law }, next, |at| match at {
            &[n] if n >= begin => entry(n.abs_diff(first)),
            _ => None,
        });
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
