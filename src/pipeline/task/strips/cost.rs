//! The estimated cost of rows of pots, and of jobs over them.
//!
//! A searched row costs [the estimate of its game](Game::cost). If the family is all positions
//! within bounds, each costs 1, because most of its followers are in the family too. Rows of a
//! pattern share followers, so that all together cost about as much as the costliest, not the sum.

use std::ops::Range;

use cggames::board::AnyBoard;
use cggames::family::{Family, Subfamily};
use cggames::game::Game;

use super::StripTask;

/// The number of rows of a range that are estimated, evenly spread; others are assumed to cost the
/// same as their neighbours.
const ROWS_LOOKED_AT: u64 = 64;

/// Returns about how many positions must be evaluated for the rows of some ranks; at least 1.
pub(in crate::task) fn cost(task: &StripTask, ranks: &Range<u64>) -> u64 {
    cost_in_family(task.game, &task.family, ranks).max(1)
}

fn cost_in_family(game: Game, family: &Family, ranks: &Range<u64>) -> u64 {
    let mut total = 0u64;
    let mut start = 0;
    for subfamily in family.subfamilies() {
        let of_subfamily = start.max(ranks.start)..(start + subfamily.len()).min(ranks.end);
        start += subfamily.len();
        if of_subfamily.is_empty() {
            continue;
        }
        let rows = of_subfamily.end - of_subfamily.start;
        if let Subfamily::All(_) | Subfamily::Filled(_) = subfamily {
            total = total.saturating_add(rows);
            continue;
        }
        let step = rows.div_ceil(ROWS_LOOKED_AT);
        for first in of_subfamily
            .clone()
            .step_by(usize::try_from(step).unwrap_or(usize::MAX))
        {
            let neighbours = step.min(of_subfamily.end - first);
            let one = game.cost(&family.get(first + neighbours / 2).position);
            total = total.saturating_add(one.saturating_mul(neighbours));
        }
    }
    total
}

/// Returns about how many positions must be evaluated for all rows of a job: the costliest of rows
/// that share followers, but at least one for each row.
pub(in crate::task) fn whole(task: &StripTask) -> u64 {
    let mut start = 0;
    let mut total = 0u64;
    for subfamily in task.family.subfamilies() {
        let ranks = start..start + subfamily.len();
        start = ranks.end;
        total = total.saturating_add(match subfamily {
            Subfamily::Pattern(_) => dearest(task, ranks).max(subfamily.len()),
            _ => cost(task, &ranks),
        });
    }
    total.max(1)
}

/// Returns the estimated cost of the costliest row, by bisecting towards the costlier half.
fn dearest(task: &StripTask, mut ranks: Range<u64>) -> u64 {
    while ranks.end - ranks.start > 1 {
        let middle = ranks.start + (ranks.end - ranks.start) / 2;
        let halves = [ranks.start..middle, middle..ranks.end];
        let [low, high] = halves.each_ref().map(|half| cost(task, half));
        let [first, second] = halves;
        ranks = if low > high { first } else { second };
    }
    cost(task, &ranks)
}

/// Returns whether the estimated cost of a subfamily is within a factor of three. This holds for
/// all positions within bounds.
pub(in crate::task) fn is_near(subfamily: &Subfamily) -> bool {
    matches!(subfamily, Subfamily::All(_) | Subfamily::Filled(_))
}

/// Returns the subfamilies of a family that have rows, with the last row of each.
pub(in crate::task) fn last_rows(family: &Family) -> impl Iterator<Item = (&Subfamily, AnyBoard)> {
    let mut end = 0;
    let subfamilies = family
        .subfamilies()
        .iter()
        .filter(|subfamily| !subfamily.is_empty());
    subfamilies.map(move |subfamily| {
        end += subfamily.len();
        (subfamily, family.get(end - 1).position)
    })
}

#[cfg(test)]
mod tests {
    use cggames::board::{ROW_COST_MAX, ways};
    use std::path::Path;

    use super::*;
    use crate::run::Described;
    use crate::task::Job;

    fn job(family: &str) -> StripTask {
        job_of("sowing", family)
    }

    fn job_of(game: &str, family: &str) -> StripTask {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"{game}\"\nplay = \"partisan\"\n[family]\n{family}\n"
        );
        let job = Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap();
        job.task_as::<StripTask>().expect("positions").clone()
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

    /// The positions evaluated for one row, as counted by `run`.
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
        ("atomic-wari", "66", 21, 3),
        ("atomic-wari", "88", 34, 3),
        ("atomic-wari", "[10] [10]", 51, 3),
        ("atomic-wari", "[12][12]", 72, 3),
        ("atomic-wari", "[14][14]", 97, 3),
        ("atomic-wari", "[30][30]", 441, 3),
        ("atomic-wari", "[20] 5", 31, 3),
        ("atomic-wari", "[24] 1", 5, 3),
        ("atomic-wari", "2^4", 14, 3),
        ("atomic-wari", "2^8", 44, 3),
        ("atomic-wari", "2^30", 495, 3),
        ("atomic-wari", "3^4", 932, 5),
        ("atomic-wari", "3^6", 180_265, 5),
        ("atomic-wari", "777", 53_697, 30),
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
        for (most, counted) in [(5, 14_000u64), (7, 2_072_726)] {
            let family = format!("pattern = \"3^n\"\nn = \"1..={most}\"");
            let found = whole(&job_of("atomic-wari", &family));
            assert!(
                found <= 3 * counted && counted <= 3 * found,
                "{most}: {found}"
            );
        }
    }

    #[test]
    fn ranges_cost_what_their_rows_do() {
        // The seeds lie in one pot less: 11: 1, 111: 4, 1111: 15.
        let ones = job("pattern = \"1^n\"\nn = \"1..=4\"");
        let costs: Vec<u64> = (0..4).map(|rank| cost(&ones, &(rank..rank + 1))).collect();
        assert_eq!(costs, [1, 1, 4, 15]);
        assert_eq!(cost(&ones, &(0..4)), 21);
        assert_eq!(cost(&ones, &(2..2)), 1, "no unit costs nothing");
        let all = job("all = { pots_max = 5 }");
        let rows = all.rows();
        assert_eq!(cost(&all, &(0..rows)), rows);
        // Unestimated rows are assumed to cost the same as their neighbours.
        let list = job("pattern = \"x 1 1 1 y 1 1 1\"\nx = \"1..=9\"\ny = \"1..=9\"\n");
        let exact: u64 = (0..81).map(|rank| cost(&list, &(rank..rank + 1))).sum();
        let estimate = cost(&list, &(0..81));
        assert!(estimate.abs_diff(exact) * 10 < exact, "{estimate} {exact}");
    }
}
