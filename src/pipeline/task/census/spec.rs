//! Jobs with a question about the values of positions.

use std::sync::Arc;

use cggames::board::BoardKind;
use cggames::game::GameKind;
use seedbank_specs::{Fault, Problems};

use super::question::{self, WitnessSpec};
use crate::run::Task;
use crate::task::kind::Sections;
use crate::task::strips::{StripTask, read_positions};

/// A census of positions, and a question about it.
#[derive(Clone, Debug)]
pub struct CensusTask {
    /// The positions.
    pub positions: StripTask,
    /// The question.
    pub question: WitnessSpec,
}

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    mut sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    let kind = match sections.game.map(|game| game.kind) {
        Some(GameKind::Pots(game)) => game.shape().kind(),
        _ => BoardKind::Row,
    };
    let positions = read_positions(problems, &mut sections);
    let question = sections
        .others
        .take("witness")
        .and_then(|field| field.table(problems, "a section [witness]"))
        .and_then(|fields| question::read(problems, fields, kind, positions.play));
    if let Some(field) = sections.others.take("table") {
        let needs = "no [table]: its witnesses and its census have a layout of their own";
        problems.add(&field.key, field.key_span.clone(), Fault::Witness { needs });
        return None;
    }
    Some(Arc::new(CensusTask {
        positions: positions.task(None)?,
        question: question?,
    }))
}
