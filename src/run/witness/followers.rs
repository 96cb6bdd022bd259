//! Witnesses by the number of their followers: the positions that have what is sought, gone through once more.
//!
//! A census keeps the first position of each value by pots and seeds, which says nothing of followers. So every
//! position of the cells that hold a value sought is looked at again, and the followers of those that have such a value
//! are counted, no further than to the fewest that another of the same value has. Nothing of this is kept: cut
//! short, it begins anew, while the census stays.

use std::collections::{BTreeSet, HashMap};

use super::answer::{First, place};
use super::count::Found;
use super::count::pots_and_seeds;
use super::space::Space;
use super::{CHUNK, Search, census_row};
use crate::engine::{EngineError, count_followers_within};
use crate::family::{CellOfAll, Member};
use crate::ruleset::Ruleset;
use crate::run::RunError;
use crate::run::stored::Stored;
use crate::run::worker::{Worker, Workers};

/// The values that meet a job's conditions, and where they occur.
#[derive(Default)]
pub(super) struct Matches {
    /// By digest, the first position of each.
    pub(super) values: HashMap<[u8; 16], Option<First>>,
    /// The pots and seeds of positions that have such values.
    pub(super) groups: BTreeSet<(u32, Option<u64>)>,
}

impl Matches {
    /// Returns for each value the position of the fewest followers, in no order.
    pub(super) fn search<R: Ruleset, V: Stored>(
        mut self,
        search: &Search<'_>,
        workers: &Workers<'_, R, V>,
    ) -> Result<Vec<First>, RunError> {
        for ranks in ranks(search.space, &self.groups) {
            let mut members = search.space.family.iter_range(ranks);
            loop {
                let chunk: Vec<Member> = members.by_ref().take(CHUNK).collect();
                if chunk.is_empty() {
                    break;
                }
                let counted = search.pool.install(|| {
                    workers.rows(
                        &chunk,
                        |member| &member.row,
                        |worker, member, most| self.first(search, worker, member, most),
                    )
                })?;
                for first in counted.into_iter().flatten() {
                    let slot = self.values.get_mut(&first.row.value_digest);
                    let slot = slot.expect("only values that match are counted");
                    if slot
                        .as_ref()
                        .is_none_or(|other| first.order() < other.order())
                    {
                        *slot = Some(first);
                    }
                }
            }
        }
        Ok(self.values.into_values().flatten().collect())
    }

    /// Returns a position with the number of its followers, if it has a value that matches and may be the first of
    /// that; or `None` where its value takes more than so many positions.
    fn first<R: Ruleset, V: Stored>(
        &self,
        search: &Search<'_>,
        worker: &mut Worker<'_, '_, R, V>,
        member: &Member,
        positions_max: u64,
    ) -> Result<Option<Option<First>>, RunError> {
        let (pots, seeds) = pots_and_seeds(&member.row);
        let Some((word, counts)) = search.value(worker, &member.row, positions_max)? else {
            return Ok(None);
        };
        let description = worker.describe(word)?;
        let digest = worker.digest(description.form);
        let known = match self.values.get(&digest) {
            Some(known) if counts => known,
            _ => return Ok(Some(None)),
        };
        let most = known.as_ref().and_then(|first| first.followers);
        let engine = worker.engine();
        let ruleset = &engine.ruleset;
        let position = ruleset.position(&member.row).map_err(EngineError::from)?;
        let most = most.unwrap_or(u64::MAX);
        let followers = count_followers_within(ruleset, &position, &engine.control, most)?;
        Ok(Some(followers.map(|followers| {
            let found = Found {
                pots,
                seeds,
                word,
                count: 0,
                rank: member.rank,
                family_rank: member.rank,
            };
            First {
                followers: Some(followers),
                place: place(search.spec.fewest, pots, seeds),
                rank: member.rank,
                row: census_row(&found, &member.row.to_string(), &description, digest).into_owned(),
            }
        })))
    }
}

/// Returns the ranks of positions of so many pots and seeds; of a family without cells, all.
fn ranks(space: &Space<'_>, groups: &BTreeSet<(u32, Option<u64>)>) -> Vec<std::ops::Range<u64>> {
    let Some(all) = space.all else {
        return std::iter::once(0..space.family.len()).collect();
    };
    let wanted = |cell: &CellOfAll| groups.contains(&(cell.pots, Some(u64::from(cell.seeds))));
    all.cells().filter(wanted).map(|cell| cell.ranks).collect()
}
