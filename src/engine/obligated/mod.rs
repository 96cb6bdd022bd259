//! Obligated sums: a component, once begun, is played to its end before another is started.
//!
//! The value of a game is who wins it alone, under normal and under misère play ([`ObligatedValue`]).
//! Theorem 1 of the paper adds values; heaps that are split into heaps are then valued one after the
//! other ([`HeapValues`]), a period is proved by a finite check ([`Certificate`]), and [`survey`] does so
//! for all codes of some length. [`reference()`](fn@reference) is the recursion as it is defined.
//!
//! Invariant: all values are exact; a period is claimed only where the theorems of
//! [`Certificate`]'s module prove it.
//!
//! This module knows heaps only; sums of different games are in [`sums`](crate::engine::sums).
//!
//! Source: T. S. Ferguson, *Obligated sums of games*.

mod bits;
mod blocks;
mod certificate;
mod heaps;
mod reference;
mod splits;
pub mod survey;
mod value;

pub use super::heaps::certificate::Certificate;
pub use heaps::{HeapValues, OBLIGATED_HEAPS_MAX};
pub use reference::reference;
pub use value::{Ending, ObligatedValue, ObligatedValueError};
