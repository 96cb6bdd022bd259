//! Jobs over sums of components: a row for each combination of the variables' values.

use std::sync::Arc;

use cggames::family::{SumFamily, SumFamilyError};
use cggames::game::{Convention, GameKind, SumKind};
use seedbank_specs::form::{Keys, boolean, table, text};
use seedbank_specs::{Field, POSITIONS_MAX, Problems, keys};

use crate::run::Task;
use crate::task::forms::variables;
use crate::task::heaps::ending;
use crate::task::kind::Spec;

/// A job over sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumsTask {
    /// The sums.
    pub family: SumFamily,
    /// How components are added.
    pub added: SumKind,
    /// Who wins: under misère play, rows of disjunctive sums say who does, too.
    pub ending: Convention,
    /// Whether the genera of disjunctive sums are found.
    pub genus: bool,
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

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let GameKind::Sum(added) = spec.game?.kind else {
        return None;
    };
    let ending = spec.ruleset(|keys| ending(keys, Some(added)));
    let family = spec.family(|keys| family(keys, added));
    let columns = (added == SumKind::Disjunctive).then(|| {
        let columns = keys!({
            /// the genus of each sum, and with it who wins misère play
            genus: boolean(), default false;
        });
        let columns = table("a section [columns]", columns).defined("sum-columns");
        spec.section("columns", "columns that cost extra", columns)
    });
    // Under obligated sums there is no such section.
    let genus = columns.map_or(Some(None), |section| section);
    let grid = [(SumsLayout::Grid, "grid")];
    let has_grid = family
        .as_ref()
        .is_none_or(|family| family.variables().len() == 2);
    let list = |columns_per_row| SumsLayout::List { columns_per_row };
    let layout = spec.list_or(list, if has_grid { &grid } else { &[] });
    Some(Arc::new(SumsTask {
        family: family?,
        added,
        ending: ending?,
        genus: genus?.unwrap_or(false),
        layout: layout?,
    }))
}

fn family(keys: &mut Keys<'_, '_, '_>, added: SumKind) -> Option<SumFamily> {
    keys.accept("sum");
    let (variables, bindings) = variables(keys);
    let sum = text("a string, such as \"knight(i,j)\"").then(|problems, field, text| {
        let family = SumFamily::new(&text, added, bindings.clone()?);
        family
            .map_err(|error| report(problems, field, &variables, error))
            .ok()
    });
    let sum = sum.at_most("sums", POSITIONS_MAX, SumFamily::len);
    let meaning = "components joined by +, such as \"knight(i,j) + nim(3)\"; each variable has a key of its own";
    keys.required("sum", meaning, sum, "sum = \"knight(i,j)\"")
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
