//! The edges that short records name by number.
//!
//! Forms by the million have few different edges: of those of Sowing 1^15 a hundred belong to 88 %
//! of all halves. So a short record has the numbers of its two edges in place of the edges, and
//! the table of all of them stays in a processor's first cache. The first edges to come get a
//! number; a form with another edge gets a long record.

use std::sync::atomic::{
    AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// The bits of a number.
pub(super) const NUMBER_BITS: u32 = 10;

/// The number of places. The last one stays empty: its number marks long records.
pub(super) const NUMBERS: usize = 1 << NUMBER_BITS;

/// Edges packed into words other than 0, each at the place that its number says: a hash table with
/// open addressing.
pub(super) struct EdgeTable([AtomicU32; NUMBERS]);

impl EdgeTable {
    pub(super) fn new() -> EdgeTable {
        EdgeTable([const { AtomicU32::new(0) }; NUMBERS])
    }

    /// Returns the edge with a number.
    #[inline]
    pub(super) fn edge(&self, number: u32) -> u32 {
        self.0[number as usize % NUMBERS].load(Relaxed)
    }

    /// Returns the number of an edge, which enters the table if there is room.
    pub(super) fn number(&self, edge: u32) -> Option<u32> {
        const MULTIPLIER: u32 = 0x9e37_79b1;
        let first = edge.wrapping_mul(MULTIPLIER) >> (32 - NUMBER_BITS);
        let places = (first..NUMBERS as u32).chain(0..first);
        for number in places.filter(|&number| number as usize != NUMBERS - 1) {
            let place = &self.0[number as usize];
            let held = match place.load(Relaxed) {
                0 => place.compare_exchange(0, edge, AcqRel, Acquire),
                held => Err(held),
            };
            match held {
                Ok(_) => return Some(number),
                Err(held) if held == edge => return Some(number),
                Err(_) => {}
            }
        }
        None
    }

    /// Returns the words of the table.
    pub(super) fn words(&self) -> Vec<u32> {
        self.0.iter().map(|edge| edge.load(Relaxed)).collect()
    }

    /// Adopts the words of another table.
    pub(super) fn restore(&self, words: &[u32]) {
        for (place, &word) in self.0.iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_keeps_its_number_until_all_are_used_up() {
        let table = EdgeTable::new();
        let edges = || (1..NUMBERS as u32).map(|i| i << 20 | (i % 7) << 8 | 1);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for edge in edges() {
                        let number = table.number(edge).expect("room for all");
                        assert_eq!(table.edge(number), edge);
                    }
                });
            }
        });
        assert_eq!(table.number(1), None);
        let again = EdgeTable::new();
        again.restore(&table.words());
        let mut numbers: Vec<u32> = edges().filter_map(|edge| again.number(edge)).collect();
        assert!(edges().eq(numbers.iter().map(|&number| table.edge(number))));
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..NUMBERS as u32 - 1));
    }
}
