//! Obligated sums: a component, once started, is played to its end before another is started.
//!
//! The value of a game states who wins it alone, under normal and under misère play
//! ([`ObligatedValue`]). Theorem 1 of the paper adds values. By it [`HeapValues`] values heaps one
//! after another, a finite check proves a period ([`Certificate`]), and [`survey`] does both for
//! all codes of some length. [`reference()`](fn@reference) is the recursion of the definition.
//!
//! Invariant: all values are exact; a period is claimed only where the theorems of
//! [`Certificate`]'s module prove it.
//!
//! This module knows only heaps; sums of different games are in [`sums`](crate::sums).
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
pub use value::{ObligatedValue, ObligatedValueError};
