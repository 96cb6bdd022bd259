//! Jobs whose section `[rules]` has switches of several values.

use std::sync::Arc;

use seedbank_specs::{Fault, POSITIONS_MAX, choice};

use crate::run::Task;
use crate::task::forms::refused;
use crate::task::kind::Spec;
use crate::task::strips::{Accepted, RuleSets, StripTask, positions, row_limit};

/// A job over positions by several sets of rules.
#[derive(Clone, Debug)]
pub struct VariantsTask {
    /// The positions, by the first set of rules.
    pub positions: StripTask,
    /// The sets of rules.
    pub(super) rules: RuleSets,
}

choice! {
    /// How `seedbank table` prints positions by several sets of rules.
    pub enum VariantsLayout {
        /// A line for each set of rules.
        Summary = "summary",
    }
}

impl VariantsTask {
    /// Returns the number of rows of a set of rules.
    pub(super) fn rows_of_set(&self) -> u64 {
        self.positions.family.len()
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let accepted = Accepted {
        sets: true,
        ..Accepted::default()
    };
    let mut positions = positions(spec, accepted);
    let layout = spec.layout(VariantsLayout::NAMED);
    let row_limit = row_limit(spec);
    if spec.alternative().is_none() {
        let fault = "a search for witnesses plays by one set of rules; give each switch of [rules] one value";
        spec.section("witness", "", refused(fault))?;
        let fault = "a law is about one set of rules; give each switch of [rules] one value";
        spec.section("law", "", refused(fault))?;
    }
    let rules = positions.rules.take()?;
    let task = VariantsTask {
        positions: StripTask {
            row_limit: row_limit?,
            ..positions.task(None)?
        },
        rules,
    };
    let VariantsLayout::Summary = layout?;
    let sets = task.rules.distinct.len() as u64;
    match task.rows_of_set().saturating_mul(sets) {
        found if found > POSITIONS_MAX => {
            let what = "positions by all sets of rules";
            let max = POSITIONS_MAX;
            spec.refuse_rows(Fault::TooManyRows { what, found, max })
        }
        _ => Some(Arc::new(task)),
    }
}
