//! Kayles: a row of pins, of which a throw knocks down one or two adjacent ones.
//!
//! If the pins that fall stand between others, they leave two separate rows. With three pins `a b
//! c` a throw leaves `bc`, `a` and `c` apart, `ab`, `c`, or `a`:
//!
//! | falls | `a` | `b` | `c` | `ab` | `bc` |
//! |---|---|---|---|---|---|
//! | leaves | `bc` | `a`, `c` | `ab` | `c` | `a` |
//!
//! This is the octal code 0.77 with pins instead of tokens. Every throw fells a pin, so play ends.
//!
//! Source: AMS Feature Column, *Combinatorial games*, part 5; Ferguson, Example 4.

use super::Impartial;

/// The rules of Kayles.
///
/// ```
/// use cggames::game::impartial::{Impartial, Kayles};
///
/// assert_eq!(Kayles.options(&3), [vec![2], vec![1, 1], vec![2], vec![1], vec![1]]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kayles;

impl Impartial for Kayles {
    /// The number of pins that stand side by side.
    type Position = u32;

    /// Visits single pins from the left, then pairs; rows without pins are left out.
    fn options(&self, &pins: &u32) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for felled in 1..=pins.min(2) {
            for left in 0..=pins - felled {
                let rows = [left, pins - felled - left];
                options.push(rows.into_iter().filter(|&pins| pins > 0).collect());
            }
        }
        options
    }
}
