//! The search for laws in one column: tries each kind of law in turn while some entries have no
//! law.

use std::collections::HashMap;

use cgvalues::{Arena, Calculator, Dyadic, ValueId};

use super::column::{Column, Entries, ProvedPeriod, is_for_finding};
use super::options::LawKind;
use super::periods::period;
use super::products::product;
use super::recurrences::recurrence;
use super::residues::residues;
use super::rules::{ENTRIES_MAX, HELPER_ENTRIES_MAX, Helper, rule};
use super::sought::Sought;
use super::statement::{
    Contradiction, EntryError, Evidence, Mined, NEXT_MAX, Prediction, Statement,
};
use super::template::Template;
use super::values::{Entry, Law, PlacedEntry, SHORT_MAX, laws, short};

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
    if column.entries != Entries::Words
        && is_sought(LawKind::Values)
        && mining.mined.laws.is_empty()
    {
        mining.short(&mut calculator)?;
    }
    let Mining {
        mut mined,
        is_given,
        ..
    } = mining;
    mined.unexplained = is_given.iter().filter(|is_given| !**is_given).count();
    Ok(mined)
}

/// Returns the law that a search found, and whether it holds for the entries held out.
fn sought<L>(sought: Sought<L>) -> Option<(L, bool)> {
    match sought {
        Sought::Found(law) => Some((law, true)),
        Sought::Failed(law) => Some((law, false)),
        Sought::None => None,
    }
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
    fn short(&mut self, calculator: &mut Calculator<'_>) -> Result<(), EntryError> {
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

    /// Counts a law that fails, with the first entry that differs from the law's.
    fn refute(&mut self, law: &Statement, entry: impl Fn(&[i64]) -> Option<String>) {
        let column = self.column;
        let by = column.words().find_map(|(at, word)| {
            let predicted = entry(at)?;
            let found = &column.texts()[word];
            (predicted != found).then(|| Contradiction {
                place: column.place(at),
                predicted,
                found: found.to_owned(),
            })
        });
        self.mined.refute(law, by);
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
    fn residues(&mut self) {
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

    /// Searches for a period of entries at consecutive places, and returns whether there is one.
    /// Entries that are all equal from some place on are left to laws of values.
    fn period(&mut self, first: i64, words: &[u32]) -> bool {
        let column = self.column;
        if let Some(proved) = &column.proved {
            self.proved_period(proved, first, words);
            return true;
        }
        let found = sought(period(words)).filter(|(found, holds)| {
            !holds || found.period > 1 || column.entries == Entries::Words
        });
        let Some((found, holds)) = found else {
            return false;
        };
        let law = Statement {
            cases: vec![format!("period {}", found.period)],
            cells: words.len() - found.preperiod - found.period,
            tested: found.tested,
            bits: found.bits,
            ..Statement::default()
        };
        self.adopt_sequence(law, holds, first, found.preperiod, |place| {
            let repeated = (usize::try_from(place).ok()? - found.preperiod) % found.period;
            Some(column.texts()[words[found.preperiod + repeated]].to_owned())
        });
        holds
    }

    /// Adopts a period that is proved; it is tested on no entries and saves no bits.
    fn proved_period(&mut self, proved: &ProvedPeriod, first: i64, words: &[u32]) {
        let column = self.column;
        let ProvedPeriod {
            preperiod,
            period,
            proof,
        } = proved;
        let last = first + words.len() as i64 - 1;
        let from = usize::try_from(preperiod - first).unwrap_or(0);
        let law = Statement {
            cases: vec![format!("period {period}")],
            also: vec![proof.clone()],
            cells: words.len().saturating_sub(from + *period as usize),
            ..Statement::default()
        };
        self.adopt_sequence(law, true, first, from, |steps| {
            // The last place of the class that has an entry.
            let place = first + i64::try_from(steps).ok()?;
            let known = last - (last - place).rem_euclid(*period);
            let is_known = known >= first.max(*preperiod);
            is_known.then(|| column.texts()[words[(known - first) as usize]].to_owned())
        });
    }

    /// Searches for a recurrence of integers at consecutive places.
    fn recurrence(&mut self, first: i64, words: &[u32]) {
        let column = self.column;
        let entries = words.iter().map(|&word| column.texts()[word].parse().ok());
        let Some(entries) = entries.collect::<Option<Vec<i128>>>() else {
            return;
        };
        let Some((found, holds)) = sought(recurrence(&entries)) else {
            return;
        };
        let begin = found.from - found.coefficients.len();
        let place = first + begin as i64;
        let (name, used) = (&column.variables[0], &entries[begin..]);
        let closed = found.closed_form(used, place).filter(|_| holds);
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
        self.adopt_sequence(law, holds, first, found.from, |place| {
            let entry = found.at(&entries[begin..found.from], place - begin as u64)?;
            Some(entry.to_string())
        });
    }

    /// Adopts a law of entries at consecutive places that gives the last `law.cells` of them, if it
    /// holds. `entry` returns the law's entry at a place, counted from 0, from `from` on.
    fn adopt_sequence(
        &mut self,
        law: Statement,
        holds: bool,
        first: i64,
        from: usize,
        entry: impl Fn(u64) -> Option<String>,
    ) {
        let len = self.is_given.len();
        let (begin, end) = (first + from as i64, first + len as i64);
        let region = format!("{} >= {begin}", self.column.variables[0]);
        let law = Statement { region, ..law };
        let entry = |at: &[i64]| match at {
            &[n] if n >= begin => entry(n.abs_diff(first)),
            _ => None,
        };
        if !holds {
            self.refute(&law, entry);
            return;
        }
        self.is_given[len - law.cells..].fill(true);
        let next = (0..NEXT_MAX as i64).map(|step| vec![end + step]).collect();
        self.adopt(law, next, entry);
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
