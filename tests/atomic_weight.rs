//! Atomic weights agree with their definition, played out, and with published values.
//!
//! The definition is Siegel's, section II.7, for dicotic G: the weight is g exactly when `v + *N <
//! G - g.^ < ^ + *N` for every large N. (Let w be the weight of G - g.^. The first inequality says
//! that `w + 1 >= 1` and the second that `1 - w >= 1`, since X + `*N` is positive exactly when X
//! has a weight of at least 1.) A second test compares winners beside every small X. The tests find
//! who wins by playing sums of forms move by move; they share only the lists of options with the
//! library.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use seedbank::board::AnyBoard;
use seedbank::board::row::Row;
use seedbank::evaluate::{Evaluation, evaluate};
use seedbank::game::{Game, Play as Playing};
use seedbank::value::{
    Arena, AtomicWeight, AtomicWeights, Calculator, Comparison, Dyadic, NoAtomicWeight,
    NumberUpStar, ValueId,
};

use crate::common::evaluations::session;

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
        self.winners(sum) == (true, false)
    }

    /// Whether Left wins moving first, and whether Right does.
    fn winners(&mut self, sum: &[ValueId]) -> (bool, bool) {
        let mut wins = |left| self.mover_wins(sum.to_vec(), left);
        (wins(true), wins(false))
    }
}

/// Two nimbers beyond every nimber that a sum in these tests can reach, neither a power of two.
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

/// All sets of pairwise incomparable games, except the empty set.
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

/// All dicotic values born by a day, in an order that does not depend on ids.
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

/// For each dicotic value born by day 3, the computed weight meets the definition and no other
/// weight that occurs does.
#[test]
fn only_the_computed_weight_meets_the_definition_for_dicotic_values_born_by_day_3() {
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
    let census: Vec<(&str, usize)> = census.iter().map(|(text, n)| (&text[..], *n)).collect();
    assert_eq!(
        census,
        [("-1", 20), ("-2", 3), ("0", 21), ("1", 20), ("2", 3)]
    );
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

/// What the weight means: beside any dicotic X and a far star, the value and ups of its weight have
/// the same winner.
#[test]
fn ups_of_its_weight_win_like_the_value_beside_a_far_star() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let games = dicotic_born_by(&mut c, 3);
    let mut weights = AtomicWeights::new(&arena);
    let mut play = Play::new(&arena);
    let star = c.nimber(FAR[0]).unwrap();
    for &game in &games {
        let weight = weights.weight(game).unwrap().value(&mut c).unwrap();
        let ups = times_up(&mut c, weight);
        for &other in &games {
            assert_eq!(
                play.winners(&[game, other, star]),
                play.winners(&[ups, other, star])
            );
        }
    }
}

/// A dicotic game tree whose leaves are sums of ups and a nimber.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(i32, u32),
    Game(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    fn value(&self, c: &mut Calculator<'_>) -> ValueId {
        match self {
            &Tree::Leaf(ups, star) => {
                let number = Dyadic::ZERO;
                let leaf = NumberUpStar { number, ups, star };
                c.number_up_star(leaf).unwrap()
            }
            Tree::Game(left, right) => {
                let mut left = left.iter().map(|tree| tree.value(c)).collect();
                let mut right = right.iter().map(|tree| tree.value(c)).collect();
                c.canonical(&mut left, &mut right).unwrap()
            }
        }
    }
}

fn trees(depth: u32) -> impl Strategy<Value = Tree> {
    let leaf = (-4..=4i32, 0..=2u32).prop_map(|(ups, star)| Tree::Leaf(ups, star));
    leaf.prop_recursive(depth, 8, 2, |inner| {
        let options = || proptest::collection::vec(inner.clone(), 1..3);
        (options(), options()).prop_map(|(left, right)| Tree::Game(left, right))
    })
}

/// Returns a runner of a number of cases that are the same in each run.
fn runner(cases: u32) -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, rng)
}

/// Large ups as options make weights that are fractions, nimbers, switches and the like. The
/// nearest other candidates do not meet the definition.
#[test]
fn weights_of_random_dicotic_values_meet_the_definition() {
    let mut runner = runner(400);
    let integers = std::cell::Cell::new(0);
    let others = std::cell::RefCell::new(std::collections::BTreeSet::new());
    let outcome = runner.run(&trees(3), |tree| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let game = tree.value(&mut c);
        let weight = AtomicWeights::new(&arena).weight(game).unwrap();
        let weight_id = weight.value(&mut c).unwrap();
        let mut play = Play::new(&arena);
        let ups = times_up(&mut c, weight_id);
        prop_assert!(is_weight(&mut c, &mut play, game, ups));
        for shift in ["1", "-1", "1/2", "*", "^", "v*"] {
            let shift = c.parse(shift).unwrap();
            let other = c.sum(weight_id, shift).unwrap();
            let ups = times_up(&mut c, other);
            prop_assert!(!is_weight(&mut c, &mut play, game, ups));
        }
        match weight {
            AtomicWeight::Integer(_) => integers.set(integers.get() + 1),
            AtomicWeight::Game(_) => {
                others.borrow_mut().insert(weight_text(&mut c, weight));
            }
        }
        Ok(())
    });
    outcome.unwrap();
    let others = others.borrow();
    assert!(integers.get() > 100 && others.len() > 20);
}

proptest! {
    #[test]
    fn weights_add_and_change_sign(a in trees(3), b in trees(3)) {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let mut weights = AtomicWeights::new(&arena);
        let (g, h) = (a.value(&mut c), b.value(&mut c));
        let sum = c.sum(g, h).unwrap();
        let mut weight = |id| weights.weight(id).unwrap();
        let found = [g, h, sum].map(&mut weight);
        prop_assert_eq!(weight(g.negative()), found[0].negative());
        let values = found.map(|weight| weight.value(&mut c).unwrap());
        prop_assert_eq!(c.sum(values[0], values[1]).unwrap(), values[2]);
        // The order is preserved, too.
        if c.le(g, h) {
            prop_assert!(c.le(values[0], values[1]));
        }
    }
}

#[test]
fn weights_of_named_values() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let mut weights = AtomicWeights::new(&arena);
    for (value, weight) in [
        ("0", "0"),
        ("*", "0"),
        ("*7", "0"),
        ("^", "1"),
        ("^*", "1"),
        ("^*2", "1"),
        ("^2*", "2"),
        ("v5*3", "-5"),
        ("*255", "0"),
        ("^99*255", "99"),
        ("^<2>", "0"),
        ("^<3>*2", "0"),
        ("^[2]", "1"),
        ("v[4]*", "-1"),
        // The games beside Table 5.
        ("{*,^|0,*}", "1"),
        ("{0,*|*,v}", "-1"),
        ("{0,*|v}", "0"),
        ("{^|0,*}", "0"),
        ("{*,^|*,v}", "0"),
        // Weights by the rule {GL - 2|GR + 2} alone.
        ("{^2|v2}", "*"),
        ("{^3|v3}", "+-1"),
        ("{^3|v2}", "{1|0}"),
        ("{^3|0}", "3/2"),
        ("{^2*|v*}", "1/2"),
        ("{^4|^*||v3}", "{1/2|-1}"),
        // Tinies and minies are negligible beside an up.
        ("Tiny(1)", "0"),
        ("Miny(1/4)", "0"),
        ("Tiny({3|1})", "0"),
        ("Tiny({1|0})", "1"),
        ("{0|Tiny({3|1/2})}", "1"),
    ] {
        let id = c.parse(value).unwrap();
        let found = weights.weight(id).unwrap();
        let expected = c.parse(weight).unwrap();
        assert_eq!(found.value(&mut c), Ok(expected), "{value}");
        let negative = weights.weight(id.negative());
        assert_eq!(negative, Ok(found.negative()), "-({value})");
    }
}

/// The definition for tinies and minies, beside all dicotic values born by day 3.
#[test]
fn tinies_do_not_change_who_wins_beside_a_far_star() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let games = dicotic_born_by(&mut c, 3);
    let star = c.nimber(FAR[0]).unwrap();
    let mut play = Play::new(&arena);
    for text in ["Tiny(1)", "Tiny(1/2)", "Tiny({2|1})", "Miny(1)", "Miny(3)"] {
        let tiny = c.parse(text).unwrap();
        for &game in &games {
            assert_eq!(
                play.winners(&[game, tiny, star]),
                play.winners(&[game, star])
            );
        }
    }
}

/// The definition for `{0|t}` with a tiny t of weight 0, beside all dicotic values born by day 3
/// and random ones of later days, and several far stars.
#[test]
fn an_option_to_a_tiny_wins_like_an_up_beside_a_far_star() {
    const TEXTS: [&str; 3] = ["Tiny({1|0})", "{0|Tiny(1/2)}", "{0|Tiny({2|1})}"];
    fn compare(c: &mut Calculator<'_>, play: &mut Play<'_>, game: ValueId) {
        let up = c.parse("^").unwrap();
        for star in [16, 19, 26] {
            let star = c.nimber(star).unwrap();
            let expected = play.winners(&[game, up, star]);
            for text in TEXTS {
                let above_tiny = c.parse(text).unwrap();
                let found = play.winners(&[game, above_tiny, star]);
                let game = c.arena().notation(game);
                assert_eq!(found, expected, "{text} beside {game}");
            }
        }
    }
    let arena = Arena::new();
    let mut c = arena.calculator();
    let mut play = Play::new(&arena);
    for game in dicotic_born_by(&mut c, 3) {
        compare(&mut c, &mut play, game);
    }
    let mut runner = runner(200);
    let later = std::cell::Cell::new(0);
    let outcome = runner.run(&trees(3), |tree| {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let game = tree.value(&mut c);
        compare(&mut c, &mut Play::new(&arena), game);
        later.set(later.get() + u32::from(arena.birthday(game) > 3));
        Ok(())
    });
    outcome.unwrap();
    assert!(later.get() > 50);
}

#[test]
fn values_without_a_weight_are_refused_with_the_reason() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let mut weights = AtomicWeights::new(&arena);
    for (value, reason) in [
        (
            "1",
            "the stops are 1 and 1, and only infinitesimals have atomic weights",
        ),
        (
            "{1|-1}",
            "the stops are 1 and -1, and only infinitesimals have atomic weights",
        ),
        (
            "{0|-2}",
            "the stops are 0 and -2, and only infinitesimals have atomic weights",
        ),
        (
            "1/2^",
            "the stops are 1/2 and 1/2, and only infinitesimals have atomic weights",
        ),
    ] {
        let id = c.parse(value).unwrap();
        let error = weights.weight(id).unwrap_err();
        assert_eq!(error.name(), Some("not-infinitesimal"));
        assert_eq!(error.to_string(), reason, "{value}");
    }
    for value in [
        "{1|^2||^}",
        "Tiny(1)+^",
        "Tiny(1)+Tiny(2)",
        "{0|Tiny({1|0})}",
    ] {
        let id = c.parse(value).unwrap();
        let error = weights.weight(id).unwrap_err();
        assert_eq!(error, NoAtomicWeight::NotDicotic, "{value}");
        assert_eq!(error.name(), Some("not-dicotic"));
    }
}

/// Why these values have no weight: with any number of ups, the winner beside some dicotic value
/// differs.
#[test]
fn hot_values_and_numbers_do_not_meet_the_definition() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let mut play = Play::new(&arena);
    for text in ["1", "{1|-1}", "-1/2", "{0|-2}"] {
        let game = c.parse(text).unwrap();
        for ups in -6..=6 {
            let ups = c.parse(&format!("{ups}")).unwrap();
            let ups = times_up(&mut c, ups);
            assert!(!is_weight(&mut c, &mut play, game, ups), "{text}");
        }
    }
}

#[test]
fn forms_of_any_depth_are_safe() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let up = c.parse("^").unwrap();
    let mut id = ValueId::ZERO;
    for _ in 0..20_000 {
        id = c
            .canonical(&mut vec![ValueId::ZERO], &mut vec![id])
            .unwrap();
    }
    assert_eq!(arena.birthday(id), 20_000);
    assert_ne!(id, up);
    let weight = AtomicWeights::new(&arena).weight(id);
    assert_eq!(weight, Ok(AtomicWeight::Integer(19_999)));
}

fn wari(rows: &[Row]) -> Vec<seedbank::dataset::PositionRow> {
    let evaluation = Evaluation::of(Game::ATOMIC_WARI, Playing::Partisan);
    let session = session(1, bytesize::ByteSize::gib(1));
    let mut found = Vec::new();
    let each = |_, row| found.push(row);
    let boards: Vec<AnyBoard> = rows.iter().cloned().map(AnyBoard::from).collect();
    evaluate(&evaluation, &session, &boards, each).unwrap();
    found
}

#[test]
fn the_pattern_of_m_ups_has_weight_m() {
    let rows: Vec<Row> = (1..=6)
        .map(|m| "01300".repeat(m).parse().unwrap())
        .collect();
    for (m, row) in (1..).zip(wari(&rows)) {
        let value = row.value.unwrap();
        assert_eq!(value.integer_weight(), Some(m));
        assert_eq!(value.atomic_weight, Some(m.to_string().into()));
        assert_eq!(value.atomic_weight_missing, None);
    }
}

/// Only the ten games of Table 5 occur, with the weights that the paper gives them. The pattern of
/// weights of a mirror image is the same with signs changed.
#[test]
fn weights_of_two_pots() {
    const MOST: usize = 12;
    let pot = |seeds: usize| format!("[{seeds}]");
    let pairs: Vec<(usize, usize)> = (1..=MOST)
        .flat_map(|x| (1..=MOST).map(move |y| (x, y)))
        .collect();
    let rows: Vec<Row> = pairs
        .iter()
        .map(|&(x, y)| format!("{}{}", pot(x), pot(y)).parse().unwrap())
        .collect();
    let printed = [
        ("0", 0),
        ("*", 0),
        ("*2", 0),
        ("^", 1),
        ("v", -1),
        ("{*,^|0,*}", 1),
        ("{0,*|*,v}", -1),
        ("^<2>*", 0),
        ("v<2>*", 0),
        ("+-{*,^}", 0),
    ];
    let mut weights = HashMap::new();
    for (&pair, row) in pairs.iter().zip(wari(&rows)) {
        let columns = row.value.unwrap();
        let value = columns.value.as_deref().unwrap();
        let expected = printed.iter().find(|(text, _)| *text == value);
        let &(_, weight) = expected.unwrap_or_else(|| panic!("{pair:?} = {value}"));
        assert_eq!(columns.integer_weight(), Some(weight), "{pair:?}");
        weights.insert(pair, weight);
    }
    let row = |x: usize| -> Vec<i64> { (1..=MOST).map(|y| weights[&(x, y)]).collect() };
    assert_eq!(row(1), [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(row(3), [-1, -1, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1]);
    assert_eq!(row(5), [-1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    for (&(x, y), weight) in &weights {
        assert_eq!(weights[&(y, x)], -weight);
    }
}
