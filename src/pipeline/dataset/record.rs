//! The records of finished parts, and the manifest.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::row::TableRow;
use super::{Digest, FileRecord, FormRow, OpenRows};

/// The record of a part: a finished one, or one with rows that have no value yet.
///
/// The keys `shards` and `shard` in the files are the earlier names of these fields. They stay, so
/// that finished result sets remain readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The version of the code that computed the part.
    pub code_version: String,
    /// The names of the patterns' variables; empty if no table has columns for them.
    pub variables: Vec<String>,
    /// The number of parts of the result set.
    #[serde(rename = "shards")]
    pub parts: u32,
    /// The part, from 0.
    #[serde(rename = "shard")]
    pub part: u32,
    /// The rank, in the family's order, of the part's first member.
    pub first_rank: u64,
    /// The rows that have no value yet, if there are any; the part is then written again once more
    /// of them are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenRows>,
    /// The files of the tables, one entry for each table's name.
    #[serde(flatten)]
    pub files: TableFiles,
}

/// The files of a part by the names of their tables, in the order of the tables.
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

    /// Returns the number of rows of table `forms`, 0 if there is none.
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
        /// Reads the entries in the order of the text, which is that of the tables.
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

/// The contents of a complete result set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The versions of the code that computed the parts, sorted; more than one after an upgrade
    /// between runs.
    pub code_versions: Vec<String>,
    /// The names of the patterns' variables; empty if no table has columns for them.
    pub variables: Vec<String>,
    /// The number of parts; its key has the earlier name, as in [`PartRecord`].
    #[serde(rename = "shards")]
    pub parts_total: u32,
    /// Whether all parts are finished; a manifest is written only then.
    pub complete: bool,
    /// The number of rows of the first table, which has one for each member of the family.
    pub rows: u64,
    /// The number of rows of table `forms`, over all parts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forms_rows: u64,
    /// The files of the first table, in the family's order.
    pub parts: Vec<FileRecord>,
    /// The files of table `forms`, in the order of parts; empty if there is no such table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<FileRecord>,
}

impl Manifest {
    /// Sums up the records of all parts, given in order.
    pub(crate) fn of(records: Vec<PartRecord>) -> Option<Manifest> {
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
            parts_total: first.parts,
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
