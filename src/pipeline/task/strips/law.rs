//! A conjecture about the values of patterns: the section `[law]`.
//!
//! Rows do not depend on it, so it is not part of a job's meaning. If the law changes, finished
//! rows stay and are compared with the new one.

use cggames::family::{Family, Subfamily, Values};
use cgvalues::{Arena, Calculator, Digester, ParseValueError, ValueDigest, ValueId, ValuePattern};
use schemars::{SchemaGenerator, json_schema};
use seedbank_specs::form::Form;
use seedbank_specs::{Fault, Field, Problems, schema};
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
        let place = law.covered(&row.variables)?;
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

/// The section `[law]` of a job about a family.
pub(super) fn form(family: Option<&Family>) -> Form<'_, Law> {
    let describe = |_: &mut SchemaGenerator| {
        let place = || {
            json_schema!({
                "type": "object",
                "patternProperties": each_variable(json!({ "type": "integer" })),
                "additionalProperties": false,
            })
        };
        let value = "the value, with the variables of the pattern in it";
        let least = "the values of variables from which on the law is stated";
        let except = "places of which the law says nothing";
        schema::table([
            schema::required("value", value, schema::text()),
            schema::optional("least", least, place()),
            schema::optional("except", except, schema::list(place())),
        ])
    };
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| read(problems, field, family);
    Form::new(read, describe).defined("law")
}

/// Reads `[law]`. If the family itself is invalid, checks that depend on it are skipped.
fn read(problems: &mut Problems<'_>, field: &Field<'_>, family: Option<&Family>) -> Option<Law> {
    let mut fields = field.table(problems, "a section [law]")?;
    let value = fields
        .require(problems, "value", "value = \"{n|-m}\"")
        .and_then(|field| {
            let text = field.string(problems, "a value in notation, such as \"{n|-m}\"")?;
            let read = ValuePattern::read(text).map_err(|reason| no_value(text, reason));
            Some((problems.ok(&field, read)?, field))
        });
    let (least, except) = (fields.take("least"), fields.take("except"));
    fields.finish(problems);
    let family = family?;
    let Some(places) = Places::of(family) else {
        let needs = "patterns that all have the same variables, at least one";
        let fault = misfit(needs, &describe(family));
        problems.add(&field.key, field.key_span.clone(), fault);
        return None;
    };
    let least = match least {
        Some(field) => places.read_least(problems, &field),
        None => Some(places.least()),
    };
    let except = match except {
        Some(field) => places.read_except(problems, &field),
        None => Some(Vec::new()),
    };
    let (value, value_field) = value?;
    let is_unknown = |name: &char| !places.names.contains(name);
    let unknown: Vec<char> = value.variables().into_iter().filter(is_unknown).collect();
    for name in &unknown {
        let fault = places.unknown(name.to_string());
        problems.add(&value_field.key, value_field.span.clone(), fault);
    }
    if !unknown.is_empty() {
        return None;
    }
    let mut law = Law {
        value,
        least: least?,
        except: except?,
        rows: 0,
        variables: places.names.clone(),
    };
    law.rows = places.count(&law);
    if law.rows == 0 {
        let fault = misfit(
            "a row that it covers",
            "all of them below least or in except",
        );
        problems.add(&field.key, field.key_span.clone(), fault);
        return None;
    }
    // With numbers for its variables it must be a value.
    let parsed = law.at(&law.least, &mut Arena::new().calculator());
    let parsed = parsed.map_err(|reason| {
        let text = format!("{} where its variables are least", law.value);
        no_value(&text, reason)
    });
    problems.ok(&value_field, parsed)?;
    Some(law)
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

    /// Reads `least`; missing variables default to the least of the family.
    fn read_least(&self, problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<i64>> {
        let given = self.read_place(problems, field)?.into_iter();
        let least = given.zip(self.least());
        Some(least.map(|(given, least)| given.unwrap_or(least)).collect())
    }

    /// Reads `except`: a list of places.
    fn read_except(&self, problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<Vec<i64>>> {
        let mut all = Some(Vec::new());
        for element in field.array(problems, "a list of places, such as [{ m = 3, n = 3 }]")? {
            let place = self.read_place(problems, &element).and_then(|place| {
                let mut numbers = self.names.iter().zip(&place);
                if let Some((name, _)) = numbers.find(|(_, number)| number.is_none()) {
                    let needs = "a number for each variable of a place";
                    let fault = misfit(needs, &format!("none for {name}"));
                    problems.add(&element.key, element.span.clone(), fault);
                }
                place.into_iter().collect::<Option<Vec<i64>>>()
            });
            all = all.zip(place).map(|(mut all, place)| {
                if !all.contains(&place) {
                    all.push(place);
                }
                all
            });
        }
        all
    }

    /// Reads numbers for some of the variables, within their values.
    fn read_place(
        &self,
        problems: &mut Problems<'_>,
        field: &Field<'_>,
    ) -> Option<Vec<Option<i64>>> {
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
