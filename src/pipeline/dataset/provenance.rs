//! Where a result set comes from, and how every Parquet file records it.
//!
//! The entries in a file's key-value metadata are functions of the header, the table and the part.
//! They contain no times, host names or paths, so that the same rows have the same bytes anywhere.

use std::path::Path;

use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use seedbank_files::input;

use super::table_layout::TableLayout;
use super::{DatasetError, Digest, FORMAT_VERSION, Tables};

/// The most parts of a result set. With more, the order of file names would no longer be the
/// family's order.
pub const PARTS_MAX: u32 = 100_000;

/// The key of the text of the job spec.
const SPEC: &str = "seedbank.job_spec";

/// The key of the digest of the file of moves.
const MOVES_DIGEST: &str = "seedbank.moves_digest";

/// Returns the text of the job spec for which a file was written, and the digest of the file of moves
/// that its rows are about, if they are about one; `None` if it cannot be read. Its checksum is not
/// compared.
pub(super) fn spec_of(path: &Path) -> Option<(String, Option<String>)> {
    let file = SerializedFileReader::new(input::open(path).ok()?).ok()?;
    let entries = file.metadata().file_metadata().key_value_metadata()?;
    let value = |key| entries.iter().find(|entry| entry.key == key)?.value.clone();
    Some((value(SPEC)?, value(MOVES_DIGEST)))
}

/// Which job a result set answers, and how it is cut into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultHeader {
    /// The job's name.
    pub job: String,
    /// The digest of the job's meaning: results of different digests never mix.
    pub job_digest: Digest,
    /// The version of the code that computes; another version in the same directory is a warning.
    pub code_version: String,
    /// The version of the layout, [`FORMAT_VERSION`] for what this code writes.
    pub format_version: u32,
    /// The number of parts, from 1 to [`PARTS_MAX`].
    pub parts: u32,
    /// The text of the job spec, as it was given.
    pub spec_text: String,
    /// The tables.
    pub tables: Tables,
}

impl ResultHeader {
    /// Checks the header and returns its tables.
    pub(crate) fn check(&self) -> Result<Vec<TableLayout>, DatasetError> {
        let refuse = |reason: String| DatasetError::Header {
            job: self.job.clone(),
            reason,
        };
        if self.format_version != FORMAT_VERSION {
            return Err(refuse(format!(
                "expected result format {FORMAT_VERSION}, found {}",
                self.format_version
            )));
        }
        if !(1..=PARTS_MAX).contains(&self.parts) {
            return Err(refuse(format!(
                "expected 1 to {PARTS_MAX} parts, found {}; make the parts larger",
                self.parts
            )));
        }
        self.tables.layouts().map_err(refuse)
    }

    /// Returns the entries of a file's key-value metadata, except for the count of rows.
    pub(crate) fn key_values(
        &self,
        table: &TableLayout,
        part: u32,
        first_rank: u64,
    ) -> Vec<KeyValue> {
        let columns = serde_json::to_string(&table.columns)
            .expect("columns are names, flags and texts, which JSON can always hold");
        let moves_digest = self.tables.moves_digest;
        let moves_digest = moves_digest.map(|digest| (MOVES_DIGEST, digest.to_string()));
        [
            ("seedbank.table", table.name.to_owned()),
            ("seedbank.job", self.job.clone()),
            ("seedbank.job_digest", self.job_digest.to_string()),
            (SPEC, self.spec_text.clone()),
            ("seedbank.code_version", self.code_version.clone()),
            ("seedbank.format_version", self.format_version.to_string()),
            // The earlier word for a part: with another key, the same rows would have other bytes.
            ("seedbank.shard", part.to_string()),
            ("seedbank.shards", self.parts.to_string()),
            ("seedbank.first_rank", first_rank.to_string()),
            ("seedbank.columns", columns),
        ]
        .into_iter()
        .chain(moves_digest)
        .map(|(key, value)| KeyValue::new(key.to_owned(), value))
        .collect()
    }
}
