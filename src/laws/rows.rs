//! Laws of all rows of a bounded number of pots: which rows have a given value.

use std::collections::{BTreeMap, HashMap, HashSet};

use cgvalues::{Calculator, ValueId};

use super::automata::{RowClasses, automaton};
use super::sought::Sought;
use super::statement::{Contradiction, EntryError, Mined, NEXT_MAX, Prediction, Statement};
use super::texts::Texts;

/// The most seeds in a pot.
const SEEDS_MAX: u8 = 4;

/// The least length, in pots, of the longest rows.
const POTS_LEAST: usize = 5;

/// The most rows that are searched for an automaton; longer rows are left out.
const ROWS_MAX: usize = 1 << 17;

/// The most values for which automata are sought: the most frequent ones.
const VALUES_MAX: usize = 8;

/// The most distinct outputs of one automaton.
const OUTPUTS_MAX: usize = 12;

/// The number of rows beyond the table that are tried for one that has a value.
const PREDICTIONS_MAX: usize = 1 << 16;

/// Rows of pots without empty ends, up to mirror image, with their values.
#[derive(Clone, Debug)]
pub struct RowTable {
    /// A description of the rows.
    pub subject: String,
    rows: Vec<(Box<[u8]>, u32)>,
    texts: Texts,
}

impl RowTable {
    /// Returns a table without rows.
    pub fn new(subject: String) -> RowTable {
        RowTable {
            subject,
            rows: Vec::new(),
            texts: Texts::default(),
        }
    }

    /// Appends a row. Skips the empty row, whose value is 0, and rows with more seeds in a pot than
    /// laws cover.
    pub fn push(&mut self, pots: &[u32], value: &str) {
        if pots.iter().all(|&pot| pot == 0) {
            return;
        }
        let small = pots.iter().map(|&pot| u8::try_from(pot).ok());
        let small = small.map(|pot| pot.filter(|&pot| pot <= SEEDS_MAX));
        let Some(pots) = small.collect::<Option<Box<[u8]>>>() else {
            return;
        };
        self.rows.push((pots, self.texts.number(value)));
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Returns the laws of rows. For each bound on the seeds in a pot, an automaton separates the rows
/// of a frequent value from others or, if there are few values, gives all values. A law for fewer
/// seeds is left out if it follows from one for more.
///
/// The mirror image of a row has the negative of its value.
///
/// # Errors
///
/// A value that cannot be read.
pub(super) fn mined_rows(
    table: &RowTable,
    calculator: &mut Calculator<'_>,
) -> Result<Mined, EntryError> {
    let values = table.texts.iter().map(|text| {
        calculator.parse(text).map_err(|error| EntryError {
            subject: table.subject.clone(),
            text: text.to_owned(),
            source: Box::new(error),
        })
    });
    let values: Vec<ValueId> = values.collect::<Result<_, EntryError>>()?;
    // The class of a row is the number of its value in an arena.
    let class = |value: ValueId| value.to_raw();
    let mut mined = Mined::default();
    let mut known: HashSet<Target> = HashSet::new();
    for seeds_max in (1..=SEEDS_MAX).rev() {
        let rows = table
            .rows
            .iter()
            .filter(|(pots, _)| pots.iter().all(|&pot| pot <= seeds_max));
        // A row may be listed more than once.
        let rows: BTreeMap<&[u8], ValueId> = rows
            .map(|(pots, value)| (&**pots, values[*value as usize]))
            .collect();
        // If no pot has the most seeds, the rows are those of pots with fewer.
        if !rows.keys().any(|pots| pots.contains(&seeds_max)) {
            continue;
        }
        let pots_max = complete(rows.keys().copied(), seeds_max);
        if pots_max < POTS_LEAST {
            continue;
        }
        let mut classes = RowClasses::new(usize::from(seeds_max) + 1, pots_max);
        classes.insert(&[], class(ValueId::ZERO));
        let mut counts: BTreeMap<u32, (usize, ValueId)> = BTreeMap::new();
        for (pots, value) in rows.iter().filter(|(pots, _)| pots.len() <= pots_max) {
            let mirrored: Vec<u8> = pots.iter().rev().copied().collect();
            for (pots, value) in [(*pots, *value), (&mirrored, value.negative())] {
                classes.insert(pots, class(value));
                counts.entry(class(value)).or_insert((0, value)).0 += 1;
            }
        }
        let mut frequent: Vec<(usize, ValueId)> = counts.values().copied().collect();
        frequent.sort_by_key(|(count, value)| (std::cmp::Reverse(*count), class(*value)));
        let texts: HashMap<u32, String> = frequent
            .iter()
            .map(|(_, value)| {
                (
                    class(*value),
                    calculator.arena().notation(*value).to_string(),
                )
            })
            .collect();
        let mut targets = Vec::new();
        if (3..=OUTPUTS_MAX).contains(&frequent.len()) {
            targets.push(Target::All);
        }
        // If there are two values, the rows of one are all but those of the other.
        let values_max = if frequent.len() == 2 { 1 } else { VALUES_MAX };
        let frequent = frequent.iter().take(values_max);
        targets.extend(frequent.map(|(_, value)| Target::One(class(*value))));
        for target in targets {
            if known.contains(&target) || known.contains(&Target::All) {
                continue;
            }
            let other = u32::MAX;
            let output = |of: u32| match target {
                Target::All => of,
                Target::One(value) if of == value => of,
                Target::One(_) => other,
            };
            let (law, holds) = match automaton(&classes, output) {
                Sought::Found(law) => (law, true),
                Sought::Failed(law) => (law, false),
                Sought::None => continue,
            };
            let name = |output: u32| match texts.get(&output) {
                Some(text) => text.clone(),
                None => "other values".to_owned(),
            };
            // Rows with other values may be practically endless.
            let predictions = law.automaton.predictions(&classes).take(PREDICTIONS_MAX);
            let next = predictions.filter(|(_, output)| *output != other);
            let digits = |pots: &[u8]| pots.iter().map(u8::to_string).collect::<String>();
            let statement = Statement {
                cases: vec![law.automaton.text(name)],
                region: format!("rows of pots of at most {seeds_max} seeds"),
                cells: law.rows,
                tested: law.tested,
                bits: law.bits,
                ..Statement::default()
            };
            if !holds {
                let wrong = rows.iter().find_map(|(pots, value)| {
                    let given = law.automaton.output(pots)?;
                    let found = output(class(*value));
                    (given != found).then(|| Contradiction {
                        place: digits(pots),
                        predicted: name(given),
                        found: name(found),
                    })
                });
                mined.refute(&statement, wrong);
                continue;
            }
            known.insert(target);
            mined.laws.push(Statement {
                next: next
                    .take(NEXT_MAX)
                    .map(|(pots, output)| Prediction {
                        at: Vec::new(),
                        place: digits(&pots),
                        value: name(output),
                    })
                    .collect(),
                ..statement
            });
        }
    }
    Ok(mined)
}

/// The outputs of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    /// All values.
    All,
    /// One value, and all others together.
    One(u32),
}

/// Returns the greatest number of pots such that nearly all rows of each smaller number of pots are
/// known, and not too many for an automaton. In some games a few short rows are missing: those with
/// more seeds in a pot than fill it.
fn complete<'a>(rows: impl Iterator<Item = &'a [u8]>, seeds_max: u8) -> usize {
    let mut counts: Vec<usize> = Vec::new();
    for pots in rows {
        let len = pots.len();
        if counts.len() <= len {
            counts.resize(len + 1, 0);
        }
        let is_own_mirror = pots.iter().eq(pots.iter().rev());
        counts[len] += if is_own_mirror { 1 } else { 2 };
    }
    let seeds = usize::from(seeds_max);
    let all = |pots: usize| match pots {
        1 => Some(seeds),
        _ => (seeds + 1)
            .checked_pow(pots as u32 - 2)?
            .checked_mul(seeds * seeds),
    };
    let mut sum = 0usize;
    let is_whole = |&pots: &usize| {
        sum = sum.saturating_add(counts[pots]);
        let missing = all(pots).map(|all| all - counts[pots].min(all));
        let is_short = pots < POTS_LEAST - 1;
        missing.is_some_and(|missing| is_short || 10 * missing <= counts[pots]) && sum <= ROWS_MAX
    };
    (1..counts.len()).take_while(is_whole).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cgvalues::Arena;

    /// Returns the laws of rows up to mirror image of at most `pots_max` pots.
    fn laws(seeds_max: u32, pots_max: u32, value: &dyn Fn(&[u32]) -> String) -> Mined {
        let mut table = RowTable::new("rows".to_owned());
        let base = seeds_max + 1;
        for pots in 1..=pots_max {
            for number in 0..base.pow(pots) {
                let row: Vec<u32> = (0..pots).map(|pot| number / base.pow(pot) % base).collect();
                let mirrored: Vec<u32> = row.iter().rev().copied().collect();
                if row[0] > 0 && mirrored[0] > 0 && row <= mirrored {
                    table.push(&row, &value(&row));
                }
            }
        }
        let arena = Arena::new();
        mined_rows(&table, &mut arena.calculator()).unwrap()
    }

    #[test]
    fn nim_values_by_the_number_of_seeds() {
        let of = |row: &[u32]| format!("*{}", row.iter().sum::<u32>() % 3);
        let found = laws(2, 8, &of);
        assert_eq!(found.laws.len(), 1, "{found:?}");
        let law = &found.laws[0];
        assert_eq!(law.region, "rows of pots of at most 2 seeds");
        assert!(
            law.cases[0].contains("from state 0: 0 (0): 0 1 2"),
            "{law:?}"
        );
        let next = &law.next[0];
        assert_eq!((&*next.place, &*next.value), ("100000001", "*2"));
    }

    #[test]
    fn the_empty_row_is_no_row_of_one_pot() {
        let mut table = RowTable::new("rows".to_owned());
        table.push(&[0], "0");
        assert!(table.is_empty());
    }

    #[test]
    fn values_whose_rows_are_a_regular_language() {
        let is_in = |row: &[u32]| {
            row.iter()
                .enumerate()
                .all(|(i, &pot)| pot == 1 - i as u32 % 2)
        };
        let of = |row: &[u32]| {
            if is_in(row) {
                "*2".to_owned()
            } else {
                format!("*{}", 3 + row.iter().map(|pot| pot * pot).sum::<u32>() % 5)
            }
        };
        let found = laws(1, 12, &of);
        let cases: Vec<&String> = found.laws.iter().flat_map(|law| &law.cases).collect();
        assert!(
            cases.iter().any(|case| case.starts_with("*2: 1(01)*")),
            "{cases:?}"
        );
    }
}
