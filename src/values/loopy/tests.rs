use super::graph::{BOTH, LEFT, RIGHT};
use super::*;
use crate::{Arena, Comparison, ValueId};

/// The end of play for the player to move, by looking one move further until nothing changes: 1 won, -1 lost, 0 endless.
pub(super) fn endings(moves: &[[Vec<usize>; 2]]) -> Vec<[i8; 2]> {
    let mut found = vec![[0; 2]; moves.len()];
    loop {
        let before = found.clone();
        for (at, ending) in found.iter_mut().enumerate() {
            for player in BOTH {
                let mut replies = moves[at][player]
                    .iter()
                    .map(|&next| before[next][1 - player]);
                ending[player] = match () {
                    () if replies.clone().any(|reply| reply == -1) => 1,
                    () if replies.all(|reply| reply == 1) => -1,
                    () => 0,
                };
            }
        }
        if found == before {
            return found;
        }
    }
}

/// The moves of the sum of two games.
pub(super) fn sum(g: &[[Vec<usize>; 2]], h: &[[Vec<usize>; 2]]) -> Vec<[Vec<usize>; 2]> {
    let mut moves = Vec::new();
    for (of_g, in_g) in g.iter().enumerate() {
        for (of_h, in_h) in h.iter().enumerate() {
            moves.push(BOTH.map(|player| {
                let first = in_g[player].iter().map(|next| next * h.len() + of_h);
                let second = in_h[player].iter().map(|next| of_g * h.len() + next);
                first.chain(second).collect()
            }));
        }
    }
    moves
}

/// Random moves among some positions.
pub(super) fn random_moves(
    random: &mut fastrand::Rng,
    positions: usize,
    most: usize,
) -> Vec<[Vec<usize>; 2]> {
    (0..positions)
        .map(|_| {
            BOTH.map(|_| {
                (0..random.usize(0..=most))
                    .map(|_| random.usize(0..positions))
                    .collect()
            })
        })
        .collect()
}

pub(super) fn graph(moves: &[[Vec<usize>; 2]]) -> LoopyGraph {
    let mut graph = LoopyGraph::default();
    moves.iter().for_each(|_| {
        graph.node();
    });
    for (node, options) in (0..).zip(moves) {
        graph.set(
            node,
            options.clone().map(|options| {
                options
                    .into_iter()
                    .map(|next| Target::Node(next as u32))
                    .collect()
            }),
        );
    }
    graph
}

#[test]
fn sums_of_random_games_end_as_their_sides_say() {
    let arena = Arena::new();
    let mut random = fastrand::Rng::with_seed(1);
    let (mut unknown, mut known, mut sided) = (0, 0, 0);
    for round in 0..5000 {
        let mut c = LoopyCalculator::new(&arena);
        let size = 2 + round % 5;
        let games: Vec<_> = (0..2).map(|_| random_moves(&mut random, size, 2)).collect();
        let sides: Vec<_> = games
            .iter()
            .map(|moves| c.sides(&graph(moves)).unwrap())
            .collect();
        let played = endings(&sum(&games[0], &games[1]));
        for (of_g, g) in sides[0].iter().enumerate() {
            for (of_h, h) in sides[1].iter().enumerate() {
                let (Some(g), Some(h)) = (*g, *h) else {
                    unknown += 1;
                    continue;
                };
                known += 1;
                sided += usize::from(g.stopper().is_none());
                // The difference of a side and the negative of another: no sum is simplified.
                let survives = |c: &mut LoopyCalculator<'_>, g, h, to_move| {
                    let h = c.negative(h);
                    c.survives(g, h, to_move).unwrap()
                };
                let [not_g, not_h] = [g, h].map(|game| c.negative(game.offside));
                let left = BOTH.map(|to_move| survives(&mut c, g.onside, h.onside, to_move));
                let right = BOTH.map(|to_move| survives(&mut c, not_g, not_h, 1 - to_move));
                let expected = played[of_g * games[1].len() + of_h];
                let survived = [[left[LEFT], right[LEFT]], [left[RIGHT], right[RIGHT]]];
                let expected = [
                    [expected[LEFT] >= 0, expected[LEFT] <= 0],
                    [expected[RIGHT] <= 0, expected[RIGHT] >= 0],
                ];
                assert_eq!(survived, expected, "{games:?} {of_g} {of_h}");
            }
        }
    }
    assert!(
        unknown * 100 < known && sided > 10_000,
        "{unknown} {known} {sided}"
    );
}

#[test]
fn random_values_obey_the_laws() {
    let arena = Arena::new();
    let mut random = fastrand::Rng::with_seed(2);
    let mut c = LoopyCalculator::new(&arena);
    let mut values: Vec<Sides> = vec![Stopper::Short(ValueId::ZERO).into()];
    while values.len() < 60 {
        let moves = random_moves(&mut random, 4, 2);
        let sides = c.sides(&graph(&moves)).unwrap();
        let new = sides
            .into_iter()
            .flatten()
            .find(|sides| !values.contains(sides));
        values.extend(new);
    }
    let zero = values[0];
    for &g in &values {
        let text = c.text(g, usize::MAX).unwrap();
        assert_eq!(c.parse(&text), Ok(g), "{text}");
        assert_eq!(c.sum(g, zero), Ok(Some(g)));
        let negative = c.negative_sides(g);
        assert_eq!(c.negative_sides(negative), g);
        // Left survives G - G moving second, and so does Right; only for short games is it 0.
        let difference = c
            .sum(g, negative)
            .unwrap()
            .expect("the sides of stoppers' sums are stoppers");
        assert!(c.ge(difference.onside, zero.onside).unwrap());
        assert!(c.ge(zero.offside, difference.offside).unwrap());
        // A stopper is the game of its options.
        if let Some(stopper) = g.stopper() {
            let options = c
                .options_of(stopper)
                .map(|options| options.into_iter().map(Sides::from).collect());
            assert_eq!(c.game(options), Ok(Some(g)), "{text}");
        }
    }
    for (&g, &h) in values.iter().zip(values.iter().rev()) {
        let [there, back] = [c.compare(g, h), c.compare(h, g)].map(Result::unwrap);
        let reversed = match there {
            Comparison::Less => Comparison::Greater,
            Comparison::Greater => Comparison::Less,
            same => same,
        };
        assert_eq!(back, reversed);
        let sums = [c.sum(g, h), c.sum(h, g)];
        assert_eq!(sums[0], sums[1]);
        for &x in &values[..8] {
            let (Ok(Some(more)), Ok(Some(less))) = (c.sum(g, x), c.sum(h, x)) else {
                continue;
            };
            // The order is kept by sums.
            if there == Comparison::Greater {
                assert!(matches!(
                    c.compare(more, less),
                    Ok(Comparison::Greater | Comparison::Equal)
                ));
            }
        }
    }
}

#[test]
fn stoppers_are_the_same_in_every_calculator() {
    let arena = Arena::new();
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..300 {
        let moves = random_moves(&mut random, 5, 2);
        // The same game with its nodes in reverse.
        let turned: Vec<[Vec<usize>; 2]> = moves
            .iter()
            .rev()
            .map(|moves| {
                moves
                    .clone()
                    .map(|options| options.iter().map(|next| 4 - next).collect())
            })
            .collect();
        let mut calculators = [LoopyCalculator::new(&arena), LoopyCalculator::new(&arena)];
        let [first, mut second] = [&moves, &turned].map(|moves| {
            let c = &mut calculators[usize::from(std::ptr::eq(moves, &turned))];
            let sides = c.sides(&graph(moves)).unwrap();
            let named = sides
                .into_iter()
                .map(|sides| sides.map(|sides| (c.digest_of(sides), c.text(sides, 200))));
            named.collect::<Vec<_>>()
        });
        second.reverse();
        assert_eq!(first, second);
    }
}

#[test]
fn sidling_and_simplification_agree() {
    let arena = Arena::new();
    let mut random = fastrand::Rng::with_seed(4);
    let (mut compared, mut c) = (0, LoopyCalculator::new(&arena));
    for _ in 0..400 {
        let moves = random_moves(&mut random, 4, 2);
        let graph = graph(&moves);
        let found = c.onsides(&graph).unwrap();
        if let Some(sidled) = c.sidled(&graph).unwrap() {
            assert_eq!(
                found,
                sidled.into_iter().map(Some).collect::<Vec<_>>(),
                "{moves:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn multiples_are_sums_of_copies_and_bind_before_stars() {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    for (text, meaning) in [
        ("2.^<on>*", "^<on> + ^<on> + *"),
        ("3.v[on]", "v[on] + v[on] + v[on]"),
        ("-2.upon", "v[on] + v[on]"),
        ("0.on", "0"),
        ("100.over", "over"),
        ("2.(1 & over)", "2 & over"),
    ] {
        assert_eq!(c.parse(text), c.parse(meaning), "{text}");
        assert!(c.parse(text).is_ok(), "{text}");
    }
}

#[test]
fn texts_that_take_too_long_are_refused() {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    let error = c.parse("100.upon - 100.upon").unwrap_err().to_string();
    let expected =
        "character 15: it takes more than 3000000 steps of comparing and adding loopy games";
    assert_eq!(error, expected);
    // The limit is that of one text, and other work has none.
    let [g, h] = [c.parse("20.upon").unwrap(), c.parse("-20.upon").unwrap()];
    c.limit_steps(100);
    assert_eq!(c.sum(g, h), Err(LoopyError::Steps(100)));
    assert!(c.parse("20.upon + over").is_err());
    c.limit_steps(u64::MAX);
    assert!(c.sum(g, h).is_ok());
}

#[test]
fn long_texts_are_none() {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    let mut game = c.parse("over").unwrap();
    // Each game holds the one before twice, with 1 added and with 1 taken away.
    for step in 1..10 {
        let mut parsed = |text: String| c.parse(&text).unwrap();
        let [high, low] = [
            parsed(format!("{}", 10 * step)),
            parsed(format!("-{}", 10 * step)),
        ];
        let mut shifted = |by| {
            let by = c.parse(by).unwrap();
            c.sum(game, by).unwrap().unwrap()
        };
        let [above, below] = [shifted("1"), shifted("-1")];
        let left = c.game([vec![high], vec![above]]).unwrap().unwrap();
        let right = c.game([vec![below], vec![low]]).unwrap().unwrap();
        game = c.game([vec![left], vec![right]]).unwrap().unwrap();
    }
    assert!(matches!(game.stopper(), Some(Stopper::Loopy(_))));
    assert_eq!(c.text(game, 4096), None);
}
