//! The assignment of units to shards.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most units of a shard, as a multiple of an equal share of them.
///
/// Cost estimates may be far off: a shard that received all units that seem cheap could finish
/// last.
const UNITS_FACTOR: usize = 2;

/// Assigns units to shards by cost: the costliest unit first, each to the shard with the least cost
/// so far (the first among equals). No shard gets more than [`UNITS_FACTOR`] times an equal share
/// of the units. Returns the shard of each unit.
///
/// This is the rule of longest processing time first (R. L. Graham, *Bounds on multiprocessing
/// timing anomalies*, 1969). Without the bound on units, the largest shard of any other assignment
/// costs at least three quarters of the largest here. O(u log u) time.
pub(super) fn by_cost(costs: &[u64], of: u32) -> Vec<u32> {
    let fair = costs.len().div_ceil(of as usize);
    let units_max = UNITS_FACTOR * fair;
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&unit| (Reverse(costs[unit]), unit));
    let mut idle: BinaryHeap<Reverse<(u128, usize, u32)>> =
        (0..of).map(|shard| Reverse((0, 0, shard))).collect();
    let mut shards = vec![0; costs.len()];
    for unit in order {
        let Reverse((load, units, shard)) = idle
            .pop()
            .expect("all shards together may take twice the units there are");
        shards[unit] = shard;
        if units + 1 < units_max {
            idle.push(Reverse((load + u128::from(costs[unit]), units + 1, shard)));
        }
    }
    shards
}

/// Assigns units to shards in order, in nearly equal numbers. Returns the shard of each unit.
///
/// This serves rows that need all rows before them: each shard then computes as few of them as
/// possible.
pub(super) fn in_order(units: usize, of: u32) -> Vec<u32> {
    let shard = |unit: usize| unit as u64 * u64::from(of) / units as u64;
    (0..units).map(|unit| shard(unit) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(costs: &[u64], shards: &[u32], of: u32) -> Vec<u64> {
        let mut loads = vec![0; of as usize];
        for (cost, &shard) in costs.iter().zip(shards) {
            loads[shard as usize] += cost;
        }
        loads
    }

    /// The least possible cost of the largest shard, by trying all assignments.
    fn best(costs: &[u64], of: u32) -> u64 {
        fn go(costs: &[u64], loads: &mut Vec<u64>) -> u64 {
            let Some((cost, rest)) = costs.split_first() else {
                return loads.iter().copied().max().unwrap_or(0);
            };
            let mut least = u64::MAX;
            for shard in 0..loads.len() {
                loads[shard] += cost;
                least = least.min(go(rest, loads));
                loads[shard] -= cost;
            }
            least
        }
        go(costs, &mut vec![0; of as usize])
    }

    #[test]
    fn exponential_costs_are_balanced() {
        // The last unit alone costs more than a quarter of the total, so no assignment to eight
        // shards does better.
        let costs: Vec<u64> = (0..24).map(|n| 4u64.pow(n / 2)).collect();
        let loads = loads(&costs, &by_cost(&costs, 8), 8);
        assert_eq!(loads.iter().sum::<u64>(), costs.iter().sum::<u64>());
        assert_eq!(loads.iter().max(), costs.last());
        assert!(loads.iter().all(|&load| load > 0));
        // With finer units, every shard comes close to an equal cost.
        let costs: Vec<u64> = (0..160).map(|n| (1.1f64.powi(n) * 100.0) as u64).collect();
        let total: u64 = costs.iter().sum();
        let found = super::tests::loads(&costs, &by_cost(&costs, 4), 4);
        for load in found {
            assert!(load.abs_diff(total / 4) < total / 100, "{load} of {total}");
        }
    }

    #[test]
    fn no_deal_is_much_better() {
        let mut random = fastrand::Rng::with_seed(7);
        for of in 1..=3 {
            for units in 0..=7 {
                let costs: Vec<u64> = (0..units).map(|_| random.u64(1..=50)).collect();
                let shards = by_cost(&costs, of);
                let found = loads(&costs, &shards, of).into_iter().max().unwrap_or(0);
                // Graham's bound holds if no shard meets the bound on units.
                let met = (0..of).any(|shard| {
                    let taken = shards.iter().filter(|&&other| other == shard).count();
                    taken == UNITS_FACTOR * costs.len().div_ceil(of as usize)
                });
                assert!(met || 3 * found <= 4 * best(&costs, of), "{costs:?} {of}");
            }
        }
    }

    #[test]
    fn no_shard_takes_more_than_twice_the_mean() {
        let mut costs = vec![1; 100];
        costs[0] = 1 << 60;
        let shards = by_cost(&costs, 4);
        for shard in 0..4 {
            assert!(shards.iter().filter(|&&other| other == shard).count() <= 50);
        }
        assert_eq!(shards.iter().filter(|&&shard| shard == 0).count(), 1);
        assert_eq!(by_cost(&[5, 9], 4), [1, 0]);
        assert!(by_cost(&[], 3).is_empty());
    }

    #[test]
    fn in_order_all_shards_get_alike_and_none_goes_back() {
        for (units, of) in [(1, 1), (3, 8), (8, 3), (31, 8), (32, 8)] {
            let shards = in_order(units, of);
            assert!(shards.is_sorted() && shards.iter().all(|&shard| shard < of));
            for shard in 0..of {
                let taken = shards.iter().filter(|&&other| other == shard).count();
                let fair = units / of as usize;
                assert!((fair..=fair + 1).contains(&taken), "{units} {of} {shard}");
            }
        }
        assert!(in_order(0, 3).is_empty());
    }
}
