//! The game graph below some positions, as lines of a file of moves.

use std::collections::{HashSet, VecDeque};

use cggames::board::AnyBoard;
use cggames::game::{Game, Play, Player};
use cgsolvers::EngineError;
use foldhash::fast::RandomState;

use crate::moves::MovesLine;
use crate::run::{Phase, RunError, Session};

/// Passes on each of some positions and each of their followers once, with its options by the rules in words. Options are in normal
/// form, and those that are equal come once. The positions come first, and then their followers in the order in which play comes to
/// them.
///
/// Memory: the followers, as they are written.
///
/// # Errors
///
/// A follower that is too large; the reason if a signal, the deadline or the memory budget stopped it; those of `each`.
///
/// ```
/// use seedbank::board::BoardKind;
/// use seedbank::evaluate::game_graph;
/// use seedbank::game::{Game, Play};
/// use seedbank::run::{Limits, RunError, Session, Signals, Silent};
///
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::mib(64)), &signals, &Silent);
/// let mut lines = Vec::new();
/// let positions = [BoardKind::Row.read("11")?];
/// game_graph(Game::SOWING, Play::Partisan, positions, &session, |line| {
///     lines.push(line.json());
///     Ok::<(), RunError>(())
/// })?;
/// // A row of one pot has no moves, whatever it holds: its normal form is 1.
/// assert_eq!(lines[0], "{\"position\":\"11\",\"left\":[\"1\"],\"right\":[\"1\"]}\n");
/// assert_eq!(lines[1], "{\"position\":\"1\",\"left\":[],\"right\":[]}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn game_graph<E: From<RunError>>(
    game: Game,
    play: Play,
    positions: impl IntoIterator<Item = AnyBoard>,
    session: &Session<'_>,
    mut each: impl FnMut(MovesLine) -> Result<(), E>,
) -> Result<(), E> {
    let refused = |error| E::from(RunError::from(EngineError::Position(error)));
    session.tracker.expect_unknown();
    session.tracker.begin(Phase::Listing, "position", None, 0);
    session.watch(("moves", "position"), (0, 0), None, || {
        let mut open: VecDeque<AnyBoard> = VecDeque::new();
        let mut seen: HashSet<AnyBoard, RandomState> = HashSet::default();
        for position in positions {
            if seen.insert(position.clone()) {
                open.push_back(position);
            }
        }
        let mut options =
            |open: &mut VecDeque<AnyBoard>, position: &AnyBoard, players: &[Player]| {
                let moves = players
                    .iter()
                    .flat_map(|player| game.literal_options(position, *player));
                let mut names = Vec::new();
                for option in moves {
                    let option = game.normal(&option).map_err(refused)?;
                    let name = option.to_string();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                    if !seen.contains(&option) {
                        seen.insert(option.clone());
                        open.push_back(option);
                    }
                }
                Ok::<_, E>(names)
            };
        while let Some(position) = open.pop_front() {
            let stopped = session.check_stop();
            let what = "the positions found so far";
            stopped.map_err(|error| session.over_budget(error, "the export of moves", what))?;
            let (left, right, both) = match play {
                Play::Partisan => (
                    Some(options(&mut open, &position, &[Player::Left])?),
                    Some(options(&mut open, &position, &[Player::Right])?),
                    None,
                ),
                Play::Impartial => (
                    None,
                    None,
                    Some(options(&mut open, &position, &Player::BOTH)?),
                ),
            };
            each(MovesLine {
                position: position.to_string(),
                left,
                right,
                options: both,
            })?;
            session.count_item();
        }
        Ok(())
    })
}
