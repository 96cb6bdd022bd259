//! Laws in finished results: found on one part of the rows, and tested on the rest.
//!
//! A task gives [columns](Column) over the variables of its rows. [`mine`] states the laws that
//! hold in one: what its values are in terms of the variables ([`values`]), whether they repeat
//! ([`periods`]), and how integers follow from those before them ([`recurrences`]). Nothing here
//! knows a game, a job or a file.

pub mod bits;
mod column;
pub mod formula;
pub mod periods;
pub mod recurrences;
pub mod template;
mod text;
pub mod values;

use std::fmt;

use thiserror::Error;

pub use column::{Column, Entries};
pub use periods::{Period, Sought, period};
pub use recurrences::{Recurrence, SoughtRecurrence, recurrence};

use self::template::Template;
use self::values::{Cell, Entry, Law, laws};
use crate::value::{Arena, Calculator, Dyadic};

/// What was found in a column.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The laws.
    pub laws: Vec<Statement>,
    /// How many laws held where they were found and failed on the rest.
    pub failed: usize,
    /// The entries that no law gives.
    pub unexplained: usize,
    /// What a law says of the place that was asked about; `None` where none says anything.
    pub predicted: Option<String>,
}

/// A law in words.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What the entries are.
    pub says: String,
    /// Where they are so.
    pub region: String,
    /// The entries that it gives.
    pub cells: usize,
    /// How many of them were held out: it was not found on them, but tested.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
    /// The nearest place beyond the column, and what the law says of it.
    pub next: Option<(Vec<i64>, String)>,
}

/// An entry of a column that is no value, or no integer.
#[derive(Debug, Error)]
#[error("{subject}: the entry {text:?} cannot be read: {source}")]
pub struct EntryError {
    /// What the column belongs to.
    pub subject: String,
    /// The entry.
    pub text: String,
    /// Why.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.says, self.region)
    }
}

/// Returns the laws of a column, and what they say of a place.
///
/// # Errors
///
/// An entry that is no value, or no integer.
///
/// ```
/// use seedbank::mine::{Column, Entries, mine};
///
/// let mut column = Column::new("1^m 0 1^n".to_owned(), vec!["m".to_owned(), "n".to_owned()], Entries::Values);
/// for (m, n) in (0..9).flat_map(|m| (0..9).map(move |n| (m, n))) {
///     column.push(&[m, n], &format!("{{{}|{}}}", m + 1, -n));
/// }
/// let mined = mine(&column, Some(&[20, 30]))?;
/// assert_eq!(mined.laws[0].to_string(), "{m+1|-n} for m >= 0; n >= 0");
/// assert_eq!(mined.predicted.as_deref(), Some("{21|-30}"));
/// # Ok::<(), seedbank::mine::EntryError>(())
/// ```
pub fn mine(column: &Column, place: Option<&[i64]>) -> Result<Mined, EntryError> {
    let mut mining = Mining {
        column,
        place,
        mined: Mined::default(),
        is_given: vec![false; column.len()],
    };
    if column.entries != Entries::Words {
        mining.values()?;
    }
    if let Some((first, words)) = column.sequence() {
        if !mining.is_all_given() {
            mining.period(first, &words);
        }
        if column.entries == Entries::Integers && !mining.is_all_given() {
            mining.recurrence(first, &words);
        }
    }
    let Mining {
        mut mined,
        is_given,
        ..
    } = mining;
    mined.unexplained = is_given.iter().filter(|is_given| !**is_given).count();
    Ok(mined)
}

/// What was found in a column so far.
struct Mining<'a> {
    column: &'a Column,
    /// The place that is asked about.
    place: Option<&'a [i64]>,
    mined: Mined,
    /// Whether a law gives an entry, for each.
    is_given: Vec<bool>,
}

impl Mining<'_> {
    fn is_all_given(&self) -> bool {
        self.is_given.iter().all(|is_given| *is_given)
    }

    /// Looks for laws of the values in terms of the variables.
    fn values(&mut self) -> Result<(), EntryError> {
        let column = self.column;
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let entries = column.texts().iter();
        let entries: Vec<Entry> = entries
            .map(|text| entry(column, text, &mut calculator))
            .collect::<Result<_, EntryError>>()?;
        let cells = column.words().map(|(at, entry)| Cell {
            at: at.to_vec(),
            entry,
        });
        let cells: Vec<Cell> = cells.collect();
        let found = laws(&cells, &entries, &mut calculator);
        let ranges = column.ranges();
        self.mined.failed += found.failed;
        for law in &found.laws {
            for (cell, is_given) in cells.iter().zip(&mut self.is_given) {
                *is_given |= law.region.contains(&cell.at);
            }
            let mut says_of = |at: &[i64]| {
                let given = law.at(at)?;
                match column.entries {
                    Entries::Integers => given.numbers.first().map(Dyadic::to_string),
                    _ => Some(given.text(&mut calculator)),
                }
            };
            let next = beyond(law, &ranges).and_then(|at| Some((at.clone(), says_of(&at)?)));
            if let (None, Some(place)) = (&self.mined.predicted, self.place)
                && law.region.contains(place)
            {
                self.mined.predicted = says_of(place);
            }
            self.mined.laws.push(Statement {
                says: law.text(&column.variables, &mut calculator),
                region: law.region.text(&column.variables),
                cells: law.cells,
                tested: law.tested,
                bits: law.bits,
                next,
            });
        }
        Ok(())
    }

    /// Looks for a period of entries at consecutive places.
    fn period(&mut self, first: i64, words: &[u32]) {
        let found = match period(words) {
            Sought::Found(found) => found,
            Sought::Failed => {
                self.mined.failed += 1;
                return;
            }
            Sought::None => return,
        };
        let column = self.column;
        // Of a place from the preperiod on.
        let entry = |place: usize| {
            let word = words[found.preperiod + (place - found.preperiod) % found.period];
            column.texts()[word as usize].clone()
        };
        self.law_of_sequence(
            first,
            Statement {
                says: format!("period {}", found.period),
                region: String::new(),
                cells: words.len() - found.preperiod - found.period,
                tested: found.tested,
                bits: found.bits,
                next: None,
            },
            found.preperiod,
            |place| Some(entry(usize::try_from(place).ok()?)),
        );
    }

    /// Looks for a recurrence of integers at consecutive places.
    fn recurrence(&mut self, first: i64, words: &[u32]) {
        let column = self.column;
        let entries = words
            .iter()
            .map(|&word| column.texts()[word as usize].parse().ok());
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
        self.law_of_sequence(
            first,
            Statement {
                says: found.text(&column.variables[0]),
                region: String::new(),
                cells: entries.len() - found.from,
                tested: found.tested,
                bits: found.bits,
                next: None,
            },
            found.from,
            |place| {
                let entry = found.at(&entries[begin..found.from], place - begin as u64)?;
                Some(entry.to_string())
            },
        );
    }

    /// Enters a law of entries at consecutive places that gives the last `statement.cells` of them;
    /// `entry` gives what it says of a place, counted from 0, from `from` on.
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
            next: entry(len as u64).map(|says| (vec![next], says)),
            ..statement
        });
    }
}

/// Reads an entry of a column of values or integers.
fn entry(
    column: &Column,
    text: &str,
    calculator: &mut Calculator<'_>,
) -> Result<Entry, EntryError> {
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

/// Returns the place of a law's region beyond the column that has the least sum of variables.
fn beyond(law: &Law, ranges: &[(i64, i64)]) -> Option<Vec<i64>> {
    let region = &law.region;
    let first: Vec<i64> = (0..ranges.len())
        .map(|i| {
            region.from[i] + (region.residues[i] - region.from[i]).rem_euclid(region.moduli[i])
        })
        .collect();
    let free = (0..ranges.len()).filter(|&i| !region.is_fixed[i]);
    let places = free.map(|i| {
        let mut at = first.clone();
        let steps = (ranges[i].1 - first[i]).div_euclid(region.moduli[i]) + 1;
        at[i] += steps.max(0) * region.moduli[i];
        at
    });
    places.min_by_key(|at| at.iter().sum::<i64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(of: impl Fn(i64) -> i128) -> Column {
        let mut column = Column::new("a".to_owned(), vec!["n".to_owned()], Entries::Integers);
        for n in 1..=30 {
            column.push(&[n], &of(n).to_string());
        }
        column
    }

    #[test]
    fn integers_may_be_larger_than_values() {
        let billion = 1_000_000_000;
        let mined = mine(&integers(|n| i128::from(n) * 7 * billion - 3), Some(&[50])).unwrap();
        assert_eq!(mined.laws[0].to_string(), "7000000000*n-3 for n >= 1");
        assert_eq!(mined.predicted.as_deref(), Some("349999999997"));
        let mined = mine(&integers(|n| 3 << (2 * n)), Some(&[40])).unwrap();
        assert_eq!(mined.laws[0].to_string(), "3*2^(2*n) for n >= 1");
        assert_eq!(mined.predicted, Some((3i128 << 80).to_string()));
        let mined = mine(&integers(|_| billion), None).unwrap();
        assert_eq!(mined.laws[0].to_string(), "1000000000 for n >= 1");
        let mut wrong = Column::new("a".to_owned(), vec!["n".to_owned()], Entries::Integers);
        wrong.push(&[1], "x");
        let error = mine(&wrong, None).unwrap_err().to_string();
        assert!(error.contains("the entry \"x\" cannot be read"), "{error}");
    }

    #[test]
    fn far_places_are_predicted_without_large_forms() {
        let predicted = |entries: Entries, of: &dyn Fn(i64) -> String, place: i64| {
            let mut column = Column::new("a".to_owned(), vec!["n".to_owned()], entries);
            for n in 1..=30 {
                column.push(&[n], &of(n));
            }
            mine(&column, Some(&[place])).unwrap().predicted
        };
        let check = |of: &dyn Fn(i64) -> String, place: i64, expected: Option<&str>| {
            assert_eq!(predicted(Entries::Values, of, place).as_deref(), expected);
        };
        check(&|n| (n + 1).to_string(), 5_000_000, Some("5000001"));
        let switch = |n: i64| format!("{{{n}|-{n}}}");
        check(&switch, 3_000_000, Some("{3000000|-3000000}"));
        check(&|n| format!("*{n}"), 1_000_000, Some("*1000000"));
        let ups = |n: i64| format!("{n}.^");
        check(&ups, i64::MAX, Some("9223372036854775807.^"));
        let half = |n: i64| format!("1/{}", 1 << n);
        check(&half, 4_000_000_000, Some("1/2^4000000000"));
        check(&half, i64::MAX, None);
        let square: &dyn Fn(i64) -> String = &|n| (n * n).to_string();
        let far = predicted(Entries::Integers, square, 1_000_000_000);
        assert_eq!(far.as_deref(), Some("1000000000000000000"));
        assert_eq!(predicted(Entries::Integers, square, i64::MAX), None);
    }

    #[test]
    fn entries_without_a_law_are_counted() {
        // Even places have a law, odd ones have digits of pi.
        let digits = "31415926535897932384626433832795".as_bytes();
        let mut column = Column::new("a".to_owned(), vec!["n".to_owned()], Entries::Values);
        for n in 1..=60 {
            let text = match n % 2 {
                0 => (n / 2).to_string(),
                _ => format!("*{}", digits[n as usize / 2] - b'0'),
            };
            column.push(&[n], &text);
        }
        let mined = mine(&column, None).unwrap();
        let laws: Vec<String> = mined.laws.iter().map(Statement::to_string).collect();
        assert_eq!(laws, ["n/2 for n = 2, 4, ..."]);
        assert_eq!(mined.unexplained, 30);
    }

    #[test]
    fn integers_have_laws_recurrences_or_none() {
        let mined = mine(&integers(|n| (1 << n) - 1), Some(&[70])).unwrap();
        let laws: Vec<String> = mined.laws.iter().map(Statement::to_string).collect();
        assert_eq!(laws, ["a(n) = 3 a(n-1) - 2 a(n-2) for n >= 3"]);
        assert_eq!(mined.predicted, Some(((1i128 << 70) - 1).to_string()));
        assert_eq!(
            mined.laws[0].next,
            Some((vec![31], ((1i64 << 31) - 1).to_string()))
        );
        let mined = mine(&integers(|n| i128::from(n * n * n % 1009)), None).unwrap();
        assert!(
            mined.laws.is_empty() && mined.unexplained == 30,
            "{mined:?}"
        );
    }
}
