//! seedbank

pub mod dataset;
pub mod ruleset;
