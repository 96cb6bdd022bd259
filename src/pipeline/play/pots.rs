//! Games on pots, and sums of their positions and of values.

use cggames::game::Player;

use super::referee::{Choice, Referee, Study, Worth};
use crate::evaluate::{BoardSum, Judge, JudgedMove};
use crate::run::RunError;

/// Judges moves of a game on pots.
pub struct PotReferee<'j, 'w, 'a> {
    judge: &'j Judge<'w, 'a>,
    can_recur: bool,
}

impl<'j, 'w, 'a> PotReferee<'j, 'w, 'a> {
    /// Returns a referee that uses the judge.
    pub fn new(judge: &'j Judge<'w, 'a>) -> PotReferee<'j, 'w, 'a> {
        PotReferee {
            judge,
            can_recur: judge.game().is_loopy(),
        }
    }
}

impl Choice<BoardSum> {
    /// Returns a move of a game on pots.
    pub fn of_pots(position: &BoardSum, own: &JudgedMove) -> Choice<BoardSum> {
        Choice {
            act: match position.summands.len() {
                1 => own.act(),
                _ => format!("{}, {}", position.summands[own.summand], own.act()),
            },
            leaves: own.leaves.clone(),
            value: own.value.as_ref().and_then(|value| value.notation.clone()),
            worth: Worth::Ending(own.ending),
            best: own.best,
            reversible: own.reversible,
            gain: 0,
            moves_again: false,
        }
    }
}

impl Referee for PotReferee<'_, '_, '_> {
    type Position = BoardSum;

    fn study(&mut self, position: &BoardSum, mover: Player) -> Result<Study<BoardSum>, RunError> {
        let judged = self.judge.judge(position)?;
        let worth = Worth::Ending(judged.ending(mover));
        let own = judged.moves.into_iter().filter(|own| own.is_of(mover));
        let choices = own.map(|own| Choice::of_pots(position, &own));
        let value = judged.row.value.and_then(|value| value.value);
        Ok(Study {
            value: value.map(Into::into),
            worth,
            choices: choices.collect(),
        })
    }

    fn can_recur(&self) -> bool {
        self.can_recur
    }
}
