//! How `seedbank table` lays a result out: the section `[table]`.

use cggames::family::{Family, Subfamily};
use cggames::game::{Play, UnknownName};
use cgvalues::{Arena, ValueId};
use seedbank_specs::sections::COLUMNS_MAX;
use seedbank_specs::{Fault, Field, Fields, Problems, read_choice};

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

impl Layout {
    /// The names of all layouts.
    pub const NAMES: [&'static str; 4] = ["list", "grid", "sequences", "first-by-value"];

    /// Returns the name that jobs use.
    pub fn name(&self) -> &'static str {
        match self {
            Layout::List { .. } => "list",
            Layout::Grid { .. } => "grid",
            Layout::Sequences { .. } => "sequences",
            Layout::FirstByValue => "first-by-value",
        }
    }
}

/// Reads `[table]`. The family and the way of playing are missing if they are invalid; checks that
/// depend on them are then skipped.
pub(super) fn read(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    family: Option<&Family>,
    play: Option<Play>,
) -> Option<TableSpec> {
    let field = fields.require(problems, "layout", "layout = \"list\"");
    let layout = field.and_then(|field| {
        let name = field.string(
            problems,
            "a string, one of list, grid, sequences, first-by-value",
        )?;
        read_layout(problems, &mut fields, &field, name, family, play)
    });
    let names = match fields.take("names") {
        Some(field) => read_names(problems, &field),
        None => Some(Vec::new()),
    };
    if layout.is_some() {
        // Which other keys are accepted depends on the layout.
        fields.finish(problems);
    }
    Some(TableSpec {
        layout: layout?,
        names: names?,
    })
}

fn read_layout(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    field: &Field<'_>,
    name: &str,
    family: Option<&Family>,
    play: Option<Play>,
) -> Option<Layout> {
    let misfit = |layout, needs, found| Fault::Layout {
        layout,
        needs,
        found,
    };
    match name {
        "list" => Some(Layout::List {
            columns_per_row: columns_per_row(problems, fields, 1)?,
        }),
        "grid" => {
            let rows = variable(problems, fields, "rows", "rows = \"x\"", family);
            let columns = variable(problems, fields, "columns", "columns = \"y\"", family);
            let (rows, columns) = (rows?, columns?);
            let fits = |family: &Family| match family.subfamilies() {
                [subfamily] if rows != columns => {
                    let mut variables = subfamily.variables().into_iter();
                    variables
                        .all(|(name, values)| name == rows || name == columns || values.len() == 1)
                }
                _ => false,
            };
            if family.is_some_and(|family| !fits(family)) {
                let needs = "one pattern, or rectangles, with one variable down, one across, and one value for any other";
                let found = family.map(describe).unwrap_or_default();
                let found = format!("{found}, rows = {rows:?} and columns = {columns:?}");
                problems.add(&field.key, field.span.clone(), misfit("grid", needs, found));
            }
            Some(Layout::Grid { rows, columns })
        }
        "sequences" => {
            let rows = variable(problems, fields, "rows", "rows = \"n\"", family);
            let patterns = family.map_or(1, |family| family.subfamilies().len());
            let columns_per_row = columns_per_row(problems, fields, patterns);
            let rows = rows?;
            let misfits = |subfamily: &Subfamily| match subfamily {
                Subfamily::Pattern(sweep) => {
                    let names = sweep.pattern().variables();
                    names.len() != 1 || names[0].to_string() != rows
                }
                _ => true,
            };
            if let Some(family) = family
                && let Some(culprit) = family.subfamilies().iter().find(|s| misfits(s))
            {
                let needs = "patterns whose one variable goes down";
                let found = format!("{}, rows = {rows:?}", describe_subfamily(culprit));
                let fault = misfit("sequences", needs, found);
                problems.add(&field.key, field.span.clone(), fault);
            }
            Some(Layout::Sequences {
                rows,
                columns_per_row: columns_per_row?,
            })
        }
        "first-by-value" => {
            if play == Some(Play::Partisan) {
                let fault = misfit(
                    "first-by-value",
                    "play = \"impartial\"",
                    "partisan".to_owned(),
                );
                problems.add(&field.key, field.span.clone(), fault);
            }
            Some(Layout::FirstByValue)
        }
        _ => {
            read_choice(problems, field, "layout", &Layout::NAMES);
            None
        }
    }
}

fn columns_per_row(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    default: usize,
) -> Option<usize> {
    let Some(field) = fields.take("columns_per_row") else {
        return Some(default);
    };
    let columns = field.integer(problems, 1, COLUMNS_MAX)?;
    usize::try_from(columns).ok()
}

/// Reads the name of one of the family's variables.
fn variable(
    problems: &mut Problems<'_>,
    fields: &mut Fields<'_>,
    key: &'static str,
    example: &'static str,
    family: Option<&Family>,
) -> Option<String> {
    let field = fields.require(problems, key, example)?;
    let name = field.string(problems, "a string, the name of a variable of the pattern")?;
    if let Some(family) = family {
        let known = family.variables();
        if !known.iter().any(|known| known == name) {
            let fault = UnknownName {
                what: "variable",
                found: name.to_owned(),
                accepted: match known {
                    [] => "none, as the family has no variables".to_owned(),
                    known => known.join(", "),
                },
            };
            let help = match known {
                [one] => Some(format!("did you mean `{one}`?")),
                _ => None,
            };
            problems.add_with_help(&field.key, field.span.clone(), fault, help);
            return None;
        }
    }
    Some(name.to_owned())
}

fn read_names(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<Vec<(String, String)>> {
    let accepted = "a table of values and symbols, such as \"^<2>*\" = \"↑²*\"";
    let mut fields = field.table(problems, accepted)?;
    let mut names = Vec::new();
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut named: Vec<(ValueId, String)> = Vec::new();
    for field in fields.take_all() {
        let symbol = field.string(problems, "a string, the symbol to print")?;
        match calculator.parse(&field.name) {
            Ok(value) => {
                if let Some((_, first)) = named.iter().find(|(other, _)| *other == value) {
                    let first = first.clone();
                    problems.add(&field.key, field.key_span, Fault::NamedTwice { first });
                    continue;
                }
                named.push((value, field.name.clone()));
            }
            Err(error) => {
                let reason = error.to_string();
                problems.add(&field.key, field.key_span, Fault::NoValue { reason });
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
