//! The paths in a result set's directory, and the checks of its records against the header.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::folder::Folder;
use super::table_layout::TableLayout;
use super::{DatasetError, Digest, FileRecord, ResultHeader, ShardRecord, sealed};
use crate::durable;

pub(crate) const MANIFEST: &str = "manifest.json";

/// The paths of a result set, its header and its tables.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) folder: Folder,
    pub(crate) header: ResultHeader,
    /// The tables, at least one.
    pub(crate) tables: Vec<TableLayout>,
}

impl Layout {
    pub(crate) fn new(dir: &Path, header: &ResultHeader) -> Result<Layout, DatasetError> {
        Ok(Layout {
            folder: Folder::at(dir),
            tables: header.check()?,
            header: header.clone(),
        })
    }

    pub(crate) fn folders_of_parts(&self) -> impl Iterator<Item = PathBuf> {
        self.tables
            .iter()
            .map(|table| self.folder.path(table.folder))
    }

    /// Returns a table of the result set.
    pub(crate) fn table(&self, name: &'static str) -> Result<&TableLayout, DatasetError> {
        let mut tables = self.tables.iter();
        let table = tables.find(|table| table.name == name);
        table.ok_or_else(|| DatasetError::NoTable {
            dir: self.folder.dir.clone(),
            table: name,
            tables: self.header.tables.names().join(" and "),
        })
    }

    /// Returns, for each table, its name and the name of a part's file below the directory.
    pub(crate) fn files(&self, shard: u32) -> impl Iterator<Item = (&'static str, String)> {
        self.tables
            .iter()
            .map(move |table| (table.name, table.file(shard)))
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.path(MANIFEST)
    }

    /// Returns the file name of a part's record, without its extension.
    pub(crate) fn stem(shard: u32) -> String {
        format!("shard-{shard:05}")
    }

    pub(crate) fn record(&self, shard: u32) -> PathBuf {
        self.folder.record(&Layout::stem(shard))
    }

    /// Marks a part as unfinished, and with it the result set as incomplete.
    pub(crate) fn retract(&self, shard: u32) -> Result<(), DatasetError> {
        durable::remove(&self.manifest())?;
        durable::remove(&self.record(shard))?;
        Ok(())
    }

    /// Reads a part's record, and refuses one that belongs elsewhere.
    pub(crate) fn read_record(&self, shard: u32) -> Result<Option<ShardRecord>, DatasetError> {
        let path = self.record(shard);
        let Some(record) = sealed::read::<ShardRecord>(&path)? else {
            return Ok(None);
        };
        self.check_plan(&record)?;
        let named = |(table, file): (&str, &FileRecord)| format!("{table} {}", file.file);
        let named: Vec<String> = record.files.iter().map(named).collect();
        let expected = self
            .files(shard)
            .map(|(table, file)| format!("{table} {file}"));
        if record.shard != shard || !expected.eq(named.iter().cloned()) {
            return Err(DatasetError::Damaged {
                path,
                found: format!(
                    "it is the record of shard {} and {}",
                    record.shard,
                    named.join(", ")
                ),
                remedy: "run the job again to recompute the shard".to_owned(),
            });
        }
        for file in record.files.records() {
            file.check_rows(&path)?;
        }
        Ok(Some(record))
    }

    /// Returns the state of a part without reading its files.
    pub(crate) fn state(&self, shard: u32) -> Result<ShardState, DatasetError> {
        let record = match self.read_record(shard) {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(ShardState::Absent),
            Err(damage) if damage.is_damage() => return Ok(ShardState::Broken(damage)),
            Err(error) => return Err(error),
        };
        for file in record.files.records() {
            match self.folder.check_size(&self.record(shard), file) {
                Ok(()) => {}
                Err(damage) if damage.is_damage() => return Ok(ShardState::Broken(damage)),
                Err(error) => return Err(error),
            }
        }
        Ok(ShardState::Finished(record))
    }

    /// Opens a file of a part after comparing all its bytes with the recorded checksum.
    pub(crate) fn checked(&self, shard: u32, file: &FileRecord) -> Result<File, DatasetError> {
        self.folder.checked(&self.record(shard), file)
    }

    /// Returns the records of all parts, in order, or with `partial` those of the finished ones.
    pub(crate) fn records(&self, partial: bool) -> Result<Vec<ShardRecord>, DatasetError> {
        let mut records = Vec::new();
        let mut unfinished = Vec::new();
        for shard in 0..self.header.shards {
            match self.state(shard)? {
                ShardState::Absent => unfinished.push(shard),
                ShardState::Broken(damage) => return Err(damage),
                ShardState::Finished(record) => records.push(record),
            }
        }
        if partial || unfinished.is_empty() {
            return Ok(records);
        }
        Err(DatasetError::Incomplete {
            dir: self.folder.dir.clone(),
            shards: self.header.shards,
            unfinished,
        })
    }

    pub(crate) fn check_shard(&self, shard: u32) -> Result<(), DatasetError> {
        if shard < self.header.shards {
            return Ok(());
        }
        Err(DatasetError::NoShard {
            dir: self.folder.dir.clone(),
            shard,
            last: self.header.shards - 1,
        })
    }

    pub(crate) fn check_plan(&self, record: &ShardRecord) -> Result<(), DatasetError> {
        if record.job_digest != self.header.job_digest {
            return Err(self.other_job(record.job.clone(), record.job_digest));
        }
        let plan = |shards: u32, variables: &[String]| match variables {
            [] => format!("{shards} shards and no variables"),
            some => format!("{shards} shards and variables {}", some.join(", ")),
        };
        let found = plan(record.shards, &record.variables);
        let expected = plan(self.header.shards, self.header.tables.variables());
        if found != expected {
            return Err(DatasetError::OtherPlan {
                dir: self.folder.dir.clone(),
                found,
                expected,
            });
        }
        Ok(())
    }

    pub(crate) fn other_job(&self, found_job: String, found: Digest) -> DatasetError {
        DatasetError::OtherJob {
            dir: self.folder.dir.clone(),
            found_job,
            found,
            expected: self.header.job_digest,
        }
    }
}

/// The state of a part, by its record.
pub(crate) enum ShardState {
    /// There is no record.
    Absent,
    /// The record is whole, and the files have the recorded sizes.
    Finished(ShardRecord),
    /// The record is damaged, or a file is missing or has another size.
    Broken(DatasetError),
}
