//! The directory of a result set: opening it, and what is finished in it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::column::Column;
use super::record::{self, FileRecord};
use super::shard_writer::ShardWriter;
use super::{DatasetError, Manifest, ResultHeader, ShardRecord, commit};

/// The results of one job.
///
/// One process writes and any number read. Several threads of the writer may each hold a [`ShardWriter`]; two
/// processes that write the same shard are harmless, because the same rows are the same bytes.
#[derive(Clone, Debug)]
pub struct ResultSet {
    pub(crate) layout: Arc<Layout>,
}

/// What is in a result set, by its records and the sizes of its files.
#[derive(Debug)]
pub struct Status {
    /// The number of shards.
    pub shards: u32,
    /// The finished shards, ascending.
    pub finished: Vec<u32>,
    /// The rows of table `positions` in finished shards.
    pub rows: u64,
    /// The rows of table `forms` in finished shards.
    pub forms_rows: u64,
    /// Whether every shard is finished and the manifest says so.
    pub complete: bool,
    /// What is wrong with shards and the manifest; such shards do not count as finished.
    pub damage: Vec<DatasetError>,
}

/// What the record of a shard says.
pub(crate) enum ShardState {
    /// There is none.
    Absent,
    /// It is whole, and so are its files as far as their sizes tell.
    Finished(ShardRecord),
    /// It is damaged, or a file is missing or has another size.
    Broken(DatasetError),
}

impl ResultSet {
    /// Opens the result set in `dir` for writing, creating what is missing and removing what dead writers left.
    ///
    /// Results of another code version are kept and named in a warning; damaged records are named in a warning, and
    /// their shards count as unfinished. Cost: reads every record.
    ///
    /// # Errors
    ///
    /// [`DatasetError::OtherJob`], [`DatasetError::OtherPlan`] or [`DatasetError::OtherFormat`] where the directory
    /// holds something else; [`DatasetError::Header`] where the header itself cannot be laid out;
    /// [`DatasetError::Io`] where the directory cannot be created or read.
    pub fn open_or_create(dir: &Path, header: &ResultHeader) -> Result<ResultSet, DatasetError> {
        let layout = Layout::new(dir, header)?;
        for folder in [PARTS, FORMS, RECORDS, TMP] {
            commit::create_directory(&dir.join(folder))?;
        }
        commit::sweep(&layout.tmp())?;
        ResultSet::checked(layout)
    }

    /// Opens the result set in `dir` for reading: nothing is created or removed.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open_or_create`], and [`DatasetError::Io`] where there is no such directory.
    pub fn open(dir: &Path, header: &ResultHeader) -> Result<ResultSet, DatasetError> {
        let layout = Layout::new(dir, header)?;
        fs::metadata(layout.dir.join(RECORDS))
            .map_err(DatasetError::io("open the results in", &layout.dir))?;
        ResultSet::checked(layout)
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.layout.dir
    }

    /// Returns the header.
    pub fn header(&self) -> &ResultHeader {
        &self.layout.header
    }

    /// Returns the finished shards, ascending: their records are whole and their files have the recorded sizes.
    ///
    /// Checksums of files are compared when they are read, and by [`ResultSet::verify`].
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where a record cannot be read. Damage is no error here, but a warning.
    pub fn finished(&self) -> Result<Vec<u32>, DatasetError> {
        let status = self.status()?;
        for damage in &status.damage {
            tracing::warn!("{damage}");
        }
        Ok(status.finished)
    }

    /// Returns what is in the result set, by its records and the sizes of its files.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] where a record cannot be read.
    pub fn status(&self) -> Result<Status, DatasetError> {
        let layout = &self.layout;
        let mut status = Status {
            shards: layout.header.shards,
            finished: Vec::new(),
            rows: 0,
            forms_rows: 0,
            complete: false,
            damage: Vec::new(),
        };
        for shard in 0..layout.header.shards {
            match layout.state(shard)? {
                ShardState::Absent => {}
                ShardState::Broken(damage) => status.damage.push(damage),
                ShardState::Finished(record) => {
                    status.finished.push(shard);
                    status.rows += record.positions.rows;
                    status.forms_rows += record.forms.rows;
                }
            }
        }
        match record::read::<Manifest>(&layout.manifest()) {
            Ok(manifest) => {
                let all = status.finished.len() == status.shards as usize;
                status.complete = all && manifest.is_some_and(|manifest| manifest.complete);
            }
            Err(damage) if damage.is_damage() => status.damage.push(damage),
            Err(error) => return Err(error),
        }
        Ok(status)
    }

    /// Begins the files of a shard whose first position has the given rank.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoShard`], or [`DatasetError::Io`] where nothing can be written.
    pub fn shard_writer(&self, shard: u32, first_rank: u64) -> Result<ShardWriter, DatasetError> {
        self.layout.check_shard(shard)?;
        ShardWriter::begin(Arc::clone(&self.layout), shard, first_rank)
    }

    /// Writes the manifest, once every shard is finished; does nothing where it is there already.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Incomplete`] where shards are unfinished; damage that a look at records and sizes shows.
    pub fn finish(&self) -> Result<Manifest, DatasetError> {
        let layout = &self.layout;
        let manifest = Manifest::of(layout.records()?)
            .expect("a header has at least one shard, and all of them have records here");
        let path = layout.manifest();
        loop {
            match record::read::<Manifest>(&path) {
                Ok(Some(found)) if found == manifest => return Ok(manifest),
                // The manifest sums up the records; where it disagrees or is damaged, they are right.
                Ok(Some(_)) => {
                    commit::remove(&path)?;
                }
                Err(damage) if damage.is_damage() => {
                    tracing::warn!("{damage}");
                    commit::remove(&path)?;
                }
                Ok(None) => {}
                Err(error) => return Err(error),
            }
            record::write(&layout.tmp(), "manifest", &path, &manifest)?;
        }
    }

    /// Removes a shard's record and files, and the manifest, so that the shard can be computed again.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoShard`], or [`DatasetError::Io`] where something cannot be removed.
    pub fn discard(&self, shard: u32) -> Result<(), DatasetError> {
        self.layout.check_shard(shard)?;
        self.layout.retract(shard)?;
        commit::remove(&self.layout.path(&positions_file(shard)))?;
        commit::remove(&self.layout.path(&forms_file(shard)))?;
        Ok(())
    }

    /// Refuses the directory where it holds another job or plan; warns of damage and of other code versions.
    fn checked(layout: Layout) -> Result<ResultSet, DatasetError> {
        let records = layout.dir.join(RECORDS);
        let mut others: Vec<String> = Vec::new();
        let entries = fs::read_dir(&records).map_err(DatasetError::io("list", &records))?;
        for entry in entries {
            let path = entry.map_err(DatasetError::io("list", &records))?.path();
            match record::read::<ShardRecord>(&path) {
                Ok(Some(record)) => {
                    layout.check_plan(&record)?;
                    others.push(record.code_version);
                }
                Ok(None) => {}
                Err(damage) if damage.is_damage() => tracing::warn!("{damage}"),
                Err(error) => return Err(error),
            }
        }
        // A manifest may outlive records that were removed by hand.
        match record::read::<Manifest>(&layout.manifest()) {
            Ok(Some(manifest)) if manifest.job_digest != layout.header.job_digest => {
                return Err(layout.other_job(manifest.job, manifest.job_digest));
            }
            Ok(_) => {}
            Err(damage) if damage.is_damage() => tracing::warn!("{damage}"),
            Err(error) => return Err(error),
        }
        others.sort();
        others.dedup();
        others.retain(|version| *version != layout.header.code_version);
        if !others.is_empty() {
            tracing::warn!(
                "{} holds shards computed by code version {}, this one is {:?}; they are kept; \
                 remove the directory to compute everything with one version",
                layout.dir.display(),
                others.join(", "),
                layout.header.code_version
            );
        }
        Ok(ResultSet {
            layout: Arc::new(layout),
        })
    }
}

const PARTS: &str = "parts";
const FORMS: &str = "forms";
const RECORDS: &str = "records";
const TMP: &str = "tmp";

/// Returns the name of a shard's file of table `positions`, below the directory.
pub(crate) fn positions_file(shard: u32) -> String {
    format!("{PARTS}/part-{shard:05}.parquet")
}

/// Returns the name of a shard's file of table `forms`, below the directory.
pub(crate) fn forms_file(shard: u32) -> String {
    format!("{FORMS}/part-{shard:05}.parquet")
}

/// Where everything is, and what it must agree with.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) dir: PathBuf,
    pub(crate) header: ResultHeader,
    /// The columns of table `positions`.
    pub(crate) columns: Vec<Column>,
}

impl Layout {
    fn new(dir: &Path, header: &ResultHeader) -> Result<Layout, DatasetError> {
        Ok(Layout {
            dir: dir.to_owned(),
            columns: header.check()?,
            header: header.clone(),
        })
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.dir.join(file)
    }

    pub(crate) fn folders_of_parts(&self) -> [PathBuf; 2] {
        [self.dir.join(PARTS), self.dir.join(FORMS)]
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.dir.join(TMP)
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.dir.join("manifest.json")
    }

    pub(crate) fn record(&self, shard: u32) -> PathBuf {
        self.dir
            .join(RECORDS)
            .join(format!("shard-{shard:05}.json"))
    }

    /// Takes back that a shard is finished, and with it that the result set is complete.
    pub(crate) fn retract(&self, shard: u32) -> Result<(), DatasetError> {
        commit::remove(&self.manifest())?;
        commit::remove(&self.record(shard))?;
        Ok(())
    }

    /// Reads a shard's record, and refuses one that belongs elsewhere.
    pub(crate) fn read_record(&self, shard: u32) -> Result<Option<ShardRecord>, DatasetError> {
        let path = self.record(shard);
        let Some(record) = record::read::<ShardRecord>(&path)? else {
            return Ok(None);
        };
        self.check_plan(&record)?;
        let files = [positions_file(shard), forms_file(shard)];
        let named = record.files().map(|file| file.file.clone());
        if record.shard != shard || named != files {
            return Err(DatasetError::Damaged {
                path,
                found: format!(
                    "it is the record of shard {} and {}",
                    record.shard,
                    named.join(", ")
                ),
                remedy: "run the job again: the shard is computed anew".to_owned(),
            });
        }
        Ok(Some(record))
    }

    /// Returns what is known of a shard without reading its files.
    pub(crate) fn state(&self, shard: u32) -> Result<ShardState, DatasetError> {
        let record = match self.read_record(shard) {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(ShardState::Absent),
            Err(damage) if damage.is_damage() => return Ok(ShardState::Broken(damage)),
            Err(error) => return Err(error),
        };
        for file in record.files() {
            match self.check_size(shard, file) {
                Ok(()) => {}
                Err(damage) if damage.is_damage() => return Ok(ShardState::Broken(damage)),
                Err(error) => return Err(error),
            }
        }
        Ok(ShardState::Finished(record))
    }

    /// Returns the records of all shards, in order.
    pub(crate) fn records(&self) -> Result<Vec<ShardRecord>, DatasetError> {
        let mut records = Vec::new();
        let mut unfinished = Vec::new();
        for shard in 0..self.header.shards {
            match self.state(shard)? {
                ShardState::Absent => unfinished.push(shard),
                ShardState::Broken(damage) => return Err(damage),
                ShardState::Finished(record) => records.push(record),
            }
        }
        if unfinished.is_empty() {
            return Ok(records);
        }
        Err(DatasetError::Incomplete {
            dir: self.dir.clone(),
            shards: self.header.shards,
            unfinished,
        })
    }

    fn check_size(&self, shard: u32, file: &FileRecord) -> Result<(), DatasetError> {
        let path = self.path(&file.file);
        match fs::metadata(&path) {
            Ok(found) if found.len() == file.bytes => Ok(()),
            Ok(found) => Err(DatasetError::Damaged {
                path,
                found: format!("expected {} bytes, found {}", file.bytes, found.len()),
                remedy: "run the job again: the shard is computed anew".to_owned(),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(DatasetError::Missing {
                path,
                named_by: self.record(shard),
                remedy: "run the job again: the shard is computed anew".to_owned(),
            }),
            Err(error) => Err(DatasetError::io("look at", &path)(error)),
        }
    }

    fn check_shard(&self, shard: u32) -> Result<(), DatasetError> {
        if shard < self.header.shards {
            return Ok(());
        }
        Err(DatasetError::NoShard {
            dir: self.dir.clone(),
            shard,
            last: self.header.shards - 1,
        })
    }

    fn check_plan(&self, record: &ShardRecord) -> Result<(), DatasetError> {
        if record.job_digest != self.header.job_digest {
            return Err(self.other_job(record.job.clone(), record.job_digest));
        }
        let plan = |shards: u32, variables: &[String]| match variables {
            [] => format!("{shards} shards and no variables"),
            some => format!("{shards} shards and variables {}", some.join(", ")),
        };
        let found = plan(record.shards, &record.variables);
        let expected = plan(self.header.shards, &self.header.variables);
        if found != expected {
            return Err(DatasetError::OtherPlan {
                dir: self.dir.clone(),
                found,
                expected,
            });
        }
        Ok(())
    }

    fn other_job(&self, found_job: String, found: super::Digest) -> DatasetError {
        DatasetError::OtherJob {
            dir: self.dir.clone(),
            found_job,
            found,
            expected: self.header.job_digest,
        }
    }
}
