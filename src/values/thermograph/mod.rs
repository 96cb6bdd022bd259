//! Thermographs: how the two stops of a value move as it is cooled, to its mean and temperature.
//!
//! For a value that is not a number, with t >= 0 (Siegel, Combinatorial Game Theory, section II.5;
//! Berlekamp, The economist's view of combinatorial games):
//!
//! ```text
//! left scaffold(t)  = greatest right wall of a Left option at t, minus t
//! right scaffold(t) = least left wall of a Right option at t, plus t
//! ```
//!
//! The temperature is the least t at which they meet, and the mean is the value there. Below the
//! temperature the walls are the scaffolds; above it both are the mast at the mean. Both walls of a
//! number are that number.
//!
//! # Below 0
//!
//! The same recursion holds from -1 on, with fractions treated as games. Then the mast of an
//! integer begins at -1, and that of a fraction over `2^n` in lowest terms at `-1/2^n`. These are
//! the temperatures of numbers, so 0 has temperature -1. A value that is infinitesimally close to a
//! number, but not equal to it, has temperature 0. Nothing is defined below -1.
//!
//! [`Thermographs::new`] computes walls for t >= 0, which determine the mean and the temperature of
//! a value that is not a number; [`Thermographs::from_minus_one`] computes them from -1 on.
//!
//! All arithmetic is exact. The slopes of walls are -1, 0 and 1, so every corner is dyadic.

mod scaled;
mod wall_arena;

use self::scaled::{Point, Scratch, Walls};
use self::wall_arena::{WallArena, WallRef};
use super::{Arena, Dyadic, ValueId, ValueMap};

/// The memo is emptied before the next query once it holds more thermographs, or corners of walls,
/// than this.
const MEMO_MAX: usize = 1 << 18;
const CORNERS_MAX: usize = 1 << 22;

/// A piecewise linear function of the temperature, from 0 or -1 on, constant beyond its last
/// corner.
///
/// Between corners its slope is -1, 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Temperatures and values, by increasing temperature, the first where the wall begins.
    corners: Box<[(Dyadic, Dyadic)]>,
}

/// Both walls of a value, and the point where they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    mean: Dyadic,
    temperature: Dyadic,
}

/// Computes thermographs, remembering those of followers.
///
/// # Range
///
/// Temperatures and values of the corners of the options' walls, as multiples of a common unit,
/// must have at most 119 bits. Otherwise the thermograph is out of range, and so are those of all
/// forms that have this one as a follower.
///
/// ```
/// use cgvalues::{Arena, Dyadic, Thermographs};
///
/// let arena = Arena::new();
/// let id = arena.calculator().parse("{2|0||-2|-4}")?;
/// let mut thermographs = Thermographs::new(&arena);
/// assert_eq!(thermographs.mean(id), Some(Dyadic::integer(-1)));
/// assert_eq!(thermographs.temperature(id), Some(Dyadic::integer(2)));
/// # Ok::<(), cgvalues::ParseValueError>(())
/// ```
pub struct Thermographs<'a> {
    arena: &'a Arena,
    /// The temperature at which walls begin, 0 or -1.
    start: Dyadic,
    /// The thermographs by form; of a form and its negative only the one with the smaller id has an
    /// entry. `None` is out of range.
    memo: ValueMap<Option<Known>>,
    /// The walls in the memo.
    walls: WallArena,
    /// A stack: the current form on top, below it the forms that have it as a follower.
    open: Vec<ValueId>,
    /// Its options, Left's first.
    options: Vec<OfOption>,
    scratch: Scratch,
}

/// A thermograph in the memo; all numbers are in units of `1/2^exponent`.
#[derive(Clone, Copy)]
struct Known {
    exponent: u32,
    left: WallRef,
    right: WallRef,
}

/// The thermograph of an option.
#[derive(Clone, Copy)]
enum OfOption {
    /// A number whose thermograph is just a mast.
    Number(Dyadic),
    Known(Known),
    /// The thermograph of its negative.
    Negative(Known),
    OutOfRange,
}

impl<'a> Thermographs<'a> {
    /// Returns a memo for the values of an arena, with walls from temperature 0 on.
    pub fn new(arena: &'a Arena) -> Thermographs<'a> {
        Thermographs::starting(arena, Dyadic::ZERO)
    }

    /// Returns a memo for the values of an arena, with walls from temperature -1 on.
    ///
    /// ```
    /// use cgvalues::{Arena, Dyadic, Thermographs};
    ///
    /// let arena = Arena::new();
    /// let half = arena.calculator().parse("1/2")?;
    /// let mut thermographs = Thermographs::from_minus_one(&arena);
    /// let thermograph = thermographs.thermograph(half).expect("small numbers are exact");
    /// let text = |wall: &[(Dyadic, Dyadic)]| {
    ///     wall.iter().map(|(t, x)| format!("{x} at {t}")).collect::<Vec<_>>().join(", ")
    /// };
    /// assert_eq!(text(thermograph.left().corners()), "1 at -1, 1/2 at -1/2");
    /// assert_eq!(text(thermograph.right().corners()), "0 at -1, 1/2 at -1/2");
    /// assert_eq!(thermograph.mast(), (Dyadic::new(1, 1), Dyadic::new(-1, 1)));
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn from_minus_one(arena: &'a Arena) -> Thermographs<'a> {
        Thermographs::starting(arena, Dyadic::integer(-1))
    }

    fn starting(arena: &'a Arena, start: Dyadic) -> Thermographs<'a> {
        Thermographs {
            arena,
            start,
            memo: ValueMap::default(),
            walls: WallArena::default(),
            open: Vec::new(),
            options: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Returns the mean value, or `None` where it or an intermediate result is [out of
    /// range](Thermographs#range).
    pub fn mean(&mut self, id: ValueId) -> Option<Dyadic> {
        Some(self.mast(id)?.0)
    }

    /// Returns the temperature, or `None` where it or an intermediate result is [out of
    /// range](Thermographs#range).
    pub fn temperature(&mut self, id: ValueId) -> Option<Dyadic> {
        Some(self.mast(id)?.1)
    }

    /// Returns the mean and the temperature, or `None` where these or an intermediate result are
    /// [out of range](Thermographs#range).
    pub fn mast(&mut self, id: ValueId) -> Option<(Dyadic, Dyadic)> {
        if let Some(number) = self.arena.number(id) {
            return Some((number, Dyadic::new(-1, number.exponent())));
        }
        let known = self.known(id)?;
        let (mean, temperature) = self.mast_of(known);
        Some(if key(id) == id {
            (mean, temperature)
        } else {
            (-mean, temperature)
        })
    }

    /// Returns the thermograph, or `None` where a corner of it or of a follower's is [out of
    /// range](Thermographs#range).
    ///
    /// Costs a pass over the corners of the options' walls for each new follower. Forms of any
    /// depth are safe: there is no recursion.
    pub fn thermograph(&mut self, id: ValueId) -> Option<Thermograph> {
        if let Some(number) = self.number(id) {
            return Some(Thermograph::of_number(number, self.start));
        }
        let known = self.known(id)?;
        let dyadic = |n| Dyadic::new(n, known.exponent);
        let wall = |wall: WallRef| Wall {
            corners: (self.walls.corners(wall))
                .map(|(t, x)| (dyadic(t), dyadic(x)))
                .collect(),
        };
        let (mean, temperature) = self.mast_of(known);
        let thermograph = Thermograph {
            left: wall(known.left),
            right: wall(known.right),
            mean,
            temperature,
        };
        Some(if key(id) == id {
            thermograph
        } else {
            thermograph.negative()
        })
    }

    /// Returns the mean and the temperature. Both walls end at the mean, and the temperature is
    /// that of the later of their last corners.
    fn mast_of(&self, known: Known) -> (Dyadic, Dyadic) {
        let (of_left, mean) = self.walls.last(known.left);
        let (of_right, _) = self.walls.last(known.right);
        let dyadic = |n| Dyadic::new(n, known.exponent);
        (dyadic(mean), dyadic(of_left.max(of_right)))
    }

    /// Returns the number that a form equals, if its thermograph is just a mast.
    fn number(&self, id: ValueId) -> Option<Dyadic> {
        let number = self.arena.number(id)?;
        (self.start == Dyadic::ZERO || number.exponent() == 0).then_some(number)
    }

    /// Returns the memo's entry for a form or its negative, computing it if needed.
    fn known(&mut self, id: ValueId) -> Option<Known> {
        if let Some(&known) = self.memo.get(&key(id)) {
            return known;
        }
        if self.memo.len() > MEMO_MAX || self.walls.len() > CORNERS_MAX {
            self.memo.clear();
            self.walls.clear();
        }
        let mut open = std::mem::take(&mut self.open);
        let mut options = std::mem::take(&mut self.options);
        open.push(key(id));
        while let Some(&next) = open.last() {
            if self.memo.contains_key(&next) {
                open.pop();
                continue;
            }
            let form = self.arena.form(next);
            let before = open.len();
            options.clear();
            for option in form.left().chain(form.right()) {
                match self.of_option(option) {
                    Some(known) => options.push(known),
                    None => open.push(key(option)),
                }
            }
            if open.len() == before {
                let known = self.combine(options.split_at(form.left().len()));
                self.memo.insert(next, known);
                open.pop();
            }
        }
        self.open = open;
        self.options = options;
        self.memo[&key(id)]
    }

    /// Returns the thermograph of an option if it is in the memo or a mere mast.
    fn of_option(&self, id: ValueId) -> Option<OfOption> {
        if let Some(number) = self.number(id) {
            return Some(OfOption::Number(number));
        }
        Some(match *self.memo.get(&key(id))? {
            Some(known) if key(id) == id => OfOption::Known(known),
            Some(known) => OfOption::Negative(known),
            None => OfOption::OutOfRange,
        })
    }

    /// Finds the thermograph of a form from those of its options.
    fn combine(&mut self, options: (&[OfOption], &[OfOption])) -> Option<Known> {
        // Walls may meet between two corners, at an odd multiple of half the corners' common unit.
        let finest = (options.0.iter().chain(options.1)).try_fold(0, |finest: u32, option| {
            let exponent = match option {
                OfOption::Number(number) => number.exponent(),
                OfOption::Known(known) | OfOption::Negative(known) => known.exponent,
                OfOption::OutOfRange => return None,
            };
            Some(finest.max(exponent))
        })?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let combined = self.combine_in(&mut scratch, options, finest + 1);
        self.scratch = scratch;
        combined
    }

    fn combine_in(
        &mut self,
        scratch: &mut Scratch,
        options: (&[OfOption], &[OfOption]),
        exponent: u32,
    ) -> Option<Known> {
        let Scratch { left, right, walls } = scratch;
        // Right's scaffold is the negative of Left's in the negative game.
        self.highest_right_wall(options.0.iter().copied(), exponent, left, walls)?;
        let right_options = options.1.iter().map(|option| option.negative());
        self.highest_right_wall(right_options, exponent, right, walls)?;
        let temperature = scaled::meeting(left, right);
        scaled::scaffold_below(left, temperature);
        scaled::scaffold_below(right, temperature);
        // From here on the unit is the largest of which all corners are multiples.
        let ends = left.iter().chain(&*right).map(|&(t, value)| t | value);
        let twos = ends
            .fold(temperature, |all, bits| all | bits)
            .trailing_zeros();
        let twos = twos.min(exponent);
        let left = left.iter().map(|&(t, value)| (t >> twos, value >> twos));
        let right = right.iter().map(|&(t, value)| (t >> twos, -value >> twos));
        Some(Known {
            exponent: exponent - twos,
            left: self.walls.push(left),
            right: self.walls.push(right),
        })
    }

    /// Finds the highest right wall of some options, none of them out of range.
    fn highest_right_wall(
        &self,
        options: impl Iterator<Item = OfOption>,
        exponent: u32,
        highest: &mut Vec<Point>,
        walls: &mut Walls,
    ) -> Option<()> {
        highest.clear();
        // Among numbers only the greatest matters.
        let mut number: Option<i128> = None;
        let Walls { next, merged } = walls;
        let mut take = |next: &[Point], highest: &mut Vec<Point>| {
            if highest.is_empty() {
                highest.extend(next);
            } else {
                scaled::greater(highest, next, merged);
                std::mem::swap(highest, merged);
            }
        };
        for option in options {
            let (known, wall, sign) = match option {
                OfOption::Number(other) => {
                    number = number.max(Some(scaled::scale(other, exponent)?));
                    continue;
                }
                OfOption::Known(known) => (known, known.right, 1),
                OfOption::Negative(known) => (known, known.left, -1),
                OfOption::OutOfRange => return None,
            };
            let shift = |n| scaled::shift(n, exponent - known.exponent);
            next.clear();
            for (t, value) in self.walls.corners(wall) {
                next.push((shift(t)?, sign * shift(value)?));
            }
            take(next, highest);
        }
        if let Some(number) = number {
            let start = scaled::scale(self.start, exponent)?;
            take(&[(start, number)], highest);
        }
        debug_assert!(
            !highest.is_empty(),
            "a value that is not an integer has options on both sides"
        );
        Some(())
    }
}

impl OfOption {
    fn negative(self) -> OfOption {
        match self {
            OfOption::Number(number) => OfOption::Number(-number),
            OfOption::Known(known) => OfOption::Negative(known),
            OfOption::Negative(known) => OfOption::Known(known),
            OfOption::OutOfRange => OfOption::OutOfRange,
        }
    }
}

fn key(id: ValueId) -> ValueId {
    id.min(id.negative())
}

impl Thermograph {
    /// Returns the thermograph of a number that is just a mast.
    fn of_number(number: Dyadic, start: Dyadic) -> Thermograph {
        let wall = Wall::mast(number, start);
        Thermograph {
            left: wall.clone(),
            right: wall,
            mean: number,
            temperature: Dyadic::new(-1, number.exponent()),
        }
    }

    fn negative(&self) -> Thermograph {
        Thermograph {
            left: self.right.negative(),
            right: self.left.negative(),
            mean: -self.mean,
            temperature: self.temperature,
        }
    }

    /// Returns the left wall: at t >= 0 the Left stop of the value cooled by t.
    pub fn left(&self) -> &Wall {
        &self.left
    }

    /// Returns the right wall: at t >= 0 the Right stop of the value cooled by t.
    pub fn right(&self) -> &Wall {
        &self.right
    }

    /// Returns the mean: where the mast stands.
    pub fn mean(&self) -> Dyadic {
        self.mean
    }

    /// Returns the temperature: where the mast begins.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// Returns the mast: the mean, at which it stands, and the temperature at which it begins.
    pub fn mast(&self) -> (Dyadic, Dyadic) {
        (self.mean, self.temperature)
    }
}

impl Wall {
    /// Returns the constant wall at a number.
    fn mast(number: Dyadic, start: Dyadic) -> Wall {
        Wall {
            corners: Box::new([(start, number)]),
        }
    }

    /// Returns the corners as temperature and value, the first where the wall begins.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.corners
    }

    /// Returns the value at a temperature, or `None` beyond 127 bits. Below its beginning the wall
    /// is undefined and the result meaningless.
    pub fn at(&self, t: Dyadic) -> Option<Dyadic> {
        let after = self.corners.partition_point(|corner| corner.0 <= t);
        let (start, value) = self.corners[after.max(1) - 1];
        let Some(&(_, next)) = self.corners.get(after) else {
            return Some(value);
        };
        let along = t.checked_add(-start)?;
        match value.cmp(&next) {
            std::cmp::Ordering::Less => value.checked_add(along),
            std::cmp::Ordering::Equal => Some(value),
            std::cmp::Ordering::Greater => value.checked_add(-along),
        }
    }

    fn negative(&self) -> Wall {
        let corners = self.corners.iter().map(|&(t, value)| (t, -value));
        Wall {
            corners: corners.collect(),
        }
    }
}

#[cfg(test)]
mod tests;
