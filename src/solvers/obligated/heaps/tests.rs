use super::super::reference;
use super::*;

fn agree(game: &str, length: usize) {
    let game: HeapGame = game.parse().expect("a game");
    let mut fast = HeapValues::new(&game);
    // In pieces, so that growth is tested as well.
    for len in [1, 2, 63, 64, 65, 200, 256, 257, length] {
        fast.extend(len.min(length));
    }
    let slow = reference(&game, length);
    for (n, &value) in slow.iter().enumerate() {
        assert_eq!(fast.value(n), value, "{game}, heap {n}");
    }
    let count = |v| slow.iter().filter(|&&value| value == v).count() as u64;
    assert_eq!(fast.counts(), ObligatedValue::ALL.map(count), "{game}");
}

#[test]
fn examples_3_to_6_are_found_again() {
    for (game, from, printed) in [
        ("grundy", 1, "01 01 10 01 11 10 01 11 10 01 11 10 01 11"),
        (
            "kayles",
            0,
            "01 10 11 11 10 01 11 11 01 10 11 11 10 01 11 11",
        ),
        (
            "dawsons-chess",
            0,
            "01 10 10 11 01 11 10 10 01 01 11 10 11 01 01 10",
        ),
        (
            "james-bond",
            0,
            "01 01 01 10 10 10 11 11 01 11 11 10 10 10 01 01 01 11 11 10 11 11",
        ),
    ] {
        let game: HeapGame = game.parse().expect("a game");
        let mut values = HeapValues::new(&game);
        values.extend(30);
        for (n, value) in (from..).zip(printed.split(' ')) {
            assert_eq!(values.value(n).to_string(), value, "{game}, heap {n}");
        }
    }
}

#[test]
fn all_octal_codes_of_three_digits_agree_with_the_definition() {
    for code in 0..512u32 {
        agree(&format!("0.{code:03o}"), 150);
    }
    for code in 0..64u32 {
        agree(&format!("4.{code:02o}"), 150);
    }
}

#[test]
fn all_hexadecimal_codes_of_two_digits_agree_with_the_definition() {
    for code in 0..256u32 {
        agree(&format!("0.{code:02X}"), 60);
    }
    for whole in ["4", "8", "C"] {
        for code in 0..16u32 {
            agree(&format!("{whole}.{code:X}"), 50);
        }
    }
    for code in ["0.B9", "0.8", "0.0C8", "8.0"] {
        agree(code, 300);
    }
}

#[test]
fn other_games_and_long_runs_agree_with_the_definition() {
    for game in [
        "grundy", "0.10143", "0.71472", "0.6", "0.4444", "0.007", "0.147",
    ] {
        agree(game, 1500);
    }
    for game in [
        "subtraction(1,3,4)",
        "subtraction(2,64,65,130)",
        "subtraction(500)",
    ] {
        agree(game, 1500);
    }
}

#[test]
fn heaps_beyond_several_blocks_agree_with_the_definition() {
    // Codes that become periodic late, or have few heaps of some value.
    for game in ["0.71472", "0.10143"] {
        agree(game, 4_200);
    }
    let mut random = fastrand::Rng::with_seed(20_261_121);
    for _ in 0..12 {
        agree(&format!("0.{:05o}", random.u16(..1 << 15)), 2_200);
    }
    agree("grundy", 2_200);
}

/// Further values do not depend on the number of known ones, for games that resume from them
/// and for others.
#[test]
fn values_go_on_from_others() {
    let mut random = fastrand::Rng::with_seed(5);
    for (game, resumes) in [
        ("0.71472", true),
        ("0.10143", true),
        ("0.37", true),
        ("4.26", true),
        ("grundy", true),
        ("0.B9", false),
        ("subtraction(1,70)", false),
    ] {
        let game: HeapGame = game.parse().expect("a game");
        let mut whole = HeapValues::new(&game);
        whole.extend(7000);
        let all: Vec<ObligatedValue> = (0..7000).map(|n| whole.value(n)).collect();
        for round in 0..12 {
            let known = match round {
                0 => 0,
                1 => 1,
                2 => 4096,
                3 => 4096 + 63,
                _ => random.usize(..6900),
            };
            let mut values = HeapValues::with_known(&game, all[..known].iter().copied());
            let expected = if resumes && known >= BLOCKS_FROM + 64 {
                known
            } else {
                0
            };
            assert_eq!(values.len(), expected, "{game} from {known}");
            values.extend(7000);
            let found = (0..7000).find(|&n| values.value(n) != all[n]);
            assert_eq!(found, None, "{game} from {known}");
            assert_eq!(values.counts(), whole.counts(), "{game} from {known}");
        }
    }
}

/// Further values do not depend on the pieces found before, for all kinds of games.
#[test]
fn values_go_on_from_what_was_found() {
    let mut random = fastrand::Rng::with_seed(11);
    for game in [
        "0.71472",
        "0.37",
        "4.26",
        "0.3",
        "grundy",
        "0.B9",
        "8.01",
        "C.0F",
        "subtraction(1,70)",
        "subtraction(2,3)",
    ] {
        let game: HeapGame = game.parse().expect("a game");
        let heaps = if game.splits_max() == 3 { 1500 } else { 5000 };
        let mut whole = HeapValues::new(&game);
        whole.extend(heaps);
        for round in 0..24 {
            let mut ends: Vec<usize> = match round {
                0 => vec![64],
                1 => vec![64, 128, 1024],
                2 => vec![1024 + 64],
                _ => (0..random.usize(1..=4))
                    .map(|_| 64 * random.usize(..heaps / 64))
                    .collect(),
            };
            ends.sort_unstable();
            ends.dedup();
            ends.retain(|&end| end > 0);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let pieces = starts.zip(&ends).map(|(from, &to)| whole.found(from..to));
            let mut values = HeapValues::with_found(&game, pieces);
            assert_eq!(values.len(), ends.last().copied().unwrap_or(0), "{game}");
            values.extend(heaps);
            let apart = (0..heaps).find(|&n| values.value(n) != whole.value(n));
            assert_eq!(apart, None, "{game} from {ends:?}");
            assert_eq!(
                values.found(0..1472),
                whole.found(0..1472),
                "{game} from {ends:?}"
            );
        }
        let mut damaged = whole.found(0..128);
        damaged.pop();
        assert_eq!(HeapValues::with_found(&game, [damaged]).len(), 0, "{game}");
    }
}

#[test]
fn codes_with_more_than_64_digits_agree_with_the_definition() {
    let digits = |seed: u64| -> String {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..90)
            .map(|_| ['0', '0', '4', '0', '1', '2', '0', '0', '7'][random.usize(..9)])
            .collect()
    };
    for seed in 1..12 {
        agree(&format!("0.{}", digits(seed)), 300);
    }
    agree(&format!("0.{}8", "0".repeat(69)), 120);
}
