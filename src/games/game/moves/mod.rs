//! A game given by its moves: the names of its positions, and for each those that the players can move to.
//!
//! A position has the number of its line. The moves of all positions lie in one array: those of Left alone, then those of both
//! players, then those of Right alone. So the options of a player are one slice of it, and in impartial play, where both players
//! have all moves, so are those of both.
//!
//! A name may be used before its own line. It is stored once; a table finds it.
//!
//! ```
//! use cggames::game::Player;
//! use cggames::game::moves::{Movers, MovesBuilder};
//!
//! // Left moves from "up" to 0, Right to "star"; both move from "star" to 0.
//! let mut builder = MovesBuilder::default();
//! builder.option(Movers::Left, "0");
//! builder.option(Movers::Right, "star");
//! builder.end_line("up")?;
//! builder.option(Movers::Both, "0");
//! builder.end_line("star")?;
//! builder.end_line("0")?;
//! let moves = builder.finish()?;
//! let names = |options: &[u32]| -> Vec<&str> { options.iter().map(|&option| moves.name(option)).collect() };
//! assert_eq!(names(moves.options(0, Player::Right)), ["star"]);
//! assert_eq!(moves.find("star"), Some(1));
//! assert_eq!(moves.options(1, Player::Left), moves.options(1, Player::Right));
//! # Ok::<(), cggames::game::moves::MovesError>(())
//! ```

mod names;

use std::borrow::Cow;
use std::ops::Deref;

use thiserror::Error;

use self::names::{Batch, Names};
use super::Player;

/// The rules, for the help.
pub const RULES: &str = "\
Moves: a game of your own, by the moves of its positions. A file has a line for
each position: its name, and the names of those that Left and Right can move to.
Who cannot move loses. In impartial play both players have the moves of both:

    {\"position\": \"TF_\", \"left\": [], \"right\": [\"_FT\"]}
";

/// The most positions, and the most moves.
pub const MOVES_MAX: usize = u32::MAX as usize - 1;

/// The players that have a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movers {
    /// Left alone.
    Left,
    /// Both players.
    Both,
    /// Right alone.
    Right,
}

/// A fault of positions or their moves. Lines are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MovesError {
    /// Two lines have the same position.
    #[error("the position {name:?} has a line already; write all its moves in one")]
    Repeated {
        /// The second of the lines.
        line: u32,
        /// The position.
        name: String,
    },
    /// A move leads to a position without a line.
    #[error(
        "a move leads to {name:?}, which has no line of its own; add one, without moves if play ends there"
    )]
    Unknown {
        /// The line of the move.
        line: u32,
        /// The position that is missing.
        name: String,
    },
    /// There are more than [`MOVES_MAX`] positions or moves.
    #[error("there are more than {MOVES_MAX} positions or moves")]
    TooMany {
        /// The first line that is too many.
        line: u32,
    },
}

impl MovesError {
    /// Returns the line at fault, counted from 0.
    pub fn line(&self) -> u32 {
        match self {
            MovesError::Repeated { line, .. }
            | MovesError::Unknown { line, .. }
            | MovesError::TooMany { line } => *line,
        }
    }
}

/// Numbered positions and the moves between them.
///
/// ```
/// use cggames::game::Player;
/// use cggames::game::moves::MoveGraph;
///
/// // Left moves from 0 to 1 and 2, Right to 2; both move from 1 to 2.
/// let mut graph = MoveGraph::default();
/// graph.push([&mut vec![1], &mut vec![2], &mut vec![]]);
/// graph.push([&mut vec![], &mut vec![2], &mut vec![]]);
/// graph.push([&mut vec![], &mut vec![], &mut vec![]]);
/// assert_eq!((graph.options(0, Player::Left), graph.options(0, Player::Right)), (&[1, 2][..], &[2][..]));
/// assert_eq!(graph.all_options(1), [2]);
/// ```
#[derive(Debug, Default)]
pub struct MoveGraph {
    /// Of each position, the first move, the first that both players have, and the first that Right alone has.
    starts: Vec<[u32; 3]>,
    targets: Vec<u32>,
}

impl MoveGraph {
    /// Adds a position with the options that Left alone, both players and Right alone have, which are taken out of their lists.
    pub fn push(&mut self, options: [&mut Vec<u32>; 3]) {
        let starts = options.map(|options| {
            let start = self.targets.len() as u32;
            self.targets.append(options);
            start
        });
        self.starts.push(starts);
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the number of moves; one that both players have counts once.
    pub fn moves(&self) -> usize {
        self.targets.len()
    }

    /// Returns the bytes that the moves take.
    pub fn bytes(&self) -> u64 {
        ((3 * self.len() + self.moves()) * size_of::<u32>()) as u64
    }

    /// Returns the options of a player in partisan play.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    pub fn options(&self, position: u32, player: Player) -> &[u32] {
        let [first, both, right] = self.starts[position as usize];
        match player {
            Player::Left => &self.targets[first as usize..right as usize],
            Player::Right => &self.targets[both as usize..self.end(position)],
        }
    }

    /// Returns the options of both players.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    pub fn all_options(&self, position: u32) -> &[u32] {
        let [first, ..] = self.starts[position as usize];
        &self.targets[first as usize..self.end(position)]
    }

    fn end(&self, position: u32) -> usize {
        let next = self.starts.get(position as usize + 1);
        next.map_or(self.targets.len(), |[first, ..]| *first as usize)
    }
}

/// The positions of a game, each with the number of its line, and their moves.
#[derive(Debug, Default)]
pub struct Moves {
    names: Names,
    /// The line of each name.
    lines: Vec<u32>,
    /// The name of each line.
    name_of: Vec<u32>,
    graph: MoveGraph,
}

/// The moves without the names.
impl Deref for Moves {
    type Target = MoveGraph;

    fn deref(&self) -> &MoveGraph {
        &self.graph
    }
}

impl Moves {
    /// Returns the bytes that positions and moves take.
    pub fn bytes(&self) -> u64 {
        let words = self.lines.len() + self.name_of.len();
        self.names.bytes() + (words * size_of::<u32>()) as u64 + self.graph.bytes()
    }

    /// Returns the name of a position.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    pub fn name(&self, position: u32) -> &str {
        self.names.get(self.name_of[position as usize])
    }

    /// Returns the position of a name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.names.find(name).map(|name| self.lines[name as usize])
    }

    /// Returns the error of a move, by its place, to a name without a line.
    fn unknown(&self, place: usize, name: u32) -> MovesError {
        let before = |[first, ..]: &[u32; 3]| *first as usize <= place;
        MovesError::Unknown {
            line: self.graph.starts.partition_point(before) as u32 - 1,
            name: self.names.get(name).to_owned(),
        }
    }
}

/// Returns a name as it is printed: control characters are escaped.
///
/// ```
/// use cggames::game::moves::printed;
///
/// assert_eq!((&*printed("T.F"), &*printed("T\nF")), ("T.F", "T\\nF"));
/// ```
pub fn printed(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return name.into();
    }
    let escaped = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(escaped).collect()
}

/// The mark of a name that has had no line so far.
const NO_LINE: u32 = u32::MAX;

/// The names found together.
const NAMES_TOGETHER: usize = 128;

/// Reads positions line by line, in any order.
#[derive(Debug, Default)]
pub struct MovesBuilder {
    /// The targets of moves are names until all lines are read.
    moves: Moves,
    /// The names that are not found yet.
    batch: Batch<Use>,
    /// The moves of the current line, for Left, both players, and Right.
    line: [Vec<u32>; 3],
    lines: usize,
}

/// What a name is used for.
#[derive(Clone, Copy, Debug)]
enum Use {
    Move(Movers),
    EndLine,
}

impl MovesBuilder {
    /// Adds a move to the current line.
    pub fn option(&mut self, movers: Movers, name: &str) {
        let names = &self.moves.names;
        names.push(&mut self.batch, Use::Move(movers), name);
    }

    /// Ends the current line, which is the one of this position.
    ///
    /// # Errors
    ///
    /// If a position has a line already, or there are too many positions or moves. Names are found some at a time, so the line may be
    /// an earlier one.
    pub fn end_line(&mut self, name: &str) -> Result<(), MovesError> {
        let names = &self.moves.names;
        names.push(&mut self.batch, Use::EndLine, name);
        self.lines += 1;
        if self.batch.len() < NAMES_TOGETHER {
            return Ok(());
        }
        self.find_names()
    }

    /// Returns the number of lines that have ended.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Finds the names of the batch, and ends their lines.
    fn find_names(&mut self) -> Result<(), MovesError> {
        let mut fault = None;
        let Moves {
            names,
            lines,
            name_of,
            graph,
        } = &mut self.moves;
        names.number_all(&mut self.batch, |purpose, name| {
            if name as usize == lines.len() {
                lines.push(NO_LINE);
            }
            let line = graph.len() as u32;
            match purpose {
                Use::Move(movers) => self.line[movers as usize].push(name),
                Use::EndLine if lines[name as usize] != NO_LINE => {
                    fault.get_or_insert((line, Some(name)));
                }
                Use::EndLine => {
                    lines[name as usize] = line;
                    name_of.push(name);
                    graph.push(self.line.each_mut());
                    if lines.len().max(graph.moves()) > MOVES_MAX {
                        fault.get_or_insert((line, None));
                    }
                }
            }
        });
        match fault {
            None => Ok(()),
            Some((line, None)) => Err(MovesError::TooMany { line }),
            Some((line, Some(name))) => {
                let name = self.moves.names.get(name).to_owned();
                Err(MovesError::Repeated { line, name })
            }
        }
    }

    /// Returns all positions with their moves.
    ///
    /// # Errors
    ///
    /// As [`end_line`](Self::end_line); if a move leads to a position that had no line.
    pub fn finish(mut self) -> Result<Moves, MovesError> {
        self.find_names()?;
        let mut moves = self.moves;
        for place in 0..moves.graph.targets.len() {
            let name = moves.graph.targets[place];
            moves.graph.targets[place] = match moves.lines[name as usize] {
                NO_LINE => return Err(moves.unknown(place, name)),
                line => line,
            };
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Lines = Vec<(String, [Vec<String>; 3])>;

    fn built(lines: &Lines) -> Result<Moves, MovesError> {
        let mut builder = MovesBuilder::default();
        for (name, moves) in lines {
            for (movers, names) in [Movers::Left, Movers::Both, Movers::Right]
                .iter()
                .zip(moves)
            {
                names.iter().for_each(|name| builder.option(*movers, name));
            }
            builder.end_line(name)?;
        }
        builder.finish()
    }

    /// Random lines, the names of which have up to three letters, and whose moves lead to each other.
    fn lines(random: &mut fastrand::Rng, positions: usize) -> Lines {
        let mut names: Vec<String> = (0..positions).map(|n| format!("p {n:x}")).collect();
        names[0] = String::new();
        random.shuffle(&mut names);
        let mut some = |_| {
            let count = random.usize(0..4);
            let pick = |_| names[random.usize(0..positions)].clone();
            (0..count).map(pick).collect::<Vec<String>>()
        };
        let moves: Vec<[Vec<String>; 3]> =
            (0..positions).map(|_| [0, 1, 2].map(&mut some)).collect();
        names.into_iter().zip(moves).collect()
    }

    #[test]
    fn positions_have_the_moves_of_their_lines() {
        let mut random = fastrand::Rng::with_seed(66);
        for positions in [1, 2, 50, 3000] {
            let lines = lines(&mut random, positions);
            let moves = built(&lines).unwrap();
            assert_eq!(moves.len(), positions);
            for (line, (name, [left, both, right])) in (0..).zip(&lines) {
                let names = |options: &[u32]| -> Vec<String> {
                    options
                        .iter()
                        .map(|&option| moves.name(option).to_owned())
                        .collect()
                };
                assert_eq!((moves.name(line), moves.find(name)), (&**name, Some(line)));
                assert_eq!(
                    names(moves.options(line, Player::Left)),
                    [&left[..], both].concat()
                );
                assert_eq!(
                    names(moves.options(line, Player::Right)),
                    [&both[..], right].concat()
                );
                assert_eq!(
                    names(moves.all_options(line)),
                    [&left[..], both, right].concat()
                );
            }
            assert_eq!(moves.find("no position"), None);
        }
    }

    #[test]
    fn faults_name_the_first_line_that_has_one() {
        let mut random = fastrand::Rng::with_seed(67);
        let sound = lines(&mut random, 40);
        let mut repeated = sound.clone();
        repeated.insert(30, sound[7].clone());
        let name = sound[7].0.clone();
        let expected = MovesError::Repeated { line: 30, name };
        assert_eq!(built(&repeated).unwrap_err(), expected);

        for line in 0..sound.len() {
            let mut lacking = sound.clone();
            let (name, _) = lacking.remove(line);
            let uses = |(_, moves): &(String, [Vec<String>; 3])| moves.concat().contains(&name);
            let first = lacking.iter().position(uses);
            let expected = first.map(|line| MovesError::Unknown {
                line: line as u32,
                name: name.clone(),
            });
            assert_eq!(built(&lacking).err(), expected);
        }
    }
}
