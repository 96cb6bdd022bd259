//! Result sets: Parquet tables with provenance, and the directory that holds them.
//!
//! A result set is one directory, and the answer to one job:
//!
//! ```text
//! data/results/<job>/
//!   parts/part-00000.parquet     table `positions`, one file for each part, nothing else in here
//!   forms/part-00000.parquet     table `forms`, one file for each part, nothing else in here
//!   records/shard-00000.json     the part is finished: rows, bytes and checksums of its two files
//!   manifest.json                every part is finished: the result set is complete
//!   checkpoint/                  work of an unfinished job that cannot be written as rows yet
//!   earlier/1/                   the result of an earlier spec, until the rows of a larger family are finished
//!   laws/                        a result set with table `laws`: what a job with a section `[mine]` found in the rows
//!   .seedbank                    the mark of a result
//!   run.lock                     held by the one run there may be
//!   tmp/                         files being written; cleaned when a run begins, removed when the results are complete
//! ```
//!
//! This is the result set of a job over positions ([`Tables::of_positions`]). Other jobs have one
//! table, in `parts/`, and no `forms/`; everything else is the same for all.
//!
//! Invariants:
//!
//! - *A record is the one commit point* of the protocol in [`durable`](seedbank_files::durable), by which
//!   all these files are written. A part counts when its record is whole and its files have the
//!   recorded sizes. A file without a record is never read, and is replaced when the part is
//!   computed again.
//! - *Readers see the truth or an error.* Every file is compared with its recorded checksum before
//!   any of its rows is used. Records and the manifest contain their own checksums.
//! - *The same rows give the same bytes.* Nothing depends on the time, the machine, the number of
//!   threads or the order in which rows arrived. Two workers on one part are therefore harmless.
//! - *`parts/` and `forms/` hold Parquet files only*, because one foreign or half-written file
//!   breaks a whole glob in DuckDB, and Polars refuses folders of mixed types.
//!
//! This module writes and reads rows of any table. It knows nothing about games, engines, jobs or
//! arenas: here a job spec is a text and a digest, and a part is a number.
//!
//! ```
//! use std::sync::Arc;
//!
//! use seedbank::dataset::{
//!     Digest, FORMAT_VERSION, FeatureColumns, PositionRow, ResultHeader, ResultSet, Tables, ValueColumns,
//! };
//!
//! # let scratch = tempfile::tempdir()?;
//! let header = ResultHeader {
//!     job: "sowing-ones".into(),
//!     job_digest: Digest::of(b"pattern = \"1^n\""),
//!     code_version: "0.1.0".into(),
//!     format_version: FORMAT_VERSION,
//!     parts: 1,
//!     spec_text: "pattern = \"1^n\"\n".into(),
//!     tables: Tables::of_positions(vec!["n".into()]),
//! };
//! let results = ResultSet::open_or_create(&scratch.path().join("sowing-ones"), &header)?;
//! let mut part = results.part_writer(0, 0)?;
//! part.push(&PositionRow {
//!     game: "sowing".into(),
//!     play: "partisan".into(),
//!     pattern: Some(Arc::from("1^n")),
//!     variables: vec![Some(1)],
//!     position: "1".into(),
//!     features: FeatureColumns {
//!         pots: Some(1),
//!         seeds: Some(1),
//!         ..FeatureColumns::default()
//!     },
//!     outcome: Some("P".into()),
//!     value: Some(ValueColumns {
//!         value: Some("0".into()),
//!         kind: "integer".into(),
//!         ..ValueColumns::default()
//!     }),
//!     ..PositionRow::default()
//! })?;
//! part.commit()?;
//! let manifest = results.finish()?;
//! assert_eq!(manifest.rows, 1);
//! let rows: Vec<PositionRow> = results.read_positions()?.collect::<Result<_, _>>()?;
//! assert_eq!(rows[0].value.as_ref().unwrap().value.as_deref(), Some("0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod census;
mod census_set;
mod changes;
pub(crate) mod column;
pub(crate) mod copies;
pub(crate) mod datum;
mod earlier;
mod error;
pub mod features;
mod file;
mod folder;
mod footer;
mod format;
pub mod forms;
mod join;
mod kept;
mod labels;
pub mod laws;
mod layout;
mod open;
mod part_writer;
pub mod positions;
pub mod profile;
mod provenance;
mod reader;
mod record;
mod result_set;
pub(crate) mod row;
mod scan;
mod sealed;
pub(crate) mod table;
mod table_layout;
mod tables;
#[cfg(test)]
mod tests;
mod unvalued;
pub mod value;
mod verify;
pub mod witnesses;

pub use census::{CensusBatch, CensusRow};
pub use census_set::{
    AnswerRecord, CellRecord, CensusHeader, CensusPartRecord, CensusPartWriter, CensusParts,
    CensusSet, Tally,
};
pub use changes::{Change, Changes};
pub use column::{Column, ColumnKind};
pub use copies::NamedCopies;
pub use datum::{LIST_MAX, VALUE_CHARS_MAX};
pub(crate) use earlier::{complete_setting_aside, earlier, found, set_aside};
pub use error::DatasetError;
pub use features::FeatureColumns;
pub use file::FileRecord;
pub(crate) use folder::lock_results;
pub use format::FORMAT_VERSION;
pub use forms::FormRow;
pub use join::{Fragment, Join};
pub use kept::Lacking;
pub(crate) use kept::{KeptReader, KeptRow, KeptRows, Subject};
pub use laws::LawRow;
pub use open::{Missing, OpenRows, RowLimit};
pub use part_writer::{PartWriter, PlainWriter, writer_bytes};
pub use positions::{PositionRow, PositionTable};
pub use provenance::{PARTS_MAX, ResultHeader};
pub(crate) use reader::Rows;
pub use record::{Manifest, PartRecord, TableFiles};
pub use result_set::{Glance, ResultSet, Status};
pub use row::{RowColumns, TableRow};
pub use scan::{Scan, ScanProgress, Scanned, Wanted};
pub use seedbank_files::digest::Digest;
pub use tables::Tables;
pub use value::ValueColumns;
pub use verify::Verification;
pub use witnesses::WitnessRow;
