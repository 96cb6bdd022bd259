//! Evaluates positions of games on rows: joins the engine, the store and the descriptions of values.
//!
//! An `Evaluator` is the engine of one game and way of playing; the code above it knows only boards and values. A
//! session (`session.rs`) gives a run an evaluator with a store. Sweeps (`sweeps.rs`) value whole families. Workers
//! (`worker.rs`) search single positions and describe the values for the tables. Without a job, [`evaluate`] values
//! positions, [`outcomes()`] searches for their winners, and a [`Judge`] judges their moves. [`care`] checks, exports and
//! imports the values in a store. Theorems about values are proved by [`prove_theorem`].

mod board_sum;
pub mod care;
pub(crate) mod describe;
mod dispatch;
pub(crate) mod evaluator;
pub(crate) mod forms;
mod graph;
pub(crate) mod judge;
mod known;
pub(crate) mod loopy;
mod misere;
mod outcomes;
pub(crate) mod position_row;
mod rows;
pub(crate) mod seal;
pub(crate) mod session;
mod stored;
mod sweep_files;
pub(crate) mod sweeps;
pub(crate) mod swept;
mod theorems;
mod translation;
mod values;
pub(crate) mod worker;

pub use board_sum::{BoardSum, BoardSumError, Summand, WrittenValue};
pub use describe::{Describer, ValueDescription, Writing};
pub use graph::{game_graph, sum_graph};
pub use judge::{Judge, Judged, JudgedMove, JudgedValue, with_judge};
pub use outcomes::{Outcomes, PositionOutcome, outcomes};
pub use position_row::ExtraColumns;
pub use rows::{Counts, Evaluation, evaluate};
pub use theorems::{PROOF_POSITIONS_MAX, ProofError, ValueLaws, prove_theorem};
pub use values::{Values, with_values};
