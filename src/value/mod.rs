//! The algebra of values: numbers, nimbers, canonical forms, their order, sums, invariants and
//! notation.
//!
//! This module knows no games or positions. A value is a [`ValueId`] in an [`Arena`] of canonical
//! forms; a [`Calculator`] is one worker's view of the arena, with the scratch memory that
//! comparing and simplifying need.

mod arena;
mod atomic_weight;
mod calculator;
mod cooling;
mod digest;
mod dyadic;
mod incentives;
mod kind;
pub mod latex;
mod nimber;
mod notation;
mod number_up_star;
mod outcome;
mod pattern;
#[cfg(test)]
pub(crate) mod samples;
mod thermograph;
mod tiny;
mod uptimal;

pub use arena::{Arena, ArenaError, BIRTHDAY_MAX, OPTIONS_MAX, ValueId};
pub(crate) use arena::{ExactStops, Extent, lock};
pub use atomic_weight::{AtomicWeight, AtomicWeights, NoAtomicWeight};
pub use calculator::{Calculator, Comparison};
pub use cooling::CoolingError;
pub use digest::{Digester, ParseDigestError, ValueDigest};
pub use dyadic::{Dyadic, ParseDyadicError};
pub use kind::{Kind, ParseKindError};
pub use nimber::{Nimber, ParseNimberError};
pub(crate) use notation::{Algebra, AmountOf, Evaluation, Literal, NESTING_MAX, read};
pub use notation::{Notation, NotationText, NotationWriter, ParseValueError, RESERVED};
pub use number_up_star::NumberUpStar;
pub use outcome::OutcomeClass;
pub use pattern::ValuePattern;
pub use thermograph::{Thermograph, Thermographs, Wall};
pub use uptimal::{Uptimal, UptimalShape};

/// A map from values. Its order is arbitrary: sort before any output.
pub(crate) type ValueMap<T> = hashbrown::HashMap<ValueId, T, foldhash::fast::RandomState>;
