//! The rows of a result as text for other programs, as they lie in the result and in its order.
//!
//! [`table`](super::table) lays rows out as papers do; here each row is a line. [`csv`] and [`ndjson`] write any columns,
//! [`bfile`] the integers of one column by those of another, as the Encyclopedia of Integer Sequences wants them.
//!
//! Everything is made of one batch of rows at a time, so that the memory does not depend on the number of rows.

pub mod bfile;
mod cell;
pub mod csv;
pub mod ndjson;
