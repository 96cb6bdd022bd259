#![doc = include_str!("README.md")]
//!
//! # From spec to table
//!
//! ```text
//! job spec -> family of positions -> ruleset -> engine (+ value algebra, + store) -> dataset -> report
//! ```
//!
//! A [`job`] names a game and a [`family`] of positions. The [`game`] defines the moves. An
//! [`engine`] finds the [`value`] of each position: a canonical form or a nim-value. A
//! memory-mapped [`store`] keeps values for later runs, and [`evaluate`] combines it with the
//! engine. A [`run`] divides the work of a [`task`], which is a kind of job, among all processors
//! and writes a [`dataset`] of Parquet files. Store and dataset commit their files by one protocol,
//! [`durable`]. A [`report`] lays the result out as the papers do and compares it with their
//! values; [`mine`] finds laws in it. [`play`] lets a person play against best play.
//!
//! For three starting positions of Sowing:
//!
//! ```
//! use std::path::Path;
//! use std::time::Duration;
//!
//! use seedbank::report::table::Format;
//! use seedbank::run::{self, Limits, Options, Outcome, Reading, Signals, Silent};
//! use seedbank::task::Job;
//!
//! let spec = r#"
//!     name = "ones"
//!     [ruleset]
//!     game = "sowing"
//!     play = "partisan"
//!     [family]
//!     pattern = "1^n"
//!     n = "4..=6"
//! "#;
//! let job = Job::parse(spec, Path::new("jobs/ones.toml"), Path::new("jobs"))?;
//! let scratch = tempfile::tempdir()?;
//! let options = Options {
//!     limits: Limits::new(2, bytesize::ByteSize::gib(1)),
//!     checkpoint: Duration::from_secs(120),
//!     store: scratch.path().join("store"),
//!     out: scratch.path().join("results"),
//!     row: None,
//! };
//! let outcome = run::run(&job, &options, &Signals::default(), &Silent)?;
//! assert!(matches!(outcome, Outcome::Finished(summary) if summary.rows == 3));
//!
//! let results = job.task.open(&job.header, &options.out)?;
//! let reading = Reading {
//!     job: &job.header,
//!     out: &options.out,
//!     rows: results.as_ref().map(|results| results.scan()),
//!     ranks: &[0..job.task.rows()],
//! };
//! let table = job.task.table(&reading)?;
//! let table = table.render(Format::Text, job.task.values_as());
//! assert!(table.contains("11111 = +-1/2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Crates
//!
//! This crate needs arrow and parquet. The ones below it do not, and each can be used alone:
//! [`value`] is `cgvalues`, [`board`], [`game`] and [`family`] are `cggames`, [`engine`] is
//! `cgsolvers`, [`store`] is `valuestore`, [`mine`] is `cglaws`, and [`proof`] and [`prover`] are
//! `cgproofs`. To define another game, implement [`game::Ruleset`]; `scripts/examples` has one.
//!
//! Everything on these pages is public. Before version 1.0, a release that changes the public
//! interface raises the minor version. Formats on disk have versions of their own: a later release
//! reads an older format, or refuses it with an error that names it.

// `println!` and `eprintln!` panic when the terminal is closed or the disk is full.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

#[doc(inline)]
pub use cggames::{board, family, game, on_strips};
#[doc(inline)]
pub use cglaws as mine;
#[doc(inline)]
pub use cgproofs::{proof, prover};
#[doc(inline)]
pub use cgsolvers as engine;
#[doc(inline)]
pub use cgvalues as value;
#[doc(inline)]
pub use seedbank_files::{digest, durable, input};
#[doc(inline)]
pub use seedbank_specs as job;
#[doc(inline)]
pub use valuestore as store;

pub mod moves;

pub mod dataset;

pub mod report;

pub mod run;

pub mod evaluate;

pub mod task;

pub mod play;
