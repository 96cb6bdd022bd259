//! Sums played out, move by move, without any theory.
//!
//! This is the reference for all code about sums. An obligated sum is played with a stack of
//! groups: the result of a move becomes a new group on top, moves are made only in the top group,
//! and a group without moves is removed. A disjunctive sum is a single group, to which the results
//! of moves return. Positions are valued only by the definition of a P-position, without Theorem 1
//! or nim-values.
//!
//! Cost: all reachable positions, so this is for small sums.

use cggames::game::impartial::{Component, Sum};

use super::memo::{MemoError, PositionMemo};
use crate::obligated::ObligatedValue;

/// The most positions that are played out.
pub const PLAY_POSITIONS_MAX: usize = 100_000;

/// Plays an obligated sum under both endings.
///
/// # Errors
///
/// If more than [`PLAY_POSITIONS_MAX`] positions can be reached.
///
/// ```
/// use cgsolvers::sums::play_obligated;
///
/// let value = play_obligated(&"kayles(3) + nim(2)".parse()?)?;
/// assert_eq!(value.to_string(), "11");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_obligated(sum: &Sum) -> Result<ObligatedValue, MemoError> {
    let stack: Vec<_> = sum.groups().iter().rev().cloned().collect();
    play(alive(stack), |stack| {
        let Some((top, below)) = stack.split_last() else {
            return Vec::new();
        };
        let mut followers = Vec::new();
        for (place, component) in top.iter().enumerate() {
            for parts in component.options() {
                let mut next = below.to_vec();
                let mut rest = top.clone();
                rest.remove(place);
                next.extend([rest, parts]);
                followers.push(alive(next));
            }
        }
        followers
    })
}

/// Plays a disjunctive sum under both endings; the groups of the sum are merged.
///
/// # Errors
///
/// As for [`play_obligated`].
pub fn play_disjunctive(sum: &Sum) -> Result<ObligatedValue, MemoError> {
    play(alive(vec![sum.components().cloned().collect()]), |stack| {
        let mut followers = Vec::new();
        for (place, component) in stack.concat().iter().enumerate() {
            for parts in component.options() {
                let mut next = stack.concat();
                next.remove(place);
                next.extend(parts);
                followers.push(alive(vec![next]));
            }
        }
        followers
    })
}

/// A stack of groups, the one in play last.
type Stack = Vec<Vec<Component>>;

/// Removes components and groups without moves, and sorts each group.
fn alive(mut stack: Stack) -> Stack {
    for group in &mut stack {
        group.retain(|component| !component.options().is_empty());
        group.sort_unstable();
    }
    stack.retain(|group| !group.is_empty());
    stack
}

/// Values a position from its followers by definition.
fn play(
    root: Stack,
    followers: impl Fn(&Stack) -> Vec<Stack>,
) -> Result<ObligatedValue, MemoError> {
    PositionMemo::new(PLAY_POSITIONS_MAX).value(
        &root,
        &followers,
        |stack, memo: &PositionMemo<_, _>| {
            let followers = followers(stack);
            let values = followers
                .iter()
                .map(|next| *memo.known(next).expect("followers are known"));
            ObligatedValue::of_options(values)
        },
    )
}
