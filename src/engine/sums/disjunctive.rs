//! Disjunctive sums of mixed components under normal play: nim-value, and every winning move.
//!
//! By the theorem of Sprague and Grundy a component of nim-value `g` may be replaced by a heap of
//! `g` in Nim. A sum is lost for the player to move if and only if the nim-sum of its nim-values is
//! 0, and a move wins if it makes the nim-sum 0.
//!
//! Nim-values do not decide misère play of disjunctive sums, which is not offered.

use thiserror::Error;

use super::moves::{SumMove, moves_where};
use super::{ComponentValues, nim_sum};
use crate::game::impartial::{Component, Sum};

/// A disjunctive sum, its nim-value, and its winning moves under normal play.
///
/// ```
/// use seedbank::engine::sums::{ComponentValues, DisjunctiveSum};
///
/// // A row of three pins has the value of a heap of 3, so with a heap of 1 a winning move leaves
/// // pins of value 1.
/// let sum = DisjunctiveSum::new(&"kayles(3) + nim(1)".parse()?, &mut ComponentValues::new())?;
/// assert_eq!(sum.nim_value, 2);
/// let moves: Vec<String> = sum.winning_moves.iter().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["kayles(3) -> kayles(1)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisjunctiveSum {
    /// Every component with its nim-value.
    pub components: Vec<(Component, u32)>,
    /// The nim-value of the sum.
    pub nim_value: u32,
    /// All winning moves, in the order of components and of their options.
    pub winning_moves: Vec<SumMove>,
}

/// The error for a sum with an order of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("\">\" in a disjunctive sum, in which nothing has to be finished first; write \"+\"")]
pub struct NotFree;

impl DisjunctiveSum {
    /// Computes the nim-value and the winning moves of a sum.
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
        let mut winning_moves = Vec::new();
        for (place, (component, own)) in components.iter().enumerate() {
            let wanted = nim_value ^ own;
            let found = moves_where(component, |parts| {
                nim_sum(parts.iter().map(|part| values.nim_value(part))) == wanted
            });
            winning_moves.extend(found.into_iter().map(|leaves| SumMove {
                group: 0,
                place,
                component: component.clone(),
                leaves,
            }));
        }
        Ok(DisjunctiveSum {
            components,
            nim_value,
            winning_moves,
        })
    }
}
