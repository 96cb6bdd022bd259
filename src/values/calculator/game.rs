//! A game that is being simplified and has no record in the arena yet.

use crate::ValueId;
use crate::arena::{Edge, Head};

/// Left's options so far, the negatives of Right's, and the edges of the game and its negative.
pub(super) struct Game {
    pub(super) left: Vec<Head>,
    pub(super) negative_left: Vec<Head>,
    pub(super) up: Edge,
    pub(super) down: Edge,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            left: Vec::new(),
            negative_left: Vec::new(),
            up: Edge::UNKNOWN,
            down: Edge::UNKNOWN,
        }
    }
}

impl Game {
    #[inline]
    pub(super) fn negate(&mut self) {
        std::mem::swap(&mut self.left, &mut self.negative_left);
        std::mem::swap(&mut self.up, &mut self.down);
    }

    /// Returns the edges, with an id that no value has.
    #[inline]
    pub(super) fn head(&self) -> Head {
        Head::new(ValueId::from_raw(0), self.up, self.down)
    }
}

/// Lists that every simplification needs, reused to save allocations.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) game: Game,
    /// The ids of both lists, for storing the form.
    pub(super) ids: [Vec<ValueId>; 2],
}
