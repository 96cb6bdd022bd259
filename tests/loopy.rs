//! Games in which play need not end: values and endings agree with the reference engine, and loopy values with play.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use seedbank::board::row::{Pot, Row};
use seedbank::board::{AnyBoard, BoardKind};
use seedbank::dataset::{FormRow, PositionRow};
use seedbank::engine::Ending;
use seedbank::engine::reference::{ReferenceEngine, ReferenceError};
use seedbank::evaluate::{Evaluation, Outcomes, evaluate, outcomes};
use seedbank::game::{Game, Play};
use seedbank::value::Arena;

use crate::common::evaluations::session;
use crate::common::loopy::assert_value;
use crate::common::naive::SameForm;
use crate::common::rows::small_rows;
use crate::common::workspace::{Workspace, ended, of_out, printed, seedbank};

/// Compares rows of a loopy game with the reference engine and with play; returns how many have no circle among their followers.
fn agree(game: Game, play: Play, rows: &[Row]) -> usize {
    let evaluation = Evaluation {
        followers: true,
        ..Evaluation::of(game, play)
    };
    let mut reference = ReferenceEngine::new(game);
    let arena = Arena::new();
    let mut same = SameForm::default();
    let mut valued = 0;
    let each = |place: usize, row: seedbank::dataset::PositionRow| {
        let written = &rows[place];
        let endings = reference.endings(written, play).unwrap();
        let found = [row.left_first.unwrap(), row.right_first.unwrap()];
        assert_eq!(found, endings.map(Ending::name), "{game} {play} {written}");
        let followers = reference.followers(written).unwrap();
        assert_eq!(row.followers, Some(followers as i64), "{written}");
        let expected = reference.canonical(written);
        let nim_value = reference.nim_value(written);
        let class = Ending::class(endings).map(|class| class.letter());
        assert_eq!(row.outcome.as_deref(), class, "{written}");
        match row.value {
            Some(value) => {
                assert_eq!(row.value_missing, None);
                if row.is_stopper.is_some() {
                    assert!(
                        matches!(expected, Err(ReferenceError::Loopy(_))),
                        "{written}"
                    );
                    assert_value(game, play, &written.clone().into(), &value.value.unwrap());
                    return;
                }
                valued += 1;
                if play == Play::Impartial {
                    assert_eq!(
                        value.nim_value,
                        nim_value.ok().map(|n| n as i32),
                        "{written}"
                    );
                    return;
                }
                let id = arena.calculator().parse(&value.value.unwrap()).unwrap();
                let expected = expected.unwrap();
                assert!(
                    same.same(reference.forms(), expected, &arena, id),
                    "{written}"
                );
            }
            None => panic!("{written} has no value"),
        }
    };
    let boards: Vec<AnyBoard> = rows.iter().cloned().map(AnyBoard::from).collect();
    let session = session(2, ByteSize::gib(4));
    evaluate(&evaluation, &session, &boards, each).unwrap();
    valued
}

#[test]
fn small_rows_agree_with_the_reference_engine() {
    let rows = small_rows(6, 9, false);
    for play in Play::ALL {
        let valued = agree(Game::REVERSE_ATOMIC_WARI, play, &rows);
        assert!(valued > 1_000, "{valued}");
    }
}

#[test]
fn random_rows_agree_with_the_reference_engine() {
    let mut random = fastrand::Rng::with_seed(31);
    // Pots with few seeds each, so that there are circles.
    let row = |_| Row {
        pots: (0..random.usize(5..=7))
            .map(|_| Pot::Seeds(random.u32(1..=4)))
            .collect(),
        ..Row::default()
    };
    let rows: Vec<Row> = (0..rows_tried()).map(row).collect();
    for play in Play::ALL {
        let valued = agree(Game::REVERSE_ATOMIC_WARI, play, &rows);
        assert!(
            rows.len() - valued > rows.len() / 20,
            "{play}: {valued} valued"
        );
    }
}

/// Returns the number of random rows; a large number takes minutes.
fn rows_tried() -> usize {
    std::env::var("SEEDBANK_LOOPY").map_or(60, |rows| rows.parse().expect("a number of rows"))
}

/// The search for winners works backwards from each row in one pass; the table remembers earlier
/// answers.
#[test]
fn winners_agree_with_the_table() {
    let rows =
        ["143223", "1111", "44021", "1102143"].map(|text| BoardKind::Row.read(text).unwrap());
    for play in Play::ALL {
        let question = Outcomes {
            game: Game::REVERSE_ATOMIC_WARI,
            manner: play.into(),
            nimber_max: 0,
        };
        let session = session(2, ByteSize::gib(4));
        let mut reference = ReferenceEngine::new(Game::REVERSE_ATOMIC_WARI);
        outcomes(&question, &session, &rows, |place, found| {
            let expected = reference.endings(&rows[place], play).unwrap();
            assert_eq!(found.endings, expected, "{play} {}", rows[place]);
        })
        .unwrap();
    }
}

/// Rows of a game with loopy values, to a number of seeds.
fn spec_of_rows(here: &Workspace, name: &str, play: &str, seeds_max: u32) -> PathBuf {
    let rest = format!(
        "play = {play:?}\n[rules]\nlast = \"any\"\npots = 4\n[family]\n\
         union = [{{ pattern = \"1 0^n\", n = \"0..=3\" }}, {{ pattern = \"1 0^n 1\", n = \"0..=2\" }}, \
         {{ all = {{ seeds_max = {seeds_max} }} }}]\n"
    );
    here.plain_spec(name, "row-rules", &rest)
}

/// Loopy values are shown, left out of laws, and made again when a family grows; threads do not matter.
#[test]
fn jobs_have_loopy_values() {
    for play in ["partisan", "impartial"] {
        let here = Workspace::new();
        let spec = spec_of_rows(&here, "grown", play, 2);
        here.finish(&spec, &["--threads", "1"]);
        spec_of_rows(&here, "grown", play, 4);
        here.finish(&spec, &["--threads", "2"]);
        let fresh = spec_of_rows(&here, "fresh", play, 4);
        here.finish(
            &fresh,
            &[
                "--threads",
                "1",
                "--store",
                here.path("own").to_str().unwrap(),
            ],
        );
        let rows = here.rows(&spec);
        assert_eq!(rows, here.rows(&fresh));
        let kind = |row: &PositionRow| {
            row.value
                .as_ref()
                .map(|value| value.kind.clone().into_owned())
        };
        let loopy = rows
            .iter()
            .filter(|row| kind(row).as_deref() == Some("loopy"));
        assert!(loopy.clone().count() > 20, "{play}");
        let sides = |row: &&PositionRow| (row.onside.is_some(), row.is_stopper);
        for row in loopy {
            assert_eq!(sides(&row), (play == "partisan", Some(false)), "{row:?}");
        }
        // Every loopy form has its options in the table, and each value its form.
        if play == "partisan" {
            let digest = |form: &FormRow| form.value_digest;
            let of = |spec: &Path| here.forms(spec).iter().map(digest).collect::<BTreeSet<_>>();
            let forms = of(&spec);
            assert_eq!(forms, of(&fresh));
            let options = here.forms(&spec).into_iter();
            let options = options.flat_map(|form| [form.left_options, form.right_options].concat());
            assert!(options.into_iter().all(|option| forms.contains(&option)));
            assert!(
                rows.iter()
                    .flat_map(|row| &row.value)
                    .all(|value| forms.contains(&value.value_digest))
            );
        }
        for command in [
            &["table"][..],
            &["table", "--format", "latex"],
            &["report"],
            &["check"],
            &["mine"],
            &["export", "--format", "csv"],
            &["prove", "--laws"],
        ] {
            let found = ended(of_out(&here, command, &spec));
            assert_eq!(found.status, Some(0), "{command:?}: {found:?}");
        }
    }
}

/// Moves of games with known values: over, {7over|1}, Tiny(on) plus 2, {0|off} and dud.
const STOPPERS: &str = r#"
{"position": "0"}
{"position": "1", "left": ["0"]}
{"position": "2", "left": ["1"]}
{"position": "over", "left": ["0"], "right": ["over"]}
{"position": "7", "left": ["6"]}
{"position": "6", "left": ["5"]}
{"position": "5", "left": ["4"]}
{"position": "4", "left": ["3"]}
{"position": "3", "left": ["2"]}
{"position": "7over", "left": ["7"], "right": ["7over"]}
{"position": "hot", "left": ["7over"], "right": ["1"]}
{"position": "off", "right": ["off"]}
{"position": "threat", "left": ["2"], "right": ["off"]}
{"position": "tiny", "left": ["2"], "right": ["threat"]}
{"position": "dud", "left": ["dud"], "right": ["dud"]}
"#;

#[test]
fn rows_of_stoppers_have_stops_means_and_temperatures() {
    let here = Workspace::new();
    std::fs::write(here.path("stoppers.ndjson"), STOPPERS).unwrap();
    let rest = "play = \"partisan\"\nmoves = \"stoppers.ndjson\"\n[family]\nall = true\n";
    let spec = here.plain_spec("stoppers", "moves", rest);
    here.finish(&spec, &[]);
    let rows = here.rows(&spec);
    for (position, value, expected) in [
        ("over", "over", [Some(0.0), Some(0.0), Some(0.0), Some(0.0)]),
        (
            "hot",
            "{7over|1}",
            [Some(7.0), Some(1.0), Some(4.0), Some(3.0)],
        ),
        (
            "tiny",
            "2Tiny(on)",
            [Some(2.0), Some(2.0), Some(2.0), Some(0.0)],
        ),
        ("threat", "{2|off}", [Some(2.0), None, None, None]),
        ("dud", "dud", [None; 4]),
    ] {
        let row = rows.iter().find(|row| row.position == position).unwrap();
        let found = row.value.as_ref().unwrap();
        let numbers = [
            found.left_stop,
            found.right_stop,
            found.mean,
            found.temperature,
        ];
        assert_eq!((found.value.as_deref(), numbers), (Some(value), expected));
    }
}

#[test]
fn loopy_texts_that_take_too_long_or_are_not_defined_are_refused() {
    for (text, why) in [
        (
            "100.upon - 100.upon",
            "it takes more than 3000000 steps of comparing and adding loopy games",
        ),
        (
            "over.^",
            "character 5: a Norton product of a loopy game is not defined",
        ),
        (
            "^.over",
            "character 2: a Norton product of a loopy game is not defined",
        ),
        (
            "101.upon",
            "of its multiples n.G those with integers up to 100 are read",
        ),
        (
            "dud:1",
            "character 4: the base of an ordinal sum must be a stopper",
        ),
    ] {
        let found = ended(seedbank(&["value", text]));
        assert_eq!(found.status, Some(2), "{text}: {found:?}");
        assert!(found.stderr.contains(why), "{text}: {found:?}");
    }
    assert!(printed(seedbank(&["value", "1:off"])).starts_with("value             over\n"));
}
