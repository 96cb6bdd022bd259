//! The options of one heap, straight from the rules.
//!
//! Every engine is tested against this definition, so it is written for clarity. For each digit a
//! heap of `n` tokens has O(n) options by the bit 4 and O(n^2) by the bit 8.
//!
//! Order: fewer tokens taken first, then fewer parts, then by the parts, ascending. Each option
//! occurs once, with its parts in ascending order.

use super::{Code, HeapGame};

/// The heaps that a move leaves of one heap: none, or up to three of at least one token, ascending.
///
/// ```
/// use cggames::game::heap::Parts;
///
/// let parts = Parts::from([1, 4]);
/// assert_eq!(parts.as_slice(), [1, 4]);
/// assert_eq!(parts.tokens(), 5);
/// assert_eq!(Parts::from([]).to_string(), "0");
/// assert_eq!(parts.to_string(), "1 + 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parts {
    length: u8,
    sizes: [usize; 3],
}

impl Parts {
    /// Returns the sizes of the remaining heaps, ascending.
    pub fn as_slice(&self) -> &[usize] {
        &self.sizes[..usize::from(self.length)]
    }

    /// Returns the total number of tokens.
    pub fn tokens(&self) -> usize {
        self.as_slice().iter().sum()
    }
}

macro_rules! from_array {
    ($($length:literal),*) => {$(
        impl From<[usize; $length]> for Parts {
            /// Makes parts of these sizes, in any order; sizes of 0 are left out.
            fn from(sizes: [usize; $length]) -> Parts {
                let mut parts = Parts { length: 0, sizes: [0; 3] };
                for size in sizes.into_iter().filter(|&size| size > 0) {
                    parts.sizes[usize::from(parts.length)] = size;
                    parts.length += 1;
                }
                parts.sizes[..usize::from(parts.length)].sort_unstable();
                parts
            }
        }
    )*};
}

from_array!(0, 1, 2, 3);

impl std::fmt::Display for Parts {
    /// Writes `1 + 4`, or `0` if no heap is left.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some((first, others)) = self.as_slice().split_first() else {
            return f.write_str("0");
        };
        write!(f, "{first}")?;
        others.iter().try_for_each(|size| write!(f, " + {size}"))
    }
}

/// The options of one heap, from [`HeapGame::options`].
pub struct Options<'a>(Box<dyn Iterator<Item = Parts> + 'a>);

impl Iterator for Options<'_> {
    type Item = Parts;

    fn next(&mut self) -> Option<Parts> {
        self.0.next()
    }
}

impl HeapGame {
    /// Returns the options of a heap of `n` tokens, each once: fewer tokens taken first, then fewer
    /// parts, then smaller first parts.
    ///
    /// All options of a heap of 4 in Kayles, 0.77, where one token or two may be taken and the rest
    /// may be split in two:
    ///
    /// ```
    /// use cggames::game::heap::HeapGame;
    ///
    /// let kayles: HeapGame = "kayles".parse()?;
    /// let options: Vec<String> = kayles.options(4).map(|o| o.to_string()).collect();
    /// assert_eq!(options, ["3", "1 + 2", "2", "1 + 1"]);
    /// # Ok::<(), cggames::game::heap::HeapGameError>(())
    /// ```
    pub fn options(&self, n: usize) -> Options<'_> {
        Options(match self {
            HeapGame::Code(code) => Box::new(code_options(code, n)),
            HeapGame::Grundy => Box::new(pairs(n).filter(|p| p.sizes[0] != p.sizes[1])),
            HeapGame::Subtraction(set) => {
                let takeable = set.numbers().iter().filter(move |&&taken| taken <= n);
                Box::new(takeable.map(move |&taken| Parts::from([n - taken])))
            }
        })
    }
}

/// Returns the options of a heap of `n` under a code.
fn code_options(code: &Code, n: usize) -> impl Iterator<Item = Parts> + '_ {
    (0..=code.taken_max().min(n)).flat_map(move |taken| {
        let digit = code.digit(taken);
        let left = n - taken;
        let none = (digit & 1 != 0 && left == 0).then(|| Parts::from([]));
        let one = (digit & 2 != 0 && left > 0).then(|| Parts::from([left]));
        let two = (digit & 4 != 0).then(|| pairs(left));
        let three = (digit & 8 != 0).then(|| triples(left));
        none.into_iter()
            .chain(one)
            .chain(two.into_iter().flatten())
            .chain(three.into_iter().flatten())
    })
}

/// Returns all ways to split `n` tokens into two heaps.
fn pairs(n: usize) -> impl Iterator<Item = Parts> {
    (1..=n / 2).map(move |a| Parts::from([a, n - a]))
}

/// Returns all ways to split `n` tokens into three heaps.
fn triples(n: usize) -> impl Iterator<Item = Parts> {
    (1..=n / 3).flat_map(move |a| (a..=(n - a) / 2).map(move |b| Parts::from([a, b, n - a - b])))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn options(game: &str, n: usize) -> Vec<String> {
        let game: HeapGame = game.parse().expect("a game");
        game.options(n).map(|option| option.to_string()).collect()
    }

    #[test]
    fn every_bit_of_every_digit_allows_what_it_says() {
        assert_eq!(options("0.1", 1), ["0"]);
        assert_eq!(options("0.1", 2), [""; 0]);
        assert_eq!(options("0.2", 1), [""; 0]);
        assert_eq!(options("0.2", 2), ["1"]);
        assert_eq!(options("0.4", 2), [""; 0]);
        assert_eq!(options("0.4", 3), ["1 + 1"]);
        assert_eq!(options("0.4", 5), ["1 + 3", "2 + 2"]);
        assert_eq!(options("0.8", 3), [""; 0]);
        assert_eq!(options("0.8", 4), ["1 + 1 + 1"]);
        assert_eq!(options("0.8", 7), ["1 + 1 + 4", "1 + 2 + 3", "2 + 2 + 2"]);
        assert_eq!(options("4.0", 4), ["1 + 3", "2 + 2"]);
        assert_eq!(options("8.0", 3), ["1 + 1 + 1"]);
        assert_eq!(options("0.0F", 5), ["3", "1 + 2", "1 + 1 + 1"]);
        assert_eq!(options("0.F", 0), [""; 0]);
    }

    #[test]
    fn other_games_follow_their_rules() {
        assert_eq!(options("grundy", 2), [""; 0]);
        assert_eq!(options("grundy", 3), ["1 + 2"]);
        assert_eq!(options("grundy", 6), ["1 + 5", "2 + 4"]);
        assert_eq!(options("subtraction(1,3,4)", 3), ["2", "0"]);
        assert_eq!(options("subtraction(1,3,4)", 9), ["8", "6", "5"]);
    }

    #[test]
    fn options_come_once_and_make_play_end() {
        for game in ["C.F0F", "4.7", "0.FFF", "grundy", "subtraction(2,3)"] {
            let game: HeapGame = game.parse().expect("a game");
            for n in 0..25 {
                let all: Vec<Parts> = game.options(n).collect();
                assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
                for option in all {
                    assert!(option.as_slice().is_sorted());
                    assert!(option.as_slice().iter().all(|&part| part > 0 && part < n));
                    assert!(option.tokens() <= n);
                }
            }
        }
    }

    #[test]
    fn a_subtraction_set_is_a_code_of_threes() {
        for n in 0..20 {
            assert_eq!(options("subtraction(1,3,4)", n), options("0.3033", n));
        }
    }
}
