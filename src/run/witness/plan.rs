//! What there is to do for a job with `[witness]`, and what is done already.

use std::path::{Path, PathBuf};

use super::space::{Finished, Method, Space, Stretch};
use crate::dataset::{CensusHeader, CensusSet, DatasetError, Digest, Status, StretchRecord};
use crate::family::Part;
use crate::game::{ByPots, Play, Ruleset};
use crate::job::witness::Fewest;
use crate::job::{StripJob, StripTask, WitnessSpec};
use crate::run::cost::{is_near, last_rows};
use crate::run::dispatch::{Visitor, dispatch};
use crate::run::plan::{CODE_VERSION, Plan};
use crate::run::shares::Cut;
use crate::run::stored::Stored;
use crate::run::sweeps::positions_of;

/// Returns what identifies the census of a job: the game and its version, the way of playing, the family but for
/// its bounds, and the relation.
pub fn census_header(strips: StripJob<'_>) -> CensusHeader {
    let StripJob { job, task } = strips;
    struct Version;
    impl Visitor for Version {
        type Output = String;

        fn visit<R: Ruleset, V: Stored + Default>(self, ruleset: R) -> String {
            format!("{} version {}", ruleset.id(), ruleset.version())
        }
    }
    let ruleset = dispatch(task.game, task.play, Version);
    let relation = task.witness.as_ref().and_then(|spec| spec.relation);
    let relation = relation.map(|relation| format!(" of relation {}", relation.name()));
    let family = match task.family.parts() {
        [Part::All(all)] => match all.bounds().pot_seeds_max {
            Some(most) => format!("all positions with at most {most} seeds in a pot"),
            None => "all positions".to_owned(),
        },
        _ => task.family.meaning(),
    };
    CensusHeader {
        job: job.name.clone(),
        space: format!(
            "{ruleset}, {}: {family}{}",
            task.play,
            relation.unwrap_or_default()
        ),
        code_version: CODE_VERSION.to_owned(),
    }
}

/// Returns the folder of a job's census.
fn folder(job: StripJob<'_>, out: &Path) -> PathBuf {
    out.join(&job.job.name)
}

/// Opens the census of a job for reading; `None` where no run has begun.
pub fn open_census(strips: StripJob<'_>, out: &Path) -> Option<CensusSet> {
    CensusSet::open(&folder(strips, out), &census_header(strips))
}

/// Returns what there is to do for a job with `[witness]`, its positions as rows and its stretches as shards.
pub(in crate::run) fn plan(
    strips: StripJob<'_>,
    spec: &WitnessSpec,
    out: &Path,
) -> Result<Plan, DatasetError> {
    plan_in(strips, spec, open_census(strips, out))
}

fn plan_in(
    strips: StripJob<'_>,
    spec: &WitnessSpec,
    set: Option<CensusSet>,
) -> Result<Plan, DatasetError> {
    let space = Space::of(strips.task, spec);
    let whole = space.stretches(&Finished::default());
    let mut plan = Plan {
        rows: strips.task.family.len(),
        shards: whole.len() as u32,
        status: None,
    };
    let Some(set) = set else {
        return Ok(plan);
    };
    let found = set.stretches()?;
    let mut damage = found.damage;
    let left = space.stretches(&Finished::of(&found.finished));
    let finished = (0..)
        .zip(&left)
        .filter(|(_, stretch)| stretch.positions == 0);
    let answered = match set.answer(Digest::from(strips.job.digest())) {
        Ok(answer) => answer.is_some(),
        Err(error) if error.is_damage() => {
            damage.push(error);
            false
        }
        Err(error) => return Err(error),
    };
    let finished: Vec<u32> = finished.map(|(shard, _)| shard).collect();
    plan.status = Some(Status {
        shards: plan.shards,
        complete: answered && finished.len() == left.len(),
        finished,
        rows: positions(whole.iter()) - positions(left.iter()),
        forms_rows: found.finished.iter().map(|record| record.forms.rows).sum(),
        damage,
    });
    Ok(plan)
}

/// Estimates the positions that the sweeps of a job value, counting mirror images once; `None` if
/// the job is searched.
pub(in crate::run) fn swept(task: &StripTask, spec: &WitnessSpec) -> Option<u64> {
    match Space::of(task, spec).method {
        Method::ByPots(pots) => Some(positions_of(&ByPots::new(pots)?)),
        Method::BySeeds(_) => Some(task.family.len()),
        Method::Search => None,
    }
}

/// Returns whether the extent of some of a job's work cannot be estimated before.
///
/// Nobody knows which positions it takes to decide a relation or to count followers, what rows of most patterns cost, and how
/// many values a partisan sweep finds: of 10 million positions 2.1 million differed, and describing these took nine tenths of the
/// time.
pub(in crate::run) fn is_open_ended(task: &StripTask, spec: &WitnessSpec) -> bool {
    let near = |(part, last)| is_near(task.game, part, &last);
    spec.relation.is_some()
        || spec.fewest == Fewest::Followers
        || match Space::of(task, spec).method {
            Method::Search => !last_rows(&task.family).all(near),
            Method::ByPots(_) | Method::BySeeds(_) => task.play == Play::Partisan,
        }
}

/// Returns how many positions some stretches have.
pub(super) fn positions<'s>(stretches: impl Iterator<Item = &'s Stretch>) -> u64 {
    stretches.map(|stretch| stretch.positions).sum()
}

/// What shares of a job with `[witness]` have done.
pub(in crate::run) struct Shared {
    /// The stretches, dealt to the shares.
    pub(in crate::run) cut: Cut,
    /// How many positions of each stretch are in none of the censuses given.
    pub(in crate::run) left: Vec<u64>,
}

/// Deals the stretches of a job, and returns what is left of them beside some records.
pub(in crate::run) fn shared(
    strips: StripJob<'_>,
    spec: &WitnessSpec,
    of: u32,
    finished: &[StretchRecord],
) -> Shared {
    let space = Space::of(strips.task, spec);
    let whole = space.stretches(&Finished::default()).into_iter();
    let whole: Vec<u64> = whole.map(|stretch| stretch.positions).collect();
    let left = space.stretches(&Finished::of(finished)).into_iter();
    Shared {
        cut: Cut::of_stretches(&whole, of),
        left: left.map(|stretch| stretch.positions).collect(),
    }
}
