//! How a job is cut into units, and which shard each unit belongs to.
//!
//! A unit lies within one part of the job's result set, and each part is joined from whole units.
//! Units differ in length: the costliest is halved until there are enough of them. Units of costly
//! rows are therefore short, down to single rows.

use std::ops::Range;

use super::deal;
use crate::dataset::PARTS_MAX;
use crate::run::RowTask;
use crate::run::cost::halved;

/// A job cut into units for a number of shards.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The ranks of each unit; for a witness job, the numbers of positions before and after each
    /// part of the census.
    pub(crate) units: Vec<Range<u64>>,
    /// The estimated cost of each unit, in positions.
    pub(crate) costs: Vec<u64>,
    /// The shard of each unit.
    pub(crate) owners: Vec<u32>,
}

impl Cut {
    /// Cuts a job whose result has a row for each member of its family.
    pub(crate) fn of_rows(task: &dyn RowTask, of: u32) -> Cut {
        let making = task.making();
        let wanted = (making.units_per_shard_min * of as usize).min(PARTS_MAX as usize);
        let (units, costs) = halved(task.parts(), wanted, 0, |ranks| task.cost(ranks));
        let owners = if making.is_sequential {
            deal::in_order(units.len(), of)
        } else {
            deal::by_cost(&costs, of)
        };
        Cut {
            units,
            costs,
            owners,
        }
    }

    /// Divides the units of a witness job, given their numbers of positions, which are their costs.
    pub(crate) fn of_census(positions: &[u64], of: u32) -> Cut {
        let mut before = 0;
        let units = positions.iter().map(|positions| {
            let start = before;
            before += positions;
            start..before
        });
        Cut {
            units: units.collect(),
            costs: positions.to_vec(),
            owners: deal::by_cost(positions, of),
        }
    }

    /// Returns the units of a shard, ascending.
    pub(crate) fn of_shard(&self, index: u32) -> impl Iterator<Item = u32> {
        let owners = (0..).zip(&self.owners);
        owners.filter_map(move |(unit, &owner)| (owner == index).then_some(unit))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::Job;
    use crate::task::codes::CodesTask;
    use crate::task::heaps::HeapsTask;
    use crate::task::strips::StripTask;

    fn task<T: RowTask + Clone>(text: &str) -> T {
        let job = Job::parse(text, Path::new("a.toml"), Path::new("")).unwrap();
        job.task_as::<T>().expect("a task of this kind").clone()
    }

    fn sowing(family: &str) -> StripTask {
        let ruleset = "name = \"a\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\n";
        task(&format!("{ruleset}{family}\n"))
    }

    #[test]
    fn every_row_is_in_one_unit_within_a_part_and_every_unit_in_one_shard() {
        let heaps = "name = \"a\"\n[ruleset]\ngame = \"octal\"\ncode = \"0.37\"\n[family]\nheaps = \"5..=3000000\"\n";
        let codes = "name = \"a\"\n[ruleset]\ngame = \"octal\"\n[family]\ncodes = { digits = 3 }\nheaps_max = 100\n";
        let tasks: [Box<dyn RowTask>; 6] = [
            Box::new(sowing("pattern = \"1^n\"\nn = \"1..=16\"")),
            Box::new(sowing("pattern = \"1^n\"\nn = 7")),
            Box::new(sowing("all = { pots_max = 8 }")),
            Box::new(sowing(
                "sample = { count = 1100000, seed = 7, pots_max = 4, seeds_max = 6 }",
            )),
            Box::new(task::<HeapsTask>(heaps)),
            Box::new(task::<CodesTask>(codes)),
        ];
        for task in tasks {
            let parts = task.parts();
            for of in [1, 2, 8, 100] {
                let cut = Cut::of_rows(&*task, of);
                assert_eq!(cut, Cut::of_rows(&*task, of), "the same cut every time");
                let mut rank = 0;
                for unit in &cut.units {
                    assert_eq!(unit.start, rank);
                    assert!(unit.end > rank);
                    rank = unit.end;
                    let within =
                        |part: &Range<u64>| part.start <= unit.start && unit.end <= part.end;
                    assert!(parts.iter().any(within), "{unit:?}");
                }
                assert_eq!(rank, task.rows());
                let mut dealt: Vec<u32> = (0..of).flat_map(|shard| cut.of_shard(shard)).collect();
                dealt.sort_unstable();
                assert!(dealt.into_iter().eq(0..cut.units.len() as u32));
                let wanted = parts.len().max(4 * of as usize).min(rank as usize);
                assert!(cut.units.len() >= wanted, "{of}: {} units", cut.units.len());
            }
        }
    }

    #[test]
    fn units_are_short_where_rows_are_dear() {
        // Twelve values of n, and many of x: the rows with the most seeds come last.
        let task = sowing("pattern = \"x 1^n\"\nn = \"1..=12\"\nx = \"1..=200\"");
        let cut = Cut::of_rows(&task, 8);
        assert_eq!(cut.units.len(), task.parts().len().max(128));
        let total: u64 = cut.costs.iter().sum();
        let mut loads = [0; 8];
        for (cost, &owner) in cut.costs.iter().zip(&cut.owners) {
            loads[owner as usize] += cost;
        }
        for load in loads {
            assert!(load.abs_diff(total / 8) < total / 20, "{loads:?}");
        }
    }

    #[test]
    fn halving_ends_with_single_members() {
        let (ranges, costs) = halved(vec![0..3, 3..4], 100, 0, |ranks| ranks.end);
        assert_eq!(ranges, [0..1, 1..2, 2..3, 3..4]);
        assert_eq!(costs, [1, 2, 3, 4]);
        let (ranges, _) = halved(vec![0..8, 8..16], 3, 0, |ranks| ranks.end - ranks.start);
        assert_eq!(ranges, [0..4, 4..8, 8..16]);
        // Cheap ranges are not cut.
        let (ranges, _) = halved(vec![0..8, 8..16], 9, 4, |ranks| ranks.end - ranks.start);
        assert_eq!(ranges, [0..4, 4..8, 8..12, 12..16]);
        assert_eq!(halved(vec![0..5, 5..9], 1, 0, |_| 1).0, [0..5, 5..9]);
    }
}
