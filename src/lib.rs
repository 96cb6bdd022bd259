//! seedbank

pub mod ruleset;
pub mod value;
