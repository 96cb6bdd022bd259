//! Grid Sowing: sowing in two dimensions (Erickson 1996, section 4).
//!
//! # Rules
//!
//! A rectangle of pots. Left sows all k seeds of a pot upwards or downwards, Right to the left or
//! to the right, one into each of the next k pots. The last must go into a pot that was not empty
//! before the move, and no seed may leave the grid. A nonempty pot into which a seed falls loses
//! all its seeds, including the new one; seeds that fall into empty pots stay. In impartial play
//! both players may sow in all four directions. From `11/11` Left can move to `01/01` and to
//! `10/10`, so that `11/11 = +-1`.
//!
//! With one seed in every pot the game is Domineering, with vertical dominoes for Left: a move
//! empties a pot and the one beside it.
//!
//! # Normal form
//!
//! Empty rows and columns at the borders are stripped, since no seed ever falls there. Flipping a
//! grid vertically or horizontally preserves its value, and the first of these four grids
//! represents them all. The negative is the transposed grid.
//!
//! # Splitting
//!
//! A pot that holds seeds at first later holds the same number, or none, or a single seed that fell
//! into it when it was empty; any other pot holds none or one. Let the *field* of a position be the
//! least set of pots that contains the nonempty pots and, with any two of its pots in line whose
//! distance is the number of seeds in the first, all pots between them. By induction over the
//! moves, only pots of the field ever hold seeds, and every move is between two pots of the field
//! that are neighbours or whose distance is the initial number of seeds in the first. Connect such
//! pots, and the pots between them: since these are in the field, it suffices to connect
//! neighbours. *A position is the sum of the connected components of its field.* No move touches
//! two components, and a component of one pot has no moves and is left out.
//!
//! # Termination
//!
//! Every move empties the pot sown from and the last pot, and fills only empty pots between them,
//! with one seed each. So the number of seeds decreases by at least two: the last pot held at least
//! one, which leaves together with the new one.

mod position;

pub use position::{GRID_SEEDS_MAX, GridPosition};

use super::{LiteralMove, Parameters, Player, PotGame, Ruleset};
use crate::board::grid::Grid;
use crate::board::{Key, PositionError, Shape, brief};
use position::{ONES, POT, POT_BITS, occupied};

/// The ruleset of Grid Sowing.
///
/// ```
/// use cggames::game::{GridSowing, Player, Ruleset};
///
/// let position = GridSowing.position(&"11/11".parse()?)?;
/// let mut options = Vec::new();
/// GridSowing.each_option(&position, Player::Left, &mut |option| options.push(option.to_string()))?;
/// assert_eq!(options, ["1/1"; 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GridSowing;

impl GridPosition {
    /// Visits the grids after a sowing upwards or downwards, pot by pot.
    fn each_sowing_along_columns(&self, visit: &mut impl FnMut(&GridPosition)) {
        for (from, &line) in self.lines().iter().enumerate() {
            let mut pots = occupied(line);
            while pots > 0 {
                let shift = pots.trailing_zeros();
                pots &= pots - 1;
                let seeds = (line >> shift & POT) as usize;
                for to in [from.checked_sub(seeds), Some(from + seeds)]
                    .into_iter()
                    .flatten()
                {
                    if self
                        .lines()
                        .get(to)
                        .is_none_or(|line| line >> shift & POT == 0)
                    {
                        continue;
                    }
                    let mut option = *self;
                    for line in &mut option.lines[from.min(to)..=from.max(to)] {
                        let sown = u64::from(*line >> shift & POT == 0);
                        *line = *line & !(POT << shift) | sown << shift;
                    }
                    visit(&option.normal());
                }
            }
        }
    }

    /// Visits the grids after a sowing to the left or to the right, pot by pot.
    fn each_sowing_along_rows(&self, visit: &mut impl FnMut(&GridPosition)) {
        for (row, &line) in self.lines().iter().enumerate() {
            let mut pots = occupied(line);
            while pots > 0 {
                let from = pots.trailing_zeros();
                pots &= pots - 1;
                let distance = POT_BITS as u32 * (line >> from & POT) as u32;
                for to in [from.checked_sub(distance), Some(from + distance)]
                    .into_iter()
                    .flatten()
                {
                    if line.checked_shr(to).unwrap_or(0) & POT == 0 {
                        continue;
                    }
                    let passed = POT << from.max(to) | ((1 << from.max(to)) - (1 << from.min(to)));
                    let mut option = *self;
                    option.lines[row] = line & !passed | ONES & passed & !occupied(line);
                    visit(&option.normal());
                }
            }
        }
    }

    /// Returns the field, as a set of pots.
    fn field(&self) -> u128 {
        let ((rows, columns), stride) = (self.sides(), self.stride());
        let mut field = self.occupied();
        if self.is_plain() {
            return field;
        }
        loop {
            let last = field;
            for (place, seeds) in self.pots().enumerate() {
                let (distance, row, column) = (seeds as usize, place / columns, place % columns);
                if distance < 2 {
                    continue;
                }
                let at = row * stride + column;
                for (place, len, step) in [(row, rows, stride), (column, columns, 1)] {
                    let before = (place >= distance).then(|| at - distance * step);
                    let after = (place + distance < len).then_some(at);
                    for first in [before, after].into_iter().flatten() {
                        let pot = |i: usize| 1 << (first + i * step);
                        if field & pot(0) > 0 && field & pot(distance) > 0 {
                            field |= (1..distance).map(pot).sum::<u128>();
                        }
                    }
                }
            }
            if field == last {
                return field;
            }
        }
    }
}

impl Ruleset for GridSowing {
    type Board = Grid;
    type Position = GridPosition;

    fn id(&self) -> String {
        "grid-sowing".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, grid: &Grid) -> Result<GridPosition, PositionError> {
        Ok(GridPosition::of(grid)?.normal())
    }

    fn board(&self, position: &GridPosition) -> Grid {
        position.to_grid()
    }

    fn each_option(
        &self,
        position: &GridPosition,
        player: Player,
        visit: &mut impl FnMut(&GridPosition),
    ) -> Result<(), PositionError> {
        match player {
            Player::Left => position.each_sowing_along_columns(visit),
            Player::Right => position.each_sowing_along_rows(visit),
        }
        Ok(())
    }

    fn negative(&self, position: &GridPosition) -> GridPosition {
        position.transposed().normal()
    }

    fn key(&self, position: &GridPosition) -> Result<(Key, bool), PositionError> {
        // PERF: the sides are compared first, so a grid wider than high need not be transposed.
        let negative = (position.rows >= position.columns).then(|| self.negative(position));
        let negative = negative.filter(|negative| negative < position);
        match negative.as_ref().unwrap_or(position).code() {
            Some(key) => Ok((key, negative.is_some())),
            None => Err(PositionError::KeyTooLong {
                row: brief(position),
            }),
        }
    }

    fn position_of(&self, key: Key) -> GridPosition {
        GridPosition::decoded(key).expect("the key is that of a position")
    }

    fn position_of_stored(&self, key: Key) -> Option<GridPosition> {
        let position = GridPosition::decoded(key)?;
        let is_key = position.normal() == position && self.key(&position).ok()? == (key, false);
        is_key.then_some(position)
    }

    fn components(&self, position: &GridPosition) -> Vec<GridPosition> {
        let occupied = position.occupied();
        // PERF: the other pots of the field lie between pots in line, so the whole field is
        // connected, too.
        if occupied.count_ones() > 1 && position.joined(occupied) == occupied {
            return vec![*position];
        }
        let mut rest = position.field();
        let mut components = Vec::new();
        while rest > 0 {
            let part = position.joined(rest);
            rest &= !part;
            // A component of one pot has no moves.
            if !part.is_power_of_two() {
                components.push(position.within(part).normal());
            }
        }
        components
    }

    fn splits_follower(&self, _: &GridPosition) -> bool {
        true
    }
}

impl PotGame for GridSowing {
    const NAME: &'static str = "grid-sowing";

    const RULES: &'static str = "\
Grid Sowing: a rectangle of pots that hold seeds, / between its rows. Take all
the seeds of a pot and sow them one by one into the pots beside it, Left upwards
or downwards, Right to the left or to the right; in impartial play both do both.
The last seed must land in a pot that was not empty. Every pot that was not
empty when a seed lands in it loses all its seeds. One seed in every pot makes
the game Domineering. A player who cannot move loses. Left sows the pot in
parentheses:

    (2)1/01/31  ->  01/11/01
";

    const SHAPE: Shape = Shape::Grids;

    const PUBLISHED: Option<&'static str> = Some("domineering.toml");

    fn with(_: Parameters) -> GridSowing {
        GridSowing
    }

    fn literal_moves(&self, grid: &Grid, player: Player) -> Vec<LiteralMove<Grid>> {
        let (rows, columns) = (grid.rows() as isize, grid.columns as isize);
        let directions = match player {
            Player::Left => [(-1, 0), (1, 0)],
            Player::Right => [(0, -1), (0, 1)],
        };
        let mut moves = Vec::new();
        for place in 0..grid.pots.len() {
            let (row, column) = (place as isize / columns, place as isize % columns);
            for (down, right) in directions {
                let mut option = grid.clone();
                let seeds = std::mem::take(&mut option.pots[place]) as isize;
                for i in 1..=seeds {
                    let (row, column) = (row + i * down, column + i * right);
                    if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                        break;
                    }
                    let to = row * columns + column;
                    let pot = &mut option.pots[to as usize];
                    let was_empty = *pot == 0;
                    *pot = u32::from(was_empty);
                    if i == seeds && !was_empty {
                        moves.push(LiteralMove {
                            from: place,
                            to,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_between_which_no_seed_passes_are_components() {
        for (text, expected) in [
            ("110/001", "11"),
            ("11/11", "11/11"),
            ("20101", "102"),
            ("11011/00000/10111", "11 + 11 + 111"),
            ("2010/0000/1000", "001/000/102"),
            ("0", ""),
        ] {
            let position = GridSowing.position(&text.parse().unwrap()).unwrap();
            let found = GridSowing.components(&position);
            let mut found: Vec<String> = found.iter().map(GridPosition::to_string).collect();
            found.sort();
            assert_eq!(found.join(" + "), expected, "{text}");
        }
    }

    #[test]
    fn keys_of_all_lengths_read_back() {
        let mut random = fastrand::Rng::with_seed(25);
        let (mut long, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let columns = random.usize(1..=8);
            let most = random.u32(1..=15);
            let pots = (0..columns * random.usize(1..=6)).map(|_| random.u32(0..=most));
            let pots = pots.collect();
            let position = GridSowing.position(&Grid { columns, pots }).unwrap();
            match GridSowing.key(&position) {
                Ok((key, negated)) => {
                    let first = GridSowing.position_of_stored(key).expect("it is a key");
                    let negative = GridSowing.negative(&first);
                    assert_eq!(position, if negated { negative } else { first });
                    long += u32::from(key >> 100 > 0);
                }
                Err(_) => refused += 1,
            }
        }
        assert!(long > 100 && refused > 100, "{long}, {refused}");
    }

    #[test]
    fn grids_beyond_the_limits_are_errors() {
        let read = |text: &str| {
            let position = GridSowing.position(&text.parse().unwrap());
            position
                .map(|position| GridSowing.key(&position))
                .unwrap_err()
                .to_string()
        };
        assert!(read(&"1".repeat(16)).contains("16 columns"));
        assert!(read("1[16]").contains("at most 15"));
    }
}
