use super::*;

const WARIS: [Wari; 3] = [Wari::WARI, Wari::AWARI, Wari::OWARE];

/// Returns all positions of a number of pits a side and at most `seeds_max` seeds.
fn positions(pits: usize, seeds_max: u32) -> Vec<TwoRows> {
    let mut all = vec![TwoRows {
        mover: Side::empty(pits),
        opponent: Side::empty(pits),
    }];
    for pit in 0..2 * pits {
        let with = |position: &TwoRows| {
            let left = seeds_max - position.seeds();
            let position = *position;
            (0..=left as u8).map(move |seeds| {
                let mut position = position;
                if pit < pits {
                    position.mover.pits_mut()[pit] = seeds
                } else {
                    position.opponent.pits_mut()[pit - pits] = seeds
                }
                position
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Checks that the moves are those of literal play, that no seed is lost, and the trait's promise
/// about moves that win nothing.
fn check<G: Scored>(game: G, position: &TwoRows) {
    let options = game.options(position);
    assert_eq!(
        options,
        game.literal_options(position),
        "{game:?}: {position}"
    );
    for option in options {
        let after = option.position;
        assert_eq!(
            after.seeds() + option.gain,
            position.seeds(),
            "{game:?}: {position} -> {after}"
        );
        if !G::IS_LOOPY && option.gain == 0 {
            assert!(!option.moves_again, "{position} -> {after}");
            assert_eq!(after.mover, position.opponent, "{position} -> {after}");
            let ahead = |side: &Side| -> usize {
                let place = |(pit, &seeds): (usize, &u8)| pit * usize::from(seeds);
                side.pits().iter().enumerate().map(place).sum()
            };
            assert!(
                ahead(&after.opponent) > ahead(&position.mover),
                "{position}"
            );
        }
    }
}

fn check_all(position: &TwoRows) {
    check(
        Kalah {
            capture: Capture::Empty,
        },
        position,
    );
    check(
        Kalah {
            capture: Capture::Standard,
        },
        position,
    );
    for wari in WARIS {
        check(wari, position);
    }
}

#[test]
fn moves_are_those_of_literal_play_from_all_small_positions() {
    for (pits, seeds_max) in [(1, 30), (2, 12), (3, 8)] {
        positions(pits, seeds_max).iter().for_each(check_all);
    }
}

#[test]
fn moves_are_those_of_literal_play_from_random_positions() {
    let mut random = fastrand::Rng::with_seed(32);
    for _ in 0..20_000 {
        let pits = random.usize(1..=8);
        let mut position = TwoRows {
            mover: Side::empty(pits),
            opponent: Side::empty(pits),
        };
        // Pits of two and three, so that captures go all the way round, and a few large pits.
        let most = random.u8(2..=4);
        for side in [&mut position.mover, &mut position.opponent] {
            side.pits_mut().fill_with(|| random.u8(1..=most));
        }
        let large = random.usize(0..pits);
        position.mover.pits_mut()[large] = random.u8(0..=40);
        check_all(&position);
    }
}

#[test]
fn switches_beyond_the_named_games_are_those_of_literal_play() {
    let mut random = fastrand::Rng::with_seed(33);
    for _ in 0..20_000 {
        let wari = Wari {
            begin: [Begin::Pit, Begin::Next][random.usize(0..2)],
            singles_move: random.bool(),
            captures: [
                Captures::Anywhere,
                Captures::Opponent(GrandSlam::Legal),
                Captures::Opponent(GrandSlam::Illegal),
                Captures::Opponent(GrandSlam::CapturesNothing),
            ][random.usize(0..4)],
            stuck: [Stuck::Passes, Stuck::Loses][random.usize(0..2)],
            feeds: random.bool(),
        };
        let pits = random.usize(1..=6);
        let mut position = TwoRows {
            mover: Side::empty(pits),
            opponent: Side::empty(pits),
        };
        for side in [&mut position.mover, &mut position.opponent] {
            side.pits_mut().fill_with(|| random.u8(0..=3));
        }
        position.mover.pits_mut()[random.usize(0..pits)] = random.u8(0..=30);
        check(wari, &position);
    }
}
