//! What a family lists.

use std::fmt::Debug;

use crate::board::Board;

/// A part of a family: positions on one kind of board, in an order of their own, with ranks from 0.
pub trait Members: Clone + Debug + Send + Sync {
    /// What the positions are written on.
    type Board: Board;
    /// What goes from one member to the next.
    type Walk<'a>: Walk<Self::Board> + Clone + Debug
    where
        Self: 'a;

    /// Returns the number of members.
    fn len(&self) -> u64;

    /// Tells whether there are no members.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the member at a rank below [`Members::len`], and the values of the variables.
    fn get(&self, rank: u64) -> (Self::Board, Vec<i64>);

    /// Returns the least rank at which a position stands as written, or `None` if it is no member.
    fn rank(&self, position: &Self::Board) -> Option<u64>;

    /// Returns the variables that its members come with.
    fn variables(&self) -> &[char] {
        &[]
    }

    /// Returns the pattern that its members come from, if they come from one.
    fn pattern_text(&self) -> Option<&str> {
        None
    }

    /// Returns what stands at the member at a rank; `None` where a member is found by its rank as fast as from the one before,
    /// or has variables.
    fn walk(&self, _rank: u64) -> Option<Self::Walk<'_>> {
        None
    }

    /// Appends a text that two parts share exactly if they list the same members for the same reasons. Digests of jobs are made
    /// of it, so its wording is part of the format.
    fn write_meaning(&self, text: &mut String);
}

/// Goes through the members of a part in order.
pub trait Walk<B> {
    /// Returns the member.
    fn position(&self) -> B;

    /// Moves on to the next member; returns whether there is one.
    fn advance(&mut self) -> bool;
}
