//! Forms of values that several kinds of jobs share: ranges, layouts.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use cggames::family::{Progression, ProgressionError, VARIABLE_MAX, Values, ValuesError};
use cggames::game::Convention;
use cgvalues::RESERVED;
use schemars::{Schema, SchemaGenerator, json_schema};
use seedbank_specs::form::{Form, Keys, Variables, integer, word};
use seedbank_specs::schema::{self, optional, required, table};
use seedbank_specs::{Fault, Field, Problems};
use serde_json::{Value, json};

/// The largest number of columns side by side in a spec.
pub(super) const COLUMNS_MAX: usize = 100;

/// The meaning of the key `ending` of `[ruleset]`.
pub(super) const ENDING_MEANING: &str =
    "whether the player who moves last wins (normal, the default) or loses (misere)";

/// Who wins: the value of the key `ending` of `[ruleset]`.
pub(super) fn ending_form<'f>() -> Form<'f, Convention> {
    let known = Convention::ALL.map(|ending| (ending, ending.name()));
    word("ending", "\"normal\" or \"misere\"", known)
}

/// The first and the last number of a range such as `0..=1000`, `0..1001` or `7`, from `min` to
/// `max`. A job has rows for all numbers of the range; `what` names them, in the plural.
pub(super) fn range<'f>(what: &'static str, min: u64, max: u64) -> Form<'f, (u64, u64)> {
    range_if("a string, such as \"0..=1000\"", what, min, max, "")
}

/// A [`range`]; `accepted` names it where another type is found, and `when` says on which condition
/// `max` is the largest number.
pub(super) fn range_if<'f>(
    accepted: &'static str,
    what: &'static str,
    min: u64,
    max: u64,
    when: &'static str,
) -> Form<'f, (u64, u64)> {
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        let text = field.string(problems, accepted)?;
        let (first, last) = match Progression::parse(text, 0, max) {
            Ok(range) if range.step() == 1 => (range.first(), range.last()),
            Ok(_) | Err(ProgressionError::Step { .. }) => {
                let fault = format!(
                    "the range {text:?} of {what} has a step, but a job has a row for every number of a range; leave the step \
                     out, and choose among the rows where they are read"
                );
                return field.refuse(problems, fault);
            }
            Err(_) => {
                let fault = format!(
                    "no range of {what}: {text:?}; accepted: \"0..=1000\", \"0..1001\" (without 1001) or \"7\", \
                     ascending, up to {max}{when}"
                );
                return field.refuse(problems, fault);
            }
        };
        if first < min {
            let fault = Fault::OutOfRange {
                found: first.to_string(),
                min: min as i64,
                max: max as i64,
            };
            return field.refuse(problems, fault);
        }
        Some((first, last))
    };
    // Blanks beside numbers are ignored.
    let describe = |_: &mut SchemaGenerator| {
        json_schema!({
            "description": "a range, every number of which has a row: \"0..=1000\", \"0..1001\" (without 1001) or \"7\"",
            "type": "string",
            "pattern": r"^\s*[0-9]+\s*(\.\.=?\s*[0-9]+\s*(/\s*0*1\s*)?)?$",
        })
    };
    Form::new(read, describe).defined("range")
}

/// A key that specs of this kind must not have, for this reason.
pub(super) fn refused<'f>(fault: &'static str) -> Form<'f, ()> {
    Form::new(
        move |problems, field| {
            problems.add(&field.key, field.key_span.clone(), fault);
            None
        },
        |_| schema::text(),
    )
}

/// The path and the text of a file, by its path from the spec's folder.
pub(super) fn file(base_dir: &Path) -> Form<'_, (PathBuf, String)> {
    Form::new(
        move |problems, field| field.file(problems, base_dir),
        |_| schema::text(),
    )
}

/// The values of a variable: `"1..=14"`, `7` or `[1, 2, 5]`.
pub(super) fn values<'f>() -> Form<'f, Values> {
    let read = |problems: &mut Problems<'_>, field: &Field<'_>| {
        if field.value.is_integer() {
            let value = field.integer(problems, i64::MIN, i64::MAX)?;
            return problems.ok(field, Values::range(value, value));
        }
        if field.value.is_array() {
            let accepted = "a list of integers, such as [1, 2, 5]";
            let elements = field.array(problems, accepted)?;
            let values: Option<Vec<i64>> = elements
                .iter()
                .map(|element| element.integer(problems, i64::MIN, i64::MAX))
                .collect();
            return problems.ok(field, Values::list(values?));
        }
        let accepted = "a range such as \"1..=14\", an integer, or a list [1, 2, 5]";
        let written = field.string(problems, accepted)?;
        let values: Result<Values, ValuesError> = written.parse();
        problems.ok(field, values)
    };
    let describe = |_: &mut SchemaGenerator| {
        let number = "-?[0-9]+";
        let steps = format!(r"^\s*{number}\s*(\.\.=?\s*{number}\s*(/\s*[0-9]+\s*)?)?$");
        let value = schema::integer(-VARIABLE_MAX, VARIABLE_MAX);
        json_schema!({
            "description": "the values of a variable: \"1..=14\", \"0..13\" (without 13), \"0..=100/5\" (every fifth), 7, or a list such as [1, 2, 5]",
            "anyOf": [
                { "type": "string", "pattern": steps },
                value,
                schema::distinct(schema::list(value.clone())),
            ],
        })
    };
    Form::new(read, describe).defined("values")
}

/// The variables of a pattern, a key each: lowercase letters with their values.
pub(super) fn variables<'a>(keys: &mut Keys<'_, '_, 'a>) -> Variables<'a, Values> {
    keys.variables(&letters(), values())
}

/// Adds the variables of a pattern to the keys of a table.
pub(super) fn with_variables(generator: &mut SchemaGenerator, table: Schema) -> Schema {
    let values = values().schema(generator);
    schema::with_patterns(table, each_variable(values.into()))
}

/// Returns the schema that each variable of a table has.
pub(super) fn each_variable(of: Value) -> Value {
    json!({ letters(): of })
}

/// The pattern of the names of variables.
fn letters() -> String {
    let letters = ('a'..='z').filter(|letter| !RESERVED.contains(letter));
    format!("^[{}]$", letters.collect::<String>())
}

/// Returns the fault of a layout that does not fit the family.
pub(super) fn misfit(layout: &str, needs: &str, found: &str) -> String {
    format!("layout {layout} needs {needs}; found {found}")
}

/// Returns the fault of a text in `[witness]` or `[law]` that is no value.
pub(super) fn no_value(text: &str, reason: impl Display) -> String {
    format!("{text:?} is no value: {reason}")
}

/// The section `[table]` of layouts without keys of their own.
pub(super) fn layout<'f, L: Copy + 'f>(layouts: &[(L, &'static str)]) -> Form<'f, L> {
    any_layout(layouts.to_vec(), false).map(|(layout, _)| layout)
}

/// The section `[table]` of the layout `list`, with columns side by side, and of others without keys
/// of their own.
pub(super) fn list_or<'f, L: Copy + 'f>(
    list: fn(usize) -> L,
    others: &[(L, &'static str)],
) -> Form<'f, L> {
    let others = others.iter().map(|&(layout, name)| (Some(layout), name));
    let layouts = [(None, "list")].into_iter().chain(others).collect();
    any_layout(layouts, true).map(move |(layout, columns)| layout.unwrap_or_else(|| list(columns)))
}

/// The section `[table]`: the layout, and the number of columns side by side, which `list` may have.
fn any_layout<'f, L: Copy + 'f>(
    layouts: Vec<(L, &'static str)>,
    has_columns: bool,
) -> Form<'f, (L, usize)> {
    let names: Vec<&'static str> = layouts.iter().map(|layout| layout.1).collect();
    let read = move |problems: &mut Problems<'_>, field: &Field<'_>| {
        let mut fields = field.table(problems, "a section [table]")?;
        let field = fields.require(problems, "layout", "layout = \"list\"")?;
        let layout = word("layout", "a string", layouts.clone()).read(problems, &field)?;
        let is_list = has_columns && field.value.as_str() == Some("list");
        let columns = match is_list.then(|| fields.take("columns_per_row")).flatten() {
            Some(field) => integer(1, COLUMNS_MAX).read(problems, &field),
            None => Some(1),
        };
        fields.finish(problems);
        Some((layout, columns?))
    };
    let describe = move |generator: &mut SchemaGenerator| {
        let layout = |names: &[&str]| {
            let meaning = "the arrangement of the cells";
            required("layout", meaning, schema::choice(names))
        };
        if !has_columns {
            return table([layout(&names)]);
        }
        let columns = integer(1, COLUMNS_MAX).schema(generator);
        let columns = optional("columns_per_row", "columns side by side", columns);
        schema::any_of(names.iter().map(|name| {
            let columns = Some(columns.clone()).filter(|_| *name == "list");
            table([layout(&[*name])].into_iter().chain(columns))
        }))
    };
    Form::new(read, describe)
}
