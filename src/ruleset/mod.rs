//! What moves exist: one ruleset, one file.

pub mod row;
