//! The recursion for obligated heaps by definition, from the literal options.
//!
//! Slow on purpose: O(n) options a heap for splits in two, O(n^2) for splits in three. It shares
//! only the rule for sums with the fast engine; that rule has its own tests by play.

use cggames::game::heap::HeapGame;

use super::value::ObligatedValue;

/// Returns the obligated values of the heaps `0..length`, by the definition.
///
/// The parts that a move leaves are an obligated sum by themselves: they are completed before any
/// other component is started (Ferguson, section 3).
///
/// ```
/// use cgsolvers::obligated::reference;
///
/// let kayles = "kayles".parse()?;
/// let values: Vec<String> = reference(&kayles, 6).iter().map(|v| v.to_string()).collect();
/// assert_eq!(values, ["01", "10", "11", "11", "10", "01"]);
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
pub fn reference(game: &HeapGame, length: usize) -> Vec<ObligatedValue> {
    let mut values: Vec<ObligatedValue> = Vec::with_capacity(length);
    for n in 0..length {
        let options = game.options(n).map(|parts| {
            let parts = parts.as_slice().iter().map(|&part| values[part]);
            ObligatedValue::sum(parts)
        });
        let value = ObligatedValue::of_options(options);
        values.push(value);
    }
    values
}
