use std::collections::BTreeSet;

use super::*;
use crate::game::{AtomicWari, Sowing};

/// Every row of at most `pots_max` pots and `seeds_max` seeds.
fn rows(pots_max: usize, seeds_max: u32) -> Vec<Row> {
    let mut all = vec![Vec::new()];
    let mut longest = vec![Vec::<u32>::new()];
    for _ in 0..pots_max {
        let longer = longest.iter().flat_map(|row| {
            let left = seeds_max - row.iter().sum::<u32>();
            (0..=left).map(move |seeds| [&row[..], &[seeds]].concat())
        });
        longest = longer.collect();
        all.extend(longest.iter().cloned());
    }
    let row = |pots: Vec<u32>| Row {
        pots: pots.into_iter().map(Pot::Seeds).collect(),
        ..Row::default()
    };
    all.into_iter().map(row).collect()
}

fn random_rules(random: &mut fastrand::Rng) -> RowRules {
    let mut counts = |sets: &[Counts]| match random.usize(..=sets.len()) {
        place if place < sets.len() => sets[place],
        _ => Counts::of((0..4).filter(|_| random.bool()).collect::<Vec<u8>>()),
    };
    let last = counts(&[Counts::ANY, Counts::OCCUPIED, Counts::EMPTY_POT]);
    let capture = counts(&[Counts::NONE, Counts::of([2, 3])]);
    let first = if random.bool() {
        First::Next
    } else {
        First::Origin
    };
    let least = if first == First::Origin { 2 } else { 1 };
    RowRules {
        pot_min: random.u8(least..=least + 1),
        first,
        last,
        laps: if random.u8(..3) == 0 {
            Laps::Multiple
        } else {
            Laps::Single
        },
        landing: random.u8(..3) == 0,
        capture,
        chain: random.bool(),
    }
}

/// The options in a game of another game's rules, as normal forms of the game.
fn fast(
    game: &impl Ruleset<Board = Row, Position = Strip>,
    row: &Row,
    player: Player,
) -> Vec<String> {
    let mut found = Vec::new();
    let position = game.position(row).unwrap();
    let count = |position: &Strip| {
        let counts = Player::BOTH.map(|player| game.count_options(position, player));
        counts.map(Result::unwrap)
    };
    game.each_option(&position, player, &mut |option| {
        let read = game.position(&option.to_row()).unwrap();
        assert_eq!(count(option), count(&read), "{option} after {row}");
        found.push(option.to_string());
    })
    .unwrap();
    for part in game.components(&position) {
        let read = game.position(&part.to_row()).unwrap();
        assert_eq!(count(&part), count(&read), "{part} of {row}");
    }
    found.sort();
    found
}

fn literal(game: &RowGame, normal: &RowGame, row: &Row, player: Player) -> Vec<String> {
    let options = game.literal_options(row, player).into_iter();
    let mut found: Vec<String> = options
        .map(|option| normal.position(&option).unwrap().to_string())
        .collect();
    found.sort();
    found
}

/// The literal moves are made by the switches as given, the others by those without effect reset.
#[test]
fn moves_agree_with_literal_play_by_random_rules() {
    let mut random = fastrand::Rng::with_seed(66);
    let all = rows(5, 7);
    let mut endless = 0;
    let mut with_moves = BTreeSet::new();
    for _ in 0..400 {
        let rules = random_rules(&mut random);
        let is_endless = rules.check_endless().is_ok() && random.bool();
        endless += u32::from(is_endless);
        let board = (!is_endless).then(|| random.u32(5..=8));
        let normal = RowGame::new(rules, board);
        assert_eq!(normal.rules.to_string().parse(), Ok(normal.rules));
        assert_eq!(normal.rules.normal(), normal.rules);
        let given = RowGame { rules, ..normal };
        let reduced = RowGame::new(rules.reduced(), board);
        for _ in 0..60 {
            let row = &all[random.usize(..all.len())];
            for player in Player::BOTH {
                let expected = literal(&given, &normal, row, player);
                assert_eq!(
                    fast(&normal, row, player),
                    expected,
                    "{} {row} {player:?}",
                    normal.id()
                );
                let by_reduced = literal(&reduced, &normal, row, player);
                assert_eq!(by_reduced, expected, "{} {row}", reduced.id());
                if !expected.is_empty() {
                    with_moves.insert(normal.id());
                }
            }
        }
    }
    assert!(endless > 50, "{endless}");
    assert!(with_moves.len() > 150, "{}", with_moves.len());
}

/// On the endless row the counts of full pots differ, those that Sowing caps.
#[test]
fn the_presets_have_the_moves_of_the_games() {
    let sowing = RowGame::new(RowRules::SOWING, None);
    let endless = RowGame::new(RowRules::ATOMIC_WARI, None);
    let board = RowGame::new(RowRules::ATOMIC_WARI, Some(7));
    let names = |strips: Vec<Strip>| strips.iter().map(Strip::to_string).collect::<Vec<_>>();
    for row in rows(6, 8) {
        for player in Player::BOTH {
            assert_eq!(
                fast(&sowing, &row, player),
                fast(&Sowing, &row, player),
                "{row}"
            );
            for (game, width) in [(&endless, None), (&board, Some(7))] {
                let wari = AtomicWari::on(width);
                assert_eq!(fast(game, &row, player), fast(&wari, &row, player), "{row}");
                let position = wari.position(&row).unwrap();
                let parts = names(game.components(&position));
                assert_eq!(parts, names(wari.components(&position)), "{row}");
            }
        }
    }
}

fn left_and_right(rules: RowRules, row: &str) -> [String; 2] {
    let game = RowGame::new(rules, None);
    Player::BOTH.map(|player| fast(&game, &row.parse().unwrap(), player).join(" "))
}

#[test]
fn the_worked_moves() {
    let twos = RowRules {
        capture: Counts::of([2]),
        ..RowRules::ATOMIC_WARI
    };
    assert_eq!(left_and_right(twos, "312"), ["123 3111", "11112 301"]);
    assert_eq!(left_and_right(twos, "33")[0], "141 3111");
    let taking = RowRules {
        capture: Counts::of([2, 3]),
        chain: true,
        ..RowRules::SOWING
    };
    assert_eq!(left_and_right(taking, "2112")[0], "2 2002 21");
    let landing = RowRules {
        landing: true,
        ..RowRules::SOWING
    };
    assert_eq!(left_and_right(landing, "2112")[0], "2 2002 21");
    // The last seed of 2 falls into the 1; these two are sown on, and end in the empty pot.
    let on = RowRules {
        laps: Laps::Multiple,
        ..RowRules::DEFAULT
    };
    let board = RowGame::new(on, Some(6));
    let row: Row = "201000".parse().unwrap();
    assert_eq!(fast(&board, &row, Player::Left), ["010110", "200100"]);
}

/// Play returns to a position exactly by the rules that are called loopy, on all small rows.
#[test]
fn play_ends_where_it_is_said_to() {
    let mut random = fastrand::Rng::with_seed(67);
    let all = rows(4, 6);
    let (mut ended, mut loopy) = (0, 0);
    for _ in 0..120 {
        let rules = random_rules(&mut random);
        let board = rules.check_endless().err().map(|_| 5);
        let game = RowGame::new(rules, board);
        let has_circle = all.iter().any(|row| {
            let position = game.position(row).unwrap();
            comes_back(&game, position, &mut Vec::new(), &mut BTreeSet::new())
        });
        assert!(game.is_loopy() || !has_circle, "{}", game.id());
        ended += u32::from(!game.is_loopy());
        loopy += u32::from(has_circle);
    }
    assert!(ended > 20 && loopy > 10, "{ended} {loopy}");
}

fn comes_back(
    game: &RowGame,
    position: Strip,
    path: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> bool {
    let name = position.to_string();
    if path.contains(&name) {
        return true;
    }
    if !done.insert(name.clone()) {
        return false;
    }
    assert!(done.len() < 100_000, "finitely many positions");
    path.push(name);
    let mut options = Vec::new();
    for player in Player::BOTH {
        game.each_option(&position, player, &mut |option| options.push(*option))
            .unwrap();
    }
    let found = options
        .into_iter()
        .any(|option| comes_back(game, option, path, done));
    path.pop();
    found
}

#[test]
fn rows_split_at_gaps_that_no_seed_crosses() {
    let parts = |rules: RowRules, board: Option<u32>, row: &str| {
        let game = RowGame::new(rules, board);
        let found = game.components(&game.position(&row.parse().unwrap()).unwrap());
        found
            .iter()
            .map(Strip::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let taking = RowRules {
        capture: Counts::of([2, 3]),
        ..RowRules::SOWING
    };
    assert_eq!(parts(taking, None, "1100011"), "11 11");
    assert_eq!(parts(taking, None, "11011"), "11011");
    assert_eq!(parts(taking, None, "11000001"), "11");
    assert_eq!(parts(taking, Some(8), "11000011"), "11000000 00000011");
    let twos = RowRules {
        capture: Counts::of([2]),
        ..RowRules::ATOMIC_WARI
    };
    assert_eq!(parts(twos, None, "30003"), "3 3");
    assert_eq!(parts(twos, None, "22022"), "22022");
    let none = RowRules {
        capture: Counts::NONE,
        ..RowRules::ATOMIC_WARI
    };
    assert_eq!(parts(none, None, "30003"), "30003");
    assert_eq!(parts(none, None, "300003"), "3 3");
    assert_eq!(parts(RowRules::DEFAULT, Some(8), "10000001"), "10000001");
}
