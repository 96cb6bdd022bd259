//! What the cells of a sweep hold, and how a position's content follows from those of its options.

use super::Cell;
use crate::engine::{CanonicalForms, CanonicalWorker, NimValues, Valuation, Word};
use crate::value::{ArenaError, OutcomeClass};

/// A way of valuing the positions of a sweep.
pub trait SweepValuation: Send + Sync {
    /// The content of a cell.
    type Cell: Cell;

    /// One worker's scratch memory.
    type Scratch<'a>: Send
    where
        Self: 'a;

    /// Returns scratch memory for a worker.
    fn scratch(&self) -> Self::Scratch<'_>;

    /// Returns the content of a position's cell from those of its options, or `None` where one of
    /// them is empty.
    ///
    /// # Errors
    ///
    /// When the content cannot be held.
    fn content(
        scratch: &mut Self::Scratch<'_>,
        left: impl Iterator<Item = Self::Cell>,
        right: impl Iterator<Item = Self::Cell>,
    ) -> Result<Option<Self::Cell>, ArenaError>;

    /// Returns the content for the mirror image.
    fn mirror_content(content: Self::Cell) -> Self::Cell;
}

impl SweepValuation for CanonicalForms {
    type Cell = u32;

    type Scratch<'a> = CanonicalWorker<'a>;

    fn scratch(&self) -> CanonicalWorker<'_> {
        Valuation::worker(self)
    }

    #[inline]
    fn content(
        scratch: &mut CanonicalWorker<'_>,
        left: impl Iterator<Item = u32>,
        right: impl Iterator<Item = u32>,
    ) -> Result<Option<u32>, ArenaError> {
        if !(scratch.fill_left(left) && scratch.fill_right(right)) {
            return Ok(None);
        }
        Ok(Some(scratch.canonical()?.get()))
    }

    #[inline]
    fn mirror_content(content: u32) -> u32 {
        let word = Word::new(content).expect("an empty cell is not mirrored");
        <CanonicalForms as Valuation>::mirrored(word).get()
    }
}

/// One more than the most options of a position whose nim-value a sweep can find.
const NIM_VALUES_END: u32 = 63;

/// A cell holds the nim-value plus one.
impl SweepValuation for NimValues {
    type Cell = u8;

    type Scratch<'a> = ();

    fn scratch(&self) {}

    #[inline]
    fn content(
        (): &mut (),
        left: impl Iterator<Item = u8>,
        right: impl Iterator<Item = u8>,
    ) -> Result<Option<u8>, ArenaError> {
        // A position of at most 31 pots has at most 62 options, so all contents are below 64.
        let seen = left.chain(right).fold(0u64, |seen, content| {
            seen | 1u64.wrapping_shl(u32::from(content))
        });
        if seen & 1 != 0 {
            return Ok(None);
        }
        let nim_value = (seen >> 1).trailing_ones();
        debug_assert!(
            nim_value < NIM_VALUES_END,
            "62 options have a mex of 62 at most"
        );
        Ok(Some(nim_value as u8 + 1))
    }

    #[inline]
    fn mirror_content(content: u8) -> u8 {
        content
    }
}

/// Who wins `G + *k`, for k below four: found by playing, without any values of games.
///
/// A cell holds eight bits: from the lowest, whether Left wins `G + *k` moving first for k = 0, 1, 2,
/// 3, then the same for Right. They cannot all be false, for a game equals one nimber at most, so
/// that zero is free for an empty cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcomes;

/// One more than the greatest nimber that [`Outcomes`] recognises.
pub const NIMBERS_END: u32 = 4;

const FIRST: u8 = (1 << NIMBERS_END) - 1;

impl Outcomes {
    /// Returns who wins the game itself.
    pub fn outcome(content: u8) -> OutcomeClass {
        match (content & 1 != 0, content >> NIMBERS_END & 1 != 0) {
            (true, true) => OutcomeClass::Next,
            (true, false) => OutcomeClass::Left,
            (false, true) => OutcomeClass::Right,
            (false, false) => OutcomeClass::Previous,
        }
    }

    /// Returns the k below four for which the game equals `*k`, if there is one: then nobody wins `G + *k`
    /// moving first.
    pub fn nimber(content: u8) -> Option<u32> {
        let either = content | content >> NIMBERS_END;
        (0..NIMBERS_END).find(|k| either >> k & 1 == 0)
    }
}

impl SweepValuation for Outcomes {
    type Cell = u8;

    type Scratch<'a> = ();

    fn scratch(&self) {}

    #[inline]
    fn content(
        (): &mut (),
        left: impl Iterator<Item = u8>,
        right: impl Iterator<Item = u8>,
    ) -> Result<Option<u8>, ArenaError> {
        let mut whole = true;
        // Bit k: some option, with the same heap beside it, is lost for the opponent who moves next.
        let mut left_wins = 0u8;
        for content in left {
            whole &= content != 0;
            left_wins |= !(content >> NIMBERS_END) & FIRST;
        }
        let mut right_wins = 0u8;
        for content in right {
            whole &= content != 0;
            right_wins |= !content & FIRST;
        }
        if !whole {
            return Ok(None);
        }
        // Or the heap is made smaller, to a k for which the opponent loses.
        for k in 1..NIMBERS_END {
            let below = (1u8 << k) - 1;
            let (left_loses, right_loses) = (!left_wins & below, !right_wins & below);
            left_wins |= u8::from(right_loses != 0) << k;
            right_wins |= u8::from(left_loses != 0) << k;
        }
        Ok(Some(left_wins | right_wins << NIMBERS_END))
    }

    #[inline]
    fn mirror_content(content: u8) -> u8 {
        content.rotate_left(NIMBERS_END)
    }
}
