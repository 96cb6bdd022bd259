//! What results say to people: tables in the papers' layout, and how results compare with print.
//!
//! [`table`] lays a job's rows out and writes them as text, Markdown, LaTeX or CSV. [`mod@reference`]
//! reads the published values of `data/reference` as [`reference::Fact`]s. [`check`] compares a
//! job's rows with them: what agrees, what disagrees, and where the print itself is at fault.
//!
//! Invariant: rows are read in order, only those that a report needs, and are never held together,
//! so that a report on millions of rows costs the memory of its own lines. Values are compared as
//! values, positions as normal forms; their spelling never counts.
//!
//! This module reads rows and specs. It evaluates no position, and knows neither stores nor engines;
//! it prints nothing itself.

pub mod check;
mod error;
mod instance;
pub mod reference;
pub mod table;

pub use error::ReportError;
pub(crate) use instance::instance_text;
