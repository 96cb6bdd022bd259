//! Languages of rows (`seedbank::proof::language`) against words listed one by one and literal
//! play, and the check of proofs against them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fastrand::Rng;

use seedbank::board::AnyBoard;
use seedbank::board::row::{Pot as RowPot, Row};
use seedbank::evaluate::with_values;
use seedbank::family::Pattern;
use seedbank::game::reading::{FULL, Pot};
use seedbank::game::{Game, Play, Player};
use seedbank::proof::language::{Automaton, Moves, check, check_first};
use seedbank::proof::rows::pots_of;
use seedbank::proof::{Block, Certificate, Claim, Claims, Gap, Relation, Rows, Unproved, Written};
use seedbank::value::Arena;

use crate::common::evaluations::session;

const PLAYERS: [Player; 2] = [Player::Left, Player::Right];

/// Returns all words of at most this length, shorter ones first, each length in order.
fn words(pots: &[Pot], length_max: usize) -> Vec<Vec<Pot>> {
    let mut words = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length_max {
        let shorter = words[from..].to_vec();
        from = words.len();
        words.extend(
            shorter
                .iter()
                .flat_map(|word| pots.iter().map(move |&pot| [&word[..], &[pot]].concat())),
        );
    }
    words
}

/// A nondeterministic automaton with a table of transitions; state 0 is the only first one.
struct Table {
    next: Vec<Vec<(Pot, usize)>>,
    accepting: Vec<bool>,
}

impl Table {
    fn random(rng: &mut Rng, states_max: usize) -> Table {
        let states = rng.usize(1..=states_max);
        let transitions = |rng: &mut Rng| {
            let count = rng.usize(0..=3);
            let each = (0..count).map(|_| (rng.u16(0..2), rng.usize(0..states)));
            each.collect()
        };
        Table {
            next: (0..states).map(|_| transitions(rng)).collect(),
            accepting: (0..states).map(|_| rng.u8(0..3) == 0).collect(),
        }
    }

    fn accepts(&self, word: &[Pot]) -> bool {
        let last = word.iter().fold(BTreeSet::from([0]), |states, &pot| {
            let after = states.iter().flat_map(|&state: &usize| &self.next[state]);
            let read = after.filter(|(other, _)| *other == pot);
            read.map(|&(_, to)| to).collect()
        });
        last.iter().any(|&state| self.accepting[state])
    }

    fn automaton(&self) -> Automaton {
        Automaton::determinised(
            [0].into(),
            |&state: &usize| self.next[state].clone(),
            |&state| self.accepting[state],
        )
    }
}

#[test]
fn operations_agree_with_all_short_words() {
    let pots = [0, 1];
    let words = words(&pots, 8);
    let mut rng = Rng::with_seed(1);
    let mut included = 0;
    for _ in 0..300 {
        let [one, two] = [(); 2].map(|()| Table::random(&mut rng, 4));
        let [a, b] = [&one, &two].map(Table::automaton);
        let union = a.union(&b);
        let both = a.intersection(&b);
        let only = a.difference(&b);
        let others = a.complement(&pots);
        for word in &words {
            let (in_one, in_two) = (one.accepts(word), two.accepts(word));
            assert_eq!(a.accepts(word), in_one);
            assert_eq!(union.accepts(word), in_one || in_two);
            assert_eq!(both.accepts(word), in_one && in_two);
            assert_eq!(only.accepts(word), in_one && !in_two);
            assert_eq!(others.accepts(word), !in_one);
        }
        let mut outside = words.iter();
        match outside.find(|word| one.accepts(word) && !two.accepts(word)) {
            Some(word) => assert_eq!(a.first_outside(&b).as_ref(), Some(word)),
            None => {
                let first = a.first_outside(&b);
                assert!(first.is_none_or(|word| word.len() > 8));
                included += 1;
            }
        }
        assert_eq!(a.is_empty(), a.first().is_none());
        // Equal languages have equal automata.
        let [not_a, not_b] = [&a, &b].map(|language| language.complement(&pots));
        assert_eq!(not_a.intersection(&not_b).complement(&pots), union);
        assert_eq!(only.union(&both), a);
    }
    assert!((20..280).contains(&included), "{included} inclusions");
}

/// By the theorem of Myhill and Nerode there is a state for each set of words that can follow a
/// beginning, except the empty set.
#[test]
fn minimal_automata_have_a_state_for_each_residual_language() {
    // A table of three states has at most seven sets of them, so words of six pots reach all states
    // and tell them apart.
    let words = words(&[0, 1], 6);
    let mut rng = Rng::with_seed(2);
    let mut most = 0;
    for _ in 0..100 {
        let table = Table::random(&mut rng, 3);
        let residual = |before: &Vec<Pot>| -> Vec<bool> {
            let whole = words.iter().map(|after| [&before[..], after].concat());
            whole.map(|word| table.accepts(&word)).collect()
        };
        let mut residuals: BTreeSet<Vec<bool>> = words.iter().map(residual).collect();
        residuals.remove(&vec![false; words.len()]);
        let states = table.automaton().states();
        assert_eq!(states, residuals.len().max(1));
        most = most.max(states);
    }
    assert!(most >= 5, "{most} states");
}

fn rows(pattern: &str, least: &[i64]) -> Rows {
    Rows::of(&pattern.parse().unwrap(), least).unwrap()
}

/// Returns the ends of the row that a word stands for, and its pots between them.
fn read(word: &[Pot]) -> Option<([Pot; 2], Vec<Pot>)> {
    let ends = [*word.first()?, *word.last()?];
    let is_row = ends.iter().all(|end| [0, FULL].contains(end));
    is_row.then(|| (ends, between(word, ends)))
}

fn between(word: &[Pot], [left, right]: [Pot; 2]) -> Vec<Pot> {
    let start = word.iter().take_while(|&&pot| pot == left).count();
    let rest = &word[start..];
    let end = rest.iter().rev().take_while(|&&pot| pot == right).count();
    rest[..rest.len() - end].to_vec()
}

#[test]
fn words_stand_for_rows() {
    for (pattern, pots) in [
        ("(10)^m 03 (01)^n", &[0, 1, 3][..]),
        ("0^m 2 (01)^n 0", &[0, 1, 2]),
        ("...e 1^m e 2 0^n e...", &[0, 1, 2, FULL]),
        ("0^m e 1^n 0", &[0, 1, FULL]),
        ("...e 01^m 0^n", &[0, 1, FULL]),
        ("e^m 0^n 1", &[0, 1, FULL]),
    ] {
        let family = rows(pattern, &[0, 0]);
        let counts = (0..8).flat_map(|m| (0..8).map(move |n| [m, n]));
        let all = counts.map(|counts| between(&family.row(&counts), family.ends));
        let all: BTreeSet<Vec<Pot>> = all.collect();
        let automaton = Automaton::of(std::slice::from_ref(&family));
        for word in words(pots, 7) {
            let is_row =
                read(&word).is_some_and(|(ends, row)| ends == family.ends && all.contains(&row));
            assert_eq!(automaton.accepts(&word), is_row, "{pattern} {word:?}");
        }
    }
}

/// Returns the automaton of the rows of some boards.
fn language(boards: &[AnyBoard]) -> Automaton {
    let rows = boards.iter().map(|board| {
        let AnyBoard::Row(row) = board else {
            panic!("{board} is no row");
        };
        let end = |is_endless| if is_endless { FULL } else { 0 };
        let ends = [end(row.endless_left), end(row.endless_right)];
        Rows::new(vec![Block::Pots(pots_of(&row.pots))], ends)
    });
    Automaton::of(&rows.collect::<Vec<_>>())
}

/// Returns all rows of at most four pots of at most four seeds, without empty pots at the ends; in
/// games with full pots also those of at most three pots of at most three seeds or full pots,
/// between any ends.
fn small_rows(has_full_pots: bool) -> Vec<AnyBoard> {
    let pots = |row: &[Pot]| -> Vec<RowPot> {
        let pot = |&pot: &Pot| match pot {
            FULL => RowPot::Full,
            pot => RowPot::Seeds(pot.into()),
        };
        row.iter().map(pot).collect()
    };
    let mut found = Vec::new();
    let mut add = |words: Vec<Vec<Pot>>, ends: [Pot; 2]| {
        let words = words
            .into_iter()
            .filter(|word| between(word, ends) == *word);
        found.extend(words.map(|word| {
            AnyBoard::Row(Row {
                pots: pots(&word),
                endless_left: ends[0] == FULL,
                endless_right: ends[1] == FULL,
            })
        }));
    };
    add(words(&[0, 1, 2, 3, 4], 4), [0, 0]);
    if has_full_pots {
        for ends in [[0, 0], [0, FULL], [FULL, 0], [FULL, FULL]] {
            add(words(&[0, 1, 2, 3, FULL], 3), ends);
        }
    }
    found
}

/// Returns the boards that a player can move to by literal play.
fn options(game: Game, play: Play, board: &AnyBoard, player: Player) -> Vec<AnyBoard> {
    let players = match play {
        Play::Partisan => vec![player],
        Play::Impartial => PLAYERS.to_vec(),
    };
    let options = players.iter();
    options
        .flat_map(|&player| game.literal_options(board, player))
        .collect()
}

/// Returns the ways to move in a game: partisan for both players, and impartial.
fn movers() -> [(Play, Player); 3] {
    [
        (Play::Partisan, Player::Left),
        (Play::Partisan, Player::Right),
        (Play::Impartial, Player::Left),
    ]
}

#[test]
fn images_and_preimages_agree_with_literal_play() {
    let by_rules = ["last=occupied,capture=1+3,chain", "last=1-2,landing"];
    let by_rules = by_rules.map(|text| Game::of_rules(text.parse().unwrap(), None).unwrap());
    for game in [Game::SOWING, Game::ATOMIC_WARI]
        .into_iter()
        .chain(by_rules)
    {
        let reading = game.reading().unwrap();
        let boards = small_rows(reading.has_full_pots());
        let rows: Vec<Automaton> = (boards.iter())
            .map(|board| language(std::slice::from_ref(board)))
            .collect();
        let words: Vec<Vec<Pot>> = rows.iter().map(|row| row.first().unwrap()).collect();
        for (play, mover) in movers() {
            let moves = Moves {
                reading,
                play,
                mover,
            };
            let images: Vec<Automaton> = (boards.iter())
                .map(|board| language(&options(game, play, board, mover)))
                .collect();
            for (at, row) in rows.iter().enumerate() {
                let board = &boards[at];
                assert_eq!(
                    moves.image(row),
                    images[at],
                    "{} {play} {board}",
                    game.name()
                );
                let preimage = moves.preimage(row, 4);
                for (from, image) in images.iter().enumerate() {
                    assert_eq!(
                        preimage.accepts(&words[from]),
                        image.accepts(&words[at]),
                        "{} {play} {} to {board}",
                        game.name(),
                        boards[from]
                    );
                }
            }
            // Of languages with many rows.
            let union = |all: &[Automaton]| {
                let none = Automaton::of(&[]);
                all.iter().fold(none, |union, row| union.union(row))
            };
            assert_eq!(moves.image(&union(&rows)), union(&images));
        }
    }
}

/// The claims of a certificate that state that its rows are 0, or at most or at least 0.
fn zero_claims(certificate: &Certificate) -> Vec<Written> {
    let all = certificate.theorem.iter().chain(&certificate.claims);
    all.filter(|claim| claim.value == "0").cloned().collect()
}

/// Returns the shipped certificates with claims of 0.
fn certificates() -> Vec<(String, Certificate)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/proofs");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let certificate = Certificate::load(&path).unwrap();
            if !zero_claims(&certificate).is_empty() {
                found.push((path.display().to_string(), certificate));
            }
        }
    }
    found.sort_by(|one, two| one.0.cmp(&two.0));
    found
}

/// Returns the claims, the claims without each one, and those with one more seed in each written
/// pot of their first pattern.
fn variants(claims: &[Written]) -> Vec<Vec<Written>> {
    let mut variants = vec![claims.to_vec()];
    for at in 0..claims.len() {
        let mut fewer = claims.to_vec();
        fewer.remove(at);
        variants.push(fewer);
    }
    let pattern = &claims[0].rows;
    for (at, digit) in pattern.char_indices() {
        if let Some(seeds @ 0..=3) = digit.to_digit(10) {
            let mut wrong = claims.to_vec();
            wrong[0]
                .rows
                .replace_range(at..=at, &(seeds + 1).to_string());
            variants.push(wrong);
        }
    }
    variants.retain(|claims| !claims.is_empty());
    variants
}

/// Returns some shortest rows of a family, as words.
fn short_rows(rows: &Rows) -> Vec<Vec<Pot>> {
    let least = rows.least();
    let mut all = vec![Vec::new()];
    for &least in &least {
        let longer = all.iter().flat_map(|counts: &Vec<i64>| {
            (least..least + 5).map(move |count| [&counts[..], &[count]].concat())
        });
        all = longer.collect();
    }
    let word = |counts: &Vec<i64>| [&rows.ends[..1], &rows.row(counts), &rows.ends[1..]].concat();
    all.iter().map(word).collect()
}

fn board_of(word: &[Pot]) -> AnyBoard {
    let (ends, pots) = read(word).unwrap();
    let pot = |&pot: &Pot| match pot {
        FULL => RowPot::Full,
        pot => RowPot::Seeds(pot.into()),
    };
    AnyBoard::Row(Row {
        pots: pots.iter().map(pot).collect(),
        endless_left: ends[0] == FULL,
        endless_right: ends[1] == FULL,
    })
}

/// Asserts by literal play that a gap is a move without an answer, and that shorter rows of the set
/// have none.
fn assert_gap(game: Game, play: Play, set: &[Rows], gap: &Gap) {
    let ends = set[0].ends;
    let word = |pots: Vec<Pot>| [&ends[..1], &pots, &ends[1..]].concat();
    let before = word(gap.steps.iter().map(|step| step.before).collect());
    let after = word(gap.steps.iter().map(|step| step.after).collect());
    let rows = Automaton::of(set);
    let in_set =
        |board: &AnyBoard| rows.accepts(&language(std::slice::from_ref(board)).first().unwrap());
    let is_unanswered = |option: &AnyBoard| {
        let answers = options(game, play, option, gap.first.opponent());
        !answers.iter().any(in_set)
    };
    assert!(rows.accepts(&before), "{gap}");
    let moves = options(game, play, &board_of(&before), gap.first);
    let same = |option: &AnyBoard| language(std::slice::from_ref(option)).accepts(&after);
    assert!(moves.iter().any(same), "{gap}");
    assert!(is_unanswered(&board_of(&after)), "{gap}");
    let length = between(&before, ends).len();
    for shorter in set.iter().flat_map(short_rows) {
        if between(&shorter, ends).len() < length {
            let moves = options(game, play, &board_of(&shorter), gap.first);
            assert!(!moves.iter().any(is_unanswered), "{gap} but {shorter:?}");
        }
    }
}

/// Asserts for each player that the slow and the fast check of some claims of 0 agree, and that what
/// the slow one finds is a gap. Returns the verdicts on the players that there are claims for.
fn verdicts(game: Game, play: Play, claims: &[Claim]) -> Vec<bool> {
    let reading = game.reading().unwrap();
    let all = Claims {
        reading,
        play,
        claims,
        states_max: 1_000_000,
    };
    let mut verdicts = Vec::new();
    for first in PLAYERS {
        let of_first = |at: &usize| claims[*at].bound(first).is_some();
        let stated: Vec<usize> = (0..claims.len()).filter(of_first).collect();
        let set: Vec<Rows> = stated.iter().map(|&at| claims[at].rows.clone()).collect();
        if set.is_empty() {
            continue;
        }
        let fast = stated.iter().all(|&at| all.check(at, first).is_ok());
        let slow = check_first(reading, play, &set, first);
        let of = || format!("{} {play} {first:?} {set:?}", game.name());
        assert_eq!(slow.is_ok(), fast, "{}", of());
        verdicts.push(fast);
        match slow {
            Ok(()) => {}
            Err(Unproved::Gap(gap)) => assert_gap(game, play, &set, &gap),
            Err(why) => panic!("{}: {why}", of()),
        }
    }
    verdicts
}

#[test]
fn closed_sets_are_those_that_the_check_of_proofs_accepts() {
    let arena = Arena::new();
    let mut found = Vec::new();
    for (_, certificate) in certificates() {
        for written in variants(&zero_claims(&certificate)) {
            let claims = written
                .iter()
                .map(|claim| claim.claim(&mut arena.calculator()));
            let claims: Vec<Claim> = claims.map(Result::unwrap).collect();
            found.extend(verdicts(certificate.game, certificate.play, &claims));
        }
    }
    let closed = found.iter().filter(|is_closed| **is_closed).count();
    assert!(
        closed >= 80 && found.len() - closed >= 200,
        "{closed} of {}",
        found.len()
    );
}

#[test]
fn single_patterns_are_closed_if_the_check_of_proofs_accepts_them() {
    let arena = Arena::new();
    let mut found = Vec::new();
    for (game, ends) in [
        (
            Game::SOWING,
            &[("", ""), ("...e", ""), ("", "e..."), ("...e", "e...")][..],
        ),
        (Game::ATOMIC_WARI, &[("", "")]),
        (
            Game::of_rules("last=occupied,capture=2-3".parse().unwrap(), None).unwrap(),
            &[("", "")],
        ),
    ] {
        let full = if game.reading().unwrap().has_full_pots() {
            "e"
        } else {
            "4"
        };
        let words = ["1", "0", "10", "01", "2", "100"];
        for middle in ["", "2", "3", "11", "12", "03", full] {
            for (left, right) in words.iter().flat_map(|l| words.iter().map(move |r| (l, r))) {
                for (before, after) in ends {
                    let written = Written {
                        rows: format!("{before} ({left})^m {middle} ({right})^n {after}"),
                        least: [('m', 1)].into(),
                        relation: Relation::Is,
                        value: "0".to_owned(),
                    };
                    let claim = written.claim(&mut arena.calculator()).unwrap();
                    for play in [Play::Partisan, Play::Impartial] {
                        found.extend(verdicts(game, play, std::slice::from_ref(&claim)));
                    }
                }
            }
        }
    }
    let closed = found.iter().filter(|is_closed| **is_closed).count();
    assert!(
        closed >= 100 && found.len() - closed >= 1000,
        "{closed} of {}",
        found.len()
    );
}

#[test]
fn rows_of_closed_sets_have_the_value_0() {
    let mut compared = 0;
    for (name, certificate) in certificates() {
        let (game, play) = (certificate.game, certificate.play);
        let session = session(1, bytesize::ByteSize::gib(1));
        with_values(game, play, &session, |values| {
            let mut calculator = values.arena().calculator();
            let zero = calculator.parse("0").unwrap();
            for written in variants(&zero_claims(&certificate)) {
                let claims: Vec<Claim> = (written.iter())
                    .map(|claim| claim.claim(&mut calculator).unwrap())
                    .collect();
                for first in PLAYERS {
                    let stated = claims.iter().filter(|claim| claim.bound(first).is_some());
                    let set: Vec<Rows> = stated.map(|claim| claim.rows.clone()).collect();
                    if check_first(game.reading().unwrap(), play, &set, first).is_err() {
                        continue;
                    }
                    for word in set
                        .iter()
                        .flat_map(short_rows)
                        .filter(|word| word.len() <= 12)
                    {
                        let board = board_of(&word);
                        let Some(value) = values.value(&board, 100_000).unwrap() else {
                            continue;
                        };
                        let holds = match first {
                            Player::Left => calculator.le(value, zero),
                            Player::Right => calculator.le(zero, value),
                        };
                        assert!(holds, "{name}: {first:?} wins {board}");
                        compared += 1;
                    }
                }
            }
        });
    }
    assert!(compared > 1000, "{compared} rows");
}

/// Endless ends, and a set that is lost by both players.
#[test]
fn sets_with_full_pots_are_closed_or_have_a_shortest_row_without_an_answer() {
    let reading = Game::SOWING.reading().unwrap();
    let verdict = |patterns: &[&str], play| {
        let set = patterns.iter().map(|pattern| {
            let pattern: Pattern = pattern.parse().unwrap();
            Rows::of(&pattern, &vec![0; pattern.variables().len()]).unwrap()
        });
        let verdict = check(reading, play, &set.collect::<Vec<_>>());
        verdict.err().map(|why| why.to_string())
    };
    assert_eq!(verdict(&["0^n e", "0^n e..."], Play::Partisan), None);
    assert_eq!(
        verdict(&["...e 1^n e..."], Play::Partisan).as_deref(),
        Some("no answer among the claims to Left's move 1 -> 0")
    );
    assert_eq!(verdict(&["(10)^m 3 (01)^n"], Play::Impartial), None);
    let wari = Game::ATOMIC_WARI.reading().unwrap();
    let refused = check(wari, Play::Partisan, &[rows("1 e", &[])]);
    assert!(matches!(refused, Err(Unproved::FullPots)));
}
