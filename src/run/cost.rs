//! The estimated cost of rows before any is evaluated.
//!
//! The unit is a position evaluated. A row that is searched costs [what its game says](Game::cost).
//!
//! Of all positions within bounds each costs 1, for most of its followers are in the family, too. A Tchoukaillon board costs
//! its bins and 1, and the fewest stones of a length the length. Any other row costs 1.
//!
//! Rows of a pattern share followers, so all of them cost [about what the dearest does](whole), not the sum.
//!
//! Estimates decide where parts end and which process does which, never what a row says.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::board::row::Row;
use crate::family::{Family, Part};
use crate::game::Game;
use crate::job::{BoardsTask, Job, Task};

/// The rows of a range that are looked at, evenly spread; others are taken to cost what their neighbours do.
const ROWS_LOOKED_AT: u64 = 64;

/// Returns about how many positions it takes to work out the rows of some ranks; at least 1.
pub(super) fn cost(job: &Job, ranks: &Range<u64>) -> u64 {
    if ranks.is_empty() {
        return 1;
    }
    let found = match &job.task {
        Task::Strips(task) => cost_in_family(task.game, &task.family, ranks),
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

fn cost_in_family(game: Game, family: &Family, ranks: &Range<u64>) -> u64 {
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
            let one = game.cost(&family.get(first + neighbours / 2).row);
            total = total.saturating_add(one.saturating_mul(neighbours));
        }
    }
    total
}

/// Returns about how many positions it takes to work out all rows of a job: of rows that share followers the dearest counts.
pub(super) fn whole(job: &Job) -> u64 {
    let Task::Strips(task) = &job.task else {
        return cost(job, &(0..job.task.rows()));
    };
    let mut start = 0;
    let mut total = 0u64;
    for part in task.family.parts() {
        let ranks = start..start + part.len();
        start = ranks.end;
        total = total.saturating_add(match part {
            Part::Pattern(_) => dearest(job, ranks),
            _ => cost(job, &ranks),
        });
    }
    total.max(1)
}

/// Returns about what the dearest row costs: the dearer half is looked for until one row is left.
fn dearest(job: &Job, mut ranks: Range<u64>) -> u64 {
    while ranks.end - ranks.start > 1 {
        let middle = ranks.start + (ranks.end - ranks.start) / 2;
        let halves = [ranks.start..middle, middle..ranks.end];
        let [low, high] = halves.each_ref().map(|half| cost(job, half));
        let [first, second] = halves;
        ranks = if low > high { first } else { second };
    }
    cost(job, &ranks)
}

/// Returns whether the estimated cost of a part of a family, whose last row is this one, is within a factor of three: of all
/// positions within bounds, and of patterns whose game says so.
pub(super) fn is_near(game: Game, part: &Part, last: &Row) -> bool {
    match part {
        Part::All(_) => true,
        Part::Pattern(_) => game.is_cost_near(last),
        Part::List(_) | Part::Sample(_) => false,
    }
}

/// Returns the parts of a family that have rows, with the last row of each.
pub(super) fn last_rows(family: &Family) -> impl Iterator<Item = (&Part, Row)> {
    let mut end = 0;
    let parts = family.parts().iter().filter(|part| !part.is_empty());
    parts.map(move |part| {
        end += part.len();
        (part, family.get(end - 1).row)
    })
}

/// Halves the costliest range, of equal ones the first, until there are `wanted` ranges, or each costs at most `cost_max`, or none
/// has two members. Returns the ranges in order, with their costs.
pub(super) fn halved(
    ranges: Vec<Range<u64>>,
    wanted: usize,
    cost_max: u64,
    cost: impl Fn(&Range<u64>) -> u64,
) -> (Vec<Range<u64>>, Vec<u64>) {
    let mut done: Vec<(u64, u64, u64)> = Vec::new();
    let mut costliest: BinaryHeap<(u64, Reverse<u64>, u64)> = ranges
        .iter()
        .map(|ranks| (cost(ranks), Reverse(ranks.start), ranks.end))
        .collect();
    while done.len() + costliest.len() < wanted
        && let Some((most, Reverse(start), end)) = costliest.pop()
    {
        if end - start < 2 || most <= cost_max {
            done.push((start, end, most));
            continue;
        }
        let middle = start + (end - start) / 2;
        for half in [start..middle, middle..end] {
            costliest.push((cost(&half), Reverse(half.start), half.end));
        }
    }
    done.extend(
        costliest
            .into_iter()
            .map(|(cost, Reverse(start), end)| (start, end, cost)),
    );
    done.sort_unstable();
    done.into_iter()
        .map(|(start, end, cost)| (start..end, cost))
        .unzip()
}

#[cfg(test)]
mod tests {
    use crate::board::{ROW_COST_MAX, ways};
    use std::path::Path;

    use super::*;

    fn job(family: &str) -> Job {
        job_of("sowing", family)
    }

    fn job_of(game: &str, family: &str) -> Job {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"{game}\"\nplay = \"partisan\"\n[family]\n{family}\n"
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

    /// Positions evaluated for one row, as `run` counts them.
    const COUNTED: [(&str, &str, u64, u64); 32] = [
        ("sowing", "1^6", 135, 5),
        ("sowing", "1^9", 6_458, 5),
        ("sowing", "1^11", 92_504, 5),
        ("sowing", "1^13", 1_352_540, 5),
        ("sowing", "2^4", 7, 5),
        ("sowing", "2^5", 64, 5),
        ("sowing", "2^6", 766, 5),
        ("sowing", "2^7", 6_140, 5),
        ("sowing", "2^8", 42_813, 5),
        ("sowing", "3^5", 7, 5),
        ("sowing", "3^6", 133, 5),
        ("sowing", "4^5", 2, 5),
        ("sowing", "e 1^4 e", 38, 5),
        ("sowing", "e 1^8 e", 6_460, 5),
        ("sowing", "[10] [10]", 1, 5),
        ("sowing", "[20] 1^6", 882, 5),
        ("atomic-wari", "66", 37, 7),
        ("atomic-wari", "88", 198, 7),
        ("atomic-wari", "[10] [10]", 1_029, 7),
        ("atomic-wari", "[12][12]", 7_877, 5),
        ("atomic-wari", "[14][14]", 50_755, 5),
        ("atomic-wari", "[16][16]", 327_190, 4),
        ("atomic-wari", "[20] 5", 174, 4),
        ("atomic-wari", "[24] 1", 5, 4),
        ("atomic-wari", "2^4", 29, 4),
        ("atomic-wari", "2^8", 1_131, 4),
        ("atomic-wari", "2^12", 46_755, 4),
        ("atomic-wari", "3^4", 1_025, 4),
        ("atomic-wari", "3^6", 183_892, 4),
        ("atomic-wari", "777", 71_159, 30),
        ("atomic-wari", "4^4", 1_025, 30),
        ("atomic-wari", "1^16", 1, 4),
    ];

    #[test]
    fn estimates_are_near_what_was_counted() {
        for (game, pattern, counted, factor) in COUNTED {
            let job = job_of(game, &format!("pattern = \"{pattern}\""));
            let found = cost(&job, &(0..1));
            let near = found <= counted * factor && counted <= found * factor;
            assert!(
                near,
                "{game} {pattern}: estimated {found}, counted {counted}"
            );
        }
    }

    #[test]
    fn a_pattern_costs_what_its_dearest_row_does() {
        // 508,132 positions were evaluated for 1..=15, and 53 million for 1..=20.
        for (most, counted) in [(15, 508_132u64), (20, 53_000_000)] {
            let family = format!("pattern = \"x y\"\nx = \"1..={most}\"\ny = \"1..={most}\"");
            let found = whole(&job_of("atomic-wari", &family));
            assert!(
                found <= 3 * counted && counted <= 3 * found,
                "{most}: {found}"
            );
        }
    }

    #[test]
    fn ranges_cost_what_their_rows_do() {
        // Seeds lie in one pot less: 11: 1, 111: 4, 1111: 15.
        let ones = job("pattern = \"1^n\"\nn = \"1..=4\"");
        let costs: Vec<u64> = (0..4).map(|rank| cost(&ones, &(rank..rank + 1))).collect();
        assert_eq!(costs, [1, 1, 4, 15]);
        assert_eq!(cost(&ones, &(0..4)), 21);
        assert_eq!(cost(&ones, &(2..2)), 1, "no unit costs nothing");
        let all = job("all = { pots_max = 5 }");
        let rows = all.task.rows();
        assert_eq!(cost(&all, &(0..rows)), rows);
        // Beyond the rows looked at, neighbours cost alike.
        let list = job("pattern = \"x 1 1 1 y 1 1 1\"\nx = \"1..=9\"\ny = \"1..=9\"\n");
        let exact: u64 = (0..81).map(|rank| cost(&list, &(rank..rank + 1))).sum();
        let estimate = cost(&list, &(0..81));
        assert!(estimate.abs_diff(exact) * 10 < exact, "{estimate} {exact}");
    }
}
