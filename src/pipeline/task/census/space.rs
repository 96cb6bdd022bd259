//! The space that a job searches: its cells and parts, and the cheapest method for their values.

use std::collections::BTreeSet;
use std::ops::Range;

use cggames::board::{AnyBoard, BoardKind, Features};
use cggames::family::{AllPositions, Bounds, CellOfAll, Family, Subfamily};
use cggames::game::{ByPots, BySeeds, Play, SweepOrder};

use super::CensusTask;
use super::question::{Fewest, WitnessSpec};
use crate::dataset::CensusPartRecord;
use crate::run::{PART_ROWS, RunError};

/// The positions at which a group of cells is closed: some seconds' work, which is lost if a search
/// is interrupted there.
const PART_POSITIONS: u64 = 1 << 22;

/// Cells with several numbers of seeds, or of pots, are grouped as long as they have at most this
/// many positions.
///
/// PERF: the files of a part take 5 ms. Searches of 180,000 positions by seeds, and by pots, which
/// have four parts with this and a dozen without, take an eighth less time.
const SMALL_POSITIONS: u64 = 1 << 14;

/// The largest ratio of swept to needed positions at which a sweep is worthwhile.
const SWEPT_IN_VAIN: u64 = 4;

/// The followers of all rows within bounds are swept if at least one in this many of the rows is
/// wanted.
const WANTED_PART: u64 = 4;

/// The method that finds the values of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// One sweep through all rows with at most this number of pots.
    ByPots(usize),
    /// A sweep for each number of seeds, through all rows with at most this number of pots.
    BySeeds(usize),
    /// Search, position by position.
    Search,
}

/// The space that a job searches.
pub(super) struct Space<'a> {
    pub(super) family: &'a Family,
    /// All positions within bounds, if the family is that.
    pub(super) all: Option<&'a AllPositions>,
    pub(super) method: Method,
    /// Whether cells are grouped by seeds; otherwise by pots.
    by_seeds: bool,
    groups: Vec<Vec<CellOfAll>>,
    /// Whether play is partisan, so that a position and its negative may have different values.
    pub(super) is_partisan: bool,
    board: BoardKind,
}

/// Positions that are searched together: a part of the census.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The name, unique in its space.
    pub(super) name: String,
    pub(super) positions: u64,
    pub(super) members: CellsOrRanks,
}

impl Part {
    /// Returns its cells; empty if it consists of ranks.
    pub(super) fn cells(&self) -> &[CellOfAll] {
        match &self.members {
            CellsOrRanks::Cells(cells) => cells,
            CellsOrRanks::Ranks(_) => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CellsOrRanks {
    /// Complete cells.
    Cells(Vec<CellOfAll>),
    /// Ranks of a family that has no cells.
    Ranks(Range<u64>),
}

/// The cells of finished parts, and their ranks.
#[derive(Default)]
pub(super) struct Finished {
    cells: BTreeSet<(u32, u32)>,
    ranks: BTreeSet<u64>,
}

impl Finished {
    pub(super) fn of(records: &[CensusPartRecord]) -> Finished {
        let mut finished = Finished::default();
        for record in records {
            match record.ranks {
                Some([first, _]) => {
                    finished.ranks.insert(first);
                }
                None => finished
                    .cells
                    .extend(record.cells.iter().filter_map(|cell| {
                        let seeds = u32::try_from(cell.features.seeds?).ok()?;
                        Some((cell.features.pots, seeds))
                    })),
            }
        }
        finished
    }
}

impl<'a> Space<'a> {
    /// Returns the space of a job. How it is cut does not depend on which parts are finished.
    pub(super) fn of(task: &'a CensusTask) -> Space<'a> {
        let (spec, task) = (&task.question, &task.positions);
        let family = &task.family;
        let (is_partisan, board) = (task.play == Play::Partisan, task.game.shape().kind());
        let [Subfamily::All(all)] = family.subfamilies() else {
            return Space {
                family,
                all: None,
                method: Method::Search,
                by_seeds: false,
                groups: Vec::new(),
                is_partisan,
                board,
            };
        };
        let method = if task.game.is_swept() {
            sweep_method(all, spec)
        } else {
            Method::Search
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
        for cells in cells.chunk_by(|a, b| group(a) == group(b)) {
            let of_group: u64 = cells.iter().map(|cell| len(&cell.ranks)).sum();
            if groups.is_empty() || positions + of_group > SMALL_POSITIONS {
                positions = 0;
                groups.push(Vec::new());
            }
            for cell in cells {
                if positions >= PART_POSITIONS {
                    positions = 0;
                    groups.push(Vec::new());
                }
                positions += len(&cell.ranks);
                let last = groups.last_mut().expect("one was put there");
                last.push(cell.clone());
            }
        }
        Space {
            family,
            all: Some(all),
            method,
            by_seeds,
            groups,
            is_partisan,
            board,
        }
    }

    /// Reads the position of a row of the census.
    ///
    /// # Errors
    ///
    /// A row that this program has not written.
    pub(super) fn position(&self, text: &str) -> Result<AnyBoard, RunError> {
        self.board
            .read(text)
            .map_err(|source| RunError::NotAPosition { source })
    }

    /// Returns whether a listed position also stands for its negative, which is not listed.
    ///
    /// # Errors
    ///
    /// As [`Space::position`].
    pub(super) fn stands_for_negative(&self, position: &str) -> Result<bool, RunError> {
        Ok(match self.family.subfamilies() {
            [Subfamily::All(_)] => true,
            [Subfamily::Filled(filled)] => filled.stands_for_negative(&self.position(position)?),
            _ => false,
        })
    }

    /// Splits the cells of a part into runs that are counted together. If cells are grouped by
    /// seeds, a run has one number of seeds, which one sweep values, and is ordered by pots.
    pub(super) fn runs<'c>(&self, cells: &'c [CellOfAll]) -> impl Iterator<Item = &'c [CellOfAll]> {
        let by_seeds = self.by_seeds;
        cells.chunk_by(move |a, b| !by_seeds || a.seeds == b.seeds)
    }

    /// Returns the parts without their finished cells; a part that is finished has no positions
    /// left.
    pub(super) fn parts(&self, finished: &Finished) -> Vec<Part> {
        if self.all.is_none() {
            let ranks = self.family.rank_ranges(PART_ROWS).into_iter();
            return ranks.map(|ranks| ranks_left(finished, ranks)).collect();
        }
        let left = |cells: &Vec<CellOfAll>| {
            let first = &cells[0];
            let mut part = Part {
                name: format!("p{:03}-s{:04}", first.pots, first.seeds),
                positions: 0,
                members: CellsOrRanks::Cells(Vec::new()),
            };
            let there = |cell: &&CellOfAll| !finished.cells.contains(&(cell.pots, cell.seeds));
            let cells: Vec<CellOfAll> = cells.iter().filter(there).cloned().collect();
            if let Some(first) = cells.first() {
                part.name = format!("p{:03}-s{:04}", first.pots, first.seeds);
            }
            part.positions = cells.iter().map(|cell| len(&cell.ranks)).sum();
            part.members = CellsOrRanks::Cells(cells);
            part
        };
        self.groups.iter().map(left).collect()
    }

    /// Returns the pots and seeds of the rows whose followers are worth a sweep for the values of
    /// some parts, if the job is searched and asks for what such sweeps find.
    pub(super) fn reachable_from(
        &self,
        question: &WitnessSpec,
        parts: &[Part],
    ) -> Option<(usize, usize)> {
        // The pass that counts followers asks the search for values.
        if question.fewest == Fewest::Followers {
            return None;
        }
        let (all, is_searched) = (self.all?, self.method == Method::Search);
        if !is_searched || question.relation.is_some() {
            return None;
        }
        let cells = || parts.iter().flat_map(Part::cells);
        let pots = cells().map(|cell| cell.pots).max()?;
        let seeds = cells().map(|cell| cell.seeds).max()?;
        let bounds = Bounds {
            pots_max: Some(pots),
            seeds_max: Some(seeds),
            ..Bounds::default()
        };
        let all = AllPositions::new(all.shape(), bounds, all.order()).ok()?;
        let wanted: u64 = parts.iter().map(|part| part.positions).sum();
        (wanted >= all.len() / WANTED_PART).then_some((pots as usize, seeds as usize))
    }

    /// Returns whether positions of a size belong to this space.
    pub(super) fn holds(&self, Features { pots, seeds, .. }: Features) -> bool {
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

fn ranks_left(finished: &Finished, ranks: Range<u64>) -> Part {
    let positions = if finished.ranks.contains(&ranks.start) {
        0
    } else {
        len(&ranks)
    };
    Part {
        name: format!("r{:013}", ranks.start),
        positions,
        members: CellsOrRanks::Ranks(ranks),
    }
}

/// Returns the cheapest method for the values of Sowing positions.
fn sweep_method(all: &AllPositions, spec: &WitnessSpec) -> Method {
    let Some(pots) = all.bounds().pots_max else {
        return Method::Search;
    };
    let pots = pots as usize;
    let wanted = all.len();
    let mut ways = Vec::new();
    if let Some(order) = ByPots::new(pots) {
        ways.push((order.cells() / 2, Method::ByPots(pots)));
    }
    // The components of a row, which a relation needs, have fewer seeds than the row.
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;
    use crate::task::Job;

    fn job(game: &str, bounds: &str, fewest: &str) -> Job {
        let text = format!(
            "name = 'search'\n[ruleset]\ngame = '{game}'\nplay = 'impartial'\n[family]\nall = {{ {bounds} }}\n\
             [witness]\neach = 'nim_value'\nfewest = '{fewest}'\n"
        );
        Job::parse(&text, Path::new("search.toml"), Path::new("")).expect("a job")
    }

    /// A file with the right checksum can have been written by other programs.
    #[test]
    fn rows_that_are_no_positions_are_refused() {
        let job = job("sowing", "pots_max = 3", "pots");
        let space = Space::of(job.task_as::<CensusTask>().expect("a census"));
        space.position("102").expect("a row of three pots");
        let refused = space.position("1x2").expect_err("no row").to_string();
        let text = "a row of the result is no position of the job's game: ";
        assert!(refused.starts_with(text), "{refused}");
    }

    /// Every cell lies in one part, in order; small ones are grouped, and no two groups could be
    /// merged.
    #[test]
    fn parts_have_all_cells_and_no_more_files_than_are_worth_it() {
        for (game, bounds, fewest, by_seeds) in [
            ("sowing", "pots_max = 7", "pots", false),
            ("sowing", "pots_max = 11, seeds_max = 11", "seeds", true),
            ("sowing", "pots_max = 9", "pots", false),
            (
                "atomic-wari",
                "pots_max = 10, seeds_max = 12",
                "pots",
                false,
            ),
            (
                "atomic-wari",
                "pots_max = 10, seeds_max = 12",
                "seeds",
                true,
            ),
        ] {
            let job = job(game, bounds, fewest);
            let task = job.task_as::<CensusTask>().expect("a census");
            let space = Space::of(task);
            assert_eq!(space.by_seeds, by_seeds, "{game} {bounds} {fewest}");
            let of = |cell: &CellOfAll| if by_seeds { cell.seeds } else { cell.pots };
            let cells_of = |part: &Part| match &part.members {
                CellsOrRanks::Cells(cells) => cells.clone(),
                CellsOrRanks::Ranks(_) => panic!("a family of all positions has cells"),
            };
            let parts = space.parts(&Finished::default());
            let found: Vec<CellOfAll> = parts.iter().flat_map(cells_of).collect();
            let mut cells: Vec<CellOfAll> = space.all.expect("it is all").cells().collect();
            cells.sort_by_key(|cell| (of(cell), cell.pots, cell.seeds));
            assert_eq!(found, cells);
            let names: HashSet<&str> = parts.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(names.len(), parts.len());
            for part in &parts {
                let cells = cells_of(part);
                let groups: HashSet<u32> = cells.iter().map(of).collect();
                assert!(groups.len() == 1 || part.positions <= SMALL_POSITIONS);
                for run in space.runs(&cells) {
                    let seeds: HashSet<u32> = run.iter().map(|cell| cell.seeds).collect();
                    assert!(seeds.len() == 1 || !by_seeds);
                    assert!(run.is_sorted_by_key(|cell| (cell.pots, cell.seeds)));
                }
            }
            assert!(parts.windows(2).all(|pair| {
                of(&cells_of(&pair[0])[0]) == of(&cells_of(&pair[1])[0])
                    || pair[0].positions + pair[1].positions > SMALL_POSITIONS
            }));
            assert!(parts.len() > 1);
        }
    }
}
