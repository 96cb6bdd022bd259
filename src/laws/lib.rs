#![doc = include_str!("README.md")]
//!
//! A [column](Column) has values over integer variables, and [`mine`] states its laws: formulas
//! ([`values`]), periods ([`periods`], and [`residues`] in all variables of a table), recurrences of
//! integers ([`recurrences`]) and products of powers ([`products`]). [`MineOptions`] selects among
//! them. Nothing here knows a game, a job or a file.
#![forbid(unsafe_code)]

pub mod automata;
mod automata_text;
pub mod bits;
pub mod closed_form;
mod column;
mod driver;
pub mod equalities;
mod exponential;
pub mod expression;
pub mod formula;
pub mod generating_function;
mod latex;
mod options;
pub mod periods;
pub mod powers;
pub mod products;
pub mod rational;
pub mod recurrences;
pub mod relation;
mod relation_text;
pub mod residues;
pub mod row_classes;
mod rows;
pub mod rules;
mod sought;
pub mod statement;
mod sums;
mod targets;
pub mod template;
mod text;
pub mod texts;
pub mod transforms;
pub mod values;

use cgvalues::Arena;

use self::equalities::equalities;
pub use closed_form::ClosedForm;
pub use column::{Column, Entries, ProvedPeriod, Subject};
pub use generating_function::GeneratingFunction;
pub use options::{LawKind, MineOptions, Place};
pub use periods::{Period, period};
pub use powers::{Power, Powers, powers};
pub use products::{Product, product};
pub use rational::Rational;
pub use recurrences::{Recurrence, recurrence};
pub use relation::{Relation, RelationKind};
pub use rows::RowTable;
pub use sought::Sought;
pub use statement::{
    Confidence, Contradiction, EntryError, Evidence, Mined, NEXT_MAX, Prediction, Refuted, Region,
    Standing, Statement, ValueLaw,
};
pub use texts::Texts;
pub use transforms::{Relations, Sequence, relations};

/// The data of a result to search for laws.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Columns over variables.
    pub columns: Vec<Column>,
    /// Rows of pots.
    pub rows: Vec<RowTable>,
    /// Rows whose result contains proved laws.
    pub proved: Vec<Proved>,
}

/// Rows whose result contains proved laws.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// A description of the rows.
    pub subject: String,
    /// The number of rows.
    pub rows: usize,
    /// The laws, each with the rows that have it.
    pub laws: Vec<Statement>,
    /// The number of rows without a law.
    pub unproved: usize,
}

impl Material {
    /// Returns whether there are no data.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.rows.is_empty() && self.proved.is_empty()
    }
}

/// Returns the laws of a column, and their prediction for a place. Rules of grids may depend on
/// `others`, columns of one variable.
///
/// # Errors
///
/// An entry that is no value, or no integer.
///
/// ```
/// use cglaws::{Column, Entries, mine};
///
/// let mut column = Column::new("1^m 0 1^n".to_owned(), vec!["m".to_owned(), "n".to_owned()], Entries::Values);
/// for (m, n) in (0..9).flat_map(|m| (0..9).map(move |n| (m, n))) {
///     column.push(&[m, n], &format!("{{{}|{}}}", m + 1, -n));
/// }
/// let mined = mine(&column, &[], Some(&[20, 30]))?;
/// assert_eq!(mined.laws[0].to_string(), "{m+1|-n} for m >= 0; n >= 0");
/// assert_eq!(mined.predicted.as_deref(), Some("{21|-30}"));
/// # Ok::<(), cglaws::EntryError>(())
/// ```
pub fn mine(
    column: &Column,
    others: &[&Column],
    place: Option<&[i64]>,
) -> Result<Mined, EntryError> {
    driver::mined(column, others, place, &LawKind::ALL)
}

/// Like [`mine`], for the kinds of laws and the place in the options.
///
/// # Errors
///
/// As [`mine`].
pub fn mine_chosen(
    column: &Column,
    others: &[&Column],
    options: &MineOptions,
) -> Result<Mined, EntryError> {
    let place = options.place(column);
    driver::mined(column, others, place.as_deref(), &options.laws)
}

/// Returns the laws of rows: automata that separate the rows of one value from others.
///
/// # Errors
///
/// If a value cannot be read.
pub fn mine_rows(table: &RowTable) -> Result<Mined, EntryError> {
    let arena = Arena::new();
    rows::mined_rows(table, &mut arena.calculator())
}

/// Returns the equalities and relations between columns, if the options include them.
pub fn mine_between(columns: &[&Column], options: &MineOptions) -> Mined {
    let mut mined = Mined::default();
    if options.has(LawKind::Equalities) {
        let arena = Arena::new();
        let equal = equalities(columns, &mut arena.calculator());
        mined.failed += equal.failed;
        mined
            .laws
            .extend(equal.found.into_iter().map(|found| Statement {
                cases: vec![found.text],
                region: found.region,
                cells: found.places,
                tested: found.tested,
                bits: found.bits,
                ..Statement::default()
            }));
    }
    if options.has(LawKind::Relations) {
        let sequences: Vec<Sequence> = columns.iter().copied().filter_map(Sequence::of).collect();
        let related = relations(&sequences);
        let powers = powers(columns);
        mined.failed += related.failed + powers.failed;
        mined
            .laws
            .extend(related.found.iter().map(|found| Statement {
                cases: vec![found.text()],
                region: format!("{} >= {}", found.variables[0], found.from),
                cells: found.entries,
                tested: found.tested,
                bits: found.bits,
                ..Statement::default()
            }));
        mined
            .laws
            .extend(powers.found.into_iter().map(|found| Statement {
                cases: vec![found.text],
                region: found.region,
                cells: found.places,
                tested: found.tested,
                bits: found.bits,
                ..Statement::default()
            }));
    }
    mined
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
        let mined = mine(
            &integers(|n| i128::from(n) * 7 * billion - 3),
            &[],
            Some(&[50]),
        )
        .unwrap();
        assert_eq!(mined.laws[0].to_string(), "7000000000n-3 for n >= 1");
        assert_eq!(mined.predicted.as_deref(), Some("349999999997"));
        let mined = mine(&integers(|n| 3 << (2 * n)), &[], Some(&[40])).unwrap();
        assert_eq!(mined.laws[0].to_string(), "3*2^(2n) for n >= 1");
        assert_eq!(mined.predicted, Some((3i128 << 80).to_string()));
        let mined = mine(&integers(|_| billion), &[], None).unwrap();
        assert_eq!(mined.laws[0].to_string(), "1000000000 for n >= 1");
        let mut wrong = Column::new("a".to_owned(), vec!["n".to_owned()], Entries::Integers);
        wrong.push(&[1], "x");
        let error = mine(&wrong, &[], None).unwrap_err().to_string();
        assert!(error.contains("the entry \"x\" cannot be read"), "{error}");
    }

    #[test]
    fn far_places_are_predicted_without_large_forms() {
        let predicted = |entries: Entries, of: &dyn Fn(i64) -> String, place: i64| {
            let mut column = Column::new("a".to_owned(), vec!["n".to_owned()], entries);
            for n in 1..=30 {
                column.push(&[n], &of(n));
            }
            mine(&column, &[], Some(&[place])).unwrap().predicted
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
        // Even places have a law; odd ones have the digits of pi.
        let digits = "31415926535897932384626433832795".as_bytes();
        let mut column = Column::new("a".to_owned(), vec!["n".to_owned()], Entries::Values);
        for n in 1..=60 {
            let text = match n % 2 {
                0 => (n / 2).to_string(),
                _ => format!("*{}", digits[n as usize / 2] - b'0'),
            };
            column.push(&[n], &text);
        }
        let mined = mine(&column, &[], None).unwrap();
        let laws: Vec<String> = mined.laws.iter().map(Statement::to_string).collect();
        assert_eq!(laws, ["n/2 for n = 2, 4, ..."]);
        assert_eq!(mined.unexplained, 30);
    }

    #[test]
    fn integers_have_laws_recurrences_or_none() {
        let mined = mine(&integers(|n| (1 << n) - 1), &[], Some(&[70])).unwrap();
        let laws: Vec<String> = mined.laws.iter().map(Statement::to_string).collect();
        assert_eq!(laws, ["a(n) = 3 a(n-1) - 2 a(n-2) for n >= 3"]);
        assert_eq!(mined.laws[0].also[0], "2^n-1 for n >= 1");
        assert_eq!(mined.predicted, Some(((1i128 << 70) - 1).to_string()));
        assert_eq!(
            mined.laws[0].next.first(),
            Some(&Prediction {
                at: vec![31],
                place: "n=31".to_owned(),
                value: ((1i64 << 31) - 1).to_string()
            })
        );
        let mined = mine(&integers(|n| i128::from(n * n * n % 1009)), &[], None).unwrap();
        assert!(
            mined.laws.is_empty() && mined.unexplained == 30,
            "{mined:?}"
        );
    }

    #[test]
    fn refuted_laws_are_named_with_the_entry_that_refutes_them() {
        let mined = mine(&integers(|n| i128::from(n + i64::from(n == 29))), &[], None).unwrap();
        let named = Refuted {
            law: "n for n >= 1".to_owned(),
            by: Contradiction {
                place: "n=29".to_owned(),
                predicted: "29".to_owned(),
                found: "30".to_owned(),
            },
        };
        assert!(mined.refuted.contains(&named), "{:?}", mined.refuted);
        assert!(mined.failed >= mined.refuted.len());
        let mined = mine(&integers(|n| i128::from(n % 7 + 9 * (n / 29))), &[], None).unwrap();
        let period = mined
            .refuted
            .iter()
            .find(|refuted| refuted.law.starts_with("period 7"));
        assert_eq!(
            period.map(|period| &*period.by.place),
            Some("n=29"),
            "{mined:?}"
        );
    }

    #[test]
    fn laws_of_short_sequences_list_their_entries() {
        let mut column = Column::new(
            "22 (01)^n".to_owned(),
            vec!["n".to_owned()],
            Entries::Values,
        );
        for (n, text) in (0..).zip(["0", "1", "6", "7", "9", "11", "13", "15"]) {
            column.push(&[n], text);
        }
        let mined = mine(&column, &[], Some(&[20])).unwrap();
        let [law] = &mined.laws[..] else {
            panic!("{mined:?}")
        };
        assert_eq!(law.to_string(), "2n+1 for n >= 3");
        assert_eq!(law.standing().to_string(), "conjecture, fair");
        let Evidence {
            found_on,
            held_out,
            exceptions,
        } = law.evidence.as_ref().unwrap();
        let places = |entries: &[Prediction]| entries.iter().map(|entry| entry.at[0]).collect();
        let (found_on, held_out): (Vec<i64>, Vec<i64>) = (places(found_on), places(held_out));
        assert_eq!((found_on, held_out), (vec![3, 4], vec![5, 6, 7]));
        let exceptions: Vec<(&str, &str, &str)> = exceptions
            .iter()
            .map(|entry| (&*entry.place, &*entry.predicted, &*entry.found))
            .collect();
        assert_eq!(
            exceptions,
            [("n=0", "1", "0"), ("n=1", "3", "1"), ("n=2", "5", "6")]
        );
        assert_eq!(
            (mined.unexplained, mined.predicted.as_deref()),
            (3, Some("41"))
        );
    }
}
