//! The laws of the algebra of values, on random forms and on every game born by day 3.
//!
//! Where a law is a definition (outcome, stops, birthday, dicotic, order), it is checked against
//! the definition played out move by move, which shares only the option lists with the library.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use seedbank::value::{
    Arena, Calculator, Comparison, Dyadic, Kind, NumberUpStar, OutcomeClass, Thermographs, ValueId,
};

/// A game tree whose leaves are numbers, ups and nimbers.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(NumberUpStar),
    Game(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    fn value(&self, c: &mut Calculator<'_>) -> ValueId {
        match self {
            Tree::Leaf(leaf) => c.number_up_star(*leaf).unwrap(),
            Tree::Game(left, right) => {
                let mut left = left.iter().map(|tree| tree.value(c)).collect();
                let mut right = right.iter().map(|tree| tree.value(c)).collect();
                c.canonical(&mut left, &mut right).unwrap()
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (-4..=4i32, 0..2u32, -1..=1, 0..=2u32, any::<bool>()).prop_map(
        |(numerator, exponent, ups, star, number)| {
            let (ups, star) = if number { (0, 0) } else { (ups, star) };
            Tree::Leaf(NumberUpStar {
                number: Dyadic::new(i128::from(numerator), exponent),
                ups,
                star,
            })
        },
    );
    leaf.prop_recursive(3, 16, 2, |inner| {
        let options = || proptest::collection::vec(inner.clone(), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree::Game(left, right))
    })
}

/// Play by the rules: who wins sums of forms, with one entry of a list for each component and no
/// algebra at all.
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

    /// Returns whether the player to move wins the sum.
    fn mover_wins(&mut self, sum: &[ValueId], left_moves: bool) -> bool {
        let mut sum = sum.to_vec();
        sum.retain(|&part| part != ValueId::ZERO);
        sum.sort_unstable();
        if let Some(&known) = self.memo.get(&(sum.clone(), left_moves)) {
            return known;
        }
        let mut wins = false;
        'parts: for i in 0..sum.len() {
            for option in options(self.arena, sum[i], left_moves) {
                let mut next = sum.clone();
                next[i] = option;
                if !self.mover_wins(&next, !left_moves) {
                    wins = true;
                    break 'parts;
                }
            }
        }
        self.memo.insert((sum, left_moves), wins);
        wins
    }

    fn outcome(&mut self, sum: &[ValueId]) -> OutcomeClass {
        match (self.mover_wins(sum, true), self.mover_wins(sum, false)) {
            (true, true) => OutcomeClass::Next,
            (false, false) => OutcomeClass::Previous,
            (true, false) => OutcomeClass::Left,
            (false, true) => OutcomeClass::Right,
        }
    }
}

fn options(arena: &Arena, id: ValueId, left: bool) -> Vec<ValueId> {
    if left {
        arena.left_options(id)
    } else {
        arena.right_options(id)
    }
}

fn followers(arena: &Arena, id: ValueId) -> HashSet<ValueId> {
    let mut found = HashSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(arena.left_options(id));
            open.extend(arena.right_options(id));
        }
    }
    found
}

/// The number that play reaches if this player starts and both play well.
fn stop_by_play(arena: &Arena, id: ValueId, left: bool) -> Dyadic {
    if let Some(number) = arena.number(id) {
        return number;
    }
    let stops = options(arena, id, left)
        .into_iter()
        .map(|option| stop_by_play(arena, option, !left));
    if left { stops.max() } else { stops.min() }.expect("no number without options")
}

fn depth(arena: &Arena, id: ValueId) -> u32 {
    let options = [true, false].map(|left| options(arena, id, left)).concat();
    let below = options.into_iter().map(|option| 1 + depth(arena, option));
    below.max().unwrap_or(0)
}

fn check_form(c: &mut Calculator<'_>, play: &mut Play<'_>, id: ValueId) {
    let arena = c.arena();
    assert_eq!(c.outcome(id), play.outcome(&[id]));
    assert_eq!(arena.left_stop(id), stop_by_play(arena, id, true));
    assert_eq!(arena.right_stop(id), stop_by_play(arena, id, false));
    assert_eq!(arena.birthday(id), depth(arena, id));
    let dicotic = followers(arena, id)
        .into_iter()
        .all(|id| arena.left_options(id).is_empty() == arena.right_options(id).is_empty());
    assert_eq!(arena.is_dicotic(id), dicotic);
    let (mut left, mut right) = (arena.left_options(id), arena.right_options(id));
    assert_eq!(c.canonical(&mut left, &mut right).unwrap(), id);
    assert_eq!(c.sum(id, id.negative()).unwrap(), ValueId::ZERO);
    assert_eq!(id.negative().negative(), id);
    assert_eq!(id.is_symmetric(), id == id.negative());
    let negated = |options: Vec<ValueId>| -> HashSet<ValueId> {
        options.into_iter().map(ValueId::negative).collect()
    };
    let of_negative: HashSet<ValueId> = arena.left_options(id.negative()).into_iter().collect();
    assert_eq!(of_negative, negated(arena.right_options(id)));
}

/// The canonical form has no dominated and no reversible options, by play.
fn check_canonical(play: &mut Play<'_>, id: ValueId) {
    let arena = play.arena;
    let mut le = |g: ValueId, h: ValueId| !play.mover_wins(&[h, g.negative()], false);
    for form in [id, id.negative()] {
        let left = arena.left_options(form);
        for &option in &left {
            assert!(
                left.iter()
                    .all(|&other| other == option || !le(option, other))
            );
            for reply in arena.right_options(option) {
                assert!(!le(reply, form), "a reversible option");
            }
        }
    }
}

/// All sets of pairwise incomparable games.
fn antichains(c: &mut Calculator<'_>, games: &[ValueId]) -> Vec<Vec<ValueId>> {
    let mut found = vec![Vec::new()];
    for &game in games {
        for i in 0..found.len() {
            let confused = found[i]
                .iter()
                .all(|&other| c.compare(game, other) == Comparison::Confused);
            if confused {
                let mut longer = found[i].clone();
                longer.push(game);
                found.push(longer);
            }
        }
    }
    found
}

/// Dominated options change nothing, so antichains suffice as options of a game born by the next
/// day.
fn born_by(c: &mut Calculator<'_>, day: u32) -> Vec<ValueId> {
    let mut games = vec![ValueId::ZERO];
    for _ in 0..day {
        let lists = antichains(c, &games);
        let mut next = HashSet::new();
        for left in &lists {
            for right in &lists {
                next.insert(c.canonical(&mut left.clone(), &mut right.clone()).unwrap());
            }
        }
        games = next.into_iter().collect();
    }
    games
}

#[test]
fn every_game_born_by_day_3_obeys_the_definitions() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let counts = [0, 1, 2, 3].map(|day| born_by(&mut c, day).len());
    assert_eq!(counts, [1, 4, 22, 1_474]);
    let games = born_by(&mut c, 3);
    let mut play = Play::new(&arena);
    let mut thermographs = Thermographs::new(&arena);
    for &id in &games {
        check_form(&mut c, &mut play, id);
        check_canonical(&mut play, id);
        let (mean, temperature) = (thermographs.mean(id), thermographs.temperature(id));
        let (left, right) = (arena.left_stop(id), arena.right_stop(id));
        assert!(mean >= Some(right) && mean <= Some(left));
        let cold = matches!(Kind::of(&arena, id), Kind::Integer | Kind::Dyadic);
        assert_eq!(temperature < Some(Dyadic::ZERO), cold);
        assert_eq!(temperature > Some(Dyadic::ZERO), left > right);
    }
    // The order of some pairs, no two of which are equal; in an order that does not depend on ids.
    let mut sample = games;
    sample.sort_by_key(|&id| arena.notation(id).to_string());
    for (i, &g) in sample.iter().enumerate() {
        for &h in sample[i + 1..].iter().step_by(97).take(5) {
            assert_eq!(c.compare(g, h), compare_by_play(&mut play, g, h));
            assert_ne!(g, h);
        }
    }
}

fn compare_by_play(play: &mut Play<'_>, g: ValueId, h: ValueId) -> Comparison {
    match play.outcome(&[g, h.negative()]) {
        OutcomeClass::Previous => Comparison::Equal,
        OutcomeClass::Left => Comparison::Greater,
        OutcomeClass::Right => Comparison::Less,
        OutcomeClass::Next => Comparison::Confused,
    }
}

#[test]
fn the_order_of_all_games_born_by_day_2_agrees_with_play() {
    let arena = Arena::new();
    let mut c = arena.calculator();
    let games = born_by(&mut c, 2);
    let mut play = Play::new(&arena);
    for &g in &games {
        for &h in &games {
            assert_eq!(c.compare(g, h), compare_by_play(&mut play, g, h));
            let sum = c.sum(g, h).unwrap();
            let parts = [g, h, sum.negative()];
            assert_eq!(play.outcome(&parts), OutcomeClass::Previous);
            check_canonical(&mut play, sum);
        }
    }
}

proptest! {
    #[test]
    fn random_forms_obey_the_definitions(tree in trees()) {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let id = tree.value(&mut c);
        let mut play = Play::new(&arena);
        check_form(&mut c, &mut play, id);
        check_canonical(&mut play, id);
    }

    #[test]
    fn the_canonical_form_equals_the_tree(tree in trees()) {
        // Played out, the tree minus its form is a second-player win.
        fn wins(arena: &Arena, tree: &Tree, form: ValueId, left: bool) -> bool {
            let by_form = options(arena, form, left)
                .into_iter()
                .any(|option| !wins(arena, tree, option, !left));
            by_form || match tree {
                Tree::Leaf(leaf) => {
                    let id = arena.calculator().number_up_star(*leaf).unwrap();
                    // The form alone was tried above, so only moves in the leaf are left.
                    options(arena, id, left).into_iter().any(|option| {
                        !Play::new(arena).mover_wins(&[option, form], !left)
                    })
                }
                Tree::Game(lefts, rights) => {
                    let moves = if left { lefts } else { rights };
                    moves.iter().any(|option| !wins(arena, option, form, !left))
                }
            }
        }
        let arena = Arena::new();
        let id = tree.value(&mut arena.calculator());
        // Small trees only, because there is no memo.
        prop_assume!(arena.birthday(id) <= 4);
        prop_assert!(!wins(&arena, &tree, id.negative(), true));
        prop_assert!(!wins(&arena, &tree, id.negative(), false));
    }

    #[test]
    fn sums_commute_and_associate(a in trees(), b in trees(), c in trees()) {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let [g, h, k] = [a, b, c].map(|tree| tree.value(&mut calculator));
        let mut sum = |x, y| calculator.sum(x, y).unwrap();
        prop_assert_eq!(sum(g, h), sum(h, g));
        prop_assert_eq!(sum(g, ValueId::ZERO), g);
        let (gh, hk) = (sum(g, h), sum(h, k));
        prop_assert_eq!(sum(gh, k), sum(g, hk));
        prop_assert_eq!(sum(gh, h.negative()), g);
        prop_assert_eq!(sum(g.negative(), h.negative()), gh.negative());
    }

    #[test]
    fn the_order_is_partial_and_sums_respect_it(a in trees(), b in trees(), c in trees()) {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let games = [a, b, c].map(|tree| tree.value(&mut calculator));
        for g in games {
            prop_assert!(calculator.le(g, g));
            for h in games {
                let comparison = calculator.compare(g, h);
                let back = calculator.compare(h, g);
                prop_assert_eq!(comparison == Comparison::Less, back == Comparison::Greater);
                prop_assert_eq!(comparison == Comparison::Equal, g == h);
                let difference = calculator.difference(g, h).unwrap();
                prop_assert_eq!(calculator.compare(difference, ValueId::ZERO), comparison);
                for k in games {
                    if calculator.le(g, h) && calculator.le(h, k) {
                        prop_assert!(calculator.le(g, k));
                    }
                    let (gk, hk) =
                        (calculator.sum(g, k).unwrap(), calculator.sum(h, k).unwrap());
                    prop_assert_eq!(calculator.compare(gk, hk), comparison);
                }
            }
        }
    }
}
