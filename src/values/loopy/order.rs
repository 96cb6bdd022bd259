//! The order of loopy games, by games of two components.
//!
//! `g >= h` holds if Left, moving second, survives `g - h`: Left never lacks a move. A state of the solver is a pair of positions
//! `(g, h)` with a player to move, who moves in `g` or, by the other player's move, in `h`.
//!
//! For stoppers every infinite play is survived. Onsides are compared as games of which Left wins the infinite plays: Left
//! survives an infinite play of `g - h` if it has infinitely many moves in `g`, since all others have infinitely many in `-h`
//! alone, which Right then wins. That is a Büchi condition, solved by its fixed point. Both rules agree on stoppers.
//!
//! Sources: *Winning Ways*, chapter 11; Siegel, *Combinatorial Game Theory*, chapter VI.

use hashbrown::HashMap;

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{LEFT, LoopyGraph, RIGHT, Target};

/// The comparisons of stoppers at which they are forgotten, of some 40 bytes each.
const SURVIVED_MAX: usize = 1 << 20;

/// Two positions and the player to move.
type State = (Target, Target, usize);

/// Whether Left survives, by state.
pub(super) type Survived = HashMap<State, bool, foldhash::fast::RandomState>;

/// How infinite plays end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infinite {
    /// Left survives them.
    Survived,
    /// Left survives those with infinitely many moves in the first component.
    InFirst,
}

/// The states that a comparison depends on, and the moves between them.
#[derive(Default)]
struct Plays {
    states: Vec<State>,
    /// What is known of each state from the start.
    known: Vec<Option<bool>>,
    /// The place in `moves` at which each state's begin, and the end of the last.
    starts: Vec<u32>,
    /// The state after each move, and whether it is a move in the first component.
    moves: Vec<(u32, bool)>,
}

/// A graph with what is known of its pairs.
pub(super) struct Order<'g> {
    pub(super) graph: &'g LoopyGraph,
    pub(super) infinite: Infinite,
    pub(super) survived: Survived,
}

impl<'g> Order<'g> {
    pub(super) fn new(graph: &'g LoopyGraph, infinite: Infinite) -> Order<'g> {
        Order {
            graph,
            infinite,
            survived: Survived::default(),
        }
    }

    /// Returns whether `g >= h`.
    pub(super) fn ge(
        &mut self,
        c: &mut LoopyCalculator<'_>,
        g: Target,
        h: Target,
    ) -> Result<bool, LoopyError> {
        self.survives(c, (g, h, RIGHT))
    }

    /// Returns whether Left survives the difference of two positions with a player to move.
    pub(super) fn survives(
        &mut self,
        c: &mut LoopyCalculator<'_>,
        root: State,
    ) -> Result<bool, LoopyError> {
        if let Some(known) = self.known(c, root) {
            c.step()?;
            return Ok(known);
        }
        if c.survived.len() > SURVIVED_MAX {
            c.survived.clear();
        }
        let plays = self.explore(c, root)?;
        // A comparison of short forms cannot fail.
        c.calculator.check_steps()?;
        let survived = plays.solve(self.infinite);
        for (state, survived) in plays.states.into_iter().zip(survived) {
            match state {
                (Target::Form(g), Target::Form(h), to_move) => {
                    c.survived.insert((g, h, to_move), survived);
                }
                state => {
                    self.survived.insert(state, survived);
                }
            }
        }
        let known = self.known(c, root);
        Ok(known.expect("the root is one of the states"))
    }

    fn known(&self, c: &mut LoopyCalculator<'_>, state: State) -> Option<bool> {
        match state {
            (Target::Form(g), Target::Form(h), to_move) => c.known(g, h, to_move),
            state => self.survived.get(&state).copied(),
        }
    }

    /// Returns the states that follow a state, with their moves. Those of known states are left out.
    fn explore(&self, c: &mut LoopyCalculator<'_>, root: State) -> Result<Plays, LoopyError> {
        let mut places: HashMap<State, u32, foldhash::fast::RandomState> = HashMap::default();
        places.insert(root, 0);
        let mut plays = Plays {
            states: vec![root],
            ..Plays::default()
        };
        let mut next = Vec::new();
        while plays.known.len() < plays.states.len() {
            let (g, h, to_move) = plays.states[plays.known.len()];
            plays.starts.push(plays.moves.len() as u32);
            next.clear();
            c.each_option(self.graph, g, to_move, |option| {
                next.push((option, h, true))
            });
            // Left moves in -h as Right does in h.
            c.each_option(self.graph, h, 1 - to_move, |option| {
                next.push((g, option, false))
            });
            let start = plays.moves.len();
            // Of a move to a known state the mover either has what the mover wants, or does not make it.
            let mut is_settled = false;
            next.retain(|&(g, h, _)| match self.known(c, (g, h, 1 - to_move)) {
                Some(survived) => {
                    is_settled |= survived == (to_move == LEFT);
                    false
                }
                None => true,
            });
            if !is_settled {
                for &(g, h, in_first) in &next {
                    let place = *places.entry((g, h, 1 - to_move)).or_insert_with(|| {
                        plays.states.push((g, h, 1 - to_move));
                        plays.states.len() as u32 - 1
                    });
                    plays.moves.push((place, in_first));
                }
            }
            let known = match () {
                () if is_settled => Some(to_move == LEFT),
                () if plays.moves.len() == start => Some(to_move == RIGHT),
                () => None,
            };
            plays.known.push(known);
            c.check(plays.known.len())?;
        }
        plays.starts.push(plays.moves.len() as u32);
        Ok(plays)
    }
}

impl Plays {
    /// Returns whether Left survives, for each state.
    fn solve(&self, infinite: Infinite) -> Vec<bool> {
        let before = self.before();
        match infinite {
            // Who does not survive is lost after finitely many moves.
            Infinite::Survived => {
                let lost = self.forced(&before, RIGHT, &|_, _| false);
                lost.into_iter().map(|lost| !lost).collect()
            }
            // The greatest set from which Left can force a move in the first component into the set.
            Infinite::InFirst => {
                let mut set = vec![true; self.states.len()];
                loop {
                    let forced =
                        self.forced(&before, LEFT, &|next, in_first| in_first && set[next]);
                    if forced == set {
                        return set;
                    }
                    set = forced;
                }
            }
        }
    }

    /// Returns the states from which a player can force, within finitely many moves, a move that is good or a state that is
    /// known to be won by this player.
    fn forced(
        &self,
        before: &[Vec<(u32, bool)>],
        player: usize,
        is_good: &dyn Fn(usize, bool) -> bool,
    ) -> Vec<bool> {
        let mut forced = vec![false; self.states.len()];
        // The moves of the other player that are not good for this one.
        let mut escapes = vec![0; self.states.len()];
        let mut open = Vec::new();
        for place in 0..self.states.len() {
            let moves = &self.moves[self.starts[place] as usize..self.starts[place + 1] as usize];
            let mut good = moves
                .iter()
                .map(|&(next, in_first)| is_good(next as usize, in_first));
            let is_forced = match self.known[place] {
                Some(survived) => survived == (player == LEFT),
                None if self.states[place].2 == player => good.any(|good| good),
                None => {
                    escapes[place] = good.filter(|good| !good).count();
                    escapes[place] == 0
                }
            };
            if is_forced {
                forced[place] = true;
                open.push(place);
            }
        }
        while let Some(place) = open.pop() {
            for &(earlier, in_first) in &before[place] {
                let earlier = earlier as usize;
                if forced[earlier] || self.known[earlier].is_some() {
                    continue;
                }
                if self.states[earlier].2 != player {
                    if is_good(place, in_first) {
                        continue;
                    }
                    escapes[earlier] -= 1;
                    if escapes[earlier] > 0 {
                        continue;
                    }
                }
                forced[earlier] = true;
                open.push(earlier);
            }
        }
        forced
    }

    /// Returns the moves that lead to each state, by the state before.
    fn before(&self) -> Vec<Vec<(u32, bool)>> {
        let mut before = vec![Vec::new(); self.states.len()];
        for place in 0..self.states.len() {
            for &(next, in_first) in
                &self.moves[self.starts[place] as usize..self.starts[place + 1] as usize]
            {
                before[next as usize].push((place as u32, in_first));
            }
        }
        before
    }
}
