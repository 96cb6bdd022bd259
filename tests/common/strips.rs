//! Reads jobs that are known to be over positions on rows.

use seedbank::task::Job;
use seedbank::task::census::CensusTask;
use seedbank::task::strips::StripTask;

/// Returns the positions of a job, whether it is a census or has a row for each position.
pub(crate) fn strips(job: &Job) -> &StripTask {
    let of_census = || Some(&job.task_as::<CensusTask>()?.positions);
    let task = job.task_as::<StripTask>().or_else(of_census);
    task.expect("a job over positions")
}

/// Returns the task of a job that has a section `[witness]`.
pub(crate) fn census(job: &Job) -> &CensusTask {
    job.task_as().expect("a census")
}
