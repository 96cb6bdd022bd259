//! Ids of forms, and the size of the arena's address space.

/// The words of a region: 128 MiB.
pub(super) const REGION_WORDS: usize = 1 << 25;
pub(super) const REGIONS: usize = 1 << 6;
/// The stripes that have a region of their own: the first ones. They come after the others.
pub(super) const WHOLE_REGIONS: usize = 2;
pub(super) const STRIPES: usize = 256;
/// The stripe of the forms that are their own negatives.
pub(super) const SYMMETRIC_STRIPE: usize = STRIPES;
/// The stripe of other forms whose records may not fit a chunk.
pub(super) const LONG_STRIPE: usize = STRIPES + 1;
/// The words of a chunk: 16 KiB.
pub(super) const CHUNK_WORDS: usize = 1 << 12;
/// The words of a level, a chunk of each stripe: 4 MiB.
pub(super) const LEVEL_WORDS: usize = CHUNK_WORDS * STRIPES;

/// A canonical form in an [`Arena`](super::Arena), or the negative of one.
///
/// Ids compare equal exactly when the values are equal. Their order is arbitrary and differs from
/// run to run.
///
/// The raw id is twice the record's place, in words, plus one for the negative. The raw values 0
/// and 1 never occur, so tables may use them for entries without a value. Nor does an odd raw id
/// occur among the symmetric forms, which come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub(super) u32);

impl ValueId {
    pub(super) const NEGATED: u32 = 1;
    /// The first id of a form that is not its own negative.
    const ASYMMETRIC: u32 = (REGION_WORDS * 2) as u32;

    /// The form `0`, in every arena.
    pub const ZERO: ValueId = ValueId(2);

    /// Returns the negative of the form. A form that is its own negative yields itself.
    #[must_use]
    #[inline]
    pub const fn negative(self) -> ValueId {
        ValueId(self.0 ^ (self.0 >= ValueId::ASYMMETRIC) as u32)
    }

    /// Returns the form or its negative.
    #[must_use]
    #[inline]
    pub const fn negated_if(self, negated: bool) -> ValueId {
        ValueId(self.0 ^ (negated & (self.0 >= ValueId::ASYMMETRIC)) as u32)
    }

    /// Returns whichever of the form and its negative the arena's record holds.
    #[must_use]
    #[inline]
    pub const fn unsigned(self) -> ValueId {
        ValueId(self.0 & !ValueId::NEGATED)
    }

    /// Returns whether the form equals its own negative.
    #[inline]
    pub const fn is_symmetric(self) -> bool {
        self.0 < ValueId::ASYMMETRIC
    }

    /// Returns the id as a number, never 0 or 1, for tables of plain words.
    #[inline]
    pub const fn to_raw(self) -> u32 {
        self.0
    }

    /// Returns the id that [`to_raw`](ValueId::to_raw) gave, in the same arena.
    #[inline]
    pub const fn from_raw(raw: u32) -> ValueId {
        ValueId(raw)
    }

    #[inline]
    pub(super) const fn is_negated(self) -> bool {
        self.0 & ValueId::NEGATED != 0
    }

    /// Returns the id of the record at a place.
    #[inline]
    pub(super) const fn at(word: usize) -> ValueId {
        ValueId((word as u32) << 1)
    }

    #[inline]
    pub(super) const fn word(self) -> usize {
        (self.0 >> 1) as usize
    }
}
