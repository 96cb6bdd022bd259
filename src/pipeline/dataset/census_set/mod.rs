//! The directory of a census, which only ever grows, and of the answers read from it.
//!
//! ```text
//! data/results/<job>/
//!   census/part-<name>.parquet         table `census`, one file for each part
//!   forms/part-<name>.parquet          table `forms`, one file for each part
//!   records/part-<name>.json           the part is finished: its cells, its two files
//!   witnesses/<answer>.parquet         table `witnesses`, one file for each answer
//!   records/<answer>.json              the answer is complete
//!   .seedbank                          the mark of a result
//!   tmp/                               files being written, swept when a run begins
//! ```
//!
//! A *cell* is all positions of the family with given numbers of pots and seeds. A part of a census
//! is a group of cells that were searched together, or a range of ranks of a family without cells.
//! The directory belongs to one game, one way of playing and one shape of family. It depends
//! neither on bounds nor on the conditions sought: a job with wider bounds or other conditions
//! extends the same census. An answer belongs to a job's meaning, whose digest is in its name.
//!
//! As everywhere, a record is the one commit point. Two concurrent runs with different bounds may
//! both search a cell; readers take it from the first part, by name, that has it.

mod records;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parquet::file::metadata::KeyValue;
use seedbank_files::durable::{self, Temporary};

pub use self::records::{AnswerRecord, CellRecord, CensusPartRecord, Tally};
pub use self::writer::CensusPartWriter;
use super::census::{CensusBatch, CensusRow};
use super::column;
use super::folder::{FORMS, ResultFolder};
use super::forms::FormRow;
use super::reader::Rows;
use super::row::TableRow;
use super::sealed;
use super::table::TableWriter;
use super::witnesses::WitnessRow;
use super::{DatasetError, Digest, FORMAT_VERSION, FileRecord};

const CENSUS: &str = "census";
const WITNESSES: &str = "witnesses";

/// What identifies a census.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusHeader {
    /// The job's name.
    pub job: String,
    /// The game, its version, the way of playing, the shape of the family and the relation, in
    /// words.
    pub space: String,
    /// The version of the code that computes.
    pub code_version: String,
}

impl CensusHeader {
    /// Returns the digest of the space: censuses of different digests never mix.
    pub fn space_digest(&self) -> Digest {
        Digest::of(self.space.as_bytes())
    }
}

/// The census of one job's space.
#[derive(Clone, Debug)]
pub struct CensusSet {
    folder: ResultFolder,
    header: CensusHeader,
}

/// The finished parts, and the damage of others.
#[derive(Debug, Default)]
pub struct CensusParts {
    /// The records of finished parts, sorted by name.
    pub finished: Vec<CensusPartRecord>,
    /// Damaged records, and records whose files are missing or have another size.
    pub damage: Vec<DatasetError>,
}

impl CensusSet {
    /// Opens the census in `dir` for writing. Creates missing folders and removes leftovers of
    /// killed writers.
    ///
    /// # Errors
    ///
    /// [`DatasetError::OtherSpace`] if the directory holds something else; an error if it cannot be
    /// created or read.
    pub fn open_or_create(dir: &Path, header: &CensusHeader) -> Result<CensusSet, DatasetError> {
        let folder = ResultFolder::at(dir);
        folder.create([CENSUS, FORMS, WITNESSES].into_iter())?;
        let set = CensusSet {
            folder,
            header: header.clone(),
        };
        set.parts()?;
        Ok(set)
    }

    /// Opens the census in `dir` for reading; returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it is unknown whether there is one.
    pub fn open(dir: &Path, header: &CensusHeader) -> Result<Option<CensusSet>, DatasetError> {
        let folder = ResultFolder::at(dir);
        let records = folder.records();
        let is_there = records.try_exists();
        let is_there = is_there.map_err(DatasetError::io("inspect", &records))?;
        Ok(is_there.then(|| CensusSet {
            folder,
            header: header.clone(),
        }))
    }

    /// Returns the finished parts: their records are whole and their files have the recorded sizes.
    ///
    /// # Errors
    ///
    /// [`DatasetError::OtherSpace`] if a record belongs to another space, [`DatasetError::Io`] if
    /// one cannot be read.
    pub fn parts(&self) -> Result<CensusParts, DatasetError> {
        let mut parts = CensusParts::default();
        for path in durable::named_files(&self.folder.records(), &durable::RECORDS)? {
            let named = path.file_stem().and_then(|stem| stem.to_str());
            let Some(named) = named.and_then(|stem| stem.strip_prefix("part-")) else {
                if !self.is_record_of_an_answer(&path) {
                    // The record of a part of rows: the results of a job that sought no witnesses.
                    return Err(self.other_space("the values of all positions".to_owned()));
                }
                continue;
            };
            match self.read_part(&path, named) {
                Ok(Some(record)) => parts.finished.push(record),
                Ok(None) => {}
                Err(damage) if damage.is_damage() => parts.damage.push(damage),
                Err(error) => return Err(error),
            }
        }
        Ok(parts)
    }

    fn is_record_of_an_answer(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("answer-"))
    }

    fn read_part(&self, path: &Path, name: &str) -> Result<Option<CensusPartRecord>, DatasetError> {
        let Some(record) = sealed::read::<CensusPartRecord>(path)? else {
            return Ok(None);
        };
        if record.space != self.header.space {
            return Err(self.other_space(record.space));
        }
        let files = [file(CENSUS, name), file(FORMS, name)];
        if record.name != name || record.files().map(|file| file.file.clone()) != files {
            return Err(DatasetError::Damaged {
                path: path.to_owned(),
                found: format!("it is the record of part {}", record.name),
                remedy: "run the job again to redo the search of this part".to_owned(),
            });
        }
        for file in record.files() {
            file.check_rows(path)?;
            self.folder.check_size(path, file)?;
        }
        Ok(Some(record))
    }

    fn other_space(&self, found: String) -> DatasetError {
        DatasetError::OtherSpace {
            dir: self.folder.dir.clone(),
            found,
            expected: self.header.space.clone(),
        }
    }

    /// Returns the error of adding parts of this format, if one of the finished parts has an earlier
    /// format.
    pub fn older(&self, finished: &[CensusPartRecord]) -> Option<DatasetError> {
        let mut older = finished.iter();
        let older = older.find(|record| record.format_version < FORMAT_VERSION)?;
        Some(DatasetError::OlderFormat {
            path: self.record(&format!("part-{}", older.name)),
            found: older.format_version,
        })
    }

    /// Copies a finished part from another census of the same space, unless this one has it;
    /// returns whether it was copied. The copied files are compared with their checksums.
    ///
    /// # Errors
    ///
    /// [`DatasetError::OtherSpace`]; [`DatasetError::OtherPart`] if a part of this name holds
    /// other cells; damage of the other census's files; [`DatasetError::Io`].
    pub fn adopt(&self, from: &CensusSet, record: &CensusPartRecord) -> Result<bool, DatasetError> {
        if record.space != self.header.space {
            return Err(self.other_space(record.space.clone()));
        }
        let stem = format!("part-{}", record.name);
        let path = self.record(&stem);
        match self.read_part(&path, &record.name) {
            Ok(Some(there)) if there.ranks == record.ranks && there.cells == record.cells => {
                return Ok(false);
            }
            Ok(Some(_)) => {
                return Err(DatasetError::OtherPart {
                    path,
                    other: from.record(&stem),
                    dir: from.folder.dir.clone(),
                });
            }
            Ok(None) => {}
            Err(damage) if damage.is_damage() => {
                tracing::warn!("{damage}");
                durable::remove(&path)?;
            }
            Err(error) => return Err(error),
        }
        for file in record.files() {
            let mut source = from.folder.checked(&from.record(&stem), file)?;
            self.folder.copy(&mut source, file)?;
        }
        self.folder.write_record(&stem, record)
    }

    fn table_writer<R: TableRow>(
        &self,
        variables: &[String],
        stem: &str,
        more: &[(&str, &str)],
    ) -> Result<TableWriter<R>, DatasetError> {
        let columns = R::columns(variables);
        let described = serde_json::to_string(&columns)
            .expect("columns are names, flags and texts, which JSON can always hold");
        let format_version = FORMAT_VERSION.to_string();
        let entries = [
            ("seedbank.table", R::TABLE),
            ("seedbank.job", &self.header.job),
            ("seedbank.space", &self.header.space),
            ("seedbank.code_version", &self.header.code_version),
            ("seedbank.format_version", &format_version),
            ("seedbank.columns", &described),
        ];
        let provenance = entries
            .iter()
            .chain(more)
            .map(|&(key, value)| KeyValue::new(key.to_owned(), value.to_owned()))
            .collect();
        let temporary = Temporary::create(&self.folder.tmp(), stem)?;
        TableWriter::new(&columns, variables.len(), provenance, temporary)
    }

    /// Removes the record of a part, so that it is searched again.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn retract(&self, damage: &DatasetError) -> Result<(), DatasetError> {
        let (DatasetError::Damaged { path, .. } | DatasetError::Missing { path, .. }) = damage
        else {
            return Ok(());
        };
        if let Some(name) = path.file_stem() {
            let record = self.folder.records().join(name).with_extension("json");
            durable::remove(&record)?;
        }
        Ok(())
    }

    /// Returns the census of some parts, row by row. Each file is first compared with its checksum.
    pub fn read_census(
        &self,
        parts: &[CensusPartRecord],
    ) -> impl Iterator<Item = Result<CensusRow<'static>, DatasetError>> + Send + use<> {
        self.rows::<CensusRow<'static>>(parts, |record| &record.census)
    }

    /// Returns the census of some parts, some thousand rows at a time. Each file is first compared
    /// with its checksum. Iteration ends after an error.
    pub fn census_batches(
        &self,
        parts: &[CensusPartRecord],
    ) -> impl Iterator<Item = Result<CensusBatch, DatasetError>> + Send + use<> {
        let mut rows = self.rows::<CensusRow<'static>>(parts, |record| &record.census);
        let batches = std::iter::from_fn(move || rows.batch().transpose());
        batches.map(|batch| batch.map(CensusBatch))
    }

    /// Returns the forms of some parts; a form that several parts need is repeated.
    pub fn read_forms(
        &self,
        parts: &[CensusPartRecord],
    ) -> impl Iterator<Item = Result<FormRow, DatasetError>> + Send + use<> {
        self.rows::<FormRow>(parts, |record| &record.forms)
    }

    fn rows<R: TableRow>(
        &self,
        parts: &[CensusPartRecord],
        table: impl Fn(&CensusPartRecord) -> &FileRecord,
    ) -> Rows<R> {
        let files = parts.iter().map(|record| {
            let named_by = self.record(&format!("part-{}", record.name));
            (named_by, table(record).clone())
        });
        Rows::new(
            &self.folder.dir,
            column::schema(&R::columns(&[])),
            files.collect(),
        )
    }

    fn record(&self, stem: &str) -> PathBuf {
        self.folder.record(stem)
    }

    /// Returns the answer to the job of this digest, if it exists and is complete.
    ///
    /// # Errors
    ///
    /// Damage, which a run repairs.
    pub fn answer(&self, job_digest: Digest) -> Result<Option<AnswerRecord>, DatasetError> {
        let path = self.record(&answer_name(job_digest));
        let Some(record) = sealed::read::<AnswerRecord>(&path)? else {
            return Ok(None);
        };
        if record.space != self.header.space {
            return Err(self.other_space(record.space));
        }
        let expected = answer_file(&answer_name(job_digest));
        if record.job_digest != job_digest || record.witnesses.file != expected {
            return Err(DatasetError::Damaged {
                path,
                found: "it is the record of another answer".to_owned(),
                remedy: "run the job again to reread the answer from the census".to_owned(),
            });
        }
        record.witnesses.check_rows(&path)?;
        self.folder.check_size(&path, &record.witnesses)?;
        Ok(Some(record))
    }

    /// Returns the rows of an answer, after comparing its file with the recorded checksum.
    pub fn read_witnesses(
        &self,
        answer: &AnswerRecord,
        variables: &[String],
    ) -> impl Iterator<Item = Result<WitnessRow, DatasetError>> + Send + use<> {
        let schema = column::schema(&WitnessRow::columns(variables));
        let named_by = self.record(&answer_name(answer.job_digest));
        Rows::<WitnessRow>::new(
            &self.folder.dir,
            schema,
            vec![(named_by, answer.witnesses.clone())],
        )
    }

    /// Writes an answer, replacing any earlier one. Fills in the file of the record.
    ///
    /// # Errors
    ///
    /// If a row does not fit the table, or the disk refuses.
    pub fn write_answer(
        &self,
        mut record: AnswerRecord,
        spec_text: &str,
        variables: &[String],
        rows: &[WitnessRow],
    ) -> Result<AnswerRecord, DatasetError> {
        let name = answer_name(record.job_digest);
        let digest = record.job_digest.to_string();
        let mut writer = self.table_writer::<WitnessRow>(
            variables,
            &name,
            &[
                ("seedbank.job_spec", spec_text),
                ("seedbank.job_digest", &digest),
                ("seedbank.bounds", &record.bounds),
            ],
        )?;
        for row in rows {
            writer.push(row)?;
        }
        let written = writer.finish()?;
        let file = answer_file(&name);
        // The record of an earlier answer is removed first, so that no record refers to a missing
        // file.
        durable::remove(&self.record(&name))?;
        record.witnesses = self.folder.link(file, written)?;
        self.folder.write_record(&name, &record)?;
        durable::remove_empty(&self.folder.tmp());
        Ok(record)
    }

    /// Compares every file of the finished parts and of an answer with its checksum.
    ///
    /// # Errors
    ///
    /// If a file cannot be read. Damage is no error; it is in the list returned.
    pub fn verify(&self, job_digest: Digest) -> Result<Vec<DatasetError>, DatasetError> {
        let parts = self.parts()?;
        let mut damage = parts.damage;
        let mut files: BTreeMap<PathBuf, Vec<FileRecord>> = BTreeMap::new();
        for record in &parts.finished {
            let named_by = self.record(&format!("part-{}", record.name));
            files.insert(named_by, record.files().map(Clone::clone).to_vec());
        }
        match self.answer(job_digest) {
            Ok(Some(answer)) => {
                let named_by = self.record(&answer_name(job_digest));
                files.insert(named_by, vec![answer.witnesses]);
            }
            Ok(None) => {}
            Err(error) if error.is_damage() => damage.push(error),
            Err(error) => return Err(error),
        }
        for (named_by, files) in files {
            for file in files {
                match self.folder.checked(&named_by, &file) {
                    Ok(_) => {}
                    Err(error) if error.is_damage() => damage.push(error),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(damage)
    }
}

fn answer_name(job_digest: Digest) -> String {
    format!("answer-{}", &job_digest.to_string()[..16])
}

fn answer_file(name: &str) -> String {
    format!("{WITNESSES}/{name}.parquet")
}

fn file(folder: &str, name: &str) -> String {
    format!("{folder}/part-{name}.parquet")
}
