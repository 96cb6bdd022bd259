//! The files of a stretch on their way to their final names.

use super::super::folder::FORMS;
use super::super::table::TableWriter;
use super::super::{CensusRow, DatasetError, FORMAT_VERSION, FormRow};
use super::{CENSUS, CellRecord, CensusSet, StretchRecord, file};

/// The files of one stretch being written; dropped without [`StretchWriter::commit`], it leaves nothing.
pub struct StretchWriter<'s> {
    set: &'s CensusSet,
    name: String,
    /// Takes the rows of the census.
    pub(crate) census: TableWriter<CensusRow<'static>>,
    /// Takes the forms that their values need. Another thread may fill it at the same time.
    pub(crate) forms: TableWriter<FormRow>,
}

impl CensusSet {
    /// Begins the files of a stretch. The name is part of file names.
    ///
    /// # Errors
    ///
    /// Where nothing can be written.
    pub fn stretch_writer(&self, name: &str) -> Result<StretchWriter<'_>, DatasetError> {
        Ok(StretchWriter {
            set: self,
            name: name.to_owned(),
            census: self.table_writer(
                &[],
                &format!("{CENSUS}-{name}"),
                &[("seedbank.stretch", name)],
            )?,
            forms: self.table_writer(
                &[],
                &format!("{FORMS}-{name}"),
                &[("seedbank.stretch", name)],
            )?,
        })
    }
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
        let CensusSet { folder, header } = self.set;
        // Most of the compression is left to the end, so the two files take a thread each.
        let (census, forms) = rayon::join(|| self.census.finish(), || self.forms.finish());
        let (census, forms) = (census?, forms?);
        let record = StretchRecord {
            format_version: FORMAT_VERSION,
            job: header.job.clone(),
            space: header.space.clone(),
            code_version: header.code_version.clone(),
            census: folder.link(file(CENSUS, &self.name), census)?,
            forms: folder.link(file(FORMS, &self.name), forms)?,
            stretch: self.name,
            ranks,
            cells,
        };
        let stem = format!("part-{}", record.stretch);
        folder.write_record(&stem, &record)?;
        Ok(record)
    }
}
