//! The contents of a sweep's cells, and their computation from those of options.

use cggames::game::{SWEEP_CELLS_MAX, SWEEP_POTS_MAX};
use cgvalues::{Arena, ArenaError, ValueId};

use super::{CellContent, Nibble};
use crate::{CanonicalForms, CanonicalWorker, NimValues, NimValuesUnder, Valuation, Word};

/// A valuation for sweeps.
pub trait SweepValuation: Send + Sync {
    /// The content of a cell.
    type Content: CellContent;

    /// Whether it pays off to prefetch the cells of options, and the forms that they refer to, some
    /// rows ahead, however few cells there are.
    const LOOKS_AHEAD: bool;

    /// The most cells for whose contents there is room.
    const CELLS_MAX: u64;

    /// One worker's scratch memory.
    type Scratch<'a>: Send
    where
        Self: 'a;

    /// Returns scratch memory for a worker.
    fn scratch(&self) -> Self::Scratch<'_>;

    /// Returns the content of a position's cell from those of its options, or `None` if one of them
    /// is empty.
    ///
    /// # Errors
    ///
    /// When the value is too large.
    fn content(
        scratch: &mut Self::Scratch<'_>,
        left: impl Iterator<Item = Self::Content>,
        right: impl Iterator<Item = Self::Content>,
    ) -> Result<Option<Self::Content>, ArenaError>;

    /// Returns the arena to which contents refer, if any.
    fn forms(&self) -> Option<&Arena>;

    /// Prefetches the form to which a content refers, which will be read soon.
    #[inline]
    fn prefetch(&self, content: Self::Content) {
        let _ = content;
    }

    /// Returns the content for the negative.
    fn negative_content(content: Self::Content) -> Self::Content;
}

impl SweepValuation for CanonicalForms {
    type Content = u32;

    const LOOKS_AHEAD: bool = true;

    // The followers of Sowing 1^18 fill seven eighths of an arena.
    const CELLS_MAX: u64 = 1 << 32;

    type Scratch<'a> = CanonicalWorker<'a>;

    fn scratch(&self) -> CanonicalWorker<'_> {
        Valuation::worker(self)
    }

    fn forms(&self) -> Option<&Arena> {
        Some(&self.arena)
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
    fn prefetch(&self, content: u32) {
        if content != 0 {
            self.arena.prefetch(ValueId::from_raw(content));
        }
    }

    #[inline]
    fn negative_content(content: u32) -> u32 {
        let word = Word::new(content).expect("an empty cell has no negative");
        <CanonicalForms as Valuation>::negative(word).get()
    }
}

/// One more than the most options of a position in a nim-value sweep.
const NIM_VALUES_END: u32 = 63;

// A player cannot sow from the last pot in the direction of sowing, so each has at most one option
// less than there are pots.
const _: () = assert!(2 * (SWEEP_POTS_MAX - 1) < NIM_VALUES_END as usize);

/// A cell holds the nim-value plus one.
impl<const MISERE: bool> SweepValuation for NimValuesUnder<MISERE> {
    type Content = u8;

    // PERF: at one byte a position, cells are mostly in the second-level cache; prefetching makes
    // impartial 1^15 half as slow again.
    const LOOKS_AHEAD: bool = false;

    const CELLS_MAX: u64 = SWEEP_CELLS_MAX;

    type Scratch<'a> = ();

    fn scratch(&self) {}

    fn forms(&self) -> Option<&Arena> {
        None
    }

    #[inline]
    fn content(
        (): &mut (),
        left: impl Iterator<Item = u8>,
        right: impl Iterator<Item = u8>,
    ) -> Result<Option<u8>, ArenaError> {
        // A row of at most 32 pots has at most 62 options, so all contents are below 64.
        let seen = left.chain(right).fold(0u64, |seen, content| {
            seen | 1u64.wrapping_shl(u32::from(content))
        });
        if seen & 1 != 0 {
            return Ok(None);
        }
        let nim_value = if MISERE && seen == 0 {
            Self::OF_END
        } else {
            (seen >> 1).trailing_ones()
        };
        debug_assert!(
            nim_value < NIM_VALUES_END,
            "62 options have a mex of 62 at most"
        );
        Ok(Some(nim_value as u8 + 1))
    }

    #[inline]
    fn negative_content(content: u8) -> u8 {
        content
    }
}

/// Nim-values in cells of four bits: half the memory of [`NimValues`]. The greatest content stands
/// for all nim-values from 14 on.
///
/// Smaller nim-values are exact: whether a row's options include each of 0 to 13 does not depend on
/// how large the others are.
#[derive(Debug, Default)]
pub struct InNibbles<const MISERE: bool>;

/// Nim-values of normal play in cells of four bits.
pub type NimValuesInNibbles = InNibbles<false>;

impl<const MISERE: bool> SweepValuation for InNibbles<MISERE> {
    type Content = Nibble;

    const LOOKS_AHEAD: bool = NimValues::LOOKS_AHEAD;

    const CELLS_MAX: u64 = NimValues::CELLS_MAX;

    type Scratch<'a> = ();

    fn scratch(&self) {}

    fn forms(&self) -> Option<&Arena> {
        None
    }

    #[inline]
    fn content(
        (): &mut (),
        left: impl Iterator<Item = Nibble>,
        right: impl Iterator<Item = Nibble>,
    ) -> Result<Option<Nibble>, ArenaError> {
        let byte = |nibble| u32::from(nibble) as u8;
        let (left, right) = (left.map(byte), right.map(byte));
        let content = NimValuesUnder::<MISERE>::content(&mut (), left, right)?;
        Ok(content.map(|content| Nibble::from(u32::from(content))))
    }

    #[inline]
    fn negative_content(content: Nibble) -> Nibble {
        content
    }
}
