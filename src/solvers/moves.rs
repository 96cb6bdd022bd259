//! Values of the positions of a game that is given by its [moves](MoveGraph).
//!
//! A position is valued after all its options, depth first and with an explicit stack. If an option lies on the path, then it
//! lies on a cycle, and every position of the path has it as a follower: they all are [`LOOPY`]. So a position with a value has
//! no cycle among its followers. Several workers may share the values. If two of them value a position at once, they find the
//! same value.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Acquire, Ordering::Release};

use cggames::game::moves::MoveGraph;
use cggames::game::{Manner, Play, Player};
use cgvalues::ArenaError;
use thiserror::Error;

use super::retrograde::endings;
use super::{
    Control, Ending, EngineError, Formed, LOOPY, LoopyValue, LoopyValues, StopReason, Valuation,
    Word,
};

/// The positions that a worker values between two checks whether to stop.
const POSITIONS_A_CHECK: u64 = 256;

/// The steps of one canonical form before the first check whether to stop: about a tenth of a second.
const STEPS_A_CHECK: u64 = 1 << 24;

/// Why a worker found no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The work was stopped.
    #[error("{0}")]
    Stopped(StopReason),
    /// The form of a position cannot be stored.
    #[error("position {position}: {source}")]
    Form {
        /// The position.
        position: u32,
        /// The arena's error.
        source: ArenaError,
    },
}

impl MoveError {
    /// Returns the error with the position's name.
    pub fn named(self, name: impl FnOnce(u32) -> String) -> EngineError {
        match self {
            MoveError::Stopped(reason) => EngineError::Stopped(reason),
            MoveError::Form { position, source } => EngineError::Form {
                position: name(position),
                source,
            },
        }
    }
}

/// The values found so far of a game's positions, which several workers share.
///
/// Memory: 4 bytes a position, and the forms in the valuation's arena.
pub struct MoveValues<'m, V> {
    moves: &'m MoveGraph,
    valuation: V,
    /// Of each position, its value as a word, or 0.
    words: Vec<AtomicU32>,
}

impl<'m, V: Valuation> MoveValues<'m, V> {
    /// Returns no values so far.
    pub fn new(moves: &'m MoveGraph, valuation: V) -> MoveValues<'m, V> {
        let words = (0..moves.len()).map(|_| AtomicU32::new(0)).collect();
        MoveValues {
            moves,
            valuation,
            words,
        }
    }

    /// Returns the valuation.
    pub fn valuation(&self) -> &V {
        &self.valuation
    }

    /// Returns a worker that has valued nothing yet. Memory: a bit a position, and 8 bytes for each of the longest path.
    pub fn worker<'v>(&'v self, control: &'v Control) -> MoveWorker<'v, V> {
        MoveWorker {
            values: self,
            worker: self.valuation.worker(),
            control,
            path: Vec::new(),
            on_path: vec![0; self.words.len().div_ceil(u64::BITS as usize)],
            options: [Vec::new(), Vec::new()],
            unchecked: 0,
        }
    }

    /// Returns the value of a position, or [`LOOPY`]; `None` if it was not valued.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    pub fn get(&self, position: u32) -> Option<Word> {
        Word::new(self.words[position as usize].load(Acquire))
    }
}

impl<V: Formed> MoveValues<'_, V> {
    /// Returns the value of a loopy position. Those of its followers that have none yet are found by the worker; `loopy` holds
    /// the values of loopy positions found so far.
    ///
    /// Cost: that of [`LoopyValues::value`].
    ///
    /// # Errors
    ///
    /// If the work was stopped, or a form cannot be stored; `name` names a position in the error.
    pub fn loopy_value<'v>(
        &'v self,
        position: u32,
        worker: &mut MoveWorker<'v, V>,
        loopy: &mut LoopyValues<'v, u32>,
        name: impl Fn(u32) -> String,
    ) -> Result<LoopyValue, EngineError> {
        let value = |&position: &u32| {
            let word = worker.value(position).map_err(|error| error.named(&name))?;
            Ok((word != LOOPY).then_some(word))
        };
        loopy.value::<V>(
            &position,
            || name(position),
            value,
            |&position, [left, right]| {
                match self.valuation.play() {
                    Play::Partisan => {
                        left.extend(self.moves.options(position, Player::Left));
                        right.extend(self.moves.options(position, Player::Right));
                    }
                    Play::Impartial => left.extend(self.moves.all_options(position)),
                }
                Ok(())
            },
        )
    }

    /// Returns how play ends from each of some different loopy positions, for Left when Left moves first and for Right when Right
    /// does. The values of their followers are known where they have any.
    ///
    /// Cost: that of [`endings`] for the loopy positions among their followers.
    ///
    /// # Errors
    ///
    /// As [`endings`].
    pub fn endings(
        &self,
        loopy: impl Iterator<Item = u32> + Clone,
        control: &Control,
    ) -> Result<Vec<[Ending; 2]>, EngineError> {
        let calculator = RefCell::new(self.valuation.arena().calculator());
        let known = |&(position, to_move): &(u32, Player)| {
            let word = self.get(position).filter(|word| *word != LOOPY)?;
            let class = V::outcome(&mut calculator.borrow_mut(), word);
            Some(Ending::of(class)[to_move as usize])
        };
        let manner = self.valuation.manner();
        Ok(endings_by(self.moves, manner, loopy, control, known)?.0)
    }
}

/// Returns how play ends from each of some different positions, for Left when Left moves first and for Right when Right does, and
/// the number of positions that the search met, each with a player to move.
///
/// Cost: that of [`endings`] for the positions and their followers. No position is valued.
///
/// # Errors
///
/// As [`endings`].
///
/// ```
/// use cggames::game::Play;
/// use cggames::game::moves::{Movers, MovesBuilder};
/// use cgsolvers::{Control, Ending, move_endings};
///
/// // Left moves from "a" to "b", and both pass for ever from "dud".
/// let mut builder = MovesBuilder::default();
/// for (name, moves) in [("a", &[(Movers::Left, "b")][..]), ("b", &[]), ("dud", &[(Movers::Both, "dud")])] {
///     moves.iter().for_each(|&(movers, option)| builder.option(movers, option));
///     builder.end_line(name)?;
/// }
/// let (moves, control) = (builder.finish()?, Control::default());
/// let (found, _) = move_endings(&moves, Play::Partisan.into(), [0, 2].into_iter(), &control)?;
/// assert_eq!(found, [[Ending::Win, Ending::Loss], [Ending::Draw; 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn move_endings(
    moves: &MoveGraph,
    manner: Manner,
    positions: impl Iterator<Item = u32> + Clone,
    control: &Control,
) -> Result<(Vec<[Ending; 2]>, u64), EngineError> {
    endings_by(moves, manner, positions, control, |_| None)
}

/// Returns the endings and the number of positions met; those of some followers are known.
fn endings_by(
    moves: &MoveGraph,
    manner: Manner,
    positions: impl Iterator<Item = u32> + Clone,
    control: &Control,
    known: impl Fn(&(u32, Player)) -> Option<Ending>,
) -> Result<(Vec<[Ending; 2]>, u64), EngineError> {
    // In impartial play it does not matter who moves.
    let Manner { play, convention } = manner;
    let players = match play {
        Play::Partisan => &Player::BOTH[..],
        Play::Impartial => &[Player::Left],
    };
    let roots = positions
        .clone()
        .flat_map(|position| players.iter().map(move |player| (position, *player)));
    let found = endings(
        roots,
        convention,
        control,
        known,
        |&(position, to_move), options| {
            let (now, next) = match play {
                Play::Partisan => (moves.options(position, to_move), to_move.opponent()),
                Play::Impartial => (moves.all_options(position), to_move),
            };
            options.extend(now.iter().map(|&option| (option, next)));
            Ok(())
        },
    )?;
    let met = found.len() as u64;
    // Those of the roots come first.
    let mut found = found.into_iter().map(|(_, ending)| ending);
    let mut next = || found.next().expect("every root has an ending");
    let of_position = |_| match play {
        Play::Partisan => [next(), next()],
        Play::Impartial => [next(); 2],
    };
    Ok((positions.map(of_position).collect(), met))
}

/// A worker that values positions.
pub struct MoveWorker<'v, V: Valuation + 'v> {
    values: &'v MoveValues<'v, V>,
    worker: V::Worker<'v>,
    control: &'v Control,
    /// The positions that are being valued, each an option of the one before, and how many of its options have values.
    path: Vec<(u32, u32)>,
    /// A bit for each position: whether it is on the path.
    on_path: Vec<u64>,
    /// The values of a position's options, for Left and for Right.
    options: [Vec<Word>; 2],
    /// The positions valued since the last check.
    unchecked: u64,
}

impl<V: Valuation> MoveWorker<'_, V> {
    /// Values a position and what it takes of its followers; returns the value, or [`LOOPY`].
    ///
    /// Cost: a look at each move of the followers that had no value, and a value for each of them.
    ///
    /// # Errors
    ///
    /// If the work was stopped, or a form cannot be stored.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    ///
    /// ```
    /// use cgsolvers::{CanonicalForms, Control, LOOPY, MoveValues};
    /// use cggames::game::moves::{Movers, MovesBuilder};
    ///
    /// // Left moves from "up" to 0, Right to "star"; both move from "star" to 0, and pass for ever from "dud".
    /// let mut builder = MovesBuilder::default();
    /// for (name, moves) in [
    ///     ("up", &[(Movers::Left, "0"), (Movers::Right, "star")][..]),
    ///     ("star", &[(Movers::Both, "0")]),
    ///     ("0", &[]),
    ///     ("dud", &[(Movers::Both, "dud")]),
    /// ] {
    ///     moves.iter().for_each(|&(movers, option)| builder.option(movers, option));
    ///     builder.end_line(name)?;
    /// }
    /// let moves = builder.finish()?;
    /// let values = MoveValues::new(&moves, CanonicalForms::default());
    /// let control = Control::default();
    /// let mut worker = values.worker(&control);
    /// let up = CanonicalForms::value(worker.value(0)?);
    /// assert_eq!(values.valuation().arena.notation(up).to_string(), "^");
    /// assert_eq!(worker.value(3)?, LOOPY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&mut self, position: u32) -> Result<Word, MoveError> {
        if let Some(word) = self.values.get(position) {
            return Ok(word);
        }
        self.push(position);
        while let Some(&mut (position, ref mut done)) = self.path.last_mut() {
            let options = self.values.moves.all_options(position);
            let rest = options[*done as usize..].iter();
            let is_known =
                |option: &&u32| matches!(self.values.get(**option), Some(word) if word != LOOPY);
            *done += rest.clone().take_while(is_known).count() as u32;
            let Some(&option) = options.get(*done as usize) else {
                self.combine(position)?;
                continue;
            };
            match self.values.get(option) {
                // Another worker has just found it.
                Some(word) if word != LOOPY => {}
                None if !self.is_on_path(option) => self.push(option),
                _ => self.mark_path(),
            }
        }
        let word = self.values.get(position);
        Ok(word.expect("the position has just been valued"))
    }

    fn push(&mut self, position: u32) {
        self.path.push((position, 0));
        self.on_path[position as usize / 64] |= 1 << (position % 64);
    }

    fn pop(&mut self) -> Option<u32> {
        let (position, _) = self.path.pop()?;
        self.on_path[position as usize / 64] &= !(1 << (position % 64));
        Some(position)
    }

    fn is_on_path(&self, position: u32) -> bool {
        self.on_path[position as usize / 64] >> (position % 64) & 1 == 1
    }

    /// Ends the last position of the path, all of whose options have values.
    fn combine(&mut self, position: u32) -> Result<(), MoveError> {
        let MoveValues { moves, words, .. } = self.values;
        let [left, right] = &mut self.options;
        let fill = |list: &mut Vec<Word>, options: &[u32]| {
            list.clear();
            let known = options
                .iter()
                .map(|option| words[*option as usize].load(Acquire));
            list.extend(known.filter_map(Word::new));
        };
        match self.values.valuation.play() {
            Play::Partisan => {
                fill(left, moves.options(position, Player::Left));
                fill(right, moves.options(position, Player::Right));
            }
            Play::Impartial => fill(left, moves.all_options(position)),
        }
        let mut steps = STEPS_A_CHECK;
        let word = loop {
            V::limit_steps(&mut self.worker, steps);
            match V::combine(&mut self.worker, left, right) {
                Ok(word) => break word,
                Err(ArenaError::Steps(_)) => {
                    stopped(self.control)?;
                    steps = steps.saturating_mul(2);
                }
                Err(source) => {
                    return Err(MoveError::Form { position, source });
                }
            }
        };
        self.pop();
        words[position as usize].store(word.get(), Release);
        self.unchecked += 1;
        if self.unchecked >= POSITIONS_A_CHECK {
            self.control.count_evaluated(self.unchecked);
            self.unchecked = 0;
            stopped(self.control)?;
        }
        Ok(())
    }

    /// Ends the positions of the path, which all are loopy.
    fn mark_path(&mut self) {
        while let Some(position) = self.pop() {
            self.values.words[position as usize].store(LOOPY.get(), Release);
            self.unchecked += 1;
        }
    }
}

/// Counts the positions valued since the last check.
impl<V: Valuation> Drop for MoveWorker<'_, V> {
    fn drop(&mut self) {
        self.control.count_evaluated(self.unchecked);
    }
}

fn stopped(control: &Control) -> Result<(), MoveError> {
    control
        .stopped_or_held()
        .map_or(Ok(()), |reason| Err(MoveError::Stopped(reason)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cggames::game::moves::{Movers, Moves, MovesBuilder};

    use super::*;
    use crate::{CanonicalForms, NimValues};

    /// A game of some positions with up to `most` moves each, which lead only to later positions if `ends`.
    fn random_game(random: &mut fastrand::Rng, positions: usize, most: usize, ends: bool) -> Moves {
        let mut builder = MovesBuilder::default();
        for position in 0..positions {
            let first = if ends { position + 1 } else { 0 };
            for _ in 0..random.usize(0..=most) {
                if first < positions {
                    let movers = [Movers::Left, Movers::Both, Movers::Right][random.usize(0..3)];
                    builder.option(movers, &random.usize(first..positions).to_string());
                }
            }
            builder.end_line(&position.to_string()).unwrap();
        }
        builder.finish().unwrap()
    }

    /// The followers of a position, itself included only if it lies on a cycle.
    fn followers(moves: &Moves, position: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut open = vec![position];
        while let Some(next) = open.pop() {
            open.extend(
                moves
                    .all_options(next)
                    .iter()
                    .filter(|option| found.insert(**option)),
            );
        }
        found
    }

    fn is_loopy(moves: &Moves, position: u32) -> bool {
        let on_cycle = |position| followers(moves, position).contains(&position);
        on_cycle(position) || followers(moves, position).into_iter().any(on_cycle)
    }

    fn options(moves: &Moves, play: Play, position: u32, to_move: Player) -> &[u32] {
        match play {
            Play::Partisan => moves.options(position, to_move),
            Play::Impartial => moves.all_options(position),
        }
    }

    /// Who wins each position when either player moves first, found by looking one move further until nothing changes.
    fn winners(moves: &Moves, play: Play) -> Vec<[Ending; 2]> {
        let mut found = vec![[Ending::Draw; 2]; moves.len()];
        loop {
            let before = found.clone();
            for (position, endings) in (0..).zip(&mut found) {
                for (to_move, ending) in Player::BOTH.into_iter().zip(endings) {
                    let of = |option: &u32| before[*option as usize][to_move.opponent() as usize];
                    let mut options = options(moves, play, position, to_move).iter().map(of);
                    *ending = match () {
                        () if options.clone().any(|option| option == Ending::Loss) => Ending::Win,
                        () if options.all(|option| option == Ending::Win) => Ending::Loss,
                        () => Ending::Draw,
                    };
                }
            }
            if found == before {
                return found;
            }
        }
    }

    /// How play ends from a sum of two positions for the player to move, found by looking one move further until nothing
    /// changes, for all pairs.
    fn winners_of_sums(moves: &Moves, play: Play) -> Vec<[Ending; 2]> {
        let size = moves.len();
        let mut builder = MovesBuilder::default();
        for g in 0..size as u32 {
            for h in 0..size as u32 {
                for player in Player::BOTH {
                    let movers = match player {
                        Player::Left => Movers::Left,
                        Player::Right => Movers::Right,
                    };
                    let of_g = options(moves, play, g, player)
                        .iter()
                        .map(|next| format!("{next} {h}"));
                    let of_h = options(moves, play, h, player)
                        .iter()
                        .map(|next| format!("{g} {next}"));
                    of_g.chain(of_h)
                        .for_each(|next| builder.option(movers, &next));
                }
                builder.end_line(&format!("{g} {h}")).unwrap();
            }
        }
        let sums = builder.finish().unwrap();
        let found = winners(&sums, Play::Partisan);
        let place = |pair| {
            sums.find(&format!("{} {}", pair / size, pair % size))
                .unwrap()
        };
        (0..size * size)
            .map(|pair| found[place(pair) as usize])
            .collect()
    }

    /// How play ends from a sum of two positions in impartial play, from their values.
    fn ending_of_values(g: &LoopyValue, h: &LoopyValue) -> Ending {
        match (g, h) {
            (LoopyValue::Nim(g), LoopyValue::Nim(h)) if g == h => Ending::Loss,
            (LoopyValue::Nim(_), LoopyValue::Nim(_)) => Ending::Win,
            (LoopyValue::Nim(heap), LoopyValue::Infinite(values))
            | (LoopyValue::Infinite(values), LoopyValue::Nim(heap))
                if values.contains(heap) =>
            {
                Ending::Win
            }
            _ => Ending::Draw,
        }
    }

    #[test]
    fn sums_of_loopy_impartial_positions_end_as_their_values_say() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut kinds = BTreeSet::new();
        for _ in 0..200 {
            let positions = random.usize(1..12);
            let moves = random_game(&mut random, positions, 3, false);
            let values = MoveValues::new(&moves, NimValues::default());
            let control = Control::default();
            let mut worker = values.worker(&control);
            let mut loopy = LoopyValues::new(values.valuation(), &control);
            let found: Vec<LoopyValue> = (0..positions as u32)
                .map(|position| match worker.value(position).unwrap() {
                    LOOPY => {
                        let name = |position: u32| position.to_string();
                        values
                            .loopy_value(position, &mut worker, &mut loopy, name)
                            .unwrap()
                    }
                    word => LoopyValue::Nim(NimValues::value(word)),
                })
                .collect();
            let winners = winners_of_sums(&moves, Play::Impartial);
            for (pair, winner) in winners.into_iter().enumerate() {
                let (g, h) = (&found[pair / positions], &found[pair % positions]);
                assert_eq!([ending_of_values(g, h); 2], winner, "{g:?} {h:?}");
                kinds.insert(format!("{g:?}"));
            }
        }
        assert!(kinds.len() > 10, "{kinds:?}");
    }

    /// Whether the player to move wins the sum of two positions, by trying all moves.
    fn wins_sum(moves: &Moves, [g, h]: [u32; 2], to_move: Player) -> bool {
        let of = |position| moves.options(position, to_move).iter();
        let mut sums = of(g).map(|&g| [g, h]).chain(of(h).map(|&h| [g, h]));
        sums.any(|sum| !wins_sum(moves, sum, to_move.opponent()))
    }

    /// The values of all positions by two workers, of which one begins at the end.
    fn all<V: Valuation>(values: &MoveValues<'_, V>) -> Vec<Word> {
        let control = Control::default();
        let positions: Vec<u32> = (0..values.moves.len() as u32).collect();
        let mut reversed = positions.clone();
        reversed.reverse();
        std::thread::scope(|scope| {
            for order in [&positions, &reversed] {
                let mut worker = values.worker(&control);
                scope.spawn(move || {
                    order
                        .iter()
                        .for_each(|&position| assert!(worker.value(position).is_ok()))
                });
            }
        });
        assert!(control.evaluated() >= values.moves.len() as u64);
        positions
            .iter()
            .map(|&position| values.get(position).unwrap())
            .collect()
    }

    #[test]
    fn values_are_won_by_those_who_win_by_trying_all_moves() {
        let mut random = fastrand::Rng::with_seed(1);
        for positions in [1, 4, 9, 12] {
            for _ in 0..20 {
                let moves = random_game(&mut random, positions, 4, true);
                let values = MoveValues::new(&moves, CanonicalForms::default());
                let words = all(&values);
                let mut calculator = values.valuation().arena.calculator();
                for (g, h) in (0..positions).flat_map(|g| (g..positions).map(move |h| (g, h))) {
                    let [left, right] = [g, h].map(|of| CanonicalForms::value(words[of]));
                    let sum = calculator.sum(left, right).unwrap();
                    let wins =
                        Player::BOTH.map(|player| wins_sum(&moves, [g as u32, h as u32], player));
                    assert_eq!(
                        Ending::of(calculator.outcome(sum)).map(|ending| ending == Ending::Win),
                        wins
                    );
                }
            }
        }
    }

    #[test]
    fn nim_values_are_the_least_that_no_option_has() {
        let mut random = fastrand::Rng::with_seed(2);
        let moves = random_game(&mut random, 400, 9, true);
        let values = MoveValues::new(&moves, NimValues::default());
        let words = all(&values);
        let mut expected = vec![0; moves.len()];
        for position in (0..moves.len()).rev() {
            let options = moves.all_options(position as u32).iter();
            let options: BTreeSet<u32> = options.map(|option| expected[*option as usize]).collect();
            expected[position] = (0..).find(|n| !options.contains(n)).unwrap();
        }
        assert_eq!(
            words
                .into_iter()
                .map(NimValues::value)
                .collect::<Vec<u32>>(),
            expected
        );
    }

    #[test]
    fn positions_with_a_cycle_among_their_followers_are_loopy_and_have_endings() {
        fn check<V: Formed + Default>(moves: &Moves) -> usize {
            let values = MoveValues::new(moves, V::default());
            let words = all(&values);
            let loopy = (0..)
                .zip(&words)
                .filter(|(_, word)| **word == LOOPY)
                .map(|(of, _)| of);
            let expected = (0..moves.len() as u32).filter(|position| is_loopy(moves, *position));
            assert!(loopy.clone().eq(expected));
            let endings = values.endings(loopy.clone(), &Control::default()).unwrap();
            let winners = winners(moves, values.valuation().play());
            for (position, endings) in loopy.clone().zip(&endings) {
                assert_eq!(winners[position as usize], *endings);
            }
            let mut calculator = values.valuation().arena().calculator();
            for (&word, winner) in words
                .iter()
                .zip(winners)
                .filter(|(word, _)| **word != LOOPY)
            {
                assert_eq!(Ending::of(V::outcome(&mut calculator, word)), winner);
            }
            loopy.count()
        }
        let mut random = fastrand::Rng::with_seed(3);
        let mut loopy = 0;
        for _ in 0..300 {
            let positions = random.usize(1..30);
            let moves = random_game(&mut random, positions, 2, false);
            loopy += check::<CanonicalForms>(&moves);
            assert_eq!(check::<NimValues>(&moves), check::<CanonicalForms>(&moves));
        }
        assert!(loopy > 1000, "{loopy}");
    }
}
