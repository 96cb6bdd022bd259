//! Positions of games on rows to their values: engine, store and descriptions together.
//!
//! A session (`session.rs`) gives a run an engine with a store behind it. Sweeps (`sweeps.rs`) value
//! whole families. Workers (`worker.rs`) search single positions and describe the values for the
//! tables. Without a job, [`evaluate`] values positions and [`outcomes()`] searches for their winners.
//! [`care`] looks after the values in a store.

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
