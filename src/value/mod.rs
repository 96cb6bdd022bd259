//! The algebra of values: numbers, nimbers, canonical forms, their order, sums and notation.
//!
//! Nothing here knows a game or a position. A value is a [`ValueId`] in an [`Arena`] of canonical
//! forms; a [`Calculator`] is one worker's view of the arena, with the scratch memory that
//! comparing and simplifying need.

mod arena;
mod calculator;
mod dyadic;
mod outcome;

pub(crate) use arena::lock;
pub use arena::{Arena, ArenaError, BIRTHDAY_MAX, OPTIONS_MAX, ValueId};
pub use calculator::{Calculator, Comparison};
pub use dyadic::{Dyadic, ParseDyadicError};
pub use outcome::OutcomeClass;
