//! Compares files with their checksums.

use std::fs;
use std::path::{Path, PathBuf};

use seedbank_files::durable;

use super::{DatasetError, Manifest, ResultSet, sealed};

/// The findings of a full check of a result set.
#[derive(Debug, Default)]
pub struct Verification {
    /// The number of Parquet files whose checksums agree.
    pub files_whole: u64,
    /// The bytes of those files.
    pub bytes_whole: u64,
    /// Every file that is damaged or missing.
    pub damage: Vec<DatasetError>,
    /// The parts without a record, ascending.
    pub unfinished: Vec<u32>,
    /// Files in the folders of the tables without a record. An interrupted commit left them, and
    /// running the job again replaces them.
    pub unrecorded: Vec<PathBuf>,
}

impl ResultSet {
    /// Compares every file with its recorded checksum, and the manifest with the records.
    ///
    /// Cost: reads the whole result set.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] if a file cannot be read. Damage is no error; it is in the list
    /// returned.
    pub fn verify(&self) -> Result<Verification, DatasetError> {
        let layout = &*self.layout;
        let mut found = Verification::default();
        let mut records = Vec::new();
        for part in 0..layout.header.parts {
            match layout.read_record(part) {
                Ok(Some(record)) => {
                    for file in record.files.records() {
                        let checked = layout.checked(part, file);
                        if noted(checked, &mut found.damage)?.is_some() {
                            found.files_whole += 1;
                            found.bytes_whole += file.bytes;
                        }
                    }
                    records.push(record);
                }
                Ok(None) => found.unfinished.push(part),
                Err(damage) => {
                    noted::<()>(Err(damage), &mut found.damage)?;
                }
            }
        }
        for folder in layout.folders_of_parts() {
            found.unrecorded.extend(foreign_files(&folder, |path| {
                records
                    .iter()
                    .flat_map(|record| record.files.records())
                    .any(|file| layout.folder.path(&file.file) == path)
            })?);
        }
        found.unrecorded.sort();
        let manifest = sealed::read::<Manifest>(&layout.manifest());
        if let Some(manifest) = noted(manifest, &mut found.damage)?.flatten() {
            for part in &found.unfinished {
                found.damage.push(DatasetError::Missing {
                    path: layout.record(*part),
                    named_by: layout.manifest(),
                    remedy: "run the job again to recompute the part".to_owned(),
                });
            }
            let all = records.len() == layout.header.parts as usize;
            if all && Manifest::of(records).as_ref() != Some(&manifest) {
                found.damage.push(DatasetError::Damaged {
                    path: layout.manifest(),
                    found: "it does not agree with the records".to_owned(),
                    remedy: "run the job again to rewrite the manifest".to_owned(),
                });
            }
        }
        Ok(found)
    }
}

/// Collects damage and passes other errors on.
fn noted<T>(
    result: Result<T, DatasetError>,
    damage: &mut Vec<DatasetError>,
) -> Result<Option<T>, DatasetError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_damage() => {
            damage.push(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn foreign_files(
    folder: &Path,
    recorded: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, DatasetError> {
    fs::metadata(folder).map_err(DatasetError::io("list", folder))?;
    let mut foreign = durable::named_files(folder, &durable::TABLE)?;
    foreign.retain(|path| !recorded(path));
    Ok(foreign)
}
