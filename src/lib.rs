//! seedbank

pub mod family;
pub mod ruleset;
