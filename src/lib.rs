//! seedbank

pub mod ruleset;
