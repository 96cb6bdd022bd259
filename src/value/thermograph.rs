//! Thermographs: how the two stops of a value move as it is cooled, to its mean and temperature.
//!
//! For a value that is no number, with t >= 0 (Siegel, Combinatorial Game Theory, section II.5; Berlekamp,
//! The economist's view of combinatorial games):
//!
//! ```text
//! left scaffold(t)  = greatest right wall of a Left option at t, minus t
//! right scaffold(t) = least left wall of a Right option at t, plus t
//! ```
//!
//! The temperature is the least t at which they meet, the mean is where; the walls are the scaffolds
//! below it, and above it both are the mast at the mean. Both walls of a number are that number.
//!
//! # Below 0
//!
//! The same recursion holds from -1 on, with fractions taken as the games that they are: then the mast of an
//! integer begins at -1, and that of a fraction over `2^n` in lowest terms at `-1/2^n`. These are the
//! temperatures that numbers are given, so 0 has temperature -1, and a value that is no number but
//! infinitesimally close to one has temperature 0. Nothing is defined below -1.
//!
//! [`Thermographs::new`] keeps walls for t >= 0, since nothing below shows of the mean and the temperature of a value
//! that is no number; [`Thermographs::from_minus_one`] keeps them from -1 on.
//!
//! All is exact. Walls have slope 0 or 1 in size, so that every corner is dyadic.

use super::{Arena, Dyadic, ValueId, ValueMap};

/// Beyond this many thermographs the memo is emptied before the next question.
const MEMO_MAX: usize = 1 << 18;

/// A piecewise linear function of the temperature, from 0 or -1 on, constant beyond its last corner.
///
/// Between corners its slope is -1, 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Temperature and value, the first where the wall begins, temperatures increasing.
    corners: Box<[(Dyadic, Dyadic)]>,
}

/// Both walls of a value, and where they meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    mean: Dyadic,
    temperature: Dyadic,
}

/// Computes thermographs, remembering those of followers.
///
/// ```
/// use seedbank::value::{Arena, Dyadic, Thermographs};
///
/// let arena = Arena::new();
/// let id = arena.calculator().parse("{2|0||-2|-4}")?;
/// let mut thermographs = Thermographs::new(&arena);
/// assert_eq!(thermographs.mean(id), Some(Dyadic::integer(-1)));
/// assert_eq!(thermographs.temperature(id), Some(Dyadic::integer(2)));
/// # Ok::<(), seedbank::value::ParseValueError>(())
/// ```
pub struct Thermographs<'a> {
    arena: &'a Arena,
    /// The temperature at which walls begin, 0 or -1.
    start: Dyadic,
    /// Of a form and its negative only the one with the smaller id; `None` is out of range.
    memo: ValueMap<Option<Thermograph>>,
}

impl<'a> Thermographs<'a> {
    /// Returns a memo for the values of an arena, with walls from temperature 0 on.
    pub fn new(arena: &'a Arena) -> Thermographs<'a> {
        Thermographs::starting(arena, Dyadic::ZERO)
    }

    /// Returns a memo for the values of an arena, with walls from temperature -1 on.
    ///
    /// ```
    /// use seedbank::value::{Arena, Dyadic, Thermographs};
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
    /// # Ok::<(), seedbank::value::ParseValueError>(())
    /// ```
    pub fn from_minus_one(arena: &'a Arena) -> Thermographs<'a> {
        Thermographs::starting(arena, Dyadic::integer(-1))
    }

    fn starting(arena: &'a Arena, start: Dyadic) -> Thermographs<'a> {
        Thermographs {
            arena,
            start,
            memo: ValueMap::default(),
        }
    }

    /// Returns the mean value, or `None` where that or a step on the way needs more than 127 bits.
    pub fn mean(&mut self, id: ValueId) -> Option<Dyadic> {
        Some(self.mast(id)?.0)
    }

    /// Returns the temperature, or `None` where that or a step on the way needs more than 127 bits.
    pub fn temperature(&mut self, id: ValueId) -> Option<Dyadic> {
        Some(self.mast(id)?.1)
    }

    /// Returns the mean and the temperature, or `None` where these or a step on the way need more than 127 bits.
    pub fn mast(&mut self, id: ValueId) -> Option<(Dyadic, Dyadic)> {
        if let Some(number) = self.arena.number(id) {
            return Some((number, Dyadic::new(-1, number.exponent())));
        }
        self.remember(id);
        let known = self.memo[&key(id)].as_ref()?;
        let mean = if key(id) == id {
            known.mean
        } else {
            -known.mean
        };
        Some((mean, known.temperature))
    }

    /// Returns the thermograph, or `None` where a corner of it or of a follower's needs more than
    /// 127 bits.
    ///
    /// Costs a pass over the corners of the options' walls for each follower that is new. Forms of
    /// any depth are safe: there is no recursion.
    pub fn thermograph(&mut self, id: ValueId) -> Option<Thermograph> {
        if let Some(number) = self.number(id) {
            return Some(Thermograph::of_number(number, self.start));
        }
        self.remember(id);
        let known = self.memo[&key(id)].as_ref()?;
        Some(if key(id) == id {
            known.clone()
        } else {
            known.negative()
        })
    }

    /// Returns the number that a form is, unless there is more to its thermograph than a mast.
    fn number(&self, id: ValueId) -> Option<Dyadic> {
        let number = self.arena.number(id)?;
        (self.start == Dyadic::ZERO || number.exponent() == 0).then_some(number)
    }

    /// Brings a form and its followers into the memo.
    fn remember(&mut self, id: ValueId) {
        if self.memo.len() > MEMO_MAX {
            self.memo.clear();
        }
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if self.memo.contains_key(&key(next)) {
                open.pop();
                continue;
            }
            let form = self.arena.form(next);
            let before = open.len();
            open.extend(form.left().chain(form.right()).filter(|&option| {
                self.number(option).is_none() && !self.memo.contains_key(&key(option))
            }));
            if open.len() == before {
                let key = key(next);
                let thermograph = self.combine(key);
                self.memo.insert(key, thermograph);
                open.pop();
            }
        }
    }

    fn combine(&self, id: ValueId) -> Option<Thermograph> {
        let form = self.arena.form(id);
        // Right's scaffold is the negative of Left's in the negative game.
        let left = self.highest_right_wall(form.left())?;
        let right = self.highest_right_wall(form.right().map(ValueId::negative))?;
        let temperature = meeting(&left, &right)?;
        let left = left.scaffold_below(temperature)?;
        let right = right.scaffold_below(temperature)?;
        let mean = left.corners.last().expect("a wall has corners").1;
        Some(Thermograph {
            left,
            right: right.negative(),
            mean,
            temperature,
        })
    }

    fn highest_right_wall(&self, options: impl Iterator<Item = ValueId>) -> Option<Wall> {
        // Of numbers only the greatest matters.
        let mut number: Option<Dyadic> = None;
        let mut highest: Option<Wall> = None;
        for option in options {
            if let Some(other) = self.number(option) {
                number = number.max(Some(other));
                continue;
            }
            let known = self.memo.get(&key(option)).expect("options come first");
            let known = known.as_ref()?;
            let negative;
            let wall = if key(option) == option {
                &known.right
            } else {
                negative = known.left.negative();
                &negative
            };
            highest = Some(match highest {
                Some(highest) => highest.max(wall)?,
                None => wall.clone(),
            });
        }
        let mast = number.map(|number| Wall::mast(number, self.start));
        match (highest, mast) {
            (Some(highest), Some(mast)) => highest.max(&mast),
            (highest, mast) => {
                let wall = highest.or(mast);
                Some(wall.expect("a value that is no integer has options on both sides"))
            }
        }
    }
}

fn key(id: ValueId) -> ValueId {
    id.min(id.negative())
}

/// Returns the least t with `left(t) + right(t) = 2t`.
fn meeting(left: &Wall, right: &Wall) -> Option<Dyadic> {
    let gap = |t: Dyadic| {
        let sum = left.at(t)?.checked_add(right.at(t)?)?;
        sum.checked_add(-t)?.checked_add(-t)
    };
    let start = left.corners[0].0;
    let mut last = (start, gap(start)?);
    debug_assert!(last.1 >= Dyadic::ZERO, "the stops of no number cross");
    for t in left.temperatures(right) {
        let here = (t, gap(t)?);
        if here.1 <= Dyadic::ZERO && last.1 > Dyadic::ZERO {
            // The gap falls by one or two a degree.
            let by_one = last.1.checked_add(-here.1)? == t.checked_add(-last.0)?;
            return last
                .0
                .checked_add(if by_one { last.1 } else { last.1.half() });
        }
        last = here;
        if last.1 == Dyadic::ZERO {
            return Some(t);
        }
    }
    // Beyond the last corner of both it falls by two.
    last.0.checked_add(last.1.half())
}

impl Thermograph {
    /// Returns the thermograph of a number whose mast is all that there is of it.
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

    /// Returns the mast: the mean, at which it stands, and the temperature from which on it stands there.
    pub fn mast(&self) -> (Dyadic, Dyadic) {
        (self.mean, self.temperature)
    }
}

impl Wall {
    /// Returns the wall that stands at a number from its beginning on.
    fn mast(number: Dyadic, start: Dyadic) -> Wall {
        Wall {
            corners: Box::new([(start, number)]),
        }
    }

    /// Returns the corners as temperature and value, the first where the wall begins.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.corners
    }

    /// Returns the value at a temperature, or `None` beyond 127 bits. Below its beginning the wall is not defined,
    /// and what is returned there means nothing.
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

    /// Returns the temperatures of the corners of both, in order.
    fn temperatures<'w>(&'w self, other: &'w Wall) -> impl Iterator<Item = Dyadic> + 'w {
        let (mut a, mut b) = (
            self.corners.iter().peekable(),
            other.corners.iter().peekable(),
        );
        std::iter::from_fn(move || {
            let next = match (a.peek(), b.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(corner), None) | (None, Some(corner)) => corner.0,
                (None, None) => return None,
            };
            a.next_if(|corner| corner.0 == next);
            b.next_if(|corner| corner.0 == next);
            Some(next)
        })
    }

    /// Returns the greater of two walls of slopes 0 and 1, at each temperature.
    fn max(&self, other: &Wall) -> Option<Wall> {
        let mut wall = WallBuilder::of(self.corners.len() + other.corners.len() + 1);
        let mut last: Option<(Dyadic, Dyadic)> = None;
        for t in self.temperatures(other) {
            let (a, b) = (self.at(t)?, other.at(t)?);
            let lead = a.checked_add(-b)?;
            if let Some((before, lead_before)) = last
                && ((lead_before < Dyadic::ZERO && lead > Dyadic::ZERO)
                    || (lead_before > Dyadic::ZERO && lead < Dyadic::ZERO))
            {
                // They cross in between, and the lead changes by one a degree.
                let size = lead_before.max(-lead_before);
                let crossing = before.checked_add(size)?;
                wall.push((crossing, self.at(crossing)?));
            }
            wall.push((t, a.max(b)));
            last = Some((t, lead));
        }
        Some(wall.finish())
    }

    /// Returns the wall minus t below a temperature, and constant above it.
    fn scaffold_below(&self, temperature: Dyadic) -> Option<Wall> {
        let mut wall = WallBuilder::of(self.corners.len() + 1);
        for &(t, value) in self.corners.iter().filter(|corner| corner.0 < temperature) {
            wall.push((t, value.checked_add(-t)?));
        }
        wall.push((
            temperature,
            self.at(temperature)?.checked_add(-temperature)?,
        ));
        Some(wall.finish())
    }
}

/// The corners of a wall as they come, those on a straight line left out.
struct WallBuilder {
    corners: Vec<(Dyadic, Dyadic)>,
}

impl WallBuilder {
    /// Begins a wall of at most so many points.
    fn of(points_max: usize) -> WallBuilder {
        WallBuilder {
            corners: Vec::with_capacity(points_max),
        }
    }

    fn push(&mut self, point: (Dyadic, Dyadic)) {
        if let [.., a, b] = self.corners[..] {
            // Slopes are -1, 0 or 1, so equal signs mean equal slopes.
            if b.1.cmp(&a.1) == point.1.cmp(&b.1) {
                self.corners.pop();
            }
        }
        self.corners.push(point);
    }

    fn finish(mut self) -> Wall {
        if let [.., a, b] = self.corners[..]
            && a.1 == b.1
        {
            self.corners.pop();
        }
        Wall {
            corners: self.corners.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Calculator, samples};
    use super::*;

    fn d(text: &str) -> Dyadic {
        text.parse().unwrap()
    }

    #[test]
    fn means_and_temperatures_worked_by_hand() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut thermographs = Thermographs::new(&arena);
        for (text, mean, temperature) in [
            ("0", "0", "-1"),
            ("5", "5", "-1"),
            ("1/2", "1/2", "-1/2"),
            ("25/16", "25/16", "-1/16"),
            ("*", "0", "0"),
            ("^", "0", "0"),
            ("9/8*", "9/8", "0"),
            ("Tiny(2)", "0", "0"),
            ("+-1", "0", "1"),
            ("{1|0}", "1/2", "1/2"),
            ("{2|0||-2|-4}", "-1", "2"),
            ("{4||2|-2}", "2", "2"),
            ("{1||0|-1}", "1/4", "3/4"),
            ("{5||3|1}", "7/2", "3/2"),
            ("{3||2*|1*}", "9/4", "3/4"),
            ("{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}", "-5/16", "21/16"),
            ("{1||*|-1}", "1/4", "3/4"),
        ] {
            let id = c.parse(text).unwrap();
            let found = (thermographs.mean(id), thermographs.temperature(id));
            assert_eq!(found, (Some(d(mean)), Some(d(temperature))), "{text}");
            let negative = id.negative();
            assert_eq!(thermographs.mean(negative), Some(-d(mean)), "-({text})");
            assert_eq!(thermographs.temperature(negative), Some(d(temperature)));
        }
    }

    /// The value cooled by t, straight from the definition, on the grid of multiples of `1/2^GRID`.
    ///
    /// Options are cooled and taxed until the result is infinitesimally close to a number, which it
    /// stays from there on. Exact wherever the temperatures of all followers lie on the grid.
    fn cooled(
        c: &mut Calculator<'_>,
        id: ValueId,
        steps: i128,
        memo: &mut ValueMap<Vec<ValueId>>,
    ) -> ValueId {
        if c.arena().number(id).is_some() {
            return id;
        }
        let mut known = memo.remove(&id).unwrap_or_default();
        while known.len() <= steps as usize {
            let t = known.len() as i128;
            if let Some(&last) = known.last()
                && c.arena().left_stop(last) == c.arena().right_stop(last)
            {
                let number = c.number(c.arena().left_stop(last)).unwrap();
                known.push(number);
                continue;
            }
            let tax = c.number(Dyadic::new(t, GRID)).unwrap();
            let mut left = Vec::new();
            for option in c.arena().left_options(id) {
                let option = cooled(c, option, t, memo);
                left.push(c.difference(option, tax).unwrap());
            }
            let mut right = Vec::new();
            for option in c.arena().right_options(id) {
                let option = cooled(c, option, t, memo);
                right.push(c.sum(option, tax).unwrap());
            }
            known.push(c.canonical(&mut left, &mut right).unwrap());
        }
        let value = known[steps as usize];
        memo.insert(id, known);
        value
    }

    /// Both walls at each multiple of `1/2^GRID` from -1 on, straight from the recursion.
    ///
    /// Exact wherever the temperatures of all followers lie on the grid.
    fn walls_by_steps(
        arena: &Arena,
        id: ValueId,
        memo: &mut ValueMap<Vec<(Dyadic, Dyadic)>>,
    ) -> Vec<(Dyadic, Dyadic)> {
        if let Some(known) = memo.get(&id) {
            return known.clone();
        }
        let grid = (-(1 << GRID)..64).map(|steps| Dyadic::new(steps, GRID));
        let walls: Vec<(Dyadic, Dyadic)> = match arena.number(id) {
            Some(number) if number.exponent() == 0 => grid.map(|_| (number, number)).collect(),
            _ => {
                let of = |options: Vec<ValueId>, memo: &mut _| -> Vec<Vec<(Dyadic, Dyadic)>> {
                    let options = options.into_iter();
                    options.map(|id| walls_by_steps(arena, id, memo)).collect()
                };
                let left = of(arena.left_options(id), memo);
                let right = of(arena.right_options(id), memo);
                let mut mast = None;
                let at = |(step, t): (usize, Dyadic)| {
                    if let Some(mean) = mast {
                        return (mean, mean);
                    }
                    let left = left.iter().map(|walls| walls[step].1 - t).max().unwrap();
                    let right = right.iter().map(|walls| walls[step].0 + t).min().unwrap();
                    if left == right {
                        mast = Some(left);
                    }
                    (left, right)
                };
                grid.enumerate().map(at).collect()
            }
        };
        memo.insert(id, walls.clone());
        walls
    }

    /// Sixteenths, as fine as the numbers in the random forms' means and temperatures mostly are.
    const GRID: u32 = 4;

    fn on_grid(thermographs: &mut Thermographs<'_>, id: ValueId) -> bool {
        let arena = thermographs.arena;
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let temperature = thermographs.temperature(id).unwrap();
            if temperature.exponent() > GRID {
                return false;
            }
            open.extend(arena.left_options(id));
            open.extend(arena.right_options(id));
        }
        true
    }

    proptest! {
        #[test]
        fn walls_are_the_stops_of_the_cooled_value(tree in samples::trees()) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let id = tree.value(&mut c);
            let mut thermographs = Thermographs::new(&arena);
            prop_assume!(on_grid(&mut thermographs, id));
            let thermograph = thermographs.thermograph(id).unwrap();
            let mut memo = ValueMap::default();
            for steps in 0..80 {
                let t = Dyadic::new(steps, GRID);
                let cool = cooled(&mut c, id, steps, &mut memo);
                prop_assert_eq!(thermograph.left().at(t), Some(arena.left_stop(cool)));
                prop_assert_eq!(thermograph.right().at(t), Some(arena.right_stop(cool)));
            }
        }

        #[test]
        fn walls_from_minus_one_are_those_of_the_recursion(tree in samples::trees()) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let id = tree.value(&mut c);
            let mut from_zero = Thermographs::new(&arena);
            let mut thermographs = Thermographs::from_minus_one(&arena);
            let thermograph = thermographs.thermograph(id).unwrap();
            let above = from_zero.thermograph(id).unwrap();
            prop_assert_eq!(thermograph.mast(), above.mast());
            let negative = thermographs.thermograph(id.negative()).unwrap();
            prop_assert_eq!(negative, thermograph.negative());
            let exact = on_grid(&mut from_zero, id);
            let walls = walls_by_steps(&arena, id, &mut ValueMap::default());
            for (steps, expected) in (-(1 << GRID)..64).zip(walls) {
                let t = Dyadic::new(steps, GRID);
                let at = (thermograph.left().at(t), thermograph.right().at(t));
                if t >= Dyadic::ZERO {
                    prop_assert_eq!(at, (above.left().at(t), above.right().at(t)));
                }
                if exact {
                    prop_assert_eq!(at, (Some(expected.0), Some(expected.1)), "at {}", t);
                }
            }
        }

        #[test]
        fn means_add_and_temperatures_do_not_rise(a in samples::trees(), b in samples::trees()) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let (g, h) = (a.value(&mut c), b.value(&mut c));
            let sum = c.sum(g, h).unwrap();
            let mut thermographs = Thermographs::new(&arena);
            let means = [g, h, sum].map(|id| thermographs.mean(id).unwrap());
            prop_assert_eq!(means[0] + means[1], means[2]);
            let degrees = [g, h, sum].map(|id| thermographs.temperature(id).unwrap());
            prop_assert!(degrees[2] <= degrees[0].max(degrees[1]));
            for id in [g, h, sum] {
                let thermograph = thermographs.thermograph(id).unwrap();
                let (left, right) = (arena.left_stop(id), arena.right_stop(id));
                prop_assert_eq!(thermograph.left().at(Dyadic::ZERO), Some(left));
                prop_assert_eq!(thermograph.right().at(Dyadic::ZERO), Some(right));
                prop_assert!(right <= thermograph.mean() && thermograph.mean() <= left);
                let negative = thermographs.thermograph(id.negative()).unwrap();
                prop_assert_eq!(negative, thermograph.negative());
            }
        }
    }

    #[test]
    fn the_masts_of_numbers_begin_below_zero() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut thermographs = Thermographs::from_minus_one(&arena);
        for steps in -80..80 {
            let number = Dyadic::new(steps, 4);
            let id = c.number(number).unwrap();
            let thermograph = thermographs.thermograph(id).unwrap();
            // Found by the recursion, and given by the definition.
            let temperature = Dyadic::new(-1, number.exponent());
            assert_eq!(thermograph.mast(), (number, temperature));
            assert_eq!(thermographs.temperature(id), Some(temperature));
        }
    }

    #[test]
    fn forms_of_any_depth_are_safe() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut id = c.number(Dyadic::integer(-1)).unwrap();
        for n in 1..20_000 {
            let number = c.number(Dyadic::integer(n)).unwrap();
            id = c.canonical(&mut vec![number], &mut vec![id]).unwrap();
        }
        let mean = Thermographs::new(&arena).mean(id);
        assert_eq!(mean, Some(Dyadic::integer(19_998)));
        let mut id = c.number(Dyadic::integer(700_000)).unwrap();
        assert_eq!(Thermographs::new(&arena).mean(id), arena.number(id));
        id = c
            .canonical(&mut vec![id], &mut vec![id.negative()])
            .unwrap();
        let temperature = Thermographs::new(&arena).temperature(id);
        assert_eq!(temperature, Some(Dyadic::integer(700_000)));
    }

    #[test]
    fn what_is_beyond_exact_arithmetic_is_none() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut id = c.number(Dyadic::ONE).unwrap();
        let mut deep = Vec::new();
        for n in 1..200 {
            // Each step halves, so the denominator of the mean grows by a bit.
            let threat = c.number(Dyadic::integer(-4 * n)).unwrap();
            id = c
                .canonical(&mut vec![id], &mut vec![threat])
                .unwrap()
                .negative();
            deep.push(id);
        }
        let mut thermographs = Thermographs::new(&arena);
        assert_eq!(thermographs.mean(id), None);
        assert_eq!(thermographs.temperature(id.negative()), None);
        assert_eq!(
            thermographs.mean(deep[100]).map(Dyadic::exponent),
            Some(101)
        );
    }
}
