//! A conjecture about the values of patterns: the section `[law]`.
//!
//! Rows do not depend on it, so it is not part of a job's meaning. If the law changes, finished
//! rows stay and are compared with the new one.

use std::iter;
use std::rc::Rc;

use cggames::family::{Family, Subfamily, Values};
use cgvalues::{Arena, Calculator, Digester, ParseValueError, ValueDigest, ValueId, ValuePattern};
use schemars::json_schema;
use seedbank_specs::form::{Form, Place, list, table, text};
use seedbank_specs::{Fault, Field, Problems, keys};
use serde_json::json;

use super::layout::describe;
use crate::dataset::{DatasetError, PositionRow, VALUE_CHARS_MAX, Wanted};
use crate::run::{Reading, Refutation};
use crate::task::forms::{each_variable, no_value};

/// The conjectured values of a family of patterns, in terms of their variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    value: ValuePattern,
    /// The family's variables.
    variables: Vec<char>,
    /// The least value of each variable for which the law is stated.
    least: Vec<i64>,
    /// The places that the law does not cover.
    except: Vec<Vec<i64>>,
    /// The number of rows that it covers, at least one.
    rows: u64,
}

impl Law {
    /// Returns a sentence that the law holds.
    pub(super) fn held(&self) -> String {
        let from: Vec<String> = self.numbers(&self.least).collect();
        let except: Vec<String> = self.except.iter().map(|at| self.place(at)).collect();
        let except = if except.is_empty() {
            String::new()
        } else {
            format!(", except {}", except.join(" and "))
        };
        format!(
            "law {} holds on all {} row{} from {} on{except}",
            self.value,
            self.rows,
            if self.rows == 1 { "" } else { "s" },
            from.join(", ")
        )
    }

    /// Compares finished rows, and returns the first that refutes the law.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    pub(super) fn refutation(
        &self,
        reading: &Reading<'_>,
    ) -> Result<Option<Refutation>, DatasetError> {
        let compared = ["position", "value", "value_digest", "value_missing"].map(str::to_owned);
        let variables = self.variables.iter().map(char::to_string);
        let wanted = Wanted::columns(compared.into_iter().chain(variables));
        let rows = reading.scan().rows::<PositionRow>(wanted)?;
        let arena = Arena::new();
        let mut test = self.test(&reading.job.name, &arena);
        for (rank, row) in reading.ranks.iter().cloned().flatten().zip(rows) {
            let refuted = test.refuted_by(rank, &row?);
            if refuted.is_some() {
                return Ok(refuted);
            }
        }
        Ok(None)
    }

    /// Returns a test that compares rows of a job with the law, in an arena of forms.
    pub(super) fn test<'a>(&'a self, job: &'a str, arena: &'a Arena) -> LawTest<'a> {
        LawTest {
            law: self,
            job,
            calculator: arena.calculator(),
            digester: Digester::new(arena),
        }
    }

    /// Returns the place of a row that the law covers.
    fn covered(&self, variables: &[Option<i64>]) -> Option<Vec<i64>> {
        let place: Vec<i64> = variables.iter().copied().collect::<Option<_>>()?;
        let is_above = place.iter().zip(&self.least).all(|(at, least)| at >= least);
        (is_above && !self.except.contains(&place)).then_some(place)
    }

    /// Returns the law's value at a place.
    fn at(
        &self,
        place: &[i64],
        calculator: &mut Calculator<'_>,
    ) -> Result<ValueId, ParseValueError> {
        let names = self.variables.iter().copied();
        let binding: Vec<(char, i64)> = names.zip(place.iter().copied()).collect();
        self.value.value(&binding, calculator)
    }

    fn place(&self, place: &[i64]) -> String {
        self.numbers(place).collect::<Vec<_>>().join(",")
    }

    fn numbers(&self, place: &[i64]) -> impl Iterator<Item = String> {
        let bound = self.variables.iter().zip(place);
        bound.map(|(name, number)| format!("{name}={number}"))
    }
}

/// Compares rows with a law, as games: equal values have equal digests.
pub(super) struct LawTest<'a> {
    law: &'a Law,
    job: &'a str,
    calculator: Calculator<'a>,
    digester: Digester<'a>,
}

impl LawTest<'_> {
    /// Returns the refutation if a row refutes the law.
    pub(super) fn refuted_by(&mut self, rank: u64, row: &PositionRow) -> Option<Refutation> {
        let law = self.law;
        let place = law.covered(&row.variables).filter(|_| !row.is_open())?;
        let (at, position) = (law.place(&place), &row.position);
        let why = match law.at(&place, &mut self.calculator) {
            Err(error) => format!("gives no value at {at}: {error}"),
            Ok(id) => {
                let given = self.digester.digest(id).0;
                if row.value.as_ref().map(|value| value.value_digest) == Some(given) {
                    return None;
                }
                let found = written_value(row);
                let given = (self.calculator.arena()).notation_limited(id, VALUE_CHARS_MAX);
                let given = given.unwrap_or_else(|| format!("{} there", law.value));
                format!("is refuted at {at}: {position} = {found}, and the law gives {given}")
            }
        };
        Some(Refutation {
            job: self.job.to_owned(),
            law: law.value.to_string(),
            rank,
            why,
        })
    }
}

/// Returns the value of a row as its result has it, or the result's name for one that is too long
/// or missing.
pub(super) fn written_value(row: &PositionRow) -> String {
    match &row.value {
        Some(value) => match &value.value {
            Some(notation) => notation.to_string(),
            None => {
                let digest = ValueDigest(value.value_digest);
                format!("a value of more than {VALUE_CHARS_MAX} characters (value_digest {digest})")
            }
        },
        None => format!("no value ({})", row.missing()),
    }
}

/// The section `[law]` of a job about a family. If the family itself is invalid, checks that depend
/// on it are skipped.
pub(super) fn form(family: Option<&Family>) -> Form<'_, Law> {
    let places = Rc::new(family.and_then(Places::of));
    let known = places.clone();
    let keys = keys!(LawKeys {
        /// the value, with the variables of the pattern in it
        value: value(known.clone()).placed(), required "value = \"{n|-m}\"";
        /// the values of variables from which on the law is stated
        least: place(known.clone()), optional;
        /// places of which the law says nothing
        except: list("a list of places, such as [{ m = 3, n = 3 }]", whole_place(known.clone())),
            default Vec::new();
    });
    let section = Rc::new(table("a section [law]", keys));
    let described = section.clone();
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        let keys = section.read(problems, field);
        let needs_and_found = match (&*places, family) {
            (Some(places), _) => match places.law(problems, keys?)? {
                law if law.rows > 0 => return Some(law),
                _ => misfit(
                    "a row that it covers",
                    "all of them below least or in except",
                ),
            },
            (None, Some(family)) => {
                let needs = "patterns that all have the same variables, at least one";
                misfit(needs, &describe(family))
            }
            (None, None) => return None,
        };
        problems.add(&field.key, field.key_span.clone(), needs_and_found);
        None
    };
    Form::new(read, move |generator| described.schema(generator)).defined("law")
}

/// The law's value, with variables of the family.
fn value<'f>(places: Rc<Option<Places<'f>>>) -> Form<'f, ValuePattern> {
    let value = text("a value in notation, such as \"{n|-m}\"");
    let value =
        value.try_map(|text| ValuePattern::read(&text).map_err(|reason| no_value(&text, reason)));
    value.then(move |problems, field, value| {
        let variables = value.variables().into_iter();
        let unknown = places.iter().flat_map(|places| {
            let is_unknown = |name: &char| !places.names.contains(name);
            let unknown = variables.clone().filter(is_unknown);
            unknown.map(|name| places.unknown(name.to_string()))
        });
        let unknown: Vec<Fault> = unknown.collect();
        let is_known = unknown.is_empty();
        for fault in unknown {
            problems.add(&field.key, field.span.clone(), fault);
        }
        is_known.then_some(value)
    })
}

/// Numbers for some of the variables.
fn place<'f>(places: Rc<Option<Places<'f>>>) -> Form<'f, Vec<Option<i64>>> {
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| match &*places {
        Some(places) => places.read(problems, field),
        None => Some(Vec::new()),
    };
    Form::new(read, |_| {
        json_schema!({
            "type": "object",
            "patternProperties": each_variable(json!({ "type": "integer" })),
            "additionalProperties": false,
        })
    })
}

/// Numbers for all variables.
fn whole_place<'f>(places: Rc<Option<Places<'f>>>) -> Form<'f, Vec<i64>> {
    place(places.clone()).then(move |problems, field, place| {
        let mut names = places.iter().flat_map(|places| &places.names).zip(&place);
        if let Some((name, _)) = names.find(|(_, number)| number.is_none()) {
            let found = format!("none for {name}");
            let fault = misfit("a number for each variable of a place", &found);
            return field.refuse(problems, fault);
        }
        place.into_iter().collect()
    })
}

/// The keys of `[law]`.
struct LawKeys {
    value: (ValuePattern, Place),
    least: Option<Vec<Option<i64>>>,
    except: Vec<Vec<i64>>,
}

/// Returns the fault of contents of `[law]`, or a family, that no law can have.
fn misfit(needs: &str, found: &str) -> String {
    format!("a law needs {needs}; found {found}")
}

/// The places of a family whose subfamilies are patterns with the same variables.
struct Places<'a> {
    /// The variables, in the order of the family.
    names: Vec<char>,
    /// For each pattern the values of each variable.
    values: Vec<Vec<&'a Values>>,
}

impl<'a> Places<'a> {
    /// Returns the places of a family; `None` if it has subfamilies other than patterns.
    fn of(family: &'a Family) -> Option<Places<'a>> {
        let names = family.variables().iter();
        let names: Vec<char> = names.filter_map(|name| name.chars().next()).collect();
        let values = family
            .subfamilies()
            .iter()
            .map(|subfamily| match subfamily {
                Subfamily::Pattern(sweep) => {
                    let variables = sweep.pattern().variables();
                    let values = |name: &char| {
                        let variable = variables.iter().position(|other| other == name)?;
                        Some(&sweep.values()[variable])
                    };
                    names.iter().map(values).collect()
                }
                _ => None,
            });
        let values = values.collect::<Option<_>>()?;
        (!names.is_empty()).then_some(Places { names, values })
    }

    /// Returns the least value of each variable.
    fn least(&self) -> Vec<i64> {
        let variables = 0..self.names.len();
        variables.map(|variable| self.range(variable).0).collect()
    }

    /// Returns the least and the greatest value of a variable.
    fn range(&self, variable: usize) -> (i64, i64) {
        let values = || self.values.iter().map(|values| values[variable]);
        let (least, most) = (values().map(Values::min), values().map(Values::max));
        (least.min().unwrap_or(0), most.max().unwrap_or(0))
    }

    /// Returns the law with some keys; reports a value that is none where its variables are least.
    fn law(&self, problems: &mut Problems<'_>, keys: LawKeys) -> Option<Law> {
        let (value, written) = keys.value;
        let mut except: Vec<Vec<i64>> = Vec::new();
        for place in keys.except {
            if !except.contains(&place) {
                except.push(place);
            }
        }
        let given = keys
            .least
            .unwrap_or_default()
            .into_iter()
            .chain(iter::repeat(None));
        let least = self.least().into_iter().zip(given);
        let mut law = Law {
            value,
            least: least.map(|(least, given)| given.unwrap_or(least)).collect(),
            except,
            rows: 0,
            variables: self.names.clone(),
        };
        law.rows = self.count(&law);
        if law.rows > 0
            && let Err(reason) = law.at(&law.least, &mut Arena::new().calculator())
        {
            let text = format!("{} where its variables are least", law.value);
            problems.add(&written.key, written.span, no_value(&text, reason));
            return None;
        }
        Some(law)
    }

    /// Returns the number of rows that a law covers.
    fn count(&self, law: &Law) -> u64 {
        let count = |values: &Vec<&Values>| {
            let above = |(values, &least): (&&Values, &i64)| {
                values.iter().filter(|at| *at >= least).count() as u64
            };
            let all: u64 = values.iter().zip(&law.least).map(above).product();
            let has = |(values, at): (&&Values, &i64)| values.iter().any(|value| value == *at);
            let is_left_out = |place: &&Vec<i64>| {
                let is_above = place.iter().zip(&law.least).all(|(at, least)| at >= least);
                is_above && values.iter().zip(*place).all(has)
            };
            all - law.except.iter().filter(is_left_out).count() as u64
        };
        self.values.iter().map(count).sum()
    }

    fn unknown(&self, found: String) -> Fault {
        let names: Vec<String> = self.names.iter().map(char::to_string).collect();
        Fault::UnknownName {
            what: "variable",
            found,
            accepted: names.join(", "),
        }
    }

    /// Reads numbers for some of the variables, within their values.
    fn read(&self, problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Option<i64>>> {
        let mut fields = field.table(problems, "a table, such as { m = 1, n = 1 }")?;
        let mut place = vec![None; self.names.len()];
        let mut is_sound = true;
        for number in fields.take_all() {
            let mut names = self.names.iter();
            let Some(variable) = names.position(|name| number.name.chars().eq([*name])) else {
                let fault = self.unknown(number.name.clone());
                problems.add(&number.key, number.key_span.clone(), fault);
                is_sound = false;
                continue;
            };
            let (least, most) = self.range(variable);
            place[variable] = number.integer(problems, least, most);
            is_sound &= place[variable].is_some();
        }
        is_sound.then_some(place)
    }
}
