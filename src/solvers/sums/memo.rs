//! Values of positions from those of their followers, without recursion.
//!
//! Every follower is valued before the positions it comes from, with an explicit stack, so deep
//! games cannot overflow the thread's stack. A position that is its own follower is an error: its
//! play need not end.

use std::collections::HashMap;
use std::hash::Hash;

use thiserror::Error;

/// The known values of positions.
pub(super) struct PositionMemo<P, V> {
    known: HashMap<P, Option<V>>,
    most: usize,
}

/// The reason why a position has no value here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MemoError {
    /// There are too many followers.
    #[error("more than {most} positions can be reached; this slow method is for small games")]
    TooMany {
        /// The limit.
        most: usize,
    },
    /// Play may return to a position.
    #[error("play may return to {position}, so it need not end; values are for games that end")]
    Loops {
        /// The position.
        position: String,
    },
}

impl<P: Clone + Eq + Hash + std::fmt::Debug, V: Clone> PositionMemo<P, V> {
    /// Returns an empty memo that will hold at most `most` positions.
    pub(super) fn new(most: usize) -> PositionMemo<P, V> {
        PositionMemo {
            known: HashMap::new(),
            most,
        }
    }

    /// Returns the value of a position, if it is known.
    pub(super) fn known(&self, position: &P) -> Option<&V> {
        self.known.get(position).and_then(Option::as_ref)
    }

    /// Returns the value of a position. `followers` lists all positions on which its value depends,
    /// and `value` computes it once the memo has their values.
    pub(super) fn value(
        &mut self,
        root: &P,
        followers: impl Fn(&P) -> Vec<P>,
        value: impl Fn(&P, &PositionMemo<P, V>) -> V,
    ) -> Result<V, MemoError> {
        let mut stack = vec![(root.clone(), None::<Vec<P>>)];
        while let Some((position, left)) = stack.last_mut() {
            if self.known(position).is_some() {
                stack.pop();
                continue;
            }
            if left.is_none() {
                // The value `None` marks a position that is on the stack with its followers.
                if self.known.insert(position.clone(), None).is_some() {
                    let position = format!("{position:?}");
                    return Err(MemoError::Loops { position });
                }
                if self.known.len() > self.most {
                    return Err(MemoError::TooMany { most: self.most });
                }
                *left = Some(followers(position));
            }
            if let Some(follower) = left.as_mut().and_then(Vec::pop) {
                if self.known(&follower).is_none() {
                    stack.push((follower, None));
                }
                continue;
            }
            let position = position.clone();
            stack.pop();
            let value = value(&position, self);
            self.known.insert(position, Some(value));
        }
        let known = self.known(root);
        Ok(known
            .expect("the root has been valued when the stack is empty")
            .clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_games_do_not_recurse_and_loops_are_found() {
        let mut memo: PositionMemo<u32, u32> = PositionMemo::new(1_000_000);
        let down = |&n: &u32| if n == 0 { vec![] } else { vec![n - 1] };
        let value = memo.value(&500_000, down, |&n, memo| {
            if n == 0 {
                0
            } else {
                memo.known(&(n - 1)).expect("known") + 1
            }
        });
        assert_eq!(value, Ok(500_000));
        let error = PositionMemo::<u32, ()>::new(10).value(&500_000, down, |_, _| ());
        assert_eq!(error, Err(MemoError::TooMany { most: 10 }));
        let round = |&n: &u32| vec![(n + 1) % 5];
        let error = PositionMemo::<u32, ()>::new(10).value(&0, round, |_, _| ());
        let message = error.expect_err("it loops").to_string();
        assert!(message.contains("may return to 0"), "{message}");
    }
}
