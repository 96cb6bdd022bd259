//! The plan of a census: its parts, and which of them are finished.

use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;
use cggames::family::Subfamily;
use cggames::game::{ByPots, BySeeds, Play, SweepOrder};

use super::CensusTask;
use super::question::Fewest;
use super::space::{Finished, Method, Part, Space};
use crate::dataset::{CensusHeader, CensusPartRecord, CensusSet, DatasetError, Status};
use crate::evaluate::seal::namespace_of;
use crate::evaluate::sweeps::cell_bytes;
use crate::evaluate::swept::CELLS_PART;
use crate::run::checkpoint;
use crate::run::estimate::{Amount, Effort, VALUES_UNKNOWN, Workload, fraction};
use crate::run::{CODE_VERSION, Checkpoints, Cut, DiskNeed, JobHeader, PART_BYTES, Plan, Planned};
use crate::task::strips::cost::is_near;

/// The rows of Atomic Wari that play can reach, for each of those from which it can.
///
/// Measured for 8 pots and 10 seeds up to 13 pots and 16 seeds, where the factor is 2.4.
const REACHED: u64 = 2;

/// Returns the header that identifies the census of a job: the game and its version, the way of
/// playing, the family without its bounds, and the relation.
pub fn header(job: &JobHeader, task: &CensusTask) -> CensusHeader {
    let CensusTask {
        positions,
        question,
    } = task;
    let namespace = namespace_of(positions.game, positions.manner());
    let relation = question
        .relation
        .map(|relation| format!(" of relation {}", relation.name()));
    let family = match positions.family.subfamilies() {
        [Subfamily::All(all)] => match all.bounds().pot_seeds_max {
            Some(most) => format!("all positions with at most {most} seeds in a pot"),
            None => "all positions".to_owned(),
        },
        _ => positions.family.meaning(),
    };
    CensusHeader {
        job: job.name.clone(),
        space: format!(
            "{} version {}, {}: {family}{}",
            namespace.ruleset,
            namespace.ruleset_version,
            namespace.play,
            relation.unwrap_or_default()
        ),
        code_version: CODE_VERSION.to_owned(),
    }
}

/// Opens the census of a job for reading; returns `None` before the first run.
///
/// # Errors
///
/// If it is unknown whether there was a run.
pub fn open(
    job: &JobHeader,
    task: &CensusTask,
    out: &Path,
) -> Result<Option<CensusSet>, DatasetError> {
    CensusSet::open(&out.join(&job.name), &header(job, task))
}

/// Positions count as rows.
impl Planned for CensusTask {
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError> {
        let space = Space::of(self);
        let whole = space.parts(&Finished::default());
        let mut plan = self.unbegun();
        let Some(set) = open(job, self, out)? else {
            return Ok(plan);
        };
        let found = set.parts()?;
        let mut damage = found.damage;
        let left = space.parts(&Finished::of(&found.finished));
        let finished = (0..).zip(&left).filter(|(_, part)| part.positions == 0);
        let answered = match set.answer(job.digest) {
            Ok(answer) => answer.is_some(),
            Err(error) if error.is_damage() => {
                damage.push(error);
                false
            }
            Err(error) => return Err(error),
        };
        let finished: Vec<u32> = finished.map(|(part, _)| part).collect();
        plan.status = Some(Status {
            parts: plan.parts,
            complete: answered && finished.len() == left.len(),
            finished,
            open: Vec::new(),
            rows: positions(whole.iter()) - positions(left.iter()),
            forms_rows: found.finished.iter().map(|record| record.forms.rows).sum(),
            damage,
        });
        Ok(plan)
    }

    fn unbegun(&self) -> Plan {
        Plan {
            rows: self.positions.family.len(),
            parts: Space::of(self).parts(&Finished::default()).len() as u32,
            status: None,
        }
    }

    fn finished_ranks(&self, _: &Plan) -> Vec<Range<u64>> {
        Vec::new()
    }

    fn checkpoints(
        &self,
        job: &JobHeader,
        _: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError> {
        checkpoint::found(&out.join(&job.name), |_| true)
    }

    /// A census has a row for each value, not for each position.
    fn disk(&self, plan: &Plan) -> DiskNeed {
        let finished = plan
            .status
            .as_ref()
            .map_or(0, |status| status.finished.len());
        let left = u64::from(plan.parts).saturating_sub(finished as u64);
        DiskNeed::of_results(left.saturating_mul(PART_BYTES))
    }

    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
        let rows = plan.status.as_ref().map_or(0, |status| status.rows);
        let by_sweep = if checkpoints.sweeps.is_empty() {
            0.0
        } else {
            let effort = self.effort(plan, 1, ByteSize(u64::MAX));
            effort.swept_fraction(plan, checkpoints)
        };
        fraction(rows, plan.rows).max(by_sweep).min(1.0)
    }

    fn effort(&self, _: &Plan, _threads: usize, memory: ByteSize) -> Effort {
        Effort {
            workload: swept(self, memory).unwrap_or_else(|| self.positions.searched()),
            // A census has a row for each value.
            results: Amount::Unknown(VALUES_UNKNOWN),
            is_open_ended: is_open_ended(self),
            is_uneven: false,
            writers: 0,
            writes_rows: false,
        }
    }
}

/// Returns the work of the job's sweeps within a memory budget; `None` if it is searched.
fn swept(task: &CensusTask, memory: ByteSize) -> Option<Workload> {
    let CensusTask {
        positions,
        question,
    } = task;
    let space = Space::of(task);
    match space.method {
        Method::ByPots(pots) => {
            let order = ByPots::new(pots)?;
            Some(positions.swept(order.positions(), order.cells()))
        }
        Method::BySeeds(pots) => {
            let seeds = space.all?.cells().map(|cell| cell.seeds).max()?;
            let largest = BySeeds::new(seeds as usize, pots)?;
            Some(positions.swept(positions.family.len(), largest.cells()))
        }
        Method::Search => {
            let parts = space.parts(&Finished::default());
            let (pots, seeds) = space.reachable_from(question, &parts)?;
            let each = cell_bytes(positions.manner());
            let cells_max = memory.0 / CELLS_PART / each;
            let cells = positions.game.reachable_cells(pots, seeds, cells_max)?;
            Some(Workload::Swept {
                positions: positions.family.len().saturating_mul(REACHED),
                array: cells * each,
                has_forms: false,
            })
        }
    }
}

/// Returns whether the extent of some of a job's work cannot be estimated in advance.
///
/// It is unknown how many positions it takes to decide a relation or to count followers, what rows
/// of most patterns cost, and how many values a partisan sweep finds. Of 10 million positions, 2.1
/// million had different values, and describing these took nine tenths of the time.
pub(super) fn is_open_ended(task: &CensusTask) -> bool {
    let CensusTask {
        positions,
        question,
    } = task;
    question.relation.is_some()
        || question.fewest == Fewest::Followers
        || match Space::of(task).method {
            Method::Search => !positions.family.subfamilies().iter().all(is_near),
            Method::ByPots(_) | Method::BySeeds(_) => positions.play == Play::Partisan,
        }
}

/// Returns the number of positions in some parts.
pub(super) fn positions<'s>(parts: impl Iterator<Item = &'s Part>) -> u64 {
    parts.map(|part| part.positions).sum()
}

/// The progress of shards.
pub(super) struct Divided {
    /// The parts, divided among the shards.
    pub(super) cut: Cut,
    /// The number of positions of each part that are in none of the given censuses.
    pub(super) left: Vec<u64>,
}

/// Divides the parts of a job among shards, and returns the positions left, given some finished
/// records.
pub(super) fn divided(task: &CensusTask, of: u32, finished: &[CensusPartRecord]) -> Divided {
    let space = Space::of(task);
    let whole = space.parts(&Finished::default()).into_iter();
    let whole: Vec<u64> = whole.map(|part| part.positions).collect();
    let left = space.parts(&Finished::of(finished)).into_iter();
    Divided {
        cut: Cut::of_census(&whole, of),
        left: left.map(|part| part.positions).collect(),
    }
}
