//! Finished-shard records and the manifest: small JSON files that are [sealed](crate::durable::seal).
//!
//! ```text
//! {"blake3":"<64 hexadecimal digits: the digest of every byte below this line>",
//! "body":{
//!   ...
//! }}
//! ```
//!
//! No byte of them can change unnoticed, and they are JSON to everyone else.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{DatasetError, Digest, FORMAT_VERSION};
use crate::durable::{Temporary, seal, unseal};

/// One committed Parquet file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The path below the result set's directory, with slashes.
    pub file: String,
    /// The number of rows.
    pub rows: u64,
    /// The file's size.
    pub bytes: u64,
    /// The BLAKE3 digest of the file's bytes.
    pub blake3: Digest,
}

/// The record of a finished shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The version of the code that computed the shard.
    pub code_version: String,
    /// The names of the pattern's variables.
    pub variables: Vec<String>,
    /// The number of shards of the result set.
    pub shards: u32,
    /// The shard, from 0.
    pub shard: u32,
    /// The rank, in the family's order, of the shard's first position.
    pub first_rank: u64,
    /// The file of table `positions`.
    pub positions: FileRecord,
    /// The file of table `forms`.
    pub forms: FileRecord,
}

impl ShardRecord {
    /// Returns the records of both files.
    pub fn files(&self) -> [&FileRecord; 2] {
        [&self.positions, &self.forms]
    }
}

/// What a complete result set holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The versions of the code that computed the shards, sorted; more than one after an upgrade between runs.
    pub code_versions: Vec<String>,
    /// The names of the pattern's variables.
    pub variables: Vec<String>,
    /// The number of shards.
    pub shards: u32,
    /// Whether all shards are finished; a manifest is written only then.
    pub complete: bool,
    /// The number of rows of table `positions`.
    pub rows: u64,
    /// The number of rows of table `forms`, over all shards.
    pub forms_rows: u64,
    /// The files of table `positions`, in the family's order.
    pub parts: Vec<FileRecord>,
    /// The files of table `forms`, in the order of shards.
    pub forms: Vec<FileRecord>,
}

impl Manifest {
    /// Sums up the records of all shards, given in order.
    pub(crate) fn of(records: Vec<ShardRecord>) -> Option<Manifest> {
        let first = records.first()?.clone();
        let mut code_versions: Vec<String> = records
            .iter()
            .map(|record| record.code_version.clone())
            .collect();
        code_versions.sort();
        code_versions.dedup();
        Some(Manifest {
            format_version: first.format_version,
            job: first.job,
            job_digest: first.job_digest,
            code_versions,
            variables: first.variables,
            shards: first.shards,
            complete: true,
            rows: records.iter().map(|record| record.positions.rows).sum(),
            forms_rows: records.iter().map(|record| record.forms.rows).sum(),
            parts: records
                .iter()
                .map(|record| record.positions.clone())
                .collect(),
            forms: records.into_iter().map(|record| record.forms).collect(),
        })
    }
}

const SEAL_BEGIN: &str = "{\"blake3\":\"";
const BODY_BEGIN: &[u8] = b"\"body\":";
const BODY_END: &[u8] = b"}\n";

/// Returns the sealed bytes of a record or manifest.
fn to_bytes<T: Serialize>(body: &T) -> Vec<u8> {
    let json = serde_json::to_vec_pretty(body)
        .expect("records are structs of numbers and texts, which JSON can always hold");
    seal(SEAL_BEGIN, &[BODY_BEGIN, &json, BODY_END].concat())
}

/// Returns the JSON of the body, or what is wrong with the seal around it.
fn body_of(bytes: &[u8]) -> Result<&[u8], String> {
    unseal(SEAL_BEGIN, bytes)
        .map_err(|fault| fault.to_string())?
        .strip_prefix(BODY_BEGIN)
        .and_then(|rest| rest.strip_suffix(BODY_END))
        .ok_or_else(|| "it has no body".to_owned())
}

/// Writes a record or manifest, if its name is absent; returns whether it was.
pub(crate) fn write<T: Serialize>(
    tmp: &Path,
    stem: &str,
    path: &Path,
    body: &T,
) -> Result<bool, DatasetError> {
    let mut temporary = Temporary::create(tmp, stem)?;
    temporary.write_all(&to_bytes(body))?;
    Ok(temporary.publish(path)?)
}

/// Reads a record or manifest; `None` where there is none.
///
/// # Errors
///
/// [`DatasetError::Damaged`] where the bytes are not those written, [`DatasetError::OtherFormat`] where another version
/// of the layout wrote them.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, DatasetError> {
    #[derive(Deserialize)]
    struct Format {
        format_version: u32,
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(DatasetError::io("read", path)(error)),
    };
    let damaged = |found: String| DatasetError::Damaged {
        path: path.to_owned(),
        found,
        remedy: "run the job again: what it vouches for is computed anew".to_owned(),
    };
    let body = body_of(&bytes).map_err(damaged)?;
    let json = |error: serde_json::Error| damaged(format!("it is not the JSON expected: {error}"));
    let format: Format = serde_json::from_slice(body).map_err(json)?;
    if format.format_version != FORMAT_VERSION {
        return Err(DatasetError::OtherFormat {
            path: path.to_owned(),
            found: format.format_version,
            expected: FORMAT_VERSION,
        });
    }
    serde_json::from_slice(body).map(Some).map_err(json)
}
