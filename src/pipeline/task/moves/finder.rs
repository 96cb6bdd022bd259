//! The followers of one position of a game given by its moves, all of them valued.

use cggames::game::moves::Moves;
use cggames::game::{Convention, Manner, Play, Player};
use cgsolvers::Ending;

use super::values::{Solution, Valued, position, read};
use crate::evaluate::Writing;
use crate::evaluate::describe::Describer;
use crate::evaluate::loopy::LoopySolution;
use crate::moves::MovesFile;
use crate::run::{RunError, Session};

/// Finds the options of followers of a position, and their values.
pub struct MovesFinder<'v> {
    moves: &'v Moves,
    manner: Manner,
    valued: &'v Valued<'v>,
    describer: Describer<'v>,
    first: u32,
}

/// Values a position and all its followers, and calls `work` with a finder for them.
///
/// Cost: reads the file and values the followers.
///
/// # Errors
///
/// A fault of the file, or a name that it lacks; the reason if a signal, the deadline or the memory budget stopped it; those of
/// `work`.
///
/// ```
/// use seedbank::game::{Play, Player};
/// use seedbank::moves::MovesFile;
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::moves::with_moves;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("half.csv");
/// std::fs::write(&path, "position,left,right\nhalf,0,1\n1,0,\n0,,\n")?;
/// let file = MovesFile::open(&path)?;
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::gib(1)), &signals, &Silent);
/// let names = with_moves(&file, Play::Partisan, "half", &session, |finder| {
///     let options = finder.options(finder.first(), Player::Right);
///     Ok(options.into_iter().map(|option| finder.name(option).to_owned()).collect::<Vec<_>>())
/// })?;
/// assert_eq!(names, ["1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_moves<T>(
    file: &MovesFile,
    manner: impl Into<Manner>,
    name: &str,
    session: &Session<'_>,
    work: impl FnOnce(&mut MovesFinder<'_>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let manner = manner.into();
    let worked = session.evaluating(1, || {
        let moves = read(file, 1, session)?;
        let first = position(file, &moves, name)?;
        let pool = session.pool()?;
        let all = followers(&moves, first);
        let valued = Valued::new(&moves, ("moves", manner), &all, session, &pool)?;
        drop(all);
        work(&mut MovesFinder {
            moves: &moves,
            manner,
            valued: &valued,
            describer: valued.describer(Writing::default()),
            first,
        })
    });
    let what = "the positions and their moves";
    worked.map_err(|error| session.over_budget(error, "the evaluation", what))
}

/// Returns a position and all its followers.
fn followers(moves: &Moves, first: u32) -> Vec<u32> {
    let mut is_found = vec![false; moves.len()];
    is_found[first as usize] = true;
    let mut found = vec![first];
    let mut next = 0;
    while let Some(&position) = found.get(next) {
        for &option in moves.all_options(position) {
            if !std::mem::replace(&mut is_found[option as usize], true) {
                found.push(option);
            }
        }
        next += 1;
    }
    found
}

impl MovesFinder<'_> {
    /// Returns the first position.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Returns whether play can return to a position.
    pub fn can_recur(&self) -> bool {
        self.valued.has_loopy()
    }

    /// Returns the name of a position.
    pub fn name(&self, position: u32) -> &str {
        self.moves.name(position)
    }

    /// Returns the options of a player, each once.
    pub fn options(&self, position: u32, player: Player) -> Vec<u32> {
        let all = match self.manner.play {
            Play::Partisan => self.moves.options(position, player),
            Play::Impartial => self.moves.all_options(position),
        };
        let mut options: Vec<u32> = Vec::with_capacity(all.len());
        for option in all {
            if !options.contains(option) {
                options.push(*option);
            }
        }
        options
    }

    /// Returns the value of a position, if it has one that can be shown, and how play ends for Left and for Right moving first.
    ///
    /// # Errors
    ///
    /// If the value cannot be described.
    pub fn found(&mut self, position: u32) -> Result<(Option<String>, [Ending; 2]), RunError> {
        Ok(match self.valued.solution(position) {
            Solution::Value(word) => {
                let described = self.valued.describe(word, &mut self.describer)?;
                let endings = Ending::of(described.outcome);
                match self.manner.convention {
                    Convention::Normal => (described.notation.clone(), endings),
                    Convention::Misere => (None, endings),
                }
            }
            Solution::Loopy(place) => {
                let (solution, endings) = self.valued.loopy(place);
                let text = match solution {
                    LoopySolution::Ends(word) => {
                        let described = self.valued.describe(*word, &mut self.describer)?;
                        described.notation.clone()
                    }
                    LoopySolution::Loopy(value) => value.notation.clone(),
                    LoopySolution::Unknown => None,
                };
                (text, *endings)
            }
        })
    }
}
