//! Sums of heaps and boards, disjunctive and obligated.

use cggames::game::impartial::Sum;
use cggames::game::{Convention, Player, SumKind};
use cgsolvers::Ending;
#[cfg(doc)]
use cgsolvers::sums::MISERE_MOVES_MAX;

use super::referee::{Choice, Referee, Study, Worth};
use crate::run::{Limits, RunError, Session, Signals, Silent};
use crate::task::heaps::{HeapValue, MisereWanted, SumEvaluated, SumEvaluation, evaluate_sums};

/// Judges moves in sums of heaps.
pub struct SumReferee<'s> {
    /// How components are added.
    pub added: SumKind,
    /// Whether the player who makes the last move wins or loses.
    pub rule: Convention,
    /// The threads and memory of an evaluation.
    pub limits: Limits,
    /// The signals that stop it.
    pub signals: &'s Signals,
}

impl SumReferee<'_> {
    fn worth(&self, sum: &Sum, value: HeapValue) -> Result<Worth, RunError> {
        let is_n = value.is_n(self.rule).ok_or_else(|| RunError::Component {
            component: sum.to_string(),
            why: "who wins misère play of it is not found by a million moves; give smaller components",
        })?;
        let ending = if is_n { Ending::Win } else { Ending::Loss };
        Ok(Worth::Ending(ending))
    }
}

impl Referee for SumReferee<'_> {
    type Position = Sum;

    /// # Errors
    ///
    /// Also for a disjunctive sum under misère play that takes more than [`MISERE_MOVES_MAX`] moves.
    fn study(&mut self, position: &Sum, _: Player) -> Result<Study<Sum>, RunError> {
        let evaluation = SumEvaluation {
            sums: vec![position.clone()],
            added: self.added,
            moves: true,
            misere: match self.rule {
                Convention::Normal => MisereWanted::Nothing,
                Convention::Misere => MisereWanted::Outcome,
            },
        };
        let session = Session::new(self.limits, self.signals, &Silent);
        let mut found = None;
        evaluate_sums(&evaluation, &session, |_, sum| found = Some(sum))?;
        let SumEvaluated { value, moves, .. } = found.expect("the sum is evaluated");
        let choices = moves.into_iter().map(|(own, value)| {
            let leaves = own.after(position, self.added);
            let worth = match self.worth(&leaves, value)? {
                Worth::Ending(Ending::Win) => Worth::Ending(Ending::Loss),
                _ => Worth::Ending(Ending::Win),
            };
            Ok(Choice {
                act: own.to_string(),
                leaves,
                value: Some(value.to_string()),
                worth,
                best: None,
                reversible: None,
                gain: 0,
                moves_again: false,
            })
        });
        Ok(Study {
            value: Some(value.to_string()),
            worth: self.worth(position, value)?,
            choices: choices.collect::<Result<_, RunError>>()?,
        })
    }
}
