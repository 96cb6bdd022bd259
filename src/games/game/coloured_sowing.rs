//! Coloured Sowing: seeds of two colours, sown in either direction (Erickson 1996, section 4).
//!
//! # Rules
//!
//! A pot holds blue and red seeds. Left takes all k >= 1 blue seeds of a pot and sows one into each
//! of the next k pots, to the left or to the right. The last must go into a pot that already holds
//! a blue seed, and all red seeds of that pot are captured. Right does the same with red seeds. The
//! seeds of the other colour stay in the pot sown from. From `b br` Left can move to `0 2b` or
//! `2b r`, where nobody can move; Right cannot move from `b br`. So its value is 1.
//!
//! # Normal form
//!
//! Empty pots at the ends are stripped: no seed ever falls there. A row and its mirror image have
//! the *same* value, since both players sow in either direction, so one of them represents both.
//! The negative is the row with the colours exchanged.
//!
//! # Splitting
//!
//! *A row is the sum of the pots on the two sides of a cut if, for each colour, one side has no
//! seeds of it, or the distance between the nearest pots with that colour on the two sides exceeds
//! the number of its seeds on either side.* Proof: the seeds of a colour never leave the range
//! between the outermost pots that hold them, since the last seed of a sowing falls into a pot that
//! holds some. So on either side of the cut that range only shrinks. A sowing over the cut would
//! take a number of seeds no less than the initial distance, but its pot holds at most all seeds of
//! the colour on its side. So no move passes over the cut, and a capture happens where a move ends.
//!
//! # Termination
//!
//! There are finitely many captures, since each removes seeds. After the last one the players do
//! not affect each other's seeds, and the seeds of one colour are sown as in impartial Sowing,
//! which ends.

use std::sync::LazyLock;

use super::{LiteralMove, Parameters, Play, Player, PotGame, Ruleset};
use crate::board::coloured::{ColouredPot, ColouredRow};
use crate::board::{Key, PositionError, STRIP_POTS_MAX, Shape, Strip, brief};

/// The most seeds of one pot, of both colours together.
pub const COLOURED_SEEDS_MAX: u32 = 21;

/// The ruleset of Coloured Sowing.
///
/// ```
/// use cggames::game::{ColouredSowing, Player, Ruleset};
///
/// let position = ColouredSowing.position(&"b br".parse()?)?;
/// let mut options = Vec::new();
/// ColouredSowing.each_option(&position, Player::Left, &mut |option| {
///     options.push(option.to_string());
/// })?;
/// assert_eq!(options, ["2b", "r 2b"]);
/// assert_eq!(ColouredSowing.count_options(&position, Player::Right)?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ColouredSowing;

/// A row in working form: a strip on which a number encodes the seeds of each pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColouredStrip(Strip);

/// The blue and the red seeds that each number encodes: pots of few seeds have small numbers.
static POTS: LazyLock<[(u8, u8); 256]> = LazyLock::new(|| {
    let mut pots = [(0, 0); 256];
    for seeds in 0..=COLOURED_SEEDS_MAX as u8 {
        for blue in 0..=seeds {
            pots[usize::from(number((blue, seeds - blue)))] = (blue, seeds - blue);
        }
    }
    pots
});

/// Returns the number of a pot of at most [`COLOURED_SEEDS_MAX`] seeds.
fn number((blue, red): (u8, u8)) -> u8 {
    let seeds = u32::from(blue) + u32::from(red);
    (seeds * (seeds + 1) / 2) as u8 + blue
}

fn exchanged(number_of: u8) -> u8 {
    let (blue, red) = POTS[usize::from(number_of)];
    number((red, blue))
}

impl ColouredStrip {
    /// Returns the row without empty ends or its mirror image, whichever represents both.
    fn normal(mut strip: Strip) -> ColouredStrip {
        strip.strip_empty_ends();
        ColouredStrip(if strip.mirror_comes_first() {
            strip.mirror()
        } else {
            strip
        })
    }

    /// Returns the row with the colours exchanged.
    fn exchanged(&self) -> ColouredStrip {
        let mut strip = self.0;
        let pots = strip.pots[..strip.len].iter_mut();
        pots.for_each(|pot| *pot = exchanged(*pot));
        ColouredStrip::normal(strip)
    }

    fn to_row(self) -> ColouredRow {
        let pots = self.0.pots().iter().map(|&pot| {
            let (blue, red) = POTS[usize::from(pot)];
            ColouredPot {
                blue: blue.into(),
                red: red.into(),
            }
        });
        ColouredRow {
            pots: pots.collect(),
        }
    }
}

impl std::fmt::Display for ColouredStrip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_row().fmt(f)
    }
}

impl Ruleset for ColouredSowing {
    type Board = ColouredRow;
    type Position = ColouredStrip;

    fn id(&self) -> String {
        "coloured-sowing".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &ColouredRow) -> Result<ColouredStrip, PositionError> {
        let mut pots = &row.pots[..];
        while let [inner @ .., last] = pots
            && *last == ColouredPot::default()
        {
            pots = inner;
        }
        while let [first, inner @ ..] = pots
            && *first == ColouredPot::default()
        {
            pots = inner;
        }
        if pots.len() > STRIP_POTS_MAX {
            return Err(PositionError::TooLong {
                row: brief(row),
                found: pots.len(),
            });
        }
        let mut strip = Strip {
            len: pots.len(),
            ..Strip::default()
        };
        for (place, pot) in strip.pots.iter_mut().zip(pots) {
            let found = pot.blue.saturating_add(pot.red);
            if found > COLOURED_SEEDS_MAX {
                return Err(too_many(row, found));
            }
            *place = number((pot.blue as u8, pot.red as u8));
        }
        Ok(ColouredStrip::normal(strip))
    }

    fn board(&self, position: &ColouredStrip) -> ColouredRow {
        position.to_row()
    }

    fn each_option(
        &self,
        position: &ColouredStrip,
        player: Player,
        visit: &mut impl FnMut(&ColouredStrip),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => each_sowing_of_blue(position, visit),
            Player::Right => each_sowing_of_blue(&position.exchanged(), &mut |option| {
                visit(&option.exchanged());
            }),
        }
    }

    fn negative(&self, position: &ColouredStrip) -> ColouredStrip {
        position.exchanged()
    }

    fn key(&self, position: &ColouredStrip) -> Result<(Key, bool), PositionError> {
        let exchanged = position.exchanged();
        let negated = exchanged.0.pots() < position.0.pots();
        let first = if negated { exchanged } else { *position };
        match first.0.key() {
            Ok((key, _)) => Ok((key, negated)),
            Err(_) => Err(PositionError::KeyTooLong {
                row: brief(position),
            }),
        }
    }

    fn position_of(&self, key: Key) -> ColouredStrip {
        ColouredStrip(Strip::position_of(key))
    }

    fn position_of_stored(&self, key: Key) -> Option<ColouredStrip> {
        let strip = ColouredStrip(Strip::position_of_stored(key)?);
        let normal = self.position(&strip.to_row()).ok()?;
        (normal == strip && self.key(&strip).ok()? == (key, false)).then_some(strip)
    }

    fn components(&self, position: &ColouredStrip) -> Vec<ColouredStrip> {
        let pots: Vec<(u8, u8)> = position
            .0
            .pots()
            .iter()
            .map(|&pot| POTS[usize::from(pot)])
            .collect();
        let mut components = Vec::new();
        let mut start = 0;
        for end in 1..=pots.len() {
            let splits = end == pots.len()
                || splits(&pots, end, |pot| pot.0) && splits(&pots, end, |pot| pot.1);
            if splits {
                let component = ColouredStrip::normal(position.0.only(start..end));
                if !component.0.pots().is_empty() {
                    components.push(component);
                }
                start = end;
            }
        }
        components
    }
}

impl PotGame for ColouredSowing {
    const NAME: &'static str = "coloured-sowing";

    const RULES: &'static str = "\
Coloured Sowing: a row of pots that hold blue (b) and red (r) seeds. Left takes
all the blue seeds of a pot and sows them one by one into the pots beside it, to
the left or to the right; Right does so with red seeds. The last seed must land
in a pot that holds seeds of its colour, and all seeds of the other colour in
that pot are captured. A player who cannot move loses. Left sows the pot in
parentheses:

    b 2br (b) r  ->  b 3b 0 r
";

    const SHAPE: Shape = Shape::ColouredRows;

    const PUBLISHED: Option<&'static str> = Some("coloured_sowing.toml");

    const PLAYS: &'static [Play] = &[Play::Partisan];

    fn with(_: Parameters) -> ColouredSowing {
        ColouredSowing
    }

    fn literal_moves(&self, row: &ColouredRow, player: Player) -> Vec<LiteralMove<ColouredRow>> {
        let mut moves = Vec::new();
        for from in 0..row.pots.len() {
            for step in [-1, 1] {
                let mut option = row.clone();
                let (own, _) = of_player(&mut option.pots[from], player);
                let mut seeds = std::mem::take(own);
                let mut at = from as isize;
                while seeds > 0 {
                    at += step;
                    seeds -= 1;
                    let place = usize::try_from(at).ok();
                    let Some(pot) = place.and_then(|place| option.pots.get_mut(place)) else {
                        break;
                    };
                    let (own, other) = of_player(pot, player);
                    *own += 1;
                    if seeds == 0 && *own > 1 {
                        *other = 0;
                        moves.push(LiteralMove {
                            from,
                            to: at,
                            option,
                        });
                        break;
                    }
                }
            }
        }
        moves
    }
}

/// Returns the seeds of the player's colour in a pot, and those of the other.
fn of_player(pot: &mut ColouredPot, player: Player) -> (&mut u32, &mut u32) {
    match player {
        Player::Left => (&mut pot.blue, &mut pot.red),
        Player::Right => (&mut pot.red, &mut pot.blue),
    }
}

/// Returns whether no seeds of a colour can pass over the cut before this pot.
fn splits(pots: &[(u8, u8)], cut: usize, seeds: impl Fn(&(u8, u8)) -> u8) -> bool {
    let (left, right) = pots.split_at(cut);
    let last = left.iter().rposition(|pot| seeds(pot) > 0);
    let first = right.iter().position(|pot| seeds(pot) > 0);
    let (Some(last), Some(first)) = (last, first) else {
        return true;
    };
    let all = |side: &[(u8, u8)]| {
        side.iter()
            .map(|pot| usize::from(seeds(pot)))
            .sum::<usize>()
    };
    all(left).max(all(right)) < cut + first - last
}

fn too_many(row: &impl std::fmt::Display, found: u32) -> PositionError {
    PositionError::TooManySeeds {
        row: brief(row),
        found,
        most: COLOURED_SEEDS_MAX,
    }
}

/// Visits the positions after a sowing of blue seeds, pot by pot, to the left and then to the
/// right.
fn each_sowing_of_blue(
    position: &ColouredStrip,
    visit: &mut impl FnMut(&ColouredStrip),
) -> Result<(), PositionError> {
    let strip = &position.0;
    for from in 0..strip.len {
        let (blue, red) = POTS[usize::from(strip.pots[from])];
        let k = usize::from(blue);
        if k == 0 {
            continue;
        }
        for to in [from.checked_sub(k), Some(from + k)].into_iter().flatten() {
            if to >= strip.len || POTS[usize::from(strip.pots[to])].0 == 0 {
                continue;
            }
            let mut option = *strip;
            option.pots[from] = number((0, red));
            let sown = if to < from {
                to..from
            } else {
                from + 1..to + 1
            };
            for pot in sown {
                let (blue, red) = POTS[usize::from(strip.pots[pot])];
                let red = if pot == to { 0 } else { red };
                let found = u32::from(blue) + 1 + u32::from(red);
                if found > COLOURED_SEEDS_MAX {
                    return Err(too_many(position, found));
                }
                option.pots[pot] = number((blue + 1, red));
            }
            visit(&ColouredStrip::normal(option));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_split_where_no_colour_passes() {
        for (text, expected) in [
            ("b b 0 b b", "b b 0 b b"),
            ("b b 0 0 b b", "b b + b b"),
            ("b b r r", "r r + b b"),
            ("b r b r", "r + b + r + b"),
            ("r 2b b br", "r + br b 2b"),
            ("2b 0 b", "b 0 2b"),
        ] {
            let position = ColouredSowing.position(&text.parse().unwrap()).unwrap();
            let found = ColouredSowing.components(&position);
            let found: Vec<String> = found.iter().map(ColouredStrip::to_string).collect();
            assert_eq!(found.join(" + "), expected, "{text}");
        }
    }

    #[test]
    fn pots_with_too_many_seeds_are_errors() {
        let read = |text: &str| ColouredSowing.position(&text.parse().unwrap());
        let error = read("b 11b11r").unwrap_err().to_string();
        assert!(error.contains("a pot of 22 seeds; at most 21"), "{error}");
        let full = read("b 10b11r b").unwrap();
        assert!(
            ColouredSowing
                .each_option(&full, Player::Left, &mut |_| {})
                .is_ok()
        );
        let full = read("2b 10b11r b").unwrap();
        assert!(
            ColouredSowing
                .each_option(&full, Player::Left, &mut |_| {})
                .is_err()
        );
    }
}
