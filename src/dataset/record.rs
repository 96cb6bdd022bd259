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

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::provenance::FILE_ROWS_MAX;
use super::row::TableRow;
use super::{DatasetError, Digest, FORMAT_VERSION, FormRow};
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

impl FileRecord {
    /// Refuses more rows than any file has, given the path of the record.
    pub(crate) fn check_rows(&self, named_by: &Path) -> Result<(), DatasetError> {
        match self.rows <= FILE_ROWS_MAX {
            true => Ok(()),
            false => Err(DatasetError::Damaged {
                path: named_by.to_owned(),
                found: format!("it says that {} has {} rows", self.file, self.rows),
                remedy: "run the job again: what it vouches for is computed anew".to_owned(),
            }),
        }
    }
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
    /// The names of the patterns' variables; none where no table has columns for them.
    pub variables: Vec<String>,
    /// The number of shards of the result set.
    pub shards: u32,
    /// The shard, from 0.
    pub shard: u32,
    /// The rank, in the family's order, of the shard's first member.
    pub first_rank: u64,
    /// The file of each table, as an entry of the table's name.
    #[serde(flatten)]
    pub files: TableFiles,
}

/// The files of a shard by the names of their tables, in the order of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFiles(Vec<(String, FileRecord)>);

impl TableFiles {
    /// Returns the file of a table.
    pub fn of(&self, table: &str) -> Option<&FileRecord> {
        let mut tables = self.iter();
        tables.find_map(|(name, file)| (name == table).then_some(file))
    }

    /// Returns the tables with their files.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FileRecord)> + Clone {
        self.0.iter().map(|(table, file)| (&**table, file))
    }

    /// Returns the files.
    pub fn records(&self) -> impl Iterator<Item = &FileRecord> {
        self.0.iter().map(|(_, file)| file)
    }

    /// Returns the number of rows of the first table.
    pub fn rows(&self) -> u64 {
        self.0.first().map_or(0, |(_, file)| file.rows)
    }

    /// Returns the number of rows of table `forms`, 0 where there is none.
    pub(crate) fn forms_rows(&self) -> u64 {
        self.of(FormRow::TABLE).map_or(0, |file| file.rows)
    }
}

impl FromIterator<(String, FileRecord)> for TableFiles {
    fn from_iter<I: IntoIterator<Item = (String, FileRecord)>>(files: I) -> TableFiles {
        TableFiles(files.into_iter().collect())
    }
}

impl Serialize for TableFiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for TableFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableFiles, D::Error> {
        /// Takes the entries in the order of the text, which is that of the tables.
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = TableFiles;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file for each table")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<TableFiles, M::Error> {
                let mut files = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    files.push(entry);
                }
                Ok(TableFiles(files))
            }
        }
        deserializer.deserialize_map(Entries)
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
    /// The names of the patterns' variables; none where no table has columns for them.
    pub variables: Vec<String>,
    /// The number of shards.
    pub shards: u32,
    /// Whether all shards are finished; a manifest is written only then.
    pub complete: bool,
    /// The number of rows of the first table, which has one for each member of the family.
    pub rows: u64,
    /// The number of rows of table `forms`, over all shards.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forms_rows: u64,
    /// The files of the first table, in the family's order.
    pub parts: Vec<FileRecord>,
    /// The files of table `forms`, in the order of shards; none where there is no such table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
            rows: records.iter().map(|record| record.files.rows()).sum(),
            forms_rows: records.iter().map(|record| record.files.forms_rows()).sum(),
            parts: records
                .iter()
                .filter_map(|record| record.files.records().next().cloned())
                .collect(),
            forms: records
                .iter()
                .filter_map(|record| record.files.of(FormRow::TABLE).cloned())
                .collect(),
        })
    }
}

fn is_zero(rows: &u64) -> bool {
    *rows == 0
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
