//! Writes the rows of a result as text for other programs, unchanged and in the order of the result.
//!
//! [`table`](super::table) lays rows out as papers do; here each row is a line. [`csv`] and [`ndjson`] write any columns.
//! [`bfile`] writes the integers of one column indexed by another, in the format of the Encyclopedia of Integer Sequences.
//!
//! They work on one batch of rows at a time, so the memory does not depend on the number of rows.

pub mod bfile;
mod cell;
pub mod csv;
pub mod ndjson;
