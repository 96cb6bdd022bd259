//! Forms for tests: all values born by an early day, and random ones.

use proptest::prelude::*;

use super::{Calculator, ValueId};

/// Returns every value born by the given day, at most 3: 1, 4, 22, 1,474 of them.
pub(crate) fn born_by(calculator: &mut Calculator<'_>, day: u32) -> Vec<ValueId> {
    let mut games = vec![ValueId::ZERO];
    for _ in 0..day {
        let antichains = antichains(calculator, &games);
        let mut next = Vec::new();
        for left in &antichains {
            for right in &antichains {
                let game = calculator.canonical(&mut left.clone(), &mut right.clone());
                next.push(game.unwrap());
            }
        }
        next.sort_unstable();
        next.dedup();
        games = next;
    }
    games
}

/// Returns every set of pairwise incomparable games: all that sets of options need to be.
fn antichains(calculator: &mut Calculator<'_>, games: &[ValueId]) -> Vec<Vec<ValueId>> {
    let mut found = vec![Vec::new()];
    for &game in games {
        for i in 0..found.len() {
            let confused = found[i]
                .iter()
                .all(|&other| !calculator.le(game, other) && !calculator.le(other, game));
            if confused {
                let mut longer = found[i].clone();
                longer.push(game);
                found.push(longer);
            }
        }
    }
    found
}

/// A game tree whose leaves are numbers, nimbers and ups.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Leaf {
        number: i32,
        exponent: u32,
        ups: i32,
        star: u32,
    },
    Game(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    pub(crate) fn value(&self, calculator: &mut Calculator<'_>) -> ValueId {
        match self {
            &Tree::Leaf {
                number,
                exponent,
                ups,
                star,
            } => {
                let value = super::NumberUpStar {
                    number: super::Dyadic::new(i128::from(number), exponent),
                    ups,
                    star,
                };
                calculator.number_up_star(value).unwrap()
            }
            Tree::Game(left, right) => {
                let mut left = left.iter().map(|tree| tree.value(calculator)).collect();
                let mut right = right.iter().map(|tree| tree.value(calculator)).collect();
                calculator.canonical(&mut left, &mut right).unwrap()
            }
        }
    }
}

/// Yields random game trees, small enough for sums of three.
pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (-8..=8, 0..3u32, -2..=2, 0..=2u32).prop_map(|(number, exponent, ups, star)| {
        // Mostly plain numbers: they make the hottest games.
        let (ups, star) = if number % 2 == 0 { (ups, star) } else { (0, 0) };
        Tree::Leaf {
            number: number / 2,
            exponent,
            ups,
            star,
        }
    });
    leaf.prop_recursive(4, 24, 3, |inner| {
        let options = || proptest::collection::vec(inner.clone(), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree::Game(left, right))
    })
}
