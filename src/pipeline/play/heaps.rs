//! Sums of heaps and boards, disjunctive and obligated.

use cggames::game::impartial::Sum;
use cggames::game::{Convention, Player, SumKind};
use cgsolvers::Ending;

use super::referee::{Choice, Referee, Study, Worth};
use crate::run::{Limits, RunError, Session, Signals, Silent};
use crate::task::heaps::{HeapValue, SumEvaluated, SumEvaluation, evaluate_sums};

/// Judges moves in sums of heaps.
pub struct SumReferee<'s> {
    /// How components are added.
    pub added: SumKind,
    /// Whether the player who makes the last move wins or loses. Disjunctive sums have normal play only.
    pub rule: Convention,
    /// The threads and memory of an evaluation.
    pub limits: Limits,
    /// The signals that stop it.
    pub signals: &'s Signals,
}

impl SumReferee<'_> {
    fn worth(&self, value: HeapValue) -> Worth {
        let is_n = value.is_n(self.rule);
        Worth::Ending(
            if is_n.expect("the rule is one under which sums are known") {
                Ending::Win
            } else {
                Ending::Loss
            },
        )
    }
}

impl Referee for SumReferee<'_> {
    type Position = Sum;

    /// # Panics
    ///
    /// For a disjunctive sum under misère play.
    fn study(&mut self, position: &Sum, _: Player) -> Result<Study<Sum>, RunError> {
        let evaluation = SumEvaluation {
            sums: vec![position.clone()],
            added: self.added,
            moves: true,
        };
        let session = Session::new(self.limits, self.signals, &Silent);
        let mut found = None;
        evaluate_sums(&evaluation, &session, |_, sum| found = Some(sum))?;
        let SumEvaluated { value, moves, .. } = found.expect("the sum is evaluated");
        let choices = moves.into_iter().map(|(own, value)| Choice {
            act: own.to_string(),
            leaves: own.after(position, self.added),
            value: Some(value.to_string()),
            worth: match self.worth(value) {
                Worth::Ending(Ending::Win) => Worth::Ending(Ending::Loss),
                _ => Worth::Ending(Ending::Win),
            },
            best: None,
            reversible: None,
            gain: 0,
            moves_again: false,
        });
        Ok(Study {
            value: Some(value.to_string()),
            worth: self.worth(value),
            choices: choices.collect(),
        })
    }
}
