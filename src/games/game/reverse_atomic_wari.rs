//! Reverse Atomic Wari: seeds are gathered by reversed sowings of Atomic Wari, and captured as in
//! that game (Erickson 1996, section 4).
//!
//! # Rules
//!
//! Choose a pot with exactly one seed, and two successive nonempty pots or more that end in it,
//! Left from the left and Right from the right. Take one seed from each of them, and put all into
//! that pot: the inverse of a move of Atomic Wari, except for captures. Then capture as in Atomic
//! Wari: the unbroken chain of pots with two or three seeds, from that pot backwards. In impartial
//! play both players have both kinds of moves. From `111` Left can gather from two pots, which
//! leaves `1` at either end, or from all three, which leaves nothing: `111 = *`.
//!
//! Erickson warns that the capturing rules must not be reversed, too, and leaves the rest open;
//! this is one interpretation.
//!
//! # Cycles
//!
//! Play need not end: from `143223` it can return to `143223` in twelve moves
//! ([`Ruleset::is_loopy`]).
//!
//! # Normal form
//!
//! Empty pots at the ends are stripped. One row of each mirror pair represents both; in partisan
//! play the mirror image is the negative.
//!
//! # Splitting
//!
//! *A row is the sum of its runs of nonempty pots.* A move puts seeds only into a pot that had one,
//! so an empty pot stays empty. A move gathers within a run, and its captures end at an empty pot
//! at the latest. A run of one pot has no moves.

use super::literal::{LiteralMove, strip};
use super::{Parameters, Player, PotGame, Ruleset};
use crate::board::row::{Pot, Row};
use crate::board::{Caps, PositionError, Shape, Strip};

/// The ruleset of reverse Atomic Wari.
///
/// ```
/// use cggames::game::{Player, ReverseAtomicWari, Ruleset};
///
/// let position = ReverseAtomicWari.position(&"1111".parse()?)?;
/// let mut options = Vec::new();
/// ReverseAtomicWari.each_option(&position, Player::Left, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["11", "1001", "1", "11", "1", "4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReverseAtomicWari;

impl Ruleset for ReverseAtomicWari {
    on_strips!();

    fn id(&self) -> String {
        ReverseAtomicWari::NAME.to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    #[inline]
    fn is_loopy(&self) -> bool {
        true
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
            Player::Left => each_gathering_right(position, visit),
            Player::Right => each_gathering_right(&position.mirror(), &mut |option| {
                visit(&option.mirror());
            }),
        }
        Ok(())
    }

    fn components(&self, position: &Strip) -> Vec<Strip> {
        let pots = position.pots();
        let mut runs = Vec::new();
        let mut start = 0;
        for end in 0..=pots.len() {
            if pots.get(end).is_some_and(|&seeds| seeds > 0) {
                continue;
            }
            if end - start > 1 {
                let mut run = position.only(start..end);
                run.strip_empty_ends();
                runs.push(run);
            }
            start = end + 1;
        }
        runs
    }
}

impl PotGame for ReverseAtomicWari {
    const NAME: &'static str = "reverse-atomic-wari";

    const RULES: &'static str = "\
Reverse Atomic Wari: a row of pots that hold seeds. Choose a pot with exactly
one seed and two successive nonempty pots or more that end in it: Left from the
left, Right from the right; in impartial play both do both. Take one seed from
each of them and put all of them into that pot. Then, from that pot backwards,
an unbroken chain of pots with two or three seeds is captured: its seeds leave
the game. A player who cannot move loses; play that never ends is a draw. Left
gathers four seeds into the pot in parentheses:

    2 2 3 (1)  ->  1 1 2 4
";

    const SHAPE: Shape = Shape::rows(Caps::Unlimited);

    const PUBLISHED: Option<&'static str> = Some("reverse_atomic_wari.toml");

    fn with(_: Parameters) -> ReverseAtomicWari {
        ReverseAtomicWari
    }

    fn literal_moves(&self, row: &Row, player: Player) -> Vec<LiteralMove<Row>> {
        // Right's moves are Left's in the mirror image.
        let mirrored = |pots: &[Pot]| match player {
            Player::Left => pots.to_vec(),
            Player::Right => pots.iter().rev().copied().collect(),
        };
        let pots = mirrored(&row.pots);
        let place = |at: usize| match player {
            Player::Left => at,
            Player::Right => pots.len() - 1 - at,
        };
        let mut moves = Vec::new();
        for end in 0..pots.len() {
            for first in (0..end).rev() {
                if pots[end] != Pot::Seeds(1) || pots[first] == Pot::Seeds(0) {
                    break;
                }
                let mut gathered = pots.clone();
                for pot in &mut gathered[first..end] {
                    if let Pot::Seeds(seeds) = pot {
                        *seeds -= 1;
                    }
                }
                gathered[end] = Pot::Seeds((end - first + 1) as u32);
                for pot in gathered[..=end].iter_mut().rev() {
                    match pot {
                        Pot::Seeds(2 | 3) => *pot = Pot::Seeds(0),
                        _ => break,
                    }
                }
                let mut option = Row {
                    pots: mirrored(&gathered),
                    ..Row::default()
                };
                strip(&mut option);
                moves.push(LiteralMove {
                    from: place(first),
                    to: place(end) as isize,
                    option,
                });
            }
        }
        moves
    }
}

/// Visits the positions after a gathering to the right.
fn each_gathering_right(position: &Strip, visit: &mut impl FnMut(&Strip)) {
    let pots = position.pots();
    for end in (1..pots.len()).filter(|&end| pots[end] == 1) {
        let mut gathered = *position;
        let run = pots[..end].iter().rev().take_while(|&&seeds| seeds > 0);
        for first in (end - run.count()..end).rev() {
            gathered.pots[first] -= 1;
            gathered.pots[end] = (end - first + 1) as u8;
            let mut option = gathered;
            let chain = option.pots[..=end].iter_mut().rev();
            chain
                .take_while(|pot| matches!(**pot, 2 | 3))
                .for_each(|pot| *pot = 0);
            option.strip_empty_ends();
            visit(&option);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn play_comes_back_to_143223() {
        let circle = "143223 432123 321423 324312 313242 342132 231432 234321 233214 222144 111444 114333 143223";
        let rows: Vec<&str> = circle.split(' ').collect();
        for (pair, mover) in rows.windows(2).zip("RLRLRLRLLLRR".chars()) {
            let player = Player::BOTH[usize::from(mover == 'R')];
            let options = ReverseAtomicWari.literal_options(&pair[0].parse().unwrap(), player);
            let options: BTreeSet<String> = options.iter().map(Row::to_string).collect();
            assert!(options.contains(pair[1]), "{pair:?} {options:?}");
        }
    }

    #[test]
    fn rows_are_the_sums_of_their_runs() {
        let components = |text: &str| {
            let position = ReverseAtomicWari.position(&text.parse().unwrap()).unwrap();
            let found = ReverseAtomicWari.components(&position);
            let found: Vec<String> = found.iter().map(Strip::to_string).collect();
            found.join(" ")
        };
        for (text, expected) in [
            ("1101230044", "11 123 44"),
            ("10101", ""),
            ("143223", "143223"),
            ("0", ""),
        ] {
            assert_eq!(components(text), expected, "{text}");
        }
    }
}
