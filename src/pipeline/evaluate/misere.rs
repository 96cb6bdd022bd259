//! Misère play of positions on pots and of their sums, for the judge.
//!
//! Values do not say who wins. A position alone is valued under misère play; a sum is played out.

use bytesize::ByteSize;
use cggames::game::Convention;
use cgsolvers::Ending;

use super::board_sum::{BoardSum, Summand, WrittenValue};
use super::judge::Judge;
use crate::dataset::{Missing, PositionRow};
use crate::run::RunError;
use crate::run::memory::memory_in_use;

impl Judge<'_, '_> {
    pub(super) fn is_misere(&self) -> bool {
        self.evaluation.manner.convention == Convention::Misere
    }

    /// Returns an error if a board is not a position of the game or is too large, or if a value is no nim heap.
    pub(super) fn check_misere(&self, sum: &BoardSum) -> Result<(), RunError> {
        for board in sum.boards() {
            self.evaluator.check(board)?;
        }
        self.heap(sum).map(drop)
    }

    /// Returns how misère play ends for Left where Left moves first, and for Right where Right does.
    pub(super) fn misere_endings(&self, sum: &BoardSum) -> Result<[Ending; 2], RunError> {
        let heap = self.heap(sum)?;
        let [Summand::Board(board)] = &sum.summands[..] else {
            let boards: Vec<_> = sum.boards().collect();
            let in_use = memory_in_use().unwrap_or(0);
            let memory = self.session.limits.memory.0.saturating_sub(in_use);
            let endings = self
                .evaluator
                .endings_of_sum(&boards, heap, ByteSize(memory));
            return Ok(endings?);
        };
        match self.form(&sum.summands[0])? {
            Some(form) => Ok(Ending::of(self.workers.take().calculator().outcome(form))),
            None => Ok(self.evaluator.endings(board)?),
        }
    }

    /// Returns the row of a sum from what it says about the sum.
    pub(super) fn misere_row(
        &self,
        row: PositionRow,
        sum: &BoardSum,
    ) -> Result<PositionRow, RunError> {
        let outcome = Ending::class(self.misere_endings(sum)?);
        Ok(PositionRow {
            misere_outcome: outcome.map(|outcome| outcome.letter().into()),
            value_missing: Some(Missing::Misere.name().into()),
            ..row
        })
    }

    /// Returns the nim heap among the components, 0 if there is none.
    fn heap(&self, sum: &BoardSum) -> Result<u8, RunError> {
        let values = sum.summands.iter().filter_map(|summand| match summand {
            Summand::Value(value) => Some(value),
            Summand::Board(_) => None,
        });
        let mut found = 0;
        for value in values {
            let refused = |why| RunError::Component {
                component: WrittenValue::text(value).to_owned(),
                why,
            };
            let mut worker = self.workers.take();
            let form = worker.calculator().parse(value.text()).ok();
            let heap = form.and_then(|form| self.evaluator.arena().nimber(form));
            let heap = heap.and_then(|heap| u8::try_from(heap).ok());
            let heap = heap.ok_or_else(|| {
                refused("under misère play a component is a position, or a nim heap such as *2, up to *255")
            })?;
            if found > 0 && heap > 0 {
                return Err(refused("under misère play a sum has at most one nim heap"));
            }
            found = found.max(heap);
        }
        Ok(found)
    }
}
