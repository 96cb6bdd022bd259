//! Whether every move from a set of rows has an answer that leads back into the set.

use cggames::game::reading::{Pot, Reading};
use cggames::game::{Play, Player};

use super::automaton::Automaton;
use super::moves::Moves;
use crate::proof::claim::{Gap, Step, Unproved, moves, within_row};
use crate::proof::rows::Rows;

/// Decides whether every row of a set is lost by the player who moves first, because the set is
/// closed: every move from it has an answer that leads back into it.
///
/// ```
/// use cggames::game::{Game, Play};
/// use cgproofs::proof::{Rows, language};
///
/// let reading = Game::SOWING.reading().expect("moves of Sowing are read");
/// let check = |pattern: &str| {
///     let rows = Rows::of(&pattern.parse().unwrap(), &[0, 0]).unwrap();
///     language::check(reading, Play::Partisan, &[rows])
/// };
/// assert!(check("(10)^m 3 (01)^n").is_ok());
/// assert_eq!(
///     check("(10)^m 03 (01)^n").unwrap_err().to_string(),
///     "no answer among the claims to Right's move 1003 -> 2110"
/// );
/// ```
///
/// # Errors
///
/// As in [`check_first`].
pub fn check(reading: Reading, play: Play, set: &[Rows]) -> Result<(), Unproved> {
    let players: &[Player] = match play {
        Play::Impartial => &[Player::Left],
        Play::Partisan => &[Player::Left, Player::Right],
    };
    let mut players = players.iter();
    players.try_for_each(|&first| check_first(reading, play, set, first))
}

/// Decides whether every move of one player from a set of rows has an answer that leads back into
/// it: whether the image of the set under the player's moves is included in its pre-image under the
/// opponent's. If so, that player loses every row of the set by moving first: the value is at most 0
/// if the player is Left, and at least 0 if it is Right.
///
/// The subset construction makes this exponential in the size of the set at worst. The sets of
/// value 0 in `data/proofs` have minimal automata of at most 20 states and take 0.2 ms each.
/// [`Claims::check`](crate::proof::Claims::check) decides the same for claims of any values.
///
/// # Errors
///
/// One of the shortest rows with a move that has no answer, and that move. Sets with full pots in
/// games that have none are refused.
pub fn check_first(
    reading: Reading,
    play: Play,
    set: &[Rows],
    first: Player,
) -> Result<(), Unproved> {
    if set.iter().any(Rows::has_full_pots) && !reading.has_full_pots() {
        return Err(Unproved::FullPots);
    }
    let by = |mover| Moves {
        reading,
        play,
        mover,
    };
    let rows = Automaton::of(set);
    let options = by(first).image(&rows);
    let answered = by(first.opponent()).preimage(&rows, options.seeds_most());
    let unanswered = options.difference(&answered);
    let lost = by(first).preimage(&unanswered, rows.seeds_most());
    match rows.intersection(&lost).first() {
        None => Ok(()),
        Some(row) => Err(Unproved::Gap(Gap {
            first,
            steps: move_into(by(first), &row, &unanswered),
            option: None,
        })),
    }
}

/// Returns a move from a row, given as a word, to a row of a language.
fn move_into(by: Moves, row: &[Pot], options: &Automaton) -> Vec<Step> {
    let ends = [row[0], row[row.len() - 1]];
    let pots = row.get(1..row.len() - 1).unwrap_or_default();
    let steps = pots.iter().enumerate().map(|(at, &pot)| Step {
        within: Some((0, at)),
        ..Step::of(pot)
    });
    let steps: Vec<Step> = steps.collect();
    let moves = moves(by.reading, &steps, ends, by.directions());
    let mut moves = moves.into_iter().filter(|steps| {
        let after: Vec<Pot> = steps.iter().map(|step| step.after).collect();
        options.accepts(&[&ends[..1], &after, &ends[1..]].concat())
    });
    within_row(moves.next().expect("the row is in the pre-image"))
}
