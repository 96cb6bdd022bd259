//! seedbank

pub mod cli;
pub mod dataset;
pub mod engine;
pub mod family;
pub mod job;
pub mod report;
pub mod ruleset;
pub mod run;
pub mod store;
pub mod value;
