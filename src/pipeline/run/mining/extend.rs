//! Entries beyond a result, compared with the predictions of laws.

use std::time::{Duration, Instant};

use super::found::{Data, Extension, Mining};
use crate::run::{Limits, RunError, Session};

impl Mining {
    /// Computes the nearest entries that the laws predict. The laws share `time`. Calls `counted`
    /// after each law.
    ///
    /// # Errors
    ///
    /// The reason for stopping: a signal, or the session's deadline.
    pub fn extend(
        &mut self,
        time: Duration,
        session: &Session<'_>,
        counted: &dyn Fn(),
    ) -> Result<(), RunError> {
        let mut left = self.laws();
        // `None` if the clock cannot represent the end of that time.
        let until = Instant::now().checked_add(time);
        for found in &mut self.found {
            for law in &found.mined.laws {
                let deadline = deadline(until, left, session.limits.deadline);
                left -= 1;
                let limits = Limits {
                    deadline: Some(deadline),
                    ..session.limits
                };
                let of_law = Session::new(limits, session.signals, session.observer);
                let mut extension = Extension::default();
                if let (Some(job), Data::Column(column)) = (found.job, &found.data) {
                    for next in &law.next {
                        if Instant::now() >= deadline {
                            break;
                        }
                        match self.jobs[job].task.entry(column, &next.at, &of_law) {
                            Ok(Some(entry)) if entry == next.value => {
                                extension.holds += 1;
                                extension.to = Some(next.place.clone());
                            }
                            Ok(Some(entry)) => {
                                extension.refuted = Some((next.place.clone(), entry));
                                break;
                            }
                            Ok(None) => break,
                            Err(error)
                                if session.signals.interrupted()
                                    || session.signals.terminated() =>
                            {
                                return Err(error);
                            }
                            // The time or the memory is too short for this entry.
                            Err(RunError::Engine(_) | RunError::Budget { .. }) => break,
                            Err(error) => return Err(error),
                        }
                    }
                }
                session.check()?;
                found.extensions.push(extension);
                counted();
            }
        }
        Ok(())
    }
}

/// Returns the deadline of the next law, when `left` laws share the time until `until`.
fn deadline(until: Option<Instant>, left: usize, latest: Option<Instant>) -> Instant {
    let now = Instant::now();
    let time = match until {
        Some(until) => until.saturating_duration_since(now),
        None => YEAR,
    };
    let own = now + time / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
    latest.map_or(own, |latest| own.min(latest))
}

/// A time longer than any law takes.
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
