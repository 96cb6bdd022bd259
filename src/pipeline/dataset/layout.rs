//! The paths in a result set's directory, and the checks of its records against the header.

use std::fs::File;
use std::path::{Path, PathBuf};

use seedbank_files::durable;

use super::changes::Changes;
use super::folder::ResultFolder;
use super::provenance::spec_of;
use super::table_layout::TableLayout;
use super::{DatasetError, Digest, FileRecord, OpenRows, PartRecord, ResultHeader, sealed};

pub(crate) const MANIFEST: &str = "manifest.json";

/// The paths of a result set, its header and its tables.
#[derive(Debug)]
pub(crate) struct SetLayout {
    pub(crate) folder: ResultFolder,
    pub(crate) header: ResultHeader,
    /// The tables, at least one.
    pub(crate) tables: Vec<TableLayout>,
}

impl SetLayout {
    pub(crate) fn new(dir: &Path, header: &ResultHeader) -> Result<SetLayout, DatasetError> {
        Ok(SetLayout {
            folder: ResultFolder::at(dir),
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
    pub(crate) fn files(&self, part: u32) -> impl Iterator<Item = (&'static str, String)> {
        self.tables
            .iter()
            .map(move |table| (table.name, table.file(part)))
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.path(MANIFEST)
    }

    /// Returns the file name of a part's record, without its extension. It begins with `shard`, the
    /// earlier word for a part, so that finished result sets remain readable.
    pub(crate) fn stem(part: u32) -> String {
        format!("shard-{part:05}")
    }

    pub(crate) fn record(&self, part: u32) -> PathBuf {
        self.folder.record(&SetLayout::stem(part))
    }

    /// Marks a part as unfinished, and with it the result set as incomplete.
    pub(crate) fn retract(&self, part: u32) -> Result<(), DatasetError> {
        durable::remove(&self.manifest())?;
        durable::remove(&self.record(part))?;
        Ok(())
    }

    /// Removes a part's record and files, and the manifest.
    pub(crate) fn discard(&self, part: u32) -> Result<(), DatasetError> {
        self.retract(part)?;
        for (_, file) in self.files(part) {
            durable::remove(&self.folder.path(&file))?;
        }
        Ok(())
    }

    /// Reads a part's record, and refuses one that belongs elsewhere.
    pub(crate) fn read_record(&self, part: u32) -> Result<Option<PartRecord>, DatasetError> {
        let path = self.record(part);
        let Some(record) = sealed::read::<PartRecord>(&path)? else {
            return Ok(None);
        };
        self.check_plan(&record)?;
        let named = |(table, file): (&str, &FileRecord)| format!("{table} {}", file.file);
        let named: Vec<String> = record.files.iter().map(named).collect();
        let expected = self
            .files(part)
            .map(|(table, file)| format!("{table} {file}"));
        if record.part != part || !expected.eq(named.iter().cloned()) {
            return Err(DatasetError::Damaged {
                path,
                found: format!(
                    "it is the record of part {} and {}",
                    record.part,
                    named.join(", ")
                ),
                remedy: "run the job again to recompute the part".to_owned(),
            });
        }
        for file in record.files.records() {
            file.check_rows(&path)?;
        }
        Ok(Some(record))
    }

    /// Returns the state of a part without reading its files.
    pub(crate) fn state(&self, part: u32) -> Result<PartState, DatasetError> {
        let record = match self.read_record(part) {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(PartState::Absent),
            Err(damage) if damage.is_damage() => return Ok(PartState::Broken(damage)),
            Err(error) => return Err(error),
        };
        for file in record.files.records() {
            match self.folder.check_size(&self.record(part), file) {
                Ok(()) => {}
                Err(damage) if damage.is_damage() => return Ok(PartState::Broken(damage)),
                Err(error) => return Err(error),
            }
        }
        Ok(match record.open {
            None => PartState::Finished(record),
            Some(open) => PartState::Open(record, open),
        })
    }

    /// Opens a file of a part after comparing all its bytes with the recorded checksum.
    pub(crate) fn checked(&self, part: u32, file: &FileRecord) -> Result<File, DatasetError> {
        self.folder.checked(&self.record(part), file)
    }

    /// Returns the records of all parts, in order, or with `partial` those of the parts that are
    /// there. Rows may exceed a run's limit, and only with `partial` be missing for another reason.
    pub(crate) fn records(&self, partial: bool) -> Result<Vec<PartRecord>, DatasetError> {
        let mut records = Vec::new();
        let mut unfinished = Vec::new();
        for part in 0..self.header.parts {
            match self.state(part)? {
                PartState::Open(record, open) if partial || open.limit.is_some() => {
                    records.push(record)
                }
                PartState::Absent | PartState::Open(..) => unfinished.push(part),
                PartState::Broken(damage) => return Err(damage),
                PartState::Finished(record) => records.push(record),
            }
        }
        if partial || unfinished.is_empty() {
            return Ok(records);
        }
        Err(DatasetError::Incomplete {
            dir: self.folder.dir.clone(),
            parts: self.header.parts,
            unfinished,
        })
    }

    pub(crate) fn check_part(&self, part: u32) -> Result<(), DatasetError> {
        if part < self.header.parts {
            return Ok(());
        }
        Err(DatasetError::NoPart {
            dir: self.folder.dir.clone(),
            part,
            last: self.header.parts - 1,
        })
    }

    pub(crate) fn check_plan(&self, record: &PartRecord) -> Result<(), DatasetError> {
        if record.job_digest != self.header.job_digest {
            let file = record.files.records().next();
            return Err(self.other_job(record.job.clone(), record.job_digest, file));
        }
        let plan = |parts: u32, variables: &[String]| match variables {
            [] => format!("{parts} parts and no variables"),
            some => format!("{parts} parts and variables {}", some.join(", ")),
        };
        let found = plan(record.parts, &record.variables);
        let expected = plan(self.header.parts, self.header.tables.variables());
        if found != expected {
            return Err(DatasetError::OtherPlan {
                dir: self.folder.dir.clone(),
                found,
                expected,
            });
        }
        Ok(())
    }

    /// Returns the error that the directory holds the results of another job, given one of their
    /// files.
    pub(crate) fn other_job(
        &self,
        found_job: String,
        found: Digest,
        file: Option<&FileRecord>,
    ) -> DatasetError {
        let spec = file.and_then(|file| spec_of(&self.folder.path(&file.file)));
        let tables = &self.header.tables;
        let moves = tables.moves_digest.map(|digest| digest.to_string());
        let expected = (self.header.spec_text.clone(), moves);
        let changes = Changes::between(spec.as_ref(), &expected, tables.may_grow);
        DatasetError::OtherJob {
            dir: self.folder.dir.clone(),
            found_job,
            found,
            expected: self.header.job_digest,
            changes: Box::new(changes),
        }
    }
}

/// The state of a part, by its record.
pub(crate) enum PartState {
    /// There is no record.
    Absent,
    /// The record is whole, and the files have the recorded sizes.
    Finished(PartRecord),
    /// As [`PartState::Finished`], but some rows have no value yet.
    Open(PartRecord, OpenRows),
    /// The record is damaged, or a file is missing or has another size.
    Broken(DatasetError),
}
