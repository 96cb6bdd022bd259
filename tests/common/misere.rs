//! Misère play by the rules as worded: sums of boards and nim heaps, one move after another.

use std::collections::HashMap;

use seedbank::board::AnyBoard;
use seedbank::engine::Ending;
use seedbank::game::{Game, Play, Player};

/// Boards and nim heaps, with a player to move.
type State = (Vec<AnyBoard>, Vec<u32>, Player);

/// Finds how misère play of one game ends.
pub(crate) struct Misere {
    game: Game,
    play: Play,
    found: HashMap<State, Ending>,
}

impl Misere {
    pub(crate) fn new(game: Game, play: Play) -> Misere {
        Misere {
            game,
            play,
            found: HashMap::new(),
        }
    }

    /// How play of a sum ends for Left where Left moves first and for Right where Right does.
    pub(crate) fn endings(&mut self, boards: &[AnyBoard], heaps: &[u32]) -> [Ending; 2] {
        Player::BOTH.map(|player| self.ending((boards.to_vec(), heaps.to_vec(), player)))
    }

    /// The nim heap beside which the boards and heaps are lost for the player to move.
    pub(crate) fn nim_value(&mut self, board: &AnyBoard, heaps: &[u32]) -> u32 {
        let boards = [board.clone()];
        let mut is_lost =
            |heap: &u32| self.endings(&boards, &[heaps, &[*heap]].concat())[0] == Ending::Loss;
        (0..).find(|heap| is_lost(heap)).expect("some heap loses")
    }

    /// Looks at all states that can be reached, one move further each time, until nothing changes.
    fn ending(&mut self, root: State) -> Ending {
        if let Some(&known) = self.found.get(&root) {
            return known;
        }
        let mut states = vec![root.clone()];
        let mut places = HashMap::from([(root, 0)]);
        let mut moves: Vec<Vec<usize>> = Vec::new();
        while moves.len() < states.len() {
            let options = self.options(&states[moves.len()]);
            let options = options.into_iter().map(|option| {
                *places.entry(option.clone()).or_insert_with(|| {
                    states.push(option);
                    states.len() - 1
                })
            });
            let options = options.collect();
            moves.push(options);
        }
        let mut endings = vec![Ending::Draw; states.len()];
        loop {
            let mut has_changed = false;
            // Later states are often followers of earlier ones.
            for place in (0..states.len()).rev() {
                let options = || moves[place].iter().map(|&option| endings[option]);
                let ending = if moves[place].is_empty() || options().any(|of| of == Ending::Loss) {
                    Ending::Win
                } else if options().all(|of| of == Ending::Win) {
                    Ending::Loss
                } else {
                    Ending::Draw
                };
                has_changed |= std::mem::replace(&mut endings[place], ending) != ending;
            }
            if !has_changed {
                break;
            }
        }
        self.found
            .extend(states.into_iter().zip(endings.iter().copied()));
        endings[0]
    }

    fn options(&self, (boards, heaps, to_move): &State) -> Vec<State> {
        let next = to_move.opponent();
        let mut options = Vec::new();
        for (place, board) in boards.iter().enumerate() {
            for &player in self.play.movers(*to_move) {
                for option in self.game.literal_options(board, player) {
                    let mut boards = boards.clone();
                    boards[place] = option;
                    options.push((boards, heaps.clone(), next));
                }
            }
        }
        for (place, &heap) in heaps.iter().enumerate() {
            for left in 0..heap {
                let mut heaps = heaps.clone();
                heaps[place] = left;
                options.push((boards.clone(), heaps, next));
            }
        }
        options
    }
}
