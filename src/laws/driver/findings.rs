//! The laws found in a column so far: each is adopted with its predictions, or counted as refuted.

use crate::column::Column;
use crate::sought::Sought;
use crate::statement::{Contradiction, Mined, Prediction, Statement};

/// The findings in a column so far.
pub(super) struct Mining<'a> {
    pub(super) column: &'a Column,
    /// The place whose entry to predict.
    pub(super) place: Option<&'a [i64]>,
    pub(super) mined: Mined,
    /// For each entry, whether a law gives it.
    pub(super) is_given: Vec<bool>,
}

impl Mining<'_> {
    pub(super) fn is_all_given(&self) -> bool {
        self.is_given.iter().all(|is_given| *is_given)
    }

    /// Counts a law that fails, with the first entry that differs from the law's.
    pub(super) fn refute(&mut self, law: &Statement, entry: impl Fn(&[i64]) -> Option<String>) {
        let column = self.column;
        let by = column.words().find_map(|(at, word)| {
            let predicted = entry(at)?;
            let found = &column.texts()[word];
            (predicted != found).then(|| Contradiction {
                place: column.place(at),
                predicted,
                found: found.to_owned(),
            })
        });
        self.mined.refute(law, by);
    }

    /// Returns whether a law saves more bits than those found so far.
    pub(super) fn saves_more(&self, bits: f64) -> bool {
        let laws = &self.mined.laws;
        laws.is_empty() || bits > laws.iter().map(|law| law.bits).sum()
    }

    /// Adds a law with its predictions for some places. `entry` returns the law's entry at a place,
    /// if it gives one.
    pub(super) fn adopt(
        &mut self,
        law: Statement,
        next: Vec<Vec<i64>>,
        mut entry: impl FnMut(&[i64]) -> Option<String>,
    ) {
        let prediction = |at: Vec<i64>| {
            let value = entry(&at)?;
            let place = self.column.place(&at);
            Some(Prediction { at, place, value })
        };
        let next = next.into_iter().filter_map(prediction).collect();
        if let (None, Some(place)) = (&self.mined.predicted, self.place) {
            self.mined.predicted = entry(place);
        }
        self.mined.laws.push(Statement { next, ..law });
    }

    /// Adopts a law of all places from `first` on, in place of the laws found so far.
    pub(super) fn adopt_alone(
        &mut self,
        law: Statement,
        first: &[i64],
        entry: impl Fn(&[i64]) -> Option<String>,
    ) {
        self.mined.laws.clear();
        self.mined.predicted = None;
        let next = self.column.beyond(first, &vec![Some(1); first.len()]);
        self.adopt(law, next, |at| {
            let is_inside = at.iter().zip(first).all(|(at, first)| at >= first);
            is_inside.then(|| entry(at)).flatten()
        });
    }
}

/// Returns the law that a search found, and whether it holds for the entries held out.
pub(super) fn sought<L>(sought: Sought<L>) -> Option<(L, bool)> {
    match sought {
        Sought::Found(law) => Some((law, true)),
        Sought::Failed(law) => Some((law, false)),
        Sought::None => None,
    }
}
