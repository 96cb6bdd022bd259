//! Obligated sums of mixed components: their value, and every move with the value after it.
//!
//! By Theorem 1 the value of a group of untouched components is [`ObligatedValue::sum`]. The
//! theorem does not cover a started component, as Ferguson notes below his corollary: the parts
//! that a move left come first, then the rest of their group, then the groups that were waiting.
//! Each of these is an obligated sum by itself, and the value of playing them in sequence is
//! [`ObligatedValue::then`]. So a move from a group `c + R` before `S` to parts `P` of `c` leads to
//! `P > R > S`, and wins if that is a P-position.

use cggames::game::impartial::{Component, Sum};
use cggames::game::{Convention, SumKind};

use super::ComponentValues;
use super::moves::SumMove;
use crate::obligated::ObligatedValue;

/// An obligated sum, its value, and its moves.
///
/// Ferguson's five queens. He gives the move with the second one, which has value `11`, as the only
/// way to win. The third, of value `01`, may be started as well: its starter can arrange to move
/// first in the rest, whose starter wins.
///
/// ```
/// use cggames::game::Convention;
/// use cgsolvers::sums::{ComponentValues, ObligatedSum};
///
/// let text = "wythoff(0,1) + wythoff(1,4) + wythoff(2,1) + wythoff(2,2) + wythoff(5,3)";
/// let sum = ObligatedSum::new(&text.parse()?, &mut ComponentValues::new());
/// let values: Vec<String> = sum.components.iter().map(|(_, v)| v.to_string()).collect();
/// assert_eq!(values, ["10", "11", "01", "10", "00"]);
/// assert_eq!(sum.value.to_string(), "11");
/// for convention in Convention::ALL {
///     let moves: Vec<String> = sum.winning_moves(convention).map(|m| m.to_string()).collect();
///     assert_eq!(moves[0], "wythoff(1,4) -> wythoff(1,2)");
///     assert_eq!(moves[1..], ["wythoff(2,1) -> wythoff(0,1)", "wythoff(2,1) -> wythoff(1,0)"]);
/// }
/// # Ok::<(), cggames::game::impartial::SumError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObligatedSum {
    /// Every component with its value when played alone, group after group.
    pub components: Vec<(Component, ObligatedValue)>,
    /// The value of the sum.
    pub value: ObligatedValue,
    /// All moves, in the order of components and of their options, each with the value of the sum after it.
    pub moves: Vec<(SumMove, ObligatedValue)>,
}

impl ObligatedSum {
    /// Computes the value and the moves of a sum.
    ///
    /// Cost: the tables of its components, and their options.
    pub fn new(sum: &Sum, values: &mut ComponentValues) -> ObligatedSum {
        let of = |c: &Component, values: &mut ComponentValues| (c.clone(), values.obligated(c));
        let components = sum.components().map(|c| of(c, values)).collect();
        ObligatedSum {
            components,
            value: obligated_value(sum, values),
            moves: moves(sum, values),
        }
    }

    /// Returns the moves that win; none if the player to move loses, and none if play is over, although
    /// misère play is then won.
    pub fn winning_moves(&self, convention: Convention) -> impl Iterator<Item = &SumMove> {
        let winning = (self.moves.iter()).filter(move |(_, after)| !after.is_n(convention));
        winning.map(|(own, _)| own)
    }
}

/// Returns the value of an obligated sum, before or in the middle of play.
///
/// ```
/// use cgsolvers::sums::{ComponentValues, obligated_value};
///
/// let mut values = ComponentValues::new();
/// let mut value = |text: &str| Ok(obligated_value(&text.parse()?, &mut values).to_string());
/// assert_eq!(value("nim(1) + nim(1)")?, "01");
/// // A throw in a row of three left one pin on each side; then follows the queen, which neither
/// // player wants to move first.
/// assert_eq!(value("kayles(1) + kayles(1) > wythoff(3,5)")?, "00");
/// assert_eq!(value("kayles(1) > wythoff(3,5)")?, "11");
/// # Ok::<(), cggames::game::impartial::SumError>(())
/// ```
pub fn obligated_value(sum: &Sum, values: &mut ComponentValues) -> ObligatedValue {
    let groups = sum.groups().iter().map(|group| {
        let components = group.iter().map(|component| values.obligated(component));
        ObligatedValue::sum(components)
    });
    groups.fold(ObligatedValue::V01, ObligatedValue::then)
}

/// Returns the moves of an obligated sum, each with the value of the sum after it.
fn moves(sum: &Sum, values: &mut ComponentValues) -> Vec<(SumMove, ObligatedValue)> {
    let all = SumMove::all(sum, SumKind::Obligated);
    let Some(front) = all.first().map(|own| own.group) else {
        return Vec::new();
    };
    let groups = sum.groups();
    let behind = obligated_value(&Sum::of_groups(groups[front + 1..].to_vec()), values);
    let alone: Vec<ObligatedValue> = groups[front].iter().map(|c| values.obligated(c)).collect();
    let rest = |place: usize| {
        let others = alone
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place);
        ObligatedValue::sum(others.map(|(_, &value)| value)).then(behind)
    };
    let rests: Vec<ObligatedValue> = (0..alone.len()).map(rest).collect();
    let moves = all.into_iter().map(|own| {
        let parts = own.leaves.iter().map(|part| values.obligated(part));
        let after = ObligatedValue::sum(parts).then(rests[own.place]);
        (own, after)
    });
    moves.collect()
}
