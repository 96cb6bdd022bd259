//! The table `laws` as a result set: which results its laws are from, and whether it is up to date.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use cglaws::MineOptions;
use seedbank_files::durable;

use super::found::{Extension, LawSource, Mining};
use crate::dataset::{
    DatasetError, Digest, FORMAT_VERSION, LawRow, ResultHeader, ResultSet, Tables, Wanted,
    lock_results,
};
use crate::run::{CODE_VERSION, Job, JobHeader};

/// The folder of a job's laws, within that of its result.
pub const LAWS: &str = "laws";

/// Returns the header of the laws of some results.
fn header(name: String, sources: &[LawSource], options: &MineOptions) -> ResultHeader {
    let sources = sources.iter().map(|source| {
        let LawSource {
            job,
            job_digest,
            manifest,
        } = source;
        format!("{job} {job_digest} {manifest}\n")
    });
    let spec_text = format!(
        "Laws of these results: job, digest of the job, digest of the manifest\n{}{options}\n",
        sources.collect::<String>()
    );
    ResultHeader {
        job: name,
        job_digest: Digest::of(spec_text.as_bytes()),
        code_version: CODE_VERSION.to_owned(),
        format_version: FORMAT_VERSION,
        parts: 1,
        spec_text,
        tables: Tables::of::<LawRow>(),
    }
}

/// Returns the folder of a job's laws.
fn folder(job: &JobHeader, out: &Path) -> PathBuf {
    out.join(&job.name).join(LAWS)
}

/// Returns the number of laws in the table of a job with a section `[mine]`, and the table's
/// folder. Returns `None` unless it is whole and up to date with the finished result. Cost: reads
/// the table.
///
/// # Errors
///
/// If the result or its laws cannot be read.
pub fn laws_of(job: &Job, out: &Path) -> Result<Option<(u64, PathBuf)>, DatasetError> {
    let Some(laws) = up_to_date(job, out)? else {
        return Ok(None);
    };
    let damage = laws.verify()?.damage;
    for damage in &damage {
        tracing::warn!("{damage}");
    }
    let status = laws.status()?;
    let is_whole = damage.is_empty() && status.complete;
    Ok(is_whole.then(|| (status.rows, laws.dir().to_owned())))
}

/// Returns the damage of the laws of a job, which running the job again repairs: laws of another job
/// among it, but not those of another result or section of this one. Cost: reads the table.
///
/// # Errors
///
/// If the result or its laws cannot be read.
pub fn laws_damage(job: &Job, out: &Path) -> Result<Vec<DatasetError>, DatasetError> {
    let laws = match opened(job, out)? {
        Some(Ok(laws)) => laws,
        Some(Err(DatasetError::OtherJob { dir, found_job, .. }))
            if found_job != job.header.name =>
        {
            return Ok(vec![DatasetError::Damaged {
                path: dir,
                found: format!("its laws are those of the job {found_job:?}"),
                remedy: "run the job again to find its own laws".to_owned(),
            }]);
        }
        _ => return Ok(Vec::new()),
    };
    Ok(laws.verify()?.damage)
}

/// Returns the laws in the table of a job's section `[mine]`, if it is complete and up to date with the finished result.
///
/// # Errors
///
/// A result that cannot be opened, laws that cannot be read.
pub fn stored_laws(job: &Job, out: &Path) -> Result<Option<Vec<LawRow>>, DatasetError> {
    let Some(laws) = up_to_date(job, out)? else {
        return Ok(None);
    };
    if !laws.status()?.complete {
        return Ok(None);
    }
    let rows = laws.scan().rows::<LawRow>(Wanted::all())?;
    rows.collect::<Result<_, _>>().map(Some)
}

/// Returns the table of a job's section `[mine]`, perhaps unfinished, unless it is missing or of another result or section: such
/// laws are found again.
fn up_to_date(job: &Job, out: &Path) -> Result<Option<ResultSet>, DatasetError> {
    Ok(opened(job, out)?.and_then(Result::ok))
}

/// Returns the table of a job's section `[mine]`, or why it is not the one of the finished result. Returns `None` if it is missing.
fn opened(job: &Job, out: &Path) -> Result<Option<Result<ResultSet, DatasetError>>, DatasetError> {
    let Some(options) = &job.header.mine else {
        return Ok(None);
    };
    let Some(result) = job.task.open(&job.header, out)? else {
        return Ok(None);
    };
    let source = LawSource::new(&job.header, result.digest()?);
    let header = header(job.header.name.clone(), &[source], options);
    match ResultSet::open(&folder(&job.header, out), &header) {
        Ok(laws) => Ok(Some(Ok(laws))),
        Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(error @ DatasetError::Io(_)) => Err(error),
        Err(error) => Ok(Some(Err(error))),
    }
}

impl Mining {
    /// Writes the laws to a folder as a result set. Its header has the jobs, the digests of their
    /// results, and the options.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, is being written, or holds something else.
    pub fn write(&self, dir: &Path, options: &MineOptions) -> Result<(), DatasetError> {
        let _lock = lock_results(dir)?;
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        self.write_as(dir, &header(name.into_owned(), &self.sources, options))
    }

    /// Writes the laws of one job to a folder within its result, and returns that folder. Replaces
    /// laws that are there.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, or a run writes to the result.
    pub fn write_below(&self, out: &Path, options: &MineOptions) -> Result<PathBuf, DatasetError> {
        let job = &self.jobs[0].header;
        let _lock = lock_results(&out.join(&job.name))?;
        let dir = folder(job, out);
        durable::remove_folder(&dir, &durable::RESULT)?;
        self.write_as(&dir, &header(job.name.clone(), &self.sources, options))?;
        Ok(dir)
    }

    /// Returns the rows of the table: the laws with what they are about.
    pub fn rows(&self) -> Vec<LawRow> {
        let mut rows = Vec::new();
        for found in &self.found {
            for (place, law) in found.mined.laws.iter().enumerate() {
                let extension: Option<&Extension> = found.extensions.get(place);
                let refuted = extension.and_then(|extension| extension.refuted.clone());
                rows.push(LawRow {
                    job: self.job(found).map(|job| job.to_owned().into()),
                    subject: found.data.subject(),
                    law: law.to_string(),
                    latex: law.latex(),
                    entries: law.cells as i64,
                    tested: law.tested as i64,
                    bits: law.bits,
                    next: law.next.first().map(|next| next.place.clone()),
                    next_entry: law.next.first().map(|next| next.value.clone()),
                    held: extension.map(|extension| extension.holds as i64),
                    held_to: extension.and_then(|extension| extension.to.clone()),
                    refuted_at: refuted.as_ref().map(|(place, _)| place.clone()),
                    refuted_entry: refuted.map(|(_, entry)| entry),
                });
            }
        }
        rows
    }

    fn write_as(&self, dir: &Path, header: &ResultHeader) -> Result<(), DatasetError> {
        let set = ResultSet::open_or_create(dir, header)?;
        let mut writer = set.plain_writer::<LawRow>(0, 0)?;
        for row in self.rows() {
            writer.push(&row)?;
        }
        writer.commit()?;
        set.finish()?;
        Ok(())
    }
}
