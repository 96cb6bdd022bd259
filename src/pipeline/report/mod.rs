//! Results for people: tables in the papers' layout, and comparisons with print.
//!
//! [`table`] writes the cells that a task lays out as text, Markdown, LaTeX or CSV.
//! [`colours`] computes the facts about values that pictures show. [`page`] writes a page for finished results. [`svg`] draws
//! thermographs, charts and heat maps, and [`dot`] writes graphs for Graphviz. [`site`] writes pages with links between them.
//! [`export`] writes rows as they are.
//! [`mod@reference`] reads the published values of `data/reference` as facts. [`check`] reports how
//! a task's rows compare with them: agreements, disagreements, and faults of the print itself.
//!
//! Invariant: a report on millions of rows takes the memory of its own lines. Rows are read in
//! order, and only those that the report needs.
//!
//! This module evaluates no position and prints nothing. It knows no specs, stores or engines.

pub mod check;
pub mod colours;
pub mod dot;
mod error;
pub mod export;
mod fraction;
pub mod page;
pub mod reference;
pub mod site;
pub mod svg;
pub mod table;

pub use error::ReportError;
pub(crate) use fraction::dyadic;
pub use fraction::fraction;
