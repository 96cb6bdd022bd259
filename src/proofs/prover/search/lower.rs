//! Theorems whose shortest rows are too long to be evaluated: their claims for smaller counts.

use super::{Search, SearchResult, names};
use crate::proof::{Block, Relation};
use crate::prover::fit::text;
use crate::prover::known::{ROW_POTS_MAX, stripped};

/// The number of smaller bounds of counts that are tried if the rows of a theorem are too long.
const LOWERED: u32 = 6;

impl Search<'_> {
    /// Adds the theorem's claim for smaller counts, where it is not refuted, if the shortest of its
    /// own rows is too long to be evaluated. The new claim is proved first: its answers are answers
    /// for the rows of the theorem.
    pub(super) fn lower(&mut self, at: usize, relation: Relation) -> SearchResult<()> {
        let claim = self.claims[at].clone();
        let shortest = claim.rows.row(&claim.rows.least());
        if stripped(&shortest, claim.rows.ends).len() <= ROW_POTS_MAX {
            return Ok(());
        }
        for least in 0..LOWERED {
            let mut lower = claim.clone();
            for block in &mut lower.rows.blocks {
                if let Block::Repeated(_, own) = block {
                    *own = least.min(*own);
                }
            }
            if self.refutation(&lower, relation)?.is_some() {
                continue;
            }
            let names = names(lower.rows.least().len());
            let value = lower.at_most.as_ref().or(lower.at_least.as_ref());
            let text = value.and_then(|value| text(value, names, &mut self.calculator));
            let Some(text) = text else { return Ok(()) };
            for &first in relation.first() {
                self.add((lower.rows.clone(), text.clone()), first);
                self.open.rotate_right(1);
            }
            return Ok(());
        }
        Ok(())
    }
}
