//! Disjunctive sums of mixed components under normal play: nim-value, and every move with the nim-value after it.
//!
//! By the theorem of Sprague and Grundy a component of nim-value `g` may be replaced by a heap of
//! `g` in Nim. A sum is lost for the player to move if and only if the nim-sum of its nim-values is
//! 0, and a move wins if it makes the nim-sum 0.
//!
//! Nim-values do not decide misère play of disjunctive sums, which is not offered.

use cggames::game::SumKind;
use cggames::game::impartial::{Component, Sum};
use thiserror::Error;

use super::moves::SumMove;
use super::{ComponentValues, nim_sum};

/// A disjunctive sum, its nim-value, and its moves.
///
/// ```
/// use cgsolvers::sums::{ComponentValues, DisjunctiveSum};
///
/// // A row of three pins has the value of a heap of 3, so with a heap of 1 a winning move leaves
/// // pins of value 1.
/// let sum = DisjunctiveSum::new(&"kayles(3) + nim(1)".parse()?, &mut ComponentValues::new())?;
/// assert_eq!(sum.nim_value, 2);
/// let moves: Vec<String> = sum.winning_moves().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["kayles(3) -> kayles(1)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisjunctiveSum {
    /// Every component with its nim-value.
    pub components: Vec<(Component, u32)>,
    /// The nim-value of the sum.
    pub nim_value: u32,
    /// All moves, in the order of components and of their options, each with the nim-value of the sum after it.
    pub moves: Vec<(SumMove, u32)>,
}

/// The error for a sum with an order of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("\">\" in a disjunctive sum, in which nothing has to be finished first; write \"+\"")]
pub struct NotFree;

impl DisjunctiveSum {
    /// Computes the nim-value and the moves of a sum.
    ///
    /// Cost: the tables of its components, and their options.
    ///
    /// # Errors
    ///
    /// If the sum has more than one group.
    pub fn new(sum: &Sum, values: &mut ComponentValues) -> Result<DisjunctiveSum, NotFree> {
        let [group] = sum.groups() else {
            return Err(NotFree);
        };
        let components: Vec<_> = group
            .iter()
            .map(|c| (c.clone(), values.nim_value(c)))
            .collect();
        let nim_value = nim_sum(components.iter().map(|&(_, value)| value));
        let moves = SumMove::all(sum, SumKind::Disjunctive).into_iter();
        let moves = moves.map(|own| {
            let parts = nim_sum(own.leaves.iter().map(|part| values.nim_value(part)));
            let after = nim_value ^ components[own.place].1 ^ parts;
            (own, after)
        });
        Ok(DisjunctiveSum {
            moves: moves.collect(),
            nim_value,
            components,
        })
    }

    /// Returns the moves that win under normal play.
    pub fn winning_moves(&self) -> impl Iterator<Item = &SumMove> {
        let winning = self.moves.iter().filter(|(_, after)| *after == 0);
        winning.map(|(own, _)| own)
    }
}
