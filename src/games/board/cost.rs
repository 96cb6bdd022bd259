//! Helpers for estimates of the cost of rows.

/// The greatest estimated cost of a row. No machine holds more followers.
///
/// Unit: positions. 2^20 such rows still cost less than 2^64.
pub const ROW_COST_MAX: u64 = 1 << 40;

/// Returns the number of ways to place `seeds` seeds in `pots` pots, at most [`ROW_COST_MAX`].
pub fn ways(seeds: u64, pots: u64) -> u64 {
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
