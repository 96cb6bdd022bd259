//! Writing the files of a part of a census.

use super::super::folder::FORMS;
use super::super::table::TableWriter;
use super::super::{CensusRow, DatasetError, FORMAT_VERSION, FormRow};
use super::{CENSUS, CellRecord, CensusPartRecord, CensusSet, file};

/// Writes the files of one part. If dropped without [`CensusPartWriter::commit`], it leaves nothing
/// behind.
pub struct CensusPartWriter<'s> {
    set: &'s CensusSet,
    name: String,
    /// Takes the rows of the census.
    pub(crate) census: TableWriter<CensusRow<'static>>,
    /// Takes the forms that these values need. Another thread may fill it at the same time.
    pub(crate) forms: TableWriter<FormRow>,
}

impl CensusSet {
    /// Begins the files of a part. `name` becomes part of the file names.
    ///
    /// # Errors
    ///
    /// If the files cannot be created.
    pub fn part_writer(&self, name: &str) -> Result<CensusPartWriter<'_>, DatasetError> {
        // The key is the earlier word for a part of a census: another would change the files'
        // bytes.
        Ok(CensusPartWriter {
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

impl CensusPartWriter<'_> {
    /// Finishes the part, so that it survives anything but the loss of the disk.
    ///
    /// # Errors
    ///
    /// If the disk refuses.
    pub fn commit(
        self,
        ranks: Option<[u64; 2]>,
        cells: Vec<CellRecord>,
    ) -> Result<CensusPartRecord, DatasetError> {
        let CensusSet { folder, header } = self.set;
        // Most of the compression happens at the end, so the two files take a thread each.
        let (census, forms) = rayon::join(|| self.census.finish(), || self.forms.finish());
        let (census, forms) = (census?, forms?);
        let record = CensusPartRecord {
            format_version: FORMAT_VERSION,
            job: header.job.clone(),
            space: header.space.clone(),
            code_version: header.code_version.clone(),
            census: folder.link(file(CENSUS, &self.name), census)?,
            forms: folder.link(file(FORMS, &self.name), forms)?,
            name: self.name,
            ranks,
            cells,
        };
        let stem = format!("part-{}", record.name);
        folder.write_record(&stem, &record)?;
        Ok(record)
    }
}
