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
//! to lose the more moves the mover has. A move in the nim heap is an option like any other. Under misère play a player without
//! a move wins; nothing else differs.
//!
//! Plain depth-first search that tries the option with the fewest replies first visits 3.2 M states
//! for Sowing `1^15 = *`; this search visits 0.9 M. Each further seed multiplies the number by
//! three here, and by four there.

use cggames::board::PositionError;
use cggames::game::{Convention, Manner, Play, Player, Ruleset};

use super::sums::{Component, Sign, Sums, add_components};
use super::table::{NEVER, NumberTable, Numbers, State, Subject};
use crate::{Control, StopReason};

/// The inverse of epsilon in the 1 + epsilon trick: the search leaves an option once its number
/// exceeds the second best option's by this fraction. Proving that Sowing `1^14` is `*` took 0.52 M
/// expansions of 0.34 M states with a fourth; with a half 0.57 M of 0.44 M, with a sixteenth 0.75 M
/// of 0.36 M, and with epsilon 0 0.84 M of 0.31 M (measured with another estimate).
const EPSILON_INVERSE: u32 = 4;

/// The number of states expanded between two checks of the stop flag.
const STATES_A_CHECK: u64 = 256;

/// The limits of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchLimits<'c> {
    /// The most bytes of table and stack.
    pub(super) bytes_max: usize,
    /// The most options generated.
    pub(super) options_max: usize,
    /// The stop flag and the count of positions, for long searches.
    pub(super) control: Option<&'c Control>,
    /// Whether positions are played as the sums of their components. It costs short searches more
    /// than they gain.
    pub(super) splits: bool,
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
    manner: Manner,
    table: NumberTable,
    sums: Sums,
    frames: Vec<PathState>,
    /// The options of all states on the path, in the order of the path.
    options: Vec<(State, Numbers)>,
    limits: SearchLimits<'r>,
    options_left: usize,
    expanded: u64,
}

/// A state on the path.
struct PathState {
    state: State,
    /// The index of its first option.
    first: usize,
    /// The option that is being searched.
    chosen: usize,
    /// The numbers at which the search leaves the state.
    until: Numbers,
}

impl<'r, R: Ruleset> ProofSearch<'r, R> {
    pub(super) fn new(
        ruleset: &'r R,
        manner: Manner,
        limits: SearchLimits<'r>,
    ) -> ProofSearch<'r, R> {
        ProofSearch {
            ruleset,
            manner,
            table: NumberTable::default(),
            sums: Sums::default(),
            frames: Vec::new(),
            options: Vec::new(),
            limits,
            options_left: limits.options_max,
            expanded: 0,
        }
    }

    pub(super) fn play(&self) -> Play {
        self.manner.play
    }

    /// The numbers of a state in which the player to move has no move.
    fn end(&self) -> Numbers {
        match self.manner.convention {
            Convention::Normal => Numbers::LOSS,
            Convention::Misere => Numbers::WIN,
        }
    }

    /// Returns the number of states in the table.
    pub(super) fn states(&self) -> usize {
        self.table.len()
    }

    /// Returns the number of options that may still be generated.
    pub(super) fn options_left(&self) -> usize {
        self.options_left
    }

    /// Returns whether the player to move wins the sum of some positions and a nim heap.
    pub(super) fn mover_wins(
        &mut self,
        positions: &[R::Position],
        heap: u8,
        mover: Player,
    ) -> Result<bool, Halt> {
        let state = match positions {
            [alone] if !self.limits.splits => self.state_of(alone, heap, mover)?,
            _ => {
                let mut sum = Vec::new();
                for position in positions {
                    add_components(self.ruleset, self.manner, position, &mut sum)?;
                }
                self.state_of_sum(sum, heap, mover)?
            }
        };
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
        let end = self.end();
        self.expand(root, unlimited)?;
        loop {
            let frame = self.frames.last_mut().expect("the path begins at the root");
            let options = &self.options[frame.first..];
            let choice = choose(options, end);
            let Numbers { proof, disproof } = choice.numbers;
            if proof < frame.until.proof && disproof < frame.until.disproof {
                frame.chosen = frame.first + choice.best;
                let until = choice.until(options[choice.best].1, frame.until);
                let state = options[choice.best].0;
                self.expand(state, until)?;
                continue;
            }
            let numbers = choice.numbers;
            let PathState { state, first, .. } = self.frames.pop().expect("the frame just read");
            self.options.truncate(first);
            let others = self.stack_bytes() + self.sums.bytes();
            let bytes_max = self.limits.bytes_max.saturating_sub(others);
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
        let first = self.options.len();
        let (alone, of_sum);
        let sum: &[Component] = match state.subject {
            Subject::Key(key) => {
                let sign = Sign::Positive;
                alone = [Component { key, sign }];
                &alone
            }
            Subject::Sum(number) => {
                of_sum = self.sums.of(number);
                &of_sum
            }
        };
        for place in 0..sum.len() {
            if place == 0 || sum[place] != sum[place - 1] {
                self.add_options(first, state, sum, place)?;
            }
        }
        if state.heap > 0 {
            let moves = self.moves(state, sum)?;
            // A position that is its own negative is one state, whoever moves.
            let turned = match sum {
                [alone] => {
                    let (_, negated) = self.ruleset.key(&self.position(state, *alone))?;
                    self.manner.play == Play::Partisan && !negated
                }
                _ => !state.turned && sum.iter().any(|part| part.sign != Sign::Both),
            };
            for heap in 0..state.heap {
                let option = State {
                    turned,
                    heap,
                    ..state
                };
                self.add_option(first, option, |_| Ok(moves))?;
            }
        }
        let generated = self.options.len() - first;
        if generated > self.options_left {
            return Err(Halt::Options);
        }
        self.options_left -= generated;
        // Rules with endless play would fill the stack.
        if self.table.bytes() + self.sums.bytes() + self.stack_bytes() > self.limits.bytes_max {
            return Err(Halt::Memory);
        }
        self.frames.push(PathState {
            state,
            first,
            chosen: first,
            until,
        });
        Ok(())
    }

    /// Adds the options of a state in one component of its sum. The options of the state start at
    /// `first`.
    fn add_options(
        &mut self,
        first: usize,
        state: State,
        sum: &[Component],
        place: usize,
    ) -> Result<(), Halt> {
        let ruleset = self.ruleset;
        let movers = self.manner.play.movers(Player::Left);
        let position = self.position(state, sum[place]);
        let rest = [&sum[..place], &sum[place + 1..]];
        let moves_of_rest = [self.moves(state, rest[0])?, self.moves(state, rest[1])?];
        let mut failed = None;
        let mut add = |option: &R::Position| -> Result<(), Halt> {
            let splits = self.limits.splits && ruleset.splits_follower(option);
            let alone = match sum.len() {
                1 if !splits => self.state_of(option, state.heap, Player::Right).ok(),
                _ => None,
            };
            let next = match alone {
                Some(next) => next,
                None => {
                    let rest = rest.into_iter().flatten();
                    let mut next: Vec<Component> = rest.map(|&part| turned(state, part)).collect();
                    add_components(ruleset, self.manner, option, &mut next)?;
                    self.state_of_sum(next, state.heap, Player::Right)?
                }
            };
            self.add_option(first, next, |search| {
                let [left, right] = search.moves_of(option)?;
                let [[l, r], [m, s]] = moves_of_rest;
                Ok([left + l + m, right + r + s])
            })
        };
        for &mover in movers {
            ruleset.each_option(&position, mover, &mut |option| {
                failed = failed.take().or(add(option).err());
            })?;
        }
        failed.map_or(Ok(()), Err)
    }

    /// Adds an option of the last state to its options, which start at `first`, unless it is among
    /// them. `moves` counts Left's and Right's moves in it outside the nim heap, before components
    /// are cancelled.
    fn add_option(
        &mut self,
        first: usize,
        option: State,
        moves: impl FnOnce(&Self) -> Result<[u32; 2], PositionError>,
    ) -> Result<(), Halt> {
        if self.options[first..]
            .iter()
            .any(|&(other, _)| other == option)
        {
            return Ok(());
        }
        let numbers = match self.table.get(option) {
            Some(numbers) => numbers,
            None => estimate(option, moves(self)?, self.end()),
        };
        self.options.push((option, numbers));
        Ok(())
    }

    /// Returns the state of a position that is not split.
    fn state_of(
        &self,
        position: &R::Position,
        heap: u8,
        mover: Player,
    ) -> Result<State, PositionError> {
        let (key, negated) = self.ruleset.key(position)?;
        Ok(State {
            subject: Subject::Key(key),
            turned: self.manner.play == Play::Partisan && negated != (mover == Player::Right),
            heap,
        })
    }

    /// Returns the position of a component of a state's sum.
    fn position(&self, state: State, component: Component) -> R::Position {
        let position = self.ruleset.position_of(component.key);
        match turned(state, component).sign {
            Sign::Negative => self.ruleset.negative(&position),
            Sign::Both | Sign::Positive => position,
        }
    }

    /// Returns the numbers of Left's and Right's moves in components of a state's sum.
    fn moves(&self, state: State, sum: &[Component]) -> Result<[u32; 2], PositionError> {
        sum.iter().try_fold([0, 0], |[left, right], &component| {
            let [l, r] = self.moves_of(&self.position(state, component))?;
            Ok([left + l, right + r])
        })
    }

    /// Returns the numbers of Left's and Right's moves in a position.
    fn moves_of(&self, position: &R::Position) -> Result<[u32; 2], PositionError> {
        let count = |player| -> Result<u32, PositionError> {
            let counts = self
                .manner
                .play
                .movers(player)
                .iter()
                .map(|&mover| self.ruleset.count_options(position, mover));
            Ok(counts.sum::<Result<usize, _>>()? as u32)
        };
        Ok([count(Player::Left)?, count(Player::Right)?])
    }

    fn stack_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<PathState>()
            + self.options.capacity() * size_of::<(State, Numbers)>()
    }

    /// Returns the state of a sum.
    fn state_of_sum(
        &mut self,
        sum: Vec<Component>,
        heap: u8,
        mover: Player,
    ) -> Result<State, Halt> {
        let others = self.table.bytes() + self.stack_bytes();
        let bytes_max = self.limits.bytes_max.saturating_sub(others);
        let state = self.sums.state(sum, heap, mover, bytes_max);
        state.ok_or(Halt::Memory)
    }

    /// Counts a state, and checks the stop flag from time to time.
    fn check_stop(&mut self) -> Result<(), Halt> {
        self.expanded += 1;
        if let Some(control) = self.limits.control
            && self.expanded.is_multiple_of(STATES_A_CHECK)
        {
            control.count_evaluated(STATES_A_CHECK);
            if let Some(reason) = control.stopped_or_held() {
                return Err(Halt::Stopped(reason));
            }
        }
        Ok(())
    }
}

/// Returns a component as it stands in the sum of a state.
fn turned(state: State, component: Component) -> Component {
    if state.turned {
        component.negative()
    } else {
        component
    }
}

/// Returns the estimated numbers of an unvisited state with Right to move, given the moves of both
/// players outside the nim heap, and the numbers of a state without moves.
fn estimate(state: State, [left, right]: [u32; 2], end: Numbers) -> Numbers {
    let moves = right + u32::from(state.heap);
    if moves == 0 {
        return end;
    }
    Numbers {
        proof: 1 + left,
        disproof: 1 + 2 * moves,
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

/// Returns the choice among the options of a state; `end` are the numbers of a state without any.
fn choose(options: &[(State, Numbers)], end: Numbers) -> Choice {
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
        _ if options.is_empty() => end,
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
