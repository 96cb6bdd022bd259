//! The table of a proof-number search: proof and disproof numbers of states, by exact keys, within
//! a memory budget.
//!
//! An entry is the whole state and its two numbers: 16 bytes plus one for the table if the state
//! fits 64 bits (followers of Sowing `1^n` up to n = 22), otherwise 28. Entries are never evicted:
//! a full table that may not grow reports an error.

use cggames::board::Key;
use hashbrown::HashTable;

/// The infinite number, of an impossible win or loss.
pub(super) const NEVER: u32 = 1 << 30;

/// The proof number and the disproof number of a state, for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    /// The mover wins.
    pub(super) const WIN: Numbers = Numbers {
        proof: 0,
        disproof: NEVER,
    };
    /// The mover loses.
    pub(super) const LOSS: Numbers = Numbers {
        proof: NEVER,
        disproof: 0,
    };

    /// Returns whether the mover wins, if that is proved.
    #[inline]
    pub(super) fn settled(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

/// A position, or a sum of several, and a nim heap, with one player to move.
///
/// Right to move on a position is Left to move on its negative. So here Left always moves: on the
/// subject or, if `turned`, on its negative. In impartial play the two are equal, and no state is
/// turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) subject: Subject,
    pub(super) turned: bool,
    pub(super) heap: u8,
}

/// What is played in a state beside the nim heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The position that has the key.
    Key(Key),
    /// The [sum](super::sums::Sums) that has the number: of several components, or of none.
    Sum(u32),
}

/// The bits of a narrow state in addition to the key: eight for the heap, one for `turned`.
const NARROW_SHIFT: u32 = 9;

/// Proof numbers by state.
#[derive(Default)]
pub(super) struct NumberTable {
    narrow: HashTable<[u32; 4]>,
    wide: HashTable<[u32; 7]>,
}

impl NumberTable {
    /// Returns the numbers of a state, if they are in the table.
    #[inline]
    pub(super) fn get(&self, state: State) -> Option<Numbers> {
        let (proof, disproof) = match narrow(state) {
            Some(word) => {
                let found = self.narrow.find(hash(word, 0), |e| word_of(e) == word)?;
                (found[2], found[3])
            }
            None => {
                let words = wide(state);
                let found = self.wide.find(hash_wide(words), |e| e[..5] == words)?;
                (found[5], found[6])
            }
        };
        Some(Numbers { proof, disproof })
    }

    /// Stores a state's numbers, replacing its old ones; returns false if the table is full. The
    /// table never exceeds `bytes_max` bytes, even while it grows.
    #[must_use]
    pub(super) fn insert(&mut self, state: State, numbers: Numbers, bytes_max: usize) -> bool {
        let Numbers { proof, disproof } = numbers;
        let others = self.bytes();
        let has_room = |len: usize, capacity: usize, bytes: usize| {
            // A full table moves to one of twice the size.
            len < capacity || others + 2 * bytes.max(LEAST_BYTES) <= bytes_max
        };
        match narrow(state) {
            Some(word) => {
                let entry = [word as u32, (word >> 32) as u32, proof, disproof];
                let hash_of_word = hash(word, 0);
                if let Some(there) = self.narrow.find_mut(hash_of_word, |e| word_of(e) == word) {
                    *there = entry;
                    return true;
                }
                let bytes = self.narrow.allocation_size();
                if !has_room(self.narrow.len(), self.narrow.capacity(), bytes) {
                    return false;
                }
                self.narrow
                    .insert_unique(hash_of_word, entry, |e| hash(word_of(e), 0));
            }
            None => {
                let words = wide(state);
                let [a, b, c, d, rest] = words;
                let entry = [a, b, c, d, rest, proof, disproof];
                let hash_of_words = hash_wide(words);
                if let Some(there) = self.wide.find_mut(hash_of_words, |e| e[..5] == words) {
                    *there = entry;
                    return true;
                }
                let bytes = self.wide.allocation_size();
                if !has_room(self.wide.len(), self.wide.capacity(), bytes) {
                    return false;
                }
                self.wide.insert_unique(hash_of_words, entry, |e| {
                    hash_wide([e[0], e[1], e[2], e[3], e[4]])
                });
            }
        }
        true
    }

    /// Returns the number of states in the table.
    pub(super) fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    /// Returns the memory of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.narrow.allocation_size() + self.wide.allocation_size()
    }
}

/// A bound on the bytes that a table takes when it gets its first entry.
const LEAST_BYTES: usize = 256;

fn narrow(state: State) -> Option<u64> {
    let Subject::Key(key) = state.subject else {
        return None;
    };
    let fits = key >> (64 - NARROW_SHIFT) == 0;
    let rest = u64::from(state.turned) << 8 | u64::from(state.heap);
    fits.then_some((key as u64) << NARROW_SHIFT | rest)
}

fn word_of(entry: &[u32; 4]) -> u64 {
    u64::from(entry[0]) | u64::from(entry[1]) << 32
}

/// A key has at most 127 bits, so the highest bit is free.
fn wide(state: State) -> [u32; 5] {
    let (key, is_sum) = match state.subject {
        Subject::Key(key) => (key, false),
        Subject::Sum(number) => (number.into(), true),
    };
    let key = key | Key::from(state.turned) << 127;
    let word = |i: u32| (key >> (32 * i)) as u32;
    let rest = u32::from(is_sum) << 8 | u32::from(state.heap);
    [word(0), word(1), word(2), word(3), rest]
}

fn hash_wide([a, b, c, d, rest]: [u32; 5]) -> u64 {
    let low = u64::from(a) | u64::from(b) << 32;
    let high = u64::from(c) | u64::from(d) << 32;
    hash(
        low,
        (high ^ u64::from(rest) << 55).wrapping_mul(0xd6e8_feb8_6659_fd93),
    )
}

fn hash(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(low ^ high.rotate_left(32) ^ MULTIPLIER) * u128::from(MULTIPLIER);
    ((product as u64) ^ (product >> 64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states() -> impl Iterator<Item = State> {
        (0..3000u32).map(|i| State {
            subject: match [1, 1 << 54, 1 << 55, 1 << 126, 0][i as usize % 5] {
                0 => Subject::Sum((i / 20 + 1) << 1),
                bits => Subject::Key(bits | Key::from(i / 20 + 1) << 1),
            },
            turned: i / 5 % 2 == 1,
            heap: [0, 255][(i / 10 % 2) as usize],
        })
    }

    #[test]
    fn states_that_differ_in_anything_have_their_own_numbers() {
        let mut table = NumberTable::default();
        for round in 0..2 {
            for (i, state) in (0..).zip(states()) {
                let numbers = Numbers {
                    proof: i,
                    disproof: i + round,
                };
                assert!(table.insert(state, numbers, usize::MAX));
            }
        }
        assert_eq!(table.len(), 3000);
        for (i, state) in (0..).zip(states()) {
            let found = table.get(state).unwrap();
            assert_eq!((found.proof, found.disproof), (i, i + 1));
        }
        let other = State {
            subject: Subject::Key(1),
            turned: false,
            heap: 3,
        };
        assert!(table.get(other).is_none());
    }

    #[test]
    fn a_table_never_grows_beyond_its_budget_and_keeps_what_it_has() {
        for bytes_max in [0, 300, 10_000, 60_000] {
            let mut table = NumberTable::default();
            let numbers = Numbers {
                proof: 1,
                disproof: 2,
            };
            let taken: Vec<State> = states()
                .take_while(|&state| table.insert(state, numbers, bytes_max))
                .collect();
            assert!(table.bytes() <= bytes_max && taken.len() < 3000);
            assert!(
                taken.len() * 100 >= bytes_max.saturating_sub(1000),
                "{}",
                taken.len()
            );
            assert!(taken.iter().all(|&state| table.get(state).is_some()));
            // The numbers of stored states can still change.
            assert!(taken.iter().all(|&state| table.insert(state, numbers, 0)));
        }
    }
}
