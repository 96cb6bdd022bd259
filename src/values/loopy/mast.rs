//! Mean and temperature of stoppers.
//!
//! Each move is taxed by t, as in the thermographs of short games, and the scaffolds of a follower that is no pseudonumber are
//!
//! ```text
//! left scaffold(t)  = greatest right wall of a Left option at t, minus t
//! right scaffold(t) = least left wall of a Right option at t, plus t
//! ```
//!
//! The scaffolds begin at the stops and come no further apart as t grows. The least t >= 0 at which they meet is the temperature, and
//! the mean is the number there; from there on both walls are the mean. Both walls of `x`, `xover` and `xunder` are x. Those of `on`
//! exceed all numbers, and those of `off` are less than all.
//!
//! A follower may be its own follower, so that its walls cannot be found after those of its options. But at one t, each wall depends
//! only on walls that alternating play leads to, and that play ends. So t is raised from 0 to each temperature and each corner of a
//! wall in turn, for all followers together.
//!
//! The scaffolds never meet where a stop is `on` or `off`, or where both players have threats that have to be answered at every
//! temperature, as in `{on|0||-5|off}`. Then n games have no stops near a multiple of n, and there is no mean. Otherwise, with the mean m
//! and the temperature T, the stops of both sides of the sum of n games lie between nm - T and nm + T, as those of short games do.
//!
//! The sources define the stops of stoppers and no mean; the rule here is that of short games, and play of sums confirms it in tests.

use super::alternating::{Alternating, Pseudonumber};
use super::calculator::LoopyCalculator;
use super::graph::{BOTH, LEFT, RIGHT};
use super::stopper::Stopper;
use crate::Dyadic;

/// A wall just after a temperature, in the order of walls there: -1, 0 or 1 for `off`, a number or `on`; the number; the slope.
type Line = (i8, Dyadic, i64);

impl LoopyCalculator<'_> {
    /// Returns the mean and the temperature of a stopper, or `None` if it has none: its scaffolds never meet, or not at a number.
    /// The temperature of a number is that of [`Thermographs`](crate::Thermographs); that of other stoppers is at least 0.
    ///
    /// Also `None` if a number takes more than 127 bits.
    ///
    /// Cost: a look at each option of each follower, for each temperature of a follower and each corner of its walls.
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// let mut mast = |game: &str| {
    ///     let stopper = c.parse(game).unwrap().stopper().unwrap();
    ///     c.mast(stopper)
    /// };
    /// let integers = |mean, temperature| Some([mean, temperature].map(Dyadic::integer).into());
    /// assert_eq!(mast("{7over|1}"), integers(4, 3));
    /// assert_eq!(mast("{on|0||-5}"), integers(0, 5));
    /// assert_eq!(mast("3 + upon"), integers(3, 0));
    /// assert_eq!([mast("on"), mast("{0|off}"), mast("{on|0||-5|off}")], [None; 3]);
    /// ```
    pub fn mast(&self, stopper: Stopper) -> Option<(Dyadic, Dyadic)> {
        if let Some(Pseudonumber::Number(number)) = self.pseudonumber(stopper) {
            let unit = match number.exponent() {
                0 => Dyadic::integer(-1),
                exponent => Dyadic::new(-1, exponent),
            };
            return Some((number, unit));
        }
        let play = Alternating::of(self, stopper);
        let of_pseudonumbers = play.pseudonumbers.iter();
        let mut sweep = Sweep {
            temperature: Dyadic::ZERO,
            masts: of_pseudonumbers
                .map(|found| found.map(of_pseudonumber))
                .collect(),
            walls: vec![[(0, Dyadic::ZERO, 0); 2]; play.options.len()],
            play,
        };
        loop {
            sweep.set_walls()?;
            let has_frozen = sweep.freeze();
            if let Some((infinite, mean, _)) = sweep.masts[0] {
                return (infinite == 0).then_some((mean, sweep.temperature));
            }
            if !has_frozen {
                let step = sweep.step()?;
                sweep.temperature = sweep.temperature.checked_add(step)?;
            }
        }
    }
}

fn of_pseudonumber(pseudonumber: Pseudonumber) -> Line {
    match pseudonumber {
        Pseudonumber::Off => (-1, Dyadic::ZERO, 0),
        Pseudonumber::On => (1, Dyadic::ZERO, 0),
        Pseudonumber::Under(x) | Pseudonumber::Number(x) | Pseudonumber::Over(x) => (0, x, 0),
    }
}

/// The walls of all followers at a temperature.
struct Sweep {
    play: Alternating,
    temperature: Dyadic,
    /// The masts of the followers whose temperature is at most this one.
    masts: Vec<Option<Line>>,
    walls: Vec<[Line; 2]>,
}

impl Sweep {
    /// Computes the walls; `None` if a number takes too many bits.
    fn set_walls(&mut self) -> Option<()> {
        for (walls, mast) in self.walls.iter_mut().zip(&self.masts) {
            if let Some(mast) = mast {
                *walls = [*mast, *mast];
            }
        }
        for place in 0..self.play.order.len() {
            let (node, player) = self.play.order[place];
            if self.masts[node].is_some() {
                continue;
            }
            let (infinite, number, slope) = self.best(node, player);
            let (tax, change) = match player {
                LEFT => (-self.temperature, -1),
                _ => (self.temperature, 1),
            };
            self.walls[node][player] = match infinite {
                0 => (0, number.checked_add(tax)?, slope + change),
                infinite => (infinite, Dyadic::ZERO, 0),
            };
        }
        Some(())
    }

    /// Returns the walls of a player's options that count when the other player moves next.
    fn candidates(&self, node: usize, player: usize) -> impl Iterator<Item = Line> {
        let options = self.play.options[node][player].iter();
        options.map(move |&option| self.walls[option][1 - player])
    }

    /// Returns the best of them for the player just after this temperature.
    fn best(&self, node: usize, player: usize) -> Line {
        let best = match player {
            LEFT => self.candidates(node, player).max(),
            _ => self.candidates(node, player).min(),
        };
        best.expect("both players have options")
    }

    /// Ends the thermographs of followers whose scaffolds meet here, and returns whether there are any.
    fn freeze(&mut self) -> bool {
        let mut has_frozen = false;
        for (mast, [left, right]) in self.masts.iter_mut().zip(&self.walls) {
            if mast.is_none() && (left.0, left.1) <= (right.0, right.1) {
                *mast = Some((left.0, left.1, 0));
                has_frozen = true;
            }
        }
        has_frozen
    }

    /// Returns how far the walls go on as they are; `None` if for ever.
    fn step(&self) -> Option<Dyadic> {
        let mut steps = Vec::new();
        // The numbers meet, of which the first is not less and falls, or rises less.
        let mut meet = |above: Line, below: Line| {
            let closing = below.2 - above.2;
            if above.0 == 0 && below.0 == 0 && closing > 0 {
                let gap = above.1.checked_add(-below.1)?;
                // Slopes are -1, 0 and 1.
                steps.push(if closing == 2 { gap.half() } else { gap });
            }
            Some(())
        };
        for (node, [left, right]) in self.walls.iter().enumerate() {
            if self.masts[node].is_some() {
                continue;
            }
            meet(*left, *right)?;
            for player in BOTH {
                let best = self.best(node, player);
                for other in self.candidates(node, player) {
                    match player {
                        RIGHT => meet(other, best)?,
                        _ => meet(best, other)?,
                    }
                }
            }
        }
        steps.into_iter().min()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::tests::{endings, graph, random_moves, sum};
    use super::*;
    use crate::{Arena, Thermographs, samples};

    #[test]
    fn stops_and_masts_of_short_games_are_those_of_thermographs() {
        let arena = Arena::new();
        let mut c = LoopyCalculator::new(&arena);
        let mut thermographs = Thermographs::new(&arena);
        let mut games = samples::born_by(c.short(), 2);
        for text in ["{9||7|-2}", "{{8|3}|{{2|*}|-5}}", "{10||3|-4|||-20}", "3/8"] {
            games.push(c.short().parse(text).unwrap());
        }
        for (place, &first) in games.clone().iter().enumerate() {
            for &second in &games.clone()[..place] {
                let mut c = arena.calculator();
                let hot = c.canonical(&mut vec![first], &mut vec![second, first.negative()]);
                games.push(hot.unwrap());
            }
        }
        assert!(games.len() > 300);
        for game in games {
            let short = Stopper::Short(game);
            assert_eq!(
                c.mast(short),
                thermographs.mast(game),
                "{}",
                arena.notation(game)
            );
            let stops = [arena.left_stop(game), arena.right_stop(game)];
            assert_eq!(c.stops(short), stops.map(Pseudonumber::Number));
        }
    }

    /// Moves among some positions and, after them, the integers from -n to n, and `on` and `off`.
    fn hot_moves(random: &mut fastrand::Rng, size: usize, n: usize) -> Vec<[Vec<usize>; 2]> {
        let mut moves = random_moves(random, size, 2);
        let zero = size + n;
        for place in size..size + 2 * n + 1 {
            moves.push(match place {
                place if place < zero => [vec![], vec![place + 1]],
                place if place == zero => [vec![], vec![]],
                place => [vec![place - 1], vec![]],
            });
        }
        moves.push([vec![moves.len()], vec![]]);
        moves.push([vec![], vec![moves.len()]]);
        let all = moves.len();
        for moves in &mut moves[..size] {
            for options in moves {
                for _ in 0..2 {
                    options.push(size + random.usize(..all - size));
                }
            }
        }
        moves
    }

    /// The moves that can be reached from the first position.
    fn reached(moves: &[[Vec<usize>; 2]]) -> Vec<[Vec<usize>; 2]> {
        let mut places = HashMap::from([(0, 0)]);
        let mut open = vec![0];
        let mut found = Vec::new();
        while let Some(&at) = open.get(found.len()) {
            found.push(moves[at].clone().map(|options| {
                let place = |option| {
                    *places.entry(option).or_insert_with(|| {
                        open.push(option);
                        open.len() - 1
                    })
                };
                options.into_iter().map(place).collect::<Vec<usize>>()
            }));
        }
        found
    }

    fn integer(n: i64) -> Vec<[Vec<usize>; 2]> {
        let size = n.unsigned_abs() as usize;
        let options = |at: usize| (at + 1..=size).take(1).collect();
        (0..=size)
            .map(|at| match n > 0 {
                true => [options(at), vec![]],
                false => [vec![], options(at)],
            })
            .collect()
    }

    #[test]
    fn sums_of_copies_end_as_mean_and_temperature_say() {
        let arena = Arena::new();
        let mut random = fastrand::Rng::with_seed(5);
        let (mut loopy, mut hot, mut without) = (0, 0, 0);
        for _ in 0..400 {
            let mut c = LoopyCalculator::new(&arena);
            let moves = reached(&hot_moves(&mut random, 3, 2));
            let Some(sides) = c.sides(&graph(&moves)).unwrap()[0] else {
                continue;
            };
            let Some(stopper @ Stopper::Loopy(_)) = sides.stopper() else {
                continue;
            };
            loopy += 1;
            let Some((mean, temperature)) = c.mast(stopper) else {
                without += 1;
                continue;
            };
            hot += usize::from(temperature > Dyadic::ZERO);
            let mut copies = moves.clone();
            for n in 1..=3 {
                if n > 1 {
                    copies = reached(&sum(&copies, &moves));
                }
                for x in -8..=8 {
                    let x_less = Dyadic::integer(x)
                        .checked_add(-(Dyadic::integer(n)).checked_mul(mean).unwrap())
                        .unwrap();
                    if x_less <= temperature && -x_less <= temperature {
                        continue;
                    }
                    let played = endings(&sum(&copies, &integer(-x)))[0];
                    // Who is behind loses even with the first move, and draws are no way out.
                    let behind = if x_less > temperature { LEFT } else { RIGHT };
                    assert_eq!(
                        played[behind],
                        -1,
                        "{n} of {}, less {x}",
                        c.text(sides, 200).unwrap()
                    );
                }
            }
        }
        assert!(
            loopy > 100 && hot > 50 && without > 20,
            "{loopy} {hot} {without}"
        );
    }

    /// Best play of a stopper beside coupons, from the largest on, each worth one step more than the next: by position, coupons left
    /// and player. Scores are in steps, 16 to a unit; `on` is more than any of them.
    struct Coupons<'c, 'a> {
        c: &'c LoopyCalculator<'a>,
        scores: HashMap<(Stopper, i64, usize), i64>,
    }

    const STEPS: i64 = 16;
    const ON: i64 = 1 << 40;

    impl Coupons<'_, '_> {
        fn score(&mut self, stopper: Stopper, coupons: i64, player: usize) -> i64 {
            if let Some(&score) = self.scores.get(&(stopper, coupons, player)) {
                return score;
            }
            let sign = if player == LEFT { 1 } else { -1 };
            let mut replies = Vec::new();
            if coupons > 0 {
                replies.push(sign * coupons + self.score(stopper, coupons - 1, 1 - player));
            }
            match self.c.pseudonumber(stopper) {
                // No player moves in a number before the coupons are gone.
                Some(found) if coupons == 0 => replies.push(match found {
                    Pseudonumber::On => ON,
                    Pseudonumber::Off => -ON,
                    found => {
                        let score = found.number().unwrap().checked_mul(Dyadic::integer(STEPS));
                        score.unwrap().to_integer().unwrap()
                    }
                }),
                Some(_) => {}
                None => {
                    for option in self.c.options_of(stopper)[player].clone() {
                        replies.push(self.score(option, coupons, 1 - player));
                    }
                }
            }
            let best = replies
                .into_iter()
                .max_by_key(|score| score * sign)
                .unwrap();
            self.scores.insert((stopper, coupons, player), best);
            best
        }
    }

    /// Beside coupons of up to t, the first move in a game is worth more than a coupon just where t is below the temperature.
    #[test]
    fn play_beside_coupons_has_these_means_and_temperatures() {
        let arena = Arena::new();
        let mut random = fastrand::Rng::with_seed(6);
        let (mut above, mut below) = (0, 0);
        for _ in 0..2000 {
            let mut c = LoopyCalculator::new(&arena);
            let moves = reached(&hot_moves(&mut random, 4, 4));
            let Some(sides) = c.sides(&graph(&moves)).unwrap()[0] else {
                continue;
            };
            let Some(stopper @ Stopper::Loopy(_)) = sides.stopper() else {
                continue;
            };
            let mast = c.mast(stopper);
            let mut play = Coupons {
                c: &c,
                scores: HashMap::new(),
            };
            let units = |x: Dyadic| x.to_f64_exact().unwrap() * STEPS as f64;
            for coupons in [STEPS / 4, STEPS, 2 * STEPS, 3 * STEPS, 5 * STEPS, 8 * STEPS] {
                let [left, right] = BOTH.map(|player| play.score(stopper, coupons, player) as f64);
                let gain = left - right - coupons as f64;
                let Some((mean, temperature)) = mast else {
                    assert!(gain > 8.0 || left.abs() > 1e9, "{sides:?}");
                    continue;
                };
                // Where scores differ by a few coupons' steps, they decide nothing.
                if coupons as f64 >= units(temperature) {
                    above += 1;
                    assert!(gain.abs() <= 4.0, "{gain} {coupons} {mast:?}");
                    assert!((left - coupons as f64 / 2.0 - units(mean)).abs() <= 4.0);
                } else if coupons as f64 + 8.0 <= units(temperature) {
                    below += 1;
                    assert!(gain > 4.0, "{gain} {coupons} {mast:?}");
                }
            }
        }
        assert!(above > 1000 && below > 500, "{above} {below}");
    }
}
