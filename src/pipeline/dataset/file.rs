//! Parquet files, and comparing them with their records.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use seedbank_files::durable::Temporary;
use seedbank_files::input;
use serde::{Deserialize, Serialize};

use super::{DatasetError, Digest};

/// The most rows that the record of a file may claim, so that sums cannot overflow. A job has at
/// most 2^40 positions.
pub(crate) const FILE_ROWS_MAX: u64 = 1 << 44;

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
    /// Refuses a number of rows that no file can have, given the path of the record.
    pub(crate) fn check_rows(&self, named_by: &Path) -> Result<(), DatasetError> {
        if self.rows <= FILE_ROWS_MAX {
            Ok(())
        } else {
            Err(DatasetError::Damaged {
                path: named_by.to_owned(),
                found: format!("it says that {} has {} rows", self.file, self.rows),
                remedy: "run the job again to recompute its rows".to_owned(),
            })
        }
    }
}

/// A Parquet file that is complete but not committed.
pub(crate) struct WrittenFile {
    pub(crate) temporary: Temporary,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) blake3: Digest,
}

impl WrittenFile {
    /// Returns the record of the file under its final name.
    pub(crate) fn record(&self, file: String) -> FileRecord {
        FileRecord {
            file,
            rows: self.rows,
            bytes: self.bytes,
            blake3: self.blake3,
        }
    }
}

/// Opens a committed file below a directory, after comparing all its bytes with the recorded
/// checksum. `named_by` is the path of the record.
pub(crate) fn checked_file(
    dir: &Path,
    named_by: &Path,
    expected: &FileRecord,
) -> Result<File, DatasetError> {
    let path = dir.join(&expected.file);
    let Some((file, bytes, blake3)) = hash_file(&path)? else {
        return Err(DatasetError::Missing {
            path,
            named_by: named_by.to_owned(),
            remedy: "run the job again to recompute its rows".to_owned(),
        });
    };
    if (bytes, blake3) == (expected.bytes, expected.blake3) {
        return Ok(file);
    }
    Err(DatasetError::Damaged {
        path,
        found: format!(
            "expected {} bytes with checksum {}, found {bytes} with {blake3}",
            expected.bytes, expected.blake3
        ),
        remedy: format!(
            "remove {} and run the job again to recompute its rows",
            named_by.display()
        ),
    })
}

/// Returns the digest of a file's bytes, or `None` if there is no file.
pub(crate) fn digest_of_file(path: &Path) -> Result<Option<Digest>, DatasetError> {
    Ok(hash_file(path)?.map(|(_, _, blake3)| blake3))
}

fn hash_file(path: &Path) -> Result<Option<(File, u64, Digest)>, DatasetError> {
    let file = match input::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(DatasetError::io("open", path)(error)),
    };
    let mut hasher = blake3::Hasher::new();
    hasher
        .update_reader(&file)
        .map_err(DatasetError::io("read", path))?;
    let (bytes, blake3) = (hasher.count(), hasher.finalize().into());
    Ok(Some((file, bytes, blake3)))
}
