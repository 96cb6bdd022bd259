//! The game graph below some positions, as lines of a file of moves.

use std::collections::{HashSet, VecDeque};
use std::fmt::Display;
use std::slice;

use cggames::board::AnyBoard;
use cggames::game::impartial::{Component, Sum};
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
    each: impl FnMut(MovesLine) -> Result<(), E>,
) -> Result<(), E> {
    let refused = |error| E::from(RunError::from(EngineError::Position(error)));
    let options = |position: &AnyBoard, mover: Option<Player>| {
        let players = mover.as_ref().map_or(&Player::BOTH[..], slice::from_ref);
        let moves = players
            .iter()
            .flat_map(|player| game.literal_options(position, *player));
        moves
            .map(|option| game.normal(&option).map_err(refused))
            .collect()
    };
    graph(play, positions, session, options, each)
}

/// Passes on disjunctive sums and their followers as [`game_graph`] does. In followers, components without a move are left out and
/// the others are sorted.
///
/// Memory: the followers, as they are written. A sum has as many as there are different collections of its components' followers.
///
/// # Errors
///
/// The reason if a signal, the deadline or the memory budget stopped it; those of `each`.
///
/// ```
/// use seedbank::evaluate::sum_graph;
/// use seedbank::run::{Limits, RunError, Session, Signals, Silent};
///
/// let signals = Signals::default();
/// let session = Session::new(Limits::new(1, bytesize::ByteSize::mib(64)), &signals, &Silent);
/// let mut lines = Vec::new();
/// sum_graph(["kayles(3)".parse()?], &session, |line| {
///     lines.push(line.json());
///     Ok::<(), RunError>(())
/// })?;
/// assert_eq!(lines[0], "{\"position\":\"kayles(3)\",\"options\":[\"kayles(2)\",\"kayles(1) + kayles(1)\",\"kayles(1)\"]}\n");
/// assert_eq!(lines[4], "{\"position\":\"0\",\"options\":[]}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sum_graph<E: From<RunError>>(
    sums: impl IntoIterator<Item = Sum>,
    session: &Session<'_>,
    each: impl FnMut(MovesLine) -> Result<(), E>,
) -> Result<(), E> {
    let options = |sum: &Sum, _: Option<Player>| {
        let components: Vec<&Component> = sum.components().collect();
        let options = components
            .iter()
            .enumerate()
            .flat_map(|(place, component)| {
                let (before, after) = (&components[..place], &components[place + 1..]);
                component.options().into_iter().map(move |option| {
                    let rest = before.iter().chain(after).map(|rest| (*rest).clone());
                    let mut components: Vec<Component> = rest.chain(option).collect();
                    components.retain(|component| !component.options().is_empty());
                    components.sort_by_cached_key(ToString::to_string);
                    Sum::new(components)
                })
            });
        Ok(options.collect())
    };
    graph(Play::Impartial, sums, session, options, each)
}

/// Passes on positions and their followers. `options` returns the options of a player or, without one, those of both.
fn graph<P: Display, E: From<RunError>>(
    play: Play,
    positions: impl IntoIterator<Item = P>,
    session: &Session<'_>,
    options: impl Fn(&P, Option<Player>) -> Result<Vec<P>, E>,
    mut each: impl FnMut(MovesLine) -> Result<(), E>,
) -> Result<(), E> {
    session.tracker.expect_unknown();
    session.tracker.begin(Phase::Listing, "position", None, 0);
    session.watch(("moves", "position"), (0, 0), None, || {
        let mut open: VecDeque<P> = VecDeque::new();
        // Positions of one name are one: the row without pots and the row of an empty pot are both 0.
        let mut seen: HashSet<String, RandomState> = HashSet::default();
        for position in positions {
            session.check_stop()?;
            if seen.insert(position.to_string()) {
                open.push_back(position);
            }
        }
        let mut names = |open: &mut VecDeque<P>, position: &P, mover| {
            let mut names = Vec::new();
            for option in options(position, mover)? {
                let name = option.to_string();
                if !names.contains(&name) {
                    names.push(name.clone());
                }
                if seen.insert(name) {
                    open.push_back(option);
                }
            }
            Ok::<_, E>(Some(names))
        };
        while let Some(position) = open.pop_front() {
            let stopped = session.check_stop();
            let what = "the positions found so far";
            stopped.map_err(|error| session.over_budget(error, "the export of moves", what))?;
            let mut names = |mover| names(&mut open, &position, mover);
            let (left, right, both) = match play {
                Play::Partisan => (
                    names(Some(Player::Left))?,
                    names(Some(Player::Right))?,
                    None,
                ),
                Play::Impartial => (None, None, names(None)?),
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
