//! The Python module `seedbank._native`, on which the package `seedbank` is built.
//!
//! [`held`] has the class `Value` and [`value`] its methods, [`thermograph`] the class `Thermograph`, [`graph`] evaluates games that are written in Python,
//! [`command`] runs the commands of the program `seedbank`, [`positions`] reads columns of positions from Arrow streams, and [`rows`]
//! hands out tables of results as such streams. Long work releases the interpreter's lock, and Ctrl-C stops it.

mod command;
mod graph;
mod held;
mod loopy;
mod number;
mod operations;
mod pickle;
mod positions;
mod rows;
mod thermograph;
mod tools;
mod value;
mod watch;

use pyo3::prelude::*;
use seedbank_cli::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command::{command, job_name, main, spec_text};
    #[pymodule_export]
    use super::graph::{Graph, GraphValues, explore};
    #[pymodule_export]
    use super::held::Value;
    #[pymodule_export]
    use super::positions::position_lines;
    #[pymodule_export]
    use super::rows::{Rows, rows};
    #[pymodule_export]
    use super::thermograph::Thermograph;
}
