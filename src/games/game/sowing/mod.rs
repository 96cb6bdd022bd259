//! Sowing: Conway's game on rows of pots, studied by Erickson.
//!
//! # Rules
//!
//! Take all `k >= 1` seeds of a pot and sow one into each of the next `k` pots: Left to the right,
//! Right to the left. The last seed may not go into an empty pot. In impartial play both players
//! may sow to either side. From `312` Left can only move to `303`, and Right to `402` or `420`, so
//! that `312 = {0|-2}` (Erickson 1996, section 2; erratum: Table 1 prints `211 = 1/2` for `2111 =
//! 1/2`).
//!
//! # Normal form
//!
//! * Empty pots at an end are stripped: no seed ever reaches them, since the last seed of a move
//!   would have to land in or beyond them.
//! * On a row of p pots the pot at place i (from 0) is *full* when it has more seeds than its
//!   distance to either end, that is at least `max(i, p-1-i) + 1`. No player can sow from it, now
//!   or later, since rows only shrink and the content of a pot only grows until it is sown. Its
//!   count is capped at that number.
//! * One row of each mirror pair represents both; in partisan play the mirror image is the
//!   negative.
//!
//! # Endless full pots
//!
//! `...e` and `e...` are infinitely many full pots. Their effect is finite: a seed that reaches
//! them lands in a full pot, which changes nothing. So seeds that pass the last written pot are
//! lost, and such a move is legal. If the row has n seeds, n written full pots have the same
//! effect, since no pot has more than n seeds, except that counts can then also exceed the distance
//! to an end. In a row with an endless end, a pot with `max(i+1, p-i)` seeds or more behaves like
//! one with exactly that number. An `e` inside such a row can never be sown from: it differs from
//! every count.
//!
//! # Splitting
//!
//! Divide a row, with or without endless ends, into clusters separated by gaps of empty pots; an
//! endless end belongs to the cluster beside it. Let s be the number of seeds of a cluster that are
//! not in full pots. *If every gap is at least as long as s for the clusters on either side of it,
//! the row is the sum of its clusters, each as a row by itself, in partisan and in impartial play.*
//!
//! Proof. We claim that in every follower the gaps are empty, and no cluster has more than its s
//! seeds outside the pots that were full at first. Those are never sown from, whatever they
//! receive. So the k seeds of a move are among the s seeds of a cluster, and k <= s <= g for the g
//! empty pots on either side of it. The last seed gets no further than the last pot of a gap, and
//! it may not land in the gap, whose pots are all empty. So a legal move ends in its cluster, or
//! beyond an endless end that belongs to it. It puts no seed into a gap or into another cluster, so
//! the claim holds after it. These moves do not depend on the other clusters: a cluster as a row by
//! itself also has no pot beside it in which a move may end, except for its endless end, so it has
//! the same moves for either player. The followers of the row are those of the sum, move by move.
//!
//! A gap of s - 1 pots can be crossed: `11` has the option `02`, so `1101` has the option `0201`,
//! which has the option `0012`. Pots that are not full in the row can be full in the shorter
//! cluster, which may then split further.
//!
//! # Termination
//!
//! Suppose play never ends. Some pots are then sown from infinitely often; let i be the leftmost of
//! them, and consider play after the last sowing from a pot left of i. Seeds that reach pots left
//! of i stay there, or are lost beyond an endless end. Each sowing to the left from i or over it
//! brings one there, so there are finitely many of these. After the last of them, seeds reach i
//! only by sowings to the left that end exactly in i. Such a move needs i to be nonempty; once i
//! has been sown from, it is empty, stays empty, and is never sown from again. This contradiction
//! holds in partisan and in impartial play.

pub(super) mod sweep;

use super::literal::{LiteralMove, add_seed, from_each_pot, step};
use super::reading::Reading;
use super::{Parameters, Player, PotGame, Ruleset, Swept};
use crate::board::clusters::clusters;
use crate::board::row::{Pot, Row};
use crate::board::{Caps, FULL, PositionError, STRIP_POTS_MAX, Shape, Strip, brief, ways};

/// The ruleset of Sowing.
///
/// ```
/// use cggames::game::{Player, Ruleset, Sowing};
///
/// let position = Sowing.position(&"312".parse()?)?;
/// let mut options = Vec::new();
/// Sowing.each_option(&position, Player::Right, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["22", "302"]); // of 420 and 402: no empty end, full pots cut
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sowing;

impl Ruleset for Sowing {
    on_strips!();

    fn id(&self) -> String {
        Sowing::NAME.to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Strip, PositionError> {
        let pots = trim(row);
        if pots.len() > STRIP_POTS_MAX {
            return Err(PositionError::TooLong {
                row: brief(row),
                found: pots.len(),
            });
        }
        let mut strip = Strip {
            len: pots.len(),
            endless_left: row.endless_left,
            endless_right: row.endless_right,
            ..Strip::default()
        };
        for (i, pot) in pots.iter().enumerate() {
            let cap = cap(strip.len, i);
            strip.pots[i] = match *pot {
                Pot::Seeds(seeds) => seeds.min(u32::from(cap)) as u8,
                Pot::Full if row.endless_left || row.endless_right => FULL,
                Pot::Full => cap,
            };
        }
        normalise(&mut strip);
        Ok(strip)
    }

    fn each_option(
        &self,
        position: &Strip,
        player: Player,
        visit: &mut impl FnMut(&Strip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => each_sowing_right(position, visit),
            Player::Right => {
                each_sowing_right(&position.mirror(), &mut |option| visit(&option.mirror()));
            }
        }
        Ok(())
    }

    fn count_options(&self, position: &Strip, player: Player) -> Result<usize, PositionError> {
        let pots = position.pots();
        let legal = pots.iter().enumerate().filter(|&(i, &seeds)| {
            let seeds_sown = usize::from(seeds);
            let landing = match player {
                Player::Left => pots.get(i + seeds_sown).copied(),
                Player::Right => i.checked_sub(seeds_sown).map(|last| pots[last]),
            };
            let endless = match player {
                Player::Left => position.endless_right,
                Player::Right => position.endless_left,
            };
            seeds != 0 && seeds != FULL && landing.map_or(endless, |target| target != 0)
        });
        Ok(legal.count())
    }

    fn components(&self, position: &Strip) -> Vec<Strip> {
        let mut components = Vec::new();
        let mut whole = vec![*position];
        while let Some(strip) = whole.pop() {
            let parts = split(&strip);
            if parts.len() == 1 && parts[0] == strip {
                components.push(strip);
            } else {
                whole.extend(parts.into_iter().rev());
            }
        }
        components
    }

    fn swept(&self) -> Option<&dyn Swept<Strip>> {
        Some(self)
    }
}

impl Swept<Strip> for Sowing {
    fn pots<'p>(&self, position: &'p Strip) -> Option<&'p [u8]> {
        (!position.endless_left && !position.endless_right).then(|| position.pots())
    }
}

impl PotGame for Sowing {
    const NAME: &'static str = "sowing";

    const RULES: &'static str = "\
Sowing: a row of pots that hold seeds; beyond its ends all pots are empty. Take
all the seeds of a pot and sow them one by one into the pots after it: Left to
the right, Right to the left; in impartial play both do both. The last seed must
not land in an empty pot. A full pot (e) holds too many seeds ever to be sown. A
player who cannot move loses. Left sows the pot in parentheses:

    3 (1) 2  ->  3 0 3
";

    const SHAPE: Shape = Shape::rows(Caps::FartherEnd);

    const PUBLISHED: Option<&'static str> = Some("sowing.toml");

    fn with(_: Parameters) -> Sowing {
        Sowing
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading::SOWING)
    }

    fn literal_moves(&self, row: &Row, player: Player) -> Vec<LiteralMove<Row>> {
        from_each_pot(row, |place| self.literal_move(row, place, player))
    }

    /// Estimates C(s + q - 1, s), where s is the number of seeds in the pots that can be sown at
    /// all, k their average number per pot, and q = p - k for p pots. Fitted to counts of
    /// followers: for `1^n`, `2^n`, `3^n` and `e 1^n e` it is within a factor of 5.
    fn cost(row: &Row) -> u64 {
        let pots = row.pots.len() as u64;
        let endless = row.endless_left || row.endless_right;
        let mut sown = (0u64, 0u64);
        for (place, pot) in (0u64..).zip(&row.pots) {
            let (before, after) = (place, pots - 1 - place);
            if let Pot::Seeds(seeds) = pot
                && *seeds > 0
                && (endless || u64::from(*seeds) <= before.max(after))
            {
                sown = (sown.0 + 1, sown.1 + u64::from(*seeds));
            }
        }
        let a_pot = (2 * sown.1 + sown.0).checked_div(2 * sown.0).unwrap_or(0);
        ways(sown.1, pots.saturating_sub(a_pot))
    }
}

impl Sowing {
    /// Returns the last pot of a move from the pot at `place`, and the row after it, or `None` if the
    /// move is illegal.
    fn literal_move(&self, row: &Row, place: usize, player: Player) -> Option<(isize, Row)> {
        // A full pot can never be sown from.
        let Pot::Seeds(seeds) = row.pots[place] else {
            return None;
        };
        if seeds == 0 {
            return None;
        }
        let (to, beyond_is_full) = match player {
            Player::Left => (place as isize + seeds as isize, row.endless_right),
            Player::Right => (place as isize - seeds as isize, row.endless_left),
        };
        let mut option = row.clone();
        option.pots[place] = Pot::Seeds(0);
        let mut at = place;
        for left_over in (0..seeds).rev() {
            let next = step(at, player).and_then(|next| Some((next, option.pots.get_mut(next)?)));
            let Some((next, pot)) = next else {
                // No later seed comes back into the row, and the pots beyond it are full at an endless end and else empty.
                return beyond_is_full.then_some((to, option));
            };
            at = next;
            if left_over == 0 && *pot == Pot::Seeds(0) {
                return None;
            }
            add_seed(pot);
        }
        Some((to, option))
    }
}

/// Returns the least count that fills a pot.
fn cap(pots: usize, place: usize) -> u8 {
    (pots - place).max(place + 1) as u8
}

/// Returns the clusters of a row that have seeds to sow, each as a row by itself.
fn split(strip: &Strip) -> Vec<Strip> {
    let len = strip.len;
    let endless = strip.endless_left || strip.endless_right;
    let sowable = |i: usize, seeds: u8| match seeds {
        FULL => 0,
        _ if !endless && seeds >= cap(len, i) => 0,
        _ => usize::from(seeds),
    };
    let places = strip.pots().iter().enumerate();
    let nonempty = places.filter(|&(_, &seeds)| seeds > 0);
    let pots = nonempty.map(|(i, &seeds)| (i..i + 1, sowable(i, seeds)));
    // An endless end has no seeds to sow, but seeds may reach it.
    let pots = (strip.endless_left.then_some((0..0, 0)).into_iter())
        .chain(pots)
        .chain(strip.endless_right.then_some((len..len, 0)));
    let apart = |left: usize, right: usize, gap| left.max(right) <= gap;
    clusters(pots, |a, b| a + b, apart)
        .into_iter()
        .filter(|&(_, seeds)| seeds > 0)
        .map(|(range, _)| {
            let mut part = strip.only(range.clone());
            part.endless_left = strip.endless_left && range.start == 0;
            part.endless_right = strip.endless_right && range.end == len;
            normalise(&mut part);
            part
        })
        .collect()
}

/// Returns the pots of a row of any length without empty ends and without full pots that merge with
/// an endless end.
fn trim(row: &Row) -> &[Pot] {
    let useless = |pot: &Pot, endless: bool| {
        if endless {
            *pot == Pot::Full
        } else {
            *pot == Pot::Seeds(0)
        }
    };
    let mut pots = &row.pots[..];
    while let [inner @ .., pot] = pots
        && useless(pot, row.endless_right)
    {
        pots = inner;
    }
    while let [pot, inner @ ..] = pots
        && useless(pot, row.endless_left)
    {
        pots = inner;
    }
    pots
}

/// Visits the positions after a sowing to the right.
fn each_sowing_right(position: &Strip, visit: &mut impl FnMut(&Strip)) {
    for (i, &seeds) in position.pots().iter().enumerate() {
        if seeds == 0 || seeds == FULL {
            continue;
        }
        let last = i + usize::from(seeds);
        let legal = match position.pots().get(last) {
            Some(&target) => target != 0,
            None => position.endless_right,
        };
        if !legal {
            continue;
        }
        let mut option = *position;
        option.pots[i] = 0;
        let end = position.len.min(last + 1);
        for pot in &mut option.pots[i + 1..end] {
            *pot += u8::from(*pot != FULL);
        }
        normalise(&mut option);
        visit(&option);
    }
}

/// Strips the ends and caps the counts.
fn normalise(strip: &mut Strip) {
    strip.strip_empty_ends();
    if strip.endless_right {
        while strip.len > 0 && strip.pots[strip.len - 1] == FULL {
            strip.len -= 1;
        }
    }
    if strip.endless_left {
        let full = strip.pots().iter().take_while(|&&pot| pot == FULL).count();
        strip.remove_left(full);
    }
    let len = strip.len;
    for (i, pot) in strip.pots[..len].iter_mut().enumerate() {
        if *pot != FULL {
            *pot = (*pot).min(cap(len, i));
        }
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
        assert_eq!(literal(Game::SOWING, "312", Player::Left), ["303"]);
        assert_eq!(literal(Game::SOWING, "312", Player::Right), ["402", "420"]);
    }

    #[test]
    fn a_move_keeps_all_seeds() {
        for row in ["312", "1111", "20305", "123456", "0811"] {
            for player in Player::BOTH {
                for option in literal(Game::SOWING, row, player) {
                    let sum =
                        |text: &str| text.bytes().map(|pot| u32::from(pot - b'0')).sum::<u32>();
                    assert_eq!(sum(&option), sum(row), "{row} to {option}");
                }
            }
        }
    }

    #[test]
    fn full_pots_are_never_sown_from_and_may_be_sown_into() {
        assert_eq!(literal(Game::SOWING, "e1e", Player::Left), ["e0e"]);
        assert_eq!(literal(Game::SOWING, "e2", Player::Left), [""; 0]);
    }

    fn normal(text: &str) -> String {
        Sowing.position(&text.parse().unwrap()).unwrap().to_string()
    }

    fn options(text: &str, player: Player) -> Vec<String> {
        let position = Sowing.position(&text.parse().unwrap()).unwrap();
        let mut options = Vec::new();
        Sowing
            .each_option(&position, player, &mut |o| options.push(o.to_string()))
            .unwrap();
        options
    }

    #[test]
    fn the_worked_example_has_its_printed_options() {
        assert_eq!(options("312", Player::Left), ["303"]);
        assert_eq!(options("312", Player::Right), ["42", "402"].map(normal));
    }

    #[test]
    fn full_pots_and_empty_ends_are_normalised() {
        assert_eq!(normal("0011045100"), normal("110451"));
        assert_eq!(normal("110451"), normal("110ee1"));
        assert_eq!(normal("e"), "1");
        assert_eq!(normal("[99]0[77]"), "303");
        assert_eq!(normal("...ee1ee..."), "...e1e...");
        assert_eq!(normal("...e0[50]0e..."), "...e020e...");
        assert_eq!(normal("...e01e10"), "...e01e1");
        assert_eq!(normal("000"), "0");
    }

    #[test]
    fn rows_split_where_no_seed_can_cross() {
        for (text, expected) in [
            ("212000000001321", "212 1321"),
            ("11001", "11"),
            ("1101", "1101"),
            // Nine seeds make a full pot, so that only two on the left can be sown.
            ("1[9]10011", "121 11"),
            // The pot of five is full once the rest has split off.
            ("500110000000001111", "11 1111"),
            ("10101", ""),
            ("22", ""),
            ("...e010e...", ""),
            ("...e00111000e...", "...e00111"),
            ("...e000111000e...", "111"),
            ("...e11001e...", "...e11 1e..."),
            ("...e11001", "...e11"),
            ("...e1e011", "...e1e011"),
            ("...e1e0011", "...e1e 11"),
            ("...ee...", ""),
            ("0", ""),
        ] {
            let position = Sowing.position(&text.parse().unwrap()).unwrap();
            let found = Sowing.components(&position);
            let found: Vec<String> = found.iter().map(Strip::to_string).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn seeds_are_lost_beyond_an_endless_end() {
        assert_eq!(options("...e3e...", Player::Left), ["...e0e..."]);
        // From the first pot onto the second; from the second over the third and away; and away.
        let expected = ["0[10]1e...", "102e...", "1[9]0e..."].map(normal);
        assert_eq!(options("1[9]1e...", Player::Left), expected);
    }

    #[test]
    fn a_full_pot_in_an_endless_row_is_never_sown() {
        assert_eq!(options("...e0e0e...", Player::Left), Vec::<String>::new());
        assert_eq!(options("...e0[99]0e...", Player::Left), ["...e001e..."]);
    }
}
