//! seedbank

pub mod ruleset;
pub mod store;
