use std::collections::HashMap;

use bytesize::ByteSize;
use cggames::game::scored::{Begin, Capture, Captures, GrandSlam, Kalah, Stuck, Wari};

use super::*;
use crate::reference::ReferenceScores;

const EMPTY: Kalah = Kalah {
    capture: Capture::Empty,
};
const STANDARD: Kalah = Kalah {
    capture: Capture::Standard,
};

/// Checks that all scores are those of the reference.
fn agree<G: Scored>(game: G, pits: usize, seeds_max: u32) {
    let scores = Scores::up_to(game, pits, seeds_max, &Control::default()).unwrap();
    let mut reference = ReferenceScores::new(game);
    for seeds in 0..=seeds_max {
        for rank in 0..scores.numbering().positions(seeds) {
            let position = scores.numbering().unrank(seeds, rank);
            let expected = reference.margin(&position);
            let endless = can_be_endless_by_play(game, &position, &mut HashMap::new());
            assert_eq!(
                scores.can_be_endless(&position),
                Some(endless),
                "{game:?}: {position}"
            );
            assert_eq!(
                scores.get(&position),
                Some(expected),
                "{game:?}: {position}"
            );
        }
    }
}

/// Returns whether play from a position can reach a cycle, by a walk through all play; `known`
/// holds `None` for positions on the path.
fn can_be_endless_by_play<G: Scored>(
    game: G,
    position: &TwoRows,
    known: &mut HashMap<TwoRows, Option<bool>>,
) -> bool {
    if let Some(known) = known.get(position) {
        return known.unwrap_or(true);
    }
    known.insert(*position, None);
    let options = game.literal_options(position);
    let mut options = options.iter();
    let found = options.any(|option| can_be_endless_by_play(game, &option.position, known));
    known.insert(*position, Some(found));
    found
}

#[test]
fn scores_of_all_small_positions_are_those_of_the_reference() {
    for (pits, seeds_max) in [(1, 14), (2, 9), (3, 6), (4, 4)] {
        for game in [EMPTY, STANDARD] {
            agree(game, pits, seeds_max);
        }
        for game in [Wari::WARI, Wari::AWARI, Wari::OWARE] {
            agree(game, pits, seeds_max);
        }
    }
    let other = Wari {
        begin: Begin::Next,
        singles_move: false,
        captures: Captures::Opponent(GrandSlam::Legal),
        stuck: Stuck::Passes,
        feeds: true,
    };
    agree(other, 2, 8);
}

#[test]
fn starting_positions_of_kalah_have_published_margins() {
    // Rows are pits a side, columns are seeds a pit from 1.
    let empty: [&[i32]; 4] = [
        &[0, -2, 6, -2, 2, 0, -6, 0],
        &[2, -2, -2, -12, 6, 8, 8],
        &[0, 4, 2, 2],
        &[2, 6],
    ];
    for (pits, margins) in (1..).zip(empty) {
        let seeds_max = 2 * pits as u32 * margins.len() as u32;
        let scores = Scores::up_to(EMPTY, pits, seeds_max, &Control::default()).unwrap();
        for (seeds, &margin) in (1..).zip(margins) {
            assert_eq!(
                scores.get(&start(pits, seeds)),
                Some(margin),
                "{pits}, {seeds}"
            );
        }
    }
    let scores = Scores::up_to(STANDARD, 2, 16, &Control::default()).unwrap();
    assert_eq!(scores.get(&start(2, 4)), Some(-10));
}

fn start(pits: usize, seeds: u8) -> TwoRows {
    let side = vec![seeds.to_string(); pits].join(" ");
    format!("{side} / {side}").parse().unwrap()
}

/// Scores the tier of 9 seeds from a state in which some positions have their scores and `rounds`
/// rounds are finished.
fn completed<G: Scored>(game: G, rounds: u64, keeps: impl Fn(usize) -> bool) {
    let control = Control::default();
    let all = Scores::up_to(game, 3, 9, &control).unwrap();
    let bytes = all.tiers[9].iter().enumerate();
    let bytes: Vec<AtomicU8> = bytes
        .map(|(place, &byte)| AtomicU8::new(if keeps(place) { byte } else { 0 }))
        .collect();
    let mut scores = Scores::up_to(game, 3, 8, &control).unwrap();
    let mut last = rounds;
    let after = &mut |rounds| {
        assert_eq!(rounds, last + 1);
        last = rounds;
        Ok::<_, StopReason>(())
    };
    scores.score(&bytes, rounds, &control, after).unwrap();
    let found: Vec<u8> = bytes.into_iter().map(AtomicU8::into_inner).collect();
    assert_eq!(found, all.tiers[9][..], "{game:?}");
}

#[test]
fn a_stopped_tier_is_completed_from_where_it_was() {
    for wari in [Wari::WARI, Wari::AWARI, Wari::OWARE] {
        for step in 2..5 {
            completed(wari, 3, |place| place % step == 0);
        }
    }
    // In Kalah, the positions whose seeds have total distance 6 or less.
    let mut numbering = TierNumbering::new(3);
    numbering.extend(9);
    let distance = |side: &cggames::board::two_rows::Side| -> usize {
        let pits = side.pits().iter().rev().enumerate();
        pits.map(|(behind, &seeds)| behind * usize::from(seeds))
            .sum()
    };
    completed(EMPTY, 7, |place| {
        let position = numbering.unrank(9, place as u64);
        distance(&position.mover) + distance(&position.opponent) <= 6
    });

    let control = Control::default();
    control.stop(StopReason::Interrupted);
    assert!(Scores::up_to(Wari::AWARI, 3, 9, &control).is_err());
}

/// The margins of Irving, Donkers and Uiterwijk (2000), by both rules.
#[test]
fn a_search_that_scores_as_it_goes_on_finds_published_margins() {
    let control = Control::default();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let mut most = 0;
    for (game, pits, seeds, margin) in [
        (EMPTY, 4, 3, 8),
        (STANDARD, 4, 3, 6),
        (EMPTY, 5, 2, 0),
        (EMPTY, 5, 3, 8),
        (EMPTY, 6, 2, 10),
    ] {
        let memory = ByteSize::mib(64);
        let scored = (20, &pool);
        let mut search = ScoreSearch::growing(game, pits, scored, memory, &control).unwrap();
        let start = start(pits, seeds);
        assert_eq!(search.margin(&start), Ok(margin), "{start}");
        let (_, first) = search.line(&start).unwrap()[0];
        assert_eq!(first, margin, "{start}");
        most = most.max(search.searched);
    }
    assert!(
        most > 1 << 13,
        "no search was long enough to score more tiers"
    );
}

#[test]
fn a_search_finds_what_scores_are() {
    for game in [EMPTY, STANDARD] {
        let control = Control::default();
        let all = Scores::up_to(game, 3, 14, &control).unwrap();
        let few = Scores::up_to(game, 3, 5, &control).unwrap();
        // With little memory positions evict each other.
        for memory in [ByteSize::b(100), ByteSize::mib(1)] {
            let mut search = ScoreSearch::new(game, &few, memory, &control).unwrap();
            for (place, (score, _)) in all.of_tier(14).enumerate().step_by(3_001) {
                let position = all.numbering().unrank(14, place as u64);
                assert_eq!(search.margin(&position), Ok(score), "{position}");
                let line = search.line(&position).unwrap();
                let Some(&(last, margin)) = line.last() else {
                    continue;
                };
                let (mover, opponent) =
                    (last.position.mover.seeds(), last.position.opponent.seeds());
                let end = game.margin_without_sowing(mover, opponent);
                assert_eq!(last.margin(end), margin, "{position}");
            }
        }
    }
}

/// Published numbers of positions: all (Romein and Bal 2002), and those with seeds on both sides
/// (Irving, Donkers and Uiterwijk 2000).
#[test]
fn positions_are_as_many_as_enumeration_finds() {
    let binomial = |n: u64, k: u64| (1..=k).fold(1, |product, i| product * (n - k + i) / i);
    for (pits, seeds_max) in [(1, 9), (2, 8), (3, 7), (4, 5), (6, 4)] {
        let mut numbering = TierNumbering::new(pits);
        numbering.extend(seeds_max);
        let (mut all, mut with_both) = (0, 0);
        for seeds in 0..=seeds_max {
            let mut found = std::collections::HashSet::new();
            for rank in 0..numbering.positions(seeds) {
                let position = numbering.unrank(seeds, rank);
                let sides = [position.mover, position.opponent];
                with_both += u64::from(sides.iter().all(|side| side.seeds() > 0));
                assert!(found.insert(position), "{position} comes once");
            }
            all += found.len() as u64;
        }
        let (pits, seeds) = (pits as u64, u64::from(seeds_max));
        assert_eq!(all, binomial(seeds + 2 * pits, 2 * pits));
        let of_one_side = binomial(pits + seeds, pits);
        assert_eq!(with_both, all - 2 * of_one_side + 1);
    }
}
