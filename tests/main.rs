//! All integration tests, one module a file: `README.md` lists them.
//!
//! They are one program, so that the library and its dependencies are linked once. Tests run beside
//! each other in it, so none changes the environment, current folder, limits or signal handlers of
//! the process.

mod common;

mod atomic_weight;
mod bench;
mod boards;
mod care;
mod check_proof;
mod cli;
mod command_lines;
mod computed;
mod conformance;
mod crafted;
mod dataset;
mod deep;
mod documentation;
mod exploring;
mod export;
mod faults;
mod fuzz;
mod graph_jobs;
mod growing;
mod heaps;
mod interrupt;
mod jobs;
mod languages;
mod laws;
mod layers;
mod loopy;
mod loopy_values;
mod memory;
mod mine;
mod moves;
mod named;
mod nim_values;
mod notation;
mod obligated_reference;
mod older;
mod own_games;
mod pages;
mod permissions;
mod pictures;
mod play;
mod prove;
mod python;
mod quotients;
mod report;
mod reported;
mod rings;
mod row_rules;
mod run;
mod schema;
mod score_jobs;
mod scores;
mod scores_computed;
mod shards;
mod shell;
mod sowing_graph;
mod sowing_graph_computed;
mod splitting;
mod stated_laws;
mod store;
mod store_care;
mod sums;
mod sweeps;
mod tchoukaillon;
mod tchoukaillon_cli;
mod tchoukaillon_jobs;
mod terminal;
mod variants;
mod watching;
mod witness;
mod witness_reference;
