//! Laws in finished results: found on one part of the rows, and tested on the rest.
//!
//! A task gives [columns](Column) over the variables of its rows. [`mine`] states the laws that
//! hold in one: what its values are in terms of the variables ([`values`]), whether they repeat
//! ([`periods`]), and how integers follow from those before them ([`recurrences`]). Nothing here knows a game, a job or a file.

pub mod bits;
mod column;
pub mod formula;
pub mod periods;
pub mod recurrences;
pub mod template;
mod text;
pub mod values;

use std::error::Error;
use std::fmt;

pub use column::{Column, Entries};
pub use periods::{Period, Sought, period};
pub use recurrences::{Recurrence, SoughtRecurrence, recurrence};

use self::template::Template;
use self::values::{Cell, Entry, Law, laws};
use crate::value::{Arena, ArenaError, Calculator, Dyadic};

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

/// Why a column cannot be mined.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// An entry is no value, or no integer.
    #[error("{subject}: the entry {text:?} cannot be read: {source}")]
    Entry {
        /// What the column belongs to.
        subject: String,
        /// The entry.
        text: String,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A value that a law would give cannot be held.
    #[error(transparent)]
    Arena(#[from] ArenaError),
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
/// An entry that is no value, or a value that is too large.
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
/// # Ok::<(), seedbank::mine::MineError>(())
/// ```
pub fn mine(column: &Column, place: Option<&[i64]>) -> Result<Mined, MineError> {
    let mut mined = match column.entries {
        Entries::Values | Entries::Integers => mine_values(column, place)?,
        Entries::Words => Mined {
            unexplained: column.len(),
            ..Mined::default()
        },
    };
    if mined.unexplained > 0
        && let Some((first, words)) = column.sequence()
    {
        let place = place.and_then(|place| place.first().copied());
        mine_period(column, first, &words, place, &mut mined);
        if column.entries == Entries::Integers && mined.unexplained > 0 {
            mine_recurrence(column, first, &words, place, &mut mined);
        }
    }
    Ok(mined)
}

fn mine_values(column: &Column, place: Option<&[i64]>) -> Result<Mined, MineError> {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut entries = Vec::new();
    for text in column.texts() {
        entries.push(entry(column, text, &mut calculator)?);
    }
    let cells = column.words().map(|(at, entry)| Cell {
        at: at.to_vec(),
        entry,
    });
    let found = laws(&cells.collect::<Vec<Cell>>(), &entries, &mut calculator);
    let ranges = column.ranges();
    let mut mined = Mined {
        failed: found.failed,
        unexplained: found.unexplained,
        ..Mined::default()
    };
    for law in &found.laws {
        let mut says_of = |at: &[i64]| -> Option<String> {
            let given = law.at(at)?;
            match column.entries {
                Entries::Integers => given.numbers.first().map(Dyadic::to_string),
                _ => {
                    let value = given.value(&mut calculator).ok()??;
                    Some(arena.notation(value).to_string())
                }
            }
        };
        let next = beyond(law, &ranges).and_then(|at| Some((at.clone(), says_of(&at)?)));
        if let (None, Some(place)) = (&mined.predicted, place)
            && law.region.contains(place)
        {
            mined.predicted = says_of(place);
        }
        mined.laws.push(Statement {
            says: law.value_text(&column.variables, &mut calculator)?,
            region: law.region.text(&column.variables),
            cells: law.cells,
            tested: law.tested,
            bits: law.bits,
            next,
        });
    }
    Ok(mined)
}

/// Reads an entry of a column of values or integers.
fn entry(column: &Column, text: &str, calculator: &mut Calculator<'_>) -> Result<Entry, MineError> {
    let wrong = |source| MineError::Entry {
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

/// Looks for a period of entries at consecutive places.
fn mine_period(column: &Column, first: i64, words: &[u32], place: Option<i64>, mined: &mut Mined) {
    let found = match period(words) {
        Sought::Found(found) => found,
        Sought::Failed => {
            mined.failed += 1;
            return;
        }
        Sought::None => return,
    };
    // Of a place from the preperiod on.
    let entry = |n: i64| {
        let place = (n - first) as usize - found.preperiod;
        let word = words[found.preperiod + place % found.period];
        column.texts()[word as usize].clone()
    };
    let next = first + words.len() as i64;
    let from = first + found.preperiod as i64;
    let name = &column.variables[0];
    mined.laws.push(Statement {
        says: format!("period {}", found.period),
        region: format!("{name} >= {from}"),
        cells: words.len() - found.preperiod - found.period,
        tested: found.tested,
        bits: found.bits,
        next: Some((vec![next], entry(next))),
    });
    mined.unexplained = mined.unexplained.min(found.preperiod + found.period);
    if let (None, Some(n)) = (&mined.predicted, place)
        && n >= from
    {
        mined.predicted = Some(entry(n));
    }
}

/// Looks for a recurrence of integers at consecutive places.
fn mine_recurrence(
    column: &Column,
    first: i64,
    words: &[u32],
    place: Option<i64>,
    mined: &mut Mined,
) {
    let entries = words
        .iter()
        .map(|&word| column.texts()[word as usize].parse().ok());
    let Some(mut entries) = entries.collect::<Option<Vec<i128>>>() else {
        return;
    };
    let found = match recurrence(&entries) {
        SoughtRecurrence::Found(found) => found,
        SoughtRecurrence::Failed => {
            mined.failed += 1;
            return;
        }
        SoughtRecurrence::None => return,
    };
    let name = &column.variables[0];
    let mut says = format!("a({name}) =");
    let terms = (1..).zip(&found.coefficients);
    for (place, (back, coefficient)) in terms
        .filter(|(_, coefficient)| **coefficient != 0)
        .enumerate()
    {
        let sign = match (*coefficient < 0, place) {
            (true, 0) => " -",
            (true, _) => " - ",
            (false, 0) => " ",
            (false, _) => " + ",
        };
        let size = match coefficient.unsigned_abs() {
            1 => String::new(),
            size => format!("{size} "),
        };
        says += &format!("{sign}{size}a({name}-{back})");
    }
    let from = first + found.from as i64;
    let next = first + entries.len() as i64;
    mined.laws.push(Statement {
        says,
        region: format!("{name} >= {from}"),
        cells: entries.len() - found.from,
        tested: found.tested,
        bits: found.bits,
        next: found
            .next(&entries)
            .map(|says| (vec![next], says.to_string())),
    });
    mined.unexplained = mined.unexplained.min(found.from);
    if let (None, Some(n)) = (&mined.predicted, place)
        && n >= first
    {
        // Entries that grow do not fit after some hundred more.
        while (entries.len() as i64) <= n - first {
            let Some(next) = found.next(&entries) else {
                return;
            };
            entries.push(next);
        }
        mined.predicted = Some(entries[(n - first) as usize].to_string());
    }
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
