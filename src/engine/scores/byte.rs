//! What is stored of a position: a byte. It is the margin, or, of a game with circles, twice the
//! margin and a bit that says that play must end.

use crate::game::scored::Scored;

/// Returns the margin that a byte holds.
#[inline]
pub(super) fn margin<G: Scored>(byte: u8) -> i8 {
    match G::IS_LOOPY {
        true => byte as i8 >> 1,
        false => byte as i8,
    }
}

/// Returns whether a byte lacks the bit that says that play must end.
pub(super) fn can_be_endless<G: Scored>(byte: u8) -> bool {
    G::IS_LOOPY && byte & 1 == 0
}

/// Returns the byte of a margin and a lowest bit that says that play must end.
#[inline]
pub(super) fn byte<G: Scored>(margin: i8, must_end: u8) -> u8 {
    match G::IS_LOOPY {
        true => (margin << 1) as u8 | must_end,
        false => margin as u8,
    }
}
