//! The directory of a result set: opens it, and reports which parts are finished.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedbank_files::durable;
use seedbank_files::input;

use super::folder::ResultFolder;
use super::layout::{MANIFEST, PartState, SetLayout};
use super::{
    DatasetError, Digest, FORMAT_VERSION, Manifest, OpenRows, PartRecord, ResultHeader, format,
    sealed,
};

/// The results of one job.
///
/// One process writes, and any number of processes read. Several threads of the writer may each
/// hold a [`PartWriter`](super::PartWriter). Two processes that write the same part are harmless,
/// because the same rows have the same bytes.
#[derive(Clone, Debug)]
pub struct ResultSet {
    pub(crate) layout: Arc<SetLayout>,
    /// Whether rows can be read while parts are unfinished.
    pub(crate) partial: bool,
    /// A record of an earlier format whose columns differ, and that format.
    older: Option<(PathBuf, u32)>,
}

/// The contents of a result set, by its records and the sizes of its files.
#[derive(Debug)]
pub struct Status {
    /// The number of parts.
    pub parts: u32,
    /// The finished parts, ascending.
    pub finished: Vec<u32>,
    /// The parts with rows that have no value yet, ascending.
    pub open: Vec<(u32, OpenRows)>,
    /// The rows of the first table that are done: those of finished parts, and those of other parts
    /// that have a value.
    pub rows: u64,
    /// The rows of table `forms` in finished parts, 0 if there is no such table.
    pub forms_rows: u64,
    /// Whether every part is finished and the manifest says so.
    pub complete: bool,
    /// The damage of parts and of the manifest; damaged parts do not count as finished.
    pub damage: Vec<DatasetError>,
}

/// What a result set's directory shows without the job's spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The number of records: of parts or, in a search for witnesses, of parts of the census and
    /// answers.
    pub records: u64,
    /// The rows in the manifest; `None` without a whole manifest, as in searches for witnesses.
    pub rows: Option<u64>,
}

impl Status {
    /// Returns the parts that can be read, ascending: finished ones, and those with rows that have
    /// no value yet.
    pub fn readable(&self) -> Vec<u32> {
        let open = self.open.iter().map(|(part, _)| *part);
        let mut readable: Vec<u32> = self.finished.iter().copied().chain(open).collect();
        readable.sort_unstable();
        readable
    }

    /// Returns the number of rows in parts whose rows without a value all exceed a run's limit.
    pub fn rows_over_limit(&self) -> u64 {
        let over = self.open.iter().filter(|(_, open)| open.limit.is_some());
        over.map(|(_, open)| open.rows).sum()
    }

    /// Returns whether all parts can be read, and have all values but those that exceed a run's limit
    /// for a row.
    pub fn is_whole(&self) -> bool {
        let mut open = self.open.iter();
        open.all(|(_, open)| open.limit.is_some())
            && self.finished.len() + self.open.len() == self.parts as usize
    }

    /// Returns the number of rows in readable parts that have no value yet.
    pub fn rows_open(&self) -> u64 {
        self.open.iter().map(|(_, open)| open.rows).sum()
    }
}

impl ResultSet {
    /// Returns what the directory shows of its result set, or `None` if it holds none. Reads no
    /// file but the manifest.
    ///
    /// # Errors
    ///
    /// If a folder or the manifest cannot be read.
    pub fn glance(dir: &Path) -> Result<Option<Glance>, DatasetError> {
        let records = ResultFolder::at(dir).records();
        match fs::metadata(&records) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Ok(None),
            Err(cause) => {
                return match cause.kind() {
                    ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
                    _ => Err(DatasetError::io("open the results in", dir)(cause)),
                };
            }
        }
        let manifest = sealed::read::<Manifest>(&dir.join(MANIFEST))?;
        Ok(Some(Glance {
            records: durable::named_files(&records, &durable::RECORDS)?.len() as u64,
            rows: manifest
                .filter(|manifest| manifest.complete)
                .map(|manifest| manifest.rows),
        }))
    }

    /// Opens the result set in `dir` for writing. Creates missing folders and removes leftovers of
    /// killed writers.
    ///
    /// Results of another code version stay, with a warning. Damaged records cause a warning, and
    /// their parts count as unfinished. Cost: reads every record.
    ///
    /// # Errors
    ///
    /// [`DatasetError::OtherJob`], [`DatasetError::OtherPlan`] or [`DatasetError::OtherFormat`] if
    /// the directory holds something else; [`DatasetError::Header`] if the header is invalid;
    /// [`DatasetError::Io`] if the directory cannot be created or read.
    pub fn open_or_create(dir: &Path, header: &ResultHeader) -> Result<ResultSet, DatasetError> {
        let layout = SetLayout::new(dir, header)?;
        let folders = layout.tables.iter().map(|table| table.folder);
        layout.folder.create(folders)?;
        ResultSet::checked(layout)
    }

    /// Opens the result set in `dir` for reading. Creates and removes nothing.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open_or_create`], and [`DatasetError::Io`] if there is no such directory.
    pub fn open(dir: &Path, header: &ResultHeader) -> Result<ResultSet, DatasetError> {
        let layout = SetLayout::new(dir, header)?;
        fs::metadata(layout.folder.records())
            .map_err(DatasetError::io("open the results in", &layout.folder.dir))?;
        ResultSet::checked(layout)
    }

    /// Allows reading while parts are unfinished: readers then return the rows of the parts that
    /// are there, in order, also of those with rows that have no value yet.
    pub fn partial(self) -> ResultSet {
        ResultSet {
            partial: true,
            ..self
        }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.layout.folder.dir
    }

    /// Returns the header.
    pub fn header(&self) -> &ResultHeader {
        &self.layout.header
    }

    /// Returns the digest of the manifest of a complete result set. One in which rows exceed a run's
    /// limit, or of which a [part](Self::partial) is read, has no manifest: this returns the digest of
    /// the one that it would have. The manifest in turn has the digests of all files.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoManifest`] if there is none; [`DatasetError::Io`] if it cannot be read.
    pub fn digest(&self) -> Result<Digest, DatasetError> {
        let path = self.layout.manifest();
        match input::bytes(&path) {
            Ok(bytes) => Ok(Digest::of(&bytes)),
            Err(cause) if cause.kind() == ErrorKind::NotFound => {
                let status = self.status()?;
                if !self.partial && (status.open.is_empty() || !status.is_whole()) {
                    return Err(DatasetError::NoManifest {
                        dir: self.dir().to_owned(),
                    });
                }
                let manifest = Manifest::of(self.layout.records(self.partial)?);
                let text = serde_json::to_vec(&manifest).expect("a manifest is written as JSON");
                Ok(Digest::of(&text))
            }
            Err(cause) => Err(DatasetError::io("read", &path)(cause)),
        }
    }

    /// Returns the finished parts, ascending, for a run that adds the others: their records are
    /// whole and their files have the recorded sizes.
    ///
    /// Checksums are compared when files are read, and by [`ResultSet::verify`].
    ///
    /// # Errors
    ///
    /// [`DatasetError::OlderFormat`] if others are left and cannot be added; [`DatasetError::Io`] if
    /// a record cannot be read. Damage is no error here, but a warning.
    pub fn finished(&self) -> Result<Vec<u32>, DatasetError> {
        Ok(self.status_for_run()?.finished)
    }

    /// Returns the contents of the result set as [`ResultSet::status`], for a run that adds parts.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::finished`].
    pub(crate) fn status_for_run(&self) -> Result<Status, DatasetError> {
        let status = self.status()?;
        if let Some((path, found)) = &self.older
            && status.finished.len() < status.parts as usize
        {
            return Err(DatasetError::OlderFormat {
                path: path.clone(),
                found: *found,
            });
        }
        for damage in &status.damage {
            tracing::warn!("{damage}");
        }
        Ok(status)
    }

    /// Returns the contents of the result set, by its records and the sizes of its files.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Io`] if a record cannot be read.
    pub fn status(&self) -> Result<Status, DatasetError> {
        let layout = &self.layout;
        let mut status = Status {
            parts: layout.header.parts,
            finished: Vec::new(),
            open: Vec::new(),
            rows: 0,
            forms_rows: 0,
            complete: false,
            damage: Vec::new(),
        };
        for part in 0..layout.header.parts {
            match layout.state(part)? {
                PartState::Absent => {}
                PartState::Broken(damage) => status.damage.push(damage),
                PartState::Open(record, open) => {
                    status.open.push((part, open));
                    status.rows += record.files.rows().saturating_sub(open.rows);
                }
                PartState::Finished(record) => {
                    status.finished.push(part);
                    status.rows += record.files.rows();
                    status.forms_rows += record.files.forms_rows();
                }
            }
        }
        match sealed::read::<Manifest>(&layout.manifest()) {
            Ok(manifest) => {
                let all = status.finished.len() == status.parts as usize;
                status.complete = all && manifest.is_some_and(|manifest| manifest.complete);
            }
            Err(damage) if damage.is_damage() => status.damage.push(damage),
            Err(error) => return Err(error),
        }
        Ok(status)
    }

    /// Returns the record of a part, if the part is finished: its files have the recorded sizes.
    /// Their checksums are compared when they are read.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoPart`]; damage that the record or the sizes of the files show;
    /// [`DatasetError::Io`].
    pub fn record(&self, part: u32) -> Result<Option<PartRecord>, DatasetError> {
        self.layout.check_part(part)?;
        match self.layout.state(part)? {
            PartState::Absent | PartState::Open(..) => Ok(None),
            PartState::Finished(record) => Ok(Some(record)),
            PartState::Broken(damage) => Err(damage),
        }
    }

    /// Writes the manifest once every part is finished, and removes `tmp/` and `earlier/`. Does
    /// nothing if all of that is done.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Incomplete`] if parts are unfinished; damage that records and sizes show.
    pub fn finish(&self) -> Result<Manifest, DatasetError> {
        let layout = &self.layout;
        let manifest = Manifest::of(layout.records(false)?)
            .expect("a header has at least one part, and all of them have records here");
        let path = layout.manifest();
        loop {
            match sealed::read::<Manifest>(&path) {
                Ok(Some(found)) if found == manifest => {
                    layout.folder.remove_earlier()?;
                    durable::remove_empty(&layout.folder.tmp());
                    return Ok(manifest);
                }
                // The manifest summarises the records; if it disagrees or is damaged, the records
                // are right.
                Ok(Some(_)) => {
                    durable::remove(&path)?;
                }
                Err(damage) if damage.is_damage() => {
                    tracing::warn!("{damage}");
                    durable::remove(&path)?;
                }
                Ok(None) => {}
                Err(error) => return Err(error),
            }
            sealed::write(&layout.folder.tmp(), "manifest", &path, &manifest)?;
        }
    }

    /// Removes a part's record and files, and the manifest, so that the part can be computed again.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoPart`], or [`DatasetError::Io`] if something cannot be removed.
    pub fn discard(&self, part: u32) -> Result<(), DatasetError> {
        self.layout.check_part(part)?;
        self.layout.discard(part)
    }

    /// Refuses a directory that holds another job or plan; warns about damage and other code
    /// versions.
    pub(super) fn checked(layout: SetLayout) -> Result<ResultSet, DatasetError> {
        let records = layout.folder.records();
        let mut others: Vec<String> = Vec::new();
        let mut older = None;
        for path in durable::named_files(&records, &durable::RECORDS)? {
            match sealed::read::<PartRecord>(&path) {
                Ok(Some(record)) => {
                    layout.check_plan(&record)?;
                    if record.format_version < FORMAT_VERSION {
                        older = Some((path, record.format_version));
                    }
                    others.push(record.code_version);
                }
                Ok(None) => {}
                Err(damage) if damage.is_damage() => tracing::warn!("{damage}"),
                Err(error) => return Err(error),
            }
        }
        // A manifest may outlive records that were removed by hand.
        match sealed::read::<Manifest>(&layout.manifest()) {
            Ok(Some(manifest)) if manifest.job_digest != layout.header.job_digest => {
                let file = manifest.parts.first();
                return Err(layout.other_job(manifest.job, manifest.job_digest, file));
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
                "{} holds parts computed by code version {}, this one is {:?}; they are kept; \
                 remove the directory to compute everything with one version",
                layout.folder.dir.display(),
                others.join(", "),
                layout.header.code_version
            );
        }
        let mut columns = layout.tables.iter().flat_map(|table| &table.columns);
        Ok(ResultSet {
            older: older.filter(|_| columns.any(format::differs)),
            layout: Arc::new(layout),
            partial: false,
        })
    }
}
