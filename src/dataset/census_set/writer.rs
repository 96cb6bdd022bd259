//! The files of a stretch on their way to their final names.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

use super::super::table::{TableWriter, WrittenFile};
use super::super::verify::digest_of_file;
use super::super::{CensusRow, DatasetError, Digest, FORMAT_VERSION, FileRecord, FormRow, record};
use super::{CENSUS, CellRecord, CensusSet, FORMS, StretchRecord, TMP, file};
use crate::durable::{self, Temporary};

/// The files of one stretch being written; dropped without [`StretchWriter::commit`], it leaves nothing.
///
/// On a thread of a pool, others of it that have nothing else to do lend a hand.
pub struct StretchWriter<'s> {
    pub(super) set: &'s CensusSet,
    pub(super) name: String,
    /// Takes the rows of the census.
    pub(crate) census: TableWriter<CensusRow<'static>>,
    /// Takes the forms that their values need. Another thread may fill it at the same time.
    pub(crate) forms: TableWriter<FormRow>,
}

impl StretchWriter<'_> {
    /// Finishes the stretch, so that it survives everything but the loss of the disk.
    ///
    /// # Errors
    ///
    /// Where the disk refuses.
    pub fn commit(
        self,
        ranks: Option<[u64; 2]>,
        cells: Vec<CellRecord>,
    ) -> Result<StretchRecord, DatasetError> {
        let CensusSet { dir, header } = self.set;
        // Most of the compression is left to the end, so the two files take a thread each.
        let (census, forms) = rayon::join(|| self.census.finish(), || self.forms.finish());
        let (census, forms) = (census?, forms?);
        let record = StretchRecord {
            format_version: FORMAT_VERSION,
            job: header.job.clone(),
            space: header.space.clone(),
            code_version: header.code_version.clone(),
            census: link(dir, file(CENSUS, &self.name), census)?,
            forms: link(dir, file(FORMS, &self.name), forms)?,
            stretch: self.name,
            ranks,
            cells,
        };
        let stem = format!("part-{}", record.stretch);
        record::write(&dir.join(TMP), &stem, &self.set.record(&stem), &record)?;
        Ok(record)
    }
}

/// Copies a file whose checksum has been compared to its place in another census.
pub(super) fn copy(source: &mut File, dir: &Path, file: &FileRecord) -> Result<(), DatasetError> {
    let path = dir.join(&file.file);
    let stem = file.file.replace('/', "-");
    let mut temporary = Temporary::create(&dir.join(TMP), &stem)?;
    let copied = source
        .rewind()
        .and_then(|()| io::copy(source, &mut temporary));
    copied.map_err(DatasetError::io("copy a stretch to", &path))?;
    name(temporary, &path, &file.blake3)
}

/// Gives a file its final name; what is there without a record that vouches for it goes.
pub(super) fn link(
    dir: &Path,
    file: String,
    written: WrittenFile,
) -> Result<FileRecord, DatasetError> {
    name(written.temporary, &dir.join(&file), &written.blake3)?;
    let record = FileRecord {
        file,
        rows: written.rows,
        bytes: written.bytes,
        blake3: written.blake3,
    };
    Ok(record)
}

/// Gives a temporary file with this digest its final name; what is there with another digest goes.
fn name(temporary: Temporary, path: &Path, digest: &Digest) -> Result<(), DatasetError> {
    if digest_of_file(path)?.is_some_and(|found| found != *digest) {
        durable::remove(path)?;
    }
    temporary.publish(path)?;
    Ok(())
}
