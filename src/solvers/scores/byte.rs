//! The stored byte of a position: the margin or, in a loopy game, twice the margin plus a bit that
//! is set if play must end.

use cggames::game::scored::Scored;

/// Returns the margin in a byte.
#[inline]
pub(super) fn margin<G: Scored>(byte: u8) -> i8 {
    if G::IS_LOOPY {
        byte as i8 >> 1
    } else {
        byte as i8
    }
}

/// Returns whether play can be endless: the bit that play must end is not set.
pub(super) fn can_be_endless<G: Scored>(byte: u8) -> bool {
    G::IS_LOOPY && byte & 1 == 0
}

/// Returns the byte of a margin, with the lowest bit for play that must end.
#[inline]
pub(super) fn byte<G: Scored>(margin: i8, must_end: u8) -> u8 {
    if G::IS_LOOPY {
        (margin << 1) as u8 | must_end
    } else {
        margin as u8
    }
}
