//! A lossy memo of simplifications: the canonical forms of recent games by their lists of options.
//!
//! Most rows of Atomic Wari have the options of some earlier row, up to order and duplicates; of the
//! followers of Sowing `1^13` only a quarter do. So the memo rests while it finds little.

use crate::ValueId;

/// The most options of a game in the memo, so that an entry is a cache line.
const OPTIONS_MAX: usize = 14;

/// Entries of 64 bytes each.
// PERF: all 19 million partisan rows of Atomic Wari with at most 13 pots and 16 seeds, and their
// followers, take 38.5 CPU s without the memo, 34.6 with 2^12 entries, 32.7 with 2^15 and 31.8 with
// 2^16.
const ENTRIES: usize = 1 << 15;

/// The lookups after which the memo rests, unless half of them or more found a form.
const TRIAL: u32 = 1 << 10;

/// The games that are simplified while it rests.
const REST: u32 = 64 * TRIAL;

/// The forms of some recent games. The first trial comes after a rest, so that a calculator with
/// little to do needs no entries.
pub(super) struct ListMemo {
    entries: Box<[Entry]>,
    /// The games left until the next trial.
    resting: u32,
    /// The lookups of this trial, and how many of them found a form.
    looked_up: u32,
    found: u32,
}

#[derive(Clone)]
#[repr(align(64))]
struct Entry {
    lists: Lists,
    form: ValueId,
}

/// The distinct options of a game: one more than 256 times the number of Left's plus the number of
/// all, then Left's in order, Right's in order, and zeros.
#[derive(Clone, PartialEq, Eq)]
struct Lists([u32; OPTIONS_MAX + 1]);

/// A game that the memo lacks, and its place there.
pub(super) struct Unknown {
    lists: Lists,
    place: usize,
}

impl Default for ListMemo {
    fn default() -> ListMemo {
        ListMemo {
            entries: Box::default(),
            resting: REST,
            looked_up: 0,
            found: 0,
        }
    }
}

impl ListMemo {
    /// Returns the form of the game with these options, or else its place: none if it has many
    /// options, or the memo rests. Unless it rests, the lists are sorted and lose their duplicates.
    #[inline]
    pub(super) fn form(
        &mut self,
        left: &mut Vec<ValueId>,
        right: &mut Vec<ValueId>,
    ) -> Result<ValueId, Option<Unknown>> {
        if self.resting > 0 {
            self.resting -= 1;
            return Err(None);
        }
        self.look_up(left, right)
    }

    // PERF: inlined, it takes 3 to 5 % of the time of searches in which the memo rests.
    #[inline(never)]
    fn look_up(
        &mut self,
        left: &mut Vec<ValueId>,
        right: &mut Vec<ValueId>,
    ) -> Result<ValueId, Option<Unknown>> {
        if self.looked_up == TRIAL {
            if self.found < TRIAL / 2 {
                self.resting = REST;
            }
            (self.looked_up, self.found) = (0, 0);
        }
        self.looked_up += 1;
        for list in [&mut *left, &mut *right] {
            list.sort_unstable();
            list.dedup();
        }
        let (lists, place) = Lists::of(left, right).ok_or(None)?;
        if self.entries.is_empty() {
            let empty = Entry {
                lists: Lists([0; OPTIONS_MAX + 1]),
                form: ValueId::ZERO,
            };
            self.entries = vec![empty; ENTRIES].into_boxed_slice();
        }
        let entry = &self.entries[place];
        if entry.lists != lists {
            return Err(Some(Unknown { lists, place }));
        }
        self.found += 1;
        Ok(entry.form)
    }

    #[inline]
    pub(super) fn insert(&mut self, game: Unknown, form: ValueId) {
        let Unknown { lists, place } = game;
        self.entries[place] = Entry { lists, form };
    }
}

impl Lists {
    /// Returns sorted lists, if there is room for them, and their place.
    fn of(left: &[ValueId], right: &[ValueId]) -> Option<(Lists, usize)> {
        let options = left.len() + right.len();
        if options > OPTIONS_MAX {
            return None;
        }
        let mut words = [0; OPTIONS_MAX + 1];
        words[0] = (1 + left.len() * 256 + options) as u32;
        for (word, option) in words[1..].iter_mut().zip(left.iter().chain(right)) {
            *word = option.to_raw();
        }
        let mix = |mixed: u64, &word: &u32| {
            (mixed.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mixed = words[..=options].iter().fold(0, mix);
        Some((Lists(words), (mixed >> 32) as usize % ENTRIES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Calculator};

    /// Simplifies games whose lists are drawn from some options, and compares each form with that of
    /// a calculator whose memo rests.
    fn agrees(calculator: &mut Calculator<'_>, options: &[ValueId], games: u32) {
        assert!(games < REST);
        let mut resting = calculator.arena().calculator();
        let mut random = fastrand::Rng::with_seed(20_261_128);
        for _ in 0..games {
            let mut list = || -> Vec<ValueId> {
                let len = random.usize(..10);
                (0..len)
                    .map(|_| options[random.usize(..options.len())])
                    .collect()
            };
            let (left, right) = (list(), list());
            let form = calculator.canonical(&mut left.clone(), &mut right.clone());
            let expected = resting.canonical(&mut left.clone(), &mut right.clone());
            assert_eq!(form, expected, "{left:?} {right:?}");
        }
        assert!(resting.lists.entries.is_empty());
    }

    #[test]
    fn a_remembered_form_is_the_form() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        calculator.lists.resting = 0;
        let options: Vec<ValueId> = (0..16)
            .map(|n| calculator.nimber(n).expect("a small form"))
            .collect();
        // Two options make few lists, of which some have others up to order as Left's or as Right's.
        agrees(&mut calculator, &options[..2], TRIAL);
        let lists = &calculator.lists;
        assert!(lists.found > TRIAL / 2 && lists.resting == 0);
        agrees(&mut calculator, &options, TRIAL);
        // Lists of that many options seldom recur.
        agrees(&mut calculator, &options, 2);
        assert_eq!(calculator.lists.resting, REST - 1);
    }
}
