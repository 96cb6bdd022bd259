//! How `seedbank table` lays a result out: the section `[table]`.

use cggames::family::{Family, Subfamily};
use cggames::game::{Convention, Manner, Play};
use cgvalues::{Arena, ValueId};
use seedbank_specs::form::{Form, Keys, integer, text};
use seedbank_specs::{Fault, Field, Problems, did_you_mean, schema};

use crate::task::forms::{COLUMNS_MAX, misfit};

/// How a result is printed. It is not part of a job's meaning: changing it recomputes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The arrangement of the cells.
    pub layout: Layout,
    /// Values in notation and the symbols that replace them, in the order of the spec.
    pub names: Vec<(String, String)>,
}

/// The arrangement of the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `position = value`, one after another, filled downwards into `columns_per_row` columns.
    List {
        /// Columns side by side.
        columns_per_row: usize,
    },
    /// A cell for each pair of values of two variables.
    Grid {
        /// The variable that increases downwards.
        rows: String,
        /// The variable that increases to the right.
        columns: String,
    },
    /// A column for each pattern, `columns_per_row` of them side by side, then the next ones below.
    Sequences {
        /// The variable that increases downwards.
        rows: String,
        /// Columns side by side.
        columns_per_row: usize,
    },
    /// A row for each nim-value, with the first position that has it, in the family's order.
    FirstByValue,
}

/// The section `[table]`. The family and the manner of play are missing if they are invalid; checks
/// that depend on them are then skipped.
pub(super) fn table_spec<'f>(
    family: Option<&'f Family>,
    manner: Option<Manner>,
) -> Form<'f, TableSpec> {
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        let mut fields = field.table(problems, "a section [table]")?;
        let mut is_known = false;
        let layout = fields.require(problems, "layout", "layout = \"list\"");
        let layout = layout.and_then(|field| {
            let accepted = "a string, one of list, grid, sequences, first-by-value";
            let name = field.string(problems, accepted)?;
            let Some((_, keys)) = LAYOUTS.iter().find(|layout| layout.0 == name) else {
                problems.unknown(&field, "layout", name, LAYOUTS.map(|layout| layout.0), None);
                return None;
            };
            is_known = true;
            let layout = keys(&mut Keys::Read(problems, &mut fields), family)?;
            if let Some((needs, found)) = layout.misfit(family, manner) {
                field.refuse::<()>(problems, misfit(layout.name(), needs, &found));
            }
            Some(layout)
        });
        let names = Keys::Read(problems, &mut fields).optional("names", NAMES_MEANING, names());
        if is_known {
            // Which other keys are accepted depends on the layout.
            fields.finish(problems);
        }
        Some(TableSpec {
            layout: layout?,
            names: names?.unwrap_or_default(),
        })
    };
    let layouts = Form::new(read, |generator| {
        schema::any_of(LAYOUTS.map(|(name, keys)| {
            let meaning = "the arrangement of the cells";
            let layout = schema::required("layout", meaning, schema::choice(&[name]));
            let described = Keys::describe(generator, |described| {
                keys(described, None);
                described.optional("names", NAMES_MEANING, names())
            });
            schema::table([layout].into_iter().chain(described.keys))
        }))
    });
    layouts.defined("table")
}

/// Each layout, with the function that reads or describes its keys.
const LAYOUTS: [(&str, LayoutKeys); 4] = [
    ("list", |keys, _| {
        let columns_per_row = columns_per_row(keys, 1)?;
        Some(Layout::List { columns_per_row })
    }),
    ("grid", |keys, family| {
        let rows = down(keys, family, "rows = \"x\"");
        let meaning = "the variable that goes across";
        let columns = keys.required("columns", meaning, variable(family), "columns = \"y\"");
        let (rows, columns) = (rows?, columns?);
        Some(Layout::Grid { rows, columns })
    }),
    ("sequences", |keys, family| {
        let rows = down(keys, family, "rows = \"n\"");
        let patterns = family.map_or(1, |family| family.subfamilies().len());
        let columns_per_row = columns_per_row(keys, patterns);
        Some(Layout::Sequences {
            rows: rows?,
            columns_per_row: columns_per_row?,
        })
    }),
    ("first-by-value", |_, _| Some(Layout::FirstByValue)),
];

type LayoutKeys = fn(&mut Keys<'_, '_, '_>, Option<&Family>) -> Option<Layout>;

fn columns_per_row(keys: &mut Keys<'_, '_, '_>, default: usize) -> Option<usize> {
    let columns = integer(1, COLUMNS_MAX);
    let columns = keys.optional("columns_per_row", "columns side by side", columns)?;
    Some(columns.unwrap_or(default))
}

fn down(
    keys: &mut Keys<'_, '_, '_>,
    family: Option<&Family>,
    example: &'static str,
) -> Option<String> {
    let meaning = "the variable that goes down";
    keys.required("rows", meaning, variable(family), example)
}

impl Layout {
    /// Returns the name that jobs use.
    pub fn name(&self) -> &'static str {
        match self {
            Layout::List { .. } => "list",
            Layout::Grid { .. } => "grid",
            Layout::Sequences { .. } => "sequences",
            Layout::FirstByValue => "first-by-value",
        }
    }

    /// Returns what the layout needs and what was found instead, if it does not fit.
    fn misfit(
        &self,
        family: Option<&Family>,
        manner: Option<Manner>,
    ) -> Option<(&'static str, String)> {
        match self {
            Layout::List { .. } => None,
            Layout::Grid { rows, columns } => {
                let fits = |family: &Family| match family.subfamilies() {
                    [subfamily] if rows != columns => {
                        let mut variables = subfamily.variables().into_iter();
                        variables.all(|(name, values)| {
                            name == *rows || name == *columns || values.len() == 1
                        })
                    }
                    _ => false,
                };
                let family = family.filter(|family| !fits(family))?;
                let needs = "one pattern, or rectangles, with one variable down, one across, and one value for any other";
                let found = describe(family);
                let found = format!("{found}, rows = {rows:?} and columns = {columns:?}");
                Some((needs, found))
            }
            Layout::Sequences { rows, .. } => {
                let misfits = |subfamily: &&Subfamily| match subfamily {
                    Subfamily::Pattern(sweep) => {
                        let names = sweep.pattern().variables();
                        names.len() != 1 || names[0].to_string() != *rows
                    }
                    _ => true,
                };
                let culprit = family?.subfamilies().iter().find(misfits)?;
                let found = format!("{}, rows = {rows:?}", describe_subfamily(culprit));
                Some(("patterns whose one variable goes down", found))
            }
            Layout::FirstByValue => {
                let Manner { play, convention } = manner?;
                match (play, convention) {
                    (Play::Partisan, _) => Some(("play = \"impartial\"", play.to_string())),
                    (_, Convention::Misere) => {
                        Some(("ending = \"normal\"", convention.to_string()))
                    }
                    (_, Convention::Normal) => None,
                }
            }
        }
    }
}

/// The name of one of the family's variables.
fn variable(family: Option<&Family>) -> Form<'_, String> {
    let name = text("a string, the name of a variable of the pattern");
    name.then(move |problems, field, name| {
        let Some(family) = family else {
            return Some(name);
        };
        let known = family.variables();
        if known.contains(&name) {
            return Some(name);
        }
        let fault = Fault::UnknownName {
            what: "variable",
            found: name,
            accepted: match known {
                [] => "none, as the family has no variables".to_owned(),
                known => known.join(", "),
            },
        };
        let help = match known {
            [one] => Some(did_you_mean(one)),
            _ => None,
        };
        problems.add_with_help(&field.key, field.span.clone(), fault, help);
        None
    })
}

const NAMES_MEANING: &str = "values in notation, and the symbols printed for them";

fn names<'f>() -> Form<'f, Vec<(String, String)>> {
    Form::new(read_names, |_| schema::map(schema::text()))
}

fn read_names(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<(String, String)>> {
    let accepted = "a table of values and symbols, such as \"^<2>*\" = \"↑²*\"";
    let mut fields = field.table(problems, accepted)?;
    let mut names = Vec::new();
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut named: Vec<(ValueId, String)> = Vec::new();
    for field in fields.take_all() {
        let Some(symbol) = field.string(problems, "a string, the symbol to print") else {
            continue;
        };
        match calculator.parse(&field.name) {
            Ok(value) => {
                if let Some((_, first)) = named.iter().find(|(other, _)| *other == value) {
                    let fault = format!(
                        "the value has a symbol already, under {first:?}; give it one symbol"
                    );
                    problems.add(&field.key, field.key_span, fault);
                    continue;
                }
                named.push((value, field.name.clone()));
            }
            Err(error) => {
                let fault = format!("the key is no value: {error}");
                problems.add(&field.key, field.key_span, fault);
                continue;
            }
        }
        names.push((field.name, symbol.to_owned()));
    }
    Some(names)
}

/// The family in a few words.
pub(super) fn describe(family: &Family) -> String {
    let subfamilies = family.subfamilies().iter().map(describe_subfamily);
    let mut subfamilies: Vec<String> = subfamilies.collect();
    if subfamilies.len() > 3 {
        let others = subfamilies.len() - 3;
        subfamilies.truncate(3);
        subfamilies.push(format!("{others} more"));
    }
    subfamilies.join(", ")
}

fn describe_subfamily(subfamily: &Subfamily) -> String {
    match subfamily {
        Subfamily::Pattern(sweep) => format!("pattern {:?}", sweep.pattern_text()),
        Subfamily::All(_) | Subfamily::Filled(_) => "all positions".to_owned(),
        Subfamily::Rectangles(_) => "rectangles".to_owned(),
        Subfamily::List(_) => "a list of positions".to_owned(),
        Subfamily::Sample(_) => "a sample".to_owned(),
    }
}
