//! What a heap game allows, arranged for engines: which numbers may be taken to leave how many heaps.

use crate::game::heap::HeapGame;

/// The moves of a game in which a heap is split in two at most, or in three.
///
/// Each list ascends. `n` tokens less a number in `none` may leave nothing, and so on.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// What may be taken to leave nothing.
    pub(super) none: Vec<usize>,
    /// What may be taken to leave one heap.
    pub(super) one: Vec<usize>,
    /// What may be taken to leave two heaps.
    pub(super) two: Vec<usize>,
    /// What may be taken to leave three heaps.
    pub(super) three: Vec<usize>,
    /// Whether two heaps that are left must differ in size.
    pub(super) unequal: bool,
    /// The most tokens that a move may take.
    pub(super) taken_max: usize,
}

impl Moves {
    pub(super) fn new(game: &HeapGame) -> Moves {
        let mut moves = Moves {
            none: Vec::new(),
            one: Vec::new(),
            two: Vec::new(),
            three: Vec::new(),
            unequal: false,
            taken_max: game.taken_max(),
        };
        match game {
            HeapGame::Code(code) => {
                for (taken, digit) in code.digits().iter().enumerate() {
                    let lists = [
                        &mut moves.none,
                        &mut moves.one,
                        &mut moves.two,
                        &mut moves.three,
                    ];
                    for (bit, list) in lists.into_iter().enumerate() {
                        if digit >> bit & 1 == 1 {
                            list.push(taken);
                        }
                    }
                }
            }
            HeapGame::Grundy => {
                moves.two.push(0);
                moves.unequal = true;
            }
            HeapGame::Subtraction(set) => {
                moves.none = set.numbers().to_vec();
                moves.one = set.numbers().to_vec();
            }
        }
        moves
    }

    /// Returns how many ways there are to make two heaps of `l` tokens: the smaller of the two has 1 to
    /// that many tokens.
    pub(super) fn pairs(&self, l: usize) -> usize {
        if self.unequal {
            l.saturating_sub(1) / 2
        } else {
            l / 2
        }
    }
}
