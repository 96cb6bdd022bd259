//! Jobs that are known to be over strips.

use seedbank::job::{Job, StripJob, StripTask};

/// Returns a job with its task.
pub(crate) fn strip_job(job: &Job) -> StripJob<'_> {
    job.strips().expect("a job over strips")
}

/// Returns the task of a job.
pub(crate) fn strips(job: &Job) -> &StripTask {
    strip_job(job).task
}
