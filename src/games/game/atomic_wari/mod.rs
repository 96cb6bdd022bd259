//! Atomic Wari: Erickson's sowing game with captures.
//!
//! # Rules
//!
//! Take all `k >= 2` seeds of a pot and sow one into each of `k` pots, *starting with that pot*:
//! Left to the right, Right to the left. Then the unbroken chain of pots with two or three seeds is
//! captured, from the last pot sown backwards: their seeds leave the game. In impartial play both
//! players may sow to either side. From `312` Left can move to `1` (capturing 3 and 2) or `3111`,
//! Right to `301` or `11112`, so that `312 = ^` (Erickson 1996, section 3).
//!
//! Erickson's row is endless on both sides. The board of Mancala World has a fixed number of pots,
//! 36 with 4 seeds each at first, and a move that would leave it is illegal.
//!
//! # Normal form
//!
//! On the endless row empty pots at the ends are stripped. On a fixed board all pots stay; a row
//! shorter than the board is placed at its left end. One row of each mirror pair represents both;
//! in partisan play the mirror image is the negative.
//!
//! # Splitting
//!
//! Let the *surplus* of a group of pots be its number of seeds minus its number of nonempty pots.
//! Let its *reach* be 1 if its fullest pots hold exactly two seeds, and otherwise its surplus. *A
//! row is the sum of groups of its pots, each with all other pots empty, if the number of empty
//! pots between neighbouring groups is at least the sum of their reaches minus one.* This holds on
//! the endless row and on boards, where groups stay in their places, in partisan and in impartial
//! play.
//!
//! Proof. First let a group be played alone.
//!
//! * A pot sown from keeps a seed. So a pot that has ever held a seed still holds one, or its last
//!   change was a capture, by which two or three seeds left the game. One seed for each of the
//!   former and two for each of the latter are at most all seeds. So the number of pots that are
//!   empty at first and hold a seed later is at most the surplus. If it equals the surplus, no pot
//!   was captured and each pot that has held a seed holds exactly one, so play is over.
//! * A sowing skips no pot. So play goes beyond either end of the group by at most the surplus. If
//!   it gets that far, it does so by the last seed of the last move, which falls into an empty pot.
//! * If no pot has more than two seeds, a move takes a 2 and adds a seed to its neighbour, which is
//!   captured if it was not empty. So no pot ever has more than two, and a pot that is empty or
//!   single at first is never sown from. Play goes at most one pot beyond the group, always with
//!   the last seed of a move.
//!
//! So there is at most one pot that two neighbouring groups both reach; call it c. It is empty at
//! first or, if one of the groups has no surplus and so no moves, a pot of that group with one
//! seed. We claim that in the row each group is played as if alone, except for c, which never holds
//! more than one seed. Only the last seed of a move falls into c. If c is empty, the seed stays.
//! Otherwise both seeds are captured, and the chain of captures continues with the pot before c, as
//! it would not if the group were alone. But this pot has one seed: either the move began there
//! with two, or it is the group's last move, which leaves one seed in each pot. So only c differs.
//! A group that has made its last move does not need c, and in a group with no pot above two,
//! single and empty pots make no difference.
//!
//! Theorem 3.1 is the case of *sparse* positions, no pot above two: the sum of the runs of deuces.
//!
//! # Termination
//!
//! Suppose play never ends. There are finitely many captures, since each removes seeds; consider
//! play after the last. A pot sown from keeps a seed, so nonempty pots stay nonempty. There are
//! never more of them than seeds, so from some time on no empty pot is sown into. Some pots are
//! then sown from infinitely often; let i be the leftmost of them. Every sowing to the left from i
//! or over it brings a seed to the pots left of i, which are no longer sown from, so there are
//! finitely many such sowings. From then on i, once sown from, holds one seed and receives more
//! only from sowings to the left that end exactly in i. The first of these makes it two: a capture,
//! against the assumption.

mod sweep;

use std::ops::Range;

pub use self::sweep::{GoesOn, ReachableRows, Stopped, SupportGrid, SupportLevel};
use super::literal::{LiteralMove, add_seed, from_each_pot, step, strip};
use super::reading::Reading;
use super::surplus::Reach;
use super::{Parameters, Player, PotGame, Ruleset};
use crate::board::row::{Pot, Row};
use crate::board::{
    Caps, PositionError, ROW_COST_MAX, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Shape, Strip, brief,
};

/// The ruleset of Atomic Wari, on the endless row or on a board of fixed width.
///
/// ```
/// use cggames::game::{AtomicWari, Player, Ruleset};
///
/// let wari = AtomicWari::on(None);
/// let position = wari.position(&"312".parse()?)?;
/// let mut options = Vec::new();
/// wari.each_option(&position, Player::Left, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["1", "3111"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AtomicWari {
    board_pots: Option<usize>,
}

impl Ruleset for AtomicWari {
    on_strips!();

    fn id(&self) -> String {
        match self.board_pots {
            None => AtomicWari::NAME.to_owned(),
            Some(pots) => format!("{}/{pots}", AtomicWari::NAME),
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        Strip::counted(row, self.board_pots)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => self.each_sowing_right(position, visit),
            Player::Right => self.each_sowing_right(&position.mirror(), &mut |option| {
                visit(&option.mirror());
            }),
        }
    }

    fn components(&self, position: &Strip) -> Vec<Strip> {
        let groups = REACH.groups(position).into_iter();
        groups.map(|group| self.part(position, group)).collect()
    }

    /// Sparse followers split into runs of deuces.
    // PERF: the moves of `x y` with large x and y soon lead to sparse rows, of which there are
    // exponentially many, but only x + y runs.
    fn splits_follower(&self, follower: &Strip) -> bool {
        follower.pots().iter().all(|&pot| pot <= 2)
    }

    fn reachable_rows(
        &self,
        pots: usize,
        seeds: usize,
        cells_max: u64,
        goes_on: &GoesOn,
    ) -> Result<Option<ReachableRows>, Stopped> {
        match self.board_pots {
            None => ReachableRows::from_all(pots, seeds, cells_max, goes_on),
            Some(_) => Ok(None),
        }
    }

    fn reachable_cells(&self, pots: usize, seeds: usize, cells_max: u64) -> Option<u64> {
        match self.board_pots {
            None => ReachableRows::cells_from_all(pots, seeds, cells_max),
            Some(_) => None,
        }
    }
}

impl PotGame for AtomicWari {
    const NAME: &'static str = "atomic-wari";

    const RULES: &'static str = "\
Atomic Wari: a row of pots that hold seeds, endless or a board of fixed width.
Take all the seeds of a pot with two or more and sow them one by one, the first
into the same pot: Left to the right, Right to the left; in impartial play both
do both. Then, from the last pot sown backwards, an unbroken chain of pots with
two or three seeds is captured: its seeds leave the game. A player who cannot
move loses. Left captures 3 and 2:

    (3) 1 2  ->  1 0 0
";

    const SHAPE: Shape = Shape::rows(Caps::Unlimited);

    const PUBLISHED: Option<&'static str> = Some("atomic_wari.toml");

    const HAS_BOARDS: bool = true;

    fn with(parameters: Parameters) -> AtomicWari {
        AtomicWari::on(parameters.board_pots)
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading::ATOMIC_WARI)
    }

    fn literal_moves(&self, row: &Row, player: Player) -> Vec<LiteralMove<Row>> {
        let mut row = row.clone();
        if let Some(pots) = self.board_pots {
            row.pots.resize(pots.max(row.pots.len()), Pot::Seeds(0));
        }
        from_each_pot(&row, |place| self.literal_move(&row, place, player))
    }

    /// Estimates x y / 2 for `x y`, n^2 / 2 for n deuces in a sparse row, and 1.9^s for any other
    /// row; in s the fullest pot counts at most the seeds of all others. The estimate is within a
    /// factor of 3 for `x y` and `2^n`, and of 5 for `3^n`. It may be too high by a factor of 30 for
    /// `x y z` and `4^n`, and by far more if a small pot lies between large ones.
    fn cost(row: &Row) -> u64 {
        let seeds = row.pots.iter().map(|pot| match pot {
            Pot::Seeds(seeds) => u64::from(*seeds),
            Pot::Full => 0,
        });
        let mut seeds: Vec<u64> = seeds.filter(|&seeds| seeds > 0).collect();
        seeds.sort_unstable();
        match seeds[..] {
            [] => 1,
            [x, y] => x * y / 2 + 1,
            [.., most] if most <= 2 => {
                let deuces = seeds.iter().filter(|&&seeds| seeds == 2).count() as u64;
                deuces * deuces / 2 + 1
            }
            [ref others @ .., most] => {
                let others: u64 = others.iter().sum();
                // The cast saturates.
                (1.9f64.powf((others + most.min(others)) as f64) as u64).min(ROW_COST_MAX)
            }
        }
    }
}

/// How far play goes, which the module's docs prove.
const REACH: Reach = Reach {
    is_shared: true,
    has_sparse: true,
};

impl AtomicWari {
    /// Returns the game on a board of that width, or on the endless row.
    pub fn on(board_pots: Option<u32>) -> AtomicWari {
        AtomicWari {
            board_pots: board_pots.map(|pots| pots as usize),
        }
    }

    /// Returns the last pot of a move from the pot at `place`, and the row after it, or `None` if the
    /// move is illegal.
    fn literal_move(&self, row: &Row, place: usize, player: Player) -> Option<(isize, Row)> {
        let Pot::Seeds(seeds) = row.pots[place] else {
            return None;
        };
        if seeds < 2 {
            return None;
        }
        let further = (seeds - 1) as isize;
        let to = match player {
            Player::Left => place as isize + further,
            Player::Right => place as isize - further,
        };
        let mut option = row.clone();
        let mut place = place;
        if self.board_pots.is_none() {
            // On the endless row, add the empty pots on either side that seeds could reach.
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
            // The pot sown from holds one seed, so the chain ends there at the latest.
            at = step(at, player.opponent()).expect("a chain of captures ends on the row");
        }
        if self.board_pots.is_none() {
            strip(&mut option);
        }
        Some((to, option))
    }

    /// Returns the position with all other pots empty.
    fn part(self, position: &Strip, pots: Range<usize>) -> Strip {
        let mut part = position.only(pots);
        if self.board_pots.is_none() {
            part.strip_empty_ends();
        }
        part
    }

    /// Visits the positions after a sowing to the right.
    fn each_sowing_right(
        &self,
        position: &Strip,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        for (i, &seeds) in position.pots().iter().enumerate() {
            let end = i + usize::from(seeds);
            if seeds < 2 || self.board_pots.is_some_and(|pots| end > pots) {
                continue;
            }
            if end > STRIP_POTS_MAX {
                return Err(PositionError::TooLong {
                    row: brief(position),
                    found: end,
                });
            }
            let mut option = *position;
            option.len = option.len.max(end);
            option.pots[i] = 1;
            let sown = &mut option.pots[i + 1..end];
            sown.iter_mut().for_each(|pot| *pot += 1);
            if let Some(&found) = sown.iter().find(|&&pot| u32::from(pot) > STRIP_SEEDS_MAX) {
                return Err(PositionError::TooManySeeds {
                    row: brief(position),
                    found: found.into(),
                    most: STRIP_SEEDS_MAX,
                });
            }
            // The chain ends in pot i at the latest, which holds one seed.
            sown.iter_mut()
                .rev()
                .take_while(|pot| matches!(**pot, 2 | 3))
                .for_each(|pot| *pot = 0);
            if self.board_pots.is_none() {
                option.strip_empty_ends();
            }
            visit(&option);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{AnyBoard, BoardKind};
    use crate::game::Game;

    fn literal(game: Game, row: &str, player: Player) -> Vec<String> {
        let options = game.literal_options(&BoardKind::Row.read(row).unwrap(), player);
        options.iter().map(AnyBoard::to_string).collect()
    }

    #[test]
    fn the_worked_example_by_literal_play() {
        let endless = Game::ATOMIC_WARI;
        assert_eq!(literal(endless, "312", Player::Left), ["1", "3111"]);
        assert_eq!(literal(endless, "312", Player::Right), ["11112", "301"]);
        let board = endless.on_board(3).unwrap();
        assert_eq!(literal(board, "312", Player::Left), ["100"]);
        assert_eq!(literal(board, "312", Player::Right), ["301"]);
    }

    fn options(wari: AtomicWari, text: &str, player: Player) -> Vec<String> {
        let position = wari.position(&text.parse().unwrap()).unwrap();
        let mut options = Vec::new();
        wari.each_option(&position, player, &mut |o| options.push(o.to_string()))
            .unwrap();
        options.sort();
        options
    }

    #[test]
    fn the_worked_example_has_its_printed_options() {
        let wari = AtomicWari::on(None);
        assert_eq!(options(wari, "312", Player::Left), ["1", "3111"]);
        assert_eq!(options(wari, "00312", Player::Right), ["11112", "301"]);
    }

    #[test]
    fn a_move_may_not_leave_a_fixed_board() {
        let wari = AtomicWari::on(Some(3));
        assert_eq!(options(wari, "312", Player::Left), ["100"]);
        assert_eq!(options(wari, "312", Player::Right), ["301"]);
        assert_eq!(
            options(AtomicWari::on(Some(4)), "312", Player::Left),
            ["1000", "3111"]
        );
    }

    #[test]
    fn a_captured_chain_is_unbroken() {
        // Sowing the 5 leaves 1 there and 2 1 3 2 in the next four pots; only the last two are
        // captured.
        assert_eq!(
            options(AtomicWari::on(None), "51021", Player::Left)[0],
            "121"
        );
    }

    #[test]
    fn rows_split_where_groups_never_meet() {
        let components = |wari: AtomicWari, text: &str| {
            let position = wari.position(&text.parse().unwrap()).unwrap();
            let found = wari.components(&position);
            let found: Vec<String> = found.iter().map(Strip::to_string).collect();
            found.join(" ")
        };
        let endless = AtomicWari::on(None);
        for (text, expected) in [
            ("2202122", "22 2 22"),
            ("11011", ""),
            ("3003", "3003"),
            ("30003", "3 3"),
            ("31", "31"),
            ("301", "3"),
            // The surplus of the deuces exceeds one, but their reach is one.
            ("30022222", "3 22222"),
            ("3022222", "3022222"),
            ("22120333", "22120333"),
            ("2212000000333", "22 2 333"),
            ("10003", "3"),
            ("0", ""),
        ] {
            assert_eq!(components(endless, text), expected, "{text}");
        }
        let board = AtomicWari::on(Some(8));
        assert_eq!(components(board, "30003"), "30000000 00003000");
        assert_eq!(components(board, "22022"), "22000000 00022000");
        assert_eq!(components(board, "3"), "30000000");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let read = |wari: AtomicWari, text: &str| {
            wari.position(&text.parse().unwrap())
                .unwrap_err()
                .to_string()
        };
        assert!(read(AtomicWari::on(None), "1e1").contains("full pots"));
        assert!(read(AtomicWari::on(None), "[251]").contains("at most 250"));
        assert!(read(AtomicWari::on(Some(2)), "312").contains("the board has 2"));
    }

    #[test]
    fn a_pot_that_would_grow_too_large_is_an_error() {
        let wari = AtomicWari::on(None);
        let position = wari.position(&"2[250]".parse().unwrap()).unwrap();
        let error = wari
            .each_option(&position, Player::Left, &mut |_| {})
            .unwrap_err();
        assert!(matches!(
            error,
            PositionError::TooManySeeds { found: 251, .. }
        ));
    }

    #[test]
    fn a_move_beyond_the_longest_strip_is_an_error() {
        let wari = AtomicWari::on(None);
        let position = wari.position(&"[200]".parse().unwrap()).unwrap();
        let error = wari
            .each_option(&position, Player::Left, &mut |_| {})
            .unwrap_err();
        assert!(matches!(error, PositionError::TooLong { found: 200, .. }));
    }
}
