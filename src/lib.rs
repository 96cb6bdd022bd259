//! seedbank

pub mod engine;
pub mod ruleset;
pub mod value;
