use bytesize::ByteSize;

use super::*;
use crate::engine::reference::ReferenceScores;
use crate::game::scored::{Begin, Capture, Captures, GrandSlam, Kalah, Stuck, Wari};

const EMPTY: Kalah = Kalah {
    capture: Capture::Empty,
};
const STANDARD: Kalah = Kalah {
    capture: Capture::Standard,
};

/// Checks that all scores are those of the reference.
fn agree<G: Scored>(game: G, pits: usize, seeds_max: u32) {
    let scorer = Scorer::new(game, pits, seeds_max);
    let scores = scorer.all(&Control::default()).unwrap();
    let mut reference = ReferenceScores::new(game);
    for seeds in 0..=seeds_max {
        for rank in 0..scorer.numbering().positions(seeds) {
            let position = scorer.numbering().unrank(seeds, rank);
            let expected = reference.margin(&position);
            assert_eq!(
                scores.get(&position),
                Some(expected),
                "{game:?}: {position}"
            );
        }
    }
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
        let scorer = Scorer::new(EMPTY, pits, seeds_max);
        let scores = scorer.all(&Control::default()).unwrap();
        for (seeds, &margin) in (1..).zip(margins) {
            assert_eq!(
                scores.get(&start(pits, seeds)),
                Some(margin),
                "{pits}, {seeds}"
            );
        }
    }
    let scorer = Scorer::new(STANDARD, 2, 16);
    let scores = scorer.all(&Control::default()).unwrap();
    assert_eq!(scores.get(&start(2, 4)), Some(-10));
}

fn start(pits: usize, seeds: u8) -> TwoRows {
    let side = vec![seeds.to_string(); pits].join(" ");
    format!("{side} / {side}").parse().unwrap()
}

#[test]
fn a_stopped_tier_is_completed_from_where_it_was() {
    let scorer = Scorer::new(Wari::AWARI, 3, 9);
    let scores = scorer.all(&Control::default()).unwrap();
    let smaller: Vec<&[i8]> = (0..9).map(|seeds| scores.tier(seeds)).collect();
    let half = scores.tier(9).iter().enumerate();
    let half: Vec<AtomicI8> = half
        .map(|(place, &score)| AtomicI8::new(if place % 2 == 0 { score } else { 0 }))
        .collect();
    scorer
        .score(9, &smaller, &half, &Control::default())
        .unwrap();
    let found: Vec<i8> = half.into_iter().map(AtomicI8::into_inner).collect();
    assert_eq!(found, scores.tier(9));

    let control = Control::default();
    control.stop(StopReason::Interrupted);
    assert!(scorer.all(&control).is_err());
}

#[test]
fn a_search_finds_what_scores_are() {
    for game in [EMPTY, STANDARD] {
        let scorer = Scorer::new(game, 3, 14);
        let all = scorer.all(&Control::default()).unwrap();
        let few = Scorer::new(game, 3, 5);
        let few = few.all(&Control::default()).unwrap();
        let control = Control::default();
        // In little memory positions push each other out.
        for memory in [ByteSize::b(100), ByteSize::mib(1)] {
            let mut search = ScoreSearch::new(game, &few, memory, &control);
            for (place, &score) in all.tier(14).iter().enumerate().step_by(3_001) {
                let position = scorer.numbering().unrank(14, place as u64);
                assert_eq!(search.margin(&position), Ok(score.into()), "{position}");
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
