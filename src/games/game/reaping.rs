//! Reaping: Sowing with each move reversed (Erickson 1996, section 4).
//!
//! # Rules
//!
//! Choose a pot with two seeds or more. From it pass through nonempty pots to the first empty one,
//! Left to the right and Right to the left. Take one seed from each pot passed, including the
//! chosen one, and drop all of them into the empty pot. Beyond the row all pots are empty. In
//! impartial play both players may choose either direction. From `12` Left can move to `111`, and
//! Right to `201`, so that `12 = {0|*} = ^`.
//!
//! Erickson suggests gathering the seeds instead of sowing them, and leaves the details open. Here
//! a move is exactly the inverse of a move of Sowing: *Y is an option of X in Reaping if and only
//! if X is an option of Y in Sowing for the other player*, on rows as they are written (Sowing's
//! caps of full pots do not apply). A sowing of k seeds from pot q to the left ends in pot q - k,
//! called p here, which was not empty. After it p has two seeds or more, each pot between p and q
//! has at least one, and q is empty: the first empty pot to the right of p. Without "two or more" a
//! single seed could move for ever.
//!
//! # Normal form
//!
//! Empty pots at the ends are stripped. One row of each mirror pair represents both; in partisan
//! play the mirror image is the negative.
//!
//! # Termination
//!
//! Suppose play never ends. Let n be the number of seeds, which no move changes. A move from p
//! fills the pot q, and p stays nonempty. So the gap that contains q shrinks, new gaps lie between
//! p and q, where all pots were nonempty, and the other gaps do not change. Pot p has at least two
//! seeds and each other pot passed has one, so a new gap has at most n - 2 pots. Hence no gap is
//! ever longer than the longest initial gap and n - 2 pots, and the length of rows has a bound that
//! depends on n and the first row. There are finitely many such rows, so play returns to some row,
//! perhaps shifted. Reversed, that is a play of Sowing from the shifted row to the row itself,
//! which could be repeated for ever, shifted each time. But play ends in Sowing.

use super::literal::{LiteralMove, from_each_pot, step, strip};
use super::{Parameters, Player, PotGame, Ruleset};
use crate::board::row::{Pot, Row};
use crate::board::{Caps, PositionError, STRIP_POTS_MAX, Shape, Strip, brief};

/// The ruleset of Reaping.
///
/// ```
/// use cggames::game::{Player, Reaping, Ruleset};
///
/// let position = Reaping.position(&"12".parse()?)?;
/// let mut options = Vec::new();
/// Reaping.each_option(&position, Player::Right, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["201"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reaping;

impl Ruleset for Reaping {
    on_strips!();

    fn id(&self) -> String {
        Reaping::NAME.to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        Strip::counted(row, None)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => each_reaping_right(position, visit),
            Player::Right => each_reaping_right(&position.mirror(), &mut |option| {
                visit(&option.mirror());
            }),
        }
    }

    fn count_options(&self, position: &Strip, _: Player) -> Result<usize, PositionError> {
        Ok(position.pots().iter().filter(|&&seeds| seeds > 1).count())
    }
}

impl PotGame for Reaping {
    const NAME: &'static str = "reaping";

    const RULES: &'static str = "\
Reaping: Sowing backwards, on an endless row of pots. Choose a pot with two
seeds or more and walk through nonempty pots to the first empty one: Left to
the right, Right to the left; in impartial play both do both. Take one seed from
each pot passed, the first included, and drop all of them into the empty pot. A
player who cannot move loses. Left starts at the pot in parentheses:

    (3) 1 2  ->  2 0 1 3
";

    const SHAPE: Shape = Shape::rows(Caps::Unlimited);

    const PUBLISHED: Option<&'static str> = Some("reaping.toml");

    fn with(_: Parameters) -> Reaping {
        Reaping
    }

    fn literal_moves(&self, row: &Row, player: Player) -> Vec<LiteralMove<Row>> {
        from_each_pot(row, |place| self.literal_move(row, place, player))
    }
}

impl Reaping {
    /// Returns the last pot of a move from the pot at `place`, and the row after it, or `None` if the
    /// move is illegal.
    fn literal_move(&self, row: &Row, place: usize, player: Player) -> Option<(isize, Row)> {
        if !matches!(row.pots[place], Pot::Seeds(2..)) {
            return None;
        }
        // One empty pot on either side suffices in place of an endless row of them.
        let empty = [Pot::Seeds(0)];
        let mut option = Row {
            pots: [&empty, &row.pots[..], &empty].concat(),
            ..Row::default()
        };
        let (mut at, mut taken) = (place + 1, 0);
        while let Pot::Seeds(seeds @ 1..) = option.pots[at] {
            option.pots[at] = Pot::Seeds(seeds - 1);
            taken += 1;
            at = step(at, player).expect("an empty pot comes before the end");
        }
        option.pots[at] = Pot::Seeds(taken);
        strip(&mut option);
        Some((at as isize - 1, option))
    }
}

/// Visits the positions after a reaping to the right.
fn each_reaping_right(
    position: &Strip,
    visit: &mut impl FnMut(&Strip),
) -> Result<(), PositionError> {
    for (from, &seeds) in position.pots().iter().enumerate() {
        if seeds < 2 {
            continue;
        }
        let passed = position.pots()[from..].iter().take_while(|&&pot| pot > 0);
        let to = from + passed.count();
        if to == STRIP_POTS_MAX {
            return Err(PositionError::TooLong {
                row: brief(position),
                found: to + 1,
            });
        }
        let mut option = *position;
        option.len = option.len.max(to + 1);
        for pot in &mut option.pots[from..to] {
            *pot -= 1;
        }
        option.pots[to] = (to - from) as u8;
        visit(&option);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game::Sowing;

    /// Returns all rows of `pots` pots with at most `seeds_max` seeds.
    fn rows(pots: usize, seeds_max: u32) -> Vec<Row> {
        let mut rows = vec![Vec::new()];
        for _ in 0..pots {
            let longer = rows.iter().flat_map(|row: &Vec<u32>| {
                let left = seeds_max - row.iter().sum::<u32>();
                (0..=left).map(move |seeds| [&row[..], &[seeds]].concat())
            });
            rows = longer.collect();
        }
        let row = |pots: Vec<u32>| Row {
            pots: pots.into_iter().map(Pot::Seeds).collect(),
            ..Row::default()
        };
        rows.into_iter().map(row).collect()
    }

    /// Returns a row's text with the empty pots at its ends stripped.
    fn stripped(row: &Row) -> String {
        let mut row = row.clone();
        strip(&mut row);
        row.to_string()
    }

    /// Returns the moves between rows of a game for a player, as pairs of a row and its option.
    fn moves(
        game: &impl PotGame<Board = Row>,
        player: Player,
        rows: &[Row],
    ) -> BTreeSet<(String, String)> {
        let of_row = |row: &Row| {
            let options = game.literal_options(row, player);
            let pairs = options
                .iter()
                .map(|option| (stripped(row), stripped(option)));
            pairs.collect::<Vec<_>>()
        };
        rows.iter().flat_map(of_row).collect()
    }

    /// With an empty pot on either side no move leaves the rows of the test, so both games list all
    /// moves.
    #[test]
    fn a_move_is_a_move_of_sowing_undone() {
        let (inner, outer) = (rows(5, 7), rows(7, 7));
        for player in Player::BOTH {
            let reaped = moves(&Reaping, player, &inner);
            assert!(reaped.len() > 500, "{}", reaped.len());
            let sown = moves(&Sowing, player.opponent(), &outer);
            for (row, option) in &reaped {
                assert!(
                    sown.contains(&(option.clone(), row.clone())),
                    "{row} to {option}"
                );
            }
            let texts: BTreeSet<String> = inner.iter().map(stripped).collect();
            for (row, option) in sown.iter().filter(|(_, option)| texts.contains(option)) {
                assert!(
                    reaped.contains(&(option.clone(), row.clone())),
                    "{option} to {row}"
                );
            }
        }
    }

    #[test]
    fn a_row_that_would_grow_too_long_is_an_error() {
        let longest: Row = ["1".repeat(STRIP_POTS_MAX - 1), "2".to_owned()]
            .concat()
            .parse()
            .unwrap();
        let position = Reaping.position(&longest).unwrap();
        let error = Reaping.each_option(&position, Player::Left, &mut |_| {});
        assert!(
            matches!(error, Err(PositionError::TooLong { found: 125, .. })),
            "{error:?}"
        );
    }
}
