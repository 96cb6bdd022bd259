//! Columns that are powers of other columns: `a(m, n) = b(n)^m`.
//!
//! Independent games multiply their positions, so that m copies of a graph with b boards have b^m
//! boards. A power is found on the first two thirds of each variable's range and must hold on the
//! rest. It must save [bits](super::bits): the cost of the entries, written the cheapest way
//! without it, minus the name of the source and the shift. It must also save some bits on the
//! entries that differ from the source's, and if entries that do not depend on a variable count
//! once.

use std::collections::HashMap;

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, independent};
use super::column::{Column, Entries, is_for_finding};
use super::sums::shifted;
use super::targets::cost;

/// The greatest shift of places of the source.
const SHIFT_MAX: i64 = 2;

/// The least number of places.
const PLACES_LEAST: usize = 8;

/// The most places of a target.
const PLACES_MAX: usize = 4096;

/// A column as a power of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Power {
    /// The power, as in `a at m,n = (b at n)^m`.
    pub text: String,
    /// The least places at which it holds.
    pub region: String,
    /// The places at which it holds.
    pub places: usize,
    /// The number of places held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

/// The result of the search for powers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Powers {
    /// The powers, at most one for each column.
    pub found: Vec<Power>,
    /// The number of powers that fitted the places they were found on and failed on the rest.
    pub failed: usize,
}

/// Returns the columns of integers over two variables that are powers of columns over one.
///
/// Cost: O(places) for each target, source and one of ten ways, most of which fail at an early
/// place.
pub fn powers(columns: &[&Column]) -> Powers {
    let of_variables = |variables: usize| {
        let columns = columns.iter().filter(move |column| {
            column.entries == Entries::Integers && column.variables.len() == variables
        });
        columns.filter_map(|column| Some((*column, integers(column)?)))
    };
    let sources: Vec<(&Column, Integers<'_>)> = of_variables(1).collect();
    let mut powers = Powers::default();
    for (target, entries) in of_variables(2) {
        if entries.cells.len() > PLACES_MAX {
            continue;
        }
        let ways = [0, 1].into_iter().flat_map(|base| {
            (0..=2 * SHIFT_MAX).map(move |shift| (base, (shift + 1) / 2 * (2 * (shift % 2) - 1)))
        });
        let written = (sources.len() as f64).log2() + 10f64.log2() + 2.0;
        let found = sources.iter().find_map(|(source, base)| {
            let mut ways = ways.clone();
            ways.find_map(|way| {
                power(
                    target,
                    &entries,
                    (source, base),
                    way,
                    written,
                    &mut powers.failed,
                )
            })
        });
        powers.found.extend(found);
    }
    powers
}

/// The entries of a column.
struct Integers<'a> {
    cells: Vec<(&'a [i64], i128)>,
    at: HashMap<&'a [i64], i128>,
}

fn integers(column: &Column) -> Option<Integers<'_>> {
    let cells = column
        .words()
        .map(|(at, word)| Some((at, column.texts()[word].parse().ok()?)));
    let cells: Vec<(&[i64], i128)> = cells.collect::<Option<_>>()?;
    let at = cells.iter().copied().collect();
    Some(Integers { cells, at })
}

/// Returns the target as a power of a source: `base` is the variable of the source, the other one
/// is the exponent.
fn power(
    target: &Column,
    entries: &Integers<'_>,
    (source, bases): (&Column, &Integers<'_>),
    (base, shift): (usize, i64),
    written: f64,
    failed: &mut usize,
) -> Option<Power> {
    let base_at = |at: &[i64]| bases.at.get(&[at[base] + shift][..]).copied();
    let shared = entries
        .cells
        .iter()
        .copied()
        .filter(|(at, _)| base_at(at).is_some());
    let shared: Vec<(&[i64], i128)> = shared.collect();
    let gives = |(at, entry): &(&[i64], i128)| {
        let exponent = u32::try_from(at[1 - base]).ok();
        let power = base_at(at).zip(exponent);
        power.and_then(|(base, exponent)| base.checked_pow(exponent)) == Some(*entry)
    };
    // Most candidates fail here.
    if shared.len() < PLACES_LEAST || !gives(&shared[0]) {
        return None;
    }
    let range = |i: usize| {
        let numbers = || shared.iter().map(|(at, _)| at[i]);
        (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
    };
    let ranges = [range(0), range(1)];
    let (found, rest): (Vec<_>, Vec<_>) = shared
        .iter()
        .copied()
        .partition(|(at, _)| is_for_finding(at, &ranges));
    if rest.is_empty() || !found.iter().all(gives) {
        return None;
    }
    let saved = |cells: &[(&[i64], i128)]| {
        let entries: Vec<i128> = cells.iter().map(|(_, entry)| *entry).collect();
        cost(&entries) - written
    };
    let bits = saved(&shared);
    let new = independent(&shared).filter(|(at, _)| !(0..=1).contains(&at[1 - base]));
    if bits < BITS_LEAST || saved(&new.collect::<Vec<_>>()) < INDEPENDENT_BITS_LEAST {
        return None;
    }
    if !rest.iter().all(gives) {
        *failed += 1;
        return None;
    }
    let [own, exponent] = [&target.variables[base], &target.variables[1 - base]];
    let name = &source.variables[0];
    let place = shifted(own, shift.into());
    let place = if name == own {
        place
    } else {
        format!("{name}={place}")
    };
    let region = target.variables.iter().zip(ranges);
    let region: Vec<String> = region
        .map(|(name, range)| format!("{name} >= {}", range.0))
        .collect();
    Some(Power {
        text: format!(
            "{} at {} = ({} at {place})^{exponent}",
            target.subject,
            target.variables.join(","),
            source.subject
        ),
        region: region.join("; "),
        places: shared.len(),
        tested: rest.len(),
        bits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(subject: &str, variables: &[&str], last: i64, of: impl Fn(&[i64]) -> i128) -> Column {
        let names = variables.iter().map(|&name| name.to_owned()).collect();
        let mut column = Column::new(subject.to_owned(), names, Entries::Integers);
        for m in 1..=last {
            match variables.len() {
                1 => column.push(&[m], &of(&[m]).to_string()),
                _ => (1..=last).for_each(|n| column.push(&[m, n], &of(&[m, n]).to_string())),
            }
        }
        column
    }

    /// The least stones of Tchoukaillon boards of n + 1 bins.
    fn stones(n: i64) -> i128 {
        [2, 4, 6, 10, 12, 18, 22, 30, 34, 42][n as usize - 1]
    }

    fn texts(columns: &[&Column]) -> Vec<String> {
        powers(columns)
            .found
            .into_iter()
            .map(|power| power.text)
            .collect()
    }

    #[test]
    fn copies_of_a_column_multiply() {
        let paths = column("path(n)", &["n"], 10, |at| stones(at[0]));
        let stars = column("star(m, n)", &["m", "n"], 6, |at| {
            stones(at[1]).pow(at[0] as u32)
        });
        assert_eq!(
            texts(&[&paths, &stars]),
            ["star(m, n) at m,n = (path(n) at n)^m"]
        );
        let found = &powers(&[&stars, &paths]).found[0];
        assert_eq!(
            (found.places, found.tested, &*found.region),
            (36, 20, "m >= 1; n >= 1")
        );
        let later = column("b", &["m", "k"], 6, |at| {
            stones(at[0] + 1).pow(at[1] as u32)
        });
        assert_eq!(
            texts(&[&paths, &later]),
            ["b at m,k = (path(n) at n=m+1)^k"]
        );
    }

    #[test]
    fn columns_at_random_are_no_powers() {
        let mut generator = fastrand::Rng::with_seed(13);
        for _ in 0..500 {
            let most = generator.i64(1..=3);
            let mut draw = |places: usize| {
                let numbers = (0..places).map(|_| generator.i64(1..=most).into());
                numbers.collect::<Vec<i128>>()
            };
            let (bases, entries) = (draw(6), draw(36));
            let base = column("b", &["n"], 6, |at| bases[at[0] as usize - 1]);
            let grid = column("a", &["m", "n"], 6, |at| {
                entries[(6 * at[0] + at[1] - 7) as usize]
            });
            assert_eq!(texts(&[&base, &grid]), [""; 0]);
        }
    }

    #[test]
    fn other_columns_are_no_powers() {
        let paths = column("path(n)", &["n"], 10, |at| stones(at[0]));
        let one = column("one", &["n"], 10, |_| 1);
        let ones = column("ones", &["m", "n"], 6, |_| 1);
        assert_eq!(texts(&[&one, &ones]), [""; 0]);
        let sums = column("sums", &["m", "n"], 6, |at| {
            stones(at[1]) * i128::from(at[0])
        });
        assert_eq!(texts(&[&paths, &sums]), [""; 0]);
        let wrong = |at: &[i64]| stones(at[1]).pow(at[0] as u32) + i128::from(at == [6, 6]);
        let wrong = column("wrong", &["m", "n"], 6, wrong);
        let found = powers(&[&paths, &wrong]);
        assert_eq!((found.found.len(), found.failed), (0, 1));
    }
}
