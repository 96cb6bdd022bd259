//! Jobs over sums of components: a row for each combination of the variables' values.

use std::sync::Arc;

use cggames::family::{SumFamily, SumFamilyError, Values};
use cggames::game::{GameKind, SumKind};
use seedbank_specs::sections::{at_most_rows, read_table};
use seedbank_specs::{Field, Fields, POSITIONS_MAX, Problems};

use crate::run::Task;
use crate::task::kind::Sections;
use crate::task::strips::read_values;

/// A job over sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumsTask {
    /// The sums.
    pub family: SumFamily,
    /// How components are added.
    pub added: SumKind,
    /// How the result is printed.
    pub layout: SumsLayout,
}

/// How `seedbank table` prints a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumsLayout {
    /// `sum = value`, filled downwards into columns side by side.
    List {
        /// Columns side by side.
        columns_per_row: usize,
    },
    /// For two variables: a line for each value of the first and a column for each value of the
    /// second.
    Grid,
}

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    if let Some(ruleset) = sections.ruleset {
        ruleset.finish(problems);
    }
    let added = match sections.game?.kind {
        GameKind::Sum(added) => added,
        _ => return None,
    };
    let family = sections.family;
    let family = family.and_then(|fields| read_family(problems, fields, added));
    let layouts: &[&str] = match &family {
        Some(family) if family.variables().len() != 2 => &["list"],
        _ => &["list", "grid"],
    };
    let layout = read_table(problems, sections.others, layouts, true);
    let (family, (layout, columns_per_row)) = (family?, layout?);
    Some(Arc::new(SumsTask {
        family,
        added,
        layout: match layout {
            "grid" => SumsLayout::Grid,
            _ => SumsLayout::List { columns_per_row },
        },
    }))
}

fn read_family(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    added: SumKind,
) -> Option<SumFamily> {
    let field = fields.require(problems, "sum", "sum = \"knight(i,j)\"");
    let variables = fields.take_variables();
    fields.finish(problems);
    let bindings = variables.iter().map(|variable| {
        let name = variable.name.chars().next()?;
        Some((name, read_values(problems, variable)?))
    });
    // Every range is read, so that the problems of all of them are reported.
    let bindings: Vec<Option<(char, Values)>> = bindings.collect();
    let field = field?;
    let text = field.string(problems, "a string, such as \"knight(i,j)\"")?;
    let bindings = bindings.into_iter().collect::<Option<Vec<_>>>()?;
    let family = match SumFamily::new(text, added, bindings) {
        Ok(family) => family,
        Err(error) => {
            report(problems, &field, &variables, error);
            return None;
        }
    };
    at_most_rows(problems, &field, "sums", family.len(), POSITIONS_MAX)?;
    Some(family)
}

/// Reports an invalid family of sums at the character or the key at fault.
fn report(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    variables: &[Field<'_>],
    error: SumFamilyError,
) {
    let (field, span, help) = match &error {
        SumFamilyError::Unused { variable, .. } => {
            let named = |field: &&Field<'_>| field.name.chars().eq([*variable]);
            let unused = variables.iter().find(named).unwrap_or(field);
            let help = "remove it, or write the variable in the sum".to_owned();
            (unused, unused.key_span.clone(), Some(help))
        }
        SumFamilyError::Unbound { variable } => {
            let help = format!("add `{variable} = \"0..=24\"` below the sum");
            (field, field.span.clone(), Some(help))
        }
        error => {
            let span = match error.at() {
                Some(at) => problems.character(&field.span, at),
                None => field.span.clone(),
            };
            let help =
                "arguments of components are whole numbers and variables, a lowercase letter each";
            let is_argument = error.is_argument();
            (field, span, is_argument.then(|| help.to_owned()))
        }
    };
    problems.add_with_help(&field.key, span, error, help);
}
