//! Equal values of two families: one column in terms of another.
//!
//! The values of one column equal those of another at shifted places, their negatives, or either
//! plus a constant value; with several variables, these may also be permuted. A column may also be
//! the sum of two others. A column of two variables may equal itself, or its negative, with the
//! variables exchanged. An equality is found on the first two thirds of the places that the columns
//! share, and must hold at all of them. It must also save bits: the cost of the values that it
//! gives, by their frequency, minus the cost of the columns, shifts and value that it names.
//!
//! The first 16,384 places of each column are compared. Columns whose values are all equal, or more
//! than 16,384, are left out. Comparing equal positions, or a position and its negative, proves
//! nothing. For each column the first equality that holds is returned; the simplest are tried
//! first. Sums of two are tried among at most 100 columns.

mod places;

use std::collections::HashMap;

use cgvalues::{Calculator, ValueId};

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, cost, independent};
use super::column::{Column, Entries, is_for_finding};
use places::Places;

/// The least number of shared places.
const PLACES_LEAST: usize = 8;

/// The most places of a column that are compared.
const PLACES_MAX: usize = 1 << 14;

/// The most columns among which sums of two are tried: the number of triples grows with the third
/// power.
const COLUMNS_OF_SUMS_MAX: usize = 100;

/// The most variables.
const VARIABLES_MAX: usize = 3;

/// An equality.
#[derive(Clone, Debug)]
pub struct Equality {
    /// The equality, as in `2^n at n = 0.37 at n`.
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

/// The result of the search for equalities.
#[derive(Clone, Debug, Default)]
pub struct Equalities {
    /// The equalities.
    pub found: Vec<Equality>,
    /// The number of equalities that fitted the places they were found on and failed on the rest.
    pub failed: usize,
}

/// The values of a column.
struct Values<'a> {
    column: &'a Column,
    at: HashMap<&'a [i64], ValueId>,
    /// The number of the position at each place, if positions are given.
    positions: HashMap<&'a [i64], u64>,
    /// The places, in the order of the column.
    places: Vec<&'a [i64]>,
}

/// Two columns that may be equal.
struct Pair<'p> {
    target: usize,
    source: usize,
    /// The places of the source in terms of those of the target.
    places: &'p Places,
    /// Whether the source has the negatives.
    negated: bool,
    /// Whether a constant value is added to the source.
    has_constant: bool,
}

/// A check of an equality at its places.
enum Checked {
    Holds {
        from: Vec<i64>,
        places: usize,
        tested: usize,
        given: f64,
        /// The bits of the independent places.
        given_new: f64,
    },
    Failed,
    None,
}

/// Returns the equalities between columns of values, and of heaps whose values are nim-values.
///
/// Cost: for each two columns some 22 shifts, and for each three columns one comparison. Most of
/// them fail at an early place; the others cost O(places) lookups.
pub fn equalities(columns: &[&Column], calculator: &mut Calculator<'_>) -> Equalities {
    let values: Vec<Values<'_>> = columns
        .iter()
        .filter_map(|column| Values::of(column, calculator))
        .collect();
    let mut search = Search {
        naming: (values.len() as f64).log2(),
        values,
        calculator,
        equalities: Equalities::default(),
    };
    for target in 0..search.values.len() {
        if !search.pair(target) && !search.exchanged(target) {
            search.sum(target);
        }
    }
    search.equalities
}

impl<'a> Values<'a> {
    /// Reads a column; returns `None` if it has no values, or only one.
    fn of(column: &'a Column, calculator: &mut Calculator<'_>) -> Option<Values<'a>> {
        let texts = column.texts().len();
        if column.variables.len() > VARIABLES_MAX || !(2..=PLACES_MAX).contains(&texts) {
            return None;
        }
        let texts = column.texts().iter().map(|text| match column.entries {
            Entries::Values => calculator.parse(text).ok(),
            // Nim-values of heaps; the two-bit values of obligated sums are not values of games.
            Entries::Words if text == "0" || text.starts_with('*') => calculator.parse(text).ok(),
            Entries::Words | Entries::Integers => None,
        });
        let texts: Vec<ValueId> = texts.collect::<Option<_>>()?;
        Some(Values {
            column,
            at: column
                .words()
                .take(PLACES_MAX)
                .map(|(at, entry)| (at, texts[entry as usize]))
                .collect(),
            positions: column
                .words()
                .zip(column.positions())
                .take(PLACES_MAX)
                .map(|((at, _), position)| (at, *position))
                .collect(),
            places: column.words().take(PLACES_MAX).map(|(at, _)| at).collect(),
        })
    }
}

struct Search<'a, 'c, 'r> {
    values: Vec<Values<'a>>,
    /// The bits of the name of a column.
    naming: f64,
    calculator: &'c mut Calculator<'r>,
    equalities: Equalities,
}

impl Search<'_, '_, '_> {
    /// Searches for an earlier column with the same values as the target; returns whether one was
    /// found.
    fn pair(&mut self, target: usize) -> bool {
        for source in 0..target {
            let [of, from] = [target, source].map(|of| self.values[of].column);
            let ways = Places::all(of, from);
            let bits = self.naming + (ways.len() as f64).log2() + 2.0;
            for has_constant in [false, true] {
                for places in &ways {
                    // A constant with a shift adds little to the laws of the two columns themselves.
                    if has_constant && places.is_shifted() {
                        continue;
                    }
                    for negated in [false, true] {
                        let pair = Pair {
                            target,
                            source,
                            places,
                            negated,
                            has_constant,
                        };
                        if self.equal(&pair, bits) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Tests whether a pair of columns is equal; returns whether the equality was added.
    fn equal(&mut self, pair: &Pair<'_>, bits: f64) -> bool {
        let &Pair {
            target,
            source,
            places,
            negated,
            has_constant,
        } = pair;
        let Some(constant) = self.constant(pair) else {
            return false;
        };
        let value = |search: &Self, at: &[i64]| {
            let value = search.values[source].at.get(&places.of(at)[..])?;
            Some(value.negated_if(negated))
        };
        let shared = self.shared(target, |at| value(self, at).is_some());
        // Comparing equal positions, or a position and its negative, proves nothing.
        let position = |of: usize, at: &[i64]| self.values[of].positions.get(at);
        let is_same = |(at, _): &(Vec<i64>, ValueId)| {
            let own = position(target, at);
            own.is_some() && own == position(source, &places.of(at))
        };
        if shared.iter().all(is_same) {
            return false;
        }
        let given = |search: &mut Self, at: &[i64]| {
            let value = value(search, at)?;
            if has_constant {
                search.calculator.sum(value, constant).ok()
            } else {
                Some(value)
            }
        };
        let checked = self.check(shared, given);
        let [of, from] = [target, source].map(|of| self.values[of].column);
        let sign = if negated { "-" } else { "" };
        let mut right = format!("{sign}({} at {})", from.subject, places.text(of, from));
        let mut written = bits;
        if has_constant {
            let constant = self.calculator.arena().notation(constant);
            right = format!("{right} + {constant}");
            written += 8.0;
        }
        self.enter(target, checked, written, right)
    }

    /// Tests whether a column of two variables equals itself, or its negative, with the variables
    /// exchanged. Only one of two exchanged places counts, and the equality must hold at all of
    /// them.
    fn exchanged(&mut self, target: usize) -> bool {
        let Values {
            column,
            at: value_at,
            positions,
            places,
        } = &self.values[target];
        if column.variables.len() != 2 {
            return false;
        }
        let column = *column;
        let swapped = |at: &[i64]| [at[1], at[0]];
        let pairs = places.iter().filter_map(|&at| {
            let other = swapped(at);
            (at <= &other[..]).then_some((at, value_at[at], *value_at.get(&other[..])?))
        });
        let pairs: Vec<(&[i64], ValueId, ValueId)> = pairs.collect();
        let is_same = |at: &[i64]| {
            let own = positions.get(at);
            own.is_some() && own == positions.get(&swapped(at)[..])
        };
        let new = pairs
            .iter()
            .filter(|(at, ..)| at[0] != at[1] && !is_same(at));
        let new: Vec<(Vec<i64>, ValueId)> =
            new.map(|(at, value, _)| (at.to_vec(), *value)).collect();
        let has_sign = |negated: &bool| {
            let mut others = pairs
                .iter()
                .filter(|(at, ..)| at[0] == at[1] || is_same(at));
            others.all(|(_, value, other)| *value == other.negated_if(*negated))
        };
        let signs: Vec<bool> = [false, true].into_iter().filter(has_sign).collect();
        let [m, n] = [&column.variables[0], &column.variables[1]];
        for negated in signs {
            let given = |search: &mut Self, at: &[i64]| {
                let value = search.values[target].at.get(&swapped(at)[..])?;
                Some(value.negated_if(negated))
            };
            let checked = self.check(new.clone(), given);
            let sign = if negated { "-" } else { "" };
            let right = format!("{sign}({} at {m}={n},{n}={m})", column.subject);
            if self.enter(target, checked, self.naming + 2.0, right) {
                return true;
            }
        }
        false
    }

    /// Returns the difference of target and source at their first shared place. Returns `None` if
    /// there is none, or unless the difference is nonzero exactly if the pair has a constant.
    fn constant(&mut self, pair: &Pair<'_>) -> Option<ValueId> {
        let (of, from) = (&self.values[pair.target], &self.values[pair.source]);
        let mut shared = of.places.iter().filter_map(|at| {
            let value = from.at.get(&pair.places.of(at)[..])?;
            Some((of.at[at], value.negated_if(pair.negated)))
        });
        let (value, other) = shared.next()?;
        // Numbers that differ by a constant have laws of their own.
        let is_number = |value| self.calculator.arena().number(value).is_some();
        if pair.has_constant && of.at.values().all(|&value| is_number(value)) {
            return None;
        }
        let difference = self.calculator.sum(value, other.negative()).ok()?;
        ((difference != ValueId::ZERO) == pair.has_constant).then_some(difference)
    }

    /// Searches for two columns whose sum is the target.
    fn sum(&mut self, target: usize) {
        if self.values.len() > COLUMNS_OF_SUMS_MAX {
            return;
        }
        let variables = &self.values[target].column.variables;
        let others: Vec<usize> = (0..self.values.len())
            .filter(|&of| of != target && self.values[of].column.variables == *variables)
            .collect();
        for (place, &first) in others.iter().enumerate() {
            for &second in &others[place..] {
                let value =
                    |search: &Self, of: usize, at: &[i64]| search.values[of].at.get(at).copied();
                let shared = self.shared(target, |at| {
                    [first, second]
                        .iter()
                        .all(|&of| value(self, of, at).is_some())
                });
                // A constant summand is found as the constant of a pair.
                let differs = |of: usize| {
                    let mut values = shared.iter().map(|(at, _)| value(self, of, at));
                    let first = values.next();
                    values.any(|value| Some(value) != first)
                };
                if !(differs(first) && differs(second)) {
                    continue;
                }
                let given = |search: &mut Self, at: &[i64]| {
                    let (a, b) = (value(search, first, at)?, value(search, second, at)?);
                    search.calculator.sum(a, b).ok()
                };
                let checked = self.check(shared, given);
                let subject = |of: usize| &self.values[of].column.subject;
                let right = format!("({}) + ({})", subject(first), subject(second));
                if self.enter(target, checked, 2.0 * self.naming + 2.0, right) {
                    return;
                }
            }
        }
    }

    /// Returns the places of a target at which all others have values too, with these values.
    fn shared(
        &self,
        target: usize,
        has_value: impl Fn(&[i64]) -> bool,
    ) -> Vec<(Vec<i64>, ValueId)> {
        let of = &self.values[target];
        let shared = of.places.iter().filter(|at| has_value(at));
        shared.map(|at| (at.to_vec(), of.at[at])).collect()
    }

    /// Compares values with the given ones at their places; returns `None` if the latter cannot be
    /// computed.
    fn check(
        &mut self,
        shared: Vec<(Vec<i64>, ValueId)>,
        mut given: impl FnMut(&mut Self, &[i64]) -> Option<ValueId>,
    ) -> Checked {
        if shared.len() < PLACES_LEAST {
            return Checked::None;
        }
        let range = |i: usize| {
            let numbers = || shared.iter().map(|(at, _)| at[i]);
            (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0))
        };
        let ranges: Vec<(i64, i64)> = (0..shared[0].0.len()).map(range).collect();
        let places = shared.len();
        let (found, rest): (Vec<_>, Vec<_>) = shared
            .into_iter()
            .partition(|(at, _)| is_for_finding(at, &ranges));
        let found_on = found.len();
        for (place, (at, value)) in found.iter().chain(&rest).enumerate() {
            if given(self, at) != Some(*value) {
                return if place < found_on {
                    Checked::None
                } else {
                    Checked::Failed
                };
            }
        }
        if found_on == places {
            return Checked::None;
        }
        let all = found.iter().chain(&rest);
        let all: Vec<(&[i64], ValueId)> = all.map(|(at, value)| (&at[..], *value)).collect();
        Checked::Holds {
            from: ranges.iter().map(|range| range.0).collect(),
            places,
            tested: places - found_on,
            given: cost(all.iter().map(|(_, value)| *value)),
            given_new: cost(independent(&all).map(|(_, value)| value)),
        }
    }

    /// Adds an equality that holds and saves enough; returns whether it was added.
    fn enter(&mut self, target: usize, checked: Checked, written: f64, right: String) -> bool {
        let (from, places, tested, bits, bits_new) = match checked {
            Checked::Holds {
                from,
                places,
                tested,
                given,
                given_new,
            } => (from, places, tested, given - written, given_new - written),
            Checked::Failed => {
                self.equalities.failed += 1;
                return false;
            }
            Checked::None => return false,
        };
        if bits < BITS_LEAST || bits_new < INDEPENDENT_BITS_LEAST {
            return false;
        }
        let column = self.values[target].column;
        let at = column.variables.join(",");
        let from = column.variables.iter().zip(from);
        let from: Vec<String> = from
            .map(|(name, from)| format!("{name} >= {from}"))
            .collect();
        self.equalities.found.push(Equality {
            text: format!("{} at {at} = {right}", column.subject),
            region: from.join("; "),
            places,
            tested,
            bits,
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use cgvalues::Arena;

    fn column(subject: &str, variables: &[&str], of: &dyn Fn(&[i64]) -> String) -> Column {
        let names = variables.iter().map(|&name| name.to_owned()).collect();
        let mut column = Column::new(subject.to_owned(), names, Entries::Values);
        match variables.len() {
            1 => (0..14).for_each(|n| column.push(&[n], &of(&[n]))),
            _ => (0..36).for_each(|n| column.push(&[n / 6, n % 6], &of(&[n / 6, n % 6]))),
        }
        column
    }

    fn texts(columns: &[&Column]) -> Vec<String> {
        let arena = Arena::new();
        let found = equalities(columns, &mut arena.calculator()).found;
        found.into_iter().map(|equality| equality.text).collect()
    }

    /// Values without a law of their own.
    fn wild(n: i64) -> String {
        let digits = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4];
        format!("{{{}|-1}}", digits[n as usize % digits.len()])
    }

    #[test]
    fn columns_are_equal_shifted_negated_and_summed() {
        let a = column("a", &["n"], &|at| wild(at[0]));
        let b = column("b", &["m"], &|at| wild(at[0] + 2));
        assert_eq!(texts(&[&a, &b]), ["b at m = (a at n=m+2)"]);
        let negative = column("c", &["n"], &|at| format!("-({})", wild(at[0])));
        assert_eq!(texts(&[&a, &negative]), ["c at n = -(a at n)"]);
        let star = column("d", &["n"], &|at| format!("{} + *", wild(at[0])));
        assert_eq!(texts(&[&a, &star]), ["d at n = (a at n) + *"]);
        let other = column("e", &["n"], &|at| wild(3 * at[0] + 1));
        let sum = column("f", &["n"], &|at| {
            format!("{} + {}", wild(at[0]), wild(3 * at[0] + 1))
        });
        assert_eq!(texts(&[&a, &other, &sum]), ["f at n = (a) + (e)"]);
        let nimber = |n: i64| match 7 * n % 5 + n % 3 {
            0 => "0".to_owned(),
            value => format!("*{value}"),
        };
        let nim = column("g", &["n"], &|at| nimber(at[0]));
        let mut heaps = Column::new("0.37".to_owned(), vec!["n".to_owned()], Entries::Words);
        (0..90).for_each(|n| heaps.push(&[n], &nimber(n)));
        assert_eq!(texts(&[&nim, &heaps]), ["0.37 at n = (g at n)"]);
    }

    #[test]
    fn variables_change_places() {
        let of = |m: i64, n: i64| wild(3 * m + 5 * n);
        let a = column("a", &["m", "n"], &|at| of(at[0], at[1]));
        let b = column("b", &["m", "n"], &|at| of(at[1] + 1, at[0]));
        assert_eq!(texts(&[&a, &b]), ["b at m,n = (a at m=n+1,n=m)"]);
    }

    #[test]
    fn a_column_is_itself_with_exchanged_variables() {
        // A value for each unordered pair.
        let of = |at: &[i64]| wild(3 * at[0].min(at[1]) + 5 * at[0].max(at[1]));
        let symmetric = column("a", &["m", "n"], &of);
        assert_eq!(texts(&[&symmetric]), ["a at m,n = (a at m=n,n=m)"]);
        let sign = |at: &[i64]| match at[0].cmp(&at[1]) {
            Ordering::Less => of(at),
            Ordering::Equal => "*".to_owned(),
            Ordering::Greater => format!("-({})", of(at)),
        };
        let negative = column("b", &["m", "n"], &sign);
        assert_eq!(texts(&[&negative]), ["b at m,n = -(b at m=n,n=m)"]);
        // It must also hold at places with equal variables.
        let wrong = |at: &[i64]| {
            if at[0] == at[1] {
                "1".to_owned()
            } else {
                sign(at)
            }
        };
        assert_eq!(texts(&[&column("c", &["m", "n"], &wrong)]), [""; 0]);
        // If the positions are each other's negatives, the equality is trivial.
        let mut trivial = Column::new("d".to_owned(), symmetric.variables.clone(), Entries::Values);
        for (m, n) in (0..6).flat_map(|m| (0..6).map(move |n| (m, n))) {
            trivial.push_of(&[m, n], &sign(&[m, n]), (10 * m.min(n) + m.max(n)) as u64);
        }
        assert_eq!(texts(&[&trivial]), [""; 0]);
    }

    #[test]
    fn columns_at_random_have_no_equality() {
        let mut generator = fastrand::Rng::with_seed(7);
        let few = ["0", "*", "*2", "1", "{1|0}", "^"];
        for _ in 0..300 {
            let kinds = generator.usize(2..=few.len());
            let columns: Vec<Column> = (0..5)
                .map(|i| {
                    let entries: Vec<&str> =
                        (0..14).map(|_| few[generator.usize(0..kinds)]).collect();
                    let name = format!("c{i}");
                    column(&name, &["n"], &|at| entries[at[0] as usize].to_owned())
                })
                .collect();
            let columns: Vec<&Column> = columns.iter().collect();
            assert_eq!(texts(&columns), Vec::<String>::new());
            let entries: Vec<&str> = (0..36).map(|_| few[generator.usize(0..kinds)]).collect();
            let of = |at: &[i64]| entries[(6 * at[0] + at[1]) as usize].to_owned();
            assert_eq!(texts(&[&column("grid", &["m", "n"], &of)]), [""; 0]);
        }
    }
}
