//! Atomic weights agree with their definition, played out, and with what is in print.
//!
//! The definition used is that of Siegel, section II.7, for dicotic G: the weight is g exactly when
//! `v + *N < G - g.^ < ^ + *N` for every large N. (That says that G - g.^ has a weight w with `-1 < w < 1` in the
//! strong sense `1 - w >= 1` and `w + 1 >= 1`, so w is 0.) Who wins is found by playing sums of forms move by
//! move; what is shared with the library is the lists of options.

use std::collections::HashMap;

use seedbank::value::{Arena, AtomicWeight, AtomicWeights, Calculator, Comparison, ValueId};

/// Who wins sums of forms, by playing them.
struct Play<'a> {
    arena: &'a Arena,
    memo: HashMap<(Vec<ValueId>, bool), bool>,
}

impl<'a> Play<'a> {
    fn new(arena: &'a Arena) -> Play<'a> {
        Play {
            arena,
            memo: HashMap::new(),
        }
    }

    fn mover_wins(&mut self, mut sum: Vec<ValueId>, left: bool) -> bool {
        sum.retain(|&part| part != ValueId::ZERO);
        sum.sort_unstable();
        let key = (sum, left);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let sum = &key.0;
        let wins = (0..sum.len()).any(|i| {
            let options = match left {
                true => self.arena.left_options(sum[i]),
                false => self.arena.right_options(sum[i]),
            };
            options.into_iter().any(|option| {
                let mut next = sum.clone();
                next[i] = option;
                !self.mover_wins(next, !left)
            })
        });
        self.memo.insert(key, wins);
        wins
    }

    fn is_positive(&mut self, sum: &[ValueId]) -> bool {
        self.mover_wins(sum.to_vec(), true) && !self.mover_wins(sum.to_vec(), false)
    }
}

/// Beyond every nimber that a sum in these tests can reach, two of them, neither a power of two.
const FAR: [u32; 2] = [19, 26];

/// Whether `v + *N < G - g.^ < ^ + *N`, given `g.^`.
fn is_weight(c: &mut Calculator<'_>, play: &mut Play<'_>, g: ValueId, ups: ValueId) -> bool {
    let up = c.parse("^").unwrap();
    FAR.into_iter().all(|far| {
        let star = c.nimber(far).unwrap();
        play.is_positive(&[g, ups.negative(), up, star])
            && play.is_positive(&[g.negative(), ups, up, star])
    })
}

/// The game `g.^`, by its definition.
fn times_up(c: &mut Calculator<'_>, g: ValueId) -> ValueId {
    let arena = c.arena();
    let up = c.parse("^").unwrap();
    if let Some(n) = arena.number(g).and_then(|number| number.to_integer()) {
        let mut sum = ValueId::ZERO;
        for _ in 0..n.abs() {
            sum = c.sum(sum, up.negated_if(n < 0)).unwrap();
        }
        return sum;
    }
    let shift = c.parse("^2*").unwrap();
    let mut product = |options: Vec<ValueId>, shift: ValueId| -> Vec<ValueId> {
        let product = options.into_iter().map(|option| {
            let product = times_up(c, option);
            c.sum(product, shift).unwrap()
        });
        product.collect()
    };
    let mut left = product(arena.left_options(g), shift);
    let mut right = product(arena.right_options(g), shift.negative());
    c.canonical(&mut left, &mut right).unwrap()
}

/// All sets of games no two of which compare, the empty one left out.
fn antichains(c: &mut Calculator<'_>, games: &[ValueId]) -> Vec<Vec<ValueId>> {
    let mut found = vec![Vec::new()];
    for &game in games {
        for i in 0..found.len() {
            let confused = |&other: &ValueId| c.compare(game, other) == Comparison::Confused;
            if found[i].iter().all(confused) {
                let mut longer = found[i].clone();
                longer.push(game);
                found.push(longer);
            }
        }
    }
    found.remove(0);
    found
}

/// All dicotic values born by a day, in an order that ids do not set.
fn dicotic_born_by(c: &mut Calculator<'_>, day: u32) -> Vec<ValueId> {
    let mut games = vec![ValueId::ZERO];
    for _ in 0..day {
        let lists = antichains(c, &games);
        let mut next = vec![ValueId::ZERO];
        for left in &lists {
            for right in &lists {
                next.push(c.canonical(&mut left.clone(), &mut right.clone()).unwrap());
            }
        }
        next.sort_unstable();
        next.dedup();
        let text = |&id: &ValueId| c.arena().notation(id).to_string();
        next.sort_by_cached_key(text);
        games = next;
    }
    games
}

fn weight_text(c: &mut Calculator<'_>, weight: AtomicWeight) -> String {
    let id = weight.value(c).unwrap();
    c.arena().notation(id).to_string()
}

/// Of all weights that occur, the computed one and no other meets the definition, for each dicotic value
/// born by day 3.
#[test]
fn the_weight_of_each_dicotic_value_born_by_day_3_is_the_one_that_the_definition_allows() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let counts = [0, 1, 2].map(|day| dicotic_born_by(&mut c, day).len());
    assert_eq!(counts, [1, 2, 7]);
    let games = dicotic_born_by(&mut c, 3);
    let mut weights = AtomicWeights::new(&arena);
    let mut found: HashMap<AtomicWeight, usize> = HashMap::new();
    for &game in &games {
        *found.entry(weights.weight(game).unwrap()).or_default() += 1;
    }
    let mut census: Vec<(String, usize)> = Vec::new();
    for (&weight, &count) in &found {
        census.push((weight_text(&mut c, weight), count));
    }
    census.sort();
    eprintln!("{} games, {census:?}", games.len());
    let mut play = Play::new(&arena);
    for &game in &games {
        let expected = weights.weight(game).unwrap();
        for &weight in found.keys() {
            let value = weight.value(&mut c).unwrap();
            let ups = times_up(&mut c, value);
            let holds = is_weight(&mut c, &mut play, game, ups);
            let text = arena.notation(game).to_string();
            let weight_text = weight_text(&mut c, weight);
            assert_eq!(holds, weight == expected, "{text}, weight {weight_text}");
        }
    }
}
