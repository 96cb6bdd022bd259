//! The moves of a heap game as masks over the number of tokens taken.
//!
//! What a move may leave depends on how many tokens it takes. For up to 64 tokens this is one bit a
//! number of parts, so that all single heaps that can be left are tested against recent values by one
//! AND; longer moves, which are rare, are listed.

use crate::game::heap::HeapGame;

/// What moves may leave, by the tokens that they take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    /// Bit `k - 1` of `near[s]`: taking `k` tokens may leave `s` parts, for `k` from 1 to 64.
    pub(super) near: [u64; 4],
    /// The tokens taken and the digit, for moves that take more than 64.
    pub(super) far: Vec<(usize, u8)>,
    /// The digit for taking none: 4 where a heap may be split in two, 8 where in three.
    pub(super) whole: u8,
    /// Whether the two parts of a split must differ, as in Grundy's game.
    pub(super) distinct: bool,
    /// The most tokens that a move leaving `s` parts takes, where there is such a move.
    pub(super) taken_max: [Option<usize>; 4],
}

impl Moves {
    /// Returns the moves of a game.
    pub(super) fn new(game: &HeapGame) -> Moves {
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
    pub(super) fn set_digits(&mut self, digits: &[u8]) {
        self.near = [0; 4];
        self.far.clear();
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
                self.near[parts] |= 1 << (k - 1);
            }
        }
        match k {
            0 => self.whole |= digit,
            65.. if digit != 0 => self.far.push((k, digit)),
            _ => {}
        }
    }

    /// Returns all moves as tokens taken and digit.
    pub(super) fn digits(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let digit = |k: usize| (0..4).fold(0, |d, s| d | ((self.near[s] >> k & 1) as u8) << s);
        let near = (0..64).map(move |k| (k + 1, digit(k)));
        let all = std::iter::once((0, self.whole)).chain(near);
        all.filter(|&(_, digit)| digit != 0)
            .chain(self.far.iter().copied())
    }

    /// Returns the most parts that a move may leave; 0 where no move leaves a heap.
    pub(super) fn parts_max(&self) -> usize {
        (1..4)
            .rev()
            .find(|&parts| self.taken_max[parts].is_some())
            .unwrap_or(0)
    }

    /// Returns whether a heap of `n` has an option.
    pub(super) fn has_option(&self, n: usize) -> bool {
        if self.distinct {
            return n >= 3;
        }
        self.digits().any(|(k, digit)| {
            let leaves = |s: usize| digit >> s & 1 != 0 && n >= k + s;
            (digit & 1 != 0 && n == k) || (1..4).any(leaves)
        })
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
                assert_eq!(
                    moves.has_option(n),
                    game.options(n).next().is_some(),
                    "{game} {n}"
                );
            }
        }
    }
}
