//! The colours of values: what is known of them, and the scales by which colours show it.

mod scales;
mod shortened;
mod values;
mod values_as;

pub(crate) use self::scales::Scale;
pub(crate) use self::shortened::shortened;
pub(crate) use self::values::{Facts, Known, Values};
pub use self::values_as::ValuesAs;
