//! The moves of a heap game, by the number of tokens taken.
//!
//! The possible results of a move depend on that number alone. [`Moves`] has one bit for each
//! number up to 64, so that one AND tests all single heaps that can be left against recent values.
//! Moves that take more are rare and listed separately. [`MoveLists`] lists all numbers, for
//! engines that iterate over them.

use cggames::game::heap::HeapGame;

/// The possible results of moves, by the number of tokens taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    /// Bit `k - 1` of `short[s]`: taking `k` tokens may leave `s` parts, for `k` from 1 to 64.
    pub(crate) short: [u64; 4],
    /// The tokens taken and the digit, for moves that take more than 64.
    pub(crate) long: Vec<(usize, u8)>,
    /// The digit for taking none, a sum of 4 if a heap may be split in two and 8 if in three.
    pub(crate) whole: u8,
    /// Whether the two parts of a split must differ, as in Grundy's game.
    pub(crate) distinct: bool,
    /// The most tokens taken by a move that leaves `s` parts, if there is such a move.
    pub(crate) taken_max: [Option<usize>; 4],
}

impl Moves {
    /// Returns the moves of a game.
    pub(crate) fn new(game: &HeapGame) -> Moves {
        let mut moves = Moves::default();
        match game {
            HeapGame::Code(code) => moves.set_digits(code.digits()),
            HeapGame::Grundy => {
                moves.add(0, 4);
                moves.distinct = true;
            }
            HeapGame::Subtraction(set) => set.numbers().iter().for_each(|&k| moves.add(k, 3)),
        }
        moves
    }

    /// Replaces the moves by those of a code with these digits, the one before the point first.
    pub(crate) fn set_digits(&mut self, digits: &[u8]) {
        self.short = [0; 4];
        self.long.clear();
        (self.whole, self.distinct, self.taken_max) = (0, false, [None; 4]);
        digits
            .iter()
            .enumerate()
            .for_each(|(k, &digit)| self.add(k, digit));
    }

    /// Adds the moves of a digit for taking `k` tokens.
    fn add(&mut self, k: usize, digit: u8) {
        for parts in (0..4).filter(|parts| digit >> parts & 1 != 0) {
            self.taken_max[parts] = self.taken_max[parts].max(Some(k));
            if (1..=64).contains(&k) {
                self.short[parts] |= 1 << (k - 1);
            }
        }
        match k {
            0 => self.whole |= digit,
            65.. if digit != 0 => self.long.push((k, digit)),
            _ => {}
        }
    }

    /// Returns all moves as tokens taken and digit.
    pub(crate) fn digits(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let digit = |k: usize| (0..4).fold(0, |d, s| d | ((self.short[s] >> k & 1) as u8) << s);
        let near = (0..64).map(move |k| (k + 1, digit(k)));
        let all = std::iter::once((0, self.whole)).chain(near);
        all.filter(|&(_, digit)| digit != 0)
            .chain(self.long.iter().copied())
    }

    /// Returns the most parts that a move may leave; 0 if no move leaves a heap.
    pub(crate) fn parts_max(&self) -> usize {
        (1..4)
            .rev()
            .find(|&parts| self.taken_max[parts].is_some())
            .unwrap_or(0)
    }

    /// Returns whether a heap of `n` has an option.
    pub(crate) fn has_option(&self, n: usize) -> bool {
        if self.distinct {
            return n >= 3;
        }
        self.digits().any(|(k, digit)| {
            let leaves = |s: usize| digit >> s & 1 != 0 && n >= k + s;
            (digit & 1 != 0 && n == k) || (1..4).any(leaves)
        })
    }
}

/// The numbers of tokens that moves may take, ascending, by the number of heaps left.
#[derive(Clone, Debug)]
pub(crate) struct MoveLists {
    pub(crate) none: Vec<usize>,
    pub(crate) one: Vec<usize>,
    pub(crate) two: Vec<usize>,
    pub(crate) three: Vec<usize>,
    /// Whether two heaps that are left must differ in size.
    distinct: bool,
    /// The most tokens that a move takes.
    pub(crate) taken_max: usize,
}

impl MoveLists {
    /// Returns the moves of a game.
    pub(crate) fn new(game: &HeapGame) -> MoveLists {
        let moves = Moves::new(game);
        let taken = |parts: usize| {
            let digits = moves.digits();
            let digits = digits.filter(move |&(_, digit)| digit >> parts & 1 == 1);
            digits.map(|(taken, _)| taken).collect()
        };
        MoveLists {
            none: taken(0),
            one: taken(1),
            two: taken(2),
            three: taken(3),
            distinct: moves.distinct,
            taken_max: moves.taken_max.into_iter().flatten().max().unwrap_or(0),
        }
    }

    /// Returns a number of tokens with the parity of all numbers that moves to two heaps may take,
    /// if these are all even or all odd.
    pub(crate) fn parity_of_splits(&self) -> Option<usize> {
        let first = self.two.first()? % 2;
        let is_same = |taken: &usize| taken % 2 == first;
        self.two.iter().all(is_same).then_some(first)
    }

    /// Returns the number of ways to split `l` tokens into two heaps, the greatest size of the
    /// smaller one.
    pub(crate) fn pairs(&self, l: usize) -> usize {
        if self.distinct {
            l.saturating_sub(1) / 2
        } else {
            l / 2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_agree_with_the_literal_options() {
        for game in [
            "0.77",
            "C.0F",
            "0.1",
            "0.0",
            "4.0",
            "grundy",
            "subtraction(2,70)",
            "0.00008",
        ] {
            let game: HeapGame = game.parse().expect("a game");
            let moves = Moves::new(&game);
            let most = (0..100)
                .flat_map(|n| game.options(n).map(|o| o.as_slice().len()))
                .max();
            assert_eq!(moves.parts_max(), most.unwrap_or(0), "{game}");
            for n in 0..100 {
                let lists = MoveLists::new(&game);
                let whole = lists.none.contains(&n) as usize;
                let one = lists.one.iter().filter(|&&taken| taken < n).count();
                let two = lists
                    .two
                    .iter()
                    .map(|taken| lists.pairs(n.saturating_sub(*taken)));
                let less = game.options(n).filter(|option| option.as_slice().len() < 3);
                assert_eq!(whole + one + two.sum::<usize>(), less.count(), "{game} {n}");
                assert_eq!(
                    moves.has_option(n),
                    game.options(n).next().is_some(),
                    "{game} {n}"
                );
            }
        }
    }
}
