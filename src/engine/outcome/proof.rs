//! The search: depth-first proof-number search.
//!
//! This is Nagai's depth-first version of proof-number search (df-pn, 2002). A state has two
//! numbers: lower bounds on the number of states to settle before its mover is proved to win (the
//! proof number) and proved to lose (the disproof number). One good option is enough to win, so the
//! proof number is the least of the options' disproof numbers. To lose takes all options, so the
//! disproof number is the sum of their proof numbers. The search descends into the option with the
//! least disproof number, and stays there until the numbers have grown so much that another option
//! seems better. The table holds the numbers of states that it has left.
//!
//! An unvisited state is estimated as harder to win the more moves the opponent has, and as harder
//! to lose the more moves the mover has. A move in the nim heap is an option like any other.
//!
//! Plain depth-first search that tries the option with the fewest replies first visits 3.2 M states
//! for Sowing `1^15 = *`; this search visits 0.9 M. Each further seed multiplies the number by
//! three here, and by four there.

use super::table::{NEVER, NumberTable, Numbers, State};
use crate::board::PositionError;
use crate::engine::{Control, StopReason};
use crate::game::{Play, Player, Ruleset};

/// The inverse of epsilon in the 1 + epsilon trick: the search leaves an option once its number
/// exceeds the second best option's by this fraction. Proving that Sowing `1^14` is `*` took 0.52 M
/// expansions of 0.34 M states with a fourth; with a half 0.57 M of 0.44 M, with a sixteenth 0.75 M
/// of 0.36 M, and with epsilon 0 0.84 M of 0.31 M (measured with another estimate).
const EPSILON_INVERSE: u32 = 4;

/// The number of states expanded between two checks of the stop flag.
const STATES_A_CHECK: u64 = 256;

/// The limits of a search.
#[derive(Clone, Copy)]
pub(super) struct Limits<'c> {
    /// The most bytes of table and stack.
    pub(super) bytes_max: usize,
    /// The most options generated.
    pub(super) options_max: usize,
    /// The stop flag and the count of positions, for long searches.
    pub(super) control: Option<&'c Control>,
}

/// The reason why a search ended without an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Halt {
    /// A follower is too large.
    Position(PositionError),
    /// The search was stopped.
    Stopped(StopReason),
    /// The limit of options was reached.
    Options,
    /// Table and stack reached the memory limit.
    Memory,
}

impl From<PositionError> for Halt {
    fn from(error: PositionError) -> Halt {
        Halt::Position(error)
    }
}

/// A search for the winner of states, with a table of the states seen.
pub(super) struct ProofSearch<'r, R> {
    ruleset: &'r R,
    play: Play,
    table: NumberTable,
    frames: Vec<Frame>,
    /// The options of all states on the path, in the order of the path.
    options: Vec<(State, Numbers)>,
    limits: Limits<'r>,
    options_left: usize,
    expanded: u64,
}

/// A state on the path.
struct Frame {
    state: State,
    /// The index of its first option.
    first: usize,
    /// The option that is being searched.
    chosen: usize,
    /// The numbers at which the search leaves the state.
    until: Numbers,
}

impl<'r, R: Ruleset> ProofSearch<'r, R> {
    pub(super) fn new(ruleset: &'r R, play: Play, limits: Limits<'r>) -> ProofSearch<'r, R> {
        ProofSearch {
            ruleset,
            play,
            table: NumberTable::default(),
            frames: Vec::new(),
            options: Vec::new(),
            limits,
            options_left: limits.options_max,
            expanded: 0,
        }
    }

    pub(super) fn play(&self) -> Play {
        self.play
    }

    /// Returns the number of states in the table.
    pub(super) fn states(&self) -> usize {
        self.table.len()
    }

    /// Returns the number of options that may still be generated.
    pub(super) fn options_left(&self) -> usize {
        self.options_left
    }

    /// Returns whether the player to move wins.
    pub(super) fn mover_wins(
        &mut self,
        position: &R::Position,
        heap: u8,
        mover: Player,
    ) -> Result<bool, Halt> {
        let state = self.state(position, heap, mover)?;
        let known = self.table.get(state).and_then(Numbers::settled);
        let result = match known {
            Some(wins) => Ok(wins),
            None => self.settle(state),
        };
        self.frames.clear();
        self.options.clear();
        result
    }

    fn settle(&mut self, root: State) -> Result<bool, Halt> {
        let unlimited = Numbers {
            proof: NEVER,
            disproof: NEVER,
        };
        self.expand(root, unlimited)?;
        loop {
            let frame = self.frames.last_mut().expect("the path begins at the root");
            let options = &self.options[frame.first..];
            let choice = choose(options);
            let Numbers { proof, disproof } = choice.numbers;
            if proof < frame.until.proof && disproof < frame.until.disproof {
                frame.chosen = frame.first + choice.best;
                let until = choice.until(options[choice.best].1, frame.until);
                let state = options[choice.best].0;
                self.expand(state, until)?;
                continue;
            }
            let numbers = choice.numbers;
            let Frame { state, first, .. } = self.frames.pop().expect("the frame just read");
            self.options.truncate(first);
            let bytes_max = self.limits.bytes_max.saturating_sub(self.stack_bytes());
            if !self.table.insert(state, numbers, bytes_max) {
                return Err(Halt::Memory);
            }
            match self.frames.last() {
                Some(parent) => self.options[parent.chosen].1 = numbers,
                None => {
                    return Ok(numbers
                        .settled()
                        .expect("the root is only left when it is settled"));
                }
            }
        }
    }

    /// Pushes a state on the path, with its options and their numbers.
    fn expand(&mut self, state: State, until: Numbers) -> Result<(), Halt> {
        self.check_stop()?;
        let ruleset = self.ruleset;
        let mut position = ruleset.position_of(state.key);
        if state.turned {
            position = ruleset.negative(&position);
        }
        let movers = movers(self.play, Player::Left);
        let first = self.options.len();
        let mut failed = None;
        let mut add = |option: &R::Position, heap| {
            let added = self.add_option(first, option, heap);
            failed = failed.take().or(added.err());
        };
        for &mover in movers {
            ruleset.each_option(&position, mover, &mut |option| add(option, state.heap))?;
        }
        for heap in 0..state.heap {
            add(&position, heap);
        }
        if let Some(error) = failed {
            return Err(error.into());
        }
        let generated = self.options.len() - first;
        if generated > self.options_left {
            return Err(Halt::Options);
        }
        self.options_left -= generated;
        // Rules with endless play would fill the stack.
        if self.table.bytes() + self.stack_bytes() > self.limits.bytes_max {
            return Err(Halt::Memory);
        }
        self.frames.push(Frame {
            state,
            first,
            chosen: first,
            until,
        });
        Ok(())
    }

    /// Adds an option to those of the last state, which start at `first`, unless it is among them.
    fn add_option(
        &mut self,
        first: usize,
        option: &R::Position,
        heap: u8,
    ) -> Result<(), PositionError> {
        let state = self.state(option, heap, Player::Right)?;
        if self.options[first..]
            .iter()
            .any(|&(other, _)| other == state)
        {
            return Ok(());
        }
        let numbers = match self.table.get(state) {
            Some(numbers) => numbers,
            None => self.estimate(option, heap)?,
        };
        self.options.push((state, numbers));
        Ok(())
    }

    /// Returns the estimated numbers of an unvisited state with Right to move on the position.
    fn estimate(&self, position: &R::Position, heap: u8) -> Result<Numbers, PositionError> {
        let count = |player| -> Result<u32, PositionError> {
            let counts = movers(self.play, player)
                .iter()
                .map(|&mover| self.ruleset.count_options(position, mover));
            Ok(counts.sum::<Result<usize, _>>()? as u32)
        };
        let moves = count(Player::Right)? + u32::from(heap);
        if moves == 0 {
            return Ok(Numbers::LOSS);
        }
        Ok(Numbers {
            proof: 1 + count(Player::Left)?,
            disproof: 1 + 2 * moves,
        })
    }

    fn stack_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.options.capacity() * size_of::<(State, Numbers)>()
    }

    fn state(
        &self,
        position: &R::Position,
        heap: u8,
        mover: Player,
    ) -> Result<State, PositionError> {
        let (key, negated) = self.ruleset.key(position)?;
        Ok(State {
            key,
            turned: self.play == Play::Partisan && (negated != (mover == Player::Right)),
            heap,
        })
    }

    /// Counts a state, and checks the stop flag from time to time.
    fn check_stop(&mut self) -> Result<(), Halt> {
        self.expanded += 1;
        if let Some(control) = self.limits.control
            && self.expanded.is_multiple_of(STATES_A_CHECK)
        {
            control.count_evaluated(STATES_A_CHECK);
            if let Some(reason) = control.stopped() {
                return Err(Halt::Stopped(reason));
            }
        }
        Ok(())
    }
}

/// Returns the players whose moves a player may make.
fn movers(play: Play, player: Player) -> &'static [Player] {
    match (play, player) {
        (Play::Impartial, _) => &Player::BOTH,
        (Play::Partisan, Player::Left) => &[Player::Left],
        (Play::Partisan, Player::Right) => &[Player::Right],
    }
}

/// The numbers of a state from its options, and the option to search next.
struct Choice {
    numbers: Numbers,
    /// The option with the least disproof number.
    best: usize,
    /// The disproof number of the second best option.
    second: u32,
}

impl Choice {
    /// Returns the thresholds for the best option: beyond them another option may be better, or the
    /// state itself must be left.
    fn until(&self, best: Numbers, state: Numbers) -> Numbers {
        let patient = self
            .second
            .saturating_add(1 + self.second / EPSILON_INVERSE);
        Numbers {
            proof: (state.disproof - self.numbers.disproof + best.proof).min(NEVER),
            disproof: state.proof.min(patient),
        }
    }
}

fn choose(options: &[(State, Numbers)]) -> Choice {
    let (mut best, mut second, mut sum) = (0, NEVER, 0u64);
    let mut least = Numbers::WIN;
    for (place, &(_, numbers)) in options.iter().enumerate() {
        sum += u64::from(numbers.proof);
        let order = |n: Numbers| (n.disproof, n.proof);
        if place == 0 || order(numbers) < order(least) {
            if place > 0 {
                second = least.disproof;
            }
            (best, least) = (place, numbers);
        } else {
            second = second.min(numbers.disproof);
        }
    }
    let numbers = match least.disproof {
        0 => Numbers::WIN,
        NEVER => Numbers::LOSS,
        // A saturated sum is still not a proof.
        proof => Numbers {
            proof,
            disproof: sum.min(u64::from(NEVER) - 1) as u32,
        },
    };
    Choice {
        numbers,
        best,
        second,
    }
}
