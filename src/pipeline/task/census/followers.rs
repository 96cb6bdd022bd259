//! Followers of witnesses, and witnesses by the number of their followers.
//!
//! A census has the first position of each value by pots and seeds, which does not determine the
//! one with the fewest followers. If the job seeks the fewest followers, every position of the
//! cells that hold a value sought is evaluated once more. Followers of those with such a value are
//! counted, but only up to the fewest found so far for the same value. Checkpoints hold the
//! positions revisited so far, or the witnesses whose followers have been counted, until there is
//! an answer.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

use cggames::board::Features;
use cggames::family::{CellOfAll, Member};
use rayon::prelude::*;
use seedbank_memory::lock;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::count::{ValueCount, features_of};
use super::first::{First, place};
use super::lots::census_row;
use super::search::{CHUNK, Search};
use super::space::Space;
use crate::dataset::WitnessRow;
use crate::evaluate::worker::{Worker, Workers};
use crate::run::RunError;
use crate::run::checkpoint::{Checkpoint, Folder};

/// The values that meet a job's conditions, and where they occur.
#[derive(Default)]
pub(super) struct Matches {
    /// The first position of each value, by digest.
    pub(super) values: HashMap<[u8; 16], Option<First>>,
    /// The numbers of pots and seeds of positions with such values.
    pub(super) sizes: BTreeSet<Features>,
}

impl Matches {
    /// Returns, for each value, the position with the fewest followers, in no particular order.
    pub(super) fn search(
        mut self,
        search: &Search<'_>,
        workers: &Workers<'_>,
    ) -> Result<Vec<First>, RunError> {
        let ranks = ranks(search.space, &self.sizes);
        let folder = open(search)?;
        let checkpoint = search.run.options.checkpoint;
        let mut done = self.restore(&folder, &ranks, search, workers)?;
        let mut members =
            left(&ranks, done).flat_map(|ranks| search.space.family.iter_range(ranks));
        let mut since = Instant::now();
        let mut chunk_len = CHUNK;
        loop {
            let begun = Instant::now();
            let chunk: Vec<Member> = members.by_ref().take(chunk_len).collect();
            if chunk.is_empty() {
                break;
            }
            let counted = search.run.pool.install(|| {
                workers.rows(
                    &chunk,
                    |member| &member.position,
                    |worker, member, most| self.first(search, worker, member, None, most),
                )
            });
            match counted {
                Ok(counted) => self.enter(counted),
                Err(error) => {
                    self.write(&folder, &ranks, done)?;
                    return Err(error);
                }
            }
            done += chunk.len() as u64;
            if since.elapsed() >= checkpoint {
                self.write(&folder, &ranks, done)?;
                since = Instant::now();
            }
            chunk_len = if begun.elapsed() > checkpoint / 8 {
                (chunk_len / 2).max(CHUNK_MIN)
            } else {
                (chunk_len * 2).min(CHUNK)
            };
        }
        Ok(self.values.into_values().flatten().collect())
    }

    /// Enters positions that come before the known ones of the same values.
    fn enter(&mut self, counted: Vec<Option<First>>) {
        for first in counted.into_iter().flatten() {
            let slot = self.values.get_mut(&first.row.value.value_digest);
            let slot = slot.expect("only values that match are counted");
            if slot
                .as_ref()
                .is_none_or(|other| first.order() < other.order())
            {
                *slot = Some(first);
            }
        }
    }

    /// Writes a checkpoint after the first `done` positions of these ranks.
    fn write(&self, folder: &Folder, ranks: &[Range<u64>], done: u64) -> Result<(), RunError> {
        let firsts = self.values.values().flatten();
        let firsts = firsts.map(|first| (first.rank, first.followers.unwrap_or(0)));
        let found = FoundFollowers {
            ranks: ranks.to_vec(),
            done,
            firsts: firsts.collect(),
        };
        write(folder, FOUND, &found)
    }

    /// Reads the checkpoint of another run; returns the number of positions it had visited.
    fn restore(
        &mut self,
        folder: &Folder,
        ranks: &[Range<u64>],
        search: &Search<'_>,
        workers: &Workers<'_>,
    ) -> Result<u64, RunError> {
        let found = read::<FoundFollowers>(folder, FOUND)?;
        let Some(found) = found.filter(|found| found.is_of(ranks)) else {
            return Ok(0);
        };
        tracing::info!("resuming after {} revisited positions", found.done);
        let family = search.space.family;
        let firsts = found.firsts.into_iter();
        let firsts: Vec<(Member, u64)> = firsts
            .map(|(rank, followers)| (family.get(rank), followers))
            .collect();
        let counted = search.run.pool.install(|| {
            workers.rows(
                &firsts,
                |(member, _)| &member.position,
                |worker, (member, followers), most| {
                    self.first(search, worker, member, Some(*followers), most)
                },
            )
        })?;
        self.enter(counted);
        Ok(found.done)
    }

    /// Returns a position with the number of its followers, if its value matches and it may be the
    /// first of that value. Returns `None` if evaluating it takes more than `positions_max`
    /// positions. Known followers are not counted again.
    fn first(
        &self,
        search: &Search<'_>,
        worker: &mut Worker<'_, '_>,
        member: &Member,
        followers: Option<u64>,
        positions_max: u64,
    ) -> Result<Option<Option<First>>, RunError> {
        let features = member.position.features();
        let Some((word, counts)) = search.value(worker, &member.position, positions_max)? else {
            return Ok(None);
        };
        if !counts {
            return Ok(Some(None));
        }
        let form = worker.describe(word)?.form;
        let digest = worker.digest(form);
        let Some(known) = self.values.get(&digest) else {
            return Ok(Some(None));
        };
        let followers = match followers {
            Some(followers) => Some(followers),
            None => {
                let most = known.as_ref().and_then(|first| first.followers);
                let most = most.unwrap_or(u64::MAX);
                let evaluator = worker.evaluator();
                evaluator.count_followers_within(&member.position, most)?
            }
        };
        let Some(followers) = followers else {
            return Ok(Some(None));
        };
        let found = ValueCount {
            features,
            word,
            count: 0,
            rank: member.rank,
            family_rank: member.rank,
        };
        Ok(Some(Some(First {
            followers: Some(followers),
            place: place(search.task.question.fewest, features),
            rank: member.rank,
            row: census_row(&found, &member.position, worker.describe(word)?, digest),
            negated: false,
        })))
    }
}

/// Counts the followers of witnesses, except those that an earlier run has counted.
pub(super) fn count_followers_of(
    rows: &mut [WitnessRow],
    search: &Search<'_>,
    workers: &Workers<'_>,
) -> Result<(), RunError> {
    let folder = open(search)?;
    let known: HashMap<String, u64> = read(&folder, COUNTED)?.unwrap_or_default();
    if !known.is_empty() {
        tracing::info!("resuming with the followers of {} witnesses", known.len());
    }
    let counted = Mutex::new((known.clone(), Instant::now()));
    let count = |row: &mut WitnessRow| -> Result<(), RunError> {
        let Some(text) = &row.position else {
            return Ok(());
        };
        let followers = match known.get(text) {
            Some(&followers) => followers,
            None => {
                let board = search.space.position(text)?;
                let followers = workers.evaluator.count_followers_within(&board, u64::MAX)?;
                let followers = followers.expect("no count is more than the greatest");
                let (counted, since) = &mut *lock(&counted);
                counted.insert(text.clone(), followers);
                if since.elapsed() >= search.run.options.checkpoint {
                    write(&folder, COUNTED, counted)?;
                    *since = Instant::now();
                }
                followers
            }
        };
        row.followers = Some(followers as i64);
        Ok(())
    };
    let done = search
        .run
        .pool
        .install(|| rows.par_iter_mut().try_for_each(count));
    if done.is_err() {
        write(&folder, COUNTED, &lock(&counted).0)?;
    }
    done
}

/// The folder of these checkpoints.
const FOLLOWERS: &str = "followers";
/// The kind of files about revisited positions.
const FOUND: &str = "found";
/// The kind of files about witnesses.
const COUNTED: &str = "counted";

/// The fewest positions evaluated together.
const CHUNK_MIN: usize = 16;

/// The findings among the first `done` positions: for each value the rank of the first in order,
/// and its followers.
#[derive(Serialize, Deserialize)]
struct FoundFollowers {
    /// The ranks to visit, which follow from the census.
    ranks: Vec<Range<u64>>,
    done: u64,
    firsts: Vec<(u64, u64)>,
}

impl FoundFollowers {
    /// Returns whether these are findings of a search that visits these ranks.
    fn is_of(&self, ranks: &[Range<u64>]) -> bool {
        let visited = |rank| ranks.iter().any(|ranks| ranks.contains(rank));
        self.ranks == ranks && self.firsts.iter().all(|(rank, _)| visited(rank))
    }
}

/// Opens the checkpoints of a search's followers, which belong to the job's meaning.
fn open(search: &Search<'_>) -> Result<Folder, RunError> {
    let work = search.run.job.digest.to_string();
    Ok(Checkpoint::of(&search.run.place.dir, &work).folder(FOLLOWERS)?)
}

fn read<T: DeserializeOwned>(folder: &Folder, kind: &str) -> Result<Option<T>, RunError> {
    Ok(folder.read::<T>(kind, 0)?.map(|(found, _)| found))
}

fn write(folder: &Folder, kind: &str, found: &impl Serialize) -> Result<(), RunError> {
    Ok(folder.writer(kind, 0, found)?.publish()?)
}

/// Returns the ranks left after the first `done` positions.
fn left(ranks: &[Range<u64>], mut done: u64) -> impl Iterator<Item = Range<u64>> {
    ranks.iter().map(move |ranks| {
        let skipped = done.min(ranks.end - ranks.start);
        done -= skipped;
        ranks.start + skipped..ranks.end
    })
}

/// Returns the ranks of positions of some sizes; all ranks if the family has no cells.
fn ranks(space: &Space<'_>, sizes: &BTreeSet<Features>) -> Vec<Range<u64>> {
    let Some(all) = space.all else {
        return std::iter::once(0..space.family.len()).collect();
    };
    let wanted = |cell: &CellOfAll| sizes.contains(&features_of(cell));
    all.cells().filter(wanted).map(|cell| cell.ranks).collect()
}
