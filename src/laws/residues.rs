//! Tables that repeat in each of their variables: the entry depends on residues alone.
//!
//! A variable is *folded* with a preperiod and a period: numbers before the preperiod stay, later
//! ones become the number of the first period with the same residue. A law says that the entry at a
//! place equals the entry at the folded place, and lists the entries of all folded places. For
//! example, the values of knights under obligated sums have preperiod 3 and period 4 in both
//! coordinates (Ferguson, *Obligated sums of games*, Figure 3).
//!
//! A *slice* of the table is all entries at one number of a variable. The table depends on the
//! folded number alone exactly if the sequence of slices has that preperiod and that
//! [period](super::periods). Both are found on the first two thirds of each range, and all entries
//! must agree with them. A law must save bits: the cost of the entries that it does not list, minus
//! the periods and preperiods written as numbers. It must also save some bits if only
//! [independent] places count. Moreover, the slices along each variable,
//! as letters of a sequence, must save the bits required of a sequence, unless they are all equal
//! from one of its first numbers on. The slices along at least one variable must save them in any
//! case. Otherwise a table of sums `f(i) + g(j)` would have a period wherever few values of `f` and
//! `g` repeat by chance.
//!
//! Only tables without holes have such laws here.

use std::collections::HashMap;

use super::bits::{BITS_LEAST, INDEPENDENT_BITS_LEAST, by_frequency, independent};
use super::column::{Column, is_for_finding};
use super::periods::{repetition, saved, written};
use super::sought::Sought;

/// The greatest preperiod of a variable whose slices are all equal from there on, and therefore
/// save next to nothing as letters.
///
/// Unit: places. Laws of values may begin this far from the least number, too. Of some 60,000
/// tables `f(i) + j mod 3` with random `f` of 12 to 25 places, 1.6 % have such a law: those whose
/// `f` happens to be constant from one of the first places on.
const BEGINNING: usize = 5;

/// How far behind the folded places cells are tested for independence.
///
/// Unit: places of a variable. Fewer cells save fewer bits, so the bound refuses laws and never
/// admits one.
const NEW_PLACES: usize = 64;

/// The most entries of a law that are printed.
pub const ENTRIES_WRITTEN_MAX: usize = 400;

/// The folding of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The least number.
    pub least: i64,
    /// The number of places before the first period.
    pub preperiod: usize,
    /// The period.
    pub period: usize,
}

/// Entries that depend on the folded place alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Residues {
    /// The folding of each variable.
    pub folds: Vec<Fold>,
    /// The entries of the folded places, the last variable varying fastest.
    pub entries: Vec<u32>,
    /// The number of cells that the law gives: those that are not listed.
    pub cells: usize,
    /// The number of cells held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

impl Fold {
    /// Returns the number of folded places of a variable.
    fn side(self) -> usize {
        self.preperiod + self.period
    }

    /// Returns the index among the folded numbers, from 0; `None` below the least.
    fn at(self, number: i64) -> Option<usize> {
        let behind = usize::try_from(i128::from(number) - i128::from(self.least)).ok()?;
        Some(match behind.checked_sub(self.preperiod) {
            Some(behind) => self.preperiod + behind % self.period,
            None => behind,
        })
    }

    /// Returns whether folding leaves a number unchanged.
    fn keeps(self, number: i64) -> bool {
        i128::from(number) - i128::from(self.least) < self.side() as i128
    }
}

impl Residues {
    /// Returns the entry at a place; `None` below the least number of a variable.
    pub fn at(&self, at: &[i64]) -> Option<u32> {
        let folded = self.folds.iter().zip(at).try_fold(0, |place, (fold, at)| {
            Some(place * fold.side() + fold.at(*at)?)
        });
        Some(self.entries[folded?])
    }

    /// Returns whether the law lists the entry at a place.
    pub fn lists(&self, at: &[i64]) -> bool {
        self.folds.iter().zip(at).all(|(fold, at)| fold.keeps(*at))
    }

    /// Writes the periods.
    pub fn text(&self, names: &[String]) -> String {
        let periods = self.folds.iter().zip(names).map(|(fold, name)| {
            let from = i128::from(fold.least) + fold.preperiod as i128;
            format!("period {} in {name} from {name} = {from}", fold.period)
        });
        periods.collect::<Vec<String>>().join(" and ")
    }

    /// Writes the entries of the folded places, a line for each number of all variables but the
    /// last; empty if there are more than [`ENTRIES_WRITTEN_MAX`].
    pub fn rows<'t>(&self, names: &[String], text: impl Fn(u32) -> &'t str) -> Vec<String> {
        let Some((last, others)) = self.folds.split_last() else {
            return Vec::new();
        };
        if self.entries.len() > ENTRIES_WRITTEN_MAX {
            return Vec::new();
        }
        let mut places = vec![Vec::new()];
        for (fold, name) in others.iter().zip(names) {
            let longer = |place: Vec<String>| {
                let numbers = (fold.least..).take(fold.side());
                numbers.map(move |number| [&place[..], &[format!("{name}={number}")]].concat())
            };
            places = places.into_iter().flat_map(longer).collect();
        }
        let rows = places.iter().zip(self.entries.chunks(last.side()));
        let rows = rows.map(|(place, entries)| {
            let entries: Vec<&str> = entries.iter().map(|entry| text(*entry)).collect();
            format!("{}: {}", place.join(","), entries.join(" "))
        });
        let (name, least) = (&names[others.len()], last.least);
        let greatest = i128::from(least) + last.side() as i128 - 1;
        let header = format!("entries at {name} = {least} to {greatest}:");
        std::iter::once(header).chain(rows).collect()
    }
}

/// Returns the law of a column of two variables or more, if its table repeats in each of them.
///
/// Cost: O(cells variables).
///
/// ```
/// use cglaws::Sought;
/// use cglaws::residues::residues;
/// use cglaws::{Column, Entries};
///
/// let mut column = Column::new("a".to_owned(), vec!["i".to_owned(), "j".to_owned()], Entries::Words);
/// for (i, j) in (0..24).flat_map(|i| (0..24).map(move |j| (i, j))) {
///     column.push(&[i, j], if i > 0 && (i + j) % 3 == 0 { "10" } else { "01" });
/// }
/// let Sought::Found(found) = residues(&column) else { panic!("no law") };
/// assert_eq!(found.text(&column.variables), "period 3 in i from i = 1 and period 3 in j from j = 0");
/// assert_eq!(found.at(&[100, 101]).map(|entry| &column.texts()[entry]), Some("10"));
/// ```
pub fn residues(column: &Column) -> Sought<Residues> {
    let ranges = column.ranges();
    let Some(table) = BoxEntries::of(column, &ranges).filter(|_| ranges.len() > 1) else {
        return Sought::None;
    };
    // The numbers for finding are the first ones of each variable.
    let found_sides = ranges.iter().map(|range| {
        let numbers = (range.0..=range.1).take_while(|at| is_for_finding(&[*at], &[*range]));
        numbers.count()
    });
    let found = table.first(found_sides.collect());
    let folds = ranges.iter().enumerate().map(|(variable, range)| {
        let (preperiod, period) = repetition(&found.slices(variable))?;
        Some(Fold {
            least: range.0,
            preperiod,
            period,
        })
    });
    let Some(folds) = folds.collect::<Option<Vec<Fold>>>() else {
        return Sought::None;
    };
    let entries = table
        .first(folds.iter().map(|fold| fold.side()).collect())
        .entries;
    let law = Residues {
        cells: table.entries.len() - entries.len(),
        tested: table.entries.len() - found.entries.len(),
        bits: 0.0,
        folds,
        entries,
    };
    let is_constant = column.texts().len() == 1;
    let (bits, bits_new) = law.bits(column);
    if !is_constant && (bits < BITS_LEAST || bits_new < INDEPENDENT_BITS_LEAST) {
        return Sought::None;
    }
    if !is_constant && !law.is_significant(&table) {
        return Sought::None;
    }
    let law = Residues { bits, ..law };
    if column.words().all(|(at, entry)| law.at(at) == Some(entry)) {
        Sought::Found(law)
    } else {
        Sought::Failed(law)
    }
}

impl Residues {
    /// Returns the bits that the law saves, and those that it saves on independent cells.
    fn bits(&self, column: &Column) -> (f64, f64) {
        let mut counts = vec![0; column.texts().len()];
        column
            .words()
            .for_each(|(_, entry)| counts[entry as usize] += 1);
        let costs = by_frequency(counts.into_iter());
        let folds = self.folds.iter();
        let numbers: f64 = folds.map(|fold| written(fold.preperiod, fold.period)).sum();
        let cost = |cells: &mut dyn Iterator<Item = (&[i64], u32)>| {
            let given = cells.filter(|(at, _)| !self.lists(at));
            given.map(|(_, entry)| costs[entry as usize]).sum::<f64>() - numbers
        };
        let is_near = |at: &[i64]| {
            let mut places = self.folds.iter().zip(at);
            places.all(|(fold, at)| at - fold.least < (fold.side() + NEW_PLACES) as i64)
        };
        let near: Vec<(&[i64], u32)> = column.words().filter(|(at, _)| is_near(at)).collect();
        (cost(&mut column.words()), cost(&mut independent(&near)))
    }

    /// Returns whether the slices along some variable save the bits required of a sequence, and
    /// those along every other variable do too or are all equal from an early number on.
    fn is_significant(&self, table: &BoxEntries) -> bool {
        let ends_equal = |fold: &Fold, side: usize| {
            let last = BEGINNING.min(side / 2);
            fold.period == 1 && fold.preperiod <= last
        };
        let mut saves_any = false;
        let folds = self.folds.iter().enumerate();
        let is_each = folds.into_iter().all(|(variable, fold)| {
            let slices = table.slices(variable);
            let saves = saved(&slices, fold.preperiod, fold.period) >= BITS_LEAST;
            saves_any |= saves;
            saves || ends_equal(fold, slices.len())
        });
        is_each && saves_any
    }
}

/// Entries of all places of a box, the last variable varying fastest.
struct BoxEntries {
    sides: Vec<usize>,
    entries: Vec<u32>,
}

impl BoxEntries {
    /// Returns the table of a column, if it has just one entry at each place of its ranges.
    fn of(column: &Column, ranges: &[(i64, i64)]) -> Option<BoxEntries> {
        let sides = ranges.iter().map(|(least, greatest)| {
            let side = i128::from(*greatest) - i128::from(*least) + 1;
            usize::try_from(side).ok()
        });
        let sides = sides.collect::<Option<Vec<usize>>>()?;
        let mut sizes = sides.iter();
        let size = sizes.try_fold(1usize, |size, side| size.checked_mul(*side))?;
        if size != column.len() {
            return None;
        }
        let mut entries = vec![u32::MAX; size];
        for (at, entry) in column.words() {
            let numbers = at
                .iter()
                .zip(ranges)
                .map(|(at, range)| at.abs_diff(range.0));
            let place = numbers.zip(&sides);
            let place = place.fold(0, |place, (number, side)| place * side + number as usize);
            entries[place] = entry;
        }
        // A place listed twice leaves another without an entry.
        let is_whole = !entries.contains(&u32::MAX);
        is_whole.then_some(BoxEntries { sides, entries })
    }

    /// Returns the part of the table with the first numbers of each variable, at most all of them.
    fn first(&self, sides: Vec<usize>) -> BoxEntries {
        let mut places = vec![0];
        for (side, all) in sides.iter().zip(&self.sides) {
            let longer = |place: usize| (0..*side).map(move |number| place * all + number);
            places = places.into_iter().flat_map(longer).collect();
        }
        let entries = places.into_iter().map(|place| self.entries[place]);
        BoxEntries {
            entries: entries.collect(),
            sides,
        }
    }

    /// Numbers the slices across a variable, equal slices equally.
    fn slices(&self, variable: usize) -> Vec<u32> {
        let side = self.sides[variable];
        let stride: usize = self.sides[variable + 1..].iter().product();
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let slices = (0..side).map(|number| {
            let blocks = self.entries.chunks(stride * side);
            let slice = blocks.flat_map(|block| &block[stride * number..stride * (number + 1)]);
            let next = known.len() as u32;
            *known.entry(slice.copied().collect()).or_insert(next)
        });
        slices.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entries;

    /// Returns a column over places from the least ones on.
    fn column(least: &[i64], sides: &[i64], mut of: impl FnMut(&[i64]) -> String) -> Column {
        let names = ["i", "j", "k"][..sides.len()].iter();
        let names = names.map(|name| (*name).to_owned()).collect();
        let mut column = Column::new("a".to_owned(), names, Entries::Words);
        let mut places = vec![Vec::new()];
        for (least, side) in least.iter().zip(sides) {
            let longer = |place: Vec<i64>| {
                (*least..least + side).map(move |number| [&place[..], &[number]].concat())
            };
            places = places.into_iter().flat_map(longer).collect();
        }
        for place in places {
            column.push(&place, &of(&place));
        }
        column
    }

    /// Returns the least preperiod and period in a variable, by trying all.
    fn by_trying(column: &Column, variable: usize) -> (usize, usize) {
        let entries: HashMap<&[i64], u32> = column.words().collect();
        let (least, greatest) = column.ranges()[variable];
        let holds = |preperiod: i64, period: i64| {
            column.words().all(|(at, entry)| {
                let mut later = at.to_vec();
                later[variable] += period;
                let other = entries.get(&later[..]);
                at[variable] < least + preperiod || other.is_none_or(|other| *other == entry)
            })
        };
        let pairs = (0..=greatest - least).flat_map(|all| (1..=all).map(move |p| (all - p, p)));
        let (preperiod, period) = pairs
            .into_iter()
            .find(|&(preperiod, period)| holds(preperiod, period))
            .unwrap();
        (preperiod as usize, period as usize)
    }

    #[test]
    fn laws_are_those_of_trying_all_periods() {
        let mut generator = fastrand::Rng::with_seed(11);
        let mut found = 0;
        for _ in 0..600 {
            let sides = [generator.i64(24..34), generator.i64(24..34)];
            let least = [generator.i64(-3..4), generator.i64(-3..4)];
            let folds = [0, 1].map(|of| Fold {
                least: least[of],
                preperiod: generator.usize(0..4),
                period: generator.usize(1..6),
            });
            let kinds = generator.u32(2..5);
            let box_of = folds[0].side() * folds[1].side();
            let entries: Vec<u32> = (0..box_of).map(|_| generator.u32(0..kinds)).collect();
            let law = Residues {
                folds: folds.to_vec(),
                entries,
                cells: 0,
                tested: 0,
                bits: 0.0,
            };
            let column = column(&least, &sides, |at| law.at(at).unwrap().to_string());
            match residues(&column) {
                Sought::Found(found_law) => {
                    found += 1;
                    for (variable, fold) in found_law.folds.iter().enumerate() {
                        let (preperiod, period) = by_trying(&column, variable);
                        assert_eq!((fold.preperiod, fold.period), (preperiod, period));
                    }
                    for (i, j) in (0..100).flat_map(|i| (0..100).map(move |j| (i, j))) {
                        let at = [least[0] + i, least[1] + j];
                        let given = found_law.at(&at).map(|entry| &column.texts()[entry]);
                        assert_eq!(given, law.at(&at).map(|entry| entry.to_string()).as_deref());
                    }
                    assert_eq!(found_law.at(&[least[0] - 1, least[1]]), None);
                    assert!(found_law.at(&[i64::MAX; 2]).is_some());
                }
                Sought::Failed(_) => panic!("{law:?}"),
                // A nearly constant table saves too little.
                Sought::None => {}
            }
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn three_variables_are_folded_and_written() {
        let of = |at: &[i64]| ((at[0] % 2) + 2 * (at[1].min(1)) * (at[2] % 3)).to_string();
        let column = column(&[0, 0, 1], &[21, 15, 15], of);
        let Sought::Found(found) = residues(&column) else {
            panic!("no law");
        };
        assert_eq!(
            found.text(&column.variables),
            "period 2 in i from i = 0 and period 1 in j from j = 1 and period 3 in k from k = 1"
        );
        assert_eq!(
            (found.cells, found.tested),
            (21 * 15 * 15 - 12, 21 * 15 * 15 - 1400)
        );
        let rows = found.rows(&column.variables, |entry| &column.texts()[entry]);
        assert_eq!(
            rows,
            [
                "entries at k = 1 to 3:",
                "i=0,j=0: 0 0 0",
                "i=0,j=1: 2 4 0",
                "i=1,j=0: 1 1 1",
                "i=1,j=1: 3 5 1",
            ]
        );
    }

    #[test]
    fn an_entry_that_differs_where_it_is_tested_refutes_a_law() {
        let of = |at: &[i64]| match at {
            [23, 2] => "11".to_owned(),
            _ => ((at[0] + at[1]) % 4).to_string(),
        };
        assert!(matches!(
            residues(&column(&[0; 2], &[24; 2], of)),
            Sought::Failed(_)
        ));
        let whole = column(&[0; 2], &[24; 2], |at| ((at[0] + at[1]) % 4).to_string());
        assert!(matches!(residues(&whole), Sought::Found(_)));
        // A table with a hole, and one that lists another place twice instead.
        let mut holed = Column::new("a".to_owned(), whole.variables.clone(), Entries::Words);
        for (at, entry) in whole.words().skip(1) {
            holed.push(at, &whole.texts()[entry]);
        }
        assert_eq!(residues(&holed), Sought::None);
        holed.push(&[5, 5], "2");
        assert_eq!(residues(&holed), Sought::None);
    }

    #[test]
    fn a_table_of_one_variable_needs_what_a_sequence_needs() {
        // The sequence 0 1 0 1 ... of 12 entries is no law, however many times it is repeated.
        let of = |at: &[i64]| (at[1] % 2).to_string();
        assert_eq!(residues(&column(&[0; 2], &[40, 8], of)), Sought::None);
        assert!(matches!(
            residues(&column(&[0; 2], &[40, 24], of)),
            Sought::Found(_)
        ));
    }

    /// Returns the number of tables of each kind that have a law: random entries, some of them more
    /// frequent; periodic tables in random order; sums of two random sequences; random sequences
    /// repeated for each number of the other variable; random functions of the sum; symmetric
    /// random tables.
    fn false_laws(rounds: u32, seed: u64) -> Vec<usize> {
        let mut generator = fastrand::Rng::with_seed(seed);
        let mut laws = vec![0; 6];
        for round in 0..rounds {
            let kind = (round % 6) as usize;
            let sides = [generator.i64(3..26), generator.i64(3..26)];
            let (often, kinds) = (generator.f64(), generator.u32(2..8));
            let mut entry = || {
                if generator.f64() < often {
                    0
                } else {
                    generator.u32(0..kinds)
                }
            };
            let size = (sides[0] * sides[1]) as usize;
            let random: Vec<u32> = (0..size.max(60)).map(|_| entry()).collect();
            let others: Vec<u32> = (0..60).map(|_| entry()).collect();
            let period = generator.i64(1..5);
            let mut texts: Vec<u32> = (0..sides[0] * sides[1])
                .map(|place| {
                    let (i, j) = (place / sides[1], place % sides[1]);
                    match kind {
                        0 => random[place as usize],
                        1 => random[(i % period * 5 + j % period) as usize],
                        2 => random[i as usize] ^ others[j as usize],
                        3 => random[j as usize],
                        4 => random[(i + j) as usize],
                        _ => random[(i.min(j) * 7 + i.max(j)) as usize % random.len()],
                    }
                })
                .collect();
            if kind == 1 {
                generator.shuffle(&mut texts);
            }
            // A table of equal entries has a law in any order.
            if texts.iter().all(|text| *text == texts[0]) {
                continue;
            }
            let mut texts = texts.iter();
            let column = column(&[0; 2], &sides, |_| texts.next().unwrap().to_string());
            laws[kind] += usize::from(matches!(residues(&column), Sought::Found(_)));
        }
        laws
    }

    #[test]
    fn random_and_shuffled_tables_have_none() {
        assert_eq!(false_laws(6000, 6), [0; 6]);
    }
}
