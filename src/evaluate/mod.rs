//! Positions of games on rows to their values: engine, store and descriptions together.
//!
//! [`session`] gives a run an engine with a store behind it. [`sweeps`] value whole families, [`worker`]s search single positions
//! and describe the values for the tables. [`evaluate`] and [`outcomes`] do the same without a job, and [`care`] looks after the
//! values in a store.

pub mod care;
pub(crate) mod describe;
pub(crate) mod dispatch;
pub(crate) mod forms;
pub(crate) mod known;
mod outcomes;
mod rows;
mod seal;
pub(crate) mod session;
pub(crate) mod stored;
mod sweep_files;
pub(crate) mod sweeps;
mod translation;
pub(crate) mod worker;

pub use describe::{Describer, Description};
pub use outcomes::{Outcomes, PositionOutcome, outcomes};
pub use rows::{Counts, Evaluation, evaluate};
pub use worker::Columns;
