//! The space that a job searches: cells and stretches, and what is the best way through them.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::dataset::StretchRecord;
use crate::family::{AllPositions, CellOfAll, Family, Part};
use crate::job::StripTask;
use crate::job::witness::{Fewest, WitnessSpec};
use crate::ruleset::{ByPots, BySeeds, Game, SweepOrder};
use crate::run::SHARD_ROWS;

/// Cells are taken together until they have so many positions: some seconds' work, which is what is lost when a search
/// is cut short there.
const STRETCH_POSITIONS: u64 = 1 << 22;

/// A sweep is worth its while where it values up to so many times as many positions as are asked for.
const SWEPT_IN_VAIN: u64 = 4;

/// How positions get their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By one sweep through all rows of at most so many pots.
    ByPots(usize),
    /// By a sweep for each number of seeds, through all rows of at most so many pots.
    BySeeds(usize),
    /// By search.
    Search,
}

/// What a job searches.
pub(super) struct Space<'a> {
    pub(super) family: &'a Family,
    /// All positions within bounds, if the family is that.
    pub(super) all: Option<&'a AllPositions>,
    pub(super) method: Method,
    groups: Vec<Vec<CellOfAll>>,
}

/// Positions that are searched together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// The name, which no two stretches of a space share.
    pub(super) name: String,
    pub(super) positions: u64,
    pub(super) part: StretchPart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StretchPart {
    /// Cells, each whole.
    Cells(Vec<CellOfAll>),
    /// Ranks of a family that has no cells.
    Ranks(Range<u64>),
}

/// The cells of finished stretches, and their ranks.
#[derive(Default)]
pub(super) struct Finished {
    cells: BTreeSet<(u32, u32)>,
    ranks: BTreeSet<u64>,
}

impl Finished {
    pub(super) fn of(records: &[StretchRecord]) -> Finished {
        let mut finished = Finished::default();
        for record in records {
            match record.ranks {
                Some([first, _]) => {
                    finished.ranks.insert(first);
                }
                None => finished
                    .cells
                    .extend(record.cells.iter().filter_map(|cell| {
                        let seeds = u32::try_from(cell.seeds?).ok()?;
                        Some((cell.pots, seeds))
                    })),
            }
        }
        finished
    }
}

impl<'a> Space<'a> {
    /// Returns the space of a job. How it is cut does not depend on what of it is finished.
    pub(super) fn of(task: &'a StripTask, spec: &WitnessSpec) -> Space<'a> {
        let family = &task.family;
        let [Part::All(all)] = family.parts() else {
            return Space {
                family,
                all: None,
                method: Method::Search,
                groups: Vec::new(),
            };
        };
        let method = match task.game {
            Game::Sowing => sowing_method(all, spec),
            Game::AtomicWari { .. } => Method::Search,
        };
        let by_seeds = match method {
            Method::ByPots(_) => false,
            Method::BySeeds(_) => true,
            Method::Search => spec.fewest == Fewest::Seeds,
        };
        let mut cells: Vec<CellOfAll> = all.cells().collect();
        let group = |cell: &CellOfAll| if by_seeds { cell.seeds } else { cell.pots };
        let key = |cell: &CellOfAll| (group(cell), cell.pots, cell.seeds);
        cells.sort_by_key(key);
        let mut groups: Vec<Vec<CellOfAll>> = Vec::new();
        let mut positions = 0;
        for cell in cells {
            let room = positions < STRETCH_POSITIONS;
            positions += len(&cell.ranks);
            match groups.last_mut() {
                Some(last) if room && group(&last[0]) == group(&cell) => last.push(cell),
                _ => {
                    positions = len(&cell.ranks);
                    groups.push(vec![cell]);
                }
            }
        }
        Space {
            family,
            all: Some(all),
            method,
            groups,
        }
    }

    /// Returns the stretches, less what of them is finished; where all is, a stretch has no positions left.
    pub(super) fn stretches(&self, finished: &Finished) -> Vec<Stretch> {
        if self.all.is_none() {
            let ranks = self.family.shards(SHARD_ROWS).into_iter();
            return ranks.map(|ranks| ranks_left(finished, ranks)).collect();
        }
        let left = |cells: &Vec<CellOfAll>| {
            let first = &cells[0];
            let mut stretch = Stretch {
                name: format!("p{:03}-s{:04}", first.pots, first.seeds),
                positions: 0,
                part: StretchPart::Cells(Vec::new()),
            };
            let there = |cell: &&CellOfAll| !finished.cells.contains(&(cell.pots, cell.seeds));
            let cells: Vec<CellOfAll> = cells.iter().filter(there).cloned().collect();
            if let Some(first) = cells.first() {
                stretch.name = format!("p{:03}-s{:04}", first.pots, first.seeds);
            }
            stretch.positions = cells.iter().map(|cell| len(&cell.ranks)).sum();
            stretch.part = StretchPart::Cells(cells);
            stretch
        };
        self.groups.iter().map(left).collect()
    }

    /// Returns whether what a record's cells or ranks hold belongs to this space.
    pub(super) fn holds(&self, pots: u32, seeds: Option<u64>) -> bool {
        let Some(all) = self.all else {
            return true;
        };
        let bounds = all.bounds();
        let within = |n: u64, least: Option<u32>, most: Option<u32>| {
            n >= u64::from(least.unwrap_or(0)) && most.is_none_or(|most| n <= u64::from(most))
        };
        within(u64::from(pots), bounds.pots_min, bounds.pots_max)
            && seeds.is_some_and(|seeds| within(seeds, bounds.seeds_min, bounds.seeds_max))
    }

    /// Returns the bounds in words.
    pub(super) fn bounds_text(&self) -> String {
        let Some(all) = self.all else {
            return "all positions of the family".to_owned();
        };
        let bounds = all.bounds();
        let range = |least: Option<u32>, most: Option<u32>, what: &str| match (least, most) {
            (None, None) => format!("any number of {what}"),
            (None, Some(most)) => format!("at most {most} {what}"),
            (Some(least), None) => format!("at least {least} {what}"),
            (Some(least), Some(most)) => format!("{least} to {most} {what}"),
        };
        let mut seeds = range(bounds.seeds_min, bounds.seeds_max, "seeds");
        if let Some(most) = bounds.pot_seeds_max {
            seeds.push_str(&format!(", at most {most} in a pot"));
        }
        match all.shape().board_pots {
            Some(_) => format!("all positions with {seeds}"),
            None => {
                let pots = range(bounds.pots_min, bounds.pots_max, "pots");
                format!("all positions with {pots} and {seeds}")
            }
        }
    }
}

fn ranks_left(finished: &Finished, ranks: Range<u64>) -> Stretch {
    let positions = match finished.ranks.contains(&ranks.start) {
        true => 0,
        false => len(&ranks),
    };
    Stretch {
        name: format!("r{:013}", ranks.start),
        positions,
        part: StretchPart::Ranks(ranks),
    }
}

/// Returns the cheapest way to the values of Sowing positions.
fn sowing_method(all: &AllPositions, spec: &WitnessSpec) -> Method {
    let Some(pots) = all.bounds().pots_max else {
        return Method::Search;
    };
    let pots = pots as usize;
    let wanted = all.len();
    let mut ways = Vec::new();
    if let Some(order) = ByPots::new(pots) {
        ways.push((order.cells() / 2, Method::ByPots(pots)));
    }
    // The parts of a row, which a relation is about, have fewer seeds than it.
    if spec.relation.is_none() {
        let seeds: BTreeSet<u32> = all.cells().map(|cell| cell.seeds).collect();
        let orders = seeds.iter().filter(|&&seeds| seeds > 0);
        let cells: Option<u64> = orders
            .map(|&seeds| Some(BySeeds::new(seeds as usize, pots)?.cells()))
            .sum();
        ways.extend(cells.map(|cells| (cells / 2, Method::BySeeds(pots))));
    }
    ways.into_iter()
        .filter(|&(cost, _)| cost / SWEPT_IN_VAIN <= wanted)
        .min_by_key(|&(cost, _)| cost)
        .map_or(Method::Search, |(_, method)| method)
}

fn len(ranks: &Range<u64>) -> u64 {
    ranks.end - ranks.start
}
