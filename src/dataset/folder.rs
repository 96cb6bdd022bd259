//! The folder of a job's results, the same for all kinds of jobs: tables in folders, records, files being written.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::file::{WrittenFile, checked_file, digest_of_file};
use super::{DatasetError, Digest, FileRecord, sealed};
use crate::durable::{self, Temporary};

pub(crate) const PARTS: &str = "parts";
pub(crate) const FORMS: &str = "forms";
pub(crate) const RECORDS: &str = "records";
const TMP: &str = "tmp";

/// A folder of results.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    pub(crate) dir: PathBuf,
}

impl Folder {
    pub(crate) fn at(dir: &Path) -> Folder {
        Folder {
            dir: dir.to_owned(),
        }
    }

    /// Creates the folders of some tables and of the records, and removes what dead writers left.
    pub(crate) fn create<'t>(
        &self,
        tables: impl Iterator<Item = &'t str>,
    ) -> Result<(), DatasetError> {
        for folder in tables.chain([RECORDS]) {
            durable::create_directory(&self.path(folder))?;
        }
        Ok(durable::sweep(&self.tmp())?)
    }

    /// Returns the path of a file, given its name below the folder.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    /// Returns the folder of files being written.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.path(TMP)
    }

    /// Returns the folder of the records.
    pub(crate) fn records(&self) -> PathBuf {
        self.path(RECORDS)
    }

    /// Returns the path of a record.
    pub(crate) fn record(&self, stem: &str) -> PathBuf {
        self.records().join(format!("{stem}.json"))
    }

    /// Writes a record, if its name is absent; returns whether it was.
    pub(crate) fn write_record(
        &self,
        stem: &str,
        record: &impl Serialize,
    ) -> Result<bool, DatasetError> {
        sealed::write(&self.tmp(), stem, &self.record(stem), record)
    }

    /// Compares the size of a file with the recorded one, given the path of the record.
    pub(crate) fn check_size(
        &self,
        named_by: &Path,
        file: &FileRecord,
    ) -> Result<(), DatasetError> {
        let path = self.path(&file.file);
        let remedy = || "run the job again: its rows are computed anew".to_owned();
        match fs::metadata(&path) {
            Ok(found) if found.len() == file.bytes => Ok(()),
            Ok(found) => Err(DatasetError::Damaged {
                path,
                found: format!("expected {} bytes, found {}", file.bytes, found.len()),
                remedy: remedy(),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(DatasetError::Missing {
                path,
                named_by: named_by.to_owned(),
                remedy: remedy(),
            }),
            Err(error) => Err(DatasetError::io("look at", &path)(error)),
        }
    }

    /// Opens a committed file after comparing all its bytes with the recorded checksum, given the path of the record.
    pub(crate) fn checked(
        &self,
        named_by: &Path,
        expected: &FileRecord,
    ) -> Result<File, DatasetError> {
        checked_file(&self.dir, named_by, expected)
    }

    /// Gives a file its final name, and returns what a record says of it.
    pub(crate) fn link(
        &self,
        file: String,
        written: WrittenFile,
    ) -> Result<FileRecord, DatasetError> {
        let record = written.record(file);
        self.name(written.temporary, &record.file, &record.blake3)?;
        Ok(record)
    }

    /// Copies a committed file, whose checksum has been compared, from another folder.
    pub(crate) fn copy(&self, source: &mut File, file: &FileRecord) -> Result<(), DatasetError> {
        let stem = file.file.replace('/', "-");
        let mut temporary = Temporary::create(&self.tmp(), &stem)?;
        let copied = source
            .rewind()
            .and_then(|()| io::copy(source, &mut temporary));
        copied.map_err(DatasetError::io("copy to", &self.path(&file.file)))?;
        self.name(temporary, &file.file, &file.blake3)
    }

    /// Gives a temporary file with this digest its final name; a file there that an interrupted commit left stays only if it
    /// is the same.
    fn name(&self, temporary: Temporary, file: &str, digest: &Digest) -> Result<(), DatasetError> {
        let path = self.path(file);
        if digest_of_file(&path)?.is_some_and(|found| found != *digest) {
            tracing::info!(path = %path.display(), "replacing a file that no record vouches for");
            durable::remove(&path)?;
        }
        // Where the same file is there already, it stays, and its name is made durable in case its writer was killed before
        // that. Where another worker links the same name meanwhile, its file has the same rows, and if not, its record or
        // ours fails the check of whoever reads.
        temporary.publish(&path)?;
        Ok(())
    }
}
