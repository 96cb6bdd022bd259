//! From a position to its value: where rulesets and the algebra of values meet.

pub mod reference;
