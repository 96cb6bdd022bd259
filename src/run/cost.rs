//! About what it costs to work out rows, before any is.
//!
//! A row written by a pattern, in a list or drawn at random is taken to cost as many positions as its seeds can lie in its pots,
//! C(s + p - 1, s) for s seeds in p pots: that bounds the followers of a Sowing row that keeps its seeds, and grows
//! exponentially along a family like `1^n`, as the cost does. Of all positions within bounds each costs 1, for most of
//! its followers are in the family, too. A Tchoukaillon board costs its bins and 1, and the fewest stones of a length the length.
//! Whatever else there is costs 1 each.
//!
//! These are estimates. They decide which share does what, and never what comes of it.

use std::ops::Range;

use crate::family::{Family, Part};
use crate::job::{BoardsTask, Job, Task};
use crate::ruleset::row::{Pot, Row};

/// The rows of a range that are looked at, evenly spread; others are taken to cost what their neighbours do.
const ROWS_LOOKED_AT: u64 = 64;

/// What a row costs at most. Followers beyond count for nothing: no machine holds so many.
///
/// Unit: positions. A unit of 2^20 such rows still costs less than 2^64.
const ROW_COST_MAX: u64 = 1 << 40;

/// Returns about how many positions it takes to work out the rows of some ranks; at least 1.
pub(super) fn cost(job: &Job, ranks: &Range<u64>) -> u64 {
    if ranks.is_empty() {
        return 1;
    }
    let found = match &job.task {
        Task::Strips(task) => cost_in_family(&task.family, ranks),
        Task::Boards(task) => {
            let (first, last) = (task.first + ranks.start, task.first + ranks.end - 1);
            (ranks.end - ranks.start).saturating_add(
                BoardsTask {
                    first,
                    last,
                    ..*task
                }
                .bins_about(),
            )
        }
        Task::Lengths(task) => {
            let (first, last) = (task.first + ranks.start, task.first + ranks.end - 1);
            let sum = u128::from(first + last) * u128::from(ranks.end - ranks.start) / 2;
            u64::try_from(sum).unwrap_or(u64::MAX)
        }
        _ => ranks.end - ranks.start,
    };
    found.max(1)
}

fn cost_in_family(family: &Family, ranks: &Range<u64>) -> u64 {
    let mut total = 0u64;
    let mut start = 0;
    for part in family.parts() {
        let of_part = start.max(ranks.start)..(start + part.len()).min(ranks.end);
        start += part.len();
        if of_part.is_empty() {
            continue;
        }
        let rows = of_part.end - of_part.start;
        if let Part::All(_) = part {
            total = total.saturating_add(rows);
            continue;
        }
        let step = rows.div_ceil(ROWS_LOOKED_AT);
        for first in of_part
            .clone()
            .step_by(usize::try_from(step).unwrap_or(usize::MAX))
        {
            let neighbours = step.min(of_part.end - first);
            let one = row_cost(&family.get(first + neighbours / 2).row);
            total = total.saturating_add(one.saturating_mul(neighbours));
        }
    }
    total
}

fn row_cost(row: &Row) -> u64 {
    let seeds = row.pots.iter().map(|pot| match pot {
        Pot::Seeds(seeds) => u64::from(*seeds),
        Pot::Full => 0,
    });
    ways(seeds.sum(), row.pots.len() as u64)
}

/// Returns in how many ways so many seeds lie in so many pots, or [`ROW_COST_MAX`] where these are more.
fn ways(seeds: u64, pots: u64) -> u64 {
    let others = pots.saturating_sub(1);
    let (few, many) = (seeds.min(others), seeds.max(others));
    // C(many + i, i) for i from 0 on: whole numbers that never fall.
    let mut ways = 1u128;
    for i in 1..=few {
        ways = ways * u128::from(many + i) / u128::from(i);
        if ways >= u128::from(ROW_COST_MAX) {
            return ROW_COST_MAX;
        }
    }
    ways as u64
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn job(family: &str) -> Job {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\n{family}\n"
        );
        Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap()
    }

    /// Counts them one by one.
    fn ways_counted(seeds: u64, pots: u64) -> u64 {
        match pots {
            0 => 1,
            1 => 1,
            _ => (0..=seeds)
                .map(|here| ways_counted(seeds - here, pots - 1))
                .sum(),
        }
    }

    #[test]
    fn ways_are_counted() {
        for seeds in 0..8 {
            for pots in 1..8 {
                assert_eq!(
                    ways(seeds, pots),
                    ways_counted(seeds, pots),
                    "{seeds} {pots}"
                );
            }
        }
        assert_eq!(ways(0, 0), 1);
        assert_eq!(ways(31_000, 124), ROW_COST_MAX);
        assert_eq!(
            ways(u64::from(u32::MAX) * 124, 2),
            ROW_COST_MAX.min(u64::from(u32::MAX) * 124 + 1)
        );
    }

    #[test]
    fn ranges_cost_what_their_rows_do() {
        // 1: 1, 11: 3, 111: 10, 1111: 35.
        let ones = job("pattern = \"1^n\"\nn = \"1..=4\"");
        let costs: Vec<u64> = (0..4).map(|rank| cost(&ones, &(rank..rank + 1))).collect();
        assert_eq!(costs, [1, 3, 10, 35]);
        assert_eq!(cost(&ones, &(0..4)), 49);
        assert_eq!(cost(&ones, &(2..2)), 1, "no unit costs nothing");
        let all = job("all = { pots_max = 5 }");
        let rows = all.task.rows();
        assert_eq!(cost(&all, &(0..rows)), rows);
        // Beyond the rows looked at, neighbours cost alike.
        let list = job("pattern = \"x y\"\nx = \"1..=9\"\ny = \"1..=9\"\n");
        let exact: u64 = (0..81).map(|rank| cost(&list, &(rank..rank + 1))).sum();
        let estimate = cost(&list, &(0..81));
        assert!(estimate.abs_diff(exact) * 10 < exact, "{estimate} {exact}");
    }
}
