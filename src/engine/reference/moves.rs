//! The rules of the sowing games, read aloud: every legal move on a written row.
//!
//! Rows are taken as they stand: no pot is stripped, capped or mirrored. Sowing is Erickson 1996,
//! section 2; Atomic Wari is section 3 and the Mancala World page.

use crate::board::row::{Pot, Row};
use crate::game::{Game, Player};

/// Returns the rows that one move leads to, one for each legal move.
///
/// The row has no endless ends, and full pots only in Sowing.
pub(super) fn options(game: Game, row: &Row, player: Player) -> Vec<Row> {
    let places = 0..row.pots.len();
    places
        .filter_map(|place| match game {
            Game::Sowing => sow(row, place, player),
            Game::AtomicWari { board_pots } => sow_atomic(row, place, player, board_pots),
        })
        .collect()
}

/// Sows all seeds of a pot into successive pots, the last seed into no empty pot.
fn sow(row: &Row, place: usize, player: Player) -> Option<Row> {
    // Nobody can ever move from a full pot.
    let Pot::Seeds(seeds) = row.pots[place] else {
        return None;
    };
    if seeds == 0 {
        return None;
    }
    let mut option = row.clone();
    option.pots[place] = Pot::Seeds(0);
    let mut at = place;
    for left_over in (0..seeds).rev() {
        // Pots outside of the row are empty, and no later seed comes back into the row.
        at = step(at, player)?;
        let pot = option.pots.get_mut(at)?;
        if left_over == 0 && *pot == Pot::Seeds(0) {
            return None;
        }
        add_seed(pot);
    }
    Some(option)
}

/// Sows all seeds of a pot, of which there are at least two, starting with that pot, and captures.
fn sow_atomic(row: &Row, place: usize, player: Player, board_pots: Option<u32>) -> Option<Row> {
    let Pot::Seeds(seeds) = row.pots[place] else {
        return None;
    };
    if seeds < 2 {
        return None;
    }
    let mut option = row.clone();
    let mut place = place;
    if board_pots.is_none() {
        // On the endless row there are as many empty pots on either side as seeds could reach.
        let empty = vec![Pot::Seeds(0); seeds as usize];
        option.pots = [&empty[..], &option.pots, &empty].concat();
        place += seeds as usize;
    }
    option.pots[place] = Pot::Seeds(1);
    let mut at = place;
    for _ in 1..seeds {
        // A move that would leave the board is illegal.
        at = step(at, player)?;
        add_seed(option.pots.get_mut(at)?);
    }
    while matches!(option.pots[at], Pot::Seeds(2 | 3)) {
        option.pots[at] = Pot::Seeds(0);
        // The pot sown from holds one seed, so that the chain ends there at the latest.
        at = step(at, player.opponent()).expect("a chain of captures ends on the row");
    }
    if board_pots.is_none() {
        strip(&mut option);
    }
    Some(option)
}

/// Returns the next place in the direction in which the player sows.
fn step(place: usize, player: Player) -> Option<usize> {
    match player {
        Player::Left => Some(place + 1),
        Player::Right => place.checked_sub(1),
    }
}

/// Drops a seed into a pot. One seed more makes no difference to a full pot.
fn add_seed(pot: &mut Pot) {
    if let Pot::Seeds(seeds) = pot {
        *seeds += 1;
    }
}

/// Deletes the empty pots at both ends.
pub(super) fn strip(row: &mut Row) {
    while row.pots.last() == Some(&Pot::Seeds(0)) {
        row.pots.pop();
    }
    while row.pots.first() == Some(&Pot::Seeds(0)) {
        row.pots.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(game: Game, row: &str, player: Player) -> Vec<String> {
        let options = options(game, &row.parse().unwrap(), player);
        options.iter().map(Row::to_string).collect()
    }

    #[test]
    fn the_worked_example_of_sowing() {
        assert_eq!(texts(Game::Sowing, "312", Player::Left), ["303"]);
        assert_eq!(texts(Game::Sowing, "312", Player::Right), ["402", "420"]);
    }

    #[test]
    fn full_pots_are_never_sown_from_and_may_be_sown_into() {
        assert_eq!(texts(Game::Sowing, "e1e", Player::Left), ["e0e"]);
        assert_eq!(texts(Game::Sowing, "e2", Player::Left), [""; 0]);
    }

    #[test]
    fn the_worked_example_of_atomic_wari() {
        let endless = Game::AtomicWari { board_pots: None };
        assert_eq!(texts(endless, "312", Player::Left), ["1", "3111"]);
        assert_eq!(texts(endless, "312", Player::Right), ["11112", "301"]);
        let board = Game::AtomicWari {
            board_pots: Some(3),
        };
        assert_eq!(texts(board, "312", Player::Left), ["100"]);
        assert_eq!(texts(board, "312", Player::Right), ["301"]);
    }
}
