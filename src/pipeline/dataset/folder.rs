//! The folder of a job's results, the same for all kinds of jobs: tables, records, and files being
//! written.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

use seedbank_files::durable::{self, Lock, LockError, Temporary};
use serde::Serialize;

use super::file::{WrittenFile, checked_file, digest_of_file};
use super::{DatasetError, Digest, FileRecord, sealed};

pub(crate) const PARTS: &str = "parts";
pub(crate) const FORMS: &str = "forms";
pub(crate) const RECORDS: &str = "records";
/// The folder of the results of earlier specs.
pub(crate) const EARLIER: &str = "earlier";
const LOCK: &str = "run.lock";

/// Claims a folder of results, which may be missing, and takes its lock; two runs that write to one folder
/// would remove each other's files. Returns `None` where nobody can write, or no locks exist.
///
/// # Errors
///
/// [`DatasetError::Locked`], [`DatasetError::Claim`]; a folder that cannot be created, a file that
/// cannot be opened.
pub(crate) fn lock_results(dir: &Path) -> Result<Option<Lock>, DatasetError> {
    durable::claim(dir, &durable::RESULT)?;
    Lock::take_if_possible(&dir.join(LOCK)).map_err(|error| match error {
        LockError::Held(holder) => DatasetError::Locked {
            dir: dir.to_owned(),
            holder,
        },
        LockError::Unsupported(error) | LockError::Io(error) => error.into(),
    })
}

/// A folder of results.
#[derive(Clone, Debug)]
pub(crate) struct ResultFolder {
    pub(crate) dir: PathBuf,
}

impl ResultFolder {
    pub(crate) fn at(dir: &Path) -> ResultFolder {
        ResultFolder {
            dir: dir.to_owned(),
        }
    }

    /// Claims the folder, creates those of some tables and of the records, and removes leftovers of
    /// killed writers.
    pub(crate) fn create<'t>(
        &self,
        tables: impl Iterator<Item = &'t str>,
    ) -> Result<(), DatasetError> {
        durable::claim(&self.dir, &durable::RESULT)?;
        for folder in tables.chain([RECORDS]) {
            durable::create_directory(&self.path(folder))?;
        }
        Ok(durable::remove_leftovers(&self.tmp())?)
    }

    /// Returns the path of a file, given its name below the folder.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    /// Returns the folder of files being written.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.path(durable::TMP)
    }

    /// Returns the folder of the records.
    pub(crate) fn records(&self) -> PathBuf {
        self.path(RECORDS)
    }

    /// Removes the results of earlier specs.
    pub(crate) fn remove_earlier(&self) -> Result<(), DatasetError> {
        Ok(durable::remove_folder(
            &self.path(EARLIER),
            &durable::EARLIER,
        )?)
    }

    /// Returns the path of a record.
    pub(crate) fn record(&self, stem: &str) -> PathBuf {
        self.records().join(format!("{stem}.json"))
    }

    /// Writes a record unless its name is taken; returns whether it was written.
    pub(crate) fn write_record(
        &self,
        stem: &str,
        record: &impl Serialize,
    ) -> Result<bool, DatasetError> {
        sealed::write(&self.tmp(), stem, &self.record(stem), record)
    }

    /// Compares the size of a file with its record, given the path of the record.
    pub(crate) fn check_size(
        &self,
        named_by: &Path,
        file: &FileRecord,
    ) -> Result<(), DatasetError> {
        let path = self.path(&file.file);
        let remedy = || "run the job again to recompute its rows".to_owned();
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
            Err(error) => Err(DatasetError::io("inspect", &path)(error)),
        }
    }

    /// Opens a committed file after comparing all its bytes with the recorded checksum, given the
    /// path of the record.
    pub(crate) fn checked(
        &self,
        named_by: &Path,
        expected: &FileRecord,
    ) -> Result<File, DatasetError> {
        checked_file(&self.dir, named_by, expected)
    }

    /// Gives a file its final name, and returns its record.
    pub(crate) fn link(
        &self,
        file: String,
        written: WrittenFile,
    ) -> Result<FileRecord, DatasetError> {
        let record = written.record(file);
        self.name(written.temporary, &record.file, &record.blake3)?;
        Ok(record)
    }

    /// Copies a committed file from another folder; its checksum has been compared already.
    pub(crate) fn copy(&self, source: &mut File, file: &FileRecord) -> Result<(), DatasetError> {
        let stem = file.file.replace('/', "-");
        let mut temporary = Temporary::create(&self.tmp(), &stem)?;
        let copied = source
            .rewind()
            .and_then(|()| io::copy(source, &mut temporary));
        copied.map_err(DatasetError::io("copy to", &self.path(&file.file)))?;
        self.name(temporary, &file.file, &file.blake3)
    }

    /// Gives a temporary file with this digest its final name. A file left there by an interrupted
    /// commit stays only if it is identical.
    fn name(&self, temporary: Temporary, file: &str, digest: &Digest) -> Result<(), DatasetError> {
        let path = self.path(file);
        if digest_of_file(&path)?.is_some_and(|found| found != *digest) {
            tracing::info!(path = %path.display(), "replacing a file that no record vouches for");
            durable::remove(&path)?;
        }
        // An identical file stays, and its name is made durable in case its writer was killed
        // before that. If another worker links the same name in the meantime, its file has the same
        // rows; if not, its record or ours fails the check of every reader.
        temporary.publish(&path)?;
        Ok(())
    }
}
