//! seedbank

pub mod family;
pub mod job;
pub mod ruleset;
