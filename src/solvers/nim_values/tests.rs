//! Compares all engines with the definition, and with play itself.

use std::collections::HashMap;

use cggames::game::heap::{Code, HeapGame};

use super::*;
use crate::heaps::moves::MoveLists;

fn found(game: &str, steps: &[usize], trust: Trust) -> Vec<u16> {
    let mut values = HeapNimValues::new(game.parse().expect("a game"));
    for &heaps in steps {
        values
            .extend(heaps, trust, &|| false)
            .expect("small values");
        assert_eq!(values.values().len(), heaps);
    }
    values.values().to_vec()
}

fn check(game: &str, heaps: usize) {
    let slow = reference::nim_values(&game.parse().expect("a game"), heaps);
    let fast = found(game, &[heaps], Trust::Verified);
    let wrong = (0..heaps).find(|&n| u32::from(fast[n]) != slow[n]);
    assert_eq!(wrong, None, "{game}");
}

#[test]
fn all_codes_of_two_digits_agree_with_the_reference() {
    for digits in 0..64 {
        for whole in [0, 4] {
            check(&format!("{whole}.{digits:02o}"), 150);
        }
    }
}

/// From heap 2048 on values are found in blocks; some of these games become sparse early, others
/// never.
#[test]
fn codes_agree_with_the_reference_beyond_the_first_block() {
    for game in [
        "0.37", "0.007", "0.77", "0.054", "0.174", "0.245", "0.356", "0.454", "0.106", "0.142",
        "4.7", "grundy", "0.104", "0.324", "0.126",
    ] {
        check(game, 4500);
    }
}

/// Where the reference is too slow, the result is compared with the rung below, which has the
/// engine's space but no vectors.
#[test]
fn blocks_agree_with_the_sparse_space_heap_by_heap() {
    for (game, mask) in [("0.37", 0x1ee), ("0.356", 0x0d), ("grundy", 0x1f)] {
        let heaps = 20_000;
        let fast = found(game, &[heaps], Trust::Verified);
        let game = game.parse().expect("a game");
        let mut slow = sparse::Sparse::new(MoveLists::new(&game));
        while slow.values.len() < heaps {
            if slow.values.len() == 1000 {
                slow.set_space(space::Space::new(mask));
            }
            let value = slow.next_value();
            slow.push(value).expect("small values");
        }
        let wrong = (0..heaps).find(|&n| fast[n] != slow.values[n]);
        assert_eq!(wrong, None, "{game}");
    }
}

/// Random octal codes of one to six digits, a third of them with a digit before the point, and
/// hexadecimal ones of four.
#[test]
fn random_codes_agree_with_the_reference() {
    let mut random = fastrand::Rng::with_seed(2026);
    for _ in 0..12 {
        let mut digits = vec![if random.u8(..3) == 0 { 4 } else { 0 }];
        let length = random.usize(1..=6);
        digits.extend((0..length).map(|_| random.u8(..8)));
        let code = Code::from_digits(&digits).expect("octal digits");
        check(&code.to_string(), 3000);
    }
    for _ in 0..12 {
        let digits: Vec<u8> = (0..5).map(|_| random.u8(..16)).collect();
        if let Ok(code) = Code::from_digits(&[&[digits[0] & 12], &digits[1..]].concat()) {
            check(&code.to_string(), 120);
        }
    }
}

/// The sparse space of 0.356 and others is used from 4096 heaps on. There verified and speculative
/// values are equal, and do not depend on where work was interrupted.
#[test]
fn speculation_and_interruptions_change_no_value() {
    for game in ["0.356", "0.454", "0.174", "0.104"] {
        let whole = found(game, &[16_000], Trust::Verified);
        let steps: Vec<usize> = (1..=16).map(|i| i * 1000).collect();
        assert_eq!(found(game, &steps, Trust::Verified), whole, "{game}");
        assert_eq!(
            found(game, &[2047, 2048, 2049, 4097, 16_000], Trust::Verified),
            whole
        );
        assert_eq!(found(game, &[16_000], Trust::Speculative), whole, "{game}");
    }
}

#[test]
fn the_standing_tells_from_where_values_are_speculative() {
    let mut values = HeapNimValues::new("0.356".parse().expect("a code"));
    let standing = values.extend(3000, Trust::Verified, &|| false);
    assert_eq!(standing, Ok(Standing::Verified { to: 3000 }));
    let standing = values
        .extend(20_000, Trust::Speculative, &|| false)
        .expect("small values");
    let Standing::Speculative { from, to } = standing else {
        panic!("{standing}");
    };
    assert!((3000..20_000).contains(&from) && to == 20_000);
    assert_eq!(
        standing.to_string(),
        format!("speculative from {from} to 20000")
    );
    assert_eq!(values.certificate(), None);
    let standing = values.extend(21_000, Trust::Verified, &|| false);
    assert_eq!(standing, Ok(Standing::Speculative { from, to: 21_000 }));
}

#[test]
fn a_stop_keeps_what_was_found() {
    let mut values = HeapNimValues::new("0.37".parse().expect("a code"));
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 9
    };
    values
        .extend(100_000, Trust::Verified, &stop)
        .expect("small values");
    let kept = values.values().to_vec();
    assert!((1000..10_000).contains(&kept.len()), "{}", kept.len());
    values
        .extend(8000, Trust::Verified, &|| false)
        .expect("small values");
    assert_eq!(values.values()[..kept.len()], kept);
    assert_eq!(values.values(), found("0.37", &[8000], Trust::Verified));
}

/// In all engines the further values are the same whatever pieces were found before.
#[test]
fn values_go_on_from_what_was_found() {
    for (game, heaps) in [
        ("0.77", 3000),
        ("grundy", 3000),
        ("0.142", 5000),
        ("0.B9", 300),
        ("8.4F", 200),
        ("0.8", 100),
        ("0.3123", 500),
        ("subtraction(2,5,90,130)", 1500),
        ("subtraction(1,2,3,500000)", 700),
    ] {
        let game: HeapGame = game.parse().expect("a game");
        let mut whole = HeapNimValues::new(game.clone());
        whole.extend(heaps, Trust::Verified, &|| false).unwrap();
        for ends in [
            vec![1],
            vec![heaps / 2],
            vec![7, 8, 20, heaps / 3, heaps - 1],
            vec![3, heaps],
        ] {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let mut known: Vec<FoundValues> =
                starts.zip(&ends).map(|(a, &b)| whole.found(a..b)).collect();
            // Narrow sums are widened later.
            if let (3, Some(first)) = (game.splits_max(), known.first_mut()) {
                let mut young = HeapNimValues::new(game.clone());
                young.extend(ends[0], Trust::Verified, &|| false).unwrap();
                *first = young.found(0..ends[0]);
            }
            let mut values = HeapNimValues::with_known(game.clone(), known);
            assert_eq!(
                values.values().len(),
                *ends.last().unwrap(),
                "{game} {ends:?}"
            );
            values.extend(heaps, Trust::Verified, &|| false).unwrap();
            assert_eq!(values.values(), whole.values(), "{game} {ends:?}");
        }
    }
    let triple = HeapNimValues::with_known(
        "0.8".parse().unwrap(),
        [FoundValues {
            values: vec![0, 0, 0],
            beside: vec![1],
        }],
    );
    assert_eq!(triple.values(), [0u16; 0]);
}

#[test]
fn too_many_heaps_are_refused() {
    let mut values = HeapNimValues::new(HeapGame::Grundy);
    let error = values.extend(HEAPS_MAX + 1, Trust::Verified, &|| false);
    assert_eq!(
        error.map_err(|e| e.to_string()),
        Err("100000000001 heaps; at most 100000000000 are accepted".to_owned())
    );
}

#[test]
fn officers_is_37_moved_by_one() {
    let officers = found("officers", &[6001], Trust::Verified);
    assert_eq!(officers[1..], found("0.37", &[6000], Trust::Verified));
}

/// Returns whether the player to move wins a sum of heaps, by playing it.
fn wins(game: &HeapGame, heaps: &mut Vec<usize>, known: &mut HashMap<Vec<usize>, bool>) -> bool {
    heaps.retain(|&heap| heap > 0);
    heaps.sort_unstable();
    if let Some(&wins) = known.get(heaps) {
        return wins;
    }
    let won = (0..heaps.len()).any(|i| {
        game.options(heaps[i]).any(|option| {
            let mut left = heaps.clone();
            left.swap_remove(i);
            left.extend(option.as_slice());
            !wins(game, &mut left, known)
        })
    });
    known.insert(heaps.clone(), won);
    won
}

/// Without tables or xor: sums of two heaps are played out, and lost exactly if the values are
/// equal.
#[test]
fn sums_are_lost_in_play_where_values_are_equal() {
    for game in [
        "0.37",
        "0.77",
        "0.07",
        "0.6",
        "4.2",
        "0.137",
        "0.8",
        "0.2C",
        "grundy",
        "subtraction(1,3,4)",
    ] {
        let values = found(game, &[12], Trust::Verified);
        let game = game.parse().expect("a game");
        let mut known = HashMap::new();
        for a in 0..12 {
            for b in 0..=a {
                let won = wins(&game, &mut vec![a, b], &mut known);
                assert_eq!(won, values[a] != values[b], "{game}: {a} + {b}");
            }
        }
    }
}
