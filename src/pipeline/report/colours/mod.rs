//! The colours of values: facts about values, and the scales by which colours show them.

mod long;
mod scales;
mod shortened;
mod values;
mod values_as;

pub use self::long::{LongValue, LongValues};
pub(crate) use self::scales::Scale;
pub(crate) use self::shortened::shortened;
pub(crate) use self::values::{DescribedValue, DistinctValues, Known, ValueFacts, described};
pub use self::values_as::ValuesAs;
