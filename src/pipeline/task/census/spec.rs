//! Jobs with a question about the values of positions.

use std::sync::Arc;

use cggames::board::BoardKind;
use cggames::game::GameKind;

use super::question::{self, WitnessSpec};
use crate::run::Task;
use crate::task::forms::refused;
use crate::task::kind::Spec;
use crate::task::strips::{Accepted, StripTask, positions};

/// A census of positions, and a question about it.
#[derive(Clone, Debug)]
pub struct CensusTask {
    /// The positions.
    pub positions: StripTask,
    /// The question.
    pub question: WitnessSpec,
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let kind = match spec.game.map(|game| game.kind) {
        Some(GameKind::Pots(game)) => game.shape().kind(),
        _ => BoardKind::Row,
    };
    let positions = positions(spec, Accepted::default());
    let meaning = "the positions to look for, instead of a row for each position";
    let question = spec.required(
        "witness",
        meaning,
        question::form(kind, positions.play),
        "a section [witness]",
    );
    if spec.alternative().is_none() {
        let fault = "a job with [witness] needs no [table]: its witnesses and its census have a layout of their own";
        spec.table(refused(fault))?;
    }
    Some(Arc::new(CensusTask {
        positions: positions.task(None)?,
        question: question?,
    }))
}
