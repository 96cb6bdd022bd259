//! Obligated sums: a component, once begun, is played to its end before another is started.
//!
//! Source: T. S. Ferguson, *Obligated sums of games*.

mod bits;
mod certificate;
mod heaps;
mod moves;
mod reference;
mod splits;
pub mod survey;
mod value;

pub use certificate::Certificate;
pub use heaps::{HeapValues, OBLIGATED_HEAPS_MAX};
pub use reference::reference;
pub use value::{Ending, ObligatedValue, ObligatedValueError};
