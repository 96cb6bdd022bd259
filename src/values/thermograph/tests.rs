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
/// Options are cooled and taxed until the result is infinitesimally close to a number, which is the
/// cooled value from there on. Exact wherever the temperatures of all followers lie on the grid.
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
        // The recursion must agree with the definition.
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
